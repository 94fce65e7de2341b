import type { Release } from '../../../protocol/releases.js';
import type { TenantKind } from '../../domain/tenant/tenant.js';

type Row = {
  /** The kinds of tenants that have what it works on; all unless set. */
  readonly kinds?: readonly TenantKind[];
  /** The capabilities of 3.0 may name it; that list is closed. */
  readonly declared?: true;
  /** It moves one thing that is there: asked of a tenant that can have none, it finds none. The others are unknown there. */
  readonly finds?: true;
};

/** Tenants with the products, prices and buys that stories are about: a governance agent is asked about those of others. */
const MARKETS = ['sales', 'governance'] as const;

/** The scenarios of the test controller, in the order of the protocol. */
const SCENARIOS = {
  force_creative_status: { kinds: ['sales', 'creative'], declared: true, finds: true },
  force_account_status: { declared: true },
  force_media_buy_status: { kinds: ['sales'], declared: true, finds: true },
  force_create_media_buy_arm: { kinds: ['sales'] },
  force_task_completion: { kinds: ['sales', 'signals'], finds: true },
  simulate_delivery: { kinds: ['sales'], declared: true, finds: true },
  simulate_budget_spend: { kinds: ['sales'], declared: true },
  seed_product: { kinds: MARKETS },
  seed_pricing_option: { kinds: MARKETS },
  seed_creative: { kinds: ['sales', 'creative'] },
  seed_plan: { kinds: ['sales', 'creative', 'signals', 'governance'] },
  seed_media_buy: { kinds: MARKETS },
  seed_creative_format: { kinds: ['sales', 'creative'] },
  force_creative_purge: { kinds: ['sales', 'creative'], finds: true },
  force_get_products_arm: { kinds: ['sales'] },
  force_get_signals_arm: { kinds: ['signals'] },
  seed_account: {},
  seed_signal: { kinds: ['signals'] },
  force_upstream_unavailable: {},
  force_audience_status: { kinds: ['sales'], finds: true },
} as const satisfies Record<string, Row>;
/** A scenario of the test controller. */
export type ScenarioName = keyof typeof SCENARIOS;

/** Returns the scenarios that do something on a tenant of these kinds. */
export function listScenarios(kinds: readonly TenantKind[]): readonly ScenarioName[] {
  return filterScenarios((row) => row.kinds === undefined || row.kinds.some((kind) => kinds.includes(kind)));
}

/** Returns the scenarios that a tenant's capabilities declare to a caller of a release. */
export function declaredScenarios(kinds: readonly TenantKind[], release: Release): readonly ScenarioName[] {
  const offered = listScenarios(kinds);
  return release === '3.0'
    ? filterScenarios((row) => row.declared === true).filter((name) => offered.includes(name))
    : offered;
}

/** Returns the scenario of a name that a tenant of these kinds answers, if there is one. */
export function findScenario(name: string, kinds: readonly TenantKind[]): ScenarioName | undefined {
  const answered = [...listScenarios(kinds), ...filterScenarios((row) => row.finds === true)];
  return answered.find((scenario) => scenario === name);
}

function filterScenarios(isMeant: (row: Row) => boolean): readonly ScenarioName[] {
  const rows = Object.entries(SCENARIOS) as [ScenarioName, Row][];
  return rows.filter(([, row]) => isMeant(row)).map(([name]) => name);
}
