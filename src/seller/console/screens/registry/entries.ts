import { type Html, html } from '../../../../platform/web/html.js';
import { buttonForm } from '../../page/forms.js';
import { moreLink, readBefore, takePage } from '../../page/paging.js';
import { badge, card, count, facts, instant, table } from '../../page/pieces.js';
import type { EntryPage } from '../../served-registry.js';
import type { ConsolePage, Visit } from '../../visit.js';
import { servedRegistry } from './acts.js';
import { ENTRIES, entryPath, organizationPath, registryLinks } from './paths.js';

const PAGE = 100;
/** Revisions of a page: each may be as large as a body. */
const REVISIONS = 20;

/** Returns the page of all entries that members saved. */
export async function listEntries(visit: Visit): Promise<ConsolePage> {
  const { query } = visit;
  const rows = await servedRegistry(visit).entries(query.text('after') ?? '');
  const { next, shown } = takePage(rows, PAGE, ({ domain, kind }) => `${kind}:${domain}`);
  const list = table({
    caption: 'Entries, brands before properties, by their domains',
    empty: 'Nobody saved anything from there on.',
    rows: shown,
    columns: [
      { title: 'Entry', cell: ({ domain, kind }) => html`<a href="${entryPath(kind, domain)}">${domain}</a>` },
      { title: 'Kind', cell: ({ kind }) => badge(kind, 'calm') },
      { title: 'Revision', isNumber: true, cell: ({ revision_number }) => count(revision_number) },
      { title: 'Changed', cell: ({ updated_at }) => instant(updated_at) },
    ],
  });
  return {
    title: 'Entries',
    lead: 'Brands and properties that members saved, each with its history.',
    actions: registryLinks(visit),
    body: html`${list}${moreLink({ path: ENTRIES, query, field: 'after', next, label: 'Show more' })}`,
  };
}

/** Returns the page of one entry: what it is, and what it was. */
export async function showEntry(visit: Visit): Promise<ConsolePage | undefined> {
  const { params, query } = visit;
  const registry = servedRegistry(visit);
  const offset = readBefore(query) ?? 0;
  const shown = await registry.entry(params.kind ?? '', params.domain ?? '', { limit: REVISIONS + 1, offset });
  if (shown === undefined) return undefined;
  const { entry, hasOwnFile, organization } = shown;
  return {
    title: entry.domain,
    lead: html`${badge(entry.kind, 'calm')} ${hasOwnFile && 'Its own file speaks for it, so that nothing that was saved here counts.'}`,
    actions: registryLinks(visit),
    body: html`<div class="columns"><div>${card({ id: 'now', title: 'What the registry has', body: showContent(entry.content) })}${showHistory(visit, shown, offset)}</div><div>${card(
      {
        id: 'facts',
        title: 'The entry',
        body: facts([
          ['Saved by', html`<a href="${organizationPath(entry.org_id)}">${organization?.name ?? entry.org_id}</a>`],
          ['Revision', count(entry.revision_number)],
          ['Changed', instant(entry.updated_at)],
        ]),
      },
    )}</div></div>`,
  };
}

function showHistory({ query, visitor }: Visit, found: EntryPage, offset: number): Html {
  const { entry, hasOwnFile, revisions } = found;
  const { next, shown } = takePage(revisions, REVISIONS, () => offset + REVISIONS);
  const action = entryPath(entry.kind, entry.domain);
  const list = table({
    caption: 'Revisions, the newest first',
    empty: 'There is no earlier revision.',
    rows: shown,
    columns: [
      {
        title: 'Revision',
        cell: (one) =>
          html`<details><summary>${count(one.revision_number)}</summary>${showContent(one.content)}</details>`,
      },
      { title: 'When', cell: ({ created_at }) => instant(created_at) },
      { title: 'Who', cell: ({ editor_name }) => editor_name },
      { title: 'What', cell: ({ edit_summary }) => edit_summary },
      {
        title: 'Back to it',
        cell: ({ revision_number }) =>
          revision_number === entry.revision_number
            ? badge('now', 'good')
            : !hasOwnFile &&
              buttonForm(visitor, {
                action,
                label: 'Roll back',
                about: `to revision ${revision_number}`,
                role: 'operate',
                look: 'danger',
                fields: { revision: String(revision_number) },
              }),
      },
    ],
  });
  const more = moreLink({ path: action, query, next, label: 'Show earlier ones' });
  return card({ id: 'history', title: 'History', body: html`${list}${more}` });
}

function showContent(value: object): Html {
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}
