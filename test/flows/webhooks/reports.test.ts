import { describe, expect, test } from 'vitest';
import { isoTime } from '../../../src/platform/kernel/clock.js';
import type { Window } from '../../../src/seller/adserver/delivered.js';
import { adServerWith, rowsOf, sellThroughAdServer } from '../../kit/ad-server.js';
import { type Booted, type BootOptions, boot } from '../../kit/boot.js';
import { createRequest, packageRequest, succeeded, updateRequest } from '../../kit/buyer.js';
import { eventsOf, pass, settle, verifierOf } from '../../kit/events.js';
import { type Receiver, startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { packageIds, type Shopper, shopper } from '../../kit/shopper.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, type TenantDraft, tenantsFolder } from '../../kit/tenants.js';
import type { WireMetrics } from '../../kit/wire.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CONTEXT = { trace: 'é-1', nested: { list: [1, null] } };

type Row = {
  readonly media_buy_id: string;
  readonly status: string;
  readonly totals: WireMetrics;
  readonly by_package: readonly WireMetrics[];
  readonly expected_availability?: string;
  readonly is_adjusted?: boolean;
};

/** A delivery whose numbers are closed, as the buyer reads it. */
type Finality = { readonly is_final?: boolean; readonly finalized_at?: string };
type Closed = Finality & { readonly totals: WireMetrics; readonly by_package: readonly (WireMetrics & Finality)[] };

/** What a report says. */
type ReportEvent = {
  readonly notification_type: string;
  readonly sequence_number: number;
  readonly next_expected_at?: string;
  readonly reporting_period: { readonly start: string; readonly end: string };
  readonly media_buy_deliveries: readonly Row[];
};

/** A seller, and a buyer's endpoint for reports. */
async function open(options: BootOptions = {}): Promise<{ server: Booted; receiver: Receiver; one: Shopper }> {
  const server = await boot(options);
  return { server, receiver: await startReceiver(), one: shopper(server) };
}

/** What a buyer registers for its reports. */
function registered({ url }: Pick<Receiver, 'url'>, reporting_frequency: string, more: object = {}) {
  return { reporting_webhook: { url: `${url}/reports`, reporting_frequency, ...more } };
}

const reportsOf = (receiver: Receiver) => receiver.posts.map(({ json }) => json.result as ReportEvent);

/** Each report as its kind and number, its period, when it came and when the next one is expected. */
const planOf = (receiver: Receiver) =>
  receiver.posts.map(({ json }) => {
    const { notification_type, sequence_number, reporting_period, next_expected_at } = json.result as ReportEvent;
    const { start, end } = reporting_period;
    return [sequence_number, notification_type, start, end, json.timestamp, next_expected_at];
  });

/** Returns the type and period of each report, without the time of sending. */
const periodsOf = (receiver: Receiver) =>
  reportsOf(receiver).map(({ notification_type, reporting_period: { start, end } }) => [notification_type, start, end]);

const rowOf = ({ media_buy_deliveries: [row] }: ReportEvent): Row => {
  if (row === undefined) throw new Error('the report is empty');
  return row;
};

/** The test product, with these frequencies. */
const frequencies =
  (...offered: readonly string[]) =>
  ({ products }: TenantDraft): void => {
    for (const product of products)
      Object.assign(product.reporting_capabilities as object, { available_reporting_frequencies: offered });
  };

/** The windows of a buy's delivery as the buyer reads them. */
async function windowsOf(one: Shopper, id: string, time_granularity: string, more: object = {}) {
  const delivery = await one.delivered(id, { time_granularity, include_window_breakdown: true, ...more });
  return delivery as typeof delivery & {
    readonly windows: readonly (Omit<Row, 'status' | 'media_buy_id'> & {
      readonly window_start: string;
      readonly window_end: string;
    })[];
  };
}

describe('reports', () => {
  test('by the hour follow the UTC clock, each when its numbers are there, and a last one has them all', async () => {
    const { server, receiver, one } = await open({ at: '2030-01-01T10:23:45Z' });
    const { media_buy_id: id } = await one.create({
      ...registered(receiver, 'hourly'),
      end_time: '2030-01-01T15:30:00Z',
      context: CONTEXT,
    });
    await pass(server, 2 * DAY, MINUTE * 15);
    const day = (time: string) => `2030-01-01T${time}Z`;
    expect(planOf(receiver).map((plan) => [...plan.slice(0, 4), plan[5]])).toEqual([
      [1, 'scheduled', day('10:23:45'), day('11:00:00'), day('13:00:00')],
      [2, 'scheduled', day('11:00:00'), day('12:00:00'), day('14:00:00')],
      [3, 'scheduled', day('12:00:00'), day('13:00:00'), day('15:00:00')],
      [4, 'scheduled', day('13:00:00'), day('14:00:00'), day('15:30:00')],
      // What is left of the flight is there with its end.
      [5, 'scheduled', day('14:00:00'), day('15:00:00'), day('15:38:45')],
      [6, 'scheduled', day('15:00:00'), day('15:30:00'), day('15:38:45')],
      [7, 'final', day('10:23:45'), day('15:30:00'), undefined],
    ]);
    // An hour after the period, at the first look at the clock.
    expect(receiver.posts.map(({ json }) => json.timestamp)).toEqual(
      ['12:08:45', '13:08:45', '14:08:45', '15:08:45', '15:38:45', '15:38:45', '15:38:45'].map(day),
    );
    const [first] = receiver.posts;
    if (first === undefined) throw new Error('nothing was posted');
    expect(first.json).toMatchObject({
      task_id: id,
      task_type: 'media_buy_delivery',
      operation_id: id,
      status: 'completed',
      context: CONTEXT,
    });
    expect(first.json).not.toHaveProperty('notification_id');
    expect(first.path).toBe('/reports');
    server.clock.set(day('12:08:45'));
    expect(await (await verifierOf(server))(first, receiver.url)).toMatchObject({ ok: true });
  });

  test.each([
    ['hourly', HOUR, 20],
    ['daily', DAY, 5],
    ['monthly', DAY, 5],
  ] as const)(
    '%s have the numbers that get_media_buy_delivery has for their windows, the last one included',
    async (frequency, step, count) => {
      const ends = { hourly: '2030-01-29T23:45:00Z', daily: '2030-02-01T18:00:00Z', monthly: '2030-04-10T00:00:00Z' };
      const tenants = tenantsFolder(frequencies('hourly', 'daily', 'monthly'));
      const { server, receiver, one } = await open({ at: '2030-01-29T05:30:00Z', tenants });
      const packages = [packageRequest(), packageRequest({ pricing_option_id: 'auction', bid_price: 3, budget: 400 })];
      const { media_buy_id: id } = await one.create({
        ...registered(receiver, frequency),
        end_time: ends[frequency],
        packages,
      });
      await pass(server, Date.parse(ends[frequency]) - server.clock.now() + DAY, step);
      const results = reportsOf(receiver);
      expect(results).toHaveLength(count);
      expect(results.map((report) => report.sequence_number)).toEqual(results.map((_report, at) => at + 1));
      const last = results.at(-1);
      const delivery = await windowsOf(one, id, frequency);
      expect(delivery.windows).toHaveLength(results.length - 1);
      for (const [at, report] of results.slice(0, -1).entries()) {
        const { window_start, window_end, ...numbers } = delivery.windows[at] ?? expect.fail('a window is missing');
        expect({ start: window_start, end: window_end }).toEqual(report.reporting_period);
        expect(numbers.totals.impressions).toBeGreaterThan(0);
        const status = at < results.length - 2 ? expect.stringMatching(/^(active|completed)$/) : 'completed';
        expect(rowOf(report)).toEqual({ media_buy_id: id, status, ...numbers });
      }
      expect(last?.notification_type).toBe('final');
      const { totals, by_package: shown, finalized_at } = (await one.delivered(id)) as Closed;
      expect(shown.map((row) => [row.is_final, row.finalized_at])).toEqual(shown.map(() => [true, finalized_at]));
      // Rows by creative are for who asks.
      const by_package = shown.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'by_creative')),
      );
      expect(last && rowOf(last)).toEqual({
        media_buy_id: id,
        status: 'completed',
        is_final: true,
        finalized_at,
        totals,
        by_package,
      });
      expect(JSON.stringify(results)).not.toContain('aggregated_totals');
    },
  );

  test('have the metrics that were asked for, and what every report has', async () => {
    const { server, receiver, one } = await open();
    const { media_buy_id: some } = await one.create(
      registered(receiver, 'daily', { requested_metrics: ['clicks', 'viewability'] }),
    );
    const { media_buy_id: every } = await one.create(registered(receiver, 'daily'));
    await pass(server, 2 * DAY, DAY);
    // Reports of different buys come in no order.
    const rows = reportsOf(receiver).map(rowOf);
    const [asked, all] = [some, every].map((id) => rows.find((row) => row.media_buy_id === id));
    const always = ['package_id', 'impressions', 'spend', 'pricing_model', 'rate', 'currency', 'paused'];
    const state = ['pacing_index', 'delivery_status'];
    expect(Object.keys(asked?.by_package[0] ?? {}).toSorted()).toEqual(
      [...always, ...state, 'clicks', 'viewability'].toSorted(),
    );
    expect(Object.keys(asked?.totals ?? {}).toSorted()).toEqual(['clicks', 'impressions', 'spend']);
    expect(Object.keys(all?.by_package[0] ?? {})).toEqual(expect.arrayContaining(['ctr', 'clicks', 'viewability']));
    // The product declares no views.
    expect(all?.by_package[0]).not.toHaveProperty('views');
  });

  test('go where reporting_webhook says and nowhere else, and what becomes of the buy where push_notification_config says', async () => {
    const { server, receiver, one } = await open({ at: '2030-01-01T10:00:00Z' });
    const push_notification_config = { url: `${receiver.url}/changes`, operation_id: 'op-changes' };
    await one.create({ ...registered(receiver, 'hourly'), push_notification_config, end_time: '2030-01-01T12:00:00Z' });
    await pass(server, 6 * HOUR, MINUTE * 15);
    const typesAt = (path: string) =>
      new Set(receiver.posts.filter((post) => post.path === path).map(({ json }) => json.task_type));
    expect(typesAt('/reports')).toEqual(new Set(['media_buy_delivery']));
    expect(typesAt('/changes')).toEqual(new Set(['update_media_buy']));
  });

  test('of a buy that does not run say so, with zeros', async () => {
    const { server, receiver, one } = await open();
    const { media_buy_id: id } = await one.create(registered(receiver, 'daily'));
    await one.update(id, { paused: true });
    await pass(server, 2 * DAY, DAY);
    expect(reportsOf(receiver).map(rowOf)).toMatchObject([{ status: 'paused', totals: { impressions: 0, spend: 0 } }]);
  });

  test.each((['3.0', '3.1'] as const).filter(hasSchemas))('are valid in %s', async (release) => {
    const { server, receiver } = await open();
    const request = createRequest({ ...registered(receiver, 'daily'), end_time: '2030-01-03T12:00:00Z' });
    succeeded(await server.call('create_media_buy', request, { version: release }));
    await pass(server, 5 * DAY, HOUR);
    expect(reportsOf(receiver).map((report) => report.notification_type)).toEqual([
      'scheduled',
      'scheduled',
      'scheduled',
      'final',
    ]);
    const judge = schemaJudge(release);
    const result = { '3.0': 'get-media-buy-delivery-response', '3.1': 'media-buy-delivery-webhook-result' }[release];
    for (const { json } of receiver.posts) {
      expect(judge(`media-buy/${result}`, json.result)).toEqual([]);
      const faults = judge('core/mcp-webhook-payload', json);
      // The list of task types of 3.0 has no name for reports; its clients know this one.
      expect(faults.filter((fault) => release === '3.1' || !fault.startsWith('/task_type '))).toEqual([]);
    }
  });
});

