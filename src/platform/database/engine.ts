import type { Builder, EngineName, Statement } from './statement.js';

/** Runs statements that only read, and sees nothing that is not durable. */
export type Reading = {
  /** Returns the first row, if there is one. */
  one<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined>;
  all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>;
  /** Returns what `all` does, for a statement that may look at very many rows: outside a transaction the event loop is not held. */
  scan<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>;
};

/** Runs reading statements at once, without a promise, and sees nothing that is not durable. */
export type DirectReading = {
  /** Returns the first row, if there is one. */
  one<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Row | undefined;
  all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Row[];
  /** Returns the values of the first row in the order in which they are selected: the cheapest answer. */
  values<Params extends object>(statement: Statement<Params, unknown>, params: Params): readonly unknown[] | undefined;
};

/** Runs statements inside one transaction. */
export type Writing = Reading & {
  /** Reads before the transaction begins, once its locks are taken: what is found there is nothing that the transaction depends on. */
  readonly ahead: Reading;
  /** Returns the number of rows changed. */
  run<Params extends object>(statement: Statement<Params, unknown>, params: Params): Promise<number>;
  /** Runs a statement whose count nobody asks for, in its turn and without waiting. What it fails of fails the transaction. */
  write<Params extends object>(statement: Statement<Params, unknown>, params: Params): void;
  /** Runs `action`, undoes everything it wrote unless `isCommitted` accepts its outcome, and returns the outcome. */
  rehearse<T>(action: () => Promise<T>, isCommitted?: (outcome: T) => boolean): Promise<T>;
  /** Calls back once the transaction is on disk, and never if it is undone. */
  onCommit(listener: () => void): void;
};

/**
 * How transactions are kept apart where several run at once: `serializable`, as if they ran one after the other, or by the `rows` alone that
 * they lock or change. The latter is for queues, whose every statement says all that it relies on.
 */
export type Isolation = 'serializable' | 'rows';

/** How a transaction is kept apart from others; serializable, and without locks, unless told otherwise. */
export type TransactionOptions = {
  readonly isolation?: Isolation;
  /**
   * Names of what one transaction at a time is to change, of all processes: rivals wait their turn rather than undo each other. Those that
   * share several name them in the same order.
   */
  readonly locks?: readonly string[];
};

/** Counters for `/readyz` and the benchmark: commits, the transactions in them, and how often one was run again before. */
export type EngineStats = { readonly commits: number; readonly transactions: number; readonly retries: number };

/** Figures of a table, as the database's statistics have them. */
export type TableFigures = {
  readonly name: string;
  readonly liveRows: number;
  /** Rows that were deleted or replaced and lie in the table until it is vacuumed. */
  readonly deadRows: number;
  /** Undefined for one that never was. */
  readonly vacuumedSecondsAgo: number | undefined;
};

/** Measurements of a database server, for `/metrics`. */
export type DatabaseFigures = {
  /** Connections of this process, and what waits for one. */
  connections(): { readonly inUse: number; readonly idle: number; readonly waiting: number };
  /** Returns how many transactions ago the oldest state was made that somebody may still read. */
  oldestXminAge(): Promise<number>;
  tables(names: readonly string[]): Promise<readonly TableFigures[]>;
};

/** A database of the tables `Database`, below the repositories. */
export type Engine<Database> = {
  readonly name: EngineName;
  /** Builds queries in the engine's dialect. */
  readonly queries: Builder<Database>;
  readonly reading: Reading;
  /**
   * Runs `action` as one transaction and returns only when its effects are on disk; an error undoes all of it. `action` may be run
   * more than once before the transaction is answered: what it does outside the transaction waits for `onCommit`. Throws
   * DatabaseUnavailable and LockTimeout; nothing was done then, but for a commit whose answer was lost.
   */
  transact<T>(action: (tx: Writing) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Writes one row, the same every time, and rejects when it is not on disk. */
  ping(): Promise<void>;
  /** Gives some of the file's free pages back to the disk, at most so many; returns how many. A few stay for what comes. */
  giveBack(pages: number): Promise<number>;
  /** Rewrites the file, so that nothing of what was deleted or replaced is left in it; only while nothing else runs. */
  compact(): Promise<void>;
  stats(): EngineStats;
  /** Of a database server; a file has none. */
  readonly figures?: DatabaseFigures;
  close(): Promise<void>;
};

/** A database that lives in the process: short questions need not wait for a round of the event loop. */
export type EmbeddedEngine<Database> = Engine<Database> & { readonly direct: DirectReading };
