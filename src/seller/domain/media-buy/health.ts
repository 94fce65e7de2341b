import type { AssignedCreative } from '../creative/creative.js';
import type { Impairment, ResourceLoss } from './impairment.js';
import { isTerminal, type MediaBuy } from './media-buy.js';

/** Returns whether a buy delivers as it was booked; a buy that has ended has no health any more. */
export function assessHealth(buy: Pick<MediaBuy, 'status' | 'impairments'>): 'ok' | 'impaired' | undefined {
  if (isTerminal(buy.status)) return undefined;
  return (buy.impairments ?? []).length === 0 ? 'ok' : 'impaired';
}

/** A buy with the impairments that it has now, and which of them are new, different or over. */
export type Reconciled = {
  readonly buy: MediaBuy;
  readonly changed: readonly Impairment[];
  readonly closed: readonly Impairment[];
};

/** A resource that a package needs and lost. */
export type LostResource = ResourceLoss & { readonly package_id: string };

const REASONS = { rejected: 'content_rejected', suspended: 'seller_removed' } as const;
const REMEDY = 'Send a corrected creative with sync_creatives, or assign another one.';
const WITHOUT_RIGHT = 'Send the creative without what the right was for, or assign another one.';

/** Returns the creatives that packages lost: assigned ones that were rejected or suspended, and purged ones that nothing took the place of. */
export function findLostCreatives(
  { purged = [] }: Pick<MediaBuy, 'purged'>,
  assigned: readonly AssignedCreative[],
): readonly LostResource[] {
  const filled = new Set(assigned.map(({ package_id }) => package_id));
  const gone = purged
    .filter(({ package_id }) => !filled.has(package_id))
    .map(
      ({ creative_id, package_id }): LostResource => ({
        package_id,
        resource_type: 'creative',
        resource_id: creative_id,
        transition: { to: 'suspended' },
        reason_code: 'seller_removed',
        reason: 'The creative was purged.',
        remediation: 'Send a creative with sync_creatives and assign it to the package.',
      }),
    );
  const offline = assigned.flatMap(
    ({ creative_id, package_id, status, rejection_reason, revoked_right }): LostResource[] =>
      status !== 'rejected' && status !== 'suspended'
        ? []
        : [
            {
              package_id,
              resource_type: 'creative',
              resource_id: creative_id,
              transition: { to: status },
              reason_code: revoked_right === undefined ? REASONS[status] : 'identity_authorization_revoked',
              reason: rejection_reason?.slice(0, 500),
              remediation: revoked_right === undefined ? REMEDY : WITHOUT_RIGHT,
            },
          ],
  );
  return [...gone, ...offline];
}

/**
 * Opens an impairment for every resource that live packages lost, keeps the id of one that goes on, and closes what is mended: the
 * resource is there again or has left the buy. `newId` makes the ids.
 */
export function reconcileImpairments(
  buy: MediaBuy,
  lost: readonly LostResource[],
  nowIso: string,
  newId: () => string,
): Reconciled {
  const before = buy.impairments ?? [];
  const live = new Set(buy.packages.filter((line) => !line.canceled).map((line) => line.package_id));
  const present = isTerminal(buy.status) ? [] : lost.filter(({ package_id }) => live.has(package_id));
  const wanted = new Map<string, Impairment>();
  for (const { package_id, ...resource } of present) {
    const key = resourceKey(resource);
    const earlier = wanted.get(key);
    const open = earlier ?? before.find((one) => resourceKey(one) === key);
    wanted.set(key, {
      ...resource,
      impairment_id: open?.impairment_id ?? newId(),
      package_ids: addPackage(earlier?.package_ids, package_id),
      observed_at: open?.observed_at ?? nowIso,
    });
  }
  const changed = [...wanted.values()].filter((one) => !before.some((old) => isSameImpairment(old, one)));
  const closed = before.filter((one) => !wanted.has(resourceKey(one)));
  if (changed.length === 0 && closed.length === 0) return { buy, changed, closed };
  const purged = buy.purged?.filter(({ creative_id, package_id }) =>
    present.some((one) => one.resource_id === creative_id && one.package_id === package_id),
  );
  return { buy: { ...buy, impairments: [...wanted.values()], purged }, changed, closed };
}

function addPackage(before: Impairment['package_ids'] | undefined, id: string): Impairment['package_ids'] {
  if (before === undefined) return [id];
  return before.includes(id) ? before : [...before, id];
}

function resourceKey({ resource_type, resource_id }: Pick<Impairment, 'resource_type' | 'resource_id'>): string {
  return `${resource_type} ${resource_id}`;
}

function isSameImpairment(one: Impairment, other: Impairment): boolean {
  return (
    one.impairment_id === other.impairment_id &&
    one.transition.to === other.transition.to &&
    one.reason === other.reason &&
    one.package_ids.join() === other.package_ids.join()
  );
}
