import type { PictureSpot } from '../design/family.js';
import { drawWords } from './column.js';
import { type Measures, MIN_LEGAL_PX, measurePanel, nameSpot, type Shape } from './measures.js';
import {
  type AdContent,
  type AdNode,
  type PlacedPicture,
  type RectNode,
  shiftNodes,
  type TextNode,
  textNode,
} from './nodes.js';
import { chooseTrial, PICTURE_PRICE, SMALLER_PICTURE_PRICE, SMALLER_TERMS_PRICE } from './omissions.js';
import { actionWidth, drawAction } from './parts/action.js';
import { type BadgeSpot, drawBadge, hasBadge } from './parts/badge.js';
import { drawBrand, drawGround, type Part } from './parts/brand.js';
import { drawMotif } from './parts/motif.js';
import { type Box, fitText } from './text.js';

/** An ad under way: its content, size and measures. */
type Panel = {
  readonly content: AdContent;
  readonly all: Box;
  readonly shape: Exclude<Shape, 'strip'>;
  readonly measures: Measures;
  /** Where the picture lies, or the block of color in its place; undefined where there is neither. */
  readonly region: Box | undefined;
};

/**
 * Composes an ad that is no strip: squares, rectangles, skyscrapers, upright and landscape screens, billboards. Where texts have no room
 * beside the picture it is smaller, and gone where a headline would be cut or terms left out.
 */
export function composePanel(
  content: AdContent,
  shape: Exclude<Shape, 'strip'>,
  width: number,
  height: number,
): readonly AdNode[] {
  const all: Box = { x: 0, y: 0, width, height };
  const measures = measurePanel(shape, width, height, content);
  const usual = content.family.picture[nameSpot(shape, width, height)];
  const panel: Panel = { content, all, shape, measures, region: undefined };
  const tight: Panel = { ...panel, measures: { ...measures, legal: MIN_LEGAL_PX } };
  const bare: Panel = { ...tight, content: { ...content, picture: undefined } };
  return chooseTrial(content, [
    { price: 0, compose: () => composeAt(panel, usual) },
    { price: SMALLER_TERMS_PRICE, compose: () => composeAt(tight, usual) },
    { price: SMALLER_PICTURE_PRICE, compose: () => composeAt(tight, shrinkSpot(usual)) },
    { price: PICTURE_PRICE, compose: () => composeBare(bare, usual) },
  ]);
}

/** How much of its usual room a picture has where texts need more of it. */
const SMALLER_SHARE = 0.72;

/** Returns a smaller spot for a picture; one that runs out keeps the room that the words leave. */
function shrinkSpot(spot: PictureSpot): PictureSpot {
  const share = spot.at === 'faded' ? 1 - (1 - spot.share) * SMALLER_SHARE : spot.share * SMALLER_SHARE;
  return { ...spot, share };
}

function composeAt(panel: Panel, spot: PictureSpot): readonly AdNode[] {
  const { content, all, measures } = panel;
  const { family, picture } = content;
  if (spot.at === 'faded' && picture !== undefined) return composeFaded(panel, spot);
  const hasRegion = picture !== undefined || family.bare === 'block';
  if (!hasRegion) return composeBare(panel, spot);
  const placed: Panel = { ...panel, region: placeRegion(content, spot, all, measures) };
  const front = composeBeside(placed, spot);
  const hasBrand = front.some(({ role }) => role === 'logo' || role === 'brand');
  // Where the words leave the brand no room, it hangs into the picture above them.
  const tab = hasBrand || picture === undefined || spot.at !== 'top' ? [] : drawTab(placed);
  return [
    drawGround(content, all),
    ...drawBehind(placed, spot),
    ...tab,
    ...front,
    ...drawTrim(placed),
    ...placeBadge(placed),
  ];
}

/** Composes words upon the ground alone. */
function composeBare(panel: Panel, spot: PictureSpot): readonly AdNode[] {
  return [
    drawGround(panel.content, panel.all),
    ...drawBehind(panel, spot),
    ...composeBeside(panel, spot),
    ...drawTrim(panel),
    ...placeBadge(panel),
  ];
}

