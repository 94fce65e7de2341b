import { isObject } from '../../../platform/kernel/json/json.js';
import { findNearest } from '../../../platform/kernel/nearest.js';
import { type ErrorCode, TaskError } from '../../../protocol/errors.js';
import type { VALUE_TYPES } from '../signal/signal.js';
import type { Shares } from './shares.js';

/** How packages use a signal: people whom it is true of, or everybody else. */
export const SIGNAL_MODES = ['include', 'exclude'] as const;
type SignalMode = (typeof SIGNAL_MODES)[number];

/** Whether packages of a product have to choose a signal. */
export const SELECTION_MODES = ['optional', 'required'] as const;

/** A signal that packages of a product can be targeted by. */
export type SelectableSignal = {
  readonly signal_id: string;
  /** Whose adagents.json defines it; absent where the product does. */
  readonly data_provider_domain?: string;
  readonly name: string;
  readonly description?: string;
  readonly value_type: (typeof VALUE_TYPES)[number];
  readonly categories?: readonly string[];
  readonly range?: { readonly min: number; readonly max: number };
  readonly allowed_targeting_modes: readonly SignalMode[];
  readonly selection_group?: string;
  /** Part of the supply that it is known of, 0 to 1; of a categorical one by category. */
  readonly share: number | Shares;
};

/** The signals of a product that a package may choose. */
type SignalRules = {
  readonly selection_mode?: (typeof SELECTION_MODES)[number];
  readonly min_selected_signals?: number;
  readonly max_selected_signals?: number;
  readonly max_selected_per_group?: number;
  readonly max_signal_targeting_groups?: number;
  readonly max_signals_per_targeting_group?: number;
};

/** The signals of a product, and how they may be put together. */
export type SignalOffer = { readonly options: readonly SelectableSignal[]; readonly rules?: SignalRules };

/** A choice of a package that cannot be: where in the groups, and why. */
type Fault = {
  readonly at: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly suggestion: string;
};

type Entry = Readonly<Record<string, unknown>>;
type Group = { readonly operator: 'any' | 'none'; readonly signals: readonly Entry[] };

const OPERATORS = { include: 'any', exclude: 'none' } as const;

/** Returns the reference by which buyers name a signal of a product. */
export function signalRef({
  signal_id,
  data_provider_domain,
}: Pick<SelectableSignal, 'signal_id' | 'data_provider_domain'>): Entry {
  return data_provider_domain === undefined
    ? { scope: 'product', signal_id }
    : { scope: 'data_provider', data_provider_domain, signal_id };
}

/** Returns the members of a product that tell of its signals, as they go on the wire. */
export function signalMembers(offer: SignalOffer | undefined): {
  readonly signal_targeting_allowed?: true;
  readonly signal_targeting_options?: readonly Entry[];
  readonly signal_targeting_rules?: SignalRules | undefined;
} {
  if (offer === undefined) return {};
  return {
    signal_targeting_allowed: true,
    signal_targeting_options: offer.options.map(({ share: _share, data_provider_domain, signal_id, ...shown }) => ({
      signal_ref: signalRef({ signal_id, data_provider_domain }),
      ...shown,
    })),
    signal_targeting_rules: offer.rules,
  };
}

/** Refuses signals that a package cannot be targeted by. Throws SIGNAL_NOT_FOUND, UNSUPPORTED_FEATURE or VALIDATION_ERROR with the field. */
export function checkSignals(value: unknown, offer: SignalOffer | undefined, field: string): void {
  const fault = offer === undefined ? undefined : findFault(value, offer);
  if (fault === undefined) return;
  const { at, code, message, suggestion } = fault;
  throw new TaskError(code, message, { field: `${field}${at}`, suggestion });
}

/** Whether packages of a product can be targeted by all of these signals together. */
export function areSelectable(wanted: readonly Entry[], offer: SignalOffer | undefined): boolean {
  if (offer === undefined) return false;
  const groups = new Map<string, { operator: Group['operator']; signals: Entry[] }>();
  for (const { targeting_mode, ...entry } of wanted) {
    const isExcluded = targeting_mode === 'exclude' || entry.value === false;
    const operator = OPERATORS[isExcluded ? 'exclude' : 'include'];
    const key = JSON.stringify([operator, findSignal(offer, entry)?.selection_group]);
    const group = groups.get(key) ?? { operator, signals: [] };
    group.signals.push(entry.value === false ? { ...entry, value: true } : entry);
    groups.set(key, group);
  }
  return findFault({ operator: 'all', groups: [...groups.values()] }, offer) === undefined;
}

