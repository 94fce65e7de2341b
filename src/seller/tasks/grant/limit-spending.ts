import type { Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import type { Money } from '../../domain/governance/commitment.js';
import type { DailyLimit } from '../../domain/tenant/grant.js';
import type { Reader, Writer } from '../../store/store.js';
import type { Admitted } from '../pipeline/stages.js';

/**
 * Runs what a call asks for and counts what it newly commits to the day of its grant. Throws BUDGET_CAP_REACHED where that is more than the
 * grant lets it commit.
 */
export async function runWithinLimit(admitted: Admitted, run: () => Promise<Payload>): Promise<Payload> {
  const { call, context, tool } = admitted;
  if (call.grant?.limit === undefined) return run();
  const commitmentOf = await tool.commits?.(context);
  const answer = await run();
  const commitment = await commitmentOf?.(answer);
  if (commitment !== undefined) await takeFromLimit(admitted, commitment.adds);
  const fee = tool.fee?.(answer);
  if (fee !== undefined) await takeFromLimit(admitted, fee);
  return answer;
}

/** Counts money that was spent already to the day of the call's grant, also beyond its limit: what follows on that day is refused then. */
export async function countSpent({ grant, now }: Call, db: Writer, spent: Money): Promise<void> {
  if (grant?.limit === undefined || spent.currency !== grant.limit.currency || spent.amount <= 0) return;
  await db.oauthGrants.spend(grant.grant_id, now.ms, Math.round(spent.amount * 100));
}

/** Refuses what costs money by its use where the day of the call's grant has nothing left. Throws BUDGET_CAP_REACHED. */
export async function requireSomeLeft({ grant, now }: Call, db: Reader, currency: string): Promise<void> {
  if (grant?.limit === undefined) return;
  const { limit } = grant;
  if (currency !== limit.currency) throw otherCurrency({ amount: 0, currency }, limit);
  const spent = await db.oauthGrants.spent(grant.grant_id, now.ms);
  if (spent >= Math.round(limit.amount * 100)) throw nothingLeft(limit);
}

/** Counts money to the day of the call's grant, in the call's transaction. Throws as `runWithinLimit` does. */
export async function takeFromLimit({ call, context }: Admitted, adds: Money | undefined): Promise<void> {
  const { grant, now } = call;
  if (grant?.limit === undefined) return;
  const { grant_id, limit } = grant;
  if (adds === undefined) throw unknownPrice();
  if (adds.amount <= 0) return;
  if (adds.currency !== limit.currency) throw otherCurrency(adds, limit);
  const { oauthGrants } = context.db;
  const spent = await oauthGrants.spent(grant_id, now.ms);
  const cents = Math.round(adds.amount * 100);
  const left = Math.round(limit.amount * 100) - spent;
  if (cents > left) throw overLimit(adds, limit, Math.max(0, left) / 100);
  await oauthGrants.spend(grant_id, now.ms, cents);
}

const ASK_ANEW = 'or have its owner connect again and allow more.';

function overLimit({ amount, currency }: Money, limit: DailyLimit, left: number): TaskError {
  const message = `This would commit ${amount} ${currency}, and of the ${limit.amount} ${currency} that this access may commit in a day, ${left} ${currency} are left.`;
  return new TaskError('BUDGET_CAP_REACHED', message, {
    suggestion: `Order for at most ${left} ${currency} today, wait until the next day of UTC, ${ASK_ANEW}`,
    details: { daily_limit: limit.amount, left, currency },
  });
}

function nothingLeft({ amount, currency }: DailyLimit): TaskError {
  const message = `Of the ${amount} ${currency} that this access may commit in a day nothing is left, and this costs money by its use.`;
  return new TaskError('BUDGET_CAP_REACHED', message, {
    suggestion: `Wait until the next day of UTC, ${ASK_ANEW}`,
    details: { daily_limit: amount, left: 0, currency },
  });
}

function otherCurrency({ currency }: Money, limit: DailyLimit): TaskError {
  return new TaskError(
    'BUDGET_CAP_REACHED',
    `This access has its daily limit in ${limit.currency}, and this would commit ${currency}.`,
    {
      suggestion: `Choose a price in ${limit.currency}, ${ASK_ANEW}`,
      details: { daily_limit: limit.amount, currency: limit.currency },
    },
  );
}

function unknownPrice(): TaskError {
  return new TaskError(
    'BUDGET_CAP_REACHED',
    'What this commits is not known beforehand, and this access has a daily limit.',
    {
      suggestion: `Choose what has a fixed price and an end, ${ASK_ANEW}`,
    },
  );
}
