import { isoTime } from '../../../platform/kernel/clock.js';
import { type Html, html } from '../../../platform/web/html.js';
import { MEDIA_BUY_STATUSES, type MediaBuy, totalBudget } from '../../domain/media-buy/media-buy.js';
import { moneyText } from '../../domain/task/approval.js';
import { type Choice, select } from '../page/forms.js';
import { moreLink, readBefore, takePage } from '../page/paging.js';
import { badge, card, count, day, facts, instant, table } from '../page/pieces.js';
import { buyFigures, deliveryChart, packageTable } from '../screens/buys/buy.js';
import { deliveryOf } from '../screens/buys/delivery-series.js';
import type { PortalPage } from './shell.js';
import type { PortalVisit } from './visit.js';
import { eventTable } from './webhooks.js';

const PAGE = 50;
const MAX_ENTRIES = 50;

/** Returns the media buys of a buyer, the newest first. */
export async function listOwnBuys({ app, home, owner, query }: PortalVisit): Promise<PortalPage> {
  const status = MEDIA_BUY_STATUSES.find((one) => one === query.text('status'));
  const page = { limit: PAGE, after: readBefore(query) };
  const rows = await app.store.read.mediaBuys.list(owner, page, {
    statuses: status === undefined ? undefined : [status],
  });
  const { next, shown } = takePage(rows, PAGE, ({ seq }) => seq);
  const states = MEDIA_BUY_STATUSES.map((one): Choice => [one, one.replaceAll('_', ' ')]);
  const list = table({
    caption: 'Media buys, newest first',
    empty: 'No media buy matches this.',
    rows: shown,
    columns: [
      {
        title: 'Media buy',
        cell: ({ buy }) =>
          html`<a href="${home}/buys/${buy.media_buy_id}">${buy.brand.domain}</a><small>${buy.media_buy_id}</small>`,
      },
      { title: 'State', cell: ({ buy }) => badge(buy.status) },
      { title: 'Budget', isNumber: true, cell: ({ buy }) => moneyText(totalBudget(buy), buy.currency) },
      { title: 'Runs', cell: ({ buy }) => html`${day(buy.start_time)} to ${day(buy.end_time)}` },
    ],
  });
  return {
    section: '',
    title: 'Media buys',
    lead: 'What you bought, the newest first.',
    body: html`<form class="filters" method="get" action="${home}">${select('status', 'State', [['', 'Every state'], ...states], status)}<button>Show</button></form>
<div id="results">${list}${moreLink({ path: home, query, next })}</div>`,
  };
}

/** Returns one of the buyer's media buys: delivery against plan, packages, its record and its webhooks. Undefined of anybody else's. */
export async function showOwnBuy(visit: PortalVisit): Promise<PortalPage | undefined> {
  const { app, nowMs, owner, params } = visit;
  const buy = await app.store.read.mediaBuys.find(owner, params.id ?? '');
  if (buy === undefined) return undefined;
  const delivery = await deliveryOf(app, buy, nowMs);
  const page = { limit: MAX_ENTRIES, after: undefined };
  const [tenant = '', principal] = owner.split('#', 2);
  const filter = { tenant, principal, mediaBuyId: buy.media_buy_id };
  const { rows: events } = await app.outbox.list(app.store.read, page, filter);
  return {
    section: '',
    title: buy.brand.domain,
    hasChart: true,
    lead: html`${badge(buy.status)} ${buy.media_buy_id}, revision ${buy.revision}${buy.sandbox && ', sandbox'}`,
    body: html`${buyFigures(buy, delivery, nowMs)}
<div class="columns"><div>
${card({ id: 'delivery', title: 'Delivery against plan', body: deliveryChart(buy, delivery, nowMs) })}
${card({ id: 'lines', title: 'Packages', body: packageTable(app, { buy, owner }, delivery) })}
${card({ id: 'webhooks', title: 'Webhooks', body: eventTable(visit, events) })}
</div><div>
${card({ id: 'facts', title: 'The order', body: describeOrder(buy) })}
${card({ id: 'record', title: 'Its record', body: await record(visit, buy) })}
</div></div>`,
  };
}

function describeOrder(buy: MediaBuy): Html {
  const { po_number } = buy.echoed;
  return facts([
    ['Account', buy.account_id],
    ['Order number', typeof po_number === 'string' ? po_number : undefined],
    ['From', instant(buy.start_time)],
    ['To', instant(buy.end_time)],
    ['Packages', count(buy.packages.length)],
    ['Confirmed', buy.confirmed_at !== undefined && instant(buy.confirmed_at)],
    ['Rejected', buy.rejection_reason],
  ]);
}

async function record({ app }: PortalVisit, buy: MediaBuy): Promise<Html> {
  const histories = await app.store.read.mediaBuys.history([buy.media_buy_id], MAX_ENTRIES);
  const entries = (histories.get(buy.media_buy_id) ?? []).map(
    ({ action, actor, revision, summary, timestamp }) =>
      html`<li class="calm">${instant(timestamp)}<div><b>${action.replaceAll('_', ' ')}</b> by the ${actor}, revision ${revision}${summary !== undefined && html`<small>${summary}</small>`}</div></li>`,
  );
  const bought = isoTime(Date.parse(buy.created_at));
  return html`<ol class="timeline">${entries}<li class="calm">${instant(bought)}<div>Bought</div></li></ol>`;
}
