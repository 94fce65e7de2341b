import type { FontStyle, FontWeight } from '../fonts/scripts.js';
import type { Scheme } from './scheme.js';

/** The layout families, by what they are for. */
export const FAMILY_NAMES = ['classic', 'bold', 'luxury', 'editorial', 'tech', 'photo', 'quiet', 'playful'] as const;
export type FamilyName = (typeof FAMILY_NAMES)[number];

/** Where a picture lies in an ad that is no strip: the side, and its share of the ad's height or width; `faded` runs out behind the words, which have the share. */
export type PictureSpot = {
  readonly at: 'top' | 'middle' | 'bottom' | 'start' | 'end' | 'faded';
  readonly share: number;
  /** Distance from the edges, as a share of the shorter side. */
  readonly inset?: number;
  /** Corners: soft ones, or a disc. */
  readonly shape?: 'soft' | 'disc';
  /** Whether the edge towards the words is slanted. */
  readonly slanted?: boolean;
};

/** The layout family of a campaign: what all its sizes have in common. */
export type Family = {
  readonly name: FamilyName;
  readonly scheme: Scheme;
  readonly headline: {
    readonly font: FontStyle;
    readonly weight: FontWeight;
    readonly tracking: number;
    readonly leading: number;
    /** How much larger than usual it may be. */
    readonly scale: number;
    readonly isUpper?: boolean;
  };
  readonly eyebrow: 'plain' | 'chip' | 'ruled' | 'spaced';
  readonly align: 'start' | 'middle';
  readonly action: 'pill' | 'block' | 'bar' | 'outline';
  readonly badge: 'disc' | 'block';
  /** Where the brand stands: above the words, at the foot, or on a tab that hangs from the upper edge. */
  readonly brand: 'top' | 'foot' | 'tab';
  /** How the name is set where there is no logo: beside its first letter on a tile, alone, or in spaced capitals. */
  readonly wordmark: 'tile' | 'plain' | 'spaced';
  readonly picture: Readonly<Record<'card' | 'square' | 'tower' | 'hero', PictureSpot>>;
  readonly strip: 'start' | 'end' | 'disc' | 'faded';
  /** What is there where no picture is: the motif behind everything, a block of color with the motif in it, or the ground alone. */
  readonly bare: 'motif' | 'block' | 'plain';
  readonly trim: 'none' | 'hairline' | 'band';
  readonly hasGradient: boolean;
};

