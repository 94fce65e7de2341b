import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { RegistryEvent } from '../../src/registry/model/records.js';
import { openServerStore } from '../../src/registry/server/store/server-store.js';
import { brandJsonOf, growFarm } from '../kit/farm/farm.js';
import { KINDS } from '../kit/farm/kinds.js';
import { factsOf, failures, publishersByAgent, readFacts, saleOf } from '../kit/farm/oracle.js';
import type { FarmPublisher } from '../kit/farm/publisher.js';
import { freePort, send } from '../kit/http.js';
import { serveOrigins } from '../kit/origins.js';
import { bannerUrl, CLI, type Running, runCli, startNode, untilPrinted } from '../kit/process.js';
import { foldEvents, recordsOf } from '../kit/registry-fold.js';
import { expectSameReads, type ReadRegistry } from '../kit/registry-reads.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';

/** How often each process is killed; more in the nightly run, as long as no publisher is read again in the meantime. */
const ROUNDS = Math.min(killRounds('operator-farm'), 6);
const PUBLISHERS = 1000;
const PRIMARY = fileURLToPath(new URL('../kit/registry-process.mjs', import.meta.url));
/** A process is killed within so many milliseconds of its round. */
const [SOONEST_MS, LATEST_MS] = [200, 1800];
/** Between two looks at a registry that is to come to rest. */
const LOOK_MS = 1000;
/** Members of answers that say when they were asked, or when a publisher was that fails and is tried again. */
const OF_A_MOMENT = ['server_timestamp', 'checked_at', 'origin_last_checked_at'];
/** Questions that are under way at once. */
const ASKED_AT_ONCE = 8;

const farm = growFarm(PUBLISHERS);
const pause = (ms: number): Promise<unknown> => new Promise((resume) => setTimeout(resume, ms));
const someTime = (): number => SOONEST_MS + Math.random() * (LATEST_MS - SOONEST_MS);

/** A registry that is killed, and goes on with what is in its folder. */
class Registry {
  readonly folder = temporaryFolder('seller-agent-farm-');
  readonly #start: (folder: string) => Promise<Running & { readonly baseUrl: string }>;
  #running: (Running & { readonly baseUrl: string }) | undefined;

  constructor(start: (folder: string) => Promise<Running & { readonly baseUrl: string }>) {
    this.#start = start;
  }

  get baseUrl(): string {
    return this.#running?.baseUrl ?? expect.fail('it does not run');
  }

  async start(): Promise<void> {
    this.#running = await this.#start(this.folder);
  }

  async kill(): Promise<void> {
    const child = this.#running?.child ?? expect.fail('it does not run');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    expect(await gone).toEqual([null, 'SIGKILL']);
  }

  /** Runs a command of the operator on it. */
  async command(...args: readonly string[]): Promise<string> {
    const { code, stderr, stdout } = await runCli(['registry', ...args, '--data', this.folder]);
    expect(code, stderr).toBe(0);
    return stdout;
  }

  /** Returns a new key of an organization. */
  async key(organization: string, ...more: readonly string[]): Promise<string> {
    const made = await this.command('key', 'new', organization, ...more);
    return /^token\s+(\S+)$/m.exec(made)?.[1] ?? expect.fail(made);
  }
}

async function startPrimary(folder: string, port: number, origin: string): Promise<Running & { baseUrl: string }> {
  // The folder outlives the test that starts it.
  const options = { cwd: folder, env: { SELLER_AGENT_PORT: String(port) } };
  const process = startNode([PRIMARY, folder, origin, ...farm.hosts], options);
  await untilPrinted(process, () => process.stdout().includes('\n'));
  return { ...process, baseUrl: process.stdout().split(' ')[1] ?? '' };
}

/** The settings of a mirror whose readers are not counted. */
function settingsFolder(): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'seller-agent.json'), JSON.stringify({ registry_service: { limits: false } }));
  return folder;
}

function mirrorOf(primary: string, token: string, isStandby: boolean): Registry {
  const cwd = settingsFolder();
  return new Registry(async (folder) => {
    const flags = ['--mirror', primary, ...(isStandby ? ['--standby'] : []), '--port', '0', '--data', folder];
    const process = startNode([CLI, 'registry', 'serve', ...flags], {
      cwd,
      env: { SELLER_AGENT_REGISTRY_TOKEN: token },
    });
    return { ...process, baseUrl: await bannerUrl(process) };
  });
}

