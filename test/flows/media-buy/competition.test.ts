import path from 'node:path';
import Libsql from 'libsql';
import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, succeeded, updateRequest } from '../../kit/buyer.js';

/** Looks into the file of the database. */
const embedded = test.runIf(process.env.TEST_ENGINE !== 'postgres');
const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Of the shipped tenant's test product, a day. */
const SUPPLY = 2_500_000;
/** Ten days from the first day of the clock on. */
const FLIGHT = { start_time: 'asap', end_time: '2030-01-11T00:00:00Z' };

type Days = ReadonlyMap<string, number>;

async function open() {
  const server = await boot();
  const order = async (line: object): Promise<string> => {
    const packages = [{ product_id: 'test-product', pricing_option_id: 'auction', pacing: 'asap', ...line }];
    return succeeded(await server.call('create_media_buy', createRequest({ ...FLIGHT, packages }))).media_buy_id;
  };
  const daily = async (id: string): Promise<Days> => {
    const args = { media_buy_ids: [id], include_package_daily_breakdown: true };
    const { media_buy_deliveries } = succeeded(await server.call('get_media_buy_delivery', args));
    const [{ by_package } = { by_package: [] }] = media_buy_deliveries;
    const days = (by_package as unknown as readonly { daily_breakdown: { date: string; impressions: number }[] }[])[0];
    return new Map((days?.daily_breakdown ?? []).map(({ date, impressions }) => [date, impressions]));
  };
  return { ...server, order, daily };
}

const sum = (days: Days) => [...days.values()].reduce((all, each) => all + each, 0);

describe('two buys that want all of a product', () => {
  test('deliver together no more than its supply on any day, and the higher bid gets more', async () => {
    const { order, daily, clock } = await open();
    const low = await order({ bid_price: 4, budget: 200_000 });
    const high = await order({ bid_price: 9, budget: 90_000 });
    clock.advance(10 * DAY);
    const [ofLow, ofHigh] = [await daily(low), await daily(high)];
    for (const [date, impressions] of ofLow) expect(impressions + (ofHigh.get(date) ?? 0)).toBeLessThanOrEqual(SUPPLY);
    expect(sum(ofHigh)).toBe(10_000_000);
    expect(sum(ofLow)).toBeLessThan(16_000_000);
    expect(sum(ofLow)).toBeGreaterThan(5_000_000);
  });

  test('leave what was delivered before the second came as it was, and free the supply when one ends', async () => {
    const { order, daily, call, clock } = await open();
    const first = await order({ bid_price: 4, budget: 200_000 });
    clock.advance(3 * DAY);
    const before = await daily(first);
    const second = await order({ bid_price: 9, budget: 200_000 });
    expect(await daily(first)).toEqual(before);
    clock.advance(2 * DAY);
    succeeded(await call('update_media_buy', updateRequest(second, { canceled: true })));
    clock.advance(2 * DAY);
    const days = await daily(first);
    for (const [date, impressions] of before) expect(days.get(date)).toBe(impressions);
    expect(days.get('2030-01-04')).toBeLessThan((days.get('2030-01-02') ?? 0) / 2);
    expect(days.get('2030-01-06')).toBe(days.get('2030-01-02'));
  });

  test('share what is left by what they ask for where they bid the same', async () => {
    const { order, daily, clock } = await open();
    const [one, other] = [
      await order({ bid_price: 9, budget: 300_000 }),
      await order({ bid_price: 9, budget: 299_000 }),
    ];
    clock.advance(2 * DAY);
    const [ofOne, ofOther] = [sum(await daily(one)), sum(await daily(other))];
    expect(ofOne + ofOther).toBeLessThanOrEqual(2 * SUPPLY);
    expect(Math.abs(ofOne - ofOther)).toBeLessThan(0.01 * SUPPLY);
  });
});

test('small buys beside each other deliver all that they booked', async () => {
  const { order, daily, clock } = await open();
  const ids = [];
  for (let buy = 1; buy <= 5; buy += 1)
    ids.push(await order({ bid_price: buy + 4, budget: 1000 + buy, pacing: 'even' }));
  clock.advance(11 * DAY);
  for (const [index, id] of ids.entries())
    expect(sum(await daily(id))).toBe(Math.ceil(((1001 + index) * 1000) / (index + 5)));
});

test('a buy that is paused leaves its supply to others', async () => {
  const { order, daily, call, clock } = await open();
  const low = await order({ bid_price: 4, budget: 300_000 });
  const high = await order({ bid_price: 9, budget: 300_000 });
  succeeded(await call('update_media_buy', updateRequest(high, { paused: true })));
  clock.advance(DAY);
  const alone = (await daily(low)).get('2030-01-01') ?? 0;
  succeeded(await call('update_media_buy', updateRequest(high, { paused: false })));
  clock.advance(DAY);
  expect((await daily(low)).get('2030-01-02')).toBeLessThan(alone / 2);
});

describe('many buys within an hour', () => {
  async function burst() {
    const opened = await open();
    const first = await opened.order({ bid_price: 5, budget: 200_000 });
    const ids = [first];
    const before: Days[] = [];
    for (let buy = 0; buy < 14; buy += 1) {
      opened.clock.advance(MINUTE);
      before.push(await opened.daily(first));
      ids.push(await opened.order({ bid_price: 5, budget: 200_000 }));
    }
    return { ...opened, ids, before };
  }

  test('deliver together no more than the supply, and each of them something', async () => {
    const { ids, daily, clock, before } = await burst();
    for (const [index, days] of before.entries())
      if (index > 0) expect(sum(days)).toBeGreaterThanOrEqual(sum(before[index - 1] ?? days));
    clock.advance(10 * DAY);
    const all = await Promise.all(ids.map(daily));
    for (const date of all[0]?.keys() ?? []) {
      const together = all.reduce((total, days) => total + (days.get(date) ?? 0), 0);
      // Each counts whole impressions.
      expect(together, date).toBeLessThan(SUPPLY + ids.length);
    }
    expect(all.filter((days) => sum(days) > 0)).toHaveLength(ids.length);
  });

  embedded('leave few moments to look at, however many they are', async () => {
    const { dataDir, close } = await burst();
    await close();
    const database = new Libsql(path.join(dataDir, 'seller-agent.db'));
    const count = `SELECT count(DISTINCT at_ms) AS moments FROM inventory_demand_change GROUP BY at_ms / ${HOUR}`;
    const hours = database.prepare(count).all() as { moments: number }[];
    database.close();
    expect(hours.length).toBeGreaterThan(0);
    for (const { moments } of hours) expect(moments).toBeLessThan(6);
  });
});
