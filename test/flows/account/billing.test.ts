import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, KIT_TOKEN, succeeded } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

/** A test kit whose caller has no payments of its own. */
const PASSTHROUGH = 'demo-billing-passthrough-v1';
/** A test kit whose creatives are billed by a contract. */
const OUT_OF_BAND = 'demo-billing-out-of-band-v1';

type Entry = { readonly action: string; readonly billing?: string; readonly errors?: readonly Payload[] };

/** What sync_accounts answers to entries of these parties, of `demo-a.example`, `demo-b.example` and so on. */
async function sync(
  server: Booted,
  billings: readonly (string | undefined)[],
  options: object,
): Promise<readonly Entry[]> {
  const accounts = billings.map((billing, index) => ({
    brand: { domain: `demo-${'abcdef'[index]}.example` },
    operator: 'agency.example',
    billing,
  }));
  const answer = succeeded(await server.call('sync_accounts', { idempotency_key: freshKey(), accounts }, options));
  return answer.accounts as unknown as readonly Entry[];
}

describe('a caller without payments of its own', () => {
  test('is refused accounts billed to the agent or the advertiser, with the one party that remains and nothing else', async () => {
    const server = await boot();
    const options = { token: PASSTHROUGH, version: '3.1' };
    const [agent, advertiser, operator, unsaid] = await sync(
      server,
      ['agent', 'advertiser', 'operator', undefined],
      options,
    );
    for (const [index, [entry, rejected_billing]] of [
      [agent, 'agent'] as const,
      [advertiser, 'advertiser'] as const,
    ].entries()) {
      expect(entry).toMatchObject({ action: 'failed', errors: [{ code: 'BILLING_NOT_PERMITTED_FOR_AGENT' }] });
      expect(entry?.errors?.[0]).toMatchObject({ field: `accounts[${index}].billing`, recovery: 'correctable' });
      expect(entry?.errors?.[0]?.details).toEqual({ rejected_billing, suggested_billing: 'operator' });
    }
    expect(operator).toMatchObject({ action: 'created', billing: 'operator' });
    expect(unsaid).toMatchObject({ action: 'created', billing: 'operator' });
  });

  test('does not change an account of its own to another party either', async () => {
    const server = await boot();
    const options = { token: PASSTHROUGH, version: '3.1' };
    await sync(server, ['operator'], options);
    const [changed] = await sync(server, ['agent'], options);
    expect(changed?.errors?.[0]?.code).toBe('BILLING_NOT_PERMITTED_FOR_AGENT');
    const listed = succeeded(await server.call('list_accounts', {}, options)).accounts;
    expect(listed).toMatchObject([{ billing: 'operator' }]);
  });

  test('sees the same capabilities as everybody, for they are those of the seller', async () => {
    const server = await boot();
    const billingOf = async (token: string) =>
      (succeeded(await server.call('get_adcp_capabilities', {}, { token })).account as Payload).supported_billing;
    expect(await billingOf(PASSTHROUGH)).toEqual(['operator', 'agent', 'advertiser']);
    expect(await billingOf(KIT_TOKEN)).toEqual(await billingOf(PASSTHROUGH));
  });

  test('is told of a party that nobody can have as everybody is', async () => {
    const server = await boot();
    for (const token of [PASSTHROUGH, KIT_TOKEN]) {
      const [entry] = await sync(server, ['nobody'], { token, version: '3.1' });
      expect(entry?.errors).toMatchObject([
        {
          code: 'BILLING_NOT_SUPPORTED',
          details: { scope: 'capability', supported_billing: ['operator', 'agent', 'advertiser'] },
        },
      ]);
    }
  });

  test('is whoever the tenant file says, and nobody else', async () => {
    const tenants = tenantsFolder((tenant) => {
      Object.assign(tenant.principals[0] ?? {}, { billing: 'passthrough_only' });
    });
    const server = await boot({ tenants });
    const entryOf = async (token: string) => (await sync(server, ['agent'], { token, version: '3.1' }))[0];
    expect((await entryOf('sandbox-token'))?.errors?.[0]?.code).toBe('BILLING_NOT_PERMITTED_FOR_AGENT');
    expect(await entryOf('sandbox-token-2')).toMatchObject({ action: 'created', billing: 'agent' });
    expect(await entryOf(KIT_TOKEN)).toMatchObject({ action: 'created', billing: 'agent' });
  });
});

