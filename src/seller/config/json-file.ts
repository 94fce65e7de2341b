import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { getNodePath, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type ConfigProblem, type FilePosition, PassingError } from '../../platform/kernel/errors.js';
import { pointerStep } from '../../platform/kernel/json/json.js';

/** The path of a value in a JSON document: property names and array indexes from the root. */
export type JsonPath = readonly (string | number)[];

/** A JSON document together with the positions of its values. `value` is undefined when the text is not JSON. */
export type JsonFile = {
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
  readonly tree: Node | undefined;
  /** Syntax errors, and properties that one object names twice. */
  readonly problems: readonly ConfigProblem[];
};

const SYNTAX: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  InvalidCommentToken: ['comments are not allowed', 'Move the remark into a "$comment" property.'],
  PropertyNameExpected: ['a property name is missing', 'Remove the comma before the closing brace, or quote the name.'],
  ValueExpected: ['a value is missing', 'Add the value, or remove the comma before the closing bracket.'],
  CommaExpected: ['a comma is missing', 'Put a comma after the preceding value.'],
  ColonExpected: ['a colon is missing', 'Put a colon between the property name and its value.'],
  CloseBraceExpected: ['a closing brace is missing', 'Add the missing "}".'],
  CloseBracketExpected: ['a closing bracket is missing', 'Add the missing "]".'],
  EndOfFileExpected: ['there is text after the end of the document', 'Remove what follows the last closing brace.'],
  UnexpectedEndOfString: ['a string is not closed', 'Close the string with a double quote on the same line.'],
  InvalidSymbol: ['this is not JSON', 'Use a double-quoted string, a number, true, false or null.'],
};

const QUOTES = [
  'names and texts stand between straight double quotes',
  'Write " in the place of this sign, and of the one that closes.',
] as const;

/** Reads JSON text and keeps the positions of its values; faults of the text go into `problems`, nothing is thrown. */
export function parseJsonFile(file: string, source: string): JsonFile {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  if (errors.length > 0 || tree === undefined) {
    return { file, text, value: undefined, tree: undefined, problems: syntaxProblems(file, text, errors) };
  }
  return { file, text, value: getNodeValue(tree), tree, problems: [...duplicateKeys(file, text, tree)] };
}

/** Reads a JSON file like parseJsonFile; a file that cannot be read has that as its one problem. */
export async function readJsonFile(file: string): Promise<JsonFile> {
  const source = await readText(file);
  return typeof source === 'string' ? parseJsonFile(file, source) : reportUnreadable(file, source.cause);
}

/** Returns the text of a file, or why it cannot be read. Throws FilesExhausted. */
export async function readText(file: string): Promise<string | { readonly cause: unknown }> {
  try {
    const bytes = await readFile(file);
    return isUtf8(bytes) ? bytes.toString('utf8') : { cause: new EncodingFault(bytes.toString('utf8')) };
  } catch (cause) {
    requireFiles(cause);
    return { cause };
  }
}

/** The process, or the machine, has no file left to open: what a folder holds is not known then. */
class FilesExhausted extends PassingError {
  override readonly name = 'FilesExhausted';

  constructor(cause: unknown) {
    super('the tenant files cannot be read, and those before are served on', { cause });
  }

  override get reason(): string {
    return `${super.reason}; raise the limit of open files (ulimit -n, LimitNOFILE), or set connections.total lower`;
  }
}

/** Throws FilesExhausted where a file or folder could not be opened because too many are. */
export function requireFiles(cause: unknown): void {
  if (['EMFILE', 'ENFILE'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw new FilesExhausted(cause);
}

/** A file whose bytes are no UTF-8; where the first of them stands, as far as its text can be read. */
class EncodingFault extends Error {
  readonly at: FilePosition;

  constructor(text: string) {
    super('the file is not text in UTF-8');
    this.at = positionAt(text, Math.max(0, text.indexOf('\uFFFD')));
  }
}

function reportUnreadable(file: string, cause: unknown): JsonFile {
  const problem =
    cause instanceof EncodingFault
      ? { file, ...cause.at, pointer: '', message: cause.message, fix: 'Save it as UTF-8 in your editor.' }
      : {
          file,
          line: 0,
          pointer: '',
          message: `the file cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
          fix: 'Make it readable for the user that runs the server.',
        };
  return { file, text: '', value: undefined, tree: undefined, problems: [problem] };
}

/** Returns the position of the value at a path, or of its nearest ancestor that exists. A property counts from its name. */
export function positionOf(json: JsonFile, path: JsonPath): FilePosition {
  let node = json.tree;
  let offset = node?.offset ?? 0;
  for (const segment of path) {
    const child = childOf(node, segment);
    if (child === undefined) break;
    offset = child.offset;
    node = valueNode(child);
  }
  return positionAt(json.text, offset);
}

/** Returns the document with another name for the property at a path; positions stay those of the text. */
export function renameKey(json: JsonFile, path: JsonPath, name: string): JsonFile {
  const tree = structuredClone(json.tree);
  let property: Node | undefined;
  for (const segment of path) property = childOf(valueNode(property ?? tree), segment);
  const key = property?.type === 'property' ? property.children?.[0] : undefined;
  if (tree === undefined || key === undefined) return json;
  Object.assign(key, { value: name });
  return { ...json, tree, value: getNodeValue(tree) };
}

function valueNode(node: Node | undefined): Node | undefined {
  return node?.type === 'property' ? node.children?.[1] : node;
}

/** Returns a path as an RFC 6901 pointer; the root is the empty string. */
export function pointerOf(path: JsonPath): string {
  return path.map(pointerStep).join('');
}

/** Returns a problem of a JSON document at a path. */
export function problemAt(json: JsonFile, path: JsonPath, message: string, fix: string): ConfigProblem {
  return { file: json.file, ...positionOf(json, path), pointer: pointerOf(path), message, fix };
}

function childOf(node: Node | undefined, segment: string | number): Node | undefined {
  if (node?.type === 'array') return node.children?.[Number(segment)];
  if (node?.type !== 'object') return undefined;
  return node.children?.findLast((property) => property.children?.[0]?.value === segment);
}

function positionAt(text: string, offset: number): FilePosition {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', start)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}

/** Returns the first syntax error: what the parser finds after it may only follow from it. */
function syntaxProblems(file: string, text: string, [first]: readonly ParseError[]): ConfigProblem[] {
  if (first === undefined || text.trim() === '') {
    const fix = 'Write a JSON object, or delete the file.';
    return [{ file, ...positionAt(text, 0), pointer: '', message: 'the file is empty', fix }];
  }
  const code = printParseErrorCode(first.error);
  const isQuoted =
    code === 'InvalidSymbol' && /^[\u0027\u0060\u00ab\u00b4\u2018-\u201f\u300c]/.test(text.slice(first.offset));
  const [message, fix] = (isQuoted ? QUOTES : SYNTAX[code]) ?? [
    `invalid JSON (${code})`,
    'Correct the text at this line.',
  ];
  return [{ file, ...positionAt(text, first.offset), pointer: '', message: `not valid JSON: ${message}`, fix }];
}

function* duplicateKeys(file: string, text: string, node: Node): Generator<ConfigProblem> {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name = node.type === 'object' ? child.children?.[0]?.value : undefined;
    if (name !== undefined && seen.has(name)) {
      yield {
        file,
        ...positionAt(text, child.offset),
        pointer: pointerOf([...getNodePath(node), name]),
        message: `"${name}" appears twice in the same object; only the last one would count`,
        fix: `Keep one "${name}" and remove the other.`,
      };
    }
    seen.add(name);
    yield* duplicateKeys(file, text, child);
  }
}
