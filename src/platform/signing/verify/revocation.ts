/** The state of a key by a list of revoked keys; `stale` is a list that is too old to say anything. */
type RevocationAnswer = 'valid' | 'revoked' | 'stale';

/** Knows revoked keys. `source` is where the key is published. */
export type Revocation = {
  readonly check: (
    key: { readonly source: string; readonly keyid: string },
    nowSeconds: number,
  ) => RevocationAnswer | Promise<RevocationAnswer>;
};

/** A list of revoked keys, as its issuer publishes it; instants in unix seconds. */
type RevocationList = {
  readonly updated: number;
  readonly nextUpdate: number;
  readonly revokedKids: readonly string[];
};

/** The longest interval between two updates that is believed. */
const MAX_INTERVAL_SECONDS = 30 * 60;
/** How many intervals a list may be late. */
const GRACE_INTERVALS = 4;

/** Revocation for who keeps no list: no key is revoked. */
export const NO_REVOCATION: Revocation = { check: () => 'valid' };

/**
 * Returns revocation by a list that may be replaced. It is stale four intervals after its next update, when it is dated far
 * ahead, and as long as there is no list.
 */
export function createRevocation(current: () => RevocationList | undefined): Revocation {
  return {
    check: ({ keyid }, nowSeconds) => {
      const list = current();
      if (list === undefined) return 'stale';
      if (list.revokedKids.includes(keyid)) return 'revoked';
      if (list.updated > nowSeconds + MAX_INTERVAL_SECONDS) return 'stale';
      const interval = Math.min(Math.max(list.nextUpdate - list.updated, 0), MAX_INTERVAL_SECONDS);
      return nowSeconds > list.updated + interval * (1 + GRACE_INTERVALS) ? 'stale' : 'valid';
    },
  };
}
