import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type Booted, boot, rpc } from '../../kit/boot.js';
import { createRequest, freshKey, packageRequest, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../../kit/buyer.js';
import {
  appointment,
  type Behaviour,
  budgetPlan,
  type GovernanceAgentKit,
  startGovernanceAgent,
  verdict,
} from '../../kit/governance-agent.js';
import { operatorOf } from '../../kit/operator.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { publicSandboxes, tenantsFolder } from '../../kit/tenants.js';
import type { Payload, WireError } from '../../kit/wire.js';

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };

type Governed = { readonly server: Booted; readonly agent: GovernanceAgentKit };

/** A seller whose sandbox account is under governance. */
async function governed(options: Parameters<typeof boot>[0] = {}, kit = {}): Promise<Governed> {
  const server = await boot(options);
  const agent = await startGovernanceAgent(kit);
  succeeded(await server.call('sync_governance', appointment(agent, ACCOUNT)));
  return { server, agent };
}

const order = (changes: object = {}) => createRequest({ plan_id: 'plan-1', ...changes });

/** The error of a call that must fail. */
async function refused(server: Booted, tool: string, args: object): Promise<WireError> {
  const { payload, isError } = await server.call(tool, args);
  expect(isError).toBe(true);
  return payload.errors[0] as WireError;
}

async function buys(server: Booted): Promise<Payload['media_buys']> {
  const every = ['pending_creatives', 'pending_start', 'active', 'paused', 'completed', 'rejected', 'canceled'];
  return succeeded(await server.call('get_media_buys', { status_filter: every })).media_buys;
}

describe('an order on an account under governance', () => {
  test('is bought when the agent approves; the agent sees what would be delivered, and its context comes back', async () => {
    const { server, agent } = await governed();
    agent.behave(budgetPlan(5000));
    const bought = succeeded(await server.call('create_media_buy', order({ governance_context: 'ctx-of-the-buyer' })));
    expect(bought).toMatchObject({
      status: 'active',
      governance_context: 'ctx-plan-1',
      governance: { check_id: 'chk_1' },
    });
    expect(agent.checks).toHaveLength(1);
    expect(agent.checks[0]).toMatchObject({
      authorization: `Bearer ${agent.credentials}`,
      args: {
        plan_id: 'plan-1',
        caller: server.url(),
        purchase_type: 'media_buy',
        phase: 'purchase',
        governance_context: 'ctx-of-the-buyer',
        planned_delivery: {
          total_budget: 1000,
          currency: 'USD',
          start_time: server.clock.iso().replace('.000', ''),
          end_time: '2030-01-31T00:00:00Z',
        },
      },
    });
  });

  test('is refused with the findings when the agent denies, and bought once it fits', async () => {
    const { server, agent } = await governed();
    agent.behave(budgetPlan(500));
    const denied = await refused(server, 'create_media_buy', order());
    expect(denied).toMatchObject({
      code: 'GOVERNANCE_DENIED',
      recovery: 'correctable',
      details: {
        plan_id: 'plan-1',
        check_id: 'chk_1',
        findings: [{ category_id: 'budget_authority', explanation: "1000 is over the plan's 500." }],
      },
    });
    expect(await buys(server)).toEqual([]);
    succeeded(await server.call('create_media_buy', order({ packages: [packageRequest({ budget: 400 })] })));
    expect(await buys(server)).toHaveLength(1);
  });

  test('is bought under conditions that advise, and says them', async () => {
    const { server, agent } = await governed();
    const conditions = [{ field: 'delivery', reason: 'CTV needs weekly delivery reports.' }];
    agent.behave(() => verdict('conditions', { conditions, governance_context: 'ctx-2' }, 'status'));
    const bought = succeeded(await server.call('create_media_buy', order()));
    expect(bought).toMatchObject({ governance_context: 'ctx-2', governance: { conditions } });
  });

  test('is never changed behind the buyer’s back to meet a condition', async () => {
    const { server, agent } = await governed();
    const conditions = [{ field: 'total_budget', required_value: 800, reason: 'The plan has 800 left.' }];
    agent.behave(() => verdict('conditions', { conditions }));
    expect(await refused(server, 'create_media_buy', order())).toMatchObject({
      code: 'GOVERNANCE_DENIED',
      field: 'packages[0].budget',
      suggestion: expect.stringContaining('Set total_budget to 800'),
      details: { conditions },
    });
    expect(await buys(server)).toEqual([]);
  });

  test('needs a plan, and names the field', async () => {
    const { server, agent } = await governed();
    expect(await refused(server, 'create_media_buy', createRequest())).toMatchObject({
      code: 'GOVERNANCE_DENIED',
      field: 'plan_id',
      suggestion: expect.stringContaining('plan_id'),
    });
    expect(agent.checks).toEqual([]);
  });

  test('the plan can be told from the context, where that is a JWS that says it', async () => {
    const { server, agent } = await governed();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const governance_context = `${part({ alg: 'EdDSA' })}.${part({ sub: 'plan-of-the-token' })}.c2ln`;
    succeeded(await server.call('create_media_buy', createRequest({ governance_context })));
    expect(agent.checks[0]?.args).toMatchObject({ plan_id: 'plan-of-the-token', governance_context });
  });

  test('what would be refused anyway is refused before anybody is asked', async () => {
    const { server, agent } = await governed();
    const wrong = order({ packages: [packageRequest({ product_id: 'nothing-of-that-name' })] });
    expect(await refused(server, 'create_media_buy', wrong)).toMatchObject({ code: 'PRODUCT_NOT_FOUND' });
    expect(agent.checks).toEqual([]);
  });

  test('a repeat is answered from what was stored; nobody is asked twice', async () => {
    const { server, agent } = await governed();
    const request = order();
    const bought = succeeded(await server.call('create_media_buy', request));
    const again = succeeded(await server.call('create_media_buy', { ...request, governance_context: 'another' }));
    expect(again).toMatchObject({ media_buy_id: bought.media_buy_id, replayed: true });
    expect(agent.checks).toHaveLength(1);
  });

  test('other accounts of the same buyer are not under it', async () => {
    const { server, agent } = await governed();
    const account = { brand: { domain: 'other.example' }, operator: 'other.example' };
    succeeded(await server.call('create_media_buy', createRequest({ account })));
    expect(agent.checks).toEqual([]);
    const planned = succeeded(await server.call('create_media_buy', order({ account, governance_context: 'ctx' })));
    const ungoverned = 'No governance agent decides about this account, so nothing follows from';
    expect(planned.message).toContain(`${ungoverned} plan_id and governance_context. To have one asked`);
    const other = await boot();
    const { message } = succeeded(await other.call('create_media_buy', order()));
    expect(message).toContain(`${ungoverned} plan_id.`);
  });

  test('an agent that keeps sessions is asked within one', async () => {
    const { server, agent } = await governed({}, { sessions: true });
    succeeded(await server.call('create_media_buy', order()));
    expect(agent.checks).toHaveLength(1);
  });
});

