import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, freshKey, KIT_TOKEN, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';

const NEW = { version: '3.1' } as const;
const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const CLICKS = 'northlight_ros_display';
const CONVERSIONS = 'northlight_native_stories';
const VIDEO = 'northlight_preroll';
const SOURCE = { event_source_id: 'shop', event_type: 'purchase', value_field: 'value' };

let app: Booted;
beforeAll(async () => {
  app = await boot();
  succeeded(
    await app.call('sync_event_sources', {
      idempotency_key: freshKey(),
      account: ACCOUNT,
      event_sources: [{ event_source_id: 'shop', event_types: ['purchase'] }],
    }),
  );
});

const PRICES: Readonly<Record<string, object>> = {
  [CLICKS]: { product_id: CLICKS, pricing_option_id: 'vcpm_fixed', budget: 3000 },
  [CONVERSIONS]: { product_id: CONVERSIONS, pricing_option_id: 'cpc_fixed', budget: 3000 },
  [VIDEO]: { product_id: VIDEO, pricing_option_id: 'cpm_fixed', budget: 20_000 },
};

const DAY = 86_400_000;
type Row = Readonly<Record<string, number>>;

const order = async (product: string, goals: readonly object[], changes: object = {}) =>
  app.call(
    'create_media_buy',
    createRequest({ packages: [{ ...PRICES[product], optimization_goals: goals, ...changes }] }),
    NEW,
  );

/** Buys with goals, and returns what was delivered when the flight is over. */
const delivered = async (product: string, goals: readonly object[], changes: object = {}): Promise<Row> => {
  const { media_buy_id: id } = succeeded(await order(product, goals, changes));
  app.clock.advance(10 * DAY);
  const answer = succeeded(await app.call('get_media_buy_delivery', { account: ACCOUNT, media_buy_ids: [id] }, NEW));
  if (hasSchemas('3.1')) expect(schemaJudge('3.1')('media-buy/get-media-buy-delivery-response', answer)).toEqual([]);
  app.clock.advance(-10 * DAY);
  const [{ by_package }] = answer.media_buy_deliveries as unknown as readonly [{ by_package: readonly Row[] }];
  return by_package[0] as Row;
};

describe('what a seller declares', () => {
  test('is the same in its products and its capabilities, in the shapes of both releases', async () => {
    const { payload: capabilities } = await app.call('get_adcp_capabilities', {}, NEW);
    const { payload } = await app.call('get_products', { buying_mode: 'wholesale' }, NEW);
    const products = payload.products as unknown as readonly {
      product_id: string;
      metric_optimization?: { supported_metrics: readonly string[] };
    }[];
    const metrics = new Set(products.flatMap((product) => product.metric_optimization?.supported_metrics ?? []));
    expect(capabilities.media_buy).toMatchObject({
      supported_optimization_metrics: [...metrics],
      conversion_tracking: { supported_targets: ['cost_per', 'per_ad_spend', 'maximize_value'] },
      frequency_capping: {
        supported_per_units: ['individuals', 'households'],
        supported_window_units: ['seconds', 'minutes', 'hours', 'days', 'campaign'],
      },
    });
    expect([...metrics].sort()).toEqual(['clicks', 'completed_views', 'reach']);
    expect(products.find(({ product_id }) => product_id === VIDEO)?.metric_optimization).toMatchObject({
      supported_reach_units: ['individuals'],
    });
    for (const release of ['3.0', '3.1'] as const) {
      if (!hasSchemas(release)) continue;
      const shown = await app.call('get_products', { buying_mode: 'wholesale', adcp_version: release });
      expect(schemaJudge(release)('media-buy/get-products-response', shown.payload)).toEqual([]);
      const told = await app.call('get_adcp_capabilities', { adcp_version: release });
      expect(schemaJudge(release)('protocol/get-adcp-capabilities-response', told.payload)).toEqual([]);
    }
  });

  test.each([
    { what: 'a metric', product: CLICKS, goal: { kind: 'metric', metric: 'completed_views' }, at: 'metric' },
    { what: 'a kind', product: CLICKS, goal: { kind: 'event', event_sources: [SOURCE] }, at: 'kind' },
    { what: 'a metric of a vendor', product: CLICKS, goal: { kind: 'vendor_metric' }, at: 'kind' },
    {
      what: 'a target',
      product: CONVERSIONS,
      goal: { kind: 'metric', metric: 'clicks', target: { kind: 'cost_per', value: 1 } },
      at: 'target.kind',
    },
    {
      what: 'a unit of reach',
      product: VIDEO,
      goal: { kind: 'metric', metric: 'reach', reach_unit: 'cookies' },
      at: 'reach_unit',
    },
  ])('bounds goals: $what that is not declared is refused with what is', async ({ product, goal, at }) => {
    const { payload, isError } = await order(product, [goal]);
    expect(isError).toBe(true);
    expect(payload.errors).toMatchObject([
      {
        code: 'UNSUPPORTED_FEATURE',
        field: `packages[0].optimization_goals[0].${at}`,
        details: { allowed_values: expect.any(Array) },
      },
    ]);
  });

  test.each([
    { product: VIDEO, goal: { kind: 'metric', metric: 'completed_views', view_duration_seconds: 6 } },
    { product: CONVERSIONS, goal: { kind: 'event', event_sources: [SOURCE], attribution_window: {} } },
    { product: CLICKS, goal: { kind: 'vendor_metric', vendor: { domain: 'attention.example' } } },
  ])('bounds goals by what no product declares: $goal', async ({ product, goal }) => {
    const at = Object.keys(goal).at(-1);
    const [error] = (await order(product, [goal])).payload.errors ?? [];
    expect(error).toMatchObject({ code: 'UNSUPPORTED_FEATURE', field: `packages[0].optimization_goals[0].${at}` });
  });

  test('bounds how many goals a package has, and each metric is one goal', async () => {
    const views = { kind: 'metric', metric: 'completed_views' };
    const reach = { kind: 'metric', metric: 'reach', reach_unit: 'individuals' };
    expect((await order(VIDEO, [views, reach])).payload.errors).toMatchObject([
      { code: 'UNSUPPORTED_FEATURE', field: 'packages[0].optimization_goals', details: { max_optimization_goals: 1 } },
    ]);
    const clicks = { kind: 'metric', metric: 'clicks' };
    expect((await order(CLICKS, [clicks, clicks])).payload.errors).toMatchObject([{ code: 'INVALID_REQUEST' }]);
  });
});

