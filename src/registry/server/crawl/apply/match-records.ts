/** The marks that a record is recognized by: the publisher's own id, and identifiers that nobody else has. */
type Marks = { readonly id: string | null; readonly keys: readonly string[] };

/** How the two sides are read. */
type MatchOptions<Kept, Draft> = {
  readonly stored: (record: Kept) => Marks & { readonly rid: string };
  readonly draft: (draft: Draft) => Marks;
};

/** The record of each draft, the records that have become part of another, and those that the file no longer lists. */
type RecordMatches<Kept, Draft> = {
  readonly pairs: readonly { readonly draft: Draft; readonly stored: Kept | undefined }[];
  readonly merged: readonly { readonly alias: Kept; readonly into: Draft }[];
  readonly lost: readonly Kept[];
};

/**
 * Recognizes what a file lists now in what is kept: by its id, else by the most identifiers in common, else it is new. What is left over
 * and is identified by nothing but what one draft has taken over is the same thing as that.
 */
export function matchRecords<Kept, Draft>(
  records: readonly Kept[],
  drafts: readonly Draft[],
  options: MatchOptions<Kept, Draft>,
): RecordMatches<Kept, Draft> {
  const stored = records.map((record) => ({ record, ...options.stored(record) }));
  const wanted = drafts.map((draft) => ({ draft, ...options.draft(draft) }));
  const byId = groups(stored, ({ id }) => (id === null ? [] : [id]));
  const byKey = groups(stored, ({ keys }) => keys);
  const taken = new Set<(typeof stored)[number]>();
  const matches = new Map<(typeof wanted)[number], (typeof stored)[number]>();
  const take = (one: (typeof wanted)[number], candidate: (typeof stored)[number] | undefined): void => {
    if (candidate === undefined) return;
    taken.add(candidate);
    matches.set(one, candidate);
    if (candidate.id !== null) byId.get(candidate.id)?.delete(candidate);
    for (const key of candidate.keys) byKey.get(key)?.delete(candidate);
  };
  for (const one of wanted) {
    if (one.id !== null) take(one, firstOf(byId.get(one.id)));
  }
  for (const one of wanted) {
    if (!matches.has(one)) take(one, findNearest(one.keys, byKey));
  }
  const owners = new Map(wanted.flatMap((one) => one.keys.map((key) => [key, one] as const)));
  const ids = new Set(wanted.map(({ id }) => id));
  const merged: { alias: Kept; into: Draft }[] = [];
  const lost: Kept[] = [];
  for (const one of stored) {
    if (taken.has(one)) continue;
    const [owner, ...others] = new Set(one.keys.map((key) => owners.get(key)));
    const isUsed = one.id !== null && ids.has(one.id);
    if (owner !== undefined && others.length === 0 && matches.has(owner) && !isUsed)
      merged.push({ alias: one.record, into: owner.draft });
    else lost.push(one.record);
  }
  return {
    pairs: wanted.map((one) => ({ draft: one.draft, stored: matches.get(one)?.record })),
    merged,
    lost,
  };
}

/** Candidates that are looked at for each key: thousands that share one are the work of somebody who wants to waste time. */
const MAX_CANDIDATES = 16;

/** Returns the free candidate that shares the most keys; of several the first. */
function findNearest<T>(keys: readonly string[], byKey: ReadonlyMap<string, ReadonlySet<T>>): T | undefined {
  const shared = new Map<T, number>();
  for (const key of keys) {
    let looked = 0;
    for (const candidate of byKey.get(key) ?? []) {
      if (looked === MAX_CANDIDATES) break;
      looked += 1;
      shared.set(candidate, (shared.get(candidate) ?? 0) + 1);
    }
  }
  let best: T | undefined;
  for (const [candidate, count] of shared) {
    if (best === undefined || count > (shared.get(best) ?? 0)) best = candidate;
  }
  return best;
}

function firstOf<T>(set: ReadonlySet<T> | undefined): T | undefined {
  for (const one of set ?? []) return one;
  return undefined;
}

function groups<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): ReadonlyMap<string, Set<T>> {
  const sets = new Map<string, Set<T>>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const set = sets.get(key);
      if (set === undefined) sets.set(key, new Set([item]));
      else set.add(item);
    }
  }
  return sets;
}
