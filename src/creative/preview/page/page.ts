import { createHash } from 'node:crypto';
import { isoTime } from '../../../platform/kernel/clock.js';
import { type Html, html, htmlText, raw } from '../../../platform/web/html.js';
import { humanizeBytes, humanizeDate, humanizeTimeLeft, pluralize } from '../../../platform/web/humanize.js';
import { listFindings, type PreviewFinding, type PreviewModel, type PreviewPiece } from '../model.js';
import { type Box, isClick, measureBox, openVariant, safeLink, type Variant } from '../variant.js';
import { chooseDevice, deviceFrame, deviceWords } from './device.js';
import { chooseScene } from './scene.js';

/** The facts that a page shows beside its model. */
export type PageFacts = {
  readonly nowMs: number;
  readonly expiresAtMs: number;
  /** What the paths to style, script and frames begin with, ending in a slash. */
  readonly root: string;
  /** File names of style and script below `assets/`. */
  readonly style: string;
  readonly script: string;
  /** Returns the path of a preview's page from `root`; frames are below it. */
  readonly pagePath: (id: string) => string;
  /** The path from `root` under which others see the page; undefined where somebody it was shared with looks at it. */
  readonly sharePath?: string | undefined;
};

/** A page and the Content-Security-Policy to send it with. */
export type Page = { readonly text: string; readonly policy: string };

/** Returns the page of one preview: the creative in its slot and frame, a switch for its variants, and all that is known about it. */
export function renderPreviewPage(model: PreviewModel, selected: number, facts: PageFacts): Page {
  const variants = model.inputs.flatMap((_, index) => openVariant(model, index) ?? []);
  const current = variants[selected] ?? variants[0];
  if (current === undefined) throw new RangeError('a preview has at least one variant');
  const chosen = variants.indexOf(current);
  const boxes = model.sizes.map((size) => measureBox(model, size));
  const title = model.name ?? model.format.name;
  return renderPage({
    title: `${title} – preview`,
    facts,
    styles: slotStyles(boxes),
    content: html`<header class="top">
<div><p class="over">Creative preview</p><h1>${title}</h1>
<p class="meta">${title !== model.format.name && html`<span>${model.format.name}</span>`}<span class="size">${boxes.map(({ label }) => label).join(' + ')}</span><code>${model.format.id.id}</code></p></div>
${renderExpiry(facts)}
</header>
<main>
<section class="stage" aria-label="Creative">
<div class="bar">${variants.length > 1 && renderTabs(variants, chosen, boxes)}${renderTools()}</div>
${boxes.map((box, at) => renderStage(model, current, box, { at, chosen, facts }))}
</section>
${facts.sharePath !== undefined && renderAside(model, variants, chosen, facts)}
</main>`,
  });
}

/** Renders all that is known about a creative, for those who work on it; whom it is shared with sees the creative alone. */
function renderAside(model: PreviewModel, variants: readonly Variant[], chosen: number, facts: PageFacts): Html {
  const current = variants[chosen];
  return html`<aside>
${drawFindings(listFindings(model))}
${renderShare(facts)}
${variants.map((variant, at) => html`<div data-panel="${at}"${at !== chosen && raw(' hidden')}>${clickThrough(variant)}${renderMacros(variant)}</div>`)}
${current !== undefined && renderEvents(current)}
${current !== undefined && drawAssets(current)}
</aside>`;
}

/** Returns the link under which others see a page. */
function renderShare({ root, sharePath, expiresAtMs }: PageFacts): Html | false {
  if (sharePath === undefined) return false;
  return html`<section class="panel share"><h2>Share</h2><p><a href="${root}${sharePath}" data-share>Link to send on</a> <button type="button" data-do="copy">Copy</button></p><p class="none" role="status" data-copied>It shows the creative alone, until ${humanizeDate(expiresAtMs)}.</p></section>`;
}

/** Returns a page that only says something, such as that a preview is gone. */
export function renderMessagePage(title: string, text: string, facts: PageFacts): Page {
  return renderPage({
    title,
    facts,
    styles: '',
    content: html`<main class="message"><h1>${title}</h1><p>${text}</p></main>`,
  });
}

