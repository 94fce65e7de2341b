import { describe, expect, test } from 'vitest';
import { findTopics } from '../../../src/seller/domain/policy/policy.js';
import { boot } from '../../kit/boot.js';
import { createRequest, creative, freshKey, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { operatorOf } from '../../kit/operator.js';
import { tenantsFolder } from '../../kit/tenants.js';

/** A seller that bans gambling and tobacco, and looks at alcohol. */
const selling = () =>
  boot({
    tenants: tenantsFolder((tenant) => {
      tenant.portfolio = { banned: ['gambling', 'tobacco'], reviewed: ['alcohol'] };
    }),
  });

const refusal = { code: 'POLICY_VIOLATION', recovery: 'correctable' };

describe('what a seller does not advertise', () => {
  test.each([
    ['a casino app for young adults', ['gambling']],
    ['Werbung fuer Sportwetten und Zigaretten', ['tobacco', 'gambling']],
    ['video for a shoe brand, no gambling sites', []],
    ['run of site banners in the US', []],
  ])('is found in a brief: %s', (brief, topics) => {
    expect(findTopics(brief)).toEqual(expect.arrayContaining(topics));
    if (topics.length === 0) expect(findTopics(brief)).toEqual([]);
  });

  test('is refused in a brief, an order and a landing page, with what is not accepted', async () => {
    const server = await selling();
    const asked = await server.call('get_products', { brief: 'video for a casino in the US' });
    expect(asked.payload).toMatchObject({
      ...refusal,
      errors: [{ field: 'brief', details: { violated_rules: ['gambling'] } }],
    });
    succeeded(await server.call('get_products', { brief: 'video for shoes in the US, no gambling sites' }));
    const bought = await server.call('create_media_buy', createRequest({ brand: { domain: 'royal-casino.example' } }));
    expect(bought.payload).toMatchObject({ ...refusal, errors: [{ field: 'brand' }] });
    const asset = creative('banner') as { assets: Record<string, object> };
    const assets = { ...asset.assets, click_url: { ...asset.assets.click_url, url: 'https://shop.example/casino' } };
    const synced = await server.call('sync_creatives', {
      idempotency_key: freshKey(),
      account: { account_id: SANDBOX_ACCOUNT },
      creatives: [{ ...asset, assets }],
    });
    expect(synced.payload).toMatchObject(refusal);
  });

  test('is refused where the industries of a brand say it, before and when it is ordered', async () => {
    const server = await selling();
    const brand = { domain: 'royal.example', industries: ['leisure.gambling'] };
    for (const tool of ['get_products', 'create_media_buy'] as const) {
      const request = tool === 'get_products' ? { brief: 'video in the US', brand } : createRequest({ brand });
      expect((await server.call(tool, request)).payload).toMatchObject({
        ...refusal,
        errors: [{ field: 'brand', details: { violated_rules: ['gambling'] } }],
      });
    }
    const brewer = { domain: 'alpine.example', industries: ['alcohol'] };
    succeeded(await server.call('get_products', { brief: 'video in the US', brand: brewer }));
    expect((await server.call('create_media_buy', createRequest({ brand: brewer }))).payload.status).toBe('submitted');
  });

  test('is refused where the brief names people who are too young for what the brand is', async () => {
    const server = await boot({
      tenants: tenantsFolder((tenant) => {
        tenant.portfolio = { ages: { alcohol: 21 } };
      }),
    });
    const brand = { domain: 'alpine.example', industries: ['alcohol'] };
    const ask = async (brief: string) => (await server.call('get_products', { brief, brand })).payload;
    expect(await ask('video for people 18-24')).toMatchObject({
      ...refusal,
      errors: [{ field: 'brand', details: { minimum_age: 21 } }],
    });
    expect((await ask('video for people 25-34')).status).toBe('completed');
  });

  test('may be advertised to people of an age: younger ones in a brief are refused, and orders wait for a person', async () => {
    const server = await boot({
      tenants: tenantsFolder((tenant) => {
        tenant.portfolio = { ages: { alcohol: 21, gambling: 18 } };
      }),
    });
    const ask = async (brief: string) => (await server.call('get_products', { brief })).payload;
    for (const brief of [
      'Beer on television for people 18-34',
      'Bierwerbung für Erwachsene 18+',
      'A casino app and beer for ages 18-24, from 18 to 24 March',
      'beer for teenagers',
    ]) {
      expect(await ask(brief)).toMatchObject({
        ...refusal,
        errors: [{ field: 'brief', details: { violated_rules: ['alcohol'], minimum_age: 21 } }],
      });
    }
    for (const brief of [
      'Beer on television for people 21-34',
      'Beer, in the week from 18 to 24 March',
      'A casino app for people 18-34',
      'Shoes for people 18-34',
      'Beer on television, $18-20 CPM',
    ])
      expect(await ask(brief)).not.toHaveProperty('errors');
    const order = createRequest({ brand: { domain: 'beer-brewery.example' } });
    expect((await server.call('create_media_buy', order)).payload).toMatchObject({ status: 'submitted' });
    const { media_buy } = succeeded(await server.call('get_adcp_capabilities')) as unknown as {
      media_buy: { portfolio: { advertising_policies: string } };
    };
    expect(media_buy.portfolio.advertising_policies).toBe(
      'Only after a person has looked at the order: alcohol, gambling. From 21 years on: alcohol. From 18 years on: gambling.',
    );
  });

  test('stands in the capabilities as the file has it', async () => {
    const server = await selling();
    const { media_buy } = succeeded(await server.call('get_adcp_capabilities')) as unknown as {
      media_buy: { portfolio: { advertising_policies: string } };
    };
    expect(media_buy.portfolio.advertising_policies).toBe(
      'Not accepted: gambling, tobacco and nicotine. Only after a person has looked at the order: alcohol.',
    );
  });

  test('waits for a person where the seller wants to look first', async () => {
    const server = await selling();
    const answer = succeeded(
      await server.call('create_media_buy', createRequest({ brand: { domain: 'fine-wine.example' } })),
    );
    expect(answer.status).toBe('submitted');
    expect(await operatorOf(server).waiting()).toMatchObject([{ because: 'it is about alcohol' }]);
  });
});
