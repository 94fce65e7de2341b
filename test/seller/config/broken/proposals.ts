import type { Bendable } from '../fixture.js';
import type { Variant } from '../variant.js';

const share = (id: string, allocation_percentage: number, more: object = {}) => ({
  product_id: id,
  pricing_option_id: `${id}_cpm`,
  allocation_percentage,
  ...more,
});

const offering =
  (...allocations: readonly object[]) =>
  (tenant: Bendable): void =>
    Object.assign(tenant, { proposals: [{ proposal_id: 'plan_one', name: 'Plan', allocations }] });

/** Faults of the proposals of a tenant file. */
export const BROKEN_PROPOSALS: readonly Variant[] = [
  {
    what: 'a proposal without allocations',
    bend: offering(),
    pointer: '/proposals/0/allocations',
    line: '"allocations"',
    says: /at least 1/,
  },
  {
    what: 'a proposal of an unknown product',
    bend: offering(share('frist', 100)),
    pointer: '/proposals/0/allocations/0/product_id',
    line: '"product_id": "frist"',
    says: /Did you mean "first"/,
  },
  {
    what: 'a proposal at an unknown price',
    bend: offering(share('first', 100, { pricing_option_id: 'first_cpn' })),
    pointer: '/proposals/0/allocations/0/pricing_option_id',
    line: '"pricing_option_id": "first_cpn"',
    says: /Did you mean "first_cpm"/,
  },
  {
    what: 'shares that do not add up',
    bend: offering(share('first', 60), share('second', 30)),
    pointer: '/proposals/0/allocations',
    line: '"allocations"',
    says: /90%, not to 100%/,
  },
  {
    what: 'a product that stands twice in a proposal',
    bend: offering(share('first', 60), share('first', 40, { pricing_option_id: 'first_cpm' })),
    pointer: '/proposals/0/allocations/1/product_id',
    line: '"allocation_percentage": 40',
    shift: -2,
    says: /used twice/,
  },
  {
    what: 'a bid on a fixed price',
    bend: offering(share('first', 100, { bid_price: 7.77 })),
    pointer: '/proposals/0/allocations/0/bid_price',
    line: '"bid_price": 7.77',
    says: /Remove "bid_price"/,
  },
  {
    what: 'an auction without a bid',
    bend: offering(share('first', 100, { pricing_option_id: 'first_auction' })),
    pointer: '/proposals/0/allocations/0/bid_price',
    line: '"allocation_percentage"',
    shift: -3,
    says: /needs a bid/,
  },
  {
    what: 'a bid below the floor',
    bend: offering(share('first', 100, { pricing_option_id: 'first_auction', bid_price: 0.01 })),
    pointer: '/proposals/0/allocations/0/bid_price',
    line: '"bid_price"',
    says: /below the floor/,
  },
  {
    what: 'prices in two currencies',
    bend: offering(share('first', 50), share('second', 50, { pricing_option_id: 'second_auction', bid_price: 1 })),
    pointer: '/proposals/0/allocations',
    line: '"allocations"',
    says: /several currencies/,
  },
  {
    what: 'two proposals of one id',
    bend: (tenant) => {
      offering(share('first', 100))(tenant);
      tenant.proposals.push({ ...tenant.proposals[0], name: 'Other' });
    },
    pointer: '/proposals/1/proposal_id',
    line: '"name": "Other"',
    shift: -1,
    says: /used twice/,
  },
  {
    what: 'proposals of an agent that sells nothing',
    bend: (tenant) => {
      offering(share('first', 100))(tenant);
      tenant.kinds = ['creative'];
    },
    pointer: '/proposals',
    line: '"proposals"',
    says: /only a sales agent/,
  },
];
