import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { GovernanceAgent } from '../domain/governance/governance.js';
import type { GovernanceApproval } from '../domain/governance/verdict.js';
import type { SellerTables } from './schema/schema.js';

/** Who decides about the spending of an owner's accounts, and what was decided. */
export type GovernanceReads = {
  /** Whether any account of the owner has an agent. */
  readonly isUsed: (owner: string) => Promise<boolean>;
  readonly agentOf: (owner: string, accountId: string) => Promise<GovernanceAgent | undefined>;
  /** What was last let through about a media buy or signal. */
  readonly lastApproval: (
    owner: string,
    accountId: string,
    reference: string,
  ) => Promise<GovernanceApproval | undefined>;
};
export type GovernanceWrites = GovernanceReads & {
  /** The agent of an account from now on, in place of any other. */
  readonly appoint: (owner: string, accountId: string, agent: GovernanceAgent) => Promise<void>;
  /** Keeps what a commitment was let through by, for good. */
  readonly record: (
    owner: string,
    accountId: string,
    reference: string,
    decidedAt: number,
    approval: GovernanceApproval,
  ) => Promise<void>;
};

/** The repository of governance over an engine. */
export function governanceRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  type Of = { owner: string; account_id: string };
  type About = Of & { reference: string };
  const used = prepare<{ owner: string }, { seq: number }>((q, slot) =>
    q.selectFrom('governance_agent').select('seq').where('owner', '=', slot('owner')).limit(1),
  );
  const byAccount = prepare<Of, { doc: string }>((q, slot) =>
    q
      .selectFrom('governance_agent')
      .select('doc')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id')),
  );
  const upsert = prepare<Of & { doc: string }>((q, slot) =>
    q
      .insertInto('governance_agent')
      .values({ owner: slot('owner'), account_id: slot('account_id'), doc: slot('doc') } as never)
      .onConflict((c) => c.columns(['owner', 'account_id']).doUpdateSet({ doc: slot('doc') })),
  );
  const last = prepare<About, { doc: string }>((q, slot) =>
    q
      .selectFrom('governance_approval')
      .select('doc')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .where('reference', '=', slot('reference'))
      .orderBy('seq', 'desc')
      .limit(1),
  );
  const insert = prepare<About & { decided_at: number; doc: string }>((q, slot) =>
    q.insertInto('governance_approval').values({
      owner: slot('owner'),
      account_id: slot('account_id'),
      reference: slot('reference'),
      decided_at: slot('decided_at'),
      doc: slot('doc'),
    } as never),
  );

  const reads = (tx: Reading): GovernanceReads => ({
    isUsed: async (owner) => (await tx.one(used, { owner })) !== undefined,
    agentOf: async (owner, account_id) => decode<GovernanceAgent>(await tx.one(byAccount, { owner, account_id })),
    lastApproval: async (owner, account_id, reference) =>
      decode<GovernanceApproval>(await tx.one(last, { owner, account_id, reference })),
  });
  const writes = (tx: Writing): GovernanceWrites => ({
    ...reads(tx),
    appoint: async (owner, account_id, agent) => {
      await tx.run(upsert, { owner, account_id, doc: JSON.stringify(agent) });
    },
    record: async (owner, account_id, reference, decided_at, approval) => {
      await tx.run(insert, { owner, account_id, reference, decided_at, doc: JSON.stringify(approval) });
    },
  });
  return { reads, writes };
}

function decode<Doc>(row: { doc: string } | undefined): Doc | undefined {
  return row === undefined ? undefined : (JSON.parse(row.doc) as Doc);
}
