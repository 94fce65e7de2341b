import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRegistryIndex } from '../../src/registry/mirror/lookup/registry-index.js';
import { NOUNS } from '../../src/registry/model/records.js';
import { openRegistryStore } from '../../src/registry/store/registry-store.js';
import { startNode } from '../kit/process.js';
import { temporaryFolder } from '../kit/surroundings.js';

/** How often all of it is gone through; more in the nightly run. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 5);
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