/** Returns the part of a product's supply that signals leave, 0 to 1. Each is taken to be independent of the others. */
export function signalPart(value: unknown, offer: SignalOffer | undefined): number {
  if (value === undefined) return 1;
  if (offer === undefined) return 0;
  return readGroups(value).reduce((left, { operator, signals }) => {
    const without = signals.reduce((part, entry) => part * (1 - entryPart(entry, findSignal(offer, entry))), 1);
    return left * (operator === 'any' ? 1 - without : without);
  }, 1);
}

function entryPart(entry: Entry, signal: SelectableSignal | undefined): number {
  if (signal === undefined) return 0;
  const { share, range } = signal;
  if (typeof share !== 'number')
    return textsOf(entry.values).reduce((sum, category) => sum + (share[category] ?? 0), 0);
  if (range === undefined || range.max <= range.min) return share;
  const from = Math.max(range.min, Number(entry.min_value ?? range.min));
  const to = Math.min(range.max, Number(entry.max_value ?? range.max));
  return share * (Math.max(0, to - from) / (range.max - range.min));
}

function findSignal({ options }: SignalOffer, { signal_ref: ref }: Entry): SelectableSignal | undefined {
  if (!isObject(ref)) return undefined;
  return options.find((option) =>
    Object.entries({ data_provider_domain: undefined, ...signalRef(option) }).every(([key, own]) => ref[key] === own),
  );
}

function findFault(value: unknown, offer: SignalOffer): Fault | undefined {
  const { rules = {} } = offer;
  if (value === undefined)
    return rules.selection_mode === 'required' ? tooFew(offer, rules.min_selected_signals ?? 1) : undefined;
  if (!isObject(value) || value.operator !== 'all' || !Array.isArray(value.groups) || value.groups.length === 0)
    return form('', 'Send {operator: "all", groups: [{operator: "any", signals: [...]}]}.');
  const groups: readonly unknown[] = value.groups;
  for (const [index, group] of groups.entries()) {
    const fault = findGroupFault(group, offer, `.groups[${index}]`);
    if (fault !== undefined) return fault;
  }
  return findRuleFault(readGroups(value), offer);
}

