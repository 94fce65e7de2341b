import { startPace } from '../../../platform/kernel/event-loop.js';
import { type Html, html, htmlText, raw } from '../../../platform/web/html.js';
import { pageStyle } from '../../../platform/web/page-style.js';
import type { Route } from '../http/route.js';
import { jsonSchema } from './openapi.js';
import { TAGS } from './tags.js';

/** The callers that each `auth` admits, in words. */
const CALLERS: Readonly<Record<Route['auth'], string>> = {
  none: 'everybody',
  optional: 'everybody; members see more',
  bearer: 'API key or access token',
  member: 'members of an organization',
  admin: 'moderators and admins',
};

/** Returns the API for people: one page, derived from the table of routes like the description for machines, and written as that is. */
export async function apiPage(baseUrl: string, routes: readonly Route[]): Promise<string> {
  const pace = startPace();
  const shown = routes.filter(({ hidden }) => hidden !== true);
  const groups: Html[] = [];
  for (const tag of new Set(Object.values(TAGS))) {
    const cards: Html[] = [];
    for (const route of shown.filter((one) => one.tag === tag)) {
      cards.push(routeCard(baseUrl, route));
      if (pace.isDue()) await pace.rest();
    }
    if (cards.length > 0) groups.push(html`<section><h2>${tag}</h2>${cards}</section>`);
  }
  const style = pageStyle('registry');
  return htmlText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Registry API</title><style>${raw(style)}</style></head>
<body><main><h1>Registry API</h1>
<p>At <code>${baseUrl}</code>. For machines: <a href="/openapi/registry.yaml">/openapi/registry.yaml</a>, and the reads as MCP tools at <code>${baseUrl}/mcp</code>.
A credential goes into the header <code>Authorization: Bearer …</code>.</p>
${groups}</main></body></html>
`);
}

function routeCard(baseUrl: string, route: Route): Html {
  const { answers, auth, deprecated, description, method, path, summary } = route;
  return html`<article id="${route.operation_id}"><h3><b>${method}</b> <code>${path}</code>${deprecated === true && html` <em>deprecated</em>`}</h3>
<p>${summary} ${description}</p><p class="who">For ${CALLERS[auth]}.</p>${fieldTable('Parameters', route.query)}${fieldTable('Body', route.body)}
<p class="answers">${Object.entries(answers).map(([status, { description: says }]) => html`<span><b>${status}</b> ${says}</span> `)}</p>
<pre tabindex="0" role="region" aria-label="Example of ${route.operation_id}">${example(baseUrl, route)}</pre></article>`;
}

function fieldTable(title: string, schema: Route['query']): Html | undefined {
  if (schema === undefined) return undefined;
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    required?: readonly string[];
  };
  const rows = Object.entries(properties).map(
    ([name, { description, type, enum: words }]) =>
      html`<tr><td><code>${name}</code>${required.includes(name) && html` <b>*</b>`}</td><td>${Array.isArray(words) ? words.join(', ') : String(type ?? 'any')}</td><td>${typeof description === 'string' && description}</td></tr>`,
  );
  return rows.length === 0 ? undefined : html`<table><caption>${title}</caption>${rows}</table>`;
}

function example(baseUrl: string, { auth, body, method, path, query }: Route): string {
  const { required = [] } = (query === undefined ? {} : jsonSchema(query, 'input')) as { required?: readonly string[] };
  const search = required.map((name) => `${name}=…`).join('&');
  const url = `'${baseUrl}${path}${search === '' ? '' : `?${search}`}'`;
  const flags = [
    method === 'GET' ? '' : `-X ${method}`,
    auth === 'none' || auth === 'optional' ? '' : "-H 'Authorization: Bearer …'",
    body === undefined ? '' : "-H 'Content-Type: application/json' -d '{…}'",
  ].filter((flag) => flag !== '');
  return ['curl -s', url, ...flags].join(' ');
}
