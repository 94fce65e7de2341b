import Libsql from 'libsql';
import pg from 'pg';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../src/platform/kernel/clock.js';
import { PERIODS } from '../../../src/seller/domain/retention/periods.js';
import { databaseOf } from '../../kit/postgres.js';
import { freshFile, openTestStore } from './fixture.js';

const DAYS = PERIODS.audit_entries.days;

/** Runs a statement beside the store, as somebody with a shell does. */
async function runBeside(file: string, text: string): Promise<void> {
  if (process.env.TEST_ENGINE !== 'postgres') {
    const database = new Libsql(file);
    try {
      database.exec(text);
    } finally {
      database.close();
    }
    return;
  }
  const client = new pg.Client({ connectionString: await databaseOf(file, 'seller') });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

it('what people did is neither changed nor deleted, but by its retention', async () => {
  const file = freshFile();
  const store = await openTestStore(file);
  const act = { actor: 'ada', action: 'approval.approve', subject: 'task_1', phase: 'done', detail: '' } as const;
  await store.transact(async (tx) => {
    for (const day of [1, 2, 3]) await tx.audit.add({ ...act, act_id: `act_${day}`, at: day * DAY_MS });
  });
  const left = async () =>
    (await store.read.audit.list({ limit: 10, after: undefined }, {})).map(({ act_id }) => act_id);
  const refuses = async (): Promise<void> => {
    await expect(runBeside(file, "UPDATE audit_entry SET actor = 'bob'")).rejects.toThrow(/never changed/);
    await expect(runBeside(file, "DELETE FROM audit_entry WHERE act_id = 'act_3'")).rejects.toThrow(
      /by its retention alone/,
    );
    await expect(runBeside(file, 'DELETE FROM audit_entry')).rejects.toThrow(/by its retention alone/);
  };
  await refuses();
  await store.sweep((DAYS + 2) * DAY_MS);
  expect(await left()).toEqual(['act_3']);
  await refuses();
  await store.sweep((DAYS + 3) * DAY_MS);
  expect(await left()).toEqual([]);
});
