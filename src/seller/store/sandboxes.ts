import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { SellerTables } from './schema/schema.js';

/**
 * What is kept of a sandbox: how far its clock was turned, answers that were ordered in advance, and fixtures by their kind. Of
 * creatives and media buys only the ids: they are where all others are.
 */
export type SandboxKind =
  | 'clock'
  | 'arm'
  | 'product'
  | 'pricing_option'
  | 'creative_format'
  | 'plan'
  | 'creative'
  | 'media_buy';

/** One thing that is kept of an owner's sandbox, under a key that is unique within its kind. */
export type SandboxItem = {
  readonly owner: string;
  readonly kind: SandboxKind;
  readonly key: string;
  readonly doc: Readonly<Record<string, unknown>>;
};

/** What sandbox principals have arranged for themselves. */
export type SandboxReads = {
  /** Of all owners, in the order things came. */
  readonly all: () => Promise<SandboxItem[]>;
  readonly find: (owner: string, kind: SandboxKind, key: string) => Promise<SandboxItem | undefined>;
  /** When time next brings something about for an owner, after `afterMs`: a buy moves, a task ends, a report is due. */
  readonly nextDue: (owner: string, afterMs: number) => Promise<number | undefined>;
};
export type SandboxWrites = SandboxReads & {
  /** Inserts an item, or replaces the one with its key. */
  readonly save: (item: SandboxItem) => Promise<void>;
  readonly remove: (owner: string, kind: SandboxKind, key: string) => Promise<void>;
};

/** The repository of sandboxes over an engine. */
export function sandboxRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  type ByKey = { owner: string; kind: string; item_key: string };
  type Row = ByKey & { doc: string };
  const every = prepare<object, Row>((q) =>
    q.selectFrom('sandbox_item').select(['owner', 'kind', 'item_key', 'doc']).orderBy('seq'),
  );
  const byKey = prepare<ByKey, Row>((q, slot) =>
    q
      .selectFrom('sandbox_item')
      .select(['owner', 'kind', 'item_key', 'doc'])
      .where('owner', '=', slot('owner'))
      .where('kind', '=', slot('kind'))
      .where('item_key', '=', slot('item_key')),
  );
  const upsert = prepare<Row>((q, slot) =>
    q
      .insertInto('sandbox_item')
      .values({ owner: slot('owner'), kind: slot('kind'), item_key: slot('item_key'), doc: slot('doc') } as never)
      .onConflict((c) => c.columns(['owner', 'kind', 'item_key']).doUpdateSet({ doc: slot('doc') })),
  );
  const drop = prepare<ByKey>((q, slot) =>
    q
      .deleteFrom('sandbox_item')
      .where('owner', '=', slot('owner'))
      .where('kind', '=', slot('kind'))
      .where('item_key', '=', slot('item_key')),
  );

  const dues = (['media_buy', 'task', 'report_stream'] as const).map((name) =>
    prepare<{ owner: string; after: number }, { due_at: number | null }>((q, slot) =>
      q
        .selectFrom(name)
        .select('due_at')
        .where('owner', '=', slot('owner'))
        .where('due_at', '>', slot('after'))
        .orderBy('due_at')
        .limit(1),
    ),
  );

  const reads = (tx: Reading): SandboxReads => ({
    all: async () => (await tx.all(every, {})).map(decode),
    find: async (owner, kind, item_key) => {
      const row = await tx.one(byKey, { owner, kind, item_key });
      return row === undefined ? undefined : decode(row);
    },
    nextDue: async (owner, after) => {
      const rows = await Promise.all(dues.map((due) => tx.one(due, { owner, after })));
      const found = rows.flatMap((row) => row?.due_at ?? []);
      return found.length === 0 ? undefined : Math.min(...found);
    },
  });

  const writes = (tx: Writing): SandboxWrites => ({
    ...reads(tx),
    save: async ({ owner, kind, key, doc }) => {
      await tx.run(upsert, { owner, kind, item_key: key, doc: JSON.stringify(doc) });
    },
    remove: async (owner, kind, item_key) => {
      await tx.run(drop, { owner, kind, item_key });
    },
  });
  return { reads, writes };
}

function decode({ owner, kind, item_key, doc }: { owner: string; kind: string; item_key: string; doc: string }) {
  return { owner, kind: kind as SandboxKind, key: item_key, doc: JSON.parse(doc) as SandboxItem['doc'] };
}
