import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { ConsoleSession, Role, SessionOrigin } from '../../domain/console/access.js';
import type { SellerTables } from '../schema/schema.js';

type StoredSession = SellerTables['console_session'];

const COLUMNS = ['digest', 'actor', 'origin', 'role', 'created_at', 'seen_at', 'expires_at'] as const;

/** Returns the statements on the sessions of the console, compiled for an engine. */
export function consoleSessionStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byDigest: prepare<{ digest: string }, StoredSession>((q, slot) =>
      q
        .selectFrom('console_session')
        .select([...COLUMNS])
        .where('digest', '=', slot('digest')),
    ),
    insert: prepare<StoredSession>((q, slot) => q.insertInto('console_session').values(slot.each(...COLUMNS))),
    touch: prepare<{ digest: string; seen_at: number; expires_at: number }>((q, slot) =>
      q.updateTable('console_session').set(slot.each('seen_at', 'expires_at')).where('digest', '=', slot('digest')),
    ),
    end: prepare<{ digest: string }>((q, slot) => q.deleteFrom('console_session').where('digest', '=', slot('digest'))),
    endOf: prepare<{ actor: string }>((q, slot) => q.deleteFrom('console_session').where('actor', '=', slot('actor'))),
    endOldest: prepare<{ actor: string; most: number }>((q, slot) =>
      q
        .deleteFrom('console_session')
        .where(
          'digest',
          'in',
          q
            .selectFrom('console_session')
            .select('digest')
            .where('actor', '=', slot('actor'))
            .orderBy('created_at', 'desc')
            .orderBy('digest')
            .limit(1000)
            .offset(slot('most')),
        ),
    ),
  };
}

/** The compiled statements on the sessions of the console. */
type ConsoleSessionStatements = ReturnType<typeof consoleSessionStatements>;

/** Reads who is signed in to the console. */
export class ConsoleSessionReader {
  readonly #tx: Reading;
  readonly #statements: ConsoleSessionStatements;

  constructor(tx: Reading, statements: ConsoleSessionStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns a session by the digest of its secret, also one that has ended. */
  async find(digest: string): Promise<ConsoleSession | undefined> {
    const row = await this.#tx.one(this.#statements.byDigest, { digest });
    return row && { ...row, origin: row.origin as SessionOrigin, role: row.role as Role };
  }
}

/** Reads and writes who is signed in to the console, in one transaction. */
export class ConsoleSessionWriter extends ConsoleSessionReader {
  readonly #tx: Writing;
  readonly #statements: ConsoleSessionStatements;

  constructor(tx: Writing, statements: ConsoleSessionStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Adds a session, and ends the oldest of the same person beyond `most`. */
  async add(session: ConsoleSession, most: number): Promise<void> {
    await this.#tx.run(this.#statements.insert, session);
    await this.#tx.run(this.#statements.endOldest, { actor: session.actor, most });
  }

  /** Notes when a session was used last, and when it ends by itself now. */
  async touch(digest: string, seen_at: number, expires_at: number): Promise<void> {
    await this.#tx.run(this.#statements.touch, { digest, seen_at, expires_at });
  }

  async end(digest: string): Promise<void> {
    await this.#tx.run(this.#statements.end, { digest });
  }

  /** Ends every session of somebody. */
  async endOf(actor: string): Promise<void> {
    await this.#tx.run(this.#statements.endOf, { actor });
  }
}
