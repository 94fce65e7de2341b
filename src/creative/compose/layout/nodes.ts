import type { Fonts } from '../fonts/packaged-fonts.js';
import type { Direction } from '../fonts/typeface.js';
import type { Palette } from '../pictures/color.js';
import type { Box, FittedText } from './text.js';

/** A picture ready to be placed: its bytes as a data URI, and its own size. */
export type PlacedPicture = {
  readonly dataUri: string;
  readonly width: number;
  readonly height: number;
  /** Color of the plate that a logo needs beneath it to be seen; none when it stands on the ground as it is. */
  readonly plate?: string;
};

/** The content of an ad. Texts are plain text; nothing in them is markup. */
export type AdContent = {
  readonly brandName: string;
  readonly logo?: PlacedPicture;
  /** A photograph or illustration; a motif is drawn where there is none. */
  readonly picture?: PlacedPicture;
  /** A few words above the headline, such as "Summer sale". */
  readonly eyebrow?: string;
  readonly headline: string;
  readonly body?: string;
  readonly callToAction: string;
  /** The offer in its shortest form, such as "20% off": set off in the headline, or on a badge. */
  readonly offer?: string;
  readonly palette: Palette;
  readonly fonts: Fonts;
  readonly motif: MotifKind;
  /** BCP 47; for the HTML variant. */
  readonly language?: string;
};

/** The drawn backgrounds. */
export const MOTIFS = ['ridge', 'rings', 'bands', 'dots'] as const;
export type MotifKind = (typeof MOTIFS)[number];

/** The role of a node in the ad: for tests, and as class names of the HTML variant. */
type NodeRole =
  | 'ground'
  | 'motif'
  | 'picture'
  | 'logo'
  | 'brand'
  | 'eyebrow'
  | 'headline'
  | 'body'
  | 'action'
  | 'badge'
  | 'rule';

type At = { readonly role: NodeRole; readonly box: Box };

/** A filled rectangle; `far` makes it a gradient to that color. */
export type RectNode = At & {
  readonly kind: 'rect';
  readonly fill: string;
  readonly far?: string;
  readonly radius?: number;
};
/** An outline in SVG path syntax, in pixels of the ad, cut off at the ad's edges. */
export type PathNode = At & { readonly kind: 'path'; readonly d: string; readonly fill: string };
/** A picture; `cover` cuts what does not fit, `contain` shows all. */
export type PictureNode = At & {
  readonly kind: 'picture';
  readonly picture: PlacedPicture;
  readonly fit: 'cover' | 'contain';
  readonly radius?: number;
};
/** Lines of text inside the box; words of `marked` in its own color. */
export type TextNode = At & {
  readonly kind: 'text';
  readonly fitted: FittedText;
  readonly color: string;
  readonly align: 'start' | 'middle';
  readonly marked?: { readonly text: string; readonly color: string };
};

/** One thing that an ad is drawn of. */
export type AdNode = RectNode | PathNode | PictureNode | TextNode;

/** A composed ad: its nodes from back to front. Drawn as SVG or as HTML from the same boxes. */
export type Ad = {
  readonly width: number;
  readonly height: number;
  readonly content: AdContent;
  /** The way that its texts are read: texts at the start are at the left or at the right. */
  readonly direction: Direction;
  readonly nodes: readonly AdNode[];
};

/** Returns a text node whose box is exactly as high as its lines. */
export function textNode(
  role: NodeRole,
  fitted: FittedText,
  at: { readonly x: number; readonly y: number; readonly width: number },
  color: string,
  more: Partial<Pick<TextNode, 'align' | 'marked'>> = {},
): TextNode {
  return { kind: 'text', role, fitted, color, align: 'start', box: { ...at, height: fitted.height }, ...more };
}
