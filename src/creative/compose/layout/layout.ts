import { TaskError } from '../../../protocol/errors.js';
import { readDirection } from '../fonts/bidi.js';
import { chooseShape } from './measures.js';
import { mirrorNodes } from './mirror.js';
import type { Ad, AdContent } from './nodes.js';
import { composePanel } from './panel.js';
import { composeStrip } from './strip.js';

/** The longest side an ad is composed for. */
const MAX_AD_SIDE_PX = 8192;

/**
 * Lays an ad out for a size in pixels: which nodes, where, in which color; a language read from right to left is laid out so. It is
 * deterministic, no text is wider or higher than its box, and the call to action is always there. Throws VALIDATION_ERROR for a size that
 * is no ad.
 */
export function composeAd(content: AdContent, width: number, height: number): Ad {
  if (!(width >= 16 && height >= 16 && width <= MAX_AD_SIDE_PX && height <= MAX_AD_SIDE_PX)) {
    throw new TaskError(
      'VALIDATION_ERROR',
      `An ad cannot be laid out for ${width}x${height} pixels; each side is 16 to ${MAX_AD_SIDE_PX}.`,
      { suggestion: 'Ask for a format of another size.' },
    );
  }
  const direction = readDirection(content.headline, content.language);
  const shape = chooseShape(width, height);
  const nodes = shape === 'strip' ? composeStrip(content, width, height) : composePanel(content, shape, width, height);
  return { width, height, content, direction, nodes: direction === 'rtl' ? mirrorNodes(nodes, width) : nodes };
}
