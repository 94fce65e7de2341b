import { TaskError } from '../../../protocol/errors.js';
import { illegalMove } from '../illegal-move.js';

/** Account states. */
export const ACCOUNT_STATUSES = [
  'active',
  'pending_approval',
  'payment_required',
  'suspended',
  'rejected',
  'closed',
] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** The legal moves of an account; nothing leaves a state that names none. */
export const ACCOUNT_MOVES: Record<AccountStatus, readonly AccountStatus[]> = {
  pending_approval: ['active', 'rejected'],
  active: ['payment_required', 'suspended', 'closed'],
  payment_required: ['active'],
  suspended: ['active', 'closed'],
  rejected: [],
  closed: [],
};

/** Returns the account after a move; unchanged where it is there already. Throws INVALID_STATE for one that is not in the table. */
export function moveAccount(account: Account, to: AccountStatus): Account {
  if (account.status === to) return account;
  if (!ACCOUNT_MOVES[account.status].includes(to))
    throw illegalMove('account', account.status, to, ACCOUNT_MOVES[account.status]);
  return { ...account, status: to };
}

/** The brand an account buys for. */
export type BrandRef = {
  readonly domain: string;
  readonly brand_id?: string;
  readonly industries?: readonly string[];
};

/** The parties that can be invoiced. */
export const BILLING = ['operator', 'agent', 'advertiser'] as const;
export type Billing = (typeof BILLING)[number];
export const PAYMENT_TERMS = ['net_15', 'net_30', 'net_45', 'net_60', 'net_90', 'prepay'] as const;
type PaymentTerms = (typeof PAYMENT_TERMS)[number];

/** A principal's account: one brand bought for by one operator, real or sandbox. */
export type Account = {
  readonly account_id: string;
  readonly name: string;
  readonly status: AccountStatus;
  readonly brand: BrandRef;
  readonly operator: string;
  readonly billing: Billing;
  readonly payment_terms: PaymentTerms;
  readonly sandbox: boolean;
  /** A request opened it by naming brand and operator; list_accounts shows it once its buyer has synced it. Never on the wire. */
  readonly implicit?: true;
};

/** Returns an account as its buyer sees it. */
export function accountWire({ implicit: _implicit, ...account }: Account): Omit<Account, 'implicit'> {
  return account;
}

/** The account that a sandbox principal's fixtures are in. */
export const FIXTURE_ACCOUNT: Account = {
  account_id: 'acct_fixtures',
  name: 'Fixtures of the sandbox',
  status: 'active',
  brand: { domain: 'sandbox.example' },
  operator: 'sandbox.example',
  billing: 'operator',
  payment_terms: 'net_30',
  sandbox: true,
  implicit: true,
};

/** The use that a task makes of an account; the table below lists the states that allow it. */
export type AccountUse =
  | 'read_catalog'
  | 'buy'
  | 'change_buy'
  | 'add_packages'
  | 'read_buys'
  | 'sync'
  | 'read_financials'
  | 'report_usage';

const ALLOWED: Record<AccountUse, readonly AccountStatus[]> = {
  read_catalog: ['active', 'payment_required'],
  buy: ['active'],
  change_buy: ['active', 'payment_required'],
  add_packages: ['active'],
  read_buys: ['active', 'payment_required', 'suspended'],
  sync: ['active', 'payment_required'],
  read_financials: ['active', 'pending_approval', 'payment_required', 'suspended'],
  report_usage: ['active', 'payment_required', 'suspended'],
};

const REFUSALS = {
  pending_approval: [
    'ACCOUNT_SETUP_REQUIRED',
    'The account is waiting for approval.',
    'Wait until list_accounts shows it as active.',
  ],
  payment_required: [
    'ACCOUNT_PAYMENT_REQUIRED',
    'The account has an open payment.',
    'Settle the open invoices; running buys can still be changed.',
  ],
  rejected: [
    'ACCOUNT_NOT_FOUND',
    'The account was rejected by the seller.',
    'Use an account that list_accounts shows as active, or open one for another brand or operator with sync_accounts.',
  ],
  closed: [
    'ACCOUNT_NOT_FOUND',
    'The account is closed for good.',
    'Use an account that list_accounts shows as active, or open another for the same brand and operator with sync_accounts.',
  ],
  suspended: ['ACCOUNT_SUSPENDED', 'The account is suspended.', 'Contact the seller to lift the suspension.'],
} as const;

/** Whether the state of an account allows a use. */
export function isUsable({ status }: Pick<Account, 'status'>, use: AccountUse): boolean {
  return ALLOWED[use].includes(status);
}

/** Refuses a use that the account's state forbids: one that is over has the code of one that is not there. `field` named it. */
export function checkAccountUse(account: Pick<Account, 'status'>, use: AccountUse, field = 'account'): void {
  if (isUsable(account, use)) return;
  const { status } = account;
  if (status === 'active') throw accountNotFound([], field);
  const [code, message, suggestion] = REFUSALS[status];
  throw new TaskError(code, message, { field, suggestion });
}

/** Returns the error of an account that does not exist or belongs to somebody else: the same answer. `own` are the caller's account ids, to be suggested. */
export function accountNotFound(own: readonly string[], field = 'account'): TaskError {
  const choice = own.length === 0 ? '' : ` Your accounts: ${own.slice(0, 10).join(', ')}.`;
  return new TaskError('ACCOUNT_NOT_FOUND', 'There is no such account for this caller.', {
    field,
    suggestion: `Use an account_id from list_accounts, or open one with sync_accounts.${choice}`,
  });
}

/** Returns the text that all references to one account share: brand, operator and sandbox make an account. */
export function naturalKey(brand: BrandRef, operator: string, sandbox: boolean): string {
  const parts = [
    brand.domain.toLowerCase(),
    brand.brand_id ?? '',
    operator.toLowerCase(),
    sandbox ? 'sandbox' : 'live',
  ];
  return parts.map(encodeURIComponent).join('|');
}
