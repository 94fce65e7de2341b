import { escapeHtml } from '../../../platform/web/html.js';
import { FONT_FAMILY } from '../fonts/packaged-fonts.js';
import type { Ad, AdNode, PathNode, PictureNode, RectNode, TextNode } from './nodes.js';

/** Returns an ad as an SVG document of `scale` times its size (2 for high-density screens). Every text is escaped; nothing is loaded from outside. */
export function layoutSvg(ad: Ad, scale = 1): string {
  const body = ad.nodes.map((node, index) => drawNode(node, index, ad)).join('');
  const size = `width="${n(ad.width * scale)}" height="${n(ad.height * scale)}" viewBox="0 0 ${n(ad.width)} ${n(ad.height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${FONT_FAMILY}">${body}</svg>`;
}

function drawNode(node: AdNode, index: number, ad: Ad): string {
  switch (node.kind) {
    case 'rect':
      return drawRect(node, index, ad);
    case 'path':
      return drawPath(node, index);
    case 'picture':
      return drawPicture(node, index);
    case 'text':
      return drawText(node);
  }
}

function drawRect({ box, fill, far, radius }: RectNode, index: number, ad: Ad): string {
  const bounds = `x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}"`;
  const rounded = radius === undefined ? '' : ` rx="${n(radius)}"`;
  if (far === undefined) return `<rect ${bounds}${rounded} fill="${fill}"/>`;
  const [x, y] = [ad.width, ad.height];
  const stops = `<stop offset="0.35" stop-color="${fill}"/><stop offset="1" stop-color="${far}"/>`;
  const gradient = `<linearGradient id="g${index}" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="${n(x)}" y2="${n(y)}">${stops}</linearGradient>`;
  return `<defs>${gradient}</defs><rect ${bounds}${rounded} fill="url(#g${index})"/>`;
}

function drawPath({ d, fill, box }: PathNode, index: number): string {
  const clip = `<clipPath id="c${index}"><rect x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}"/></clipPath>`;
  return `<defs>${clip}</defs><path d="${d}" fill="${fill}" clip-path="url(#c${index})"/>`;
}

function drawPicture({ picture, box, fit, radius = 0 }: PictureNode, index: number): string {
  const bounds = `x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}"`;
  const clip = `<clipPath id="c${index}"><rect ${bounds} rx="${n(radius)}"/></clipPath>`;
  const ratio = fit === 'cover' ? 'xMidYMid slice' : 'xMidYMid meet';
  return `<defs>${clip}</defs><image ${bounds} preserveAspectRatio="${ratio}" href="${picture.dataUri}" clip-path="url(#c${index})"/>`;
}

function drawText({ fitted, box, color, align, marked }: TextNode): string {
  const { size, face, tracking } = fitted.style;
  const { ascent, descent, weight } = face;
  const first = box.y + (fitted.lineHeight - (ascent + descent) * size) / 2 + ascent * size;
  const x = align === 'middle' ? box.x + box.width / 2 : box.x;
  const anchor = align === 'middle' ? ' text-anchor="middle"' : '';
  const spacing = tracking === 0 ? '' : ` letter-spacing="${n(tracking * size)}"`;
  const style = `font-size="${n(size)}" font-weight="${weight}" fill="${color}"${anchor}${spacing}`;
  const lines = markWords(fitted.lines, marked?.text).map((runs, index) => {
    const spans = runs.map((run) =>
      run.marked ? `<tspan fill="${marked?.color}">${escapeHtml(run.text)}</tspan>` : escapeHtml(run.text),
    );
    return `<text xml:space="preserve" x="${n(x)}" y="${n(first + index * fitted.lineHeight)}" ${style}>${spans.join('')}</text>`;
  });
  return lines.join('');
}

/** A stretch of a line, set off or not. */
export type Run = { readonly text: string; readonly marked: boolean };

/** Returns lines cut into runs: the words of `wanted` are marked where they stand one after another, across line breaks too. */
export function markWords(lines: readonly string[], wanted: string | undefined): readonly (readonly Run[])[] {
  const target = wanted?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const words = lines.flatMap((line) => line.split(' '));
  const start =
    target.length === 0
      ? -1
      : words.findIndex((_, at) => target.every((word, offset) => bare(words[at + offset]) === bare(word)));
  let at = 0;
  return lines.map((line) => {
    const runs: Run[] = [];
    for (const word of line.split(' ')) {
      const marked = start >= 0 && at >= start && at < start + target.length;
      const last = runs.at(-1);
      if (last?.marked === marked) runs[runs.length - 1] = { text: `${last.text} ${word}`, marked };
      else {
        if (last !== undefined) runs[runs.length - 1] = { ...last, text: `${last.text} ` };
        runs.push({ text: word, marked });
      }
      at += 1;
    }
    return runs;
  });
}

function bare(word: string | undefined): string {
  return word?.toLowerCase().replace(/[.,!?:;]+$/u, '') ?? '';
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