/** Places the box of the picture, or of the block in its place, which is smaller. */
function placeRegion(content: AdContent, spot: PictureSpot, all: Box, measures: Measures): Box {
  const { width, height } = all;
  const share = spot.share * (content.picture === undefined ? BARE_SHARE : 1);
  const inset = Math.round((spot.inset ?? 0) * Math.min(width, height));
  const bar = content.family.action === 'bar' ? barHeight(measures) : 0;
  const high = height - bar;
  const [wide, tall] = [Math.round(width * share), Math.round(height * share)];
  switch (spot.at) {
    case 'top':
      return hangRegion(spot, {
        x: inset,
        y: inset,
        width: width - 2 * inset,
        height: tall + measures.safe[0] - inset,
      });
    case 'bottom':
      return { x: inset, y: high - tall, width: width - 2 * inset, height: tall - inset };
    case 'middle':
      return shapeRegion(spot, { x: inset, y: footTop(all, measures) - tall, width: width - 2 * inset, height: tall });
    case 'start':
      return { x: inset, y: inset, width: wide - inset, height: high - 2 * inset };
    case 'end':
      return shapeRegion(spot, { x: width - wide, y: inset, width: wide - inset, height: high - 2 * inset });
    case 'faded':
      return all;
  }
}

/** Returns where the button begins that stands below a picture. */
function footTop({ height }: Box, { pad, safe, action, gap }: Measures): number {
  return height - pad - safe[1] - action * 2.55 - gap * 0.8;
}

/** Less of a block of color than of a picture. */
const BARE_SHARE = 0.72;

/** Hangs a disc into the ad from its upper edge, its upper part beyond the edge; returns any other region as it is. */
function hangRegion({ shape }: PictureSpot, box: Box): Box {
  if (shape !== 'disc') return box;
  const side = Math.round(Math.min(box.width * 0.82, box.height * 1.5));
  return { x: box.x + (box.width - side) / 2, y: box.y + box.height - side, width: side, height: side };
}

/** Makes the region of a disc as wide as it is high; returns any other as it is. */
function shapeRegion({ shape }: PictureSpot, box: Box): Box {
  if (shape !== 'disc') return box;
  const side = Math.round(Math.min(box.width, box.height));
  return { x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side };
}

/** Draws what lies behind the words: the picture, the block, or the motif. */
function drawBehind({ content, all, region }: Panel, spot: PictureSpot): readonly AdNode[] {
  const { picture, palette, block, family } = content;
  if (region === undefined) return family.bare === 'motif' ? drawMotif(content.motif, all, palette) : [];
  const corner = { soft: Math.min(all.width, all.height) * 0.05, disc: region.width / 2, none: undefined };
  const radius = corner[spot.shape ?? 'none'];
  const cut = spot.slanted === true ? [drawSlant(region, spot, palette.ground)] : [];
  if (picture !== undefined)
    return [{ kind: 'picture', role: 'picture', picture, fit: 'cover', box: region, radius }, ...cut];
  const field: RectNode = { kind: 'rect', role: 'block', box: region, fill: block.ground, radius };
  return [field, ...drawMotif(content.motif === 'dots' ? 'rings' : content.motif, region, block), ...cut];
}

/** Draws a wedge of the ground over the edge of a picture that is towards the words. */
function drawSlant({ x, y, width, height }: Box, { at }: PictureSpot, fill: string): AdNode {
  const across = Math.min(width * 0.32, height * 0.4);
  const rise = Math.min(height * 0.22, width * 0.3);
  const d =
    at === 'bottom'
      ? `M${n(x)} ${n(y)}H${n(x + width)}L${n(x)} ${n(y + rise)}Z`
      : `M${n(x)} ${n(y)}H${n(x + across)}L${n(x)} ${n(y + height)}Z`;
  // A pixel over, so that no trace of the picture shows at the edge.
  return { kind: 'path', role: 'block', box: { x: x - 1, y: y - 1, width: width + 2, height: height + 2 }, d, fill };
}