describe('reports of a product in another time zone', () => {
  const zone = (timezone: string) => (tenant: TenantDraft) => {
    frequencies('hourly', 'daily', 'monthly')(tenant);
    for (const product of tenant.products)
      Object.assign(product.reporting_capabilities as object, {
        timezone,
        windowed_pull_granularities: ['hourly', 'daily', 'monthly'],
      });
  };

  test.each([
    ['Europe/Berlin', '2030-10-25T10:00:00Z', ['2030-10-25T22:00:00Z', '2030-10-26T22:00:00Z', '2030-10-27T23:00:00Z']],
    ['America/New_York', '2030-03-09T12:00:00Z', ['2030-03-10T05:00:00Z', '2030-03-11T04:00:00Z']],
  ])(
    'of %s have its days, those of 23 and 25 hours too, and the windows that are pulled are the same',
    async (name, at, cuts) => {
      const { server, receiver, one } = await open({ at, tenants: tenantsFolder(zone(name)) });
      const end_time = isoTime(Date.parse(cuts.at(-1) ?? '') + 12 * HOUR);
      const { media_buy_id: id } = await one.create({ ...registered(receiver, 'daily'), end_time });
      await pass(server, 6 * DAY, HOUR);
      const edges = [at, ...cuts, end_time];
      const days = edges.slice(1).map((end, index) => [edges[index], end]);
      expect(periodsOf(receiver)).toEqual([
        ...days.map(([start, end]) => ['scheduled', start, end]),
        ['final', at, end_time],
      ]);
      const { windows } = await windowsOf(one, id, 'daily');
      expect(windows.map(({ window_start, window_end }) => [window_start, window_end])).toEqual(days);
      const numbers = reportsOf(receiver).slice(0, -1);
      expect(numbers.map((report) => rowOf(report).totals)).toEqual(windows.map(({ totals }) => totals));
    },
  );
});

