import type { CREATIVE_REASONS, Creative, CreativeStatus, PurgeKind } from './creative.js';

type ReasonCode = (typeof CREATIVE_REASONS)[number];

/** Who brought a change about: a person or policy of the seller, or its machinery. */
export type Initiator = 'seller' | 'system';

/** A move that a creative's buyer did not ask for, in the protocol's words. Times are ISO 8601. */
export type CreativeTransition = {
  readonly transition: { readonly from: CreativeStatus; readonly to: CreativeStatus; readonly observed_at: string };
  readonly reason_code: ReasonCode;
  readonly reason_detail?: string | undefined;
  readonly initiator: Initiator;
};

/** The destruction of a creative, in the protocol's words. */
export type Destruction = {
  readonly purge_kind: PurgeKind;
  readonly purged_at: string;
  readonly reason_code: ReasonCode;
  readonly initiator: Initiator;
};

/** The reason of each move that a seller or its system makes; from other states only a buyer moves a creative. */
const REASONS: Partial<Record<CreativeStatus, Partial<Record<CreativeStatus, ReasonCode>>>> = {
  processing: { pending_review: 'review_passed', approved: 'review_passed', rejected: 'processing_failure' },
  pending_review: { approved: 'review_passed', rejected: 'review_failure' },
  approved: {
    pending_review: 'seller_rereview',
    suspended: 'policy_revocation',
    rejected: 'policy_revocation',
    archived: 'seller_archive',
  },
  suspended: { approved: 'review_passed', rejected: 'policy_revocation' },
};

const MAX_DETAIL_CHARACTERS = 500;

/** Returns the move between two states of a creative; undefined where there is none that its buyer hears of. */
export function describeTransition(
  before: Pick<Creative, 'status'>,
  after: Pick<Creative, 'status' | 'updated_date' | 'rejection_reason' | 'revoked_right'>,
  initiator: Initiator,
): CreativeTransition | undefined {
  const usual = REASONS[before.status]?.[after.status];
  if (usual === undefined) return undefined;
  const reason_code = after.revoked_right === undefined ? usual : 'identity_authorization_revoked';
  // The protocol has no way from processing to approved: what needs no person's review has passed it at once.
  const from = before.status === 'processing' && after.status === 'approved' ? 'pending_review' : before.status;
  return {
    transition: { from, to: after.status, observed_at: after.updated_date },
    reason_code,
    reason_detail: after.rejection_reason?.slice(0, MAX_DETAIL_CHARACTERS),
    initiator,
  };
}
