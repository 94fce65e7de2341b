import { TaskError } from '../kernel/errors.js';
import type { FormatId } from './product.js';

/** States of a creative in the library (facts D.4). */
export const CREATIVE_STATUSES = [
  'processing',
  'pending_review',
  'approved',
  'suspended',
  'rejected',
  'archived',
] as const;
export type CreativeStatus = (typeof CREATIVE_STATUSES)[number];

/** The legal moves of a creative (facts D.4). */
export const CREATIVE_MOVES: Record<CreativeStatus, readonly CreativeStatus[]> = {
  processing: ['pending_review', 'approved', 'rejected'],
  pending_review: ['approved', 'rejected'],
  approved: ['pending_review', 'suspended', 'rejected', 'archived'],
  suspended: ['approved', 'rejected'],
  rejected: ['processing', 'pending_review'],
  archived: ['approved', 'pending_review'],
};

/** A creative as the buyer sent it, with the seller's verdict (facts C.9). Times are ISO 8601. */
export type Creative = {
  readonly creative_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly status: CreativeStatus;
  readonly rejection_reason?: string;
  readonly format_id: FormatId;
  readonly assets: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly created_date: string;
  readonly updated_date: string;
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

/** Whether a package that holds this creative can run. */
export function isUsable(status: CreativeStatus): boolean {
  return status === 'approved';
}

/** Refuses to put a creative into a package that the seller turned down (facts D.4). */
export function checkAssignable(creative: Pick<Creative, 'status'>, field: string): void {
  if (creative.status !== 'rejected' && creative.status !== 'suspended') return;
  throw new TaskError('CREATIVE_REJECTED', 'The creative was rejected and cannot run.', {
    field,
    suggestion: 'Send a corrected creative with sync_creatives, or assign another one.',
  });
}
