import { expect } from 'vitest';
import { createRequest, updateRequest } from './buyer.js';
import type { Payload } from './wire.js';

/** What every kind of client comes down to. */
export type Buyer = {
  /** The answer of a task; of a failed one its error code alone. */
  readonly call: (tool: string, args: object) => Promise<{ payload: Payload } | { failed: string }>;
  readonly tools: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};
const ACTIONS = [
  'pause',
  'cancel',
  'update_budget',
  'update_dates',
  'update_packages',
  'add_packages',
  'sync_creatives',
];

/** The main job, as a buyer's agent does it: discover, buy, retry, change, read back. */
export async function buyAndChange(buyer: Buyer, name: string): Promise<void> {
  const ok = async (tool: string, args: object): Promise<Payload> => {
    const answer = await buyer.call(tool, args);
    if ('failed' in answer) throw new Error(`${tool}: ${answer.failed}`);
    return answer.payload;
  };

  const capabilities = await ok(`get_${name}_capabilities`, {});
  expect(capabilities[name]).toMatchObject({ idempotency: { supported: true, replay_ttl_seconds: 86_400 } });

  const found = await ok('get_products', { brief: 'run of site banners', brand: { domain: 'acme-outdoor.example' } });
  const product = found.products.find((candidate) => candidate.product_id === 'test-product');
  const option = product?.pricing_options.find((candidate) => candidate.fixed_price !== undefined);
  expect(found.sandbox).toBe(true);

  const request = createRequest({
    packages: [{ product_id: product?.product_id, pricing_option_id: option?.pricing_option_id, budget: 1500 }],
  });
  const bought = await ok('create_media_buy', request);
  expect(bought).toMatchObject({ status: 'active', revision: 1, valid_actions: ACTIONS, sandbox: true });
  expect(bought.replayed ?? false).toBe(false);

  const again = await ok('create_media_buy', request);
  expect(again).toMatchObject({ media_buy_id: bought.media_buy_id, revision: 1, replayed: true });
  expect(await buyer.call('create_media_buy', { ...request, end_time: '2030-02-02T00:00:00Z' })).toEqual({
    failed: 'IDEMPOTENCY_CONFLICT',
  });

  const ids = { media_buy_ids: [bought.media_buy_id] };
  const read = await ok('get_media_buys', ids);
  expect(read.media_buys).toHaveLength(1);
  expect(read.media_buys[0]).toMatchObject({ media_buy_id: bought.media_buy_id, status: 'active', total_budget: 1500 });

  const changed = await ok('update_media_buy', updateRequest(bought.media_buy_id, { revision: 1, paused: true }));
  expect(changed).toMatchObject({ status: 'paused', revision: 2 });

  const delivered = await ok('get_media_buy_delivery', ids);
  expect(delivered.media_buy_deliveries[0]).toMatchObject({ media_buy_id: bought.media_buy_id, status: 'paused' });
}
