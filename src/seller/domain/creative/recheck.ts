import type { SubmissionResult } from '../../../creative/check/submission.js';
import { HOUR_MS, isoTime, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { type Creative, type CreativeApproval, type Recheck, statusAfterSync } from './creative.js';

/** The pauses between two looks at files that nobody serves: nine looks in 46 h 21 min. */
const RECHECK_PAUSES_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
];

const MAX_REASON_CHARS = 500;

/** Returns the next look at the files of a creative after `attempts` in vain; undefined where there is none any more. */
export function planRecheck(attempts: number, nowMs: number): Recheck | undefined {
  const pauseMs = RECHECK_PAUSES_MS[attempts - 1];
  return pauseMs === undefined ? undefined : { attempts, at: isoTime(nowMs + pauseMs) };
}

/**
 * Returns a creative after another look at its files: as the approval policy says where they are there and fit, rejected where they do not fit or
 * nobody served them at the last look, and otherwise with the next look planned.
 */
export function judgeRecheck(
  creative: Creative,
  { error, hold }: Pick<SubmissionResult, 'error' | 'hold'>,
  approval: CreativeApproval,
  nowMs: number,
): Creative {
  const { recheck, ...rest } = creative;
  const attempts = (recheck?.attempts ?? 0) + 1;
  const updated_date = isoTime(nowMs);
  const reject = (why: string): Creative => ({
    ...rest,
    status: 'rejected',
    hold: undefined,
    rejection_reason: why.slice(0, MAX_REASON_CHARS),
    updated_date,
  });
  if (error !== undefined) return reject(error.message);
  if (hold?.kind === 'unread') {
    const next = planRecheck(attempts, nowMs);
    return next === undefined
      ? reject(`${hold.why} It was looked for ${attempts} times.`)
      : { ...creative, hold, recheck: next };
  }
  return { ...rest, status: statusAfterSync(undefined, true, approval, hold?.kind), hold, updated_date };
}

/** Returns what a creative waits for, in words for its buyer; undefined where nothing keeps it from running. */
export function explainHold({ hold, recheck }: Pick<Creative, 'hold' | 'recheck'>): string | undefined {
  if (hold === undefined || recheck === undefined) return hold?.why;
  return `${hold.why} Until then it is looked at again by itself, next at ${recheck.at}.`;
}
