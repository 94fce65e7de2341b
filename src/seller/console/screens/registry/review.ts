import { html } from '../../../../platform/web/html.js';
import { buttonForm, select } from '../../page/forms.js';
import { filterForm, moreLink, readBefore, takePage } from '../../page/paging.js';
import { badge, card, facts, instant, relative, table } from '../../page/pieces.js';
import type { ConsolePage, Visit } from '../../visit.js';
import { servedRegistry } from './acts.js';
import { entryPath, organizationPath, REVIEWS, registryLinks } from './paths.js';

/** Returns the page of a submission, with what it would take the place of. */
export async function showReview(visit: Visit): Promise<ConsolePage | undefined> {
  const { params, visitor } = visit;
  const shown = await servedRegistry(visit).review(params.id ?? '');
  if (shown === undefined) return undefined;
  const { entry, organization, review } = shown;
  const action = `${REVIEWS}/${review.review_id}`;
  const decide = (decision: 'approve' | 'reject') =>
    buttonForm(visitor, {
      action,
      label: decision === 'approve' ? 'Approve' : 'Reject',
      role: 'operate',
      look: decision === 'approve' ? 'primary' : 'danger',
      fields: { decision },
    });
  return {
    title: review.domain,
    lead: html`${badge(review.state)} ${review.kind}; ${review.reason}`,
    actions: html`${review.state === 'pending' && [decide('approve'), decide('reject')]}${registryLinks(visit)}`,
    body: html`<div class="columns"><div>${showDocument('sent', 'What was sent', review.content)}${entry !== undefined && showDocument('now', 'What the registry has', entry.content)}</div><div>${card(
      {
        id: 'facts',
        title: 'The submission',
        body: facts([
          [
            'Domain',
            entry === undefined
              ? review.domain
              : html`<a href="${entryPath(review.kind, review.domain)}">${review.domain}</a>`,
          ],
          ['From', html`<a href="${organizationPath(review.org_id)}">${organization?.name ?? review.org_id}</a>`],
          ['Sent by', review.requested_by],
          ['Sent', instant(review.requested_at)],
          ['Decided by', review.decided_by],
          ['Decided', review.decided_at !== undefined && instant(review.decided_at)],
          ['Why', review.decided_why],
        ]),
      },
    )}</div></div>`,
  };
}

/** Submissions of a page. */
const PAGE = 50;

/** Returns the page of the submissions that were decided: by whom, when and why. */
export async function listDecided(visit: Visit): Promise<ConsolePage> {
  const { nowMs, query } = visit;
  const state = query.text('state') === 'rejected' ? 'rejected' : 'approved';
  const offset = readBefore(query) ?? 0;
  const rows = await servedRegistry(visit).decidedReviews(state, { limit: PAGE + 1, offset });
  const { next, shown } = takePage(rows, PAGE, () => offset + PAGE);
  const body = table({
    caption: `Submissions that were ${state}, the ones sent last first`,
    empty: `None was ${state}.`,
    rows: shown,
    columns: [
      {
        title: 'Submission',
        cell: (one) => html`<a href="${REVIEWS}/${one.review_id}">${one.domain}</a><small>${one.kind}</small>`,
      },
      {
        title: 'From',
        cell: ({ org_id, requested_by }) => html`<a href="${organizationPath(org_id)}">${requested_by}</a>`,
      },
      { title: 'Decided by', cell: ({ decided_by }) => decided_by },
      { title: 'Decided', cell: ({ decided_at }) => decided_at !== undefined && relative(decided_at, nowMs) },
      { title: 'Why', cell: ({ decided_why }) => decided_why },
    ],
  });
  const states = select('state', 'Decision', STATES, state);
  return {
    title: 'Decided submissions',
    lead: 'Who decided about what members sent, when and why.',
    actions: registryLinks(visit),
    body: html`${filterForm({ path: REVIEWS, fields: states })}<div id="results">${body}${moreLink({ path: REVIEWS, query, next })}</div>`,
  };
}

const STATES = [
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
] as const;

function showDocument(id: string, title: string, content: object) {
  return card({ id, title, body: html`<pre tabindex="0">${JSON.stringify(content, null, 2)}</pre>` });
}
