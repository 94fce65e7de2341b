import { DAY_MS } from '../platform/kernel/clock.js';

/** The lifetime of a built picture at the least, in milliseconds. */
export const BUILT_MS = 30 * DAY_MS;
