import { type Html, html, pageText } from '../../../platform/web/html.js';
import type { Visitor } from '../access/sessions.js';
import type { ConsolePage, Question, Screen, Visit } from '../visit.js';
import { assetUrl, CONSOLE_PATH } from './assets.js';
import { csrfField } from './forms.js';

/** The notice that the last act left for the next page. */
export type Notice = { readonly kind: 'good' | 'problem'; readonly text: string };

/** The frame around a page: who visits, the screens, and the counts beside them. */
export type Frame = {
  readonly seller: string;
  readonly development: boolean;
  readonly visitor: Visitor;
  readonly screens: readonly Screen[];
  /** The path of the screen that the page is of. */
  readonly current: string;
  readonly notice: Notice | undefined;
  /** Counts that stand beside the names of screens, by their paths. */
  readonly counts: Readonly<Record<string, number>>;
};

/** Returns a page of the console with the navigation around it. */
export function framedPage(page: ConsolePage, frame: Frame): string {
  const { actions, body, lead, title } = page;
  const { notice, seller } = frame;
  return documentPage({
    title: `${title} – ${seller}`,
    hasChart: page.hasChart,
    body: html`<a class="skip" href="#content">Skip to the content</a>
<div class="frame">
${sidebar(frame)}
<main id="content" tabindex="-1">
<header class="head"><div><h1>${title}</h1>${lead !== undefined && html`<p class="lead">${lead}</p>`}</div>${actions !== undefined && html`<div class="actions">${actions}</div>`}</header>
${notice !== undefined && html`<p class="notice ${notice.kind}" role="${notice.kind === 'good' ? 'status' : 'alert'}">${notice.text}</p>`}
${body}
</main></div>`,
  });
}

function sidebar(frame: Frame): Html {
  const { development, seller, visitor } = frame;
  return html`<aside class="side">
<div class="brand"><a href="${CONSOLE_PATH}"><span class="mark" aria-hidden="true"></span><span>${seller}</span></a>${development && html`<span class="tag">development</span>`}</div>
<input type="checkbox" id="menu" class="menu-switch" aria-label="Show the menu"><label for="menu" class="menu-label" aria-hidden="true">Menu</label>
<div class="menu"><nav aria-label="Console"><ul>${frame.screens.map((screen) => navigationLink(screen, frame))}</ul></nav>
<div class="who"><p><b>${visitor.actor}</b><small>${visitor.role}</small></p>
<form method="post" action="${CONSOLE_PATH}/sign-out">${csrfField(visitor)}<button class="quiet">Sign out</button></form></div></div>
</aside>`;
}

function navigationLink({ path, title }: Screen, { counts, current }: Frame): Html {
  const count = counts[path] ?? 0;
  const badge = count > 0 && html` <span class="count">${count > 99 ? '99+' : count}</span>`;
  return path === current
    ? html`<li><a href="${path}" aria-current="page">${title}${badge}</a></li>`
    : html`<li><a href="${path}">${title}${badge}</a></li>`;
}

/** Returns a page without navigation, for who is not signed in, or where there is nothing to show. */
export function barePage(title: string, body: Html): string {
  return documentPage({ title, body: html`<main class="bare" id="content"><h1>${title}</h1>${body}</main>` });
}

/** Returns the page that asks before something is done, with a form that brings the same fields again. */
export function confirmPage(visit: Visit, { field, says, title, yes }: Question, back: string): ConsolePage {
  const fields = visit.form.entries().filter(([name]) => name !== 'csrf' && name !== 'confirmed');
  return {
    title,
    body: html`<section class="card ask-card"><div>${says}</div><form method="post" action="${visit.path}" class="row">${csrfField(visit.visitor)}
<input type="hidden" name="confirmed" value="yes">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${field}<button class="primary">${yes}</button><a class="button" href="${back}">Go back</a></form></section>`,
  };
}

/** Scripts are ours alone, and none of what htmx can evaluate is. */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorCSS: false, history: 'reload' });

/** A whole page: what it shows, and the path below which its styles and scripts are; the console's unless given. */
type DocumentPage = {
  readonly title: string;
  readonly body: Html;
  readonly hasChart?: boolean | undefined;
  readonly assets?: string;
};

/** Returns the text of a page with its styles and scripts. */
export function documentPage({ assets = CONSOLE_PATH, body, hasChart = false, title }: DocumentPage): string {
  return pageText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex, nofollow">
<meta name="htmx-config" content="${HTMX_CONFIG}">
<link rel="stylesheet" href="${assetUrl('console.css', assets)}"><link rel="icon" href="data:,">
<script src="${assetUrl('htmx.js', assets)}" defer></script>${hasChart && html`<script src="${assetUrl('uplot.js', assets)}" defer></script>`}<script src="${assetUrl('console.js', assets)}" defer></script></head>
<body>
${body}
</body></html>
`);
}
