import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { ConfigError } from '../../../platform/kernel/errors.js';
import { type Draft, isDraft } from '../draft.js';
import type { JsonFile } from '../json-file.js';

/** Returns the text of a document with another value at a path; every other line stays as it is. Undefined takes the value out. */
export function replaceAt(json: JsonFile, path: JSONPath, value: unknown): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  return applyEdits(json.text, modify(json.text, path, value, { formattingOptions }));
}

/** Returns the text of a document with a value more at the end of a list, which is made where it is missing. */
export function appendAt(json: JsonFile, path: JSONPath, value: Draft): string {
  const list = path.reduce<unknown>(
    (at, segment) => (at as Record<string | number, unknown> | undefined)?.[segment],
    json.value,
  );
  return Array.isArray(list) ? replaceAt(json, [...path, list.length], value) : replaceAt(json, path, [value]);
}

/** Returns the object in a tenant file. Throws ConfigError where there is none, or its principals are no list. */
export function draftOf(json: JsonFile): Draft {
  if (json.problems.length > 0) throw new ConfigError(json.problems);
  if (!isDraft(json.value))
    throw fileRefusal(json.file, '', 'a tenant file is a JSON object', 'Put the content into braces.');
  const { principals } = json.value;
  if (principals === undefined || Array.isArray(principals)) return json.value;
  throw fileRefusal(json.file, '/principals', 'principals are a list', 'Put them into square brackets.');
}

/** Returns the error for one fault of a file as a whole. */
export function fileRefusal(file: string, pointer: string, message: string, fix: string): ConfigError {
  return new ConfigError([{ file, line: 0, pointer, message, fix }]);
}
