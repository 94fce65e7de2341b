import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, once, parseDoc } from '../../platform/database/statement.js';
import { ownerOf, type Scope } from '../domain/account/scope.js';
import { type StoredProposal, writtenKey } from '../domain/proposal/proposal.js';
import type { SellerTables } from './schema/schema.js';
import type { Versions } from './shared/versions.js';

type ProposalId = { owner: string; account_key: string; proposal_id: string };

/** Returns the statements on proposals, compiled for an engine. */
export function proposalStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    save: prepare<ProposalId & { expires_at: number | null; doc: string }>((q, slot) =>
      q
        .insertInto('proposal')
        .values(slot.each('owner', 'account_key', 'proposal_id', 'expires_at', 'doc'))
        .onConflict((c) =>
          c.columns(['owner', 'proposal_id', 'account_key']).doUpdateSet(slot.each('expires_at', 'doc')),
        ),
    ),
    find: (scope: Scope, ids: readonly string[]) => {
      const rows = db
        .selectFrom('proposal')
        .select(['proposal_id', 'account_key', 'doc'])
        .where('owner', '=', ownerOf(scope))
        .where('proposal_id', 'in', [...ids])
        .orderBy('account_key');
      return once(typeof scope === 'string' ? rows : rows.where('account_key', 'in', ['', writtenKey(scope, {})]));
    },
  };
}

/** The compiled statements on proposals. */
type ProposalStatements = ReturnType<typeof proposalStatements>;

/** Proposals by id, and the ids that several accounts have one of. */
type MatchedProposals = {
  readonly proposals: ReadonlyMap<string, StoredProposal>;
  readonly ambiguous: ReadonlySet<string>;
};

/** Reads the proposals that buyers were shown. */
export class ProposalReader {
  readonly #tx: Reading;
  readonly #statements: ProposalStatements;
  readonly #versions: Versions;

  constructor(tx: Reading, statements: ProposalStatements, versions: Versions) {
    this.#tx = tx;
    this.#statements = statements;
    this.#versions = versions;
  }

  /**
   * Returns the proposals of a scope among these ids; of several with one id the account's own comes before that of all accounts. Where
   * the scope is all accounts and several have one, `ambiguous` has its id.
   */
  async find(scope: Scope, ids: readonly string[]): Promise<MatchedProposals> {
    const proposals = new Map<string, StoredProposal>();
    const ambiguous = new Set<string>();
    const rows = ids.length === 0 ? [] : await this.#tx.all(this.#statements.find(scope, ids), {});
    for (const { proposal_id: id, account_key, doc } of rows) {
      const earlier = proposals.get(id);
      if (typeof scope === 'string' && earlier !== undefined) {
        if (earlier.account_key !== '') ambiguous.add(id);
      } else proposals.set(id, { ...parseDoc<StoredProposal>({ doc }), account_key });
    }
    return { proposals, ambiguous };
  }

  /** Returns a text that is another one after each change of the owner's proposals. */
  version(owner: string): string | Promise<string> {
    return this.#versions.get(this.#tx, 'proposal', owner);
  }
}

/** Reads and writes proposals in one transaction. */
export class ProposalWriter extends ProposalReader {
  readonly #tx: Writing;
  readonly #statements: ProposalStatements;
  readonly #versions: Versions;

  constructor(tx: Writing, statements: ProposalStatements, versions: Versions) {
    super(tx, statements, versions);
    this.#tx = tx;
    this.#statements = statements;
    this.#versions = versions;
  }

  /** Inserts a proposal, or replaces the one with its id: that of the account, or the one that was read where the scope is all accounts. */
  async save(scope: Scope, { account_key: readFrom, ...stored }: StoredProposal): Promise<void> {
    const { proposal_id, expires_at: end } = stored.proposal;
    const owner = ownerOf(scope);
    const account_key = writtenKey(scope, { account_key: readFrom });
    const expires_at = end === undefined || stored.media_buy_id !== undefined ? null : Date.parse(end);
    this.#tx.write(this.#statements.save, {
      ...{ owner, account_key, proposal_id, expires_at },
      doc: JSON.stringify(stored),
    });
    this.#versions.countOnCommit(this.#tx, 'proposal', owner);
  }
}
