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
import { NO_ACCOUNT, type Scope } from '../../domain/account/scope.js';
import type { Reader, Writer } from '../../store/store.js';
import type { AccountArgument } from './shapes.js';
import type { Parsed } from './stages.js';
import type { Tool } from './tool.js';

/** Whose accounts are looked at. */
type Holder = Pick<Call, 'owner' | 'principal'>;
/** The account that a call names, and whether it names one that was never opened. */
type NamedAccount = { readonly account: Account | undefined; readonly accountIsNew: boolean };
/** The account that a call names, with whose things the call reaches. */
export type ResolvedAccount = NamedAccount & { readonly scope: Scope };

/** Returns the account that a call names, once it may be used for what the task wants with it; a changing call may open one. */
export async function resolveAccount(parsed: Parsed<Tool>, db: Reader): Promise<ResolvedAccount> {
  const { call, args } = parsed;
  const { account, accountIsNew } = await readAccount(parsed, db);
  if (account === undefined && !accountIsNew) return { account, accountIsNew, scope: call.owner };
  const scope = scopeOf(call, account?.account_id ?? NO_ACCOUNT);
  if (typeof scope === 'string') return { account, accountIsNew, scope };
  return { account, accountIsNew, scope: { ...scope, accountKey: keyOf(call, account, args) } };
}

function keyOf(call: Call, account: Account | undefined, args: unknown): string {
  if (account !== undefined) return naturalKey(account.brand, account.operator, account.sandbox);
  const argument = accountArgument(args) ?? {};
  const { brand, operator } = readNaturalKey(argument, 'account');
  return naturalKey(brand, operator, isSandbox(call, argument));
}

/** Returns whose things a call reaches, before it is known whether its account may be used. */
export async function resolveScope({ tool, call, args }: Parsed<Tool>, db: Reader): Promise<Scope> {
  const argument = tool.account && accountArgument(args);
  if (argument === undefined) return call.owner;
  return scopeOf(call, (await findUsable(call, argument, db))?.account_id ?? NO_ACCOUNT);
}

/** Returns what is reached from an account: its own things, or all of its principal's where the policy says so. */
export function scopeOf({ owner, principal }: Holder, accountId: string): Scope {
  return principal?.policies.account_scope === 'principal' ? owner : { owner, accountId };
}

