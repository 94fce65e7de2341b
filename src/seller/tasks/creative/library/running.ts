import { TaskError } from '../../../../protocol/errors.js';
import type { Call } from '../../../context.js';
import type { Assignment } from '../../../domain/creative/creative.js';
import type { Writer } from '../../../store/store.js';

/** Whether a package in which one of these assignments is runs now. */
export async function isRunning(db: Writer, call: Call, assignments: readonly Assignment[]): Promise<boolean> {
  for (const { media_buy_id, package_id, weight } of assignments) {
    const buy = await db.mediaBuys.find(call.owner, media_buy_id);
    const line = buy?.packages.find((candidate) => candidate.package_id === package_id);
    if (buy?.status === 'active' && line !== undefined && !line.paused && !line.canceled && weight !== 0) return true;
  }
  return false;
}

/** Returns the error for a change to a creative that a running package holds. */
export function stillRunning(change: 'replaced' | 'deleted', field: string): TaskError {
  return new TaskError('INVALID_STATE', `The creative is running and cannot be ${change}.`, {
    field,
    suggestion: 'Pause the package first, or send the new version under a new creative_id and assign that.',
  });
}
