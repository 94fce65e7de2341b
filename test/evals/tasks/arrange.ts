import { freshKey } from '../../kit/buyer.js';
import type { Arrange, Facts } from '../task.js';

/** The brand that people of these tasks buy for. */
export const BRAND = 'acme-outdoor.example';

/** What a person says of each purchase. */
export const FLIGHT = { brand: BRAND, start_time: '2030-02-01', end_time: '2030-02-14' } as const;

/** A package of the product that starts at once. */
export const RUN_OF_SITE = { product_id: 'test-product', pricing_option_id: 'default', budget: 1000 } as const;

/** Buys packages in a person's name, at once unless `changes` say otherwise; returns the ids of the buy and its packages. */
export async function buy(
  call: Arrange,
  account: string,
  packages: readonly object[] = [RUN_OF_SITE],
  changes: object = {},
): Promise<{ readonly media_buy_id: string; readonly packages: readonly string[] }> {
  const answer = await call('create_media_buy', {
    idempotency_key: freshKey(),
    account: { account_id: account },
    brand: { domain: BRAND },
    start_time: 'asap',
    end_time: '2030-03-01',
    packages,
    ...changes,
  });
  const bought = answer as unknown as { media_buy_id: string; packages: readonly { package_id: string }[] };
  return { media_buy_id: bought.media_buy_id, packages: bought.packages.map(({ package_id }) => package_id) };
}

/** The facts of one buy that is there. */
export async function oneBuy(call: Arrange, account: string): Promise<Facts> {
  return { media_buy_id: (await buy(call, account)).media_buy_id };
}