const html = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Oops</h1>');
};

describe('an agent that gives no decision', () => {
  const OUTAGES: readonly [what: string, behaviour: Behaviour, reason: string][] = [
    ['answers 500', { does: html(500) }, 'unreachable'],
    ['answers garbage', { does: html(200) }, 'no_decision'],
    ['breaks off', { does: (response) => response.socket?.destroy() }, 'unreachable'],
    ['does not know us', { does: html(401) }, 'unauthorized'],
    ['says something else', { says: { status: 'completed' } }, 'no_decision'],
    ['says a decision that is none', verdict('maybe'), 'no_decision'],
    ['sets conditions without any', verdict('conditions'), 'no_decision'],
    ['sets a condition that cannot be read', verdict('conditions', { conditions: [{ reason: 'x' }] }), 'no_decision'],
    ['says no time', verdict('approved', { expires_at: 'tomorrow' }), 'no_decision'],
    ['approved until yesterday', verdict('approved', { expires_at: '2029-12-31T00:00:00Z' }), 'expired'],
    ['fails otherwise', { fails: { code: 'INTERNAL', message: 'no' } }, 'no_decision'],
    // Longer than the agent is waited for.
    ['never answers', { does: () => undefined }, 'unreachable'],
  ];

  test.each(OUTAGES)(
    '%s: nothing is bought, and the same request goes through later',
    async (_what, behaviour, reason) => {
      const { server, agent } = await governed();
      agent.behave(() => behaviour);
      const request = order();
      expect(await refused(server, 'create_media_buy', request)).toMatchObject({
        code: 'GOVERNANCE_UNAVAILABLE',
        recovery: 'transient',
        retry_after: 30,
        details: { reason },
      });
      expect(await buys(server)).toEqual([]);
      agent.behave(() => verdict('approved'));
      expect(succeeded(await server.call('create_media_buy', request)).replayed).toBeUndefined();
    },
  );

  test.each([
    ['PLAN_NOT_FOUND', { adcp_error: { code: 'PLAN_NOT_FOUND', message: 'x' } }],
    ['CAMPAIGN_SUSPENDED', { errors: [{ code: 'CAMPAIGN_SUSPENDED', message: 'x' }] }],
  ])('%s is the buyer’s to mend', async (code, fails) => {
    const { server, agent } = await governed();
    agent.behave(() => ({ fails }));
    expect(await refused(server, 'create_media_buy', order())).toMatchObject({ code, field: 'plan_id' });
  });
});

