import { AppError } from '../../../../platform/kernel/errors.js';
import { html } from '../../../../platform/web/html.js';
import { pluralize } from '../../../../platform/web/humanize.js';
import { TaskError } from '../../../../protocol/errors.js';
import { memberOf, readIssue } from '../../../../registry/model/refusals.js';
import { textField } from '../../page/forms.js';
import { badge } from '../../page/pieces.js';
import type { ServedRegistry } from '../../served-registry.js';
import type { Asked, ConsoleAct, ConsolePage, Visit } from '../../visit.js';
import { ENTRIES, entryPath, KEYS, MEMBERS, organizationPath, publisherPath, REGISTRY_PATH, REVIEWS } from './paths.js';

/** Returns the registry that is served. Throws INVALID_STATE where none is. */
export function servedRegistry({ registry }: Pick<Visit, 'registry'>): ServedRegistry {
  if (registry !== undefined) return registry;
  throw new TaskError('INVALID_STATE', 'No registry is served here.', {
    suggestion: 'Start the seller with "serve --registry".',
  });
}

/** Returns a field of a form; empty where it has none. */
export const fieldOf = ({ form }: Asked, name: string): string => form.text(name) ?? '';
/** Returns what finds the subject of an act in a field of its form. */
export const subjectOf =
  (name: string): ConsoleAct['subject'] =>
  (visit) =>
    fieldOf(visit, name);
/** Returns the page of the organization that a form is of. */
export const ownPage = (asked: Asked): string => organizationPath(fieldOf(asked, 'organization'));

/** Calls an admin route of the registry, which the command line calls too. Throws its refusal in the words of the form. */
export async function operate(visit: Visit, route: string, body: object): Promise<object> {
  try {
    return await servedRegistry(visit).operate({ path: `/api/admin/${route}`, body });
  } catch (thrown) {
    const issue = thrown instanceof AppError ? readIssue(thrown.extras.details ?? {}) : undefined;
    if (issue === undefined) throw thrown;
    const { message, suggestion } = issue;
    const label = LABELS[memberOf(issue)] ?? memberOf(issue);
    throw new TaskError('INVALID_REQUEST', `${label === '' ? 'The form' : `"${label}"`} ${message}`, { suggestion });
  }
}

/** What forms call the members of requests. */
const LABELS: Readonly<Record<string, string>> = {
  domains: 'Domains, with commas',
  expires_in_days: 'Days until it ends',
  name: 'Name',
  reason: 'Why',
  role: 'Role',
  slug: 'Short name',
  specialisms: 'Verified specialisms, with commas',
  subject: 'Subject of the identity provider',
};

const CRAWL: ConsoleAct = {
  path: `${REGISTRY_PATH}/crawl`,
  role: 'operate',
  action: 'registry.crawl',
  subject: (visit) => domainsOf(visit).join(', '),
  back: crawlPage,
  run: async (visit) => {
    const domains = domainsOf(visit);
    await operate(visit, 'crawls', { domains });
    return {
      to: crawlPage(visit),
      says: `${pluralize(domains.length, 'publisher')} will be read with the next round.`,
    };
  },
};

/** Returns the page that publishers are read from: the one of the publisher itself, or the overview. */
function crawlPage(asked: Asked): string {
  return fieldOf(asked, 'from') === 'publisher' ? publisherPath(fieldOf(asked, 'domains')) : REGISTRY_PATH;
}

function domainsOf(visit: Asked): readonly string[] {
  return fieldOf(visit, 'domains')
    .split(/[\s,]+/)
    .filter((name) => name !== '');
}

const DECIDE: ConsoleAct = {
  path: `${REVIEWS}/:id`,
  role: 'operate',
  action: 'registry.decide_review',
  subject: ({ params }) => params.id ?? '',
  detail: (visit) => [fieldOf(visit, 'decision'), visit.form.text('reason') ?? []].flat().join(': '),
  back: ({ params }) => `${REVIEWS}/${params.id}`,
  confirm: async (visit) => {
    const shown = await servedRegistry(visit).review(visit.params.id ?? '');
    if (shown === undefined) return undefined;
    const { domain, kind } = shown.review;
    const isApproval = fieldOf(visit, 'decision') === 'approve';
    return {
      title: isApproval ? 'Approve this submission?' : 'Reject this submission?',
      says: isApproval
        ? html`<p>What was sent becomes the ${kind} of ${domain}, and everybody who asks the registry sees it.</p>`
        : html`<p>${domain} stays as it is. Whoever sent it may send another one.</p>`,
      field: textField('reason', 'Why', undefined, 'For those who read the decision later'),
      yes: isApproval ? 'Approve it' : 'Reject it',
    };
  },
  run: async (visit) => {
    const { params } = visit;
    const [decision, reason] = [fieldOf(visit, 'decision'), visit.form.text('reason')];
    await operate(visit, 'reviews/decide', { review_id: params.id, decision, reason });
    const isApproval = fieldOf(visit, 'decision') === 'approve';
    const shown = await servedRegistry(visit).review(params.id ?? '');
    const subject = shown === undefined ? 'The submission' : `The ${shown.review.kind} of ${shown.review.domain}`;
    return { to: `${REGISTRY_PATH}#reviews`, says: `${subject} is ${isApproval ? 'approved' : 'rejected'}.` };
  },
};

const VISIT: ConsoleAct = {
  path: `${REGISTRY_PATH}/visit`,
  role: 'operate',
  action: 'registry.visit_agent',
  subject: subjectOf('url'),
  back: () => REGISTRY_PATH,
  run: async (visit) => {
    const url = fieldOf(visit, 'url');
    await operate(visit, 'visits', { url });
    return { to: `${REGISTRY_PATH}#visits`, says: `${url} will be visited with the next round.` };
  },
};

