import type { Format } from '../format.js';
import { DISPLAY_ROWS } from './display.js';
import { AUDIO_ROWS, CARD_ROWS, DOOH_ROWS, NATIVE_ROWS } from './others.js';
import { buildFormat, deepFreeze, type FormatRow } from './rows.js';
import { VIDEO_ROWS } from './video.js';

/** The public reference catalog with the short ids, banners first: what a buyer sees on the first page has a size. */
const ROWS: readonly FormatRow[] = [
  ...DISPLAY_ROWS,
  ...VIDEO_ROWS,
  ...AUDIO_ROWS,
  ...NATIVE_ROWS,
  ...DOOH_ROWS,
  ...CARD_ROWS,
];

/** The ids of the formats that this seller owns. */
export const HOUSE_FORMAT_IDS: ReadonlySet<string> = new Set(ROWS.map((row) => row.id));

/** Returns every format of the house under `agentUrl`, banners first, deep-frozen. Build once per agent URL. */
export function houseFormats(agentUrl: string): readonly Format[] {
  return deepFreeze(ROWS.map((row) => buildFormat(row, agentUrl)));
}
