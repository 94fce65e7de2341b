import { type Html, html } from '../../../../platform/web/html.js';
import { isAtLeast } from '../../../domain/console/access.js';
import { type Choice, csrfField, select, textField } from '../../page/forms.js';
import { moreLink, takePage } from '../../page/paging.js';
import { badge, card, instant, table } from '../../page/pieces.js';
import type { ConsoleAct, ConsolePage, Question, Visit } from '../../visit.js';
import { fieldOf, operate, servedRegistry } from './acts.js';
import { BLOCKS, registryLinks } from './paths.js';

const PAGE = 100;
const KINDS: readonly Choice[] = [
  ['domain', 'Domain'],
  ['agent', 'Agent, by its URL'],
  ['organization', 'Member organization'],
  ['member', 'Person who signs in, by the subject'],
];

/** Returns the page of what is kept out, what was removed for good and what is under a legal hold. */
export async function listBlocks(visit: Visit): Promise<ConsolePage> {
  return {
    title: 'Blocks and holds',
    lead: 'What is kept out of the registry, what was removed for good, and whose records may not be removed.',
    actions: registryLinks(visit),
    body: html`${await blockedCard(visit)}${await holdsCard(visit)}${newForms(visit)}`,
  };
}

async function blockedCard(visit: Visit): Promise<Html> {
  const { query } = visit;
  const rows = await servedRegistry(visit).blocked(query.text('after') ?? '');
  const { next, shown } = takePage(rows, PAGE, ({ kind, name }) => `${kind}:${name}`);
  const list = table({
    caption: 'Kept out, by kind and name',
    empty: 'Nothing is kept out.',
    rows: shown,
    columns: [
      { title: 'What', cell: ({ kind, name }) => html`${name}<small>${kind}</small>` },
      { title: 'Why', cell: ({ blocked_by, reason }) => html`${reason}<small>${blocked_by}</small>` },
      { title: 'Since', cell: ({ blocked_at }) => instant(blocked_at) },
      {
        title: 'State',
        cell: ({ removed_at }) => (removed_at === undefined ? badge('kept out', 'wait') : badge('removed', 'bad')),
      },
      {
        title: 'Let in',
        cell: ({ kind, name }) => ownForm(visit, { path: 'end', role: 'operate', label: 'Let in again', kind, name }),
      },
    ],
  });
  const more = moreLink({ path: BLOCKS, query, field: 'after', next, label: 'Show more' });
  return card({ id: 'blocked', title: 'Kept out', body: html`${list}${more}` });
}

async function holdsCard(visit: Visit): Promise<Html> {
  const body = table({
    caption: 'Under a legal hold, by kind and name',
    empty: 'Nothing is under a hold.',
    rows: await servedRegistry(visit).holds(),
    columns: [
      { title: 'What', cell: ({ kind, name }) => html`${name}<small>${kind}</small>` },
      { title: 'Why', cell: ({ held_by, reason }) => html`${reason}<small>${held_by}</small>` },
      { title: 'Since', cell: ({ held_at }) => instant(held_at) },
      {
        title: 'Ended',
        cell: ({ kind, name }) =>
          ownForm(visit, { path: 'release', role: 'admin', label: 'End the hold', kind, name, isReasoned: true }),
      },
    ],
  });
  return card({ id: 'holds', title: 'Legal holds', body });
}

/** A form about one row: where it goes, who may send it, and whether it asks why. */
type OwnForm = Readonly<Record<'path' | 'label' | 'kind' | 'name', string>> & {
  readonly role: 'operate' | 'admin';
  readonly isReasoned?: boolean;
};

function ownForm({ visitor }: Visit, { isReasoned = false, kind, label, name, path, role }: OwnForm): Html | string {
  if (!isAtLeast(visitor.role, role)) return '–';
  const why = isReasoned && textField('reason', 'Why', undefined, 'the case is settled');
  return html`<form method="post" action="${BLOCKS}/${path}" class="row">${csrfField(visitor)}<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="name" value="${name}">${why}<button>${label}<span class="unseen"> ${name}</span></button></form>`;
}

