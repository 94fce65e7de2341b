import { z } from 'zod';
import { HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import { isTerminal, type MediaBuy } from '../../domain/media-buy/media-buy.js';
import { HOLD_HOURS, proposalState } from '../../domain/proposal/proposal.js';
import { buyTerms, planTerms } from '../../domain/proposal/snapshot.js';
import { digestTerms } from '../../domain/proposal/terms.js';
import { mutation, VERSION_MEMBER } from '../pipeline/tool.js';
import { readMarket } from '../product/flight.js';
import { commitProposal } from '../product/proposals.js';
import { changedPrices, commitAmendment } from './revision/amend.js';
import type { RevisionContext } from './revision/ground.js';
import { reviseSnapshot } from './revision/revise.js';
import { MAX_ALTERNATIVES, type Refinement, refinement } from './revision/shapes.js';
import { COMPACT_RELEASE, keyedFields } from './shapes.js';
import { findSnapshots, listPurchased, type StoredSnapshot, saveSnapshots, showSnapshot } from './snapshots.js';

const input = z.looseObject({
  ...keyedFields,
  refinements: z
    .array(
      refinement.meta({
        brief: true,
        description:
          '{proposal_id, action: revise|finalize, ask, constraints, product_changes, criteria, alternatives}',
      }),
    )
    .min(1)
    .max(25),
});

/** refine_proposals: makes new drafts of proposals, or commits drafts: prices and inventory are held then. */
export const refineProposals = mutation({
  name: 'refine_proposals',
  since: COMPACT_RELEASE,
  root: [VERSION_MEMBER, 'status', 'results', 'products', 'task_id', 'message', 'context', 'ext', 'replayed'],
  title: 'Refine proposals',
  description:
    'action "revise" makes another draft; of an accepted proposal, one that amends its buy; "finalize" holds a draft: prices and inventory until expires_at. Every result is a new proposal_id. Next: accept_proposal.',
  kinds: ['sales'],
  input,
  run: async ({ app, call, args, db, scope }) => {
    checkRefinements(args.refinements);
    const context = { app, call, db, scope };
    const sources = await findSnapshots(
      context,
      args.refinements.map(({ proposal_id }) => proposal_id),
    );
    const results: Result[] = [];
    for (const [index, entry] of args.refinements.entries()) {
      const source = sources.get(entry.proposal_id);
      results.push(
        entry.action === 'finalize'
          ? await finalizeProposal(context, source, `refinements[${index}].proposal_id`)
          : await reviseProposal(context, entry, source),
      );
    }
    const made = results.flatMap(({ made }) => made);
    await saveSnapshots(context, made);
    return {
      results: results.map(({ made: _made, ...result }, index) => ({
        source_proposal_id: args.refinements[index]?.proposal_id,
        ...result,
      })),
      products: listPurchased(call, made),
    };
  },
});

/** The result of one refinement, and the snapshots that it made. */
type Result = Readonly<Record<string, unknown>> & { readonly made: readonly StoredSnapshot[] };

/** Refuses refinements that cannot go together or are not whole. Throws INVALID_REQUEST. */
function checkRefinements(entries: readonly Refinement[]): void {
  const seen = new Set<string>();
  const finalizing = entries.filter(({ action }) => action === 'finalize').length;
  for (const [index, { proposal_id, action, ...more }] of entries.entries()) {
    if (seen.has(proposal_id)) throw refuseMember(index, 'proposal_id', 'stands twice', 'Name each proposal once.');
    seen.add(proposal_id);
    if (finalizing > 0 && action !== 'finalize')
      throw refuseMember(
        index,
        'action',
        'finalizing stands alone',
        'Revise in one call, and finalize in the next one.',
      );
    const asked = ['change_kind', 'constraints', 'product_changes', 'alternatives', 'criteria', 'ask'] as const;
    const present = asked.filter((name) => more[name] !== undefined);
    const [extra] = present;
    if (action === 'finalize' && extra !== undefined)
      throw refuseMember(
        index,
        extra,
        'finalizing changes no terms',
        `Leave ${extra} out, or revise the proposal first.`,
      );
    if (action === 'revise' && present.every((name) => name === 'change_kind') && more.change_kind !== 'cancellation')
      throw refuseMember(
        index,
        'ask',
        'nothing is asked for',
        'Say what to change: ask, constraints, product_changes, criteria or alternatives.',
      );
    if ((more.alternatives?.count ?? 0) > MAX_ALTERNATIVES) throw tooMany(index);
  }
}

function refuseMember(index: number, member: string, fault: string, suggestion: string): TaskError {
  const field = `refinements[${index}].${member}`;
  return new TaskError('INVALID_REQUEST', `${field}: ${fault}`, { field, suggestion });
}

function declineChange(reason_code: string, reason: string): Result {
  return { outcome: 'unable', reason_code, reason, made: [] };
}

function tooMany(index: number): TaskError {
  const field = `refinements[${index}].alternatives.count`;
  return new TaskError('VALIDATION_ERROR', `${field}: at most ${MAX_ALTERNATIVES} alternatives are made`, {
    field,
    suggestion: `Ask for ${MAX_ALTERNATIVES} or fewer, and revise one of them for more.`,
  });
}

async function reviseProposal(
  context: RevisionContext,
  entry: Refinement,
  source: StoredSnapshot | undefined,
): Promise<Result> {
  const { call, db, scope } = context;
  if (source === undefined) return declineChange('source_unavailable', 'There is no such proposal.');
  const state = proposalState(source, call.now.ms);
  const isCancellation = entry.change_kind === 'cancellation';
  if (state !== 'bought') {
    if (state !== 'open')
      return declineChange('source_unavailable', `The proposal is ${state}: request proposals anew.`);
    if (isCancellation || source.snapshot.kind !== 'new_media_buy')
      return declineChange(
        'unsupported_dimension',
        isCancellation
          ? 'A cancellation is of a media buy that a proposal has become.'
          : 'A change of a media buy is revised from the proposal that was accepted last.',
      );
  }
  const buy = state === 'bought' ? await db.mediaBuys.find(scope, source.media_buy_id ?? '') : undefined;
  if (state === 'bought' && buy === undefined)
    return declineChange('source_unavailable', 'The media buy of the proposal is gone.');
  if (isCancellation && buy !== undefined) return planCancellation(context, entry, source, buy);
  const { drafts, ...result } = await reviseSnapshot(context, entry, { stored: source, buy });
  return drafts.length === 0
    ? { ...result, made: [] }
    : { ...result, proposals: drafts.map(showSnapshot), made: drafts };
}

/** Makes the draft of a cancellation of the buy that a proposal has become. */
function planCancellation(
  { app: { ids }, call }: RevisionContext,
  { ask }: Refinement,
  source: StoredSnapshot,
  buy: MediaBuy,
): Result {
  const { proposal, snapshot } = source;
  if (isTerminal(buy.status)) return declineChange('source_unavailable', `The media buy is ${buy.status} already.`);
  const { brand, purchase_order_ref } = snapshot.terms;
  const terms = {
    ...buyTerms(buy, { brand, purchase_order_ref }),
    cancellation_terms: { effective_at: call.now.iso, ...(ask === undefined ? {} : { reason: ask.slice(0, 500) }) },
  };
  const made: StoredSnapshot = {
    account_key: source.account_key ?? '',
    proposal: {
      ...proposal,
      proposal_id: ids.next('prop'),
      proposal_status: 'draft',
      name: `Cancellation of ${proposal.name}`.slice(0, 500),
      expires_at: isoTime(call.now.ms + HOLD_HOURS * HOUR_MS),
    },
    snapshot: {
      kind: 'media_buy_cancellation',
      parent_proposal_id: proposal.proposal_id,
      opportunity_id: snapshot.opportunity_id,
      media_buy_id: buy.media_buy_id,
      base_media_buy_revision: buy.revision,
      terms,
      terms_digest: digestTerms(terms),
    },
  };
  return { outcome: 'revised', proposals: [showSnapshot(made)], made: [made] };
}

/** Commits a draft under a new id. Throws what `commitProposal` throws, and REQUOTE_REQUIRED where a price is another one by now. */
async function finalizeProposal(
  context: RevisionContext,
  source: StoredSnapshot | undefined,
  field: string,
): Promise<Result> {
  const { app, call, db } = context;
  const draft = source && {
    ...source,
    proposal: { ...source.proposal, proposal_id: app.ids.next('prop') },
    snapshot: { ...source.snapshot, parent_proposal_id: source.proposal.proposal_id },
  };
  if (draft?.proposal.proposal_status === 'committed') throw notDraft(field);
  const { snapshot } = draft ?? {};
  if (draft !== undefined && snapshot?.kind === 'media_buy_cancellation') {
    const made = { ...draft, proposal: { ...draft.proposal, proposal_status: 'committed' as const } };
    return { outcome: 'finalized', proposal: showSnapshot(made), made: [made] };
  }
  if (draft !== undefined && snapshot?.kind === 'media_buy_update') {
    const made = await commitAmendment(context, draft, field);
    return { outcome: 'finalized', proposal: showSnapshot(made), made: [made] };
  }
  const { flight = { fromMs: 0, toMs: 0 }, places } = draft ?? {};
  const market = await readMarket(db, call, { ...flight, overlay: places }, true);
  const untilMs = snapshot === undefined ? undefined : Date.parse(snapshot.terms.start_time);
  const committed = await commitProposal(context, draft, { flight: market, field, untilMs: untilMs || undefined });
  if (snapshot === undefined) throw new Error('a snapshot lost its terms');
  const today = planTerms(committed.proposal, call.seller.products, snapshot.terms.brand, flight);
  if (digestTerms(today) !== snapshot.terms_digest) throw changedPrices(field);
  const made = { ...committed, snapshot };
  return { outcome: 'finalized', proposal: showSnapshot(made), made: [made] };
}

function notDraft(field: string): TaskError {
  return new TaskError('INVALID_STATE', 'The proposal is committed already.', {
    field,
    suggestion: 'Accept it with accept_proposal, or revise it for another draft.',
  });
}
