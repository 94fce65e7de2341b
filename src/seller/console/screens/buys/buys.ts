import { html } from '../../../../platform/web/html.js';
import { MEDIA_BUY_STATUSES, totalBudget } from '../../../domain/media-buy/media-buy.js';
import { moneyText } from '../../../domain/task/approval.js';
import { readOwner } from '../../../domain/tenant/principal.js';
import type { OwnedBuy } from '../../../store/media-buys/media-buys.js';
import { ownerName, tenantName } from '../../names.js';
import { CONSOLE_PATH } from '../../page/assets.js';
import { type Choice, select, textField } from '../../page/forms.js';
import { filterForm, moreLink, readBefore, takePage } from '../../page/paging.js';
import { badge, count, day, table } from '../../page/pieces.js';
import type { ConsolePage, Screen, Visit } from '../../visit.js';
import { showBuy } from './buy.js';
import { CHANGE_BUY } from './change.js';
import { downloadSheets } from './sheets.js';

const PATH = `${CONSOLE_PATH}/buys`;
const PAGE = 50;
/** Buyers that a list is merged of. */
const MAX_OWNERS = 500;
/** Of an order number in a row. */
const MAX_NUMBER_CHARS = 40;

/** Every media buy, and one of them with its story. */
export const BUYS: Screen = {
  path: PATH,
  title: 'Buys',
  views: [
    { path: PATH, run: listBuys },
    { path: `${PATH}/sheets`, run: downloadSheets },
    { path: `${PATH}/:id/sheet`, run: downloadSheets },
    { path: `${PATH}/:id`, run: showBuy },
  ],
  acts: CHANGE_BUY,
};

/** The filters of a list. */
type Narrowed = {
  readonly owner: string | undefined;
  readonly status: string | undefined;
  readonly text: string | undefined;
  readonly before: number | undefined;
};

/** Some buys, newest first, and where the next ones begin. */
type BuysPage = {
  readonly shown: readonly (OwnedBuy & { readonly seq: number })[];
  readonly next: number | undefined;
};

async function listBuys(visit: Visit): Promise<ConsolePage> {
  const { app, query } = visit;
  const narrowed = {
    owner: query.text('buyer'),
    status: MEDIA_BUY_STATUSES.find((one) => one === query.text('status')),
    text: query.text('q'),
    before: readBefore(query),
  };
  const counts = await app.store.read.mediaBuys.countByStatus();
  const owners = [...new Set(counts.map(({ owner }) => owner))];
  const { next, shown } = await findBuys(visit, owners, narrowed);
  const total = counts.reduce((sum, one) => sum + one.total, 0);
  const empty = total === 0 ? 'Nothing was bought yet.' : 'No media buy matches this.';
  const isPartial = narrowed.text !== undefined && next !== undefined;
  return {
    title: 'Buys',
    lead: `${count(total)} in all.`,
    body: html`${showFilters(visit, owners, narrowed)}<div id="results">${listOf(visit, shown, empty)}${moreLink({ path: PATH, query, next, label: isPartial ? 'Search further back' : undefined })}</div>`,
  };
}

function showFilters({ app }: Visit, owners: readonly string[], { owner, status, text }: Narrowed) {
  const buyers = owners.map((one): Choice => [one, `${ownerName(app, one)} (${readOwner(one).tenant})`]);
  const states = MEDIA_BUY_STATUSES.map((one): Choice => [one, one.replaceAll('_', ' ')]);
  const fields = html`<div class="field grow">${textField('q', 'Search', text, 'Id, advertiser, order number, product id')}</div>${select('status', 'State', [['', 'Every state'], ...states], status)}${select('buyer', 'Buyer', [['', 'Every buyer'], ...buyers], owner)}`;
  return filterForm({ path: PATH, fields, button: 'Search' });
}

async function findBuys({ app }: Visit, owners: readonly string[], narrowed: Narrowed): Promise<BuysPage> {
  const { mediaBuys } = app.store.read;
  const { before, owner, status, text } = narrowed;
  if (text !== undefined) {
    const named = before === undefined ? await mediaBuys.findAnywhere(text.toLowerCase()) : undefined;
    if (named !== undefined) return { shown: [named], next: undefined };
    const { next, rows } = await mediaBuys.search(text, before, PAGE);
    const isShown = (row: OwnedBuy): boolean =>
      (owner === undefined || row.owner === owner) && (status === undefined || row.buy.status === status);
    return { shown: rows.filter(isShown), next };
  }
  if (owner === undefined && status === undefined) return takeBuys(await mediaBuys.newest(before, PAGE + 1));
  const page = { limit: PAGE, after: before };
  const lists = await Promise.all(
    (owner === undefined ? owners.slice(0, MAX_OWNERS) : [owner]).map((one) =>
      mediaBuys.list(one, page, { statuses: status === undefined ? undefined : [status] }),
    ),
  );
  return takeBuys(lists.flat().toSorted((one, other) => other.seq - one.seq));
}

function showOrderNumber({ echoed: { po_number } }: OwnedBuy['buy']) {
  if (typeof po_number !== 'string') return false;
  return html` · ${po_number.length > MAX_NUMBER_CHARS ? `${po_number.slice(0, MAX_NUMBER_CHARS)}…` : po_number}`;
}

function takeBuys(rows: BuysPage['shown']): BuysPage {
  return takePage(rows, PAGE, ({ seq }) => seq);
}

function listOf({ app }: Visit, rows: BuysPage['shown'], empty: string) {
  return table({
    caption: 'Media buys, newest first',
    empty,
    rows,
    columns: [
      {
        title: 'Media buy',
        cell: ({ buy }) =>
          html`<a href="${PATH}/${buy.media_buy_id}">${buy.brand.domain}</a><small>${buy.media_buy_id}${showOrderNumber(buy)}</small>`,
      },
      {
        title: 'Buyer',
        cell: ({ buy, owner }) =>
          html`${ownerName(app, owner)}<small>${tenantName(app, readOwner(owner).tenant)}${buy.sandbox && ', sandbox'}</small>`,
      },
      { title: 'State', cell: ({ buy }) => badge(buy.status) },
      { title: 'Budget', isNumber: true, cell: ({ buy }) => moneyText(totalBudget(buy), buy.currency) },
      { title: 'Runs', cell: ({ buy }) => html`${day(buy.start_time)} to ${day(buy.end_time)}` },
    ],
  });
}
