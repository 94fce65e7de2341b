import { daysText } from '../../../platform/kernel/clock.js';
import { type Fulfillment, fulfillmentOf } from '../media-buy/fulfillment.js';
import { type MediaBuy, type Package, totalBudget } from '../media-buy/media-buy.js';
import { addressWords, brandText, findTopics, type PolicyTopic } from '../policy/policy.js';
import type { Product } from '../product/product.js';

const ORDER_TASKS = ['create_media_buy', 'update_media_buy'] as const;
/** The tasks that a tenant may want a person to decide about. */
export const APPROVABLE_TASKS = [...ORDER_TASKS, 'acquire_rights'] as const;
type ApprovableTask = (typeof APPROVABLE_TASKS)[number];

/** The outcomes of a decision that nobody takes in time. */
export const TIMEOUT_ACTIONS = ['reject', 'approve'] as const;
export type TimeoutAction = (typeof TIMEOUT_ACTIONS)[number];

/**
 * A person's decision, or a question to the buyer before it; the buyer sees the reason of a rejection. Of orders booked by hand: `order_id` is of
 * the seller's ad server, and with `book_later` the order waits in the list of orders until somebody has booked it.
 */
export type Decision =
  | { readonly decision: 'approve'; readonly order_id?: string | undefined; readonly book_later?: boolean | undefined }
  | { readonly decision: 'reject'; readonly reason: string }
  | { readonly decision: 'ask'; readonly question: string };

/** When a person has to be asked. What a rule leaves out matches anything. */
export type ApprovalRule = {
  readonly tasks: readonly ApprovableTask[];
  /** Of one package that is bought or extended, both where both are given. */
  readonly product_ids?: readonly string[];
  readonly delivery_types?: readonly Product['delivery_type'][];
  /** The whole buy costs more than this, as it would stand. */
  readonly budget_over?: { readonly amount: number; readonly currency: string };
  /** Domains of brands. */
  readonly advertisers?: readonly string[];
  /** Ids of principals. */
  readonly principals?: readonly string[];
  /** How the buy is carried out. */
  readonly fulfillment?: Fulfillment;
  /** The advertiser speaks of one of these. */
  readonly topics?: readonly PolicyTopic[];
  readonly timeout_hours: number;
  readonly on_timeout: TimeoutAction;
};

/** Asks about every live order of a seller without an ad server: a person has to book it. */
export const BOOKED_BY_HAND: ApprovalRule = {
  tasks: ORDER_TASKS,
  fulfillment: 'manual',
  timeout_hours: 72,
  on_timeout: 'reject',
};

/** Returns the rule that asks about advertisers that speak of certain topics. */
export function reviewOf(topics: readonly PolicyTopic[]): ApprovalRule {
  return { tasks: ORDER_TASKS, topics, timeout_hours: 48, on_timeout: 'reject' };
}

/** Returns what is known of an advertiser, as text. */
export function advertiserText({ brand, echoed }: Pick<MediaBuy, 'brand' | 'echoed'>): string {
  const { advertiser_industry: industry } = echoed;
  return `${brandText(brand)} ${typeof industry === 'string' ? addressWords(industry) : ''}`;
}

/** A package that is bought, or that a change makes promise more than before. Money in the buy's currency. */
export type StakeLine = {
  readonly product_id: string;
  readonly name: string;
  readonly delivery_type: Product['delivery_type'];
  readonly budget: number;
  /** Of a package that was there before. */
  readonly budget_before?: number;
  readonly start_time: string;
  readonly end_time: string;
};

/** The subject of an approval: what would be sold to whom, as it was judged when the call came. */
export type Stake = {
  readonly task: ApprovableTask;
  readonly principal: string;
  readonly account_id: string;
  /** Domain of the brand. */
  readonly advertiser: string;
  readonly fulfillment: Fulfillment;
  /** What the advertiser speaks of. */
  readonly topics?: readonly PolicyTopic[];
  /** Of a change: the buy that it is about. */
  readonly media_buy_id?: string;
  readonly currency: string;
  readonly total: number;
  readonly total_before?: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly lines: readonly StakeLine[];
};

/**
 * Returns what a person would decide about, where `buy` is the buy after the call and `before` the one that is stored. Undefined for a change that
 * asks nothing more of the seller: a pause, a cancel, less budget, other creatives.
 */
export function assessStake(
  principal: string,
  before: MediaBuy | undefined,
  buy: MediaBuy,
  products: ReadonlyMap<string, Pick<Product, 'name'>>,
): Stake | undefined {
  const earlierById = new Map(before?.packages.map((line) => [line.package_id, line]));
  const lines = buy.packages.flatMap((line): StakeLine[] => {
    const earlier = earlierById.get(line.package_id);
    if (line.canceled || (earlier !== undefined && !promisesMore(earlier, line))) return [];
    const { product_id, budget, start_time, end_time, sold } = line;
    const name = products.get(product_id)?.name ?? product_id;
    const grown = earlier === undefined ? {} : { budget_before: earlier.budget };
    return [{ product_id, name, delivery_type: sold.delivery_type, budget, ...grown, start_time, end_time }];
  });
  if (lines.length === 0) return undefined;
  const { account_id, currency, start_time, end_time } = buy;
  return {
    task: before === undefined ? 'create_media_buy' : 'update_media_buy',
    principal,
    account_id,
    advertiser: buy.brand.domain,
    fulfillment: fulfillmentOf(buy),
    topics: findTopics(advertiserText(buy)),
    media_buy_id: before && buy.media_buy_id,
    total_before: before && totalBudget(before),
    currency,
    total: totalBudget(buy),
    start_time,
    end_time,
    lines,
  };
}

