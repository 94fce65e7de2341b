import type { FeedPrint } from './feed.js';

/** A product or signal of a feed, and the principals that see it; absent: everybody does. */
export type FeedEntry = FeedPrint & { readonly to?: readonly string[] | undefined };

/** The change of a product or signal; `priced` where nothing but its prices differ. */
export type FeedChange = { readonly id: string; readonly change: 'created' | 'updated' | 'priced' | 'removed' };

/** Returns what a principal sees of a feed. */
export function seenBy(entries: readonly FeedEntry[], principal: string): readonly FeedEntry[] {
  return entries.filter(({ to }) => to === undefined || to.includes(principal));
}

/** Returns the changes between two states of a feed as one principal sees them; prices that change with the rest have an entry of their own. */
export function diffFeed(before: readonly FeedEntry[], after: readonly FeedEntry[]): readonly FeedChange[] {
  const earlier = new Map(before.map((entry) => [entry.id, entry]));
  const now = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap((entry): readonly FeedChange[] => {
      const { id, shape, prices } = entry;
      const old = earlier.get(id);
      if (old === undefined) return [{ id, change: 'created' }];
      return [
        ...(old.shape === shape ? [] : [{ id, change: 'updated' } as const]),
        ...(old.prices === prices ? [] : [{ id, change: 'priced' } as const]),
      ];
    }),
    ...before.flatMap(({ id }): readonly FeedChange[] => (now.has(id) ? [] : [{ id, change: 'removed' }])),
  ];
}
