import type { GovernedAction } from './action.js';
import type { Decision, Finding } from './finding.js';
import type { Plan, PurchaseType } from './plan.js';

/** An action of a plan: what it has of the budget, and how it is named elsewhere. Money in the plan's currency. */
export type ActionUse = {
  readonly action_id: string;
  readonly purchase_type: PurchaseType;
  /** URL of the seller; empty until one asked. */
  readonly seller: string;
  /** The one channel that it is on; empty for several, or where nobody said. */
  readonly channel: string;
  readonly committed: number;
  readonly held: number;
  /** In ms; undefined for until it is reported. */
  readonly heldUntil: number | undefined;
};

/** The stored state of an action beside its numbers. */
export type ActionState = {
  /** The context of its last check. */
  readonly governance_context: string;
  readonly check_count: number;
  readonly status: 'active' | 'completed';
  readonly seller_reference?: string | undefined;
};

/** A revision of a plan, as it was synced. */
type RevisionEntry = {
  readonly type: 'revision';
  readonly version: number;
  readonly plan: Plan;
  readonly governance_context?: undefined;
};

/** A check, and what was decided. */
type CheckEntry = Decision &
  Pick<GovernedAction, 'caller' | 'tool' | 'purchase_type' | 'phase'> & {
    readonly type: 'check';
    readonly check_type: GovernedAction['check'];
    readonly governance_context: string;
    readonly plan_hash: string;
  };

/** An outcome, as it was reported. */
type OutcomeEntry = {
  readonly type: 'outcome';
  readonly outcome: 'completed' | 'failed' | 'delivery';
  readonly outcome_state: 'accepted' | 'findings';
  readonly purchase_type: PurchaseType;
  readonly governance_context: string;
  readonly check_id?: string | undefined;
  readonly committed_budget?: number | undefined;
  readonly findings: readonly Finding[];
  /** What was reported, as it came. */
  readonly reported: Readonly<Record<string, unknown>>;
};

/** An entry of a plan's log. Entries are added and never changed. */
export type LogEntry = { readonly id: string; readonly timestamp: string } & (
  | RevisionEntry
  | CheckEntry
  | OutcomeEntry
);

/** Returns what an action has of its plan after a decision: what was approved is held, for an intent until `untilMs`. */
export function holdDecided(
  use: ActionUse,
  action: GovernedAction,
  verdict: Decision['verdict'],
  untilMs: number,
): ActionUse {
  const { check, phase, total, channels = [] } = action;
  const isExecution = check === 'execution';
  const named = {
    ...use,
    seller: isExecution ? action.caller : use.seller,
    // Of several channels none is the one.
    channel: channels.length > 1 ? '' : (channels[0] ?? use.channel),
  };
  if (verdict === 'denied' || phase === 'delivery' || total === undefined) return named;
  // What the seller has been let to sell stays held until it is reported.
  const isLasting = isExecution || (use.held > 0 && use.heldUntil === undefined);
  return { ...named, held: Math.max(0, total - use.committed), heldUntil: isLasting ? undefined : untilMs };
}

/** The categories of what only a person can decide. */
const FOR_A_PERSON: readonly string[] = ['human_review', 'reallocation'];

/** Whether findings ask for the decision of a person. */
export function isEscalated(findings: readonly Finding[]): boolean {
  return findings.some(({ category_id, severity }) => severity === 'critical' && FOR_A_PERSON.includes(category_id));
}
