import { type Html, html } from '../../../platform/web/html.js';
import { answersOf } from '../http/answers.js';
import type { Route } from '../http/route.js';
import { jsonSchema } from './openapi.js';
import { pathFields } from './path-fields.js';
import { exampleOfSchema } from './schema-example.js';

type Schema = Readonly<Record<string, unknown>>;

/** A parameter or a member of a body, as the page shows it. */
type Field = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
};

/** The callers that each `auth` admits, in words. */
const CALLERS: Readonly<Record<Route['auth'], string>> = {
  none: 'everybody',
  optional: 'everybody; members see more',
  bearer: 'API key or access token',
  member: 'members of an organization',
  admin: 'moderators and admins',
};

/** Returns an operation as the page shows it: closed, with what it takes, what it answers and a form to try it. */
export function operationCard(baseUrl: string, route: Route): Html {
  const { auth, body, deprecated, description, method, operation_id, path, query, summary } = route;
  const bodySchema = body && jsonSchema(body, 'input');
  const inPath = pathFields(route).map((field) => ({ ...field, isRequired: true }));
  const inQuery = query === undefined ? [] : fieldsOf(jsonSchema(query, 'input'));
  const required = inQuery.filter(({ isRequired }) => isRequired);
  return html`<article><details>
<summary><h3><b>${method}</b> <code>${path}</code>${deprecated === true && html` <em>deprecated</em>`}</h3> <span class="what">${summary}</span></summary>
<div id="${operation_id}" class="operation"><p>${description}</p><p class="who">For ${CALLERS[auth]}. <a href="#${operation_id}">#${operation_id}</a></p>
${fieldList('Path', inPath)}${fieldList('Parameters', inQuery)}${bodySchema && fieldList('Body', fieldsOf(bodySchema))}
<h4>Answers</h4><dl>${Object.entries(answersOf(route)).map(([status, { description: says }]) => html`<div><dt><b>${status}</b></dt><dd>${says}</dd></div>`)}</dl>
<pre tabindex="0" role="region" aria-label="Example of ${operation_id}">${curlExample(baseUrl, route, required)}</pre>
${tryForm(route, inPath, inQuery, bodySchema)}</div></details></article>`;
}

function fieldsOf(schema: Schema): readonly Field[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, Schema>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, member]) => ({
    name,
    isRequired: required.includes(name),
    schema: member,
  }));
}

function fieldList(title: string, fields: readonly Field[]): Html | undefined {
  if (fields.length === 0) return undefined;
  const rows = fields.map(({ name, isRequired, schema }) => {
    const { description, type } = schema;
    const shownType = wordsOf(schema)?.join(', ') ?? String(type ?? 'any');
    return html`<div><dt><code>${name}</code>${isRequired && html` <b>required</b>`}</dt><dd><span class="type">${shownType}</span> ${typeof description === 'string' && description}</dd></div>`;
  });
  return html`<h4>${title}</h4><dl>${rows}</dl>`;
}

/** Returns the words that a field, or each entry of its list, is one of; undefined for an open one. */
function wordsOf({ enum: words, items }: Schema): readonly unknown[] | undefined {
  const listed = words ?? (items as Schema | undefined)?.enum;
  return Array.isArray(listed) ? listed : undefined;
}

/** Returns the form that the page's script sends; it is hidden where there is no script. */
function tryForm(route: Route, inPath: readonly Field[], inQuery: readonly Field[], body?: Schema): Html {
  const { method, operation_id, path, tool } = route;
  const isRead = method === 'GET' || tool === true;
  const example = body && JSON.stringify(exampleOfSchema(body), null, 2);
  return html`<form class="try" hidden autocomplete="off" aria-label="Try ${operation_id}" data-method="${method}" data-path="${path}"${!isRead && html` data-changes`}>
<h4>Try it</h4>${inPath.map((field) => fieldInput('path', field))}${inQuery.map((field) => fieldInput('query', field))}
${example !== undefined && html`<label>Body, as JSON<textarea data-in="body" spellcheck="false" rows="${Math.min(example.split('\n').length + 1, 16)}">${example}</textarea></label>`}
<button>Send</button> <button type="button" data-stop hidden>Stop</button><p role="status"></p>
<pre data-headers hidden tabindex="0" role="region" aria-label="Headers of the answer to ${operation_id}"></pre>
<pre data-answer hidden tabindex="0" role="region" aria-label="Answer to ${operation_id}"></pre></form>`;
}

function fieldInput(where: 'path' | 'query', { name, isRequired, schema }: Field): Html {
  const { example, type } = schema;
  const required = isRequired && html` required`;
  const choices = type === 'boolean' ? ['true', 'false'] : wordsOf(schema);
  if (choices !== undefined) {
    return html`<label>${name}<select data-in="${where}" name="${name}"${required}><option></option>${choices.map((word) => html`<option>${String(word)}</option>`)}</select></label>`;
  }
  // A segment of dots alone would be taken for a step up in the path.
  const segment = where === 'path' && html` pattern=".*[^.].*" title="Something other than dots"`;
  return html`<label>${name}<input data-in="${where}" name="${name}"${required}${segment}${typeof example === 'string' && html` placeholder="${example}"`} spellcheck="false" autocapitalize="none"></label>`;
}

function curlExample(baseUrl: string, { auth, body, method, path }: Route, required: readonly Field[]): string {
  const search = required.map(({ name }) => `${name}=…`).join('&');
  const url = `'${baseUrl}${path}${search === '' ? '' : `?${search}`}'`;
  const flags = [
    method === 'GET' ? '' : `-X ${method}`,
    auth === 'none' || auth === 'optional' ? '' : "-H 'Authorization: Bearer …'",
    body === undefined ? '' : "-H 'Content-Type: application/json' -d '{…}'",
  ].filter((flag) => flag !== '');
  return ['curl -s', url, ...flags].join(' ');
}
