import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, freshKey, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../../kit/buyer.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { sandboxToken } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const TOKEN = sandboxToken('governance');
const GOVERNANCE = { tenant: 'governance', token: TOKEN };
const OTHER = { tenant: 'governance', token: sandboxToken('governance', 'sandbox-token-2') };
const BUYER = 'https://buyer.example/mcp';

const RELEASES: readonly SchemaRelease[] = (['3.0', '3.1'] as const).filter(hasSchemas);

let plans = 0;

/** A plan of 5000 USD for display in the US, with an id of its own. */
function plan(changes: object = {}): { readonly plan_id: string } & Readonly<Record<string, unknown>> {
  plans += 1;
  return {
    plan_id: `plan-${plans}`,
    brand: { domain: 'acme-outdoor.example' },
    objectives: 'Sell shoes',
    budget: { total: 5000, currency: 'USD', reallocation_unlimited: true },
    flight: { start: '2029-12-01T00:00:00Z', end: '2030-03-01T00:00:00Z' },
    ...changes,
  };
}

/** A seller and a governance agent on one host. */
let server: Booted;
beforeAll(async () => {
  server = await boot();
});

type Options = Parameters<Booted['call']>[2];

const call = (tool: string, args: object, options: Options = {}) =>
  server.call(tool, args, { ...GOVERNANCE, version: '3.1', ...options });

async function synced(changes: object = {}): Promise<string> {
  const one = plan(changes);
  const answer = succeeded(await call('sync_plans', { idempotency_key: freshKey(), plans: [one] }));
  expect(answer.plans).toEqual([expect.objectContaining({ plan_id: one.plan_id, status: 'active', version: 1 })]);
  return one.plan_id;
}

/** What a buyer's agent would call a seller with. */
const intent = (plan_id: string, payload: object, more: object = {}) => ({
  plan_id,
  caller: BUYER,
  tool: 'create_media_buy',
  payload,
  ...more,
});

const within = { total_budget: { amount: 1000, currency: 'USD' }, end_time: '2030-01-31T00:00:00Z' };

/** What a seller would deliver. */
const execution = (plan_id: string, planned_delivery: object = {}, more: object = {}) => ({
  plan_id,
  caller: 'https://seller.example/mcp',
  planned_delivery: { total_budget: 1000, currency: 'USD', channels: ['display'], ...planned_delivery },
  ...more,
});

async function checked(args: object): Promise<Payload> {
  return succeeded(await call('check_governance', args));
}

/** The state of a plan, with its entries. */
async function audited(plan_id: string): Promise<Payload> {
  const answer = succeeded(await call('get_plan_audit_logs', { plan_ids: [plan_id], include_entries: true }));
  return (answer.plans as unknown as readonly Payload[])[0] as Payload;
}

