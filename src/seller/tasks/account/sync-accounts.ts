import { z } from 'zod';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { HOST_NAME } from '../../../platform/net/url.js';
import { errorObject } from '../../../protocol/envelope.js';
import { catchTaskError, TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import {
  type Account,
  accountNotFound,
  accountWire,
  BILLING,
  checkAccountUse,
  PAYMENT_TERMS,
} from '../../domain/account/account.js';
import { type BillingRelationship, readBilling } from '../../domain/account/billing.js';
import { isTerminal, MEDIA_BUY_STATUSES } from '../../domain/media-buy/media-buy.js';
import type { Reader, Writer } from '../../store/store.js';
import { findAccount, newAccount, readNaturalKey } from '../pipeline/resolve-account.js';
import { accountRef, brandRef, envelopeFields, keyField } from '../pipeline/shapes.js';
import { mutation } from '../pipeline/tool.js';
import { syncAction } from '../sync-action.js';
import {
  challengeAll,
  challengeBudget,
  isSameList,
  judgeSubscribers,
  markProven,
  type ProvenSubscribers,
  readGiven,
  subscribersWire,
} from './subscribers.js';

const subscriber = z.looseObject({
  subscriber_id: z.string().optional(),
  url: z.string().optional(),
  event_types: z.array(z.string()).optional(),
  authentication: z.unknown().optional(),
  active: z.boolean().optional(),
  ext: z.looseObject({}).optional(),
});

const entry = z.looseObject({
  account: accountRef.optional(),
  brand: brandRef.optional(),
  operator: z.string().regex(HOST_NAME).max(253).optional(),
  billing: z.string().optional().describe(BILLING.join(' | ')),
  payment_terms: z.string().optional().describe(PAYMENT_TERMS.join(' | ')),
  sandbox: z.boolean().optional(),
  notification_configs: z.array(subscriber).optional().meta({ unlisted: true }),
});

type Entry = z.output<typeof entry>;

const syncInput = z.looseObject({
  ...keyField,
  accounts: z.array(entry).min(1).max(1000),
  delete_missing: z.boolean().optional(),
  dry_run: z.boolean().optional(),
  ...envelopeFields,
});

/** sync_accounts: opens or changes accounts by brand and operator. */
export const syncAccounts = mutation({
  name: 'sync_accounts',
  title: 'Open accounts',
  description: 'Opens or changes accounts by brand and operator. Order with the account_id of the answer.',
  kinds: ['sales', 'creative', 'signals', 'governance', 'brand'],
  input: syncInput,
  dryRun: ({ dry_run }) => dry_run === true,
  prepares: ({ accounts, dry_run }) =>
    dry_run !== true && accounts.some(({ notification_configs: configs = [] }) => configs.length > 0),
  prepare: async ({ app, call, args, db }) => {
    const proving: (readonly [number, Promise<ProvenSubscribers>])[] = [];
    const budget = challengeBudget();
    for (const [index, wanted] of args.accounts.entries()) {
      const { notification_configs: configs = [] } = wanted;
      if (configs.length === 0) continue;
      // What is wrong with the entry itself is said where it is carried out.
      const account = await catchTaskError(() => findNamed(call, wanted, db, `accounts[${index}]`));
      if (account instanceof TaskError) continue;
      const accountId = account?.account_id ?? app.ids.next('acct');
      const given = { accountId, configs, field: `accounts[${index}].notification_configs` };
      const challenges = await judgeSubscribers(app, call, db, given);
      proving.push([index, challengeAll(app, call, challenges, budget)]);
    }
    return new Map(await Promise.all(proving.map(async ([index, proven]) => [index, await proven] as const)));
  },
  run: async ({ app, call, args, db, prepared }) => {
    const rows: object[] = [];
    const seen = new Set<string>();
    for (const [index, wanted] of args.accounts.entries()) {
      const context = { field: `accounts[${index}]`, proven: prepared?.get(index), isTrial: args.dry_run === true };
      const row = await syncEntry({ app, call, db }, wanted, context);
      // Also of an entry that failed: what it names is not left out.
      if (typeof row.account_id === 'string') seen.add(row.account_id);
      rows.push(row);
    }
    if (args.delete_missing === true) rows.push(...(await closeMissing(call, db, seen)));
    return { accounts: rows, dry_run: args.dry_run === true || undefined };
  },
});

type Syncing = { readonly app: App; readonly call: Call; readonly db: Writer };

/** Where an entry stands in the request, and what its subscribers have proven. */
type EntryContext = {
  readonly field: string;
  readonly proven: ProvenSubscribers | undefined;
  /** Nothing is stored, and so nothing has to be proven. */
  readonly isTrial: boolean;
};

async function syncEntry(
  { app, call, db }: Syncing,
  wanted: Entry,
  context: EntryContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { field, proven } = context;
  try {
    const { account: reference, notification_configs: configs, ...key } = wanted;
    const before = await findNamed(call, wanted, db, field);
    if (before === undefined && reference !== undefined) throw accountNotFound([], `${field}.account`);
    if (before?.status === 'closed') checkAccountUse(before, 'sync', `${field}.account`);
    const opened = before ?? newAccount(app, call, { ...readNaturalKey(key, field), sandbox: wanted.sandbox });
    const named = before === undefined && proven !== undefined ? { ...opened, account_id: proven.accountId } : opened;
    const after = changeAccount(named, wanted, { field, relationship: call.principal?.billing ?? 'agent_billable' });
    const subscribed = await subscribe({ app, call, db }, after.account_id, configs, context);
    const isFirst = before === undefined || before.implicit === true;
    const isChanged = before === undefined || subscribed.isChanged || !hasSameTerms(before, after);
    const action = syncAction(isFirst, isChanged);
    if (action !== 'unchanged') await db.accounts.save(call.owner, after);
    return { ...after, action, account_scope: 'operator_brand', notification_configs: subscribed.shown };
  } catch (thrown) {
    const error = taskErrorOrThrow(thrown);
    const named = await catchTaskError(() => findNamed(call, wanted, db, field));
    const existing = named instanceof TaskError ? undefined : named;
    const { brand = existing?.brand, operator = existing?.operator } = { ...wanted.account, ...wanted };
    // An entry is known by these two: one that has not got them is no entry that could fail by itself.
    if (brand === undefined || operator === undefined) throw error;
    const errors = [errorObject(error, call.to.release)];
    const { account_id, status = 'rejected' } = existing ?? {};
    return { account_id, brand, operator, action: 'failed', status, errors };
  }
}

/** Returns the account that an entry names; undefined for one that it opens. */
function findNamed(call: Call, wanted: Entry, db: Reader, field: string): Promise<Account | undefined> {
  const { account: reference, ...key } = wanted;
  return findAccount(call, reference ?? key, db, reference === undefined ? field : `${field}.account`);
}

/** Replaces an account's subscribers by those that an entry names, unless it names none; answers them as its buyer sees them. */
async function subscribe(
  { app, call, db }: Syncing,
  accountId: string,
  configs: readonly unknown[] | undefined,
  { field, proven, isTrial }: EntryContext,
): Promise<{ readonly isChanged: boolean; readonly shown: readonly object[] | undefined }> {
  const before = await db.subscribers.list(call.owner, accountId);
  if (configs === undefined) return { isChanged: false, shown: subscribersWire(before) };
  const wanted = readGiven(app, call, configs, `${field}.notification_configs`);
  if (proven?.error !== undefined) throw proven.error;
  const isProven = configs.length === 0 || isTrial || proven?.accountId === accountId;
  if (!isProven) throw openedMeanwhile(field);
  const subscribers = markProven(wanted, before);
  const isChanged = !isSameList(before, subscribers);
  if (isChanged) await db.subscribers.replace(call.owner, accountId, subscribers);
  return { isChanged, shown: subscribersWire(subscribers, true) };
}

function openedMeanwhile(field: string): TaskError {
  return new TaskError('CONFLICT', 'The account was opened by another entry or call at the same time.', {
    field,
    suggestion: 'Send the entry again with a new idempotency_key.',
  });
}

function changeAccount(
  account: Account,
  wanted: Entry,
  { field, relationship }: { readonly field: string; readonly relationship: BillingRelationship },
): Account {
  const billing =
    wanted.billing === undefined ? account.billing : readBilling(wanted.billing, relationship, `${field}.billing`);
  const payment_terms = PAYMENT_TERMS.find((offered) => offered === (wanted.payment_terms ?? account.payment_terms));
  if (payment_terms === undefined) throw termsNotOffered(`${field}.payment_terms`);
  return { ...accountWire(account), billing, payment_terms };
}

function hasSameTerms(a: Account, b: Account): boolean {
  return a.billing === b.billing && a.payment_terms === b.payment_terms;
}

/**
 * Closes the accounts that the buyer synced once and the request leaves out; what they bought stays readable by id. One with a buy that has
 * not ended stays open: nobody could pause, cancel or change that buy any more.
 */
async function closeMissing(call: Call, db: Writer, seen: ReadonlySet<string>): Promise<readonly object[]> {
  const page = { limit: MAX_CLOSED, after: undefined };
  const listed = await db.accounts.list(call.owner, page, { status: 'active', declared: true });
  const rows: object[] = [];
  const pace = startPace();
  for (const { account } of listed) {
    const { account_id } = account;
    if (seen.has(account_id)) continue;
    const [live] = await db.mediaBuys.list(call.owner, FIRST, { accountId: account_id, statuses: LIVE_STATUSES });
    if (live === undefined) {
      await db.accounts.save(call.owner, { ...account, status: 'closed' });
      rows.push({ ...accountWire(account), status: 'closed', action: 'updated' });
    } else rows.push({ ...accountWire(account), action: 'unchanged', warnings: [staysOpen(live.buy.media_buy_id)] });
    if (pace.isDue()) await pace.rest();
  }
  return rows;
}

const MAX_CLOSED = 10_000;
const FIRST = { limit: 1, after: undefined };
const LIVE_STATUSES = MEDIA_BUY_STATUSES.filter((status) => !isTerminal(status));

function staysOpen(mediaBuyId: string): string {
  return `It is left out and stays open: the media buy ${mediaBuyId} has not ended. Cancel what runs in it, then leave it out again.`;
}

function termsNotOffered(field: string): TaskError {
  return new TaskError('PAYMENT_TERMS_NOT_SUPPORTED', 'This seller does not offer these terms.', {
    field,
    suggestion: `Choose one of ${PAYMENT_TERMS.join(', ')}.`,
    details: { allowed_values: PAYMENT_TERMS },
  });
}
