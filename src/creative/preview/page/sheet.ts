import { type Html, html, raw } from '../../../platform/web/html.js';
import { pluralize } from '../../../platform/web/humanize.js';
import { contentId, listFindings, type PreviewModel } from '../model.js';
import { type Box, measureBox, openVariant } from '../variant.js';
import { dataPicture, type Page, type PageFacts, renderExpiry, renderPage } from './page.js';

/** An item of a batch: a preview, or the reason why there is none. */
type SheetItem = { readonly preview: string } | { readonly failed: string; readonly name: string };

/** A batch on one sheet, as it is stored. */
export type SheetModel = { readonly id: string; readonly title: string; readonly items: readonly SheetItem[] };

/** Builds the sheet of a batch, in the batch's order, under its owner's key of ids. */
export function buildSheet(idKey: string, items: readonly SheetItem[], title = 'All sizes'): SheetModel {
  const content = { title, items };
  return { id: contentId(idKey, content), ...content };
}

/** Largest piece shown at its own size; bigger ones (video, screens) are scaled down. */
const MAX_PIECE_WIDTH_PX = 980;
const MAX_PIECE_HEIGHT_PX = 620;
/** What has no size of its own is shown so wide that two stand beside each other on a laptop. */
const MAX_FLUID_WIDTH_PX = 480;
/** Up to here all pieces load at once, so that the sheet can be printed. */
const MAX_EAGER_PIECES = 24;
/** The grid's step, and what a card adds around its piece: padding, border and the gap to the next. */
const GRID_STEP_PX = 20;
const CARD_FRAME_PX = 2 * 18 + 2 + GRID_STEP_PX;
const MIN_CARD_WIDTH_PX = 202;

/**
 * Returns the page of a sheet: every creative in its exact size, side by side, each leading to its own page. `find` gives the
 * models that are still kept.
 */
export function renderSheetPage(
  sheet: SheetModel,
  find: (id: string) => PreviewModel | undefined,
  facts: PageFacts,
): Page {
  const isLazy = sheet.items.length > MAX_EAGER_PIECES;
  const cards = sheet.items.map((item, at): Card => {
    if ('failed' in item) return drawFailure(item.name, item.failed, at);
    const model = find(item.preview);
    if (model === undefined) return drawFailure('Expired', 'This preview is kept no longer.', at);
    return card(model, { at, lazy: isLazy, facts, title: sheet.title });
  });
  // The grid needs room for its widest card; below that, cards follow one another.
  const widest = Math.max(...cards.map(({ columns }) => columns)) * GRID_STEP_PX + 64;
  const grid = `@media (min-width:${widest}px){main.sheet{display:grid}}`;
  return renderPage({
    title: `${sheet.title} – preview`,
    facts,
    styles: `${cards.map(({ style }) => style).join('')}${grid}`,
    content: html`<header class="top"><div><p class="over">Creative previews</p><h1>${sheet.title}</h1><p class="meta"><span>${pluralize(sheet.items.length, 'creative')}</span></p></div>
${facts.sharePath !== undefined && html`<p class="share"><a href="${facts.root}${facts.sharePath}" data-share>Link to send on</a> <button type="button" data-do="copy">Copy</button> <span class="none" role="status" data-copied></span></p>`}${renderExpiry(facts)}</header>
<main class="sheet">${cards.map(({ markup }) => markup)}</main>`,
  });
}

type Card = { readonly markup: Html; readonly style: string; readonly columns: number };
type CardPosition = {
  readonly at: number;
  readonly facts: PageFacts;
  readonly lazy: boolean;
  readonly title: string;
};

