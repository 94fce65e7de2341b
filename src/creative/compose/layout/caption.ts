import { readDirection } from '../fonts/bidi.js';
import { mirrorNodes } from './mirror.js';
import { type Ad, type AdContent, type AdNode, type RectNode, textNode } from './nodes.js';
import { drawBrand, upperCase } from './parts/brand.js';
import { fitText } from './text.js';

/** Darkness that captions stand on: white has a contrast of 9 with it on a white picture. */
const SHADE = { fill: '#0b0d12', opacity: 0.74 } as const;
const INK = '#ffffff';

/** Returns what lies over the moving picture of a video: a caption at the foot, and the brand on a tab of its own ground; see-through everywhere else. */
export function composeCaption(content: AdContent, text: string, width: number, height: number): Ad {
  const direction = readDirection(text, content.language);
  const nodes = [...drawText(content, text, width, height), ...drawTab(content, width, height)];
  return { width, height, content, direction, nodes: direction === 'rtl' ? mirrorNodes(nodes, width) : nodes };
}

function drawText(
  { fonts, family, language, palette }: AdContent,
  text: string,
  width: number,
  height: number,
): readonly AdNode[] {
  const side = Math.min(width, height);
  const pad = side * 0.075;
  const isUpright = height > width;
  // Players lay their controls over the foot of upright videos.
  const foot = isUpright ? height * 0.14 : pad;
  const { font, weight, tracking, leading, isUpper } = family.headline;
  const fitted = fitText({
    text: isUpper ? upperCase(text, language) : text,
    width: (width - 2 * pad) * (isUpright ? 1 : 0.86),
    height: height * 0.3,
    face: fonts.face(weight, font),
    tracking,
    largest: side * 0.092,
    smallest: side * 0.04,
    lineHeight: Math.max(1.1, leading),
    maxLines: isUpright ? 4 : 3,
  });
  if (fitted === undefined) return [];
  const y = height - foot - fitted.height;
  const bar = { x: pad, y: y - side * 0.045, width: side * 0.11, height: Math.max(3, side * 0.009) };
  const top = bar.y - side * 0.03;
  const shade = (from: number, to: number, fade?: 'top'): RectNode => ({
    kind: 'rect',
    role: 'scrim',
    box: { x: 0, y: from, width, height: to - from },
    ...SHADE,
    fade,
  });
  return [
    shade(top - height * 0.18, top, 'top'),
    shade(top, height),
    { kind: 'rect', role: 'rule', box: bar, fill: palette.accent },
    textNode('headline', fitted, { x: pad, y, width: width - 2 * pad }, { color: INK }),
  ];
}

function drawTab(content: AdContent, width: number, height: number): readonly AdNode[] {
  const side = Math.min(width, height);
  const pad = side * 0.035;
  const at = {
    x: side * 0.075 + pad,
    y: (height > width ? height * 0.1 : 0) + pad * 0.8,
    height: side * 0.075,
    room: width * 0.5,
    nameFrom: 8,
  };
  const brand = drawBrand(content, at);
  const box = { x: at.x - pad, y: at.y - pad * 0.8, width: brand.width + 2 * pad, height: at.height + pad * 1.6 };
  return [{ kind: 'rect', role: 'block', box, fill: content.palette.ground }, ...brand.nodes];
}
