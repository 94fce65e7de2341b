import { expect, it } from 'vitest';
import { archiveMissing, findOldestMissing } from '../../../../src/seller/tasks/creative/library/archive-missing.js';
import type { Library } from '../../../../src/seller/tasks/creative/library/save-creative.js';
import { ACCOUNT, fromNow, OWNER } from '../../domain/order-context.js';
import { creativeCalled, openTestStore } from '../../store/fixture.js';

const CALL = { owner: OWNER, now: { iso: fromNow(0) }, to: { release: '3.1' } } as Library['call'];

/** A store with so many creatives in the library of the tests' account. */
async function storeOf(count: number) {
  const store = await openTestStore();
  await store.transact(async (tx) => {
    for (let at = 0; at < count; at += 1) await tx.creatives.save(OWNER, creativeCalled(`c${at}`));
  });
  const archive = async (sent: readonly string[]) => {
    const names = new Set(sent);
    const oldest = await findOldestMissing(store.read, { owner: OWNER, accountId: ACCOUNT.account_id }, names);
    return store.transact((db) => {
      const library = { db, call: CALL, account: ACCOUNT } as unknown as Library;
      return archiveMissing(library, names, { lenient: false, oldest });
    });
  };
  const live = () => store.read.creatives.count(OWNER, { statuses: ['approved'] });
  return { archive, live };
}

it('archives the oldest 5000 of more creatives and says how many are left, which the next sync archives', async () => {
  const { archive, live } = await storeOf(5003);
  const first = await archive(['c7']);
  expect(first.rows).toHaveLength(5000);
  expect(first.message).toContain('2 more were left out');
  expect(await live()).toBe(3);
  const next = await archive(['c7']);
  expect(next).toMatchObject({ rows: [{ action: 'deleted' }, { action: 'deleted' }] });
  expect(next.message).toBeUndefined();
  expect(await live()).toBe(1);
});