describe('registering', () => {
  test('late begins with the period it falls in', async () => {
    const { server, receiver, one } = await open();
    const { media_buy_id: id } = await one.create();
    await pass(server, 5 * DAY + 7 * HOUR);
    await one.update(id, registered(receiver, 'daily'));
    await pass(server, 2 * DAY, HOUR);
    expect(periodsOf(receiver)).toEqual([
      ['scheduled', '2030-01-06T00:00:00Z', '2030-01-07T00:00:00Z'],
      ['scheduled', '2030-01-07T00:00:00Z', '2030-01-08T00:00:00Z'],
    ]);
  });

  test('anew with another frequency and address goes on where the last report ended', async () => {
    const { server, receiver: old, one } = await open();
    const fresh = await startReceiver();
    const { media_buy_id: id } = await one.create(registered(old, 'daily'));
    await pass(server, DAY + 2 * HOUR, HOUR);
    await one.update(id, registered(fresh, 'hourly', { token: 't'.repeat(16) }));
    await pass(server, 2 * HOUR, HOUR);
    expect(periodsOf(old)).toEqual([['scheduled', '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z']]);
    const hour = (at: number) => `2030-01-02T0${at}:00:00Z`;
    expect(periodsOf(fresh)).toEqual([0, 1, 2].map((at) => ['scheduled', hour(at), hour(at + 1)]));
    expect(reportsOf(fresh).map((report) => report.sequence_number)).toEqual([2, 3, 4]);
    expect(fresh.posts.map(({ json }) => json.token)).toEqual([0, 1, 2].map(() => 't'.repeat(16)));
  });

  test('asks for what every product sends', async () => {
    const { server, receiver, one } = await open();
    const daily = { product_id: 'northlight_native_stories', pricing_option_id: 'cpc_fixed', budget: 300 };
    const weekly = registered(receiver, 'weekly');
    const table = [
      [registered(receiver, 'monthly'), 'reporting_webhook.reporting_frequency', 'UNSUPPORTED_FEATURE'],
      [weekly, 'reporting_webhook.reporting_frequency', 'INVALID_REQUEST'],
      [
        registered(receiver, 'daily', { requested_metrics: ['spend', 'clicks', 'leads'] }),
        'reporting_webhook.requested_metrics[2]',
        'UNSUPPORTED_FEATURE',
      ],
    ] as const;
    const { media_buy_id: id } = await one.create();
    for (const [given, field, code] of table) {
      for (const [tool, request] of [
        ['create_media_buy', createRequest({ ...given, packages: [packageRequest(), daily] })],
        ['update_media_buy', updateRequest(id, given)],
      ] as const) {
        const { payload } = await one.call(tool, request);
        expect(payload.errors).toMatchObject([{ code, field, suggestion: expect.any(String) }]);
      }
    }
    expect((await one.read(id)).revision).toBe(1);
    await pass(server, 3 * DAY, DAY);
    expect(await eventsOf(server)).toEqual([]);
    // Metrics of one of several products are reported where they are.
    await one.create({
      ...registered(receiver, 'hourly', { requested_metrics: ['cost_per_click', 'viewability'] }),
      packages: [packageRequest(), daily],
    });
  });

  test('is refused for a package that is added later and cannot be reported as often', async () => {
    const { receiver, one } = await open();
    const { media_buy_id: id } = await one.create(registered(receiver, 'hourly'));
    const takeover = {
      product_id: 'northlight_homepage_takeover',
      pricing_option_id: 'day_flat',
      budget: 18_000,
      start_time: '2030-01-20T00:00:00Z',
      end_time: '2030-01-21T00:00:00Z',
    };
    const added = updateRequest(id, { new_packages: [packageRequest(), takeover] });
    expect((await one.call('update_media_buy', added)).payload.errors).toMatchObject([
      { code: 'UNSUPPORTED_FEATURE', field: 'new_packages[1].product_id', suggestion: expect.any(String) },
    ]);
    // Reports that every product can make are registered in the same change.
    const daily = updateRequest(id, { new_packages: [takeover], ...registered(receiver, 'daily') });
    expect((await one.call('update_media_buy', daily)).isError).toBe(false);
  });

  test('is refused for a product without reports by webhook, with what to do', async () => {
    const tenants = tenantsFolder(({ products }) => {
      for (const product of products)
        Object.assign(product.reporting_capabilities as object, { supports_webhooks: false });
    });
    const { receiver, one } = await open({ tenants });
    const { payload } = await one.call('create_media_buy', createRequest(registered(receiver, 'daily')));
    expect(payload.errors).toMatchObject([
      { code: 'UNSUPPORTED_FEATURE', suggestion: expect.stringMatching(/get_media_buy_delivery/) },
    ]);
  });
});

