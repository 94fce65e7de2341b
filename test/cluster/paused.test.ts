import { expect, it, onTestFinished } from 'vitest';
import { SECOND_MS } from '../../src/platform/kernel/clock.js';
import { type Ledger, startLedger } from '../kit/ledger.js';

/** How long the process is stopped; longer than its locks and its leases last. A long run stops it for 30 s. */
const PAUSE_MS = Number(process.env.PAUSE_SECONDS ?? 6) * SECOND_MS;
const CALLERS = 8;
/** Connections that have the lock of an owner. */
const HOLDERS = `SELECT a.state FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE l.locktype = 'advisory' AND l.granted AND a.application_name = 'seller-agent'`;

/** Stops a process at a moment at which it has a lock, in the given state of its connection. */
async function stopWithLock({ cluster, database }: Ledger, at: number, state: string): Promise<void> {
  const child = cluster.processes[at]?.child();
  const states = async () => (await database.query<{ state: string }>(HOLDERS)).rows.map((row) => row.state);
  for (;;) {
    child?.kill('SIGSTOP');
    // What it sent before is carried out first.
    let found = await states();
    while (found.includes('active')) found = await states();
    if (found.includes(state)) return;
    child?.kill('SIGCONT');
    await new Promise((resume) => setTimeout(resume, 1));
  }
}

/** Who has jobs, by the database's clock. */
async function holdersOfJobs({ database }: Ledger): Promise<readonly string[]> {
  const { rows } = await database.query<{ holder: string }>(
    'SELECT DISTINCT holder FROM lease WHERE until_ms > extract(epoch from clock_timestamp()) * 1000',
  );
  return rows.map(({ holder }) => holder);
}

it.each([
  ['before its transaction', 'idle'],
  ['within its transaction', 'idle in transaction'],
])(
  'a process that is stopped with the lock of an owner, %s, keeps nobody from it, and does nothing late',
  async (_when, state) => {
    const ledger = await startLedger({ processes: 2, leaseSeconds: 1 });
    const { cluster } = ledger;
    const [first, second] = cluster.processes.map(({ url }) => url);
    // The first process alone is asked, so that every lock of an owner is its own.
    const open = { first: true, second: true };
    const callers = (at: string | undefined, isOver: () => boolean) =>
      Promise.all(Array.from({ length: CALLERS }, () => ledger.buyUntil(isOver, at)));
    const ofFirst = callers(first, () => !open.first);
    await expect.poll(() => ledger.changes, { interval: 5 }).toBeGreaterThan(CALLERS);
    onTestFinished(() => void cluster.processes[0]?.child().kill('SIGCONT'));
    await stopWithLock(ledger, 0, state);
    const stoppedAt = performance.now();
    const before = ledger.changes;
    const ofSecond = callers(second, () => !open.second);
    const goesOn = () => ledger.changes > before + 3 * CALLERS && performance.now() - stoppedAt > PAUSE_MS;
    await expect.poll(goesOn, { timeout: PAUSE_MS + 60_000, interval: 20 }).toBe(true);
    const served = ledger.changes - before;
    await expect.poll(() => holdersOfJobs(ledger), { interval: 20 }).toHaveLength(1);
    open.first = false;
    cluster.processes[0]?.child().kill('SIGCONT');
    await ofFirst;
    open.second = false;
    await ofSecond;
    await ledger.checkCounts();
    await ledger.checkReplays();
    await ledger.checkCounts();
    const { copies, events, takenOver } = await ledger.checkWebhooks();
    console.log(
      `stopped ${state} for ${Math.round(PAUSE_MS / SECOND_MS)} s: ${served} changes of its buyer meanwhile, ${ledger.changes} in all; ` +
        `0 lost, 0 doubled; ${events} events, ${takenOver} taken over, ${copies} sent once more`,
    );
  },
);
