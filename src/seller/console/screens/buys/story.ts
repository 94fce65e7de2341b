import { isoTime } from '../../../../platform/kernel/clock.js';
import { type Html, html } from '../../../../platform/web/html.js';
import { pluralize } from '../../../../platform/web/humanize.js';
import { DRIFT_REMEDY, describeDrift } from '../../../domain/booking/drift.js';
import type { MediaBuy } from '../../../domain/media-buy/media-buy.js';
import { explainReason } from '../../../webhooks/operate.js';
import { CONSOLE_PATH } from '../../page/assets.js';
import { badge, eventText, instant } from '../../page/pieces.js';
import type { Visit } from '../../visit.js';
import { findDecider } from '../approval.js';

/** One thing that happened, newest first in the story. */
type Event = { readonly at: string; readonly tone: 'good' | 'bad' | 'wait' | 'calm'; readonly what: Html };

/** The words for what people do to a buy; the log of acts has their names. */
const ACT_WORDS: Readonly<Record<string, string>> = {
  'buy.pause': 'pause',
  'buy.resume': 'resume',
  'buy.cancel': 'cancel',
  'order.booked': 'record it as booked',
  'order.ids': 'record its ids in the ad server',
};

/** Entries that are read of each kind. */
const MAX_ENTRIES = 50;

/** Returns what happened to a buy, the newest first: its revisions, tasks, webhooks and what people did. */
export async function storyOf({ app }: Visit, buy: MediaBuy, owner: string): Promise<Html> {
  const { audit, mediaBuys, tasks, webhookLog } = app.store.read;
  const id = buy.media_buy_id;
  const page = { limit: MAX_ENTRIES, after: undefined };
  const sort = { field: 'created_at', direction: 'desc' } as const;
  const [histories, events, about, acts] = await Promise.all([
    mediaBuys.history([id], MAX_ENTRIES),
    webhookLog.list(page, { mediaBuyId: id }),
    tasks.list(owner, page, { contains: id }, sort),
    audit.about(id, MAX_ENTRIES),
  ]);
  const deciders = await Promise.all(about.map(({ task }) => findDecider(app, task.task_id)));
  const story: readonly Event[] = [
    { at: buy.created_at, tone: 'calm', what: html`Bought` },
    ...(histories.get(id) ?? []).map(
      ({ action, actor, revision, summary, timestamp }): Event => ({
        at: timestamp,
        tone: 'calm',
        what: html`<b>${action.replaceAll('_', ' ')}</b> by the ${actor}, revision ${revision}${summary !== undefined && html`<small>${summary}</small>`}`,
      }),
    ),
    ...events.map(
      ({ attempts, created_at, idempotency_key, notification_type, reason, state }): Event => ({
        at: isoTime(created_at),
        tone: toneOf(state),
        what: html`Webhook <a href="${CONSOLE_PATH}/webhooks/${idempotency_key}">${eventText(notification_type)}</a> ${badge(state)} after ${pluralize(attempts, 'attempt')}${reason !== null && html`<small>${explainReason(reason)}</small>`}`,
      }),
    ),
    ...about.map(
      ({ task }, index): Event => ({
        at: task.updated_at,
        tone: 'wait',
        what: html`Task ${task.task_type.replaceAll('_', ' ')} ${badge(task.status)}${deciders[index] !== undefined && ` by ${deciders[index]}`}${task.question !== undefined && html` <a href="${CONSOLE_PATH}/approvals/${task.task_id}">its decision</a>`}`,
      }),
    ),
    ...acts.map(
      ({ action, actor, at, detail, phase }): Event => ({
        at: isoTime(at),
        tone: phase === 'refused' ? 'bad' : 'good',
        what: html`<b>${actor}</b>: ${ACT_WORDS[action] ?? action.replaceAll(/[._-]/g, ' ')} ${badge(phase)}${detail !== '' && html`<small>${detail}</small>`}`,
      }),
    ),
  ];
  const newest = [...story, ...(await driftOf(app, id))].toSorted(
    (one, other) => Date.parse(other.at) - Date.parse(one.at),
  );
  return html`<ol class="timeline">${newest.map(({ at, tone, what }) => html`<li class="${tone}">${instant(at)}<div>${what}</div></li>`)}</ol>`;
}

async function driftOf({ store }: Visit['app'], id: string): Promise<readonly Event[]> {
  const inspection = await store.read.orderInspections.find(id);
  if (inspection?.drift_since === undefined || inspection.drift_since === null) return [];
  const what = html`<b>Changed in the ad server</b> by hand<small>${describeDrift(inspection.drift)}. ${DRIFT_REMEDY}</small>`;
  return [{ at: isoTime(inspection.drift_since), tone: 'bad', what }];
}

function toneOf(state: string): Event['tone'] {
  if (state === 'dead') return 'bad';
  return state === 'delivered' ? 'good' : 'wait';
}
