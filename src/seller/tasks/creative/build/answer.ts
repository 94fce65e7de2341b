import type { z } from 'zod';
import { BUILT_MS } from '../../../../creative/lifetimes.js';
import { isoTime } from '../../../../platform/kernel/clock.js';
import { errorObject, type Payload } from '../../../../protocol/envelope.js';
import { TaskError } from '../../../../protocol/errors.js';
import { type BuildPrice, costOf } from '../../../domain/creative/build-price.js';
import { type BuildVariant, REFINABLE_MS } from '../../../domain/creative/build-variant.js';
import { findUsable } from '../../pipeline/resolve-account.js';
import type { MutationContext } from '../../pipeline/tool.js';
import type { BuildResult } from './build.js';
import type { buildInput } from './input.js';
import type { Built } from './leaf.js';
import type { Estimate } from './spend.js';

type Context = MutationContext<z.output<typeof buildInput>, BuildResult | Estimate>;

/** Stores what was built, so that it can be refined, books what it costs, and answers it in the shape that was asked for. */
export async function answerBuild(context: Context): Promise<Payload> {
  const { call, args, prepared } = context;
  const sandbox = call.principal?.sandbox ?? false;
  if ('estimate' in prepared) {
    const { estimate, isFree } = prepared;
    return { mode: 'estimate', estimate, message: isFree ? 'Building is free here.' : undefined, sandbox };
  }
  const built = prepared.groups.flatMap((group) => group.built);
  const notes = [...new Set([...prepared.fanOut.notes, ...built.flatMap((one) => one.notes)])];
  const common = {
    message: notes.length === 0 ? undefined : notes.join(' '),
    expires_at: isoTime(call.now.ms + BUILT_MS),
    sandbox,
  };
  await bookCost(context, prepared, built.length);
  if (prepared.plan.hasVariants || prepared.fanOut.isAsked || prepared.isCapped)
    return { ...answerVariants(context, prepared), ...common };
  const [first] = built;
  const isSingle = args.target_format_ids === undefined;
  const ids = built.map((one) => storeVariant(context, prepared, one));
  return {
    creative_manifest: isSingle ? first?.manifest : undefined,
    creative_manifests: isSingle ? undefined : built.map(({ manifest }) => manifest),
    build_variant_id: isSingle ? ids[0] : undefined,
    preview: prepared.preview,
    ...costMembers(prepared, built.length),
    ...common,
  };
}

/**
 * Returns the cost of builds: nothing for a price per impression until the tag is served, else the price of the rate
 * card for each creative.
 */
function costMembers({ servingPrice, price }: BuildResult, builds: number): Payload {
  if (servingPrice !== undefined) {
    const { pricing_option_id, currency } = servingPrice;
    return { pricing_option_id, vendor_cost: 0, currency };
  }
  if (price === undefined) return {};
  return { pricing_option_id: price.pricing_option_id, vendor_cost: costOf(price, builds), currency: price.currency };
}

function answerVariants(context: Context, result: BuildResult): Payload {
  const { args, app, call } = context;
  const { groups, plan, fanOut, asked, isCapped, advice } = result;
  const built = groups.flatMap((group) => group.built).length;
  const { release } = call.to;
  const creatives = groups.map(({ cell: { item, condition }, built: leaves, error }) => ({
    build_creative_id: app.ids.next('bc'),
    catalog_item_ref: item && { catalog_type: item.catalog_type, item_id: item.item_id },
    signal_condition: condition,
    ...(error === undefined
      ? { variants: leaves.map((one, index) => answerLeaf(context, result, one, index)) }
      : { errors: [errorObject(error, release)] }),
  }));
  const { pricing_option_id: _option, ...cost } = costMembers({ ...result, servingPrice: undefined }, built);
  const advisory = [...(isCapped ? [cappedAt(asked, built)] : []), ...advice].map((one) => errorObject(one, release));
  const finished = groups.filter(({ error }) => error === undefined).length;
  const formats = asked / (fanOut.asked * plan.asked);
  return {
    creatives,
    items_returned: Math.ceil(finished / (fanOut.conditions ?? 1)),
    items_total: Math.round(formats * fanOut.itemsTotal),
    leaves_total: asked,
    leaves_returned: built,
    keep_mode_applied: args.keep_mode,
    selection_strategy_applied: args.selection_strategy,
    budget_status: isCapped ? 'capped' : 'complete',
    errors: advisory.length === 0 ? undefined : advisory,
    ...cost,
  };
}

function answerLeaf(context: Context, result: BuildResult, one: Built, index: number): Payload {
  const { price, refinement } = result;
  const { rank, ...evaluation } = one.evaluation ?? {};
  return {
    build_variant_id: storeVariant(context, result, one),
    parent_build_variant_id: refinement?.parent?.build_variant_id,
    creative_manifest: one.manifest,
    variant_axis_value: one.value,
    recommended: isChoice(context.args.keep_mode) ? index === 0 : undefined,
    rank,
    eval: one.evaluation === undefined ? undefined : evaluation,
    ...(price === undefined ? {} : leafCost(price)),
  };
}

/** Whether the buyer will choose among the variants. */
function isChoice(keepMode: string | undefined): boolean {
  return keepMode === 'keep_one' || keepMode === 'keep_some';
}

function leafCost({ pricing_option_id, unit_price, currency }: BuildPrice): Payload {
  return { pricing_option_id, vendor_cost: unit_price, currency };
}

function cappedAt(asked: number, built: number): TaskError {
  return new TaskError('BUDGET_CAP_REACHED', `max_spend left room for ${built} of ${asked} creatives.`, {
    field: 'max_spend.amount',
    suggestion: 'Raise max_spend, or ask for fewer variants or formats.',
  });
}

/** Stores a creative, to be refined later; returns its id. */
function storeVariant({ app, call, args, db }: Context, result: BuildResult, built: Built): string {
  const { plan, refinement } = result;
  const { parent, direction = {} } = refinement ?? {};
  const variant: BuildVariant = {
    build_variant_id: app.ids.next('bv'),
    parent_build_variant_id: parent?.build_variant_id,
    transformer_id: plan.transformer.transformer_id,
    config: built.config,
    direction,
    target: built.target,
    message: built.message,
    brand: args.brand ?? parent?.brand,
    macros: args.macro_values ?? parent?.macros,
    source: built.source,
    manifest: built.manifest,
    copy: built.copy,
  };
  db.buildVariants.add(call.owner, variant, call.now.ms + REFINABLE_MS);
  return variant.build_variant_id;
}

/** Writes what was built to the account that pays for it, for the bill. */
async function bookCost(
  { call, args, db }: Context,
  { price, plan, servingPrice }: BuildResult,
  builds: number,
): Promise<void> {
  if (price === undefined || price.unit_price === 0 || args.account === undefined || servingPrice !== undefined) return;
  const account = await findUsable(call, args.account, db);
  if (account === undefined) return;
  const { pricing_option_id, currency } = price;
  const booked = { task: 'build_creative', transformer_id: plan.transformer.transformer_id, builds };
  const usage = { ...booked, pricing_option_id, vendor_cost: costOf(price, builds), currency };
  await db.usage.add(call.owner, account.account_id, call.now.ms, usage);
}
