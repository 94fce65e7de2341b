import { canonicalHash, digest } from '../../../platform/kernel/canonical.js';
import { leastBudget } from '../media-buy/pricing.js';
import type { PricingOption, Product } from '../product/product.js';
import { readBudget } from '../search/budget.js';
import { joinWords } from '../search/sentence.js';
import { costPerThousand, type ForecastLine, forecastBudget, maxSpend } from './forecast.js';
import { datesOf, type Market, planFlight } from './market.js';
import {
  type Allocation,
  type ConfiguredProposal,
  needsFinalizing,
  type Offering,
  type Plan,
  type Proposal,
} from './proposal.js';
import { fitShares, leastTotal, wholeShares } from './shares.js';

/** The budget of a brief that names none, in whatever currency. */
const DEFAULT_BUDGET = 10_000;
const MAX_PRODUCTS = 5;

/** A product that a brief found, at the price it would be bought at. */
type Candidate = ForecastLine & { readonly relevance: string };

/** A strategy to divide a budget: which of the matching products, best first, and how much each weighs. */
type Strategy = {
  readonly name: string;
  readonly description: string;
  readonly choose: (candidates: readonly Candidate[], flight: Market) => readonly Candidate[];
  readonly weigh: (line: Candidate, position: number) => number;
};

/** The plans that are made of one brief, in the order they are shown; those that come to the same products are shown once. */
const STRATEGIES: readonly Strategy[] = [
  {
    name: 'Balanced plan',
    description: 'The best match of each channel that fits the brief; the better the match, the larger its share.',
    choose: (candidates) => candidates.filter(isFirstOfItsChannel).slice(0, MAX_PRODUCTS),
    weigh: (_line, position) => 1 / Math.sqrt(position + 1),
  },
  {
    name: 'Reach plan',
    description: 'The products with the lowest cost per impression among those that fit the brief, in equal shares.',
    choose: (candidates, flight) =>
      candidates
        .map((line) => ({ line, cost: costPerThousand(line, flight) }))
        .sort((one, other) => one.cost - other.cost)
        .slice(0, 3)
        .map(({ line }) => line),
    weigh: () => 1,
  },
];

function isFirstOfItsChannel({ product }: Candidate, position: number, candidates: readonly Candidate[]): boolean {
  const [channel] = product.channels;
  return candidates.findIndex((other) => other.product.channels[0] === channel) === position;
}

/** A product that matched a brief, with the sentence that says why. Lists of them are ordered, best first. */
export type PlanCandidate = { readonly product: Product; readonly relevance?: string };

/** Plans over the products that matched a brief. Equal briefs over an equal product catalog get equal plans, with equal ids. */
export function planProposals(brief: string, matches: readonly PlanCandidate[], flight: Market): readonly Plan[] {
  const budget = readBudget(brief);
  const currency = budget?.currency ?? firstCurrency(matches);
  if (currency === undefined) return [];
  const candidates = matches.flatMap(({ product, relevance = '' }) => {
    const priced = choosePrice(product, currency);
    const own = priced && planFlight({ product, option: priced.option }, flight);
    if (priced === undefined || own === undefined) return [];
    const line = { product, part: 1, relevance, ...priced, own };
    // What is sold out is not proposed.
    return maxSpend(line, flight) < leastBudget(priced.option) ? [] : [line];
  });
  const seen = new Set<string>();
  return STRATEGIES.flatMap((strategy) => {
    const lines = dropUnaffordable(strategy, strategy.choose(candidates, flight), budget?.amount, flight);
    const same = lines
      .map(({ product }) => product.product_id)
      .sort()
      .join();
    if (lines.length === 0 || seen.has(same)) return [];
    seen.add(same);
    return [buildPlan(strategy, lines, { brief, currency, amount: budget?.amount, flight })];
  });
}

function firstCurrency(candidates: readonly PlanCandidate[]): string | undefined {
  return candidates[0]?.product.pricing_options[0]?.currency;
}

/** A price, and the bid at it where it is an auction. */
type PlannedPrice = { readonly option: PricingOption; readonly bid_price?: number };

