import { isoTime } from '../../../platform/kernel/clock.js';
import type { BrandHouse } from '../brand/brand.js';
import { endMs, type Grant, totalOf } from '../brand/grant.js';
import { type MediaBuy, type Package, totalBudget } from '../media-buy/media-buy.js';
import type { Product } from '../product/product.js';
import type { Signal, SignalPrice } from '../signal/signal.js';
import { assessStake, type Stake } from '../task/approval.js';

/** An amount in a currency (ISO 4217). */
export type Money = { readonly amount: number; readonly currency: string };

/** A call's commitment of an account, in the words in which the account's governance agent is asked about it. */
export type Commitment = {
  readonly account_id: string;
  readonly purchase_type: 'media_buy' | 'signal_activation' | 'rights_license';
  readonly phase: 'purchase' | 'modification';
  /** The media buy or signal that stood before: what was last decided about it is carried on. */
  readonly reference?: string;
  readonly planned_delivery: Readonly<Record<string, unknown>>;
  /** What it costs beside what stood before; undefined where that is not known beforehand. */
  readonly adds: Money | undefined;
  /** All that is committed, in full: an approval is for exactly this. */
  readonly terms: unknown;
  readonly modification_summary?: string;
};

/** Returns what a created or changed media buy newly promises; undefined where it promises nothing more. */
export function buyCommitment(
  principal: string,
  before: MediaBuy | undefined,
  after: MediaBuy,
  products: ReadonlyMap<string, Pick<Product, 'name'>>,
): Commitment | undefined {
  const stake = assessStake(principal, before, after, products);
  if (stake === undefined) return undefined;
  const lines = after.packages.filter((line) => !line.canceled);
  return {
    account_id: after.account_id,
    purchase_type: 'media_buy',
    phase: before === undefined ? 'purchase' : 'modification',
    ...(before === undefined ? {} : { reference: before.media_buy_id, modification_summary: summarizeStake(stake) }),
    planned_delivery: {
      geo: { countries: [...new Set(lines.flatMap(listCountries))].sort() },
      channels: [...new Set(lines.flatMap((line) => line.sold.channels))].sort(),
      start_time: after.start_time,
      end_time: after.end_time,
      total_budget: totalBudget(after),
      currency: after.currency,
    },
    adds: { amount: Math.max(0, stake.total - (stake.total_before ?? 0)), currency: stake.currency },
    terms: { stake, lines: lines.map(comparableTerms) },
  };
}

function listCountries({ targeting_overlay: overlay, sold }: Package): readonly string[] {
  const targeted = overlay?.geo_countries;
  return Array.isArray(targeted) && targeted.length > 0 ? (targeted as readonly string[]) : sold.inventory.countries;
}

/** Returns a package without what differs between a trial and the real run: the ids that are made for it. */
function comparableTerms(line: Package): unknown {
  const { product_id, pricing_option_id, budget, bid_price, impressions, targeting_overlay } = line;
  const terms = { product_id, pricing_option_id, budget, bid_price, impressions, targeting_overlay };
  return { ...terms, start_time: line.start_time, end_time: line.end_time };
}

function summarizeStake({ currency, total, total_before, start_time, end_time }: Stake): string {
  return `Total budget ${total_before} to ${total} ${currency}, ${start_time} to ${end_time}.`;
}

/** Returns what the activation of a signal commits to. A fee that is fixed beforehand is its budget. */
export function signalCommitment(
  accountId: string,
  signal: Signal,
  price: SignalPrice | undefined,
  destinations: unknown,
): Commitment {
  return {
    account_id: accountId,
    purchase_type: 'signal_activation',
    phase: 'purchase',
    reference: signal.signal_agent_segment_id,
    planned_delivery: {
      audience_targeting: [
        { type: 'description', description: `${signal.name}: ${signal.description}`.slice(0, 2000) },
      ],
      currency: price?.currency,
      total_budget: price?.model === 'flat_fee' ? price.amount : undefined,
      ext: price === undefined ? undefined : { pricing_option: price },
    },
    // Other prices are of what is delivered, which the media buy pays for.
    adds: { amount: price?.model === 'flat_fee' ? price.amount : 0, currency: price?.currency ?? '' },
    terms: { signal: signal.signal_agent_segment_id, price, destinations },
  };
}

/** Returns what rights that were granted commit to: their price in all, as far as their end is known. */
export function rightsCommitment(grant: Grant, { house, rights }: BrandHouse): Commitment {
  const { account_id, rights_id, price, uses, countries, start_date, end_date } = grant;
  const offer = rights.find((one) => one.rights_id === rights_id);
  const total_budget = totalOf(grant);
  return {
    account_id,
    purchase_type: 'rights_license',
    phase: 'purchase',
    reference: rights_id,
    planned_delivery: {
      geo: countries === undefined ? undefined : { countries },
      start_time: isoTime(Date.parse(start_date)),
      end_time: end_date === undefined ? undefined : isoTime(endMs(end_date)),
      total_budget,
      currency: price.currency,
      audience_summary: `${offer?.name ?? rights_id} of ${house.name}, for ${uses.join(', ')}`,
    },
    adds: total_budget === undefined ? undefined : { amount: total_budget, currency: price.currency },
    terms: { rights_id, price, uses, countries, start_date, end_date, total_budget },
  };
}
