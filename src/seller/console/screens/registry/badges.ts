import { type Html, html } from '../../../../platform/web/html.js';
import { isAtLeast } from '../../../domain/console/access.js';
import { type Choice, csrfField, select, textField } from '../../page/forms.js';
import { card, instant, table } from '../../page/pieces.js';
import type { ServedRegistry } from '../../served-registry.js';
import type { ConsoleAct, Visit } from '../../visit.js';
import { fieldOf, operate, ownPage, subjectOf } from './acts.js';
import { MEMBERS } from './paths.js';

const MODES: readonly Choice[] = [
  ['spec', 'Storyboards that pass'],
  ['live', 'Traffic that was watched'],
  ['spec,live', 'Both'],
];

type Found = NonNullable<Awaited<ReturnType<ServedRegistry['organization']>>>;

/** Returns the card of the badges of an organization's agents, with the form that gives one. */
export function badgesCard({ visitor }: Visit, { agents, badges, organization: { org_id } }: Found): Html {
  const isAdmin = isAtLeast(visitor.role, 'admin');
  const own = html`${csrfField(visitor)}<input type="hidden" name="organization" value="${org_id}">`;
  const list = table({
    caption: 'Badges of its agents',
    empty: 'No agent of it has a badge.',
    rows: badges.flatMap(({ agent_url, held }) => held.map((one) => ({ agent_url, ...one }))),
    columns: [
      { title: 'Agent', cell: ({ agent_url }) => agent_url },
      { title: 'Badge', cell: ({ adcp_version, role }) => html`${role}<small>${adcp_version ?? ''}</small>` },
      { title: 'Verified', cell: ({ verified_specialisms }) => verified_specialisms.join(', ') },
      { title: 'Since', cell: ({ earned_at }) => (earned_at === undefined ? '–' : instant(earned_at)) },
      {
        title: 'Held',
        cell: ({ agent_url, role }) =>
          isAdmin
            ? html`<form method="post" action="${MEMBERS}/badges/take" class="row">${own}<input type="hidden" name="url" value="${agent_url}"><input type="hidden" name="role" value="${role}">${textField('reason', 'Why', undefined, 'traffic of bots')}<button class="danger">Take back<span class="unseen"> ${role} of ${agent_url}</span></button></form>`
            : 'yes',
      },
    ],
  });
  const urls = agents.map(({ agent_url, name }): Choice => [agent_url, `${name} (${agent_url})`]);
  const form =
    isAdmin &&
    urls.length > 0 &&
    html`<form method="post" action="${MEMBERS}/badges/give" class="row">${own}${select('url', 'Agent', urls, urls[0]?.[0])}${textField('role', 'Protocol', undefined, 'media-buy')}${textField('specialisms', 'Verified specialisms, with commas', undefined, 'sales-guaranteed')}${select('modes', 'It rests on', MODES, 'spec')}<button>Give the badge</button></form>`;
  return card({ id: 'badges', title: 'Badges', body: html`${list}${form}` });
}

const GIVE: ConsoleAct = {
  path: `${MEMBERS}/badges/give`,
  role: 'admin',
  action: 'registry.give_badge',
  subject: subjectOf('url'),
  detail: (visit) => `${fieldOf(visit, 'role')}: ${listOf(visit, 'specialisms').join(', ')}`,
  back: ownPage,
  run: async (visit) => {
    const [url, role] = [fieldOf(visit, 'url'), fieldOf(visit, 'role')];
    const given = listOf(visit, 'specialisms');
    const verified_specialisms = given.length > 0 ? given : [role];
    await operate(visit, 'badges', { url, role, verified_specialisms, verification_modes: listOf(visit, 'modes') });
    return { to: `${ownPage(visit)}#badges`, says: `${url} has the badge for ${role}.` };
  },
};

const TAKE: ConsoleAct = {
  path: `${MEMBERS}/badges/take`,
  role: 'admin',
  action: 'registry.take_badge',
  subject: subjectOf('url'),
  detail: (visit) => `${fieldOf(visit, 'role')}: ${fieldOf(visit, 'reason')}`,
  back: ownPage,
  confirm: async (visit) => ({
    title: 'Take this badge back?',
    says: html`<p>What was signed of the badge for ${fieldOf(visit, 'role')} of ${fieldOf(visit, 'url')} is on the list of revoked ones at once, with why. It can be given again, as another one.</p>`,
    yes: 'Take it back',
  }),
  run: async (visit) => {
    const reason = visit.form.text('reason');
    await operate(visit, 'badges', { url: fieldOf(visit, 'url'), role: fieldOf(visit, 'role'), reason });
    return { to: `${ownPage(visit)}#badges`, says: 'The badge counts no more.' };
  },
};

/** The acts on badges. */
export const BADGE_ACTS: readonly ConsoleAct[] = [GIVE, TAKE];

function listOf(visit: Visit, name: string): readonly string[] {
  return fieldOf(visit, name)
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