/** Returns the price in a currency that a plan buys a product at: a fixed one per impression, view or click, else any fixed one, else a bid. */
export function choosePrice(product: Product, currency: string): PlannedPrice | undefined {
  const options = product.pricing_options.filter((option) => option.currency === currency);
  const fixed = options.filter((option) => option.fixed_price !== undefined);
  const option = fixed.find((each) => !BY_TIME.has(each.pricing_model)) ?? fixed[0] ?? options[0];
  return option && suggestPrice(option);
}

/** Returns a price with the bid that a plan makes where it is an auction. */
export function suggestPrice(option: PricingOption): PlannedPrice {
  return option.fixed_price === undefined ? { option, bid_price: suggestBid(option) } : { option };
}

const BY_TIME: ReadonlySet<string> = new Set(['flat_rate', 'time']);

/** Returns the median of what wins, or a fifth above the floor. */
function suggestBid({ price_guidance, floor_price = 0 }: PricingOption): number {
  return Math.max(floor_price, price_guidance?.p50 ?? Math.round(floor_price * 1.2 * 100) / 100);
}

/** Returns the lines that a budget can pay for: while one gets less than its price asks for, the dearest such line goes. */
function dropUnaffordable(
  strategy: Strategy,
  chosen: readonly Candidate[],
  amount: number | undefined,
  flight: Market,
): readonly Candidate[] {
  if (amount === undefined) return chosen;
  const shares = chosen.length === 0 ? [] : shareBudget(strategy, chosen, amount, flight);
  const missing = chosen.map(({ option }, index) => leastBudget(option) - (amount * (shares[index] ?? 0)) / 100);
  const worst = Math.max(0, ...missing);
  if (worst <= 0) return chosen;
  return dropUnaffordable(
    strategy,
    chosen.filter((_line, index) => missing[index] !== worst),
    amount,
    flight,
  );
}

/** Divides a budget by the weights of a strategy, no product getting more than it can take in the flight. */
function shareBudget(
  { weigh }: Strategy,
  lines: readonly Candidate[],
  amount: number | undefined,
  flight: Market,
): readonly number[] {
  const weights = lines.map(weigh);
  if (amount === undefined) return wholeShares(weights);
  const shares = wholeShares(
    fitShares(
      weights,
      lines.map((line) => (100 * maxSpend(line, flight)) / amount),
    ),
  );
  return coverPrices(
    shares,
    lines.map(({ option }) => Math.ceil((100 * leastBudget(option)) / amount - 1e-9)),
  );
}

/** Gives a share that rounding left a percent short of its price that percent, from the largest that can spare it. */
function coverPrices(shares: readonly number[], least: readonly number[]): readonly number[] {
  const covered = [...shares];
  for (const [at, share] of shares.entries()) {
    if (share + 1 !== least[at]) continue;
    const spare = covered.map((other, index) => (index === at ? 0 : other - (least[index] ?? 0)));
    const from = spare.indexOf(Math.max(...spare));
    if ((spare[from] ?? 0) < 1) continue;
    covered[at] = share + 1;
    covered[from] = (covered[from] ?? 0) - 1;
  }
  return covered;
}

/** The order that a plan is made for. */
type PlanOrder = {
  readonly brief: string;
  readonly currency: string;
  readonly amount: number | undefined;
  readonly flight: Market;
};

function buildPlan(
  strategy: Strategy,
  lines: readonly Candidate[],
  { brief, currency, amount, flight }: PlanOrder,
): Plan {
  const { name, description } = strategy;
  const shares = shareBudget(strategy, lines, amount, flight);
  const allocations = lines.map((line, index) => ({
    ...allocate(line, shares[index] ?? 0, line.relevance),
    ...datesOf(line.own ?? flight, flight),
  }));
  const channels = [...new Set(lines.map(({ product }) => product.channels[0] ?? ''))];
  return withGuidance(
    {
      proposal_id: `prop_${digest(canonicalHash([name, brief, currency, allocations]))}`,
      name,
      description,
      brief_alignment:
        `Covers ${joinWords(channels)} with ${joinWords(lines.map(({ product }) => product.name))}.`.slice(0, 2000),
      allocations,
    },
    lines,
    { currency, amount },
    flight,
  );
}

