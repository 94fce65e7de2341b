import { z } from 'zod';
import { HOST_NAME } from '../../../platform/net/url.js';
import { errorObject } from '../../../protocol/envelope.js';
import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import { type Account, accountNotFound, accountWire, BILLING, PAYMENT_TERMS } from '../../domain/account/account.js';
import type { Writer } from '../../store/store.js';
import { findAccount, newAccount, readNaturalKey } from '../pipeline/resolve-account.js';
import { accountRef, brandRef, envelopeFields, keyField } from '../pipeline/shapes.js';
import { mutation } from '../pipeline/tool.js';
import { syncAction } from '../sync-action.js';

const entry = z.looseObject({
  account: accountRef.optional(),
  brand: brandRef.optional(),
  operator: z.string().regex(HOST_NAME).max(253).optional(),
  billing: z.string().optional().describe(BILLING.join(' | ')),
  payment_terms: z.string().optional().describe(PAYMENT_TERMS.join(' | ')),
  sandbox: z.boolean().optional(),
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
  description:
    'Opens an account per brand and operator, or changes its billing. Use the account_id of the answer when you order.',
  kinds: ['sales', 'creative', 'signals'],
  input: syncInput,
  dryRun: ({ dry_run }) => dry_run === true,
  run: async ({ app, call, args, db }) => {
    const rows: object[] = [];
    const seen = new Set<string>();
    for (const [index, wanted] of args.accounts.entries())
      rows.push(await syncEntry(app, call, db, wanted, `accounts[${index}]`, seen));
    if (args.delete_missing === true) rows.push(...(await closeMissing(call, db, seen)));
    return { accounts: rows, dry_run: args.dry_run === true || undefined };
  },
});

async function syncEntry(
  app: App,
  call: Call,
  db: Writer,
  wanted: Entry,
  field: string,
  seen: Set<string>,
): Promise<object> {
  try {
    const { account: reference, ...key } = wanted;
    const before = await findAccount(call, reference ?? key, db, reference === undefined ? field : `${field}.account`);
    if (before === undefined && reference !== undefined) throw accountNotFound([], `${field}.account`);
    const after = changed(
      before ?? newAccount(app, call, { ...readNaturalKey(key, field), sandbox: wanted.sandbox }),
      wanted,
      field,
    );
    const isFirst = before === undefined || before.implicit === true;
    const action = syncAction(isFirst, before === undefined || !hasSameTerms(before, after));
    seen.add(after.account_id);
    if (action !== 'unchanged') await db.accounts.save(call.owner, after);
    return { ...after, action, account_scope: 'operator_brand' };
  } catch (thrown) {
    const error = taskErrorOrThrow(thrown);
    const { brand, operator } = { ...wanted.account, ...wanted };
    // An entry is known by these two: one that has not got them is no entry that could fail by itself.
    if (brand === undefined || operator === undefined) throw error;
    return { brand, operator, action: 'failed', status: 'rejected', errors: [errorObject(error, call.to.release)] };
  }
}

function changed(account: Account, wanted: Entry, field: string): Account {
  const billing = BILLING.find((offered) => offered === (wanted.billing ?? account.billing));
  if (billing === undefined) throw notOffered('BILLING_NOT_SUPPORTED', `${field}.billing`, BILLING);
  const payment_terms = PAYMENT_TERMS.find((offered) => offered === (wanted.payment_terms ?? account.payment_terms));
  if (payment_terms === undefined)
    throw notOffered('PAYMENT_TERMS_NOT_SUPPORTED', `${field}.payment_terms`, PAYMENT_TERMS);
  return { ...accountWire(account), billing, payment_terms };
}

function hasSameTerms(a: Account, b: Account): boolean {
  return a.billing === b.billing && a.payment_terms === b.payment_terms;
}

/** Closes the accounts that the request leaves out; their buys stay readable by id. */
async function closeMissing(call: Call, db: Writer, seen: ReadonlySet<string>): Promise<readonly object[]> {
  const rows = await db.accounts.list(call.owner, { limit: 10_000, after: undefined }, { status: 'active' });
  const missing = rows.map((row) => row.account).filter((account) => !seen.has(account.account_id));
  for (const account of missing) await db.accounts.save(call.owner, { ...account, status: 'closed' });
  return missing.map((account) => ({ ...accountWire(account), status: 'closed', action: 'updated' }));
}

function notOffered(
  code: 'BILLING_NOT_SUPPORTED' | 'PAYMENT_TERMS_NOT_SUPPORTED',
  field: string,
  offered: readonly string[],
): TaskError {
  return new TaskError(code, 'This seller does not offer these terms.', {
    field,
    suggestion: `Choose one of ${offered.join(', ')}.`,
    details: { allowed_values: offered },
  });
}
