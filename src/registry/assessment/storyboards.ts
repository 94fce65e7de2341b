import type { Severity } from './check.js';
import { SPECIALISMS } from './specialisms.js';

/** A storyboard of the public suite, at 3.0.6: for whom it is, and by which of our checks it is seen to fail. */
type Storyboard = {
  readonly id: string;
  /** The protocol that it belongs to; absent for those of every agent. */
  readonly protocol?: string;
  /** It is passed over where none of these tasks is offered. */
  readonly anyOf: readonly string[];
  /** Beginnings of the checks whose errors it would stumble over. */
  readonly brokenBy: readonly string[];
};

const STORYBOARDS: readonly Storyboard[] = [
  { id: 'security_baseline', anyOf: [], brokenBy: ['auth.'] },
  { id: 'capability_discovery', anyOf: [], brokenBy: ['capabilities.'] },
  {
    id: 'v3_envelope_integrity',
    anyOf: [],
    brokenBy: ['capabilities.status', 'capabilities.context', 'errors.context', 'reads.context'],
  },
  { id: 'error_compliance', anyOf: ['get_products'], brokenBy: ['errors.'] },
  {
    id: 'schema_validation',
    anyOf: ['get_products'],
    brokenBy: ['capabilities.shape', 'errors.wrong-input', 'reads.shape'],
  },
  { id: 'idempotency', anyOf: [], brokenBy: ['idempotency.', 'capabilities.idempotency', 'tools.idempotency'] },
  { id: 'webhook_emission', anyOf: [], brokenBy: ['capabilities.webhook-signing', 'keys.'] },
  { id: 'deterministic_testing', anyOf: ['comply_test_controller'], brokenBy: ['capabilities.controller'] },
  { id: 'pagination_integrity', anyOf: ['list_creatives'], brokenBy: ['errors.cursor', 'reads.pages'] },
  { id: 'pagination_integrity_list_accounts', anyOf: ['list_accounts'], brokenBy: ['errors.cursor', 'reads.pages'] },
  {
    id: 'pagination_integrity_creative_formats',
    anyOf: ['list_creative_formats'],
    brokenBy: ['errors.cursor', 'reads.pages'],
  },
  { id: 'get_media_buys_pagination_integrity', anyOf: ['get_media_buys'], brokenBy: ['errors.cursor', 'reads.pages'] },
  { id: 'get_signals_pagination_integrity', anyOf: ['get_signals'], brokenBy: ['errors.cursor', 'reads.pages'] },
  {
    id: 'pagination_integrity_property_lists',
    anyOf: ['list_property_lists'],
    brokenBy: ['errors.cursor', 'reads.pages'],
  },
  {
    id: 'pagination_integrity_collection_lists',
    anyOf: ['list_collection_lists'],
    brokenBy: ['errors.cursor', 'reads.pages'],
  },
  {
    id: 'pagination_integrity_content_standards',
    anyOf: ['list_content_standards'],
    brokenBy: ['errors.cursor', 'reads.pages'],
  },
  { id: 'media_buy_seller', protocol: 'media_buy', anyOf: ['get_products', 'create_media_buy'], brokenBy: ['tools.'] },
  {
    id: 'media_buy_state_machine',
    protocol: 'media_buy',
    anyOf: ['create_media_buy', 'update_media_buy'],
    brokenBy: ['tools.'],
  },
  { id: 'creative_sales_agent', protocol: 'media_buy', anyOf: ['sync_creatives'], brokenBy: ['tools.'] },
  { id: 'creative_lifecycle', protocol: 'creative', anyOf: ['list_creative_formats'], brokenBy: ['tools.'] },
  { id: 'signals_baseline', protocol: 'signals', anyOf: ['get_signals', 'activate_signal'], brokenBy: ['tools.'] },
  { id: 'brand_baseline', protocol: 'brand', anyOf: ['get_brand_identity'], brokenBy: ['tools.'] },
  {
    id: 'media_buy_governance_escalation',
    protocol: 'governance',
    anyOf: ['sync_plans', 'check_governance'],
    brokenBy: ['tools.'],
  },
  { id: 'si_baseline', protocol: 'sponsored_intelligence', anyOf: ['si_initiate_session'], brokenBy: ['tools.'] },
];

/**
 * The forecast of a storyboard: `fails` for a reason that was seen, `skipped`, or `open`: nothing was seen against it. One that the suite itself
 * has run may have passed.
 */
type StoryboardForecast = {
  readonly storyboard: string;
  /** The specialism that is claimed, where one selects it. */
  readonly specialism?: string;
  readonly outcome: 'fails' | 'open' | 'skipped' | 'passes';
  readonly why?: string;
};

/** The outlook of the public badge. It is no assessment by the suite: what is `open` may fail there still. */
export type BadgeForecast = {
  readonly isPossible: boolean;
  /** The release of the suite that selected the storyboards; absent where the table of this file did. */
  readonly suite?: string;
  readonly storyboards: readonly StoryboardForecast[];
};

/** The tools, specialisms and findings that a forecast is made of. */
type ForecastBasis = {
  readonly protocols: readonly string[];
  readonly specialisms: readonly string[];
  readonly tools: readonly string[];
  readonly findings: readonly { readonly check: string; readonly severity: Severity }[];
};

/** Returns which storyboards of the public suite would apply to an agent by what it declares, and which would fail by what was seen. */
export function forecastBadge(basis: ForecastBasis): BadgeForecast {
  const storyboards = [
    ...STORYBOARDS.filter(({ protocol }) => protocol === undefined || basis.protocols.includes(protocol)).map((one) =>
      forecast(one, basis),
    ),
    ...basis.specialisms.map((name) => forecastClaim(name, basis)),
  ];
  return {
    isPossible: basis.protocols.length > 0 && !storyboards.some(({ outcome }) => outcome === 'fails'),
    storyboards,
  };
}

function forecast({ anyOf, brokenBy, id }: Storyboard, { findings, tools }: ForecastBasis): StoryboardForecast {
  if (anyOf.length > 0 && !anyOf.some((task) => tools.includes(task)))
    return { storyboard: id, outcome: 'skipped', why: `there is no ${anyOf.join(', ')}` };
  const broken = findings.filter(
    ({ check, severity }) => severity === 'error' && brokenBy.some((beginning) => check.startsWith(beginning)),
  );
  if (broken.length === 0) return { storyboard: id, outcome: 'open' };
  return { storyboard: id, outcome: 'fails', why: broken.map(({ check }) => check).join(', ') };
}

function forecastClaim(specialism: string, { tools }: ForecastBasis): StoryboardForecast {
  const storyboard = specialism.replaceAll('-', '_');
  const claim = SPECIALISMS.get(specialism);
  if (claim === undefined) return { storyboard, specialism, outcome: 'fails', why: 'there is no such specialism' };
  const missing = claim.tasks.filter((task) => !tools.includes(task));
  if (missing.length === 0) return { storyboard, specialism, outcome: 'open' };
  return { storyboard, specialism, outcome: 'fails', why: `there is no ${missing.join(', ')}` };
}