/** Composes words beside the picture: brand, words and button in the column that it leaves. */
function composeBeside(panel: Panel, spot: PictureSpot): readonly AdNode[] {
  const { all, region, measures } = panel;
  const { safe, pad } = measures;
  const free: Box = region === undefined ? all : cutAway(all, region, spot.at);
  const band = panel.content.family.trim === 'band' && panel.shape !== 'tower' ? bandWidth(all) : 0;
  const isUnder = region !== undefined && spot.at === 'top';
  const top =
    free.y +
    (isUnder ? Math.round(pad * 0.8) : pad) +
    (isUnder ? 0 : safe[0]) +
    (panel.shape === 'tower' && panel.content.family.trim === 'band' ? bandWidth(all) : 0);
  const isAbove = region !== undefined && (spot.at === 'bottom' || spot.at === 'middle');
  const bottom = free.y + free.height - (isAbove ? Math.round(pad * 0.6) : pad + safe[1]);
  const width = Math.min(free.width - 2 * pad - band, widestWords(panel));
  const column: Box = { x: free.x + pad + band, y: top, width, height: bottom - top };
  const foot = region !== undefined && spot.at === 'middle' ? footBelow(panel, region) : column;
  return composeColumn(panel, { column, foot, rise: chooseRise(panel, spot) });
}

/**
 * Returns how wide words may be: lines of a wide ad without a picture end before they are too long to read, or at the
 * badge.
 */
function widestWords({ all, region, shape, content, measures }: Panel): number {
  if (region !== undefined || shape !== 'hero' || content.family.align === 'middle') return Number.POSITIVE_INFINITY;
  const { x, radius } = besideBadge(all, measures);
  return hasBadge(content) ? x - radius - 2 * measures.pad : all.width * 0.66;
}

function besideBadge({ width, height }: Box, { pad }: Measures): BadgeSpot {
  const radius = Math.min(height * 0.28, width * 0.125);
  return { x: width - pad * 1.4 - radius, y: height * 0.47, radius };
}

/** Returns what a picture on one side leaves of the ad. */
function cutAway(all: Box, region: Box, at: PictureSpot['at']): Box {
  const { width, height } = all;
  if (at === 'top') return { ...all, y: region.y + region.height, height: height - region.y - region.height };
  if (at === 'bottom' || at === 'middle') return { ...all, height: region.y };
  if (at === 'start') return { ...all, x: region.x + region.width, width: width - region.x - region.width };
  return { ...all, width: region.x };
}

function footBelow({ all, measures: { pad, safe } }: Panel, region: Box): Box {
  const y = region.y + region.height + pad * 0.5;
  return { x: pad, y, width: all.width - 2 * pad, height: all.height - pad - safe[1] - y };
}

function chooseRise({ shape, region, content }: Panel, { at }: PictureSpot): number {
  if (region === undefined && shape === 'tower') return content.family.align === 'middle' ? 0.4 : 0.32;
  return shape === 'tower' && at !== 'top' ? 0.2 : 0.5;
}

/** A column for brand and words, the box at whose foot button, terms and a brand at the foot stand, and where the words stand in what is left. */
type Column = { readonly column: Box; readonly foot: Box; readonly rise: number };

/** Composes brand, words, terms and button in a column. */
function composeColumn(panel: Panel, { column, foot, rise }: Column): readonly AdNode[] {
  const { content, measures } = panel;
  const { gap } = measures;
  const isSplit = foot !== column;
  const lower = composeFoot(panel, foot);
  const end = isSplit ? column.y + column.height : lower.top - gap;
  // A tab hangs from a picture; without one the brand stands where others have it.
  const isOnTop = content.family.brand === 'top' || (content.family.brand === 'tab' && content.picture === undefined);
  const head = isOnTop ? composeHead(panel, column, end) : [];
  const top = head.length === 0 ? column.y : column.y + measures.brand + gap;
  const room: Box = { ...column, y: top, height: end - top };
  const words = drawWords(content, { box: room, rise, scaleTo: column }, measures);
  return [...head, ...words, ...lower.nodes];
}

/** Composes the brand above the words, where it leaves them room. */
function composeHead({ content, measures }: Panel, column: Box, end: number): readonly AdNode[] {
  if (end - column.y < measures.brand + measures.headlineFrom * 1.6 + measures.gap) return [];
  return alignPart(content, fitBrand(content, measures, column, column.y), column).nodes;
}

function fitBrand(content: AdContent, { brand }: Measures, column: Box, y: number): Part {
  return drawBrand(content, { x: column.x, y, height: brand, room: column.width, nameFrom: Math.max(7, brand * 0.36) });
}

/** Returns a part in the middle of a column where the family is centered. */
function alignPart({ family }: AdContent, part: Part, column: Box): Part {
  return family.align === 'middle' ? { ...part, nodes: shiftNodes(part.nodes, (column.width - part.width) / 2) } : part;
}

type Foot = { readonly nodes: readonly AdNode[]; readonly top: number };

