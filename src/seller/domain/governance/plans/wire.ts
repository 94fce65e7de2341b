import type { Payload } from '../../../../protocol/envelope.js';
import type { Release } from '../../../../protocol/releases.js';
import type { Finding } from './finding.js';

/** Returns a finding as the protocol writes it. */
export function findingWire(finding: Finding): object {
  return { ...finding };
}

/** Returns a finding of an outcome, which the protocol writes with fewer members. */
export function outcomeFindingWire({ category_id, severity, explanation, details }: Finding): object {
  return { category_id, severity, explanation, details };
}

/** Returns an answer of check_governance in the words of a release: 3.0 has `status` for `verdict`. */
export function shapeVerdict(payload: Payload, release: Release): Payload {
  return release === '3.0' ? renamed(payload, 'verdict') : payload;
}

/** Returns an answer of report_plan_outcome in the words of a release: 3.0 has `status` for `outcome_state`. */
export function shapeOutcome(payload: Payload, release: Release): Payload {
  return release === '3.0' ? renamed(payload, 'outcome_state') : payload;
}

/** Returns an answer of get_plan_audit_logs in the words of a release: 3.0 has `status` for the `verdict` of an entry. */
export function shapeAudit(payload: Payload, release: Release): Payload {
  if (release !== '3.0' || !Array.isArray(payload.plans)) return payload;
  const plans: readonly Payload[] = payload.plans;
  return {
    ...payload,
    plans: plans.map((plan) => ({
      ...plan,
      entries: Array.isArray(plan.entries) ? plan.entries.map((entry: Payload) => shapeEntry(entry)) : undefined,
    })),
  };
}

function shapeEntry({ verdict, mode: _mode, plan_hash: _hash, ...entry }: Payload): Payload {
  return verdict === undefined ? entry : { ...entry, status: verdict };
}

function renamed(payload: Payload, name: 'verdict' | 'outcome_state'): Payload {
  const { [name]: value, ...rest } = payload;
  return { status: value, ...rest };
}
