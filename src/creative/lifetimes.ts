import { DAY_MS } from '../platform/kernel/clock.js';

/** How long a preview can be looked at, and how long a built picture is served at least. */
export const PREVIEW_MS = DAY_MS;
export const BUILT_MS = 30 * DAY_MS;