/** The families: composition, type, shapes and colors. */
export const FAMILIES: Readonly<Record<FamilyName, Family>> = {
  classic: {
    name: 'classic',
    scheme: 'brand',
    headline: { font: 'sans', weight: 800, tracking: -0.022, leading: 1.08, scale: 1 },
    eyebrow: 'plain',
    align: 'start',
    action: 'pill',
    badge: 'disc',
    brand: 'top',
    wordmark: 'tile',
    picture: {
      card: { at: 'top', share: 0.42 },
      square: { at: 'top', share: 0.48 },
      tower: { at: 'top', share: 0.38 },
      hero: { at: 'end', share: 0.45 },
    },
    strip: 'start',
    bare: 'motif',
    trim: 'none',
    hasGradient: true,
  },
  bold: {
    name: 'bold',
    scheme: 'brand',
    headline: { font: 'condensed', weight: 800, tracking: 0, leading: 0.98, scale: 1.75, isUpper: true },
    eyebrow: 'plain',
    align: 'start',
    action: 'bar',
    badge: 'block',
    brand: 'top',
    wordmark: 'plain',
    picture: {
      card: { at: 'end', share: 0.46, slanted: true },
      square: { at: 'end', share: 0.46, slanted: true },
      tower: { at: 'bottom', share: 0.4, slanted: true },
      hero: { at: 'end', share: 0.46, slanted: true },
    },
    strip: 'end',
    bare: 'block',
    trim: 'none',
    hasGradient: false,
  },
  luxury: {
    name: 'luxury',
    scheme: 'night',
    headline: { font: 'serif', weight: 400, tracking: 0.002, leading: 1.22, scale: 0.96 },
    eyebrow: 'spaced',
    align: 'middle',
    action: 'outline',
    badge: 'disc',
    brand: 'top',
    wordmark: 'spaced',
    picture: {
      card: { at: 'start', share: 0.44 },
      square: { at: 'top', share: 0.48 },
      tower: { at: 'top', share: 0.44 },
      hero: { at: 'start', share: 0.5 },
    },
    strip: 'start',
    bare: 'plain',
    trim: 'hairline',
    hasGradient: false,
  },
  editorial: {
    name: 'editorial',
    scheme: 'paper',
    headline: { font: 'serif', weight: 800, tracking: -0.008, leading: 1.18, scale: 1.02 },
    eyebrow: 'ruled',
    align: 'start',
    action: 'block',
    badge: 'block',
    brand: 'foot',
    wordmark: 'plain',
    picture: {
      card: { at: 'top', share: 0.38, inset: 0.06 },
      square: { at: 'top', share: 0.46, inset: 0.06 },
      tower: { at: 'top', share: 0.36, inset: 0.09 },
      hero: { at: 'end', share: 0.44, inset: 0.085 },
    },
    strip: 'end',
    bare: 'block',
    trim: 'none',
    hasGradient: false,
  },
  tech: {
    name: 'tech',
    scheme: 'brand',
    headline: { font: 'sans', weight: 600, tracking: -0.032, leading: 1.1, scale: 0.98 },
    eyebrow: 'chip',
    align: 'start',
    action: 'pill',
    badge: 'disc',
    brand: 'top',
    wordmark: 'tile',
    picture: {
      card: { at: 'end', share: 0.44, inset: 0.075, shape: 'soft' },
      square: { at: 'end', share: 0.44, inset: 0.075, shape: 'soft' },
      tower: { at: 'middle', share: 0.42, inset: 0.08, shape: 'soft' },
      hero: { at: 'end', share: 0.42, inset: 0.09, shape: 'soft' },
    },
    strip: 'end',
    bare: 'motif',
    trim: 'none',
    hasGradient: true,
  },
  photo: {
    name: 'photo',
    scheme: 'night',
    headline: { font: 'sans', weight: 800, tracking: -0.025, leading: 1.06, scale: 1.06 },
    eyebrow: 'plain',
    align: 'start',
    action: 'pill',
    badge: 'disc',
    brand: 'tab',
    wordmark: 'plain',
    picture: {
      card: { at: 'faded', share: 0.56 },
      square: { at: 'faded', share: 0.5 },
      tower: { at: 'faded', share: 0.52 },
      hero: { at: 'faded', share: 0.5 },
    },
    strip: 'faded',
    bare: 'motif',
    trim: 'none',
    hasGradient: true,
  },
  quiet: {
    name: 'quiet',
    scheme: 'white',
    headline: { font: 'sans', weight: 600, tracking: -0.02, leading: 1.14, scale: 0.88 },
    eyebrow: 'plain',
    align: 'start',
    action: 'block',
    badge: 'block',
    brand: 'top',
    wordmark: 'tile',
    picture: {
      card: { at: 'end', share: 0.36 },
      square: { at: 'end', share: 0.38 },
      tower: { at: 'bottom', share: 0.34 },
      hero: { at: 'end', share: 0.36 },
    },
    strip: 'end',
    bare: 'motif',
    trim: 'band',
    hasGradient: false,
  },
  playful: {
    name: 'playful',
    scheme: 'brand',
    headline: { font: 'sans', weight: 800, tracking: -0.02, leading: 1.06, scale: 1 },
    eyebrow: 'chip',
    align: 'middle',
    action: 'pill',
    badge: 'disc',
    brand: 'top',
    wordmark: 'tile',
    picture: {
      card: { at: 'top', share: 0.42, shape: 'disc' },
      square: { at: 'top', share: 0.48, shape: 'disc' },
      tower: { at: 'middle', share: 0.4, inset: 0.04, shape: 'disc' },
      hero: { at: 'end', share: 0.4, inset: 0.07, shape: 'disc' },
    },
    strip: 'disc',
    bare: 'motif',
    trim: 'none',
    hasGradient: false,
  },
};
