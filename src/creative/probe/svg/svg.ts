import { humanizeBytes } from '../../../platform/web/humanize.js';
import { MalformedMedia, type Media } from '../types.js';
import { findSvgExcess } from './complexity.js';

/** An SVG that does more than show a picture. */
export class UnsafeSvg extends Error {
  override readonly name = 'UnsafeSvg';
}

/** What is larger takes tens of milliseconds to read, in which nobody else is answered. */
const MAX_SVG_BYTES = 500_000;
/** Most characters that stand as their number (`&#65;`); each is put in the place of its number by itself. */
const MAX_NUMBERS = 10_000;
const ROOT = /^(?:\s|<\?[^>]{0,1000}>|<!--(?:(?!-->)[\s\S]){0,10000}-->)*<(?:[\w-]{1,40}:)?svg[\s>]/i;

/**
 * What a picture has no need of, with its name in a refusal; coarse, as a false alarm costs one new export. Each pattern reads a text of
 * any shape in linear time (`test/surface/parsers.test.ts`), at a tenth of the cost of an XML reader.
 */
const DANGERS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/<!DOCTYPE/i, 'a DOCTYPE'],
  [/<!ENTITY/i, 'an entity'],
  [/<!\[CDATA\[/i, 'a CDATA section'],
  [/<\?xml-stylesheet/i, 'an external style sheet'],
  [/<(?:[\w-]+:)?(?:script|foreignObject|iframe|object|embed|handler|listener|audio|video)\b/i, 'active content'],
  [/[\s"'/]on[a-z]+\s*=/i, 'an event handler'],
  [/\battributeName\s*=\s*["']\s*(?:[\w-]+:)?(?:href|src|on)/i, 'an animated link'],
  [/@import/i, 'an imported style'],
  [
    /\b(?:href|src)\s*=(?!\s*["']\s*(?:#|data:image\/(?:png|jpe?g|gif|webp);base64,)|\s*(?:""|''))/i,
    'an external reference',
  ],
  [/\burl\s*\([\s"']*(?:[^\s"'#]|$)/i, 'an external reference'],
  [/\bstyle\s*=\s*["'][^"']*\\/i, 'an escaped style'],
  [/<(?:[\w-]+:)?style\b[^<]*\\/i, 'an escaped style'],
  [/\bxml:base\b/i, 'a base for references'],
];

/** Whether text begins like an SVG, prolog and comments skipped. */
export function looksLikeSvg(head: string): boolean {
  return ROOT.test(head) || /^\s*(?:<\?xml[^>]{0,1000}>\s*)?<!DOCTYPE\s+(?:[\w-]{1,40}:)?svg\b/i.test(head);
}

/** Returns the size of an SVG. Throws UnsafeSvg for scripts, entities, DOCTYPE, whatever it would fetch, and what nobody should draw. */
export function readSvg(bytes: Uint8Array): Media {
  if (bytes.length > MAX_SVG_BYTES)
    throw new UnsafeSvg(
      `is larger than the ${humanizeBytes(MAX_SVG_BYTES)} that are read; export it with fewer points, or as PNG`,
    );
  const text = decodeSvg(bytes);
  const read = resolveText(text);
  for (const shown of new Set([text, read])) {
    for (const [pattern, what] of DANGERS) if (pattern.test(shown)) throw new UnsafeSvg(`has ${what}`);
  }
  const excess = findSvgExcess(read);
  if (excess !== undefined) throw new UnsafeSvg(excess);
  const root = /<(?:[\w-]+:)?svg\b([^<>]*)>/i.exec(text)?.[1];
  if (root === undefined) throw new MalformedMedia('the SVG has no root');
  if (!/<\/(?:[\w-]+:)?svg\s*>$/i.test(read.trimEnd()) && !root.endsWith('/')) {
    throw new RangeError('the SVG is not closed');
  }
  const [, , boxWidth, boxHeight] =
    attribute(root, 'viewBox')
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const width = pixels(attribute(root, 'width')) ?? positive(boxWidth);
  const height = pixels(attribute(root, 'height')) ?? positive(boxHeight);
  return {
    kind: 'image',
    format: 'svg',
    mime: 'image/svg+xml',
    width,
    height,
    frames: 1,
    hasAlpha: true,
    colorSpace: 'rgb',
  };
}

/** Decodes an SVG from UTF-8 alone: other encodings hide what is looked for. */
function decodeSvg(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new UnsafeSvg('is not UTF-8');
  }
  const text = new TextDecoder('utf-8').decode(bytes);
  const declared = /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([^"']+)/i.exec(text)?.[1];
  if (text.includes('\0') || (declared !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(declared))) {
    throw new UnsafeSvg('is not UTF-8');
  }
  return text;
}

/** Returns the text as an XML reader sees it: without comments, characters in place of their numbers. */
function resolveText(text: string): string {
  if (text.lastIndexOf('<!--') > text.lastIndexOf('-->')) throw new RangeError('a comment of the SVG is not closed');
  let numbers = 0;
  for (let at = text.indexOf('&#'); at >= 0; at = text.indexOf('&#', at + 2)) {
    numbers += 1;
    if (numbers > MAX_NUMBERS) throw new UnsafeSvg(`writes more than ${MAX_NUMBERS} characters as numbers`);
  }
  return text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (_all, hex: string | undefined, decimal: string | undefined) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    });
}

function attribute(root: string, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*["']([^"']{0,200})["']`, 'i').exec(root)?.[1];
}

const UNIT_PX: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

function pixels(length: string | undefined): number | undefined {
  const [, amount, unit] = /^\s*\+?(\d*\.?\d+(?:e\d{1,2})?)\s*([a-z]*)\s*$/i.exec(length ?? '') ?? [];
  const factor = UNIT_PX[unit?.toLowerCase() ?? ''];
  return amount === undefined || factor === undefined ? undefined : positive(Number(amount) * factor);
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}
