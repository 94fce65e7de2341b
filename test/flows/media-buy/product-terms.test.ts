import { beforeAll, describe, expect, test } from 'vitest';
import { committedWire } from '../../../src/seller/domain/media-buy/committed-metrics.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, creative, freshKey, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { tenantsFolder } from '../../kit/tenants.js';

const NEW = { version: '3.1' } as const;
const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const VERIFIER = 'https://verifier.example/mcp';
const STRICT = 'stadtblick_display';

/** Terms of a product as a tenant file has them. */
const TERMS = {
  allowed_actions: [
    { action: 'pause' },
    { action: 'resume' },
    { action: 'increase_budget' },
    { action: 'cancel', allowed_statuses: ['paused'] },
  ],
  creative_policy: {
    provenance_required: true,
    provenance_requirements: { require_digital_source_type: true, require_disclosure_metadata: true },
    accepted_verifiers: [{ agent_url: VERIFIER }],
  },
};
const ATTENTION = { vendor: { domain: 'attention.example' }, metric_id: 'attention_units' };
const CARBON = { vendor: { domain: 'carbon.example' }, metric_id: 'gco2e' };
const PROVENANCE = { digital_source_type: 'digital_capture', disclosure: { required: false } };

let app: Booted;
beforeAll(async () => {
  const tenants = tenantsFolder((tenant) => {
    for (const product of tenant.products) {
      if (product.product_id !== STRICT) continue;
      Object.assign(product, TERMS);
      Object.assign(product.reporting_capabilities as object, {
        measurement_windows: [{ window_id: 'c3', duration_days: 3, is_guarantee_basis: true }],
        vendor_metrics: [ATTENTION, CARBON],
      });
      Object.assign(product.inventory as object, {
        vendor_metrics: [
          { domain: 'attention.example', metric_id: 'attention_units', value: 60, unit: 'score', coverage: 0.5 },
        ],
      });
    }
  });
  app = await boot({ tenants });
});

const line = (changes: object = {}) => ({
  product_id: STRICT,
  pricing_option_id: 'cpm_fixed',
  budget: 1000,
  ...changes,
});
const buy = async (changes: object = {}) =>
  app.call('create_media_buy', createRequest({ packages: [line(changes)] }), NEW);
const sync = async (changes: object, more: object = {}) =>
  app.call(
    'sync_creatives',
    { idempotency_key: freshKey(), account: ACCOUNT, creatives: [creative('mine', changes)], ...more },
    NEW,
  );

test('the terms of a product are shown to callers of 3.1, and to those of 3.0 as far as it has them', async () => {
  const find = async (options: object) => {
    const { payload } = await app.call('get_products', { buying_mode: 'wholesale' }, options);
    const judged = 'version' in options ? '3.1' : '3.0';
    if (hasSchemas(judged)) expect(schemaJudge(judged)('media-buy/get-products-response', payload)).toEqual([]);
    return (payload.products as unknown as readonly { product_id: string }[]).find(
      ({ product_id }) => product_id === STRICT,
    );
  };
  const shown = await find(NEW);
  expect(shown).toMatchObject({
    allowed_actions: [{ action: 'pause', modes: ['self_serve'] }, {}, {}, { allowed_statuses: ['paused'] }],
    creative_policy: { ...TERMS.creative_policy, co_branding: 'none', landing_page: 'any', templates_available: false },
    reporting_capabilities: {
      measurement_windows: [{ window_id: 'c3' }],
      vendor_metrics: [ATTENTION, CARBON],
    },
  });
  const older = await find({});
  expect(older).toMatchObject({ creative_policy: { provenance_required: true } });
  for (const member of [
    'allowed_actions',
    'creative_policy.accepted_verifiers',
    'reporting_capabilities.vendor_metrics',
  ]) {
    expect(older).not.toHaveProperty(member);
  }
});

