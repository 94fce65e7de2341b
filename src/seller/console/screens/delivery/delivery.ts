import { DAY_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { startPace } from '../../../../platform/kernel/event-loop.js';
import { writeCsv } from '../../../../platform/web/csv.js';
import { type Html, html } from '../../../../platform/web/html.js';
import { type MediaBuy, totalBudget } from '../../../domain/media-buy/media-buy.js';
import { moneyText } from '../../../domain/task/approval.js';
import { ownerName } from '../../names.js';
import { CONSOLE_PATH } from '../../page/assets.js';
import { select } from '../../page/forms.js';
import { badge, count, day, percent, table } from '../../page/pieces.js';
import type { ConsolePage, Download, Screen, Visit } from '../../visit.js';
import { deliveryOf } from '../buys/delivery-series.js';
import { type Delivered, GROUPINGS, type Grouping, groupDelivery, paceOfGroup } from './groups.js';

const PATH = `${CONSOLE_PATH}/delivery`;
/** Running buys that are looked at: those that end first, of every buyer. */
const MAX_BUYS = 100;
const MAX_OWNERS = 500;

/** How running buys deliver against their plan, those that are behind first. */
export const DELIVERY: Screen = {
  path: PATH,
  title: 'Delivery',
  views: [
    { path: PATH, run: listDelivery },
    { path: `${PATH}/export`, run: exportDelivery },
  ],
  acts: [],
};

/** How each grouping is asked for. */
const BY: Readonly<Record<Grouping, string>> = {
  buy: 'Each media buy',
  product: 'Product',
  buyer: 'Buyer',
  day: 'Day',
};

/** A running buy, what it spent, and how far it is of an even flight: 1 is on plan. */
type Paced = Delivered & {
  readonly spend: number | undefined;
  readonly impressions: number | undefined;
  readonly pace: number | undefined;
};

async function readPaced({ app }: Visit): Promise<readonly Paced[]> {
  const counts = await app.store.read.mediaBuys.countByStatus();
  const owners = counts.filter(({ status }) => status === 'active').slice(0, MAX_OWNERS);
  const lists = await Promise.all(owners.map(({ owner }) => app.store.read.mediaBuys.endingSoonest(owner, MAX_BUYS)));
  const soonest = lists
    .flat()
    .toSorted((one, other) => Date.parse(one.buy.end_time) - Date.parse(other.buy.end_time))
    .slice(0, MAX_BUYS);
  const clock = startPace();
  const paced: Paced[] = [];
  for (const { buy, owner } of soonest) {
    const nowMs = app.clock.nowOf(owner);
    const delivery = await deliveryOf(app, buy, nowMs);
    paced.push({
      buy,
      owner,
      nowMs,
      packages: delivery?.packages,
      spend: delivery?.spend,
      impressions: delivery?.impressions,
      pace: paceOf(buy, delivery?.spend, nowMs),
    });
    if (clock.isDue()) await clock.rest();
  }
  return paced.toSorted((one, other) => (one.pace ?? -1) - (other.pace ?? -1));
}

function paceOf(buy: MediaBuy, spend: number | undefined, nowMs: number): number | undefined {
  const start = Date.parse(buy.start_time);
  const share = Math.min(1, (nowMs - start) / (Date.parse(buy.end_time) - start));
  const planned = totalBudget(buy) * share;
  return spend === undefined || planned <= 0 ? undefined : spend / planned;
}

async function listDelivery(visit: Visit): Promise<ConsolePage> {
  const { app, query } = visit;
  const rows = await readPaced(visit);
  const by = GROUPINGS.find((one) => one === query.text('by')) ?? 'buy';
  const choices = GROUPINGS.map((one) => [one, BY[one]] as const);
  const list = table({
    caption: 'Running media buys, those that are behind their plan first',
    empty: 'No media buy runs.',
    rows,
    columns: [
      {
        title: 'Media buy',
        cell: ({ buy }) =>
          html`<a href="${CONSOLE_PATH}/buys/${buy.media_buy_id}">${buy.brand.domain}</a><small>${buy.packages.map(({ product_id }) => product_id).join(', ')}</small>`,
      },
      { title: 'Buyer', cell: ({ owner }) => ownerName(app, owner) },
      {
        title: 'Of plan',
        cell: ({ pace }) =>
          pace === undefined ? badge('not known', 'wait') : badge(percent(pace), pace < 0.9 ? 'bad' : 'good'),
      },
      {
        title: 'Spent',
        isNumber: true,
        cell: ({ buy, spend }) => (spend === undefined ? '–' : moneyText(spend, buy.currency)),
      },
      { title: 'Budget', isNumber: true, cell: ({ buy }) => moneyText(totalBudget(buy), buy.currency) },
      {
        title: 'Impressions',
        isNumber: true,
        cell: ({ impressions }) => (impressions === undefined ? '–' : count(impressions)),
      },
      { title: 'Ends', cell: ({ buy }) => day(buy.end_time) },
    ],
  });
  return {
    title: 'Delivery',
    lead: `The ${MAX_BUYS} running buys that end first, against an even flight; those that are behind come first.`,
    actions: html`<a class="button" href="${PATH}/export">Export as CSV</a>`,
    body: html`<form class="filters" method="get" action="${PATH}" hx-get="${PATH}" hx-trigger="change" hx-target="#results" hx-select="#results" hx-swap="outerHTML" hx-push-url="true">${select('by', 'By', choices, by)}<button>Show</button></form><div id="results">${by === 'buy' ? list : groupTable(visit, rows, by)}</div>`,
  };
}

function groupTable({ app }: Visit, rows: readonly Paced[], by: Exclude<Grouping, 'buy'>): Html {
  return table({
    caption: `Delivery of running media buys by ${by}`,
    empty: 'Nothing was delivered yet.',
    rows: groupDelivery(rows, by),
    columns: [
      { title: BY[by], cell: ({ name }) => (by === 'buyer' ? ownerName(app, name) : name) },
      {
        title: 'Of plan',
        cell: (group) => {
          const pace = paceOfGroup(group);
          return pace === undefined ? '–' : badge(percent(pace), pace < 0.9 ? 'bad' : 'good');
        },
      },
      { title: 'Spent', isNumber: true, cell: ({ currency, spend }) => moneyText(spend, currency) },
      {
        title: 'Planned so far',
        isNumber: true,
        cell: ({ currency, planned }) => (planned === undefined ? '–' : moneyText(planned, currency)),
      },
      { title: 'Impressions', isNumber: true, cell: ({ impressions }) => count(impressions) },
      { title: 'Media buys', isNumber: true, cell: ({ buys }) => count(buys) },
    ],
  });
}

/** Writes the days of the same buys by package. */
async function exportDelivery(visit: Visit): Promise<Download> {
  const { app } = visit;
  const lines: (string | number)[][] = [];
  for (const { buy, owner } of await readPaced(visit)) {
    const delivery = await deliveryOf(app, buy, app.clock.nowOf(owner));
    for (const { daily, package_id } of delivery?.packages ?? []) {
      const product = buy.packages.find((line) => line.package_id === package_id)?.product_id ?? '';
      for (const { date, impressions, spend } of daily)
        lines.push([date, owner, buy.media_buy_id, package_id, product, impressions, spend, buy.currency]);
    }
  }
  const head = ['date', 'buyer', 'media_buy_id', 'package_id', 'product_id', 'impressions', 'spend', 'currency'];
  const name = isoTime(Math.floor(visit.nowMs / DAY_MS) * DAY_MS).slice(0, 10);
  return { file: `delivery-${name}.csv`, type: 'text/csv; charset=utf-8', text: writeCsv([head, ...lines]) };
}
