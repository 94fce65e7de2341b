/**
 * A JSON object or array whose text is written already, so that a catalog or a tool list is written once and not per call.
 * It may be used wherever the value itself may: `JSON.stringify` and `toJson` write the same text for both.
 */
export class Written {
  readonly plain: string;
  readonly #parts: readonly [base: Written, added: string] | undefined;
  #ascii: string | undefined;
  #quotedAscii: string | undefined;

  constructor(plain: string, parts?: readonly [base: Written, added: string]) {
    this.plain = plain;
    this.#parts = parts;
  }

  /**
   * Returns the text in ASCII, which goes to a socket as it lies in memory: encoding is most of what a long answer costs (bench row
   * `tools_list`).
   */
  get ascii(): string {
    const parts = this.#parts;
    this.#ascii ??= parts === undefined ? toAscii(this.plain) : `${parts[0].ascii.slice(0, -1)},${toAscii(parts[1])}`;
    return this.#ascii;
  }

  /** Returns the text as it is written between the quotation marks of a JSON string, in ASCII. */
  get quotedAscii(): string {
    const parts = this.#parts;
    this.#quotedAscii ??=
      parts === undefined ? quoteText(this.plain) : `${parts[0].quotedAscii.slice(0, -1)},${quoteText(parts[1])}`;
    return this.#quotedAscii;
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
export function toJson(value: unknown, levels = LEVELS): string {
  return writeValue(value, levels, 'plain') ?? 'null';
}

/** Writes the same value as `toJson` in ASCII: a text of as many bytes as characters, which a socket takes as it lies in memory. */
export function toAsciiJson(value: unknown): string {
  return writeValue(value, LEVELS, 'ascii') ?? 'null';
}

/** The levels from the top in which written values are looked for. */
const LEVELS = 4;

/** The characters of a text: as they are, or those beyond ASCII escaped. */
type Characters = 'plain' | 'ascii';

function writeValue(value: unknown, levels: number, characters: Characters): string | undefined {
  if (value instanceof Written) return value[characters];
  if (value instanceof QuotedText)
    return characters === 'ascii' ? `"${value.body.quotedAscii}"` : JSON.stringify(value.body.plain);
  if (typeof value !== 'object' || value === null || levels === 0) return writePlain(value, characters);
  if (Array.isArray(value))
    return `[${value.map((item) => writeValue(item, levels - 1, characters) ?? 'null').join(',')}]`;
  let members = '';
  for (const [key, member] of Object.entries(value)) {
    const text = writeValue(member, levels - 1, characters);
    if (text === undefined) continue;
    const name = PLAIN_KEY.test(key) ? `"${key}"` : writePlain(key, characters);
    members += members === '' ? `${name}:${text}` : `,${name}:${text}`;
  }
  return `{${members}}`;
}

function writePlain(value: unknown, characters: Characters): string | undefined {
  const json = JSON.stringify(value);
  return characters === 'ascii' && (typeof value === 'string' || typeof value === 'object') ? toAscii(json) : json;
}

const PLAIN_KEY = /^[\w.$-]+$/;

function quoteText(text: string): string {
  return toAscii(JSON.stringify(text).slice(1, -1));
}

/** Returns a JSON text with all characters beyond ASCII escaped; they stand in strings alone. */
function toAscii(json: string): string {
  if (Buffer.byteLength(json) === json.length) return json;
  const escaped = json.replace(BEYOND_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  // Read anew, so that a character takes one byte in memory too.
  return Buffer.from(escaped, 'latin1').toString('latin1');
}

const BEYOND_ASCII = /[\u0080-\uffff]/g;

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

/** Whether a JSON value is made of more than `most` values, itself counted. Never recurses, and looks at no more than it has to. */
export function hasMoreValues(value: unknown, most: number): boolean {
  const left: unknown[] = [value];
  let count = 1;
  for (let one = left.pop(); left.length > 0 || one !== undefined; one = left.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const members: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    count += members.length;
    if (count > most) return true;
    for (const member of members) if (typeof member === 'object' && member !== null) left.push(member);
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

/** An object whose members that may be undefined are optional in place of that. */
type Defined<Value> = {
  readonly [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key];
} & {
  readonly [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined>;
};

/** Returns an object without the members that are undefined. */
export function withoutUndefined<Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<Value>;
}

/** Whether a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns one step of a path as a JSON Pointer writes it (RFC 6901), with its slash. */
export function pointerStep(step: PropertyKey): string {
  return `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns `packages[0].budget` for the path packages, 0, budget. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((field, step) => {
    if (typeof step === 'number') return `${field}[${step}]`;
    return field === '' ? String(step) : `${field}.${String(step)}`;
  }, '');
}

/** Returns those members of an object that are named, in the order of the names; those that it does not have are left out. */
export function pickMembers(object: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  const members: Readonly<Record<string, unknown>> = { ...object };
  return Object.fromEntries(names.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]));
}
