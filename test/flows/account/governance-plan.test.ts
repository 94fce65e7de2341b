import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, packageRequest, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { appointment } from '../../kit/governance-agent.js';
import { publicSandboxes } from '../../kit/tenants.js';

const AGENT = {
  url: 'https://governance.buyer.example/mcp',
  credentials: 'governance-credentials-of-the-buyer-0123456789',
};
const PLAN = {
  objectives: 'Sell shoes',
  budget: { total: 1500, currency: 'USD' },
  flight: { start: '2029-12-01T00:00:00Z', end: '2030-03-01T00:00:00Z' },
  countries: ['US', 'CA', 'GB', 'DE', 'FR'],
};

/** A seller whose sandbox account is under an agent that can be nobody's, with a seeded plan. */
async function planned(plan: object = PLAN, options: Parameters<typeof boot>[0] = {}): Promise<Booted> {
  const server = await boot(options);
  succeeded(await server.call('sync_governance', appointment(AGENT, { account_id: SANDBOX_ACCOUNT })));
  await controllerOf(server, { token: 'sandbox-token' }).arrange('seed_plan', { plan_id: 'plan-1', fixture: plan });
  return server;
}

const order = (changes: object = {}) => createRequest({ plan_id: 'plan-1', ...changes });

describe('a governance agent under a reserved name', () => {
  test('is stood in for by the plan that was seeded: what is within it is bought, and changed within it only', async () => {
    const server = await planned();
    const bought = succeeded(await server.call('create_media_buy', order()));
    expect(bought.governance).toMatchObject({ check_id: expect.stringMatching(/^chk_/) });
    const update = (budget: number) =>
      server.call(
        'update_media_buy',
        updateRequest(bought.media_buy_id, { packages: [{ package_id: bought.packages[0]?.package_id, budget }] }),
      );
    expect((await update(1600)).payload.code).toBe('GOVERNANCE_DENIED');
    succeeded(await update(1400));
  });

  test.each([
    ['the budget', {}, { packages: [packageRequest({ budget: 1501 })] }, 'budget_authority', '1501 USD'],
    ['the currency', { budget: { currency: 'EUR' } }, {}, 'budget_currency', 'EUR'],
    ['the start', { flight: { start: '2030-01-02T00:00:00Z' } }, {}, 'flight', 'before'],
    ['the end', { flight: { end: '2030-01-30T00:00:00Z' } }, {}, 'flight', 'after'],
    ['the channels', { channels: ['podcast'] }, {}, 'channels', 'display'],
    ['the channels as sync_plans has them', { channels: { allowed: ['podcast'] } }, {}, 'channels', 'display'],
    [
      'the countries',
      { countries: ['CA'] },
      { packages: [packageRequest({ targeting_overlay: { geo_countries: ['US', 'CA'] } })] },
      'geo',
      'markets US;',
    ],
  ])('denies what is beyond %s of the plan, with the finding', async (_what, plan, changes, category_id, says) => {
    const server = await planned({ ...PLAN, ...plan });
    const { payload, isError } = await server.call('create_media_buy', order(changes));
    expect(isError).toBe(true);
    expect(payload.errors[0]).toMatchObject({
      code: 'GOVERNANCE_DENIED',
      details: { plan_id: 'plan-1', findings: [{ category_id, explanation: expect.stringContaining(says) }] },
    });
    expect(succeeded(await server.call('get_media_buys', { status_filter: ['active'] })).media_buys).toEqual([]);
  });

  test('is not stood in for where nobody seeded the plan: then nothing can be decided', async () => {
    const server = await planned();
    expect((await server.call('create_media_buy', order({ plan_id: 'plan-2' }))).payload.code).toBe(
      'GOVERNANCE_UNAVAILABLE',
    );
  });

  test('is not stood in for outside development mode', async () => {
    const server = await planned(PLAN, { tenants: publicSandboxes(), settings: { development: false } });
    expect((await server.call('create_media_buy', order())).payload.code).toBe('GOVERNANCE_UNAVAILABLE');
  });

  test('a plan that cannot be read is refused when it is seeded', async () => {
    const server = await boot();
    const answer = await controllerOf(server).run('seed_plan', {
      plan_id: 'p',
      fixture: { budget: { total: 'much' } },
    });
    expect(answer).toMatchObject({ error: 'INVALID_PARAMS', field: 'params.fixture.budget.total' });
  });
});
