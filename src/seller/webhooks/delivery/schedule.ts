import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';

/** When an event that could not be delivered is tried again. All spans in milliseconds. */
export type Schedule = {
  /** Between one attempt and the next, from the first on. */
  readonly delaysMs: readonly number[];
  /** By what part of itself each delay may be shorter or longer, 0 to 1. */
  readonly jitter: number;
  /** How long an event is tried at all; receivers remember its key no longer. */
  readonly horizonMs: number;
};

/** Twelve attempts in 21 h 43 min, and one last at the end of the day; those of an endpoint that is probed come on top. */
export const SCHEDULE: Schedule = {
  delaysMs: [
    2 * SECOND_MS,
    8 * SECOND_MS,
    30 * SECOND_MS,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    2 * HOUR_MS,
    4 * HOUR_MS,
    6 * HOUR_MS,
    8 * HOUR_MS,
  ],
  jitter: 0.2,
  horizonMs: 24 * HOUR_MS,
};

/** The longest pause that a receiver may ask for with Retry-After. */
export const MAX_RETRY_AFTER_MS = HOUR_MS;

/** How long before its end an event has its last attempt: time enough to notice by it that its endpoint is back. */
const LAST_ATTEMPT_BEFORE_END_MS = 2 * MINUTE_MS;

/** An event whose attempt has just failed; instants in ms since the epoch. */
export type Failed = {
  /** The seed of the jitter, so that an event has one plan and no two events share theirs. */
  readonly key: string;
  readonly firstMs: number;
  readonly nowMs: number;
  readonly expiresMs: number;
  /** The pause that the receiver asked for, if it did. */
  readonly retryAfterMs?: number | undefined;
};

/**
 * Returns when the event is tried again (ms), undefined when its time is over. The plan counts from the first attempt, jitter does not
 * add up, and an event that was held back goes on with the next planned attempt; one last attempt comes before the end.
 */
export function nextAttemptMs(schedule: Schedule, failed: Failed): number | undefined {
  const planned = planAttempts(schedule, failed.key)
    .map((offset) => failed.firstMs + offset)
    .find((at) => at > failed.nowMs);
  const last = failed.expiresMs - LAST_ATTEMPT_BEFORE_END_MS;
  if (failed.nowMs >= last) return undefined;
  const asked = failed.nowMs + Math.min(failed.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  const wanted = Math.max(planned ?? last, asked);
  return Math.min(wanted, last);
}

/** Returns the attempts of an event after its first, in ms since the first. */
export function planAttempts({ delaysMs, jitter }: Schedule, key: string): readonly number[] {
  let passed = 0;
  return delaysMs.map((delay, step) => {
    passed += delay;
    return Math.round(passed + delay * jitter * spreadOf(key, step));
  });
}

/** Returns a number from -1 to 1, evenly spread over keys and steps. */
function spreadOf(key: string, step: number): number {
  return (Number.parseInt(sha256Hex(`${key}:${step}`).slice(0, 8), 16) / 0xffff_ffff) * 2 - 1;
}
