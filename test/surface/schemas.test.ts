import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../kit/boot.js';
import { createRequestByKey, creative, freshKey, KIT_TOKEN, packageRequest } from '../kit/buyer.js';
import { hasSchemas, SCHEMA_FOLDERS, type SchemaRelease, schemaJudge } from '../kit/schemas.js';
import type { Payload } from '../kit/wire.js';

/** Where the public schema of each task's answer is; formats are described twice. */
const SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  get_adcp_capabilities: ['protocol/get-adcp-capabilities-response'],
  get_products: ['media-buy/get-products-response'],
  list_creative_formats: ['media-buy/list-creative-formats-response', 'creative/list-creative-formats-response'],
  list_accounts: ['account/list-accounts-response'],
  sync_accounts: ['account/sync-accounts-response'],
  create_media_buy: ['media-buy/create-media-buy-response'],
  update_media_buy: ['media-buy/update-media-buy-response'],
  get_media_buys: ['media-buy/get-media-buys-response'],
  get_media_buy_delivery: ['media-buy/get-media-buy-delivery-response'],
  sync_creatives: ['creative/sync-creatives-response'],
  list_creatives: ['creative/list-creatives-response'],
  get_creative_delivery: ['creative/get-creative-delivery-response'],
  provide_performance_feedback: ['media-buy/provide-performance-feedback-response'],
};

const DAY = 86_400_000;
const ACCOUNT = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };

/** What was asked and what came of it. */
type Seen = { readonly what: string; readonly tool: string; readonly payload: Payload; readonly isError: boolean };

