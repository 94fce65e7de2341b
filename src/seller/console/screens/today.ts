import path from 'node:path';
import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { type Html, html } from '../../../platform/web/html.js';
import { pluralize } from '../../../platform/web/humanize.js';
import { describeStray } from '../../config/tenant-files.js';
import { GO_LIVE_CHECKS, runCheck } from '../../doctor/checks.js';
import type { Finding, ServerFacts } from '../../doctor/finding.js';
import { readApprovals } from '../../http/operator/operations.js';
import { type OpenOrder, readOrders } from '../../tasks/order/orders.js';
import { buyerName, ownerName } from '../names.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { badge, card, count, relative, table } from '../page/pieces.js';
import type { ConsolePage, Screen, Visit } from '../visit.js';

/** Rows of each part; the screens behind have all of them. */
const MAX_ROWS = 5;

/** What waits for somebody, and what goes wrong. */
export const TODAY: Screen = {
  path: CONSOLE_PATH,
  title: 'Today',
  views: [{ path: CONSOLE_PATH, run: showToday }],
  acts: [],
};

async function showToday(visit: Visit): Promise<ConsolePage> {
  const parts = await Promise.all([showApprovals(visit), showOrders(visit), showWebhooks(visit), lateReports(visit)]);
  const rejected = visit.rejectedEdit();
  const open = parts.flatMap(({ problems, says }) => (problems > 0 ? [says] : []));
  const lead = open.length === 0 && rejected === undefined ? 'Nothing waits for you.' : `${open.join(', ')}.`;
  return {
    title: 'Today',
    lead,
    body: html`<div id="today" class="grid" hx-get="${CONSOLE_PATH}" hx-trigger="every 30s" hx-select="#today" hx-swap="outerHTML">
${rejected !== undefined && rejectedEdit(rejected)}
${visit.app.reloads().stray.map(strayFile)}
${await showFigures(visit)}
${[
  [0, 2],
  [1, 3],
].map((side) => html`<div class="side-by-side">${side.map((at) => parts[at]?.html)}</div>`)}
${await goLive(visit)}</div>`,
  };
}

/** A part of the page, how many problems it shows, and how it says that in a line. */
type Part = { readonly html: Html; readonly problems: number; readonly says: string };

function linkToAll(path: string, words = 'See all'): Html {
  return html`<a href="${CONSOLE_PATH}${path}">${words}</a>`;
}

async function showFigures({ app }: Visit): Promise<Html> {
  const counts = await app.store.read.mediaBuys.countByStatus();
  const of = (...states: readonly string[]): number =>
    counts.filter(({ status }) => states.includes(status)).reduce((sum, { total }) => sum + total, 0);
  const shown = [
    ['Running', of('active'), 'active'],
    ['About to start', of('pending_start'), 'pending_start'],
    ['Without creatives', of('pending_creatives'), 'pending_creatives'],
    ['Paused', of('paused'), 'paused'],
  ] as const;
  return html`<ul class="figures" aria-label="Media buys">${shown.map(
    ([name, value, status]) =>
      html`<li><a href="${CONSOLE_PATH}/buys?status=${status}"><b>${count(value)}</b><span>${name}</span></a></li>`,
  )}</ul>`;
}

async function showApprovals({ app, nowMs }: Visit): Promise<Part> {
  const { approvals: waiting } = await readApprovals(app);
  const byDeadline = waiting.toSorted((one, other) => deadline(one.acts_at) - deadline(other.acts_at));
  const body = table({
    caption: 'What waits for a decision',
    empty: 'Nothing waits for a decision.',
    rows: byDeadline.slice(0, MAX_ROWS),
    columns: [
      { title: 'What', cell: (one) => html`<a href="${CONSOLE_PATH}/approvals/${one.id}">${one.what}</a>` },
      { title: 'Buyer', cell: (one) => buyerName(app, one.tenant, one.principal) },
      {
        title: 'If nobody decides',
        cell: (one) =>
          one.acts_at === undefined
            ? 'waits'
            : html`${one.on_timeout === 'approve' ? 'approved' : 'rejected'} ${relative(one.acts_at, nowMs)}`,
      },
    ],
  });
  const title = waiting.length === 0 ? 'Approvals' : `Approvals: ${waiting.length} waiting`;
  return {
    html: card({ id: 'approvals', title, body, aside: linkToAll('/approvals') }),
    problems: waiting.length,
    says: `${pluralize(waiting.length, 'decision')} to take`,
  };
}

function deadline(at: string | undefined): number {
  return at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at);
}

