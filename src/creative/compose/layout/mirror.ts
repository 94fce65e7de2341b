import type { AdNode } from './nodes.js';

/** Returns nodes with left and right exchanged, as an ad is laid out that is read from right to left. Pictures and outlines keep their own sides. */
export function mirrorNodes(nodes: readonly AdNode[], width: number): readonly AdNode[] {
  return nodes.map((node) =>
    node.kind === 'path' ? node : { ...node, box: { ...node.box, x: width - node.box.x - node.box.width } },
  );
}
