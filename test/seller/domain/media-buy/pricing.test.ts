import { describe, expect, it } from 'vitest';
import { TaskError } from '../../../../src/protocol/errors.js';
import {
  bidFor,
  checkAuction,
  checkOffer,
  describeUnusedBids,
  findPricingOption,
  findProduct,
  leastSpend,
  MAX_BUDGET,
} from '../../../../src/seller/domain/media-buy/pricing.js';
import type { PricingOption } from '../../../../src/seller/domain/product/product.js';
import { NOW, PRODUCTS, price, product, type Refusal, refusalOf } from '../order-context.js';

const FIXED = price('fixed', { fixed_price: 5, min_spend_per_package: 100 });
const AUCTION = price('auction', { floor_price: 2 });
const OPEN_AUCTION = price('open', {});
const FLAT = price('flat', { pricing_model: 'flat_rate', fixed_price: 1000, min_spend_per_package: 100 });
const FLAT_AUCTION = price('flat_auction', { pricing_model: 'flat_rate', floor_price: 400 });

describe('leastSpend', () => {
  it.each<readonly [string, PricingOption, number]>([
    ['a minimum', FIXED, 100],
    ['no minimum', AUCTION, 0],
    ['the whole of a flat rate', FLAT, 1000],
    ['the floor of an auctioned flat rate', FLAT_AUCTION, 400],
    ['a minimum above a flat rate', { ...FLAT, min_spend_per_package: 2000 }, 2000],
  ])('%s', (_what, option, least) => {
    expect(leastSpend(option)).toBe(least);
  });
});

describe('a bid', () => {
  it('is of an auction, and the floor where there is none', () => {
    expect([bidFor(AUCTION, 9), bidFor(AUCTION, undefined), bidFor(FIXED, 9)]).toEqual([9, 2, undefined]);
  });

  it('on a fixed price is named as unused, and refused where it means an auction', () => {
    expect(describeUnusedBids([['packages[0].bid_price', 9, AUCTION]])).toBeUndefined();
    expect(describeUnusedBids([['packages[0].bid_price', undefined, FIXED]])).toBeUndefined();
    expect(
      describeUnusedBids([
        ['packages[0].bid_price', 9, AUCTION],
        ['packages[1].bid_price', 0.01, FIXED],
      ]),
    ).toMatch(
      /^The price is fixed, so the bid is not used and the price is paid: packages\[1\]\.bid_price \(5 USD\)\./,
    );
    expect(refusalOf(() => checkAuction(FIXED, 'p'))).toEqual(['INVALID_REQUEST', 'p']);
    expect(() => checkAuction(AUCTION, 'p')).not.toThrow();
  });
});

