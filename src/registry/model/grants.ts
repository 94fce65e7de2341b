import { parseDateTime } from '../../platform/kernel/clock.js';
import type { AuthorizationRecord } from './records.js';

/** When an entry is in effect, in milliseconds: from the first instant on and before the second. */
type EffectiveSpan = { readonly effectiveFrom?: number; readonly effectiveUntil?: number };

/** The publisher's own word, or the registry's in its place. */
const AUTHORIZING_EVIDENCE: ReadonlySet<AuthorizationRecord['evidence']> = new Set([
  'adagents_json',
  'adagents_authoritative',
  'override',
] as const);

/** Returns when a row is in effect; its two ends are one, the earlier. */
export function effectiveSpan({
  effective_from,
  effective_until,
  expires_at,
}: Pick<AuthorizationRecord, 'effective_from' | 'effective_until' | 'expires_at'>): EffectiveSpan {
  const ends = [effective_until, expires_at].flatMap((text) => instantOf(text) ?? []);
  return {
    effectiveFrom: instantOf(effective_from),
    effectiveUntil: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

/** Whether an entry is in effect at an instant (ms). */
export function isInEffect({ effectiveFrom, effectiveUntil }: EffectiveSpan, at: number): boolean {
  return (effectiveFrom === undefined || effectiveFrom <= at) && (effectiveUntil === undefined || at < effectiveUntil);
}

/** Whether a row rests on the word of somebody who may authorize. */
export function isAuthorizing({ evidence }: Pick<AuthorizationRecord, 'evidence'>): boolean {
  return AUTHORIZING_EVIDENCE.has(evidence);
}

/** Whether a row of a publisher whose file counts lets its agent sell something at an instant (ms). */
export function isOpenGrant(row: AuthorizationRecord, at: number): boolean {
  return isAuthorizing(row) && isInEffect(effectiveSpan(row), at);
}

function instantOf(text: string | null | undefined): number | undefined {
  return text === undefined || text === null ? undefined : parseDateTime(text);
}
