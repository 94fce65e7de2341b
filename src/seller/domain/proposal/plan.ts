import { canonicalHash, digest } from '../../../platform/kernel/canonical.js';
import { leastSpend } from '../media-buy/pricing.js';
import type { Period } from '../media-buy/reporting.js';
import type { PricingOption, Product } from '../product/product.js';
import { readBudget } from '../search/budget.js';
import { joinWords } from '../search/sentence.js';
import { costPerThousand, type ForecastLine, forecastBudget, maxSpend } from './forecast.js';
import { type Allocation, type ConfiguredProposal, needsFinalizing, type Plan, type Proposal } from './proposal.js';
import { leastTotal, wholeShares } from './shares.js';

/** The budget of a brief that names none, in whatever currency. */
const DEFAULT_BUDGET = 10_000;
const MAX_PRODUCTS = 5;

/** A product that a brief found, at the price it would be bought at. */
type Candidate = ForecastLine & { readonly relevance: string };

/** A strategy to divide a budget: which of the matching products, best first, and how much each weighs. */
type Strategy = {
  readonly name: string;
  readonly description: string;
  readonly choose: (candidates: readonly Candidate[], flight: Period) => readonly Candidate[];
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
export function planProposals(brief: string, matches: readonly PlanCandidate[], flight: Period): readonly Plan[] {
  const budget = readBudget(brief);
  const currency = budget?.currency ?? firstCurrency(matches);
  if (currency === undefined) return [];
  const candidates = matches.flatMap(({ product, relevance = '' }) => {
    const priced = choosePrice(product, currency);
    return priced === undefined ? [] : [{ product, part: 1, relevance, ...priced }];
  });
  const seen = new Set<string>();
  return STRATEGIES.flatMap((strategy) => {
    const lines = dropUnaffordable(strategy, strategy.choose(candidates, flight), budget?.amount);
    const same = lines
      .map(({ product }) => product.product_id)
      .sort()
      .join();
    if (lines.length === 0 || seen.has(same)) return [];
    seen.add(same);
    return [buildPlan(strategy, brief, lines, { currency, amount: budget?.amount }, flight)];
  });
}

function firstCurrency(candidates: readonly PlanCandidate[]): string | undefined {
  return candidates[0]?.product.pricing_options[0]?.currency;
}

/** Returns the price in a currency that a plan buys a product at: a fixed one per impression, view or click, else any fixed one, else a bid. */
export function choosePrice(
  product: Product,
  currency: string,
): { readonly option: PricingOption; readonly bid_price?: number } | undefined {
  const options = product.pricing_options.filter((option) => option.currency === currency);
  const fixed = options.filter((option) => option.fixed_price !== undefined);
  const option = fixed.find((each) => !BY_TIME.has(each.pricing_model)) ?? fixed[0] ?? options[0];
  if (option === undefined) return undefined;
  const bid_price = option.fixed_price === undefined ? suggestBid(option) : undefined;
  return bid_price === undefined ? { option } : { option, bid_price };
}

const BY_TIME: ReadonlySet<string> = new Set(['flat_rate', 'time']);

/** The median of what wins, or a fifth above the floor. */
function suggestBid({ price_guidance, floor_price = 0 }: PricingOption): number {
  return Math.max(floor_price, price_guidance?.p50 ?? Math.round(floor_price * 1.2 * 100) / 100);
}

/** The lines that a budget can pay for: while one gets less than its price asks for, the dearest such line goes. */
function dropUnaffordable(
  strategy: Strategy,
  chosen: readonly Candidate[],
  amount: number | undefined,
): readonly Candidate[] {
  if (amount === undefined) return chosen;
  const shares = chosen.length === 0 ? [] : wholeShares(chosen.map(strategy.weigh));
  const missing = chosen.map(({ option }, index) => leastSpend(option) - (amount * (shares[index] ?? 0)) / 100);
  const worst = Math.max(0, ...missing);
  if (worst <= 0) return chosen;
  return dropUnaffordable(
    strategy,
    chosen.filter((_line, index) => missing[index] !== worst),
    amount,
  );
}

function buildPlan(
  { name, description, weigh }: Strategy,
  brief: string,
  lines: readonly Candidate[],
  { amount, currency }: { readonly amount: number | undefined; readonly currency: string },
  flight: Period,
): Plan {
  const shares = wholeShares(lines.map(weigh));
  const allocations = lines.map((line, index) => allocate(line, shares[index] ?? 0, line.relevance));
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
    ...(bid_price === undefined ? {} : { bid_price }),
  };
}

/** Returns a plan with what it may cost: from what its prices ask for to what its inventory can take. */
export function withGuidance(
  plan: Omit<Plan, 'total_budget_guidance'>,
  lines: readonly ForecastLine[],
  { amount, currency }: { readonly amount: number | undefined; readonly currency: string },
  flight: Period,
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
      ...(amount === undefined ? {} : { recommended: amount }),
      ...(max > min ? { max } : {}),
      currency,
    },
  };
}

/** Returns a plan as it is shown: whether it has to be finalized, and what it is expected to deliver. */
export function openProposal(
  plan: Plan,
  products: ReadonlyMap<string, Product>,
  flight: Period,
  nowMs: number,
): Proposal {
  const { currency, min = 0, recommended } = plan.total_budget_guidance;
  return {
    ...plan,
    ...(needsFinalizing(plan, products) ? { proposal_status: 'draft' as const } : {}),
    forecast: forecastBudget(
      listLines(plan, products),
      recommended ?? Math.max(DEFAULT_BUDGET, min),
      currency,
      flight,
      nowMs,
    ),
  };
}

/** Returns a plan of a tenant's file, with what it may cost. Undefined while one of its products is not on sale. */
export function planFromFile(
  { recommended_budget: amount, ...configured }: ConfiguredProposal,
  products: ReadonlyMap<string, Product>,
  flight: Period,
): Plan | undefined {
  const lines = listLines(configured, products);
  const currency = lines[0]?.option.currency;
  if (currency === undefined || lines.length < configured.allocations.length) return undefined;
  return withGuidance(configured, lines, { amount, currency }, flight);
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
    return [{ product, option, part: allocation.allocation_percentage / 100, bid_price: allocation.bid_price }];
  });
}
