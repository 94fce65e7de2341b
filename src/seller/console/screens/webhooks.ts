import { isoTime } from '../../../platform/kernel/clock.js';
import { html } from '../../../platform/web/html.js';
import { pluralize } from '../../../platform/web/humanize.js';
import { catchTaskError, TaskError } from '../../../protocol/errors.js';
import { isAtLeast } from '../../domain/console/access.js';
import { operateWebhooks } from '../../http/operator/operations.js';
import { explainReason, readEventFilter, type ShownEvent } from '../../webhooks/operate.js';
import { ownerName } from '../names.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { attemptTable, bodyText } from '../page/attempts.js';
import { buttonForm, csrfField, select, textField } from '../page/forms.js';
import { filterForm, moreLink, readBefore } from '../page/paging.js';
import { badge, card, count, eventText, facts, instant, relative, table } from '../page/pieces.js';
import type { ConsoleAct, ConsolePage, Screen, Visit } from '../visit.js';

const PATH = `${CONSOLE_PATH}/webhooks`;
const PAGE = 50;
const MAX_ATTEMPTS = 50;

const REPLAY: ConsoleAct = {
  path: `${PATH}/:key/replay`,
  role: 'operate',
  action: 'webhook.replay',
  subject: ({ params }) => params.key ?? '',
  back: ({ params }) => `${PATH}/${params.key}`,
  run: async ({ app, params }) => {
    const done = await operateWebhooks(app, { do: 'replay', idempotency_key: params.key });
    const [key = params.key] = 'sent' in done ? done.sent : [];
    return { to: `${PATH}/${key}`, says: 'It waits to be sent again.' };
  },
};

const RECOVER: ConsoleAct = {
  path: `${PATH}/recover`,
  role: 'operate',
  action: 'webhook.recover',
  subject: ({ form }) => form.text('endpoint') ?? 'every endpoint',
  detail: ({ form }) => `since ${form.text('since') ?? ''}`,
  back: () => PATH,
  run: async ({ app, form }) => {
    const done = await operateWebhooks(app, {
      do: 'recover',
      since: form.text('since'),
      endpoint: form.text('endpoint'),
    });
    if (!('recovered' in done)) throw new TaskError('INVALID_STATE', 'Nothing was recovered.');
    const leftOut = done.overtaken > 0 ? ` ${done.overtaken} left out, as later ones tell more.` : '';
    return {
      to: PATH,
      says: `${pluralize(done.recovered, 'event')} that were given up wait to be sent again.${leftOut}`,
    };
  },
};

/** What was sent to buyers, and what became of it. */
export const WEBHOOKS: Screen = {
  path: PATH,
  title: 'Webhooks',
  views: [
    { path: PATH, run: listEvents },
    { path: `${PATH}/:key`, run: showEvent },
  ],
  acts: [RECOVER, REPLAY],
};

/** The states of events, as a select offers them. */
export const EVENT_STATE_CHOICES = [
  ['', 'Every state'],
  ['pending', 'Waiting'],
  ['delivered', 'Delivered'],
  ['dead', 'Given up'],
  ['dropped', 'Not sent'],
] as const;

const NO_EVENTS = { rows: [], info: { has_more: false } };

async function listEvents(visit: Visit): Promise<ConsolePage> {
  const { app, nowMs, query } = visit;
  const given = { state: query.text('state'), endpoint: query.text('endpoint'), media_buy_id: query.text('buy') };
  const filter = await catchTaskError(async () => readEventFilter(given));
  const page = { limit: PAGE, after: readBefore(query) };
  const { info, rows } = filter instanceof TaskError ? NO_EVENTS : await app.outbox.list(app.store.read, page, filter);
  const last = info.has_more ? rows.at(-1) : undefined;
  const next = last && (await app.store.read.webhookLog.find(last.idempotency_key));
  const { dead, oldestPendingAt, pending } = await app.store.read.webhookLog.backlog();
  const since = oldestPendingAt === undefined ? '' : html`, the oldest ${relative(isoTime(oldestPendingAt), nowMs)}`;
  const fields = html`${select('state', 'State', EVENT_STATE_CHOICES, query.text('state'))}${textField('endpoint', 'Endpoint', query.text('endpoint'), 'https://buyer.example')}${textField('buy', 'Media buy', query.text('buy'))}`;
  return {
    title: 'Webhooks',
    lead: html`${count(pending)} waiting${since}; ${count(dead)} given up.`,
    body: html`${filter instanceof TaskError && html`<p class="notice problem" role="alert">${filter.message} ${filter.extras.suggestion}</p>`}
${filterForm({ path: PATH, fields, button: 'Search' })}<div id="results">${eventsTable(visit, rows)}${moreLink({ path: PATH, query, next: next?.seq })}</div>
${recoverForm(visit)}`,
  };
}

