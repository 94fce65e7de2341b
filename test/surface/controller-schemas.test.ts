import { describe, expect, test } from 'vitest';
import { boot } from '../kit/boot.js';
import { KIT_TOKEN } from '../kit/buyer.js';
import { type Arranged, controllerOf } from '../kit/controller.js';
import { hasSchemas, SCHEMA_FOLDERS, type SchemaRelease, schemaJudge } from '../kit/schemas.js';

/** Fixtures as bare as tests send them, and as full as they may be. */
const SEEDED: readonly (readonly [scenario: string, params: object])[] = [
  ['seed_product', { product_id: 'bare' }],
  [
    'seed_product',
    { product_id: 'video', fixture: { channels: ['video', 'skywriting'], format_ids: [{ id: 'video_15s' }] } },
  ],
  ['seed_product', { product_id: 'odd', fixture: { format_ids: [{ id: 'broadcast_spot_30s' }], countries: ['DE'] } }],
  [
    'seed_product',
    {
      product_id: 'full',
      fixture: {
        name: 'Full',
        description: 'Everything.',
        delivery_type: 'guaranteed',
        channels: ['ctv', 'display'],
        format_ids: [{ agent_url: 'https://other.example/mcp', id: 'x' }],
        publisher_properties: [
          { publisher_domain: 'pub.example', selection_type: 'by_tag', property_tags: ['sports'] },
        ],
        pricing_options: [{ pricing_option_id: 'a', pricing_model: 'cpcv', currency: 'EUR', floor_price: 2 }],
        expires_at: '2031-01-01T00:00:00Z',
      },
    },
  ],
  ...['cpm', 'vcpm', 'cpc', 'cpcv', 'cpv', 'cpp', 'cpa', 'flat_rate', 'time'].map(
    (pricing_model) =>
      [
        'seed_pricing_option',
        { product_id: 'bare', pricing_option_id: pricing_model, fixture: { pricing_model } },
      ] as const,
  ),
  ['seed_pricing_option', { product_id: 'video', pricing_option_id: 'auction', fixture: { floor_price: 5 } }],
  ['seed_pricing_option', { product_id: 'test-product', pricing_option_id: 'more', fixture: {} }],
  ['seed_creative', { creative_id: 'bare' }],
  ['seed_creative', { creative_id: 'refused', fixture: { status: 'rejected', format_id: { id: 'display_static' } } }],
  ['seed_creative_format', { format_id: 'bare' }],
  [
    'seed_creative_format',
    {
      format_id: 'board',
      fixture: {
        type: 'display',
        renders: [{ dimensions: { width: 970, height: 250 } }],
        assets: [
          { asset_id: 'picture', asset_type: 'image' },
          { asset_id: 'note', asset_type: 'text', required: false },
        ],
      },
    },
  ],
  ['seed_creative_format', { format_id: 'spot', fixture: { name: 'Spot', type: 'video' } }],
  ['seed_media_buy', { media_buy_id: 'bare' }],
  ['seed_media_buy', { media_buy_id: 'over', fixture: { status: 'completed', currency: 'EUR' } }],
  ['seed_plan', { plan_id: 'plan', fixture: { budget: { total: 1 } } }],
  ['seed_account', { account_id: 'acct_seeded' }],
];

/** What is read afterwards, with the schemas that it has to keep. */
const READ: readonly (readonly [tool: string, args: object, schema: string])[] = [
  ['get_adcp_capabilities', {}, 'protocol/get-adcp-capabilities-response'],
  ['get_products', { buying_mode: 'wholesale' }, 'media-buy/get-products-response'],
  ['get_products', { buying_mode: 'wholesale', account: { account_id: 'nobody' } }, 'media-buy/get-products-response'],
  ['list_creative_formats', {}, 'media-buy/list-creative-formats-response'],
  ['list_creative_formats', { account: { account_id: 'nobody' } }, 'creative/list-creative-formats-response'],
  ['list_creatives', { filters: { statuses: ['approved', 'rejected'] } }, 'creative/list-creatives-response'],
  ['list_accounts', {}, 'account/list-accounts-response'],
  [
    'get_media_buys',
    { media_buy_ids: ['bare', 'over'], include_snapshot: true, include_history: 9 },
    'media-buy/get-media-buys-response',
  ],
  [
    'get_media_buy_delivery',
    { media_buy_ids: ['bare'], include_package_daily_breakdown: true },
    'media-buy/get-media-buy-delivery-response',
  ],
  ['get_creative_delivery', { media_buy_ids: ['bare'] }, 'creative/get-creative-delivery-response'],
];

describe.each(['3.0', '3.1'] as const)('what a seeded sandbox answers, in %s', (version: SchemaRelease) => {
  test.skipIf(!hasSchemas(version))('keeps the public schemas', async () => {
    const server = await boot();
    const { arrange } = controllerOf(server, { version });
    const judge = schemaJudge(version);
    for (const [scenario, params] of SEEDED) await arrange(scenario, params);
    await arrange('simulate_delivery', {
      media_buy_id: 'bare',
      impressions: 10,
      clicks: 99,
      conversions: 2,
      reported_spend: { amount: 0.1, currency: 'USD' },
      reach: 5,
      frequency: 2,
      reach_window: { kind: 'cumulative' },
      viewability: { measurable_impressions: 9, viewable_impressions: 5, viewable_rate: 0.55, standard: 'mrc' },
    });
    const faults: string[] = [];
    for (const [tool, args, schema] of READ) {
      const { payload, isError } = await server.call(tool, args, { token: KIT_TOKEN, version });
      if (isError) faults.push(`${tool}: ${JSON.stringify(payload.errors)}`);
      faults.push(...judge(schema, payload).map((fault) => `${tool} ${JSON.stringify(args)}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});

describe('the controller’s own answers', () => {
  const CALLS: readonly (readonly [scenario: string, params?: object])[] = [
    ['list_scenarios'],
    ['nobody_knows_it', {}],
    ['force_creative_status', {}],
    ['force_account_status', { account_id: 'nobody', status: 'active' }],
    ...SEEDED,
    ['force_media_buy_status', { media_buy_id: 'bare', status: 'paused' }],
    ['force_media_buy_status', { media_buy_id: 'over', status: 'active' }],
    ['force_creative_status', { creative_id: 'bare', status: 'archived' }],
    ['force_creative_purge', { creative_id: 'refused', purge_kind: 'hard' }],
    ['force_upstream_unavailable', { tool: 'get_products' }],
    ['force_account_status', { account_id: 'acct_seeded', status: 'closed' }],
    ['force_create_media_buy_arm', { arm: 'submitted', task_id: 't' }],
    ['force_create_media_buy_arm', { arm: 'input-required' }],
    ['simulate_delivery', { media_buy_id: 'bare', impressions: 1 }],
    ['simulate_budget_spend', { media_buy_id: 'bare', spend_percentage: 50 }],
  ];

  test.skipIf(!hasSchemas('3.1'))(`keep the public schema in ${SCHEMA_FOLDERS['3.1']}`, async () => {
    const server = await boot();
    const { run } = controllerOf(server, { version: '3.1' });
    const judge = schemaJudge('3.1');
    const answers: Arranged[] = [];
    for (const [scenario, params] of CALLS) answers.push(await run(scenario, params));
    expect(answers.flatMap((answer) => judge('compliance/comply-test-controller-response', answer))).toEqual([]);
    expect(new Set(answers.map((answer) => answer.error))).toEqual(
      new Set([undefined, 'UNKNOWN_SCENARIO', 'INVALID_PARAMS', 'NOT_FOUND', 'INVALID_TRANSITION']),
    );
  });
});
