import { leastSpend } from '../media-buy/pricing.js';
import type { Money } from '../search/budget.js';
import { offeredIn } from '../search/ranking/explain.js';
import { listUnmet, rank } from '../search/ranking/rank.js';
import type { Description, OfferedPrice, Ranking, Remark } from '../search/ranking/search.js';
import { indexItems, type SearchFields, type SearchIndex } from '../search/term-index.js';
import { modelText } from './pricing-words.js';
import type { PricingOption, Product } from './product.js';

/** From this supply on, a product reaches whomever a brief may name. */
const BROAD_DAILY_IMPRESSIONS = 1_000_000;

/** The ads of display that people tell apart, by the id of a format that shows them. */
const FORMS = [
  ['native', /native/],
  ['banner', /display|banner|\d+x\d+/],
] as const;

const FIELDS: SearchFields<Product> = {
  id: ({ product_id }) => product_id,
  texts: {
    name: { boost: 3, of: ({ name }) => [name] },
    keywords: { boost: 2.5, of: ({ inventory }) => inventory.keywords },
    description: { boost: 1, of: ({ description }) => [description] },
    publisher: {
      boost: 1.5,
      of: ({ publisher_properties }) => publisher_properties.map((each) => each.publisher_domain),
    },
    formats: { boost: 0.5, of: ({ format_ids }) => format_ids.map(({ id }) => id.replaceAll('_', ' ')) },
  },
  facets: {
    channel: { field: 'channels', boost: 3, values: ({ channels }) => channels },
    country: {
      field: 'countries',
      boost: 0.8,
      values: ({ inventory }) => inventory.countries.map((code) => code.toLowerCase()),
    },
    model: {
      field: 'prices',
      boost: 1,
      values: ({ pricing_options }) => pricing_options.map((option) => option.pricing_model),
    },
    currency: {
      field: 'prices',
      boost: 0.8,
      values: ({ pricing_options }) => pricing_options.map(({ currency }) => currency.toLowerCase()),
    },
    price: {
      field: 'prices',
      boost: 1,
      values: ({ pricing_options }) => [
        ...pricing_options.map((option) => (option.fixed_price === undefined ? 'auction' : 'fixed')),
        ...(pricing_options.some(isLow) ? ['low'] : []),
      ],
    },
    delivery: { field: 'delivery type', boost: 1, values: ({ delivery_type }) => [delivery_type] },
    reach: {
      field: 'supply',
      boost: 0.3,
      values: ({ inventory }) => (inventory.daily_impressions >= BROAD_DAILY_IMPRESSIONS ? ['broad'] : []),
    },
    form: {
      field: 'formats',
      boost: 3,
      values: ({ channels, format_ids }) => (channels.includes('display') ? listForms(format_ids) : []),
    },
    exclusivity: { field: 'exclusivity', boost: 1, values: ({ exclusivity = 'none' }) => [exclusivity] },
  },
};

function listForms(formats: Product['format_ids']): readonly string[] {
  return FORMS.filter(([, pattern]) => formats.some(({ id }) => pattern.test(id))).map(([form]) => form);
}

const DESCRIPTION: Description<Product> = {
  general: 'this is general inventory',
  elsewhere: 'not sold in',
  isBound: true,
  prices: ({ pricing_options }) => pricing_options.map(offeredPrice),
  supply: ({ inventory }) => inventory.daily_impressions,
  countries: ({ inventory }) => inventory.countries,
  budget: judgeBudget,
  terms: ({ inventory, pricing_options }, models) => {
    const option = pricing_options.find((each) => models.includes(each.pricing_model)) ?? pricing_options[0];
    return [offeredIn('sold in', inventory.countries), option === undefined ? '' : describePrice(option)];
  },
};

/** A price per thousand that is among the lowest of the trade. */
const LOW_PRICE = 3;

function isLow(option: PricingOption): boolean {
  const { model, least } = offeredPrice(option);
  return (model === 'cpm' || model === 'vcpm') && least <= LOW_PRICE;
}

function offeredPrice({ pricing_model, currency, fixed_price, floor_price = 0 }: PricingOption): OfferedPrice {
  return { model: pricing_model, currency: currency.toLowerCase(), least: fixed_price ?? floor_price };
}

/** Returns what a product is, as terms of the index: `channel:ctv`, `delivery:guaranteed`, `country:us`, `price:fixed` and so on. */
export function listFacets(product: Product): ReadonlySet<string> {
  return new Set(
    Object.entries(FIELDS.facets).flatMap(([facet, { values }]) => values(product).map((value) => `${facet}:${value}`)),
  );
}

/** The index that rankProducts searches. */
export type ProductIndex = SearchIndex<Product>;

/** Builds the index of a product catalog; build it once per catalog. */
export function buildProductIndex(products: readonly Product[]): ProductIndex {
  return indexItems(products, FIELDS);
}

/** Returns the products that answer a brief, as `rank` orders them. `among`: what filters left of the catalog (by default all of it); `brand`: words about the buyer's brand. */
export function rankProducts(
  index: ProductIndex,
  brief: string,
  among: readonly Product[] = index.items,
  brand?: string,
): Ranking<Product> {
  return rank({ index, description: DESCRIPTION, among, brand }, brief);
}

/** Returns the demands of a brief that keep each product out, in the brief's words; a product that meets all of them is not among the keys. */
export function listUnmetDemands(index: ProductIndex, brief: string): ReadonlyMap<Product, readonly string[]> {
  return listUnmet({ index, description: DESCRIPTION, among: index.items }, brief);
}

const TOO_DEAR_FACTOR = 0.5;
const OTHER_CURRENCY_FACTOR = 0.8;

function judgeBudget(product: Product, { amount, currency }: Money): Remark | undefined {
  const payable = product.pricing_options.filter((option) => currency === undefined || option.currency === currency);
  if (payable.length === 0) return { factor: OTHER_CURRENCY_FACTOR, text: `not priced in ${currency}` };
  const least = Math.min(...payable.map(leastSpend));
  if (least === 0) return undefined;
  const isWithin = least <= amount;
  return {
    factor: isWithin ? 1 : TOO_DEAR_FACTOR,
    text: `its minimum spend of ${least} ${currency ?? payable[0]?.currency} ${isWithin ? 'is within' : 'exceeds'} the budget`,
  };
}

function describePrice({ fixed_price, floor_price, currency, pricing_model }: PricingOption): string {
  const unit = `${currency} ${modelText(pricing_model)}`;
  if (fixed_price !== undefined) return `from ${fixed_price} ${unit}`;
  return floor_price === undefined ? `auction in ${unit}` : `auction from ${floor_price} ${unit}`;
}
