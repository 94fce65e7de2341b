import { html } from '../../../platform/web/html.js';
import { moreLink, readBefore, takePage } from '../page/paging.js';
import { badge } from '../page/pieces.js';
import { ISOLATED, previewPage, previewSlot } from '../preview.js';
import type { PortalPage } from './shell.js';
import type { PortalVisit } from './visit.js';

/** Creatives of a page: each shows its picture. */
const PAGE = 24;

/** Returns the creatives of a buyer in pictures, the newest first. */
export async function listOwnCreatives({ app, home, owner, query }: PortalVisit): Promise<PortalPage> {
  const rows = await app.store.read.creatives.newest({ owner, status: undefined }, readBefore(query), PAGE + 1);
  const { next, shown } = takePage(rows, PAGE, ({ seq }) => seq);
  const tiles = shown.map(
    ({ creative, seq }) =>
      html`<figure class="card tile">${previewSlot(`${home}/creatives/${seq}`, creative.name)}<figcaption><b>${creative.name}</b> ${badge(creative.status)}<small>${creative.creative_id}, ${creative.format_id.id}</small>${creative.rejection_reason !== undefined && html`<small>${creative.rejection_reason}</small>`}</figcaption></figure>`,
  );
  return {
    section: '/creatives',
    title: 'Creatives',
    lead: 'Your library, the newest first.',
    body: html`${tiles.length === 0 ? html`<p class="empty">You sent no creative yet.</p>` : html`<div class="previews">${tiles}</div>`}${moreLink({ path: `${home}/creatives`, query, next })}`,
  };
}

/** Returns how one of the buyer's creatives looks. Undefined of anybody else's. */
export async function showOwnCreative({ app, owner, params }: PortalVisit): Promise<PortalPage | undefined> {
  const seq = /^\d{1,15}$/.exec(params.seq ?? '')?.[0];
  const row = seq === undefined ? undefined : await app.store.read.creatives.findBySeq(Number(seq));
  if (row === undefined || row.owner !== owner) return undefined;
  const { assets, format_id, name } = row.creative;
  const page = await previewPage(app, owner, { manifest: { format_id, assets }, name, sandbox: ISOLATED });
  return { ...page, section: '/creatives' };
}
