import { z } from 'zod';
import type { Call } from '../context.js';
import { accountNotFound, checkAccountUse } from '../domain/account.js';
import { flightOf, readTime } from '../domain/flight-dates.js';
import { agreedPrice, openSignal, type SignalPrice, signalNotFound } from '../domain/signal.js';
import { TaskError } from '../kernel/errors.js';
import { errorObject } from '../protocol/envelope.js';
import type { Writer } from '../store/store.js';
import { mutation } from './define.js';
import { findAccount } from './resolve-account.js';
import { accountRef, amount, dateTime, envelopeFields, keyField } from './shapes.js';

const record = z.looseObject({
  account: accountRef,
  signal_agent_segment_id: z.string().max(255).optional().describe('Which signal was used'),
  pricing_option_id: z.string().max(255).optional().describe('The price that you activated it at'),
  vendor_cost: amount.describe('What you owe for it, in currency'),
  currency: z.string().regex(/^[A-Z]{3}$/),
  impressions: z.int().min(0).max(1e15).optional(),
  media_spend: amount.optional().describe('Needed where the price is a percentage of media'),
});
type Usage = z.output<typeof record>;

const input = z.looseObject({
  ...keyField,
  reporting_period: z.looseObject({ start: dateTime, end: dateTime }),
  usage: z.array(record).min(1).max(1000),
  ...envelopeFields,
});

/** report_usage (facts C.8): what a buyer used of the signals, kept per account for the bill. Good records count beside bad ones. */
export const reportUsage = mutation({
  name: 'report_usage',
  title: 'Report usage',
  description:
    'Reports what your campaigns used of activated signals in a period, for the bill. Records that are refused are in errors; the others are kept.',
  kinds: ['signals'],
  input,
  empty: { accepted: 0 },
  run: async ({ call, args, db }) => {
    const { start, end } = args.reporting_period;
    flightOf(readTime(start, 'reporting_period.start'), readTime(end, 'reporting_period.end'), 'reporting_period.end');
    const errors: object[] = [];
    for (const [index, usage] of args.usage.entries()) {
      try {
        const { account: _account, ...kept } = usage;
        const accountId = await judge(call, db, usage);
        await db.usage.add(call.owner, accountId, call.now.ms, { ...kept, reporting_period: args.reporting_period });
      } catch (error) {
        if (!(error instanceof TaskError)) throw error;
        errors.push(errorObject(within(`usage[${index}]`, error), call.to.release));
      }
    }
    return {
      accepted: args.usage.length - errors.length,
      ...(errors.length === 0 ? {} : { errors }),
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

/** The account that a record counts for. Throws for a record that no bill could be written from. */
async function judge(call: Call, db: Writer, usage: Usage): Promise<string> {
  const account = await findAccount(call, usage.account, db);
  if (account === undefined) throw accountNotFound([]);
  checkAccountUse(account, 'report_usage');
  const { signal_agent_segment_id: id } = usage;
  if (id === undefined) {
    throw new TaskError('INVALID_REQUEST', 'signal_agent_segment_id: is required', {
      field: 'signal_agent_segment_id',
      suggestion: 'Name the signal that was used by the id that you activated.',
    });
  }
  const offered = openSignal(call.seller.signals, id, call.principal?.id)?.pricing_options;
  const agreed = [
    ...(await db.signals.list(call.owner, account.account_id, [id])),
    ...(await db.signals.list(call.owner, undefined, [id])),
  ];
  if (offered === undefined && agreed.length === 0 && !(await db.signals.wasUsed(call.owner, id)))
    throw signalNotFound('signal_agent_segment_id');
  if (usage.pricing_option_id !== undefined) {
    // What was agreed comes first: the catalogue may have another price under the same id by now.
    const pricing_options = [...agreed.flatMap(({ price }) => price ?? []), ...(offered ?? [])];
    checkPrice(agreedPrice({ pricing_options }, usage.pricing_option_id, 'pricing_option_id'), usage);
  }
  return account.account_id;
}

function checkPrice(price: SignalPrice | undefined, usage: Usage): void {
  if (price?.currency !== undefined && price.currency !== usage.currency) {
    throw new TaskError('VALIDATION_ERROR', 'The record is in another currency than its price.', {
      field: 'currency',
      suggestion: `Report in ${price.currency}.`,
      details: { allowed_values: [price.currency] },
    });
  }
  if (price?.model === 'percent_of_media' && usage.media_spend === undefined) {
    throw new TaskError('VALIDATION_ERROR', 'A percentage of media needs the media spend.', {
      field: 'media_spend',
      suggestion: 'Add media_spend, in the currency of the record.',
    });
  }
}

/** The same error about a record of the list. */
function within(place: string, { code, message, extras }: TaskError): TaskError {
  const { issues: _issues, ...rest } = extras;
  return new TaskError(code, message, { ...rest, field: `${place}.${extras.field ?? 'account'}` });
}
