import type { CreativeHold } from '../../../creative/check/submission.js';
import type { FormatId } from '../../../creative/formats/format.js';
import { TaskError } from '../../../protocol/errors.js';
import { illegalMove } from '../illegal-move.js';

import type { ServingPrice } from './price.js';

/** States of a creative in the library. */
export const CREATIVE_STATUSES = [
  'processing',
  'pending_review',
  'approved',
  'suspended',
  'rejected',
  'archived',
] as const;
export type CreativeStatus = (typeof CREATIVE_STATUSES)[number];

/** The legal moves of a creative. */
export const CREATIVE_MOVES: Record<CreativeStatus, readonly CreativeStatus[]> = {
  processing: ['pending_review', 'approved', 'rejected'],
  pending_review: ['approved', 'rejected'],
  approved: ['pending_review', 'suspended', 'rejected', 'archived'],
  suspended: ['approved', 'rejected'],
  rejected: ['processing', 'pending_review'],
  archived: ['approved', 'pending_review'],
};

/** Who has to approve a creative before it runs: nobody (`auto`), or a person of the seller (`manual`). */
export const CREATIVE_APPROVALS = ['auto', 'manual'] as const;
export type CreativeApproval = (typeof CREATIVE_APPROVALS)[number];

/** Why a creative was changed or destroyed by its seller, in the protocol's words. */
export const CREATIVE_REASONS = [
  'review_passed',
  'review_failure',
  'processing_failure',
  'seller_rereview',
  'policy_revocation',
  'content_drift',
  'identity_authorization_revoked',
  'identity_authorization_expired',
  'source_private',
  'source_deleted',
  'takedown_request',
  'advertiser_request',
  'seller_archive',
  'account_closed',
  'account_suspended',
  'retention_expired',
  'legal_erasure',
] as const;

/** The kinds of destruction of a creative, with the reason where nobody gives one: `soft` leaves a tombstone behind, `hard` nothing. */
export const PURGES = { soft: 'retention_expired', hard: 'legal_erasure' } as const satisfies Record<
  string,
  (typeof CREATIVE_REASONS)[number]
>;
export type PurgeKind = keyof typeof PURGES;

/** Days for which a tombstone is shown to those who ask for it. */
export const TOMBSTONE_DAYS = 30;

/** The purge that the tombstone of a creative shows; its other members are as they were last. */
export type Purge = {
  readonly kind: 'soft';
  readonly at: string;
  readonly reason_code: (typeof CREATIVE_REASONS)[number];
};

/** When the files of a creative are looked at again (ISO 8601), and how often they were already. */
export type Recheck = { readonly attempts: number; readonly at: string };

/** A creative as the buyer sent it, with the seller's verdict. Times are ISO 8601. */
export type Creative = {
  readonly creative_id: string;
  readonly account_id: string;
  /** Counts what the buyer has sent under this id, so that a verdict is about what was looked at. Never on the wire. */
  readonly version: number;
  readonly name: string;
  readonly status: CreativeStatus;
  readonly rejection_reason?: string;
  /** The right that it was rejected for when that was revoked. Never on the wire. */
  readonly revoked_right?: string | undefined;
  /** What keeps it from running as it was sent; without its assets nobody can approve it. */
  readonly hold?: CreativeHold | undefined;
  /** When files that nobody could look at are looked at again; for as long as it is `processing` for them. Never on the wire. */
  readonly recheck?: Recheck | undefined;
  readonly format_id: FormatId;
  readonly assets: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  /** The prices of serving it; absent where that is not billed through the protocol. */
  readonly pricing_options?: readonly ServingPrice[];
  readonly created_date: string;
  readonly updated_date: string;
  /** There on a tombstone alone: the creative is gone, and only a list that asks for it shows it. */
  readonly purge?: Purge;
  /** Further fields of the buyer (inputs, provenance …), returned as they came. */
  readonly echoed: Readonly<Record<string, unknown>>;
};

/** A creative in a package. `weight` is 0 to 100. */
export type Assignment = {
  readonly creative_id: string;
  readonly package_id: string;
  readonly media_buy_id: string;
  readonly weight?: number;
  readonly assigned_date: string;
};

/** An assignment with the seller's verdict on its creative. */
export type AssignedCreative = Assignment & Pick<Creative, 'status' | 'rejection_reason' | 'revoked_right'>;

/** A person's decision about a creative. */
export type Verdict =
  | { readonly status: 'approved' }
  | { readonly status: 'rejected'; readonly rejection_reason: string };

