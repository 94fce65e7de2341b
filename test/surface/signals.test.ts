import { describe, expect, test } from 'vitest';
import { boot, KIT_CONTEXT } from '../kit/boot.js';
import { freshKey } from '../kit/buyer.js';
import { hasSchemas, SCHEMA_FOLDERS, type SchemaRelease, schemaJudge } from '../kit/schemas.js';
import { AGENT, AMAZON, HIGH_LTV, signalBuyer, TRADE_DESK } from '../kit/signals.js';
import type { Payload } from '../kit/wire.js';

/** Where the public schema of each task's answer is. */
const SCHEMAS: Readonly<Record<string, string>> = {
  get_adcp_capabilities: 'protocol/get-adcp-capabilities-response',
  get_signals: 'signals/get-signals-response',
  activate_signal: 'signals/activate-signal-response',
  report_usage: 'account/report-usage-response',
  list_accounts: 'account/list-accounts-response',
  sync_accounts: 'account/sync-accounts-response',
};

const HOUR = 3_600_000;
const ACCOUNT = { account_id: 'acct_signals' };
const PERIOD = { start: '2029-12-01T00:00:00Z', end: '2030-01-01T00:00:00Z' };

/** What was asked and what came of it. */
type Seen = { readonly what: string; readonly tool: string; readonly payload: Payload; readonly isError: boolean };

/** Every task of a signals tenant with every state of a deployment on the way; answers everything it saw. */
async function story(version: SchemaRelease): Promise<readonly Seen[]> {
  const server = await boot();
  const buyer = signalBuyer(server, 'sandbox-token', version);
  const seen: Seen[] = [];
  const see = async (what: string, tool: string, args: object = {}): Promise<void> => {
    const { payload, isError } = await buyer.call(tool, args);
    seen.push({ what, tool, payload, isError });
  };
  const order = (changes: object = {}) => ({
    idempotency_key: freshKey(),
    account: ACCOUNT,
    ...HIGH_LTV,
    destinations: [TRADE_DESK, AMAZON, AGENT],
    ...changes,
  });
  const usage = (changes: object = {}) => ({
    account: ACCOUNT,
    signal_agent_segment_id: 'prism_high_ltv',
    vendor_cost: 7500,
    currency: 'USD',
    ...changes,
  });

  await see('capabilities', 'get_adcp_capabilities');
  await see('capabilities of signals', 'get_adcp_capabilities', { protocols: ['signals'] });
  await see('accounts', 'list_accounts');
  await see('an account, opened', 'sync_accounts', {
    idempotency_key: freshKey(),
    accounts: [{ brand: { domain: 'a.example' }, operator: 'b.example', billing: 'operator' }],
  });
  await see('the whole catalog', 'get_signals');
  await see('a search', 'get_signals', { signal_spec: 'loyal shoppers', context: KIT_CONTEXT });
  await see('a page', 'get_signals', { signal_spec: 'audience', pagination: { max_results: 1 } });
  await see('wholesale', 'get_signals', { discovery_mode: 'wholesale', account: ACCOUNT });
  await see('filters that leave nothing', 'get_signals', { filters: { min_coverage_percentage: 100, max_cpm: 0 } });
  await see('signals by id', 'get_signals', {
    signal_ids: [{ source: 'catalog', data_provider_domain: 'meridian-auto.example', id: 'ev_intenders' }],
  });
  await see('a few fields', 'get_signals', { fields: ['taxonomy', 'methodology'], max_results: 5 });
  await see('an activation', 'activate_signal', order());
  await see('signals on their way', 'get_signals', { account: ACCOUNT, destinations: [AMAZON, AGENT] });
  server.clock.advance(HOUR);
  await see('live signals', 'get_signals', { account: ACCOUNT });
  await see('a deactivation', 'activate_signal', order({ action: 'deactivate' }));
  await see('usage', 'report_usage', { idempotency_key: freshKey(), reporting_period: PERIOD, usage: [usage()] });
  await see('usage, half of it wrong', 'report_usage', {
    idempotency_key: freshKey(),
    reporting_period: PERIOD,
    usage: [usage(), usage({ signal_agent_segment_id: 'nothing' })],
  });
  await see('an unknown signal', 'activate_signal', order({ signal_agent_segment_id: 'nothing' }));
  await see('no destinations', 'activate_signal', order({ destinations: [] }));
  await see('a search in a bad mode', 'get_signals', { discovery_mode: 'wholesale', signal_spec: 'x' });
  await see('no usage', 'report_usage', { idempotency_key: freshKey(), reporting_period: PERIOD, usage: [] });
  return seen;
}

