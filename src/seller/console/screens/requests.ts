import { html } from '../../../platform/web/html.js';
import { buyerName, tenantName } from '../names.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { type Choice, select, textField } from '../page/forms.js';
import { filterForm } from '../page/paging.js';
import { badge, card, count, facts, instant, relative, table } from '../page/pieces.js';
import type { ConsolePage, Screen, Visit } from '../visit.js';

const PATH = `${CONSOLE_PATH}/requests`;
const MAX_SHOWN = 100;

/** The last calls of buyers, with what they asked for and what they were answered. */
export const REQUESTS: Screen = {
  path: PATH,
  title: 'Requests',
  views: [
    { path: PATH, run: listRequests },
    { path: `${PATH}/:id`, run: showRequest },
  ],
  acts: [],
};

async function listRequests({ app, nowMs, query }: Visit): Promise<ConsolePage> {
  const filter = {
    tenant: query.text('tenant'),
    principal: query.text('buyer'),
    task: query.text('task'),
    code: query.text('code'),
    failed: query.text('failed') === 'yes',
    limit: MAX_SHOWN,
  };
  const calls = app.calls.recent.list(filter);
  const tenants = [...app.sellers().values()].map(({ tenant }): Choice => [tenant.path, tenant.name]);
  const list = table({
    caption: 'Calls, newest first',
    empty: 'No call matches this. Calls of before the last start are in the log alone.',
    rows: calls,
    columns: [
      {
        title: 'Task',
        cell: (call) => html`<a href="${PATH}/${call.request_id}">${call.task}</a><small>${call.request_id}</small>`,
      },
      {
        title: 'Buyer',
        cell: (call) =>
          html`${call.principal === undefined ? 'nobody' : buyerName(app, call.tenant, call.principal)}<small>${tenantName(app, call.tenant)}, ${call.protocol}</small>`,
      },
      { title: 'Answer', cell: (call) => badge(call.code, call.code === 'ok' ? 'good' : 'bad') },
      { title: 'Took', isNumber: true, cell: (call) => `${count(call.ms)} ms` },
      { title: 'When', cell: (call) => relative(call.at, nowMs) },
    ],
  });
  const fields = html`${select('tenant', 'Tenant', [['', 'Every tenant'], ...tenants], filter.tenant)}${textField('buyer', 'Buyer', filter.principal, 'id of the tenant file')}${textField('task', 'Task', filter.task, 'create_media_buy')}${textField('code', 'Code', filter.code, 'BUDGET_TOO_LOW')}${select(
    'failed',
    'Answers',
    [
      ['', 'All'],
      ['yes', 'Refused alone'],
    ],
    query.text('failed'),
  )}`;
  return {
    title: 'Requests',
    lead: 'The last calls of this process, without secrets.',
    body: html`${filterForm({ path: PATH, fields, button: 'Search' })}<div id="results">${list}</div>`,
  };
}

async function showRequest({ app, params }: Visit): Promise<ConsolePage | undefined> {
  const [call] = app.calls.recent.list({ request_id: params.id, limit: 1 });
  if (call === undefined) return undefined;
  const json = (value: unknown) => html`<pre tabindex="0">${JSON.stringify(value, undefined, 2)}</pre>`;
  return {
    title: call.task,
    lead: html`${badge(call.code, call.code === 'ok' ? 'good' : 'bad')} ${instant(call.at)}`,
    body: html`<div class="columns"><div>${card({ id: 'arguments', title: 'Arguments', body: json(call.arguments) })}${card({ id: 'answer', title: 'Answer', body: json(call.answer) })}</div><div>${card(
      {
        id: 'facts',
        title: 'The call',
        body: facts([
          ['Request', call.request_id],
          ['Buyer', call.principal === undefined ? 'nobody' : buyerName(app, call.tenant, call.principal)],
          ['Tenant', tenantName(app, call.tenant)],
          ['Protocol', call.protocol],
          ['Took', `${count(call.ms)} ms`],
          ['Replayed', call.replayed && 'Answered again under its key'],
          ['Sandbox', call.sandbox && 'Nothing of it is real'],
        ]),
      },
    )}</div></div>`,
  };
}
