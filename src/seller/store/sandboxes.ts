import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { SellerTables } from './schema/schema.js';
import type { VersionStatements } from './shared/versions.js';

/**
 * The kinds of things that are stored of a sandbox: how far its clock was advanced, answers that were ordered in advance, and
 * fixtures. Of creatives and media buys only the ids: the rest lies where all others do.
 */
export type SandboxKind =
  | 'clock'
  | 'arm'
  | 'product'
  | 'pricing_option'
  | 'creative_format'
  | 'signal'
  | 'plan'
  | 'creative'
  | 'media_buy';

/** One thing of an owner's sandbox, under a key that is unique within its kind. */
export type SandboxItem = {
  readonly owner: string;
  readonly kind: SandboxKind;
  readonly key: string;
  readonly doc: Readonly<Record<string, unknown>>;
};

type ItemKey = { owner: string; kind: string; item_key: string };
type StoredItem = ItemKey & { doc: string };

/** Returns the statements on sandboxes, compiled for an engine. */
export function sandboxStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const nextDueIn = (table: 'media_buy' | 'task' | 'report_stream' | 'content_stream') =>
    prepare<{ owner: string; after: number }, { due_at: number | null }>((q, slot) =>
      q
        .selectFrom(table)
        .select('due_at')
        .where('owner', '=', slot('owner'))
        .where('due_at', '>', slot('after'))
        .orderBy('due_at')
        .limit(1),
    );
  return {
    all: prepare<object, StoredItem>((q) =>
      q.selectFrom('sandbox_item').select(['owner', 'kind', 'item_key', 'doc']).orderBy('seq'),
    ),
    ofOwner: prepare<{ owner: string }, StoredItem>((q, slot) =>
      q
        .selectFrom('sandbox_item')
        .select(['owner', 'kind', 'item_key', 'doc'])
        .where('owner', '=', slot('owner'))
        .orderBy('seq'),
    ),
    byKey: prepare<ItemKey, StoredItem>((q, slot) =>
      q
        .selectFrom('sandbox_item')
        .select(['owner', 'kind', 'item_key', 'doc'])
        .where((is) => is.and(slot.each('owner', 'kind', 'item_key'))),
    ),
    save: prepare<StoredItem>((q, slot) =>
      q
        .insertInto('sandbox_item')
        .values(slot.each('owner', 'kind', 'item_key', 'doc'))
        .onConflict((c) => c.columns(['owner', 'kind', 'item_key']).doUpdateSet(slot.each('doc'))),
    ),
    remove: prepare<ItemKey>((q, slot) =>
      q.deleteFrom('sandbox_item').where((is) => is.and(slot.each('owner', 'kind', 'item_key'))),
    ),
    nextDues: [nextDueIn('media_buy'), nextDueIn('task'), nextDueIn('report_stream'), nextDueIn('content_stream')],
  };
}

/** The compiled statements on sandboxes. */
type SandboxStatements = ReturnType<typeof sandboxStatements> & { readonly versions: VersionStatements };

/** Reads what sandbox principals have arranged for themselves. */
export class SandboxReader {
  readonly #tx: Reading;
  readonly #statements: SandboxStatements;

  constructor(tx: Reading, statements: SandboxStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns the items of all owners, in the order they came. */
  async all(): Promise<SandboxItem[]> {
    return (await this.#tx.all(this.#statements.all, {})).map(parseItem);
  }

  /** Returns the items of an owner, in the order they came. */
  async ofOwner(owner: string): Promise<SandboxItem[]> {
    return (await this.#tx.all(this.#statements.ofOwner, { owner })).map(parseItem);
  }

  /** Returns the version of an owner's items in a shared database: it grows with each change, 0 where there was none. */
  async version(owner: string): Promise<number> {
    return (await this.#tx.one(this.#statements.versions.of, { noun: 'sandbox_item', owner }))?.version ?? 0;
  }

  /** Returns the versions of all owners in a shared database. */
  async versions(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#tx.all(this.#statements.versions.ofAll, { noun: 'sandbox_item' });
    return new Map(rows.map(({ owner, version }) => [owner, version]));
  }

  /** Returns the sum of those versions, which grows with each change of any. */
  async totalVersion(): Promise<number> {
    return (await this.#tx.one(this.#statements.versions.total, { noun: 'sandbox_item' }))?.total ?? 0;
  }

  async find(owner: string, kind: SandboxKind, item_key: string): Promise<SandboxItem | undefined> {
    const row = await this.#tx.one(this.#statements.byKey, { owner, kind, item_key });
    return row && parseItem(row);
  }

  /** Returns when time next changes something for an owner, after `after` (ms): a buy moves, a task ends, a report is due. */
  async nextDue(owner: string, after: number): Promise<number | undefined> {
    const rows = await Promise.all(this.#statements.nextDues.map((due) => this.#tx.one(due, { owner, after })));
    const dues = rows.flatMap((row) => row?.due_at ?? []);
    return dues.length === 0 ? undefined : Math.min(...dues);
  }
}

/** Reads and writes sandboxes in one transaction. */
export class SandboxWriter extends SandboxReader {
  readonly #tx: Writing;
  readonly #statements: SandboxStatements;

  constructor(tx: Writing, statements: SandboxStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts an item, or replaces the one with its key. */
  async save({ owner, kind, key, doc }: SandboxItem): Promise<void> {
    this.#tx.write(this.#statements.save, { owner, kind, item_key: key, doc: JSON.stringify(doc) });
  }

  async remove(owner: string, kind: SandboxKind, item_key: string): Promise<void> {
    this.#tx.write(this.#statements.remove, { owner, kind, item_key });
  }
}

function parseItem({ owner, kind, item_key, doc }: StoredItem): SandboxItem {
  return { owner, kind: kind as SandboxKind, key: item_key, doc: JSON.parse(doc) as SandboxItem['doc'] };
}
