import { HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { type Html, html } from '../../../platform/web/html.js';
import { catchTaskError, TaskError } from '../../../protocol/errors.js';
import { readOwner } from '../../domain/tenant/principal.js';
import { carryOutAct } from '../../tasks/people/acts.js';
import { explainReason, readEventFilter, type ShownEvent } from '../../webhooks/operate.js';
import { attemptTable, bodyText } from '../page/attempts.js';
import { select } from '../page/forms.js';
import { moreLink, readBefore } from '../page/paging.js';
import { badge, card, count, eventText, facts, instant, relative, table } from '../page/pieces.js';
import { EVENT_STATE_CHOICES } from '../screens/webhooks.js';
import type { PortalPage } from './shell.js';
import type { PortalVisit } from './visit.js';

const PAGE = 50;
const MAX_ATTEMPTS = 50;

/** How often the webhooks of a link may be sent again. */
export const REPLAYS = { points: 60, windowMs: HOUR_MS };

/** Returns what was sent to a buyer, the newest first. */
export async function listOwnEvents(visit: PortalVisit): Promise<PortalPage> {
  const { app, home, owner, query } = visit;
  const given = await catchTaskError(async () => readEventFilter({ ...readOwner(owner), state: query.text('state') }));
  const filter = given instanceof TaskError ? readEventFilter(readOwner(owner)) : given;
  const page = { limit: PAGE, after: readBefore(query) };
  const { info, rows } = await app.outbox.list(app.store.read, page, filter);
  const last = info.has_more ? rows.at(-1) : undefined;
  const next = last && (await app.store.read.webhookLog.find(last.idempotency_key));
  return {
    section: '/webhooks',
    title: 'Webhooks',
    lead: 'What was sent to your endpoints, and what they answered.',
    body: html`<form class="filters" method="get" action="${home}/webhooks">${select('state', 'State', EVENT_STATE_CHOICES, query.text('state'))}<button>Show</button></form>
<div id="results">${eventTable(visit, rows)}${moreLink({ path: `${home}/webhooks`, query, next: next?.seq })}</div>`,
  };
}

/** Returns events of a buyer as a table. */
export function eventTable({ app, home }: PortalVisit, rows: readonly ShownEvent[]): Html {
  const nowMs = app.clock.now();
  return table({
    caption: 'Events, newest first',
    empty: 'Nothing was sent.',
    rows,
    columns: [
      {
        title: 'Event',
        cell: (one) =>
          html`<a href="${home}/webhooks/${one.idempotency_key}">${eventText(one.notification_type)}</a><small>${one.media_buy_id ?? one.task_id ?? ''}</small>`,
      },
      { title: 'Endpoint', cell: (one) => one.url },
      {
        title: 'State',
        cell: (one) => html`${badge(one.state)}${one.reason !== null && html`<small>${one.reason}</small>`}`,
      },
      { title: 'Attempts', isNumber: true, cell: (one) => count(one.attempts) },
      { title: 'Made', cell: (one) => relative(one.created_at, nowMs) },
    ],
  });
}

/** Returns one of the buyer's events with its attempts. Undefined of anybody else's. */
export async function showOwnEvent(visit: PortalVisit): Promise<PortalPage | undefined> {
  const { app, csrf, home } = visit;
  const event = await findOwnEvent(visit);
  if (event === undefined) return undefined;
  const attempts = await app.store.read.webhookLog.attemptsOf(event, MAX_ATTEMPTS);
  const facing = facts([
    ['Key', event.idempotency_key],
    [
      'Media buy',
      event.media_buy_id !== null && html`<a href="${home}/buys/${event.media_buy_id}">${event.media_buy_id}</a>`,
    ],
    ['Task', event.task_id ?? undefined],
    ['Made', instant(isoTime(event.created_at))],
    ['Next attempt', event.next_attempt_at !== null && relative(isoTime(event.next_attempt_at), app.clock.now())],
    ['Reason', event.reason === null ? undefined : explainReason(event.reason)],
  ]);
  return {
    section: '/webhooks',
    title: eventText(event.notification_type),
    lead: badge(event.state),
    actions: html`<form method="post" action="${home}/webhooks/${event.idempotency_key}/replay" class="inline"><input type="hidden" name="csrf" value="${csrf}"><button class="primary">Send again</button></form>`,
    body: html`<div class="columns"><div>${card({ id: 'attempts', title: 'Attempts', body: attemptTable(attempts) })}${card({ id: 'body', title: 'Body', body: html`<pre tabindex="0">${bodyText(event.body)}</pre>` })}</div><div>${card({ id: 'facts', title: 'The event', body: facing })}</div></div>`,
  };
}

/** Has one of the buyer's events sent again and returns its key. Throws a TaskError that says why not; undefined of anybody else's. */
export async function replayOwnEvent(visit: PortalVisit): Promise<string | undefined> {
  const { app, link } = visit;
  const event = await findOwnEvent(visit);
  if (event === undefined) return undefined;
  const actor = `portal of ${readOwner(link.owner).principal}`;
  const act = {
    actor,
    action: 'webhook.replay',
    subject: event.idempotency_key,
    detail: `by the link ${link.link_id}`,
  };
  return carryOutAct(app, act, () => app.store.transact((tx) => app.outbox.replay(tx, event.idempotency_key)));
}

async function findOwnEvent({ app, owner, params }: PortalVisit) {
  const event = await app.store.read.webhookLog.find(params.key ?? '');
  return event?.owner === owner ? event : undefined;
}
