import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import type { SellerTables } from '../schema/schema.js';

/** Most rows of a kind: strangers begin sign-ins and register clients. */
const MAX_ITEMS_OF_MODEL = 10_000;
/** Most rows that one insert makes room by. */
const MAX_EVICTED = 100;

/** Something that the authorization server remembers. Times in ms since the epoch. */
export type OauthItem = {
  readonly model: string;
  readonly doc: Readonly<Record<string, unknown>>;
  /** When a code was exchanged, or a refresh token was rotated; null: not yet. */
  readonly consumed_at: number | null;
  readonly expires_at: number;
};

/** The keys that find an item, beside its id. */
type Marks = { readonly grantId?: string | undefined; readonly uid?: string | undefined };

type StoredItem = Omit<OauthItem, 'doc'> & { readonly doc: string };
type ItemRow = StoredItem & { readonly id: string; readonly grant_id: string | null; readonly uid: string | null };

const COLUMNS = ['model', 'doc', 'consumed_at', 'expires_at'] as const;

/** Returns the statements on what the authorization server remembers, compiled for an engine. */
export function oauthItemStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ id: string }, StoredItem>((q, slot) =>
      q
        .selectFrom('oauth_item')
        .select([...COLUMNS])
        .where('id', '=', slot('id')),
    ),
    byUid: prepare<{ model: string; uid: string }, StoredItem>((q, slot) =>
      q
        .selectFrom('oauth_item')
        .select([...COLUMNS])
        .where('uid', '=', slot('uid'))
        .where('model', '=', slot('model')),
    ),
    save: prepare<ItemRow>((q, slot) =>
      q
        .insertInto('oauth_item')
        .values(slot.each('id', 'model', 'grant_id', 'uid', 'doc', 'consumed_at', 'expires_at'))
        .onConflict((c) => c.column('id').doUpdateSet(slot.each('grant_id', 'uid', 'doc', 'expires_at'))),
    ),
    makeRoom: prepare<{ model: string; most: number; limit: number }>((q, slot) =>
      q
        .deleteFrom('oauth_item')
        .where(
          'id',
          'in',
          q
            .selectFrom('oauth_item')
            .select('id')
            .where('model', '=', slot('model'))
            .orderBy('expires_at', 'desc')
            .limit(slot('limit'))
            .offset(slot('most')),
        ),
    ),
    consume: prepare<{ id: string; at: number }>((q, slot) =>
      q
        .updateTable('oauth_item')
        .set({ consumed_at: slot('at') })
        .where('id', '=', slot('id'))
        .where('consumed_at', 'is', null),
    ),
    prolong: prepare<{ id: string; expires_at: number }>((q, slot) =>
      q
        .updateTable('oauth_item')
        .set(slot.each('expires_at'))
        .where('id', '=', slot('id'))
        .where('expires_at', '<', slot('expires_at')),
    ),
    remove: prepare<{ id: string }>((q, slot) => q.deleteFrom('oauth_item').where('id', '=', slot('id'))),
    removeOf: prepare<{ grant_id: string }>((q, slot) =>
      q.deleteFrom('oauth_item').where('grant_id', '=', slot('grant_id')),
    ),
  };
}

/** The compiled statements on what the authorization server remembers. */
type OauthItemStatements = ReturnType<typeof oauthItemStatements>;

/** Reads what the authorization server remembers. Ids are secrets, of which the digests alone are stored. */
export class OauthItemReader {
  readonly #tx: Reading;
  readonly #statements: OauthItemStatements;

  constructor(tx: Reading, statements: OauthItemStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns an item, also one that has ended. */
  async find(model: string, id: string): Promise<OauthItem | undefined> {
    return parseItem(await this.#tx.one(this.#statements.byId, { id: keyOf(model, id) }));
  }

  async findByUid(model: string, uid: string): Promise<OauthItem | undefined> {
    return parseItem(await this.#tx.one(this.#statements.byUid, { model, uid: keyOf(model, uid) }));
  }
}

/** Reads and writes what the authorization server remembers, in one transaction. */
export class OauthItemWriter extends OauthItemReader {
  readonly #tx: Writing;
  readonly #statements: OauthItemStatements;

  constructor(tx: Writing, statements: OauthItemStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts an item or replaces it; of a kind that is full those go that end first. */
  async save(id: string, { doc, ...item }: Omit<OauthItem, 'consumed_at'>, { grantId, uid }: Marks): Promise<void> {
    const { model } = item;
    await this.#tx.run(this.#statements.save, {
      ...item,
      id: keyOf(model, id),
      doc: JSON.stringify(doc),
      consumed_at: null,
      grant_id: grantId ?? null,
      uid: uid === undefined ? null : keyOf(model, uid),
    });
    await this.#tx.run(this.#statements.makeRoom, { model, most: MAX_ITEMS_OF_MODEL, limit: MAX_EVICTED });
  }

  /** Returns whether an item was used for the first time. */
  async consume(model: string, id: string, at: number): Promise<boolean> {
    return (await this.#tx.run(this.#statements.consume, { id: keyOf(model, id), at })) > 0;
  }

  /** Lets an item stay until a later moment (ms). */
  async prolong(model: string, id: string, expires_at: number): Promise<void> {
    await this.#tx.run(this.#statements.prolong, { id: keyOf(model, id), expires_at });
  }

  async remove(model: string, id: string): Promise<void> {
    await this.#tx.run(this.#statements.remove, { id: keyOf(model, id) });
  }

  /** Removes every code and token of a grant. */
  async removeOf(grantId: string): Promise<void> {
    await this.#tx.run(this.#statements.removeOf, { grant_id: grantId });
  }
}

function keyOf(model: string, id: string): string {
  return sha256Hex(`${model} ${id}`);
}

function parseItem(row: StoredItem | undefined): OauthItem | undefined {
  return row && { ...row, doc: JSON.parse(row.doc) };
}
