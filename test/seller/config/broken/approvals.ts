import type { Bendable } from '../fixture.js';
import type { Variant } from '../variant.js';

const asking =
  (...rules: readonly object[]) =>
  (tenant: Bendable): void =>
    Object.assign(tenant, { approvals: rules });

/** Faults of the rules that say when a person is asked. */
export const BROKEN_APPROVALS: readonly Variant[] = [
  {
    what: 'approvals that are no list',
    bend: (t) => Object.assign(t, { approvals: {} }),
    pointer: '/approvals',
    line: '"approvals"',
    says: /expected an array/,
  },
  {
    what: 'a misspelt criterion',
    bend: asking({ product_id: ['first'] }),
    pointer: '/approvals/0/product_id',
    line: '"product_id": [',
    says: /Rename it to "product_ids"/,
  },
  {
    what: 'a task that nobody approves',
    bend: asking({ tasks: ['sync_creatives'] }),
    pointer: '/approvals/0/tasks/0',
    line: '"sync_creatives"',
    says: /"create_media_buy"/,
  },
  {
    what: 'no task',
    bend: asking({ tasks: [] }),
    pointer: '/approvals/0/tasks',
    line: '"tasks"',
    says: /at least 1/,
  },
  {
    what: 'approval of an unknown product',
    bend: asking({ product_ids: ['frist'] }),
    pointer: '/approvals/0/product_ids/0',
    line: '"frist"',
    says: /no product "frist".*Did you mean "first"/,
  },
  {
    what: 'approval of an unknown principal',
    bend: asking({ principals: ['alicia'] }),
    pointer: '/approvals/0/principals/0',
    line: '"alicia"',
    says: /no principal "alicia".*Did you mean "alice"/,
  },
  {
    what: 'approval of an advertiser that is no domain',
    bend: asking({ advertisers: ['https://brand-one.example'] }),
    pointer: '/approvals/0/advertisers/0',
    line: '"https://brand-one.example"',
    says: /without scheme/,
  },
  {
    what: 'a budget limit without currency',
    bend: asking({ budget_over: { amount: 77 } }),
    pointer: '/approvals/0/budget_over/currency',
    line: '"budget_over"',
    says: /Add "currency"/,
  },
  {
    what: 'a budget limit in a currency of no price',
    bend: asking({ budget_over: { amount: 77, currency: 'JPY' } }),
    pointer: '/approvals/0/budget_over/currency',
    line: '"JPY"',
    says: /nothing is sold in JPY.*"USD", "EUR"/,
  },
  {
    what: 'a budget limit below zero',
    bend: asking({ budget_over: { amount: -1, currency: 'EUR' } }),
    pointer: '/approvals/0/budget_over/amount',
    line: '"amount": -1',
    says: /at least 0/,
  },
  {
    what: 'a delivery type of no product',
    bend: asking({ delivery_types: ['guaranteed'] }),
    pointer: '/approvals/0/delivery_types',
    line: '"delivery_types"',
    says: /no product is guaranteed/,
  },
  {
    what: 'a delivery type that its products do not have',
    bend: (t) => {
      t.products[1].delivery_type = 'guaranteed';
      asking({ product_ids: ['first'], delivery_types: ['guaranteed'] })(t);
    },
    pointer: '/approvals/0/delivery_types',
    line: '"delivery_types"',
    says: /none of its products is guaranteed/,
  },
  {
    what: 'no time to decide',
    bend: asking({ timeout_hours: 0 }),
    pointer: '/approvals/0/timeout_hours',
    line: '"timeout_hours"',
    says: /at least 0\.01/,
  },
  {
    what: 'an unknown end of waiting',
    bend: asking({ on_timeout: 'ask again' }),
    pointer: '/approvals/0/on_timeout',
    line: '"on_timeout"',
    says: /"reject"/,
  },
  {
    what: 'a rule behind one that takes everything',
    bend: asking({}, { $comment: 'behind', principals: ['alice'] }),
    pointer: '/approvals/1',
    line: '"behind"',
    shift: -1,
    says: /never reached: rule 1/,
  },
  {
    what: 'a rule behind a wider one',
    bend: asking(
      { product_ids: ['first'] },
      { product_ids: ['first', 'second'], budget_over: { amount: 500, currency: 'USD' } },
      {
        $comment: 'behind',
        product_ids: ['second'],
        tasks: ['create_media_buy'],
        budget_over: { amount: 700, currency: 'USD' },
      },
    ),
    pointer: '/approvals/2',
    line: '"behind"',
    shift: -1,
    says: /never reached: rule 2/,
  },
  {
    what: 'approvals of an agent that sells nothing',
    bend: (t) => {
      Object.assign(t, { kinds: ['creative'], approvals: [{}] });
    },
    pointer: '/approvals',
    line: '"approvals"',
    says: /only a sales agent/,
  },
];
