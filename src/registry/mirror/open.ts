import path from 'node:path';
import type { Clock } from '../../platform/kernel/clock.js';
import type { Ids } from '../../platform/kernel/ids.js';
import type { Log } from '../../platform/kernel/log.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { createRegistryClient } from '../client/client.js';
import { openRegistryStore, type RegistryStore } from '../store/registry-store.js';
import { type Mirror, openMirror } from './mirror.js';
import { createOriginReader } from './origin-keys.js';

/** The file of a mirror below the data folder. */
const MIRROR_FILE = 'registry-mirror.db';

/** The settings and the services of a mirror of a registry somewhere else. */
export type MirrorOfOptions = {
  /** Of the registry. */
  readonly url: string;
  readonly token: string | undefined;
  readonly maxStalenessMs: number;
  readonly dataDir: string;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Development mode: publishers on this machine are read too. */
  readonly local?: boolean;
};

/** A mirror with its store, which is closed with it. */
export type MirrorOf = {
  readonly mirror: Mirror;
  readonly store: RegistryStore;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
};

/** Opens the mirror of a registry in the data folder, warm where it was before. The folder must be held. */
export async function openMirrorOf(options: MirrorOfOptions): Promise<MirrorOf> {
  const { clock, dataDir, ids, local = false, log, maxStalenessMs, outbound } = options;
  const store = openRegistryStore(path.join(dataDir, MIRROR_FILE), 'copy');
  const source = createRegistryClient(options);
  const readOrigin = createOriginReader(outbound, clock, local);
  const parts = { store, source, clock, ids, log, maxStalenessMs, readOrigin };
  const mirror = await openMirror(parts);
  return {
    mirror,
    store,
    clock,
    close: async () => {
      await mirror.close();
      await store.close();
    },
  };
}
