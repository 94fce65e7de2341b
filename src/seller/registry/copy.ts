import { type Clock, SECOND_MS } from '../../platform/kernel/clock.js';
import type { Ids } from '../../platform/kernel/ids.js';
import type { Log } from '../../platform/kernel/log.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { createBrandLookup } from '../../registry/brand/lookup.js';
import { createRegistryClient } from '../../registry/client/client.js';
import { openMirrorOf } from '../../registry/mirror/open.js';
import { collectionNames } from './inventory-source.js';
import type { RegistryCopy } from './registry-use.js';

/** A buyer waits for its creative meanwhile. */
const BRAND_TIMEOUT_MS = 2 * SECOND_MS;

/** The settings and the services of a copy. */
export type RegistryCopyOptions = {
  /** Of the registry. */
  readonly url: string;
  readonly token: string | undefined;
  readonly maxStalenessMs: number;
  readonly dataDir: string;
  readonly outbound: () => Pick<Outbound, 'fetch'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
};

/** Opens the mirror of a registry in the data folder, warm where it was before. The folder must be held. */
export async function openRegistryCopy(options: RegistryCopyOptions): Promise<RegistryCopy> {
  const { clock, dataDir, ids, log, maxStalenessMs, outbound, token, url } = options;
  // The way out changes with the tenants.
  const out: Pick<Outbound, 'fetch'> = { fetch: (...request) => outbound().fetch(...request) };
  const asking = createRegistryClient({
    url,
    token,
    outbound: out,
    clock,
    timeoutMs: BRAND_TIMEOUT_MS,
    longestWaitMs: 0,
  });
  const open = await openMirrorOf({ url, token, outbound: out, dataDir, clock, ids, log, maxStalenessMs });
  const { close, mirror } = open;
  return {
    stalenessMs: () => mirror.lag().lag_ms ?? Number.POSITIVE_INFINITY,
    stamp: () => {
      const { cursor, rebuilds } = mirror.lag();
      return `${cursor} ${rebuilds}`;
    },
    effectiveOf: mirror.effective,
    identified: mirror.identifier,
    collectionOf: (rid) => {
      const record = mirror.index.collection(rid);
      return record && collectionNames(record);
    },
    collectionsOf: (domain) => mirror.index.collectionsOf(domain),
    brandOf: createBrandLookup((domain) => mirror.brand(domain), asking, clock),
    start: mirror.start,
    tick: () => mirror.tick(),
    operate: async (action) => await (await import('../../registry/mirror/operate.js')).operateMirror(open, action),
    close,
  };
}