const ownEntry = ({ params }: Asked): string => entryPath(params.kind ?? '', params.domain ?? '');

const ROLL_BACK: ConsoleAct = {
  path: `${ENTRIES}/:kind/:domain`,
  role: 'operate',
  action: 'registry.roll_back',
  subject: ({ params }) => `${params.kind} ${params.domain}`,
  detail: (visit) => `to revision ${fieldOf(visit, 'revision')}`,
  back: ownEntry,
  confirm: async (visit) => ({
    title: `Roll back to revision ${fieldOf(visit, 'revision')}?`,
    says: html`<p>${visit.params.domain} becomes what it was then, as a new revision, and everybody who asks the registry sees it. The revisions since stay in its history.</p>`,
    yes: 'Roll back',
  }),
  run: async (visit) => {
    const { domain, kind } = visit.params;
    const revision_number = Number(fieldOf(visit, 'revision'));
    await operate(visit, 'rollback', { kind, domain, revision_number });
    return { to: ownEntry(visit), says: `It is what it was at revision ${revision_number}.` };
  },
};

const NEW_ORGANIZATION: ConsoleAct = {
  path: `${MEMBERS}/new`,
  role: 'admin',
  action: 'registry.create_organization',
  subject: subjectOf('slug'),
  detail: (visit) => fieldOf(visit, 'name'),
  back: () => MEMBERS,
  run: async (visit) => {
    const [slug, name] = [fieldOf(visit, 'slug'), fieldOf(visit, 'name')];
    await operate(visit, 'organizations', { slug, name: name === '' ? slug : name, tier: fieldOf(visit, 'tier') });
    return { to: MEMBERS, says: `${slug} is a member.` };
  },
};

const PUT_MEMBER: ConsoleAct = {
  path: `${MEMBERS}/people`,
  role: 'admin',
  action: 'registry.put_member',
  subject: subjectOf('organization'),
  detail: (visit) => `${fieldOf(visit, 'subject')} as ${fieldOf(visit, 'role')}`,
  back: ownPage,
  run: async (visit) => {
    const subject = fieldOf(visit, 'subject');
    const [organization, name, role] = [
      fieldOf(visit, 'organization'),
      visit.form.text('name'),
      fieldOf(visit, 'role'),
    ];
    await operate(visit, 'members', { organization, subject, name, role });
    return { to: ownPage(visit), says: `${name ?? subject} is ${role}.` };
  },
};

const NEW_KEY: ConsoleAct = {
  path: `${MEMBERS}/keys/new`,
  role: 'admin',
  action: 'registry.create_key',
  subject: subjectOf('organization'),
  detail: (visit) => `${fieldOf(visit, 'name')} as ${fieldOf(visit, 'role')}`,
  back: ownPage,
  run: makeKey,
};

/** Makes a key of an organization and shows it, this once. */
async function makeKey(visit: Visit): Promise<ConsolePage> {
  const [organization, name, role] = [fieldOf(visit, 'organization'), visit.form.text('name'), fieldOf(visit, 'role')];
  const days = visit.form.text('days');
  const expires_in_days = days === undefined ? undefined : Number(days);
  const made = await operate(visit, 'keys', { organization, name, role, expires_in_days });
  const token = 'token' in made ? String(made.token) : '';
  return {
    title: 'A new key',
    lead: html`${badge(role, 'calm')} ${name ?? ''}`,
    body: html`<section class="card"><p>It is shown this once; the registry has its hash alone. Hand it over by a way that only its owner reads.</p><pre tabindex="0">${token}</pre><p><a class="button" href="${ownPage(visit)}">I have it</a></p></section>`,
  };
}

/** Returns the page that a key is revoked from: of all keys where the form is of no organization. */
const keyPage = (asked: Asked): string => (fieldOf(asked, 'organization') === '' ? KEYS : ownPage(asked));

const REVOKE_KEY: ConsoleAct = {
  path: `${MEMBERS}/keys/revoke`,
  role: 'admin',
  action: 'registry.revoke_key',
  subject: subjectOf('key'),
  back: keyPage,
  confirm: async (visit) => ({
    title: 'Revoke this key?',
    says: html`<p>Whoever calls with ${fieldOf(visit, 'key')} is a stranger from the next call on. This cannot be undone; a new key can be made.</p>`,
    yes: 'Revoke it',
  }),
  run: async (visit) => {
    await operate(visit, 'keys/revoke', { key_id: fieldOf(visit, 'key') });
    return { to: keyPage(visit), says: 'The key is revoked.' };
  },
};

const REMOVE_AGENT: ConsoleAct = {
  path: `${MEMBERS}/agents/remove`,
  role: 'admin',
  action: 'registry.remove_agent',
  subject: subjectOf('url'),
  back: ownPage,
  confirm: async (visit) => ({
    title: 'Take this agent out of the catalog?',
    says: html`<p>${fieldOf(visit, 'url')} is not listed any more. Its organization may enroll it again.</p>`,
    yes: 'Take it out',
  }),
  run: async (visit) => {
    await operate(visit, 'agents/remove', { url: fieldOf(visit, 'url') });
    return { to: ownPage(visit), says: 'It is out of the catalog.' };
  },
};

/** Everything that people do at a registry here. */
export const REGISTRY_ACTS: readonly ConsoleAct[] = [
  CRAWL,
  VISIT,
  DECIDE,
  ROLL_BACK,
  NEW_ORGANIZATION,
  PUT_MEMBER,
  NEW_KEY,
  REVOKE_KEY,
  REMOVE_AGENT,
];