describe('an account of a seller whose governance agent is on the same host', () => {
  test('buys what its plan approves, and nothing beyond it; the log of the plan has both', async () => {
    const plan_id = await synced({ channels: { allowed: ['display', 'olv', 'ctv'] } });
    const agent = { url: server.url('governance'), authentication: { schemes: ['Bearer'], credentials: TOKEN } };
    const account = { account_id: SANDBOX_ACCOUNT };
    succeeded(
      await server.call('sync_governance', {
        idempotency_key: freshKey(),
        accounts: [{ account, governance_agents: [agent] }],
      }),
    );
    const intended = await checked(intent(plan_id, within));
    expect(intended.verdict).toBe('approved');
    const { governance_context } = intended;
    const bought = succeeded(
      await server.call('create_media_buy', createRequest({ plan_id, governance_context }), { version: '3.1' }),
    );
    expect(bought.governance_context).not.toBe(governance_context);
    const line = bought.packages[0]?.package_id;
    const raise = (budget: number) =>
      server.call('update_media_buy', updateRequest(bought.media_buy_id, { packages: [{ package_id: line, budget }] }));
    const denied = await raise(6000);
    expect(denied.payload.errors[0]).toMatchObject({
      code: 'GOVERNANCE_DENIED',
      details: { findings: [{ category_id: 'budget_authority', explanation: expect.stringContaining('Lower') }] },
    });
    succeeded(await raise(4000));
    succeeded(
      await call('report_plan_outcome', {
        idempotency_key: freshKey(),
        plan_id,
        governance_context,
        outcome: 'completed',
        seller_response: { seller_reference: bought.media_buy_id, committed_budget: 4000 },
      }),
    );
    const log = await audited(plan_id);
    expect(log).toMatchObject({
      budget: { authorized: 5000, committed: 4000, remaining: 1000, utilization_pct: 80 },
      governed_actions: [{ committed: 4000, check_count: 4, seller_reference: bought.media_buy_id }],
      summary: { checks_performed: 4, outcomes_reported: 1, statuses: { approved: 3, denied: 1 } },
    });
    expect(
      (log.entries as unknown as readonly Payload[]).map((one) => [one.type, one.check_type, one.verdict]),
    ).toEqual([
      ['check', 'intent', 'approved'],
      ['check', 'execution', 'approved'],
      ['check', 'execution', 'denied'],
      ['check', 'execution', 'approved'],
      ['outcome', undefined, undefined],
    ]);
  });
});

describe('a check denies what is beyond', () => {
  const cases: readonly (readonly [string, object, (plan_id: string) => object, string])[] = [
    ['the budget', {}, (id) => execution(id, { total_budget: 5001 }), 'budget_authority'],
    ['the currency', {}, (id) => execution(id, { currency: 'EUR' }), 'budget_currency'],
    ['the start', {}, (id) => execution(id, { start_time: '2029-11-30T00:00:00Z' }), 'flight'],
    ['the end', {}, (id) => intent(id, { end_time: '2030-03-02T00:00:00Z' }), 'flight'],
    ['the channels', { channels: { allowed: ['ctv'] } }, (id) => execution(id), 'channels'],
    [
      'the mix of channels',
      { channels: { mix_targets: { display: { max_pct: 10 } } } },
      (id) => execution(id),
      'channels',
    ],
    ['the countries', { countries: ['CA'] }, (id) => execution(id, { geo: { countries: ['US'] } }), 'geo'],
    ['the regions', { regions: ['US-CA'] }, (id) => execution(id, { geo: { countries: ['US'] } }), 'geo'],
    [
      'the approved sellers',
      { approved_sellers: ['https://other.example/mcp'] },
      (id) => execution(id),
      'seller_verification',
    ],
    [
      'the share of a seller',
      { budget: { total: 5000, currency: 'USD', reallocation_unlimited: true, per_seller_max_pct: 10 } },
      (id) => execution(id),
      'budget_authority',
    ],
    [
      'the allocation of a purchase type',
      {
        budget: {
          total: 5000,
          currency: 'USD',
          reallocation_unlimited: true,
          allocations: { media_buy: { amount: 500 } },
        },
      },
      (id) => execution(id),
      'budget_authority',
    ],
    [
      'the delegations',
      { delegations: [{ agent_url: 'https://other.example/mcp', authority: 'full' }] },
      (id) => intent(id, within),
      'delegation',
    ],
    [
      'a delegation that ended',
      { delegations: [{ agent_url: BUYER, authority: 'full', expires_at: '2029-12-31T00:00:00Z' }] },
      (id) => intent(id, within),
      'delegation',
    ],
    ['what needs no person', { human_review_required: true }, (id) => intent(id, within), 'human_review'],
    [
      'an audience that is excluded',
      { audience: { exclude: [{ type: 'description', description: 'Children' }] } },
      (id) => execution(id, { audience_targeting: [{ type: 'description', description: 'children' }] }),
      'audience',
    ],
    [
      'the approved spend',
      {},
      (id) =>
        execution(id, undefined, {
          phase: 'delivery',
          delivery_metrics: {
            reporting_period: { start: '2030-01-01T00:00:00Z', end: '2030-01-08T00:00:00Z' },
            cumulative_spend: 5001,
          },
        }),
      'delivery_spend',
    ],
  ];

  test.each(cases)('%s of its plan, and says what to do', async (_what, changes, ask, category_id) => {
    const answer = await checked(ask(await synced(changes)));
    expect(answer.verdict).toBe('denied');
    const critical = (answer.findings as readonly Payload[]).filter(({ severity }) => severity === 'critical');
    expect(critical).toEqual([
      expect.objectContaining({ category_id, explanation: expect.stringMatching(/\. [A-Z]|: /) }),
    ]);
    expect(answer.expires_at).toBeUndefined();
  });
});