/** One buy from its first search to its end, with every task and every state on the way; answers everything it saw. */
async function story(server: Booted, version: SchemaRelease): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const see = async (what: string, tool: string, args: object = {}): Promise<Payload> => {
    const { payload, isError } = await server.call(tool, args, { token: KIT_TOKEN, version });
    seen.push({ what, tool, payload, isError });
    return payload;
  };
  const change = (mediaBuyId: string, changes: object) => ({
    idempotency_key: freshKey(),
    account: ACCOUNT,
    media_buy_id: mediaBuyId,
    ...changes,
  });

  await see('capabilities', 'get_adcp_capabilities');
  await see('capabilities of one protocol', 'get_adcp_capabilities', { protocols: ['media_buy'] });
  await see('accounts, opened', 'sync_accounts', {
    idempotency_key: freshKey(),
    accounts: [
      { ...ACCOUNT, billing: 'operator', payment_terms: 'net_30' },
      { brand: { domain: 'other.example' }, operator: 'other.example', billing: 'barter' },
    ],
  });
  await see('accounts', 'list_accounts', { pagination: { max_results: 1 } });
  await see('a search', 'get_products', { buying_mode: 'brief', brief: 'video and audio for outdoor gear' });
  await see('the whole catalog', 'get_products', { buying_mode: 'wholesale', account: ACCOUNT });
  await see('a page', 'get_products', { buying_mode: 'wholesale', pagination: { max_results: 2 } });
  await see('filters', 'get_products', { brief: 'tv', filters: { channels: ['ctv'], pricing_currencies: ['EUR'] } });
  await see('filters that leave nothing', 'get_products', { brief: 'tv', filters: { channels: ['print'] } });
  await see('a search with proposals', 'get_products', { brief: 'video on sports, $20K', account: ACCOUNT });
  const ask = (...refine: object[]) => ({ buying_mode: 'refine', account: ACCOUNT, refine });
  const offer = { scope: 'proposal', proposal_id: 'balanced_reach_q2' };
  await see('a refinement', 'get_products', {
    ...ask(
      { ...offer, ask: '60% to CTV, drop display' },
      { scope: 'request', ask: 'only guaranteed' },
      { scope: 'product', product_id: 'play_prime_drama', ask: 'a budget of $30K' },
      { scope: 'product', product_id: 'northlight_preroll', action: 'more_like_this' },
    ),
  });
  await see('a proposal, finalized', 'get_products', ask({ ...offer, action: 'finalize' }));
  await see(
    'a buy of a proposal',
    'create_media_buy',
    createRequestByKey({
      packages: undefined,
      proposal_id: 'balanced_reach_q2',
      total_budget: { amount: 20_000, currency: 'USD' },
    }),
  );
  await see('formats', 'list_creative_formats');
  await see('formats of one type', 'list_creative_formats', { type: 'video', pagination: { max_results: 1 } });

  const packages = [
    packageRequest({ targeting_overlay: { geo_countries: ['US'] }, pacing: 'asap', context: { line: 1 } }),
    packageRequest({ pricing_option_id: 'auction', bid_price: 3, budget: 250.5 }),
  ];
  const request = createRequestByKey({
    start_time: '2030-01-03T00:00:00Z',
    packages,
    po_number: 'PO-1',
    context: { a: 1 },
  });
  const bought = await see('a buy without creatives', 'create_media_buy', request);
  await see('the same again', 'create_media_buy', request);
  await see('the key for something else', 'create_media_buy', { ...request, po_number: 'PO-2' });
  await see(
    'an order that is wrong',
    'create_media_buy',
    createRequestByKey({ packages: [packageRequest({ budget: -1 })] }),
  );
  const id = bought.media_buy_id;
  await see('the pending buy', 'get_media_buys', { media_buy_ids: [id], include_history: 10, include_snapshot: true });
  await see('a hold', 'update_media_buy', change(id, { paused: true }));
  await see('a held buy', 'get_media_buys', { media_buy_ids: [id] });
  await see('its end of hold', 'update_media_buy', change(id, { paused: false }));
  const assignments = bought.packages.map((line) => ({ creative_id: 'banner', package_id: line.package_id }));
  await see('creatives', 'sync_creatives', {
    idempotency_key: freshKey(),
    account: ACCOUNT,
    creatives: [creative('banner'), creative('spare')],
    assignments,
  });
  await see('creatives, tried', 'sync_creatives', {
    idempotency_key: freshKey(),
    account: ACCOUNT,
    dry_run: true,
    creatives: [creative('third')],
  });
  await see('creatives, one bad', 'sync_creatives', {
    idempotency_key: freshKey(),
    account: ACCOUNT,
    validation_mode: 'lenient',
    creatives: [creative('good'), creative('bad', { format_id: { agent_url: 'https://a.example', id: 'hologram' } })],
    assignments: [{ creative_id: 'good', package_id: 'pkg_nobody' }],
  });
  await see('the library', 'list_creatives', { pagination: { max_results: 2 } });
  await see('the buy before its start', 'get_media_buys', { media_buy_ids: [id], include_snapshot: true });
  server.clock.advance(4 * DAY);
  await see('the active buy', 'get_media_buys', {
    include_snapshot: true,
    include_history: 5,
    include_webhook_activity: true,
  });
  await see('its delivery', 'get_media_buy_delivery', { media_buy_ids: [id], include_package_daily_breakdown: true });
  await see('delivery of some days', 'get_media_buy_delivery', { start_date: '2030-01-03', end_date: '2030-01-04' });
  await see('delivery per creative', 'get_creative_delivery', { media_buy_ids: [id] });
  await see('delivery of creatives, a page', 'get_creative_delivery', {
    creative_ids: ['banner', 'nobody'],
    start_date: '2030-01-03',
    max_variants: 1,
    pagination: { max_results: 1 },
  });
  await see('delivery of creatives of a buy of nobody', 'get_creative_delivery', {
    account: ACCOUNT,
    media_buy_ids: ['mb_nobody'],
  });
  const [first] = bought.packages;
  await see(
    'a bigger budget and a new package',
    'update_media_buy',
    change(id, {
      packages: [{ package_id: first?.package_id, budget: 2000 }],
      new_packages: [packageRequest({ creatives: [creative('inline')] })],
    }),
  );
  await see('a pause', 'update_media_buy', change(id, { paused: true }));
  await see('the paused buy', 'get_media_buys', { media_buy_ids: [id] });
  await see('feedback', 'provide_performance_feedback', {
    idempotency_key: freshKey(),
    media_buy_id: id,
    measurement_period: { start: '2030-01-03T00:00:00Z', end: '2030-01-04T00:00:00Z' },
    performance_index: 1.2,
  });
  await see(
    'a canceled package',
    'update_media_buy',
    change(id, { packages: [{ package_id: first?.package_id, canceled: true }] }),
  );
  await see('the end', 'update_media_buy', change(id, { canceled: true, cancellation_reason: 'done' }));
  await see('the canceled buy', 'get_media_buys', { media_buy_ids: [id, 'mb_nobody'], include_history: 50 });
  await see('a change after the end', 'update_media_buy', change(id, { paused: false }));
  await see('an unknown buy', 'get_media_buys', { media_buy_ids: ['mb_nobody'] });
  await see('no deliveries', 'get_media_buy_delivery', { media_buy_ids: [] });
  // Failures of the tasks whose schema knows a failed answer; the other reading tasks have none.
  await see('products in a bad mode', 'get_products', { buying_mode: 'sometimes', brief: 'x' });
  await see('creatives without account', 'sync_creatives', { idempotency_key: freshKey(), creatives: [creative('x')] });
  await see('no accounts at all', 'sync_accounts', { idempotency_key: freshKey(), accounts: [] });
  await see('feedback on nothing', 'provide_performance_feedback', { idempotency_key: freshKey() });
  await see('an update of nothing', 'update_media_buy', change('mb_nobody', { paused: true }));

  const ending = await see(
    'a buy that ends by itself',
    'create_media_buy',
    createRequestByKey({
      end_time: '2030-01-10T00:00:00Z',
      packages: [packageRequest({ creatives: [creative('last')] })],
    }),
  );
  server.clock.advance(20 * DAY);
  await see('the completed buy', 'get_media_buys', { media_buy_ids: [ending.media_buy_id], include_history: 9 });
  await see('the delivery of its creatives', 'get_creative_delivery', { media_buy_ids: [ending.media_buy_id] });
  await see('its final delivery', 'get_media_buy_delivery', { media_buy_ids: [ending.media_buy_id] });
  return seen;
}

