import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow, once, parseDoc } from '../../platform/database/statement.js';
import type { Page } from '../../platform/kernel/cursor.js';
import { type Account, naturalKey } from '../domain/account/account.js';
import type { SellerTables } from './schema/schema.js';

/** An account with its position in the list. */
type AccountRow = { readonly seq: number; readonly account: Account };

/** Narrows a list of accounts; absent means any. `declared`: those that the buyer synced or the tenant file names. */
type AccountFilter = {
  readonly status?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly declared?: boolean;
};

type AccountId = { owner: string; account_id: string };
type SavedAccount = AccountId & { natural_key: string; doc: string };

/** Returns the statements on accounts, compiled for an engine. */
export function accountStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<AccountId, DocRow>((q, slot) =>
      q
        .selectFrom('account')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'account_id'))),
    ),
    byKey: prepare<{ owner: string; natural_key: string }, DocRow>((q, slot) =>
      q
        .selectFrom('account')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'natural_key'))),
    ),
    configured: prepare<AccountId, { configured: string | null }>((q, slot) =>
      q
        .selectFrom('account')
        .select('configured')
        .where((is) => is.and(slot.each('owner', 'account_id'))),
    ),
    save: prepare<SavedAccount>((q, slot) =>
      q
        .insertInto('account')
        .values(slot.each('owner', 'account_id', 'natural_key', 'doc'))
        .onConflict((c) => c.columns(['owner', 'account_id']).doUpdateSet(slot.each('natural_key', 'doc'))),
    ),
    setConfigured: prepare<AccountId & { configured: string }>((q, slot) =>
      q
        .updateTable('account')
        .set(slot.each('configured'))
        .where((is) => is.and(slot.each('owner', 'account_id'))),
    ),
    list: (owner: string, page: Page, { status, sandbox, declared }: AccountFilter) =>
      once(
        db
          .selectFrom('account')
          .select(['seq', 'doc'])
          .where('owner', '=', owner)
          .where('seq', '>', page.after ?? 0)
          .$if(sandbox !== undefined, (q) => q.where('natural_key', 'like', sandbox ? '%|sandbox' : '%|live'))
          .$if(status !== undefined, (q) => q.where('doc', 'like', `%"status":"${status}"%`))
          .$if(declared === true, (q) => q.where('doc', 'not like', '%"implicit":true%'))
          .orderBy('seq')
          .limit(page.limit + 1),
      ),
  };
}

/** The compiled statements on accounts. */
type AccountStatements = ReturnType<typeof accountStatements>;

/** Reads accounts, each of one owner (a tenant's principal). */
export class AccountReader {
  readonly #tx: Reading;
  readonly #statements: AccountStatements;

  constructor(tx: Reading, statements: AccountStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  async findById(owner: string, account_id: string): Promise<Account | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { owner, account_id });
    return row && parseDoc<Account>(row);
  }

  /** Returns the account that something of an owner is in; without it there would be no such thing. */
  async ofThing(owner: string, { account_id }: Pick<Account, 'account_id'>): Promise<Account> {
    const account = await this.findById(owner, account_id);
    if (account === undefined) throw new Error(`the account ${account_id} is missing`);
    return account;
  }

  async findByKey(owner: string, natural_key: string): Promise<Account | undefined> {
    const row = await this.#tx.one(this.#statements.byKey, { owner, natural_key });
    return row && parseDoc<Account>(row);
  }

  /** Returns one row more than the page asks for, where there is one. */
  async list(owner: string, page: Page, filter: AccountFilter): Promise<AccountRow[]> {
    const rows = await this.#tx.all(this.#statements.list(owner, page, filter), {});
    return rows.map((row) => ({ seq: row.seq, account: parseDoc<Account>(row) }));
  }
}

/** Reads and writes accounts in one transaction. */
export class AccountWriter extends AccountReader {
  readonly #tx: Writing;
  readonly #statements: AccountStatements;

  constructor(tx: Writing, statements: AccountStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts an account, or replaces the one with its id. */
  async save(owner: string, account: Account): Promise<void> {
    const key = naturalKey(account.brand, account.operator, account.sandbox);
    const { account_id, status } = account;
    // Closed is for good: another account may be of the same brand and operator then.
    const natural_key = status === 'closed' ? `closed|${account_id}|${key}` : key;
    this.#tx.write(this.#statements.save, { owner, account_id, natural_key, doc: JSON.stringify(account) });
  }

  /** Brings an account of the tenant file in, unless exactly this entry was brought in before. */
  async configure(owner: string, account: Account): Promise<void> {
    const id = { owner, account_id: account.account_id };
    const configured = JSON.stringify(account);
    if ((await this.#tx.one(this.#statements.configured, id))?.configured === configured) return;
    await this.save(owner, account);
    this.#tx.write(this.#statements.setConfigured, { ...id, configured });
  }
}