describe('checkOffer', () => {
  it.each<readonly [string, PricingOption, { budget: number; bid_price?: number }, Refusal | undefined]>([
    ['the minimum', FIXED, { budget: 100 }, undefined],
    ['a cent below the minimum', FIXED, { budget: 99.99 }, ['BUDGET_TOO_LOW', 'p.budget']],
    ['nothing', AUCTION, { budget: 0, bid_price: 2 }, ['BUDGET_TOO_LOW', 'p.budget']],
    ['a cent', AUCTION, { budget: 0.01, bid_price: 2 }, undefined],
    ['half a cent', AUCTION, { budget: 0.005, bid_price: 2 }, ['BUDGET_TOO_LOW', 'p.budget']],
    ['a yen', { ...AUCTION, currency: 'JPY' }, { budget: 1, bid_price: 2 }, undefined],
    ['half a yen', { ...AUCTION, currency: 'JPY' }, { budget: 0.5, bid_price: 2 }, ['BUDGET_TOO_LOW', 'p.budget']],
    [
      'half a yen beside many',
      { ...AUCTION, currency: 'JPY' },
      { budget: 2500.5, bid_price: 2 },
      ['INVALID_REQUEST', 'p.budget'],
    ],
    ['half a cent beside many', AUCTION, { budget: 2500.005, bid_price: 2 }, ['INVALID_REQUEST', 'p.budget']],
    ['a hair beside a flat rate', FLAT, { budget: 1000.001 }, ['INVALID_REQUEST', 'p.budget']],
    ['cents that binary numbers do not hold', AUCTION, { budget: 2.1 + 0.2, bid_price: 2 }, undefined],
    ['many such cents', AUCTION, { budget: 9_999_999_999.29, bid_price: 2 }, undefined],
    ['less than nothing', AUCTION, { budget: -1, bid_price: 2 }, ['BUDGET_TOO_LOW', 'p.budget']],
    ['the most', AUCTION, { budget: MAX_BUDGET, bid_price: 2 }, undefined],
    ['more than the most', AUCTION, { budget: MAX_BUDGET * 1.01, bid_price: 2 }, ['BUDGET_EXCEEDED', 'p.budget']],
    ['no bid where there is a floor', AUCTION, { budget: 10 }, undefined],
    ['no bid where there is no floor', OPEN_AUCTION, { budget: 10 }, ['INVALID_REQUEST', 'p.bid_price']],
    ['a bid below the floor', AUCTION, { budget: 10, bid_price: 1.999 }, ['VALIDATION_ERROR', 'p.bid_price']],
    ['a bid at the floor', AUCTION, { budget: 10, bid_price: 2 }, undefined],
    ['any bid where there is no floor', OPEN_AUCTION, { budget: 10, bid_price: 0 }, undefined],
    ['a low bid on a fixed price', FIXED, { budget: 100, bid_price: 0.01 }, undefined],
    ['a flat rate', FLAT, { budget: 1000 }, undefined],
    ['part of a flat rate', FLAT, { budget: 500 }, ['BUDGET_TOO_LOW', 'p.budget']],
    ['budget before bid', AUCTION, { budget: 0 }, ['BUDGET_TOO_LOW', 'p.budget']],
  ])('%s', (_what, option, offer, refusal) => {
    if (refusal === undefined) expect(() => checkOffer(option, offer, 'p')).not.toThrow();
    else expect(refusalOf(() => checkOffer(option, offer, 'p'))).toEqual(refusal);
  });

  it.each([
    ['minimum_budget', () => checkOffer(FIXED, { budget: 1 }, 'p'), { minimum_budget: 100, currency: 'USD' }],
    [
      'minimum_budget of a price without one',
      () => checkOffer(AUCTION, { budget: 0.001, bid_price: 2 }, 'p'),
      { minimum_budget: 0.01, currency: 'USD' },
    ],
    ['floor_price', () => checkOffer(AUCTION, { budget: 1, bid_price: 1 }, 'p'), { floor_price: 2, currency: 'USD' }],
    ['maximum_budget', () => checkOffer(FIXED, { budget: 1e12 }, 'p'), { maximum_budget: MAX_BUDGET, currency: 'USD' }],
  ] as const)('says %s in its details', (_name, action, details) => {
    expect(action).toThrow(expect.objectContaining({ extras: expect.objectContaining({ details }) }));
  });
});

describe('findProduct and findPricingOption', () => {
  const catalog = new Map(PRODUCTS.map((one) => [one.product_id, one]));

  it.each<readonly [string, number, Refusal | undefined]>([
    ['banner', NOW, undefined],
    ['nope', NOW, ['PRODUCT_NOT_FOUND', 'p.product_id']],
    ['gone', NOW - 1, undefined],
    ['gone', NOW, ['PRODUCT_EXPIRED', 'p.product_id']],
  ])('%s at %i', (id, at, refusal) => {
    if (refusal === undefined) expect(findProduct(catalog, id, 'p', at).product_id).toBe(id);
    else expect(refusalOf(() => findProduct(catalog, id, 'p', at))).toEqual(refusal);
  });

  it('lists the product’s own options where one is unknown, and never the name that was asked for', () => {
    const own = product('x', [FIXED, AUCTION]);
    const action = () => findPricingOption(own, 'secret-option', 'p');
    expect(refusalOf(action)).toEqual(['VALIDATION_ERROR', 'p.pricing_option_id']);
    try {
      action();
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      expect(error.extras.details).toEqual({ allowed_values: ['fixed', 'auction'] });
      expect(JSON.stringify([error.message, error.extras])).not.toContain('secret-option');
    }
  });
});