const RELEASES: readonly SchemaRelease[] = ['3.0', '3.1'];

describe.each(RELEASES)('answers for callers of %s', async (version) => {
  if (!hasSchemas(version)) {
    test(`are not judged: there are no schemas at ${SCHEMA_FOLDERS[version]}`, (context) => context.skip());
    return;
  }
  const judge = schemaJudge(version);
  const seen = await story(version);

  test.each(seen)('$what ($tool) fit the public schema', ({ tool, payload }) => {
    expect(judge(SCHEMAS[tool] ?? '', payload)).toEqual([]);
  });

  test('show every task, successes and failures', () => {
    const done = new Set(seen.filter((one) => !one.isError).map((one) => one.tool));
    expect([...done].sort()).toEqual(Object.keys(SCHEMAS).sort());
    expect(seen.filter((one) => one.isError).map((one) => one.what)).toEqual([
      'an unknown signal',
      'no destinations',
      'a search in a bad mode',
      'no usage',
    ]);
  });

  test('the judge can say no', () => {
    expect(judge('signals/activate-signal-response', { status: 'completed' })).not.toEqual([]);
  });
});

const BAD = 'INVALID_REQUEST';
const keyed = (args: object) => ({ idempotency_key: freshKey(), ...args });
const order = (changes: object = {}) => keyed({ ...HIGH_LTV, destinations: [TRADE_DESK], ...changes });
const sent = (...usage: object[]) => keyed({ reporting_period: PERIOD, usage });
const USED = { account: ACCOUNT, signal_agent_segment_id: 'prism_high_ltv', vendor_cost: 1, currency: 'USD' };