describe('allowed_actions of a product', () => {
  test('bound what its buys may do, by their states too, and what they say that they may', async () => {
    const bought = succeeded(await buy());
    const { media_buy_id, packages } = bought;
    const package_id = packages[0]?.package_id;
    expect(bought.valid_actions).toEqual(['pause', 'update_budget']);
    const available = bought.available_actions as unknown as readonly { action: string }[];
    expect(available.map(({ action }) => action)).toEqual(['pause', 'increase_budget']);
    const change = async (changes: object) => app.call('update_media_buy', updateRequest(media_buy_id, changes), NEW);
    const cases = [
      [
        { packages: [{ package_id, budget: 900 }] },
        'packages[0].budget',
        'decrease_budget',
        'not_supported_on_product',
      ],
      [
        { packages: [{ package_id, pacing: 'asap' }] },
        'packages[0].pacing',
        'update_pacing',
        'not_supported_on_product',
      ],
      [{ end_time: '2030-03-31T00:00:00Z' }, 'end_time', 'extend_flight', 'not_supported_on_product'],
      [{ new_packages: [line()] }, 'new_packages', 'add_packages', 'not_supported_on_product'],
      [{ canceled: true }, 'canceled', 'cancel', 'wrong_status'],
    ] as const;
    for (const [changes, field, attempted_action, reason] of cases) {
      expect((await change(changes)).payload.errors[0]).toMatchObject({
        code: 'ACTION_NOT_ALLOWED',
        field,
        details: {
          attempted_action,
          reason,
          currently_available_actions: expect.arrayContaining([{ action: 'pause', mode: 'self_serve' }]),
        },
      });
    }
    succeeded(await change({ packages: [{ package_id, budget: 1100 }] }));
    succeeded(await change({ paused: true }));
    succeeded(await change({ canceled: true }));
  });

  test('are INVALID_STATE to a caller of 3.0, and bound no buy of another product', async () => {
    const { media_buy_id } = succeeded(await buy());
    const older = await app.call('update_media_buy', updateRequest(media_buy_id, { end_time: '2030-03-31T00:00:00Z' }));
    expect(older.payload.errors[0]).toMatchObject({ code: 'INVALID_STATE', field: 'end_time' });
    const other = succeeded(await app.call('create_media_buy', createRequest(), NEW));
    expect(other.valid_actions).toContain('update_dates');
  });
});

describe('creative_policy of a product', () => {
  test.each([
    ['says nothing', {}, 'PROVENANCE_REQUIRED', 'provenance'],
    [
      'names no source',
      { provenance: { disclosure: { required: false } } },
      'PROVENANCE_DIGITAL_SOURCE_TYPE_MISSING',
      'provenance.digital_source_type',
    ],
    [
      'names no jurisdiction',
      { provenance: { ...PROVENANCE, disclosure: { required: true } } },
      'PROVENANCE_DISCLOSURE_MISSING',
      'provenance.disclosure',
    ],
    [
      'names a verifier of its own',
      { provenance: { ...PROVENANCE, watermarks: [{ verify_agent: { agent_url: 'https://elsewhere.example/' } }] } },
      'PROVENANCE_VERIFIER_NOT_ACCEPTED',
      'provenance.watermarks[0].verify_agent.agent_url',
    ],
  ])('refuses a creative that %s, where it is for a package of the product', async (_what, changes, code, member) => {
    const [first] = succeeded(await buy()).packages;
    const assignments = [{ creative_id: 'mine', package_id: first?.package_id }];
    const { payload } = await sync(changes, { assignments });
    expect(payload.errors[0]).toMatchObject({ code, field: `creatives[0].${member}` });
    const lenient = succeeded(await sync(changes, { assignments, validation_mode: 'lenient' }));
    expect(lenient.creatives).toMatchObject([{ action: 'failed', errors: [{ code }] }]);
    const listed = succeeded(
      await app.call('list_creatives', { account: ACCOUNT, filters: { creative_ids: ['mine'] } }, NEW),
    );
    expect(listed.creatives).toEqual([]);
    const inline = await buy({ creatives: [creative('mine', changes)] });
    expect(inline.payload.errors[0]).toMatchObject({ code, field: `packages[0].creatives[0].${member}` });
  });

  test('takes one that says it, by a verifier that it accepts, and lets products without a policy take any', async () => {
    succeeded(await sync({ creative_id: 'any' }));
    const embedded = [{ method: 'c2pa', verify_agent: { agent_url: 'HTTPS://Verifier.example:443/mcp' } }];
    const [first] = succeeded(await buy()).packages;
    const assignments = [{ creative_id: 'good', package_id: first?.package_id }];
    const good = await sync(
      { creative_id: 'good', provenance: { ...PROVENANCE, embedded_provenance: embedded } },
      { assignments },
    );
    expect(succeeded(good).creatives).toMatchObject([{ action: 'created', assigned_to: [first?.package_id] }]);
  });
});

test('terms may bill by the windows that the product declares, and by no others', async () => {
  const terms = (measurement_window: string) => ({
    measurement_terms: { billing_measurement: { measurement_window } },
  });
  succeeded(await buy(terms('c3')));
  expect((await buy(terms('c7'))).payload.errors[0]).toMatchObject({
    code: 'TERMS_REJECTED',
    field: 'packages[0].measurement_terms.billing_measurement.measurement_window',
    details: { allowed_values: ['c3'] },
  });
});

