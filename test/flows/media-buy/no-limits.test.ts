import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, packageRequest, succeeded } from '../../kit/buyer.js';

const NEW = { version: '3.1' } as const;

let app: Booted;
beforeAll(async () => {
  app = await boot();
});

describe('what the protocol sets no limit to', () => {
  test('a guaranteed product is bought for sixty years, and each of their days is held', async () => {
    const line = { product_id: 'northlight_preroll', pricing_option_id: 'cpm_fixed', budget: 500_000 };
    const request = { advertiser_industry: 'retail', end_time: '2090-01-01T00:00:00Z', packages: [line] };
    const bought = succeeded(await app.call('create_media_buy', createRequest(request), NEW));
    expect(bought.packages).toMatchObject([{ end_time: '2090-01-01T00:00:00Z' }]);
    // All that is left of a day in sixty years is what that buy does not have.
    const day = { start_time: '2089-12-30T00:00:00Z', end_time: '2089-12-31T00:00:00Z' };
    const rest = { ...day, advertiser_industry: 'retail', packages: [{ ...line, budget: 1e9 }] };
    const { payload } = await app.call('create_media_buy', createRequest(rest), NEW);
    const products = succeeded(await app.call('get_products', { buying_mode: 'wholesale' }, NEW)).products;
    expect(products.length).toBeGreaterThan(0);
    const [error] = payload.errors as unknown as readonly {
      code: string;
      details: { available_impressions: number };
    }[];
    expect(error?.code).toBe('PRODUCT_UNAVAILABLE');
    const fresh = await (await boot()).call('create_media_buy', createRequest(rest), NEW);
    const [whole] = fresh.payload.errors as unknown as readonly { details: { available_impressions: number } }[];
    expect(error?.details.available_impressions).toBeLessThan(whole?.details.available_impressions ?? 0);
  });

  test('a price with a floor is bought without a bid, at the floor', async () => {
    const request = createRequest({ packages: [packageRequest({ pricing_option_id: 'auction' })] });
    const bought = succeeded(await app.call('create_media_buy', request, NEW));
    expect(bought.packages).toMatchObject([{ bid_price: 2 }]);
  });

  test('two packages of one buy may be equal', async () => {
    const request = createRequest({ packages: [packageRequest(), packageRequest()] });
    const { packages } = succeeded(await app.call('create_media_buy', request, NEW));
    expect(new Set(packages.map(({ package_id }) => package_id)).size).toBe(2);
  });

  test('the brief of a wholesale request is left aside, and the message says so', async () => {
    const whole = succeeded(await app.call('get_products', { buying_mode: 'wholesale' }, NEW));
    const asked = { buying_mode: 'wholesale', brief: 'only podcasts in France' };
    const answer = succeeded(await app.call('get_products', asked, NEW));
    expect(answer.products).toEqual(whole.products);
    expect(answer.message).toMatch(/brief was left aside.*buying_mode "brief"/);
    expect(whole.message).toBeUndefined();
  });
});
