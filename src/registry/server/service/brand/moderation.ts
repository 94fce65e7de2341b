import { isoTime } from '../../../../platform/kernel/clock.js';
import { publisherDomain } from '../../../model/domains.js';
import type { ServerWriter } from '../../store/server-store.js';
import { RegistryProblem } from '../problem.js';
import { type EntryKind, entryKey, type Review } from '../records.js';
import type { Registry } from '../registry.js';
import { commitEntry, isAuthoritative } from './save.js';

/** The decision of a moderator about a submission. */
export type Verdict = 'approve' | 'reject';

/** Reviews that are listed at a time. */
const MAX_LISTED_REVIEWS = 200;

/** A part of the submissions in a state, `offset` of them passed over. */
type ReviewPage = { readonly state: Review['state']; readonly limit?: number; readonly offset: number };

/** Returns the submissions that wait, the oldest first, or those that were decided, the ones sent last first. */
export async function listReviews(
  { store }: Pick<Registry, 'store'>,
  { limit = MAX_LISTED_REVIEWS, offset, state }: ReviewPage,
): Promise<readonly Review[]> {
  const { review } = store.read;
  if (state !== 'pending') return review.listLatest(state, limit, offset);
  return (await review.listByScope(state, '', offset + limit)).slice(offset);
}

/** Decides about a submission; what is approved becomes an entry of the organization that sent it. Throws not_found or conflict. */
export async function decideReview(
  registry: Registry,
  reviewId: string,
  verdict: Verdict,
  { by, reason }: { readonly by: string; readonly reason?: string | undefined },
): Promise<Review> {
  return registry.store.transact(async (tx) => {
    const review = await tx.review.find(reviewId);
    if (review === undefined) {
      throw new RegistryProblem('not_found', 'There is no review of this id.', {
        suggestion: 'List them with "registry review list" or GET /api/admin/reviews.',
      });
    }
    if (review.state !== 'pending') {
      throw new RegistryProblem('conflict', `This was ${review.state} already.`, {
        suggestion: 'Nothing is to be done; "registry review list" and GET /api/admin/reviews list what waits.',
        details: { state: review.state },
      });
    }
    const state = verdict === 'approve' ? 'approved' : 'rejected';
    const decided_at = isoTime(registry.clock.now());
    const decided: Review = { ...review, state, decided_by: by, decided_at, decided_why: reason };
    await tx.review.put(decided);
    if (verdict === 'approve') {
      const { kind, domain, content, org_id, requested_by } = review;
      await refuseOverFile(tx, kind, domain);
      await commitEntry(tx, registry, {
        kind,
        domain,
        content,
        org_id,
        editor: requested_by,
        summary: `Approved by ${by}`,
      });
    }
    return decided;
  });
}

/** Brings an entry back to what a revision held; that is a revision of its own. Throws not_found or authoritative. */
export async function rollBack(
  registry: Registry,
  kind: EntryKind,
  domain: string,
  to: number,
  by: string,
): Promise<{ readonly domain: string; readonly revision_number: number; readonly rolled_back_to: number }> {
  const name = publisherDomain(domain);
  return registry.store.transact(async (tx) => {
    const entry = await tx.entry.find(entryKey(kind, name));
    const steps = entry === undefined || to < 1 ? 0 : entry.revision_number - to;
    const [target] = steps < 1 ? [] : await tx.revision.listLatest(entryKey(kind, name), 1, steps);
    if (entry === undefined || target === undefined) {
      throw new RegistryProblem('not_found', 'There is no earlier revision of this number.', {
        field: '/revision_number',
        suggestion: `List them with GET /api/${kind === 'brand' ? 'brands' : 'properties'}/history.`,
        details: { domain: name },
      });
    }
    await refuseOverFile(tx, kind, name);
    const saved = await commitEntry(tx, registry, {
      kind,
      domain: name,
      content: target.content,
      org_id: entry.org_id,
      editor: by,
      summary: `Rolled back to revision ${to}`,
      rolledBackTo: to,
    });
    const revision_number = 'entry' in saved ? saved.entry.revision_number : 0;
    return { domain: name, revision_number, rolled_back_to: to };
  });
}

async function refuseOverFile(tx: ServerWriter, kind: EntryKind, domain: string): Promise<void> {
  if (!(await isAuthoritative(tx, kind, domain))) return;
  throw new RegistryProblem('authoritative', `${domain} speaks for itself by now.`, {
    suggestion: 'Its owner changes what counts, in the file that the domain serves.',
    details: { domain },
  });
}
