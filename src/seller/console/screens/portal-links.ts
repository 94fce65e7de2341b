import { html } from '../../../platform/web/html.js';
import { isAtLeast } from '../../domain/console/access.js';
import { operatePortalLinks } from '../../tasks/people/portal-links.js';
import { buyerName, tenantName } from '../names.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { buttonForm, csrfField, select, textField } from '../page/forms.js';
import { badge, card, instant, table } from '../page/pieces.js';
import type { ConsoleAct, ConsolePage, Visit } from '../visit.js';

const PATH = `${CONSOLE_PATH}/buyers/links`;
const DEFAULT_DAYS = '7';

/** Returns the links by which buyers look at their own things, and the form that makes one. */
export async function listPortalLinks({ app, visitor }: Visit): Promise<ConsolePage> {
  const { links } = await operatePortalLinks(app, visitor.actor, { operation: 'list' });
  const list = table({
    caption: 'Links to the portal, newest first',
    empty: 'No buyer has a link.',
    rows: links,
    columns: [
      {
        title: 'Buyer',
        cell: ({ principal, tenant }) =>
          html`${buyerName(app, tenant, principal)}<small>${tenantName(app, tenant)}</small>`,
      },
      { title: 'State', cell: ({ state }) => badge(state, state === 'open' ? 'good' : 'calm') },
      { title: 'Until', cell: ({ expires_at }) => instant(expires_at) },
      {
        title: 'Made by',
        cell: ({ created_at, created_by }) => html`${created_by}<small>${instant(created_at)}</small>`,
      },
      {
        title: 'Change',
        cell: ({ id, principal, state }) =>
          state === 'open' &&
          buttonForm(visitor, {
            action: `${PATH}/${id}/revoke`,
            label: 'Revoke',
            role: 'operate',
            look: 'danger',
            about: `the link of ${principal}`,
          }),
      },
    ],
  });
  const buyers = [...app.sellers().values()].flatMap(({ callers, tenant }) =>
    callers.map(({ id, name }) => [`${tenant.path}#${id}`, `${name} (${tenant.path})`] as const),
  );
  const form =
    isAtLeast(visitor.role, 'operate') &&
    card({
      id: 'make',
      title: 'A new link',
      body: html`<p class="hint">Whoever has it sees this buyer's buys, creatives and webhooks, and may have webhooks sent again; nothing else.</p><form method="post" action="${PATH}/new" class="row">${csrfField(visitor)}${select('buyer', 'Buyer', buyers, undefined)}${textField('days', 'Days', DEFAULT_DAYS)}<button class="primary">Make a link</button></form>`,
    });
  return {
    title: 'Links to the portal',
    lead: 'By a link a buyer looks at its own things, without a key and without the console.',
    body: html`${form}${card({ id: 'links', title: 'Links', body: list })}`,
  };
}

/** Makes and revokes links of the portal. */
export const PORTAL_ACTS: readonly ConsoleAct[] = [
  {
    path: `${PATH}/new`,
    role: 'operate',
    action: 'portal.new',
    subject: ({ form }) => form.text('buyer') ?? '',
    detail: ({ form }) => `for ${form.text('days') ?? DEFAULT_DAYS} days`,
    back: () => PATH,
    run: makeLink,
  },
  {
    path: `${PATH}/:id/revoke`,
    role: 'operate',
    action: 'portal.revoke',
    subject: ({ params }) => params.id ?? '',
    back: () => PATH,
    run: async ({ app, params, visitor }) => {
      await operatePortalLinks(app, visitor.actor, { operation: 'revoke', id: params.id });
      return { to: PATH, says: 'The link opens nothing any more.' };
    },
  },
];

/** Makes a link and shows it, this once. */
async function makeLink({ app, form, visitor }: Visit): Promise<ConsolePage> {
  const [tenant, principal] = (form.text('buyer') ?? '').split('#', 2);
  const days = Number(form.text('days') ?? DEFAULT_DAYS);
  const { url } = await operatePortalLinks(app, visitor.actor, { operation: 'new', tenant, principal, days });
  return {
    title: 'A new link',
    lead: `For ${principal} at ${tenant}, ${days} days.`,
    body: html`<section class="card"><p>It is shown this once. Whoever has it sees what this buyer has: send it by a way that only the buyer reads.</p><pre tabindex="0">${url}</pre><p><a class="button" href="${PATH}">I have it</a></p></section>`,
  };
}
