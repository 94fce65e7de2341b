import { createHash } from 'node:crypto';
import { webUrl } from '../../../platform/net/url.js';
import { type Html, html, htmlText, raw } from '../../../platform/web/html.js';
import { type Card, COPIES, type Scene, type ShownFile } from './scene.js';
import { PLAYER_SCRIPT, WATCH_SCRIPT } from './watch.js';

/** The location of a frame: what its paths to the previews' files begin with, and how its policy names the server they come from. */
type FrameLocation = {
  /** Ends in a slash: `../../`, or `https://seller.example/previews/` for HTML that is handed out. */
  readonly root: string;
  /** `'self'`, or the origin of `root`. */
  readonly origin: string;
  /** Hosts that creatives made of scripts may reach, by the operator's leave: `ads.example`, `*.ads.example`. */
  readonly hosts: readonly string[];
  /** Whether a page of ours stands around the frame, which is told what is to be seen. */
  readonly watched: boolean;
};

/** The sandbox that an embedding page gives the frame: scripts, and an origin of nobody. */
export const FRAME_SANDBOX = 'allow-scripts';

/**
 * Returns the Content-Security-Policy of a frame: nothing but our own copies of media, and scripts only where the creative is
 * made of them. Advertiser markup inherits it, so that it can reach no server at all but those that the operator allows.
 */
