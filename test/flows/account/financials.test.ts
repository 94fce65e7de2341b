import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, freshKey, packageRequest, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { addAccount, tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const DAY = 86_400_000;
const STATES = ['pending_approval', 'payment_required', 'suspended', 'closed', 'rejected'] as const;

/** A seller with an account in every state, and one that an agent pays for. */
const withAccounts = (): Promise<Booted> =>
  boot({
    tenants: tenantsFolder((tenant) => {
      for (const status of STATES) addAccount(tenant, `acct_${status}`, { status });
      addAccount(tenant, 'acct_agent', { billing: 'agent' });
    }),
  });

describe('get_account_financials', () => {
  test('sums what the buys of the account spent in a period', async () => {
    const server = await boot();
    const ask = async (more: object = {}): Promise<Payload> =>
      succeeded(await server.call('get_account_financials', { account: ACCOUNT, ...more }));
    expect(await ask()).toMatchObject({
      account: ACCOUNT,
      currency: 'USD',
      period: { start: '2030-01-01', end: '2030-01-01' },
      timezone: 'UTC',
      spend: { total_spend: 0, media_buy_count: 0 },
      payment_status: 'current',
    });
    succeeded(await server.call('create_media_buy', createRequest()));
    succeeded(await server.call('create_media_buy', createRequest({ packages: [packageRequest({ budget: 3000 })] })));
    server.clock.advance(10 * DAY);
    const delivered = succeeded(await server.call('get_media_buy_delivery', { account: ACCOUNT }));
    const total = delivered.media_buy_deliveries.reduce((sum, { totals }) => sum + totals.spend, 0);
    expect(total).toBeGreaterThan(0);
    const sofar = await ask();
    expect(sofar).toMatchObject({ period: { start: '2030-01-01', end: '2030-01-11' }, spend: { media_buy_count: 2 } });
    expect((sofar.spend as { total_spend: number }).total_spend).toBeCloseTo(total, 2);
    const before = await ask({ period: { start: '2029-12-01', end: '2029-12-31' } });
    expect(before.spend).toEqual({ total_spend: 0, media_buy_count: 0 });
    const parts = [
      ['2030-01-01', '2030-01-04'],
      ['2030-01-05', '2030-01-11'],
    ].map(
      async ([start, end]) => ((await ask({ period: { start, end } })).spend as { total_spend: number }).total_spend,
    );
    expect((await Promise.all(parts)).reduce((sum, part) => sum + part, 0)).toBeCloseTo(total, 1);
  });

  test.each([
    ['pending_approval', undefined],
    ['payment_required', 'past_due'],
    ['suspended', 'suspended'],
  ])('says of an account that is %s: %s', async (status, paid) => {
    const server = await withAccounts();
    const account = { account_id: `acct_${status}` };
    expect(succeeded(await server.call('get_account_financials', { account })).payment_status).toBe(paid);
  });

  test.each([
    ['a closed account', { account: { account_id: 'acct_closed' } }, 'ACCOUNT_NOT_FOUND', 'account'],
    ['nobody’s account', { account: { account_id: 'acct_nobody' } }, 'ACCOUNT_NOT_FOUND', 'account'],
    [
      'an account never opened',
      { account: { brand: { domain: 'x.example' }, operator: 'x.example' } },
      'ACCOUNT_NOT_FOUND',
      'account',
    ],
    ['an account that an agent pays for', { account: { account_id: 'acct_agent' } }, 'UNSUPPORTED_FEATURE', 'account'],
    ['no account', {}, 'INVALID_REQUEST', 'account'],
    [
      'a period that ends first',
      { account: ACCOUNT, period: { start: '2030-01-02', end: '2030-01-01' } },
      'INVALID_REQUEST',
      'period.end',
    ],
    ['half a period', { account: ACCOUNT, period: { start: '2030-01-02' } }, 'INVALID_REQUEST', 'period.end'],
  ])('refuses %s', async (_what, args, code, field) => {
    const server = await withAccounts();
    const { payload, isError } = await server.call('get_account_financials', args);
    expect(isError).toBe(true);
    expect(payload.errors[0]).toMatchObject({ code, field, suggestion: expect.any(String) });
  });
});

describe('what an account may be used for', () => {
  const CODES = {
    pending_approval: 'ACCOUNT_SETUP_REQUIRED',
    payment_required: 'ACCOUNT_PAYMENT_REQUIRED',
    suspended: 'ACCOUNT_SUSPENDED',
    closed: 'ACCOUNT_NOT_FOUND',
    rejected: 'ACCOUNT_NOT_FOUND',
  } as const;
  const PAYS = ['payment_required'];
  /** Per task: the arguments beside the account, and the states that let it through. */
  const TASKS: readonly (readonly [tool: string, args: object, allowed: readonly string[]])[] = [
    ['create_media_buy', createRequest(), []],
    ['get_products', { brief: 'sports' }, PAYS],
    ['get_media_buys', {}, ['payment_required', 'suspended']],
    ['sync_audiences', {}, PAYS],
    ['sync_event_sources', {}, PAYS],
    ['sync_catalogs', {}, PAYS],
    ['get_account_financials', {}, ['pending_approval', 'payment_required', 'suspended']],
  ];

  test.each(STATES)('%s', async (status) => {
    const server = await withAccounts();
    for (const [tool, args, allowed] of TASKS) {
      const request = { idempotency_key: freshKey(), ...args, account: { account_id: `acct_${status}` } };
      const { payload, isError } = await server.call(tool, { ...request, idempotency_key: freshKey() });
      expect([tool, isError], JSON.stringify(payload.errors)).toEqual([tool, !allowed.includes(status)]);
      if (isError) expect(payload.errors[0]).toMatchObject({ code: CODES[status], field: 'account' });
    }
  });
});

describe('report_usage of media', () => {
  const record = (changes: object = {}) => ({
    account: ACCOUNT,
    vendor_cost: 10,
    currency: 'USD',
    impressions: 1000,
    ...changes,
  });
  const report = async (server: Booted, usage: readonly object[]): Promise<Payload> =>
    succeeded(
      await server.call('report_usage', {
        idempotency_key: freshKey(),
        reporting_period: { start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z' },
        usage,
      }),
    );

  test('takes what a buyer counted of its buys, and refuses the rest record by record', async () => {
    const server = await withAccounts();
    const { media_buy_id } = succeeded(await server.call('create_media_buy', createRequest()));
    const answer = await report(server, [
      record({ media_buy_id, pricing_option_id: 'default' }),
      record({}),
      record({ media_buy_id: 'mb_of_nobody' }),
      record({ media_buy_id, currency: 'EUR' }),
      record({ media_buy_id, pricing_option_id: 'no-such-price' }),
      record({ media_buy_id, account: { account_id: 'acct_agent' } }),
      record({ media_buy_id, account: { account_id: 'acct_closed' } }),
    ]);
    expect(answer).toMatchObject({
      accepted: 1,
      errors: [
        { code: 'INVALID_REQUEST', field: 'usage[1].media_buy_id' },
        { code: 'MEDIA_BUY_NOT_FOUND', field: 'usage[2].media_buy_id' },
        { code: 'VALIDATION_ERROR', field: 'usage[3].currency' },
        { code: 'VALIDATION_ERROR', field: 'usage[4].pricing_option_id' },
        { code: 'VALIDATION_ERROR', field: 'usage[5].account' },
        { code: 'ACCOUNT_NOT_FOUND', field: 'usage[6].account' },
      ],
    });
  });
});

describe.each(['3.0', '3.1'] as const)('the answers of %s', (version) => {
  test.skipIf(!hasSchemas(version))('are as its schemas have them', async () => {
    const judge = schemaJudge(version);
    const server = await withAccounts();
    const accounts = [ACCOUNT, { account_id: 'acct_suspended' }, { account_id: 'acct_closed' }];
    for (const account of accounts) {
      const { payload } = await server.call('get_account_financials', { account }, { version });
      expect(judge('account/get-account-financials-response', payload)).toEqual([]);
    }
  });
});
