import { escapeHtml } from '../../../platform/web/html.js';
import { ALONE, type Direction, directText, readContexts } from '../fonts/bidi.js';
import { BASE_FONT, DISPLAY_FONTS, hasScriptFont } from '../fonts/scripts.js';
import { measureText } from './metrics.js';
import type { Ad, AdNode, PathNode, PictureNode, RectNode, TextNode } from './nodes.js';
import { FADE, lineStart, markWords, type Run } from './svg.js';
import type { Box } from './text.js';

/** The most that an HTML5 ad may weigh, in bytes of UTF-8. */
export const MAX_HTML_BYTES = 150 * 1024;

/** Fonts a machine has anyway; those first that are no wider than the packaged one, then wide ones made narrower, so that no line outgrows its box. */
const FONTS = `${BASE_FONT.family},"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",Narrowed,system-ui,sans-serif`;
const NARROWED = [
  '@font-face{font-family:Narrowed;src:local("DejaVu Sans"),local("Verdana");size-adjust:93%}',
  '@font-face{font-family:Narrowed;font-weight:600 900;src:local("DejaVu Sans Bold"),local("Verdana Bold");size-adjust:83%}',
].join('\n');

/**
 * Returns an ad as one HTML5 document: the same boxes as the picture, absolutely positioned; no script, no request to anywhere.
 * The whole ad is a link to the macro `{CLICK_URL}`, which stays literal for the ad server to fill.
 */
export function layoutHtml(ad: Ad): string {
  const { width, height, content } = ad;
  const nodes = ad.nodes.map((node) => drawNode(node, ad)).join('\n');
  const title = escapeHtml([content.brandName, content.headline].filter((text) => text !== '').join(': '));
  return `<!DOCTYPE html>
<html lang="${escapeHtml(content.language ?? 'en')}">
<head>
<meta charset="utf-8">
<meta name="ad.size" content="width=${width},height=${height}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>
${NARROWED}
html,body{margin:0;padding:0}
.ad{position:relative;display:block;width:${width}px;height:${height}px;overflow:hidden;text-decoration:none;font-family:${FONTS};-webkit-font-smoothing:antialiased}
.ad div,.ad svg,.ad img{position:absolute;display:block}
.ad .line{position:static;white-space:nowrap}
.ad:hover .button{filter:brightness(1.08)}
</style>
</head>
<body>
<a class="ad" href="{CLICK_URL}" target="_blank" rel="noopener noreferrer" aria-label="${title}">
${nodes}
</a>
</body>
</html>
`;
}

function drawNode(node: AdNode, ad: Ad): string {
  switch (node.kind) {
    case 'rect':
      return drawRect(node);
    case 'path':
      return drawPath(node, ad);
    case 'picture':
      return drawPicture(node);
    case 'text':
      return drawText(node, ad.direction);
  }
}

function drawRect({ box, fill, far, radius, role, opacity, fade, border }: RectNode): string {
  const name = role === 'action' ? 'button' : role;
  if (border !== undefined)
    return `<div class="${name}" style="${boxStyle(box)};box-sizing:border-box;border:${n(border)}px solid ${fill}${rounded(radius)}"></div>`;
  const steps = FADE.map(([offset, share]) => `${fill}${alpha((opacity ?? 1) * share)} ${n(offset * 100)}%`).join(',');
  const faded =
    fade === undefined
      ? `${fill}${opacity === undefined ? '' : alpha(opacity)}`
      : `linear-gradient(to ${fade},${steps})`;
  const paint = far === undefined ? faded : `linear-gradient(135deg,${fill} 35%,${far})`;
  return `<div class="${name}" style="${boxStyle(box)};background:${paint}${rounded(radius)}"></div>`;
}

function alpha(share: number): string {
  return Math.round(share * 255)
    .toString(16)
    .padStart(2, '0');
}

function drawPath({ d, fill, box, flipped }: PathNode, ad: Ad): string {
  const x = flipped ? ad.width - box.x - box.width : box.x;
  const view = `viewBox="${n(x)} ${n(box.y)} ${n(box.width)} ${n(box.height)}"`;
  const turned = flipped ? ';transform:scaleX(-1)' : '';
  return `<svg class="motif" style="${boxStyle(box)}${turned}" ${view} aria-hidden="true"><path d="${d}" fill="${fill}"/></svg>`;
}