/** Wrong calls, and the code and field that each must be answered with. */
const WRONG: readonly (readonly [tool: string, what: string, args: object, code: string, field: string])[] = [
  ['get_signals', 'a spec with wholesale', { discovery_mode: 'wholesale', signal_spec: 'x' }, BAD, 'signal_spec'],
  [
    'get_signals',
    'references with wholesale',
    { discovery_mode: 'wholesale', signal_refs: [{ scope: 'product', signal_id: 'x' }] },
    BAD,
    'signal_refs',
  ],
  ['get_signals', 'nothing with brief', { discovery_mode: 'brief' }, BAD, 'signal_spec'],
  ['get_signals', 'a blank spec with brief', { discovery_mode: 'brief', signal_spec: ' ' }, BAD, 'signal_spec'],
  ['get_signals', 'a mode that does not exist', { discovery_mode: 'all' }, BAD, 'discovery_mode'],
  ['get_signals', 'a spec that is a number', { signal_spec: 7 }, BAD, 'signal_spec'],
  ['get_signals', 'a spec of 30,000 characters', { signal_spec: 'x'.repeat(30_000) }, BAD, 'signal_spec'],
  ['get_signals', 'ids that are text', { signal_ids: ['ev_intenders'] }, BAD, 'signal_ids[0]'],
  ['get_signals', 'no ids at all', { signal_ids: [] }, BAD, 'signal_ids'],
  [
    'get_signals',
    'an id of no provider',
    { signal_ids: [{ source: 'catalog', id: 'x' }] },
    BAD,
    'signal_ids[0].data_provider_domain',
  ],
  ['get_signals', 'an id of no agent', { signal_ids: [{ source: 'agent', id: 'x' }] }, BAD, 'signal_ids[0].agent_url'],
  [
    'get_signals',
    'an id of an unknown source',
    { signal_ids: [{ source: 'x', id: 'x' }] },
    BAD,
    'signal_ids[0].source',
  ],
  [
    'get_signals',
    'a reference to no source',
    { signal_refs: [{ scope: 'signal_source', signal_id: 'x' }] },
    BAD,
    'signal_refs[0].signal_source_url',
  ],
  ['get_signals', 'a country in words', { countries: ['Germany'] }, BAD, 'countries[0]'],
  ['get_signals', 'an unknown type', { filters: { catalog_types: ['rented'] } }, BAD, 'filters.catalog_types[0]'],
  ['get_signals', 'a negative CPM', { filters: { max_cpm: -1 } }, BAD, 'filters.max_cpm'],
  [
    'get_signals',
    'a coverage of 101',
    { filters: { min_coverage_percentage: 101 } },
    BAD,
    'filters.min_coverage_percentage',
  ],
  ['get_signals', 'filters that are text', { filters: 'owned' }, BAD, 'filters'],
  ['get_signals', 'no fields at all', { fields: [] }, BAD, 'fields'],
  ['get_signals', 'a page of 0', { pagination: { max_results: 0 } }, BAD, 'pagination.max_results'],
  ['get_signals', 'max_results of 0', { max_results: 0 }, BAD, 'max_results'],
  ['get_signals', 'a cursor of another list', { pagination: { cursor: 'cHJvZHVjdHM6MQ' } }, BAD, 'pagination.cursor'],
  ['get_signals', 'a platform without name', { destinations: [{ type: 'platform' }] }, BAD, 'destinations[0].platform'],
  ['get_signals', 'no destinations at all', { destinations: [] }, BAD, 'destinations'],
  [
    'get_signals',
    'an account of somebody else',
    { account: { account_id: 'acct_signals_2' } },
    'ACCOUNT_NOT_FOUND',
    'account',
  ],
  ['activate_signal', 'no key', { ...HIGH_LTV, destinations: [TRADE_DESK] }, BAD, 'idempotency_key'],
  ['activate_signal', 'no signal', order({ signal_agent_segment_id: undefined }), BAD, 'signal_agent_segment_id'],
  [
    'activate_signal',
    'a signal_id in the place of the handle',
    order({ signal_agent_segment_id: { source: 'catalog', id: 'x' } }),
    BAD,
    'signal_agent_segment_id',
  ],
  [
    'activate_signal',
    'a signal of nobody',
    order({ signal_agent_segment_id: 'nothing' }),
    'SIGNAL_NOT_FOUND',
    'signal_agent_segment_id',
  ],
  [
    'activate_signal',
    'a deactivation of a signal of nobody',
    order({ signal_agent_segment_id: 'nothing', action: 'deactivate' }),
    'SIGNAL_NOT_FOUND',
    'signal_agent_segment_id',
  ],
  ['activate_signal', 'no price', order({ pricing_option_id: undefined }), BAD, 'pricing_option_id'],
  [
    'activate_signal',
    'another signal’s price',
    order({ pricing_option_id: 'cpm' }),
    'VALIDATION_ERROR',
    'pricing_option_id',
  ],
  ['activate_signal', 'an unknown action', order({ action: 'pause' }), BAD, 'action'],
  ['activate_signal', 'no destinations', order({ destinations: undefined }), BAD, 'destinations'],
  [
    'activate_signal',
    'destinations that are text',
    order({ destinations: ['the-trade-desk'] }),
    BAD,
    'destinations[0]',
  ],
  ['activate_signal', 'an unknown type', order({ destinations: [{ type: 'dsp' }] }), BAD, 'destinations[0].type'],
  [
    'activate_signal',
    'an unknown platform',
    order({ destinations: [{ type: 'platform', platform: 'nowhere' }] }),
    'VALIDATION_ERROR',
    'destinations[0].platform',
  ],
  [
    'activate_signal',
    'a platform that the signal does not go to',
    order({
      signal_agent_segment_id: 'custom_acme_lapsed',
      pricing_option_id: 'per_unit',
      destinations: [{ type: 'platform', platform: 'harbor-ssp' }],
    }),
    'VALIDATION_ERROR',
    'destinations[0].platform',
  ],
  [
    'activate_signal',
    'an agent that is no address',
    order({ destinations: [TRADE_DESK, { type: 'agent', agent_url: 'sales agent' }] }),
    BAD,
    'destinations[1].agent_url',
  ],
  [
    'activate_signal',
    'an agent with a password in its address',
    order({ destinations: [{ type: 'agent', agent_url: 'https://user:secret@a.example' }] }),
    BAD,
    'destinations[0].agent_url',
  ],
  [
    'activate_signal',
    'an agent of another protocol',
    order({ destinations: [{ type: 'agent', agent_url: 'file:///etc/passwd' }] }),
    BAD,
    'destinations[0].agent_url',
  ],
  [
    'activate_signal',
    'an account of somebody else',
    order({ account: { account_id: 'acct_signals_2' } }),
    'ACCOUNT_NOT_FOUND',
    'account',
  ],
  ['report_usage', 'no period', keyed({ usage: [USED] }), BAD, 'reporting_period'],
  [
    'report_usage',
    'a period upside down',
    { ...sent(USED), reporting_period: { start: PERIOD.end, end: PERIOD.start } },
    BAD,
    'reporting_period.end',
  ],
  [
    'report_usage',
    'a period without zone',
    { ...sent(USED), reporting_period: { start: '2029-12-01T00:00:00', end: PERIOD.end } },
    BAD,
    'reporting_period.start',
  ],
  ['report_usage', 'nothing used', sent(), BAD, 'usage'],
  ['report_usage', 'a negative cost', sent({ ...USED, vendor_cost: -1 }), BAD, 'usage[0].vendor_cost'],
  ['report_usage', 'half an impression', sent({ ...USED, impressions: 0.5 }), BAD, 'usage[0].impressions'],
  ['report_usage', 'no account', sent({ ...USED, account: undefined }), BAD, 'usage[0].account'],
  ['report_usage', 'a currency in words', sent({ ...USED, currency: 'dollars' }), BAD, 'usage[0].currency'],
];

