import assert from 'node:assert/strict';
import { freshKey } from '../../kit/buyer.js';
import type { Arrange, EvalTask, Facts } from '../task.js';
import { buy, FLIGHT, oneBuy, RUN_OF_SITE } from './arrange.js';
import { bought, onlyBuy, packageOf, wasRead } from './expect.js';

const MUSIC = { product_id: 'wavecrest_music', pricing_option_id: 'cpm_fixed', budget: 2000 } as const;

/** People whose media buys run. */
export const RUNNING: readonly EvalTask[] = [
  {
    id: 'why-behind',
    tenant: 'sales',
    arrange: async (call, account) => {
      const facts = await oneBuy(call, account);
      await update(call, account, facts, { paused: true });
      return facts;
    },
    ask: ({ media_buy_id }) => `Why is ${media_buy_id} behind? Look, and change nothing.`,
    wants: (given) => [
      { goal: 'delivery numbers of media buys', facts: given },
      { goal: 'read the state of media buys', facts: given },
    ],
    grade: (after) => {
      assert.equal(onlyBuy(after).revision, 2);
      wasRead(after, /"paused"/);
      wasRead(after, /"impressions"/);
    },
  },
  {
    id: 'pause-buy',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `Pause ${media_buy_id}.`,
    wants: (given) => [{ goal: 'change a media buy', facts: { ...given, paused: true } }],
    grade: (after) => assert.equal(onlyBuy(after).status, 'paused'),
  },
  {
    id: 'resume-buy',
    tenant: 'sales',
    arrange: async (call, account) => {
      const facts = await oneBuy(call, account);
      await update(call, account, facts, { paused: true });
      return facts;
    },
    ask: ({ media_buy_id }) => `Let ${media_buy_id} run again.`,
    wants: (given) => [{ goal: 'change a media buy', facts: { ...given, paused: false } }],
    grade: (after) => assert.equal(onlyBuy(after).status, 'active'),
  },
  {
    id: 'cancel-buy',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `Cancel ${media_buy_id} for good: the launch was moved.`,
    wants: (given) => [
      { goal: 'cancel a media buy', facts: { ...given, canceled: true, cancellation_reason: 'The launch was moved.' } },
    ],
    grade: (after) => {
      const { cancellation, status } = onlyBuy(after);
      assert.equal(status, 'canceled');
      assert.match(cancellation?.reason ?? '', /launch/i);
    },
  },
  {
    id: 'raise-budget',
    tenant: 'sales',
    arrange: twoPackages,
    ask: ({ media_buy_id }) => `In ${media_buy_id}, raise the budget of the music package to 3,000 USD.`,
    wants: ({ media_buy_id }) => [
      { goal: 'change a media buy', facts: { media_buy_id, packages: [{ package: 'music', budget: 3000 }] } },
    ],
    grade: (after) =>
      assert.deepEqual(bought(after), [
        ['test-product', 'default', 1000],
        ['wavecrest_music', 'cpm_fixed', 3000],
      ]),
  },
  {
    id: 'extend-flight',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `Let ${media_buy_id} go on to the end of 31 March 2030.`,
    wants: (given) => [{ goal: 'change the dates of a media buy', facts: { ...given, end_time: '2030-03-31' } }],
    grade: (after) => assert.equal(onlyBuy(after).end_time, '2030-04-01T00:00:00Z'),
  },
  {
    id: 'pause-one-package',
    tenant: 'sales',
    arrange: twoPackages,
    ask: ({ media_buy_id }) => `Pause only the music in ${media_buy_id}; the banners go on.`,
    wants: ({ media_buy_id }) => [
      { goal: 'change a media buy', facts: { media_buy_id, packages: [{ package: 'music', paused: true }] } },
    ],
    grade: (after) => {
      assert.equal(packageOf(after, 'wavecrest_music').paused, true);
      assert.equal(packageOf(after, 'test-product').paused, false);
    },
  },
  {
    id: 'add-package',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `Add 700 USD of free music streaming at its fixed price to ${media_buy_id}.`,
    wants: ({ media_buy_id }) => [
      {
        goal: 'change a media buy',
        facts: {
          media_buy_id,
          new_packages: [{ product: 'free music streaming', budget: 700, price: 'fixed' }],
        },
      },
    ],
    grade: (after) =>
      assert.deepEqual(bought(after), [
        ['test-product', 'default', 1000],
        ['wavecrest_music', 'cpm_fixed', 700],
      ]),
  },
  {
    id: 'find-and-pause',
    tenant: 'sales',
    arrange: async (call, account) => {
      await buy(call, account);
      const { media_buy_id } = await buy(call, account, [MUSIC]);
      return { media_buy_id };
    },
    ask: () => 'I have two buys with you. Pause the one that has music in it.',
    wants: () => [{ goal: 'change a media buy', facts: { media_buy: 'music', paused: true } }],
    grade: ({ buys, given }) =>
      assert.deepEqual(
        buys.map(({ media_buy_id, status }) => [media_buy_id === given.media_buy_id, status]),
        [
          [false, 'active'],
          [true, 'paused'],
        ],
      ),
  },
  {
    id: 'delivery-by-day',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `How did ${media_buy_id} deliver, package by package and day by day?`,
    wants: (given) => [{ goal: 'delivery numbers', facts: { ...given, include_package_daily_breakdown: true } }],
    grade: (after) => {
      assert.equal(onlyBuy(after).revision, 1);
      wasRead(after, /"by_package"/);
    },
  },
  {
    id: 'spent-this-month',
    tenant: 'sales',
    arrange: oneBuy,
    ask: () => 'What did my account spend this month, and is anything unpaid?',
    wants: () => [{ goal: 'spend and payments of an account', facts: {} }],
    grade: (after) => {
      assert.equal(onlyBuy(after).revision, 1);
      wasRead(after, /"spend"/);
    },
  },
  {
    id: 'move-budget',
    tenant: 'sales',
    arrange: twoPackages,
    ask: ({ media_buy_id }) => `Move 500 USD in ${media_buy_id} from the music to the banners.`,
    grade: (after) =>
      assert.deepEqual(bought(after), [
        ['test-product', 'default', 1500],
        ['wavecrest_music', 'cpm_fixed', 1500],
      ]),
  },
  {
    id: 'cancel-one-package',
    tenant: 'sales',
    arrange: twoPackages,
    ask: ({ media_buy_id }) => `Drop the banners from ${media_buy_id} for good; keep the music as it is.`,
    grade: (after) => {
      assert.equal(packageOf(after, 'test-product').canceled, true);
      assert.equal(packageOf(after, 'wavecrest_music').canceled, false);
    },
  },
  {
    id: 'same-again',
    tenant: 'sales',
    arrange: twoPackages,
    ask: ({ media_buy_id }) => `Buy the same as ${media_buy_id} once more, for April 2030.`,
    grade: ({ buys }) => {
      assert.equal(buys.length, 2);
      const [first, second] = buys.map(({ packages }) =>
        packages.map(({ budget, product_id }) => [product_id, budget]),
      );
      assert.deepEqual(second, first);
      assert.match(buys[1]?.start_time ?? '', /^2030-04-01/);
    },
  },
  {
    id: 'do-not-exceed',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) =>
      `Raise ${media_buy_id} to 5,000 USD, but only if it has already spent more than 900 USD. Otherwise change nothing.`,
    grade: (after) => {
      assert.deepEqual(bought(after), [['test-product', 'default', 1000]]);
      wasRead(after, /"spend"/);
    },
  },
  {
    id: 'start-later',
    tenant: 'sales',
    arrange: async (call, account) => {
      const { start_time } = FLIGHT;
      return {
        media_buy_id: (await buy(call, account, [RUN_OF_SITE], { start_time: `${start_time}T00:00:00Z` })).media_buy_id,
      };
    },
    ask: ({ media_buy_id }) => `Have ${media_buy_id} start on 10 February 2030, not before.`,
    wants: (given) => [{ goal: 'change the dates of a media buy', facts: { ...given, start_time: '2030-02-10' } }],
    grade: (after) => assert.equal(onlyBuy(after).start_time, '2030-02-10T00:00:00Z'),
  },
  {
    id: 'only-germany',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `${media_buy_id} is to run in Germany alone from now on.`,
    wants: ({ media_buy_id }) => [
      {
        goal: 'change a media buy',
        facts: { media_buy_id, packages: [{ package: 'test-product', targeting_overlay: { geo_countries: ['DE'] } }] },
      },
    ],
    grade: (after) => assert.match(JSON.stringify(packageOf(after, 'test-product')), /"geo_countries":\["DE"\]/),
  },
  {
    id: 'cap-frequency',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `In ${media_buy_id}, show the banners to nobody more often than 3 times a day.`,
    wants: ({ media_buy_id }) => [
      {
        goal: 'change a media buy',
        facts: {
          media_buy_id,
          packages: [
            {
              package: 'test-product',
              targeting_overlay: {
                frequency_cap: { max_impressions: 3, per: 'individuals', window: { interval: 1, unit: 'days' } },
              },
            },
          ],
        },
      },
    ],
    grade: (after) => assert.match(JSON.stringify(packageOf(after, 'test-product')), /"max_impressions":3/),
  },
  {
    id: 'which-buys-run',
    tenant: 'sales',
    arrange: oneBuy,
    ask: () => 'Which of our buys run now?',
    wants: () => [{ goal: 'read media buys', facts: { status_filter: ['active'] } }],
    grade: (after) => wasRead(after, new RegExp(onlyBuy(after).media_buy_id)),
  },
  {
    id: 'tell-performance',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `Tell them that ${media_buy_id} sold 30 % more than we expected in January 2030.`,
    wants: ({ media_buy_id }) => [
      {
        goal: 'performance feedback',
        facts: {
          media_buy_id,
          performance_index: 1.3,
          measurement_period: { start: '2030-01-01T00:00:00Z', end: '2030-02-01T00:00:00Z' },
        },
      },
    ],
    grade: (after) => {
      assert.equal(onlyBuy(after).revision, 1);
      assert.ok(after.steps.some(({ name, reply }) => name === 'provide_performance_feedback' && !reply.isError));
    },
  },
  {
    id: 'raise-bid',
    tenant: 'sales',
    arrange: async (call, account) => {
      const auction = { product_id: 'northlight_ros_display', pricing_option_id: 'cpm_auction', bid_price: 2 };
      const { media_buy_id } = await buy(call, account, [RUN_OF_SITE, { ...auction, budget: 1000 }]);
      return { media_buy_id };
    },
    ask: ({ media_buy_id }) => `We lose the auction in ${media_buy_id}. Bid 2.60 there instead.`,
    wants: ({ media_buy_id }) => [
      {
        goal: 'change a media buy',
        facts: { media_buy_id, packages: [{ package: 'northlight_ros_display', bid_price: 2.6 }] },
      },
    ],
    grade: (after) => {
      assert.equal(packageOf(after, 'northlight_ros_display').bid_price, 2.6);
      assert.equal(packageOf(after, 'test-product').bid_price, undefined);
    },
  },
  {
    id: 'end-early',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `We are sold out soon: ${media_buy_id} ends on 20 February already.`,
    wants: (given) => [{ goal: 'change the end of a media buy', facts: { ...given, end_time: '2030-02-20' } }],
    grade: (after) => {
      const { end_time, status } = onlyBuy(after);
      assert.deepEqual([end_time, status], ['2030-02-21T00:00:00Z', 'active']);
    },
  },
  {
    id: 'not-in-canada',
    tenant: 'sales',
    arrange: oneBuy,
    ask: ({ media_buy_id }) => `Legal says no Canada. Keep ${media_buy_id} out of there.`,
    wants: ({ media_buy_id }) => [
      {
        goal: 'change a media buy',
        facts: {
          media_buy_id,
          packages: [{ package: 'test-product', targeting_overlay: { geo_countries_exclude: ['CA'] } }],
        },
      },
    ],
    grade: (after) =>
      assert.deepEqual(packageOf(after, 'test-product').targeting_overlay, { geo_countries_exclude: ['CA'] }),
  },
  {
    id: 'what-waits',
    tenant: 'sales',
    arrange: oneBuy,
    ask: () => 'Is there anything of ours that you still have to decide? Only look.',
    wants: () => [{ goal: 'list tasks that wait for the seller', facts: {} }],
    grade: (after) => {
      assert.equal(onlyBuy(after).revision, 1);
      wasRead(after, /"tasks":\[\]/);
    },
  },
];

/** A buy with banners and music. */
async function twoPackages(call: Arrange, account: string): Promise<Facts> {
  const { media_buy_id } = await buy(call, account, [RUN_OF_SITE, MUSIC]);
  return { media_buy_id };
}

/** Changes a buy in a person's name. */
async function update(call: Arrange, account: string, { media_buy_id }: Facts, changes: object): Promise<void> {
  await call('update_media_buy', {
    idempotency_key: freshKey(),
    account: { account_id: account },
    media_buy_id,
    ...changes,
  });
}
