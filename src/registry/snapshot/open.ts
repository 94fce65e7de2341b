import path from 'node:path';
import type { Clock } from '../../kernel/clock.js';
import type { Outbound } from '../../kernel/fetch.js';
import type { Ids } from '../../kernel/ids.js';
import type { Log } from '../../kernel/log.js';
import { openRegistryStore, type RegistryStore } from '../../store/registry/registry-store.js';
import { discoverAdagents } from '../adagents-discovery.js';
import { createRegistryClient } from '../client/client.js';
import { walkSteps } from '../walk.js';
import type { BootstrapProgress } from './bootstrap.js';
import { type Mirror, openMirror } from './mirror.js';
import type { OriginReader } from './source.js';

/** The file of a mirror below the data folder. */
export const MIRROR_FILE = 'registry-mirror.db';

/** What a mirror of a registry somewhere else is made with. */
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
  readonly progress?: BootstrapProgress;
  /** Development mode: publishers on this machine are read too. */
  readonly local?: boolean;
};

/** A mirror with its store, which is closed with it. */
export type MirrorOf = { readonly mirror: Mirror; readonly store: RegistryStore; readonly close: () => Promise<void> };

/** Opens the mirror of a registry in the data folder, warm where it was before. The folder must be held. */
export async function openMirrorOf(options: MirrorOfOptions): Promise<MirrorOf> {
  const { clock, dataDir, ids, local = false, log, maxStalenessMs, outbound, progress } = options;
  const store = openRegistryStore(path.join(dataDir, MIRROR_FILE), 'copy');
  const source = createRegistryClient(options);
  const readOrigin: OriginReader = async (domain) => {
    const steps = discoverAdagents(domain, { nowMs: clock.now(), local });
    return (await walkSteps(steps, outbound, { local })).effective;
  };
  const parts = { store, source, clock, ids, log, maxStalenessMs, readOrigin };
  const mirror = await openMirror({ ...parts, ...(progress && { progress }) });
  return {
    mirror,
    store,
    close: async () => {
      await mirror.close();
      await store.close();
    },
  };
}
