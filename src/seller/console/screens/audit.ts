import { isoTime } from '../../../platform/kernel/clock.js';
import { writeCsv } from '../../../platform/web/csv.js';
import { html } from '../../../platform/web/html.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { textField } from '../page/forms.js';
import { filterForm, moreLink, readBefore, takePage } from '../page/paging.js';
import { badge, instant, table } from '../page/pieces.js';
import type { ConsolePage, Download, Screen, Visit } from '../visit.js';

const PATH = `${CONSOLE_PATH}/audit`;
const PAGE = 100;
/** Rows of an export: the newest. */
const MAX_EXPORTED = 50_000;

/** Who did what. */
export const AUDIT: Screen = {
  path: PATH,
  title: 'Audit',
  views: [
    { path: PATH, run: listActs },
    { path: `${PATH}/export`, run: exportActs },
  ],
  acts: [],
};

function filterOf({ query }: Visit) {
  return { actor: query.text('actor'), action: query.text('action') };
}

async function listActs(visit: Visit): Promise<ConsolePage> {
  const { app, query } = visit;
  const page = { limit: PAGE, after: readBefore(query) };
  const rows = await app.store.read.audit.list(page, filterOf(visit));
  const { next, shown } = takePage(rows, PAGE, ({ seq }) => seq);
  const list = table({
    caption: 'Acts of people, newest first',
    empty: 'Nobody did anything that matches this.',
    rows: shown,
    columns: [
      { title: 'When', cell: ({ at }) => instant(isoTime(at)) },
      { title: 'Who', cell: ({ actor }) => actor },
      { title: 'Action', cell: ({ action, phase }) => html`${action} ${phase !== 'done' && badge(phase)}` },
      { title: 'What', cell: ({ subject }) => subject },
      { title: 'Detail', cell: ({ detail }) => detail },
    ],
  });
  const fields = html`${textField('actor', 'Who', query.text('actor'))}${textField('action', 'Action', query.text('action'), 'approval.approve')}`;
  return {
    title: 'Audit',
    lead: 'Everything that people did here and on the command line. Nothing of it can be changed.',
    actions: html`<button form="filters" formaction="${PATH}/export">Export as CSV</button>`,
    body: html`${filterForm({ path: PATH, fields })}<div id="results">${list}${moreLink({ path: PATH, query, next })}</div>`,
  };
}

async function exportActs(visit: Visit): Promise<Download> {
  const rows = await visit.app.store.read.audit.list({ limit: MAX_EXPORTED, after: undefined }, filterOf(visit));
  const head = ['at', 'actor', 'action', 'subject', 'phase', 'detail'];
  const lines = rows.map(({ action, actor, at, detail, phase, subject }) => [
    isoTime(at),
    actor,
    action,
    subject,
    phase,
    detail,
  ]);
  return { file: 'audit.csv', type: 'text/csv; charset=utf-8', text: writeCsv([head, ...lines]) };
}
