import type { Ad, AdContent, AdNode } from './nodes.js';
import { drawBrand, drawGround } from './parts/brand.js';
import { drawMotif } from './parts/motif.js';
import type { Box } from './text.js';

/** Returns a picture of the brand without words, for placements that set the words themselves: the motif with the logo or monogram in the middle. */
export function composeArtwork(content: AdContent, width: number, height: number): Ad {
  const all: Box = { x: 0, y: 0, width, height };
  const nodes = [
    drawGround(content, all),
    ...drawMotif(content.motif, all, content.palette),
    ...drawMark(content, all, 0.3),
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

/** Draws the mark in the middle, as high as this share of the shorter side. */
function drawMark(content: AdContent, { width, height }: Box, share: number): readonly AdNode[] {
  const side = Math.min(width, height) * share;
  const { logo } = content;
  const wide = logo === undefined ? side : Math.min(width * 0.7, (side * logo.width) / logo.height);
  const at = { x: (width - wide) / 2, y: (height - side) / 2, height: side, room: wide, nameFrom: side };
  return drawBrand(content, at).nodes;
}
