import { expect, test } from 'vitest';
import { periodsOf } from '../../../src/seller/domain/retention/periods.js';
import { openTestStore } from './fixture.js';

const DAY = 86_400_000;
const BOOK = { scope: 'sales', product_id: 'preroll' };
const KEPT = periodsOf().finished_buys;

test('changes of demand that no stored buy is read by are folded into what they come to', async () => {
  const store = await openTestStore();
  const begin = Date.parse('2030-01-01T00:00:00Z');
  const ask = (id: string, from_ms: number, to_ms: number, per_day: number, nowMs: number) =>
    store.transact(async (tx) => {
      const stretches = [{ from_ms, to_ms, per_day, price_level: 1000 }];
      const changes = [
        { at_ms: from_ms, per_day, price_level: 1000 },
        { at_ms: to_ms, per_day: -per_day, price_level: 1000 },
      ];
      await tx.demand.save({ ...BOOK, package_id: id, media_buy_id: id, stretches }, changes, nowMs);
    });
  const end = begin + KEPT + 1000 * DAY;
  await ask('long', begin, end, 7, begin);
  for (let month = 0; month < 6; month += 1)
    await ask(`short${month}`, begin + month * DAY, begin + (month + 10) * DAY, 100, begin);
  const count = async () => (await store.read.demand.ofBook(BOOK, begin - 1, end + DAY)).changes.length;
  expect(await count()).toBe(13);
  const later = begin + KEPT + 60 * DAY;
  await ask('late', later, later + DAY, 50, later);
  expect(await count()).toBe(4);
  const { first } = await store.read.demand.ofBook(BOOK, later, end);
  expect(first).toEqual([{ at_ms: later, price_level: 1000, per_day: 57 }]);
});
