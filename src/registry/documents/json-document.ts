import { isObject } from '../../platform/kernel/json/json.js';
import { MAX_JSON_DEPTH, readStrictJson } from '../../platform/kernel/json/strict-json.js';
import { type FindingKeyword, quoteValue, type Report } from './finding.js';

/** A JSON object as somebody serves it. */
type JsonObject = Readonly<Record<string, unknown>>;

const BYTE_ORDER_MARK = '\u{feff}';
const PAGE = /^\s*(?:<!doctype\s+html|<html|<head|<body|<!--)/i;
const MARKUP = /^\s*</;
const MAX_NAMED = 4;

/**
 * Reads the text of an adagents.json or brand.json. Undefined, and explained in the report, for what is no strict JSON object: a web
 * page, cut or empty text, other encodings, an object that repeats a name (readers would disagree on which one counts).
 */
export function readJsonObject(source: string | Uint8Array, report: Report): JsonObject | undefined {
  const refuse = refuseInto(report);
  const text = decodeText(source);
  if (text === undefined) return refuse('json', 'the file is not UTF-8', 'Save it as UTF-8.');
  if (text.trim() === '')
    return refuse('json', 'the file is empty', 'Serve the JSON, or answer 404 while there is none.');
  if (PAGE.test(text)) {
    const why = 'a web page is served instead of JSON; many sites answer unknown paths with one';
    return refuse('html', why, 'Serve the file itself, as application/json, or answer 404 while there is none.');
  }
  if (MARKUP.test(text))
    return refuse('html', 'markup is served instead of JSON', 'Serve the file as application/json.');
  const isMarked = text.startsWith(BYTE_ORDER_MARK);
  if (isMarked) {
    const fix = 'Save the file as UTF-8 without a byte order mark.';
    report.warn('', 'json', 'the file begins with a byte order mark', fix);
  }
  const read = readStrictJson(isMarked ? text.slice(1) : text);
  if (!read.ok) return refuseUnread(read, text, refuse);
  return isObject(read.value)
    ? read.value
    : refuse('type', 'the file holds no JSON object', 'Write one object: { … }.');
}

type Refuse = (keyword: FindingKeyword, message: string, fix: string) => undefined;

function refuseInto(report: Report): Refuse {
  return (keyword, message, fix) => {
    report.add({ pointer: '', severity: 'error', keyword, message, fix });
    return undefined;
  };
}

/** Reports why a text is no strict JSON. */
function refuseUnread(
  read: Extract<ReturnType<typeof readStrictJson>, { ok: false }>,
  text: string,
  refuse: Refuse,
): undefined {
  switch (read.reason) {
    case 'not_json':
      return refuse(
        'json',
        `the file is not JSON${whereItBreaks(text)}`,
        'Correct the syntax; no comments, no trailing commas.',
      );
    case 'too_deep':
      return refuse('json', `the file nests more than ${MAX_JSON_DEPTH} levels`, 'No member needs so many levels.');
    case 'duplicate_keys': {
      const names = read.names.slice(0, MAX_NAMED).map(quoteValue).join(', ');
      return refuse(
        'duplicate',
        `an object holds the same name twice: ${names}`,
        'Keep one of each; readers differ in which counts.',
      );
    }
  }
}

function decodeText(source: string | Uint8Array): string | undefined {
  if (typeof source === 'string') return source;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(source);
  } catch {
    return undefined;
  }
}

/** Returns ` (line 3: …)`, as far as the parser says. */
function whereItBreaks(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))?.[1];
    if (at !== undefined) return ` (line ${text.slice(0, Number(at)).split('\n').length})`;
    return ' (it ends too early)';
  }
  return '';
}
