import { type Html, html } from '../../../../platform/web/html.js';
import { isAtLeast } from '../../../domain/console/access.js';
import { buttonForm, csrfField, textField } from '../../page/forms.js';
import { moreLink, takePage } from '../../page/paging.js';
import { badge, card, count, relative, table } from '../../page/pieces.js';
import type { ConsolePage, Screen, Visit } from '../../visit.js';
import { REGISTRY_ACTS, servedRegistry } from './acts.js';
import { BADGE_ACTS } from './badges.js';
import { BLOCK_ACTS, listBlocks } from './blocks.js';
import { listEntries, showEntry } from './entries.js';
import { listKeys } from './keys.js';
import { listMembers, showOrganization } from './members.js';
import {
  BLOCKS,
  ENTRIES,
  KEYS,
  MEMBERS,
  organizationPath,
  PUBLISHERS,
  publisherPath,
  REGISTRY_PATH,
  REVIEWS,
  registryLinks,
} from './paths.js';
import { listPublishers, showPublisher } from './publishers.js';
import { listDecided, showReview } from './review.js';

/** Failing publishers of a page. */
const PAGE = 50;

/** The registry that is served beside the tenants: who belongs to it, what it reads, and what waits for a moderator. */
export const REGISTRY: Screen = {
  path: REGISTRY_PATH,
  title: 'Registry',
  isServed: ({ registry }) => registry !== undefined,
  views: [
    { path: REGISTRY_PATH, run: showRegistry },
    { path: REVIEWS, run: listDecided },
    { path: `${REVIEWS}/:id`, run: showReview },
    { path: PUBLISHERS, run: listPublishers },
    { path: `${PUBLISHERS}/:domain`, run: showPublisher },
    { path: ENTRIES, run: listEntries },
    { path: `${ENTRIES}/:kind/:domain`, run: showEntry },
    { path: KEYS, run: listKeys },
    { path: BLOCKS, run: listBlocks },
    { path: MEMBERS, run: listMembers },
    { path: `${MEMBERS}/:id`, run: showOrganization },
  ],
  acts: [...REGISTRY_ACTS, ...BLOCK_ACTS, ...BADGE_ACTS],
};

async function showRegistry(visit: Visit): Promise<ConsolePage> {
  const { failing, organizations, publishers, reviews, visits } = await servedRegistry(visit).overview();
  const figures = [
    ['Members', organizations, MEMBERS],
    ['Publishers', publishers, PUBLISHERS],
    ['Failing crawls', failing, `${REGISTRY_PATH}#failing`],
    ['Failing agents', visits, `${REGISTRY_PATH}#visits`],
    ['For a moderator', reviews, `${REGISTRY_PATH}#reviews`],
  ] as const;
  return {
    title: 'Registry',
    lead: 'What it reads, who belongs to it, and what waits for a moderator.',
    actions: registryLinks(visit),
    body: html`<ul class="figures" aria-label="The registry">${figures.map(
      ([name, value, href]) => html`<li><a href="${href}"><b>${count(value)}</b><span>${name}</span></a></li>`,
    )}</ul>${await waitingReviews(visit)}${await failingCrawls(visit)}${await failingVisits(visit)}${crawlForm(visit)}`,
  };
}

async function waitingReviews(visit: Visit): Promise<Html> {
  const rows = await servedRegistry(visit).reviews();
  const body = table({
    caption: 'Submissions that wait for a moderator, the oldest first',
    empty: 'Nothing waits for a moderator.',
    rows,
    columns: [
      {
        title: 'Submission',
        cell: (one) => html`<a href="${REVIEWS}/${one.review_id}">${one.domain}</a><small>${one.kind}</small>`,
      },
      { title: 'Why', cell: ({ reason }) => reason },
      {
        title: 'From',
        cell: ({ org_id, requested_by }) => html`<a href="${organizationPath(org_id)}">${requested_by}</a>`,
      },
      { title: 'Sent', cell: ({ requested_at }) => relative(requested_at, visit.nowMs) },
    ],
  });
  const decided = html`<p class="more"><a class="button" href="${REVIEWS}">Those that were decided</a></p>`;
  return card({ id: 'reviews', title: 'For a moderator', body: html`${body}${decided}` });
}

