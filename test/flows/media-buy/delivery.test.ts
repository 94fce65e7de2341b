import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { packageRequest, succeeded } from '../../kit/buyer.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import type { WireMetrics } from '../../kit/wire.js';

const DAY = 86_400_000;
const HOUR = DAY / 24;

const cents = (amount: number): number => Math.round(amount * 100) / 100;
const sum = (parts: readonly WireMetrics[], name: 'impressions' | 'spend' | 'clicks'): number =>
  cents(parts.reduce((total, part) => total + (part[name] ?? 0), 0));

describe('numbers', () => {
  test('are nothing at first, move with the clock, and are never more than the budget', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    expect((await one.delivered(id)).totals).toMatchObject({ impressions: 0, spend: 0 });
    let before = 0;
    for (let day = 1; day <= 40; day += 1) {
      server.clock.advance(DAY);
      const { totals } = await one.delivered(id);
      expect(totals.impressions).toBeGreaterThanOrEqual(before);
      if (day <= 29) expect(totals.impressions).toBeGreaterThan(before);
      expect(totals.spend).toBeLessThanOrEqual(1000);
      before = totals.impressions;
    }
    expect((await one.delivered(id)).totals.spend).toBeGreaterThan(800);
  });

  test('are the same whoever asks and however often', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    server.clock.advance(5 * DAY + 7 * HOUR);
    const first = await one.delivered(id, { include_package_daily_breakdown: true });
    await one.delivered(id);
    expect(await one.delivered(id, { include_package_daily_breakdown: true })).toEqual(first);
  });

  test('cost what was agreed', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    server.clock.advance(10 * DAY);
    const [line] = (await one.delivered(id)).by_package;
    expect(line).toMatchObject({ pricing_model: 'cpm', rate: 5, currency: 'USD', paused: false });
    expect(line?.spend).toBeCloseTo(((line?.impressions ?? 0) / 1000) * 5, 1);
  });

  test('add up: days to packages, packages to buys, buys to the whole', async () => {
    const server = await boot();
    const one = shopper(server);
    const packages = [
      packageRequest(),
      packageRequest({ pricing_option_id: 'auction', bid_price: 3, budget: 400, pacing: 'front_loaded' }),
      packageRequest({ product_id: 'northlight_native_stories', pricing_option_id: 'cpc_fixed', budget: 300 }),
    ];
    const first = await one.create({ packages });
    const second = await one.create();
    server.clock.advance(6 * DAY + 5 * HOUR);
    const { call } = one;
    const report = succeeded(await call('get_media_buy_delivery', { include_package_daily_breakdown: true }));
    expect(report.media_buy_deliveries.map((delivery) => delivery.media_buy_id).sort()).toEqual(
      [first.media_buy_id, second.media_buy_id].sort(),
    );
    for (const delivery of report.media_buy_deliveries) {
      for (const line of delivery.by_package) {
        const days = line.daily_breakdown ?? [];
        expect(days.map((day) => day.date)).toEqual(
          ['01', '02', '03', '04', '05', '06', '07'].map((day) => `2030-01-${day}`),
        );
        expect(sum(days, 'impressions')).toBe(line.impressions);
        expect(sum(days, 'spend')).toBe(line.spend);
      }
      expect(delivery.totals.impressions).toBe(sum(delivery.by_package, 'impressions'));
      expect(delivery.totals.spend).toBe(sum(delivery.by_package, 'spend'));
    }
    const totals = report.media_buy_deliveries.map((delivery) => delivery.totals);
    expect(report.aggregated_totals).toMatchObject({
      impressions: sum(totals, 'impressions'),
      spend: sum(totals, 'spend'),
      media_buy_count: 2,
    });
    expect(report).toMatchObject({ currency: 'USD', sandbox: true, reporting_period: { end: '2030-01-07T05:00:00Z' } });
  });

  test('of a window are those of its days, and windows side by side are the whole', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    server.clock.advance(10 * DAY);
    const window = async (start_date: string, end_date: string): Promise<WireMetrics> =>
      (await one.delivered(id, { start_date, end_date })).totals;
    const parts = [
      await window('2030-01-01', '2030-01-04'),
      await window('2030-01-04', '2030-01-05'),
      await window('2030-01-05', '2030-01-11'),
    ];
    const whole = (await one.delivered(id)).totals;
    expect(sum(parts, 'impressions')).toBe(whole.impressions);
    expect(sum(parts, 'spend')).toBe(whole.spend);
    expect(await window('2029-12-01', '2029-12-31')).toMatchObject({ impressions: 0, spend: 0 });
    expect(await window('2030-06-01', '2030-06-30')).toMatchObject({ impressions: 0, spend: 0 });
  });

  test('of get_media_buys are the same as those of the report', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    server.clock.advance(3 * DAY);
    const { media_buys } = succeeded(await one.call('get_media_buys', { include_snapshot: true }));
    const [line] = (await one.delivered(id)).by_package;
    expect(media_buys[0]?.packages[0]?.snapshot).toMatchObject({
      impressions: line?.impressions,
      spend: line?.spend,
      delivery_status: 'delivering',
    });
  });
});

