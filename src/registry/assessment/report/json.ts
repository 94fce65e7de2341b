import { isoTime } from '../../../platform/kernel/clock.js';
import type { Assessment } from '../assess.js';
import { isSound } from './text.js';

/** Returns a report as JSON shows it, to programs and to callers of a registry. */
export function assessmentJson(assessment: Assessment): object {
  const { agent, badge, bytes, checks, findings, isCut, requests, startedAt, tookMs, url } = assessment;
  return {
    ok: isSound(assessment),
    url,
    agent,
    checked_at: isoTime(startedAt),
    took_ms: tookMs,
    requests,
    bytes,
    complete: !isCut,
    findings,
    checks,
    badge: { possible: badge.isPossible, suite: badge.suite, storyboards: badge.storyboards },
  };
}
