import { canonicalHash } from '../../../platform/kernel/canonical.js';
import { TaskError } from '../../../platform/kernel/errors.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { type MediaBuy, type Package, totalBudget } from '../media-buy/media-buy.js';
import type { Product } from '../product/product.js';
import type { Signal, SignalPrice } from '../signal/signal.js';
import { type Stake, stakeOf } from '../task/approval.js';

/** The agent that decides about an account's spending, and what we show it. The credentials go to that agent alone (facts C.8). */
export type GovernanceAgent = { readonly url: string; readonly credentials: string };

/** What a call binds an account to: what the account's governance agent is asked about, in its own words (facts C.15). */
export type Commitment = {
  readonly account_id: string;
  readonly purchase_type: 'media_buy' | 'signal_activation';
  readonly phase: 'purchase' | 'modification';
  /** The media buy or signal that stood before: what was last decided about it is carried on. */
  readonly reference?: string;
  readonly planned_delivery: Readonly<Record<string, unknown>>;
  /** All that is committed, in full: an approval is for exactly this. */
  readonly terms: unknown;
  readonly modification_summary?: string;
};

/** What a governance agent may say. */
const GOVERNANCE_DECISIONS = ['approved', 'denied', 'conditions'] as const;

/** A condition of a governance agent; without a required value it only advises. */
export type GovernanceCondition = {
  readonly field: string;
  readonly required_value?: unknown;
  readonly reason: string;
};

/** An answer of check_governance (facts C.15). */
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
const MAX_TEXT = 1000;

/** Where a condition's field stands in an order; the rest is named as it came. */
const ORDER_FIELDS: Readonly<Record<string, string>> = {
  total_budget: 'packages[0].budget',
  start_time: 'start_time',
  end_time: 'end_time',
  frequency_cap: 'packages[0].targeting_overlay.frequency_cap',
  geo: 'packages[0].targeting_overlay.geo_countries',
};

/** What a created or changed media buy newly promises; undefined where it promises nothing more (facts C.15). */
export function buyCommitment(
  principal: string,
  before: MediaBuy | undefined,
  after: MediaBuy,
  products: ReadonlyMap<string, Pick<Product, 'name'>>,
): Commitment | undefined {
  const stake = stakeOf(principal, before, after, products);
  if (stake === undefined) return undefined;
  const lines = after.packages.filter((line) => !line.canceled);
  return {
    account_id: after.account_id,
    purchase_type: 'media_buy',
    phase: before === undefined ? 'purchase' : 'modification',
    ...(before === undefined ? {} : { reference: before.media_buy_id, modification_summary: summaryOf(stake) }),
    planned_delivery: {
      geo: { countries: [...new Set(lines.flatMap(countriesOf))].sort() },
      channels: [...new Set(lines.flatMap((line) => line.sold.channels))].sort(),
      start_time: after.start_time,
      end_time: after.end_time,
      total_budget: totalBudget(after),
      currency: after.currency,
    },
    terms: { stake, lines: lines.map(termsOf) },
  };
}

function countriesOf({ targeting_overlay: overlay, sold }: Package): readonly string[] {
  const targeted = overlay?.geo_countries;
  return Array.isArray(targeted) && targeted.length > 0 ? (targeted as readonly string[]) : sold.inventory.countries;
}

/** A package without what differs between a trial and the real run: the ids that are made for it. */
function termsOf(line: Package): unknown {
  const { product_id, pricing_option_id, budget, bid_price, impressions, targeting_overlay } = line;
  const terms = { product_id, pricing_option_id, budget, bid_price, impressions, targeting_overlay };
  return { ...terms, start_time: line.start_time, end_time: line.end_time };
}

function summaryOf({ currency, total, total_before, start_time, end_time }: Stake): string {
  return `Total budget ${total_before} to ${total} ${currency}, ${start_time} to ${end_time}.`;
}

/** What the activation of a signal commits to. A fee that is known beforehand is its budget. */
export function signalCommitment(
  accountId: string,
  signal: Signal,
  price: SignalPrice | undefined,
  destinations: unknown,
): Commitment {
  return {
    account_id: accountId,
    purchase_type: 'signal_activation',
    phase: 'purchase',
    reference: signal.signal_agent_segment_id,
    planned_delivery: {
      audience_targeting: [
        { type: 'description', description: `${signal.name}: ${signal.description}`.slice(0, 2000) },
      ],
      ...(price?.currency === undefined ? {} : { currency: price.currency }),
      ...(price?.model === 'flat_fee' ? { total_budget: price.amount } : {}),
      ...(price === undefined ? {} : { ext: { pricing_option: price } }),
    },
    terms: { signal: signal.signal_agent_segment_id, price, destinations },
  };
}

