import type { AdNode, Side } from './nodes.js';

/** Returns nodes with left and right exchanged, as an ad is laid out that is read from right to left. What pictures show keeps its sides. */
export function mirrorNodes(nodes: readonly AdNode[], width: number): readonly AdNode[] {
  return nodes.map((node) => {
    const box = { ...node.box, x: width - node.box.x - node.box.width };
    if (node.kind === 'path') return { ...node, box, flipped: node.flipped !== true };
    return node.kind === 'rect' && node.fade !== undefined
      ? { ...node, box, fade: MIRRORED[node.fade] }
      : { ...node, box };
  });
}

const MIRRORED: Readonly<Record<Side, Side>> = { left: 'right', right: 'left', top: 'top', bottom: 'bottom' };