describe('the budget of a plan', () => {
  test('is held by what a seller was let to sell, and given back by a failed outcome', async () => {
    const plan_id = await synced();
    const first = await checked(execution(plan_id, { total_budget: 4000 }));
    expect(first.verdict).toBe('approved');
    expect((await checked(execution(plan_id, { total_budget: 2000 }))).verdict).toBe('denied');
    const failed = {
      idempotency_key: freshKey(),
      plan_id,
      governance_context: first.governance_context,
      check_id: first.check_id,
      outcome: 'failed',
      error: { code: 'PRODUCT_UNAVAILABLE' },
    };
    const outcome = succeeded(await call('report_plan_outcome', failed));
    expect(outcome).toMatchObject({
      outcome_state: 'accepted',
      committed_budget: 0,
      plan_summary: { total_committed: 0, budget_remaining: 5000 },
    });
    const again = succeeded(await call('report_plan_outcome', failed));
    expect(again).toMatchObject({ outcome_id: outcome.outcome_id, replayed: true });
    expect((await checked(execution(plan_id, { total_budget: 2000 }))).verdict).toBe('approved');
    expect((await audited(plan_id)).summary).toMatchObject({ checks_performed: 3, outcomes_reported: 1 });
  });

  test('is told where nothing is asked about', async () => {
    const plan_id = await synced();
    expect(await checked({ plan_id, caller: BUYER })).toMatchObject({
      verdict: 'approved',
      findings: [{ severity: 'info', details: { remaining: 5000 } }],
    });
  });

  test('counts what was committed without a check, with a finding', async () => {
    const plan_id = await synced();
    const outcome = succeeded(
      await call('report_plan_outcome', {
        idempotency_key: freshKey(),
        plan_id,
        governance_context: 'a context that nobody gave',
        outcome: 'completed',
        seller_response: { packages: [{ budget: 3000 }, { budget: 3000 }] },
      }),
    );
    expect(outcome).toMatchObject({ outcome_state: 'findings', committed_budget: 6000 });
    expect((outcome.findings as readonly Payload[]).map(({ category_id }) => category_id)).toEqual([
      'unapproved_purchase',
      'budget_authority',
    ]);
  });
});

