import { DAY_MS, MINUTE_MS } from '../../platform/kernel/clock.js';
import type { DiscoveryReason } from '../documents/discovery-reasons.js';
import type { AdagentsDiscovery, EffectiveAdagents } from './discovery.js';
import type { AdagentsFile } from './types.js';

/** As much of a file as the next reading is set against. */
export type AdagentsDigest = Pick<EffectiveAdagents, 'method' | 'url'> & {
  readonly file: Pick<AdagentsFile, 'lastUpdated'>;
};

/** The copy of a publisher's file between two readings, or as much of it as is needed. All instants in milliseconds. */
export type HeldAdagents<Kept extends AdagentsDigest = EffectiveAdagents> = {
  readonly effective?: Kept;
  /** When `effective` was read last, or found unchanged. */
  readonly readAt: number;
  /** Another place of the file, which has to stay for a day before it counts. */
  readonly pending?: { readonly url: string; readonly since: number };
  /** When the publisher was first seen revoked. */
  readonly revokedAt?: number;
};

/** As much of a new file as it is settled by. */
export type NewAdagents = AdagentsDigest &
  Pick<EffectiveAdagents, 'publisherDomain'> & { readonly file: Pick<AdagentsFile, 'lastUpdated' | 'revoked'> };

/** The copy after a new reading, and the verdict on that reading. */
export type SettledAdagents<
  Kept extends AdagentsDigest = EffectiveAdagents,
  New extends NewAdagents = EffectiveAdagents,
> = {
  readonly held: HeldAdagents<Kept | New>;
  readonly verdict: 'adopted' | 'kept' | 'waiting' | 'rolled_back' | 'dropped';
};

/** How long a copy stands in while the publisher cannot be read, and how old one may be at all. */
const COPY_LASTS_MS = DAY_MS;
const OLDEST_MS = 7 * DAY_MS;
/** How long a file has to stay at another place, and a revocation is remembered. */
const LOCATION_SETTLES_MS = DAY_MS;
const REVOCATION_HELD_MS = 7 * DAY_MS;
/** Reasons that a publisher has no file; any other is trouble with one, which may pass or be mended. */
const GONE: ReadonlySet<DiscoveryReason> = new Set<DiscoveryReason>([
  'not_found',
  'not_a_domain',
  'manager_not_found',
  'manager_out_of_scope',
]);
/** A file may be this much older than the copy before it counts as rolled back. */
const ROLLBACK_SLACK_MS = MINUTE_MS;

/**
 * Returns what counts after a new reading: the copy for a day where a file cannot be read, nothing where it is gone. An
 * older file is refused, a move to or from an authoritative location waits for a day, a revocation is remembered for a
 * week.
 */
export function settleAdagents<
  Kept extends AdagentsDigest = EffectiveAdagents,
  New extends NewAdagents = EffectiveAdagents,
>(
  held: HeldAdagents<Kept> | undefined,
  discovery: Pick<AdagentsDiscovery, 'reason'> & { readonly effective?: New },
  nowMs: number,
): SettledAdagents<Kept, New> {
  const { effective, reason } = discovery;
  const remembered = rememberedRevocation(held, nowMs);
  const { readAt = 0, pending } = held ?? {};
  const before = nowMs - readAt <= OLDEST_MS ? held?.effective : undefined;
  if (effective === undefined) {
    const isCopyGood = !GONE.has(reason) && before !== undefined && nowMs - readAt <= COPY_LASTS_MS;
    if (!isCopyGood) return { held: { readAt: nowMs, ...remembered }, verdict: 'dropped' };
    return { held: { effective: before, readAt, ...(pending && { pending }), ...remembered }, verdict: 'kept' };
  }
  if (before !== undefined && isOlder(effective, before)) {
    return { held: { effective: before, readAt, ...remembered }, verdict: 'rolled_back' };
  }
  const isRevoked = effective.file.revoked.has(effective.publisherDomain);
  const revoked = isRevoked ? { revokedAt: held?.revokedAt ?? nowMs } : remembered;
  if (before !== undefined && isMoved(effective, before)) {
    const { url } = effective;
    const since = pending?.url === url ? pending.since : nowMs;
    if (nowMs - since < LOCATION_SETTLES_MS) {
      return { held: { effective: before, readAt, pending: { url, since }, ...revoked }, verdict: 'waiting' };
    }
  }
  return { held: { effective, readAt: nowMs, ...revoked }, verdict: 'adopted' };
}

/** Returns the file that counts now; undefined when there is none, or the copy is too old to count. */
export function effectiveAt(
  { effective, readAt, revokedAt }: HeldAdagents,
  nowMs: number,
): EffectiveAdagents | undefined {
  if (effective === undefined || nowMs - readAt > OLDEST_MS) return undefined;
  const isHeld = revokedAt !== undefined && nowMs - revokedAt < REVOCATION_HELD_MS;
  return isHeld ? { ...effective, isHeldRevoked: true } : effective;
}

function isOlder({ file, url }: AdagentsDigest, before: AdagentsDigest): boolean {
  const { lastUpdated: then } = before.file;
  const { lastUpdated: now } = file;
  return url === before.url && then !== undefined && now !== undefined && now < then - ROLLBACK_SLACK_MS;
}

function isMoved(effective: AdagentsDigest, before: AdagentsDigest): boolean {
  const isPointed = effective.method === 'authoritative_location' || before.method === 'authoritative_location';
  return isPointed && effective.url !== before.url;
}

function rememberedRevocation(
  held: HeldAdagents<AdagentsDigest> | undefined,
  nowMs: number,
): Pick<HeldAdagents, 'revokedAt'> {
  const { revokedAt } = held ?? {};
  return revokedAt === undefined || nowMs - revokedAt >= REVOCATION_HELD_MS ? {} : { revokedAt };
}
