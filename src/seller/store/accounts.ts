import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, once } from '../../platform/database/statement.js';
import type { Page } from '../../platform/kernel/cursor.js';
import { type Account, naturalKey } from '../domain/account/account.js';
import type { SellerTables } from './schema/schema.js';

/** An account with its place in the list. */
export type AccountRow = { readonly seq: number; readonly account: Account };

/** Accounts of one owner (a tenant's principal). */
export type AccountReads = {
  readonly findById: (owner: string, accountId: string) => Promise<Account | undefined>;
  readonly findByKey: (owner: string, key: string) => Promise<Account | undefined>;
  /** One row more than the page asks for, where there is one. `declared`: those that the buyer synced or the tenant file names. */
  readonly list: (
    owner: string,
    page: Page,
    filter: { status?: string | undefined; sandbox?: boolean | undefined; declared?: boolean },
  ) => Promise<AccountRow[]>;
};
export type AccountWrites = AccountReads & {
  /** Inserts an account, or replaces the one with its id. */
  readonly save: (owner: string, account: Account) => Promise<void>;
  /** Brings an account of the tenant file in, unless exactly this entry was brought in before. */
  readonly configure: (owner: string, account: Account) => Promise<void>;
};

type ById = { owner: string; account_id: string };

/** The account repository over an engine. */
export function accountRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const byId = prepare<ById, { doc: string }>((q, slot) =>
    q
      .selectFrom('account')
      .select('doc')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id')),
  );
  const byKey = prepare<{ owner: string; key: string }, { doc: string }>((q, slot) =>
    q.selectFrom('account').select('doc').where('owner', '=', slot('owner')).where('natural_key', '=', slot('key')),
  );
  const configuredAs = prepare<ById, { configured: string | null }>((q, slot) =>
    q
      .selectFrom('account')
      .select('configured')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id')),
  );
  type Saved = ById & { natural_key: string; doc: string };
  const upsert = prepare<Saved>((q, slot) =>
    q
      .insertInto('account')
      .values({
        owner: slot('owner'),
        account_id: slot('account_id'),
        natural_key: slot('natural_key'),
        doc: slot('doc'),
      } as never)
      .onConflict((c) =>
        c.columns(['owner', 'account_id']).doUpdateSet({ natural_key: slot('natural_key'), doc: slot('doc') }),
      ),
  );
  const mark = prepare<ById & { configured: string }>((q, slot) =>
    q
      .updateTable('account')
      .set({ configured: slot('configured') })
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id')),
  );

  const reads = (tx: Reading): AccountReads => ({
    findById: async (owner, account_id) => decode(await tx.one(byId, { owner, account_id })),
    findByKey: async (owner, key) => decode(await tx.one(byKey, { owner, key })),
    list: async (owner, page, filter) => {
      const rows = await tx.all(
        once(
          db
            .selectFrom('account')
            .select(['seq', 'doc'])
            .where('owner', '=', owner)
            .where('seq', '>', page.after ?? 0)
            .$if(filter.sandbox !== undefined, (q) =>
              q.where('natural_key', 'like', filter.sandbox === true ? '%|sandbox' : '%|live'),
            )
            .$if(filter.status !== undefined, (q) => q.where('doc', 'like', `%"status":"${filter.status}"%`))
            .$if(filter.declared === true, (q) => q.where('doc', 'not like', '%"implicit":true%'))
            .orderBy('seq')
            .limit(page.limit + 1),
        ),
        {},
      );
      return rows.map((row) => ({ seq: row.seq, account: JSON.parse(row.doc) as Account }));
    },
  });

  const writes = (tx: Writing): AccountWrites => {
    const save: AccountWrites['save'] = async (owner, account) => {
      const natural_key = naturalKey(account.brand, account.operator, account.sandbox);
      await tx.run(upsert, { owner, account_id: account.account_id, natural_key, doc: JSON.stringify(account) });
    };
    return {
      ...reads(tx),
      save,
      configure: async (owner, account) => {
        const id = { owner, account_id: account.account_id };
        const configured = JSON.stringify(account);
        if ((await tx.one(configuredAs, id))?.configured === configured) return;
        await save(owner, account);
        await tx.run(mark, { ...id, configured });
      },
    };
  };
  return { reads, writes };
}

function decode(row: { doc: string } | undefined): Account | undefined {
  return row === undefined ? undefined : (JSON.parse(row.doc) as Account);
}
