/** The dimensions of an inventory profile that are lists (spec 1, Agent search result). Filters AND across them and OR within one. */
export const PROFILE_DIMENSIONS = [
  'channels',
  'property_types',
  'markets',
  'categories',
  'tags',
  'delivery_types',
] as const;
export type ProfileDimension = (typeof PROFILE_DIMENSIONS)[number];

/** What an agent is searched by. */
export type Searchable = Readonly<Record<ProfileDimension, readonly string[]>> & {
  readonly agent_url: string;
  readonly property_count: number;
  readonly has_tmp: boolean;
};

/** What a search asks for. An empty list asks for nothing of its dimension. */
export type ProfileQuery = Readonly<Partial<Record<ProfileDimension, readonly string[]>>> & {
  /** Only agents with, or only agents without. */
  readonly has_tmp?: boolean;
  readonly min_properties?: number;
};

/** Where a page ended: the last result's score and agent. */
export type RankedProfile = { readonly score: number; readonly agentUrl: string };

/** One result with its score. */
export type Ranked<T> = { readonly item: T; readonly score: number };

/**
 * Agents by what they sell, in the order of their rank, which is the same for every query: all results match every dimension that is
 * asked for, so that these add the same to each. A page is a walk along one row of bits.
 */
export type ProfileIndex<T extends Searchable> = {
  /** Puts an agent in, or in the place of the one with its URL. */
  readonly put: (item: T) => void;
  readonly remove: (agentUrl: string) => void;
  readonly get: (agentUrl: string) => T | undefined;
  readonly size: () => number;
  /** At most `limit` results behind `after`, best first; `admits` decides what the query does not say. */
  readonly search: (
    query: ProfileQuery,
    limit: number,
    after?: RankedProfile,
    admits?: (item: T) => boolean,
  ) => readonly Ranked<T>[];
};

/** So much a property counts, by its logarithm, and support for TMP (spec 1, Agent search result). */
const PROPERTY_WEIGHT = 0.1;
const TMP_BOOST = 0.05;
/** So many changed agents are looked through one by one before the rows are laid anew. */
const MOST_CHANGED = 512;

/** The dimensions that a query asks for, in their order: `matched_filters` of every result. */
export function askedDimensions(query: ProfileQuery): readonly ProfileDimension[] {
  return PROFILE_DIMENSIONS.filter((dimension) => (query[dimension]?.length ?? 0) > 0);
}

/** The relevance of an agent that matches every dimension asked for (facts 1.3). */
export function relevanceScore(item: Pick<Searchable, 'has_tmp' | 'property_count'>, dimensions: number): number {
  const breadth = dimensions / Math.max(1, dimensions);
  return breadth + Math.log(item.property_count + 1) * PROPERTY_WEIGHT + (item.has_tmp ? TMP_BOOST : 0);
}

/** Lays out agents for searching. */
export function createProfileIndex<T extends Searchable>(items: Iterable<T> = []): ProfileIndex<T> {
  const byUrl = new Map<string, T>();
  for (const item of items) byUrl.set(item.agent_url, item);
  let rows = layRows(byUrl.values());
  /** Agents that the rows do not hold, or hold as they were. */
  const changed = new Set<string>();

  function change(agentUrl: string): void {
    const position = rows.positions.get(agentUrl);
    if (position !== undefined) clearBit(rows.live, position);
    changed.add(agentUrl);
    if (changed.size <= MOST_CHANGED) return;
    rows = layRows(byUrl.values());
    changed.clear();
  }

  function* inRows(query: ProfileQuery, after: RankedProfile | undefined): Generator<Ranked<T>> {
    const dimensions = askedDimensions(query);
    const bits = matchingBits(rows, query, dimensions);
    for (const position of setBits(bits, after === undefined ? 0 : positionAfter(rows, after, dimensions.length))) {
      const item = rows.items[position];
      if (item === undefined || item.property_count < (query.min_properties ?? 0)) continue;
      yield { item, score: relevanceScore(item, dimensions.length) };
    }
  }

  function inChanged(query: ProfileQuery, after: RankedProfile | undefined): readonly Ranked<T>[] {
    const dimensions = askedDimensions(query);
    const found: Ranked<T>[] = [];
    for (const url of changed) {
      const item = byUrl.get(url);
      if (item === undefined || !matches(item, query, dimensions)) continue;
      const score = relevanceScore(item, dimensions.length);
      if (after === undefined || isBehind(score, url, after)) found.push({ item, score });
    }
    return found.sort(byRank);
  }

  return {
    put: (item) => {
      byUrl.set(item.agent_url, item);
      change(item.agent_url);
    },
    remove: (agentUrl) => {
      if (byUrl.delete(agentUrl)) change(agentUrl);
    },
    get: (agentUrl) => byUrl.get(agentUrl),
    size: () => byUrl.size,
    search: (query, limit, after, admits = () => true) => {
      const fresh = inChanged(query, after);
      const page: Ranked<T>[] = [];
      let next = 0;
      const take = (one: Ranked<T>): boolean => {
        if (admits(one.item)) page.push(one);
        return page.length >= limit;
      };
      for (const one of inRows(query, after)) {
        for (let other = fresh[next]; other !== undefined && byRank(other, one) < 0; other = fresh[next]) {
          next += 1;
          if (take(other)) return page;
        }
        if (take(one)) return page;
      }
      for (const other of fresh.slice(next)) if (take(other)) return page;
      return page;
    },
  };
}

