import { runSlices } from '../../../platform/kernel/slices.js';
import type { App } from '../../context.js';
import type { Task } from '../../domain/task/task.js';
import { beginAgain } from '../pipeline/outlast.js';
import { endActivation } from '../signal/activation-task.js';
import { prepareRequest } from './decide-task.js';

/** How many tasks are begun again at once. */
const BATCH = 20;

/** Begins tasks again that went on after their answer and were left behind by their process; ends those whose signal is live by now. */
export async function resumeTasks(app: App, isStopped: () => boolean = () => false): Promise<void> {
  await runSlices(async () => {
    const due = await app.store.read.tasks.leftBehind(app.clock.now(), BATCH);
    const left = due.filter(({ run, task_id }) => run !== undefined && !app.unfinished.has(task_id));
    for (const task of left) await resumeTask(app, task);
    return left.length > 0 && app.unfinished.hasRoom();
  }, isStopped);
  for (const owner of app.clock.ahead()) await endActivations(app, owner);
}

async function resumeTask(app: App, task: Task): Promise<void> {
  if (task.task_type === 'activate_signal') await endActivation(app, task);
  else if (app.unfinished.hasRoom()) await beginAgain(app, task, () => prepareRequest(app, task));
}

/** Ends the tasks of one owner whose signal is live by the owner's own clock. */
export async function endActivations(app: App, owner: string): Promise<void> {
  const due = await app.store.read.tasks.leftBehindOf(owner, 'activate_signal', app.clock.nowOf(owner), BATCH);
  for (const task of due) await endActivation(app, task);
}
