import { beforeAll, expect, it } from 'vitest';
import type { Engine } from '../../../../src/platform/database/engine.js';
import { openPostgres } from '../../../../src/platform/database/postgres/postgres.js';
import { Processes } from '../../../../src/platform/database/postgres/processes.js';
import { checkProcesses } from '../../../../src/platform/health/checks.js';
import { MINUTE_MS, SECOND_MS } from '../../../../src/platform/kernel/clock.js';
import { createLog } from '../../../../src/platform/kernel/log.js';
import { SELLER_MIGRATIONS } from '../../../../src/seller/store/schema/migrations.js';
import { afterUse } from '../../../kit/after-use.js';
import { freshDatabase } from '../../../kit/postgres.js';

const LONG_AGO_MS = 10 * MINUTE_MS;
let engine: Engine<unknown>;
let one: Processes;
let two: Processes;

beforeAll(async () => {
  engine = await openPostgres<unknown>(await freshDatabase(), {
    migrations: SELLER_MIGRATIONS,
    log: createLog('silent'),
  });
  afterUse(() => engine.close());
  one = new Processes(engine, 'one');
  two = new Processes(engine, 'two');
});

it('processes on a database are told with version and clock, and none of them is at fault while the clocks agree', async () => {
  await one.sign('1.0.0', Date.now());
  await two.sign('1.1.0', Date.now());
  const report = await checkProcesses(one);
  expect(report).toMatchObject({ status: 'ok', versions: ['1.0.0', '1.1.0'] });
  expect(report.processes).toMatchObject([
    { id: 'one', version: '1.0.0' },
    { id: 'two', version: '1.1.0' },
  ]);
});

it('clocks that differ by more than seconds are degraded, until they are set right', async () => {
  await two.sign('1.1.0', Date.now() + MINUTE_MS);
  const drifting = await checkProcesses(one);
  expect(drifting).toMatchObject({ status: 'degraded', message: expect.stringContaining('clocks') });
  expect(drifting.drift_ms).toBeGreaterThan(30 * SECOND_MS);
  await two.sign('1.1.0', Date.now());
  expect(await checkProcesses(two)).toMatchObject({ status: 'ok' });
});

it('one that says nothing any more is not told, and its row goes with the next sign of another', async () => {
  const rows = async () => engine.reading.all({ sql: 'SELECT id FROM process ORDER BY id', parameters: [] }, {});
  const age = { sql: `UPDATE process SET seen_ms = seen_ms - ${LONG_AGO_MS} WHERE id = 'two'`, parameters: [] };
  await engine.transact((tx) => tx.run(age, {}));
  expect((await one.list()).map(({ id }) => id)).toEqual(['one']);
  expect(await rows()).toEqual([{ id: 'one' }, { id: 'two' }]);
  await one.sign('1.0.0', Date.now());
  expect(await rows()).toEqual([{ id: 'one' }]);
});

it('one that ends says so', async () => {
  await one.leave();
  expect(await two.list()).toEqual([]);
});
