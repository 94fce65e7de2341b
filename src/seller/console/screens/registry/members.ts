import { type Html, html } from '../../../../platform/web/html.js';
import { isAtLeast } from '../../../domain/console/access.js';
import { buttonForm, type Choice, csrfField, select, textField } from '../../page/forms.js';
import { moreLink, takePage } from '../../page/paging.js';
import { badge, card, instant, table } from '../../page/pieces.js';
import type { ConsolePage, Visit } from '../../visit.js';
import { servedRegistry } from './acts.js';
import { badgesCard } from './badges.js';
import { keyTable } from './keys.js';
import { MEMBERS, organizationPath, registryLinks } from './paths.js';

const PAGE = 100;
const ROLES: readonly Choice[] = [
  ['member', 'Member'],
  ['moderator', 'Moderator'],
  ['admin', 'Admin'],
];
const TIERS: readonly Choice[] = [
  ['api', 'Sees what is for members only'],
  ['basic', 'Sees what is public'],
];

/** Returns the page of all organizations. */
export async function listMembers(visit: Visit): Promise<ConsolePage> {
  const { query, visitor } = visit;
  const rows = await servedRegistry(visit).organizations(query.text('after') ?? '');
  const { next, shown } = takePage(rows, PAGE, ({ org_id }) => org_id);
  const list = table({
    caption: 'Organizations, the oldest first',
    empty: 'Nobody belongs to the registry yet.',
    rows: shown,
    columns: [
      {
        title: 'Organization',
        cell: ({ name, org_id, slug }) => html`<a href="${organizationPath(org_id)}">${name}</a><small>${slug}</small>`,
      },
      { title: 'Tier', cell: ({ tier }) => badge(tier, 'calm') },
      { title: 'Since', cell: ({ created_at }) => instant(created_at) },
    ],
  });
  const form = html`<section class="card spaced" aria-labelledby="new"><h2 id="new">A new organization</h2><form method="post" action="${MEMBERS}/new" class="row">${csrfField(visitor)}${textField('slug', 'Short name', undefined, 'acme')}${textField('name', 'Name', undefined, 'Acme Media')}${select('tier', 'Tier', TIERS, 'api')}<button class="primary">Make it</button></form></section>`;
  return {
    title: 'Members',
    lead: 'Organizations that save entries and enroll agents.',
    actions: registryLinks(visit),
    body: html`${list}${moreLink({ path: MEMBERS, query, field: 'after', next, label: 'Show more' })}${isAtLeast(visitor.role, 'admin') && form}`,
  };
}

/** Returns the page of one organization: its people, keys and agents. */
export async function showOrganization(visit: Visit): Promise<ConsolePage | undefined> {
  const shown = await servedRegistry(visit).organization(visit.params.id ?? '');
  if (shown === undefined) return undefined;
  const { organization } = shown;
  return {
    title: organization.name,
    lead: html`${organization.slug}, ${badge(organization.tier, 'calm')}`,
    actions: registryLinks(visit),
    body: html`${keysCard(visit, shown)}${agentsCard(visit, shown)}${badgesCard(visit, shown)}${peopleCard(visit, shown)}`,
  };
}

type Found = NonNullable<Awaited<ReturnType<NonNullable<Visit['registry']>['organization']>>>;

function keysCard(visit: Visit, { keys, organization: { org_id } }: Found): Html {
  const { visitor } = visit;
  const list = keyTable(visit, { caption: 'Its keys', empty: 'It has no key.', keys });
  const form = html`<form method="post" action="${MEMBERS}/keys/new" class="row">${csrfField(visitor)}<input type="hidden" name="organization" value="${org_id}">${textField('name', 'What it is for', undefined, 'nightly export')}${select('role', 'Role', ROLES, 'member')}${textField('days', 'Days until it ends', undefined, 'none: until it is revoked')}<button>Make a key</button></form>`;
  return card({ id: 'keys', title: 'Keys', body: html`${list}${isAtLeast(visitor.role, 'admin') && form}` });
}

function agentsCard({ visitor }: Visit, { agents, organization: { org_id } }: Found): Html {
  const body = table({
    caption: 'Agents that it enrolled',
    empty: 'It has enrolled no agent.',
    rows: agents,
    columns: [
      { title: 'Agent', cell: ({ agent_url, name }) => html`${name}<small>${agent_url}</small>` },
      { title: 'Type', cell: ({ type }) => type },
      { title: 'Shown to', cell: ({ visibility }) => badge(visibility, 'calm') },
      {
        title: 'Listed',
        cell: ({ agent_url, name }) =>
          buttonForm(visitor, {
            action: `${MEMBERS}/agents/remove`,
            label: 'Take out',
            about: name,
            role: 'admin',
            look: 'danger',
            fields: { organization: org_id, url: agent_url },
          }) || 'yes',
      },
    ],
  });
  return card({ id: 'agents', title: 'Agents', body });
}

function peopleCard({ visitor }: Visit, { members, organization: { org_id } }: Found): Html {
  const list = table({
    caption: 'People who sign in for it',
    empty: 'Nobody signs in for it.',
    rows: members,
    columns: [
      { title: 'Name', cell: ({ name, subject }) => html`${name}<small>${subject}</small>` },
      { title: 'Role', cell: ({ role }) => badge(role, 'calm') },
    ],
  });
  const form = html`<form method="post" action="${MEMBERS}/people" class="row">${csrfField(visitor)}<input type="hidden" name="organization" value="${org_id}">${textField('subject', 'Subject of the identity provider', undefined)}${textField('name', 'Name', undefined)}${select('role', 'Role', ROLES, 'member')}<button>Make a member</button></form>`;
  return card({
    id: 'people',
    title: 'People who sign in',
    body: html`${list}${isAtLeast(visitor.role, 'admin') && form}`,
  });
}
