import { isObject } from '../../../../platform/kernel/json/json.js';
import { sumOf } from '../../../../platform/kernel/numbers.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { AudienceSelector, PurchaseType } from './plan.js';

/** The phases of a governed action: it is bought, changed, or runs. */
export const PHASES = ['purchase', 'modification', 'delivery'] as const;
type Phase = (typeof PHASES)[number];

/** A period's delivery as the seller reports it; shares in percent. */
export type DeliveryMetrics = {
  readonly reporting_period: { readonly start: string; readonly end: string };
  readonly spend?: number | undefined;
  readonly cumulative_spend?: number | undefined;
  readonly geo_distribution?: Readonly<Record<string, number>> | undefined;
  readonly channel_distribution?: Readonly<Record<string, number>> | undefined;
  readonly pacing?: 'ahead' | 'on_track' | 'behind' | undefined;
};

/** An action that a check asks about, as far as the request tells it; what it does not tell is undefined. */
export type GovernedAction = {
  /** Who asks: a buyer's agent about a tool that it wants to call, or the seller about what it would deliver. */
  readonly check: 'intent' | 'execution';
  readonly phase: Phase;
  readonly purchase_type: PurchaseType;
  /** URL of the agent that asks. */
  readonly caller: string;
  /** The task that a buyer's agent wants to call. */
  readonly tool: string | undefined;
  readonly total: number | undefined;
  readonly currency: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly countries: readonly string[] | undefined;
  readonly regions: readonly string[] | undefined;
  readonly channels: readonly string[] | undefined;
  readonly audience: readonly AudienceSelector[] | undefined;
  readonly metrics: DeliveryMetrics | undefined;
};

/** A request of check_governance, as far as it is about the action. */
export type CheckRequest = {
  readonly caller: string;
  readonly purchase_type?: PurchaseType | undefined;
  readonly tool?: string | undefined;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  readonly phase?: Phase | undefined;
  readonly planned_delivery?: Readonly<Record<string, unknown>> | undefined;
  readonly delivery_metrics?: DeliveryMetrics | undefined;
};

/** Returns the action of a check: what the seller would deliver where it says so, else what the tool would be called with. */
export function readAction(request: CheckRequest): GovernedAction {
  const { caller, tool, planned_delivery: planned, delivery_metrics: metrics } = request;
  const isExecution = planned !== undefined || metrics !== undefined;
  const requested = isExecution ? readPlanned(planned ?? {}) : readPayload(request.payload ?? {});
  return {
    check: isExecution ? 'execution' : 'intent',
    phase: request.phase ?? 'purchase',
    purchase_type: request.purchase_type ?? PURCHASES[tool ?? ''] ?? 'media_buy',
    caller,
    tool,
    metrics,
    ...requested,
  };
}

/** What each task buys where the check does not say. */
const PURCHASES: Readonly<Record<string, PurchaseType>> = {
  activate_signal: 'signal_activation',
  acquire_rights: 'rights_license',
  update_rights: 'rights_license',
  build_creative: 'creative_services',
};

type RequestedAction = Omit<GovernedAction, 'check' | 'phase' | 'purchase_type' | 'caller' | 'tool' | 'metrics'>;

function readPlanned(planned: Readonly<Record<string, unknown>>): RequestedAction {
  const geo = isObject(planned.geo) ? planned.geo : {};
  return {
    total: numberOf(planned.total_budget),
    currency: textOf(planned.currency),
    start: textOf(planned.start_time),
    end: textOf(planned.end_time),
    countries: textsOf(geo.countries),
    regions: textsOf(geo.regions),
    channels: textsOf(planned.channels),
    audience: Array.isArray(planned.audience_targeting) ? planned.audience_targeting.filter(isObject) : undefined,
  };
}

function readPayload(payload: Readonly<Record<string, unknown>>): RequestedAction {
  const packages = listOf(payload.packages).filter(isObject);
  const overlays = packages.map(({ targeting_overlay: overlay }) => (isObject(overlay) ? overlay : {}));
  return {
    total: readTotal(payload),
    currency: readCurrency(payload),
    start: isObject(payload.start_time) ? textOf(payload.start_time.date) : textOf(payload.start_time),
    end: textOf(payload.end_time),
    countries: joinLists(overlays.map(({ geo_countries: countries }) => textsOf(countries))),
    regions: joinLists(overlays.map(({ geo_regions: regions }) => textsOf(regions))),
    channels: joinLists(packages.map(({ channels }) => textsOf(channels))),
    audience: undefined,
  };
}

/** Returns what a tool would spend: its total, or the sum of its packages and of those that it adds, whichever is more. */
function readTotal(payload: Readonly<Record<string, unknown>>): number | undefined {
  const { total_budget: total } = payload;
  const whole = isObject(total)
    ? amountOf(total.amount, 'payload.total_budget.amount')
    : amountOf(total, 'payload.total_budget');
  const budgets = ['packages', 'new_packages', 'purchases'].flatMap((name) =>
    listOf(payload[name]).map((line, index) => lineAmount(line, `payload.${name}[${index}].budget`)),
  );
  const given = budgets.filter((budget) => budget !== undefined);
  if (given.length === 0) return whole;
  const sum = sumOf(given);
  return Math.max(whole ?? 0, sum);
}

function lineAmount(line: unknown, field: string): number | undefined {
  return isObject(line) ? amountOf(line.budget, field) : undefined;
}

/** Returns an amount of money, undefined where there is none. Throws INVALID_REQUEST for what no plan could be held against. */
function amountOf(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const amount = numberOf(value);
  if (amount !== undefined) return amount;
  throw new TaskError('INVALID_REQUEST', 'An amount is a number that is not negative.', {
    field,
    suggestion: 'Send the amount that would be spent, such as 1000, without quotation marks or currency.',
  });
}

function readCurrency({ total_budget: total, currency }: Readonly<Record<string, unknown>>): string | undefined {
  return isObject(total) ? textOf(total.currency) : textOf(currency);
}

function joinLists(lists: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const given = lists.flatMap((list) => list ?? []);
  return given.length === 0 ? undefined : [...new Set(given)];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function textsOf(value: unknown): readonly string[] | undefined {
  const texts = listOf(value).filter((one): one is string => typeof one === 'string');
  return texts.length === 0 ? undefined : texts;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
