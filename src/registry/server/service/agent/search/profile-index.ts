import { BitSet } from '../bit-set.js';

/** The dimensions of an inventory profile that are lists. Filters AND across them and OR within one. */
export const PROFILE_DIMENSIONS = [
  'channels',
  'property_types',
  'markets',
  'categories',
  'tags',
  'delivery_types',
  'format_kinds',
] as const;
type ProfileDimension = (typeof PROFILE_DIMENSIONS)[number];

/** The members of an agent that it is searched by; an absent list is an empty one. */
export type Searchable = Readonly<Partial<Record<ProfileDimension, readonly string[]>>> & {
  readonly agent_url: string;
  readonly property_count: number;
  readonly has_tmp: boolean;
};

/** The filters of a search. An empty list asks for nothing of its dimension. */
export type ProfileQuery = Readonly<Partial<Record<ProfileDimension, readonly string[]>>> & {
  /** Only agents with, or only agents without. */
  readonly has_tmp?: boolean;
  readonly min_properties?: number;
};

/** The end of a page: the last result's score and agent. */
export type RankedProfile = { readonly score: number; readonly agentUrl: string };

/** One result with its score. */
export type Ranked<T> = { readonly item: T; readonly score: number };

/** Weights of the logarithm of the number of properties, and of support for TMP. */
const PROPERTY_WEIGHT = 0.1;
const TMP_BOOST = 0.05;
/** Changed agents that are looked through one by one before the rows are made anew. */
const MAX_CHANGED = 512;

/** Returns the dimensions that a query asks for, in their order: `matched_filters` of every result. */
export function askedDimensions(query: ProfileQuery): readonly ProfileDimension[] {
  return PROFILE_DIMENSIONS.filter((dimension) => (query[dimension]?.length ?? 0) > 0);
}

/** Returns the relevance of an agent that matches every dimension asked for. */
export function relevanceScore(item: Pick<Searchable, 'has_tmp' | 'property_count'>, dimensions: number): number {
  const breadth = dimensions / Math.max(1, dimensions);
  return breadth + Math.log(item.property_count + 1) * PROPERTY_WEIGHT + (item.has_tmp ? TMP_BOOST : 0);
}

/**
 * Agents by what they sell, in the order of their rank, which is the same for every query, as results match every dimension that is asked
 * for. A page is a walk along one row of bits, in memory: SQL took a hundred times as long (benchmark row `search`).
 */
export class ProfileIndex<T extends Searchable> {
  readonly #byUrl = new Map<string, T>();
  #rows: ProfileRows<T>;
  /** Agents that the rows do not hold, or hold as they were. */
  readonly #changed = new Set<string>();

  constructor(items: Iterable<T> = []) {
    for (const item of items) this.#byUrl.set(item.agent_url, item);
    this.#rows = new ProfileRows(this.#byUrl.values());
  }

  /** Puts an agent in, or in the place of the one with its URL. */
  put(item: T): void {
    this.#byUrl.set(item.agent_url, item);
    this.#markChanged(item.agent_url);
  }

  remove(agentUrl: string): void {
    if (this.#byUrl.delete(agentUrl)) this.#markChanged(agentUrl);
  }

  get(agentUrl: string): T | undefined {
    return this.#byUrl.get(agentUrl);
  }

  size(): number {
    return this.#byUrl.size;
  }

  /** Returns at most `limit` results behind `after`, best first; `admits` decides what the query does not say. */
  search(
    query: ProfileQuery,
    limit: number,
    after?: RankedProfile,
    admits: (item: T) => boolean = () => true,
  ): readonly Ranked<T>[] {
    const changed = this.#searchChanged(query, after);
    const page: Ranked<T>[] = [];
    let next = 0;
    const isFull = (one: Ranked<T>): boolean => {
      if (admits(one.item)) page.push(one);
      return page.length >= limit;
    };
    for (const one of this.#rows.search(query, after)) {
      for (let other = changed[next]; other !== undefined && byRank(other, one) < 0; other = changed[next]) {
        next += 1;
        if (isFull(other)) return page;
      }
      if (isFull(one)) return page;
    }
    for (const other of changed.slice(next)) if (isFull(other)) return page;
    return page;
  }

  #markChanged(agentUrl: string): void {
    this.#rows.forget(agentUrl);
    this.#changed.add(agentUrl);
    if (this.#changed.size <= MAX_CHANGED) return;
    this.#rows = new ProfileRows(this.#byUrl.values());
    this.#changed.clear();
  }

  #searchChanged(query: ProfileQuery, after: RankedProfile | undefined): readonly Ranked<T>[] {
    const dimensions = askedDimensions(query);
    const results: Ranked<T>[] = [];
    for (const url of this.#changed) {
      const item = this.#byUrl.get(url);
      if (item === undefined || !isMatch(item, query, dimensions)) continue;
      const score = relevanceScore(item, dimensions.length);
      if (after === undefined || isBehind(score, url, after)) results.push({ item, score });
    }
    return results.sort(byRank);
  }
}

