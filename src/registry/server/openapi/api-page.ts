import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { packageFile } from '../../../platform/kernel/files/package-files.js';
import { type Html, html, htmlText, raw } from '../../../platform/web/html.js';
import { pageStyle } from '../../../platform/web/page-style.js';
import type { Route } from '../http/route.js';
import { operationCard } from './operation-card.js';
import { TAGS } from './tags.js';

/** Hexadecimal characters of the script's hash, which its address carries so that a page never runs the script of another version. */
const HASH_CHARACTERS = 12;

/** Returns the API for people: one page, derived from the table of routes like the description for machines, and written as that is. */
export async function apiPage(baseUrl: string, routes: readonly Route[]): Promise<string> {
  const pace = startPace();
  const shown = routes.filter(({ hidden }) => hidden !== true);
  const contents: Html[] = [];
  const groups: Html[] = [];
  for (const [id, tag] of Object.entries(TAGS)) {
    const tagged = shown.filter((one) => one.tag === tag);
    if (tagged.length === 0) continue;
    const cards: Html[] = [];
    for (const route of tagged) {
      cards.push(operationCard(baseUrl, route));
      if (pace.isDue()) await pace.rest();
    }
    contents.push(
      html`<li><a href="#tag-${id}">${tag}</a><ul>${tagged.map(({ method, operation_id }) => html`<li><a href="#${operation_id}"><b>${method}</b> ${operation_id}</a></li>`)}</ul></li>`,
    );
    groups.push(html`<section><h2 id="tag-${id}">${tag}</h2>${cards}</section>`);
  }
  const hash = createHash('sha256').update(pageScript()).digest('hex').slice(0, HASH_CHARACTERS);
  return htmlText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Registry API</title><style>${raw(pageStyle('api'))}</style><script src="/docs/page.js?v=${hash}" defer></script></head>
<body><header><h1>Registry API</h1>
<p>At <code>${baseUrl}</code>. For machines: <a href="/openapi/registry.yaml">/openapi/registry.yaml</a>, and the reads as MCP tools at <code>${baseUrl}/mcp</code>.
A credential goes into the header <code>Authorization: Bearer …</code>.</p></header>
<nav aria-label="Contents"><details><summary>Contents</summary><ul>${contents}</ul></details></nav>
<main><div class="tools" hidden><label>Search<input type="search" data-search autocomplete="off" placeholder="Method, path or words"></label>
<label>Key or access token<input type="password" data-key autocomplete="off" spellcheck="false"></label>
<p class="hint">The key is sent with what you try on this page. It is not stored, and is gone once you leave.</p><p role="status" data-count></p></div>
${groups}</main></body></html>
`);
}

/** Returns the script of the page, which searches and tries operations. */
export function pageScript(): string {
  return readFileSync(packageFile('pages/api.js'), 'utf8');
}
