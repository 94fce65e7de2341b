import { describe, expect, it } from 'vitest';
import { changeMediaBuy } from '../../../../src/seller/domain/media-buy/change/change.js';
import type { MediaBuy } from '../../../../src/seller/domain/media-buy/media-buy.js';
import {
  type ApprovalRule,
  assessStake,
  canNeedApproval,
  describeStake,
  findRule,
  moneyText,
  type Stake,
} from '../../../../src/seller/domain/task/approval.js';
import { boughtAt, contextAt, fromNow, NOW, PRODUCTS, packageOf } from '../order-context.js';

const DAY = 86_400_000;
const NAMES = new Map(PRODUCTS.map((product) => [product.product_id, product]));

const BUY = boughtAt(NOW, {
  start_time: fromNow(DAY),
  end_time: fromNow(10 * DAY),
  packages: [packageOf(), packageOf({ product_id: 'takeover', pricing_option_id: 'flat', budget: 5000 })],
});
const STAKE = stakeIn(undefined, BUY);

/** A rule that matches everything, but for what is given. */
function rule(given: Partial<ApprovalRule> = {}): ApprovalRule {
  return { tasks: ['create_media_buy', 'update_media_buy'], timeout_hours: 48, on_timeout: 'reject', ...given };
}

function stakeIn(before: MediaBuy | undefined, buy: MediaBuy): Stake {
  const stake = assessStake('agency', before, buy, NAMES);
  if (stake === undefined) throw new Error('nothing is at stake');
  return stake;
}

describe('what is at stake in an order', () => {
  it('is the whole buy, with every package', () => {
    expect(STAKE).toEqual({
      task: 'create_media_buy',
      principal: 'agency',
      fulfillment: 'simulated',
      topics: [],
      account_id: 'acct_1',
      advertiser: 'acme.example',
      currency: 'USD',
      total: 6000,
      start_time: fromNow(DAY),
      end_time: fromNow(10 * DAY),
      lines: [
        expect.objectContaining({ product_id: 'banner', delivery_type: 'non_guaranteed', budget: 1000 }),
        expect.objectContaining({ product_id: 'takeover', delivery_type: 'guaranteed', budget: 5000 }),
      ],
    });
    expect(describeStake(STAKE)).toBe('Buy 2 packages for 6,000 USD for acme.example, 2 to 11 Jun 2030');
  });
});

describe('what is at stake in a change', () => {
  const [banner, takeover] = BUY.packages.map((line) => line.package_id);
  const changes: readonly (readonly [what: string, change: object, lines: readonly string[]])[] = [
    ['a pause', { paused: true }, []],
    ['a cancel', { canceled: true }, []],
    ['a package paused', { packages: [{ package_id: banner, paused: true }] }, []],
    ['a package canceled', { packages: [{ package_id: takeover, canceled: true }] }, []],
    ['less budget', { packages: [{ package_id: banner, budget: 500 }] }, []],
    ['the same budget', { packages: [{ package_id: banner, budget: 1000 }] }, []],
    ['another pacing', { packages: [{ package_id: banner, pacing: 'asap' }] }, []],
    ['an earlier end', { end_time: fromNow(9 * DAY) }, []],
    ['a later start', { start_time: fromNow(2 * DAY) }, []],
    ['more budget', { packages: [{ package_id: banner, budget: 1000.01 }] }, ['banner']],
    ['impressions promised', { packages: [{ package_id: takeover, impressions: 10 }] }, ['takeover']],
    ['other people', { packages: [{ package_id: banner, targeting_overlay: { geo_countries: ['US'] } }] }, ['banner']],
    ['a later end', { end_time: fromNow(11 * DAY) }, ['banner', 'takeover']],
    ['an earlier start', { start_time: fromNow(DAY / 2) }, ['banner', 'takeover']],
    [
      'a later end of one package',
      { end_time: fromNow(11 * DAY), packages: [{ package_id: banner, end_time: fromNow(10 * DAY) }] },
      ['takeover'],
    ],
    ['another package', { new_packages: [packageOf({ product_id: 'needs_none' })] }, ['needs_none']],
    [
      'more for one, less for the other',
      {
        packages: [
          { package_id: banner, budget: 2000 },
          { package_id: takeover, budget: 4000 },
        ],
      },
      ['banner'],
    ],
  ];

  it.each(changes)('%s', (_what, change, lines) => {
    const { buy } = changeMediaBuy(BUY, { callbacks: {}, ...change }, contextAt(NOW));
    expect(assessStake('agency', BUY, buy, NAMES)?.lines.map((line) => line.product_id) ?? []).toEqual(lines);
  });

  it('says what it was before', () => {
    const packages = [{ package_id: banner ?? '', budget: 2500.5 }];
    const stake = stakeIn(BUY, changeMediaBuy(BUY, { callbacks: {}, packages }, contextAt(NOW)).buy);
    expect(stake).toMatchObject({
      task: 'update_media_buy',
      media_buy_id: BUY.media_buy_id,
      total_before: 6000,
      total: 7500.5,
      lines: [{ budget_before: 1000, budget: 2500.5 }],
    });
    expect(describeStake(stake)).toBe(
      `Change 1 package of ${BUY.media_buy_id} for acme.example: 6,000 USD to 7,500.50 USD, 2 to 11 Jun 2030`,
    );
  });
});

