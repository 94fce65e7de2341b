import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemIds } from '../../src/kernel/ids.js';
import { NOUNS } from '../../src/registry/records.js';
import { openRegistryIndex } from '../../src/registry/snapshot/registry-index.js';
import { openRegistryStore } from '../../src/store/registry/registry-store.js';
import { temporaryFolder } from '../kit/boot.js';
import { startNode } from '../kit/process.js';

/** How often the mirror is killed at every point; more in the nightly run. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 5);
const FOLLOWER = fileURLToPath(new URL('../kit/mirror-follower.mjs', import.meta.url));
const CHAPTERS = ['first', 'grown', 'lost'] as const;
/** The points on the way, of which not every chapter has every one; so many of them, others in every round, are died at in a chapter. */
const POINTS = ['page', 'row', 'in-transaction', 'after-transaction', 'opened', 'followed', 'closed'] as const;

const DEATHS = 3;

async function follow(folder: string, chapter: string, point: string, occurrence: number): Promise<'killed' | 'done'> {
  const follower = startNode([FOLLOWER, folder, chapter, point, String(occurrence)]);
  const gone = once(follower.child, 'exit');
  const { stderr, stdout } = await follower.finished;
  const [code, signal] = await gone;
  if (signal === 'SIGKILL') return 'killed';
  expect([code, stdout.trim()], stderr).toEqual([0, 'followed']);
  return 'done';
}

/** All that a folder holds: the records, where the mirror stands, and what its index says of them. */
async function contents(folder: string): Promise<object> {
  const store = openRegistryStore(path.join(folder, 'registry.db'));
  const records = await Promise.all(NOUNS.map((noun) => store.read[noun].page('', 100_000)));
  const stand = await store.read.events.cursorOf('https://registry.example');
  const stamp = async (): Promise<string> => `https://registry.example ${stand?.cursor} ${stand?.basis}`;
  const file = path.join(folder, 'registry.db.idx');
  const kept = await openRegistryIndex(store, { file, stamp, seed: 1 });
  const fresh = await openRegistryIndex(store, { seed: Number.parseInt(systemIds.uuid().slice(0, 8), 16) });
  const counts = [kept, fresh].map((index) => {
    const { bytes: _, identifiers: _free, ...told } = index.stats();
    return told;
  });
  await store.close();
  expect(counts[0]).toEqual(counts[1]);
  return { records, stand, counts: counts[0] };
}

describe('kill -9 while a mirror reads, follows and reads anew', () => {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

  it.each(rounds)('round %i: what is there in the end is what a clean reading gives', async (round) => {
    const [killed, clean] = [temporaryFolder('seller-agent-killed-'), temporaryFolder('seller-agent-clean-')];
    let deaths = 0;
    for (const [part, chapter] of CHAPTERS.entries()) {
      for (let turn = 0; turn < DEATHS; turn += 1) {
        const index = (round * DEATHS + part + turn) % POINTS.length;
        const point = POINTS[index] ?? 'page';
        const occurrence = 1 + ((round * 7 + index * 5) % 11);
        const isOnce = point === 'opened' || point === 'followed' || point === 'closed';
        if ((await follow(killed, chapter, point, isOnce ? 1 : occurrence)) === 'killed') deaths += 1;
      }
    }
    expect(deaths).toBeGreaterThan(CHAPTERS.length);
    expect(await follow(killed, 'lost', 'none', 0)).toBe('done');
    expect(await follow(clean, 'lost', 'none', 0)).toBe('done');
    expect(await contents(killed)).toEqual(await contents(clean));
  });
});