describe('a caller to whom creatives are billed by a contract', () => {
  const RATE_CARD = [{ pricing_option_id: 'po_build', unit_price: 0.4, currency: 'USD' }];
  const at = (token: string) => ({ tenant: 'creative', token, version: '3.1' });

  /** A creative agent with a rate card, where a kit has seeded a creative with a price. */
  async function open(token: string): Promise<Booted> {
    const tenants = tenantsFolder((tenant) => {
      tenant.build_prices = RATE_CARD;
    }, 'creative');
    const server = await boot({ tenants });
    const fixture = { format_id: { id: 'vast_30s' }, pricing_options: [{ pricing_option_id: 'po_cpm', cpm: 0.5 }] };
    await controllerOf(server, at(token)).arrange('seed_creative', {
      creative_id: 'hero',
      fixture,
    });
    return server;
  }

  test.each([
    [OUT_OF_BAND, false],
    [KIT_TOKEN, true],
  ])('reads of it in the capabilities and sees no price: %s, %s', async (token, isBilled) => {
    const server = await open(token);
    const { creative } = succeeded(await server.call('get_adcp_capabilities', {}, at(token)));
    expect(creative).toMatchObject({ bills_through_adcp: isBilled, supports_spend_controls: isBilled });
    const account = { account_id: 'acct_any' };
    const listing = { account, include_pricing: true };
    const { creatives } = succeeded(await server.call('list_creatives', listing, at(token)));
    expect('pricing_options' in (creatives[0] ?? {})).toBe(isBilled);
    const transformers = succeeded(await server.call('list_transformers', listing, at(token)))
      .transformers as Payload[];
    expect(transformers.some((one) => 'pricing_options' in one)).toBe(isBilled);
    const target_format_id = { agent_url: server.url('creative'), id: 'vast_30s' };
    const building = { idempotency_key: freshKey(), creative_id: 'hero', target_format_id, account };
    expect('vendor_cost' in succeeded(await server.call('build_creative', building, at(token)))).toBe(isBilled);
  });

  test('has its reports of use refused one by one, as terminal', async () => {
    const server = await open(OUT_OF_BAND);
    const use = {
      account: { account_id: 'acct_any' },
      creative_id: 'hero',
      impressions: 1000,
      vendor_cost: 0.5,
      currency: 'USD',
    };
    const request = {
      reporting_period: { start: '2029-12-01T00:00:00Z', end: '2029-12-31T00:00:00Z' },
      usage: [use, { ...use, creative_id: 'nobody' }],
    };
    const report = async () =>
      succeeded(await server.call('report_usage', { idempotency_key: freshKey(), ...request }, at(OUT_OF_BAND)));
    expect(await report()).toMatchObject({
      accepted: 0,
      errors: [0, 1].map((index) => ({
        code: 'BILLING_OUT_OF_BAND',
        field: `usage[${index}].creative_id`,
        recovery: 'terminal',
      })),
    });
  });

  test('has estimates and ceilings refused, for there is no price to hold them against', async () => {
    const server = await open(OUT_OF_BAND);
    const target_format_id = { agent_url: server.url('creative'), id: 'display_300x250_image' };
    const request = { idempotency_key: freshKey(), message: 'A banner.', target_format_id, mode: 'estimate' };
    const { payload } = await server.call('build_creative', request, at(OUT_OF_BAND));
    expect(payload.errors).toMatchObject([{ code: 'UNSUPPORTED_FEATURE', field: 'mode' }]);
  });
});
