import type { Ad, AdContent, AdNode } from './nodes.js';
import { drawBrand, drawGround } from './parts/brand.js';
import { drawMotif } from './parts/motif.js';
import type { Box } from './text.js';

/** The middle of the mark, as a share of the height, where captions lie over the foot of the picture. */
export const ABOVE_CAPTIONS = 0.36;

/**
 * Returns a picture of the brand without words, for placements that set the words themselves: the motif with the logo or monogram, whose
 * middle is at a share of the height.
 */
export function composeArtwork(content: AdContent, width: number, height: number, middle = 0.5): Ad {
  const all: Box = { x: 0, y: 0, width, height };
  const nodes = [
    drawGround(content, all),
    ...drawMotif(content.motif, all, content.palette),
    ...drawMark(content, all, 0.3, middle),
  ];
  return { width, height, content, direction: 'ltr', nodes };
}

/** Returns the brand's mark alone, for icons and logos: the logo, or the monogram on the brand's color. */
export function composeMark(content: AdContent, width: number, height: number): Ad {
  const all: Box = { x: 0, y: 0, width, height };
  return {
    width,
    height,
    content,
    direction: 'ltr',
    nodes: [drawGround(content, all), ...drawMark(content, all, 0.62)],
  };
}

/** Draws the mark as high as this share of the shorter side, with its middle at a share of the height. */
function drawMark(content: AdContent, { width, height }: Box, share: number, middle = 0.5): readonly AdNode[] {
  const side = Math.min(width, height) * share;
  const { logo } = content;
  const wide = logo === undefined ? side : Math.min(width * 0.7, (side * logo.width) / logo.height);
  const at = { x: (width - wide) / 2, y: height * middle - side / 2, height: side, room: wide, nameFrom: side };
  return drawBrand(content, at).nodes;
}
