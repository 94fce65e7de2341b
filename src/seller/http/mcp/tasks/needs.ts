/** The task that somebody who changes a task must be allowed to call, at a tenant that has it or not. */
export const CHANGING_TASK = 'update_media_buy';

const NEEDED: ReadonlyMap<unknown, string> = new Map([
  ['tasks/get', 'get_task_status'],
  ['tasks/result', 'get_task_status'],
  ['tasks/list', 'list_tasks'],
  ['tasks/update', CHANGING_TASK],
  ['tasks/cancel', CHANGING_TASK],
]);

/** Returns the task that a method of MCP about tasks needs; undefined for another method. */
export function taskNeededBy(method: unknown): string | undefined {
  return NEEDED.get(method);
}
