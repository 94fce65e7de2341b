import { webUrl } from '../../../platform/net/url.js';
import { type Html, html } from '../../../platform/web/html.js';
import { humanizeDate, humanizeTimeLeft } from '../../../platform/web/humanize.js';
import { moneyText, type Stake, type StakeLine } from '../../domain/task/approval.js';
import type { Outcome, PendingDecision, Waiting } from '../../tasks/task/pending-decisions.js';
import { decisionPage, type Page } from '../decision-page.js';

/** The facts of a page beside the decision itself. */
type ApprovalFacts = {
  /** Names for people. */
  readonly seller: string;
  readonly buyer: string;
  readonly nowMs: number;
  /** Why the last decision was not taken. */
  readonly problem: string | undefined;
};

/** Returns the page that asks a person, with both answers; or that says what was decided. Looking at it decides nothing. */
export function approvalPage({ waiting, outcome }: PendingDecision, facts: ApprovalFacts): Page {
  const title = titleOf(waiting, outcome !== undefined);
  return decisionPage(
    `${title} – ${facts.seller}`,
    html`<header><p class="over">${facts.seller} · approval</p><h1>${title}</h1><p class="lead">${waiting.what}</p></header>
${facts.problem !== undefined && html`<p class="notice problem" role="alert">${facts.problem}</p>`}
${outcome !== undefined && showDecided(outcome)}
${outcome === undefined && waiting.asked !== undefined && showQuestion(waiting.asked)}
<section aria-labelledby="facts"><h2 id="facts">What is asked</h2><dl>${factRows(waiting, facts)}</dl></section>
${waiting.order !== undefined && showPackages(waiting.order)}
${waiting.preview !== undefined && showPreview(waiting.preview)}
${outcome === undefined && showForms(waiting, facts.nowMs)}`,
  );
}

function titleOf({ kind, order }: Waiting, isDecided: boolean): string {
  const bought = order?.task === 'update_media_buy' ? 'change' : 'media buy';
  const noun = kind === 'creative' ? 'creative' : bought;
  return isDecided ? `This ${noun} is decided` : `Approve this ${noun}?`;
}

/** The words for each outcome. */
const OUTCOMES: Readonly<Record<string, { readonly says: string; readonly good: boolean }>> = {
  completed: { says: 'Approved', good: true },
  approved: { says: 'Approved', good: true },
  rejected: { says: 'Rejected', good: false },
  failed: { says: 'Approved, but it could not be carried out', good: false },
  canceled: { says: 'Canceled', good: false },
  replaced: { says: 'The buyer has sent another version, which waits under a link of its own', good: false },
};

function showDecided({ status, decided_at, reason }: Outcome): Html {
  const { says, good } = OUTCOMES[status] ?? { says: `It is ${status}`, good: false };
  return html`<div class="notice ${good ? 'good' : 'ended'}" role="status"><p><strong>${says}</strong> <time datetime="${decided_at}">${humanizeDate(Date.parse(decided_at))}</time></p>${reason !== undefined && html`<p>${reason}</p>`}</div>`;
}

function showQuestion(question: string): Html {
  return html`<div class="notice" role="status"><p><strong>The buyer was asked</strong></p><p>${question}</p><p>The order comes again with the answer. You may decide before.</p></div>`;
}

function factRows(waiting: Waiting, { buyer }: ApprovalFacts): readonly Html[] {
  const { order, creative, account_id, because, since } = waiting;
  const rows: readonly (readonly [string, string | Html | undefined])[] = [
    ['Buyer', buyer],
    ['Account', account_id],
    ['Advertiser', order?.advertiser],
    ['Media buy', order?.media_buy_id],
    ['Budget', order && showBudget(order.total, order.currency, order.total_before)],
    ['Runs', order && showFlight(order)],
    ['Creative', creative && `${creative.name} (${creative.creative_id})`],
    ['Format', creative?.format_id.id],
    ['Asked because', because],
    ['Since', instant(since)],
    ['Sandbox', waiting.sandbox === true ? 'Yes: nothing of it is real' : undefined],
  ];
  return rows.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  );
}

