import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';

/** How often something may be done: `points` times in a window that begins with the first. */
export type LimitRule = { readonly points: number; readonly windowMs: number };

/** What is counted for itself (spec 1, Limits). `read`, `stream` and `probe` protect the process; spec 1 sets them no number. */
export const LIMIT_RULES = {
  bulk: { points: 20, windowMs: MINUTE_MS },
  save_user: { points: 60, windowMs: HOUR_MS },
  save_organization_hour: { points: 90, windowMs: HOUR_MS },
  save_organization_day: { points: 300, windowMs: DAY_MS },
  save_ip: { points: 240, windowMs: HOUR_MS },
  ownership: { points: 60, windowMs: HOUR_MS },
  crawl_domain: { points: 1, windowMs: 5 * MINUTE_MS },
  crawl_user: { points: 30, windowMs: HOUR_MS },
  probe: { points: 60, windowMs: MINUTE_MS },
  resolve_live: { points: 60, windowMs: MINUTE_MS },
} as const satisfies Record<string, LimitRule>;

/** A counter of the table. */
export type LimitName = keyof typeof LIMIT_RULES;

/** Counts what callers do, per process. */
export type RegistryLimits = {
  /** Takes one of `key`'s turns. Throws rate_limited with the seconds to wait, and `text` as its message where given. */
  readonly take: (name: LimitName, key: string, text?: string) => Promise<void>;
};
