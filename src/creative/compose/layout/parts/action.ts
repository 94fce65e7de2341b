import { measureText, type TextStyle } from '../metrics.js';
import { type AdContent, type AdNode, textNode } from '../nodes.js';
import { type Box, type FittedText, fitText } from '../text.js';

/** Returns the letters of a button at a size. */
function actionStyle({ fonts, family }: AdContent, size: number): TextStyle {
  return { size, face: fonts.face(600), tracking: family.action === 'outline' ? 0.04 : 0 };
}

/** Returns the width of a button of this text size, in pixels. */
export function actionWidth(content: AdContent, size: number): number {
  return measureText(content.callToAction, actionStyle(content, size)) + size * 2.4;
}

/** A label that would be smaller gives way to a shorter one. */
const MIN_LABEL_PX = 8;

/**
 * Returns the width of a button of this text size that is at most `most` wide; where the whole text would not read in that, as wide as the
 * short one.
 */
export function narrowActionWidth(content: AdContent, size: number, most: number): number {
  const wide = actionWidth(content, size);
  const { callToAction, shortAction } = content;
  if (wide <= most || shortAction === undefined) return Math.min(wide, most);
  const needed = measureText(callToAction, actionStyle(content, Math.min(size, MIN_LABEL_PX))) + 2 * size * 0.9;
  return needed <= most ? most : Math.min(most, actionWidth({ ...content, callToAction: shortAction }, size));
}

/**
 * Returns the call to action as a button that fills its box: the whole text, shrunk to what still reads, else the short one; an arrow only
 * where neither fits.
 */
export function drawAction(content: AdContent, box: Box, size: number): readonly AdNode[] {
  const { palette, callToAction, shortAction, family } = content;
  const side = Math.min(size * 0.9, box.width * 0.1);
  const { face, tracking } = actionStyle(content, size);
  const fitLabel = (text: string | undefined, smallest: number): FittedText | undefined => {
    const fitted = fitText({
      text: text ?? '',
      width: box.width - 2 * side,
      height: box.height,
      face,
      tracking,
      largest: size,
      smallest,
      lineHeight: 1.2,
      maxLines: 1,
    });
    return fitted === undefined || fitted.shortened ? undefined : fitted;
  };
  const least = Math.max(6, size * 0.6);
  const label =
    fitLabel(callToAction, Math.max(least, Math.min(size, MIN_LABEL_PX))) ??
    fitLabel(shortAction, least) ??
    fitLabel(callToAction, 6) ??
    fitLabel('→', 3);
  const isOutline = family.action === 'outline';
  const color = palette.accentReads ? palette.accent : palette.ink;
  const button: AdNode = {
    kind: 'rect',
    role: 'action',
    box,
    fill: isOutline ? color : palette.accent,
    radius: family.action === 'pill' ? Math.min(box.height / 2, size * 1.6) : CORNERS[family.action] * size,
    border: isOutline ? Math.max(1, size / 14) : undefined,
  };
  if (label === undefined) return [button];
  const at = { x: box.x + side, y: box.y + (box.height - label.height) / 2, width: box.width - 2 * side };
  return [button, textNode('action', label, at, { color: isOutline ? color : palette.accentInk, align: 'middle' })];
}

const CORNERS = { bar: 0, block: 0.18, outline: 0 } as const;
