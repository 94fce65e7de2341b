import { markOffer, styleHeadline } from './column.js';
import { MIN_LEGAL_PX, scaleHeadline } from './measures.js';
import { type AdContent, type AdNode, shiftNodes, textNode } from './nodes.js';
import { chooseTrial, PICTURE_PRICE } from './omissions.js';
import { drawHairline } from './panel.js';
import { drawAction, narrowActionWidth } from './parts/action.js';
import { drawBadge } from './parts/badge.js';
import { drawBrand, drawGround, type Part } from './parts/brand.js';
import { drawMotif } from './parts/motif.js';
import { type Box, type FittedText, fitText } from './text.js';

/** A strip under way: what of it is still free, from left to right. */
type Row = { readonly content: AdContent; readonly all: Box; readonly pad: number; readonly free: Box };

/**
 * Composes leaderboards and mobile banners: picture, brand, headline and button in one row. A headline that would be cut, and terms, have the
 * picture's room.
 */
export function composeStrip(content: AdContent, width: number, height: number): readonly AdNode[] {
  if (content.picture === undefined) return composeRow(content, width, height);
  return chooseTrial(content, [
    { price: 0, compose: () => composeRow(content, width, height) },
    { price: PICTURE_PRICE, compose: () => composeRow({ ...content, picture: undefined }, width, height) },
  ]);
}

function composeRow(content: AdContent, width: number, height: number): readonly AdNode[] {
  const all: Box = { x: 0, y: 0, width, height };
  const { family } = content;
  const pad = Math.max(2, Math.round(height * (family.trim === 'hairline' ? 0.19 : 0.16)));
  const band = family.trim === 'band' ? Math.max(3, Math.round(height * 0.06)) : 0;
  const inner: Box = { x: pad + band, y: pad, width: width - 2 * pad - band, height: height - 2 * pad };
  const size = Math.max(5, Math.min(height * 0.125 + 5.2, height * 0.4));
  const button = placeButton(content, all, inner, size);
  const picture = placePicture(content, all, button);
  const row = placeRow(content, { all, pad, inner, button, picture });
  const brand = fitBrand(row);
  const mark = family.brand === 'foot' ? endPart(row, brand) : brand;
  const room = cutBrand(row, mark, family.brand === 'foot');
  const badge = placeBadge(row, room);
  const words: Box = badge.length === 0 ? room : { ...room, width: room.width - room.height - pad };
  return [
    drawGround(content, all),
    ...(content.picture === undefined && family.bare !== 'plain' && family.trim !== 'band'
      ? drawMotif(content.motif, all, content.palette)
      : []),
    ...drawPicture(content, picture),
    ...(mark?.nodes ?? []),
    ...drawRowWords(content, words),
    ...badge,
    ...(family.trim === 'hairline' ? [drawHairline(content, all, pad * 0.34)] : []),
    ...(band > 0
      ? [{ kind: 'rect', role: 'rule', box: { ...all, width: band }, fill: content.block.ground } as const]
      : []),
    ...drawAction(content, row.button, size),
  ];
}

type Placed = {
  readonly all: Box;
  readonly pad: number;
  readonly inner: Box;
  readonly button: Box;
  readonly picture: Box | undefined;
};

/** Places the row that the picture leaves, with the button at its end. */
function placeRow(content: AdContent, { all, pad, inner, button, picture }: Placed): Row & { readonly button: Box } {
  const { strip, action } = content.family;
  const isAtStart = picture !== undefined && picture.x < inner.x + inner.width / 3;
  const isAtEnd = picture !== undefined && strip === 'end';
  const isFaded = picture !== undefined && strip === 'faded';
  const from = isAtStart ? picture.x + picture.width + pad : inner.x;
  // A bar stays at the edge, beyond the picture.
  const placed = isAtEnd && action !== 'bar' ? { ...button, x: picture.x - pad - button.width } : button;
  const to = (isAtEnd && action === 'bar') || (isFaded && !isAtStart) ? picture.x : placed.x;
  return { content, all, pad, free: { ...inner, x: from, width: to - from }, button: placed };
}

function placeButton(content: AdContent, all: Box, inner: Box, size: number): Box {
  const wide = narrowActionWidth(content, size, all.width * 0.34);
  if (content.family.action === 'bar') return { x: all.width - wide, y: 0, width: wide, height: all.height };
  const tall = Math.min(inner.height, size * 2.5);
  return { x: inner.x + inner.width - wide, y: (all.height - tall) / 2, width: wide, height: tall };
}

function placePicture({ picture, family }: AdContent, { width, height }: Box, button: Box): Box | undefined {
  if (picture === undefined) return undefined;
  const wide = Math.round(Math.min(height * 1.8, width * 0.24));
  if (wide < 24) return undefined;
  switch (family.strip) {
    case 'start':
      return { x: 0, y: 0, width: wide, height };
    case 'disc': {
      const inset = Math.round(height * 0.08);
      return { x: inset * 2, y: inset, width: height - 2 * inset, height: height - 2 * inset };
    }
    case 'end': {
      const edge = family.action === 'bar' ? button.x : width;
      const inset = family.picture.hero.inset === undefined ? 0 : Math.round(height * 0.1);
      return { x: edge - wide, y: inset, width: wide - inset, height: height - 2 * inset };
    }
    case 'faded': {
      if (width < MIN_FADED_PX) return { x: 0, y: 0, width: wide, height };
      const half = Math.round(Math.min(width * 0.44, height * 3.6));
      return { x: width - half, y: 0, width: half, height };
    }
  }
}

/** On a narrower strip the button would cover a picture at its end. */
const MIN_FADED_PX = 450;

