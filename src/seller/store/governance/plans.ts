import type { Reading, Writing } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare, type DocRow, once, parseDoc } from '../../../platform/database/statement.js';
import type { ActionState, ActionUse, LogEntry } from '../../domain/governance/plans/log.js';
import type { PurchaseType, StoredPlan } from '../../domain/governance/plans/plan.js';
import type { UsageRow } from '../../domain/governance/plans/usage.js';
import type { SellerTables } from '../schema/schema.js';
import type { SealedColumns } from '../sealing/sealed.js';

type Sealed = Pick<SealedColumns, 'actions' | 'entries'>;

/** A plan in the store: its row, which actions and entries name, and what it is. */
export type PlanRow = { readonly seq: number; readonly stored: StoredPlan };

/** An action in the store. */
export type ActionRow = { readonly planSeq: number; readonly use: ActionUse; readonly state: ActionState };

/** An entry to be added to a plan's log; `actionId` is empty for a revision. */
type NewEntry = {
  readonly planSeq: number;
  readonly actionId: string;
  readonly entry: LogEntry;
  readonly isEscalated: boolean;
};

/** The entries of a log that are asked for. */
type LogFilter = {
  readonly actionIds?: readonly string[] | undefined;
  readonly onlyEscalated?: boolean | undefined;
};

/** How often a verdict was given, or an outcome reported, and with how many findings. */
type LogCount = {
  readonly kind: string;
  readonly verdict: string;
  readonly total: number;
  readonly findings: number;
  readonly escalated: number;
};

type StoredAction = Omit<SellerTables['governed_action'], 'seq' | 'owner' | 'held_until'> & {
  readonly held_until: number | null;
};
type UsageQuestion = { plan_seq: number; action_id: string; now_ms: number };

