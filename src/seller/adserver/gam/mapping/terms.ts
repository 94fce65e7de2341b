import type { LiveOrder, LivePackage, OrderGoal } from '../../../domain/booking/live-order.js';
import type { Pacing } from '../../../domain/media-buy/media-buy.js';
import type { PricingModel } from '../../../domain/product/product.js';
import type { TimeZone } from '../../../domain/time-zone.js';
import { type GamCustomTargeting, type GamProduct, type GamSettings, readSize, type Size } from '../settings.js';
import { TermsError } from './errors.js';
import { type Micros, toMicros, unitsFor } from './money.js';
import { nameWithId } from './names.js';
import { type LineTargeting, readTargeting } from './targeting.js';
import { calendarDays, START_MARGIN_MS } from './times.js';

/** The kinds of line items that are booked here. */
type LineType = 'SPONSORSHIP' | 'STANDARD' | 'PRICE_PRIORITY';
type UnitType = 'IMPRESSIONS' | 'CLICKS' | 'COMPLETED_VIEWS';

/** The goal of a line: so many units, or of a sponsorship so many hundredths of the inventory. */
type LineGoal = {
  readonly goalType: 'LIFETIME' | 'DAILY';
  readonly unitType: UnitType;
  readonly units: number;
};

/** A frequency cap. */
type LineCap = { readonly maxImpressions: number; readonly timeAmount: number; readonly timeUnit: string };

/** A package in the terms of Ad Manager, as both of its APIs write it. */
export type LineTerms = {
  readonly displayName: string;
  /** The id of the package. */
  readonly externalId: string;
  readonly lineItemType: LineType;
  readonly costType: 'CPM' | 'CPC' | 'CPD' | 'CPCV';
  readonly rate: Micros;
  readonly currency: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly goal: LineGoal;
  readonly deliveryRateType: string;
  /** Whether creatives run by weights; they take equal turns otherwise. */
  readonly isWeighted: boolean;
  readonly sizes: readonly Size[];
  readonly caps: readonly LineCap[];
  readonly targeting: LineTargeting & {
    readonly adUnits: readonly string[];
    readonly placements: readonly string[];
    readonly custom: readonly GamCustomTargeting[];
  };
};

/** The settings, product and time that a package is put into Ad Manager's terms with. */
type TermsContext = {
  readonly settings: GamSettings;
  readonly product: GamProduct;
  readonly zone: TimeZone;
  readonly nowMs: number;
};

/** A pricing model as a line has it: what is paid for, in units of how many, and what counts towards its goal. */
type Pricing = {
  readonly costType: 'CPM' | 'CPC' | 'CPCV';
  readonly unitsPerRate: number;
  readonly unitType: UnitType;
  /** The kind of line where delivery is not promised. */
  readonly otherwise: LineType;
};

/** Without flat_rate, which is a sponsorship. A price per completed view is one of standard lines alone. */
const PRICINGS: Readonly<Partial<Record<PricingModel, Pricing>>> = {
  cpm: { costType: 'CPM', unitsPerRate: 1000, unitType: 'IMPRESSIONS', otherwise: 'PRICE_PRIORITY' },
  cpc: { costType: 'CPC', unitsPerRate: 1, unitType: 'CLICKS', otherwise: 'PRICE_PRIORITY' },
  cpcv: { costType: 'CPCV', unitsPerRate: 1, unitType: 'COMPLETED_VIEWS', otherwise: 'STANDARD' },
};

/** The pricing models that can be booked. */
export const GAM_PRICING_MODELS: readonly PricingModel[] = ['cpm', 'cpc', 'cpcv', 'flat_rate'];

const DELIVERY_RATES: Readonly<Record<Pacing, string>> = {
  even: 'EVENLY',
  asap: 'AS_FAST_AS_POSSIBLE',
  front_loaded: 'FRONTLOADED',
};

