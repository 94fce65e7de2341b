import type { ListedTool } from '../desk.js';
import type { Facts } from '../task.js';
import type { Memory } from './memory.js';
import { readShape, type Shape } from './shapes.js';

type Chosen = Parameters<Memory['recall']>[2];

/** Where a value is to come from, and what the person stated about it. */
type Scope = { readonly facts: Facts; readonly used: Set<string>; readonly chosen: Chosen };

/** The name of a value that has to be found out, and what the person calls the thing that it is of. */
export type Missing = { readonly name: string; readonly called?: string };

/** A value for an argument; or the names of what has to be found out before there is one. */
type Filled = { readonly value: unknown; readonly isStated: boolean; readonly missing: readonly Missing[] };

const NOTHING: Filled = { value: undefined, isStated: false, missing: [] };

/** The arguments of a call, and what they lack. */
export type FilledCall = {
  readonly args: Readonly<Record<string, unknown>>;
  readonly missing: readonly Missing[];
  readonly chosen: Chosen;
};

/** What a page is asked for, where a tool has pages. */
const PAGE = { max_results: 10 };

/** Fills the arguments of a tool from what was stated, what answers brought and what errors told. */
export class Filler {
  readonly #tools: readonly ListedTool[];
  readonly #memory: Memory;
  readonly #freshKey: () => string;
  /** Names that an error asked for. */
  readonly needs = new Set<string>();
  /** Names that an error would not have. */
  readonly omitted = new Set<string>();
  /** Values that an error told, by name. */
  readonly told = new Map<string, unknown>();

  constructor(tools: readonly ListedTool[], memory: Memory, freshKey: () => string) {
    this.#tools = tools;
    this.#memory = memory;
    this.#freshKey = freshKey;
  }

  /** Fills what a tool takes. */
  fill(tool: ListedTool, facts: Facts): FilledCall {
    const { properties, required = [] } = tool.inputSchema;
    const scope: Scope = { facts, used: new Set(), chosen: [] };
    const names = Object.keys(properties).sort((a, b) => rankOf(a, facts) - rankOf(b, facts));
    const filled = names.map((name) => {
      const shape = readShape(properties[name] ?? {}, this.#tools);
      return [name, this.#member(shape, name, required.includes(name), scope)] as const;
    });
    const args = Object.fromEntries(filled.map(([name, { value }]) => [name, value]));
    if ('pagination' in properties) args.pagination = PAGE;
    const missing = filled.flatMap(([, one]) => one.missing);
    return { args: pruned(args), missing, chosen: scope.chosen };
  }

  #member(shape: Shape, name: string, isRequired: boolean, scope: Scope): Filled {
    if (this.omitted.has(name)) return NOTHING;
    if (this.told.has(name)) return { value: this.told.get(name), isStated: true, missing: [] };
    const wanted = isRequired || this.needs.has(name);
    const stated = this.#stated(shape, name, wanted, scope);
    if (stated !== undefined) return stated;
    const chosenBefore = scope.chosen.length;
    const filled = this.#unstated(shape, name, wanted, scope);
    if (wanted || (filled.isStated && filled.missing.every(canBeFound))) return filled;
    scope.chosen.length = chosenBefore;
    return NOTHING;
  }

  #stated(shape: Shape, name: string, isRequired: boolean, scope: Scope): Filled | undefined {
    const single = name.replace(/ies$/, 'y').replace(/s$/, '');
    const known = [name, ...(shape.kind === 'list' ? [single] : [])].find((one) => one in scope.facts);
    if (known === undefined) return this.#called(name, isRequired, scope) ?? this.#inWords(shape, scope);
    if (!isRequired && scope.used.has(known)) return undefined;
    const isStated = !scope.used.has(known);
    scope.used.add(known);
    return { ...this.#fit(shape, name, scope.facts[known], scope), isStated };
  }

  /** The id of a thing that the person called by its name: `package: 'streaming music'` for `package_id`. */
  #called(name: string, isRequired: boolean, { chosen, facts, used }: Scope): Filled | undefined {
    const thing = name.replace(/_id$/, '');
    const words = thing === name ? undefined : facts[thing];
    if (typeof words !== 'string' || (!isRequired && used.has(thing))) return undefined;
    used.add(thing);
    const value = this.#memory.find(name, words, facts, chosen);
    return { value, isStated: true, missing: value === undefined ? [{ name, called: words }] : [] };
  }