/** Returns the statements on campaign plans, their actions and their logs, compiled for an engine. */
export function planStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const ACTION = ['plan_seq', 'action_id', 'purchase_type', 'seller', 'channel', 'committed', 'held'] as const;
  const ENTRY = ['owner', 'plan_seq', 'action_id', 'entry_id', 'kind', 'verdict', 'findings', 'is_escalated'] as const;
  return {
    plan: prepare<{ owner: string; plan_id: string }, DocRow & { seq: number }>((q, slot) =>
      q
        .selectFrom('governance_plan')
        .select(['seq', 'doc'])
        .where((is) => is.and(slot.each('owner', 'plan_id'))),
    ),
    planBySeq: prepare<{ owner: string; seq: number }, DocRow & { seq: number }>((q, slot) =>
      q
        .selectFrom('governance_plan')
        .select(['seq', 'doc'])
        .where((is) => is.and(slot.each('owner', 'seq'))),
    ),
    savePlan: prepare<{ owner: string; plan_id: string; ends_at: number; doc: string }>((q, slot) =>
      q
        .insertInto('governance_plan')
        .values(slot.each('owner', 'plan_id', 'ends_at', 'doc'))
        .onConflict((c) => c.columns(['owner', 'plan_id']).doUpdateSet(slot.each('ends_at', 'doc'))),
    ),
    usage: prepare<
      UsageQuestion,
      { purchase_type: string; seller: string; channel: string; committed: number; held: number }
    >((q, slot) =>
      q
        .selectFrom('governed_action')
        .select(({ fn }) => [
          'purchase_type',
          'seller',
          'channel',
          fn.sum<number>('committed').as('committed'),
          sql<number>`sum(case when held_until is null or held_until > ${slot('now_ms')} then held else 0 end)`.as(
            'held',
          ),
        ])
        .where('plan_seq', '=', slot('plan_seq'))
        .where('action_id', '<>', slot('action_id'))
        .groupBy(['purchase_type', 'seller', 'channel']),
    ),
    action: prepare<{ plan_seq: number; action_id: string }, StoredAction>((q, slot) =>
      q
        .selectFrom('governed_action')
        .select([...ACTION, 'held_until', 'doc'])
        .where((is) => is.and(slot.each('plan_seq', 'action_id'))),
    ),
    actions: prepare<{ plan_seq: number; limit: number }, StoredAction>((q, slot) =>
      q
        .selectFrom('governed_action')
        .select([...ACTION, 'held_until', 'doc'])
        .where('plan_seq', '=', slot('plan_seq'))
        .orderBy('seq')
        .limit(slot('limit')),
    ),
    plansOfAction: prepare<{ owner: string; action_id: string }, { plan_seq: number }>((q, slot) =>
      q
        .selectFrom('governed_action')
        .select('plan_seq')
        .where((is) => is.and(slot.each('owner', 'action_id')))
        .orderBy('seq')
        .limit(100),
    ),
    saveAction: prepare<StoredAction & { owner: string }>((q, slot) =>
      q
        .insertInto('governed_action')
        .values({ ...slot.each('owner', ...ACTION), ...slot.each('held_until', 'doc') })
        .onConflict((c) =>
          c
            .columns(['plan_seq', 'action_id'])
            .doUpdateSet(slot.each('purchase_type', 'seller', 'channel', 'committed', 'held', 'held_until', 'doc')),
        ),
    ),
    entry: prepare<{ plan_seq: number; entry_id: string }, DocRow & { action_id: string }>((q, slot) =>
      q
        .selectFrom('governance_entry')
        .select(['doc', 'action_id'])
        .where((is) => is.and(slot.each('plan_seq', 'entry_id'))),
    ),
    addEntry: prepare<Omit<SellerTables['governance_entry'], 'seq'>>((q, slot) =>
      q.insertInto('governance_entry').values({ ...slot.each(...ENTRY), ...slot.each('doc') }),
    ),
    entries: (planSeq: number, { actionIds, onlyEscalated }: LogFilter, limit: number) => {
      let rows = db
        .selectFrom('governance_entry')
        .select('doc')
        .where('plan_seq', '=', planSeq)
        .where('kind', '<>', 'revision');
      if (actionIds !== undefined) rows = rows.where('action_id', 'in', [...actionIds]);
      if (onlyEscalated === true) rows = rows.where('is_escalated', '=', 1);
      return once(rows.orderBy('seq').limit(limit));
    },
    counts: prepare<{ plan_seq: number }, LogCount>((q, slot) =>
      q
        .selectFrom('governance_entry')
        .select(({ fn }) => [
          'kind',
          'verdict',
          fn.countAll<number>().as('total'),
          fn.sum<number>('findings').as('findings'),
          fn.sum<number>('is_escalated').as('escalated'),
        ])
        .where('plan_seq', '=', slot('plan_seq'))
        .groupBy(['kind', 'verdict']),
    ),
  };
}

/** The compiled statements on campaign plans. */
type PlanStatements = ReturnType<typeof planStatements>;

/** Reads the campaign plans of an owner, what their actions have of them, and their logs. */
export class PlanReader {
  readonly #tx: Reading;
  readonly #statements: PlanStatements;
  readonly #sealed: Sealed;