async function failingCrawls(visit: Visit): Promise<Html> {
  const { nowMs, query, visitor } = visit;
  const rows = await servedRegistry(visit).failing(query.text('after') ?? '');
  const { next, shown } = takePage(rows, PAGE, ({ domain }) => domain);
  const body = table({
    caption: 'Publishers whose last reading came to nothing',
    empty: 'No publisher that is read here fails.',
    rows: shown,
    columns: [
      {
        title: 'Publisher',
        cell: ({ copy_counts, domain }) =>
          html`<a href="${publisherPath(domain)}">${domain}</a>${copy_counts && html`<small>its last good copy counts</small>`}`,
      },
      { title: 'Why', cell: ({ fix, message }) => html`${message}<small>${fix}</small>` },
      { title: 'In a row', isNumber: true, cell: ({ failures }) => count(failures) },
      {
        title: 'Read last',
        cell: ({ read_at }) => (read_at === null ? badge('never', 'bad') : relative(read_at, nowMs)),
      },
      { title: 'Again', cell: ({ next_attempt_at }) => relative(next_attempt_at, nowMs) },
      {
        title: 'Now',
        cell: ({ domain }) =>
          buttonForm(visitor, {
            action: `${REGISTRY_PATH}/crawl`,
            label: 'Read again',
            about: domain,
            role: 'operate',
            fields: { domains: domain },
          }),
      },
    ],
  });
  const more = moreLink({ path: REGISTRY_PATH, query, field: 'after', next, label: 'Show more', part: '#failing' });
  return card({ id: 'failing', title: 'Failing crawls', body: html`${body}${more}` });
}

async function failingVisits(visit: Visit): Promise<Html> {
  const { nowMs, query, visitor } = visit;
  const rows = await servedRegistry(visit).failingVisits(query.text('behind') ?? '');
  const { next, shown } = takePage(rows, PAGE, ({ agent_url }) => agent_url);
  const body = table({
    caption: 'Agents of members whose last visit came to nothing',
    empty: 'No agent that members enrolled fails.',
    rows: shown,
    columns: [
      {
        title: 'Agent',
        cell: ({ agent_url, name, org_id }) =>
          html`<a href="${organizationPath(org_id)}">${name}</a><small>${agent_url}</small>`,
      },
      { title: 'Why', cell: ({ fix, message }) => html`${message}<small>${fix}</small>` },
      { title: 'In a row', isNumber: true, cell: ({ failures }) => count(failures) },
      {
        title: 'Answered last',
        cell: ({ read_at }) => (read_at === null ? badge('never', 'bad') : relative(read_at, nowMs)),
      },
      { title: 'Again', cell: ({ next_attempt_at }) => relative(next_attempt_at, nowMs) },
      {
        title: 'Now',
        cell: ({ agent_url, name }) =>
          buttonForm(visitor, {
            action: `${REGISTRY_PATH}/visit`,
            label: 'Visit again',
            about: name,
            role: 'operate',
            fields: { url: agent_url },
          }),
      },
    ],
  });
  const more = moreLink({ path: REGISTRY_PATH, query, field: 'behind', next, label: 'Show more', part: '#visits' });
  return card({ id: 'visits', title: 'Failing agents', body: html`${body}${more}` });
}

function crawlForm({ visitor }: Visit) {
  if (!isAtLeast(visitor.role, 'operate')) return false;
  return html`<section class="card spaced" aria-labelledby="crawl"><h2 id="crawl">Read publishers</h2><p class="hint">With the next round, known or not; a thousand at most.</p><form method="post" action="${REGISTRY_PATH}/crawl" class="row">${csrfField(visitor)}${textField('domains', 'Domains, with commas', undefined, 'news.example, sports.example')}<button class="primary">Read</button></form></section>`;
}