async function showOrders({ app, nowMs }: Visit): Promise<Part> {
  const { orders: open } = await readOrders(app);
  const waits = {
    title: 'Waits',
    cell: (one: OpenOrder) =>
      html`${one.waiting_since !== undefined && relative(one.waiting_since, nowMs)}${one.reminded_at !== undefined && html` ${badge('overdue', 'bad')}`}`,
  };
  const isAwaited = open.some(({ waiting_since: since, reminded_at: at }) => since !== undefined || at !== undefined);
  const body = table({
    caption: 'Orders that the ad server does not have as they are, or does not report on',
    empty: 'Every order is booked as it is.',
    rows: open.slice(0, MAX_ROWS),
    columns: [
      {
        title: 'Order',
        cell: (one) =>
          html`<a href="${CONSOLE_PATH}/buys/${one.media_buy_id}">${one.advertiser}</a><small>${one.media_buy_id}</small>`,
      },
      {
        title: 'Why',
        cell: (one) =>
          html`${one.trouble ?? `revision ${one.revision} has to be booked by hand`}${one.todo !== undefined && html`<small>${one.todo}</small>`}`,
      },
      ...(isAwaited ? [waits] : []),
    ],
  });
  const title = open.length === 0 ? 'Ad server' : `Ad server: ${pluralize(open.length, 'order')} to look at`;
  return {
    html: card({
      id: 'orders',
      title,
      body,
      aside: open.length > 0 && linkToAll('/buys/sheets', 'Download trafficking sheets'),
    }),
    problems: open.length,
    says: `${pluralize(open.length, 'order')} to look at`,
  };
}

async function showWebhooks({ app, nowMs }: Visit): Promise<Part> {
  const failing = await app.store.read.webhookLog.failing(nowMs - DAY_MS);
  const body = table({
    caption: 'Endpoints that do not take their events',
    empty: 'Every endpoint takes its events.',
    rows: failing.slice(0, MAX_ROWS),
    columns: [
      {
        title: 'Endpoint',
        cell: (one) =>
          html`<a href="${CONSOLE_PATH}/webhooks?endpoint=${one.origin}">${one.origin}</a><small>${ownerName(app, one.owner)}</small>`,
      },
      { title: 'Given up', isNumber: true, cell: (one) => count(one.dead) },
      { title: 'Retried', isNumber: true, cell: (one) => count(one.pending) },
      { title: 'Last', cell: (one) => relative(isoTime(one.last), nowMs) },
    ],
  });
  const title = failing.length === 0 ? 'Webhooks' : `Webhooks: ${pluralize(failing.length, 'failing endpoint')}`;
  return {
    html: card({ id: 'webhooks', title, body, aside: linkToAll('/webhooks?state=dead', 'See what was given up') }),
    problems: failing.length,
    says: pluralize(failing.length, 'failing endpoint'),
  };
}

async function lateReports({ app, nowMs }: Visit): Promise<Part> {
  const late = await app.store.read.reports.late(MAX_ROWS + 1);
  const body = table({
    caption: 'Reports whose numbers are late',
    empty: 'Every report is out.',
    rows: late.slice(0, MAX_ROWS),
    columns: [
      {
        title: 'Media buy',
        cell: (one) =>
          html`<a href="${CONSOLE_PATH}/buys/${one.media_buy_id}">${one.media_buy_id}</a><small>${ownerName(app, one.owner)}</small>`,
      },
      { title: 'Of', cell: (one) => relative(isoTime(one.next_from), nowMs) },
      {
        title: 'Promised for',
        cell: (one) => (one.promised_at === null ? 'nothing yet' : relative(isoTime(one.promised_at), nowMs)),
      },
    ],
  });
  const many = late.length > MAX_ROWS ? `more than ${MAX_ROWS}` : String(late.length);
  const title = late.length === 0 ? 'Reports' : `Reports: ${many} late`;
  return { html: card({ id: 'late', title, body }), problems: late.length, says: 'late reports' };
}

function strayFile(file: string): Html {
  const { fix, message } = describeStray(file);
  return html`<section class="card bad wide"><h2>${path.basename(file)}: ${message}</h2><p>${fix}</p></section>`;
}

function rejectedEdit(problem: string): Html {
  return html`<section class="card bad wide" aria-labelledby="rejected"><h2 id="rejected">The last edit of the tenant files is not served</h2><p>The tenants before it go on. Mend this:</p><pre>${problem}</pre></section>`;
}

async function goLive({ app, settings }: Visit): Promise<Html> {
  const facts: ServerFacts = {
    settings,
    baseUrl: app.renderer().baseUrl,
    tenants: [...app.sellers().values()].map(({ tenant }) => tenant),
    countKeys: async () => app.keys.publicJwks().keys.length,
  };
  const checks = await Promise.all(
    GO_LIVE_CHECKS.map(async (check) => ({ name: check.name, ...(await runCheck(check, facts)) })),
  );
  const done = checks.filter(isDone).length;
  return html`<section class="card wide" aria-labelledby="go-live"><details${done < checks.length && html` open`}><summary><h2 id="go-live">Going live: ${done} of ${checks.length} done</h2></summary><ul class="checks">${checks.map(goLiveRow)}</ul></details></section>`;
}

function isDone({ status }: Finding): boolean {
  return status === 'ok';
}

function goLiveRow({ name, ...finding }: Finding & { readonly name: string }): Html {
  const [state, tone] = isDone(finding) ? (['done', 'good'] as const) : (['open', 'wait'] as const);
  const { fix, message } = finding;
  return html`<li class="is-${state}">${badge(state, tone)}<div><b>${name}</b><small>${message}</small>${fix !== undefined && html`<small>${fix}</small>`}</div></li>`;
}
