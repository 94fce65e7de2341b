import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../../src/protocol/errors.js';
import {
  ACCOUNT_STATUSES,
  type AccountStatus,
  type AccountUse,
  accountNotFound,
  checkAccountUse,
  naturalKey,
} from '../../../../src/seller/domain/account/account.js';
import { ACCOUNT, refusalOf } from '../order-context.js';

/** What an account may be used for, by its state. */
const ALLOWED: Readonly<Record<AccountUse, Readonly<Record<AccountStatus, boolean>>>> = {
  read_catalog: table('active', 'payment_required'),
  buy: table('active'),
  change_buy: table('active', 'payment_required'),
  add_packages: table('active'),
  read_buys: table('active', 'payment_required', 'suspended'),
  sync: table('active', 'payment_required'),
  read_financials: table('active', 'pending_approval', 'payment_required', 'suspended'),
  report_usage: table('active', 'payment_required', 'suspended'),
};

const REFUSALS: Readonly<Record<Exclude<AccountStatus, 'active'>, ErrorCode>> = {
  pending_approval: 'ACCOUNT_SETUP_REQUIRED',
  payment_required: 'ACCOUNT_PAYMENT_REQUIRED',
  suspended: 'ACCOUNT_SUSPENDED',
  rejected: 'ACCOUNT_NOT_FOUND',
  closed: 'ACCOUNT_NOT_FOUND',
};

const CASES = Object.entries(ALLOWED).flatMap(([use, states]) =>
  ACCOUNT_STATUSES.map((status) => [use as AccountUse, status, states[status]] as const),
);

describe('checkAccountUse', () => {
  it.each(CASES)('%s with an account that is %s: %s', (use, status, allowed) => {
    const check = () => checkAccountUse({ ...ACCOUNT, status }, use);
    if (allowed) expect(check).not.toThrow();
    else expect(refusalOf(check)).toEqual([status === 'active' ? 'never' : REFUSALS[status], 'account']);
  });
});

describe('accountNotFound', () => {
  it('suggests the caller’s own accounts, at most ten of them', () => {
    const own = Array.from({ length: 12 }, (_, index) => `acct_${index}_`);
    const { suggestion = '' } = accountNotFound(own).extras;
    expect(own.filter((id) => suggestion.includes(id))).toEqual(own.slice(0, 10));
    expect(accountNotFound([]).extras.suggestion).not.toContain('Your accounts');
  });

  it('is the answer of a closed account, but for the caller’s own ids', () => {
    const [code, field] = refusalOf(() => checkAccountUse({ ...ACCOUNT, status: 'closed' }, 'buy'));
    const unknown = accountNotFound([]);
    expect([code, field]).toEqual([unknown.code, unknown.extras.field]);
  });
});

describe('naturalKey', () => {
  it.each<readonly [string, boolean, string, string]>([
    [
      'the same',
      true,
      naturalKey({ domain: 'a.example' }, 'o.example', true),
      naturalKey({ domain: 'a.example' }, 'o.example', true),
    ],
    [
      'capitals',
      true,
      naturalKey({ domain: 'A.example' }, 'O.example', true),
      naturalKey({ domain: 'a.example' }, 'o.example', true),
    ],
    [
      'another domain',
      false,
      naturalKey({ domain: 'a.example' }, 'o.example', true),
      naturalKey({ domain: 'b.example' }, 'o.example', true),
    ],
    [
      'another operator',
      false,
      naturalKey({ domain: 'a.example' }, 'o.example', true),
      naturalKey({ domain: 'a.example' }, 'p.example', true),
    ],
    [
      'sandbox and live',
      false,
      naturalKey({ domain: 'a.example' }, 'o.example', true),
      naturalKey({ domain: 'a.example' }, 'o.example', false),
    ],
    [
      'a brand of its own',
      false,
      naturalKey({ domain: 'a.example' }, 'o.example', true),
      naturalKey({ domain: 'a.example', brand_id: 'x' }, 'o.example', true),
    ],
    [
      'a brand id that pretends to be an operator',
      false,
      naturalKey({ domain: 'a.example', brand_id: 'x|o.example' }, 'p.example', true),
      naturalKey({ domain: 'a.example', brand_id: 'x' }, 'o.example|p.example', true),
    ],
  ])('%s: %s', (_what, same, one, other) => {
    expect(one === other).toBe(same);
  });
});

function table(...allowed: readonly AccountStatus[]): Readonly<Record<AccountStatus, boolean>> {
  return Object.fromEntries(ACCOUNT_STATUSES.map((status) => [status, allowed.includes(status)])) as Record<
    AccountStatus,
    boolean
  >;
}