/** Draws the picture with its corners, its slanted edge, or what lets it run out towards the words. */
function drawPicture({ picture, family, palette }: AdContent, box: Box | undefined): readonly AdNode[] {
  if (picture === undefined || box === undefined) return [];
  const corner = { soft: box.height * 0.14, disc: box.height / 2, none: undefined };
  const radius = corner[family.picture.hero.shape ?? 'none'];
  const node: AdNode = { kind: 'picture', role: 'picture', picture, fit: 'cover', box, radius };
  if (family.strip === 'faded' && box.x > 0) {
    const veil = { kind: 'rect', role: 'scrim', fill: palette.ground } as const;
    return [node, { ...veil, fade: 'right', box: { ...box, width: box.width * 0.62 } }];
  }
  if (family.picture.hero.slanted !== true) return [node];
  const { x, y, width, height } = box;
  const d = `M${x} ${y}H${x + Math.round(height * 0.4)}L${x} ${y + height}Z`;
  const over: Box = { x: x - 1, y: y - 1, width: width + 2, height: height + 2 };
  return [node, { kind: 'path', role: 'block', box: over, d, fill: palette.ground }];
}

/**
 * Returns the brand of a strip: without the name on narrow ones, undefined where it would leave too little room for the
 * headline.
 */
function fitBrand({ content, all, free }: Row): Part | undefined {
  const tall = Math.round(all.height * (content.logo === undefined ? 0.36 : 0.46));
  if (free.width < tall * 5) return undefined;
  const narrow = content.logo === undefined ? tall : free.width * 0.28;
  const wide = free.width > 380 ? free.width * 0.26 : narrow;
  const at = { x: free.x, y: (all.height - tall) / 2, height: tall, room: wide, nameFrom: Math.max(9, tall * 0.34) };
  return drawBrand(content, at);
}

/** Returns the brand beside the button. */
function endPart({ free, pad }: Row, part: Part | undefined): Part | undefined {
  return part && { ...part, nodes: shiftNodes(part.nodes, free.width - part.width - pad * 1.4) };
}

/** Returns what the brand leaves of the row for the words. */
function cutBrand({ all, pad, free }: Row, brand: Part | undefined, isAtEnd: boolean): Box {
  const taken = brand === undefined || brand.nodes.length === 0 ? 0 : brand.width + Math.max(pad, all.height * 0.24);
  const x = isAtEnd ? free.x : free.x + taken;
  return { ...free, x, width: free.width - taken - pad * 1.2 };
}

/** Places the offer at the end of the words, where a wide strip has room for both. */
function placeBadge({ content }: Row, room: Box): readonly AdNode[] {
  if (room.width < room.height * 5.5 || room.height < 50) return [];
  const radius = room.height / 2;
  return drawBadge(content, { x: room.x + room.width - radius, y: room.y + radius, radius });
}

/** Draws the headline, with body and terms below it where there is height for them. */
function drawRowWords(content: AdContent, whole: Box): readonly AdNode[] {
  const { palette, body, family } = content;
  const legal = fitLegal(content, whole);
  const room: Box = legal === undefined ? whole : { ...whole, height: whole.height - legal.height };
  const small = room.height * 0.22;
  const below = body === undefined || small < 11 ? undefined : fitBody(content, body, room.width, small);
  const gap = room.height * 0.06;
  const beside = below === undefined ? undefined : fitHeadline(content, room, room.height - below.height - gap);
  const both = below !== undefined && beside !== undefined && !beside.shortened && beside.style.size >= small * 1.25;
  const head = both ? beside : fitHeadline(content, room, room.height);
  const end = whole.y + whole.height;
  const align = family.align;
  const terms: readonly AdNode[] =
    legal === undefined
      ? []
      : [
          textNode(
            'legal',
            legal,
            { x: whole.x, y: end - legal.height, width: whole.width },
            { color: palette.quiet, align },
          ),
        ];
  if (head === undefined) return terms;
  const tall = head.height + (both ? gap + below.height : 0);
  const y = room.y + (room.height - tall) / 2;
  const at = { x: room.x, width: room.width };
  const words: AdNode[] = [
    textNode('headline', head, { ...at, y }, { color: palette.ink, marked: markOffer(content), align }),
  ];
  if (both) words.push(textNode('body', below, { ...at, y: y + head.height + gap }, { color: palette.quiet, align }));
  return [...words, ...terms];
}

function fitHeadline(content: AdContent, room: Box, height: number): FittedText | undefined {
  const { font, leading } = content.family.headline;
  const style = styleHeadline(content);
  const fitLines = (maxLines: number): FittedText | undefined =>
    fitText({
      ...style,
      width: room.width,
      height,
      lineHeight: Math.max(leading, font === 'condensed' ? 1 : 1.12),
      maxLines,
      largest: room.height * 0.55 * Math.max(0.9, Math.min(scaleHeadline(content), 1.4)),
      smallest: Math.max(5, Math.min(9, room.height * 0.3)),
    });
  const usual = fitLines(2);
  return usual?.shortened === false ? usual : fitLines(MAX_STRIP_LINES);
}

/** Lines of a headline that two do not hold, where the strip is high enough for them. */
const MAX_STRIP_LINES = 4;

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

/** Fits the terms in one line; undefined where they have no room as a whole. */
function fitLegal({ legal, fonts }: AdContent, room: Box): FittedText | undefined {
  if (legal === undefined) return undefined;
  const fitted = fitText({
    text: legal,
    width: room.width,
    height: Math.min(room.height * 0.34, 13),
    face: fonts.face(400),
    largest: Math.max(MIN_LEGAL_PX, Math.min(9, room.height * 0.16)),
    smallest: MIN_LEGAL_PX,
    lineHeight: 1.2,
    maxLines: 1,
  });
  return fitted?.shortened === true ? undefined : fitted;
}
