import { type Sellers, type SellersOptions, startSellers } from '../../scripts/cluster/sellers.mjs';
import { afterUse } from './after-use.js';
import { JSON_HEADERS, readAnswer, toolCall } from './boot.js';
import { send } from './http.js';
import { freshDatabase } from './postgres.js';
import { temporaryFolder } from './surroundings.js';
import type { Answer } from './wire.js';

/** How a test wants its processes; everything has a default. */
type ClusterOptions = Partial<SellersOptions>;

/** Seller processes on one database, and a proxy that gives them calls in turn. */
export type Cluster = Sellers & {
  /** URL of the database. */
  readonly store: string;
  /** Calls a task of the sales tenant through the proxy, or of one process by its address (`processes[0].url`). */
  readonly call: (tool: string, args?: object, at?: string) => Promise<Answer>;
};

/**
 * Starts `serve` processes on a database of their own, each with a data folder of its own, and a proxy before them. They end with the
 * test file. For tests of the projects that have a PostgreSQL server (`vitest.config.ts`), after `node scripts/build.mjs`.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const store = options.store ?? (await freshDatabase());
  const sellers = await startSellers({ folder: temporaryFolder('seller-agent-cluster-'), ...options, store });
  afterUse(() => sellers.close());
  return {
    ...sellers,
    store,
    call: async (tool, args = {}, at = sellers.baseUrl) =>
      readAnswer(
        await send(`${at}/sales/mcp`, {
          method: 'POST',
          headers: JSON_HEADERS,
          body: JSON.stringify(toolCall(tool, args)),
        }),
      ),
  };
}
