import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow, parseDoc } from '../../../platform/database/statement.js';
import { type BuildVariant, digestDrawn } from '../../domain/creative/build-variant.js';
import type { SellerTables } from '../schema/schema.js';

type VariantKey = { owner: string; build_variant_id: string };

/** Returns the statements on creatives that were built, compiled for an engine. */
export function buildVariantStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<VariantKey & { now: number }, DocRow>((q, slot) =>
      q
        .selectFrom('build_variant')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'build_variant_id')))
        .where('expires_at', '>', slot('now')),
    ),
    byDrawn: prepare<{ owner: string; drawn: string; now: number }, DocRow>((q, slot) =>
      q
        .selectFrom('build_variant')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'drawn')))
        .where('expires_at', '>', slot('now'))
        .orderBy('seq', 'desc')
        .limit(1),
    ),
    insert: prepare<VariantKey & { expires_at: number; doc: string; drawn: string | null }>((q, slot) =>
      q.insertInto('build_variant').values(slot.each('owner', 'build_variant_id', 'expires_at', 'doc', 'drawn')),
    ),
  };
}

/** The compiled statements on creatives that were built. */
type BuildVariantStatements = ReturnType<typeof buildVariantStatements>;

/** Reads creatives that were built for an owner. */
export class BuildVariantReader {
  readonly #tx: Reading;
  readonly #statements: BuildVariantStatements;

  constructor(tx: Reading, statements: BuildVariantStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns a variant that has not expired by `now` (ms). */
  async find(owner: string, build_variant_id: string, now: number): Promise<BuildVariant | undefined> {
    return parseDoc<BuildVariant>(await this.#tx.one(this.#statements.byId, { owner, build_variant_id, now }));
  }

  /** Returns the newest variant of an owner with this digest of what was drawn for it (see `digestDrawn`), that has not expired by `now` (ms). */
  async findDrawn(owner: string, drawn: string, now: number): Promise<BuildVariant | undefined> {
    return parseDoc<BuildVariant>(await this.#tx.one(this.#statements.byDrawn, { owner, drawn, now }));
  }
}

/** Reads and stores creatives that were built, in one transaction. */
export class BuildVariantWriter extends BuildVariantReader {
  readonly #tx: Writing;
  readonly #statements: BuildVariantStatements;

  constructor(tx: Writing, statements: BuildVariantStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Stores a variant until `expires_at` (ms), to be found by what was drawn for it too. */
  add(owner: string, variant: BuildVariant, expires_at: number): void {
    const { build_variant_id, manifest, source } = variant;
    const drawn = digestDrawn(manifest, source) ?? null;
    this.#tx.write(this.#statements.insert, {
      owner,
      build_variant_id,
      expires_at,
      doc: JSON.stringify(variant),
      drawn,
    });
  }
}
