import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { NOUNS, type RegistryEvent } from '../../src/registry/model/records.js';
import { openServerStore, type ServerStore } from '../../src/registry/server/store/server-store.js';
import { fold } from '../../src/registry/store/fold.js';
import { type HttpAnswer, send } from '../kit/http.js';
import { serveOrigins } from '../kit/origins.js';
import { type Running, startNode } from '../kit/process.js';
import { temporaryFolder } from '../kit/surroundings.js';

/** How often the registry is killed; more in the nightly run. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 5);
const SCRIPT = fileURLToPath(new URL('../kit/registry-process.mjs', import.meta.url));
const PUBLISHERS = Array.from({ length: 6 }, (_, index) => `p${index}.example`);
const WRITERS = 4;
/** Saves that are acknowledged before the registry dies. */
const SAVES = 25;

type Serving = { readonly process: Running; readonly baseUrl: string; readonly token: string };

const dataDir = temporaryFolder('seller-agent-registry-kill-');
const origins = await serveOrigins(PUBLISHERS);
/** Revisions that were acknowledged, by domain. */
const saved = new Map<string, number>();
/** Every event that a reader of the feed was told, in its order. */
const events: RegistryEvent[] = [];
let cursor: string | undefined;
let version = 0;

async function start(): Promise<Serving> {
  const [origin = ''] = Object.values(origins.resolve);
  const process = startNode([SCRIPT, dataDir, origin, ...PUBLISHERS]);
  while (!process.stdout().includes('\n')) {
    await Promise.race([
      once(process.child.stdout as NodeJS.ReadableStream, 'data'),
      process.finished.then(({ stderr }) => Promise.reject(new Error(`it did not start: ${stderr}`))),
    ]);
  }
  const [, baseUrl = '', token = ''] = process.stdout().split(' ');
  return { process, baseUrl, token };
}

const ask = ({ baseUrl, token }: Serving, method: string, where: string, body?: object): Promise<HttpAnswer> =>
  send(`${baseUrl}${where}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** The next version of a publisher's file: other properties, another agent. */
function publish(domain: string): void {
  version += 1;
  origins.put(`https://${domain}/.well-known/adagents.json`, {
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

/** Reads the feed to its end. What is told goes on where it stood, and is behind nothing that was told before. */
async function readFeed(serving: Serving): Promise<void> {
  for (;;) {
    const query = cursor === undefined ? '' : `&cursor=${cursor}`;
    const answer = await ask(serving, 'GET', `/api/registry/feed?limit=200${query}`);
    expect(answer.status, answer.text).toBe(200);
    const page = answer.json() as { events: RegistryEvent[]; cursor: string | null; has_more: boolean };
    events.push(...page.events);
    cursor = page.cursor ?? cursor;
    if (!page.has_more) return;
  }
}

/** Saves, crawls and readers at once, until so many saves are acknowledged; then the process is killed in the middle of the others. */
async function loadAndKill(serving: Serving, round: number): Promise<void> {
  let acknowledged = 0;
  let isOver = false;
  const { child } = serving.process;
  const until = async (action: () => Promise<void>): Promise<void> => {
    while (!isOver) await action().catch(() => undefined);
  };
  const save = async (writer: number): Promise<void> => {
    const domain = `s${round}-${writer}-${acknowledged % 9}.example`;
    const body = {
      publisher_domain: domain,
      authorized_agents: [],
      properties: [{ type: 'website', name: `Saved ${acknowledged}` }],
    };
    const answer = await ask(serving, 'POST', '/api/properties/save', body);
    if (answer.status !== 200) return;
    const { revision_number = 1 } = answer.json() as { revision_number?: number };
    saved.set(domain, Math.max(revision_number, saved.get(domain) ?? 0));
    acknowledged += 1;
    if (acknowledged < SAVES + round * 3) return;
    isOver = true;
    child.kill('SIGKILL');
  };
  let turn = 0;
  const crawl = async (): Promise<void> => {
    const domain = PUBLISHERS[turn % PUBLISHERS.length] ?? '';
    turn += 1;
    publish(domain);
    await ask(serving, 'POST', '/api/registry/crawl-request', { domain });
  };
  const gone = once(child, 'exit');
  await Promise.all([
    ...Array.from({ length: WRITERS }, (_, writer) => until(() => save(writer))),
    until(crawl),
    until(() => readFeed(serving)),
  ]);
  const [, signal] = await gone;
  expect(signal).toBe('SIGKILL');
}

async function recordsOf({ read }: ServerStore): Promise<object> {
  const nouns = NOUNS.filter((noun) => noun !== 'brand');
  const all = await Promise.all(nouns.map(async (noun) => [noun, await read[noun].page('', 100_000)] as const));
  return Object.fromEntries(all);
}

describe('kill -9 of a registry under load', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'round %i',
    async (round) => {
      const before = events.length;
      await loadAndKill(await start(), round);
      expect(events.length).toBeGreaterThan(before);
    },
    60_000,
  );

  it('afterwards every acknowledged save is there, and the feed goes on where its readers stand', async () => {
    const serving = await start();
    await readFeed(serving);
    expect(saved.size).toBeGreaterThan(ROUNDS);
    for (const [domain, revision] of saved) {
      const history = (await ask(serving, 'GET', `/api/properties/history?domain=${domain}`)).json() as {
        total: number;
      };
      expect(history.total, domain).toBeGreaterThanOrEqual(revision);
    }
    serving.process.child.kill('SIGTERM');
    await serving.process.finished;
  }, 60_000);

  it('no event was lost or told in another order, and together they tell every record', async () => {
    const store = openServerStore(path.join(dataDir, 'registry.db'));
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
    await store.close();
  }, 60_000);
});
