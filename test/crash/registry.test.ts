import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/platform/kernel/log.js';
import { NOUNS, type RegistryEvent } from '../../src/registry/model/records.js';
import {
  openServerStore,
  openSharedServerStore,
  type ServerStore,
} from '../../src/registry/server/store/server-store.js';
import { fold } from '../../src/registry/store/fold.js';
import { type HttpAnswer, send } from '../kit/http.js';
import { type Origins, serveOrigins } from '../kit/origins.js';
import { freshDatabase } from '../kit/postgres.js';
import { type Running, startNode } from '../kit/process.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';

/** How often the registry is killed. */
const ROUNDS = killRounds('registry');
const SCRIPT = fileURLToPath(new URL('../kit/registry-process.mjs', import.meta.url));
const PUBLISHERS = Array.from({ length: 6 }, (_, index) => `p${index}.example`);
const WRITERS = 4;
/** Saves that are acknowledged before the registry dies. */
const SAVES = 25;

type Serving = { readonly process: Running; readonly baseUrl: string; readonly token: string };

const ask = ({ baseUrl, token }: Serving, method: string, where: string, body?: object): Promise<HttpAnswer> =>
  send(`${baseUrl}${where}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Registries on one store, what they acknowledged, and what a reader of their feed was told. */
class Registries {
  /** Revisions that were acknowledged, by domain. */
  readonly saved = new Map<string, number>();
  /** Every event that the reader was told, in its order. */
  readonly events: RegistryEvent[] = [];
  readonly folders: readonly string[];
  readonly #origins: Origins;
  readonly #store: string | undefined;
  readonly #servings: (Serving | undefined)[];
  #cursor: string | undefined;
  #version = 0;
  #asked = 0;

  /** `store` is the URL of the database that they share; one registry has a file. */
  constructor(origins: Origins, count: number, store: string | undefined) {
    this.folders = Array.from({ length: count }, () => temporaryFolder('seller-agent-registry-kill-'));
    this.#servings = this.folders.map(() => undefined);
    this.#origins = origins;
    this.#store = store;
  }

  /** Starts those that do not run. */
  async start(): Promise<void> {
    for (const [at, serving] of this.#servings.entries()) this.#servings[at] = serving ?? (await this.#start(at));
  }

  /** Ends all as an operator does. */
  async end(): Promise<void> {
    for (const serving of this.#servings) {
      serving?.process.child.kill('SIGTERM');
      await serving?.process.finished;
    }
  }

  /** Sends a request to one of them after the other. */
  ask(method: string, where: string, body?: object): Promise<HttpAnswer> {
    this.#asked += 1;
    const running = this.#servings.filter((serving) => serving !== undefined);
    return ask(running[this.#asked % running.length] as Serving, method, where, body);
  }

  /** Reads the feed to its end. What is told goes on where it stood, and is behind nothing that was told before. */
  async readFeed(): Promise<void> {
    for (;;) {
      const query = this.#cursor === undefined ? '' : `&cursor=${this.#cursor}`;
      const answer = await this.ask('GET', `/api/registry/feed?limit=200${query}`);
      expect(answer.status, answer.text).toBe(200);
      const page = answer.json() as { events: RegistryEvent[]; cursor: string | null; has_more: boolean };
      this.events.push(...page.events);
      this.#cursor = page.cursor ?? this.#cursor;
      if (!page.has_more) return;
    }
  }

  /**
   * Saves, crawls and readers at once, until so many saves are acknowledged; then one process is killed in the middle of the others, and
   * where there are more the load goes on with them for as many saves.
   */
  async loadAndKill(round: number): Promise<void> {
    let acknowledged = 0;
    let isOver = false;
    const victim = round % this.#servings.length;
    const { child } = (this.#servings[victim] as Serving).process;
    const gone = once(child, 'exit');
    const count = SAVES + round * 3;
    const note = (): void => {
      acknowledged += 1;
      if (acknowledged === count) {
        child.kill('SIGKILL');
        this.#servings[victim] = undefined;
      }
      isOver = acknowledged >= count * this.#servings.length;
    };
    const until = async (action: () => Promise<void>): Promise<void> => {
      while (!isOver) await action().catch(() => undefined);
    };
    await Promise.all([
      ...Array.from({ length: WRITERS }, (_, writer) =>
        until(() => this.#save(`s${round}-${writer}-${acknowledged % 9}.example`, note)),
      ),
      until(() => this.#crawl()),
      until(() => this.readFeed()),
    ]);
    const [, signal] = await gone;
    expect(signal).toBe('SIGKILL');
  }

  async #start(at: number): Promise<Serving> {
    const [origin = ''] = Object.values(this.#origins.resolve);
    const env: Record<string, string> = this.#store === undefined ? {} : { SELLER_AGENT_STORE: this.#store };
    const process = startNode([SCRIPT, this.folders[at] ?? '', origin, ...PUBLISHERS], { env });
    while (!process.stdout().includes('\n')) {
      await Promise.race([
        once(process.child.stdout as NodeJS.ReadableStream, 'data'),
        process.finished.then(({ stderr }) => Promise.reject(new Error(`it did not start: ${stderr}`))),
      ]);
    }
    const [, baseUrl = '', token = ''] = process.stdout().split(' ');
    return { process, baseUrl, token };
  }

  async #save(domain: string, note: () => void): Promise<void> {
    const properties = [{ type: 'website', name: `Saved ${this.saved.size}` }];
    const body = { publisher_domain: domain, authorized_agents: [], properties };
    const answer = await this.ask('POST', '/api/properties/save', body);
    if (answer.status !== 200) return;
    const { revision_number = 1 } = answer.json() as { revision_number?: number };
    this.saved.set(domain, Math.max(revision_number, this.saved.get(domain) ?? 0));
    note();
  }

  async #crawl(): Promise<void> {
    const domain = PUBLISHERS[this.#version % PUBLISHERS.length] ?? '';
    this.#publish(domain);
    await this.ask('POST', '/api/registry/crawl-request', { domain });
  }

  /** The next version of a publisher's file: other properties, another agent. */
  #publish(domain: string): void {
    this.#version += 1;
    const version = this.#version;
    this.#origins.put(`https://${domain}/.well-known/adagents.json`, {
      properties: Array.from({ length: 3 + (version % 7) }, (_, index) => ({
        property_id: `p${index}`,
        property_type: 'website',
        name: `${domain} ${index} ${version % 3}`,
        identifiers: [{ type: 'subdomain', value: `p${index}.${domain}` }],
      })),
      authorized_agents: [
        {
          url: `https://agent${version % 4}.example/mcp`,
          authorized_for: `version ${version}`,
          authorization_type: 'property_ids',
          property_ids: ['p0', 'p1'],
        },
      ],
    });
  }
}