describe('a seeded product', () => {
  const seed = async (product_id: string, fixture: object) =>
    app.call('comply_test_controller', { scenario: 'seed_product', params: { product_id, fixture } }, NEW);

  test('has the terms of its fixture', async () => {
    const windows = [{ window_id: 'live', duration_days: 0 }];
    const fixture = {
      ...TERMS,
      format_options: [{ format_kind: 'image', params: { width: 728, height: 90 } }],
      reporting_capabilities: { measurement_windows: windows },
    };
    succeeded(await seed('seeded', fixture));
    const { payload } = await app.call('get_products', { buying_mode: 'wholesale' }, NEW);
    const products = payload.products as unknown as readonly (Record<string, unknown> & {
      format_ids: { id: string }[];
    })[];
    const seeded = products.find(({ product_id }) => product_id === 'seeded');
    expect(seeded).toMatchObject({
      allowed_actions: [{ action: 'pause', modes: ['self_serve'] }, {}, {}, {}],
      creative_policy: { provenance_required: true, accepted_verifiers: [{ agent_url: VERIFIER }] },
      reporting_capabilities: { measurement_windows: windows },
    });
    expect(seeded?.format_ids.map(({ id }) => id)).toContain('display_728x90');
    expect(seeded?.format_options).toContainEqual(
      expect.objectContaining({ format_kind: 'image', format_option_id: 'display_728x90' }),
    );
  });

  test('has the signals, placements and reports of its fixture, and its packages are bought by them', async () => {
    const ref = (signal_id: string) => ({ scope: 'product', signal_id });
    const fixture = {
      signal_targeting_allowed: true,
      signal_targeting_options: [
        { signal_ref: ref('parents'), name: 'Parents', allowed_targeting_modes: ['include', 'exclude'] },
        { signal_ref: ref('weather'), value_type: 'categorical', categories: ['sun', 'rain'] },
        { signal_ref: { scope: 'data_provider', data_provider_domain: 'data.example', signal_id: 'movers' } },
      ],
      signal_targeting_rules: { max_selected_signals: 1 },
      placements: [{ placement_id: 'top' }, { placement_id: 'side', name: 'Side', format_ids: ['display_300x250'] }],
      reporting_capabilities: { supports_placement_breakdown: true, supports_geo_breakdown: { country: true } },
      delivery_measurement: { provider: 'Counting House' },
      format_ids: ['display_300x250', 'display_728x90'],
    };
    succeeded(await seed('signaled', fixture));
    const shown = await app.call('get_products', { buying_mode: 'wholesale' }, NEW);
    if (hasSchemas('3.1')) expect(schemaJudge('3.1')('media-buy/get-products-response', shown.payload)).toEqual([]);
    const products = shown.payload.products as unknown as readonly Record<string, unknown>[];
    expect(products.find(({ product_id }) => product_id === 'signaled')).toMatchObject({
      signal_targeting_allowed: true,
      signal_targeting_options: [
        { signal_ref: ref('parents'), name: 'Parents', allowed_targeting_modes: ['include', 'exclude'] },
        { signal_ref: ref('weather'), name: 'weather', categories: ['sun', 'rain'] },
        { signal_ref: { scope: 'data_provider', data_provider_domain: 'data.example' }, name: 'movers' },
      ],
      signal_targeting_rules: { max_selected_signals: 1 },
      placements: [
        { placement_id: 'top', name: 'top' },
        { name: 'Side', format_ids: [{ id: 'display_300x250' }] },
      ],
      reporting_capabilities: fixture.reporting_capabilities,
      delivery_measurement: fixture.delivery_measurement,
    });
    const buy = async (...names: readonly string[]) => {
      const signals = names.map((name) => ({ signal_ref: ref(name), value_type: 'binary', value: true }));
      const targeting_overlay = {
        signal_targeting_groups: { operator: 'all', groups: [{ operator: 'any', signals }] },
      };
      const line = { product_id: 'signaled', pricing_option_id: 'default', budget: 1000, targeting_overlay };
      return app.call('create_media_buy', createRequest({ packages: [line] }), NEW);
    };
    succeeded(await buy('parents'));
    expect((await buy('boats')).payload.errors[0]).toMatchObject({ code: 'SIGNAL_NOT_FOUND' });
    expect((await buy('parents', 'parents')).payload.errors[0]).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('is told what of its fixture no product here has', async () => {
    const { payload } = await seed('bare', {
      cancellation_policy: { notice_days: 3 },
      trusted_match: {},
      product_id: 'bare',
    });
    expect(payload).toMatchObject({
      success: true,
      message: expect.stringContaining('without cancellation_policy, trusted_match'),
    });
  });

  test.each([
    [
      'a categorical signal without categories',
      { signal_targeting_options: [{ signal_ref: { scope: 'product', signal_id: 'odd' }, value_type: 'categorical' }] },
    ],
    [
      'a signal with a price of its own',
      { signal_targeting_options: [{ signal_ref: { scope: 'product', signal_id: 'odd' }, pricing_options: [] }] },
    ],
    [
      'an option of a size that no format has',
      { format_options: [{ format_kind: 'image', params: { width: 3, height: 4 } }] },
    ],
    [
      'an action in a mode that is not offered',
      { allowed_actions: [{ action: 'pause', modes: ['requires_approval'] }] },
    ],
    ['an action that there is not', { allowed_actions: [{ action: 'fly' }] }],
  ])('is refused with %s', async (_what, fixture) => {
    const { payload } = await seed('odd', fixture);
    expect(payload).toMatchObject({ success: false });
  });
});

describe('committed_metrics of a package', () => {
  const vendor = { scope: 'vendor', ...ATTENTION };
  const standard = { scope: 'standard', metric_id: 'impressions' };

  test('are agreed to where the product reports them, from the confirmation on', async () => {
    const bought = succeeded(await buy({ committed_metrics: [standard, vendor] }));
    const committed_at = bought.confirmed_at;
    expect(committed_at).toEqual(expect.any(String));
    const committed_metrics = [
      { ...standard, committed_at },
      { ...vendor, committed_at },
    ];
    expect(bought.packages[0]).toMatchObject({ committed_metrics });
    const read = await app.call('get_media_buys', { media_buy_ids: [bought.media_buy_id] }, NEW);
    expect(succeeded(read).media_buys[0]?.packages[0]).toMatchObject({ committed_metrics });
    if (hasSchemas('3.1')) expect(schemaJudge('3.1')('media-buy/create-media-buy-response', bought)).toEqual([]);
  });

  test('are no commitment while nobody has confirmed the buy', () => {
    expect(committedWire([{ scope: 'standard', metric_id: 'impressions' }], undefined)).toBeUndefined();
  });

  test.each([
    [{ scope: 'standard', metric_id: 'brand_lift' }, 'committed_metrics[1].metric_id'],
    [
      { scope: 'vendor', vendor: { domain: 'other.example' }, metric_id: 'attention_units' },
      'committed_metrics[1].metric_id',
    ],
    [
      { scope: 'standard', metric_id: 'spend', qualifier: { viewability_standard: 'groupm' } },
      'committed_metrics[1].qualifier.viewability_standard',
    ],
    [{ scope: 'standard', metric_id: 'spend', vendor: { domain: 'other.example' } }, 'committed_metrics[1].vendor'],
  ])('are refused where it does not: %j', async (metric, field) => {
    const { payload } = await buy({ committed_metrics: [standard, metric] });
    expect(payload.errors[0]).toMatchObject({ code: 'TERMS_REJECTED', field: `packages[0].${field}` });
  });
});

describe('the metrics of vendors that a product declares', () => {
  const find = async (required_vendor_metrics: object[]) => {
    const answer = await app.call(
      'get_products',
      { buying_mode: 'wholesale', filters: { required_vendor_metrics } },
      NEW,
    );
    return succeeded(answer).products.map(({ product_id }) => product_id);
  };

  test('are searched by', async () => {
    expect(await find([{ metric_id: 'gco2e' }, ATTENTION])).toEqual([STRICT]);
    expect(await find([{ vendor: { domain: 'attention.example' } }])).toEqual([STRICT]);
    expect(await find([{ vendor: { domain: 'attention.example' }, metric_id: 'gco2e' }])).toEqual([]);
  });

  test('are in delivery, as the simulator has them, and nothing is missing', async () => {
    const { media_buy_id } = succeeded(await buy());
    await app.call(
      'sync_creatives',
      {
        idempotency_key: freshKey(),
        account: ACCOUNT,
        creatives: [creative('mine', { provenance: PROVENANCE })],
        assignments: [{ creative_id: 'mine', package_id: media_buy_id.replace('mb_', 'pkg_').concat('_1') }],
      },
      NEW,
    );
    app.clock.advance(400 * 86_400_000);
    const read = succeeded(await app.call('get_media_buy_delivery', { media_buy_ids: [media_buy_id] }, NEW));
    if (hasSchemas('3.1')) expect(schemaJudge('3.1')('media-buy/get-media-buy-delivery-response', read)).toEqual([]);
    const [line] = read.media_buy_deliveries[0]?.by_package ?? [];
    const { vendor_metric_values: values, impressions } = line as unknown as {
      readonly impressions: number;
      readonly vendor_metric_values: readonly { readonly value: number; readonly measurable_impressions: number }[];
    };
    expect(impressions).toBeGreaterThan(0);
    expect(values).toMatchObject([
      { ...ATTENTION, unit: 'score' },
      { ...CARBON, unit: 'index' },
    ]);
    expect(Math.abs((values[0]?.value ?? 0) - 60)).toBeLessThanOrEqual(6);
    expect(values[0]?.measurable_impressions).toBe(Math.floor(impressions / 2));
    expect(line).not.toHaveProperty('missing_metrics');
  });
});
