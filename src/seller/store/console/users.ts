import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { ConsoleUser, Role } from '../../domain/console/access.js';
import type { SellerTables } from '../schema/schema.js';

type StoredUser = { name: string; role: string; verifier: string; created_at: number };

/** Returns the statements on the people who may use the console, compiled for an engine. */
export function consoleUserStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byName: prepare<{ name: string }, StoredUser>((q, slot) =>
      q.selectFrom('console_user').select(['name', 'role', 'verifier', 'created_at']).where('name', '=', slot('name')),
    ),
    list: prepare<object, StoredUser>((q) =>
      q.selectFrom('console_user').select(['name', 'role', 'verifier', 'created_at']).orderBy('name'),
    ),
    save: prepare<StoredUser>((q, slot) => {
      const values = slot.each('name', 'role', 'verifier', 'created_at');
      return q
        .insertInto('console_user')
        .values(values)
        .onConflict((c) => c.column('name').doUpdateSet(slot.each('role', 'verifier')));
    }),
    remove: prepare<{ name: string }>((q, slot) => q.deleteFrom('console_user').where('name', '=', slot('name'))),
  };
}

/** The compiled statements on the people of the console. */
type ConsoleUserStatements = ReturnType<typeof consoleUserStatements>;

/** Reads the people who may use the console. */
export class ConsoleUserReader {
  readonly #tx: Reading;
  readonly #statements: ConsoleUserStatements;

  constructor(tx: Reading, statements: ConsoleUserStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  async find(name: string): Promise<ConsoleUser | undefined> {
    const row = await this.#tx.one(this.#statements.byName, { name });
    return row && parseUser(row);
  }

  /** Returns everybody, by name. */
  async list(): Promise<readonly ConsoleUser[]> {
    return (await this.#tx.all(this.#statements.list, {})).map(parseUser);
  }
}

/** Reads and writes the people who may use the console, in one transaction. */
export class ConsoleUserWriter extends ConsoleUserReader {
  readonly #tx: Writing;
  readonly #statements: ConsoleUserStatements;

  constructor(tx: Writing, statements: ConsoleUserStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts somebody, or gives who is there another role and password. */
  async save(user: ConsoleUser): Promise<void> {
    await this.#tx.run(this.#statements.save, user);
  }

  /** Returns whether there was somebody of this name. */
  async remove(name: string): Promise<boolean> {
    return (await this.#tx.run(this.#statements.remove, { name })) > 0;
  }
}

function parseUser({ role, ...user }: StoredUser): ConsoleUser {
  return { ...user, role: role as Role };
}
