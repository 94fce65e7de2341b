import type { Release } from './releases.js';

/**
 * The members of answers that some release's shapes do not have, by what they are members of and by release. The one table of what
 * is left out; docs/protocol/versions.md shows it.
 */
export const MEMBERS_LEFT_OUT = {
  product: {
    '3.0': [
      'format_options',
      'allowed_actions',
      'signal_targeting_allowed',
      'signal_targeting_options',
      'signal_targeting_rules',
    ],
    '3.1': [],
    '3.2-beta.5': [],
  },
  reporting_capabilities: { '3.0': ['vendor_metrics'], '3.1': [], '3.2-beta.5': [] },
  creative_policy: { '3.0': ['provenance_requirements', 'accepted_verifiers'], '3.1': [], '3.2-beta.5': [] },
  // The schema of 3.0 refuses every macro of its own list.
  format: { '3.0': ['supported_macros', 'canonical'], '3.1': [], '3.2-beta.5': [] },
  creative: { '3.0': ['format_kind', 'format_option_ref'], '3.1': [], '3.2-beta.5': [] },
  media_buy: { '3.0': ['available_actions'], '3.1': [], '3.2-beta.5': [] },
  brand: { '3.0': ['brand_kit_override', 'countries'], '3.1': ['countries'], '3.2-beta.5': [] },
  'capabilities.media_buy': {
    '3.0': [
      'buying_modes',
      'supports_proposals',
      'governance_aware',
      'propagation_surfaces',
      'creative_approval_mode',
      'supported_optimization_metrics',
      'frequency_capping',
    ],
    '3.1': [],
    '3.2-beta.5': [],
  },
  'capabilities.creative': {
    '3.0': [
      'supported_formats',
      'supports_transformers',
      'supports_refinement',
      'refinable_retention_seconds',
      'supports_spend_controls',
      'bills_through_adcp',
      'supports_evaluator',
      'multiplicity',
    ],
    '3.1': [],
    '3.2-beta.5': [],
  },
  'capabilities.signals': { '3.0': ['discovery_modes'], '3.1': [], '3.2-beta.5': [] },
} as const satisfies Readonly<Record<string, Readonly<Record<Release, readonly string[]>>>>;

/** Something whose members differ by release. */
type Shape = keyof typeof MEMBERS_LEFT_OUT;

/** Returns a value of an answer without the members that a release does not have; the value itself where it has none of those. */
export function projectMembers<Value extends object>(shape: Shape, value: Value, release: Release): Partial<Value> {
  const left: readonly string[] = MEMBERS_LEFT_OUT[shape][release];
  if (!left.some((name) => name in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !left.includes(name))) as Partial<Value>;
}
