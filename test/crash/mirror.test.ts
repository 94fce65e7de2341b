import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRegistryIndex } from '../../src/registry/mirror/lookup/registry-index.js';
import { NOUNS } from '../../src/registry/model/records.js';
import { findEpoch, findMirror } from '../../src/registry/server/replication/epoch.js';
import { openServerStore } from '../../src/registry/server/store/server-store.js';
import { openRegistryStore } from '../../src/registry/store/registry-store.js';
import { send } from '../kit/http.js';
import { bannerUrl, CLI, type Running, runCli, startNode, untilPrinted } from '../kit/process.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';

/** How often all of it is gone through. */
const ROUNDS = killRounds('mirror');
const FOLLOWER = fileURLToPath(new URL('../kit/mirror-follower.mjs', import.meta.url));
/**
 * The points on the way in their order, and how often each is passed at least before a chapter is done, whatever died before it:
 * `first` and `lost` read everything, `grown` follows the feed.
 */
const CHAPTERS = {
  first: { opened: 1, page: 1, row: 2000, 'in-transaction': 60, 'after-transaction': 60, followed: 1, closed: 1 },
  grown: { opened: 1, page: 3, 'in-transaction': 6, 'after-transaction': 6, followed: 1, closed: 1 },
  lost: { opened: 1, page: 2, row: 2000, 'in-transaction': 60, 'after-transaction': 60, followed: 1, closed: 1 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Where it dies in a chapter of a round: at each point in some round, and in no round at the same point of all chapters. */
function deathOf(round: number, chapter: number, passed: Readonly<Record<string, number>>): readonly [string, number] {
  const points = Object.entries(passed);
  const [point, most] = points[(round + chapter * 2) % points.length] ?? ['opened', 1];
  return [point, 1 + ((round * 769 + chapter * 31) % most)];
}

async function follow(folder: string, chapter: string, point: string, occurrence: number): Promise<'killed' | 'done'> {
  const follower = startNode([FOLLOWER, folder, chapter, point, String(occurrence)]);
  const gone = once(follower.child, 'exit');
  const { stderr, stdout } = await follower.finished;
  const [code, signal] = await gone;
  if (signal === 'SIGKILL') return 'killed';
  expect([code, stdout.trim()], stderr).toEqual([0, 'followed']);
  return 'done';
}

const PRIMARY = fileURLToPath(new URL('../kit/registry-process.mjs', import.meta.url));
/** A promotion is killed within so many milliseconds: it takes its process most of them to start. */
const [SOONEST_MS, LATEST_MS] = [300, 1500];

async function kill({ child }: Running): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Returns what a folder is: a mirror, a primary of a term, or what should never be. */
async function roleOf(folder: string): Promise<unknown> {
  const store = openServerStore(path.join(folder, 'registry.db'));
  const [mirror, epoch] = [await findMirror(store.read), await findEpoch(store.read)];
  await store.close();
  if (mirror === undefined) return epoch?.term ?? 'nothing';
  return epoch === undefined ? 'mirror' : 'both';
}

describe('kill -9 in the midst of a promotion', () => {
  const [primaryFolder, folder] = [temporaryFolder('seller-agent-primary-'), temporaryFolder('seller-agent-standby-')];

  it('leaves the mirror or the primary, and promoting again ends it', async () => {
    const primary = startNode([PRIMARY, primaryFolder, 'http://127.0.0.1:1']);
    await untilPrinted(primary, () => primary.stdout().includes('\n'));
    const [, url = '', member = ''] = primary.stdout().trim().split(' ');
    const body = JSON.stringify({ domain: 'saved.example', brand_name: 'Saved' });
    const headers = { authorization: `Bearer ${member}`, 'content-type': 'application/json' };
    expect((await send(`${url}/api/brands/save`, { method: 'POST', headers, body })).status).toBe(200);
    const made = await runCli(['registry', 'key', 'new', 'acme', '--role', 'admin', '--data', primaryFolder]);
    const admin = /^token\s+(\S+)$/m.exec(made.stdout)?.[1] ?? expect.fail(made.stderr);
    const flags = ['--mirror', url, '--standby', '--port', '0', '--data', folder];
    const serve = (): Running =>
      startNode([CLI, 'registry', 'serve', ...flags], { env: { SELLER_AGENT_REGISTRY_TOKEN: admin } });
    const standby = serve();
    const at = await bannerUrl(standby);
    const resolve = async (from: string) => (await send(`${from}/api/brands/resolve?domain=saved.example`)).status;
    await expect.poll(() => resolve(at), { timeout: 60_000 }).toBe(200);
    await Promise.all([kill(primary), kill(standby)]);
    const roles = new Set<unknown>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const promoting = startNode([CLI, 'registry', 'promote', '--data', folder]);
      setTimeout(() => promoting.child.kill('SIGKILL'), SOONEST_MS + Math.random() * (LATEST_MS - SOONEST_MS));
      await promoting.finished;
      roles.add(await roleOf(folder));
    }
    expect([...roles].filter((role) => role !== 'mirror' && role !== 2)).toEqual([]);
    const { code, stderr } = await runCli(['registry', 'promote', '--data', folder]);
    expect([code, await roleOf(folder)], stderr).toEqual([0, 2]);
    const again = serve();
    expect(await resolve(await bannerUrl(again))).toBe(200);
    await kill(again);
  });
});

/** All that a folder holds: the records, where the mirror stands, and what its lookups count of them. */
async function contents(folder: string): Promise<object> {
  const store = openRegistryStore(path.join(folder, 'registry.db'));
  const records = await Promise.all(NOUNS.map((noun) => store.read[noun].page('', 100_000)));
  const stand = await store.read.events.cursorOf('https://registry.example');
  const index = await openRegistryIndex(store);
  const countRows = (): object => {
    const { bytes: _, ...counts } = index.stats();
    return counts;
  };
  const counts = [countRows()];
  await index.rebuild();
  counts.push(countRows());
  await store.close();
  expect(counts[0]).toEqual(counts[1]);
  return { records, stand, counts: counts[0] };
}

describe('kill -9 while a mirror reads, follows and reads anew', () => {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
  const clean = temporaryFolder('seller-agent-clean-');
  let expected: object;

  beforeAll(async () => {
    expect(await follow(clean, 'lost', 'none', 0)).toBe('done');
    expected = await contents(clean);
  });

  it.each(rounds)('round %i: what is there in the end is what a clean reading gives', async (round) => {
    const killed = temporaryFolder('seller-agent-killed-');
    for (const [index, [chapter, passed]] of Object.entries(CHAPTERS).entries()) {
      const [point, occurrence] = deathOf(round, index, passed);
      expect([chapter, point, await follow(killed, chapter, point, occurrence)]).toEqual([chapter, point, 'killed']);
      expect(await follow(killed, chapter, 'none', 0)).toBe('done');
    }
    expect(await contents(killed)).toEqual(expected);
  });
});
