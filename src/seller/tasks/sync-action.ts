/** The outcome of one entry of a sync task, as its `action` says it. */
type SyncAction = 'created' | 'updated' | 'unchanged';

/** Returns the action of an entry that is new, or that differs from what was stored. */
export function syncAction(isNew: boolean, isChanged: boolean): SyncAction {
  if (isNew) return 'created';
  return isChanged ? 'updated' : 'unchanged';
}
