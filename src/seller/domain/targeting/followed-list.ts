import type { ListDimension } from './lists.js';

/** The name of a list at the agent that maintains it, with the token that opens it. */
export type ListRef = {
  readonly agent_url: string;
  readonly list_id: string;
  readonly auth_token?: string | undefined;
};

/** A list as it was read for a package: what it leaves of the product, and when it is read again. */
export type ReadList = {
  readonly reference: ListRef;
  /** Plain http and loopback may be called. */
  readonly local: boolean;
  /** Of the product, 0 to 1. */
  readonly part: number;
  /** ISO 8601. */
  readonly read_at: string;
  /** When it is read again, ms; null for one that never is. */
  readonly nextReadMs: number | null;
  /** Since when it cannot be read, ISO 8601; what was read last stays in force. */
  readonly failing_since?: string | undefined;
};

/** A list as it was read, as far as its document in the store goes. */
export type ListDoc = Omit<ReadList, 'nextReadMs'>;

/** A list that a package targets. */
export type FollowedList = ReadList & {
  readonly media_buy_id: string;
  readonly package_id: string;
  readonly dimension: ListDimension;
};

/** So many pages of a list are read, of at most 256 KiB each. */
export const MAX_LIST_PAGES = 20;

/** Returns what several lists together leave of a product, 0 to 1. */
export function joinParts(lists: readonly Pick<ReadList, 'part'>[]): number {
  return lists.reduce((product, { part }) => product * part, 1);
}