describe('a plan', () => {
  test('that is synced again is its next revision, and the log of the first stays', async () => {
    const one = plan();
    const sync = (changes: object) =>
      call('sync_plans', { idempotency_key: freshKey(), plans: [{ ...one, ...changes }] });
    succeeded(await sync({}));
    expect((await checked(execution(one.plan_id, { total_budget: 6000 }))).verdict).toBe('denied');
    const raised = { budget: { total: 9000, currency: 'USD', reallocation_threshold: 0 } };
    expect(succeeded(await sync(raised)).plans).toEqual([expect.objectContaining({ version: 2 })]);
    expect((await checked(execution(one.plan_id, { total_budget: 6000 }))).verdict).toBe('approved');
    const log = await audited(one.plan_id);
    expect(log.plan_version).toBe(2);
    const hashes = (log.entries as unknown as readonly Payload[]).map(({ plan_hash }) => plan_hash);
    expect(new Set(hashes).size).toBe(2);
  });

  test('with a policy in words is approved on its condition, and says that it did not judge the words', async () => {
    const policy = { policy_id: 'weekly', enforcement: 'must', policy: 'CTV buys require weekly reporting.' };
    const plan_id = await synced({ custom_policies: [policy] });
    expect(await checked(execution(plan_id))).toMatchObject({
      verdict: 'conditions',
      conditions: [{ field: 'policies.weekly', reason: policy.policy }],
      findings: [{ policy_id: 'weekly', severity: 'warning', confidence: 0.5 }],
      policies_evaluated: ['weekly'],
    });
  });

  test('is found by its owner alone', async () => {
    const plan_id = await synced();
    for (const [tool, args] of [
      ['check_governance', intent(plan_id, within)],
      ['get_plan_audit_logs', { plan_ids: [plan_id] }],
    ] as const) {
      const { payload, isError } = await call(tool, args, OTHER);
      expect({ isError, code: payload.errors[0]?.code }).toEqual({ isError: true, code: 'PLAN_NOT_FOUND' });
    }
  });

  test('survives a restart with its budget and its log', async () => {
    const plan_id = await synced();
    await checked(execution(plan_id, { total_budget: 4000 }));
    const before = await audited(plan_id);
    await server.restart();
    expect(await audited(plan_id)).toEqual(before);
    expect((await checked(execution(plan_id, { total_budget: 1001 }))).verdict).toBe('denied');
  });
});

describe('the capabilities of a governance agent', () => {
  test.each(RELEASES)('name its protocol and what of it is experimental, by the schema of %s', async (release) => {
    const answer = succeeded(await call('get_adcp_capabilities', {}, { version: release }));
    expect(answer).toMatchObject({
      supported_protocols: ['governance'],
      specialisms: [
        'governance-spend-authority',
        'governance-delivery-monitor',
        'content-standards',
        'property-lists',
        'collection-lists',
      ],
      experimental_features: ['governance.campaign'],
    });
    expect(schemaJudge(release)('protocol/get-adcp-capabilities-response', answer)).toEqual([]);
  });
});

describe('a governance context', () => {
  test('is a compact JWS of a key for that alone, which the keys of the host verify', async () => {
    const plan_id = await synced();
    const { governance_context: context, check_id } = await checked(execution(plan_id));
    const [header, claims] = String(context)
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Payload);
    expect(header).toMatchObject({ alg: 'EdDSA', typ: 'adcp-gov+jws' });
    expect(claims).toMatchObject({
      iss: server.url('governance'),
      sub: plan_id,
      aud: 'https://seller.example/mcp',
      jti: check_id,
      phase: 'purchase',
    });
    const { keys } = (await (await fetch(`${server.baseUrl}/.well-known/jwks.json`)).json()) as {
      readonly keys: readonly { readonly x: string; readonly kid: string; readonly adcp_use: string }[];
    };
    const key = keys.find(({ kid }) => kid === header?.kid);
    expect(key?.adcp_use).toBe('governance-signing');
    const own = await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x: key?.x }, 'Ed25519', true, [
      'verify',
    ]);
    const [signed, signature] = [String(context).split('.').slice(0, 2).join('.'), String(context).split('.')[2] ?? ''];
    expect(await crypto.subtle.verify('Ed25519', own, Buffer.from(signature, 'base64url'), Buffer.from(signed))).toBe(
      true,
    );
  });
});