/** Returns a whole page of the previews. Its own few rules are in the policy by their hash, so that no markup brings styles along. */
export function renderPage(order: { title: string; facts: PageFacts; styles: string; content: Html }): Page {
  const { title, facts, styles, content } = order;
  const hash = createHash('sha256').update(styles).digest('base64');
  return {
    policy: [
      "default-src 'none'",
      `style-src 'self' 'sha256-${hash}'`,
      "script-src 'self'",
      "frame-src 'self'",
      // The page looks at pictures whether they are of one color.
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors *',
    ].join('; '),
    text: htmlText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<link rel="stylesheet" href="${facts.root}assets/${facts.style}"><style>${raw(styles)}</style>
<script src="${facts.root}assets/${facts.script}" defer></script></head>
<body>
${content}
</body></html>
`),
  };
}

/** Returns the rules that give each slot its pixels; in a frame that is just as big as the one slot, nothing else is shown. */
function slotStyles(boxes: readonly Box[]): string {
  const rules = boxes
    .map(({ width, height }, at) => `.slot-${at}{width:${width}px;height:${height}px;aspect-ratio:${width}/${height}}`)
    .join('');
  const [only, ...more] = boxes;
  if (only === undefined || more.length > 0 || only.fluid) return rules;
  const { width, height } = only;
  const bare = `(min-width:${width - 1}px) and (max-width:${width + 16}px) and (min-height:${height - 1}px) and (max-height:${height + 16}px)`;
  return `${rules}@media ${bare}{${BARE}}`;
}

const BARE = [
  '.top,aside,.bar,.size-line,.chrome{display:none!important}',
  'html,body,main,.stage,.fit,.device,.device *{margin:0!important;padding:0!important;border:0!important;gap:0!important;background:none!important;box-shadow:none!important;border-radius:0!important;min-width:0!important;min-height:0!important}',
  'body{overflow:hidden}',
].join('');

/** Returns the line that says until when a page is available. */
export function renderExpiry({ nowMs, expiresAtMs }: PageFacts): Html {
  return html`<p class="expiry"><span>Kept until</span> <time datetime="${isoTime(expiresAtMs)}">${humanizeDate(expiresAtMs)}</time><small>${humanizeTimeLeft(expiresAtMs - nowMs)}</small></p>`;
}

/**
 * Renders the tabs of the variants: one that is seen on another device is another page, the others are switched to in
 * place.
 */
function renderTabs(variants: readonly Variant[], chosen: number, boxes: readonly Box[]): Html {
  const devices = variants.map((variant) => boxes.map((box) => chooseDevice(box, variant)).join(' '));
  return html`<nav class="tabs" aria-label="Variants">${variants.map(
    ({ name, description }, at) =>
      html`<a href="?v=${at}" data-variant="${at}"${devices[at] !== devices[chosen] && raw(' data-elsewhere')}${at === chosen && raw(' aria-current="true"')}${description !== undefined && html` title="${description}"`}>${name}</a>`,
  )}</nav>`;
}

function renderTools(): Html {
  return html`<div class="tools"><button type="button" data-do="replay">Replay</button><button type="button" data-do="real" aria-pressed="false">Real size</button></div>`;
}

type StagePosition = { readonly at: number; readonly chosen: number; readonly facts: PageFacts };

/** Renders one piece in its frame. A frame's number is the variant's, then the piece's among those of the format. */
function renderStage(model: PreviewModel, variant: Variant, box: Box, { at, chosen, facts }: StagePosition): Html {
  const count = model.sizes.length;
  const { root } = facts;
  const path = `${root}${facts.pagePath(model.id)}/frame/`;
  const slot = html`<iframe class="slot slot-${at}" title="${variant.name}" src="${path}${chosen * count + at}" data-frames="${path}" data-count="${count}" data-at="${at}"${dataPicture(variant, root)} sandbox="allow-scripts" referrerpolicy="no-referrer"></iframe>`;
  return html`<figure class="fit">${deviceFrame(slot, box, variant)}<figcaption class="size-line"><b>${box.label}</b>${deviceWords(box, variant)}${count > 1 && html` ${model.sizes[at]?.role ?? ''}`}<span data-scale></span></figcaption><p class="remark" role="status" data-remark></p></figure>`;
}

/** Returns the attribute by which the page's script finds the picture in a frame; nothing where there is none. */
export function dataPicture(variant: Variant, root: string): Html | false {
  const scene = chooseScene(variant);
  return (
    scene.kind === 'picture' && 'file' in scene.picture && html` data-picture="${root}media/${scene.picture.file}"`
  );
}

function drawFindings(list: readonly PreviewFinding[]): Html {
  const worst = list.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
  if (list.length === 0) {
    return html`<section class="panel ok"><h2>Checks</h2><p class="none">The check against the format found nothing to mend.</p></section>`;
  }
  return html`<section class="panel ${worst}"><h2>Checks <span class="count">${pluralize(list.length, worst === 'error' ? 'finding' : 'warning')}</span></h2>
<ul class="findings">${list.map(renderFinding)}</ul></section>`;
}

function renderFinding({ severity, asset_id, message, found, wanted }: PreviewFinding): Html {
  // Many a message begins with the asset that it is about, and has what was found and wanted.
  const remark = message.startsWith(`${asset_id} `) ? message.slice(asset_id.length + 1) : message;
  const isNew = (value: unknown): boolean => hasValue(value) && !remark.includes(shortText(value));
  const facts = [
    isNew(found) && html`<span>found <b>${shortText(found)}</b></span>`,
    isNew(wanted) && html`<span>wanted <b>${shortText(wanted)}</b></span>`,
  ];
  const hasFacts = facts.some((fact) => fact !== false);
  return html`<li class="${severity}"><code>${asset_id}</code> ${remark}${hasFacts && html`<div class="facts">${facts}</div>`}</li>`;
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== '';
}

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (text ?? '').slice(0, 200);
}

function clickThrough({ clickThrough: url }: Variant): Html {
  if (url === undefined)
    return html`<section class="panel"><h2>Click-through</h2><p class="none">This creative names none.</p></section>`;
  const link = safeLink(url);
  const shown =
    link === undefined
      ? html`<p class="url bad">${url}</p><p class="none">It is no web address, so it is not linked.</p>`
      : html`<p class="url"><a href="${link}" target="_blank" rel="noopener noreferrer nofollow">${url}</a></p>`;
  return html`<section class="panel"><h2>Click-through</h2>${shown}</section>`;
}

const SOURCES = { input: '', creative: 'from the creative', none: 'no value: stays as it is' } as const;

function renderMacros({ macros: list }: Variant): Html {
  if (list.length === 0) return html``;
  const rows = list.map(
    ({ name, value, source, topic, used }) =>
      html`<tr><th scope="row"><code>{${name}}</code>${topic !== undefined && html`<small>${topic}</small>`}</th><td>${value === '' ? '(empty)' : (value ?? '–')}${[SOURCES[source], used ? '' : 'not used by the creative'].filter((note) => note !== '').map((note) => html`<small>${note}</small>`)}</td></tr>`,
  );
  return html`<section class="panel"><h2>Macros</h2><table>${rows}</table></section>`;
}

/** The events by which a spot is measured; a tag without one of them counts less than it played. */
const USUAL_EVENTS = ['impression', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];

/** Renders the events of a tag: whom it calls at each, and, once the player came that far, that it would. */
function renderEvents({ pieces }: Variant): Html | false {
  const events = pieces.find(({ tag }) => tag?.events !== undefined)?.tag?.events;
  if (events === undefined) return false;
  const others = events.map(({ event }) => event).filter((event) => !USUAL_EVENTS.includes(event));
  const rows = [...USUAL_EVENTS, ...others].map((event) => {
    const hosts = events.find((one) => one.event === event)?.hosts ?? [];
    const called =
      hosts.length === 0
        ? html`<span class="over-limit">not measured</span>`
        : hosts.map((host) => html`<span>${host}</span>`);
    return html`<tr data-event="${event}"><th scope="row">${event}</th><td>${called}<small role="status" data-played></small></td></tr>`;
  });
  return html`<section class="panel"><h2>Events</h2><p class="none">What the tag calls while it plays; from a preview nothing is called.</p><table>${rows}</table></section>`;
}

function drawAssets({ pieces }: Variant): Html {
  const shown = pieces.filter((piece) => piece.type !== 'unknown' && !isClick(piece));
  const total = shown.reduce((sum, { weight = 0 }) => sum + weight, 0);
  return html`<section class="panel"><h2>Assets${total > 0 && html` <span class="count">${humanizeBytes(total)} in all</span>`}</h2>
<table>${shown.map((piece) => html`<tr><th scope="row">${breakable(piece.key)}<small>${piece.type}</small></th><td>${describePiece(piece)}</td></tr>`)}</table></section>`;
}

/** Returns a key that may break after its underscores. */
function breakable(key: string): readonly Html[] {
  return key.split(/(?<=_)/).map((part) => html`${part}<wbr>`);
}

const MAX_SHOWN_TEXT = 160;

function describePiece(piece: PreviewPiece): Html {
  const { width, height, durationMs, weight, maxWeight, content, url, type, media } = piece;
  const isOver = weight !== undefined && maxWeight !== undefined && weight > maxWeight;
  const limit = maxWeight === undefined ? '' : ` of ${humanizeBytes(maxWeight)}`;
  const isWords = type === 'text' || type === 'markdown';
  const facts = [
    width !== undefined && height !== undefined && html`<span>${width} × ${height}</span>`,
    durationMs !== undefined && html`<span>${durationMs / 1000} s</span>`,
    weight !== undefined &&
      html`<span class="${isOver ? 'over-limit' : 'weight'}">${humanizeBytes(weight)}${limit}</span>`,
  ];
  return html`${facts}${isWords && html`<q>${(content ?? '').slice(0, MAX_SHOWN_TEXT)}</q>`}${type === 'url' && html`<span class="url">${url ?? ''}</span><small>Never called from a preview.</small>`}${media !== undefined && 'missing' in media && html`<small>not shown</small>`}`;
}
