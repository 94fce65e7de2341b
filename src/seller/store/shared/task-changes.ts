import type { Task } from '../../domain/task/task.js';

/** A mark that tells a task from itself after a change. */
export type TaskMark = { readonly task_id: string; readonly status: string; readonly updated_at: number };

/** The listeners to a task, the mark that it had when it was last looked at, and the reading that is under way since its last change. */
type Followed = { readonly listeners: Set<() => void>; mark: string; reading?: Promise<Task | undefined> | undefined };

/** Tells listeners of this process that a task has changed, once the change is on disk. What other processes change is found by marks. */
export class TaskChanges {
  readonly #followed = new Map<string, Followed>();

  /** Calls `listener` after each change of a task; returns how to stop that. */
  listen(taskId: string, listener: () => void): () => void {
    const followed = this.#followed.get(taskId) ?? { listeners: new Set(), mark: '' };
    this.#followed.set(taskId, followed);
    followed.listeners.add(listener);
    return () => {
      followed.listeners.delete(listener);
      if (followed.listeners.size === 0) this.#followed.delete(taskId);
    };
  }

  /** Tells of a change of this process. */
  announce(taskId: string): void {
    const followed = this.#followed.get(taskId);
    if (followed === undefined) return;
    followed.reading = undefined;
    for (const listener of followed.listeners) listener();
  }

  /** Returns what `load` reads of a task that is listened to: once for all who ask at the same time, for a task may be long. */
  read(taskId: string, load: () => Promise<Task | undefined>): Promise<Task | undefined> {
    const followed = this.#followed.get(taskId);
    if (followed?.reading !== undefined) return followed.reading;
    const reading = load().finally(() => {
      if (followed?.reading === reading) followed.reading = undefined;
    });
    if (followed !== undefined) followed.reading = reading;
    return reading;
  }

  /** Returns the ids of the tasks that are listened to. */
  get taskIds(): readonly string[] {
    return [...this.#followed.keys()];
  }

  /** Tells of the tasks whose marks are others than before. */
  compare(marks: readonly TaskMark[]): void {
    for (const { status, task_id, updated_at } of marks) {
      const followed = this.#followed.get(task_id);
      const mark = `${status} ${updated_at}`;
      if (followed === undefined || followed.mark === mark) continue;
      followed.mark = mark;
      this.announce(task_id);
    }
  }
}
