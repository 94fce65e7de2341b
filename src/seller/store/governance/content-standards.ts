import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow, parseDoc } from '../../../platform/database/statement.js';
import type { ContentScope, ContentStandard } from '../../domain/content/standard.js';
import type { SellerTables } from '../schema/schema.js';

type StandardKey = { owner: string; standards_id: string };

/** A standard's place in the list of its owner, and where it applies. */
type ScopeRow = { readonly seq: number; readonly standards_id: string; readonly scope: ContentScope };

/** Returns the statements on content standards, compiled for an engine. */
export function contentStandardStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<StandardKey, DocRow>((q, slot) =>
      q
        .selectFrom('content_standard')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'standards_id'))),
    ),
    scopes: prepare<{ owner: string; after: number }, { seq: number; standards_id: string; scope: string }>((q, slot) =>
      q
        .selectFrom('content_standard')
        .select(['seq', 'standards_id', 'scope'])
        .where('owner', '=', slot('owner'))
        .where('seq', '>', slot('after'))
        .orderBy('seq'),
    ),
    save: prepare<StandardKey & { scope: string; doc: string }>((q, slot) =>
      q
        .insertInto('content_standard')
        .values(slot.each('owner', 'standards_id', 'scope', 'doc'))
        .onConflict((c) => c.columns(['owner', 'standards_id']).doUpdateSet(slot.each('scope', 'doc'))),
    ),
  };
}

/** The compiled statements on content standards. */
type ContentStandardStatements = ReturnType<typeof contentStandardStatements>;

/** Reads the content standards of an owner. */
export class ContentStandardReader {
  readonly #tx: Reading;
  readonly #statements: ContentStandardStatements;

  constructor(tx: Reading, statements: ContentStandardStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  async find(owner: string, standards_id: string): Promise<ContentStandard | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { owner, standards_id });
    return row && parseDoc<ContentStandard>(row);
  }

  /** Returns where each standard after row `after` applies, oldest first; the quota bounds them. */
  async scopes(owner: string, after = 0): Promise<readonly ScopeRow[]> {
    const rows = await this.#tx.all(this.#statements.scopes, { owner, after });
    return rows.map(({ scope, ...row }) => ({ ...row, scope: JSON.parse(scope) as ContentScope }));
  }
}

/** Reads and writes content standards in one transaction. */
export class ContentStandardWriter extends ContentStandardReader {
  readonly #tx: Writing;
  readonly #statements: ContentStandardStatements;

  constructor(tx: Writing, statements: ContentStandardStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts a standard, or replaces the one with its id. */
  save(owner: string, standard: ContentStandard): void {
    const { standards_id, scope } = standard;
    this.#tx.write(this.#statements.save, {
      owner,
      standards_id,
      scope: JSON.stringify(scope),
      doc: JSON.stringify(standard),
    });
  }
}
