import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { tenantsFolder } from '../../kit/tenants.js';

const ACCOUNT = { account_id: 'acct_of_an_ad_server' };
const PERIOD = { start: '2029-12-01T00:00:00Z', end: '2029-12-31T00:00:00Z' };
const PRICE = { pricing_option_id: 'po_cpm', model: 'cpm', cpm: 0.5, currency: 'USD' };
/** What 2.4 million impressions at that price come to. */
const USE = {
  account: ACCOUNT,
  creative_id: 'hero',
  pricing_option_id: 'po_cpm',
  impressions: 2_400_000,
  vendor_cost: 1200,
  currency: 'USD',
};

/** A creative agent with one creative that has a price and one that has none. */
async function open(): Promise<Booted> {
  const tenants = tenantsFolder((tenant) => {
    delete tenant.build_prices;
  }, 'creative');
  const server = await boot({ tenants });
  const fixtures = {
    hero: { format_id: { id: 'vast_30s' }, pricing_options: [{ ...PRICE, pricing_model: 'cpm', rate: 0.5 }] },
    plain: {},
  };
  for (const [creative_id, fixture] of Object.entries(fixtures)) {
    const seed = { scenario: 'seed_creative', params: { creative_id, fixture } };
    succeeded(await server.call('comply_test_controller', seed, { tenant: 'creative' }));
  }
  return server;
}

describe('a creative of an agent with a rate card', () => {
  test.each([
    ['as it was billed', {}, undefined],
    ['of another sum', { vendor_cost: 2 }, 'usage[0].vendor_cost'],
    ['in another currency', { currency: 'EUR' }, 'usage[0].currency'],
    ['at a price that is not on it', { pricing_option_id: 'po_none' }, 'usage[0].pricing_option_id'],
  ])('takes a report of its build %s', async (_what, changes, field) => {
    const tenants = tenantsFolder((tenant) => {
      tenant.build_prices = [{ pricing_option_id: 'po_build', unit_price: 0.4, currency: 'USD' }];
    }, 'creative');
    const server = await boot({ tenants });
    const seed = { scenario: 'seed_creative', params: { creative_id: 'built', fixture: {} } };
    succeeded(await server.call('comply_test_controller', seed, { tenant: 'creative' }));
    const use = {
      account: ACCOUNT,
      creative_id: 'built',
      pricing_option_id: 'po_build',
      vendor_cost: 0.4,
      currency: 'USD',
    };
    const request = { idempotency_key: freshKey(), reporting_period: PERIOD, usage: [{ ...use, ...changes }] };
    const answer = succeeded(await server.call('report_usage', request, { tenant: 'creative' }));
    if (field === undefined) expect(answer).toMatchObject({ accepted: 1 });
    else expect(answer).toMatchObject({ accepted: 0, errors: [{ code: 'VALIDATION_ERROR', field }] });
  });
});

describe('a creative with a price', () => {
  test('shows it where pricing is asked for and an account is named', async () => {
    const server = await open();
    const listed = async (args: object) => {
      const { creatives } = succeeded(await server.call('list_creatives', args, { tenant: 'creative' }));
      return creatives.find((each) => each.creative_id === 'hero') as Record<string, unknown> | undefined;
    };
    expect(await listed({ account: ACCOUNT, include_pricing: true })).toMatchObject({ pricing_options: [PRICE] });
    expect(Object.keys((await listed({ account: ACCOUNT })) ?? {})).not.toContain('pricing_options');
    expect(Object.keys((await listed({ include_pricing: true })) ?? {})).not.toContain('pricing_options');
  });

  test('names it when a tag is built from it, and costs nothing until that is served', async () => {
    const server = await open();
    const built = async (creative_id: string) => {
      const target_format_id = { agent_url: server.url('creative'), id: 'vast_30s' };
      const request = { idempotency_key: freshKey(), creative_id, target_format_id };
      return server.call('build_creative', request, { tenant: 'creative' });
    };
    const priced = succeeded(await built('hero'));
    expect(priced).toMatchObject({ pricing_option_id: 'po_cpm', vendor_cost: 0, currency: 'USD' });
    expect(priced.creative_manifest).toMatchObject({ assets: { vast_tag: { asset_type: 'vast' } } });
    expect((await built('nobody')).payload.code).toBe('CREATIVE_NOT_FOUND');
  });

  test.each([
    ['as it was shown', {}, undefined, undefined],
    ['at the price that it has, unnamed', { pricing_option_id: undefined }, undefined, undefined],
    ['at another price', { pricing_option_id: 'po_other' }, 'VALIDATION_ERROR', 'usage[0].pricing_option_id'],
    ['in another currency', { currency: 'EUR' }, 'VALIDATION_ERROR', 'usage[0].currency'],
    ['without impressions', { impressions: undefined }, 'VALIDATION_ERROR', 'usage[0].impressions'],
    [
      'of so few impressions that it comes to a part of a cent',
      { impressions: 4, vendor_cost: 0.002 },
      undefined,
      undefined,
    ],
    [
      'that makes nothing of a part of a cent',
      { impressions: 4, vendor_cost: 0 },
      'VALIDATION_ERROR',
      'usage[0].vendor_cost',
    ],
    ['that does not add up', { vendor_cost: 1100 }, 'VALIDATION_ERROR', 'usage[0].vendor_cost'],
    ['of one that has no price', { creative_id: 'plain' }, 'BILLING_OUT_OF_BAND', 'usage[0].creative_id'],
    ['of one that nobody knows', { creative_id: 'nobody' }, 'CREATIVE_NOT_FOUND', 'usage[0].creative_id'],
  ])('takes a report of its use %s', async (_what, changes, code, field) => {
    const server = await open();
    const request = { idempotency_key: freshKey(), reporting_period: PERIOD, usage: [{ ...USE, ...changes }] };
    const answer = succeeded(await server.call('report_usage', request, { tenant: 'creative', version: '3.1' }));
    if (code === undefined) {
      expect(answer).toMatchObject({ accepted: 1 });
      expect(answer.errors).toBeUndefined();
    } else expect(answer).toMatchObject({ accepted: 0, errors: [{ code, field, suggestion: expect.any(String) }] });
  });
});
