import { type Html, html } from '../../../platform/web/html.js';
import { humanizeDate } from '../../../platform/web/humanize.js';
import { PORTAL_PATH } from '../../tasks/people/portal-links.js';
import { documentPage } from '../page/shell.js';
import type { ConsolePage } from '../visit.js';
import type { PortalVisit } from './visit.js';

/** The pages of the navigation: below the portal's address, and their names. */
const PAGES = [
  ['', 'Media buys'],
  ['/creatives', 'Creatives'],
  ['/webhooks', 'Webhooks'],
] as const;

/** A page of the portal: which of the navigation it belongs to, and what the last act said. */
export type PortalPage = ConsolePage & {
  readonly section: (typeof PAGES)[number][0];
  readonly says?: string | undefined;
};

/** Returns a page of the portal with the navigation around it. */
export function portalPage(page: PortalPage, { buyer, home, link, seller }: PortalVisit): string {
  const { actions, body, lead, says, title } = page;
  const links = PAGES.map(([path, name]) =>
    path === page.section
      ? html`<li><a href="${home}${path}" aria-current="page">${name}</a></li>`
      : html`<li><a href="${home}${path}">${name}</a></li>`,
  );
  return documentPage({
    assets: PORTAL_PATH,
    title: `${title} – ${seller.tenant.name}`,
    hasChart: page.hasChart,
    body: html`<a class="skip" href="#content">Skip to the content</a>
<div class="frame">
<aside class="side">
<div class="brand"><a href="${home}"><span class="mark" aria-hidden="true"></span><span>${seller.tenant.name}</span></a></div>
<input type="checkbox" id="menu" class="menu-switch" aria-label="Show the menu"><label for="menu" class="menu-label" aria-hidden="true">Menu</label>
<div class="menu"><nav aria-label="Portal"><ul>${links}</ul></nav>
<div class="who"><p><b>${buyer}</b><small>until ${humanizeDate(link.expires_at)}</small></p></div></div>
</aside>
<main id="content" tabindex="-1">
<header class="head"><div><h1>${title}</h1>${lead !== undefined && html`<p class="lead">${lead}</p>`}</div>${actions !== undefined && html`<div class="actions">${actions}</div>`}</header>
${says !== undefined && html`<p class="notice good" role="status">${says}</p>`}
${body}
</main></div>`,
  });
}

/** Returns a page for who has no open link, or where nothing is. */
export function closedPage(title: string, body: Html): string {
  return documentPage({
    assets: PORTAL_PATH,
    title,
    body: html`<main class="bare" id="content"><h1>${title}</h1>${body}</main>`,
  });
}
