import { type Html, html } from '../../../platform/web/html.js';
import { pluralize } from '../../../platform/web/humanize.js';
import { catchTaskError, TaskError } from '../../../protocol/errors.js';
import { isAtLeast } from '../../domain/console/access.js';
import { moneyText } from '../../domain/task/approval.js';
import { readApprovals, recordDecision } from '../../http/operator/operations.js';
import { carryOutAct } from '../../tasks/people/acts.js';
import { findPendingDecision } from '../../tasks/task/approvals.js';
import type { Decided } from '../../tasks/task/pending-decisions.js';
import { buyerName, tenantName } from '../names.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { csrfField, select } from '../page/forms.js';
import { badge, relative, table } from '../page/pieces.js';
import type { ConsoleAct, ConsolePage, Question, Screen, Visit } from '../visit.js';
import { outcomeText, showApproval, showOrderedCreative } from './approval.js';

const PATH = `${CONSOLE_PATH}/approvals`;

/** What is decided at once at most: each decision is a transaction with consequences. */
const MAX_AT_ONCE = 50;

const DECIDE: ConsoleAct = {
  path: `${PATH}/:id`,
  role: 'operate',
  action: ({ form }) => `approval.${form.text('decision') ?? 'unknown'}`,
  subject: ({ params }) => params.id ?? '',
  detail: ({ form }) => form.text('reason') ?? form.text('question') ?? form.text('order_id'),
  back: ({ params }) => `${PATH}/${params.id}`,
  run: async ({ app, form, params, visitor }) => {
    const decision = Object.fromEntries(form.entries());
    const decided = await recordDecision(app, params.id ?? '', decision, `console: ${visitor.actor}`);
    return { to: PATH, says: `${outcomeText(decided.status)}: ${decided.what}.${describeBuys(decided)}` };
  },
};

function describeBuys({ kind, media_buys: [buy] }: Decided): string {
  return kind === 'task' && buy !== undefined ? ` The media buy is ${buy.media_buy_id}.` : '';
}

const DECIDE_SEVERAL: ConsoleAct = {
  path: PATH,
  role: 'operate',
  action: ({ form }) => `approvals.${form.text('decision') ?? 'unknown'}`,
  subject: ({ form }) => form.all('id').slice(0, MAX_AT_ONCE).join(' '),
  detail: ({ form }) => form.text('reason'),
  back: () => PATH,
  confirm: askBefore,
  run: decideSeveral,
};

/** What waits for a decision, and the decision. */
export const APPROVALS: Screen = {
  path: PATH,
  title: 'Approvals',
  views: [
    { path: PATH, run: listApprovals },
    { path: `${PATH}/:id`, run: showOne },
    { path: `${PATH}/:id/creatives/:index`, run: showOrderedCreative },
  ],
  acts: [DECIDE_SEVERAL, DECIDE],
};

async function listApprovals({ app, nowMs, query, visitor }: Visit): Promise<ConsolePage> {
  const { approvals, more } = await readApprovals(app);
  const buyers = new Map(
    approvals.map((one) => [`${one.tenant}#${one.principal}`, buyerName(app, one.tenant, one.principal)]),
  );
  const buyer = query.text('buyer');
  const shown = approvals.filter((one) => buyer === undefined || buyer === `${one.tenant}#${one.principal}`);
  const canDecide = isAtLeast(visitor.role, 'operate');
  const list = table({
    caption: 'What waits for a decision',
    empty: 'Nothing waits for a decision.',
    rows: shown,
    columns: [
      {
        title: 'What',
        cell: (one) =>
          html`<span class="pick">${canDecide && html`<input type="checkbox" name="id" value="${one.id}" aria-label="Choose: ${one.what}">`}<span><a href="${PATH}/${one.id}">${one.what}</a>${one.because !== undefined && html`<small>asked because ${one.because}</small>`}</span></span>`,
      },
      {
        title: 'Buyer',
        cell: (one) =>
          html`${buyerName(app, one.tenant, one.principal)}<small>${tenantName(app, one.tenant)}${one.sandbox === true && ', sandbox'}</small>`,
      },
      { title: 'Amount', isNumber: true, cell: ({ order }) => order && moneyText(order.total, order.currency) },
      { title: 'Since', cell: (one) => relative(one.since, nowMs) },
      {
        title: 'If nobody decides',
        cell: ({ acts_at, asked, on_timeout }) =>
          acts_at === undefined
            ? badge('waits')
            : html`${asked !== undefined && badge('buyer asked')} ${on_timeout === 'approve' && asked === undefined ? 'approved' : 'rejected'} ${relative(acts_at, nowMs)}`,
      },
    ],
  });
  const filter = html`<form class="filters" method="get" hx-get="${PATH}" hx-trigger="change" hx-target="#waiting" hx-select="#waiting" hx-swap="outerHTML">${select('buyer', 'Buyer', [['', 'Every buyer'], ...buyers], buyer)}<button>Show</button></form>`;
  return {
    title: 'Approvals',
    lead:
      approvals.length === 0
        ? 'Nothing waits for you.'
        : `${more ? 'More than ' : ''}${pluralize(approvals.length, 'decision')} to take, the oldest first.`,
    body: html`${buyers.size > 1 && filter}<div id="waiting">${canDecide && shown.length > 0 ? severalForm(visitor, list) : list}</div>`,
  };
}

