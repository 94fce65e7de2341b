import assert from 'node:assert/strict';
import type { MediaBuy, Package } from '../../../src/seller/domain/media-buy/media-buy.js';
import type { After } from '../task.js';

/** The one buy that there is. Throws where there are others, or none. */
export function onlyBuy({ buys }: After): MediaBuy {
  const [buy] = buys;
  assert.equal(buys.length, 1, `there is one buy, not ${buys.length}`);
  assert.ok(buy);
  return buy;
}

/** The packages of the one buy, each as what was bought at which price for how much. */
export function bought(after: After): readonly (readonly [product: string, price: string, budget: number])[] {
  return onlyBuy(after).packages.map(({ budget, pricing_option_id, product_id }) => [
    product_id,
    pricing_option_id,
    budget,
  ]);
}

/** The package of a product in the one buy. Throws where there is none. */
export function packageOf(after: After, product: string): Package {
  const found = onlyBuy(after).packages.find(({ product_id }) => product_id === product);
  assert.ok(found, `a package of ${product}`);
  return found;
}

/** Asserts that an answer held what the question is about: nothing of it is in the store. */
export function wasRead({ steps }: After, what: RegExp): void {
  const isThere = steps.some(({ reply }) => !reply.isError && what.test(reply.text));
  assert.ok(isThere, `no answer was read that says ${what}`);
}
