import { randomBytes } from 'node:crypto';
import { type Booted, type BootOptions, boot } from './boot.js';
import { freshDatabase } from './postgres.js';

/** Two servers of this process on one database, each with a data folder of its own, whose clocks go together. */
export type TwoServers = {
  readonly one: Booted;
  readonly two: Booted;
  /** Turns both clocks on by `ms`. */
  readonly pass: (ms: number) => void;
};

/** Returns how servers are booted that share a database of their own. */
export async function shareDatabase() {
  const env = { SELLER_AGENT_MASTER_KEY: randomBytes(32).toString('base64') };
  return { ids: 'system', env, settings: { store: await freshDatabase() } } as const satisfies BootOptions;
}

/** Boots two servers on a database of their own; for tests of the projects that have a PostgreSQL server. */
export async function bootTwo(options: BootOptions = {}): Promise<TwoServers> {
  const shared = { ...options, ...(await shareDatabase()) };
  const [one, two] = [await boot(shared), await boot(shared)];
  return {
    one,
    two,
    pass: (ms) => {
      for (const { clock } of [one, two]) clock.advance(ms);
    },
  };
}
