import { withoutUndefined } from '../../platform/kernel/json/json.js';
import type { Copy } from '../compose/copy/copy.js';
import { escapePattern, hasWords, upperFirst } from '../compose/copy/text.js';
import { MOTIFS, type MotifKind } from '../compose/layout/nodes.js';
import { type BrandColors, chooseReadable, contrast, isDark, type Palette } from '../compose/pictures/color.js';

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
  readonly body?: string | undefined;
  readonly legal?: string | undefined;
  readonly eyebrow?: string | undefined;
  readonly offer?: string | undefined;
  /** A price that stands in front of the text, where the headline does not say it. */
  readonly price?: string | undefined;
  /** Parts that the ad goes without. */
  readonly without?: readonly Removable[] | undefined;
  /** Words that stand in place of others, wherever those are. */
  readonly replaced?: readonly Replacement[] | undefined;
  /** Colors as `#rrggbb`. */
  readonly buttonColor?: string | undefined;
  readonly textColor?: string | undefined;
  readonly logoUrl?: string | undefined;
  readonly pictureUrl?: string | undefined;
  readonly clickUrl?: string | undefined;
  /** The voice that the layout is chosen by. */
  readonly tone?: string | undefined;
  /** The language of the words as a BCP 47 tag. */
  readonly language?: string | undefined;
};

/** Words, and those that stand in their place. */
type Replacement = { readonly from: string; readonly to: string };

/** A part that an ad can go without. */
export type Removable = 'body' | 'legal' | 'eyebrow' | 'offer' | 'logo' | 'picture' | 'motif';

/** A part of an ad that a command changes. */
type ChangedPart =
  | Removable
  | 'headline'
  | 'words'
  | 'shorter headline'
  | 'callToAction'
  | 'ground'
  | 'button color'
  | 'text color'
  | 'colors'
  | 'click'
  | 'price'
  | 'tone'
  | 'language'
  | 'size'
  | 'style'
  | 'brief'
  | 'other';

/** One command of an instruction: its words, and the value that a part is to have; a refusal says why it cannot be followed. */
export type Change = {
  readonly part: ChangedPart;
  readonly words: string;
  readonly value?: string | undefined;
  readonly isRemoval?: boolean;
  readonly refusal?: string;
};

/** What sets a part that an ad can go without. */
const SET_BY: Readonly<Record<Removable, readonly (keyof Direction)[]>> = {
  body: ['body'],
  legal: ['legal'],
  eyebrow: ['eyebrow'],
  offer: ['offer'],
  logo: ['logoUrl'],
  picture: ['pictureUrl'],
  motif: ['motif', 'motifShift'],
};

/** Returns a direction with a later one: a part that is set is there again, and one that is taken away is set no more. */
export function mergeDirections(earlier: Direction, later: Direction): Direction {
  const set = Object.entries(later).filter(([name, value]) => value !== undefined && name !== 'without');
  const isSet = (part: Removable): boolean => SET_BY[part].some((name) => later[name] !== undefined);
  const gone = (later.without ?? []).flatMap((part) => SET_BY[part]);
  const stays = Object.entries(earlier).filter(([name]) => !gone.some((one) => one === name));
  const without = [...(earlier.without ?? []).filter((part) => !isSet(part)), ...(later.without ?? [])];
  const replaced = [...(earlier.replaced ?? []), ...(later.replaced ?? [])];
  const merged: Direction = { ...Object.fromEntries(stays), ...Object.fromEntries(set) };
  const lists = {
    without: without.length > 0 ? [...new Set(without)] : undefined,
    replaced: replaced.length > 0 ? replaced : undefined,
  };
  return withoutUndefined({ ...merged, ...lists });
}

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

/** Returns the words of an ad as a direction has them. */
export function directCopy(copy: Copy, direction: Direction): Copy {
  const { headline, callToAction, body, legal, eyebrow, offer, price, without = [], replaced = [] } = direction;
  const texts = {
    headline: headline ?? copy.headline,
    callToAction: callToAction ?? copy.callToAction,
    body: body ?? (without.includes('body') ? undefined : copy.body),
    legal: legal ?? (without.includes('legal') ? undefined : copy.legal),
    eyebrow: eyebrow ?? (without.includes('eyebrow') ? undefined : copy.eyebrow),
    offer: offer ?? (without.includes('offer') ? undefined : copy.offer),
  };
  const replace = <T extends string | undefined>(text: T): T | string =>
    text === undefined ? text : replaced.reduce<string>(replaceWords, text);
  return {
    ...copy,
    headline: replace(texts.headline),
    callToAction: replace(texts.callToAction),
    body: withPrice(replace(texts.body), replace(texts.headline), price),
    legal: replace(texts.legal),
    eyebrow: replace(texts.eyebrow),
    offer: replace(texts.offer),
  };
}

/** Returns a text with a price in front, unless that or the headline says it. */
export function withPrice(body: string | undefined, headline: string, price: string | undefined): string | undefined {
  if (price === undefined || hasWords(headline, price) || hasWords(body ?? '', price)) return body;
  return body === undefined ? upperFirst(price) : `${upperFirst(price)}. ${body}`;
}

/** Returns a text with words in the place of others, in large letters and in small; where those begin a sentence, so do they. */
export function replaceWords(text: string, { from, to }: Replacement): string {
  const start = /^[\p{L}\p{N}]/u.test(from) ? '(?<![\\p{L}\\p{N}])' : '';
  return text.replace(new RegExp(`${start}${escapePattern(from)}`, 'giu'), (found) =>
    found !== from && found === upperFirst(from) ? upperFirst(to) : to,
  );
}

/** Returns a palette with the colors of a direction; a color of the text that would not be read is left out. */
export function directPalette(palette: Palette, { buttonColor, textColor }: Direction): Palette {
  const inked =
    textColor === undefined || !isReadable(textColor, palette)
      ? palette
      : { ...palette, ink: textColor, quiet: textColor };
  if (buttonColor === undefined) return inked;
  return {
    ...inked,
    accent: buttonColor,
    accentInk: chooseReadable(buttonColor, inkOf(buttonColor)),
    accentReads: isReadable(buttonColor, palette),
  };
}

function inkOf(color: string): string {
  return isDark(color) ? '#ffffff' : '#111111';
}

/** Whether a text of a color is read on a palette's ground and its shapes (WCAG 2 AA). */
export function isReadable(color: string, { ground, groundFar, shape, shapeFar }: Palette): boolean {
  return [ground, groundFar, shape, shapeFar].every((behind) => contrast(color, behind) >= READABLE);
}

const READABLE = 4.5;

/** The parts of an ad that are a text. */
export const TEXT_PARTS: ReadonlySet<Change['part']> = new Set([
  'headline',
  'callToAction',
  'body',
  'legal',
  'eyebrow',
  'offer',
  'price',
]);

/** The parts that are seen in a picture of an ad, and are not changed without drawing it anew. */
const LOOKS: ReadonlySet<Change['part']> = new Set([
  ...TEXT_PARTS,
  'words',
  'shorter headline',
  'ground',
  'button color',
  'text color',
  'colors',
  'logo',
  'picture',
  'motif',
  'tone',
  'language',
]);

/** Whether a command changes what an ad looks like and can be followed. */
export function isLooks({ part, refusal }: Change): boolean {
  return refusal === undefined && LOOKS.has(part);
}
