import { TaskError } from '../../../protocol/errors.js';
import { readDirection } from '../fonts/typeface.js';
import { mirrorNodes } from './mirror.js';
import type { Ad, AdContent, AdNode } from './nodes.js';
import { drawBackdrop, drawBadge } from './parts.js';
import { composeStack, type StackMeasures } from './stack.js';
import { composeStrip } from './strip.js';
import type { Box } from './text.js';

/** The families of sizes, each with its own composition. */
export type Shape = 'strip' | 'card' | 'tower' | 'hero';

/** The longest side an ad is composed for. */
const MAX_AD_SIDE_PX = 8192;

/** Returns the family that a size belongs to, by its proportions. */
export function chooseShape(width: number, height: number): Shape {
  const ratio = width / height;
  if (ratio >= 4.2 || (ratio >= 3 && height <= 120)) return 'strip';
  if (ratio >= 1.55) return 'hero';
  return ratio < 0.72 ? 'tower' : 'card';
}

/**
 * Lays an ad out for a size in pixels: which nodes, where, in which color. Pure and deterministic; no text is wider or higher than its
 * box, and the call to action is always there. What is read from right to left is laid out from right to left. Throws VALIDATION_ERROR for a size that is no ad.
 */
export function composeAd(content: AdContent, width: number, height: number): Ad {
  if (!(width >= 16 && height >= 16 && width <= MAX_AD_SIDE_PX && height <= MAX_AD_SIDE_PX)) {
    throw new TaskError(
      'VALIDATION_ERROR',
      `An ad cannot be laid out for ${width}x${height} pixels; each side is 16 to ${MAX_AD_SIDE_PX}.`,
      { suggestion: 'Ask for a format of another size.' },
    );
  }
  const direction = readDirection(content.headline);
  const nodes = COMPOSE[chooseShape(width, height)](content, width, height);
  return { width, height, content, direction, nodes: direction === 'rtl' ? mirrorNodes(nodes, width) : nodes };
}

type Compose = (content: AdContent, width: number, height: number) => readonly AdNode[];

const COMPOSE: Readonly<Record<Shape, Compose>> = {
  strip: composeStrip,
  card: composeCard,
  tower: composeTower,
  hero: composeHero,
};

/** Squares and rectangles: a column over the motif; a picture takes the upper part. */
function composeCard(content: AdContent, width: number, height: number): readonly AdNode[] {
  const side = Math.min(width, height);
  const pad = Math.max(3, Math.round(side * 0.08));
  const photo = content.picture === undefined ? 0 : Math.round(height * 0.42);
  const measures: StackMeasures = {
    brand: side * 0.105,
    eyebrow: Math.max(8, side * 0.043),
    headline: [side * (photo > 0 ? 0.105 : 0.152), Math.max(6, side * 0.056)],
    headlineLines: 3,
    body: side * 0.056,
    bodyLines: 2,
    action: Math.max(7, side * 0.057),
    wideAction: false,
    gap: side * 0.06,
    rise: 0.5,
  };
  const column: Box = inset(
    { x: 0, y: photo, width, height: height - photo },
    pad,
    photo > 0 ? Math.round(pad * 0.8) : pad,
  );
  return [
    ...drawBackdrop(content, width, height),
    ...drawPicture(content, { x: 0, y: 0, width, height: photo }),
    ...composeStack(content, column, measures),
  ];
}

