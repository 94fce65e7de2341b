import { isoTime } from '../../../../platform/kernel/clock.js';
import { html } from '../../../../platform/web/html.js';
import { pluralize } from '../../../../platform/web/humanize.js';
import { buttonForm, textField } from '../../page/forms.js';
import { filterForm, moreLink, takePage } from '../../page/paging.js';
import { badge, card, facts, instant, relative, table } from '../../page/pieces.js';
import type { CrawledPublisher } from '../../served-registry.js';
import type { ConsolePage, Visit } from '../../visit.js';
import { servedRegistry } from './acts.js';
import { PUBLISHERS, publisherPath, REGISTRY_PATH, registryLinks } from './paths.js';

const PAGE = 100;

/** Returns the page of all publishers that are known, by their domains. */
export async function listPublishers(visit: Visit): Promise<ConsolePage> {
  const { nowMs, query } = visit;
  const rows = await servedRegistry(visit).publishers((query.text('from') ?? '').toLowerCase(), PAGE + 1);
  const { next, shown } = takePage(rows, PAGE, (_, following) => following.domain);
  const list = table({
    caption: 'Publishers, by their domains',
    empty: 'No publisher is known from there on.',
    rows: shown,
    columns: [
      { title: 'Publisher', cell: ({ domain }) => html`<a href="${publisherPath(domain)}">${domain}</a>` },
      { title: 'State', cell: stateBadge },
      { title: 'File', cell: ({ kept }) => kept?.url ?? '–' },
      { title: 'Findings', cell: ({ findings }) => findingsText(findings) },
      { title: 'Read last', cell: ({ readAt }) => (readAt === 0 ? 'never' : relative(isoTime(readAt), nowMs)) },
      { title: 'Again', cell: ({ dueAt }) => relative(isoTime(dueAt), nowMs) },
    ],
  });
  const fields = textField('from', 'From this domain on', query.text('from'), 'news.example');
  return {
    title: 'Publishers',
    lead: 'What the registry found at each, the last time it looked.',
    actions: registryLinks(visit),
    body: html`${filterForm({ path: PUBLISHERS, fields })}<div id="results">${list}${moreLink({ path: PUBLISHERS, query, field: 'from', next, label: 'Show more' })}</div>`,
  };
}

function stateBadge({ failures, kept, readAt, revokedAt }: CrawledPublisher) {
  if (revokedAt !== undefined) return badge('revoked', 'bad');
  if (failures > 0) return badge(kept === undefined ? 'failing' : 'failing, last copy counts', 'bad');
  return readAt === 0 ? badge('not read yet', 'wait') : badge('read', 'good');
}

function findingsText({ errors, warnings }: CrawledPublisher['findings']): string {
  if (errors + warnings === 0) return 'none';
  return `${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}`;
}

/** Returns the page of one publisher, with who sells something of it. */
export async function showPublisher(visit: Visit): Promise<ConsolePage | undefined> {
  const { nowMs, params, visitor } = visit;
  const shown = await servedRegistry(visit).publisher(params.domain ?? '');
  if (shown === undefined) return undefined;
  const { sellers, state } = shown;
  const { attemptedAt, domain, dueAt, failures, findings, kept, message, namedBy, readAt } = state;
  return {
    title: domain,
    lead: html`${stateBadge(state)} ${failures > 0 && message}`,
    actions: html`${buttonForm(visitor, { action: `${REGISTRY_PATH}/crawl`, label: 'Read again', role: 'operate', look: 'primary', fields: { domains: domain, from: 'publisher' } })}${registryLinks(visit)}`,
    body: html`<div class="columns"><div>${card({
      id: 'sellers',
      title: 'Who sells something of it',
      body: table({
        caption: 'Agents that sell something of it',
        empty: 'Nobody does, by its file.',
        rows: sellers,
        columns: [{ title: 'Agent', cell: (url) => url }],
      }),
    })}</div><div>${card({
      id: 'facts',
      title: 'Its file',
      body: facts([
        ['Address', kept?.url],
        ['Manager', kept?.managerDomain],
        ['Named by', namedBy],
        ['Findings', findingsText(findings)],
        ['Failures in a row', failures > 0 && String(failures)],
        ['Read last', readAt > 0 && instant(isoTime(readAt))],
        ['Tried last', attemptedAt > 0 && instant(isoTime(attemptedAt))],
        ['Again', relative(isoTime(dueAt), nowMs)],
      ]),
    })}</div></div>`,
  };
}
