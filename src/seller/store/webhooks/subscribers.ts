import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow } from '../../../platform/database/statement.js';
import type { Subscriber } from '../../domain/account/subscriber.js';
import { ownerKey, readOwner } from '../../domain/tenant/principal.js';
import type { SellerTables } from '../schema/schema.js';
import type { SealedColumns } from '../sealing/sealed.js';

/** The subscribers of an account. */
export type AccountSubscribers = {
  readonly owner: string;
  readonly account_id: string;
  readonly subscribers: readonly Subscriber[];
};

type Sealed = Pick<SealedColumns, 'subscribers'>;
type AccountId = { owner: string; account_id: string };

/** Returns the statements on subscribers, compiled for an engine. */
export function subscriberStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    list: prepare<AccountId, DocRow>((q, slot) =>
      q
        .selectFrom('account_subscriber')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'account_id'))),
    ),
    ofOwners: prepare<{ pattern: string }, DocRow & AccountId>((q, slot) =>
      q
        .selectFrom('account_subscriber')
        .select(['owner', 'account_id', 'doc'])
        .where('owner', 'like', slot('pattern'))
        .orderBy('owner')
        .orderBy('account_id'),
    ),
    save: prepare<AccountId & { doc: string }>((q, slot) =>
      q
        .insertInto('account_subscriber')
        .values(slot.each('owner', 'account_id', 'doc'))
        .onConflict((c) => c.columns(['owner', 'account_id']).doUpdateSet(slot.each('doc'))),
    ),
  };
}

/** The compiled statements on subscribers. */
type SubscriberStatements = ReturnType<typeof subscriberStatements>;

/** Reads who hears of the events of an owner's accounts. */
export class SubscriberReader {
  readonly #tx: Reading;
  readonly #statements: SubscriberStatements;
  readonly #sealed: Sealed;

  constructor(tx: Reading, statements: SubscriberStatements, sealed: Sealed) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Returns the subscribers of an account as they were registered last, in that order. */
  async list(owner: string, account_id: string): Promise<readonly Subscriber[]> {
    const row = await this.#tx.one(this.#statements.list, { owner, account_id });
    return row === undefined ? [] : this.#sealed.subscribers.read(row.doc);
  }

  /** Returns the subscribers of each account of a tenant's principals, by owner. */
  async listOfTenant(tenant: string): Promise<readonly AccountSubscribers[]> {
    const rows = await this.#tx.all(this.#statements.ofOwners, { pattern: ownerKey(tenant, '%') });
    return rows.flatMap(({ owner, account_id, doc }) =>
      readOwner(owner).tenant === tenant
        ? [{ owner, account_id, subscribers: this.#sealed.subscribers.read(doc) }]
        : [],
    );
  }
}

/** Reads and writes subscribers in one transaction. */
export class SubscriberWriter extends SubscriberReader {
  readonly #tx: Writing;
  readonly #statements: SubscriberStatements;
  readonly #sealed: Sealed;

  constructor(tx: Writing, statements: SubscriberStatements, sealed: Sealed) {
    super(tx, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Puts `subscribers` in the place of those that the account has. */
  async replace(owner: string, account_id: string, subscribers: readonly Subscriber[]): Promise<void> {
    this.#tx.write(this.#statements.save, { owner, account_id, doc: this.#sealed.subscribers.write(subscribers) });
  }
}