describe('a flight that changes', () => {
  test('takes its first report along when it starts earlier or later', async () => {
    const { server, receiver, one } = await open();
    const flight = { start_time: '2030-01-10T06:00:00Z', end_time: '2030-01-31T00:00:00Z' };
    const early = await one.create({ ...registered(receiver, 'daily'), ...flight });
    await pass(server, DAY);
    await one.update(early.media_buy_id, { start_time: 'asap' });
    await pass(server, DAY + 2 * HOUR, HOUR);
    expect(periodsOf(receiver)).toEqual([['scheduled', '2030-01-02T00:00:00Z', '2030-01-03T00:00:00Z']]);
    await one.update(early.media_buy_id, { canceled: true });
    await settle(server);

    const before = receiver.posts.length;
    const late = await one.create({ ...registered(receiver, 'daily'), ...flight });
    await one.update(late.media_buy_id, { start_time: '2030-01-12T18:00:00Z' });
    server.clock.set('2030-01-13T01:00:00Z');
    await settle(server);
    expect(periodsOf(receiver).slice(before)).toEqual([['scheduled', '2030-01-12T18:00:00Z', '2030-01-13T00:00:00Z']]);
  });

  test('or is canceled ends with the report of its last hours and the final one, at once', async () => {
    const { server, receiver, one } = await open();
    const { media_buy_id: id } = await one.create(registered(receiver, 'daily'));
    await pass(server, 2 * DAY + 12 * HOUR, HOUR);
    await one.update(id, { canceled: true });
    await settle(server);
    expect(periodsOf(receiver)).toEqual([
      ['scheduled', '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'],
      ['scheduled', '2030-01-02T00:00:00Z', '2030-01-03T00:00:00Z'],
      ['scheduled', '2030-01-03T00:00:00Z', '2030-01-03T12:00:00Z'],
      ['final', '2030-01-01T00:00:00Z', '2030-01-03T12:00:00Z'],
    ]);
    const sum = (reports: readonly ReportEvent[]) =>
      reports.reduce((total, report) => total + (rowOf(report).totals.impressions ?? 0), 0);
    expect(sum(reportsOf(receiver).slice(0, -1))).toBe(sum(reportsOf(receiver).slice(-1)));
    const [last] = reportsOf(receiver).slice(-1);
    const { totals } = await one.delivered(id);
    expect(last && rowOf(last)).toMatchObject({ status: 'canceled', totals });
    await pass(server, 40 * DAY, DAY);
    expect(receiver.posts).toHaveLength(4);
  });

  test('or never begins has a final report of nothing', async () => {
    const { server, receiver, one } = await open();
    const start_time = '2030-01-10T00:00:00Z';
    const { media_buy_id: id } = await one.create({ ...registered(receiver, 'daily'), start_time });
    await pass(server, DAY);
    await one.update(id, { canceled: true });
    await settle(server);
    await pass(server, 20 * DAY, DAY);
    expect(planOf(receiver)).toEqual([
      [1, 'final', '2030-01-02T00:00:00Z', '2030-01-02T00:00:00Z', '2030-01-02T00:00:00Z', undefined],
    ]);
    expect(reportsOf(receiver).map(rowOf)).toMatchObject([
      { status: 'canceled', totals: { impressions: 0, spend: 0 } },
    ]);
  });
});

