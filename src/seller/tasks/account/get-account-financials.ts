import { z } from 'zod';
import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import { type Account, type AccountStatus, accountNotFound } from '../../domain/account/account.js';
import type { CurrencySpend } from '../../lifecycle/spend.js';
import type { Reader } from '../../store/store.js';
import { day, envelopeFields, syncedAccountRef } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';

const input = z.looseObject({
  account: syncedAccountRef,
  period: z.looseObject({ start: day, end: day }).optional().describe('UTC days, both included; default: this month'),
  ...envelopeFields,
});

/** The payment status by the state of an account. */
const PAYMENT_STATUS: Partial<Record<AccountStatus, string>> = {
  active: 'current',
  payment_required: 'past_due',
  suspended: 'suspended',
};

/** get_account_financials: what the buys of an operator-billed account have spent in a period, and whether it has paid. */
export const getAccountFinancials = query({
  name: 'get_account_financials',
  title: 'Spend of an account',
  description: 'What an account spent in a period and its payment status.',
  kinds: ['sales'],
  input,
  account: { use: 'read_financials', required: true },
  run: async ({ app, call, args, db, account }) => {
    if (account === undefined) throw accountNotFound([]);
    if (account.billing !== 'operator') throw billedElsewhere(account);
    const period = args.period ?? monthToDate(call.now.iso);
    const fromMs = Date.parse(period.start);
    const endMs = Date.parse(period.end) + DAY_MS;
    if (endMs <= fromMs) throw reverseSpends();
    const { account_id } = account;
    const summary = await app.spend.summarize({ owner: call.owner, account_id, ...period });
    if (summary === undefined) throw beingAddedUp();
    const { spends, asOfMs } = summary;
    const [spend, ...others] = spends
      .filter(({ cents, running }) => cents !== 0 || running > 0)
      .toSorted((one, other) => other.cents - one.cents);
    const message = [
      ...(asOfMs === undefined ? [] : [`What runs is counted up to ${isoTime(asOfMs)}.`]),
      ...(others.length === 0
        ? []
        : [
            `Spend in ${listCurrencies(others)} is no part of total_spend; ext.seller_agent.spend_by_currency has each.`,
          ]),
    ].join(' ');
    const status = PAYMENT_STATUS[account.status];
    return {
      account: args.account,
      currency: spend?.currency ?? (await usualCurrency(db, call.owner, account_id)),
      period: { start: period.start, end: period.end },
      timezone: 'UTC',
      spend: {
        total_spend: (spend?.cents ?? 0) / 100,
        media_buy_count: spend?.running ?? 0,
      },
      ext:
        spend === undefined || others.length === 0
          ? undefined
          : { seller_agent: { spend_by_currency: [spend, ...others].map(spendEntry) } },
      payment_status: status,
      payment_terms: account.payment_terms,
      message: message === '' ? undefined : message,
      sandbox: account.sandbox,
    };
  },
});

function monthToDate(iso: string): { readonly start: string; readonly end: string } {
  return { start: `${iso.slice(0, 7)}-01`, end: iso.slice(0, 10) };
}

function spendEntry({ currency, cents, running }: CurrencySpend): object {
  return { currency, total_spend: cents / 100, media_buy_count: running };
}

function listCurrencies(spends: readonly CurrencySpend[]): string {
  return spends.map(({ currency }) => currency).join(', ');
}

/** Returns the currency of an account that has spent nothing: that of its latest buy. */
async function usualCurrency(db: Reader, owner: string, accountId: string): Promise<string> {
  const [latest] = await db.mediaBuys.list(owner, { limit: 1, after: undefined }, { accountId });
  return latest?.buy.currency ?? 'USD';
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

function beingAddedUp(): TaskError {
  return new TaskError('SERVICE_UNAVAILABLE', 'What the media buys have spent is being added up for the first time.', {
    retryAfter: RETRY_SECONDS,
    suggestion:
      'Ask again once retry_after has passed; get_media_buy_delivery has the numbers of each media buy meanwhile.',
  });
}

/** When a caller asks again whose spend is being added up. */
const RETRY_SECONDS = 15;

function reverseSpends(): TaskError {
  return new TaskError('INVALID_REQUEST', 'The period ends before it starts.', {
    field: 'period.end',
    suggestion: 'Move period.end to period.start or behind it.',
  });
}
