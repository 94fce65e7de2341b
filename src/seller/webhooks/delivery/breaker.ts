import { MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';

/** What is known of an endpoint that fails: closed while few attempts in a row have failed, else open until an instant. */
export type Breaker = {
  /** In a row. */
  readonly failures: number;
  /** How often it has opened since the last good answer. */
  readonly openings: number;
  /** Ms since the epoch. */
  readonly openUntilMs: number;
};

/** A breaker that nothing has gone wrong with. */
export const CLOSED: Breaker = { failures: 0, openings: 0, openUntilMs: 0 };

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

/** The breaker after an attempt: a good answer closes it, the fifth failure in a row opens it, each failed probe doubles the pause. */
export function afterAttempt(breaker: Breaker, ailing: boolean, nowMs: number): Breaker {
  if (!ailing) return CLOSED;
  const failures = breaker.failures + 1;
  // What was under way when it opened says nothing new.
  if (failures < FAILURES_TO_OPEN || nowMs < breaker.openUntilMs) return { ...breaker, failures };
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** breaker.openings, LONGEST_PAUSE_MS);
  return { failures, openings: breaker.openings + 1, openUntilMs: nowMs + pauseMs };
}

/** What may be sent now: everything, nothing, or one event to see whether the endpoint is back. */
export function passes({ failures, openUntilMs }: Breaker, nowMs: number): 'all' | 'probe' | 'none' {
  if (failures < FAILURES_TO_OPEN) return 'all';
  return nowMs < openUntilMs ? 'none' : 'probe';
}