/**
 * Whether a change promises more money, impressions, time or other people, which may be promised to somebody else
 * already.
 */
function promisesMore(before: Package, after: Package): boolean {
  return (
    after.budget > before.budget ||
    (after.impressions ?? 0) > (before.impressions ?? 0) ||
    Date.parse(after.start_time) < Date.parse(before.start_time) ||
    Date.parse(after.end_time) > Date.parse(before.end_time) ||
    JSON.stringify(after.targeting_overlay) !== JSON.stringify(before.targeting_overlay)
  );
}

type ApprovalSubject = Pick<Stake, 'task' | 'principal' | 'advertiser' | 'fulfillment'>;

/** The criteria of a rule, each with its words; a criterion that a rule leaves out holds. */
const CRITERIA: readonly {
  readonly holds: (rule: ApprovalRule, stake: Stake) => boolean;
  /** Undefined where the rule leaves it out. */
  readonly says: (rule: ApprovalRule, stake: Stake) => string | undefined;
}[] = [
  {
    holds: ({ principals }, { principal }) => principals?.includes(principal) ?? true,
    says: ({ principals }, { principal }) => principals && `the buyer is ${principal}`,
  },
  {
    holds: ({ advertisers }, { advertiser }) => advertisers?.includes(advertiser) ?? true,
    says: ({ advertisers }, { advertiser }) => advertisers && `the advertiser is ${advertiser}`,
  },
  {
    holds: ({ fulfillment }, stake) => fulfillment === undefined || fulfillment === stake.fulfillment,
    says: ({ fulfillment }) => fulfillment && 'orders are booked by hand',
  },
  {
    holds: (rule, stake) => rule.topics === undefined || (stake.topics ?? []).some((one) => rule.topics?.includes(one)),
    says: ({ topics }, stake) =>
      topics && `it is about ${topics.filter((one) => stake.topics?.includes(one)).join(', ')}`,
  },
  {
    holds: (rule, { lines }) => lines.some((line) => isAbout(rule, line)),
    says: (rule, { lines }) => {
      if (rule.product_ids === undefined && rule.delivery_types === undefined) return undefined;
      const line = lines.find((candidate) => isAbout(rule, candidate));
      return rule.product_ids === undefined ? `${line?.name} is ${deliveryWords(line)}` : `it is about ${line?.name}`;
    },
  },
  {
    holds: ({ budget_over: limit }, { currency, total }) =>
      limit === undefined || (limit.currency === currency && total > limit.amount),
    says: ({ budget_over: limit }) => limit && `the budget is over ${moneyText(limit.amount, limit.currency)}`,
  },
];

function isAbout({ product_ids, delivery_types }: ApprovalRule, line: StakeLine): boolean {
  return (product_ids?.includes(line.product_id) ?? true) && (delivery_types?.includes(line.delivery_type) ?? true);
}

function deliveryWords(line: StakeLine | undefined): string {
  return line?.delivery_type === 'guaranteed' ? 'guaranteed' : 'not guaranteed';
}

/** Returns the first rule that wants a person to decide, and why in words; undefined when none does. */
export function findRule(
  rules: readonly ApprovalRule[],
  stake: Stake,
): { readonly rule: ApprovalRule; readonly because: string } | undefined {
  const rule = rules.find((one) => one.tasks.includes(stake.task) && CRITERIA.every(({ holds }) => holds(one, stake)));
  if (rule === undefined) return undefined;
  const reasons = CRITERIA.flatMap(({ says }) => says(rule, stake) ?? []);
  return { rule, because: reasons.length === 0 ? 'a person approves every order' : reasons.join(' and ') };
}

/** Whether some rule can be about a caller's orders: those of a sandbox are simulated, and nobody books them. */
export function canConcern(rules: readonly ApprovalRule[], isSandbox: boolean): boolean {
  return rules.some(({ fulfillment }) => !isSandbox || fulfillment === undefined || fulfillment === 'simulated');
}

/** Whether some call of this kind may have to wait for a person. */
export function canNeedApproval(
  rules: readonly ApprovalRule[],
  { task, principal, advertiser, fulfillment }: ApprovalSubject,
): boolean {
  return rules.some(
    (rule) =>
      rule.tasks.includes(task) &&
      (rule.principals?.includes(principal) ?? true) &&
      (rule.advertisers?.includes(advertiser) ?? true) &&
      (rule.fulfillment === undefined || rule.fulfillment === fulfillment),
  );
}

/** Returns the question to a person, in one sentence. */
export function describeStake(stake: Stake): string {
  const { advertiser, currency, total, total_before, media_buy_id, lines } = stake;
  const packages = `${lines.length} package${lines.length === 1 ? '' : 's'}`;
  const dates = daysText(Date.parse(stake.start_time), Date.parse(stake.end_time));
  const money = moneyText(total, currency);
  if (stake.task === 'acquire_rights') return `License ${lines[0]?.name} for ${money} to ${advertiser}, ${dates}`;
  if (total_before === undefined) return `Buy ${packages} for ${money} for ${advertiser}, ${dates}`;
  const change = total === total_before ? money : `${moneyText(total_before, currency)} to ${money}`;
  return `Change ${packages} of ${media_buy_id} for ${advertiser}: ${change}, ${dates}`;
}

/** Returns an amount as a person reads it: `25,000 USD`, `206.70 USD`. Prices of one unit have more decimals. */
export function moneyText(amount: number, currency: string, maxDecimals = 2): string {
  const decimals = { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: maxDecimals };
  return `${amount.toLocaleString('en-US', decimals)} ${currency}`;
}
