import { html } from '../../../../platform/web/html.js';
import { MEDIA_BUY_STATUSES, totalBudget } from '../../../domain/media-buy/media-buy.js';
import { moneyText } from '../../../domain/task/approval.js';
import { readOwner } from '../../../domain/tenant/principal.js';
import type { OwnedBuy } from '../../../store/media-buys.js';
import { ownerName, tenantName } from '../../names.js';
import { CONSOLE_PATH } from '../../page/assets.js';
import { type Choice, select, textField } from '../../page/forms.js';
import { badge, count, day, moreLink, table } from '../../page/pieces.js';
import type { ConsolePage, Screen, Visit } from '../../visit.js';
import { showBuy } from './buy.js';
import { CHANGE_BUY } from './change.js';
import { downloadSheets } from './sheets.js';

const PATH = `${CONSOLE_PATH}/buys`;
const PAGE = 50;
/** Buyers that a list is merged of. */
const MAX_OWNERS = 500;

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

/** What a list is narrowed to. */
type Narrowed = {
  readonly owner: string | undefined;
  readonly status: string | undefined;
  readonly text: string | undefined;
  readonly before: number | undefined;
};

/** Some buys, newest first, and where the next ones begin. */
type Found = { readonly rows: readonly (OwnedBuy & { readonly seq: number })[]; readonly next: number | undefined };

async function listBuys(visit: Visit): Promise<ConsolePage> {
  const { app, query } = visit;
  const before = /^\d{1,15}$/.exec(query.text('before') ?? '')?.[0];
  const narrowed = {
    owner: query.text('buyer'),
    status: MEDIA_BUY_STATUSES.find((one) => one === query.text('status')),
    text: query.text('q')?.toLowerCase(),
    before: before === undefined ? undefined : Number(before),
  };
  const counts = await app.store.read.mediaBuys.countByStatus();
  const owners = [...new Set(counts.map(({ owner }) => owner))];
  const { next, rows } = await findBuys(visit, owners, narrowed);
  const total = counts.reduce((sum, one) => sum + one.total, 0);
  const searched = narrowed.text !== undefined && next !== undefined;
  return {
    title: 'Buys',
    lead: `${count(total)} in all.`,
    body: html`${filters(visit, owners, narrowed)}<div id="results">${listOf(visit, rows)}
${moreLink(next === undefined ? undefined : `${PATH}${query.with({ before: String(next) })}`, searched ? 'Search further back' : 'Show older ones')}</div>`,
  };
}

function filters({ app }: Visit, owners: readonly string[], { owner, status, text }: Narrowed) {
  const buyers = owners.map((one): Choice => [one, `${ownerName(app, one)} (${readOwner(one).tenant})`]);
  const states = MEDIA_BUY_STATUSES.map((one): Choice => [one, one.replaceAll('_', ' ')]);
  return html`<form class="filters" method="get" action="${PATH}" role="search" hx-get="${PATH}" hx-trigger="input changed delay:400ms, change" hx-target="#results" hx-select="#results" hx-swap="outerHTML" hx-replace-url="true">
<div class="field grow">${textField('q', 'Search', text, 'Id, advertiser, order number, product')}</div>
${select('status', 'State', [['', 'Every state'], ...states], status)}${select('buyer', 'Buyer', [['', 'Every buyer'], ...buyers], owner)}<button>Search</button></form>`;
}

async function findBuys({ app }: Visit, owners: readonly string[], narrowed: Narrowed): Promise<Found> {
  const { mediaBuys } = app.store.read;
  const { before, owner, status, text } = narrowed;
  if (text !== undefined) {
    const named = before === undefined ? await mediaBuys.findAnywhere(text) : undefined;
    if (named !== undefined) return { rows: [named], next: undefined };
    const { next, rows } = await mediaBuys.search(text, before, PAGE);
    const isShown = (row: OwnedBuy): boolean =>
      (owner === undefined || row.owner === owner) && (status === undefined || row.buy.status === status);
    return { rows: rows.filter(isShown), next };
  }
  if (owner === undefined && status === undefined) return cut(await mediaBuys.newest(before, PAGE + 1));
  const page = { limit: PAGE, after: before };
  const lists = await Promise.all(
    (owner === undefined ? owners.slice(0, MAX_OWNERS) : [owner]).map((one) =>
      mediaBuys.list(one, page, { statuses: status === undefined ? undefined : [status] }),
    ),
  );
  return cut(lists.flat().toSorted((one, other) => other.seq - one.seq));
}

function cut(rows: Found['rows']): Found {
  const shown = rows.slice(0, PAGE);
  return { rows: shown, next: rows.length > PAGE ? shown.at(-1)?.seq : undefined };
}

function listOf({ app }: Visit, rows: Found['rows']) {
  return table({
    caption: 'Media buys, newest first',
    empty: 'No media buy is as asked for.',
    rows,
    columns: [
      {
        title: 'Media buy',
        cell: ({ buy }) =>
          html`<a href="${PATH}/${buy.media_buy_id}">${buy.brand.domain}</a><small>${buy.media_buy_id}</small>`,
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
