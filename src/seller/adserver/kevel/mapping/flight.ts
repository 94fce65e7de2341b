import { isoTime } from '../../../../platform/kernel/clock.js';
import type { LiveOrder, LivePackage } from '../../../domain/booking/live-order.js';
import type { PricingModel } from '../../../domain/product/product.js';
import { MappingMissing, MappingRefusal } from '../refusal.js';
import { type KevelProduct, MAX_INT32, readProduct } from '../settings.js';
import {
  CAP_TYPE,
  type DayPart,
  type GeoTarget,
  GOAL_TYPE,
  type Members,
  RATE_TYPE,
  type SiteTarget,
} from '../wire.js';
import { campaignName, flightName } from './names.js';
import { mapDayParts, mapFrequencyCap, mapGeography } from './targeting.js';

/** The pricing models that Kevel has a rate for, each with its rate. */
const RATES: Readonly<Partial<Record<PricingModel, number>>> = {
  cpm: RATE_TYPE.cpm,
  cpc: RATE_TYPE.cpc,
  flat_rate: RATE_TYPE.flat,
};

/** The pricing models that Kevel has a rate for. */
export const PRICING = ['cpm', 'cpc', 'flat_rate'] as const satisfies readonly PricingModel[];

/** Above this a goal in money is refused by Kevel. */
const MAX_REVENUE_GOAL = 500_000_000;

/** A package as a flight: its members, and what has calls of its own. */
export type MappedFlight = {
  readonly members: Members;
  readonly geography: readonly GeoTarget[];
  readonly sites: readonly SiteTarget[];
  readonly dayParts: readonly DayPart[];
};

/** Returns the members of an order's campaign; whether it is active is for whoever knows that all of it is there. */
export function mapCampaign(order: LiveOrder): Members {
  return {
    Name: campaignName(order),
    IsArchived: order.state === 'canceled',
    StartDateISO: kevelTime(order.start_time),
  };
}

/** Returns a package as a flight. Throws MappingRefusal where Kevel has no way to carry it out. */
export function mapFlight(order: LiveOrder, line: LivePackage): MappedFlight {
  const product = productOf(line);
  const members = {
    Name: flightName(order, line),
    PriorityId: product.priority_id,
    StartDateISO: kevelTime(line.start_time),
    EndDateISO: kevelTime(line.end_time),
    NoEndDate: false,
    IsArchived: line.state === 'canceled',
    Keywords: product.keywords.length === 0 ? null : product.keywords.join('\n'),
    CustomTargeting: product.custom_targeting ?? null,
    ...mapPrice(line),
    ...mapGoal(line),
    ...mapFrequencyCap(line),
  };
  return {
    members,
    geography: mapGeography(line),
    sites: product.sites.map(({ site_id, zone_id }) => ({ SiteId: site_id, ZoneId: zone_id, IsExclude: false })),
    dayParts: mapDayParts(line),
  };
}

/** Returns the `adapter` object of a package's product. Throws MappingMissing where the tenant file has none that can be. */
export function productOf({ adapter, product_id }: LivePackage): KevelProduct {
  const product = readProduct(adapter);
  if (product !== undefined) return product;
  throw new MappingMissing(
    `The product ${product_id} does not say where Kevel has it: write its "adapter" object with priority_id and ad_types.`,
  );
}

function mapPrice({ price, package_id, budget }: LivePackage): Members {
  const RateType = RATES[price.model];
  if (RateType === undefined) {
    throw new MappingRefusal({
      package_id,
      field: 'pricing_option_id',
      message: `Kevel has no rate for ${price.model}.`,
      suggestion: `Choose an option of ${PRICING.join(', ')}.`,
    });
  }
  return { RateType, Price: price.model === 'flat_rate' ? budget : price.amount };
}

const GOALS = {
  impressions: [GOAL_TYPE.impressions, CAP_TYPE.impressions],
  clicks: [GOAL_TYPE.clicks, CAP_TYPE.clicks],
} as const;

/** Returns a cap as high as the goal: a goal alone may be overshot, and then the budget is. */
function mapGoal(line: LivePackage): Members {
  const { budget, goal, package_id, price } = line;
  if (goal === undefined) return mapBudget(line);
  const types = goal.unit === 'impressions' || goal.unit === 'clicks' ? GOALS[goal.unit] : undefined;
  if (types === undefined) {
    throw new MappingRefusal({
      package_id,
      field: 'impressions',
      message: `Kevel has no goal of ${goal.unit.replaceAll('_', ' ')}.`,
      suggestion: 'Buy impressions or clicks.',
    });
  }
  if (goal.count >= 1 && goal.count <= MAX_INT32) {
    return { GoalType: types[0], Impressions: goal.count, CapType: types[1], LifetimeCapAmount: goal.count };
  }
  throw new MappingRefusal({
    package_id,
    field: 'budget',
    message: `Kevel takes goals of 1 to ${MAX_INT32}; ${budget} at ${price.amount} buys ${goal.count}.`,
    suggestion: goal.count < 1 ? 'Send a higher budget.' : 'Split the budget over several packages.',
  });
}

/** Returns a flight's goal: a count, all of what there is for a flat rate, else as much as the budget pays. */
function mapBudget({ budget, package_id, price }: LivePackage): Members {
  if (price.model === 'flat_rate') {
    return { GoalType: GOAL_TYPE.percentage, Impressions: 100, CapType: null, LifetimeCapAmount: null };
  }
  const amount = Math.floor(budget);
  if (amount >= 1 && amount <= MAX_REVENUE_GOAL) {
    return {
      GoalType: GOAL_TYPE.lifetimeRevenue,
      Impressions: amount,
      CapType: CAP_TYPE.revenue,
      LifetimeCapAmount: amount,
    };
  }
  throw new MappingRefusal({
    package_id,
    field: 'budget',
    message: `Kevel takes budgets of 1 to ${MAX_REVENUE_GOAL}.`,
    suggestion: 'Send another budget.',
  });
}

/** Returns a time as Kevel writes it: in UTC, and to the second. */
function kevelTime(iso: string): string {
  return isoTime(Math.floor(Date.parse(iso) / 1000) * 1000).slice(0, 19);
}
