import { z } from 'zod';
import { errorObject } from '../../../protocol/envelope.js';
import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import { type Account, accountNotFound, checkAccountUse } from '../../domain/account/account.js';
import { checkBuildCost } from '../../domain/creative/build-price.js';
import { billedOutside, checkServingCost } from '../../domain/creative/price.js';
import { makeFlight, readTime } from '../../domain/media-buy/flight.js';
import { choosePrice, findOpenSignal, type SignalPrice, signalNotFound } from '../../domain/signal/signal.js';
import { isBilledOutside } from '../../domain/tenant/callers.js';
import type { TenantKind } from '../../domain/tenant/tenant.js';
import type { Writer } from '../../store/store.js';
import { findCreative } from '../creative/library/assign-creative.js';
import { countSpent } from '../grant/limit-spending.js';
import { findMediaBuy } from '../media-buy/find-media-buy.js';
import { findUsable, scopeOf } from '../pipeline/resolve-account.js';
import { accountRef, amount, dateTime, endTime, envelopeFields, keyField } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation } from '../pipeline/tool.js';

const record = z.looseObject({
  account: accountRef,
  signal_agent_segment_id: z.string().max(255).optional(),
  media_buy_id: z.string().max(255).optional(),
  creative_id: z.string().max(255).optional(),
  pricing_option_id: z.string().max(255).optional(),
  vendor_cost: amount,
  currency: z.string().regex(/^[A-Z]{3}$/),
  impressions: z.int().min(0).max(1e15).optional(),
  media_spend: amount.optional(),
});
type Usage = z.output<typeof record>;

const input = z.looseObject({
  ...keyField,
  reporting_period: z.looseObject({ start: dateTime, end: endTime }),
  usage: z
    .array(
      record.meta({
        brief: true,
        description:
          '{account: {account_id}, vendor_cost, currency, signal_agent_segment_id | media_buy_id, pricing_option_id, impressions, media_spend}',
      }),
    )
    .min(1)
    .max(1000),
  ...envelopeFields,
});

