import { expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, succeeded, updateRequest } from '../../kit/buyer.js';

const FLIGHT = { start_date: '2030-01-01', end_date: '2030-01-10' };
const BUDGET = 150_000;

test('the forecast of what is not promised sees who else buys it, until they cancel', async () => {
  const { call } = await boot();
  const forecast = async () => {
    const refine = [{ scope: 'product', product_id: 'test-product', ask: `${BUDGET} USD` }];
    const answer = succeeded(await call('get_products', { buying_mode: 'refine', filters: FLIGHT, refine }));
    const [product] = (answer as unknown as { products: readonly Forecast[] }).products;
    return product?.forecast.points.find(({ budget }) => budget === BUDGET)?.metrics.impressions ?? { low: 0, high: 0 };
  };
  const order = async (line: object) => {
    const packages = [{ product_id: 'test-product', pricing_option_id: 'auction', pacing: 'asap', ...line }];
    const request = createRequest({ start_time: 'asap', end_time: '2030-01-11T00:00:00Z', packages });
    return succeeded(await call('create_media_buy', request)).media_buy_id;
  };
  const alone = await forecast();
  const rival = await order({ bid_price: 20, budget: 300_000 });
  const beside = await forecast();
  expect(beside.high).toBeLessThan(alone.high * 0.8);
  succeeded(await call('update_media_buy', updateRequest(rival, { canceled: true })));
  expect(await forecast()).toEqual(alone);
});

type Forecast = {
  readonly forecast: {
    readonly points: readonly {
      readonly budget: number;
      readonly metrics: { readonly impressions: { readonly low: number; readonly high: number } };
    }[];
  };
};
