import { HOUR_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { MediaBuy } from '../../../domain/media-buy/media-buy.js';
import { changeOfBuy } from '../../../domain/proposal/amendment.js';
import { type Market, plannedFor } from '../../../domain/proposal/market.js';
import { checkOpen, HOLD_HOURS, type Proposal } from '../../../domain/proposal/proposal.js';
import { buyTerms } from '../../../domain/proposal/snapshot.js';
import { type BuyChange, type CommercialTerms, digestTerms } from '../../../domain/proposal/terms.js';
import { holdBeyond, listHeld } from '../../../lifecycle/inventory.js';
import type { Hold } from '../../../store/inventory/holds.js';
import { updateMediaBuy } from '../../media-buy/update-media-buy.js';
import { proposalHolder } from '../../product/proposals.js';
import { asMutation } from '../commitment.js';
import { withFieldNames } from '../renamed.js';
import type { Criteria } from '../shapes.js';
import { draftSnapshot, type StoredSnapshot } from '../snapshots.js';
import type { RevisionContext } from './ground.js';

const change = asMutation(updateMediaBuy);

/** The basis of an amendment: the accepted proposal, its buy, and the plan of the buy before and after its revision. */
type Amended = {
  readonly source: StoredSnapshot;
  readonly buy: MediaBuy;
  readonly before: Proposal;
  readonly after: Proposal;
  readonly flight: Market;
  readonly criteria: Criteria | undefined;
};

/** Drafts the amendment of a buy: its terms are those that the buy would have. Throws what update_media_buy throws to the change. */
export async function draftAmendment(
  context: RevisionContext,
  { source, buy, before, after, flight, criteria }: Amended,
): Promise<{ readonly draft: StoredSnapshot; readonly isSame: boolean }> {
  const asked = changeOfBuy(buy, { before, after, flight });
  const { terms } = await rehearse(context, { buy, asked, of: source.snapshot.terms });
  const { expires_at: _none, proposal_status: _ofPlan, ...open } = after;
  const draft = draftSnapshot(context.app, context.call, {
    proposal: open,
    terms,
    snapshot: {
      kind: 'media_buy_update',
      parent_proposal_id: source.proposal.proposal_id,
      opportunity_id: source.snapshot.opportunity_id,
      media_buy_id: buy.media_buy_id,
      base_media_buy_revision: buy.revision,
      change: asked,
      criteria,
    },
    ...plannedFor(flight),
    account_key: source.account_key ?? '',
  });
  return { draft, isSame: Object.keys(asked).length === 0 };
}

/**
 * Commits the draft of an amendment: what its buy would hold beyond what it holds is held until `expires_at`. Throws CONFLICT where the buy
 * is another one by now, REQUOTE_REQUIRED where a price is, and what update_media_buy throws to the change, all with `field`.
 */
export async function commitAmendment(
  context: RevisionContext,
  draft: StoredSnapshot,
  field: string,
): Promise<StoredSnapshot> {
  const { call, db, scope } = context;
  const { snapshot, proposal } = draft;
  checkOpen(draft, call.now.ms, field);
  const buy = await db.mediaBuys.find(scope, snapshot.media_buy_id ?? '');
  if (buy === undefined) throw new Error('an amendment without its media buy');
  const { terms, wanted } = await withFieldNames([[/^.*$/s, field]], () =>
    rehearse(context, {
      buy: { ...buy, revision: snapshot.base_media_buy_revision ?? buy.revision },
      asked: snapshot.change ?? {},
      of: snapshot.terms,
    }),
  );
  if (digestTerms(terms) !== snapshot.terms_digest) throw changedPrices(field);
  const endMs = call.now.ms + HOLD_HOURS * HOUR_MS;
  const added = (snapshot.change?.new_packages ?? []).map(({ product_id }) => product_id);
  const made: StoredSnapshot = {
    ...draft,
    proposal: { ...proposal, proposal_status: 'committed', expires_at: isoTime(endMs) },
    held: added.flatMap((id) => call.seller.products.get(id) ?? []),
  };
  const present = await listHeld(db, [buy.media_buy_id]);
  await holdBeyond(db, { holder_id: proposalHolder(call.owner, made), expires_at: endMs }, wanted, present);
  return made;
}

/** Returns the error of a draft whose prices are others by now. */
export function changedPrices(field: string): TaskError {
  return new TaskError('REQUOTE_REQUIRED', 'A price of the proposal has changed since it was made.', {
    field,
    suggestion: 'Revise the proposal for a draft at the prices of today, and finalize that.',
  });
}

/** A change of a buy, and the terms that it had. */
type Rehearsed = { readonly buy: MediaBuy; readonly asked: BuyChange; readonly of: CommercialTerms };

/** Changes a buy and undoes it: returns the terms that it had then, and what it held. */
async function rehearse(
  context: RevisionContext,
  { buy, asked, of: { brand, purchase_order_ref } }: Rehearsed,
): Promise<{ readonly terms: CommercialTerms; readonly wanted: readonly Hold[] }> {
  const { db, scope } = context;
  const { media_buy_id, revision } = buy;
  const args = { ...asked, media_buy_id, revision };
  return db.rehearse(async () => {
    await change.run({ ...context, args, account: undefined, accountIsNew: false, prepared: undefined });
    const amended = await db.mediaBuys.find(scope, media_buy_id);
    if (amended === undefined) throw new Error('a media buy is gone within its change');
    return { terms: buyTerms(amended, { brand, purchase_order_ref }), wanted: await listHeld(db, [media_buy_id]) };
  });
}
