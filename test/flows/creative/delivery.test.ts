import { describe, expect, test } from 'vitest';
import type { AdServerAdapter } from '../../../src/seller/adserver/port/adapter.js';
import type { DeliveryRow } from '../../../src/seller/adserver/port/delivery.js';
import { adServerWith, rowsOf, sellThroughAdServer } from '../../kit/ad-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { creative, packageRequest, succeeded } from '../../kit/buyer.js';
import { packageIds, type Shopper, shopper } from '../../kit/shopper.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';
import type { Payload, WireMetrics } from '../../kit/wire.js';

const DAY = 86_400_000;
const cents = (money: number): number => Math.round(money * 100);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

async function reportOf(buyer: Shopper, args: object): Promise<Payload> {
  return succeeded(await buyer.call('get_creative_delivery', args));
}

const totalsOf = ({ creatives }: Payload): readonly WireMetrics[] =>
  creatives.map(({ totals }) => totals ?? { impressions: 0, spend: 0 });

/** Two packages, the first shared by three creatives, the second one creative’s own; three days on. */
async function campaign(server: Booted) {
  const kit = shopper(server, 'kit');
  const bought = await kit.create({ packages: [packageRequest({ budget: 3000 }), packageRequest({ budget: 900 })] });
  const [first = '', second = ''] = packageIds(bought);
  await kit.sync(
    { a: [], b: [], c: [] },
    {
      assignments: [
        { creative_id: 'a', package_id: first, weight: 60 },
        { creative_id: 'b', package_id: first, weight: 30 },
        { creative_id: 'c', package_id: first, weight: 10 },
        { creative_id: 'c', package_id: second },
      ],
    },
  );
  server.clock.advance(3 * DAY);
  return { kit, id: bought.media_buy_id, first, second };
}

