/** Row sweep: how long clearing very many idempotency keys holds the event loop, and how long the log of the database grows. */
import { createHash } from 'node:crypto';
import { existsSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { Sweeper } from '../../../dist/platform/database/retention.js';
import { openSqlite } from '../../../dist/platform/database/sqlite/sqlite.js';
import { SELLER_MIGRATIONS } from '../../../dist/seller/store/schema/migrations.js';
import { SELLER_RETENTION } from '../../../dist/seller/store/schema/retention.js';
import { openDatabase } from '../large-data.mjs';
import { newFolder } from '../targets.mjs';

const ANSWER = JSON.stringify({
  media_buy_id: `mb_${'a'.repeat(32)}`,
  packages: [{ package_id: 'p', note: 'x'.repeat(400) }],
});
const MIB = 1024 * 1024;

/** Milliseconds that this thread has run, and that it waited for a core. */
function openSchedule() {
  const scheduled = openSync(`/proc/self/task/${process.pid}/schedstat`);
  const text = Buffer.alloc(100);
  return () => {
    const length = readSync(scheduled, text, 0, text.length, 0);
    const [ran, waited] = text.toString('latin1', 0, length).split(' ');
    return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
  };
}

/** Stores `count` keys with their answers, all of which have ended. */
function fill(folder, count) {
  const database = openDatabase(folder);
  database.exec('BEGIN');
  const insert = database.prepare(
    'INSERT INTO idempotency (digest, hash, response, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  for (let at = 0; at < count; at += 1) {
    const digest = createHash('sha256').update(String(at)).digest('base64url');
    insert.run(digest, digest, ANSWER, at, at);
  }
  database.exec('COMMIT');
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  database.close();
}

/** Watches the event loop and a log until it is stopped; answers the longest holds in ms and the most bytes. */
function watch(log) {
  const schedule = openSchedule();
  const longest = { ranMs: 0, heldMs: 0, logBytes: 0 };
  let last = { at: performance.now(), ...schedule() };
  const timer = setInterval(() => {
    const now = { at: performance.now(), ...schedule() };
    longest.ranMs = Math.max(longest.ranMs, now.ran - last.ran);
    longest.heldMs = Math.max(longest.heldMs, now.at - last.at - (now.waited - last.waited));
    if (existsSync(log)) longest.logBytes = Math.max(longest.logBytes, statSync(log).size);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

export const sweepRow = {
  name: 'sweep',
  async measure(bench) {
    const count = bench.plan.sweptKeys;
    const folder = newFolder('sweep');
    const file = path.join(folder, 'seller-agent.db');
    const open = () => openSqlite(file, { migrations: SELLER_MIGRATIONS });
    bench.say(`${count} keys: filling`);
    await open().close();
    fill(folder, count);
    const engine = open();
    const periodsMs = new Proxy({}, { get: () => 0 });
    const sweeper = new Sweeper({ engine, retention: SELLER_RETENTION, periodsMs });
    bench.say(`${count} keys: sweeping`);
    const stop = watch(`${file}-wal`);
    const began = performance.now();
    const cleared = await sweeper.run(count);
    const { heldMs, logBytes, ranMs } = stop();
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    await engine.close();
    if (cleared !== 2 * count) bench.failedCalls.push(`${cleared} of ${2 * count} rows were cleared`);
    return [
      {
        what: `sweep: longest hold of the event loop, CPU, of ${count} answers and then their keys`,
        value: ranMs,
        unit: ' ms',
        aim: { atMost: 50 },
        detail: `with what the disk took ${heldMs.toFixed(0)} ms; ${seconds} s in all`,
      },
      {
        what: `sweep: largest log of ${count} answers and then their keys`,
        value: logBytes / MIB,
        unit: ' MiB',
        aim: { atMost: 64 },
        detail: `the file is ${(statSync(file).size / MIB).toFixed(0)} MiB after it`,
      },
    ];
  },
};
