import { MINUTE_MS, SECOND_MS } from '../../platform/kernel/clock.js';

/** When a registry is asked again. */
export type Backoff = {
  /** Milliseconds. */
  readonly dueAt: () => number;
  readonly succeeded: (nowMs: number) => void;
  /** `retryAfter` in seconds, where the registry names a time. */
  readonly failed: (nowMs: number, retryAfter?: number) => void;
  readonly hurry: () => void;
  readonly failures: () => number;
};

const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = 5 * MINUTE_MS;
/** What a registry may ask for. */
const MAX_OBEYED_SECONDS = 3600;

/**
 * Returns regular rounds, further apart after failures, and never those of all mirrors at once: `random` answers 0 to
 * 1.
 */
export function createBackoff(everyMs: number, random: () => number): Backoff {
  let dueAt = 0;
  let failures = 0;
  const around = (ms: number): number => ms * (0.5 + random());
  return {
    dueAt: () => dueAt,
    failures: () => failures,
    succeeded: (nowMs) => {
      failures = 0;
      dueAt = nowMs + around(everyMs);
    },
    failed: (nowMs, retryAfter = 0) => {
      failures += 1;
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 16), LONGEST_WAIT_MS);
      const askedMs = Math.min(retryAfter, MAX_OBEYED_SECONDS) * SECOND_MS;
      dueAt = nowMs + Math.max(around(waitMs), askedMs);
    },
    hurry: () => {
      if (failures === 0) dueAt = 0;
    },
  };
}
