import type { Statement } from './statement.js';

/** Runs statements that only read, and sees nothing that is not durable. */
export type Reading = {
  /** The first row, if there is one. */
  readonly one: <Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ) => Promise<Row | undefined>;
  readonly all: <Params extends object, Row>(statement: Statement<Params, Row>, params: Params) => Promise<Row[]>;
};

/** Runs statements inside one transaction. */
export type Writing = Reading & {
  /** The number of rows changed. */
  readonly run: <Params extends object>(statement: Statement<Params, unknown>, params: Params) => Promise<number>;
  /** Runs `work` and undoes all that it wrote, unless `keep` wants it for what it came to; answers that. */
  readonly rehearse: <T>(work: () => Promise<T>, keep?: (outcome: T) => boolean) => Promise<T>;
  /** Calls back once the transaction is on disk, and never if it is undone. */
  readonly onCommit: (then: () => void) => void;
};

/** Counters for `/readyz` and the benchmark. */
export type EngineStats = { readonly commits: number; readonly transactions: number };

/** A database below the repositories. */
export type Engine = {
  readonly reading: Reading;
  /**
   * Runs `work` as one transaction and answers only when its effects are on disk; an error undoes all of it. `work` may be run
   * more than once before it is answered: what it does outside the transaction waits for `onCommit`.
   */
  readonly transact: <T>(work: (tx: Writing) => Promise<T>) => Promise<T>;
  /** Whether the database answers. */
  readonly ping: () => Promise<void>;
  readonly stats: () => EngineStats;
  readonly close: () => Promise<void>;
};
