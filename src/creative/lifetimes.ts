import { DAY_MS } from '../platform/kernel/clock.js';

/** The lifetimes of a preview, and of a built picture at the least, in milliseconds. */
export const PREVIEW_MS = DAY_MS;
export const BUILT_MS = 30 * DAY_MS;
