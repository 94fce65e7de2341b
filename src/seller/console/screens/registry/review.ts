import { html } from '../../../../platform/web/html.js';
import { buttonForm } from '../../page/forms.js';
import { badge, card, facts, instant } from '../../page/pieces.js';
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
        ]),
      },
    )}</div></div>`,
  };
}

function showDocument(id: string, title: string, content: object) {
  return card({ id, title, body: html`<pre tabindex="0">${JSON.stringify(content, null, 2)}</pre>` });
}
