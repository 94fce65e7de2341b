import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import { proposalState } from '../../domain/proposal/proposal.js';
import { releaseHolder } from '../../lifecycle/inventory.js';
import { mutation } from '../pipeline/tool.js';
import { proposalHolder } from '../product/proposals.js';
import { COMPACT_RELEASE, keyedFields, opportunity } from './shapes.js';
import { findSnapshots, type StoredSnapshot } from './snapshots.js';

const REASONS = [
  'price',
  'inventory_fit',
  'audience_fit',
  'creative_unsupported',
  'measurement_unsupported',
  'policy',
  'timing',
  'budget_changed',
  'selected_alternative',
  'other',
] as const;

const decline = z.looseObject({
  proposal_id: z.string().min(1).max(255),
  reason: z.enum(REASONS),
  detail: z.string().min(1).max(500).optional(),
});

const input = z.looseObject({
  ...keyedFields,
  declines: z.array(decline).min(1).max(25).describe('detail with reason "other"'),
  opportunity: opportunity.optional(),
});

/** decline_proposals: ends proposals for good, with the buyer's reason, and gives back what they hold. */
export const declineProposals = mutation({
  name: 'decline_proposals',
  since: COMPACT_RELEASE,
  root: ['results', 'context', 'ext', 'replayed'],
  title: 'Decline proposals',
  description: 'Says why proposals are not wanted. What they hold is free again.',
  kinds: ['sales'],
  input,
  destructive: true,
  run: async ({ call, args, db, scope }) => {
    checkDeclines(args.declines);
    const stored = await findSnapshots(
      { db, scope },
      args.declines.map(({ proposal_id }) => proposal_id),
    );
    checkOpportunity(args.opportunity?.opportunity_id, args.declines, stored);
    const results: object[] = [];
    for (const { proposal_id, reason, detail } of args.declines) {
      const proposal = stored.get(proposal_id);
      const obstacle = findObstacle(proposal, call.now.ms);
      if (proposal === undefined || obstacle !== undefined) {
        results.push({ proposal_id, outcome: 'unable', reason: obstacle });
        continue;
      }
      if (proposal.snapshot.declined === undefined) {
        const snapshot = { ...proposal.snapshot, declined: { reason, detail } };
        await db.proposals.save(scope, { ...proposal, snapshot });
        await releaseHolder(db, proposalHolder(call.owner, proposal));
      }
      results.push({ proposal_id, outcome: 'declined' });
    }
    return { results };
  },
});

/** Returns why a proposal cannot be declined; undefined where it can, or was already. */
function findObstacle(stored: StoredSnapshot | undefined, nowMs: number): string | undefined {
  if (stored === undefined) return 'There is no such proposal.';
  const state = proposalState(stored, nowMs);
  if (state === 'bought') return 'The proposal was accepted: cancel its media buy with control_media_buy.';
  return state === 'expired' ? 'The proposal has expired, and holds nothing.' : undefined;
}

type Declines = z.output<typeof input>['declines'];

function checkDeclines(declines: Declines): void {
  const seen = new Set<string>();
  for (const [index, { proposal_id, reason, detail }] of declines.entries()) {
    if (seen.has(proposal_id)) throw refuseMember(index, 'proposal_id', 'stands twice', 'Name each proposal once.');
    seen.add(proposal_id);
    if (reason === 'other' && detail === undefined)
      throw refuseMember(index, 'detail', 'is required with reason "other"', 'Say the reason in a sentence.');
  }
}

function refuseMember(index: number, member: string, fault: string, suggestion: string): TaskError {
  const field = `declines[${index}].${member}`;
  return new TaskError('INVALID_REQUEST', `${field}: ${fault}`, { field, suggestion });
}

/** Refuses declines that name another planning cycle than their proposals. Throws INVALID_REQUEST. */
function checkOpportunity(
  id: string | undefined,
  declines: Declines,
  stored: ReadonlyMap<string, StoredSnapshot>,
): void {
  const other = declines.find(({ proposal_id }) => {
    const proposal = stored.get(proposal_id);
    return proposal !== undefined && proposal.snapshot.opportunity_id !== id;
  });
  if (id === undefined || other === undefined) return;
  throw new TaskError('INVALID_REQUEST', `The proposal ${other.proposal_id} belongs to another opportunity.`, {
    field: 'opportunity.opportunity_id',
    suggestion: 'Name the opportunity_id of the proposals, or leave opportunity out.',
  });
}
