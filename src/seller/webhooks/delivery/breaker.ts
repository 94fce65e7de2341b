import { SECOND_MS } from '../../../platform/kernel/clock.js';
import { MAX_RETRY_AFTER_MS } from './schedule.js';

/** The breaker of an endpoint: closed while few attempts in a row have failed, else open; a failing endpoint is probed until it answers. */
export type Breaker = {
  /** In a row. */
  readonly failures: number;
  /** Of the first of them, ms since the epoch. */
  readonly sinceMs: number;
  /** When the endpoint may be probed next, ms since the epoch. */
  readonly probeAtMs: number;
};

/** The breaker of an endpoint without failures. */
export const CLOSED: Breaker = { failures: 0, sinceMs: 0, probeAtMs: 0 };

const FAILURES_TO_OPEN = 5;
/** With an attempt's own time of 10 s, a receiver that is back is noticed within a minute. */
export const PROBE_EVERY_MS = 30 * SECOND_MS;
/** Where an endpoint failed for less, the next attempts of its events are near anyway. */
const MIN_OUTAGE_MS = 5 * SECOND_MS;

/** The sign of an endpoint's health that an attempt gives. */
export type Health = {
  readonly isEndpointFailing: boolean;
  readonly isThrottled: boolean;
  /** The pause that the receiver asked for, in ms. */
  readonly retryAfterMs?: number | undefined;
};

/** Returns the breaker after an attempt: a good answer closes it, the fifth failure in a row opens it. */
export function afterAttempt(breaker: Breaker, health: Health, nowMs: number): Breaker {
  if (!health.isEndpointFailing) return CLOSED;
  const { failures, sinceMs } = breaker;
  const pauseMs = Math.max(PROBE_EVERY_MS, Math.min(health.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
  return {
    failures: failures + 1,
    sinceMs: failures === 0 ? nowMs : sinceMs,
    probeAtMs: Math.max(breaker.probeAtMs, nowMs + pauseMs),
  };
}

/** Whether the endpoint gets nothing but probes. */
export function isOpen({ failures }: Breaker): boolean {
  return failures >= FAILURES_TO_OPEN;
}

/** Whether a good answer at `nowMs` ends an outage, after which events that wait for a later attempt go out at once. */
export function endsOutage({ failures, sinceMs }: Breaker, nowMs: number): boolean {
  return failures > 0 && nowMs - sinceMs >= MIN_OUTAGE_MS;
}
