import { MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import { IMPAIRMENT_REASONS, type Impairment } from '../../domain/media-buy/impairment.js';
import type { WebhookSettings } from '../../domain/tenant/tenant.js';

/**
 * How long changes of one kind are coalesced into one event, in ms: the default, and the most that a tenant may set without the
 * buyer's consent. Delivery reports are never coalesced.
 */
export const WINDOWS = {
  impairment: { defaultMs: 30 * SECOND_MS, maxMs: 5 * MINUTE_MS },
  urgent_impairment: { defaultMs: 0, maxMs: MINUTE_MS },
  media_buy: { defaultMs: 2 * SECOND_MS, maxMs: 5 * MINUTE_MS },
} as const satisfies Record<string, { readonly defaultMs: number; readonly maxMs: number }>;

/** A kind of change that is coalesced. */
export type CoalescedKind = keyof typeof WINDOWS;

/** Windows that a tenant sets; the others are the table's. */
export type WindowSettings = WebhookSettings['windowsMs'];

/** Returns how long an event waits for others of its kind, in ms, never more than the table allows. */
export function windowMs(kind: CoalescedKind, settings: WindowSettings = {}): number {
  const { defaultMs, maxMs } = WINDOWS[kind];
  return Math.min(settings[kind] ?? defaultMs, maxMs);
}

/** Returns the kind of an impairment: the general window is not for one that touches fraud, safety or consent. */
export function impairmentKind({ reason_code }: Pick<Impairment, 'reason_code'>): CoalescedKind {
  return IMPAIRMENT_REASONS[reason_code].urgent ? 'urgent_impairment' : 'impairment';
}