async function recordsOf({ read }: Pick<ServerStore, 'read'>): Promise<object> {
  const nouns = NOUNS.filter((noun) => noun !== 'brand');
  const all = await Promise.all(nouns.map(async (noun) => [noun, await read[noun].page('', 100_000)] as const));
  return Object.fromEntries(all);
}

describe.each([
  { what: 'a registry', count: 1, isShared: false },
  { what: 'one of two registries on PostgreSQL', count: 2, isShared: true },
])('kill -9 of $what under load', ({ count, isShared }) => {
  let registries: Registries;
  let url: string | undefined;

  beforeAll(async () => {
    url = isShared ? await freshDatabase() : undefined;
    registries = new Registries(await serveOrigins(PUBLISHERS), count, url);
  });

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))('round %i', async (round) => {
    const before = registries.events.length;
    await registries.start();
    await registries.loadAndKill(round);
    expect(registries.events.length).toBeGreaterThan(before);
  });

  it('afterwards every acknowledged save is there, and the feed goes on where its readers stand', async () => {
    await registries.start();
    await registries.readFeed();
    expect(registries.saved.size).toBeGreaterThan(ROUNDS);
    for (const [domain, revision] of registries.saved) {
      const history = (await registries.ask('GET', `/api/properties/history?domain=${domain}`)).json() as {
        total: number;
      };
      expect(history.total, domain).toBeGreaterThanOrEqual(revision);
    }
    await registries.end();
  });

  it('no event was lost or told in another order, and together they tell every record', async () => {
    const [folder = ''] = registries.folders;
    const shared = { file: path.join(temporaryFolder(), 'replica.db'), processId: 'test', log: createLog('silent') };
    const store =
      url === undefined ? openServerStore(path.join(folder, 'registry.db')) : await openSharedServerStore(url, shared);
    const { events } = registries;
    const log = await store.read.events.page('', 1_000_000);
    expect(events.length).toBeGreaterThan(ROUNDS * 20);
    expect(events).toEqual(log.slice(0, events.length));
    expect(log.map(({ event_id }) => event_id)).toEqual([...new Set(log.map(({ event_id }) => event_id))].toSorted());
    const mirror = openServerStore(path.join(temporaryFolder(), 'mirror.db'));
    await mirror.transact(async (tx) => {
      for (const event of log) expect(await fold(tx, event)).toBe('applied');
    });
    expect(await recordsOf(mirror)).toEqual(await recordsOf(store));
    await mirror.close();
    for (const each of url === undefined ? [] : registries.folders) {
      // A process goes on with its copy where it was killed.
      const file = path.join(each, 'registry-replica.db');
      await (await openSharedServerStore(url ?? '', { ...shared, file })).close();
      const replica = openServerStore(file);
      expect(await recordsOf(replica)).toEqual(await recordsOf(store));
      await replica.close();
    }
    await store.close();
  });
});