function findGroupFault(group: unknown, offer: SignalOffer, at: string): Fault | undefined {
  const { operator, signals } = isObject(group) ? group : {};
  if (operator !== 'any' && operator !== 'none')
    return form(`${at}.operator`, 'Send "any" for people whom a signal is true of, "none" for all others.');
  if (!Array.isArray(signals) || signals.length === 0) return form(`${at}.signals`, 'Name at least one signal.');
  const entries: readonly unknown[] = signals;
  for (const [index, entry] of entries.entries()) {
    const path = `${at}.signals[${index}]`;
    if (!isObject(entry)) return form(path, 'Send {signal_ref, value_type} with a value.');
    const fault = findEntryFault(entry, operator, offer, path);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findEntryFault(entry: Entry, operator: Group['operator'], offer: SignalOffer, at: string): Fault | undefined {
  const signal = findSignal(offer, entry);
  if (signal === undefined) return unknownSignal(entry, offer, at);
  const mode: SignalMode = operator === 'any' ? 'include' : 'exclude';
  if (!signal.allowed_targeting_modes.includes(mode)) {
    const suggestion = `Use it to ${signal.allowed_targeting_modes.join(' or ')}, or leave it out.`;
    return { at, code: 'UNSUPPORTED_FEATURE', message: `The product cannot ${mode} by this signal.`, suggestion };
  }
  for (const name of NOT_TAKEN) {
    if (entry[name] === undefined) continue;
    const message = 'The signals of the product are ready to use, and part of its price.';
    return { at: `${at}.${name}`, code: 'UNSUPPORTED_FEATURE', message, suggestion: `Leave ${name} out.` };
  }
  return findValueFault(entry, signal, at);
}

/** Members of an entry that belong to signals with a price or an activation of their own. */
const NOT_TAKEN = ['pricing_option_id', 'signal_agent_segment_id', 'activation_key'] as const;

function unknownSignal({ signal_ref: ref }: Entry, offer: SignalOffer, at: string): Fault {
  const ids = offer.options.map(({ signal_id }) => signal_id);
  const meant = isObject(ref) && typeof ref.signal_id === 'string' ? findNearest(ref.signal_id, ids) : undefined;
  return {
    at: `${at}.signal_ref`,
    code: 'SIGNAL_NOT_FOUND',
    message: 'There is no such signal for this caller.',
    suggestion: `${meant === undefined ? '' : `Did you mean ${meant}? `}Use a signal_ref of the product's signal_targeting_options: ${ids.join(', ')}.`,
  };
}

function findValueFault(entry: Entry, { value_type, categories, range }: SelectableSignal, at: string) {
  if (entry.value_type !== value_type) return form(`${at}.value_type`, `Send "${value_type}".`);
  if (value_type === 'binary')
    return entry.value === true ? undefined : form(`${at}.value`, 'Send true; a group of operator "none" excludes.');
  if (value_type === 'categorical') {
    const values = textsOf(entry.values);
    const isKnown = values.length > 0 && values.every((value) => categories?.includes(value));
    return isKnown ? undefined : form(`${at}.values`, `Send a list of these: ${categories?.join(', ')}.`);
  }
  const { min_value: min, max_value: max } = entry;
  const bounds = [min, max].filter((bound) => bound !== undefined);
  const isOrdered = typeof min !== 'number' || typeof max !== 'number' || min <= max;
  if (bounds.length > 0 && bounds.every((bound) => typeof bound === 'number') && isOrdered) return undefined;
  return form(at, `Send min_value or max_value within ${range?.min} to ${range?.max}, in order.`);
}

/** Returns the rule of the product that groups of known signals break. */
function findRuleFault(groups: readonly Group[], offer: SignalOffer): Fault | undefined {
  const { rules = {} } = offer;
  const chosen = groups.flatMap(({ signals }) => signals.map((entry) => findSignal(offer, entry)));
  const perGroup = chosen.map((signal) =>
    signal?.selection_group === undefined
      ? 0
      : chosen.filter((other) => other?.selection_group === signal.selection_group).length,
  );
  const least = rules.min_selected_signals ?? (rules.selection_mode === 'required' ? 1 : 0);
  if (chosen.length < least) return tooFew(offer, least);
  const most = Number.POSITIVE_INFINITY;
  const bounds = [
    [chosen.length, rules.max_selected_signals ?? most, 'signals of a package'],
    [groups.length, rules.max_signal_targeting_groups ?? most, 'groups of signals'],
    [
      Math.max(...groups.map(({ signals }) => signals.length)),
      rules.max_signals_per_targeting_group ?? most,
      'signals of a group',
    ],
    [Math.max(...perGroup), rules.max_selected_per_group ?? most, 'signals of one selection_group'],
  ] as const;
  const broken = bounds.find(([count, bound]) => count > bound);
  if (broken === undefined) return undefined;
  const [count, bound, what] = broken;
  return {
    at: '',
    code: 'VALIDATION_ERROR',
    message: `These are more ${what} than the product takes.`,
    suggestion: `Choose at most ${bound} ${what} instead of ${count}; signal_targeting_rules of the product has its bounds.`,
  };
}

function tooFew({ options }: SignalOffer, least: number): Fault {
  return {
    at: '',
    code: 'VALIDATION_ERROR',
    message: 'Packages of this product are targeted by its signals.',
    suggestion: `Choose at least ${least} of its signal_targeting_options: ${options.map(({ signal_id }) => signal_id).join(', ')}.`,
  };
}

function form(at: string, suggestion: string): Fault {
  return { at, code: 'VALIDATION_ERROR', message: 'The signals have the wrong form.', suggestion };
}

function readGroups(value: unknown): readonly Group[] {
  const groups: readonly unknown[] = isObject(value) && Array.isArray(value.groups) ? value.groups : [];
  return groups.filter(isObject).map(({ operator, signals }) => ({
    operator: operator === 'none' ? 'none' : 'any',
    signals: (Array.isArray(signals) ? (signals as readonly unknown[]) : []).filter(isObject),
  }));
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}
