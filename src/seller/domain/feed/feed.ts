import { digest } from '../../../platform/kernel/canonical.js';
import { TaskError } from '../../../protocol/errors.js';

/** The feeds that there are, by what they are of. */
export type FeedNoun = 'product' | 'signal';

/** Returns the feeds that a tenant of these kinds has. */
export function feedsOf(kinds: readonly string[]): readonly FeedNoun[] {
  return [
    ...(kinds.includes('sales') ? ['product' as const] : []),
    ...(kinds.includes('signals') ? ['signal' as const] : []),
  ];
}

/** The state of a product or signal of a wholesale feed: digests of what it says, and of its prices. */
export type FeedPrint = { readonly id: string; readonly shape: string; readonly prices: string };

/** The version of a feed with its prices; buyers send it back as it came. */
export type FeedVersion = { readonly wholesale_feed_version: string };

/** The versions that a buyer has, as a request names them. */
type FeedConditions = {
  readonly if_wholesale_feed_version?: string | undefined;
  readonly if_pricing_version?: string | undefined;
};

/** Returns the state of a product or signal as it goes on the wire. */
export function printEntity(id: string, wire: { readonly pricing_options?: unknown }): FeedPrint {
  const { pricing_options: prices = [], ...shape } = wire;
  return { id, shape: digest(JSON.stringify(shape)), prices: digest(JSON.stringify(prices)) };
}

/** Returns the version of a feed that holds these; their order does not matter. `more`: what else an answer depends on, as text. */
export function feedVersion(prints: readonly FeedPrint[], more = ''): FeedVersion {
  const sorted = prints.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rows = sorted.map(({ id, shape, prices }) => [id, shape, prices]);
  return { wholesale_feed_version: digest(JSON.stringify([rows, more])) };
}

/** Refuses versions in a request that does not read a whole feed, and one of prices without one of the feed. Throws INVALID_REQUEST. */
export function checkConditions(given: FeedConditions, isWholesale: boolean, mode: string): void {
  const { if_wholesale_feed_version: feed, if_pricing_version: prices } = given;
  if (feed === undefined && prices !== undefined) {
    throw new TaskError('INVALID_REQUEST', 'A version of prices goes with a version of the feed.', {
      field: 'if_pricing_version',
      suggestion: 'Send if_wholesale_feed_version with it, both as the last wholesale answer had them.',
    });
  }
  if (feed === undefined || isWholesale) return;
  throw new TaskError('INVALID_REQUEST', 'Only a wholesale request has a version.', {
    field: 'if_wholesale_feed_version',
    suggestion: `Leave it out, or read the whole feed with ${mode} "wholesale".`,
  });
}

/** Whether a buyer has the feed as it is now. */
export function isUnchanged({ if_wholesale_feed_version: before }: FeedConditions, now: FeedVersion): boolean {
  return before === now.wholesale_feed_version;
}