describe('delivery per creative', () => {
  test('adds up to the buy’s, in shares of the weights', async () => {
    const { kit, id } = await campaign(await boot());
    const whole = await kit.delivered(id);
    const report = await reportOf(kit, { media_buy_ids: [id] });
    expect(report).toMatchObject({
      media_buy_id: id,
      currency: 'USD',
      account_id: expect.any(String),
      reporting_period: { start: '2030-01-01T00:00:00Z', end: '2030-01-04T00:00:00Z', timezone: 'UTC' },
    });
    expect(report).not.toHaveProperty('pagination');
    expect(report.creatives.map(({ creative_id }) => creative_id)).toEqual(['a', 'b', 'c']);
    const totals = totalsOf(report);
    expect(sum(totals.map(({ impressions }) => impressions))).toBe(whole.totals.impressions);
    expect(sum(totals.map(({ clicks = 0 }) => clicks))).toBe(whole.totals.clicks);
    expect(sum(totals.map(({ spend }) => cents(spend)))).toBe(cents(whole.totals.spend));
    const shared = whole.by_package[0]?.impressions ?? 0;
    expect(Math.abs((totals[0]?.impressions ?? 0) - shared * 0.6)).toBeLessThan(2);
    expect(Math.abs((totals[1]?.impressions ?? 0) - shared * 0.3)).toBeLessThan(2);
    for (const { creative_id, totals: own, variants, variant_count } of report.creatives) {
      expect(variant_count).toBe(1);
      expect(variants).toEqual([{ variant_id: creative_id, manifest: expect.anything(), ...own }]);
    }
  });

  test('follows a rotation as it changes, and keeps what was delivered', async () => {
    const server = await boot();
    const { kit, id, first, second } = await campaign(server);
    const before = totalsOf(await reportOf(kit, { media_buy_ids: [id] }));
    await kit.update(id, { packages: [{ package_id: first, creative_assignments: [{ creative_id: 'b' }] }] });
    await kit.update(id, { packages: [{ package_id: second, creatives: [creative('d')] }] });
    server.clock.advance(2 * DAY);
    const [a, b, c, d] = totalsOf(await reportOf(kit, { media_buy_ids: [id] }));
    expect([a, c]).toEqual([before[0], before[2]]);
    expect(b?.impressions).toBeGreaterThan(before[1]?.impressions ?? 0);
    expect(d?.impressions).toBeGreaterThan(0);
    const days = async (start_date: string, end_date: string) =>
      totalsOf(await reportOf(kit, { media_buy_ids: [id], start_date, end_date })).map(
        ({ impressions }) => impressions,
      );
    const [early, late] = [await days('2030-01-01', '2030-01-04'), await days('2030-01-04', '2030-01-06')];
    expect(early).toEqual([...before.map(({ impressions }) => impressions), 0]);
    expect(late[0]).toBe(0);
    expect(early.map((number, at) => number + (late[at] ?? 0))).toEqual([a, b, c, d].map((one) => one?.impressions));
  });

  test('is there after the buy has ended, its creatives gone, and the server started again', async () => {
    const server = await boot();
    const { kit, id } = await campaign(server);
    await kit.update(id, { canceled: true });
    const whole = await kit.delivered(id);
    const { creatives } = succeeded(await kit.call('list_creatives'));
    expect(creatives.map(({ assignments }) => assignments?.assignment_count)).toEqual([0, 0, 0]);
    const report = await reportOf(kit, { media_buy_ids: [id] });
    expect(sum(totalsOf(report).map(({ impressions }) => impressions))).toBe(whole.totals.impressions);
    server.clock.advance(DAY);
    await server.restart();
    expect(totalsOf(await reportOf(kit, { media_buy_ids: [id] }))).toEqual(totalsOf(report));
  });

  test('is found by creative over all its buys, and by both', async () => {
    const server = await boot();
    const { kit, id } = await campaign(server);
    const other = await kit.create({
      packages: [packageRequest({ budget: 444, creative_assignments: [{ creative_id: 'a' }] })],
    });
    server.clock.advance(DAY);
    const report = await reportOf(kit, { creative_ids: ['a'] });
    expect(report.creatives.map(({ creative_id, media_buy_id }) => [creative_id, media_buy_id])).toEqual([
      ['a', id],
      ['a', other.media_buy_id],
    ]);
    expect(report).not.toHaveProperty('media_buy_id');
    const both = await reportOf(kit, { creative_ids: ['a', 'b'], media_buy_ids: [other.media_buy_id] });
    expect(both.creatives).toMatchObject([{ creative_id: 'a', media_buy_id: other.media_buy_id }]);
    expect(both.creatives).toHaveLength(1);
    const elsewhere = { brand: { domain: 'other.example' }, operator: 'other.example' };
    expect((await reportOf(kit, { creative_ids: ['a'], account: elsewhere })).creatives).toEqual([]);
    expect((await reportOf(kit, { media_buy_ids: [id], account: elsewhere })).creatives).toHaveLength(3);
  });

  test('of a creative that never ran is nothing, and has no variant', async () => {
    const kit = shopper(await boot(), 'kit');
    const bought = await kit.create({ packages: [packageRequest(), packageRequest({ budget: 2 })] });
    await kit.sync({ banner: packageIds(bought).slice(0, 1) });
    const { creatives } = await reportOf(kit, { media_buy_ids: [bought.media_buy_id] });
    expect(creatives).toMatchObject([
      { creative_id: 'banner', totals: { impressions: 0, spend: 0 }, variant_count: 0, variants: [] },
    ]);
  });

  test('is paged without gap or repeat', async () => {
    const server = await boot();
    const { kit, id } = await campaign(server);
    const seen: string[] = [];
    for (let cursor: string | undefined, offset = 0; ; offset += 1) {
      const report = await reportOf(kit, {
        media_buy_ids: [id],
        pagination: { max_results: 1, ...(cursor === undefined ? {} : { cursor }) },
      });
      seen.push(...report.creatives.map(({ creative_id }) => creative_id));
      expect(report.pagination).toMatchObject({ limit: 1, offset, total: 3, total_count: 3, has_more: offset < 2 });
      cursor = report.pagination.cursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  test('of somebody else’s buys and creatives is as of none, and is named', async () => {
    const server = await boot();
    const { id } = await campaign(server);
    const stranger = shopper(server, 'second');
    const report = await reportOf(stranger, { media_buy_ids: [id, 'mb_nobody'], creative_ids: ['a', 'nobody'] });
    expect(report.creatives).toEqual([]);
    const [one, two, three, four] = report.errors;
    expect(report.errors).toMatchObject([
      { code: 'MEDIA_BUY_NOT_FOUND', field: 'media_buy_ids[0]' },
      { code: 'MEDIA_BUY_NOT_FOUND', field: 'media_buy_ids[1]' },
      { code: 'CREATIVE_NOT_FOUND', field: 'creative_ids[0]' },
      { code: 'CREATIVE_NOT_FOUND', field: 'creative_ids[1]' },
    ]);
    expect({ ...one, field: '' }).toEqual({ ...two, field: '' });
    expect({ ...three, field: '' }).toEqual({ ...four, field: '' });
  });

  test('answers on the creative tenant, whose library runs nowhere', async () => {
    const server = await boot();
    const { payload, isError } = await server.call(
      'get_creative_delivery',
      { media_buy_ids: ['mb_summer_campaign_001'], account: { brand: { domain: 'a.example' }, operator: 'b.example' } },
      { tenant: 'creative' },
    );
    expect(isError).toBe(false);
    expect(payload).toMatchObject({ creatives: [], currency: 'USD' });
    expect(payload.errors).toBeUndefined();
  });
});

describe('the seller’s own ad server', () => {
  const tenants = tenantsFolder(sellThroughAdServer);
  const run = async (row: Omit<DeliveryRow, 'package_id' | 'date'>) => {
    const delivery: AdServerAdapter['delivery'] = async (request) => ({
      kind: 'rows',
      rows: rowsOf(request, () => row),
    });
    const server = await boot({ tenants, adServer: adServerWith({ delivery }) });
    const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
    const bought = await live.create({ packages: [packageRequest({ creatives: [creative('banner')] })] });
    await server.server().tick();
    server.clock.advance(3_600_000);
    return reportOf(live, { media_buy_ids: [bought.media_buy_id] });
  };

  test('tells what each creative has delivered', async () => {
    const metrics = { impressions: 7, spend: 0.7, clicks: 1 };
    const report = await run({ creative_id: 'banner', ...metrics });
    expect(report.creatives).toMatchObject([{ creative_id: 'banner', totals: metrics, variants: [metrics] }]);
  });

  test('that does not tell creatives apart leaves their numbers out, rather than at 0', async () => {
    const { creatives } = await run({ impressions: 10, spend: 1 });
    expect(creatives).toMatchObject([{ creative_id: 'banner', variants: [] }]);
    expect(creatives[0]).not.toHaveProperty('totals');
  });
});