async function ask({ baseUrl, token }: ReadRegistry, where: string): Promise<unknown> {
  const answer = await send(`${baseUrl}${where}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status, `${where}: ${answer.text}`).toBe(200);
  return answer.json();
}

/** Does something with each, some of them at once. */
async function eachOf<T>(all: readonly T[], action: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const work = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await action(one);
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, work));
}

const [lead = ''] = farm.sellers.map(({ agent }) => agent);

/** Publishers of whose site it is asked who may sell it: a third of them, of every kind. */
const SOLD: ReadonlySet<FarmPublisher> = new Set(farm.publishers.filter((_, at) => at % 3 === 0));
/** What can be said of a sale; undefined where the publisher does not let the agent sell. */
const MATCHES = new Set([undefined, 'unknown', 'orphaned', 'delegation_unspecified', 'both', 'mismatch']);

/** The agent that a publisher is asked about: the first that it names, else one of the farm. */
function askedAgent({ outcome }: FarmPublisher): string {
  return ('file' in outcome ? outcome.file.entries[0]?.agent : undefined) ?? lead;
}

async function expectOracle(registry: ReadRegistry): Promise<void> {
  await eachOf(farm.publishers, async (publisher) => {
    const { domain, kind } = publisher;
    const facts = readFacts(await ask(registry, `/api/registry/publisher?domain=${domain}`));
    expect([kind, facts]).toEqual([kind, factsOf(publisher)]);
    if (!SOLD.has(publisher)) return;
    const agent = askedAgent(publisher);
    const question = `agent_url=${encodeURIComponent(agent)}&identifier_type=domain&identifier_value=${domain}`;
    const { authorized, match, mutual } = (await ask(
      registry,
      `/api/registry/validate/property-authorization?${question}`,
    )) as { readonly authorized: boolean; readonly match: string; readonly mutual: boolean };
    const sale = saleOf(publisher, agent, farm.sellers);
    expect([domain, authorized, sale.match === undefined ? undefined : match, mutual]).toEqual([
      domain,
      sale.authorized,
      sale.match,
      sale.mutual,
    ]);
  });
  for (const [agent, domains] of publishersByAgent(farm.publishers)) {
    const answer = await ask(registry, `/api/registry/lookup/agent/${encodeURIComponent(agent)}/domains`);
    expect(answer).toMatchObject({ domains, count: domains.length });
  }
}

async function readFeed(registry: ReadRegistry): Promise<readonly RegistryEvent[]> {
  const events: RegistryEvent[] = [];
  for (let cursor = ''; ; ) {
    const page = (await ask(registry, `/api/registry/feed?limit=1000${cursor && `&cursor=${cursor}`}`)) as {
      readonly events: readonly RegistryEvent[];
      readonly cursor: string | null;
      readonly has_more: boolean;
    };
    events.push(...page.events);
    cursor = page.cursor ?? cursor;
    if (!page.has_more) return events;
  }
}

describe('an operator imports a list of publishers of every kind, and four processes are killed meanwhile', () => {
  let primary: Registry;
  let standbys: readonly Registry[];
  let open: Registry;
  /** A key of the primary and its standbys, and one of the mirror of what is public. */
  let admin: string;
  let reader: string;
  const list = path.join(temporaryFolder(), 'publishers.txt');
  let isImported = false;

  const all = (): readonly Registry[] => [primary, ...standbys, open];

  /** Imports the list, or what is left of it; returns its process. */
  function beginImport(): Running {
    const running = startNode([CLI, 'registry', 'import', list, '--data', primary.folder]);
    void running.finished.then(({ code }) => {
      isImported ||= code === 0;
    });
    return running;
  }

  beforeAll(async () => {
    writeFileSync(list, ['# Publishers', ...farm.publishers.map(({ typed }) => typed)].join('\n'));
    const origins = await serveOrigins(farm.hosts);
    for (const { pages } of farm.publishers) for (const [url, page] of Object.entries(pages)) origins.put(url, page);
    for (const seller of farm.sellers)
      origins.put(`https://${seller.domain}/.well-known/brand.json`, brandJsonOf(seller));
    const port = await freePort();
    const [origin = ''] = Object.values(origins.resolve);
    primary = new Registry((folder) => startPrimary(folder, port, origin));
    await primary.start();
    admin = await primary.key('acme', '--role', 'admin');
    await primary.command('org', 'new', 'strangers', '--tier', 'basic');
    const { baseUrl } = primary;
    standbys = [mirrorOf(baseUrl, admin, true), mirrorOf(baseUrl, admin, true)];
    open = mirrorOf(baseUrl, admin, false);
    await Promise.all([...standbys, open].map((mirror) => mirror.start()));
  });

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))('round %i', async (round) => {
    const importing = isImported ? undefined : beginImport();
    const breakingOff = round === 1 ? pause(someTime()).then(() => importing?.child.kill('SIGKILL')) : undefined;
    await Promise.all(
      all().map(async (registry) => {
        await pause(someTime());
        await registry.kill();
        // An import goes on alone where nobody holds the folder.
        if (registry === primary) await importing?.finished;
        await registry.start();
      }),
    );
    await breakingOff;
  });

  it('the list has publishers of every kind, and sales of every outcome', () => {
    expect(new Set(farm.publishers.map(({ kind }) => kind))).toEqual(new Set([...Object.keys(KINDS), 'network']));
    const sales = [...SOLD].map((publisher) => saleOf(publisher, askedAgent(publisher), farm.sellers));
    expect(new Set(sales.map(({ match }) => match))).toEqual(MATCHES);
  });

  it('the import is resumed, and the registry comes to rest with its mirrors in step', async () => {
    while (!isImported) {
      const { code, stderr } = await beginImport().finished;
      expect(code, stderr).toBe(0);
    }
    const operator = { baseUrl: primary.baseUrl, token: admin };
    await vi.waitFor(
      async () => {
        const { crawler } = (await ask(operator, '/api/registry/stats')) as { crawler: Record<string, number> };
        expect(crawler).toMatchObject({ due: 0, running: 0, waiting: 0 });
        for (const { declares, domain } of farm.sellers)
          if (declares !== undefined) await ask(operator, `/api/brands/resolve?domain=${domain}`);
      },
      { timeout: 150_000, interval: LOOK_MS },
    );
    const restingMs = Date.now();
    for (const { baseUrl } of [...standbys, open]) {
      const syncedAt = async (): Promise<number> => {
        const { mirror } = (await ask({ baseUrl, token: '' }, '/api')) as { mirror: { synced_at: string } };
        return Date.parse(mirror.synced_at);
      };
      await expect.poll(syncedAt, { interval: LOOK_MS }).toBeGreaterThan(restingMs);
    }
  });

  it('of every publisher the primary and its mirrors answer what an oracle knows', async () => {
    await open.command('org', 'new', 'readers', '--tier', 'basic');
    reader = await open.key('readers');
    const stranger = await primary.key('strangers');
    const failing = (await primary.command('crawl', 'failing')).trim().split('\n');
    expect(failing.map((line) => line.split('  ').slice(0, 2)).toSorted()).toEqual(failures(farm.publishers));
    for (const { baseUrl } of [primary, ...standbys]) await expectOracle({ baseUrl, token: admin });
    await expectOracle({ baseUrl: open.baseUrl, token: reader });
    const kinds = new Map(farm.publishers.map(({ domain, kind }) => [kind, domain]));
    const domains = [...kinds.values(), 'nobody.example'];
    const agents = farm.sellers.slice(0, 2).map(({ agent }) => agent);
    const identifiers = domains.slice(0, 4).map((value) => ({ type: 'domain', value }));
    const subjects = { domains, agents, identifiers, leftOut: OF_A_MOMENT };
    const mirrors = standbys.map(({ baseUrl }) => ({ baseUrl, token: admin }));
    await expectSameReads({ baseUrl: primary.baseUrl, token: admin }, mirrors, subjects);
    await expectSameReads({ baseUrl: primary.baseUrl, token: stranger }, [{ baseUrl: open.baseUrl, token: reader }], {
      ...subjects,
      leftOut: [...subjects.leftOut, 'registered_agents', 'registered_publishers'],
    });
  });

  it('the feed of each, read from its beginning, comes to its catalog', async () => {
    for (const registry of all()) {
      const token = registry === open ? reader : admin;
      const events = await readFeed({ baseUrl: registry.baseUrl, token });
      await registry.kill();
      const store = openServerStore(path.join(registry.folder, 'registry.db'));
      expect(await foldEvents(events)).toEqual(await recordsOf(store.read));
      await store.close();
    }
  });
});
