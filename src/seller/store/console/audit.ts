import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, once } from '../../../platform/database/statement.js';
import type { Page } from '../../../platform/kernel/cursor.js';
import type { SellerTables } from '../schema/schema.js';

/** How far an act is: it was asked for, it was done, or it was refused. */
type AuditPhase = 'begun' | 'done' | 'refused';

/** An act of a person. `at` in ms since the epoch; `detail` is what was asked for, or why it was refused. */
type AuditEntry = {
  readonly act_id: string;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  /** The id of what was acted on. */
  readonly subject: string;
  readonly phase: AuditPhase;
  readonly detail: string;
};

/** An entry with its position in the log. */
type AuditRow = AuditEntry & { readonly seq: number };

/** Narrows the log; absent means any. */
type AuditFilter = { readonly actor?: string | undefined; readonly action?: string | undefined };

const COLUMNS = ['act_id', 'at', 'actor', 'action', 'subject', 'phase', 'detail'] as const;

/** Returns the statements on the log of what people did, compiled for an engine. */
export function auditStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    add: prepare<AuditEntry>((q, slot) => q.insertInto('audit_entry').values(slot.each(...COLUMNS))),
    list: (page: Page, { action, actor }: AuditFilter) =>
      once(
        db
          .selectFrom('audit_entry')
          .select(['seq', ...COLUMNS])
          // What began and ended shows by its end.
          .where((is) =>
            is.or([
              is('phase', '<>', 'begun'),
              is.not(
                is.exists(
                  is
                    .selectFrom('audit_entry as later')
                    .select('later.seq')
                    .whereRef('later.act_id', '=', 'audit_entry.act_id')
                    .where('later.phase', '<>', 'begun'),
                ),
              ),
            ]),
          )
          .$if(page.after !== undefined, (q) => q.where('seq', '<', page.after ?? 0))
          .$if(actor !== undefined, (q) => q.where('actor', '=', actor ?? ''))
          .$if(action !== undefined, (q) => q.where('action', '=', action ?? ''))
          .orderBy('seq', 'desc')
          .limit(page.limit + 1)
          .$castTo<AuditRow>(),
      ),
    about: prepare<{ subject: string; limit: number }, AuditRow>((q, slot) =>
      q
        .selectFrom('audit_entry')
        .select(['seq', ...COLUMNS])
        .where('subject', '=', slot('subject'))
        .where('phase', '<>', 'begun')
        .orderBy('seq', 'desc')
        .limit(slot('limit'))
        .$castTo<AuditRow>(),
    ),
  };
}

/** The compiled statements on the log of what people did. */
type AuditStatements = ReturnType<typeof auditStatements>;

/** Reads what people did. */
export class AuditReader {
  readonly #tx: Reading;
  readonly #statements: AuditStatements;

  constructor(tx: Reading, statements: AuditStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns the newest first, one row more than the page asks for where there is one. */
  list(page: Page, filter: AuditFilter): Promise<AuditRow[]> {
    return this.#tx.all(this.#statements.list(page, filter), {});
  }

  /** Returns what was done about one thing, the newest first. */
  about(subject: string, limit: number): Promise<AuditRow[]> {
    return this.#tx.all(this.#statements.about, { subject, limit });
  }
}

/** Adds to what people did: nothing of it is ever changed. */
export class AuditWriter extends AuditReader {
  readonly #tx: Writing;
  readonly #statements: AuditStatements;

  constructor(tx: Writing, statements: AuditStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  async add(entry: AuditEntry): Promise<void> {
    await this.#tx.run(this.#statements.add, entry);
  }
}
