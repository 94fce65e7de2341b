import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyFolder, type PostgresServer, startPostgres } from '../../scripts/cluster/postgres.mjs';
import { startRelay } from '../../scripts/cluster/relay.mjs';
import { DAY_MS, isoTime, SECOND_MS } from '../../src/platform/kernel/clock.js';
import { createRequest } from '../kit/buyer.js';
import { type Cluster, startCluster } from '../kit/cluster.js';
import { send } from '../kit/http.js';

const CALLERS = 6;
/** A long run cuts the database off for 20 s. */
const CUT_MS = Number(process.env.CUT_SECONDS ?? 2) * SECOND_MS;
/** The processes have the machine's own clock. */
const END = isoTime(Date.now() + 365 * DAY_MS);
const FLAGS = ['fsync=off', 'max_connections=60'];

const servers: PostgresServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
});

/** Starts a server of its own for a test that ends it. */
async function openServer(options: Parameters<typeof startPostgres>[0]): Promise<PostgresServer> {
  const server = await startPostgres(options);
  servers.push(server);
  return server;
}

/** Starts two sellers that reach their database through a relay. */
async function startBehindRelay(server: PostgresServer) {
  const relay = await startRelay({ port: server.port });
  const store = new URL(server.url);
  store.port = String(relay.port);
  const cluster = await startCluster({ store: store.href });
  onTestFinished(async () => {
    await Promise.all(cluster.processes.map((seller) => seller.kill()));
    await relay.close();
  });
  return { relay, cluster };
}

/** What buyers sent and were answered, each order repeated under its key until it is a buy. */
class Buyers {
  readonly #cluster: Cluster;
  readonly buys = new Map<string, string>();
  readonly refusals: { readonly code: unknown; readonly retryAfter: unknown }[] = [];
  #isOver = false;
  readonly #done: Promise<unknown>;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#done = Promise.all(Array.from({ length: CALLERS }, () => this.#buyOn()));
  }

  /** Lets every order that was begun become a buy. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  /** The buys that the sellers show, newest first. */
  async shown(): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { payload } = await this.#cluster.call('get_media_buys', { pagination: { max_results: 100, cursor } });
      ids.push(...(payload.media_buys ?? []).map(({ media_buy_id }) => media_buy_id));
      cursor = payload.pagination?.cursor;
    }
    return ids;
  }

  async #buyOn(): Promise<void> {
    while (!this.#isOver) {
      const request = createRequest({ end_time: END });
      for (let id: string | undefined; id === undefined; id = await this.#buy(request));
    }
  }

  async #buy(request: Record<string, unknown>): Promise<string | undefined> {
    const { payload, isError } = await this.#cluster.call('create_media_buy', request);
    if (!isError) {
      this.buys.set(String(request.idempotency_key), payload.media_buy_id);
      return payload.media_buy_id;
    }
    const [error] = payload.errors ?? [];
    this.refusals.push({ code: error?.code, retryAfter: error?.retry_after });
    return undefined;
  }
}

describe('two sellers', () => {
  it('answer SERVICE_UNAVAILABLE while the database is cut off, lose and double nothing, and go on', async () => {
    const { relay, cluster } = await startBehindRelay(await openServer({ flags: FLAGS }));
    const buyers = new Buyers(cluster);
    await expect.poll(() => buyers.buys.size, { timeout: 30_000 }).toBeGreaterThan(20);
    const cutAt = performance.now();
    relay.cut();
    await expect
      .poll(() => buyers.refusals.length > 20 && performance.now() - cutAt > CUT_MS, { timeout: CUT_MS + 30_000 })
      .toBe(true);
    const ready = await Promise.all(cluster.processes.map(({ url }) => send(`${url}/readyz`)));
    expect(ready.map(({ status }) => status)).toEqual([503, 503]);
    const before = buyers.buys.size;
    relay.restore();
    await expect.poll(() => buyers.buys.size, { timeout: 30_000 }).toBeGreaterThan(before + 20);
    await buyers.finish();
    expect(new Set(buyers.refusals.map(({ code }) => code))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
    expect(buyers.refusals.every(({ retryAfter }) => retryAfter === 5)).toBe(true);
    expect((await buyers.shown()).toSorted()).toEqual([...buyers.buys.values()].toSorted());
  });

  it('go on at a standby that takes over, where all is that was acknowledged', async () => {
    const prepared = await openServer({ flags: FLAGS });
    const { folder } = prepared;
    // The folder stays for the primary and for its copy.
    const copy = await prepared.pause(() => copyFolder(folder));
    const primary = await openServer({ folder, flags: [...FLAGS, 'synchronous_standby_names=*'] });
    const standby = await openServer({ folder: copy, flags: FLAGS, standbyOf: primary });
    const { relay, cluster } = await startBehindRelay(primary);
    const buyers = new Buyers(cluster);
    await expect.poll(() => buyers.buys.size, { timeout: 30_000 }).toBeGreaterThan(20);
    primary.kill();
    const before = buyers.buys.size;
    const client = new pg.Client(standby.url);
    await client.connect();
    await client.query('SELECT pg_promote()');
    await client.end();
    relay.redirect(standby.port);
    await expect.poll(() => buyers.buys.size, { timeout: 60_000 }).toBeGreaterThan(before + 20);
    await buyers.finish();
    expect((await buyers.shown()).toSorted()).toEqual([...buyers.buys.values()].toSorted());
  });
});