  /** What the person said in prose, for an argument that says to take that. */
  #inWords(shape: Shape, { facts, used }: Scope): Filled | undefined {
    if (shape.kind !== 'value' || !isProse(shape.hint)) return undefined;
    if (!('brief' in facts) || used.has('brief')) return undefined;
    used.add('brief');
    return { value: facts.brief, isStated: true, missing: [] };
  }

  /** Brings what was stated into the shape that is wanted. */
  #fit(shape: Shape, name: string, fact: unknown, scope: Scope): Filled {
    const fits = { value: fact, isStated: true, missing: [] };
    if (shape.kind === 'choice')
      return this.#fit(shape.among.find((one) => isOf(one, fact)) ?? shape, name, fact, scope);
    if (shape.kind === 'list') {
      const items = (Array.isArray(fact) ? fact : [fact]).map((item) => this.#fit(shape.of, name, item, scope));
      return { ...gather(items), value: items.map(({ value }) => value) };
    }
    if (shape.kind !== 'record') return { ...fits, value: merge(this.#memory.partOf(name, scope.chosen), fact) };
    if (!isObject(fact)) {
      const [first] = shape.members.keys();
      return first === undefined ? fits : { ...fits, value: { [first]: fact } };
    }
    const within: Scope = {
      facts: { ...scope.facts, ...fact },
      used: new Set(Object.keys(scope.facts).filter((one) => !(one in fact))),
      chosen: [...scope.chosen],
    };
    if (shape.members.size === 0) return fits;
    return this.#record(shape, within);
  }

  #unstated(shape: Shape, name: string, isRequired: boolean, scope: Scope): Filled {
    if (shape.kind === 'choice') {
      const ways = shape.among.map((one) => this.#unstated(one, name, isRequired, scope));
      return ways.find(({ missing, value }) => value !== undefined && missing.length === 0) ?? ways[0] ?? NOTHING;
    }
    if (shape.kind === 'list') {
      if (shape.of.kind === 'value' && !isRequired) return NOTHING;
      const item = this.#unstated(shape.of, name, isRequired, { ...scope, chosen: [...scope.chosen] });
      return { ...item, value: [item.value] };
    }
    const whole = isRequired ? this.#memory.recall(name, scope.facts, scope.chosen) : undefined;
    if (whole !== undefined) return { value: whole, isStated: false, missing: [] };
    if (shape.kind === 'record' && shape.members.size > 0) return this.#record(shape, scope);
    return isRequired ? this.#value(shape, name) : NOTHING;
  }

  #record({ members }: Shape & { kind: 'record' }, scope: Scope): Filled {
    const used = new Set(scope.used);
    const stated = [...members].sort(([a], [b]) => rankOf(a, scope.facts) - rankOf(b, scope.facts));
    const filled = stated.map(
      ([name, { isRequired, shape }]) => [name, this.#member(shape, name, isRequired, scope)] as const,
    );
    const all = gather(filled.map(([, one]) => one));
    if (!all.missing.every(canBeFound) || !all.isStated) {
      scope.used.clear();
      for (const name of used) scope.used.add(name);
    }
    return { ...all, value: Object.fromEntries(filled.map(([name, { value }]) => [name, value])) };
  }

  #value(shape: Shape, name: string): Filled {
    const hint = shape.kind === 'value' ? shape.hint : '';
    if (/\bUUID\b/.test(hint)) return { value: this.#freshKey(), isStated: false, missing: [] };
    return { value: undefined, isStated: false, missing: [{ name }] };
  }
}

/** What is filled first: the id of a thing that is called by its name, then what was stated. */
function rankOf(name: string, facts: Facts): number {
  if (/_id$/.test(name) && name.replace(/_id$/, '') in facts) return 0;
  return name in facts ? 1 : 2;
}

/** Whether a seller may know a value that the person did not state: it tells ids, and no amounts. */
function canBeFound({ name }: Missing): boolean {
  return /_id$/.test(name);
}

function isOf(shape: Shape, fact: unknown): boolean {
  if (shape.kind === 'list') return Array.isArray(fact);
  if (shape.kind === 'record') return isObject(fact) && Object.keys(fact).every((name) => shape.members.has(name));
  return shape.kind === 'value' && (shape.type === typeof fact || shape.type === 'any');
}

/** Whether an argument says that it takes prose. */
export function isProse(description = ''): boolean {
  return /\bin (plain )?words\b/.test(description);
}

/** What is there with what was stated in its place: whoever changes a part of something leaves the rest. */
function merge(there: unknown, stated: unknown): unknown {
  if (!isObject(there) || !isObject(stated) || Array.isArray(there) || Array.isArray(stated)) return stated;
  const parts = Object.entries(stated).map(([name, value]) => [name, merge(there[name], value)]);
  return { ...there, ...Object.fromEntries(parts) };
}

function isObject(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null;
}

function gather(parts: readonly Filled[]): Filled {
  return {
    value: undefined,
    isStated: parts.some(({ isStated }) => isStated),
    missing: parts.flatMap(({ missing }) => missing),
  };
}

/** An object without members that have no value, at every level. */
function pruned(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
