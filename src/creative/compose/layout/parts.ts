import { measureText } from './metrics.js';
import { drawMotif } from './motif.js';
import { type AdContent, type AdNode, type TextNode, textNode } from './nodes.js';
import { type Box, fitText } from './text.js';

/** Nodes with the width they take, so that what follows can stand beside them. */
export type Part = { readonly nodes: readonly AdNode[]; readonly width: number };

/** Returns the ground of the ad: the brand's primary color, running into its far shade. */
export function drawGround(content: AdContent, box: Box): AdNode {
  return { kind: 'rect', role: 'ground', box, fill: content.palette.ground, far: content.palette.groundFar };
}

/** What lies behind everything: the ground, and the motif where no picture is there to be looked at. */
export function drawBackdrop(content: AdContent, width: number, height: number): readonly AdNode[] {
  const all: Box = { x: 0, y: 0, width, height };
  const ground = drawGround(content, all);
  return content.picture === undefined ? [ground, ...drawMotif(content.motif, all, content.palette)] : [ground];
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

function drawWordmark(
  content: AdContent,
  { x, y, height, room, nameFrom }: Room & { readonly nameFrom: number },
): Part {
  const { palette, brandName } = content;
  const tile: AdNode = {
    kind: 'rect',
    role: 'logo',
    box: { x, y, width: height, height },
    fill: palette.accent,
    radius: height * 0.26,
  };
  const initial = /[\p{L}\p{N}]/u.exec(brandName)?.[0]?.toUpperCase() ?? '';
  const letter = fitText({
    text: initial,
    width: height * 0.8,
    height,
    face: content.fonts.face(800),
    largest: height * 0.62,
    smallest: 3,
    lineHeight: 1.2,
    maxLines: 1,
  });
  const nodes: AdNode[] = [tile];
  if (letter !== undefined) {
    nodes.push(
      textNode('logo', letter, { x, y: y + (height - letter.height) / 2, width: height }, palette.accentInk, {
        align: 'middle',
      }),
    );
  }
  // A name that is the headline too is said once.
  if (content.headline === brandName) return { nodes, width: height };
  const gap = height * 0.32;
  const name = fitText({
    text: brandName,
    width: room - height - gap,
    height,
    face: content.fonts.face(800),
    tracking: -0.015,
    largest: height * 0.62,
    smallest: nameFrom,
    lineHeight: 1.2,
    maxLines: 1,
  });
  if (name === undefined || name.shortened) return { nodes, width: height };
  nodes.push(
    textNode('brand', name, { x: x + height + gap, y: y + (height - name.height) / 2, width: name.width }, palette.ink),
  );
  return { nodes, width: height + gap + name.width };
}

/** Returns the width of a button of this text size, in pixels. */
export function actionWidth(content: AdContent, size: number): number {
  return measureText(content.callToAction, { size, face: content.fonts.face(600), tracking: 0 }) + size * 2.3;
}

/** Returns the call to action as a button that fills its box; the text shrinks to fit, and is an arrow when not one word does. */
export function drawAction(content: AdContent, box: Box, size: number): readonly AdNode[] {
  const { palette, callToAction } = content;
  const side = Math.min(size, box.width * 0.12);
  const labelOf = (text: string, smallest: number) =>
    fitText({
      text,
      width: box.width - 2 * side,
      height: box.height,
      face: content.fonts.face(600),
      largest: size,
      smallest,
      lineHeight: 1.2,
      maxLines: 1,
    });
  const whole = labelOf(callToAction, Math.max(6, size * 0.6));
  const label = whole ?? labelOf('→', 3);
  const button: AdNode = {
    kind: 'rect',
    role: 'action',
    box,
    fill: palette.accent,
    radius: Math.min(box.height / 2, size * 1.4),
  };
  if (label === undefined) return [button];
  const y = box.y + (box.height - label.height) / 2;
  return [button, textNode('action', label, { x: box.x, y, width: box.width }, palette.accentInk, { align: 'middle' })];
}

/** Returns the offer on a disc in the accent color, its number large: "20%" over "off". Nothing when it does not fit. */
export function drawBadge(
  offer: string,
  content: AdContent,
  center: { readonly x: number; readonly y: number },
  radius: number,
): readonly AdNode[] {
  const box: Box = { x: center.x - radius, y: center.y - radius, width: radius * 2, height: radius * 2 };
  const disc: AdNode = { kind: 'rect', role: 'badge', box, fill: content.palette.accent, radius };
  const parts = splitOffer(offer);
  const inner = radius * 1.56;
  const texts = parts.map(([text, size, weight]) =>
    fitText({
      text,
      width: inner,
      height: radius * size * 1.1,
      face: content.fonts.face(weight),
      tracking: weight === 800 ? -0.03 : 0.02,
      largest: radius * size,
      smallest: 5,
      lineHeight: 1.05,
      maxLines: 1,
    }),
  );
  if (texts.some((text) => text === undefined || text.shortened)) return [];
  const fitted = texts.filter((text) => text !== undefined);
  let y = center.y - fitted.reduce((sum, text) => sum + text.height, 0) / 2;
  const nodes: TextNode[] = [];
  for (const text of fitted) {
    nodes.push(
      textNode('badge', text, { x: center.x - inner / 2, y, width: inner }, content.palette.accentInk, {
        align: 'middle',
      }),
    );
    y += text.height;
  }
  return [disc, ...nodes];
}

/** Text, size as a share of the radius, weight. */
type OfferLine = readonly [text: string, size: number, weight: 600 | 800];

function splitOffer(offer: string): readonly OfferLine[] {
  const match = /^(.*?)((?:[$€£¥]\s?)?\d[\d.,]*\s?(?:%|[$€£¥])?)\s*(.*)$/u.exec(offer);
  const [before = '', number = '', after = ''] = match?.slice(1) ?? [];
  if (number === '') return [[offer, 0.42, 800]];
  const small = (text: string): OfferLine[] => (text.trim() === '' ? [] : [[text.trim().toUpperCase(), 0.3, 600]]);
  return [...small(before), [number.replace(/\s/g, ''), 0.74, 800], ...small(after)];
}
