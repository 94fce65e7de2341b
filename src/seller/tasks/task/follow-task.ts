import type { App } from '../../context.js';
import type { Task } from '../../domain/task/task.js';

/** A task as its owner follows it, until `gone` aborts. */
type Following = { readonly owner: string; readonly taskId: string; readonly gone: AbortSignal };

/**
 * Yields a task as it stands, once at least, and again when it has changed since it was taken: changes in between come together. Ends when
 * `gone` aborts, or the owner has no such task.
 */
export async function* followTask(app: Pick<App, 'store'>, { gone, owner, taskId }: Following): AsyncGenerator<Task> {
  const { read, taskChanges } = app.store;
  let hasChanged = true;
  let wake = (): void => undefined;
  const stop = taskChanges.listen(taskId, () => {
    hasChanged = true;
    wake();
  });
  const end = (): void => wake();
  gone.addEventListener('abort', end);
  try {
    do {
      if (hasChanged) {
        hasChanged = false;
        const task = await taskChanges.read(taskId, () => read.tasks.findAnywhere(taskId));
        if (task?.owner !== owner) return;
        yield task;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } while (!gone.aborted);
  } finally {
    gone.removeEventListener('abort', end);
    stop();
  }
}

/** Looks for changes that other processes made to the tasks that are followed here. */
export async function findTaskChanges({ store }: Pick<App, 'store'>): Promise<void> {
  const { taskIds } = store.taskChanges;
  if (store.isShared && taskIds.length > 0) store.taskChanges.compare(await store.read.tasks.marks(taskIds));
}
