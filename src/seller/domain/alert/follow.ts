import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';
import type { Alert, AlertCondition } from './alert.js';

/** How long it is remembered that people were alerted of a condition that does not hold any more. */
const LIFE_MS = 30 * DAY_MS;
const FIRST_DELAY_MS = MINUTE_MS;
const LONGEST_DELAY_MS = HOUR_MS;
/** Attempts on one alert; after them it is left until it is due to be repeated. */
const MAX_ATTEMPTS = 12;

/** The parts with which an alert is followed. */
type Following = {
  readonly tenant: string;
  readonly channel: Alert['channel'];
  readonly repeatMs: number;
  readonly nowMs: number;
  readonly newId: () => string;
};

/** Returns the alert of a condition that holds: a new one, or one that falls due again; the same object where nothing changes. */
export function followCondition(
  before: Alert | undefined,
  { kind, subject }: AlertCondition,
  following: Following,
): Alert {
  const { newId, nowMs, repeatMs, tenant, channel } = following;
  const expires_at = nowMs + LIFE_MS;
  const isDue = before === undefined || (before.next_at === null && nowMs - (before.told_at ?? 0) >= repeatMs);
  if (isDue) {
    const told_at = before?.told_at ?? null;
    return { tenant, kind, subject, channel, told_at, event_id: newId(), next_at: nowMs, attempts: 0, expires_at };
  }
  return before.expires_at - nowMs < LIFE_MS / 2 ? { ...before, expires_at } : before;
}

/** Returns the alert of a condition that does not hold any more: nothing is sent, and who was alerted is remembered. */
export function followEnd(before: Alert): Alert {
  return before.next_at === null ? before : { ...before, next_at: null, attempts: 0 };
}

/** Returns an alert after it was sent, or after that failed. */
export function endAttempt(before: Alert, isSent: boolean, nowMs: number): Alert {
  const attempts = before.attempts + 1;
  if (isSent || attempts >= MAX_ATTEMPTS) return { ...before, told_at: nowMs, next_at: null, attempts: 0 };
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** before.attempts, LONGEST_DELAY_MS);
  return { ...before, attempts, next_at: nowMs + delayMs };
}
