/** How grave a finding is; a critical one denies. */
type Severity = 'info' | 'warning' | 'critical';

/**
 * A finding of a check: the category is this agent's own word. `confidence` 0 to 1, with the reason where it is below
 * 1.
 */
export type Finding = {
  readonly category_id: string;
  readonly policy_id?: string | undefined;
  readonly severity: Severity;
  readonly explanation: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly confidence?: number | undefined;
  readonly uncertainty_reason?: string | undefined;
};

/** A condition of an approval; without a required value the caller's word is enough. */
export type Condition = { readonly field: string; readonly required_value?: unknown; readonly reason: string };

/** The decision of this agent about an action. */
export type Decision = {
  readonly verdict: 'approved' | 'denied' | 'conditions';
  readonly explanation: string;
  readonly findings: readonly Finding[];
  readonly conditions: readonly Condition[];
  readonly categories_evaluated: readonly string[];
  readonly policies_evaluated: readonly string[];
};