describe('a goal of a metric', () => {
  test('brings more of it for the budget, and is shown with its package', async () => {
    const plain = await delivered(CLICKS, []);
    const steered = await delivered(CLICKS, [{ kind: 'metric', metric: 'clicks' }]);
    expect((steered.impressions ?? 0) / (plain.impressions ?? 1)).toBeCloseTo(1, 2);
    expect(steered.clicks).toBeGreaterThan((plain.clicks ?? 0) * 1.5);
    const goals = [{ kind: 'metric', metric: 'clicks', priority: 3 }];
    const { media_buy_id: id } = succeeded(await order(CLICKS, goals));
    const shown = await app.call('get_media_buys', { account: ACCOUNT, media_buy_ids: [id] }, NEW);
    expect(shown.payload.media_buys).toMatchObject([{ packages: [{ optimization_goals: goals }] }]);
    expect(shown.payload.media_buys).not.toMatchObject([{ packages: [{ steering: expect.anything() }] }]);
  });

  test('is taken away by an empty list, which no answer shows', async () => {
    const nothing = { targeting_overlay: { geo_countries: [] }, ext: { mine: [] } };
    const judge = hasSchemas('3.1') ? schemaJudge('3.1') : () => [];
    const created = succeeded(await order(CLICKS, [], { ...nothing, performance_standards: [] }));
    expect(judge('media-buy/create-media-buy-response', created)).toEqual([]);
    expect(created.packages).toMatchObject([{ ext: { mine: [] } }]);
    const steered = [{ ...PRICES[CLICKS], optimization_goals: [{ kind: 'metric', metric: 'clicks' }] }];
    const later = createRequest({ start_time: '2030-01-10T00:00:00Z', packages: steered });
    const { media_buy_id, packages } = succeeded(await app.call('create_media_buy', later, NEW));
    const [{ package_id }] = packages as unknown as readonly [{ package_id: string }];
    const change = { package_id, optimization_goals: [], ...nothing };
    const updated = succeeded(
      await app.call('update_media_buy', updateRequest(media_buy_id, { packages: [change] }), NEW),
    );
    expect(judge('media-buy/update-media-buy-response', updated)).toEqual([]);
    const read = succeeded(await app.call('get_media_buys', { account: ACCOUNT, media_buy_ids: [media_buy_id] }, NEW));
    expect(judge('media-buy/get-media-buys-response', read)).toEqual([]);
    for (const shown of [created, updated, read]) {
      expect(JSON.stringify(shown)).not.toMatch(/optimization_goals|performance_standards|geo_countries/);
    }
  });

  test('meets a cost that was asked for, and refuses one that the product cannot meet', async () => {
    const target = (value: number) => [{ kind: 'metric', metric: 'clicks', target: { kind: 'cost_per', value } }];
    const row = await delivered(CLICKS, target(1.5));
    expect((row.spend ?? 0) / (row.clicks ?? 0)).toBeLessThanOrEqual(1.505);
    const { payload } = await order(CLICKS, target(0.1));
    expect(payload.errors).toMatchObject([
      { code: 'TERMS_REJECTED', field: 'packages[0].optimization_goals[0].target.value' },
    ]);
    const [{ details }] = payload.errors as unknown as readonly [{ details: { limit: number } }];
    expect((await order(CLICKS, target(details.limit))).isError).toBe(false);
  });

  test('meets a rate per impression', async () => {
    const goal = { kind: 'metric', metric: 'completed_views', target: { kind: 'threshold_rate', value: 0.9 } };
    const row = await delivered(VIDEO, [goal]);
    expect(row.completion_rate).toBeGreaterThanOrEqual(0.8999);
    const above = { ...goal, target: { kind: 'threshold_rate', value: 1.1 } };
    expect((await order(VIDEO, [above])).payload.errors).toMatchObject([
      { code: 'TERMS_REJECTED', details: { limit: 1 } },
    ]);
  });

  test('of reach finds people who were not reached, within the band of frequency that was asked for', async () => {
    const reach = { kind: 'metric', metric: 'reach', reach_unit: 'individuals' };
    const plain = await delivered(VIDEO, []);
    const fresh = await delivered(VIDEO, [reach]);
    expect(fresh.reach).toBeGreaterThan(plain.reach ?? 0);
    const band = { min: 3, max: 4, window: { interval: 1, unit: 'campaign' } };
    const again = await delivered(VIDEO, [{ ...reach, target_frequency: band }]);
    const frequency = (again.impressions ?? 0) / (again.reach ?? 0);
    expect(frequency).toBeGreaterThanOrEqual(2.99);
    expect(frequency).toBeLessThanOrEqual(4);
    expect((await order(VIDEO, [{ kind: 'metric', metric: 'reach' }])).payload.errors).toMatchObject([
      { code: 'INVALID_REQUEST', field: 'packages[0].optimization_goals[0].reach_unit' },
    ]);
  });
});