describe('a change of a buy under governance', () => {
  test('asks when it promises more, with the context of the buy, and not when it promises less', async () => {
    const { server, agent } = await governed();
    agent.behave(budgetPlan(2000));
    const bought = succeeded(await server.call('create_media_buy', order()));
    const [line] = bought.packages;
    const set = (budget: number) => ({ packages: [{ package_id: line?.package_id, budget }] });
    for (const change of [{ paused: true }, { paused: false }, set(900)])
      succeeded(await server.call('update_media_buy', updateRequest(bought.media_buy_id, change)));
    expect(agent.checks).toHaveLength(1);

    succeeded(await server.call('update_media_buy', updateRequest(bought.media_buy_id, set(1900))));
    expect(agent.checks[1]?.args).toMatchObject({
      plan_id: 'plan-1',
      phase: 'modification',
      governance_context: 'ctx-plan-1',
      planned_delivery: { total_budget: 1900 },
      modification_summary: expect.stringContaining('900 to 1900 USD'),
    });
    expect(await refused(server, 'update_media_buy', updateRequest(bought.media_buy_id, set(2100)))).toMatchObject({
      code: 'GOVERNANCE_DENIED',
    });
    expect((await buys(server))[0]?.total_budget).toBe(1900);
  });

  test('is not carried out when the buy changed while the agent was asked', async () => {
    const { server, agent } = await governed();
    const bought = succeeded(await server.call('create_media_buy', order()));
    const [line] = bought.packages;
    const set = (budget: number) =>
      updateRequest(bought.media_buy_id, { packages: [{ package_id: line?.package_id, budget }] });
    const raise = set(1500);
    agent.behave(async () => {
      agent.behave(() => verdict('approved'));
      succeeded(await server.call('update_media_buy', set(700)));
      return verdict('approved');
    });
    expect(await refused(server, 'update_media_buy', raise)).toMatchObject({ code: 'CONFLICT', recovery: 'transient' });
    expect((await buys(server))[0]?.total_budget).toBe(700);
    succeeded(await server.call('update_media_buy', raise));
    expect((await buys(server))[0]?.total_budget).toBe(1500);
  });

  test('an agent appointed while another one is asked has its say', async () => {
    const { server, agent } = await governed();
    const second = await startGovernanceAgent();
    second.behave(budgetPlan(10));
    agent.behave(async () => {
      succeeded(await server.call('sync_governance', appointment(second, ACCOUNT)));
      return verdict('approved');
    });
    const request = order();
    expect(await refused(server, 'create_media_buy', request)).toMatchObject({ code: 'CONFLICT' });
    expect(await refused(server, 'create_media_buy', request)).toMatchObject({ code: 'GOVERNANCE_DENIED' });
    expect(await buys(server)).toEqual([]);
  });
});

describe('an order that a person approves later', () => {
  const approve = (server: Booted, taskId: string) =>
    operatorOf(server).post(`/approvals/${taskId}`, { decision: 'approve' });

  async function waiting(): Promise<Governed & { readonly taskId: string }> {
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] }));
    const { server, agent } = await governed({ tenants });
    agent.behave(budgetPlan(5000));
    const { task_id: taskId } = succeeded(await server.call('create_media_buy', order()));
    return { server, agent, taskId };
  }

  test('is asked about again before it is bought', async () => {
    const { server, agent, taskId } = await waiting();
    agent.behave(budgetPlan(5));
    await approve(server, taskId);
    const task = succeeded(await server.call('get_task_status', { task_id: taskId, include_result: true }));
    expect([task.status, task.error?.code]).toEqual(['failed', 'GOVERNANCE_DENIED']);
    expect(await buys(server)).toEqual([]);
    expect(agent.checks).toHaveLength(2);
  });

  test('goes on waiting while the agent is away', async () => {
    const { server, agent, taskId } = await waiting();
    agent.behave(() => ({ does: html(500) }));
    const answer = await approve(server, taskId);
    expect(answer.status).toBe(503);
    expect(succeeded(await server.call('get_task_status', { task_id: taskId })).status).toBe('submitted');
    agent.behave(budgetPlan(5000));
    expect((await approve(server, taskId)).status).toBe(200);
    expect(await buys(server)).toHaveLength(1);
  });
});