function eventsTable({ app, nowMs }: Visit, rows: readonly ShownEvent[]) {
  return table({
    caption: 'Events, newest first',
    empty: 'No event matches this.',
    rows,
    columns: [
      {
        title: 'Event',
        cell: (one) =>
          html`<a href="${PATH}/${one.idempotency_key}">${eventText(one.notification_type)}</a><small>${one.media_buy_id ?? one.task_id ?? ''}</small>`,
      },
      { title: 'Buyer', cell: (one) => html`${ownerName(app, one.owner)}<small>${one.url}</small>` },
      {
        title: 'State',
        cell: (one) => html`${badge(one.state)}${one.reason !== null && html`<small>${one.reason}</small>`}`,
      },
      { title: 'Attempts', isNumber: true, cell: (one) => count(one.attempts) },
      { title: 'Made', cell: (one) => relative(one.created_at, nowMs) },
      { title: 'Next', cell: (one) => (one.next_attempt_at === null ? '–' : relative(one.next_attempt_at, nowMs)) },
    ],
  });
}

function recoverForm({ query, visitor }: Visit) {
  if (!isAtLeast(visitor.role, 'operate')) return false;
  return html`<section class="card spaced" aria-labelledby="recover"><h2 id="recover">Send again what was given up</h2><p class="hint">For when an endpoint is mended. What a later event tells better is left out.</p><form method="post" action="${PATH}/recover" class="row">${csrfField(visitor)}${textField('since', 'Given up since', '24h', '24h, 7d, or an instant')}${textField('endpoint', 'Endpoint, empty for all', query.text('endpoint'), 'https://buyer.example')}<button class="primary">Send again</button></form></section>`;
}

async function showEvent({ app, nowMs, params, visitor }: Visit): Promise<ConsolePage | undefined> {
  const event = await app.store.read.webhookLog.find(params.key ?? '');
  if (event === undefined) return undefined;
  const attempts = await app.store.read.webhookLog.attemptsOf(event, MAX_ATTEMPTS);
  return {
    title: eventText(event.notification_type),
    lead: html`${badge(event.state)} to ${ownerName(app, event.owner)}`,
    actions: html`${buttonForm(visitor, { action: `${PATH}/${event.idempotency_key}/replay`, label: 'Send again', role: 'operate', look: 'primary' })}`,
    body: html`<div class="columns"><div>${card({ id: 'attempts', title: 'Attempts', body: attemptTable(attempts) })}${card({ id: 'body', title: 'Body', body: html`<pre tabindex="0">${bodyText(event.body)}</pre>` })}</div><div>${card(
      {
        id: 'facts',
        title: 'The event',
        body: facts([
          ['Key', event.idempotency_key],
          [
            'Media buy',
            event.media_buy_id !== null &&
              html`<a href="${CONSOLE_PATH}/buys/${event.media_buy_id}">${event.media_buy_id}</a>`,
          ],
          ['Task', event.task_id ?? undefined],
          ['Made', instant(isoTime(event.created_at))],
          ['Next attempt', event.next_attempt_at !== null && relative(isoTime(event.next_attempt_at), nowMs)],
          ['Ended', event.finished_at !== null && instant(isoTime(event.finished_at))],
          ['Reason', event.reason === null ? undefined : explainReason(event.reason)],
          ['Size', `${count(event.size_bytes)} bytes`],
        ]),
      },
    )}</div></div>`,
  };
}
