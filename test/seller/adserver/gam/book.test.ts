import { describe, expect, it } from 'vitest';
import { OrderRefusedError, RetryLaterError, UnknownOutcomeError } from '../../../../src/seller/adserver/errors.js';
import { gamModule } from '../../../../src/seller/adserver/gam/module.js';
import { describeDrift, findDrift } from '../../../../src/seller/domain/booking/drift.js';
import type { LiveOrder, LivePackage } from '../../../../src/seller/domain/booking/live-order.js';
import { GAM_START, openGam } from '../../../kit/gam/adapter.js';
import { GAM_BANNER, GAM_LINE, GAM_ORDER } from '../../../kit/gam/order.js';

const START = GAM_START;
const DAY = 86_400_000;
const SIGNAL = new AbortController().signal;

const BANNER = GAM_BANNER;
const LINE = GAM_LINE;
const ORDER = GAM_ORDER;

function orderWith(line: Partial<LivePackage>, order: Partial<LiveOrder> = {}): LiveOrder {
  return { ...ORDER, packages: [{ ...LINE, ...line }], ...order };
}

describe('booking in Google Ad Manager', () => {
  it('makes the company, the order, its line and its creative, approves them and reads the status back', async () => {
    const { book, lines, state } = await openGam();
    const ids = await book(ORDER);
    expect([...state.companies.values()]).toMatchObject([{ externalId: 'brand.example', type: 'ADVERTISER' }]);
    expect([...state.orders.values()]).toMatchObject([
      { status: 'APPROVED', rest: { displayName: 'brand.example PO 7 [mb_1]', poNumber: 'PO 7' } },
    ]);
    expect(lines()).toMatchObject([
      {
        externalLineItemId: 'pkg_1',
        lineItemType: 'STANDARD',
        costType: 'CPM',
        rate: { currencyCode: 'USD', units: '12', nanos: 500_000_000 },
        goal: { goalType: 'LIFETIME', unitType: 'IMPRESSIONS', units: '80000' },
        status: 'READY',
        reservationStatus: 'RESERVED',
        targeting: { geoTargeting: { targetedGeos: ['networks/777/geoTargets/2840'] } },
      },
    ]);
    expect([...state.creatives.values()]).toMatchObject([
      { type: 'ImageRedirectCreative', members: { imageUrl: 'https://cdn.example/a.png?a=1&b=2' } },
    ]);
    const [line] = state.lines.keys();
    const [creative] = state.creatives.keys();
    expect(ids).toMatchObject({
      order: [...state.orders.keys()][0],
      packages: { pkg_1: line },
      creatives: { banner: creative },
    });
    expect(state.associations).toMatchObject([{ lineItemId: line, creativeId: creative, status: 'ACTIVE' }]);
  });

  it('changes nothing when it is called again, and only what differs after a change', async () => {
    const { book, calls, lines } = await openGam();
    await book(ORDER);
    const before = calls.length;
    await book(ORDER);
    expect(calls.slice(before).filter((call) => /POST|PATCH|soap (?!get)/.test(call))).toEqual([]);
    await book(orderWith({ goal: { unit: 'impressions', count: 160_000 }, budget: 2000 }));
    expect(calls.filter((call) => call.startsWith('PATCH'))).toHaveLength(1);
    expect(lines()).toMatchObject([{ goal: { units: '160000' }, rate: { units: '12', nanos: 500_000_000 } }]);
  });

  it('pauses, resumes and ends lines', async () => {
    const { book, lines } = await openGam();
    await book(ORDER);
    await book(orderWith({ state: 'paused' }));
    expect(lines()).toMatchObject([{ status: 'PAUSED' }]);
    await book(ORDER);
    expect(lines()).toMatchObject([{ status: 'READY' }]);
    await book(orderWith({}, { state: 'canceled' }));
    expect(lines()).toMatchObject([{ archived: true }]);
    await book(orderWith({}, { state: 'canceled' }));
  });

  it('replaces a creative of which there is another version, and stops the one before', async () => {
    const { book, foreign, state } = await openGam();
    await book(ORDER);
    const [first = ''] = state.creatives.keys();
    await book(orderWith({ creatives: [{ ...BANNER, version: 2 }] }));
    const [, second = ''] = state.creatives.keys();
    expect(state.associations.map(({ creativeId, status }) => [creativeId, status])).toEqual([
      [first, 'INACTIVE'],
      [second, 'ACTIVE'],
    ]);
    expect(foreign()?.others).toEqual({ [`creative:${first}`]: 'banner', [`creative:${second}`]: 'banner' });
    await book(ORDER);
    expect(state.creatives.size).toBe(2);
    expect(state.associations.map(({ status }) => status)).toEqual(['ACTIVE', 'INACTIVE']);
  });

  it('takes the SOAP API for parts of days, by the clock of the network, and carries on what is there', async () => {
    const { book, calls, lines, state } = await openGam();
    const daypart_targets = [{ days: ['monday'], start_hour: 6, end_hour: 24 }];
    await book(orderWith({ targeting: { daypart_targets } }));
    expect(calls).toContain('soap createLineItems');
    expect([...state.lines.values()]).toMatchObject([
      { dayParts: [{ dayOfWeek: 'MONDAY', startTime: { hour: '6' }, endTime: { hour: '24' } }] },
    ]);
    expect(lines()).toMatchObject([
      { startTime: '2030-01-02T05:00:00.000Z', targetEndTime: '2030-01-12T05:00:00.000Z' },
    ]);
    await book(orderWith({ targeting: { daypart_targets: [{ days: ['friday'], start_hour: 0, end_hour: 1 }] } }));
    expect([...state.lines.values()]).toMatchObject([{ dayParts: [{ dayOfWeek: 'FRIDAY' }] }]);
  });

  it('takes the SOAP API for lines of a network that does not write them by REST', async () => {
    const { book, calls, lines, state } = await openGam();
    state.network.hasLineWrites = false;
    await book(ORDER);
    expect(lines()).toMatchObject([{ status: 'READY', rate: { units: '12', nanos: 500_000_000 } }]);
    await book(orderWith({ goal: { unit: 'impressions', count: 90_000 }, state: 'paused' }));
    expect(lines()).toMatchObject([{ status: 'PAUSED', goal: { units: '90000' } }]);
    expect(calls).toEqual(expect.arrayContaining(['soap updateLineItems', 'soap performLineItemAction']));
  });

  it('waits where there is no forecast yet, where a person has to approve, and says what has to be done', async () => {
    const { book, state } = await openGam();
    state.network.forecastsMissing = 1;
    await expect(book(ORDER)).rejects.toThrow(RetryLaterError);
    state.network.mayApprove = false;
    await expect(book(ORDER)).rejects.toThrow(/waits for its approval by a person.*role/);
    const [order] = state.orders.values();
    expect(order?.status).toBe('PENDING_APPROVAL');
    for (const line of state.lines.values()) line.stage = 'approved';
    if (order !== undefined) order.status = 'APPROVED';
    await book(ORDER);
    expect([state.orders.size, state.lines.size, state.creatives.size]).toEqual([1, 1, 1]);
  });

  it('has the order refused that a person disapproved, or that there is no inventory for', async () => {
    const { book, state } = await openGam();
    state.network.availableUnits = 1000;
    await expect(book(ORDER)).rejects.toThrow(OrderRefusedError);
    state.network.availableUnits = 1_000_000;
    const [order] = state.orders.values();
    if (order !== undefined) order.status = 'DISAPPROVED';
    await expect(book(ORDER)).rejects.toThrow(/disapproved/);
  });

  it('creates a line again that somebody deleted', async () => {
    const { adapter, book, foreign, state } = await openGam();
    await book(ORDER);
    state.lines.clear();
    const ids = foreign() ?? {};
    expect(await adapter.inspect?.([{ order: ORDER, foreign: ids }], { signal: SIGNAL })).toEqual([
      { media_buy_id: 'mb_1', packages: [] },
    ]);
    await book(ORDER);
    expect(state.lines.size).toBe(1);
    expect(state.creatives.size).toBe(1);
  });

  it('refuses what it has no terms for before it creates anything', async () => {
    const { book, state } = await openGam();
    await expect(book(orderWith({ targeting: { language: ['en'] } }))).rejects.toThrow(OrderRefusedError);
    await expect(book(orderWith({ adapter: { ad_units: ['1001'], sizes: ['728x90'] } }))).rejects.toThrow(/sizes/);
    await expect(book(orderWith({}, { currency: 'EUR' }))).rejects.toThrow(/USD/);
    expect(state.orders.size + state.companies.size).toBe(0);
  });
});