describe('a governance agent refuses', () => {
  test.each([
    [
      'two rules of reallocation',
      { budget: { total: 1, currency: 'USD', reallocation_threshold: 1, reallocation_unlimited: true } },
      'INVALID_REQUEST',
      'plans[0].budget.reallocation_threshold',
    ],
    [
      'no rule of reallocation',
      { budget: { total: 1, currency: 'USD' } },
      'INVALID_REQUEST',
      'plans[0].budget.reallocation_threshold',
    ],
    [
      'a flight that ends first',
      { flight: { start: '2030-01-02T00:00:00Z', end: '2030-01-01T00:00:00Z' } },
      'INVALID_REQUEST',
      'plans[0].flight.end',
    ],
    ['a member that no plan has', { budgets: 1 }, 'INVALID_REQUEST', 'plans[0]'],
    ['policies of a registry', { policy_ids: ['uk_hfss'] }, 'UNSUPPORTED_FEATURE', 'plans[0].policy_ids'],
    ['a portfolio', { portfolio: { member_plan_ids: ['plan-1'] } }, 'UNSUPPORTED_FEATURE', 'plans[0].portfolio'],
  ])('%s of a plan', async (_what, changes, code, field) => {
    const { payload, isError } = await call('sync_plans', { idempotency_key: freshKey(), plans: [plan(changes)] });
    expect(isError).toBe(true);
    expect(payload.errors[0]).toMatchObject({ code, field, suggestion: expect.any(String) });
  });

  test('an account in a check, a delivery without metrics, and a check that is none of the plan', async () => {
    const plan_id = await synced();
    const refusal = async (tool: string, args: object) => (await call(tool, args)).payload.errors[0];
    expect(await refusal('check_governance', intent(plan_id, within, { account: { account_id: 'a' } }))).toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'account',
    });
    expect(await refusal('check_governance', { plan_id, caller: BUYER, phase: 'delivery' })).toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'delivery_metrics',
    });
    const outcome = {
      idempotency_key: freshKey(),
      plan_id,
      governance_context: 'x',
      outcome: 'failed',
      error: {},
      check_id: 'chk_x',
    };
    expect(await refusal('report_plan_outcome', outcome)).toMatchObject({
      code: 'REFERENCE_NOT_FOUND',
      field: 'check_id',
    });
  });
});

describe.each(RELEASES)('by the public schemas of %s', (release) => {
  test('every answer about a plan is valid, whatever was decided', async () => {
    const judge = schemaJudge(release);
    const policy = { policy_id: 'weekly', enforcement: 'must', policy: 'Weekly reports.', channels: ['ctv'] };
    const one = plan({ custom_policies: [policy] });
    const faults: string[] = [];
    const ask = async (tool: string, args: object): Promise<Payload> => {
      const name = tool.replaceAll('_', '-');
      faults.push(...judge(`governance/${name}-request`, args));
      const { payload } = await call(tool, args, { version: release });
      expect(payload.errors).toBeUndefined();
      // Members of the envelope, which 3.0 closes some answers against, are judged apart.
      const { status: _status, adcp_version: _version, replayed: _replayed, ...own } = payload;
      faults.push(
        ...judge(`governance/${name}-response`, release === '3.0' ? { ...own, status: payload.status } : payload),
      );
      return payload;
    };
    await ask('sync_plans', { idempotency_key: freshKey(), plans: [one] });
    const { plan_id } = one;
    await ask('check_governance', execution(plan_id));
    await ask('check_governance', execution(plan_id, { channels: ['ctv'] }));
    const denied = await ask('check_governance', execution(plan_id, { total_budget: 9000 }));
    expect(release === '3.0' ? denied.status : denied.verdict).toBe('denied');
    const { governance_context, check_id } = await ask('check_governance', intent(plan_id, within));
    const outcome = { idempotency_key: freshKey(), plan_id, governance_context, check_id };
    await ask('report_plan_outcome', {
      ...outcome,
      outcome: 'completed',
      seller_response: { seller_reference: 'mb_1', committed_budget: 2000 },
    });
    await ask('report_plan_outcome', {
      ...outcome,
      idempotency_key: freshKey(),
      outcome: 'delivery',
      delivery: { reporting_period: { start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z' }, spend: 10 },
    });
    await ask('get_plan_audit_logs', { plan_ids: [plan_id] });
    await ask('get_plan_audit_logs', { governance_contexts: [governance_context], include_entries: true });
    expect(faults).toEqual([]);
  });
});
