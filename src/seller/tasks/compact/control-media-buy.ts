import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import type { Scope } from '../../domain/account/scope.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { checkAuction, checkUnits } from '../../domain/media-buy/pricing.js';
import { splitInProportion } from '../../domain/proposal/shares.js';
import type { Reader } from '../../store/store.js';
import { goesToAdServer } from '../media-buy/ad-server-check.js';
import { callbackFields } from '../media-buy/callbacks.js';
import { findMediaBuy } from '../media-buy/find-media-buy.js';
import { updateMediaBuy } from '../media-buy/update-media-buy.js';
import { commitsBuy } from '../pipeline/consult-governance.js';
import { accountRef, amount, governanceFields } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation } from '../pipeline/tool.js';
import { asMutation, CONTROL_ROOT, canonicalActions, readBuy, shapeCommitment } from './commitment.js';
import { withFieldNames } from './renamed.js';
import { bidding, COMPACT_RELEASE, keyedFields, money, pacing } from './shapes.js';
import { findSnapshots } from './snapshots.js';

const packageControl = z.looseObject({
  package_id: z.string().min(1).max(255),
  budget: amount.optional(),
  impressions: amount.optional(),
  pacing: pacing.optional(),
  bidding: bidding.optional(),
  paused: z.boolean().optional(),
  canceled: z.literal(true).optional(),
  cancellation_reason: z.string().min(1).max(500).optional(),
  targeting_overlay: z.looseObject({}).optional(),
});

const input = z.looseObject({
  ...keyedFields,
  account: accountRef,
  media_buy_id: z.string().min(1).max(255),
  revision: z.int().min(1),
  paused: z.boolean().optional(),
  canceled: z.literal(true).optional().describe('Ends the buy for good'),
  cancellation_reason: z.string().min(1).max(500).optional(),
  total_budget: money.optional().describe('Divided among the packages in proportion'),
  pacing: pacing.optional(),
  bidding: bidding.optional(),
  packages: z
    .array(
      packageControl.meta({
        brief: true,
        description: '{package_id, budget, pacing, bidding, paused, canceled, targeting_overlay}',
      }),
    )
    .min(1)
    .max(200)
    .optional(),
  reporting_webhook: callbackFields.reporting_webhook,
  governance_context: governanceFields.governance_context,
});
type Input = z.output<typeof input>;

const change = asMutation(updateMediaBuy);

/** The fields of a change as this task calls them. */
const NAMES = [[/^(packages\[\d+\])\.bid_price/, '$1.bidding.bid_amount']] as const;

/** Controls of which at least one is sent. */
const CONTROLS = [
  'paused',
  'canceled',
  'total_budget',
  'pacing',
  'bidding',
  'packages',
  'reporting_webhook',
] as const satisfies readonly (keyof Input)[];

/** control_media_buy: pauses, resumes, cancels and steers a buy within its terms. */
export const controlMediaBuy = mutation({
  name: 'control_media_buy',
  since: COMPACT_RELEASE,
  root: CONTROL_ROOT,
  title: 'Control a media buy',
  description:
    'Pauses, resumes or cancels a media buy, or changes budgets, pacing, bids and targeting: all of it or nothing. Send the revision you saw. available_actions lists what is possible. Next: get_task_status if submitted.',
  kinds: ['sales'],
  input,
  maxValues: MAX_VALUES_OF_MANY,
  destructive: true,
  account: { use: 'change_buy', required: true },
  commits: commitsBuy,
  shape: shapeCommitment,
  prepares: (args, caller) =>
    goesToAdServer(caller) ||
    args.total_budget !== undefined ||
    args.reporting_webhook !== undefined ||
    (args.packages ?? []).some(
      ({ budget, targeting_overlay }) => budget !== undefined || targeting_overlay !== undefined,
    ),
  prepare: async (context, report) => {
    const args = await toChange(context);
    return withFieldNames(NAMES, () => change.prepare?.({ ...context, args }, report));
  },
  run: async (context) => {
    const args = await toChange(context);
    const answer = await withFieldNames(NAMES, () => change.run({ ...context, args }));
    const buy = await readBuy(context, answer);
    const { proposal_id } = buy.echoed;
    const accepted = typeof proposal_id === 'string' ? await findSnapshots(context, [proposal_id]) : undefined;
    const affected = Array.isArray(answer.affected_packages) ? answer.affected_packages : [];
    return {
      status: 'completed',
      media_buy_id: buy.media_buy_id,
      revision: buy.revision,
      media_buy_status: buy.status,
      implementation_date: answer.implementation_date,
      affected_package_ids: affected.map(({ package_id }: { package_id: string }) => package_id),
      available_actions: canonicalActions(answer.available_actions, (accepted?.size ?? 0) > 0),
    };
  },
});