describe('after a downtime', () => {
  test('every period that was missed is told, in order, as it would have been', async () => {
    const [{ server, receiver, one }, twin] = [await open(), await open()];
    await one.create(registered(receiver, 'daily'));
    await twin.one.create(registered(twin.receiver, 'daily'));
    await pass(server, DAY + 2 * HOUR, HOUR);
    await server.close();
    server.clock.advance(5 * DAY);
    await server.restart();
    await settle(server);
    await pass(twin.server, 6 * DAY + 2 * HOUR, HOUR);
    expect(periodsOf(receiver)).toHaveLength(6);
    expect(periodsOf(receiver).toSorted()).toEqual(periodsOf(twin.receiver).toSorted());
    const numbers = (reports: readonly ReportEvent[]) =>
      reports.map((report) => [report.sequence_number, rowOf(report).totals] as const).toSorted(([a], [b]) => a - b);
    expect(numbers(reportsOf(receiver))).toEqual(numbers(reportsOf(twin.receiver)));
    // No report promises another one for a time that has passed.
    for (const { json } of receiver.posts)
      expect(Date.parse(String((json.result as ReportEvent).next_expected_at))).toBeGreaterThanOrEqual(
        Date.parse(String(json.timestamp)),
      );
  });

  test('over the end of the buy every period is told, and the final report has all of it', async () => {
    const { server, receiver, one } = await open();
    const { media_buy_id: id } = await one.create(registered(receiver, 'daily'));
    await pass(server, DAY + 2 * HOUR, HOUR);
    await server.close();
    server.clock.advance(60 * DAY);
    await server.restart();
    await pass(server, HOUR, MINUTE);
    const sorted = reportsOf(receiver).toSorted((a, b) => a.sequence_number - b.sequence_number);
    expect(sorted.map((report) => [report.sequence_number, report.notification_type])).toEqual([
      ...Array.from({ length: 30 }, (_, at) => [at + 1, 'scheduled']),
      [31, 'final'],
    ]);
    const [last] = sorted.slice(-1);
    const { totals } = await one.delivered(id);
    expect(last && rowOf(last).totals).toEqual(totals);
  });

  test('a report that cannot be sent holds up no other, and is tried again', async () => {
    const { server, receiver, one } = await open();
    const [broken, well] = [
      await one.create(registered(receiver, 'daily')),
      await one.create(registered(receiver, 'daily')),
    ];
    await pass(server, DAY);
    const { outbox } = server.server().app;
    const { post } = outbox;
    Object.assign(outbox, {
      post: (...given: Parameters<typeof post>) =>
        given[1].mediaBuyId === broken.media_buy_id ? Promise.reject(new Error('no room')) : post(...given),
    });
    await pass(server, HOUR);
    const heard = () => reportsOf(receiver).map((report) => rowOf(report).media_buy_id);
    expect(heard()).toEqual([well.media_buy_id]);
    expect(server.log.some(({ level, text }) => level === 'error' && text.includes(broken.media_buy_id))).toBe(true);
    Object.assign(outbox, { post });
    await pass(server, MINUTE);
    expect(heard()).toEqual([well.media_buy_id, broken.media_buy_id]);
  });
});