/** The status of a creative when it arrives. */
const INITIAL_STATUS: Record<CreativeApproval, CreativeStatus> = { auto: 'approved', manual: 'pending_review' };

/** The status of a creative that cannot run as it was sent, whatever the policy: files that nobody could look at may be up later. */
const HELD_STATUS: Record<CreativeHold['kind'], CreativeStatus> = {
  incomplete: 'pending_review',
  unread: 'processing',
};

/** The states in which a person may decide; an archived creative is the buyer's to bring back. */
export const VERDICT_FROM: Record<Verdict['status'], readonly CreativeStatus[]> = {
  approved: ['processing', 'pending_review', 'suspended'],
  rejected: ['processing', 'pending_review', 'approved', 'suspended'],
};

/** Whether a package that holds this creative can run. */
export function isUsable(status: CreativeStatus): boolean {
  return status === 'approved';
}

/** Whether a package with these assignments holds no creative that runs or may yet: its buyer has to send one. */
export function lacksCreative(assigned: readonly Pick<AssignedCreative, 'status'>[]): boolean {
  return assigned.every(({ status }) => status === 'rejected' || status === 'suspended' || status === 'archived');
}

/**
 * Returns the status that a sync gives a creative: a new or changed one as the approval policy says, an archived one comes back, a suspended
 * one stays suspended, and one that was sent again as it is keeps its verdict.
 */
export function statusAfterSync(
  before: CreativeStatus | undefined,
  changed: boolean,
  approval: CreativeApproval,
  hold?: CreativeHold['kind'],
): CreativeStatus {
  if (before === 'suspended') return before;
  const isNew = before === undefined || before === 'archived' || changed;
  // What is not whole loses no verdict of a person, and gets none of its own.
  if (hold === undefined) return isNew ? INITIAL_STATUS[approval] : before;
  return isNew || hold === 'incomplete' ? HELD_STATUS[hold] : before;
}

/** Returns the creative after a person's verdict. Throws INVALID_STATE when its state allows no such verdict. */
export function applyVerdict(creative: Creative, verdict: Verdict, nowIso: string): Creative {
  if (!VERDICT_FROM[verdict.status].includes(creative.status)) {
    throw new TaskError('INVALID_STATE', `The creative is ${creative.status}; it cannot become ${verdict.status}.`, {
      suggestion: `It can from ${VERDICT_FROM[verdict.status].join(', ')}.`,
    });
  }
  if (verdict.status === 'approved' && creative.hold?.kind === 'incomplete') {
    throw new TaskError('INVALID_STATE', `The creative is not whole. ${creative.hold.why}`, {
      suggestion: 'Ask the buyer for what is missing, or reject it.',
    });
  }
  const { rejection_reason: _reason, recheck: _recheck, ...rest } = creative;
  return { ...rest, ...verdict, updated_date: nowIso };
}

/**
 * Returns the creative after a move that the seller decided upon; unchanged where it is there already. Throws INVALID_STATE for one that is
 * not in the table.
 */
export function moveCreative(
  creative: Creative,
  to: CreativeStatus,
  reason: string | undefined,
  nowIso: string,
): Creative {
  if (creative.status === to) return creative;
  if (!CREATIVE_MOVES[creative.status].includes(to))
    throw illegalMove('creative', creative.status, to, CREATIVE_MOVES[creative.status]);
  const { rejection_reason: _reason, recheck: _recheck, ...rest } = creative;
  return {
    ...rest,
    status: to,
    updated_date: nowIso,
    rejection_reason: to === 'rejected' ? (reason ?? 'The seller turned the creative down.') : undefined,
  };
}

/** Refuses to put a creative into a package that the seller turned down or the buyer took away. */
export function checkAssignable(
  { status, rejection_reason }: Pick<Creative, 'status' | 'rejection_reason'>,
  field: string,
): void {
  if (status === 'archived') {
    throw new TaskError('INVALID_STATE', 'The creative is archived.', {
      field,
      suggestion: 'Bring it back by sending it with sync_creatives, or assign another one.',
    });
  }
  if (status !== 'rejected' && status !== 'suspended') return;
  throw new TaskError('CREATIVE_REJECTED', `The creative was ${status} and cannot run.`, {
    field,
    suggestion: 'Send a corrected creative with sync_creatives, or assign another one.',
    details: rejection_reason === undefined ? undefined : { rejection_reason },
  });
}