describe('a wrong call is answered so that a model can correct it', async () => {
  const server = await boot();
  const buyer = signalBuyer(server);

  test.each(WRONG)('%s: %s -> %s', async (tool, _what, args, code, field) => {
    const { payload, isError, status } = await buyer.call(tool, { context: KIT_CONTEXT, ...args });
    const [error] = payload.errors;
    expect({ status, isError, code: error?.code, field: error?.field }).toEqual({
      status: 200,
      isError: true,
      code,
      field,
    });
    expect(payload.context).toEqual(KIT_CONTEXT);
    expect(error?.message.length).toBeGreaterThan(10);
    expect(error?.suggestion?.length).toBeGreaterThan(10);
    expect(JSON.stringify(payload)).not.toMatch(/secret|\[object|undefined|node_modules|sqlite/i);
    expect(Buffer.byteLength(JSON.stringify(payload.adcp_error))).toBeLessThanOrEqual(4096);
  });

  test('and none of them left anything behind, nor was unexpected', async () => {
    const { signals } = await buyer.find();
    expect(signals.flatMap((signal) => signal.deployments.filter((each) => each.is_live))).toEqual([]);
    expect(server.log).toEqual([]);
  });

  test('unknown and foreign tools of other kinds are unknown', async () => {
    for (const tool of ['get_products', 'create_media_buy', 'build_creative', 'list_creatives'])
      expect((await buyer.call(tool)).payload.message).toMatch(/^Unknown tool: /);
  });
});