  constructor(tx: Reading, statements: PlanStatements, sealed: Sealed) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  async find(owner: string, plan_id: string): Promise<PlanRow | undefined> {
    return planRow(await this.#tx.one(this.#statements.plan, { owner, plan_id }));
  }

  /** Returns the plans that have an action of this id; one action has one plan unless a buyer made its id up. */
  async findByAction(owner: string, action_id: string): Promise<readonly PlanRow[]> {
    const rows = await this.#tx.all(this.#statements.plansOfAction, { owner, action_id });
    const plans = await Promise.all(
      rows.map(({ plan_seq: seq }) => this.#tx.one(this.#statements.planBySeq, { owner, seq })),
    );
    return plans.flatMap((row) => planRow(row) ?? []);
  }

  /** Returns what all actions of a plan but one have of it. */
  async usage(plan_seq: number, nowMs: number, exceptAction = ''): Promise<readonly UsageRow[]> {
    const rows = await this.#tx.all(this.#statements.usage, { plan_seq, action_id: exceptAction, now_ms: nowMs });
    return rows.map((row) => ({
      ...row,
      purchase_type: row.purchase_type as PurchaseType,
      committed: Number(row.committed),
      held: Number(row.held),
    }));
  }

  async findAction(plan_seq: number, action_id: string): Promise<ActionRow | undefined> {
    const row = await this.#tx.one(this.#statements.action, { plan_seq, action_id });
    return row && this.#actionRow(row);
  }

  /** Returns the first `limit` actions of a plan, oldest first. */
  async actions(plan_seq: number, limit: number): Promise<readonly ActionRow[]> {
    const rows = await this.#tx.all(this.#statements.actions, { plan_seq, limit });
    return rows.map((row) => this.#actionRow(row));
  }

  /** Returns an entry of a plan's log, with the action that it is about. */
  async findEntry(
    plan_seq: number,
    entry_id: string,
  ): Promise<{ readonly entry: LogEntry; readonly actionId: string } | undefined> {
    const row = await this.#tx.one(this.#statements.entry, { plan_seq, entry_id });
    return row && { entry: this.#sealed.entries.read(row.doc), actionId: row.action_id };
  }

  /** Returns the first `limit` checks and outcomes of a plan, oldest first. */
  async entries(planSeq: number, filter: LogFilter, limit: number): Promise<readonly LogEntry[]> {
    const rows = await this.#tx.all(this.#statements.entries(planSeq, filter, limit), {});
    return rows.map(({ doc }) => this.#sealed.entries.read(doc));
  }

  async count(plan_seq: number): Promise<readonly LogCount[]> {
    const rows = await this.#tx.all(this.#statements.counts, { plan_seq });
    return rows.map((row) => ({
      ...row,
      total: Number(row.total),
      findings: Number(row.findings),
      escalated: Number(row.escalated),
    }));
  }

  #actionRow({ plan_seq: planSeq, doc, held_until: until, purchase_type, ...row }: StoredAction): ActionRow {
    const { action_id, seller, channel, committed, held } = row;
    const use = { action_id, seller, channel, committed, held, heldUntil: until ?? undefined };
    return {
      planSeq,
      use: { ...use, purchase_type: purchase_type as PurchaseType },
      state: this.#sealed.actions.read(doc),
    };
  }
}

function planRow(row: (DocRow & { readonly seq: number }) | undefined): PlanRow | undefined {
  return row && { seq: row.seq, stored: parseDoc<StoredPlan>(row) };
}

/** Reads and writes campaign plans in one transaction. */
export class PlanWriter extends PlanReader {
  readonly #tx: Writing;
  readonly #statements: PlanStatements;
  readonly #sealed: Sealed;

  constructor(tx: Writing, statements: PlanStatements, sealed: Sealed) {
    super(tx, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Inserts a plan, or replaces the one with its id, and returns its row. */
  async save(owner: string, stored: StoredPlan): Promise<PlanRow> {
    const { plan_id, flight } = stored.plan;
    const ends_at = Date.parse(flight.end);
    this.#tx.write(this.#statements.savePlan, { owner, plan_id, ends_at, doc: JSON.stringify(stored) });
    const saved = await this.find(owner, plan_id);
    if (saved === undefined) throw new Error('a plan that was saved is gone');
    return saved;
  }

  /** Inserts an action, or replaces the one with its id. */
  async saveAction(owner: string, { planSeq, use, state }: ActionRow): Promise<void> {
    const { heldUntil, ...numbers } = use;
    this.#tx.write(this.#statements.saveAction, {
      owner,
      plan_seq: planSeq,
      ...numbers,
      held_until: heldUntil ?? null,
      doc: this.#sealed.actions.write(state),
    });
  }

  /** Adds an entry to a plan's log, for good. */
  async addEntry(owner: string, { planSeq, actionId, entry, isEscalated }: NewEntry): Promise<void> {
    this.#tx.write(this.#statements.addEntry, {
      owner,
      plan_seq: planSeq,
      action_id: actionId,
      entry_id: entry.id,
      kind: entry.type,
      verdict: entry.type === 'check' ? entry.verdict : '',
      findings: entry.type === 'revision' ? 0 : entry.findings.length,
      is_escalated: isEscalated ? 1 : 0,
      doc: this.#sealed.entries.write(entry),
    });
  }
}
