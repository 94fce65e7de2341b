import type { Palette } from '../../pictures/color.js';
import { type AdNode, MOTIFS, type MotifKind } from '../nodes.js';
import type { Box } from '../text.js';

/** Draws a motif into the lower or right part of an ad, cut off at the ad's edges alone; every color keeps the ink readable. */
export function drawMotif(kind: MotifKind, ad: Box, palette: Palette): readonly AdNode[] {
  return DRAW[kind](ad, palette).map(({ d, fill }) => ({ kind: 'path', role: 'motif', box: ad, d, fill }));
}

/** Returns the motif that goes with what is advertised, else one chosen by the brand's name: always the same for the same words. */
export function chooseMotif(brandName: string, words: string): MotifKind {
  const fitting = SUBJECTS.find(([pattern]) => pattern.test(words))?.[1];
  if (fitting !== undefined) return fitting;
  let sum = 0;
  for (const character of brandName.normalize('NFC').toLowerCase())
    sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return MOTIFS[sum % MOTIFS.length] ?? 'rings';
}

const SUBJECTS: readonly (readonly [RegExp, MotifKind])[] = [
  [
    /outdoor|hik(e|ing)|mountain|trail|camp|ski|snow|climb|travel|holiday|nature|wander|berg|montagne|randonn|montaña/iu,
    'ridge',
  ],
  [/music|audio|coffee|café|kaffee|food|restaurant|wine|record|podcast|sound/iu, 'rings'],
  [/sport|run(ning)?\b|car\b|bike|fitness|shoe|sneaker|electric|auto\b/iu, 'bands'],
  [/software|cloud|data|app\b|saas|bank|insur|fintech|online|learn|school/iu, 'dots'],
];

type Outline = { readonly d: string; readonly fill: string };
type Draw = (ad: Box, palette: Palette) => readonly Outline[];

const DRAW: Readonly<Record<MotifKind, Draw>> = {
  ridge: drawRidge,
  rings: drawRings,
  bands: drawBands,
  dots: drawDots,
};

/** Returns the part of a box from these shares of its width and height to the lower right corner. */
function corner({ x, y, width, height }: Box, from: number, top: number): Box {
  return { x: x + width * from, y: y + height * top, width: width * (1 - from), height: height * (1 - top) };
}

/** Heights of the crest lines from left to right, as shares of the region; narrow ads show the right end. */
const FAR_CREST = [0.62, 0.5, 0.7, 0.4, 0.56, 0.42, 0.52, 0.3, 0.52, 0.1, 0.34, 0.2];
const NEAR_CREST = [0.94, 0.86, 0.92, 0.78, 0.88, 0.62, 0.84, 0.58, 0.74, 0.42, 0.62, 0.36];

function drawRidge(ad: Box, palette: Palette): readonly Outline[] {
  const ratio = ad.width / ad.height;
  const region = corner(ad, 0, ridgeTop(ratio));
  const points = Math.min(FAR_CREST.length, Math.max(4, Math.round((region.width / region.height) * 3.2)));
  const sun = Math.min(region.width, region.height) * 0.17;
  const outlines =
    ratio > 1.5 && ratio < 4.2
      ? [{ d: disc(ad.x + ad.width * 0.72, ad.y + ad.height * 0.3, sun), fill: palette.shape }]
      : [];
  return [
    ...outlines,
    { d: crest(region, FAR_CREST.slice(-points)), fill: palette.shape },
    { d: crest(region, NEAR_CREST.slice(-points)), fill: palette.shapeFar },
  ];
}

function crest(region: Box, heights: readonly number[]): string {
  const bottom = region.y + region.height;
  const step = region.width / (heights.length - 1);
  const peaks = heights.map(
    (height, index) => `L${n(region.x + index * step)} ${n(region.y + height * region.height)}`,
  );
  return `M${n(region.x)} ${n(bottom)}${peaks.join('')}L${n(region.x + region.width)} ${n(bottom)}Z`;
}

function drawRings(ad: Box, palette: Palette): readonly Outline[] {
  const reach = Math.max(Math.min(ad.width, ad.height) * 0.7, Math.max(ad.width, ad.height) * 0.42);
  const [x, y] = [ad.x + ad.width, ad.y + ad.height];
  return [
    { d: ring(x, y, reach, reach * 0.86), fill: palette.shape },
    { d: ring(x, y, reach * 0.74, reach * 0.6), fill: palette.shape },
    { d: disc(x, y, reach * 0.48), fill: palette.shapeFar },
  ];
}

function drawBands(ad: Box, palette: Palette): readonly Outline[] {
  const region = corner(ad, ad.width > ad.height * 1.5 ? 0.45 : 0.1, 0);
  const slant = Math.min(region.height * 0.5, region.width * 1.2);
  const band = (from: number, to: number): string => {
    const [a, b] = [region.x + region.width * from, region.x + region.width * to];
    const [top, bottom] = [region.y, region.y + region.height];
    return `M${n(a + slant)} ${n(top)}H${n(b + slant)}L${n(b)} ${n(bottom)}H${n(a)}Z`;
  };
  return [
    { d: band(0.3, 0.37), fill: palette.shape },
    { d: band(0.45, 0.62), fill: palette.shape },
    { d: band(0.72, 2.6), fill: palette.shapeFar },
  ];
}

/** Returns where a ridge begins from above, as a share of the ad's height, by how wide the ad is for its height. */
function ridgeTop(ratio: number): number {
  if (ratio < 0.72) return 0.58;
  if (ratio > 4.2) return 0.62;
  return ratio > 2 ? 0.3 : 0.48;
}

/** Returns where dots begin from above, as a share of the ad's height. */
function dotsTop({ height, width }: Box): number {
  if (height > width * 1.5) return 0.55;
  return width > height * 3 ? 0 : 0.3;
}

/** Draws rows and columns of dots that grow towards the lower right corner. */
function drawDots(ad: Box, palette: Palette): readonly Outline[] {
  const region = corner(ad, ad.width > ad.height * 1.5 ? 0.4 : 0, dotsTop(ad));
  const pitch = Math.max(8, Math.min(region.width, region.height) / 8);
  const columns = Math.floor(region.width / pitch);
  const rows = Math.floor(region.height / pitch);
  const dots: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const near = ((column + 1) / columns + (row + 1) / rows) / 2;
      if (near < 0.5) continue;
      const x = region.x + region.width - (columns - column - 0.5) * pitch;
      const y = region.y + region.height - (rows - row - 0.5) * pitch;
      dots.push(disc(x, y, pitch * 0.36 * ((near - 0.4) / 0.6)));
    }
  }
  return dots.length === 0 ? [] : [{ d: dots.join(''), fill: palette.shape }];
}

function disc(x: number, y: number, radius: number): string {
  const r = n(radius);
  return `M${n(x - radius)} ${n(y)}a${r} ${r} 0 1 0 ${n(radius * 2)} 0a${r} ${r} 0 1 0 ${n(-radius * 2)} 0Z`;
}

/** Returns a disc with a hole: the inner circle runs the other way round. */
function ring(x: number, y: number, outer: number, inner: number): string {
  const r = n(inner);
  return `${disc(x, y, outer)}M${n(x - inner)} ${n(y)}a${r} ${r} 0 1 1 ${n(inner * 2)} 0a${r} ${r} 0 1 1 ${n(-inner * 2)} 0Z`;
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
