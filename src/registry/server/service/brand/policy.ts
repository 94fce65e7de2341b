import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../platform/kernel/clock.js';

/** How an operator runs a registry (spec 1, Save-time controls). */
export type RegistryPolicy = {
  /** Whether a save needs the proof of the domain; `off` is for private networks whose members are known. */
  readonly ownership: 'required' | 'off';
  /** What becomes of a name that reads like another one's: refused, held for a person, or taken. */
  readonly lookAlikes: 'reject' | 'review' | 'off';
  /** How long a proof stands before the next save needs a new one. */
  readonly proofLastsMs: number;
  /** Whether domains that are not known are looked up on the internet. */
  readonly liveLookups: boolean;
};

/** The policy of a public registry. */
export const PUBLIC_POLICY: RegistryPolicy = {
  ownership: 'required',
  lookAlikes: 'reject',
  proofLastsMs: 90 * DAY_MS,
  liveLookups: true,
};

/** How long a nonce may be used (spec 1, Limits). */
export const NONCE_LASTS_MS = 15 * MINUTE_MS;

/** How long a copy counts, and how long a failure is remembered (facts 3.2). */
export const COPY_LASTS_MS = 24 * HOUR_MS;
export const FAILURE_LASTS_MS = HOUR_MS;