/** The agents that have a value: a set where they are many, else their positions. */
type Posting = BitSet | readonly number[];

/** A value is frequent when its set is read faster than its positions. */
const FREQUENT_SHARE = 1 / 64;

/** Agents in the order of rank, and for each value of each dimension the positions of those that have it. */
class ProfileRows<T extends Searchable> {
  readonly #items: readonly T[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #current: BitSet;
  readonly #withTmp: BitSet;
  /** Of the dimensions that were asked for: to make all at once would hold the event loop at each renewal (bench row `holds`). */
  readonly #postings = new Map<ProfileDimension, ReadonlyMap<string, Posting>>();

  constructor(all: Iterable<T>) {
    this.#items = [...all]
      .map((item) => ({ item, score: relevanceScore(item, 0) }))
      .sort(byRank)
      .map(({ item }) => item);
    this.#positions = new Map(this.#items.map((item, position) => [item.agent_url, position]));
    this.#current = new BitSet(this.#items.length);
    this.#withTmp = new BitSet(this.#items.length);
    for (const [position, { has_tmp }] of this.#items.entries()) {
      this.#current.add(position);
      if (has_tmp) this.#withTmp.add(position);
    }
  }

  /** Leaves an agent out from now on. */
  forget(agentUrl: string): void {
    const position = this.#positions.get(agentUrl);
    if (position !== undefined) this.#current.delete(position);
  }

  /** Returns the results behind `after`, best first. */
  *search(query: ProfileQuery, after: RankedProfile | undefined): Generator<Ranked<T>> {
    const dimensions = askedDimensions(query);
    const from = after === undefined ? 0 : this.#positionAfter(after, dimensions.length);
    for (const position of this.#match(query, dimensions).from(from)) {
      const item = this.#items[position];
      if (item === undefined || item.property_count < (query.min_properties ?? 0)) continue;
      yield { item, score: relevanceScore(item, dimensions.length) };
    }
  }

  #match(query: ProfileQuery, dimensions: readonly ProfileDimension[]): BitSet {
    const matching = this.#current.copy();
    if (query.has_tmp === true) matching.intersect(this.#withTmp);
    if (query.has_tmp === false) matching.subtract(this.#withTmp);
    for (const dimension of dimensions) {
      const postings = this.#postingsFor(dimension);
      matching.intersect(this.#union((query[dimension] ?? []).map((value) => postings.get(value) ?? [])));
    }
    return matching;
  }

  #postingsFor(dimension: ProfileDimension): ReadonlyMap<string, Posting> {
    const made = this.#postings.get(dimension);
    if (made !== undefined) return made;
    const postings = postingsOf(this.#items, dimension);
    this.#postings.set(dimension, postings);
    return postings;
  }

  /** Returns the agents that have one of several values. */
  #union([first = [], ...others]: readonly Posting[]): BitSet {
    if (first instanceof BitSet && others.length === 0) return first;
    const union = new BitSet(this.#items.length);
    for (const posting of [first, ...others]) {
      if (posting instanceof BitSet) union.join(posting);
      else for (const position of posting) union.add(position);
    }
    return union;
  }

  /** Returns the first position behind a result, which may be between two agents. */
  #positionAfter(after: RankedProfile, dimensions: number): number {
    let [low, high] = [0, this.#items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#items[middle];
      if (item !== undefined && isBehind(relevanceScore(item, dimensions), item.agent_url, after)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function postingsOf(items: readonly Searchable[], dimension: ProfileDimension): ReadonlyMap<string, Posting> {
  const positions = new Map<string, number[]>();
  for (const [position, item] of items.entries()) {
    for (const value of item[dimension] ?? []) {
      const list = positions.get(value);
      if (list === undefined) positions.set(value, [position]);
      // An agent that names a value twice has it once.
      else if (list.at(-1) !== position) list.push(position);
    }
  }
  return new Map([...positions].map(([value, list]) => [value, postingOf(list, items.length)]));
}

function postingOf(positions: readonly number[], count: number): Posting {
  if (positions.length < count * FREQUENT_SHARE) return positions;
  const set = new BitSet(count);
  for (const position of positions) set.add(position);
  return set;
}

function isMatch(item: Searchable, query: ProfileQuery, dimensions: readonly ProfileDimension[]): boolean {
  if (query.has_tmp !== undefined && item.has_tmp !== query.has_tmp) return false;
  if (item.property_count < (query.min_properties ?? 0)) return false;
  return dimensions.every((dimension) => query[dimension]?.some((value) => item[dimension]?.includes(value)));
}

function isBehind(score: number, url: string, after: RankedProfile): boolean {
  return score < after.score || (score === after.score && url > after.agentUrl);
}

function byRank(one: Ranked<Searchable>, other: Ranked<Searchable>): number {
  if (one.score !== other.score) return other.score - one.score;
  return one.item.agent_url < other.item.agent_url ? -1 : 1;
}
