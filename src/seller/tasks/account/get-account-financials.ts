import { z } from 'zod';
import { DAY_MS } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import { summed } from '../../adserver/report.js';
import type { App, Call } from '../../context.js';
import { type Account, type AccountStatus, accountNotFound } from '../../domain/account/account.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { Reader } from '../../store/store.js';
import { query } from '../pipeline/define.js';
import { accountRef, day, envelopeFields } from '../pipeline/shapes.js';

const input = z.looseObject({
  account: accountRef,
  period: z
    .looseObject({ start: day, end: day })
    .optional()
    .describe('Days in UTC, both included; this month up to today unless set'),
  ...envelopeFields,
});

/** The payment status by the state of an account. */
const PAYMENT_STATUS: Partial<Record<AccountStatus, string>> = {
  active: 'current',
  payment_required: 'past_due',
  suspended: 'suspended',
};

const PAGE = 500;

/** get_account_financials: what the buys of an operator-billed account have spent in a period, and whether it has paid. */
export const getAccountFinancials = query({
  name: 'get_account_financials',
  title: 'Spend and payments of an account',
  description: 'What an account spent in a period and its payment status. Money is in currency.',
  kinds: ['sales'],
  input,
  account: { use: 'read_financials', required: true },
  run: async ({ app, call, args, db, account }) => {
    if (account === undefined) throw accountNotFound([]);
    if (account.billing !== 'operator') throw billedElsewhere(account);
    const period = args.period ?? monthToDate(call.now.iso);
    const fromMs = Date.parse(period.start);
    const endMs = Date.parse(period.end) + DAY_MS;
    if (endMs <= fromMs) throw reversed();
    const window = { fromMs, toMs: Math.max(fromMs, Math.min(endMs, call.now.ms)) };
    const buys = (await listBuys(call, db, account)).filter(
      (buy) => Date.parse(buy.start_time) < window.toMs && Date.parse(buy.end_time) >= fromMs,
    );
    const spends = await spendPerCurrency(app, buys, window);
    const [currency, total] = [...spends].sort(([, one], [, other]) => other - one)[0] ?? ['USD', 0];
    const others = [...spends.keys()].filter((one) => one !== currency);
    const status = PAYMENT_STATUS[account.status];
    return {
      account: args.account,
      currency,
      period: { start: period.start, end: period.end },
      timezone: 'UTC',
      spend: {
        total_spend: total,
        media_buy_count: buys.filter((buy) => buy.status === 'active' && buy.currency === currency).length,
      },
      payment_status: status,
      payment_terms: account.payment_terms,
      ...(others.length === 0
        ? {}
        : { message: `Spend in ${others.join(', ')} is not in this summary; see get_media_buy_delivery.` }),
      sandbox: account.sandbox,
    };
  },
});

function monthToDate(iso: string): { readonly start: string; readonly end: string } {
  return { start: `${iso.slice(0, 7)}-01`, end: iso.slice(0, 10) };
}

async function listBuys(call: Call, db: Reader, account: Account): Promise<readonly MediaBuy[]> {
  const buys: MediaBuy[] = [];
  for (let after: number | undefined; ; ) {
    const page = { limit: PAGE, after };
    const rows = await db.mediaBuys.list(call.owner, page, { accountId: account.account_id });
    buys.push(...rows.slice(0, PAGE).map((row) => row.buy));
    if (rows.length <= PAGE) return buys;
    after = rows[PAGE - 1]?.seq;
  }
}

async function spendPerCurrency(
  app: App,
  buys: readonly MediaBuy[],
  window: Parameters<App['booking']['delivery']>[1],
): Promise<ReadonlyMap<string, number>> {
  const spends = new Map<string, number>();
  for (const buy of buys) {
    const packages = await app.booking.delivery(buy, window, false);
    const { spend } = summed(packages.map((entry) => entry.metrics));
    spends.set(buy.currency, Math.round(((spends.get(buy.currency) ?? 0) + spend) * 100) / 100);
  }
  return spends;
}

function billedElsewhere({ billing }: Account): TaskError {
  return new TaskError(
    'UNSUPPORTED_FEATURE',
    `The account is billed to the ${billing}; its finances are not ours to show.`,
    {
      field: 'account',
      suggestion: 'Name an account with billing "operator"; list_accounts shows it.',
    },
  );
}

function reversed(): TaskError {
  return new TaskError('INVALID_REQUEST', 'The period ends before it starts.', {
    field: 'period.end',
    suggestion: 'Move period.end to period.start or behind it.',
  });
}