describe('what stops delivery', () => {
  test('a pause: numbers stand still, and go on after it', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    server.clock.advance(5 * DAY);
    await one.update(id, { paused: true });
    const paused = (await one.delivered(id)).totals;
    server.clock.advance(5 * DAY);
    expect((await one.delivered(id)).totals).toEqual(paused);
    await one.update(id, { paused: false });
    expect((await one.delivered(id)).totals).toEqual(paused);
    server.clock.advance(DAY);
    expect((await one.delivered(id)).totals.impressions).toBeGreaterThan(paused.impressions);
    const [line] = (await one.delivered(id, { include_package_daily_breakdown: true })).by_package;
    const still = line?.daily_breakdown?.filter((day) => day.date > '2030-01-06' && day.date < '2030-01-11') ?? [];
    expect(sum(still, 'impressions')).toBe(0);
  });

  test('a pause of one package, which leaves the others alone', async () => {
    const server = await boot();
    const one = shopper(server);
    const bought = await one.create({ packages: [packageRequest(), packageRequest({ budget: 900 })] });
    const [first] = packageIds(bought);
    server.clock.advance(2 * DAY);
    await one.update(bought.media_buy_id, { packages: [{ package_id: first, paused: true }] });
    const before = (await one.delivered(bought.media_buy_id)).by_package;
    server.clock.advance(2 * DAY);
    const after = (await one.delivered(bought.media_buy_id)).by_package;
    expect(after[0]).toMatchObject({ impressions: before[0]?.impressions, paused: true });
    expect(after[1]?.impressions).toBeGreaterThan(before[1]?.impressions ?? 0);
  });

  test('a cancel: what was delivered stays on the books', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    server.clock.advance(5 * DAY);
    const running = await one.delivered(id);
    expect(running.is_final).toBe(false);
    await one.update(id, { canceled: true });
    server.clock.advance(60 * DAY);
    const canceled = await one.delivered(id);
    expect(canceled).toMatchObject({ status: 'canceled', is_final: true, totals: running.totals });
  });

  test('the end: the report of a completed buy never changes again', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    server.clock.advance(31 * DAY);
    const final = await one.delivered(id);
    expect(final).toMatchObject({ status: 'completed', is_final: true });
    server.clock.advance(400 * DAY);
    expect(await one.delivered(id)).toEqual(final);
  });

  test('no creatives: nothing runs before they come', async () => {
    const server = await boot();
    const kit = shopper(server, 'kit');
    const bought = await kit.create();
    server.clock.advance(10 * DAY);
    expect((await kit.delivered(bought.media_buy_id)).totals.impressions).toBe(0);
    await kit.sync({ banner: packageIds(bought) });
    expect((await kit.delivered(bought.media_buy_id)).totals.impressions).toBe(0);
    server.clock.advance(DAY);
    expect((await kit.delivered(bought.media_buy_id)).totals.impressions).toBeGreaterThan(0);
  });
});

describe('what changes delivery', () => {
  test('a bigger budget delivers more, and what ran before stays as it was', async () => {
    const server = await boot();
    const one = shopper(server);
    const bought = await one.create();
    const [line] = packageIds(bought);
    const twin = await one.create();
    server.clock.advance(5 * DAY);
    const before = (await one.delivered(bought.media_buy_id)).totals;
    await one.update(bought.media_buy_id, { packages: [{ package_id: line, budget: 10_000 }] });
    expect((await one.delivered(bought.media_buy_id)).totals).toEqual(before);
    server.clock.advance(26 * DAY);
    const raised = (await one.delivered(bought.media_buy_id)).totals.spend;
    expect(raised).toBeGreaterThan((await one.delivered(twin.media_buy_id)).totals.spend * 3);
    expect(raised).toBeLessThanOrEqual(10_000);
  });

  test('a budget cut to what is spent stops, and never gives back', async () => {
    const server = await boot();
    const one = shopper(server);
    const bought = await one.create();
    const [line] = packageIds(bought);
    server.clock.advance(15 * DAY);
    const before = (await one.delivered(bought.media_buy_id)).totals;
    expect(before.spend).toBeGreaterThan(100);
    await one.update(bought.media_buy_id, { packages: [{ package_id: line, budget: before.spend }] });
    server.clock.advance(10 * DAY);
    expect((await one.delivered(bought.media_buy_id)).totals).toEqual(before);
  });

  test('a package with days of its own runs on those', async () => {
    const server = await boot();
    const one = shopper(server);
    const own = { start_time: '2030-01-05T00:00:00Z', end_time: '2030-01-08T00:00:00Z' };
    const { media_buy_id: id } = await one.create({ packages: [packageRequest(own)] });
    server.clock.advance(20 * DAY);
    const [line] = (await one.delivered(id, { include_package_daily_breakdown: true })).by_package;
    const days = line?.daily_breakdown?.filter((day) => day.impressions > 0).map((day) => day.date);
    expect(days).toEqual(['2030-01-05', '2030-01-06', '2030-01-07']);
  });
});

test('two currencies are never added', async () => {
  const server = await boot();
  const one = shopper(server);
  await one.create();
  await one.create({
    packages: [packageRequest({ product_id: 'stadtblick_display', pricing_option_id: 'cpm_fixed' })],
  });
  server.clock.advance(3 * DAY);
  const report = succeeded(await one.call('get_media_buy_delivery'));
  expect(report.media_buy_deliveries).toHaveLength(2);
  expect(report).not.toHaveProperty('aggregated_totals');
});
