import type { PurchaseType } from './plan.js';

/**
 * The part of a plan's budget that actions have taken, by what they buy, from whom and on which single channel (empty:
 * several or unknown).
 */
export type UsageRow = {
  readonly purchase_type: PurchaseType;
  readonly seller: string;
  readonly channel: string;
  /** Reported as bought. */
  readonly committed: number;
  /** Approved and not yet reported. */
  readonly held: number;
};

/** Returns what rows have committed or hold, those that `counts` says. */
export function sumUsage(rows: readonly UsageRow[], counts: (row: UsageRow) => boolean = () => true): number {
  return rows.filter(counts).reduce((sum, { committed, held }) => sum + committed + held, 0);
}
