import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow, parseDoc } from '../../../platform/database/statement.js';
import { DAY_MS } from '../../../platform/kernel/clock.js';
import type { OauthGrant } from '../../domain/tenant/grant.js';
import type { SellerTables } from '../schema/schema.js';

/** Most grants of a principal. */
const MAX_GRANTS = 200;
/** Most rows that one insert makes room by. */
const MAX_EVICTED = 100;
/** How long the spend of a day is remembered after the day. */
const SPEND_STAYS_MS = DAY_MS;

type GrantRow = Pick<OauthGrant, 'grant_id' | 'tenant' | 'principal' | 'expires_at'> & DocRow;
type DaySpend = { readonly grant_id: string; readonly day: number };

/** Returns the statements on grants, compiled for an engine. */
export function oauthGrantStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ grant_id: string }, DocRow>((q, slot) =>
      q.selectFrom('oauth_grant').select('doc').where('grant_id', '=', slot('grant_id')),
    ),
    list: prepare<{ limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('oauth_grant')
        .select('doc')
        .orderBy('tenant')
        .orderBy('principal')
        .orderBy('expires_at', 'desc')
        .limit(slot('limit')),
    ),
    insert: prepare<GrantRow>((q, slot) =>
      q.insertInto('oauth_grant').values(slot.each('grant_id', 'tenant', 'principal', 'expires_at', 'doc')),
    ),
    makeRoom: prepare<{ tenant: string; principal: string; most: number; limit: number }>((q, slot) =>
      q
        .deleteFrom('oauth_grant')
        .where(
          'grant_id',
          'in',
          q
            .selectFrom('oauth_grant')
            .select('grant_id')
            .where('tenant', '=', slot('tenant'))
            .where('principal', '=', slot('principal'))
            .orderBy('expires_at', 'desc')
            .limit(slot('limit'))
            .offset(slot('most')),
        ),
    ),
    remove: prepare<{ grant_id: string }>((q, slot) =>
      q.deleteFrom('oauth_grant').where('grant_id', '=', slot('grant_id')),
    ),
    spent: prepare<DaySpend, { cents: number }>((q, slot) =>
      q
        .selectFrom('oauth_spend')
        .select('cents')
        .where('grant_id', '=', slot('grant_id'))
        .where('day', '=', slot('day')),
    ),
    spend: prepare<DaySpend & { cents: number; ends_at: number }>((q, slot) =>
      q
        .insertInto('oauth_spend')
        .values(slot.each('grant_id', 'day', 'cents', 'ends_at'))
        .onConflict((c) =>
          c.columns(['grant_id', 'day']).doUpdateSet((eb) => ({ cents: eb('oauth_spend.cents', '+', slot('cents')) })),
        ),
    ),
  };
}

/** The compiled statements on grants. */
type OauthGrantStatements = ReturnType<typeof oauthGrantStatements>;

/** Reads what clients were let do. */
export class OauthGrantReader {
  readonly #tx: Reading;
  readonly #statements: OauthGrantStatements;

  constructor(tx: Reading, statements: OauthGrantStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns a grant, also one that has ended. */
  async find(grant_id: string): Promise<OauthGrant | undefined> {
    return parseDoc<OauthGrant>(await this.#tx.one(this.#statements.byId, { grant_id }));
  }

  /** Returns the first grants, by tenant and principal. */
  async list(limit: number): Promise<readonly OauthGrant[]> {
    return (await this.#tx.all(this.#statements.list, { limit })).map((row) => parseDoc<OauthGrant>(row));
  }

  /** Returns what was committed under a grant on the day of a moment (ms), in hundredths. */
  async spent(grant_id: string, atMs: number): Promise<number> {
    return (await this.#tx.one(this.#statements.spent, { grant_id, day: dayOf(atMs) }))?.cents ?? 0;
  }
}

/** Reads and writes what clients were let do, in one transaction. */
export class OauthGrantWriter extends OauthGrantReader {
  readonly #tx: Writing;
  readonly #statements: OauthGrantStatements;

  constructor(tx: Writing, statements: OauthGrantStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts a grant; those of its principal that end first make room. */
  async add(grant: OauthGrant): Promise<void> {
    const { expires_at, grant_id, principal, tenant } = grant;
    await this.#tx.run(this.#statements.insert, {
      grant_id,
      tenant,
      principal,
      expires_at,
      doc: JSON.stringify(grant),
    });
    await this.#tx.run(this.#statements.makeRoom, { tenant, principal, most: MAX_GRANTS, limit: MAX_EVICTED });
  }

  /** Returns whether there was such a grant. */
  async remove(grant_id: string): Promise<boolean> {
    return (await this.#tx.run(this.#statements.remove, { grant_id })) > 0;
  }

  /** Counts what was committed under a grant to the day of a moment (ms), in hundredths. */
  async spend(grant_id: string, atMs: number, cents: number): Promise<void> {
    const day = dayOf(atMs);
    await this.#tx.run(this.#statements.spend, { grant_id, day, cents, ends_at: day + DAY_MS + SPEND_STAYS_MS });
  }
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}
