import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EmbeddedEngine } from '../../../src/platform/database/engine.js';
import { type Migration, table } from '../../../src/platform/database/migrations.js';
import { type RetentionTable, Sweeper } from '../../../src/platform/database/retention.js';
import { openSqlite } from '../../../src/platform/database/sqlite/sqlite.js';
import type { Statement } from '../../../src/platform/database/statement.js';
import { temporaryFolder } from '../../kit/surroundings.js';

const MIGRATIONS: readonly Migration[] = [
  (schema, engine) => [
    table(schema, engine, 'parcel').addColumn('name', 'text').addColumn('at', 'bigint').addColumn('note', 'text'),
    schema.createIndex('parcel_by_age').on('parcel').column('at'),
    table(schema, engine, 'item').addColumn('parcel', 'text').addColumn('body', 'text'),
    schema.createIndex('item_by_parcel').on('item').column('parcel'),
  ],
];
const RETENTION = {
  parcel: {
    owner: '',
    stays: '',
    bound: '',
    sweeps: [
      { time: 'at', empties: 'note' },
      { period: 'parcels', time: 'at', parts: [{ table: 'item', column: 'parcel', of: 'name' }] },
    ],
  },
} as const satisfies RetentionTable;

type Opened = { readonly file: string; readonly engine: EmbeddedEngine<unknown>; readonly sweeper: Sweeper<'parcels'> };

function open(file = path.join(temporaryFolder('seller-agent-sweep-'), 'parcels.db')): Opened {
  const engine = openSqlite<unknown>(file, { migrations: MIGRATIONS });
  onTestFinished(() => engine.close().catch(() => undefined));
  return { file, engine, sweeper: new Sweeper({ engine, retention: RETENTION, periodsMs: { parcels: 100 } }) };
}

const plain = (sql: string, ...parameters: unknown[]): Statement<object, Record<string, unknown>> => ({
  sql,
  parameters,
});

/** Writes parcels of the ages 1 to `count`, each with its items. */
async function fill({ engine }: Opened, count: number, items: number, body = 'x'): Promise<void> {
  await engine.transact(async (tx) => {
    for (let at = 1; at <= count; at += 1) {
      await tx.run(plain('INSERT INTO parcel (name, at, note) VALUES (?, ?, ?)', `p${at}`, at, 'fragile'), {});
      for (let item = 0; item < items; item += 1)
        await tx.run(plain('INSERT INTO item (parcel, body) VALUES (?, ?)', `p${at}`, body), {});
    }
  });
}

async function counts({ engine }: Opened): Promise<unknown> {
  return engine.reading.one(
    plain(`SELECT (SELECT count(*) FROM parcel) AS parcels, (SELECT count(*) FROM item) AS items,
      (SELECT count(*) FROM parcel WHERE note IS NOT NULL) AS notes`),
    {},
  );
}

describe('a sweeper', () => {
  it('clears what is older than its period with all its parts, and leaves the rest', async () => {
    const opened = open();
    await fill(opened, 1000, 3);
    expect(await opened.sweeper.run(600)).toBe(600 + 500 + 1500);
    expect(await counts(opened)).toMatchObject({ parcels: 500, items: 1500, notes: 400 });
    expect(await opened.sweeper.run(600)).toBe(0);
  });

  it('clears a row with ten thousand parts in slices that others write between', async () => {
    const opened = open();
    await fill(opened, 1, 10_000);
    const before = opened.engine.stats().transactions;
    const sweeping = opened.sweeper.run(1000);
    let written = 0;
    const writing = (async () => {
      for (; written < 10; written += 1)
        await opened.engine.transact((tx) =>
          tx.run(plain('INSERT INTO parcel (name, at) VALUES (?, ?)', 'late', 9999), {}),
        );
    })();
    await writing;
    // All ten were answered while the sweep still had slices to go.
    expect((await opened.engine.reading.one(plain('SELECT count(*) AS left FROM item'), {}))?.left).toBeGreaterThan(0);
    await sweeping;
    expect(opened.engine.stats().transactions - before).toBeGreaterThan(14);
    expect(await counts(opened)).toMatchObject({ parcels: 10, items: 0 });
  });

  it('writes nothing where there is nothing to clear', async () => {
    const opened = open();
    await fill(opened, 10, 1);
    const before = opened.engine.stats().transactions;
    expect(await opened.sweeper.run(0)).toBe(0);
    expect(opened.engine.stats().transactions).toBe(before);
  });

  it('gives the room back to the disk, and the log stays within its limit', async () => {
    const opened = open();
    await fill(opened, 10_000, 3, 'x'.repeat(1000));
    const full = statSync(opened.file).size + statSync(`${opened.file}-wal`).size;
    await opened.sweeper.run(1_000_000);
    await opened.engine.close();
    expect(full).toBeGreaterThan(30_000_000);
    expect(statSync(opened.file).size).toBeLessThan(8_000_000);
  });

  it('cuts a log that grew while somebody read back to its limit', async () => {
    const opened = open();
    const Libsql = (await import('libsql')).default;
    const reader = new Libsql(opened.file, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM parcel').all();
    for (let round = 0; round < 10; round += 1) await fill(opened, 3000, 3, 'x'.repeat(1000));
    const log = () => statSync(`${opened.file}-wal`).size;
    expect(log()).toBeGreaterThan(80_000_000);
    reader.exec('COMMIT');
    reader.close();
    // What the log holds is written into the file beside the event loop; the next transactions begin it anew.
    for (let round = 0; round < 2000 && log() > 64 * 1024 * 1024; round += 1) {
      await fill(opened, 1, 1);
      await pause(5);
    }
    expect(log()).toBeLessThanOrEqual(64 * 1024 * 1024);
  });
});

describe('a file of a version that could not give room back', () => {
  it('is rewritten when it is opened, so that it can', async () => {
    const file = path.join(temporaryFolder('seller-agent-sweep-'), 'old.db');
    const Libsql = (await import('libsql')).default;
    const old = new Libsql(file);
    old.exec('CREATE TABLE legacy (body TEXT)');
    old.close();
    await open(file).engine.close();
    const again = new Libsql(file, { readonly: true });
    expect(again.prepare('PRAGMA auto_vacuum').all()).toEqual([{ auto_vacuum: 2 }]);
    expect(again.prepare('SELECT count(*) AS count FROM legacy').all()).toEqual([{ count: 0 }]);
  });
});