function showBudget(amount: number, currency: string, before: number | undefined): Html {
  const now = html`<b>${moneyText(amount, currency)}</b>`;
  return before === undefined || before === amount
    ? now
    : html`${now} <small>now ${moneyText(before, currency)}</small>`;
}

function showFlight({ start_time, end_time }: Pick<StakeLine, 'start_time' | 'end_time'>): Html {
  return html`${instant(start_time)} to ${instant(end_time)}`;
}

function instant(iso: string): Html {
  return html`<time datetime="${iso}">${humanizeDate(Date.parse(iso))}</time>`;
}

function showPackages({ lines, currency }: Stake): Html {
  const rows = lines.map((line) => {
    const delivery = line.delivery_type === 'guaranteed' ? 'guaranteed' : 'not guaranteed';
    return html`<tr><th scope="row">${line.name}<small>${line.product_id}, ${delivery}</small></th><td class="number">${showBudget(line.budget, currency, line.budget_before)}</td><td>${showFlight(line)}</td></tr>`;
  });
  return html`<section aria-labelledby="packages"><h2 id="packages">Packages</h2><div class="scroll" tabindex="0" role="region" aria-label="Table of packages"><table>
<thead><tr><th scope="col">Product</th><th scope="col" class="number">Budget</th><th scope="col">Runs</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`;
}

function showPreview(shown: string): Html {
  const link = webUrl(shown);
  const content =
    link === undefined
      ? html`<q>${shown}</q>`
      : html`<a href="${link}" target="_blank" rel="noopener noreferrer nofollow">${shown}</a>`;
  return html`<section aria-labelledby="look"><h2 id="look">What there is to look at</h2><p class="url">${content}</p></section>`;
}

const ORDER_ID = html`<label for="order_id">Order id in your ad server <small>Book the order there first; leave this empty without an ad server.</small></label>
<input id="order_id" name="order_id" maxlength="200" autocomplete="off">`;

const BOOK_LATER = html`<button type="submit" class="ask" name="book_later" value="yes">Approve, book later</button>`;

const MAX_REASON_CHARS = 1000;

const ASK = html`<form method="post"><input type="hidden" name="decision" value="ask">
<label for="question">Question to the buyer <small>It is sent to the buyer, who sends the order again.</small></label>
<textarea id="question" name="question" rows="3" maxlength="${MAX_REASON_CHARS}" required></textarea>
<button type="submit" class="ask">Ask the buyer</button></form>`;

function showForms({ kind, acts_at, on_timeout, order, asked: question }: Waiting, nowMs: number): Html {
  const deadline =
    acts_at !== undefined &&
    html`<p class="deadline">If nobody ${question === undefined ? 'decides' : 'answers or decides'}, it is ${question === undefined && on_timeout === 'approve' ? 'approved' : 'rejected'} on ${instant(acts_at)} (${humanizeTimeLeft(Date.parse(acts_at) - nowMs)}).</p>`;
  return html`<section aria-labelledby="decide" class="decide"><h2 id="decide">Your decision</h2>
${deadline}
<form method="post"><input type="hidden" name="decision" value="approve">${order?.fulfillment === 'manual' && ORDER_ID}<button type="submit" class="approve">Approve</button>${order?.fulfillment === 'manual' && BOOK_LATER}</form>
<form method="post"><input type="hidden" name="decision" value="reject">
<label for="reason">Reason for a rejection <small>The buyer reads it.</small></label>
<textarea id="reason" name="reason" rows="3" maxlength="${MAX_REASON_CHARS}" required></textarea>
<button type="submit" class="reject">Reject</button></form>
${kind === 'task' && question === undefined && ASK}
<p class="hint">This can be decided once.</p></section>`;
}