function card(model: PreviewModel, { at, facts, lazy, title }: CardPosition): Card {
  const { root, sharePath } = facts;
  const page = `${root}${facts.pagePath(model.id)}`;
  const pieces = model.sizes.map((size, index) => measureSheetPiece(measureBox(model, size), `piece-${at}-${index}`));
  const variant = openVariant(model, 0);
  const frames = pieces.map(
    ({ name, scale }, index) =>
      html`<div class="fit"><iframe class="slot ${name}" title="${model.format.name}" src="${page}/frame/${index}" data-own="${scale}"${variant && dataPicture(variant, root)} sandbox="allow-scripts" referrerpolicy="no-referrer"${lazy && raw(' loading="lazy"')}></iframe></div>`,
  );
  const findings = listFindings(model);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  const notes: readonly (readonly [text: string, style: string])[] = [
    [model.name === title ? '' : (model.name ?? ''), ''],
    [pieces.map(({ note }) => note).join(' + '), 'size'],
    [model.inputs.length > 1 ? pluralize(model.inputs.length, 'variant') : '', ''],
    [errors > 0 ? pluralize(errors, 'error') : '', 'badge error'],
    [warnings > 0 ? pluralize(warnings, 'warning') : '', 'badge warning'],
    [findings.length === 0 ? 'no findings' : '', 'badge ok'],
  ];
  // What is to be mended is for those who work on it.
  const shown = notes.filter(([text, style]) => text !== '' && (sharePath !== undefined || !style.startsWith('badge')));
  const width = Math.max(MIN_CARD_WIDTH_PX, ...pieces.map((piece) => piece.width));
  const height = pieces.reduce((sum, piece) => sum + piece.height, 0);
  const footer = 14 + 23 * lines(model.format.name.length * 8.6, width) + 21 * lines(notesWidth(shown), width);
  return {
    ...gridArea(at, width, height + footer),
    style: `${pieces.map(({ style }) => style).join('')}${gridArea(at, width, height + footer).style}`,
    markup: html`<article class="card card-${at}">${frames}
<footer><a href="${page}">${model.format.name}</a>${shown.map(([text, style]) => html`<span class="${style}">${text}</span>`)}<span class="badge warning" role="status" data-remark></span></footer></article>`,
  };
}

function drawFailure(name: string, why: string, at: number): Card {
  return {
    ...gridArea(at, 280, 23 * lines(why.length * 8, 280) + 60),
    markup: html`<article class="card failed card-${at}"><p>${why}</p><footer><b>${name}</b><span class="badge error">no preview</span></footer></article>`,
  };
}

type Piece = {
  readonly name: string;
  readonly scale: number;
  readonly width: number;
  readonly height: number;
  readonly note: string;
  readonly style: string;
};

function measureSheetPiece({ width, height, label, fluid }: Box, name: string): Piece {
  const scale = Math.min(
    1,
    fluid ? MAX_FLUID_WIDTH_PX / width : 1,
    MAX_PIECE_WIDTH_PX / width,
    MAX_PIECE_HEIGHT_PX / height,
  );
  const scaled =
    scale < 1 ? `;transform:scale(${scale});margin:0 ${width * (scale - 1)}px ${height * (scale - 1)}px 0` : '';
  return {
    name,
    scale,
    width: width * scale,
    height: height * scale,
    note: scale < 1 ? `${label} at ${Math.round(scale * 100)} %` : label,
    style: `.${name}{width:${width}px;height:${height}px${scaled}}`,
  };
}

function gridArea(at: number, width: number, height: number): { readonly style: string; readonly columns: number } {
  const columns = Math.ceil((width + CARD_FRAME_PX) / GRID_STEP_PX);
  const rows = Math.ceil((height + CARD_FRAME_PX) / GRID_STEP_PX);
  return { columns, style: `.card-${at}{grid-column:span ${columns};grid-row:span ${rows}}` };
}

function notesWidth(notes: readonly (readonly [text: string, style: string])[]): number {
  return notes.reduce((sum, [text]) => sum + text.length * 7 + 14, 0);
}

/** Returns how many lines some text takes; the guess is rather high. */
function lines(textWidth: number, width: number): number {
  return Math.ceil(textWidth / width);
}
