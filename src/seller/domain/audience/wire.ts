import { type Audience, countMembers, type MemberGroup } from './audience.js';
import { audienceStatus, neededMatches } from './status.js';

/** Returns an audience as its buyer sees it. `uploaded` are the members of this call, `least` those that have to be matched. */
export function audienceWire(
  audience: Audience,
  groups: readonly MemberGroup[],
  { uploaded, least }: { readonly uploaded: number; readonly least: number },
): Record<string, unknown> {
  const { audience_id, name, seller_id, last_synced_at, hold } = audience;
  const counted = { audience, groups, least };
  const { total, matched } = countMembers(groups);
  const status = audienceStatus(counted);
  const breakdown = breakDownMatches(groups);
  const matches = {
    matched_count: matched,
    effective_match_rate: total === 0 ? undefined : rate(matched, total),
    match_breakdown: breakdown.length === 0 ? undefined : breakdown,
  };
  return {
    audience_id,
    name,
    seller_id,
    status,
    uploaded_count: uploaded,
    total_uploaded_count: total,
    ...(status === 'processing' ? {} : matches),
    last_synced_at,
    minimum_size: status === 'too_small' ? neededMatches(counted) : undefined,
    reason_code: hold?.reason_code,
    reason: hold?.reason,
  };
}

/** Counts per type of identifier how many members came with it, and how many of them are known by it. */
function breakDownMatches(groups: readonly MemberGroup[]): readonly object[] {
  const counts = new Map<string, { submitted: number; matched: number }>();
  for (const { identifiers, count } of groups) {
    for (const type of new Set(identifiers.map((one) => one.type))) {
      const before = counts.get(type) ?? { submitted: 0, matched: 0 };
      const isMatched = identifiers.some((one) => one.type === type && one.known);
      counts.set(type, { submitted: before.submitted + count, matched: before.matched + (isMatched ? count : 0) });
    }
  }
  return [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([id_type, { submitted, matched }]) => ({
      id_type,
      submitted,
      matched,
      match_rate: rate(matched, submitted),
    }));
}

function rate(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 10_000;
}
