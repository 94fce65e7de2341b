import { expect, it } from 'vitest';
import type { CreativeFilter } from '../../../src/seller/store/creatives/filter.js';
import type { Store } from '../../../src/seller/store/store.js';
import { creativeCalled, freshFile, openTestStore } from './fixture.js';

const ALL = { limit: 500, after: undefined };
const BY_NAME = { field: 'name', direction: 'asc' } as const;
const STATUSES = ['approved', 'processing', 'rejected', 'archived'] as const;
const ACCOUNTS = ['acct_1', 'acct_2', 'acct_3'];
/** Narrow a list by what its totals are kept by. */
const FILTERS: readonly CreativeFilter[] = [
  {},
  { accountId: 'acct_2' },
  { accountIds: ['acct_1', 'acct_3', 'acct_9', 'acct_1'] },
  { accountId: 'acct_1', accountIds: ['acct_2'] },
  { statuses: ['rejected', 'archived'] },
  { accountId: 'acct_1', statuses: ['approved'] },
];

/** Saves, moves and removes creatives of two owners, by a rule that comes through most combinations. */
async function change(store: Store, step: number): Promise<void> {
  const owner = step % 7 === 0 ? 'p' : 'o';
  const account_id = ACCOUNTS[step % 3] ?? '';
  const creative = creativeCalled(`c${(step * 5) % 23}`, { account_id, status: STATUSES[(step >> 2) % 4] });
  await store.transact(async (tx) => {
    if (step % 5 === 0) await tx.creatives.purge(owner, creative, undefined);
    else if (step % 11 === 0)
      await tx.creatives.purge(owner, creative, { kind: 'hard', at: '2030-06-01T12:00:00Z' } as never);
    else await tx.creatives.save(owner, creative);
  });
}

it('the total of a list is the number of its rows, through every change', async () => {
  const file = freshFile();
  const store = await openTestStore(file);
  for (let step = 0; step < 150; step += 1) await change(store, step);
  for (const owner of ['o', 'p', 'nobody']) {
    for (const filter of FILTERS) {
      const rows = await store.read.creatives.list(owner, ALL, filter, BY_NAME);
      expect(await store.read.creatives.count(owner, filter), `${owner} ${JSON.stringify(filter)}`).toBe(rows.length);
    }
  }
  expect(await store.read.creatives.count('o', {})).toBeGreaterThan(10);
});

it('the total of a list is that of the transaction which reads it', async () => {
  const store = await openTestStore();
  const inside = await store.transact(async (tx) => {
    await tx.creatives.save('o', creativeCalled('a'));
    return [await tx.creatives.count('o', {}), await tx.creatives.count('o', { nameContains: 'banner' })];
  });
  expect(inside).toEqual([1, 1]);
});

it('a search through all rows of a list runs beside the event loop', async () => {
  const store = await openTestStore();
  await store.transact(async (tx) => {
    for (let at = 0; at < 50; at += 1) await tx.creatives.save('o', creativeCalled(`c${at}`));
  });
  for (const search of [
    () => store.read.creatives.count('o', { nameContains: 'banner c4' }),
    () => store.read.creatives.list('o', ALL, { nameContains: 'banner c4' }, BY_NAME),
    () => store.read.creatives.list('o', ALL, {}, { field: 'assignment_count', direction: 'desc' }),
    () => store.read.creatives.countUses('o', {}),
    () => store.read.tasks.count('o', { contains: 'x' }),
  ]) {
    let isDone = false;
    const done = search().finally(() => {
      isDone = true;
    });
    // What is answered at once is there after some promises, without the event loop.
    for (let at = 0; at < 1000; at += 1) await Promise.resolve();
    expect(isDone, search.toString()).toBe(false);
    await done;
  }
  expect(await store.read.creatives.count('o', { nameContains: 'banner c4' })).toBe(11);
});