test('what was appointed and approved is still there after a restart', async () => {
  const { server, agent } = await governed();
  agent.behave(budgetPlan(1500));
  const bought = succeeded(await server.call('create_media_buy', order()));
  await server.restart();
  const packages = [{ package_id: bought.packages[0]?.package_id, budget: 1600 }];
  expect(await refused(server, 'update_media_buy', updateRequest(bought.media_buy_id, { packages }))).toMatchObject({
    code: 'GOVERNANCE_DENIED',
  });
  expect(agent.checks.at(-1)?.args).toMatchObject({ plan_id: 'plan-1', governance_context: 'ctx-plan-1' });
});

describe('a signal on an account under governance', () => {
  const CALL = { tenant: 'signals' } as const;
  const DESTINATIONS = [{ type: 'platform', platform: 'the-trade-desk', account: 'seat-1' }];

  test('is activated when the agent approves, and not when it denies; taking it back asks nobody', async () => {
    const server = await boot({
      tenants: tenantsFolder(() => undefined, 'signals'),
    });
    const agent = await startGovernanceAgent();
    const account = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
    const appointed = succeeded(await server.call('sync_governance', appointment(agent, account), CALL));
    expect(appointed.accounts[0]).toMatchObject({ account, status: 'synced', governance_agents: [{ url: agent.url }] });
    const found = succeeded(await server.call('get_signals', { signal_spec: 'outdoor enthusiasts' }, CALL));
    const [signal] = found.signals as readonly {
      signal_agent_segment_id: string;
      pricing_options: readonly { pricing_option_id: string }[];
    }[];
    const activate = (changes: object = {}) => ({
      idempotency_key: freshKey(),
      account,
      signal_agent_segment_id: signal?.signal_agent_segment_id,
      pricing_option_id: signal?.pricing_options[0]?.pricing_option_id,
      destinations: DESTINATIONS,
      ...changes,
    });
    const bare = await server.call('activate_signal', activate(), CALL);
    expect(bare.payload.errors[0]).toMatchObject({ code: 'GOVERNANCE_DENIED', field: 'governance_context' });
    agent.behave(() =>
      verdict('denied', { findings: [{ category_id: 'a', severity: 'critical', explanation: 'no' }] }),
    );
    const denied = await server.call('activate_signal', activate({ plan_id: 'plan-1' }), CALL);
    expect(denied.payload.errors[0]).toMatchObject({
      code: 'GOVERNANCE_DENIED',
      details: { findings: [{ explanation: 'no' }] },
    });
    expect(agent.checks[0]?.args).toMatchObject({ purchase_type: 'signal_activation', phase: 'purchase' });
    agent.behave(() => verdict('approved'));
    succeeded(await server.call('activate_signal', activate({ plan_id: 'plan-1' }), CALL));
    const asked = agent.checks.length;
    succeeded(await server.call('activate_signal', activate({ action: 'deactivate' }), CALL));
    expect(agent.checks).toHaveLength(asked);
  });
});

describe('who may appoint governance agents', () => {
  const appoint = (server: Booted, tenant: string) =>
    server.call(
      'sync_governance',
      appointment({ url: 'https://governance.example/', credentials: 'x'.repeat(32) }, ACCOUNT),
      { tenant },
    );

  const listed = async (server: Booted, tenant: string): Promise<readonly string[]> => {
    const answer = await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, {}, tenant);
    const { tools } = rpc(answer).result as { readonly tools?: readonly { readonly name: string }[] };
    return (tools ?? []).map(({ name }) => name);
  };

  test.each([
    ['sales', undefined, true, false],
    ['signals', undefined, true, false],
    ['sales', 'listed', true, true],
    ['sales', 'off', false, false],
  ] as const)('%s with governance %s', async (tenant, governance, answers, isListed) => {
    const bend = governance === undefined ? () => undefined : (draft: object) => Object.assign(draft, { governance });
    const server = await boot({ tenants: tenantsFolder(bend, tenant) });
    const { payload, isError } = await appoint(server, tenant);
    expect(isError).toBe(!answers);
    if (!answers) expect(payload.message).toContain('Unknown tool');
    expect((await listed(server, tenant)).includes('sync_governance')).toBe(isListed);
    if (tenant !== 'sales') return;
    const capabilities = succeeded(await server.call('get_adcp_capabilities', {}, { version: '3.1' }));
    expect(capabilities.media_buy).toMatchObject({ governance_aware: answers });
    const { accounts } = succeeded(await server.call('list_accounts', { account: ACCOUNT }));
    expect(accounts[0]).toEqual(
      answers
        ? expect.objectContaining({ governance_agents: [{ url: 'https://governance.example/' }] })
        : expect.not.objectContaining({ governance_agents: expect.anything() }),
    );
  });
});

