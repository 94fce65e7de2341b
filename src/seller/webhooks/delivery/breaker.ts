import { MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';

/** The breaker of an endpoint: closed while few attempts in a row have failed, else open until an instant. */
export type Breaker = {
  /** In a row. */
  readonly failures: number;
  /** How often it has opened since the last good answer. */
  readonly openings: number;
  /** Ms since the epoch. */
  readonly openUntilMs: number;
};

/** The breaker of an endpoint without failures. */
export const CLOSED: Breaker = { failures: 0, openings: 0, openUntilMs: 0 };

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const MAX_PAUSE_MS = 10 * MINUTE_MS;

/** Returns the breaker after an attempt: a good answer closes it, the fifth failure in a row opens it, each failed probe doubles the pause. */
export function afterAttempt(breaker: Breaker, isFailing: boolean, nowMs: number): Breaker {
  if (!isFailing) return CLOSED;
  const failures = breaker.failures + 1;
  // Attempts that were under way when it opened say nothing new.
  if (failures < FAILURES_TO_OPEN || nowMs < breaker.openUntilMs) return { ...breaker, failures };
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** breaker.openings, MAX_PAUSE_MS);
  return { failures, openings: breaker.openings + 1, openUntilMs: nowMs + pauseMs };
}

/** Returns which events may be sent now: all, none, or one to probe whether the endpoint is back. */
export function allowedTraffic({ failures, openUntilMs }: Breaker, nowMs: number): 'all' | 'probe' | 'none' {
  if (failures < FAILURES_TO_OPEN) return 'all';
  return nowMs < openUntilMs ? 'none' : 'probe';
}
