import { HOUR_MS } from '../../../platform/kernel/clock.js';

/** That an order waits for a person. Times in ms since the epoch. */
export type OrderWait = {
  readonly media_buy_id: string;
  readonly owner: string;
  readonly since: number;
  /** When it is looked at again. */
  readonly next_at: number;
  /** When somebody was reminded of it last; null before the first time. */
  readonly reminded_at: number | null;
};

/** When people are reminded of orders that wait for them, ms. */
export type ReminderSettings = { readonly afterMs: number; readonly everyMs: number };

/** Returns whether somebody is to be reminded of an order now, and when it is looked at again: within an hour, since settings change. */
export function planReminder(
  { reminded_at, since }: Pick<OrderWait, 'reminded_at' | 'since'>,
  { afterMs, everyMs }: ReminderSettings,
  nowMs: number,
): { readonly isDue: boolean; readonly next_at: number } {
  const dueMs = reminded_at === null ? since + afterMs : reminded_at + everyMs;
  const isDue = nowMs >= dueMs;
  return { isDue, next_at: Math.min(isDue ? nowMs + everyMs : dueMs, nowMs + HOUR_MS) };
}
