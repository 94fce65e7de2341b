import { runSlices } from '../../../platform/kernel/slices.js';
import type { App } from '../../context.js';
import { beginAgain } from '../pipeline/outlast.js';
import { prepareRequest } from './decide-task.js';

/** How many tasks are begun again at once. */
const BATCH = 20;

/** Begins tasks again that went on after their answer and were left behind by their process. */
export async function resumeTasks(app: App, isStopped: () => boolean = () => false): Promise<void> {
  await runSlices(async () => {
    const due = await app.store.read.tasks.leftBehind(app.clock.now(), BATCH);
    const left = due.filter(({ run, task_id }) => run !== undefined && !app.unfinished.has(task_id));
    for (const task of left) if (app.unfinished.hasRoom()) await beginAgain(app, task, () => prepareRequest(app, task));
    return left.length > 0 && app.unfinished.hasRoom();
  }, isStopped);
}