/** Returns the change that a control is, as update_media_buy takes it. */
async function toChange({
  args,
  db,
  scope,
}: {
  readonly args: Input;
  readonly db: Reader;
  readonly scope: Scope;
}): Promise<Readonly<Record<string, unknown>>> {
  checkControls(args);
  const buy = await findMediaBuy(db, scope, args.media_buy_id);
  checkBids(args, buy);
  return {
    idempotency_key: args.idempotency_key,
    account: args.account,
    media_buy_id: args.media_buy_id,
    revision: args.revision,
    paused: args.paused,
    canceled: args.canceled,
    cancellation_reason: args.cancellation_reason,
    packages: controlPackages(args, buy),
    push_notification_config: args.push_notification_config,
    reporting_webhook: args.reporting_webhook,
    governance_context: args.governance_context,
    context: args.context,
    ext: args.ext,
  };
}

/** Returns the changes of packages: those that are named first, in their order, then those that only the whole buy's controls change. */
function controlPackages(args: Input, buy: MediaBuy): readonly object[] | undefined {
  const { packages: named = [], total_budget, pacing: pace, bidding: bid } = args;
  const live = buy.packages.filter(({ canceled }) => !canceled);
  const budgets = total_budget === undefined ? undefined : divideBudget(total_budget, live, buy.currency);
  const isWhole = budgets !== undefined || pace !== undefined || bid !== undefined;
  const others = isWhole ? live.filter(({ package_id }) => !named.some((one) => one.package_id === package_id)) : [];
  if (named.length + others.length === 0) return undefined;
  return [...named, ...others.map(({ package_id }) => ({ package_id }) as (typeof named)[number])].map(
    ({ bidding: own, ...change }) =>
      change.canceled === true
        ? change
        : {
            ...change,
            budget: change.budget ?? budgets?.get(change.package_id),
            pacing: change.pacing ?? pace,
            bid_price: (own ?? bid)?.bid_amount,
          },
  );
}

/** Refuses bids on packages at fixed prices. Throws INVALID_REQUEST. */
function checkBids({ bidding: shared, packages: named = [] }: Input, buy: MediaBuy): void {
  for (const { canceled, package_id, sold } of buy.packages) {
    const index = named.findIndex((one) => one.package_id === package_id);
    const own = named[index]?.bidding;
    if (canceled || (own ?? shared)?.bid_amount === undefined) continue;
    checkAuction(sold.option, `${own === undefined ? '' : `packages[${index}].`}bidding.bid_amount`);
  }
}

/** Divides a total among packages in proportion to the budgets they have, in whole units of its currency. Throws INVALID_REQUEST for another currency, and for a finer amount. */
function divideBudget(
  total: NonNullable<Input['total_budget']>,
  live: MediaBuy['packages'],
  own: string,
): ReadonlyMap<string, number> {
  if (total.currency !== own)
    throw new TaskError('INVALID_REQUEST', 'The media buy is in another currency.', {
      field: 'total_budget.currency',
      suggestion: `Send the budget in ${own}.`,
    });
  checkUnits(total.amount, own, 'total_budget.amount');
  const parts = splitInProportion(
    total,
    live.map(({ budget }) => budget),
  );
  return new Map(live.map(({ package_id }, index) => [package_id, parts[index] ?? 0]));
}

/** Refuses controls that ask for nothing, or for two things at once. Throws INVALID_REQUEST. */
function checkControls(args: Input): void {
  const present = CONTROLS.filter((name) => args[name] !== undefined);
  const beside = present.find((name) => name !== 'canceled');
  if (present.length === 0)
    throw refuseMember('paused', 'no control is sent', `Send at least one of ${CONTROLS.join(', ')}.`);
  if (args.canceled === true && beside !== undefined)
    throw refuseMember(beside, 'a canceled buy takes no other control', 'Cancel in a call of its own.');
  if (args.cancellation_reason !== undefined && args.canceled !== true)
    throw refuseMember('cancellation_reason', 'is of a cancellation', 'Send it with canceled: true, or leave it out.');
  const named = (args.packages ?? []).findIndex(({ budget }) => budget !== undefined);
  if (args.total_budget !== undefined && named >= 0)
    throw refuseMember(
      `packages[${named}].budget`,
      'goes with no total_budget',
      'Send the total or the budgets of packages.',
    );
}

function refuseMember(field: string, fault: string, suggestion: string): TaskError {
  return new TaskError('INVALID_REQUEST', `${field}: ${fault}`, { field, suggestion });
}
