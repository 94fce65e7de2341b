import type { ArgumentSchema, ListedTool } from '../desk.js';

/** A member of a record, and whether it has to be there. */
export type Member = { readonly shape: Shape; readonly isRequired: boolean };

/** What an argument takes, as its schema and its description say it. */
export type Shape =
  | { readonly kind: 'record'; readonly members: ReadonlyMap<string, Member> }
  | { readonly kind: 'choice'; readonly among: readonly Shape[] }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'value'; readonly type: string; readonly values: readonly string[]; readonly hint: string };

const ANY: Shape = { kind: 'value', type: 'any', values: [], hint: '' };

/** Reads the shape of an argument. Objects within it are described in one line, `{domain, amount?: number}`. */
export function readShape(schema: ArgumentSchema, tools: readonly ListedTool[]): Shape {
  const { anyOf, description = '', enum: values = [], items, type = 'any' } = schema;
  if (anyOf !== undefined) return { kind: 'choice', among: anyOf.map((form) => readShape(form, tools)) };
  const described = readSignature(description, tools);
  if (type === 'array') {
    if (described?.kind === 'list') return described;
    const of = items === undefined ? undefined : readShape(items, tools);
    return { kind: 'list', of: of === undefined || isAny(of) ? (described ?? ANY) : of };
  }
  if (type === 'object' && described !== undefined) return described;
  return { kind: 'value', type, values, hint: description };
}

function isAny(shape: Shape): boolean {
  return shape.kind === 'value' && shape.type === 'any';
}

/** Reads the one-line form at the start of a description; undefined where there is none. */
function readSignature(description: string, tools: readonly ListedTool[]): Shape | undefined {
  if (!/^[{[]/.test(description)) return undefined;
  const reader = new SignatureReader(description);
  const shape = reader.read();
  const [, argument, tool] = /^\W*as (\w+) of (\w+)/.exec(reader.rest) ?? [];
  const likened = tools.find(({ name }) => name === tool)?.inputSchema.properties[argument ?? ''];
  return likened === undefined ? shape : widen(shape, readShape(likened, tools));
}

/** A shape with the members of the one that it is likened to, none of which has to be there. */
function widen(shape: Shape, likened: Shape): Shape {
  const whole = likened.kind === 'list' ? likened.of : likened;
  if (shape.kind !== 'record' || whole.kind !== 'record') return shape;
  const isRequired = shape.members.size === 0;
  const more = [...whole.members].map(
    ([name, member]) => [name, { shape: member.shape, isRequired: isRequired && member.isRequired }] as const,
  );
  return { kind: 'record', members: new Map([...more, ...shape.members]) };
}

/** Reads a type as the descriptions of tools write it. */
class SignatureReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text behind what was read. */
  get rest(): string {
    return this.#text.slice(this.#at);
  }

  read(): Shape {
    const among = [this.#readOne()];
    while (this.#skip(/^ (or|\|) /)) among.push(this.#readOne());
    const [first = ANY] = among;
    return among.length === 1 ? first : { kind: 'choice', among };
  }

  #readOne(): Shape {
    let shape = this.#readPlain();
    while (this.#skip(/^\[\]/)) shape = { kind: 'list', of: shape };
    return shape;
  }

  #readPlain(): Shape {
    if (this.#skip(/^\{/)) return this.#readRecord();
    if (this.#skip(/^[[(]/)) {
      const isList = this.#text[this.#at - 1] === '[';
      const of = this.read();
      this.#skip(/^[\])]/);
      return isList ? { kind: 'list', of } : of;
    }
    const words =
      this.#take(/^"?[\w-]+"?(\|"?[\w-]+"?)*/)
        ?.replaceAll('"', '')
        .split('|') ?? [];
    const [type = 'any'] = words;
    const isType = words.length === 1 && /^(string|number|boolean|object|array|any)$/.test(type);
    return { kind: 'value', type: isType ? type : 'string', values: isType ? [] : words, hint: '' };
  }

  #readRecord(): Shape {
    const members = new Map<string, Member>();
    while (!this.#skip(/^\s*\}/) && this.#at < this.#text.length) {
      const name = this.#take(/^\w+/);
      const isRequired = !this.#skip(/^\?/);
      const shape = this.#skip(/^:\s*/) ? this.read() : ANY;
      if (name !== undefined) members.set(name, { shape, isRequired });
      if (!this.#skip(/^\s*[,|]\s*/) && name === undefined) this.#at += 1;
    }
    return { kind: 'record', members };
  }

  #take(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.rest)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skip(pattern: RegExp): boolean {
    return this.#take(pattern) !== undefined;
  }
}
