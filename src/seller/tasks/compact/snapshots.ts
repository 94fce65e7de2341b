import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import type { App, Call } from '../../context.js';
import { type CanonicalProduct, canonicalProduct } from '../../domain/product/canonical.js';
import type { Product } from '../../domain/product/product.js';
import { OFFER_DAYS, type Proposal, type StoredProposal } from '../../domain/proposal/proposal.js';
import { canonicalProposal } from '../../domain/proposal/snapshot.js';
import { type CommercialTerms, digestTerms, type Snapshot } from '../../domain/proposal/terms.js';
import type { Writer } from '../../store/store.js';
import type { ProposalContext } from '../product/proposals.js';

/** A stored proposal that is a snapshot. */
export type StoredSnapshot = StoredProposal & { readonly snapshot: Snapshot };

/** Returns the snapshots of the caller among some ids. */
export async function findSnapshots(
  { db, scope }: Pick<ProposalContext, 'db' | 'scope'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredSnapshot>> {
  const { proposals } = await db.proposals.find(scope, ids);
  return new Map([...proposals].flatMap(([id, stored]) => (isSnapshot(stored) ? [[id, stored] as const] : [])));
}

function isSnapshot(stored: StoredProposal): stored is StoredSnapshot {
  return stored.snapshot !== undefined;
}

/** The parts of a new draft. */
type Draft = Pick<StoredProposal, 'flight' | 'places' | 'account_key'> & {
  readonly proposal: Proposal;
  readonly terms: CommercialTerms;
  readonly snapshot: Omit<Snapshot, 'terms' | 'terms_digest'>;
};

/** Returns a new draft under an id of its own: open for a week, and no longer than until its flight begins. */
export function draftSnapshot(
  { ids }: Pick<App, 'ids'>,
  { now }: Pick<Call, 'now'>,
  { proposal, terms, snapshot, ...planned }: Draft,
): StoredSnapshot {
  const untilMs = Math.min(
    now.ms + OFFER_DAYS * DAY_MS,
    Date.parse(proposal.expires_at ?? '') || Number.POSITIVE_INFINITY,
  );
  const endMs = snapshot.kind === 'new_media_buy' ? Math.min(untilMs, Date.parse(terms.start_time)) : untilMs;
  return {
    ...planned,
    proposal: {
      ...proposal,
      proposal_id: ids.next('prop'),
      proposal_status: 'draft',
      expires_at: isoTime(endMs),
    },
    snapshot: { ...snapshot, terms, terms_digest: digestTerms(terms) },
  };
}

/** Stores snapshots. */
export async function saveSnapshots(
  { db, scope }: Pick<ProposalContext<Writer>, 'db' | 'scope'>,
  made: readonly StoredSnapshot[],
): Promise<void> {
  for (const one of made) await db.proposals.save(scope, one);
}

/** Returns a snapshot as answers show it. */
export function showSnapshot({ proposal, snapshot }: StoredSnapshot): Readonly<Record<string, unknown>> {
  return canonicalProposal(proposal, snapshot);
}

/** The fields of the products that proposals are judged by. */
const EVALUATED = ['description', 'channels', 'delivery_type', 'format_options'];

/** Returns the products of snapshots, each once. */
export function listPurchased({ seller }: Call, snapshots: readonly StoredSnapshot[]): readonly CanonicalProduct[] {
  const ids = new Set(
    snapshots.flatMap(({ snapshot }) => snapshot.terms.purchases.map(({ product_id }) => product_id)),
  );
  const products: readonly Product[] = [...ids].flatMap((id) => seller.products.get(id) ?? []);
  return products.map((product) => canonicalProduct(product, seller.formatOptions, EVALUATED));
}