/** Composes the button, the terms above it, and the brand beside or below it where the family has it at the foot. */
function composeFoot(panel: Panel, foot: Box): Foot {
  const { content, measures } = panel;
  const { family } = content;
  const bottom = foot.y + foot.height;
  const brand = family.brand === 'foot' ? fitBrand(content, measures, foot, 0) : undefined;
  const button = placeButton(panel, foot, bottom);
  const isBeside = brand !== undefined && button.width + measures.gap * 1.2 + brand.width <= foot.width;
  const hasBelow =
    brand !== undefined &&
    !isBeside &&
    foot.height > measures.brand + button.height + measures.headlineFrom * 2 + 2 * measures.gap;
  const lift = hasBelow ? measures.brand + measures.gap * 0.7 : 0;
  const box = { ...button, y: button.y - lift };
  const marks: AdNode[] = [];
  if (brand !== undefined && isBeside)
    marks.push(...shiftNodes(brand.nodes, foot.width - brand.width, box.y + (box.height - measures.brand) / 2));
  else if (brand !== undefined && hasBelow) marks.push(...shiftNodes(brand.nodes, 0, bottom - measures.brand));
  const legal = drawLegal(content, { ...foot, height: Math.min(box.y, bottom) - foot.y }, measures);
  const top = Math.min(legal === undefined ? box.y : legal.box.y, bottom);
  return {
    nodes: [...drawAction(content, box, measures.action), ...marks, ...(legal === undefined ? [] : [legal])],
    top,
  };
}

function barHeight({ action }: Measures): number {
  return Math.round(action * 2.9);
}

function placeButton({ content, all, measures }: Panel, foot: Box, bottom: number): Box {
  const { action, hasWideAction } = measures;
  if (content.family.action === 'bar') {
    const tall = Math.min(barHeight(measures) + measures.safe[1], all.height * 0.3);
    return { x: 0, y: all.height - tall, width: all.width, height: tall };
  }
  const tall = Math.min(action * 2.55, Math.max(foot.height * 0.42, Math.min(foot.height, action * 2.2)));
  const wide = hasWideAction ? foot.width : Math.min(foot.width, actionWidth(content, action));
  const x = foot.x + (content.family.align === 'middle' ? (foot.width - wide) / 2 : 0);
  return { x, y: bottom - tall, width: Math.max(1, wide), height: Math.max(1, tall) };
}

/** Draws the terms in small print above the button: whole, or not at all. */
function drawLegal(content: AdContent, room: Box, { legal: size, gap }: Measures): AdNode | undefined {
  if (content.legal === undefined) return undefined;
  const order = { text: content.legal, width: room.width, face: content.fonts.face(400), lineHeight: 1.25 };
  const most = room.height * 0.4;
  const few = { height: Math.min(most, size * 7.5), largest: size, smallest: MIN_LEGAL_PX, maxLines: 6 };
  const many = { height: most, largest: MIN_LEGAL_PX, smallest: MIN_LEGAL_PX, maxLines: 16 };
  const fitted = [few, many].map((more) => fitText({ ...order, ...more })).find((text) => text?.shortened === false);
  if (fitted === undefined) return undefined;
  const y = room.y + room.height - gap * 0.6 - fitted.height;
  return textNode(
    'legal',
    fitted,
    { x: room.x, y, width: room.width },
    { color: content.palette.quiet, align: content.family.align },
  );
}

/** Composes words at the foot or the side, and a picture that runs out into the ground behind them. */
function composeFaded(panel: Panel, spot: PictureSpot): readonly AdNode[] {
  const { all, content, measures, shape } = panel;
  const { pad, safe, gap } = measures;
  const isSide = shape === 'hero';
  const tab = content.family.brand === 'tab' ? drawTab(panel) : [];
  const under = isSide && tab.length > 0 ? pad * 0.6 + measures.brand + gap * 1.6 : pad;
  const top = isSide ? under : all.height * (1 - spot.share);
  const width = isSide ? all.width * spot.share - pad : all.width - 2 * pad;
  const column: Box = { x: pad, y: top, width, height: all.height - pad - safe[1] - top };
  const front = composeColumn(panel, { column, foot: column, rise: isSide ? 0.5 : 1 });
  const region = fadeRegion(all, front, isSide);
  const picture = content.picture as PlacedPicture;
  const behind: readonly AdNode[] = [
    drawGround(content, all),
    { kind: 'picture', role: 'picture', picture, fit: 'cover', box: region },
    ...drawFade(content, region, isSide),
  ];
  return [...behind, ...tab, ...front, ...placeBadge({ ...panel, region })];
}

