import { beforeAll, describe, expect, it } from 'vitest';
import { type Ledger, startLedger } from '../kit/ledger.js';
import { killRounds } from '../kit/rounds.js';

/** How often a process is killed, and under how many callers; see docs/operations.md for a long run. */
const ROUNDS = killRounds('cluster');
const CALLERS = Number(process.env.KILL_CALLERS ?? 12);
/** Changes between two kills. */
const CHANGES = Number(process.env.KILL_CHANGES ?? 3 * CALLERS);
/** Keys that each process is asked for again. */
const MAX_REPLAYED = Number(process.env.KILL_REPLAYS ?? 100);

let ledger: Ledger;

beforeAll(async () => {
  // Others wait this long for a process that stopped; 30 seconds unless set.
  ledger = await startLedger({ processes: 3, leaseSeconds: 1 });
}, 180_000);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resume) => setTimeout(resume, 20));
}

describe('three processes on one database', () => {
  it(
    `lose nothing and do nothing twice while one after the other is killed, ${ROUNDS} times`,
    async () => {
      const from = performance.now();
      let isOver = false;
      const callers = Promise.all(Array.from({ length: CALLERS }, () => ledger.buyUntil(() => isOver)));
      for (let round = 0; round < ROUNDS; round++) {
        const before = ledger.changes;
        await Promise.race([until(() => ledger.changes >= before + CHANGES), callers]);
        const { processes } = ledger.cluster;
        const victim = processes[Math.floor(Math.random() * processes.length)];
        await victim?.kill();
        await victim?.start();
      }
      isOver = true;
      await callers;
      const { changes, brokenOff } = ledger;
      const seconds = Math.round((performance.now() - from) / 1000);
      expect(brokenOff, 'no call was under way when a process was killed').toBeGreaterThan(0);
      await ledger.checkCounts();
      await ledger.checkReplays(MAX_REPLAYED);
      await ledger.checkCounts();
      const { copies, events, takenOver } = await ledger.checkWebhooks();
      console.log(
        `${ROUNDS} kills of 3 processes under ${CALLERS} callers in ${seconds} s: ${changes} changes, ${brokenOff} broken off and sent ` +
          `again; 0 lost, 0 doubled; ${events} events settled once, ${takenOver} taken over, ${copies} sent once more`,
      );
    },
    240_000 + ROUNDS * 20_000,
  );
});