/** report_usage: what a buyer used, kept per account for the bill. Good records count beside bad ones. */
export const reportUsage = mutation({
  name: 'report_usage',
  title: 'Report usage',
  description:
    'Reports what your campaigns used in a period, for the bill. Refused records are in errors; the others are kept.',
  kinds: ['sales', 'creative', 'signals'],
  input,
  maxValues: MAX_VALUES_OF_MANY,
  empty: { accepted: 0 },
  run: async ({ call, args, db }) => {
    const { start, end } = args.reporting_period;
    makeFlight(
      readTime(start, 'reporting_period.start'),
      readTime(end, 'reporting_period.end'),
      'reporting_period.end',
    );
    const errors: object[] = [];
    for (const [index, usage] of args.usage.entries()) {
      try {
        const { account: _account, ...record } = usage;
        const accountId = await judgeUsage(call, db, usage);
        await db.usage.add(call.owner, accountId, call.now.ms, { ...record, reporting_period: args.reporting_period });
        // What a media buy used was committed with it.
        if (usage.media_buy_id === undefined)
          await countSpent(call, db, { amount: usage.vendor_cost, currency: usage.currency });
      } catch (thrown) {
        const error = taskErrorOrThrow(thrown);
        errors.push(errorObject(errorAt(`usage[${index}]`, error), call.to.release));
      }
    }
    return {
      accepted: args.usage.length - errors.length,
      errors: errors.length === 0 ? undefined : errors,
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

type Judge = (call: Call, db: Writer, usage: Usage, account: Account) => Promise<void>;

/** By the kind of tenant: the member that says what was used, and how that is judged. */
const JUDGES: Readonly<Partial<Record<TenantKind, readonly [member: keyof Usage & string, judge: Judge]>>> = {
  signals: ['signal_agent_segment_id', judgeSignal],
  sales: ['media_buy_id', judgeBuy],
  creative: ['creative_id', judgeCreative],
};

/** Returns the id of the account that a record counts for. Throws for a record that no bill could be written from. */
async function judgeUsage(call: Call, db: Writer, usage: Usage): Promise<string> {
  const account = await findUsable(call, usage.account, db);
  if (account === undefined) throw accountNotFound([]);
  checkAccountUse(account, 'report_usage');
  const rows = call.seller.tenant.kinds.flatMap((kind) => {
    const row = JUDGES[kind];
    return row === undefined ? [] : [row];
  });
  const row = rows.find(([member]) => usage[member] !== undefined);
  if (row === undefined) throw nothingNamed(rows.map(([member]) => member));
  await row[1](call, db, usage, account);
  return account.account_id;
}

function nothingNamed(members: readonly string[]): TaskError {
  const [field = ''] = members;
  return new TaskError('INVALID_REQUEST', `${field}: is required`, {
    field,
    suggestion: `Say what was used: ${members.join(' or ')}.`,
  });
}

/** Judges what a buyer counted of a media buy of ours, to be held against our own numbers. */
async function judgeBuy(call: Call, db: Writer, usage: Usage, account: Account): Promise<void> {
  const buy = await findMediaBuy(db, scopeOf(call, account.account_id), usage.media_buy_id ?? '');
  if (buy.account_id !== account.account_id) {
    throw new TaskError('VALIDATION_ERROR', 'The media buy is on another account.', {
      field: 'account',
      suggestion: 'Report it for the account that the media buy was made on.',
    });
  }
  const options = buy.packages.map((line) => line.pricing_option_id);
  if (usage.pricing_option_id !== undefined && !options.includes(usage.pricing_option_id)) {
    throw new TaskError('VALIDATION_ERROR', 'No package of the media buy was sold at this price.', {
      field: 'pricing_option_id',
      suggestion: `Send one of ${[...new Set(options)].join(', ')}, or leave it out.`,
      details: { allowed_values: [...new Set(options)] },
    });
  }
  checkCurrency(buy.currency, usage);
}

/** Judges what serving a creative of the library came to, at the price that it was shown with; of one without a price, what building it came to. */
async function judgeCreative(call: Call, db: Writer, usage: Usage, account: Account): Promise<void> {
  if (isBilledOutside(call.principal)) throw billedOutside('Creatives are billed to this caller outside the protocol.');
  const creative = await findCreative({ db, call }, account.account_id, usage.creative_id ?? '', 'creative_id');
  const { buildPrices } = call.seller.tenant;
  if (creative.pricing_options === undefined && buildPrices.length > 0) checkBuildCost(buildPrices, usage);
  else checkServingCost(creative.pricing_options ?? [], usage);
}

async function judgeSignal(call: Call, db: Writer, usage: Usage, account: Account): Promise<void> {
  const { signal_agent_segment_id: id = '' } = usage;
  const offered = findOpenSignal(call.seller.signals, id, call.principal?.id)?.pricing_options;
  const agreed = [
    ...(await db.signals.list(call.owner, account.account_id, [id])),
    ...(await db.signals.list(call.owner, undefined, [id])),
  ];
  if (offered === undefined && agreed.length === 0 && !(await db.signals.wasUsed(call.owner, id)))
    throw signalNotFound('signal_agent_segment_id');
  if (usage.pricing_option_id !== undefined) {
    // What was agreed comes first: the catalog may have another price under the same id by now.
    const pricing_options = [...agreed.flatMap(({ price }) => price ?? []), ...(offered ?? [])];
    checkPrice(choosePrice({ pricing_options }, usage.pricing_option_id, 'pricing_option_id'), usage);
  }
}

function checkPrice(price: SignalPrice | undefined, usage: Usage): void {
  if (price?.currency !== undefined) checkCurrency(price.currency, usage);
  if (price?.model === 'percent_of_media' && usage.media_spend === undefined) {
    throw new TaskError('VALIDATION_ERROR', 'A percentage of media needs the media spend.', {
      field: 'media_spend',
      suggestion: 'Add media_spend, in the currency of the record.',
    });
  }
}

function checkCurrency(currency: string, usage: Usage): void {
  if (currency === usage.currency) return;
  throw new TaskError('VALIDATION_ERROR', 'The record is in another currency than its price.', {
    field: 'currency',
    suggestion: `Report in ${currency}.`,
    details: { allowed_values: [currency] },
  });
}

/** Returns an error with the path of its record in the list. */
function errorAt(path: string, { code, message, extras }: TaskError): TaskError {
  const { issues: _issues, ...rest } = extras;
  return new TaskError(code, message, { ...rest, field: `${path}.${extras.field ?? 'account'}` });
}
