import type { AssignedCreative } from '../creative/creative.js';
import type { Impairment } from './impairment.js';
import { isTerminal, type MediaBuy } from './media-buy.js';

/** Returns whether a buy delivers as it was booked; a buy that has ended has no health any more. */
export function assessHealth(buy: Pick<MediaBuy, 'status' | 'impairments'>): 'ok' | 'impaired' | undefined {
  if (isTerminal(buy.status)) return undefined;
  return (buy.impairments ?? []).length === 0 ? 'ok' : 'impaired';
}

/** A buy with the impairments that its creatives give it now, and which of them are new, different or over. */
export type Reconciled = {
  readonly buy: MediaBuy;
  readonly changed: readonly Impairment[];
  readonly closed: readonly Impairment[];
};

const REASONS = { rejected: 'content_rejected', suspended: 'seller_removed' } as const;
const REMEDY = 'Send a corrected creative with sync_creatives, or assign another one.';

/**
 * Opens an impairment for every assigned creative that was rejected or suspended, keeps the id of one that goes on, and closes what
 * is mended: the creative runs again or has left the buy. `newId` makes the ids.
 */
export function reconcileCreatives(
  buy: MediaBuy,
  assigned: readonly AssignedCreative[],
  nowIso: string,
  newId: () => string,
): Reconciled {
  const before = buy.impairments ?? [];
  const live = new Set(buy.packages.filter((line) => !line.canceled).map((line) => line.package_id));
  const offline = isTerminal(buy.status) ? [] : assigned.filter((entry) => live.has(entry.package_id));
  const wanted = new Map<string, Impairment>();
  for (const { creative_id, package_id, status, rejection_reason } of offline) {
    if (status !== 'rejected' && status !== 'suspended') continue;
    const earlier = wanted.get(creative_id);
    const open = earlier ?? before.find((one) => one.resource_type === 'creative' && one.resource_id === creative_id);
    wanted.set(creative_id, {
      impairment_id: open?.impairment_id ?? newId(),
      resource_type: 'creative',
      resource_id: creative_id,
      package_ids: earlier === undefined ? [package_id] : [...earlier.package_ids, package_id],
      transition: { to: status },
      reason_code: REASONS[status],
      reason: rejection_reason?.slice(0, 500),
      observed_at: open?.observed_at ?? nowIso,
      remediation: REMEDY,
    });
  }
  const others = before.filter((one) => one.resource_type !== 'creative');
  const changed = [...wanted.values()].filter((one) => !before.some((old) => isSameImpairment(old, one)));
  const closed = before.filter((one) => one.resource_type === 'creative' && !wanted.has(one.resource_id));
  if (changed.length === 0 && closed.length === 0) return { buy, changed, closed };
  return { buy: { ...buy, impairments: [...others, ...wanted.values()] }, changed, closed };
}

function isSameImpairment(one: Impairment, other: Impairment): boolean {
  return (
    one.impairment_id === other.impairment_id &&
    one.transition.to === other.transition.to &&
    one.reason === other.reason &&
    one.package_ids.join() === other.package_ids.join()
  );
}
