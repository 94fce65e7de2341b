import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { PortalLink } from '../../domain/console/portal-link.js';
import type { SellerTables } from '../schema/schema.js';

type LinkRow = SellerTables['portal_link'];

const COLUMNS = ['link_id', 'owner', 'created_by', 'created_at', 'expires_at', 'revoked_at'] as const;

/** Returns the statements on the links of the portal, compiled for an engine. */
export function portalLinkStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ link_id: string }, LinkRow>((q, slot) =>
      q
        .selectFrom('portal_link')
        .select([...COLUMNS])
        .where('link_id', '=', slot('link_id')),
    ),
    list: prepare<{ limit: number }, LinkRow>((q, slot) =>
      q
        .selectFrom('portal_link')
        .select([...COLUMNS])
        .orderBy('created_at', 'desc')
        .orderBy('link_id')
        .limit(slot('limit')),
    ),
    insert: prepare<LinkRow>((q, slot) => q.insertInto('portal_link').values(slot.each(...COLUMNS))),
    revoke: prepare<{ link_id: string; revoked_at: number }>((q, slot) =>
      q.updateTable('portal_link').set(slot.each('revoked_at')).where('link_id', '=', slot('link_id')),
    ),
  };
}

/** The compiled statements on the links of the portal. */
type PortalLinkStatements = ReturnType<typeof portalLinkStatements>;

/** Reads the links by which buyers look at their own things. */
export class PortalLinkReader {
  readonly #tx: Reading;
  readonly #statements: PortalLinkStatements;

  constructor(tx: Reading, statements: PortalLinkStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns a link by its id, also one that holds no more. */
  find(link_id: string): Promise<PortalLink | undefined> {
    return this.#tx.one(this.#statements.byId, { link_id });
  }

  /** Returns the newest links of every buyer. */
  list(limit: number): Promise<PortalLink[]> {
    return this.#tx.all(this.#statements.list, { limit });
  }
}

/** Reads and writes the links of the portal in one transaction. */
export class PortalLinkWriter extends PortalLinkReader {
  readonly #tx: Writing;
  readonly #statements: PortalLinkStatements;

  constructor(tx: Writing, statements: PortalLinkStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  async add(link: PortalLink): Promise<void> {
    await this.#tx.run(this.#statements.insert, link);
  }

  async revoke(link_id: string, revoked_at: number): Promise<void> {
    await this.#tx.run(this.#statements.revoke, { link_id, revoked_at });
  }
}