function severalForm(visitor: Visit['visitor'], list: Html): Html {
  return html`<form method="post" action="${PATH}" data-several>${csrfField(visitor)}${list}
<div class="bulk" role="group" aria-label="Decide about those that are chosen"><label class="all"><input type="checkbox" data-all> Choose all</label>
<button class="primary" name="decision" value="approve">Approve the chosen</button>
<label class="field"><span>Reason for a rejection, which the buyer reads</span><input type="text" name="reason" maxlength="1000" autocomplete="off"></label>
<button class="danger" name="decision" value="reject">Reject the chosen</button></div></form>`;
}

async function askBefore({ app, form }: Visit): Promise<Question | undefined> {
  const ids = form.all('id').slice(0, MAX_AT_ONCE);
  const pending = await Promise.all(ids.map((id) => findPendingDecision(app, id)));
  const chosen = pending.flatMap((one) => (one === undefined ? [] : [one.waiting]));
  if (chosen.length === 0) return undefined;
  const verb = form.text('decision') === 'reject' ? 'Reject' : 'Approve';
  const reason = form.text('reason');
  return {
    title: `${verb} ${pluralize(chosen.length, 'request')}?`,
    yes: `${verb} ${chosen.length === 1 ? 'it' : `all ${chosen.length}`}`,
    says: html`<ul class="plain">${chosen.map(({ principal, tenant, what }) => html`<li>${what}<small>${buyerName(app, tenant, principal)}</small></li>`)}</ul>${verb === 'Reject' && reason !== undefined && html`<p>Reason: ${reason}</p>`}<p class="hint">Each is decided by itself: one that cannot be done leaves the others as they are decided.</p>`,
  };
}

async function decideSeveral({ app, form, visitor }: Visit): Promise<{ readonly to: string; readonly says: string }> {
  const ids = form.all('id').slice(0, MAX_AT_ONCE);
  const decision = { decision: form.text('decision'), reason: form.text('reason') };
  const outcomes = [];
  for (const id of ids) {
    const act = { actor: visitor.actor, action: `approval.${decision.decision ?? 'unknown'}`, subject: id };
    const decide = () => recordDecision(app, id, decision, `console: ${visitor.actor}`);
    outcomes.push(await catchTaskError(() => carryOutAct(app, act, decide)));
  }
  const refused = outcomes.flatMap((one) => (one instanceof TaskError ? [one.message] : []));
  if (ids.length === 0) throw nothingChosen();
  const [why] = refused;
  if (refused.length === ids.length && why !== undefined)
    throw new TaskError('INVALID_STATE', `Nothing was decided: ${why}`);
  const done = `${pluralize(ids.length - refused.length, 'request')} ${decision.decision === 'reject' ? 'rejected' : 'approved'}.`;
  return {
    to: PATH,
    says: refused.length === 0 ? done : `${done} ${refused.length} could not be: ${refused.join(' ')}`,
  };
}

function nothingChosen(): TaskError {
  return new TaskError('INVALID_REQUEST', 'Nothing was chosen.', { suggestion: 'Tick what you decide about.' });
}

async function showOne(visit: Visit): Promise<ConsolePage | undefined> {
  const pending = await findPendingDecision(visit.app, visit.params.id ?? '');
  return pending && showApproval(visit, pending);
}