describe('with an ad server of the seller', () => {
  /** Numbers of a window, per package; undefined where the ad server has none yet. */
  type Count = (window: Window) => number | undefined;

  /** A live buy with daily reports whose numbers come from `count`. */
  async function openLive(count: Count) {
    const receiver = await startReceiver();
    const state = { count };
    const adServer = adServerWith({
      delivery: async (request) => ({
        kind: 'rows',
        rows: rowsOf(request, (fromMs) => {
          const impressions = state.count({ fromMs, toMs: fromMs + DAY });
          if (impressions === undefined) throw new Error('the numbers are not in yet');
          return { impressions, spend: impressions / 200 };
        }),
      }),
    });
    const tenants = tenantsFolder((tenant) => {
      sellThroughAdServer(tenant);
      // A live buyer may name no loopback address; this host stands for one.
      tenant.outbound = { resolve: { 'reports.buyer.example': receiver.url } };
    });
    const server = await boot({ tenants, adServer });
    const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
    const bought = await live.create(registered({ url: 'https://reports.buyer.example' }, 'daily'));
    await settle(server);
    return { server, receiver, live, id: bought.media_buy_id, lines: packageIds(bought), state };
  }

  test('numbers that are late are announced, again when a promise is not kept, and told when they come', async () => {
    const { server, receiver, id, state } = await openLive(() => undefined);
    await pass(server, DAY + HOUR, HOUR);
    await pass(server, 3 * HOUR, MINUTE * 5);
    expect(planOf(receiver)).toEqual([
      [1, 'delayed', '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z', '2030-01-02T01:00:00Z', '2030-01-02T01:15:00Z'],
      [2, 'delayed', '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z', '2030-01-02T01:15:00Z', '2030-01-02T02:15:00Z'],
      [3, 'delayed', '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z', '2030-01-02T02:15:00Z', '2030-01-02T06:15:00Z'],
    ]);
    expect(reportsOf(receiver).slice(0, 1)).toMatchObject([
      {
        partial_data: true,
        unavailable_count: 1,
        media_buy_deliveries: [
          {
            media_buy_id: id,
            status: 'reporting_delayed',
            totals: { impressions: 0, spend: 0 },
            by_package: [],
            expected_availability: '2030-01-02T01:15:00Z',
          },
        ],
      },
    ]);
    if (hasSchemas('3.1'))
      expect(schemaJudge('3.1')('media-buy/media-buy-delivery-webhook-result', reportsOf(receiver)[0])).toEqual([]);
    state.count = () => 4000;
    await pass(server, 15 * MINUTE, MINUTE);
    await pass(server, DAY, HOUR);
    expect(periodsOf(receiver).slice(3)).toEqual([
      ['scheduled', '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'],
      ['scheduled', '2030-01-02T00:00:00Z', '2030-01-03T00:00:00Z'],
    ]);
    expect(reportsOf(receiver).map((report) => report.sequence_number)).toEqual([1, 2, 3, 4, 5]);
  });

  test('numbers that have changed enough are sent again, of whichever period, before the next ones', async () => {
    const { server, receiver, state } = await openLive(() => 4000);
    await pass(server, DAY + HOUR, HOUR);
    // 1 % more is no news, 3 % are.
    state.count = ({ fromMs }) => (fromMs === Date.parse('2030-01-01T00:00:00Z') ? 4030 : 5000);
    await pass(server, DAY, HOUR);
    const third: Count = ({ fromMs }) =>
      ({ '2030-01-01T00:00:00Z': 4030, '2030-01-02T00:00:00Z': 5150 })[isoTime(fromMs)] ?? 6000;
    state.count = third;
    await pass(server, DAY, HOUR);
    // The first day, two reports later, by a half.
    state.count = (window) => (isoTime(window.fromMs) === '2030-01-01T00:00:00Z' ? 6000 : third(window));
    await pass(server, DAY, HOUR);
    const sorted = reportsOf(receiver).toSorted((a, b) => a.sequence_number - b.sequence_number);
    expect(
      sorted.map(({ notification_type, reporting_period, media_buy_deliveries: [row] }) => [
        notification_type,
        reporting_period.start.slice(0, 10),
        row?.totals.impressions,
        row?.is_adjusted,
      ]),
    ).toEqual([
      ['scheduled', '2030-01-01', 4000, undefined],
      ['scheduled', '2030-01-02', 5000, undefined],
      ['adjusted', '2030-01-02', 5150, true],
      ['scheduled', '2030-01-03', 6000, undefined],
      ['adjusted', '2030-01-01', 6000, true],
      ['scheduled', '2030-01-04', 6000, undefined],
    ]);
    if (hasSchemas('3.1'))
      for (const { json } of receiver.posts)
        expect(schemaJudge('3.1')('media-buy/media-buy-delivery-webhook-result', json.result)).toEqual([]);
  });

  test('the last reports wait until the numbers are there, and nothing else comes after the end', async () => {
    const { server, receiver, live, id, state } = await openLive(() => 4000);
    await pass(server, 11 * HOUR);
    // The numbers of the end are not there yet.
    state.count = () => undefined;
    await pass(server, HOUR);
    await live.update(id, { canceled: true });
    await pass(server, 59 * MINUTE, MINUTE);
    expect(receiver.posts).toEqual([]);
    await pass(server, MINUTE);
    expect(receiver.posts).toEqual([]);
    state.count = () => 4321;
    await pass(server, 20 * MINUTE, MINUTE);
    expect(periodsOf(receiver)).toEqual([
      ['scheduled', '2030-01-01T00:00:00Z', '2030-01-01T12:00:00Z'],
      ['final', '2030-01-01T00:00:00Z', '2030-01-01T12:00:00Z'],
    ]);
    expect(reportsOf(receiver).map(rowOf)).toMatchObject([
      { status: 'canceled', totals: { impressions: 4321 } },
      { status: 'canceled', totals: { impressions: 4321 } },
    ]);
    await pass(server, 40 * DAY, DAY);
    expect(receiver.posts).toHaveLength(2);
  });
});
