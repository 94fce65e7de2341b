import { MOTIFS, type MotifKind } from '../compose/layout/nodes.js';
import type { BrandColors } from '../compose/pictures/color.js';

/** How a picture may be fitted to a slot. */
export const FITS = ['auto', 'crop', 'contain', 'compose'] as const;

/** The art direction of a build: what is decided otherwise than by its rules. */
export type Direction = {
  readonly motif?: MotifKind | undefined;
  /** By how many of the list the motif is another than it would be. */
  readonly motifShift?: number | undefined;
  /** `inverted` swaps the brand's first two colors. */
  readonly colors?: 'brand' | 'inverted' | undefined;
  /** A ground in place of the brand's first color, as `#rrggbb`. */
  readonly ground?: string | undefined;
  readonly fit?: (typeof FITS)[number] | undefined;
  /** Most characters of a headline that is written. */
  readonly headlineChars?: number | undefined;
  /** Words that are set as they are. */
  readonly headline?: string | undefined;
  readonly callToAction?: string | undefined;
};

/** Returns the motif of a direction; `usual` is the one that goes with what is advertised. */
export function directMotif(usual: MotifKind, { motif = usual, motifShift = 0 }: Direction): MotifKind {
  return MOTIFS[(MOTIFS.indexOf(motif) + motifShift) % MOTIFS.length] ?? motif;
}

/** Returns the colors of a brand as a direction has them. */
export function directColors<Colors extends BrandColors & { readonly primary: string }>(
  colors: Colors,
  { colors: order, ground }: Direction,
): Colors {
  const directed = ground === undefined ? colors : { ...colors, primary: ground };
  const { primary, secondary, accent } = directed;
  const other = secondary ?? accent ?? '#ffffff';
  return order === 'inverted' ? { ...directed, primary: other, secondary: primary, text: undefined } : directed;
}