/** Returns what the words leave for the picture, and a little more: it has nearly run out where they begin. */
function fadeRegion(all: Box, front: readonly AdNode[], isSide: boolean): Box {
  const texts = front.filter((node): node is TextNode => node.kind === 'text' && node.role !== 'action');
  if (!isSide) return { ...all, height: Math.round(Math.min(all.height, ...texts.map(({ box }) => box.y))) };
  const edges = texts.map(({ box, fitted }) => box.x + fitted.width);
  const x = Math.round(Math.max(all.width * 0.25, ...edges.filter((edge) => edge < all.width * 0.8)));
  return { ...all, x, width: all.width - x };
}

function drawFade({ palette }: AdContent, region: Box, isSide: boolean): readonly AdNode[] {
  const fade = { kind: 'rect', role: 'scrim', fill: palette.ground } as const;
  if (isSide) return [{ ...fade, fade: 'right', box: { ...region, width: region.width * 0.45 } }];
  const high = Math.min(region.height * 0.5, region.width * 0.5);
  return [{ ...fade, fade: 'top', box: { ...region, y: region.y + region.height - high, height: high } }];
}

/** Draws the brand on a tab of the ground's color that hangs from the upper edge. */
function drawTab({ content, all, measures }: Panel): readonly AdNode[] {
  const { pad, brand, safe } = measures;
  const side = brand * 0.5;
  const part = drawBrand(content, {
    x: pad + side,
    y: safe[0] + side * 0.9,
    height: brand,
    room: all.width - 2 * pad - 2 * side,
    nameFrom: Math.max(7, brand * 0.36),
  });
  if (part.nodes.length === 0) return [];
  const radius = brand * 0.28;
  const box: Box = { x: pad, y: -radius, width: part.width + 2 * side, height: radius + safe[0] + brand + side * 1.8 };
  return [{ kind: 'rect', role: 'block', box, fill: content.palette.ground, radius }, ...part.nodes];
}

/** Draws what goes around everything: a fine line inside the edge, or a band of the brand's color at it. */
function drawTrim({ content, all, shape, measures }: Panel): readonly AdNode[] {
  const { trim } = content.family;
  if (trim === 'hairline') return [drawHairline(content, all, measures.pad * 0.42)];
  if (trim === 'none') return [];
  const wide = bandWidth(all);
  const box: Box = shape === 'tower' ? { ...all, height: wide } : { ...all, width: wide };
  return [{ kind: 'rect', role: 'rule', box, fill: content.block.ground }];
}

/** Returns a fine line in the accent color, so many pixels inside the edge of the ad. */
export function drawHairline({ palette }: AdContent, { width, height }: Box, inset: number): AdNode {
  const at = Math.max(2, Math.round(inset));
  const box: Box = { x: at, y: at, width: width - 2 * at, height: height - 2 * at };
  return { kind: 'rect', role: 'rule', box, fill: palette.accent, border: Math.max(1, Math.min(width, height) / 400) };
}

function bandWidth({ width, height }: Box): number {
  return Math.max(4, Math.round(Math.min(width, height) * 0.026));
}

/** Places the offer, in the block or in the outer corner of the picture; without these to the right of the words of a wide ad. */
function placeBadge({ content, all, region, measures, shape }: Panel): readonly AdNode[] {
  if (region === undefined)
    return shape === 'hero' && content.family.align === 'start' ? drawBadge(content, besideBadge(all, measures)) : [];
  const least = Math.min(region.width, region.height);
  if (content.picture === undefined) {
    return drawBadge(content, {
      x: region.x + region.width / 2,
      y: region.y + region.height / 2,
      radius: least * 0.38,
    });
  }
  const radius = Math.min(least * 0.3, Math.max(Math.min(all.width, all.height) * 0.14, 30));
  const margin = Math.max(radius * 0.22, measures.pad * 0.5);
  const right = Math.min(all.width, region.x + region.width);
  return drawBadge(content, {
    x: right - margin - radius,
    y: Math.max(measures.safe[0], region.y) + margin + radius,
    radius,
  });
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