function newForms({ visitor }: Visit): Html {
  const form = (path: string, label: string, look: string): Html =>
    html`<form method="post" action="${BLOCKS}/${path}" class="row">${csrfField(visitor)}${select('kind', 'What', KINDS, 'domain')}${textField('name', 'Name', undefined, 'news.example')}${textField('reason', 'Why', undefined, 'court order 7')}<button class="${look}">${label}</button></form>`;
  const block = isAtLeast(visitor.role, 'operate') && [
    html`<p class="hint">What is blocked is hidden, with its history, and shown again as it was when it is let in.</p>`,
    form('add', 'Keep it out', ''),
  ];
  const remove = isAtLeast(visitor.role, 'admin') && [
    html`<p class="hint">What is removed for good is kept out, and what is stored of it goes.</p>`,
    form('remove', 'Remove it for good', 'danger'),
    html`<p class="hint">What is under a legal hold cannot be removed by anybody, and no retention clears it.</p>`,
    form('hold', 'Put it under a hold', ''),
  ];
  return html`${block && card({ id: 'new', title: 'Keep out, remove or hold', body: html`${block}${remove}` })}`;
}

/** One of the acts, as the table below has it. */
type BlockAct = {
  readonly path: string;
  readonly role: ConsoleAct['role'];
  readonly action: string;
  readonly route: string;
  readonly says: (name: string) => string;
  readonly asks?: (name: string) => Question;
};

const ACTS: readonly BlockAct[] = [
  {
    path: 'add',
    role: 'operate',
    action: 'registry.block',
    route: 'blocked',
    says: (name) => `${name} is kept out.`,
    asks: (name) => ({
      title: 'Keep this out?',
      says: html`<p>${name} goes from every list and look-up, and is refused with your reason until it is let in again.</p>`,
      yes: 'Keep it out',
    }),
  },
  {
    path: 'end',
    role: 'operate',
    action: 'registry.unblock',
    route: 'blocked/end',
    says: (name) => `${name} may come in again.`,
  },
  {
    path: 'remove',
    role: 'admin',
    action: 'registry.remove',
    route: 'removed',
    says: (name) => `${name} is removed for good.`,
    asks: (name) => ({
      title: 'Remove this for good?',
      says: html`<p>What is stored of ${name} goes, with its history, and nothing brings it back until it is let in again. This cannot be undone.</p>`,
      yes: 'Remove it for good',
    }),
  },
  {
    path: 'hold',
    role: 'admin',
    action: 'registry.hold',
    route: 'holds',
    says: (name) => `The records of ${name} stay.`,
  },
  {
    path: 'release',
    role: 'admin',
    action: 'registry.end_hold',
    route: 'holds/end',
    says: (name) => `${name} is under no hold any more.`,
    asks: (name) => ({
      title: 'End this hold?',
      says: html`<p>The records of ${name} may be removed again, and what is over is cleared with the next rounds.</p>`,
      yes: 'End the hold',
    }),
  },
];

/** The acts on what is kept out, removed or held. */
export const BLOCK_ACTS: readonly ConsoleAct[] = ACTS.map(({ action, asks, path, role, route, says }) => ({
  path: `${BLOCKS}/${path}`,
  role,
  action,
  subject: (visit) => `${fieldOf(visit, 'kind')} ${fieldOf(visit, 'name')}`,
  detail: (visit) => fieldOf(visit, 'reason'),
  back: () => BLOCKS,
  confirm: async (visit) => asks?.(fieldOf(visit, 'name')),
  run: async (visit) => {
    const name = fieldOf(visit, 'name');
    await operate(visit, route, { kind: fieldOf(visit, 'kind'), name, reason: fieldOf(visit, 'reason') });
    return { to: BLOCKS, says: says(name) };
  },
}));
