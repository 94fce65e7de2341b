import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow } from '../../../platform/database/statement.js';
import type { GovernanceAgent } from '../../domain/governance/governance.js';
import type { GovernanceApproval } from '../../domain/governance/verdict.js';
import type { SellerTables } from '../schema/schema.js';
import type { SealedColumns } from '../sealing/sealed.js';

type Sealed = Pick<SealedColumns, 'agents' | 'approvals'>;

/** A commitment of an account and its approval: `reference` is the media buy or signal, `decidedAt` in ms. */
type ApprovedCommitment = {
  readonly accountId: string;
  readonly reference: string;
  readonly decidedAt: number;
  readonly approval: GovernanceApproval;
};

type AccountId = { owner: string; account_id: string };
type ApprovalKey = AccountId & { reference: string };

/** Returns the statements on governance agents and approvals, compiled for an engine. */
export function governanceStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    anyAgent: prepare<{ owner: string }, { seq: number }>((q, slot) =>
      q.selectFrom('governance_agent').select('seq').where('owner', '=', slot('owner')).limit(1),
    ),
    agent: prepare<AccountId, DocRow>((q, slot) =>
      q
        .selectFrom('governance_agent')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'account_id'))),
    ),
    saveAgent: prepare<AccountId & { doc: string }>((q, slot) =>
      q
        .insertInto('governance_agent')
        .values(slot.each('owner', 'account_id', 'doc'))
        .onConflict((c) => c.columns(['owner', 'account_id']).doUpdateSet(slot.each('doc'))),
    ),
    lastApproval: prepare<ApprovalKey, DocRow>((q, slot) =>
      q
        .selectFrom('governance_approval')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'account_id', 'reference')))
        .orderBy('seq', 'desc')
        .limit(1),
    ),
    addApproval: prepare<ApprovalKey & { decided_at: number; doc: string }>((q, slot) =>
      q.insertInto('governance_approval').values(slot.each('owner', 'account_id', 'reference', 'decided_at', 'doc')),
    ),
  };
}

/** The compiled statements on governance. */
type GovernanceStatements = ReturnType<typeof governanceStatements>;

/** Reads who decides about the spending of an owner's accounts, and what was decided. */
export class GovernanceReader {
  readonly #tx: Reading;
  readonly #statements: GovernanceStatements;
  readonly #sealed: Sealed;

  constructor(tx: Reading, statements: GovernanceStatements, sealed: Sealed) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Returns whether any account of the owner has an agent. */
  async isUsed(owner: string): Promise<boolean> {
    return (await this.#tx.one(this.#statements.anyAgent, { owner })) !== undefined;
  }

  async findAgent(owner: string, account_id: string): Promise<GovernanceAgent | undefined> {
    const row = await this.#tx.one(this.#statements.agent, { owner, account_id });
    return row && this.#sealed.agents.read(row.doc);
  }

  /** Returns the last approval of a media buy or signal. */
  async lastApproval(owner: string, account_id: string, reference: string): Promise<GovernanceApproval | undefined> {
    const row = await this.#tx.one(this.#statements.lastApproval, { owner, account_id, reference });
    return row && this.#sealed.approvals.read(row.doc);
  }
}

/** Reads and writes governance agents and approvals in one transaction. */
export class GovernanceWriter extends GovernanceReader {
  readonly #tx: Writing;
  readonly #statements: GovernanceStatements;
  readonly #sealed: Sealed;

  constructor(tx: Writing, statements: GovernanceStatements, sealed: Sealed) {
    super(tx, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Makes `agent` the account's agent, instead of any other. */
  async saveAgent(owner: string, account_id: string, agent: GovernanceAgent): Promise<void> {
    this.#tx.write(this.#statements.saveAgent, { owner, account_id, doc: this.#sealed.agents.write(agent) });
  }

  /** Stores the approval of a commitment, for good. */
  async record(owner: string, approved: ApprovedCommitment): Promise<void> {
    const { accountId: account_id, reference, decidedAt: decided_at, approval } = approved;
    const doc = this.#sealed.approvals.write(approval);
    this.#tx.write(this.#statements.addApproval, { owner, account_id, reference, decided_at, doc });
  }
}
