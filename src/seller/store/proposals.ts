import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, once } from '../../platform/database/statement.js';
import type { StoredProposal } from '../domain/proposal/proposal.js';
import type { SellerTables } from './schema/schema.js';

/** Proposals that buyers were shown (facts D.10). */
export type ProposalReads = {
  /** The owner's proposals among these ids; somebody else's are not there. */
  readonly find: (owner: string, ids: readonly string[]) => Promise<ReadonlyMap<string, StoredProposal>>;
  /** A number that is another one after each change of the owner's proposals; counted in this process, which alone holds the store. */
  readonly version: (owner: string) => number;
};
export type ProposalWrites = ProposalReads & {
  /** Keeps a proposal for an owner as it stands now. */
  readonly save: (owner: string, kept: StoredProposal) => Promise<void>;
  /** Forgets what became of a proposal. */
  readonly remove: (owner: string, proposalId: string) => Promise<void>;
};

/** The repository of proposals over an engine. */
export function proposalRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const versions = new Map<string, number>();
  const version = (owner: string): number => versions.get(owner) ?? 0;
  const changes = (tx: Writing, owner: string): void => tx.onCommit(() => void versions.set(owner, version(owner) + 1));
  type Of = { owner: string; proposal_id: string };
  const upsert = prepare<Of & { doc: string }>((q, slot) =>
    q
      .insertInto('proposal')
      .values({ owner: slot('owner'), proposal_id: slot('proposal_id'), doc: slot('doc') } as never)
      .onConflict((c) => c.columns(['owner', 'proposal_id']).doUpdateSet({ doc: slot('doc') })),
  );
  const drop = prepare<Of>((q, slot) =>
    q.deleteFrom('proposal').where('owner', '=', slot('owner')).where('proposal_id', '=', slot('proposal_id')),
  );

  const reads = (tx: Reading): ProposalReads => ({
    version,
    find: async (owner, ids) => {
      if (ids.length === 0) return new Map();
      const query = db
        .selectFrom('proposal')
        .select(['proposal_id', 'doc'])
        .where('owner', '=', owner)
        .where('proposal_id', 'in', [...ids]);
      const rows = await tx.all(once(query), {});
      return new Map(rows.map(({ proposal_id, doc }) => [proposal_id, JSON.parse(doc) as StoredProposal]));
    },
  });
  const writes = (tx: Writing): ProposalWrites => ({
    ...reads(tx),
    save: async (owner, kept) => {
      await tx.run(upsert, { owner, proposal_id: kept.proposal.proposal_id, doc: JSON.stringify(kept) });
      changes(tx, owner);
    },
    remove: async (owner, proposal_id) => {
      await tx.run(drop, { owner, proposal_id });
      changes(tx, owner);
    },
  });
  return { reads, writes };
}