async function readAccount({ app, tool, call, args }: Parsed<Tool>, db: Reader): Promise<NamedAccount> {
  const argument = accountArgument(args);
  if (tool.account === undefined) return { account: undefined, accountIsNew: false };
  if (argument === undefined) {
    if (tool.account.required) throw refuseMissing('account');
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

/** Returns the account of a task that needs one. */
export function accountIdOf({ account }: Pick<ResolvedAccount, 'account'>): string {
  if (account === undefined) throw new Error('the task needs an account');
  return account.account_id;
}

/** Returns the account that a task's arguments name, as its schema has read it. */
function accountArgument(args: unknown): AccountArgument | undefined {
  return isObject(args) ? (args.account as AccountArgument | undefined) : undefined;
}

/** Stores an account that a mutation has just opened. */
export async function saveOpenedAccount(call: Call, resolved: ResolvedAccount, tx: Writer): Promise<void> {
  if (resolved.accountIsNew && resolved.account !== undefined) await tx.accounts.save(call.owner, resolved.account);
}

/** Returns the caller's account that an argument names, if there is one. Throws INVALID_REQUEST when it names none. */
export async function findAccount(
  call: Holder,
  argument: AccountArgument,
  db: Reader,
  field = 'account',
): Promise<Account | undefined> {
  if (argument.account_id !== undefined) {
    const account = await db.accounts.findById(call.owner, argument.account_id);
    if (account !== undefined) checkSameAccount(call, account, argument, field);
    return account;
  }
  const { brand, operator } = readNaturalKey(argument, field);
  return db.accounts.findByKey(call.owner, naturalKey(brand, operator, isSandbox(call, argument)));
}

/** Throws INVALID_REQUEST where the brand, operator or sandbox beside an account's id is that of another account. */
function checkSameAccount(call: Holder, account: Account, argument: AccountArgument, field: string): void {
  const { brand, operator, sandbox } = argument;
  if (sandbox !== undefined && isSandbox(call, argument) !== account.sandbox) {
    throw new TaskError('INVALID_REQUEST', `The account is ${account.sandbox ? 'a sandbox' : 'no sandbox'}.`, {
      field: `${field}.sandbox`,
      suggestion: 'Send account_id alone, or name another account: list_accounts says of each whether it is a sandbox.',
    });
  }
  const isOther = brand !== undefined && !isSameBrand(brand, account.brand);
  if (!isOther && (operator === undefined || operator === account.operator)) return;
  throw new TaskError(
    'INVALID_REQUEST',
    'The account_id names another account than the brand and operator beside it.',
    {
      field: `${field}.${isOther ? 'brand' : 'operator'}`,
      suggestion: 'Send account_id alone, or brand and operator alone.',
    },
  );
}

/** Whether a brand is that of an account: of one domain, and of one brand of its house where both name one. */
function isSameBrand({ domain, brand_id }: BrandRef, own: BrandRef): boolean {
  return domain === own.domain && (brand_id === undefined || brand_id === own.brand_id);
}

/** Returns the caller's account that an argument names; for a sandbox with fixtures an unknown id names the account of the fixtures. */
export async function findUsable(call: Holder, argument: AccountArgument, db: Reader): Promise<Account | undefined> {
  const existing = await findAccount(call, argument, db);
  if (existing !== undefined || argument.account_id === undefined) return existing;
  return db.accounts.findById(call.owner, FIXTURE_ACCOUNT.account_id);
}

/** Returns the brand and operator of a reference by natural key. Throws INVALID_REQUEST when one is missing. */
export function readNaturalKey(
  argument: AccountArgument,
  field: string,
): { readonly brand: BrandRef; readonly operator: string } {
  const { brand, operator } = argument;
  if (brand === undefined) throw refuseMissing(`${field}.brand`);
  if (operator === undefined) throw refuseMissing(`${field}.operator`);
  return { brand, operator };
}

/**
 * Whether a call is a sandbox's, by its principal: a test key never reaches anything real, whatever its request says.
 */
function isSandbox(call: Holder, argument: { readonly sandbox?: boolean | undefined }): boolean {
  return call.principal?.sandbox !== false || argument.sandbox === true;
}

/** Returns a fresh account for the brand and operator of a reference; undefined where they have to be set up first. */
export function openAccount(app: App, call: Call, argument: AccountArgument): Account | undefined {
  const { brand, operator } = argument;
  if (call.principal?.policies.account_provisioning !== 'auto' || brand === undefined || operator === undefined)
    return undefined;
  return { ...newAccount(app, call, { brand, operator, sandbox: argument.sandbox }), implicit: true };
}

/** Returns a fresh active account for a brand and operator. */
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
    brand: { domain, brand_id },
    operator: wanted.operator,
    billing: 'operator',
    payment_terms: 'net_30',
    sandbox: isSandbox(call, wanted),
  };
}

/** The account of an entry, as an answer describes it. */
type DescribedAccount = Pick<Account, 'account_id' | 'name' | 'status'>;

/** Returns what an answer says of the accounts that its entries are in, by their id. */
export async function describeAccounts(
  db: Reader,
  owner: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DescribedAccount>> {
  const accounts = new Map<string, DescribedAccount>();
  for (const id of new Set(ids)) {
    const account = await db.accounts.findById(owner, id);
    if (account !== undefined)
      accounts.set(id, { account_id: account.account_id, name: account.name, status: account.status });
  }
  return accounts;
}

async function ownAccounts(call: Call, db: Reader): Promise<readonly string[]> {
  const rows = await db.accounts.list(call.owner, { limit: 10, after: undefined }, { status: 'active' });
  return rows.map((row) => row.account.account_id);
}

function refuseMissing(field: string): TaskError {
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
