import { type BareItem, isInnerList, parseDictionary } from 'structured-headers';
import { type AcceptedBytes, readBytes } from './digest.js';

/** The content of Signature-Input and Signature under one label. */
export type SignatureFields = {
  /** Names of the covered components, in order. */
  readonly components: readonly string[];
  readonly parameters: ReadonlyMap<string, BareItem>;
  /** The list and its parameters exactly as they were sent: the value of `@signature-params`. */
  readonly received: string;
  readonly signature: Buffer;
};

/**
 * Reads the two headers of a signature (RFC 9421 4). Byte sequences may be written in either base64 alphabet unless `accepted` says one.
 * Undefined when one of them is no structured field, names a label or parameter twice, or lacks the label.
 */
export function readSignatureFields(
  input: string,
  signature: string,
  label: string,
  accepted: AcceptedBytes = 'any',
): SignatureFields | undefined {
  const lists = readMembers(input);
  const bytes = readByteMembers(signature, accepted);
  const received = lists?.get(label);
  const value = bytes?.get(label);
  const list = received === undefined ? undefined : readList(input, label);
  if (received === undefined || value === undefined || list === undefined) return undefined;
  return { ...list, received, signature: value };
}

/**
 * Reads a dictionary whose values are all byte sequences, such as Content-Digest and Signature.
 * Undefined when the text is no such dictionary, or names a member twice.
 */
export function readByteMembers(
  header: string,
  accepted: AcceptedBytes = 'any',
): ReadonlyMap<string, Buffer> | undefined {
  const members = readMembers(header);
  if (members === undefined) return undefined;
  const values = [...members].map(([name, text]) => [name, readAccepted(text, accepted)] as const);
  const read = values.flatMap(([name, bytes]) => (bytes === undefined ? [] : [[name, bytes] as const]));
  return read.length === values.length ? new Map(read) : undefined;
}

function readAccepted(item: string, accepted: AcceptedBytes): Buffer | undefined {
  const text = /^:([^:]*):$/.exec(item)?.[1] ?? '?';
  const bytes = readBytes(text);
  return accepted === 'any' || bytes?.toString(accepted) === text ? bytes : undefined;
}

/** Whether a header that a signature covers was sent as one value. */
export function isSingleValue(header: string): boolean {
  return splitUnquoted(header, ',').length === 1;
}

function readList(input: string, label: string): Pick<SignatureFields, 'components' | 'parameters'> | undefined {
  try {
    const member = parseDictionary(input).get(label);
    if (member === undefined || !isInnerList(member)) return undefined;
    const [items, parameters] = member;
    const plain = items.flatMap(([name, own]) => (typeof name === 'string' && own.size === 0 ? [name] : []));
    return plain.length === items.length ? { components: plain, parameters } : undefined;
  } catch {
    return undefined;
  }
}

const MEMBER = /^([a-z*][a-z0-9_.*-]*)=(.*)$/s;

/** Reads the members of a dictionary as raw text. A parser would take the last of two and say nothing. */
function readMembers(header: string): ReadonlyMap<string, string> | undefined {
  const members = new Map<string, string>();
  for (const part of splitUnquoted(header, ',')) {
    const [, name = '', text = ''] = MEMBER.exec(part.trim()) ?? [];
    if (name === '' || members.has(name)) return undefined;
    const parameters = splitUnquoted(text, ';').slice(1);
    const names = parameters.map((parameter) => parameter.trim().split('=', 1)[0]);
    if (new Set(names).size !== names.length) return undefined;
    members.set(name, text);
  }
  return members;
}

/** Splits outside of strings and inner lists. */
function splitUnquoted(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
