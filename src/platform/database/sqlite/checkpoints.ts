import AsyncLibsql from 'libsql/promise';

/** So many rows change before the log is written into the file beside the event loop. */
const ROWS_PER_CHECKPOINT = 1000;
/** A log of more pages than this is written into the file while nothing is added to it, so that it can begin anew. */
const MAX_PAGES_OF_LOG = 2000;

/** The result of a checkpoint of SQLite: the pages of the log, and how many of them are in the file. */
type Checkpointed = { readonly log: number; readonly checkpointed: number };

/**
 * Writes the log of one SQLite file into it, in a thread of the library. The writer does it as well once the log is very long, on the event
 * loop; a writer that asks `makeRoom` before each transaction hardly ever comes to that.
 */
export class Checkpoints {
  readonly #file: string;
  #database: AsyncLibsql | undefined;
  #running: Promise<void> | undefined;
  #checkpointed = 0;
  #isLong = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Begins a checkpoint where enough rows have changed since the last one began; `rows` have changed since the file was opened. */
  noteCommit(rows: number): void {
    if (this.#running !== undefined || rows - this.#checkpointed < ROWS_PER_CHECKPOINT) return;
    this.#checkpointed = rows;
    this.#start();
  }

  /** Returns what the next transaction has to wait for where the log is long: as long as it is added to, it does not begin anew. */
  makeRoom(): Promise<void> | undefined {
    if (!this.#isLong) return undefined;
    this.#isLong = false;
    return this.#finish();
  }

  /** Waits for the checkpoint that runs. */
  async settle(): Promise<void> {
    await this.#running;
  }

  async close(): Promise<void> {
    await this.settle();
    this.#database?.close();
  }

  /** Waits for the checkpoint that runs, which may have begun before the last pages were written, and makes another. */
  async #finish(): Promise<void> {
    await this.#running;
    await this.#start();
    // What a reader holds back stays in the log; the next checkpoint sees to it.
    this.#isLong = false;
  }

  #start(): Promise<void> {
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      this.#database ??= new AsyncLibsql(this.#file, { timeout: 0 });
      const statement = await this.#database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
      const [done] = (await statement.all()) as Checkpointed[];
      this.#isLong = (done?.log ?? 0) > MAX_PAGES_OF_LOG;
    } catch {
      // The writer's own checkpoint finds the same fault, and says it to who writes.
    }
  }
}