describe('bad weather', () => {
  /** Every request of a first booking that changes something. */
  const WRITES = [
    /companies$/,
    /orders:batchCreate/,
    /lineItems$/,
    /createCreatives/,
    /createLineItemCreativeAssociations/,
    /batchApprove/,
  ];

  it.each(WRITES.flatMap((on) => (['reset before', 'reset after'] as const).map((fault) => [on, fault] as const)))(
    'books once where %s has a connection that is %s',
    async (on, fault) => {
      const { book, fail, find, forget, state } = await openGam();
      const POST = new RegExp(`(POST|soap) .*${on.source}`);
      fail(POST, fault, fault, fault, fault);
      await book(ORDER).catch((error: unknown) => expect(error).toBeInstanceOf(UnknownOutcomeError));
      // Another process: what was not stored is looked for.
      forget();
      await find(ORDER);
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const isDone = await book(ORDER).then(
          () => true,
          (error: unknown) => void expect(error).toBeInstanceOf(UnknownOutcomeError),
        );
        if (isDone === true) break;
      }
      expect([...state.orders.values()].map(({ status }) => status)).toEqual(['APPROVED']);
      expect([state.companies.size, state.lines.size, state.creatives.size, state.associations.length]).toEqual([
        1, 1, 1, 1,
      ]);
    },
  );

  it.each([-2 * 3_600_000, 2 * 3_600_000])(
    'asks for a token by the clock of Google, which is %i ms ahead',
    async (skewMs) => {
      const { adapter, calls } = await openGam({}, skewMs);
      expect(await adapter.ping?.([], { signal: SIGNAL })).toMatchObject({ problems: [] });
      expect(calls.filter((call) => call === 'token')).toHaveLength(2);
    },
  );

  it('takes a new token for one that has ended', async () => {
    const { book, calls, expireTokens, state } = await openGam();
    await book(ORDER);
    expireTokens();
    await book(ORDER);
    expect(calls.filter((call) => call === 'token')).toHaveLength(2);
    expect(state.orders.size).toBe(1);
  });

  it('comes back later for what is too much', async () => {
    const { book, fail } = await openGam();
    fail(/orders:batchCreate/, { status: 429, headers: { 'retry-after': '30' } });
    await expect(book(ORDER)).rejects.toMatchObject({ name: 'RetryLaterError', retryAfterMs: 30_000 });
  });

  it('does not know what came of a write that a server failed at, or answered with a page', async () => {
    const { book, fail } = await openGam();
    fail(/orders:batchCreate/, { status: 503, isAfter: true });
    await expect(book(ORDER)).rejects.toThrow(UnknownOutcomeError);
    fail(/POST .*lineItems$/, 'html');
    await expect(book(ORDER)).rejects.toThrow(UnknownOutcomeError);
  });

  it('says that the version of the SOAP API is off', async () => {
    const { adapter, state } = await openGam();
    state.network.versions = ['v202611'];
    await expect(adapter.ping?.([], { signal: SIGNAL })).rejects.toThrow(/soap_version/);
  });
});

