import { z } from 'zod';
import { ok, type Route } from '../../http/route.js';
import { choice, domain, offset, text } from '../../openapi/fields.js';
import { listActs } from '../../service/acts.js';
import { block, listBlocked, unblock } from '../../service/blocks/change.js';
import { beginHold, endHold } from '../../service/blocks/change-holds.js';
import { listHolds } from '../../service/blocks/holds.js';
import { removeForGood } from '../../service/blocks/remove.js';
import { decideReview, listReviews, rollBack } from '../../service/brand/moderation.js';
import { BLOCKED_KINDS, ENTRY_KINDS } from '../../service/records.js';
import { adminList, adminRoute, editorName, moderatorRoute } from './admin-route.js';

const REVIEW_STATES = ['pending', 'approved', 'rejected'] as const;

/** What is blocked, removed or held. */
const named = z.object({ kind: z.enum(BLOCKED_KINDS), name: z.string().min(1).max(2048) });
const reasoned = named.extend({ reason: z.string().trim().min(1).max(500) });

/** Acts, blocks, removals, legal holds and reviews. */
export const MODERATION_ROUTES: readonly Route[] = [
  adminList({
    path: 'acts',
    operation_id: 'adminListActs',
    summary:
      'What the operator, admins and moderators did: who, when, what about and why; the newest first, 200 at a time.',
    query: z.object({ offset: offset().optional() }),
    run: async ({ registry, query }) => ok({ acts: await listActs(registry, query.offset ?? 0) }),
  }),
  adminList({
    path: 'blocked',
    operation_id: 'adminListBlocked',
    summary: 'Domains, agents, organizations and members that are kept out, with why, by whom and since when.',
    query: z.object({
      after: text('Only those behind this kind and name, such as "agent:https://ads.example/mcp".').optional(),
    }),
    run: async ({ registry, query }) => ok({ blocked: await listBlocked(registry, query.after ?? '') }),
  }),
  moderatorRoute({
    path: 'blocked',
    operation_id: 'adminBlock',
    summary: 'Keep a domain, an agent, an organization or a member out of the registry.',
    description:
      'A domain goes from every list and look-up, and the feed tells that what it had is gone; its saves, crawls and imports are refused. An agent leaves the catalog and is not enrolled again; files of publishers name whom they like. Keys and users of an organization open nothing, and its agents are private; a member is one no more. What members saved stays, hidden.',
    body: reasoned,
    run: async ({ registry, caller, body: { reason, ...thing } }) =>
      ok(await block(registry, thing, { reason, by: editorName(caller) })),
  }),
  moderatorRoute({
    path: 'blocked/end',
    operation_id: 'adminUnblock',
    summary: 'Let a domain, an agent, an organization or a member into the registry again.',
    body: named,
    run: async ({ registry, body }) => ok(await unblock(registry, body)),
  }),
  adminRoute({
    path: 'removed',
    operation_id: 'adminRemove',
    summary: 'Remove a domain, an agent, an organization or a member for good.',
    description:
      'It is kept out as what is blocked is, and what is stored of it goes: entries with their history and submissions, proofs, the brand, what its properties were; keys, people, agents and entries of an organization. Refused with legal_hold under a hold.',
    body: reasoned,
    run: async ({ registry, caller, body: { reason, ...thing } }) =>
      ok(await removeForGood(registry, thing, { reason, by: editorName(caller) })),
  }),
  adminList({
    path: 'holds',
    operation_id: 'adminListHolds',
    summary: 'What is under a legal hold, with why, by whom and since when.',
    run: async ({ registry: { store } }) => ok({ holds: await listHolds(store.read) }),
  }),
  adminRoute({
    path: 'holds',
    operation_id: 'adminHold',
    summary:
      'Have the records of a domain, an agent, an organization or a member stay, whoever or whatever would remove them.',
    body: reasoned,
    run: async ({ registry, caller, body: { reason, ...thing } }) =>
      ok(await beginHold(registry, thing, { reason, by: editorName(caller) })),
  }),
  adminRoute({
    path: 'holds/end',
    operation_id: 'adminEndHold',
    summary: 'End a legal hold.',
    body: reasoned,
    run: async ({ registry, body: { reason: _reason, ...thing } }) => ok(await endHold(registry, thing)),
  }),
  adminList({
    path: 'reviews',
    operation_id: 'adminListReviews',
    summary:
      'Submissions that wait for a moderator, the oldest first, or that were decided: by whom, when and why, the ones sent last first; 200 at a time.',
    query: z.object({
      state: choice(REVIEW_STATES, 'Only those in this state; the waiting ones unless given.').optional(),
      offset: offset().optional(),
    }),
    run: async ({ registry, query: { offset: skipped = 0, state = 'pending' } }) =>
      ok({ reviews: await listReviews(registry, { state, offset: skipped }) }),
  }),
  moderatorRoute({
    path: 'reviews/decide',
    operation_id: 'adminDecideReview',
    summary: 'Approve or reject a submission.',
    body: z.object({
      review_id: z.string().max(128),
      decision: z.enum(['approve', 'reject']),
      reason: z.string().trim().min(1).max(500).optional(),
    }),
    run: async ({ registry, caller, body: { decision, reason, review_id } }) =>
      ok(await decideReview(registry, review_id, decision, { by: editorName(caller), reason })),
  }),
  moderatorRoute({
    path: 'rollback',
    operation_id: 'adminRollBack',
    summary: 'Bring an entry back to an earlier revision.',
    body: z.object({ kind: z.enum(ENTRY_KINDS), domain: domain(), revision_number: z.int().min(1) }),
    run: async ({ registry, caller, body }) =>
      ok(await rollBack(registry, body.kind, body.domain, body.revision_number, editorName(caller))),
  }),
];
