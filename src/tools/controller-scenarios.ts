import type { TenantKind } from '../domain/tenant.js';
import type { Release } from '../protocol/versions.js';

type Row = {
  /** The release that first names it. */
  readonly since: Release;
  /** The kinds of tenants that have what it works on; all unless set. */
  readonly kinds?: readonly TenantKind[];
  /** The capabilities of 3.0 may name it; that list is closed. */
  readonly declared?: true;
};

/** The scenarios of the test controller, in the order of the protocol (facts G). */
export const SCENARIOS = {
  force_creative_status: { since: '3.0', kinds: ['sales', 'creative'], declared: true },
  force_account_status: { since: '3.0', declared: true },
  force_media_buy_status: { since: '3.0', kinds: ['sales'], declared: true },
  force_create_media_buy_arm: { since: '3.0', kinds: ['sales'] },
  force_task_completion: { since: '3.0', kinds: ['sales'] },
  force_session_status: { since: '3.0', declared: true },
  simulate_delivery: { since: '3.0', kinds: ['sales'], declared: true },
  simulate_budget_spend: { since: '3.0', kinds: ['sales'], declared: true },
  seed_product: { since: '3.0', kinds: ['sales'] },
  seed_pricing_option: { since: '3.0', kinds: ['sales'] },
  seed_creative: { since: '3.0', kinds: ['sales', 'creative'] },
  seed_plan: { since: '3.0' },
  seed_media_buy: { since: '3.0', kinds: ['sales'] },
  seed_creative_format: { since: '3.0', kinds: ['sales', 'creative'] },
  force_get_products_arm: { since: '3.1', kinds: ['sales'] },
  seed_account: { since: '3.1' },
} as const satisfies Record<string, Row>;
export type ScenarioName = keyof typeof SCENARIOS;

/** The scenarios that do something on a tenant of these kinds. */
export function scenariosOf(kinds: readonly TenantKind[]): readonly ScenarioName[] {
  return namesWhere((row) => row.kinds === undefined || row.kinds.some((kind) => kinds.includes(kind)));
}

/** The scenarios that a tenant's capabilities declare to a caller of a release (facts B). */
export function declaredScenarios(kinds: readonly TenantKind[], release: Release): readonly ScenarioName[] {
  const known = scenariosOf(kinds);
  return release === '3.0' ? namesWhere((row) => row.declared === true).filter((name) => known.includes(name)) : known;
}

/** The scenario of a name, if there is one. */
export function findScenario(name: string): ScenarioName | undefined {
  return Object.hasOwn(SCENARIOS, name) ? (name as ScenarioName) : undefined;
}

function namesWhere(isMeant: (row: Row) => boolean): readonly ScenarioName[] {
  const rows = Object.entries(SCENARIOS) as [ScenarioName, Row][];
  return rows.filter(([, row]) => isMeant(row)).map(([name]) => name);
}