describe('checking, delivery and the connection', () => {
  it('objects to what cannot be had, with the member that is meant', async () => {
    const { adapter, state } = await openGam();
    const context = { booked: undefined, foreign: undefined, signal: SIGNAL };
    expect(await adapter.check?.(ORDER, context)).toEqual({ verdict: 'accepted' });
    state.network.availableUnits = 1000;
    expect(await adapter.check?.(ORDER, context)).toMatchObject({
      verdict: 'refused',
      package_id: 'pkg_1',
      field: 'budget',
    });
    expect(await adapter.check?.(orderWith({ targeting: { geo_countries: ['DE'] } }), context)).toMatchObject({
      verdict: 'refused',
      field: 'targeting_overlay.geo_countries',
      suggestion: expect.stringContaining('US'),
    });
    const question = { start_time: LINE.start_time, end_time: LINE.end_time, targeting: {} };
    const products = [{ product_id: 'front', adapter: LINE.adapter }];
    expect(await adapter.availability?.({ ...question, products }, { signal: SIGNAL })).toEqual([
      { product_id: 'front', unit: 'impressions', available: 1000 },
    ]);
  });

  it('reads the rows of a report once it is made, both days in, and starts another one for one that never ends', async () => {
    const { adapter, book, calls, foreign, state, time } = await openGam();
    await book(ORDER);
    const [lineItemId = ''] = state.lines.keys();
    const [creativeId = ''] = state.creatives.keys();
    for (const date of ['20300101', '20300102', '20300103', '20300104'])
      state.rows.push({ date, lineItemId, creativeId, impressions: 1000, clicks: 3 });
    state.rows.push({ date: '20300103', lineItemId, creativeId: '99', impressions: 50, clicks: 0 });
    state.rows.push({ date: '20300103', lineItemId: '98', creativeId: '99', impressions: 7, clicks: 0 });
    const request = {
      orders: [{ order: ORDER, foreign: foreign() ?? {} }],
      from_date: '2030-01-02',
      to_date: '2030-01-03',
    };
    state.network.reportPolls = Number.POSITIVE_INFINITY;
    const started = await adapter.delivery(request, { job: undefined, signal: SIGNAL });
    if (started.kind !== 'pending') return expect.fail();
    expect(await adapter.delivery(request, { job: started.job, signal: SIGNAL })).toMatchObject({
      kind: 'pending',
      job: started.job,
    });
    time.ms += DAY / 24;
    state.network.reportPolls = 1;
    const next = await adapter.delivery(request, { job: 'networks/777/operations/reports/runs/1@1', signal: SIGNAL });
    if (next.kind !== 'pending') return expect.fail();
    expect(next.job).not.toBe(started.job);
    expect(await adapter.delivery(request, { job: next.job, signal: SIGNAL })).toEqual({
      kind: 'rows',
      rows: [
        {
          package_id: 'pkg_1',
          creative_id: 'banner',
          date: '2030-01-02',
          impressions: 1000,
          clicks: 3,
          completed_views: 0,
        },
        { package_id: 'pkg_1', date: '2030-01-03', impressions: 1050, clicks: 3, completed_views: 0 },
      ],
    });
    expect(calls.filter((call) => call.endsWith('/reports'))).toHaveLength(2);
  });

  it('says which ids the network does not have, and inspects what is there', async () => {
    const { adapter, book, foreign, state } = await openGam({ geo_targets: { US: '2840', DE: '1' } });
    const products = [{ product_id: 'front', adapter: { ad_units: ['1001', '5'], sizes: ['300x250'] } }];
    expect(await adapter.ping?.(products, { signal: SIGNAL })).toMatchObject({
      network: 'network 777 (Kit)',
      currency: 'USD',
      time_zone: 'America/New_York',
      problems: [
        { message: expect.stringContaining('geoTargets/1') },
        { product_id: 'front', message: expect.stringContaining('adUnits/5') },
      ],
    });
    await book(ORDER);
    for (const line of state.lines.values()) line.isPaused = true;
    expect(await adapter.inspect?.([{ order: ORDER, foreign: foreign() ?? {} }], { signal: SIGNAL })).toMatchObject([
      { media_buy_id: 'mb_1', packages: [{ package_id: 'pkg_1', state: 'paused', goal: 80_000, price: 12.5 }] },
    ]);
  });

  it('lists what could be sold, in the sizes of its ad units', async () => {
    const { adapter } = await openGam();
    const products = (await adapter.products?.({ signal: SIGNAL })) ?? [];
    const sizes = ['300x250', '728x90'];
    const format_ids = ['display_300x250_image', 'display_728x90_image'];
    expect(products).toEqual([
      { product_id: 'placement_2001', name: 'All of sport', format_ids, adapter: { placements: ['2001'], sizes } },
      { product_id: 'ad_unit_1001', name: 'Front page', format_ids, adapter: { ad_units: ['1001'], sizes } },
    ]);
    expect(products.flatMap((product) => gamModule.judgeProduct?.(product) ?? [])).toEqual([]);
  });

  it('sees what people change of a line: where and for whom it runs, its price per day, its start, its creatives', async () => {
    const flat = orderWith({ price: { model: 'flat_rate', amount: 1000, kind: 'fixed' }, goal: undefined });
    const { adapter, book, foreign, fail, state } = await openGam();
    await book(flat);
    const drift = async () => {
      const asked = [{ order: flat, foreign: foreign() ?? {} }];
      const [found] = (await adapter.inspect?.(asked, { signal: SIGNAL })) ?? [];
      return describeDrift(findDrift(flat, found?.packages ?? [], START));
    };
    expect(await drift()).toBe('');
    const [line] = state.lines.values();
    const before = { ...line?.rest };
    const change = (members: object): void => void Object.assign(line?.rest ?? {}, before, members);
    change({ rate: { currencyCode: 'USD', units: '70', nanos: 0 } });
    expect(await drift()).toBe('pkg_1: price 700, booked 1000');
    change({ targeting: { inventoryTargeting: { targetedAdUnits: [{ adUnit: 'networks/777/adUnits/9' }] } } });
    expect(await drift()).toBe('pkg_1: targeting another, booked as ordered');
    change({ frequencyCaps: [{ maxImpressions: 1, timeAmount: 1, timeUnit: 'DAY' }] });
    expect(await drift()).toBe('pkg_1: targeting another, booked as ordered');
    change({ startTime: '2030-01-05T05:00:00Z' });
    expect(await drift()).toBe('pkg_1: start 2030-01-05T05:00:00Z, booked 2030-01-02T05:00:00Z');
    change({});
    for (const one of state.associations) one.status = 'INACTIVE';
    expect(await drift()).toBe('pkg_1: creatives none of them, booked banner');
    // Where SOAP is away, the rest is seen.
    fail(/soap/, ...Array.from({ length: 4 }, () => 'html' as const));
    expect(await drift()).toBe('');
  });
});
