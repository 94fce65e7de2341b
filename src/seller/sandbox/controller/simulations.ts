import { z } from 'zod';
import { withoutUndefined } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import { limitByDemand } from '../../adserver/simulator/competition.js';
import { houseSpendAt } from '../../adserver/simulator/simulator.js';
import { accountNotFound } from '../../domain/account/account.js';
import {
  type LatestMetrics,
  NOTHING_SIMULATED,
  reportedInAll,
  type SimulatedDelivery,
  withReported,
  withSpent,
} from '../../domain/delivery/simulated.js';
import { isTerminal, type MediaBuy, totalBudget } from '../../domain/media-buy/media-buy.js';
import { smallestAmount } from '../../domain/media-buy/pricing.js';
import { amount } from '../../tasks/pipeline/shapes.js';
import { type Scenario, type ScenarioContext, scenario } from './action.js';
import { findBuy } from './forces.js';

const count = z.int().min(0).max(1e15).optional();

const deliveryParams = z.looseObject({
  media_buy_id: z.string().min(1).max(255),
  impressions: count,
  clicks: count,
  conversions: count,
  reported_spend: z.looseObject({ amount, currency: z.string().regex(/^[A-Z]{3}$/) }).optional(),
  reach: amount.optional(),
  frequency: amount.optional(),
  reach_window: z
    .looseObject({
      kind: z.enum(['cumulative', 'period', 'rolling']),
      period: z.looseObject({ interval: z.number(), unit: z.string() }).optional(),
    })
    .refine(({ kind, period }) => kind === 'cumulative' || period !== undefined, {
      message: 'needs a period',
      path: ['period'],
    })
    .optional(),
  viewability: z
    .looseObject({
      measurable_impressions: amount.optional(),
      viewable_impressions: amount.optional(),
      viewable_rate: z.number().min(0).max(1).optional(),
      viewed_seconds: amount.optional(),
      standard: z.enum(['mrc', 'groupm']).optional(),
    })
    .optional(),
});

const budgetParams = z
  .looseObject({
    spend_percentage: z.number().min(0).max(100),
    media_buy_id: z.string().min(1).max(255).optional(),
    account_id: z.string().min(1).max(255).optional(),
  })
  .refine(({ media_buy_id, account_id }) => media_buy_id !== undefined || account_id !== undefined, {
    message: 'is required, or account_id',
    path: ['media_buy_id'],
  });

/** The most buys of one account that one call moves. */
const MAX_BUYS = 1000;

/** simulate_*: what the sandbox's ad server is told to have delivered and spent. */
export const SIMULATIONS = {
  simulate_delivery: scenario(deliveryParams, async (context, params) => {
    const buy = await findBuy(context, params.media_buy_id);
    const { impressions, clicks, conversions, reported_spend } = params;
    if (reported_spend !== undefined && reported_spend.currency !== buy.currency) {
      throw new TaskError('VALIDATION_ERROR', 'The media buy is priced in another currency.', {
        field: 'params.reported_spend.currency',
        suggestion: `Report the spend in ${buy.currency}.`,
      });
    }
    checkBookable(reported_spend?.amount, buy.currency, 'params.reported_spend.amount');
    const reported = withoutUndefined({ impressions, clicks, conversions, spend: reported_spend?.amount });
    const latest: LatestMetrics = withoutUndefined({
      reach: params.reach,
      frequency: params.frequency,
      reach_window: params.reach_window,
      viewability: params.viewability,
    });
    const simulated = withReported(buy.simulated ?? NOTHING_SIMULATED, reported, latest, context.call.now.ms);
    await saveSimulated(context, buy, simulated);
    const { spend, ...counts } = reportedInAll(simulated);
    return {
      simulated: withoutUndefined({ impressions, clicks, conversions, reported_spend, ...latest }),
      cumulative: {
        ...counts,
        reported_spend: spend === undefined ? undefined : { amount: spend, currency: buy.currency },
        ...simulated.latest,
      },
    };
  }),
  simulate_budget_spend: scenario(budgetParams, async (context, { spend_percentage, media_buy_id, account_id }) => {
    const buys =
      media_buy_id === undefined
        ? await listOpenBuys(context, account_id ?? '')
        : [await findBuy(context, media_buy_id)];
    for (const buy of buys) {
      checkBookable((totalBudget(buy) * spend_percentage) / 100, buy.currency, 'params.spend_percentage');
      await spendUpTo(context, buy, spend_percentage / 100);
    }
    const budget = buys.reduce((sum, buy) => sum + totalBudget(buy), 0);
    const currency = buys[0]?.currency ?? 'USD';
    return {
      simulated: {
        spend_percentage,
        computed_spend: { amount: cents((budget * spend_percentage) / 100), currency },
        budget: { amount: cents(budget), currency },
      },
    };
  }),
} satisfies Record<string, Scenario>;

/** Throws VALIDATION_ERROR for an amount that is above zero and too small to be booked. */
function checkBookable(money: number | undefined, currency: string, field: string): void {
  const least = smallestAmount(currency);
  if (money === undefined || money === 0 || money >= least) return;
  throw new TaskError('VALIDATION_ERROR', 'This is less than can be booked.', {
    field,
    suggestion: `Spend nothing, or at least ${least} ${currency}.`,
  });
}

/** Saves what the ad server is to report: no revision of the buy, for nothing that was agreed upon changes. */
async function saveSimulated(
  { app, call, db }: ScenarioContext,
  buy: MediaBuy,
  simulated: SimulatedDelivery,
): Promise<void> {
  const reported = { ...buy, simulated };
  await db.mediaBuys.replace(reported, app.booking.isSimulated(buy));
  await app.spend.follow(db, call.owner, reported);
}

/** Uses up every package's budget to a part of it; what has been spent beyond that stays spent. */
async function spendUpTo(context: ScenarioContext, buy: MediaBuy, part: number): Promise<void> {
  const { ms } = context.call.now;
  const limited = await limitByDemand(context.db, buy);
  const simulated = buy.packages.reduce(
    (before, line) =>
      withSpent(
        before,
        line.package_id,
        cents(line.budget * part - houseSpendAt({ ...limited, simulated: before }, line.package_id, ms)),
        ms,
      ),
    buy.simulated ?? NOTHING_SIMULATED,
  );
  await saveSimulated(context, buy, simulated);
}

/** Returns the buys of an account that have not ended. Throws ACCOUNT_NOT_FOUND. */
async function listOpenBuys({ call, db }: ScenarioContext, accountId: string): Promise<readonly MediaBuy[]> {
  if ((await db.accounts.findById(call.owner, accountId)) === undefined) throw accountNotFound([]);
  const rows = await db.mediaBuys.list(call.owner, { limit: MAX_BUYS, after: undefined }, { accountId });
  return rows.map((row) => row.buy).filter((buy) => !isTerminal(buy.status));
}

function cents(money: number): number {
  return Math.round(money * 100) / 100;
}
