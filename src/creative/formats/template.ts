import { findUrlFault } from '../asset-url.js';
import {
  encodeAddress,
  encodeAroundPlaceholders,
  encodeValue,
  type FillContext,
  type MacroValues,
  PLACEHOLDER,
  splitHtml,
} from '../macros/fill.js';
import type { IndividualSlot, Slot } from './format.js';

/** The value of a slot in a template: words, or an address that is fit to be followed or loaded. Of text '' there is nothing. */
export type TemplateValue = { readonly kind: 'text' | 'address'; readonly text: string };

/** Values by the path of their slot: `quote`, `photo[1]` where several stand in one slot, `cards[0].title` in a group. */
type TemplateValues = ReadonlyMap<string, TemplateValue>;

/** A fault of a template, at an offset of its text. */
type TemplateFault = { readonly at: number; readonly message: string; readonly fix: string };

type ValueNode = { readonly kind: 'value'; readonly name: string; readonly at: number };
type SectionNode = {
  readonly kind: 'section';
  readonly name: string;
  readonly at: number;
  /** Stands where there is nothing under the name. */
  readonly inverted: boolean;
  readonly nodes: Node[];
};
type Node = string | ValueNode | SectionNode;

const TEMPLATE_TAG = /\{\{\s*([#^/]?)\s*([^{}]{0,250}?)\s*\}\}/g;
/** A value of the expanded template by its number, or a macro. */
const FILLED_SPOT = new RegExp(`\\{\\{(\\d+)\\}\\}|${PLACEHOLDER.source}`, 'g');
const NOTHING: TemplateValue = { kind: 'text', text: '' };
const ADDRESSES: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'url']);

/** Returns the value of an asset: the address of a file or link when it is http or https, else its text. Markup counts as text. */
export function templateValue(type: string, { content, url }: { content?: string; url?: string }): TemplateValue {
  if (content !== undefined && !ADDRESSES.has(type)) return { kind: 'text', text: content };
  return { kind: 'address', text: url === undefined || findUrlFault(url) !== undefined ? '' : url };
}

/**
 * Returns a template with its places filled in one pass: `{{asset_id}}` by the value of an asset, escaped for its place, `{{#name}}` to
 * `{{/name}}` once for each value or repetition, `{{^name}}` to `{{/name}}` where there is none. Macros of the template are filled from
 * `macros`; those inside values stay.
 */
export function fillTemplate(source: string, values: TemplateValues, macros: MacroValues = {}): string {
  const used: TemplateValue[] = [];
  const text = expandTemplate(
    parseTemplate(source).nodes,
    { values, repeated: findRepeated(values), repetitions: new Map() },
    used,
  );
  return splitHtml(text)
    .map(({ text: part, context }) =>
      part.replaceAll(FILLED_SPOT, (whole, number: string | undefined, macro: string | undefined, at: number) => {
        const before = part.slice(0, at);
        if (number !== undefined) {
          const { kind, text: value } = used[Number(number)] ?? NOTHING;
          const encode = kind === 'address' ? encodeAddress : encodeValue;
          return encodeAroundPlaceholders(value, (piece) => encode(piece, context, before));
        }
        const value = macro !== undefined && Object.hasOwn(macros, macro) ? macros[macro] : undefined;
        return value === undefined ? whole : encodeValue(value.normalize('NFC'), context, before);
      }),
    )
    .join('');
}

type Scope = {
  readonly values: TemplateValues;
  /** The repetitions of what comes several times. */
  readonly repeated: ReadonlyMap<string, ReadonlySet<number>>;
  /** The repetition that a section is at. */
  readonly repetitions: ReadonlyMap<string, number>;
};

/**
 * Expands the structure alone: sections repeated or left out, each value as its number in `used`, from which it is told
 * what is escaped how.
 */
function expandTemplate(nodes: readonly Node[], scope: Scope, used: TemplateValue[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if (node.kind === 'value') return `{{${used.push(valueAt(node.name, scope)) - 1}}}`;
      const { name, inverted, nodes: inner } = node;
      const repetitions = listRepetitions(name, scope);
      if (inverted) return repetitions.length === 0 ? expandTemplate(inner, scope, used) : '';
      return repetitions
        .map((repetition) =>
          expandTemplate(inner, { ...scope, repetitions: new Map([...scope.repetitions, ...repetition]) }, used),
        )
        .join('');
    })
    .join('');
}

function valueAt(name: string, { values, repetitions }: Scope): TemplateValue {
  const [slot = '', inside] = name.split('.');
  const repetition = `${slot}[${repetitions.get(slot) ?? 0}]`;
  return (
    (inside === undefined ? (values.get(name) ?? values.get(repetition)) : values.get(`${repetition}.${inside}`)) ??
    NOTHING
  );
}

/** Returns how often a section stands, each time with the repetition that it sets; a value that comes once sets none. */
function listRepetitions(name: string, scope: Scope): readonly (readonly [string, number][])[] {
  const repeated = scope.repetitions.has(name) ? undefined : scope.repeated.get(name);
  if (repeated !== undefined) return [...repeated].sort((a, b) => a - b).map((repetition) => [[name, repetition]]);
  return valueAt(name, scope).text === '' && !scope.repetitions.has(name) ? [] : [[]];
}

function findRepeated(values: TemplateValues): Scope['repeated'] {
  const repeated = new Map<string, Set<number>>();
  for (const [slotPath, { text }] of values) {
    const [, slot, repetition] = /^([^[.]+)\[(\d+)\]/.exec(slotPath) ?? [];
    if (slot === undefined || text === '') continue;
    repeated.set(slot, (repeated.get(slot) ?? new Set()).add(Number(repetition)));
  }
  return repeated;
}

/**
 * Returns every fault of a template for a format of these slots: names that it does not have, sections that do not close,
 * places that no value may take.
 */
export function templateFaults(source: string, assets: readonly Slot[]): readonly TemplateFault[] {
  const { nodes, faults } = parseTemplate(source);
  const all = [...faults, ...findTripleBraces(source), ...findUnknownNames(nodes, assets), ...findBadContexts(nodes)];
  return all.sort((one, other) => one.at - other.at);
}

function parseTemplate(source: string): { readonly nodes: readonly Node[]; readonly faults: readonly TemplateFault[] } {
  const root: Node[] = [];
  const open: SectionNode[] = [];
  const faults: TemplateFault[] = [];
  const here = (): Node[] => open.at(-1)?.nodes ?? root;
  let at = 0;
  for (const match of source.matchAll(TEMPLATE_TAG)) {
    const [whole, sign = '', name = ''] = match;
    here().push(source.slice(at, match.index));
    at = match.index + whole.length;
    if (sign === '') here().push({ kind: 'value', name, at: match.index });
    else if (sign !== '/') {
      const section: SectionNode = { kind: 'section', name, at: match.index, inverted: sign === '^', nodes: [] };
      here().push(section);
      open.push(section);
    } else if (open.at(-1)?.name === name) open.pop();
    else {
      const last = open.at(-1);
      const fix = last === undefined ? 'Remove it.' : `Close the section before it with {{/${last.name}}} first.`;
      faults.push({ at: match.index, message: `{{/${name}}} closes no section`, fix });
    }
  }
  here().push(source.slice(at));
  const unclosed = open.map(({ name, at: start, inverted }) => ({
    at: start,
    message: `the section {{${inverted ? '^' : '#'}${name}}} is not closed`,
    fix: `Add {{/${name}}} where it ends.`,
  }));
  return { nodes: root, faults: [...faults, ...unclosed] };
}

function findTripleBraces(source: string): readonly TemplateFault[] {
  const fix = 'Use two braces; every value is escaped for where it stands.';
  return Array.from(source.matchAll(/\{\{\{/g), ({ index }) => ({
    at: index,
    message: 'three braces mean nothing',
    fix,
  }));
}

function findUnknownNames(nodes: readonly Node[], assets: readonly Slot[]): readonly TemplateFault[] {
  const page = pageSlot(assets)?.asset_id;
  const groups = assets.flatMap((slot) => (slot.item_type === 'individual' ? [] : [slot.asset_group_id]));
  const names = assets.flatMap((slot) => {
    if (slot.item_type === 'individual') return slot.asset_id === page ? [] : [slot.asset_id];
    return slot.assets.map(({ asset_id }) => `${slot.asset_group_id}.${asset_id}`);
  });
  const usable = `Use one of: ${names.map((each) => `{{${each}}}`).join(', ')}.`;
  return listNodes(nodes).flatMap(({ kind, name, at }): readonly TemplateFault[] => {
    if (names.includes(name) || (kind === 'section' && groups.includes(name))) return [];
    if (groups.includes(name)) {
      const fix = `Write {{#${name}}}…{{/${name}}} around what each repetition shows.`;
      return [{ at, message: `"${name}" is a group, not a value`, fix }];
    }
    const message = name === page ? `"${name}" is what the template makes` : `the format has no asset "${name}"`;
    return [{ at, message, fix: usable }];
  });
}

/**
 * Returns the values that would be the name of a tag or attribute, or markup inside an attribute, where no escaping
 * makes them harmless.
 */
function findBadContexts(nodes: readonly Node[]): readonly TemplateFault[] {
  const offsets: number[] = [];
  const write = (inner: readonly Node[]): string =>
    inner
      .map((node) => {
        if (typeof node === 'string') return node;
        return node.kind === 'value' ? `{{${offsets.push(node.at) - 1}}}` : write(node.nodes);
      })
      .join('');
  const text = write(nodes);
  const faults = splitHtml(text).flatMap(({ text: part, context }) =>
    Array.from(part.matchAll(FILLED_SPOT), ({ 1: number }) => [number, BAD_CONTEXTS[context]] as const),
  );
  const names = Array.from(
    text.matchAll(/<\/?\{\{(\d+)\}\}/g),
    ({ 1: number }) => [number, BAD_CONTEXTS.name] as const,
  );
  return [...faults, ...names].flatMap(([number, bad]) =>
    number === undefined || bad === undefined ? [] : [{ at: offsets[Number(number)] ?? 0, ...bad }],
  );
}

const BAD_CONTEXTS: Readonly<Partial<Record<FillContext, Omit<TemplateFault, 'at'>>>> = {
  name: {
    message: 'a value cannot be the name of a tag or an attribute',
    fix: 'Put it between tags or into the quoted value of an attribute.',
  },
  document: {
    message: 'a value cannot stand in srcdoc',
    fix: 'Put it into the page itself, outside of inner documents.',
  },
};

function listNodes(nodes: readonly Node[]): readonly (ValueNode | SectionNode)[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    return node.kind === 'value' ? [node] : [node, ...listNodes(node.nodes)];
  });
}

const PAGE: IndividualSlot = {
  item_type: 'individual',
  asset_id: 'html',
  asset_type: 'html',
  required: false,
  requirements: { description: 'The finished ad. build_creative makes it of the other assets.' },
};

/** Returns the slot for the finished page of a format with a template: its first HTML slot. */
export function pageSlot(assets: readonly Slot[]): IndividualSlot | undefined {
  return assets.find((slot): slot is IndividualSlot => slot.item_type === 'individual' && slot.asset_type === 'html');
}

/** Returns the slots of a format with a template, one for the finished page among them: added where the seller names none. */
export function withPageSlot(assets: readonly Slot[]): readonly Slot[] {
  const isTaken = assets.some((slot) => slot.item_type === 'individual' && slot.asset_id === PAGE.asset_id);
  return isTaken || pageSlot(assets) !== undefined ? assets : [...assets, PAGE];
}
