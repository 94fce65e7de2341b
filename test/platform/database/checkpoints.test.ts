import { statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import { table } from '../../../src/platform/database/migrations.js';
import { Checkpoints } from '../../../src/platform/database/sqlite/checkpoints.js';
import { openSqlite } from '../../../src/platform/database/sqlite/sqlite.js';
import { FileUnwritable } from '../../../src/platform/database/unavailable.js';
import { temporaryFolder } from '../../kit/surroundings.js';

it('many changed rows are in the file itself, beside the event loop, before the log is long enough for the writer to do it', async () => {
  const file = path.join(temporaryFolder('seller-agent-checkpoints-'), 'rows.db');
  const engine = openSqlite<unknown>(file, {
    migrations: [(schema, name) => [table(schema, name, 'parcel').addColumn('body', 'text')]],
  });
  const write = (rows: number): Promise<void> =>
    engine.transact(async (tx) => {
      for (let n = 0; n < rows; n += 1)
        await tx.run({ sql: `INSERT INTO parcel (body) VALUES ('${'x'.repeat(500)}')`, parameters: [] }, {});
    });
  const empty = statSync(file).size;
  await write(900);
  await engine.ping();
  expect(statSync(file).size).toBe(empty);
  await write(900);
  while (statSync(file).size < 1800 * 500) await pause(5);
  await write(2000);
  await engine.close();
  const reopened = openSqlite<unknown>(file, { migrations: [() => []] });
  const [row] = await reopened.reading.all({ sql: 'SELECT count(*) AS rows FROM parcel', parameters: [] }, {});
  expect(row).toEqual({ rows: 3800 });
  await reopened.close();
});

it('a writer that never rests gives the log room to begin anew', async () => {
  const file = path.join(temporaryFolder('seller-agent-checkpoints-'), 'rows.db');
  const writer = new Libsql(file);
  // Nobody but the checkpoints beside the event loop cuts this log.
  for (const pragma of ['journal_mode=WAL', 'synchronous=NORMAL', 'wal_autocheckpoint=0'])
    writer.prepare(`PRAGMA ${pragma}`).all();
  writer.exec('CREATE TABLE parcel (body BLOB)');
  const insert = writer.prepare('INSERT INTO parcel VALUES (zeroblob(8000))');
  const checkpoints = new Checkpoints(file);
  for (let rows = 1; rows <= 12_000; rows += 1) {
    await checkpoints.makeRoom();
    insert.run();
    checkpoints.noteCommit(rows);
    await nextRound();
    if (rows % 1000 === 999) await checkpoints.settle();
  }
  await checkpoints.close();
  expect(statSync(file).size).toBeGreaterThan(60_000_000);
  expect(statSync(`${file}-wal`).size).toBeLessThan(40_000_000);
  writer.close();
});

it('a file without room refuses what would grow it with what passes by itself, and takes it once there is room', async () => {
  const file = path.join(temporaryFolder('seller-agent-checkpoints-'), 'rows.db');
  const engine = openSqlite<unknown>(file, {
    migrations: [(schema, name) => [table(schema, name, 'parcel').addColumn('body', 'text')]],
  });
  const limit = (pages: number) =>
    engine.transact((tx) => tx.all({ sql: `PRAGMA max_page_count=${pages}`, parameters: [] }, {}));
  const write = () =>
    engine.transact((tx) =>
      tx.run({ sql: `INSERT INTO parcel (body) VALUES ('${'x'.repeat(50_000)}')`, parameters: [] }, {}),
    );
  await limit(1);
  const refused = write();
  await expect(refused).rejects.toBeInstanceOf(FileUnwritable);
  await expect(refused).rejects.toMatchObject({
    reason: 'the database cannot be written: database or disk is full',
  });
  await limit(1000);
  await write();
  await engine.close();
});
