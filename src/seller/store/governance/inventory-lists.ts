import type { Reading, Writing } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare, type DocRow, once } from '../../../platform/database/statement.js';
import type { Page } from '../../../platform/kernel/cursor.js';
import { ownerOf, type Scope } from '../../domain/account/scope.js';
import type { InventoryList, ListRules, ResolvedEntry } from '../../domain/governance/lists/inventory-list.js';
import type { ListKind } from '../../domain/targeting/lists.js';
import type { SellerTables } from '../schema/schema.js';
import type { SealedColumns } from '../sealing/sealed.js';

type Sealed = Pick<SealedColumns, 'lists'>;

/** A list in the store, its row and its owner. */
export type InventoryListRow = { readonly seq: number; readonly owner: string; readonly list: InventoryList };

/** A list's rules, and its entries when it was resolved last. */
export type ListContent = { readonly rules: ListRules; readonly entries: readonly ResolvedEntry[] };

/** The lists that are asked for. */
type ListFilter = {
  readonly kind: ListKind;
  readonly accountId?: string | undefined;
  readonly nameContains?: string | undefined;
};

type StoredList = DocRow & { readonly seq: number; readonly owner: string };
type ListColumns = Omit<SellerTables['inventory_list'], 'seq'>;
type ContentRow = { readonly rules: string; readonly entries: string };

/** Returns the statements on property and collection lists, compiled for an engine. */
export function inventoryListStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ owner: string; kind: string; list_id: string }, StoredList>((q, slot) =>
      q
        .selectFrom('inventory_list')
        .select(['seq', 'owner', 'doc'])
        .where((is) => is.and(slot.each('owner', 'kind', 'list_id'))),
    ),
    byToken: prepare<{ kind: string; list_id: string; token_digest: string }, StoredList>((q, slot) =>
      q
        .selectFrom('inventory_list')
        .select(['seq', 'owner', 'doc'])
        .where((is) => is.and(slot.each('token_digest', 'kind', 'list_id'))),
    ),
    page: (scope: Scope, { kind, accountId, nameContains }: ListFilter, { after, limit }: Page) => {
      let rows = db
        .selectFrom('inventory_list')
        .select(['seq', 'owner', 'doc'])
        .where('owner', '=', ownerOf(scope))
        .where('kind', '=', kind);
      const account = accountId ?? (typeof scope === 'string' ? undefined : scope.accountId);
      if (account !== undefined) rows = rows.where('account_id', '=', account);
      if (after !== undefined) rows = rows.where('seq', '>', after);
      if (nameContains !== undefined) rows = rows.where(sql<boolean>`instr(name, ${nameContains.toLowerCase()}) > 0`);
      return once(rows.orderBy('seq').limit(limit + 1));
    },
    ofAll: prepare<{ after: number; limit: number }, StoredList>((q, slot) =>
      q
        .selectFrom('inventory_list')
        .select(['seq', 'owner', 'doc'])
        .where('seq', '>', slot('after'))
        .orderBy('seq')
        .limit(slot('limit')),
    ),
    content: prepare<{ list_seq: number }, ContentRow>((q, slot) =>
      q.selectFrom('inventory_list_content').select(['rules', 'entries']).where('list_seq', '=', slot('list_seq')),
    ),
    insert: prepare<ListColumns>((q, slot) =>
      q
        .insertInto('inventory_list')
        .values(slot.each('owner', 'account_id', 'kind', 'list_id', 'name', 'token_digest', 'doc')),
    ),
    update: prepare<{ seq: number; name: string; doc: string }>((q, slot) =>
      q.updateTable('inventory_list').set(slot.each('name', 'doc')).where('seq', '=', slot('seq')),
    ),
    saveContent: prepare<ContentRow & { list_seq: number; owner: string }>((q, slot) =>
      q
        .insertInto('inventory_list_content')
        .values(slot.each('list_seq', 'owner', 'rules', 'entries'))
        .onConflict((c) => c.column('list_seq').doUpdateSet(slot.each('rules', 'entries'))),
    ),
    remove: prepare<{ seq: number }>((q, slot) => q.deleteFrom('inventory_list').where('seq', '=', slot('seq'))),
    removeContent: prepare<{ list_seq: number }>((q, slot) =>
      q.deleteFrom('inventory_list_content').where('list_seq', '=', slot('list_seq')),
    ),
  };
}

