import { type Html, type HtmlPart, html } from '../../../../platform/web/html.js';
import { totalBudget } from '../../../domain/media-buy/media-buy.js';
import { moneyText } from '../../../domain/task/approval.js';
import { readOwner } from '../../../domain/tenant/principal.js';
import { ownerName, productName } from '../../names.js';
import { CONSOLE_PATH } from '../../page/assets.js';
import { type Choice, select, textField } from '../../page/forms.js';
import { filterForm, moreLink } from '../../page/paging.js';
import { badge, count, day, percent, table } from '../../page/pieces.js';
import type { ConsolePage, Screen, Visit } from '../../visit.js';
import { exportDelivery } from './export.js';
import { DeliveryGroups, GROUPINGS, type Grouping, paceOfGroup } from './groups.js';
import { narrowedBy, type Paced, readPosition, readRunning, writePosition } from './running.js';

const PATH = `${CONSOLE_PATH}/delivery`;
/** Running buys of a page. */
const PAGE = 50;
/** Running buys that a page puts together. */
const MAX_GROUPED = 300;
/** Running buys that are looked at for one page: most may be of other products. */
const MAX_LOOKED = 2000;

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

async function listDelivery(visit: Visit): Promise<ConsolePage> {
  const { query } = visit;
  const by = GROUPINGS.find((one) => one === query.text('by')) ?? 'buy';
  const bound = by === 'buy' ? { shown: PAGE, looked: MAX_LOOKED } : { shown: MAX_GROUPED, looked: MAX_LOOKED };
  const { next, rows } = await readRunning(visit, narrowedBy(visit), readPosition(query.text('after')), bound);
  const counts = await visit.app.store.read.mediaBuys.countByStatus();
  const running = counts.filter(({ status }) => status === 'active');
  const total = running.reduce((sum, one) => sum + one.total, 0);
  const label = by === 'buy' ? 'Show those that end later' : `Show the next ${count(MAX_GROUPED)} media buys`;
  const more = moreLink({ path: PATH, query, field: 'after', next: next && writePosition(next), label });
  return {
    title: 'Delivery',
    lead: `${count(total)} media buys run. They are compared with an even flight, those that end first on the first page.`,
    actions: html`<button form="filters" formaction="${PATH}/export">Export all as CSV</button>`,
    body: html`${showFilters(visit, running, by)}<div id="results">${by === 'buy' ? buyTable(visit, rows) : groupTable(visit, rows, by)}${more}</div>`,
  };
}

/** Returns the names of the products of a buy, each once. */
function productNames(app: Visit['app'], { buy, owner }: Paced): string {
  const { tenant } = readOwner(owner);
  return [...new Set(buy.packages.map(({ product_id }) => productName(app, tenant, product_id)))].join(', ');
}

/** Returns the heading of a group: a buyer's or a product's name, or a day. */
function groupName(app: Visit['app'], name: string, by: Exclude<Grouping, 'buy'>): HtmlPart {
  if (by === 'buyer') return ownerName(app, name);
  if (by === 'day') return day(name);
  const selling = [...app.sellers().keys()].find((tenant) => productName(app, tenant, name) !== name);
  return selling === undefined ? name : html`${productName(app, selling, name)}<small>${name}</small>`;
}

function showFilters({ app, query }: Visit, running: readonly { readonly owner: string }[], by: Grouping): Html {
  const groupings = GROUPINGS.map((one): Choice => [one, BY[one]]);
  const buyers = running.map(({ owner }): Choice => [owner, `${ownerName(app, owner)} (${readOwner(owner).tenant})`]);
  const fields = html`${select('by', 'By', groupings, by)}${select('buyer', 'Buyer', [['', 'Every buyer'], ...buyers], query.text('buyer'))}${textField('product', 'Product', query.text('product'), 'Product id, or a part of it')}`;
  return filterForm({ path: PATH, fields });
}

function buyTable({ app }: Visit, rows: readonly Paced[]): Html {
  return table({
    caption: 'Running media buys, those of this page that are behind their plan first',
    empty: 'No media buy that runs matches this.',
    rows: rows.toSorted((one, other) => (one.pace ?? -1) - (other.pace ?? -1)),
    columns: [
      {
        title: 'Media buy',
        cell: (row) =>
          html`<a href="${CONSOLE_PATH}/buys/${row.buy.media_buy_id}">${row.buy.brand.domain}</a><small>${productNames(app, row)}</small>`,
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
}

function groupTable({ app }: Visit, rows: readonly Paced[], by: Exclude<Grouping, 'buy'>): Html {
  const groups = new DeliveryGroups(by);
  for (const row of rows) groups.add(row);
  return table({
    caption: `Delivery of running media buys by ${by}`,
    empty: 'Nothing was delivered yet.',
    rows: groups.list(),
    columns: [
      { title: BY[by], cell: ({ name }) => groupName(app, name, by) },
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
