import type { z } from 'zod';
import { TaskError } from '../../../../protocol/errors.js';
import type { Call } from '../../../context.js';
import { accountNotFound } from '../../../domain/account/account.js';
import {
  type BuildPrice,
  costOf,
  findBuildPrice,
  fitBudget,
  withoutPrice,
} from '../../../domain/creative/build-price.js';
import { buildPricesFor } from '../../../domain/tenant/callers.js';
import type { Reader } from '../../../store/store.js';
import { findUsable } from '../../pipeline/resolve-account.js';
import type { FanOut } from './fan-out/fan-out.js';
import type { buildInput } from './input.js';
import type { BuildPlan } from './plan-build.js';

/** The estimated cost of a build, under its wire names. */
export type Estimate = {
  readonly estimate: {
    readonly items_total: number;
    readonly items_to_produce: number;
    readonly conditions_total: number | undefined;
    readonly variants_per_item: number;
    readonly leaves_total: number;
    readonly currency: string;
    readonly cost_low: number;
    readonly cost_high: number;
    readonly basis: 'fixed' | 'estimated_units';
  };
  readonly isFree: boolean;
};

/** Who asks, and for what. */
type SpendContext = {
  readonly call: Call;
  readonly args: z.output<typeof buildInput>;
  readonly db: Reader;
};

/**
 * Returns the price of a build, and how many creatives its ceiling leaves room for. Throws what `fitBudget` throws, UNSUPPORTED_FEATURE for
 * an estimate without prices, INVALID_REQUEST for a build that costs something and names no account.
 */
export async function checkSpend(
  { call, args, db }: SpendContext,
  plan: BuildPlan,
  formats: number,
): Promise<{ readonly price: BuildPrice | undefined; readonly room: number }> {
  const price = findBuildPrice(buildPricesFor(call.seller.tenant, call.principal), plan.transformer.transformer_id);
  const wanted = formats * plan.wanted;
  if (args.mode === 'estimate' && price === undefined) throw withoutPrice('mode');
  const room = args.max_spend === undefined ? wanted : fitBudget(price, args.max_spend, wanted);
  if (args.mode !== 'estimate' && price !== undefined && price.unit_price > 0)
    await checkPayer({ call, args, db }, price);
  return { price, room };
}

async function checkPayer({ call, args, db }: SpendContext, price: BuildPrice): Promise<void> {
  if (args.account === undefined) {
    throw new TaskError('INVALID_REQUEST', 'This build costs something, and no account pays for it.', {
      field: 'account',
      suggestion: `Name an account of list_accounts. Each creative costs ${price.unit_price} ${price.currency}.`,
    });
  }
  if ((await findUsable(call, args.account, db)) === undefined) throw accountNotFound([]);
}

/** How many groups of creatives a call makes. */
type Extent = { readonly targets: number; readonly fanOut: FanOut };

/** Returns what a build comes to at a price. Where the variants are chosen here, fewer may come out than were asked for. */
export function estimateBuild(plan: BuildPlan, { targets, fanOut }: Extent, price: BuildPrice | undefined): Estimate {
  if (price === undefined) throw withoutPrice('mode');
  const { cells, items, itemsTotal, conditions } = fanOut;
  const groups = targets * cells.length;
  const most = costOf(price, groups * plan.wanted);
  const least = plan.isFixed ? most : costOf(price, groups);
  return {
    estimate: {
      items_total: targets * itemsTotal,
      items_to_produce: targets * items,
      conditions_total: conditions,
      variants_per_item: plan.wanted,
      leaves_total: groups * plan.wanted,
      currency: price.currency,
      cost_low: least,
      cost_high: most,
      basis: least === most ? 'fixed' : 'estimated_units',
    },
    isFree: price.unit_price === 0,
  };
}