/** Returns a package in the terms of Ad Manager. Throws TermsError for what it has no terms for. */
export function lineTerms(order: LiveOrder, line: LivePackage, context: TermsContext): LineTerms {
  const { nowMs, product, settings } = context;
  const { package_id, targeting } = line;
  if (order.currency !== settings.currency) {
    throw new TermsError(`The ad server's network is in ${settings.currency}, and converts no prices.`, {
      field: 'currency',
      suggestion: `Order in ${settings.currency}.`,
    });
  }
  const startMs = Math.max(Date.parse(line.start_time), nowMs + START_MARGIN_MS);
  return {
    displayName: nameWithId(`${order.brand.domain} ${line.name}`, package_id),
    externalId: package_id,
    ...priceTerms(line, context),
    currency: order.currency,
    startMs,
    endMs: Date.parse(line.end_time),
    deliveryRateType: DELIVERY_RATES[line.pacing],
    isWeighted: line.creatives.some(({ weight }) => weight !== undefined),
    sizes: product.sizes.flatMap((text) => readSize(text) ?? []),
    caps: readCaps(package_id, targeting.frequency_cap),
    targeting: {
      ...readTargeting(line, settings),
      adUnits: product.ad_units ?? [],
      placements: product.placements ?? [],
      custom: product.custom_targeting ?? [],
    },
  };
}

function priceTerms(line: LivePackage, { product, zone }: TermsContext) {
  const { delivery_type, package_id, price } = line;
  if (price.model === 'flat_rate') return sponsorshipTerms(line, zone, product.share_percent ?? 100);
  const pricing = PRICINGS[price.model];
  if (pricing === undefined) {
    throw new TermsError(`The ad server has no prices of the model ${price.model}.`, {
      package_id,
      field: 'pricing_option_id',
      suggestion: `Choose a price of one of these models: ${GAM_PRICING_MODELS.join(', ')}.`,
    });
  }
  const rate = toMicros(price.amount);
  const units = goalOf(line.goal, pricing) ?? unitsFor(toMicros(line.budget), rate, pricing.unitsPerRate);
  if (units < 1) {
    throw new TermsError('The budget buys nothing at this price.', {
      package_id,
      field: 'budget',
      suggestion: 'Raise the budget, or lower the bid.',
    });
  }
  const lineItemType: LineType = delivery_type === 'guaranteed' ? 'STANDARD' : pricing.otherwise;
  const goal: LineGoal = { goalType: 'LIFETIME', unitType: pricing.unitType, units };
  return { lineItemType, costType: pricing.costType, rate, goal };
}

/** Returns the count of a goal, where the line counts in the same unit. */
function goalOf(goal: OrderGoal | undefined, { unitType }: Pricing): number | undefined {
  return goal?.unit === unitType.toLowerCase() ? goal.count : undefined;
}

/** Returns terms with a price for everything: one per day of the network's calendar, for a part of what there is. */
function sponsorshipTerms(line: LivePackage, zone: TimeZone, percent: number) {
  const days = calendarDays(zone, Date.parse(line.start_time), Date.parse(line.end_time));
  const goal: LineGoal = { goalType: 'DAILY', unitType: 'IMPRESSIONS', units: percent };
  return {
    lineItemType: 'SPONSORSHIP' as const,
    costType: 'CPD' as const,
    rate: Math.round(toMicros(line.budget) / days),
    goal,
  };
}

/** Units of a window as Ad Manager has them, in what multiple; those of less than a minute it does not have. */
const CAP_UNITS: Readonly<Record<string, string>> = {
  minutes: 'MINUTE',
  hours: 'HOUR',
  days: 'DAY',
  campaign: 'LIFETIME',
};

type Span = { readonly interval?: number; readonly unit?: string };
type FrequencyCap = {
  readonly max_impressions?: number;
  readonly window?: Span;
  readonly suppress?: Span;
  readonly suppress_minutes?: number;
};

function readCaps(package_id: string, targeted: unknown): readonly LineCap[] {
  const cap = targeted as FrequencyCap | undefined;
  if (cap === undefined) return [];
  const { max_impressions: most, suppress, suppress_minutes: minutes, window } = cap;
  const pause =
    suppress ?? (minutes === undefined || minutes <= 0 ? undefined : { interval: minutes, unit: 'minutes' });
  return [
    ...(most === undefined || window === undefined ? [] : [capOf(package_id, most, window)]),
    ...(pause === undefined ? [] : [capOf(package_id, 1, pause)]),
  ];
}

function capOf(package_id: string, maxImpressions: number, { interval = 1, unit = '' }: Span): LineCap {
  const timeUnit = CAP_UNITS[unit];
  if (timeUnit === undefined) {
    throw new TermsError(`The ad server does not cap by ${unit}.`, {
      package_id,
      field: 'targeting_overlay.frequency_cap',
      suggestion: `Cap by ${Object.keys(CAP_UNITS).join(', ')}.`,
    });
  }
  return { maxImpressions, timeAmount: timeUnit === 'LIFETIME' ? 1 : interval, timeUnit };
}
