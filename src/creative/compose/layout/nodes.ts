import type { Family } from '../design/family.js';
import type { Direction } from '../fonts/bidi.js';
import type { Fonts } from '../fonts/packaged-fonts.js';
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
  /** Words for a button that the call to action does not fit. */
  readonly shortAction?: string | undefined;
  /** The offer in its shortest form, such as "20% off": set off in the headline, or on a badge. */
  readonly offer?: string;
  /** Terms that have to be in the ad, such as "18+". */
  readonly legal?: string;
  /** How the ads of the campaign are composed. */
  readonly family: Family;
  readonly palette: Palette;
  /** Of blocks of color upon the ground. */
  readonly block: Palette;
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
  | 'rule'
  | 'block'
  | 'scrim'
  | 'legal';

type At = { readonly role: NodeRole; readonly box: Box };

/**
 * A filled rectangle; `far` makes it a gradient to that color. `fade` lets it run out towards one of its edges, `opacity` lets
 * through what is behind; `border` draws its outline instead of filling it.
 */
export type RectNode = At & {
  readonly kind: 'rect';
  readonly fill: string;
  readonly far?: string;
  readonly radius?: number;
  readonly opacity?: number;
  readonly fade?: Side;
  readonly border?: number;
};

/** An edge of a box. */
export type Side = 'top' | 'bottom' | 'left' | 'right';

/** An outline in SVG path syntax, in pixels of the ad, cut off at its box; `flipped` is as a mirror in the middle of the ad shows it. */
export type PathNode = At & {
  readonly kind: 'path';
  readonly d: string;
  readonly fill: string;
  readonly flipped?: boolean;
};
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

/** Returns nodes moved by so many pixels; outlines stay. */
export function shiftNodes(nodes: readonly AdNode[], dx: number, dy = 0): readonly AdNode[] {
  return nodes.map((node) =>
    node.kind === 'path' ? node : { ...node, box: { ...node.box, x: node.box.x + dx, y: node.box.y + dy } },
  );
}

/** Returns a text node whose box is exactly as high as its lines. */
export function textNode(
  role: NodeRole,
  fitted: FittedText,
  at: { readonly x: number; readonly y: number; readonly width: number },
  look: Pick<TextNode, 'color' | 'marked'> & Partial<Pick<TextNode, 'align'>>,
): TextNode {
  return { kind: 'text', role, fitted, align: 'start', box: { ...at, height: fitted.height }, ...look };
}
