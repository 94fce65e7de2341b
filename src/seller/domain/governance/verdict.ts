import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import { governanceUnavailable, isGovernanceContext } from './governance.js';

/** The decisions that a governance agent can take. */
const GOVERNANCE_DECISIONS = ['approved', 'denied', 'conditions'] as const;

/** A condition of a governance agent; without a required value it only advises. */
type GovernanceCondition = {
  readonly field: string;
  readonly required_value?: unknown;
  readonly reason: string;
};

/** An answer of check_governance. */
export type GovernanceVerdict = {
  readonly check_id: string;
  readonly decision: (typeof GOVERNANCE_DECISIONS)[number];
  readonly explanation: string;
  readonly findings: readonly Readonly<Record<string, unknown>>[];
  readonly conditions: readonly GovernanceCondition[];
  readonly expires_at?: string;
  readonly governance_context?: string;
};

/** A verdict that lets one commitment through, until it expires. */
export type GovernanceApproval = {
  /** `approvalKey` of what was asked about. */
  readonly key: string;
  readonly plan_id: string;
  readonly verdict: GovernanceVerdict;
};

const MAX_FINDINGS = 20;

const MAX_TEXT_CHARS = 1000;

/** The path in an order of a condition's field; other fields are named as they came. */
const ORDER_FIELDS: Readonly<Record<string, string>> = {
  total_budget: 'packages[0].budget',
  start_time: 'start_time',
  end_time: 'end_time',
  frequency_cap: 'packages[0].targeting_overlay.frequency_cap',
  geo: 'packages[0].targeting_overlay.geo_countries',
};

/** Reads an answer of check_governance, 3.0 (`status`) or 3.1 (`verdict`). Undefined where it is none. */
export function readVerdict(payload: unknown): GovernanceVerdict | undefined {
  if (!isObject(payload)) return undefined;
  const decision = GOVERNANCE_DECISIONS.find((allowed) => allowed === (payload.verdict ?? payload.status));
  const { check_id, explanation, expires_at, governance_context: context } = payload;
  if (decision === undefined || typeof check_id !== 'string' || check_id === '') return undefined;
  const conditions = readConditions(payload.conditions);
  if (conditions === undefined || (decision === 'conditions' && conditions.length === 0)) return undefined;
  if (expires_at !== undefined && (typeof expires_at !== 'string' || Number.isNaN(Date.parse(expires_at))))
    return undefined;
  return {
    check_id: check_id.slice(0, 255),
    decision,
    explanation: typeof explanation === 'string' ? explanation.slice(0, MAX_TEXT_CHARS) : '',
    findings: asList(payload.findings).filter(isObject).slice(0, MAX_FINDINGS).map(findingWire),
    conditions,
    expires_at,
    governance_context: isGovernanceContext(context) ? context : undefined,
  };
}

/** Returns the conditions of an answer; undefined where one cannot be read, since an unreadable condition must not be passed over. */
function readConditions(value: unknown): readonly GovernanceCondition[] | undefined {
  const conditions: GovernanceCondition[] = [];
  for (const entry of asList(value)) {
    if (!isObject(entry) || typeof entry.field !== 'string') return undefined;
    const reason = typeof entry.reason === 'string' ? entry.reason.slice(0, MAX_TEXT_CHARS) : '';
    const { required_value } = entry;
    conditions.push({ field: entry.field, required_value, reason });
  }
  return conditions;
}

/** Returns a finding as a buyer sees it; what else the agent wrote stays between it and us. */
function findingWire(finding: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { category_id, policy_id, severity, explanation } = finding;
  const texts = { category_id, policy_id, severity, explanation };
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === 'string' ? [[name, text.slice(0, MAX_TEXT_CHARS)]] : [],
    ),
  );
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Refuses what the agent does not let through: a denial, a condition that the order does not meet (it is never changed behind the
 * buyer's back), an approval that has lapsed. Conditions that only advise pass; the buyer is told of them.
 * Throws GOVERNANCE_DENIED, or GOVERNANCE_UNAVAILABLE where asking again helps.
 */
export function checkVerdict(verdict: GovernanceVerdict, planId: string, nowMs: number): void {
  const { check_id, explanation, findings, conditions, expires_at } = verdict;
  const details = { check_id, plan_id: planId, explanation };
  if (verdict.decision === 'denied') {
    throw new TaskError('GOVERNANCE_DENIED', "The account's governance agent denied this.", {
      details: { ...details, findings },
      suggestion: 'Change what details.findings names, and send it as a new request with a new idempotency_key.',
    });
  }
  const wanted = conditions.filter(({ required_value }) => required_value !== undefined);
  const [first] = verdict.decision === 'conditions' ? wanted : [];
  if (first !== undefined) {
    throw new TaskError('GOVERNANCE_DENIED', "The account's governance agent allows this under a condition only.", {
      field: ORDER_FIELDS[first.field.split('.')[0] ?? ''] ?? first.field,
      details: { ...details, conditions },
      suggestion: `Set ${first.field} to ${JSON.stringify(first.required_value).slice(0, 200)}, and send it as a new request with a new idempotency_key.`,
    });
  }
  if (expires_at !== undefined && Date.parse(expires_at) <= nowMs) throw governanceUnavailable('expired');
}
