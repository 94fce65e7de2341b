import { isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import { isOver } from '../../../protocol/tasks.js';
import type { App } from '../../context.js';
import { moveTask, type Task } from '../../domain/task/task.js';
import { releaseHolder } from '../../lifecycle/inventory.js';
import { announceTask } from '../../webhooks/events/task-events.js';
import { cancelActivation } from '../signal/activation-task.js';

/**
 * Ends a task that its buyer gives up: what it held is free, and its registrations are told. Throws REFERENCE_NOT_FOUND for a task that
 * is not the owner's, and INVALID_STATE for one that is over.
 */
export function cancelTask(app: App, owner: string, taskId: string): Promise<Task> {
  return app.store.transact(async (tx) => {
    const task = await tx.tasks.find(owner, taskId);
    if (task === undefined)
      throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such task for this caller.', { field: 'task_id' });
    if (isOver(task.status))
      throw new TaskError('INVALID_STATE', `The task is ${task.status}; it cannot be canceled.`, { field: 'task_id' });
    await releaseHolder(tx, taskId);
    const nowMs = app.clock.nowOf(owner);
    if (task.task_type === 'activate_signal') await cancelActivation(tx, task, nowMs);
    const at = isoTime(nowMs);
    const canceled = moveTask(task, { status: 'canceled', at, message: 'The buyer canceled the task.', by: 'buyer' });
    await tx.tasks.replace(canceled);
    await announceTask(app.outbox, tx, canceled);
    return canceled;
  });
}