function drawPicture({ picture, box, fit, radius, role }: PictureNode): string {
  const style = `${boxStyle(box)};object-fit:${fit}${rounded(radius)}`;
  return `<img class="${role}" style="${style}" src="${escapeHtml(picture.dataUri)}" alt="">`;
}

function drawText(node: TextNode, direction: Direction): string {
  const { fitted, box, color, align, marked, role } = node;
  const { size, face, tracking } = fitted.style;
  const runs = markWords(fitted.lines, marked?.text);
  if (face.family !== BASE_FONT.family && !hasScriptFont(fitted.lines.join(' ')))
    return drawDisplayText(node, runs, direction);
  const spacing = tracking === 0 ? '' : `;letter-spacing:${n(tracking * size)}px`;
  const aligned = align === 'middle' ? ';text-align:center' : ALIGNED[direction];
  const font = `font-size:${n(size)}px;font-weight:${face.weight};line-height:${n(fitted.lineHeight)}px`;
  const read = directText(fitted.lines.join(' '), direction);
  const contexts = readContexts(fitted.lines, read);
  const lines = runs.map((line, index) => {
    const { before, after } = contexts[index] ?? ALONE;
    const spans = line.map(({ text, marked: set }) =>
      set ? `<span style="color:${marked?.color}">${escapeHtml(text)}</span>` : escapeHtml(text),
    );
    return `<div class="line" dir="${read}">${before}${spans.join('')}${after}</div>`;
  });
  return `<div class="${role}" style="${boxStyle(box)};color:${color};${font}${spacing}${aligned}">${lines.join('')}</div>`;
}

/** Draws each line as wide as it was measured, whatever font stands in: display fonts are on few machines. */
function drawDisplayText(node: TextNode, runs: readonly (readonly Run[])[], direction: Direction): string {
  const { fitted, box, color, marked, role } = node;
  const { size, face, tracking } = fitted.style;
  const { ascent, descent } = face.metrics;
  const baseline = (fitted.lineHeight - (ascent + descent) * size) / 2 + ascent * size;
  const read = directText(fitted.lines.join(' '), direction);
  const lines = runs.map((line, index) => {
    const wide = measureText(fitted.lines[index] ?? '', fitted.style);
    const left = lineStart(node, direction, box.width - wide);
    const spans = line.map(({ text, marked: set }) =>
      set ? `<tspan fill="${marked?.color}">${escapeHtml(text)}</tspan>` : escapeHtml(text),
    );
    const at = `x="${n(left + (read === 'rtl' ? wide : 0))}" y="${n(baseline + index * fitted.lineHeight)}"`;
    return `<text ${at} direction="${read}" textLength="${n(wide)}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${spans.join('')}</text>`;
  });
  const spacing = tracking === 0 ? '' : ` letter-spacing="${n(tracking * size)}"`;
  const font = `font-family="${escapeHtml(DISPLAY_FAMILIES[face.family] ?? FONTS)}" font-size="${n(size)}" font-weight="${face.weight}"`;
  return `<svg class="${role}" style="${boxStyle(box)};overflow:visible" ${font}${spacing} fill="${color}" role="text">${lines.join('')}</svg>`;
}

/** What comes nearest to a display font, where it is not installed. */
const DISPLAY_FAMILIES: Readonly<Record<string, string>> = {
  [DISPLAY_FONTS.serif.family]: '"Playfair Display",Georgia,"Times New Roman","Liberation Serif",serif',
  [DISPLAY_FONTS.condensed.family]:
    '"Sofia Sans Extra Condensed","Arial Narrow","Roboto Condensed","Liberation Sans Narrow",Impact,sans-serif',
};

const ALIGNED: Readonly<Record<Direction, string>> = { ltr: '', rtl: ';text-align:right' };

function boxStyle({ x, y, width, height }: Box): string {
  return `left:${n(x)}px;top:${n(y)}px;width:${n(width)}px;height:${n(height)}px`;
}

function rounded(radius: number | undefined): string {
  return radius === undefined ? '' : `;border-radius:${n(radius)}px`;
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
