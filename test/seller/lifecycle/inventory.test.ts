import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, freshKey, succeeded, updateRequest } from '../../kit/buyer.js';

const TAKEOVER = { product_id: 'northlight_homepage_takeover', pricing_option_id: 'day_flat', budget: 18_000 };
const ONE_DAY = { start_time: '2030-03-01T00:00:00Z', end_time: '2030-03-02T00:00:00Z' };
const WEEK = { start_time: '2030-03-01T00:00:00Z', end_time: '2030-03-08T00:00:00Z' };
/** All pre-roll of a week: 640,000 impressions a day. */
const WHOLE_WEEK = 4_480_000;
const preroll = (impressions: number) => ({
  product_id: 'northlight_preroll',
  pricing_option_id: 'cpm_fixed',
  budget: (impressions * 19) / 1000,
});
const order = (line: object, flight: object = ONE_DAY) => createRequest({ ...flight, packages: [line] });

async function open() {
  const server = await boot();
  const buy = async (line: object, flight?: object) => server.call('create_media_buy', order(line, flight));
  return {
    ...server,
    buy,
    bought: async (line: object, flight?: object) => succeeded(await buy(line, flight)),
    refused: async (line: object, flight?: object) => (await buy(line, flight)).payload.errors?.[0],
    change: (id: string, changes: object) => server.call('update_media_buy', updateRequest(id, changes)),
  };
}

describe('an exclusive product', () => {
  test('is sold once for a day, and is free again once that buy is canceled', async () => {
    const { bought, refused, change } = await open();
    const { media_buy_id } = await bought(TAKEOVER);
    expect(await refused(TAKEOVER)).toMatchObject({
      code: 'PRODUCT_UNAVAILABLE',
      field: 'packages[0].product_id',
      details: { taken_dates: ['2030-03-01'], available_from: '2030-03-02T00:00:00Z' },
    });
    const half = { start_time: '2030-03-01T18:00:00Z', end_time: '2030-03-01T20:00:00Z' };
    expect(await refused(TAKEOVER, half)).toMatchObject({ code: 'PRODUCT_UNAVAILABLE' });
    succeeded(await change(media_buy_id, { canceled: true }));
    await bought(TAKEOVER);
  });

  test('costs its price for every day of the flight', async () => {
    const { bought, refused } = await open();
    const days = { start_time: '2030-03-01T00:00:00Z', end_time: '2030-03-04T00:00:00Z' };
    expect(await refused(TAKEOVER, days)).toMatchObject({
      code: 'BUDGET_TOO_LOW',
      field: 'packages[0].budget',
      details: { minimum_budget: 54_000, slots: 3 },
      suggestion: expect.stringContaining('2030-03-02T00:00:00Z'),
    });
    await bought({ ...TAKEOVER, budget: 54_000 }, days);
  });

  test('is not sold twice within one order', async () => {
    const { call } = await open();
    const packages = [TAKEOVER, { ...TAKEOVER, budget: 18_001 }];
    const answer = await call('create_media_buy', createRequest({ ...ONE_DAY, packages }));
    expect(answer.payload.errors).toMatchObject([{ code: 'PRODUCT_UNAVAILABLE', field: 'packages[1].product_id' }]);
  });

  test('holds the days that a change moves it to, and gives back those that it leaves', async () => {
    const { bought, refused, change } = await open();
    const { media_buy_id } = await bought(TAKEOVER);
    await bought(TAKEOVER, { start_time: '2030-03-03T00:00:00Z', end_time: '2030-03-04T00:00:00Z' });
    const taken = await change(media_buy_id, { start_time: '2030-03-03T00:00:00Z', end_time: '2030-03-04T00:00:00Z' });
    expect(taken.payload.errors).toMatchObject([{ code: 'PRODUCT_UNAVAILABLE', field: 'end_time' }]);
    const next = { start_time: '2030-03-02T00:00:00Z', end_time: '2030-03-03T00:00:00Z' };
    succeeded(await change(media_buy_id, next));
    expect(await refused(TAKEOVER, next)).toMatchObject({ code: 'PRODUCT_UNAVAILABLE' });
    await bought(TAKEOVER);
  });

  test('is not extended for the price of a day', async () => {
    const { bought, change } = await open();
    const { media_buy_id } = await bought(TAKEOVER);
    const answer = await change(media_buy_id, { end_time: '2030-03-04T00:00:00Z' });
    expect(answer.payload.errors).toMatchObject([{ code: 'BUDGET_TOO_LOW', field: 'end_time' }]);
  });
});

describe('a guaranteed volume', () => {
  test('of a billion dollars is refused with what is there', async () => {
    const { refused, bought } = await open();
    const error = await refused({ ...preroll(1), budget: 1e9 }, WEEK);
    expect(error).toMatchObject({
      code: 'PRODUCT_UNAVAILABLE',
      field: 'packages[0].budget',
      details: { available_impressions: WHOLE_WEEK, maximum_budget: expect.any(Number), currency: 'USD' },
    });
    await bought({ ...preroll(1), budget: Number(error?.details?.maximum_budget) }, WEEK);
    expect(await refused(preroll(100_000), WEEK)).toMatchObject({ details: { available_impressions: 0 } });
  });

  test('is refused with the end of the flight that would do', async () => {
    const { refused, bought } = await open();
    await bought(preroll(WHOLE_WEEK), WEEK);
    const error = await refused(preroll(500_000), WEEK);
    expect(error).toMatchObject({ details: { available_until: '2030-03-09T00:00:00Z' } });
    await bought(preroll(500_000), { ...WEEK, end_time: String(error?.details?.available_until) });
  });

  test('is given back by a lower budget, a canceled package and a shorter flight', async () => {
    const { bought, change, refused } = await open();
    const { media_buy_id, packages } = await bought(preroll(WHOLE_WEEK), WEEK);
    const [{ package_id } = { package_id: '' }] = packages;
    expect(await refused(preroll(480_000), WEEK)).toMatchObject({ code: 'PRODUCT_UNAVAILABLE' });
    succeeded(await change(media_buy_id, { packages: [{ package_id, budget: preroll(4_000_000).budget }] }));
    await bought(preroll(480_000), WEEK);
    const more = await change(media_buy_id, { packages: [{ package_id, budget: preroll(4_000_100).budget }] });
    expect(more.payload.errors).toMatchObject([{ code: 'PRODUCT_UNAVAILABLE', field: 'packages[0].budget' }]);
    succeeded(await change(media_buy_id, { packages: [{ package_id, budget: preroll(1_000_000).budget }] }));
    succeeded(await change(media_buy_id, { end_time: '2030-03-05T00:00:00Z' }));
    await bought(preroll(3_000_000), WEEK);
    succeeded(
      await change(media_buy_id, { new_packages: [preroll(100_000)], packages: [{ package_id, canceled: true }] }),
    );
  });

  test('is not taken by targeting that the product has no room for', async () => {
    const { refused } = await open();
    const line = { ...preroll(WHOLE_WEEK), targeting_overlay: { geo_countries: ['CA'] } };
    expect(await refused(line, WEEK)).toMatchObject({ details: { available_impressions: 7 * 70_400 } });
  });
});

test('a sandbox has books of its own', async () => {
  const { bought, call } = await open();
  await bought(TAKEOVER);
  const other = order({ ...TAKEOVER });
  succeeded(
    await call(
      'create_media_buy',
      { ...other, account: { account_id: 'acct_sandbox_2' }, idempotency_key: freshKey() },
      { token: 'sandbox-token-2' },
    ),
  );
});