describe.each(['3.0', '3.1'] as const)('what is sent and answered is as %s has it', (version: SchemaRelease) => {
  test.skipIf(!hasSchemas(version))('checks, appointments and answers', async () => {
    const judge = schemaJudge(version);
    const { server, agent } = await governed();
    const word = version === '3.0' ? 'status' : 'verdict';
    const conditions = [{ field: 'delivery', reason: 'Report weekly.' }];
    agent.behave(() => verdict('conditions', { conditions, governance_context: 'ctx' }, word));
    const bought = await server.call('create_media_buy', order(), { version });
    expect(judge('media-buy/create-media-buy-response', bought.payload)).toEqual([]);
    expect(agent.checks.flatMap(({ args }) => judge('governance/check-governance-request', args))).toEqual([]);
    agent.behave(() => verdict('denied', { findings: [{ category_id: 'a', severity: 'critical', explanation: 'b' }] }));
    const denied = await server.call('create_media_buy', order(), { version });
    expect(judge('media-buy/create-media-buy-response', denied.payload)).toEqual([]);
    for (const args of [appointment(agent, { account_id: 'acct_of_nobody' }), { accounts: [] }]) {
      const { payload } = await server.call('sync_governance', args, { version });
      expect(judge('account/sync-governance-response', payload)).toEqual([]);
    }
  });
});

describe('what sync_governance refuses, entry by entry', () => {
  const URL_OK = 'https://governance.example/mcp';
  const CREDENTIALS = 'x'.repeat(32);
  const agentOf = (url: string, scheme = 'Bearer', credentials = CREDENTIALS) => ({
    url,
    authentication: { schemes: [scheme], credentials },
  });
  const AT = 'accounts[0].governance_agents';
  test.each([
    ['an unknown account', { account: { account_id: 'acct_x' } }, 'ACCOUNT_NOT_FOUND', 'accounts[0].account'],
    ['two agents', { governance_agents: [agentOf(URL_OK), agentOf(URL_OK)] }, 'INVALID_REQUEST', `${AT}[1]`],
    ['no URL', { governance_agents: [agentOf('governance')] }, 'INVALID_REQUEST', `${AT}[0].url`],
    ['plain http', { governance_agents: [agentOf('http://governance.example/')] }, 'INVALID_REQUEST', `${AT}[0].url`],
    ['a private address', { governance_agents: [agentOf('https://10.0.0.1/')] }, 'INVALID_REQUEST', `${AT}[0].url`],
    [
      'a scheme that is not offered',
      { governance_agents: [agentOf(URL_OK, 'HMAC-SHA256')] },
      'UNSUPPORTED_FEATURE',
      `${AT}[0].authentication.schemes[0]`,
    ],
    [
      'a token that no header can carry',
      { governance_agents: [agentOf(URL_OK, 'Bearer', `${CREDENTIALS}\nü`)] },
      'INVALID_REQUEST',
      `${AT}[0].authentication.credentials`,
    ],
  ])('%s', async (_what, changes, code, field) => {
    const server = await boot({ tenants: publicSandboxes(), settings: { development: false } });
    const entry = { account: ACCOUNT, governance_agents: [agentOf(URL_OK)], ...changes };
    const answer = await server.call('sync_governance', { idempotency_key: freshKey(), accounts: [entry] });
    const [row] = succeeded(answer).accounts;
    expect(row).toMatchObject({ status: 'failed', errors: [{ code, field, suggestion: expect.any(String) }] });
    expect(JSON.stringify(answer.payload)).not.toContain(CREDENTIALS);
  });
});