/** Skyscrapers and upright screens: large words above, the motif or the offer below, the button at the foot. */
function composeTower(content: AdContent, width: number, height: number): readonly AdNode[] {
  const pad = Math.max(3, Math.round(width * 0.095));
  const picture: Box = { x: 0, y: 0, width, height: content.picture === undefined ? 0 : Math.round(height * 0.38) };
  const badge =
    content.picture === undefined
      ? badgeNodes(content, { x: width / 2, y: height * 0.69 }, Math.min(width * 0.31, height * 0.12))
      : [];
  const measures: StackMeasures = {
    brand: Math.min(width * 0.17, height * 0.07),
    eyebrow: Math.max(8, Math.min(width * 0.068, height * 0.025)),
    headline: [width * 0.175, Math.max(6, width * 0.075)],
    headlineLines: 6,
    body: Math.max(Math.min(width * 0.03 + 9, width * 0.09), width * 0.045),
    bodyLines: 4,
    action: Math.min(width * 0.05 + 6.5, width * 0.11),
    wideAction: width < 400,
    gap: Math.min(width * 0.11, height * 0.05),
    rise: badge.length > 0 || content.picture !== undefined ? 0 : 0.15,
  };
  const column = inset({ x: 0, y: picture.height, width, height: height - picture.height }, pad, pad);
  return [
    ...drawBackdrop(content, width, height),
    ...drawPicture(content, picture),
    ...badge,
    ...(badge.length === 0 ? composeStack(content, column, measures) : composeAround(content, column, measures, badge)),
  ];
}

/** The words of a tower stay above its badge. */
function composeAround(
  content: AdContent,
  column: Box,
  measures: StackMeasures,
  badge: readonly AdNode[],
): readonly AdNode[] {
  const top = Math.min(...badge.map((node) => node.box.y)) - measures.gap * 0.5;
  const foot = measures.action * 2.55 + measures.gap;
  const upper = composeStack(content, { ...column, height: top - column.y + foot }, measures);
  const lower = composeStack(content, column, measures);
  return [...upper.filter((node) => node.role !== 'action'), ...lower.filter((node) => node.role === 'action')];
}

/** Billboards and landscape screens: the column on the left, picture, offer or motif on the right. */
function composeHero(content: AdContent, width: number, height: number): readonly AdNode[] {
  const ratio = width / height;
  const pad = Math.max(3, Math.round(height * (ratio > 3 ? 0.11 : 0.085)));
  const photo = Math.round(width * (ratio > 3 ? 0.4 : 0.45));
  const radius = Math.min(height * 0.28, width * 0.125);
  const right: Box = { x: width - photo, y: 0, width: photo, height };
  const badge =
    content.picture === undefined
      ? badgeNodes(content, { x: width - pad * 1.4 - radius, y: height * 0.47 }, radius)
      : [];
  const wide =
    content.picture !== undefined
      ? width - photo - 2 * pad
      : badge.length > 0
        ? width - 2 * radius - 3.4 * pad
        : width * 0.66;
  const measures: StackMeasures = {
    brand: height * 0.115,
    eyebrow: Math.max(8, height * 0.042),
    headline: [height * 0.185, Math.max(6, height * 0.07)],
    headlineLines: 3,
    body: Math.max(Math.min(14, height * 0.07), height * 0.052),
    bodyLines: 2,
    action: Math.max(7, height * 0.058),
    wideAction: false,
    gap: height * 0.06,
    rise: 0.5,
  };
  return [
    ...drawBackdrop(content, width, height),
    ...drawPicture(content, right),
    ...badge,
    ...composeStack(content, { x: pad, y: pad, width: wide, height: height - 2 * pad }, measures),
  ];
}

/** The offer on a badge, unless the headline says it already. */
function badgeNodes(
  content: AdContent,
  center: { readonly x: number; readonly y: number },
  radius: number,
): readonly AdNode[] {
  const { offer, headline } = content;
  if (offer === undefined || headline.toLowerCase().includes(offer.toLowerCase())) return [];
  return drawBadge(offer, content, center, radius);
}

function drawPicture({ picture }: AdContent, box: Box): readonly AdNode[] {
  return picture === undefined || box.height === 0
    ? []
    : [{ kind: 'picture', role: 'picture', picture, fit: 'cover', box }];
}

function inset(box: Box, side: number, top: number): Box {
  return { x: box.x + side, y: box.y + top, width: box.width - 2 * side, height: box.height - 2 * top };
}
