import { joinWords } from './sentence.js';

/** Counts of what each filter kept out of a list. */
export type FilterDiagnostics = {
  /** `only`: things that this filter alone keeps out. `any`: things it refuses, whatever else refuses them. */
  readonly semantics: 'only' | 'any';
  readonly total_candidates: number;
  readonly excluded_by: Readonly<Record<string, { readonly count: number; readonly values?: readonly string[] }>>;
};

/** A filter asks about the thing as a whole, or about one of its prices. */
export type FilterRow<Item, Option, All, Value = unknown> = {
  readonly item?: (item: Item, value: Value, all: All) => boolean;
  readonly option?: (option: Option, value: Value) => boolean;
  /** Prices that fail do not leave. */
  readonly prunes?: true;
  /** Which of the filter's values kept these things out; all of them unless told. */
  readonly guilty?: (value: Value, excluded: readonly Item[]) => readonly string[];
  /** The advice where this filter leaves nothing. */
  readonly relax: string;
};

/** The filters of one kind of list, by their name on the wire. */
export type FilterTable<Item, Option, All> = Readonly<Record<string, FilterRow<Item, Option, All>>>;

type Priced<Option> = { readonly pricing_options: readonly Option[] };

type Active<Item, Option, All> = {
  readonly name: string;
  readonly row: FilterRow<Item, Option, All>;
  readonly value: unknown;
};

/**
 * Returns the things that pass every filter, in their order, without the prices that a price filter refuses; and which filter refused the others.
 * Filters exclude silently and never throw; filters that the table does not know, and empty lists, filter nothing.
 */
export function filterItems<Item extends Priced<Option>, Option, All extends object>(
  table: FilterTable<Item, Option, All>,
  items: readonly Item[],
  all: All,
): { readonly passed: readonly Item[]; readonly diagnostics: FilterDiagnostics } {
  const active = activeFilters(table, all);
  const passed: Item[] = [];
  const excluded: Item[] = [];
  for (const item of items) {
    if (isPassing(item, active, all)) passed.push(withoutRefusedPrices(item, active));
    else excluded.push(item);
  }
  return { passed, diagnostics: diagnose(items.length, excluded, active, all) };
}

function activeFilters<Item, Option, All extends object>(
  table: FilterTable<Item, Option, All>,
  all: All,
): readonly Active<Item, Option, All>[] {
  return Object.entries(all).flatMap(([name, value]: [string, unknown]) => {
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    return row === undefined || isEmpty ? [] : [{ name, row, value }];
  });
}

/** Whether a thing passes the filters; those of prices must be met by one and the same price. */
function isPassing<Item extends Priced<Option>, Option, All>(
  item: Item,
  active: readonly Active<Item, Option, All>[],
  all: All,
): boolean {
  if (!active.every(({ row, value }) => row.item?.(item, value, all) ?? true)) return false;
  const aboutPrices = active.filter(({ row }) => row.option !== undefined);
  if (aboutPrices.length === 0) return true;
  return item.pricing_options.some((option) => aboutPrices.every(({ row, value }) => row.option?.(option, value)));
}

function withoutRefusedPrices<Item extends Priced<Option>, Option, All>(
  item: Item,
  active: readonly Active<Item, Option, All>[],
): Item {
  const pricing_options = item.pricing_options.filter((option) =>
    active.every(({ row, value }) => row.prunes !== true || (row.option?.(option, value) ?? true)),
  );
  return pricing_options.length === item.pricing_options.length ? item : { ...item, pricing_options };
}

/** Counts by `only`; where every excluded thing is refused twice over, that says nothing, and `any` is counted instead. */
function diagnose<Item extends Priced<Option>, Option, All>(
  total: number,
  excluded: readonly Item[],
  active: readonly Active<Item, Option, All>[],
  all: All,
): FilterDiagnostics {
  type One = Active<Item, Option, All>;
  const refusedOnlyBy = (one: One) => (item: Item) =>
    isPassing(
      item,
      active.filter((other) => other !== one),
      all,
    );
  const refusedBy = (one: One) => (item: Item) => !isPassing(item, [one], all);
  const count = (refused: (one: One) => (item: Item) => boolean): FilterDiagnostics['excluded_by'] =>
    Object.fromEntries(
      active.flatMap((one) => {
        const hit = excluded.filter(refused(one));
        return hit.length === 0 ? [] : [[one.name, { count: hit.length, ...guiltyValues(one, hit) }]];
      }),
    );
  const only = count(refusedOnlyBy);
  if (Object.keys(only).length > 0 || excluded.length === 0) {
    return { semantics: 'only', total_candidates: total, excluded_by: only };
  }
  return { semantics: 'any', total_candidates: total, excluded_by: count(refusedBy) };
}

function guiltyValues<Item, Option, All>(
  { row, value }: Active<Item, Option, All>,
  hit: readonly Item[],
): { readonly values?: readonly string[] } {
  if (row.guilty !== undefined) return { values: row.guilty(value, hit) };
  if (typeof value === 'string') return { values: [value] };
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? { values: value } : {};
}

/**
 * Explains why nothing is left: which filter keeps out how many things and which to relax, in words for a person or a model. `noun` is one of
 * the things.
 */
export function explainFilters(
  table: Readonly<Record<string, { readonly relax: string }>>,
  noun: string,
  { semantics, total_candidates, excluded_by }: FilterDiagnostics,
): string {
  const relaxing = (name: string): string => table[name]?.relax ?? 'leave it out';
  const worst = Object.entries(excluded_by).sort(([, a], [, b]) => b.count - a.count);
  const first = worst[0];
  if (total_candidates === 0) return `There was no ${noun} to filter.`;
  if (first === undefined) return `No filter by itself excludes any of the ${total_candidates} ${noun}s.`;
  const parts = worst.map(([name, { count, values }]) => {
    const alone = semantics === 'only' ? ' alone' : '';
    return `${name}${bracketValues(values)}${alone} keeps out ${count}`;
  });
  const advice =
    semantics === 'only'
      ? `Relax ${first[0]} first: ${relaxing(first[0])}`
      : `Relax them together: ${joinWords(worst.map(([name]) => `${name} (${relaxing(name)})`))}`;
  return `No ${noun} passes: of ${total_candidates}, ${joinWords(parts)}. ${advice}.`;
}

function bracketValues(values: readonly string[] | undefined): string {
  return values === undefined ? '' : ` (${values.slice(0, 5).join(', ').slice(0, 120)})`;
}
