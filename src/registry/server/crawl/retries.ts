import { DAY_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';

const FIRST_RETRY_MS = 5 * MINUTE_MS;
/** The longest wait, and the one where nobody waits for a file. */
export const LAST_RETRY_MS = DAY_MS;

/** Returns the milliseconds after which a file is read again that could not be read so often in a row: five minutes, then twice as long each time. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), LAST_RETRY_MS);
}