describe('a goal of events', () => {
  const goal = (changes: object = {}) => [{ kind: 'event', event_sources: [SOURCE], ...changes }];

  test('brings more conversions, with what they cost and are worth', async () => {
    const plain = await delivered(CONVERSIONS, []);
    const steered = await delivered(CONVERSIONS, goal());
    expect(steered.conversions).toBeGreaterThan(plain.conversions ?? 0);
    expect(steered.conversion_value).toBe((steered.conversions ?? 0) * 65);
    expect(steered.roas).toBeCloseTo((steered.conversion_value ?? 0) / (steered.spend ?? 1), 4);
  });

  test('counts a conversion once, however many of its sources tell of it', async () => {
    const two = [SOURCE, { ...SOURCE, event_source_id: 'app' }];
    const sources = ['shop', 'app'].map((event_source_id) => ({ event_source_id, event_types: ['purchase'] }));
    const request = { idempotency_key: freshKey(), account: ACCOUNT, event_sources: sources };
    succeeded(await app.call('sync_event_sources', request));
    const [one, both] = [
      await delivered(CONVERSIONS, goal()),
      await delivered(CONVERSIONS, goal({ event_sources: two })),
    ];
    expect(one.conversions).toBeGreaterThan(0);
    // The flights share the supply with each other, so that they may differ by one; counted twice they would be double.
    expect(Math.abs((both.conversions ?? 0) - (one.conversions ?? 0))).toBeLessThanOrEqual(1);
    expect(both.conversion_value).toBe((both.conversions ?? 0) * 65);
  });

  test('meets its cost per conversion and its return on what is spent', async () => {
    const cost = await delivered(CONVERSIONS, goal({ target: { kind: 'cost_per', value: 5 } }));
    expect((cost.spend ?? 0) / (cost.conversions ?? 0)).toBeLessThanOrEqual(5.1);
    const back = await delivered(CONVERSIONS, goal({ target: { kind: 'per_ad_spend', value: 12 } }));
    expect(back.roas).toBeGreaterThan(11.7);
    expect((await order(CONVERSIONS, goal({ target: { kind: 'maximize_value' } }))).isError).toBe(false);
    const bare = [{ event_source_id: 'shop', event_type: 'purchase' }];
    const { payload } = await order(CONVERSIONS, goal({ event_sources: bare, target: { kind: 'maximize_value' } }));
    expect(payload.errors).toMatchObject([
      { code: 'INVALID_REQUEST', field: 'packages[0].optimization_goals[0].event_sources[0].value_field' },
    ]);
  });

  test('needs an event source of the account that was set up for its type', async () => {
    const at = 'packages[0].optimization_goals[0].event_sources[0]';
    const unknown = await order(CONVERSIONS, goal({ event_sources: [{ ...SOURCE, event_source_id: 'shoop' }] }));
    expect(unknown.payload.errors).toMatchObject([{ code: 'REFERENCE_NOT_FOUND', field: `${at}.event_source_id` }]);
    const other = await order(CONVERSIONS, goal({ event_sources: [{ ...SOURCE, event_type: 'lead' }] }));
    expect(other.payload.errors).toMatchObject([
      { code: 'UNSUPPORTED_FEATURE', field: `${at}.event_type`, details: { allowed_values: ['purchase'] } },
    ]);
  });
});

