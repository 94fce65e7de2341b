import { isObject } from '../../../platform/kernel/json/json.js';
import type { Fetched } from '../../../platform/net/fetch.js';
import { readRetryAfter } from '../../../platform/net/retry-after.js';

/** An answer of a REST service, read by what was asked for. `body` is undefined where there is none. */
export type RestAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

const MAX_REASON_CHARS = 300;

/** Returns the answer with its body as JSON; undefined where that is none, such as the HTML page of a proxy. */
export function readJsonAnswer({ status, headers, bytes }: Fetched): RestAnswer | undefined {
  const text = bytes.toString('utf8').trim();
  if (text === '') return { status, headers, body: undefined };
  try {
    return { status, headers, body: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Returns the pause that an answer asks for, in ms; its own clock says how far away a date is. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  return readRetryAfter(headers['retry-after'], Date.parse(headers.date ?? '') || nowMs);
}

/** Returns what an answer says of itself, for people: its message, or the title of its page; without its secrets. */
export function describeAnswer({ status, bytes }: Fetched, secrets: readonly string[]): string {
  const text = bytes.subarray(0, MAX_READ_BYTES).toString('utf8');
  const reason = describeJson(bytes.length > MAX_READ_BYTES ? '' : text) ?? describePage(text);
  return reason === '' ? `${status}` : `${status}: ${redact(reason, secrets)}`;
}

const MAX_READ_BYTES = 64_000;

function describeJson(text: string): string | undefined {
  try {
    return findMessage(JSON.parse(text)) ?? text;
  } catch {
    return undefined;
  }
}

/** The members that hold a message, outermost first. */
const MESSAGES = ['message', 'Message', 'error', 'errors', 'Errors'] as const;

function findMessage(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : findMessage(value[0], depth + 1);
  if (!isObject(value)) return undefined;
  const member = MESSAGES.find((name) => value[name] !== undefined && value[name] !== null);
  return member === undefined ? undefined : findMessage(value[member], depth + 1);
}

const MAX_DEPTH = 4;

function describePage(text: string): string {
  const title = /<title[^>]{0,100}>([^<]{0,300})/i.exec(text)?.[1];
  return title ?? (/^\s*</.test(text) ? 'an HTML page' : text);
}

/** Returns a text for people and logs: on one line, short, and without secrets. */
export function redact(text: string, secrets: readonly string[]): string {
  const bare = secrets
    .filter((secret) => secret !== '')
    .reduce((left, one) => left.replaceAll(one, '[redacted]'), text);
  return bare
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_CHARS);
}
