import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import {
  type Account,
  accountNotFound,
  type BrandRef,
  checkAccountUse,
  FIXTURE_ACCOUNT,
  naturalKey,
} from '../../domain/account/account.js';
import type { Reader, Writer } from '../../store/store.js';
import type { Tool } from './define.js';
import type { AccountArgument } from './shapes.js';
import type { Parsed } from './stages.js';

/** The account that a call names, and whether it names one that was never opened. */
export type ResolvedAccount = { readonly account: Account | undefined; readonly accountIsNew: boolean };

/** Returns the account that a call names, once it may be used for what the task wants with it; a changing call may open one. */
export async function resolveAccount({ app, tool, call, args }: Parsed<Tool>, db: Reader): Promise<ResolvedAccount> {
  const argument = accountArgument(args);
  if (tool.account === undefined) return { account: undefined, accountIsNew: false };
  if (argument === undefined) {
    if (tool.account.required) throw missing('account');
    return { account: undefined, accountIsNew: false };
  }
  const existing = await findUsable(call, argument, db);
  if (existing !== undefined) {
    checkAccountUse(existing, tool.account.use);
    return { account: existing, accountIsNew: false };
  }
  if (argument.account_id !== undefined) throw accountNotFound(await ownAccounts(call, db));
  const opened = tool.kind === 'mutation' ? openAccount(app, call, argument) : undefined;
  if (opened === undefined && tool.kind === 'mutation') throw notSetUp();
  return { account: opened, accountIsNew: true };
}

/** The account of a task that needs one. */
export function accountIdOf({ account }: Pick<ResolvedAccount, 'account'>): string {
  if (account === undefined) throw new Error('the task needs an account');
  return account.account_id;
}

/** The account that a task's arguments name, as its schema has read it. */
function accountArgument(args: unknown): AccountArgument | undefined {
  return isObject(args) ? (args.account as AccountArgument | undefined) : undefined;
}

/** Stores an account that a mutation has just opened. */
export async function saveOpenedAccount(call: Call, resolved: ResolvedAccount, tx: Writer): Promise<void> {
  if (resolved.accountIsNew && resolved.account !== undefined) await tx.accounts.save(call.owner, resolved.account);
}

/** The caller's account that an argument names, if there is one. Throws INVALID_REQUEST when it names none. */
export async function findAccount(
  call: Call,
  argument: AccountArgument,
  db: Reader,
  field = 'account',
): Promise<Account | undefined> {
  if (argument.account_id !== undefined) return db.accounts.findById(call.owner, argument.account_id);
  const { brand, operator } = readNaturalKey(argument, field);
  return db.accounts.findByKey(call.owner, naturalKey(brand, operator, isSandbox(call, argument)));
}

/** The caller's account that an argument names; for a sandbox with fixtures an unknown id names the account of the fixtures. */
export async function findUsable(call: Call, argument: AccountArgument, db: Reader): Promise<Account | undefined> {
  const existing = await findAccount(call, argument, db);
  if (existing !== undefined || argument.account_id === undefined) return existing;
  return db.accounts.findById(call.owner, FIXTURE_ACCOUNT.account_id);
}

/** The brand and operator of a reference by natural key. Throws INVALID_REQUEST when one is missing. */
export function readNaturalKey(
  argument: AccountArgument,
  field: string,
): { readonly brand: BrandRef; readonly operator: string } {
  const { brand, operator } = argument;
  if (brand === undefined) throw missing(`${field}.brand`);
  if (operator === undefined) throw missing(`${field}.operator`);
  return { brand, operator };
}

/** Sandbox follows the principal: a test key never reaches anything real, whatever its request says. */
function isSandbox(call: Call, argument: { readonly sandbox?: boolean | undefined }): boolean {
  return call.principal?.sandbox !== false || argument.sandbox === true;
}

/** A fresh account for the brand and operator of a reference; undefined where they have to be set up first. */
export function openAccount(app: App, call: Call, argument: AccountArgument): Account | undefined {
  const { brand, operator } = argument;
  if (call.principal?.policies.account_provisioning !== 'auto' || brand === undefined || operator === undefined)
    return undefined;
  return { ...newAccount(app, call, { brand, operator, sandbox: argument.sandbox }), implicit: true };
}

/** A fresh active account for a brand and operator. */
export function newAccount(
  app: App,
  call: Call,
  wanted: { readonly brand: BrandRef; readonly operator: string; readonly sandbox?: boolean | undefined },
): Account {
  const { domain, brand_id } = wanted.brand;
  return {
    account_id: app.ids.next('acct'),
    name: `${domain} via ${wanted.operator}`,
    status: 'active',
    brand: { domain, ...(brand_id === undefined ? {} : { brand_id }) },
    operator: wanted.operator,
    billing: 'operator',
    payment_terms: 'net_30',
    sandbox: isSandbox(call, wanted),
  };
}

async function ownAccounts(call: Call, db: Reader): Promise<readonly string[]> {
  const rows = await db.accounts.list(call.owner, { limit: 10, after: undefined }, { status: 'active' });
  return rows.map((row) => row.account.account_id);
}

function missing(field: string): TaskError {
  return new TaskError('INVALID_REQUEST', `${field}: is required`, {
    field,
    suggestion: 'Name an account: {"account_id": …} from list_accounts, or {"brand": {"domain": …}, "operator": …}.',
    issues: [{ pointer: `/${field.replaceAll(/[.[\]]+/g, '/')}`, message: 'is required', keyword: 'required' }],
  });
}

function notSetUp(): TaskError {
  return new TaskError('ACCOUNT_SETUP_REQUIRED', 'This brand and operator have no account here yet.', {
    field: 'account',
    suggestion: 'Open it with sync_accounts and use the account_id of its answer.',
  });
}