/** Returns one line of a plan. */
export function allocate(
  { product, option, bid_price }: Omit<ForecastLine, 'part'>,
  share: number,
  why: string,
): Allocation {
  const bids = bid_price === undefined ? '' : `bids ${bid_price} ${option.currency} ${option.pricing_model}`;
  return {
    product_id: product.product_id,
    pricing_option_id: option.pricing_option_id,
    allocation_percentage: share,
    rationale: [why, bids].filter((part) => part !== '').join('; '),
    bid_price,
  };
}

/** Returns a plan with what it may cost: from what its prices ask for to what its inventory can take. */
export function withGuidance(
  plan: Omit<Plan, 'total_budget_guidance'>,
  lines: readonly ForecastLine[],
  { amount, currency }: { readonly amount: number | undefined; readonly currency: string },
  flight: Market,
): Plan {
  const shared = plan.allocations.flatMap((allocation, index) => {
    const line = lines[index];
    return line === undefined ? [] : [{ line, option: line.option, share: allocation.allocation_percentage }];
  });
  const min = leastTotal(shared);
  const max = Math.floor(Math.min(...shared.map(({ line, share }) => (maxSpend(line, flight) * 100) / share)));
  return {
    ...plan,
    total_budget_guidance: {
      min,
      recommended: amount === undefined ? undefined : Math.max(min, Math.min(amount, Math.max(max, min))),
      max: max > min ? max : undefined,
      currency,
    },
  };
}

/** Returns a plan as it is shown: whether it has to be finalized, and what it is expected to deliver. */
export function openProposal(plan: Plan, offering: Offering, flight: Market, nowMs: number): Proposal {
  const { currency, min = 0, recommended } = plan.total_budget_guidance;
  return {
    ...plan,
    proposal_status: needsFinalizing(plan, offering) ? ('draft' as const) : undefined,
    forecast: forecastBudget(
      listLines(plan, offering.products),
      { amount: recommended ?? Math.max(DEFAULT_BUDGET, min), currency },
      flight,
      nowMs,
    ),
  };
}

/** Returns a plan of a tenant's file, with what it may cost. Undefined while one of its products is not on sale. */
export function planFromFile(
  { recommended_budget: amount, ...configured }: ConfiguredProposal,
  products: ReadonlyMap<string, Product>,
  flight: Market,
): Plan | undefined {
  const dated = { ...configured, allocations: dateAllocations(configured.allocations, products, flight) };
  const lines = listLines(dated, products);
  const currency = lines[0]?.option.currency;
  if (currency === undefined || lines.length < configured.allocations.length) return undefined;
  if (lines.some((line) => maxSpend(line, flight) < leastBudget(line.option))) return undefined;
  return withGuidance(dated, lines, { amount, currency }, flight);
}

/** Returns allocations with the dates of those that are not for the whole flight; without those that have no free time in it. */
export function dateAllocations(
  allocations: readonly Allocation[],
  products: ReadonlyMap<string, Product>,
  flight: Market,
): readonly Allocation[] {
  return allocations.flatMap((allocation) => {
    const [line] = listLines({ allocations: [allocation] }, products);
    const own = line === undefined ? undefined : (line.own ?? planFlight(line, flight));
    return own === undefined ? [] : [{ ...allocation, ...datesOf(own, flight) }];
  });
}

/** Returns the lines of a plan, as far as their products are on sale. */
export function listLines(
  plan: Pick<Plan, 'allocations'>,
  products: ReadonlyMap<string, Product>,
): readonly ForecastLine[] {
  return plan.allocations.flatMap((allocation) => {
    const product = products.get(allocation.product_id);
    const option = product?.pricing_options.find((each) => each.pricing_option_id === allocation.pricing_option_id);
    if (product === undefined || option === undefined) return [];
    const { allocation_percentage, bid_price, start_time, end_time } = allocation;
    const own =
      start_time === undefined || end_time === undefined
        ? undefined
        : { fromMs: Date.parse(start_time), toMs: Date.parse(end_time) };
    return [{ product, option, part: allocation_percentage / 100, bid_price, own }];
  });
}
