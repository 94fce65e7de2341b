import { type AdContent, type AdNode, textNode } from './nodes.js';
import { actionWidth, drawAction, drawBackdrop, drawBrand } from './parts.js';
import { type Box, type FittedText, fitText } from './text.js';

/** Composes leaderboards and mobile banners: brand, headline and button in one row. */
export function composeStrip(content: AdContent, width: number, height: number): readonly AdNode[] {
  const pad = Math.max(2, Math.round(height * 0.16));
  const size = Math.max(5, Math.min(height * 0.125 + 5.2, height * 0.4));
  const button = buttonBox(content, width, height, pad, size);
  const picture = pictureBox(content, width, height);
  const left = picture === undefined ? pad : picture.width + pad;
  const brand = brandPart(content, left, height, button.x - left);
  const from = left + (brand === undefined ? 0 : brand.width + Math.max(pad, height * 0.24));
  const room: Box = { x: from, y: pad, width: button.x - from - pad * 1.2, height: height - 2 * pad };
  return [
    ...drawBackdrop(content, width, height),
    ...(picture === undefined ? [] : [picture.node]),
    ...(brand?.nodes ?? []),
    ...drawWords(content, room),
    ...drawAction(content, button, size),
  ];
}

function buttonBox(content: AdContent, width: number, height: number, pad: number, size: number): Box {
  const tall = Math.min(height - 2 * pad, size * 2.5);
  const wide = Math.min(actionWidth(content, size), width * 0.34);
  return { x: width - pad - wide, y: (height - tall) / 2, width: wide, height: tall };
}

function pictureBox(
  content: AdContent,
  width: number,
  height: number,
): { readonly width: number; readonly node: AdNode } | undefined {
  const { picture } = content;
  const wide = Math.round(Math.min(height * 1.8, width * 0.26));
  if (picture === undefined || wide < 24) return undefined;
  const box: Box = { x: 0, y: 0, width: wide, height };
  return { width: wide, node: { kind: 'picture', role: 'picture', picture, fit: 'cover', box } };
}

/** Gone when it would leave too little room for the headline; without the name on narrow strips. */
function brandPart(
  content: AdContent,
  x: number,
  height: number,
  room: number,
): ReturnType<typeof drawBrand> | undefined {
  const tall = Math.round(height * 0.48);
  if (room < tall * 5) return undefined;
  const wide = room > 380 ? room * 0.34 : content.logo === undefined ? tall : room * 0.3;
  return drawBrand(content, {
    x,
    y: (height - tall) / 2,
    height: tall,
    room: wide,
    nameFrom: Math.max(9, tall * 0.34),
  });
}

/** The headline, with the body below it where there is height for both. */
function drawWords(content: AdContent, room: Box): readonly AdNode[] {
  const { palette, headline, body, offer } = content;
  const order = {
    text: headline,
    phrase: offer,
    width: room.width,
    face: content.fonts.face(800),
    tracking: -0.02,
    lineHeight: 1.12,
    maxLines: 2,
    largest: room.height * 0.55,
    smallest: Math.max(5, Math.min(9, room.height * 0.3)),
  } as const;
  const small = room.height * 0.22;
  const below = body === undefined || small < 11 ? undefined : fitBody(content, body, room.width, small);
  const gap = room.height * 0.06;
  const beside = below === undefined ? undefined : fitText({ ...order, height: room.height - below.height - gap });
  const alone = fitText({ ...order, height: room.height });
  const both = beside !== undefined && !beside.shortened && beside.style.size >= small * 1.25;
  const head = both ? beside : alone;
  if (head === undefined) return [];
  const tall = head.height + (both && below !== undefined ? gap + below.height : 0);
  const y = room.y + (room.height - tall) / 2;
  const at = { x: room.x, width: room.width };
  const marked = offer === undefined || !palette.accentReads ? undefined : { text: offer, color: palette.accent };
  const words: AdNode[] = [textNode('headline', head, { ...at, y }, palette.ink, { marked })];
  if (both && below !== undefined)
    words.push(textNode('body', below, { ...at, y: y + head.height + gap }, palette.quiet));
  return words;
}

function fitBody(content: AdContent, text: string, width: number, size: number): FittedText | undefined {
  const fitted = fitText({
    text,
    width,
    height: size * 1.35,
    face: content.fonts.face(400),
    largest: size,
    smallest: Math.max(10, size * 0.85),
    lineHeight: 1.3,
    maxLines: 1,
  });
  return fitted?.shortened === true ? undefined : fitted;
}
