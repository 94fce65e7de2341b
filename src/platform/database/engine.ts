import type { Builder, EngineName, Statement } from './statement.js';

/** Runs statements that only read, and sees nothing that is not durable. */
export type Reading = {
  /** Returns the first row, if there is one. */
  one<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined>;
  all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>;
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
  /** Returns the number of rows changed. */
  run<Params extends object>(statement: Statement<Params, unknown>, params: Params): Promise<number>;
  /** Runs `action`, undoes everything it wrote unless `isKept` accepts its outcome, and returns the outcome. */
  rehearse<T>(action: () => Promise<T>, isKept?: (outcome: T) => boolean): Promise<T>;
  /** Calls back once the transaction is on disk, and never if it is undone. */
  onCommit(listener: () => void): void;
};

/** Counters for `/readyz` and the benchmark. */
export type EngineStats = { readonly commits: number; readonly transactions: number };

/** A database of the tables `Database`, below the repositories. */
export type Engine<Database> = {
  readonly name: EngineName;
  /** Builds queries in the engine's dialect. */
  readonly queries: Builder<Database>;
  readonly reading: Reading;
  /**
   * Runs `action` as one transaction and returns only when its effects are on disk; an error undoes all of it. `action` may be run
   * more than once before the transaction is answered: what it does outside the transaction waits for `onCommit`.
   */
  transact<T>(action: (tx: Writing) => Promise<T>): Promise<T>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  stats(): EngineStats;
  close(): Promise<void>;
};

/** A database that lives in the process: short questions need not wait for a round of the event loop. */
export type EmbeddedEngine<Database> = Engine<Database> & { readonly direct: DirectReading };
