import { leastBudget } from '../../media-buy/pricing.js';
import type { Product } from '../../product/product.js';
import { type ProductIndex, rankProducts } from '../../product/search.js';
import { readBudget } from '../../search/budget.js';
import { type Forecast, forecastBudget } from '../forecast.js';
import type { Market } from '../market.js';
import { choosePrice } from '../plan.js';
import { type Applied, findSubject, readSelectionAsk } from './ask.js';

/** A product of an answer; with what the budget would deliver where the buyer named one for it. */
export type RefinedProduct = Product & { readonly forecast?: Forecast };

/** The outcome of an entry, with the products that it chose; none where it chose nothing. */
export type ProductOutcome = Applied & { readonly products?: readonly RefinedProduct[] };

/** An entry of `refine` about one product. */
type ProductEntry = {
  readonly product_id?: string | undefined;
  readonly action?: string | undefined;
  readonly ask?: string | undefined;
};

/** The context of an entry about products: those on sale that the filters left, which of them are sold out, the catalog's index, the flight that is forecast. */
type ProductRefinementContext = {
  readonly candidates: readonly Product[];
  readonly soldOut: ReadonlySet<string>;
  readonly index: ProductIndex;
  readonly flight: Market;
  readonly nowMs: number;
};

/** The most products that are added for one that a buyer wants more of. */
const MAX_SIMILAR = 5;

/** Carries out an entry about one product: the product itself, others like it, or what a budget for it would deliver. */
export function refineProduct(
  { product_id = '', action, ask }: ProductEntry,
  { candidates, soldOut, index, flight, nowMs }: ProductRefinementContext,
): ProductOutcome {
  if (action === 'omit') return { status: 'applied' };
  const product = candidates.find((each) => each.product_id === product_id);
  if (product === undefined) return { status: 'unable', notes: 'There is no such product on sale.' };
  const isSoldOut = soldOut.has(product_id);
  if (action === 'more_like_this') {
    const others = candidates.filter((each) => each !== product && !soldOut.has(each.product_id));
    const similar = rankProducts(index, `${ask ?? ''} ${describeProduct(product)}`, others).matches.slice(
      0,
      MAX_SIMILAR,
    );
    return { status: 'applied', products: [...(isSoldOut ? [] : [product]), ...similar.map(({ item }) => item)] };
  }
  if (isSoldOut) return { status: 'unable', notes: 'The product is sold out for these days.' };
  if (ask === undefined) return { status: 'applied', products: [product] };
  return answerAsk(product, ask, flight, nowMs);
}

/** Describes a product as a brief would ask for it. */
function describeProduct({ channels, delivery_type, inventory }: Product): string {
  return [...channels, delivery_type.replace('_', ' '), ...inventory.keywords].join(' ');
}

/** Answers an ask about a product: a budget is forecast, anything else is found true of it or not. */
function answerAsk(product: Product, ask: string, flight: Market, nowMs: number): ProductOutcome {
  const budget = readBudget(`budget ${ask}`);
  if (budget === undefined) {
    const subject = findSubject(ask, []);
    if (subject?.matches(product) === true) return { status: 'applied', products: [product] };
    const notes = 'Products are sold as listed; a budget in the ask is forecast, and more_like_this finds others.';
    return { status: 'unable', notes, products: [product] };
  }
  const currency = budget.currency ?? product.pricing_options[0]?.currency ?? 'USD';
  const priced = choosePrice(product, currency);
  if (priced === undefined) return { status: 'unable', notes: `It is not priced in ${currency}.`, products: [product] };
  const least = leastBudget(priced.option);
  const forecast = forecastBudget(
    [{ product, part: 1, ...priced }],
    { amount: budget.amount, currency },
    flight,
    nowMs,
  );
  return {
    status: budget.amount >= least ? 'applied' : 'partial',
    notes: `Forecast for ${budget.amount} ${currency} at ${priced.option.pricing_option_id}${least > budget.amount ? `, which asks for at least ${least}` : ''}.`,
    products: [{ ...product, forecast }],
  };
}

/** Carries out an entry about the whole selection: the products that meet every condition it names. */
export function refineSelection(ask: string, candidates: readonly Product[]): ProductOutcome {
  const { conditions, unoffered } = readSelectionAsk(ask);
  const left = candidates.filter((product) => conditions.every(({ holds }) => holds(product)));
  const wanted = conditions.map(({ label }) => label).join(', ');
  if (conditions.length === 0) {
    const why = unoffered.length > 0 ? unoffered : ['The ask names no channel, price, delivery type, country or rate.'];
    return { status: 'unable', notes: why.join(' ') };
  }
  if (left.length === 0) return { status: 'unable', notes: `No product on sale meets all of: ${wanted}.` };
  return {
    status: unoffered.length === 0 ? 'applied' : 'partial',
    notes: [`Narrowed to: ${wanted}.`, ...unoffered].join(' '),
    products: left,
  };
}