export function buildFramePolicy(scene: Scene, { origin, hosts }: Pick<FrameLocation, 'origin' | 'hosts'>): string {
  const isMarkup = scene.kind === 'markup';
  const allowed = isMarkup ? hosts.map((host) => ` https://${host}`).join('') : '';
  const files = `${origin} data: blob:${allowed}`;
  return [
    "default-src 'none'",
    `img-src ${files}`,
    `media-src ${files}`,
    `font-src data:${allowed}`,
    `style-src 'unsafe-inline'${allowed}`,
    ...(isPlayer(scene) ? [`script-src '${PLAYER_HASH}'`] : []),
    ...(isMarkup ? [`script-src 'unsafe-inline'${allowed}`] : []),
    ...(allowed === '' ? [] : [`connect-src${allowed}`, `frame-src${allowed}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

const PLAYER_HASH = `sha256-${createHash('sha256').update(PLAYER_SCRIPT).digest('base64')}`;

/** Whether a scene has a player, which runs a script of ours and no other. */
function isPlayer(scene: Scene): boolean {
  return (scene.kind === 'video' && 'file' in scene.video) || (scene.kind === 'audio' && 'file' in scene.audio);
}

/** Browsers print the canvas of a frame without its color, which a body's background is taken for unless the root has one of its own. */
const PRINTED = 'html{print-color-adjust:exact}@media print{html{background:#fff;height:100%}body{min-height:100%}}';

/**
 * Returns the whole document of a creative in its slot under its policy (`buildFramePolicy`): fills whatever box it is given. Advertiser
 * markup stands in a sandbox of its own.
 */
export function renderFrame(scene: Scene, policy: string, location: FrameLocation): string {
  return htmlText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Creative</title><style>${raw(PRINTED)}${raw(STYLES[scene.kind])}</style></head>
<body class="${scene.kind}">${body(scene, location)}${location.watched && isPlayer(scene) && html`<script>${raw(PLAYER_SCRIPT)}</script>`}</body></html>
`);
}

function body(scene: Scene, location: FrameLocation): Html {
  switch (scene.kind) {
    case 'markup':
      return html`<iframe title="Advertiser markup" sandbox="${FRAME_SANDBOX}" referrerpolicy="no-referrer" srcdoc="${sandboxMarkup(scene.source, location)}"></iframe>`;
    case 'picture':
      return image(scene.picture, location);
    case 'pictures':
      return html`<div class="strip">${scene.pictures.map((picture) => html`<div>${image(picture, location)}</div>`)}</div>`;
    case 'video':
      return renderVideo(scene, location);
    case 'audio':
      return renderAudio(scene, location);
    case 'card':
      return card(scene.card, location);
    case 'carousel':
      return renderCarousel(scene, location);
    case 'address':
      return box('Address', webUrl(scene.url) === undefined ? 'It is no web address.' : scene.url);
    case 'nothing':
      return box('Nothing to show', scene.reason);
  }
}

/**
 * Returns advertiser markup as a document: links go nowhere instead of leaving the slot, and local copies get their
 * addresses.
 */
function sandboxMarkup(source: string, { root, watched }: FrameLocation): string {
  const text = source.replaceAll(COPIES, () => `${root}media/`);
  const watch = watched ? `<script>${WATCH_SCRIPT}</script>` : '';
  const base = `<base target="_blank"><style>html,body{margin:0}${PRINTED}</style>${watch}`;
  const head = /<head\b[^<>]*>/i.exec(text) ?? /<html\b[^<>]*>/i.exec(text) ?? /^\s*<!doctype[^<>]*>/i.exec(text);
  if (head === null) return `<!doctype html>${base}${text}`;
  const at = head.index + head[0].length;
  return `${text.slice(0, at)}${base}${text.slice(at)}`;
}

function image(shown: ShownFile, { root }: FrameLocation): Html {
  if ('missing' in shown) return box(shown.what, shown.missing);
  return html`<img src="${root}media/${shown.file}" alt="${shown.alt}" referrerpolicy="no-referrer">`;
}

function renderVideo({ video, poster, note }: Extract<Scene, { kind: 'video' }>, { root }: FrameLocation): Html {
  if ('missing' in video) return box(video.what, note ?? video.missing);
  const still = poster !== undefined && 'file' in poster && html` poster="${root}media/${poster.file}"`;
  return html`<video src="${root}media/${video.file}" controls playsinline preload="metadata"${still}></video>`;
}

function renderAudio({ audio, title, note }: Extract<Scene, { kind: 'audio' }>, { root }: FrameLocation): Html {
  const bars = Array.from(
    { length: 32 },
    (_, at) => html`<i style="height:${20 + ((at * 37 + at * at * 11) % 75)}%"></i>`,
  );
  const player =
    'missing' in audio
      ? html`<p class="why">${note ?? audio.missing}</p>`
      : html`<audio src="${root}media/${audio.file}" controls preload="metadata"></audio>`;
  return html`<div class="sound"><b>${title}</b><div class="bars" aria-hidden="true">${bars}</div>${player}</div>`;
}

function card(shown: Card, location: FrameLocation): Html {
  const { icon, picture } = shown;
  const by = nameSponsor(shown);
  return html`<article${picture !== undefined && raw(' class="pictured"')}>
<header>${icon !== undefined && html`<span class="icon">${image(icon, location)}</span>`}<span>${by}</span></header>
${renderCardBody(shown, by, location)}
</article>`;
}

function renderCarousel({ card: head, cards }: Extract<Scene, { kind: 'carousel' }>, location: FrameLocation): Html {
  return html`${card(head ?? { lines: [] }, location)}
<ul class="cards" tabindex="0" aria-label="Cards of the carousel">${cards.map((each) => html`<li>${renderCardBody(each, '', location)}</li>`)}</ul>`;
}

/** Returns the line that marks a card as an ad and names whose it is. */
function nameSponsor({ sponsor, label, disclosure = 'Sponsored' }: Card): string {
  if (sponsor === undefined) return label ?? disclosure;
  return label === undefined ? `Sponsored by ${sponsor}` : `${label} · ${sponsor}`;
}

/** Renders pictures and words of a card; a disclosure that `by` has already is left out. */
function renderCardBody(
  { title, body: text, lines, action, disclosure, picture }: Card,
  by: string,
  location: FrameLocation,
): Html {
  const words = [
    title !== undefined && html`<h1>${title}</h1>`,
    text !== undefined && html`<p>${text}</p>`,
    ...lines.map((line) => html`<p>${line}</p>`),
    action !== undefined && html`<span class="action">${action}</span>`,
    disclosure !== undefined && disclosure !== by && html`<small>${disclosure}</small>`,
  ].filter((each) => each !== false);
  return html`${picture !== undefined && html`<div class="art">${image(picture, location)}</div>`}
${words.length > 0 && html`<div class="words" dir="auto">${words}</div>`}`;
}

function box(what: string, why: string): Html {
  return html`<div class="box" title="${why}"><b>${what}</b><span>${why}</span></div>`;
}

const PAGE = `
:root{color-scheme:light}
html,body{margin:0;height:100%;background:#fff;overflow:hidden}
`;

const WORDS = `:root{font:15px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;color:#16202c}
*{box-sizing:border-box}
`;

const FILLING = `body>iframe,body>img,body>video{display:block;width:100%;height:100%;border:0;object-fit:contain}
`;

const BOX = `.box{display:flex;flex-direction:column;justify-content:center;gap:2px;width:100%;height:100%;padding:6px 12px;overflow:hidden;text-align:center;
font-size:12px;line-height:1.3;color:#4b5a6b;border:1px dashed #a9b6c4;background:repeating-linear-gradient(135deg,#f6f8fa 0 10px,#eef2f6 10px 20px);overflow-wrap:anywhere}
.box b{color:#223043}
@media (max-height:70px){.box{font-size:11px;line-height:1.2}.box b{display:none}}
`;

const STRIP = `.strip{display:flex;gap:8px;height:100%;padding:8px;overflow-x:auto;scroll-snap-type:x mandatory}
.strip>div{flex:0 0 auto;height:100%;scroll-snap-align:start}
.strip img{height:100%;max-width:100vw;object-fit:contain;border-radius:6px;display:block}
.strip .box{aspect-ratio:1;width:auto}
`;

const SOUND = `.audio{background:#0c1118}
.sound{display:flex;flex-direction:column;justify-content:center;gap:14px;height:100%;padding:20px 24px;color:#e7edf4}
.sound b{font-size:17px;font-weight:600}
.sound audio{width:100%;height:40px}
.sound .why{margin:0;color:#b3c0ce;font-size:13px}
.bars{display:flex;align-items:center;gap:3px;height:72px}
.bars i{flex:1;border-radius:3px;background:linear-gradient(#5db7ff,#3d7bf0)}
`;

const CARD = `.card{overflow:auto;height:auto}
article{padding:14px}
article header{display:flex;align-items:center;gap:8px;margin-bottom:10px;font-size:12px;color:#5a6878}
.icon{width:24px;height:24px;flex:none;overflow:hidden;border-radius:6px}
.icon img{width:100%;height:100%;object-fit:cover;display:block}
.icon .box{padding:0;font-size:0}
.art{border-radius:10px;overflow:hidden;background:#eef2f6}
.art img,.art .box{display:block;width:100%;height:auto;aspect-ratio:1.91;object-fit:cover}
.art .box{display:flex}
.words{padding-top:12px;overflow-wrap:anywhere}
.words h1{margin:0 0 4px;font-size:18px;line-height:1.25;letter-spacing:-.01em}
.words p{margin:0 0 8px;color:#3b4a5a}
.action{display:inline-block;margin-top:4px;padding:8px 14px;border-radius:8px;background:#16202c;color:#fff;font-size:14px;font-weight:600}
.words small{display:block;margin-top:10px;color:#6a7886;font-size:11px}
@media (min-width:600px){.pictured{display:grid;grid-template-columns:3fr 2fr;grid-template-rows:auto 1fr;align-items:start;column-gap:20px}
.pictured header{grid-column:1/-1}
.pictured .words{padding-top:0;font-size:clamp(15px,2vw,20px)}
.pictured h1{font-size:1.5em}
.pictured .action{font-size:1em}}
`;

const CAROUSEL = `.carousel{overflow:auto;height:auto}
.carousel article{padding-bottom:0}
.cards{display:flex;gap:10px;margin:0;padding:0 14px 14px;overflow-x:auto;list-style:none;scroll-snap-type:x mandatory;scroll-padding:14px}
.cards li{flex:0 0 min(76%,320px);padding-bottom:8px;overflow:hidden;border:1px solid #dfe4ea;border-radius:10px;scroll-snap-align:start}
.cards .art{border-radius:0}
.cards .words{padding:10px 12px 0}
.cards h1{font-size:16px}
`;

/** The rules that each kind needs: a frame is part of every answer that holds markup, so it brings no others along. */
const STYLES: Readonly<Record<Scene['kind'], string>> = {
  markup: `${PAGE}${FILLING}`,
  picture: `${PAGE}${FILLING}${WORDS}${BOX}`,
  pictures: `${PAGE}${WORDS}${BOX}${STRIP}`,
  video: `${PAGE}${FILLING}${WORDS}${BOX}.video{background:#0c1118}\n`,
  audio: `${PAGE}${WORDS}${SOUND}`,
  card: `${PAGE}${WORDS}${BOX}${CARD}`,
  carousel: `${PAGE}${WORDS}${BOX}${CARD}${CAROUSEL}`,
  address: `${PAGE}${WORDS}${BOX}`,
  nothing: `${PAGE}${WORDS}${BOX}`,
};
