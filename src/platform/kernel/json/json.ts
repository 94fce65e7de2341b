/**
 * A JSON object or array whose text is written already, so that a catalog or a tool list is written once and not per call.
 * It may be used wherever the value itself may: `JSON.stringify` and `toJson` write the same text for both.
 */
export class Written {
  readonly plain: string;
  readonly #parts: readonly [base: Written, added: string] | undefined;
  #quoted: string | undefined;

  constructor(plain: string, parts?: readonly [base: Written, added: string]) {
    this.plain = plain;
    this.#parts = parts;
  }

  /** The text as it is written between the quotation marks of a JSON string. */
  get quoted(): string {
    const parts = this.#parts;
    this.#quoted ??= parts === undefined ? quote(this.plain) : `${parts[0].quoted.slice(0, -1)},${quote(parts[1])}`;
    return this.#quoted;
  }

  toJSON(): unknown {
    return JSON.parse(this.plain);
  }
}

/** The text of a JSON value as a JSON string: what a client reads as text and parses again. */
export class QuotedText {
  readonly body: Written;

  constructor(body: Written) {
    this.body = body;
  }

  toJSON(): string {
    return this.body.plain;
  }
}

/** Writes an object or array, unless it is written already. */
export function writeOnce(value: object): Written {
  return value instanceof Written ? value : new Written(toJson(value));
}

/** Returns a written object with members added; only the additions are written anew. `additions` must not name a member of `base`. */
export function extendWritten(base: Written, additions: object): Written {
  const added = toJson(additions).slice(1);
  if (added === '}') return base;
  if (base.plain === '{}') return new Written(`{${added}`);
  return new Written(`${base.plain.slice(0, -1)},${added}`, [base, added]);
}

/** Writes JSON as `JSON.stringify` does, splicing values of the upper levels that are written already. */
export function toJson(value: unknown): string {
  return write(value, LEVELS) ?? 'null';
}

/** The levels from the top in which written values are looked for. */
const LEVELS = 4;

function write(value: unknown, levels: number): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof Written) return value.plain;
  if (value instanceof QuotedText) return `"${value.body.quoted}"`;
  if (levels === 0) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, levels - 1) ?? 'null').join(',')}]`;
  let members = '';
  for (const [key, member] of Object.entries(value)) {
    const text = write(member, levels - 1);
    if (text === undefined) continue;
    const name = PLAIN_KEY.test(key) ? `"${key}"` : JSON.stringify(key);
    members += members === '' ? `${name}:${text}` : `,${name}:${text}`;
  }
  return `{${members}}`;
}

const PLAIN_KEY = /^[\w.$-]+$/;

function quote(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Whether a JSON value is nested more than `levels` deep. Never recurses, so a hostile body cannot exhaust the stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value];
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth > levels) return true;
    const next: unknown[] = [];
    for (const item of layer) {
      if (typeof item !== 'object' || item === null) continue;
      for (const member of Object.values(item)) if (typeof member === 'object' && member !== null) next.push(member);
    }
    layer = next;
  }
  return false;
}

/**
 * Returns the value of a JSON text, or of its bytes in UTF-8; undefined for other texts, since the parser's own error repeats part of them.
 */
export function readJson(source: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof source === 'string' ? source : utf8.decode(source));
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder();

/** Whether a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns one step of a path as a JSON Pointer writes it (RFC 6901), with its slash. */
export function pointerStep(step: PropertyKey): string {
  return `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
