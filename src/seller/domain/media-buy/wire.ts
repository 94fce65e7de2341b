import { isObject } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import { projectMembers } from '../../../protocol/members.js';
import { RELEASE_TABLE, type Release } from '../../../protocol/releases.js';
import { listDeals } from '../booking/deals.js';
import { type AssignedCreative, lacksCreative } from '../creative/creative.js';
import { canNeedApproval } from '../task/approval.js';
import type { Principal } from '../tenant/principal.js';
import type { Seller } from '../tenant/seller.js';
import { type Authority, availableActions, validActions } from './actions.js';
import { committedWire } from './committed-metrics.js';
import { fulfillmentOf } from './fulfillment.js';
import { type HistoryEntry, type MediaBuy, type Package, totalBudget } from './media-buy.js';

/** Returns a package as it goes on the wire, with the creatives assigned to it. */
export function packageWire(
  line: Package,
  assigned: readonly AssignedCreative[],
  { brand, confirmed_at }: Pick<MediaBuy, 'brand' | 'confirmed_at'>,
): Record<string, unknown> {
  const { needs_creative, segments: _ran, sold: _sold, reach: _left, past_targeting: _past, ...shown } = line;
  const { listed: _part, steering: _effect, deals: _sold_as, committed_metrics, echoed, ...wire } = shown;
  const deals = listDeals(line, brand);
  const own = assigned.filter((entry) => entry.package_id === line.package_id);
  return {
    ...withoutEmptyLists({ ...wire, ...echoed }),
    ext: deals === undefined ? echoed.ext : { ...asObject(echoed.ext), seller_agent: { deals } },
    committed_metrics: committedWire(committed_metrics, confirmed_at),
    creative_deadline: line.end_time,
    creative_assignments:
      own.length === 0 ? undefined : own.map(({ creative_id, weight }) => ({ creative_id, weight })),
    format_ids_to_provide: needs_creative && lacksCreative(own) ? line.format_ids : undefined,
  };
}

/** Members that are the buyer's own, or name a brand in its words, and come back as they came. */
const CARRIED: ReadonlySet<string> = new Set(['context', 'ext', 'vendor']);

/** Returns members without the empty lists in them, which say nothing and which the schemas of a package have no room for. */
function withoutEmptyLists(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = Object.entries(members).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return Object.fromEntries(shown.map(([name, value]) => [name, CARRIED.has(name) ? value : withoutEmpty(value)]));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  return isObject(value) ? withoutEmptyLists(value) : value;
}

function asObject(value: unknown): object {
  return isObject(value) ? value : {};
}

/** Returns the facts about a buy that every answer and event about it shares. `status` is left to `shapeByRelease`. */
function mediaBuyState(buy: MediaBuy, authority: Authority): Record<string, unknown> {
  return {
    media_buy_id: buy.media_buy_id,
    media_buy_status: buy.status,
    revision: buy.revision,
    confirmed_at: buy.confirmed_at ?? null,
    currency: buy.currency,
    total_budget: totalBudget(buy),
    valid_actions: validActions(buy, authority),
    cancellation: buy.cancellation,
    sandbox: buy.sandbox,
  };
}

/** Returns what a change of a buy that its buyer did not ask for left behind: the buy as it is, and the entries of its history that tell it. */
export function changedBuy(
  buy: MediaBuy,
  assigned: readonly AssignedCreative[],
  changes: readonly HistoryEntry[],
  authority: Authority,
): Payload {
  return {
    ...mediaBuyState(buy, authority),
    start_time: buy.start_time,
    end_time: buy.end_time,
    rejection_reason: buy.rejection_reason,
    implementation_date: buy.updated_at,
    changes,
    affected_packages: buy.packages.map((line) => packageWire(line, assigned, buy)),
  };
}

/** Who reads a buy, and when. */
type BuyReader = Pick<Authority, 'isOperator'> & {
  readonly seller: Seller;
  readonly principal: Principal | undefined;
  readonly now: { readonly ms: number };
};

/** Returns the facts about a buy that create, update and read share: its state, and what this caller may do with it. */
export function mediaBuyFacts(
  buy: MediaBuy,
  account: Authority['account'],
  { isOperator, now, principal, seller }: BuyReader,
): Record<string, unknown> {
  const authority = { account, isOperator, principal };
  const change = {
    task: 'update_media_buy',
    principal: principal?.id ?? '',
    advertiser: buy.brand.domain,
    fulfillment: fulfillmentOf(buy),
  } as const;
  return {
    ...mediaBuyState(buy, authority),
    io_acceptance: buy.io_acceptance,
    available_actions: availableActions(buy, authority, now.ms, canNeedApproval(seller.tenant.approvals, change)),
  };
}

/**
 * Returns the answer of create and update in the shape of a release: for 3.0 `status` is the buy's, for 3.1 it is the task's
 * and the buy's stands in `media_buy_status`. `available_actions` is a word of 3.1, and so is a `confirmed_at` of null.
 */
export function shapeByRelease(payload: Payload, release: Release): Payload {
  if (!RELEASE_TABLE[release].hasBuyStatusAtRoot) return { status: 'completed', ...payload };
  const { confirmed_at, ...rest } = projectMembers('media_buy', payload, release);
  return { status: payload.media_buy_status, ...rest, confirmed_at: confirmed_at ?? undefined };
}
