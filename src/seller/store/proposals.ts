import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, once } from '../../platform/database/statement.js';
import { DAY_MS } from '../../platform/kernel/clock.js';
import type { StoredProposal } from '../domain/proposal/proposal.js';
import { parseDoc } from './doc.js';
import type { SellerTables } from './schema/schema.js';

/** How long a proposal is known after its offer ended, so that an order of it is told why it is refused. */
const ENDED_MS = 90 * DAY_MS;
/** So many rows go in one transaction, so that others do not wait for long. */
const MAX_FORGOTTEN_PROPOSALS = 1000;

type ProposalId = { owner: string; proposal_id: string };

/** Returns the statements on proposals, compiled for an engine. */
export function proposalStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    save: prepare<ProposalId & { expires_at: number | null; doc: string }>((q, slot) =>
      q
        .insertInto('proposal')
        .values(slot.each('owner', 'proposal_id', 'expires_at', 'doc'))
        .onConflict((c) => c.columns(['owner', 'proposal_id']).doUpdateSet(slot.each('expires_at', 'doc'))),
    ),
    forget: prepare<{ before: number; limit: number }>((q, slot) =>
      q
        .deleteFrom('proposal')
        .where('seq', 'in', (from) =>
          from
            .selectFrom('proposal')
            .select('seq')
            .where('expires_at', '<=', slot('before'))
            .orderBy('expires_at')
            .limit(slot('limit')),
        ),
    ),
    find: (owner: string, ids: readonly string[]) =>
      once(
        db
          .selectFrom('proposal')
          .select(['proposal_id', 'doc'])
          .where('owner', '=', owner)
          .where('proposal_id', 'in', [...ids]),
      ),
  };
}

/** The compiled statements on proposals. */
export type ProposalStatements = ReturnType<typeof proposalStatements>;

/** Counts the changes of each owner's proposals in this process, which alone holds the store. */
export class ProposalVersions {
  readonly #versions = new Map<string, number>();

  get(owner: string): number {
    return this.#versions.get(owner) ?? 0;
  }

  /** Counts a change of an owner's proposals once it is on disk. */
  countOnCommit(tx: Writing, owner: string): void {
    tx.onCommit(() => void this.#versions.set(owner, this.get(owner) + 1));
  }
}

/** Reads the proposals that buyers were shown. */
export class ProposalReader {
  readonly #tx: Reading;
  readonly #statements: ProposalStatements;
  readonly #versions: ProposalVersions;

  constructor(tx: Reading, statements: ProposalStatements, versions: ProposalVersions) {
    this.#tx = tx;
    this.#statements = statements;
    this.#versions = versions;
  }

  /** Returns the owner's proposals among these ids; somebody else's are not there. */
  async find(owner: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredProposal>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#tx.all(this.#statements.find(owner, ids), {});
    return new Map(rows.map((row) => [row.proposal_id, parseDoc<StoredProposal>(row)]));
  }

  /** Returns a number that is another one after each change of the owner's proposals. */
  version(owner: string): number {
    return this.#versions.get(owner);
  }
}

/** Reads and writes proposals in one transaction. */
export class ProposalWriter extends ProposalReader {
  readonly #tx: Writing;
  readonly #statements: ProposalStatements;
  readonly #versions: ProposalVersions;

  constructor(tx: Writing, statements: ProposalStatements, versions: ProposalVersions) {
    super(tx, statements, versions);
    this.#tx = tx;
    this.#statements = statements;
    this.#versions = versions;
  }

  /** Inserts an owner's proposal, or replaces the one with its id. */
  async save(owner: string, stored: StoredProposal): Promise<void> {
    const { proposal_id, expires_at: end } = stored.proposal;
    const expires_at = end === undefined || stored.media_buy_id !== undefined ? null : Date.parse(end);
    await this.#tx.run(this.#statements.save, { owner, proposal_id, expires_at, doc: JSON.stringify(stored) });
    this.#versions.countOnCommit(this.#tx, owner);
  }

  /** Forgets the proposals, of all owners, whose offer ended long before `now` (ms); returns how many. */
  forgetEnded(now: number): Promise<number> {
    return this.#tx.run(this.#statements.forget, { before: now - ENDED_MS, limit: MAX_FORGOTTEN_PROPOSALS });
  }
}