/** Agents in the order of rank, and for each value of each dimension the positions of those that have it. */
type Rows<T> = {
  readonly items: readonly T[];
  readonly positions: ReadonlyMap<string, number>;
  readonly live: Uint32Array;
  readonly tmp: Uint32Array;
  readonly postings: Readonly<Record<ProfileDimension, ReadonlyMap<string, Posting>>>;
};

/** Who has a value: a row of bits for a frequent one, positions for a rare one. */
type Posting = Uint32Array | readonly number[];

/** A value is frequent when its row of bits is read faster than its positions. */
const FREQUENT_SHARE = 1 / 64;

function layRows<T extends Searchable>(all: Iterable<T>): Rows<T> {
  const items = [...all]
    .map((item) => ({ item, score: relevanceScore(item, 0) }))
    .sort(byRank)
    .map(({ item }) => item);
  const postings = Object.fromEntries(
    PROFILE_DIMENSIONS.map((dimension) => [dimension, new Map<string, number[]>()]),
  ) as Record<ProfileDimension, Map<string, number[]>>;
  const live = emptyBits(items.length);
  const tmp = emptyBits(items.length);
  for (const [position, item] of items.entries()) {
    setBit(live, position);
    if (item.has_tmp) setBit(tmp, position);
    for (const dimension of PROFILE_DIMENSIONS) {
      for (const value of new Set(item[dimension])) {
        const list = postings[dimension].get(value);
        if (list === undefined) postings[dimension].set(value, [position]);
        else list.push(position);
      }
    }
  }
  const rows = Object.fromEntries(
    PROFILE_DIMENSIONS.map((dimension) => [
      dimension,
      new Map([...postings[dimension]].map(([value, list]) => [value, postingOf(list, items.length)])),
    ]),
  ) as Record<ProfileDimension, Map<string, Posting>>;
  const positions = new Map(items.map((item, position) => [item.agent_url, position]));
  return { items, positions, live, tmp, postings: rows };
}

function postingOf(positions: readonly number[], count: number): Posting {
  if (positions.length < count * FREQUENT_SHARE) return positions;
  const bits = emptyBits(count);
  for (const position of positions) setBit(bits, position);
  return bits;
}

function matchingBits<T>(rows: Rows<T>, query: ProfileQuery, dimensions: readonly ProfileDimension[]): Uint32Array {
  const found = rows.live.slice();
  if (query.has_tmp !== undefined) {
    const flip = query.has_tmp ? 0 : 0xffffffff;
    for (let word = 0; word < found.length; word += 1) {
      found[word] = (found[word] ?? 0) & ((rows.tmp[word] ?? 0) ^ flip);
    }
  }
  for (const dimension of dimensions) keepThose(found, rows.postings[dimension], query[dimension] ?? []);
  return found;
}

/** Leaves the bits of those that have one of the values. */
function keepThose(found: Uint32Array, postings: ReadonlyMap<string, Posting>, values: readonly string[]): void {
  const [first, ...others] = values.map((value) => postings.get(value) ?? []);
  let among: Uint32Array;
  if (first instanceof Uint32Array && others.length === 0) among = first;
  else {
    among = new Uint32Array(found.length);
    for (const posting of [first ?? [], ...others]) {
      if (posting instanceof Uint32Array) {
        for (let word = 0; word < among.length; word += 1) among[word] = (among[word] ?? 0) | (posting[word] ?? 0);
      } else for (const position of posting) setBit(among, position);
    }
  }
  for (let word = 0; word < found.length; word += 1) found[word] = (found[word] ?? 0) & (among[word] ?? 0);
}

/** The first position behind a place, which may be between two agents. */
function positionAfter<T extends Searchable>({ items }: Rows<T>, after: RankedProfile, dimensions: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && isBehind(relevanceScore(item, dimensions), item.agent_url, after)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function matches(item: Searchable, query: ProfileQuery, dimensions: readonly ProfileDimension[]): boolean {
  if (query.has_tmp !== undefined && item.has_tmp !== query.has_tmp) return false;
  if (item.property_count < (query.min_properties ?? 0)) return false;
  return dimensions.every((dimension) => query[dimension]?.some((value) => item[dimension].includes(value)));
}

function isBehind(score: number, url: string, after: RankedProfile): boolean {
  return score < after.score || (score === after.score && url > after.agentUrl);
}

function byRank(one: Ranked<Searchable>, other: Ranked<Searchable>): number {
  if (one.score !== other.score) return other.score - one.score;
  return one.item.agent_url < other.item.agent_url ? -1 : 1;
}

const WORD = 32;

function emptyBits(count: number): Uint32Array {
  return new Uint32Array(Math.ceil(count / WORD));
}

function setBit(bits: Uint32Array, position: number): void {
  bits[position >>> 5] = (bits[position >>> 5] ?? 0) | (1 << (position & 31));
}

function clearBit(bits: Uint32Array, position: number): void {
  bits[position >>> 5] = (bits[position >>> 5] ?? 0) & ~(1 << (position & 31));
}

function* setBits(bits: Uint32Array, from: number): Generator<number> {
  for (let word = from >>> 5; word < bits.length; word += 1) {
    let left = bits[word] ?? 0;
    if (word === from >>> 5) left &= -1 << (from & 31);
    while (left !== 0) {
      const lowest = 31 - Math.clz32(left & -left);
      left &= left - 1;
      yield word * WORD + lowest;
    }
  }
}