const RELEASES: readonly SchemaRelease[] = ['3.0', '3.1'];

describe.each(RELEASES)('answers for callers of %s', async (version) => {
  // The schemas of 3.1 lie beside the project only on some machines; those of 3.0 come with a development dependency.
  if (version === '3.1' && !hasSchemas('3.1')) {
    test(`are not judged: there are no schemas at ${SCHEMA_FOLDERS['3.1']}`, (context) => context.skip());
    return;
  }
  const judge = schemaJudge(version);
  const seen = await story(await boot(), version);

  test.each(seen)('$what ($tool) fit the public schema', ({ tool, payload }) => {
    for (const schema of SCHEMAS[tool] ?? [])
      expect({ schema, faults: judge(schema, payload) }).toEqual({ schema, faults: [] });
  });

  test('show every task, successes and failures', () => {
    const done = new Set(seen.filter((one) => !one.isError).map((one) => one.tool));
    expect([...done].sort()).toEqual(Object.keys(SCHEMAS).sort());
    const failed = seen.filter((one) => one.isError).map((one) => one.what);
    expect(failed).toEqual([
      'the key for something else',
      'an order that is wrong',
      'a change after the end',
      'products in a bad mode',
      'creatives without account',
      'no accounts at all',
      'feedback on nothing',
      'an update of nothing',
    ]);
  });

  test('the judge can say no', () => {
    expect(judge('media-buy/create-media-buy-response', { status: 'completed' })).not.toEqual([]);
  });
});
