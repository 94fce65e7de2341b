import { html } from '../../../platform/web/html.js';
import { CREATIVE_STATUSES } from '../../domain/creative/creative.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { OwnedCreative } from '../../store/creatives/rows.js';
import { choosePreview } from '../../tasks/task/waiting-creatives.js';
import { ownerName, tenantName } from '../names.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { type Choice, select } from '../page/forms.js';
import { filterForm, moreLink, readBefore, takePage } from '../page/paging.js';
import { badge, card, facts, instant, table } from '../page/pieces.js';
import { previewPage, previewSlot } from '../preview.js';
import type { ConsolePage, Screen, Visit } from '../visit.js';

const PATH = `${CONSOLE_PATH}/creatives`;
/** Creatives of a page: each shows its picture. */
const PAGE = 24;
const MAX_USES = 50;

/** The library of every buyer, with where each creative runs. */
export const CREATIVES: Screen = {
  path: PATH,
  title: 'Creatives',
  views: [
    { path: PATH, run: listCreatives },
    { path: `${PATH}/:seq`, run: showCreative },
    { path: `${PATH}/:seq/preview`, run: showPreview },
  ],
  acts: [],
};

async function listCreatives({ app, query }: Visit): Promise<ConsolePage> {
  const owners = await app.store.read.creatives.owners();
  const owner = query.text('buyer');
  const status = CREATIVE_STATUSES.find((one) => one === query.text('status'));
  const rows = await app.store.read.creatives.newest({ owner, status }, readBefore(query), PAGE + 1);
  const { next, shown } = takePage(rows, PAGE, ({ seq }) => seq);
  const cards = shown.map(
    ({ creative, owner: whose, seq }) =>
      html`<figure class="card tile">${previewSlot(`${PATH}/${seq}/preview`, creative.name)}<figcaption><a href="${PATH}/${seq}"><b>${creative.name}</b></a> ${badge(creative.status)}<small>${ownerName(app, whose)}, ${creative.format_id.id}</small></figcaption></figure>`,
  );
  const buyers = owners.map((one): Choice => [one, `${ownerName(app, one)} (${readOwner(one).tenant})`]);
  const states = CREATIVE_STATUSES.map((one): Choice => [one, one.replaceAll('_', ' ')]);
  const fields = html`${select('status', 'State', [['', 'Every state'], ...states], status)}${select('buyer', 'Buyer', [['', 'Every buyer'], ...buyers], owner)}`;
  return {
    title: 'Creatives',
    lead: 'What buyers sent, the newest first.',
    body: html`${filterForm({ path: PATH, fields })}<div id="results">${cards.length === 0 ? html`<p class="empty">No creative matches this.</p>` : html`<div class="previews">${cards}</div>`}${moreLink({ path: PATH, query, next })}</div>`,
  };
}

async function findCreative({ app, params }: Visit): Promise<OwnedCreative | undefined> {
  const seq = /^\d{1,15}$/.exec(params.seq ?? '')?.[0];
  return seq === undefined ? undefined : app.store.read.creatives.findBySeq(Number(seq));
}

async function showCreative(visit: Visit): Promise<ConsolePage | undefined> {
  const owned = await findCreative(visit);
  if (owned === undefined) return undefined;
  const { app } = visit;
  const { creative, owner, seq } = owned;
  const filter = { creativeIds: [creative.creative_id], accountId: creative.account_id };
  const uses = await app.store.read.creatives.uses(owner, { limit: MAX_USES, after: undefined }, filter);
  const list = table({
    caption: 'Media buys that it is or was in',
    empty: 'It was in no media buy.',
    rows: uses,
    columns: [
      {
        title: 'Media buy',
        cell: ({ media_buy_id }) => html`<a href="${CONSOLE_PATH}/buys/${media_buy_id}">${media_buy_id}</a>`,
      },
    ],
  });
  const isWaiting = creative.status === 'pending_review' || creative.status === 'processing';
  return {
    title: creative.name,
    lead: html`${badge(creative.status)} ${creative.creative_id}`,
    actions: html`${isWaiting && html`<a class="button" href="${CONSOLE_PATH}/approvals/creative-${seq}.${creative.version}">Decide about it</a>`}`,
    body: html`<div class="columns"><div>${card({ id: 'look', title: 'How it looks', body: previewSlot(`${PATH}/${seq}/preview`, creative.name) })}${card({ id: 'uses', title: 'Where it is used', body: list })}</div><div>${card(
      {
        id: 'facts',
        title: 'The creative',
        body: facts([
          ['Buyer', ownerName(app, owner)],
          ['Tenant', tenantName(app, readOwner(owner).tenant)],
          ['Account', creative.account_id],
          ['Format', creative.format_id.id],
          ['Shows', choosePreview(creative)],
          ['Tags', creative.tags.join(', ')],
          ['Rejected', creative.rejection_reason],
          ['Sent', instant(creative.created_date)],
          ['Changed', instant(creative.updated_date)],
        ]),
      },
    )}</div></div>`,
  };
}

async function showPreview(visit: Visit): Promise<ConsolePage | undefined> {
  const owned = await findCreative(visit);
  if (owned === undefined) return undefined;
  const { assets, format_id, name } = owned.creative;
  return previewPage(visit.app, owned.owner, { manifest: { format_id, assets }, name });
}