/** Names an agent and all that it was asked about: the same text for the same question. */
export function approvalKey(agent: GovernanceAgent, commitment: Commitment): string {
  return canonicalHash(JSON.parse(JSON.stringify({ url: agent.url, commitment })));
}

/** Reads an answer of check_governance, 3.0 (`status`) or 3.1 (`verdict`). Undefined where it is none. */
export function readVerdict(payload: unknown): GovernanceVerdict | undefined {
  if (!isObject(payload)) return undefined;
  const decision = GOVERNANCE_DECISIONS.find((known) => known === (payload.verdict ?? payload.status));
  const { check_id, explanation, expires_at, governance_context: context } = payload;
  if (decision === undefined || typeof check_id !== 'string' || check_id === '') return undefined;
  const conditions = readConditions(payload.conditions);
  if (conditions === undefined || (decision === 'conditions' && conditions.length === 0)) return undefined;
  if (expires_at !== undefined && (typeof expires_at !== 'string' || Number.isNaN(Date.parse(expires_at))))
    return undefined;
  return {
    check_id: check_id.slice(0, 255),
    decision,
    explanation: typeof explanation === 'string' ? explanation.slice(0, MAX_TEXT) : '',
    findings: list(payload.findings).filter(isObject).slice(0, MAX_FINDINGS).map(shownFinding),
    conditions,
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(isContext(context) ? { governance_context: context } : {}),
  };
}

/** Undefined where one of them cannot be read: a condition that nobody understands must not be passed over. */
function readConditions(value: unknown): readonly GovernanceCondition[] | undefined {
  const conditions: GovernanceCondition[] = [];
  for (const entry of list(value)) {
    if (!isObject(entry) || typeof entry.field !== 'string') return undefined;
    const reason = typeof entry.reason === 'string' ? entry.reason.slice(0, MAX_TEXT) : '';
    const { required_value } = entry;
    conditions.push({ field: entry.field, ...(required_value === undefined ? {} : { required_value }), reason });
  }
  return conditions;
}

/** What a buyer is told of a finding; what else the agent wrote stays between it and us. */
function shownFinding(finding: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { category_id, policy_id, severity, explanation } = finding;
  const texts = { category_id, policy_id, severity, explanation };
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === 'string' ? [[name, text.slice(0, MAX_TEXT)]] : [],
    ),
  );
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Printable ASCII, 1 to 4096 characters (facts A.1). */
export function isContext(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7E]{1,4096}$/.test(value);
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

/** Why a governance agent gave no decision, and what the buyer can do. */
const OUTAGES = {
  unreachable: 'Retry later with the same idempotency_key; nothing was committed.',
  unauthorized: 'Register working credentials with sync_governance, then retry with the same idempotency_key.',
  no_decision: 'Tell the governance agent that its check_governance answer could not be read; nothing was committed.',
  expired: 'Its approval has lapsed. Retry with the same idempotency_key, so that it is asked again.',
} as const;

/** The error of a decision that could not be had: nothing is committed without one. */
export function governanceUnavailable(reason: keyof typeof OUTAGES): TaskError {
  return new TaskError('GOVERNANCE_UNAVAILABLE', "The account's governance agent gave no valid decision.", {
    retryAfter: 30,
    details: { reason },
    suggestion: OUTAGES[reason],
  });
}

/** The error of an order on a governed account that names no plan: nobody could decide about it. */
export function planMissing({ purchase_type: type }: Commitment): TaskError {
  const field = type === 'media_buy' ? 'plan_id' : 'governance_context';
  return new TaskError('GOVERNANCE_DENIED', 'This account is under governance, and the request names no plan.', {
    field,
    suggestion: `Call check_governance at the account's governance agent, and send ${field === 'plan_id' ? 'its plan_id and governance_context' : 'its governance_context'} with the request.`,
  });
}

/**
 * The plan that a governance context is of, where it is a compact JWS that says so. It only tells the agent which plan to look at:
 * what the context is worth is the agent's to judge.
 */
export function planOfContext(context: unknown): string | undefined {
  if (!isContext(context)) return undefined;
  const [, body = ''] = context.split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    if (!isObject(claims)) return undefined;
    const plan = claims.plan_id ?? claims.sub;
    return typeof plan === 'string' && plan !== '' ? plan : undefined;
  } catch {
    return undefined;
  }
}
