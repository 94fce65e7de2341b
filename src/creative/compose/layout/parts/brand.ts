import { type AdContent, type AdNode, textNode } from '../nodes.js';
import { type Box, fitText } from '../text.js';

/** Nodes with the width they take, so that what follows can stand beside them. */
export type Part = { readonly nodes: readonly AdNode[]; readonly width: number };

/** Returns the ground of the ad: the brand's primary color, running into its far shade. */
export function drawGround(content: AdContent, box: Box): AdNode {
  const { palette, family } = content;
  const far = family.hasGradient ? palette.groundFar : undefined;
  return { kind: 'rect', role: 'ground', box, fill: palette.ground, far };
}

/** Returns the brand's logo; without one a monogram in the accent color with the name beside it, where the name has room. */
export function drawBrand(
  content: AdContent,
  at: {
    readonly x: number;
    readonly y: number;
    readonly height: number;
    readonly room: number;
    readonly nameFrom: number;
  },
): Part {
  const drawn = content.logo === undefined ? undefined : drawLogo(content.logo, at);
  return drawn ?? drawWordmark(content, at);
}

type Room = { readonly x: number; readonly y: number; readonly height: number; readonly room: number };

function drawLogo(logo: NonNullable<AdContent['logo']>, { x, y, height, room }: Room): Part | undefined {
  const inset = logo.plate === undefined ? 0 : height * 0.14;
  const scale = Math.min((height - 2 * inset) / logo.height, (room - 2 * inset) / logo.width);
  const [width, tall] = [logo.width * scale, logo.height * scale];
  if (width < 6 || tall < 6) return undefined;
  const outer: Box = { x, y, width: width + 2 * inset, height };
  const picture: AdNode = {
    kind: 'picture',
    role: 'logo',
    picture: logo,
    fit: 'contain',
    box: { x: x + inset, y: y + (height - tall) / 2, width, height: tall },
  };
  if (logo.plate === undefined) return { nodes: [picture], width };
  return {
    nodes: [{ kind: 'rect', role: 'logo', box: outer, fill: logo.plate, radius: height * 0.18 }, picture],
    width: outer.width,
  };
}

function drawWordmark(content: AdContent, at: Room & { readonly nameFrom: number }): Part {
  const { x, height } = at;
  const { wordmark } = content.family;
  // A name that is the headline too is said once.
  const isHeadline = content.headline === content.brandName;
  const alone = wordmark === 'tile' || isHeadline ? undefined : drawName(content, at, x);
  if (alone !== undefined) return alone;
  const tile = drawTile(content, at);
  const gap = height * 0.32;
  const name = isHeadline ? undefined : drawName(content, { ...at, room: at.room - height - gap }, x + height + gap);
  if (name === undefined) return { nodes: tile, width: height };
  return { nodes: [...tile, ...name.nodes], width: height + gap + name.width };
}

/** Draws the first letter on the accent color. */
function drawTile({ palette, brandName, fonts, family }: AdContent, { x, y, height }: Room): readonly AdNode[] {
  const box: Box = { x, y, width: height, height };
  const radius = height * (family.action === 'pill' ? 0.26 : 0.08);
  const tile: AdNode = { kind: 'rect', role: 'logo', box, fill: palette.accent, radius };
  const initial = fitText({
    text: /[\p{L}\p{N}]/u.exec(brandName)?.[0]?.toUpperCase() ?? '',
    width: height * 0.8,
    height,
    face: fonts.face(800),
    largest: height * 0.62,
    smallest: 3,
    lineHeight: 1.2,
    maxLines: 1,
  });
  if (initial === undefined) return [tile];
  const at = { x, y: y + (height - initial.height) / 2, width: height };
  return [tile, textNode('logo', initial, at, { color: palette.accentInk, align: 'middle' })];
}

/** Draws the name of the brand as its mark; undefined where it has no room as a whole. */
function drawName(
  content: AdContent,
  { y, height, room, nameFrom }: Room & { readonly nameFrom: number },
  x: number,
): Part | undefined {
  const { brandName, palette, fonts, family, language } = content;
  const isSpaced = family.wordmark === 'spaced';
  const name = fitText({
    text: isSpaced ? upperCase(brandName, language) : brandName,
    width: room,
    height,
    face: fonts.face(isSpaced ? 600 : 800, family.wordmark === 'tile' ? 'sans' : family.headline.font),
    tracking: isSpaced ? 0.16 : -0.015,
    largest: height * NAME_SHARES[family.wordmark],
    smallest: Math.min(nameFrom, height * 0.6),
    lineHeight: 1.2,
    maxLines: 1,
  });
  if (name === undefined || name.shortened) return undefined;
  const at = { x, y: y + (height - name.height) / 2, width: name.width };
  return { nodes: [textNode('brand', name, at, { color: palette.ink })], width: name.width };
}

/** Size of the name as a share of the mark's height. */
const NAME_SHARES = { tile: 0.62, plain: 0.8, spaced: 0.56 } as const;

/** Returns a text in capitals as its language writes them. */
export function upperCase(text: string, language: string | undefined): string {
  try {
    return text.toLocaleUpperCase(language);
  } catch {
    return text.toUpperCase();
  }
}
