import { MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import { IMPAIRMENT_REASONS, type Impairment } from '../../domain/media-buy/impairment.js';
import type { WebhookSettings } from '../../domain/tenant/tenant.js';

/**
 * How long changes of one kind are gathered into one event, in ms: what is used, and what a tenant may at most set without the
 * buyer's leave (spec 3, Coalescence). Delivery reports are never gathered.
 */
export const WINDOWS = {
  impairment: { usedMs: 30 * SECOND_MS, maxMs: 5 * MINUTE_MS },
  urgent_impairment: { usedMs: 0, maxMs: MINUTE_MS },
  media_buy: { usedMs: 2 * SECOND_MS, maxMs: 5 * MINUTE_MS },
} as const satisfies Record<string, { readonly usedMs: number; readonly maxMs: number }>;

/** What is gathered. */
export type CoalescedKind = keyof typeof WINDOWS;

/** Windows that a tenant sets; what it does not is the table's. */
export type WindowSettings = WebhookSettings['windowsMs'];

/** How long an event waits for others of its kind, in ms, never more than the table allows. */
export function windowMs(kind: CoalescedKind, settings: WindowSettings = {}): number {
  const { usedMs, maxMs } = WINDOWS[kind];
  return Math.min(settings[kind] ?? usedMs, maxMs);
}

/** Whether the general window may be used for an impairment: not for one that touches fraud, safety or consent. */
export function impairmentKind({ reason_code }: Pick<Impairment, 'reason_code'>): CoalescedKind {
  return IMPAIRMENT_REASONS[reason_code].urgent ? 'urgent_impairment' : 'impairment';
}
