/** What a list of revoked keys says of a key; `stale` is a list that is too old to say anything. */
export type RevocationAnswer = 'valid' | 'revoked' | 'stale';

/** What knows revoked keys. `source` is where the key is published. */
export type Revocation = {
  readonly check: (
    key: { readonly source: string; readonly keyid: string },
    nowSeconds: number,
  ) => RevocationAnswer | Promise<RevocationAnswer>;
};

/** A list of revoked keys, as its issuer publishes it; instants in unix seconds (facts 2.4). */
export type RevocationList = {
  readonly updated: number;
  readonly nextUpdate: number;
  readonly revokedKids: readonly string[];
};

/** Most seconds between two updates that are believed, and how many intervals a list may be late. */
const MOST_INTERVAL_SECONDS = 30 * 60;
const GRACE_INTERVALS = 4;

/** Revocation for who keeps no list: no key is revoked. */
export const NO_REVOCATION: Revocation = { check: () => 'valid' };

/**
 * Revocation by a list that may be replaced. It is stale four intervals after its next update, or
 * when it is dated far ahead; before there is one, always.
 */
export function createRevocation(current: () => RevocationList | undefined): Revocation {
  return {
    check: ({ keyid }, nowSeconds) => {
      const list = current();
      if (list === undefined) return 'stale';
      if (list.revokedKids.includes(keyid)) return 'revoked';
      if (list.updated > nowSeconds + MOST_INTERVAL_SECONDS) return 'stale';
      const interval = Math.min(Math.max(list.nextUpdate - list.updated, 0), MOST_INTERVAL_SECONDS);
      return nowSeconds > list.updated + interval * (1 + GRACE_INTERVALS) ? 'stale' : 'valid';
    },
  };
}
