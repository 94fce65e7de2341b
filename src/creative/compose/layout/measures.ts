import { hasScriptFont } from '../fonts/scripts.js';
import type { AdContent } from './nodes.js';

/** The families of sizes, each with its own composition. */
export type Shape = 'strip' | 'card' | 'tower' | 'hero';

/** Returns the family that a size belongs to, by its proportions. */
export function chooseShape(width: number, height: number): Shape {
  const ratio = width / height;
  if (ratio >= 4.2 || (ratio >= 3 && height <= 120)) return 'strip';
  if (ratio >= 1.55) return 'hero';
  return ratio < 0.72 ? 'tower' : 'card';
}

/** Returns the name under which a family has the place of its picture: squares, which have more height, apart from other cards. */
export function nameSpot(
  shape: Exclude<Shape, 'strip'>,
  width: number,
  height: number,
): 'card' | 'square' | 'tower' | 'hero' {
  return shape === 'card' && width / height < MAX_SQUARE_RATIO ? 'square' : shape;
}

const MAX_SQUARE_RATIO = 1.12;

/** Measures of an ad that is no strip, in pixels. */
export type Measures = {
  readonly pad: number;
  readonly brand: number;
  readonly eyebrow: number;
  /** Share of the words' width and height that the headline may be high at its largest, and its smallest in pixels. */
  readonly headlineOf: readonly [width: number, height: number];
  readonly headlineFrom: number;
  readonly headlineLines: number;
  readonly body: number;
  readonly bodyLines: number;
  readonly action: number;
  readonly legal: number;
  /** Whether the button is as wide as the column. */
  readonly hasWideAction: boolean;
  readonly gap: number;
  /** Heights at the upper and lower edge that a screen's own controls may cover. */
  readonly safe: readonly [top: number, bottom: number];
};

/** Returns the measures for a size, all in proportion to it. */
export function measurePanel(
  shape: Exclude<Shape, 'strip'>,
  width: number,
  height: number,
  content: AdContent,
): Measures {
  const usual = MEASURE[shape](width, height);
  const { headline, trim } = content.family;
  const frame = trim === 'hairline' ? 1.3 : 1;
  return {
    ...usual,
    pad: Math.max(3, Math.round(usual.pad * frame)),
    headlineFrom: usual.headlineFrom * Math.max(1, scaleHeadline(content) * 0.8),
    headlineLines: usual.headlineLines + (headline.font === 'condensed' ? 1 : 0),
    legal: Math.max(usual.legal, MIN_LEGAL_PX),
    safe: height >= MIN_SCREEN_PX && width / height <= 0.6 ? [height * 0.1, height * 0.13] : [0, 0],
  };
}

/** Terms are never set smaller: below this size small print is not read on a screen. */
export const MIN_LEGAL_PX = 8;

/** A full-screen upright ad: below its height none is shown with controls over it. */
const MIN_SCREEN_PX = 1200;

type Usual = Omit<Measures, 'safe'>;

const MEASURE: Readonly<Record<Exclude<Shape, 'strip'>, (width: number, height: number) => Usual>> = {
  card: (width, height) => {
    const side = Math.min(width, height);
    return {
      pad: side * 0.08,
      brand: side * 0.105,
      eyebrow: Math.max(8, side * 0.043),
      headlineOf: [0.16, 0.24],
      headlineFrom: Math.max(7, side * 0.056),
      headlineLines: 4,
      body: side * 0.056,
      bodyLines: 2,
      action: Math.max(7, side * 0.057),
      legal: Math.max(Math.min(9, side * 0.036), side * 0.03),
      hasWideAction: false,
      gap: side * 0.06,
    };
  },
  tower: (width, height) => ({
    pad: width * 0.095,
    brand: Math.min(width * 0.17, height * 0.07),
    eyebrow: Math.max(8, Math.min(width * 0.068, height * 0.025)),
    headlineOf: [0.22, 0.19],
    headlineFrom: Math.max(7, width * 0.075),
    headlineLines: 6,
    body: Math.max(Math.min(width * 0.03 + 9, width * 0.09), width * 0.045),
    bodyLines: 4,
    action: Math.min(width * 0.05 + 6.5, width * 0.11),
    legal: Math.max(Math.min(9, width * 0.056), Math.min(width * 0.035, height * 0.014)),
    hasWideAction: width < 400,
    gap: Math.min(width * 0.11, height * 0.05),
  }),
  hero: (width, height) => ({
    pad: height * (width / height > 3 ? 0.11 : 0.085),
    brand: height * 0.115,
    eyebrow: Math.max(8, height * 0.042),
    headlineOf: [0.15, 0.225],
    headlineFrom: Math.max(7, height * 0.07),
    headlineLines: 3,
    body: Math.max(Math.min(14, height * 0.07), height * 0.052),
    bodyLines: 2,
    action: Math.max(7, height * 0.058),
    legal: Math.max(Math.min(10, height * 0.05), height * 0.028),
    hasWideAction: false,
    gap: height * 0.06,
  }),
};

/** Returns the largest size of a headline in a room of this size. */
export function largestHeadline(
  { headlineOf: [ofWidth, ofHeight] }: Measures,
  room: { readonly width: number; readonly height: number },
  content: AdContent,
): number {
  return Math.min(room.width * ofWidth, room.height * ofHeight) * scaleHeadline(content);
}

/** Returns how much larger than usual a headline may be: letters of other writings are as wide in a condensed family as in any. */
export function scaleHeadline({ headline, family }: AdContent): number {
  const { font, scale } = family.headline;
  return font === 'condensed' && hasScriptFont(headline) ? 1.05 : scale;
}
