import { withoutEnd } from '../copy/text.js';
import { type Direction, directText, readContexts } from '../fonts/bidi.js';
import type { PlacedGlyph } from '../fonts/typeface.js';
import type { Ad, AdNode, PathNode, PictureNode, RectNode, Side, TextNode } from './nodes.js';
import type { Box } from './text.js';

/** Returns an ad as an SVG document of `scale` times its size (2 for high-density screens). Texts are outlines, so that no font is needed to draw them; nothing is loaded from outside. */
export function layoutSvg(ad: Ad, scale = 1): string {
  const body = ad.nodes.map((node, index) => drawNode(node, index, ad)).join('');
  const size = `width="${n(ad.width * scale)}" height="${n(ad.height * scale)}" viewBox="0 0 ${n(ad.width)} ${n(ad.height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>`;
}

function drawNode(node: AdNode, index: number, ad: Ad): string {
  switch (node.kind) {
    case 'rect':
      return drawRect(node, index, ad);
    case 'path':
      return drawPath(node, index, ad);
    case 'picture':
      return drawPicture(node, index);
    case 'text':
      return drawText(node, ad.direction);
  }
}

function drawRect(node: RectNode, index: number, ad: Ad): string {
  const { box, fill, far, radius, opacity, fade, border } = node;
  const rounded = radius === undefined ? '' : ` rx="${n(radius)}"`;
  if (border !== undefined) {
    // The line lies inside the box, as that of CSS.
    const inner = {
      x: box.x + border / 2,
      y: box.y + border / 2,
      width: box.width - border,
      height: box.height - border,
    };
    return `<rect ${bounds(inner)}${rounded} fill="none" stroke="${fill}" stroke-width="${n(border)}"/>`;
  }
  const clear = opacity === undefined ? '' : ` fill-opacity="${n(opacity)}"`;
  if (far !== undefined) {
    const stops = `<stop offset="0.35" stop-color="${fill}"/><stop offset="1" stop-color="${far}"/>`;
    const gradient = `<linearGradient id="g${index}" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="${n(ad.width)}" y2="${n(ad.height)}">${stops}</linearGradient>`;
    return `<defs>${gradient}</defs><rect ${bounds(box)}${rounded} fill="url(#g${index})"/>`;
  }
  if (fade === undefined) return `<rect ${bounds(box)}${rounded} fill="${fill}"${clear}/>`;
  const stops = FADE.map(
    ([offset, share]) => `<stop offset="${offset}" stop-color="${fill}" stop-opacity="${n((opacity ?? 1) * share)}"/>`,
  ).join('');
  return `<defs><linearGradient id="g${index}" ${FADE_AXES[fade]}>${stops}</linearGradient></defs><rect ${bounds(box)} fill="url(#g${index})"/>`;
}

/** How what fades goes out, softly at both ends: share of the way, and of its strength. */
export const FADE: readonly (readonly [offset: number, share: number])[] = [
  [0, 1],
  [0.25, 0.84],
  [0.5, 0.5],
  [0.75, 0.16],
  [1, 0],
];

const FADE_AXES: Readonly<Record<Side, string>> = {
  top: 'x1="0" y1="1" x2="0" y2="0"',
  bottom: 'x1="0" y1="0" x2="0" y2="1"',
  left: 'x1="1" y1="0" x2="0" y2="0"',
  right: 'x1="0" y1="0" x2="1" y2="0"',
};

function bounds({ x, y, width, height }: Box): string {
  return `x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"`;
}

function drawPath({ d, fill, box, flipped }: PathNode, index: number, ad: Ad): string {
  const clip = `<clipPath id="c${index}"><rect ${bounds(flipped ? { ...box, x: ad.width - box.x - box.width } : box)}/></clipPath>`;
  const path = `<path d="${d}" fill="${fill}" clip-path="url(#c${index})"/>`;
  return `<defs>${clip}</defs>${flipped ? `<g transform="translate(${n(ad.width)} 0) scale(-1 1)">${path}</g>` : path}`;
}

function drawPicture({ picture, box, fit, radius = 0 }: PictureNode, index: number): string {
  const clip = `<clipPath id="c${index}"><rect ${bounds(box)} rx="${n(radius)}"/></clipPath>`;
  const ratio = fit === 'cover' ? 'xMidYMid slice' : 'xMidYMid meet';
  return `<defs>${clip}</defs><image ${bounds(box)} preserveAspectRatio="${ratio}" href="${picture.dataUri}" clip-path="url(#c${index})"/>`;
}

/** Returns how far from the left edge of its box a line begins that leaves so much of its width free. */
export function lineStart({ align }: TextNode, direction: Direction, free: number): number {
  if (align === 'middle') return free / 2;
  return direction === 'rtl' ? free : 0;
}

function drawText(node: TextNode, direction: Direction): string {
  const { fitted, box, color, marked } = node;
  const { size, face, tracking } = fitted.style;
  const { ascent, descent } = face.metrics;
  const first = box.y + (fitted.lineHeight - (ascent + descent) * size) / 2 + ascent * size;
  const runs = markWords(fitted.lines, marked?.text);
  const read = directText(fitted.lines.join(' '), direction);
  const contexts = readContexts(fitted.lines, read);
  return fitted.lines
    .map((line, index) => {
      const { glyphs, width } = face.shape(line, read, tracking, contexts[index]);
      const free = box.width - width * size;
      const x = box.x + lineStart(node, direction, free);
      const at = { x, y: first + index * fitted.lineHeight, size };
      const isMarked = (glyph: PlacedGlyph): boolean => isMarkedAt(runs[index] ?? [], glyph.cluster);
      const set = glyphs.filter(isMarked);
      const rest = set.length === 0 ? glyphs : glyphs.filter((glyph) => !isMarked(glyph));
      return drawGlyphs(rest, at, color) + drawGlyphs(set, at, marked?.color ?? color);
    })
    .join('');
}

type LineOrigin = { readonly x: number; readonly y: number; readonly size: number };

function drawGlyphs(glyphs: readonly PlacedGlyph[], { x, y, size }: LineOrigin, color: string): string {
  const commands = glyphs.flatMap((glyph) =>
    glyph.file.outline(glyph.id).map(({ type, values }) => {
      const [left, top] = [x + glyph.x * size, y + glyph.y * size];
      return type + values.map((value, index) => n(value * size + (index % 2 === 0 ? left : top))).join(' ');
    }),
  );
  return commands.length === 0 ? '' : `<path d="${commands.join('')}" fill="${color}"/>`;
}

/** Whether the character at an index of a line is set off. */
function isMarkedAt(runs: readonly Run[], index: number): boolean {
  let end = 0;
  for (const { text, marked } of runs) {
    end += text.length;
    if (index < end) return marked;
  }
  return false;
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
      : words.findIndex((_, at) => target.every((word, offset) => bareWord(words[at + offset]) === bareWord(word)));
  if (start < 0) return lines.map((line) => markPart(line, wanted ?? ''));
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

/** Marks the first occurrence of a part in a line whose words have no spaces between them. */
function markPart(line: string, wanted: string): readonly Run[] {
  const from = wanted !== '' && UNSPACED.test(line) ? line.indexOf(wanted) : -1;
  if (from < 0) return [{ text: line, marked: false }];
  const to = from + wanted.length;
  return [
    { text: line.slice(0, from), marked: false },
    { text: line.slice(from, to), marked: true },
    { text: line.slice(to), marked: false },
  ].filter(({ text }) => text !== '');
}

/** Writings without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function bareWord(word: string | undefined): string {
  return withoutEnd(word?.toLowerCase() ?? '', /[.,!?:;]/u);
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