describe('a change', () => {
  const views = [{ kind: 'metric', metric: 'completed_views' }];

  test('replaces the goals of a package that has not begun to run, and no others', async () => {
    const later = createRequest({
      start_time: '2030-01-10T00:00:00Z',
      packages: [{ ...PRICES[VIDEO], optimization_goals: views }],
    });
    const { media_buy_id: id, packages } = succeeded(await app.call('create_media_buy', later, NEW));
    const [{ package_id }] = packages as unknown as readonly [{ package_id: string }];
    let goals: readonly object[] = [{ kind: 'metric', metric: 'reach', reach_unit: 'individuals' }];
    const change = async () =>
      app.call('update_media_buy', updateRequest(id, { packages: [{ package_id, optimization_goals: goals }] }), NEW);
    expect(succeeded(await change()).affected_packages).toMatchObject([{ optimization_goals: goals }]);
    app.clock.advance(12 * DAY);
    expect((await change()).isError).toBe(false);
    goals = views;
    const { payload } = await change();
    app.clock.advance(-12 * DAY);
    expect(payload.errors).toMatchObject([{ code: 'INVALID_STATE', field: 'packages[0].optimization_goals' }]);
  });
});

test('a cap counts the unit that its product is counted in', async () => {
  const cap = (per: string) => ({ frequency_cap: { max_impressions: 2, per, window: { interval: 1, unit: 'days' } } });
  const buy = async (per: string) =>
    app.call(
      'create_media_buy',
      createRequest({
        packages: [
          {
            product_id: 'play_live_sports',
            pricing_option_id: 'cpm_auction',
            budget: 1000,
            bid_price: 30,
            targeting_overlay: cap(per),
          },
        ],
      }),
      NEW,
    );
  for (const unit of ['households', 'individuals']) expect((await buy(unit)).isError).toBe(false);
  expect((await buy('devices')).payload.errors).toMatchObject([
    { code: 'UNSUPPORTED_FEATURE', details: { allowed_values: ['households', 'individuals'] } },
  ]);
});

test('a seeded product has the goals that its fixture brings, and reports them', async () => {
  await controllerOf(app).arrange('seed_product', {
    product_id: 'goals',
    fixture: {
      metric_optimization: { supported_metrics: ['reach', 'clicks'] },
      conversion_tracking: { supported_targets: ['per_ad_spend'] },
    },
  });
  const { payload } = await app.call('get_products', { buying_mode: 'wholesale' }, { ...NEW, token: KIT_TOKEN });
  const seeded = (payload.products as unknown as readonly Row[]).find((row) => String(row.product_id) === 'goals');
  expect(seeded).toMatchObject({
    metric_optimization: { supported_reach_units: ['individuals'] },
    conversion_tracking: { supported_targets: ['per_ad_spend'] },
    reporting_capabilities: { available_metrics: expect.arrayContaining(['reach', 'conversions', 'roas']) },
  });
});
