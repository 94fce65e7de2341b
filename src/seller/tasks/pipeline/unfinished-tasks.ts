/** The most tasks that go on in one process. */
const MAX_UNFINISHED = 50;

/** The tasks that go on in this process after their calls were answered. What stops with its process, the next one begins again. */
export class UnfinishedTasks {
  readonly #running = new Map<string, Promise<void>>();

  hasRoom(): boolean {
    return this.#running.size < MAX_UNFINISHED;
  }

  has(taskId: string): boolean {
    return this.#running.has(taskId);
  }

  /** Lets a task go on; `run` never throws. */
  add(taskId: string, run: () => Promise<void>): void {
    const running = run().finally(() => this.#running.delete(taskId));
    this.#running.set(taskId, running);
  }
}
