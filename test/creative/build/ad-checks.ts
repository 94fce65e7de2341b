import sharp from 'sharp';
import { expect } from 'vitest';
import { measureText } from '../../../src/creative/compose/layout/metrics.js';
import type { Ad, TextNode } from '../../../src/creative/compose/layout/nodes.js';
import { layoutSvg } from '../../../src/creative/compose/layout/svg.js';
import type { Box } from '../../../src/creative/compose/layout/text.js';
import { contrast } from '../../../src/creative/compose/pictures/color.js';
import { ImageProcessor } from '../../../src/creative/compose/pictures/image-processor.js';

const IMAGES = new ImageProcessor();

/** Whether a box lies in another, give or take the softness of an edge. */
function within(inner: Box, outer: Box): boolean {
  const slack = 0.05;
  return (
    inner.x >= outer.x - slack &&
    inner.y >= outer.y - slack &&
    inner.x + inner.width <= outer.x + outer.width + slack &&
    inner.y + inner.height <= outer.y + outer.height + slack
  );
}

/** The texts of an ad. */
export function texts(ad: Ad): readonly TextNode[] {
  return ad.nodes.filter((node): node is TextNode => node.kind === 'text');
}

/** Every text lies in its box, every box in the ad, words off the edge, and the button is there with its text inside. */
export function expectSound(ad: Ad): void {
  const all = { x: 0, y: 0, width: ad.width, height: ad.height };
  for (const node of texts(ad)) {
    expect(within(node.box, all), `${node.role} in the ad`).toBe(true);
    for (const line of node.fitted.lines) {
      expect(measureText(line, node.fitted.style)).toBeLessThanOrEqual(node.box.width + 0.05);
    }
  }
  const edge = { x: 1, y: 1, width: ad.width - 2, height: ad.height - 2 };
  const isBar = ({ role, kind }: Ad['nodes'][number]): boolean =>
    ad.content.family.action === 'bar' && role === 'action' && kind === 'rect';
  const words = ad.nodes.filter(
    (node) => ['headline', 'body', 'eyebrow', 'action', 'brand', 'legal'].includes(node.role) && !isBar(node),
  );
  for (const node of words) expect(within(node.box, edge), `${node.role} off the edge`).toBe(true);
  const button = ad.nodes.find((node) => node.role === 'action' && node.kind === 'rect');
  expect(button).toBeDefined();
  const label = texts(ad).find(({ role }) => role === 'action');
  expect(
    label &&
      button &&
      within(
        { ...label.box, width: label.fitted.width, x: label.box.x + (label.box.width - label.fitted.width) / 2 },
        button.box,
      ),
  ).toBe(true);
  const rows = ['eyebrow', 'headline', 'body'].flatMap((role) => texts(ad).filter((node) => node.role === role));
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    if (next !== undefined) expect(row.box.y + row.box.height).toBeLessThanOrEqual(next.box.y + 0.05);
  }
  const headline = rows.find(({ role }) => role === 'headline');
  if (headline !== undefined && button !== undefined)
    expect(overlap({ ...headline.box, width: headline.fitted.width }, button.box)).toBe(false);
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** A picture as its pixels, three bytes each. */
export type Picture = { readonly data: Buffer; readonly width: number };

/** An ad as it is drawn. */
export async function draw(ad: Ad): Promise<Picture> {
  const rendered = await IMAGES.renderSvg(layoutSvg(ad), { width: ad.width, height: ad.height, format: 'png' });
  return { data: await sharp(rendered.bytes).removeAlpha().raw().toBuffer(), width: ad.width };
}

/** How often each color occurs in a region. */
export function colors({ data, width }: Picture, box: Box): ReadonlyMap<string, number> {
  const found = new Map<number, number>();
  for (let y = Math.ceil(box.y); y < box.y + box.height - 1; y += 1) {
    for (let x = Math.ceil(box.x); x < box.x + box.width - 1; x += 1) {
      const color = data.readUIntBE((y * width + x) * 3, 3);
      found.set(color, (found.get(color) ?? 0) + 1);
    }
  }
  return new Map([...found].map(([color, count]) => [`#${color.toString(16).padStart(6, '0')}`, count]));
}

/** The box around everything that differs between two pictures. */
function differing(one: Picture, other: Picture): Box | undefined {
  const box = { left: Number.POSITIVE_INFINITY, top: Number.POSITIVE_INFINITY, right: -1, bottom: -1 };
  for (let at = 0; at < one.data.length; at += 3) {
    if (one.data.readUIntBE(at, 3) === other.data.readUIntBE(at, 3)) continue;
    const [x, y] = [(at / 3) % one.width, Math.floor(at / 3 / one.width)];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  if (box.right < 0) return undefined;
  return { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top };
}

/** The ink of every text stays in its box, and has contrast with each color that is really behind it. */
export async function expectReadable(ad: Ad): Promise<void> {
  const full = await draw(ad);
  for (const node of texts(ad)) {
    const without = await draw({ ...ad, nodes: ad.nodes.filter((one) => one !== node) });
    const ink = differing(full, without);
    expect(ink, `${node.role} is drawn`).toBeDefined();
    if (ink === undefined) continue;
    const { x, y, width: wide, height: high } = node.box;
    // One pixel more for the softened edges of letters.
    expect(within(ink, { x: x - 1, y: y - 1, width: wide + 2, height: high + 2 }), `${node.role} in its box`).toBe(
      true,
    );
    for (const [behind] of colors(without, ink)) {
      expect(contrast(behind, node.color), `${node.role} on ${behind}`).toBeGreaterThanOrEqual(4.5);
      if (node.marked !== undefined) expect(contrast(behind, node.marked.color)).toBeGreaterThanOrEqual(4.5);
    }
  }
}