describe('the rules', () => {
  const rules: readonly (readonly [what: string, rule: Partial<ApprovalRule>, because: RegExp | undefined])[] = [
    ['nothing said: everything', {}, /a person approves every order/],
    ['the task', { tasks: ['create_media_buy'] }, /every order/],
    ['another task', { tasks: ['update_media_buy'] }, undefined],
    ['the buyer', { principals: ['other', 'agency'] }, /the buyer is agency/],
    ['another buyer', { principals: ['other'] }, undefined],
    ['the advertiser', { advertisers: ['acme.example'] }, /the advertiser is acme\.example/],
    ['another advertiser', { advertisers: ['www.acme.example'] }, undefined],
    ['a product of it', { product_ids: ['takeover'] }, /it is about takeover/],
    ['another product', { product_ids: ['needs_none'] }, undefined],
    ['a delivery type of it', { delivery_types: ['guaranteed'] }, /takeover is guaranteed/],
    ['product and type of one package', { product_ids: ['takeover'], delivery_types: ['guaranteed'] }, /takeover/],
    ['product and type of two packages', { product_ids: ['banner'], delivery_types: ['guaranteed'] }, undefined],
    ['over the budget', { budget_over: { amount: 5999.99, currency: 'USD' } }, /over 5,999\.99 USD/],
    ['the budget exactly', { budget_over: { amount: 6000, currency: 'USD' } }, undefined],
    ['a budget in another currency', { budget_over: { amount: 1, currency: 'EUR' } }, undefined],
    ['two that hold', { principals: ['agency'], delivery_types: ['guaranteed'] }, /the buyer .* and takeover/],
    ['one that holds and one that does not', { principals: ['agency'], advertisers: ['x.example'] }, undefined],
  ];

  it.each(rules)('%s', (_what, given, because) => {
    const found = findRule([rule(given)], STAKE);
    if (because === undefined) expect(found).toBeUndefined();
    else expect(found?.because).toMatch(because);
  });

  it('the first that matches counts', () => {
    const rules = [rule({ principals: ['other'] }), rule({ timeout_hours: 1 }), rule({ timeout_hours: 2 })];
    expect(findRule(rules, STAKE)?.rule.timeout_hours).toBe(1);
    expect(findRule([], STAKE)).toBeUndefined();
  });

  it('a call may be asked about exactly where some order of it would be', () => {
    const subject = {
      task: 'update_media_buy',
      principal: 'agency',
      advertiser: 'acme.example',
      fulfillment: 'simulated',
    } as const;
    expect(canNeedApproval([], subject)).toBe(false);
    expect(canNeedApproval([rule({ tasks: ['create_media_buy'] })], subject)).toBe(false);
    expect(canNeedApproval([rule({ principals: ['other'] })], subject)).toBe(false);
    expect(canNeedApproval([rule({ advertisers: ['other.example'] })], subject)).toBe(false);
    expect(canNeedApproval([rule({ principals: ['other'] }), rule({ delivery_types: ['guaranteed'] })], subject)).toBe(
      true,
    );
  });
});

it.each([
  [1000, '1,000 USD'],
  [1234567.891, '1,234,567.89 USD'],
  [0.5, '0.50 USD'],
])('%d reads %s', (amount, text) => {
  expect(moneyText(amount, 'USD')).toBe(text);
});