/** The compiled statements on lists. */
type InventoryListStatements = ReturnType<typeof inventoryListStatements>;

/** Reads the property and collection lists of a governance agent. */
export class InventoryListReader {
  readonly #tx: Reading;
  readonly #statements: InventoryListStatements;
  readonly #sealed: Sealed;

  constructor(tx: Reading, statements: InventoryListStatements, sealed: Sealed) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  async find(owner: string, kind: ListKind, list_id: string): Promise<InventoryListRow | undefined> {
    return this.#row(await this.#tx.one(this.#statements.byId, { owner, kind, list_id }));
  }

  /** Returns the list that a token opens, whoever shows it. */
  async findByToken(kind: ListKind, list_id: string, token_digest: string): Promise<InventoryListRow | undefined> {
    return this.#row(await this.#tx.one(this.#statements.byToken, { kind, list_id, token_digest }));
  }

  /** Returns a page of lists, oldest first, with one to spare. */
  async page(scope: Scope, filter: ListFilter, page: Page): Promise<readonly InventoryListRow[]> {
    const rows = await this.#tx.all(this.#statements.page(scope, filter, page), {});
    return rows.flatMap((row) => this.#row(row) ?? []);
  }

  /** Returns the next lists of all owners after a row. */
  async ofAll(after: number, limit: number): Promise<readonly InventoryListRow[]> {
    const rows = await this.#tx.all(this.#statements.ofAll, { after, limit });
    return rows.flatMap((row) => this.#row(row) ?? []);
  }

  /** Returns what a list is made of and holds. */
  async content(list_seq: number): Promise<ListContent> {
    const row = await this.#tx.one(this.#statements.content, { list_seq });
    if (row === undefined) return { rules: {}, entries: [] };
    return { rules: JSON.parse(row.rules) as ListRules, entries: JSON.parse(row.entries) as readonly ResolvedEntry[] };
  }

  #row(row: StoredList | undefined): InventoryListRow | undefined {
    return row && { seq: row.seq, owner: row.owner, list: this.#sealed.lists.read(row.doc) };
  }
}

/** Reads and writes lists in one transaction. */
export class InventoryListWriter extends InventoryListReader {
  readonly #tx: Writing;
  readonly #statements: InventoryListStatements;
  readonly #sealed: Sealed;

  constructor(tx: Writing, statements: InventoryListStatements, sealed: Sealed) {
    super(tx, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Adds a list, and returns its row. `token_digest` is the SHA-256 of its token. */
  async insert(
    owner: string,
    list: InventoryList,
    content: ListContent,
    token_digest: string,
  ): Promise<InventoryListRow> {
    const { account_id, kind, list_id, name } = list;
    const doc = this.#sealed.lists.write(list);
    const columns = { owner, account_id, kind, list_id, name: name.toLowerCase(), token_digest, doc };
    this.#tx.write(this.#statements.insert, columns);
    const row = await this.find(owner, kind, list_id);
    if (row === undefined) throw new Error('a list that was stored is gone');
    this.#saveContent(row, content);
    return row;
  }

  /** Replaces a list, and what it is made of where that is given. */
  replace(row: InventoryListRow, content?: ListContent): void {
    const { list, seq } = row;
    this.#tx.write(this.#statements.update, {
      seq,
      name: list.name.toLowerCase(),
      doc: this.#sealed.lists.write(list),
    });
    if (content !== undefined) this.#saveContent(row, content);
  }

  /** Deletes a list; its token opens nothing from then on. */
  remove({ seq }: InventoryListRow): void {
    this.#tx.write(this.#statements.removeContent, { list_seq: seq });
    this.#tx.write(this.#statements.remove, { seq });
  }

  #saveContent({ owner, seq }: InventoryListRow, { rules, entries }: ListContent): void {
    this.#tx.write(this.#statements.saveContent, {
      list_seq: seq,
      owner,
      rules: JSON.stringify(rules),
      entries: JSON.stringify(entries),
    });
  }
}
