import type { MediaBuy } from '../../src/seller/domain/media-buy/media-buy.js';
import type { Reader } from '../../src/seller/store/store.js';
import type { Payload } from '../kit/wire.js';
import type { Step } from './desk.js';

/** What a person states, by the trade's word for it. */
export type Facts = Readonly<Record<string, unknown>>;

/** One thing that a person wants done: the scripted planner's reading of a request, without the name of any tool. */
export type Want = { readonly goal: string; readonly facts: Facts };

/** Calls a tool in a person's name before a task begins. Throws where that fails. */
export type Arrange = (name: string, args: object) => Promise<Payload>;

/** What is there when a driver says that it is done. */
export type After = {
  readonly read: Reader;
  /** Whose things the store holds. */
  readonly owner: string;
  /** The account of that person. */
  readonly account: string;
  /** All buys of the person, the oldest first. */
  readonly buys: readonly MediaBuy[];
  /** What was arranged. */
  readonly given: Facts;
  /** The calls that were made. */
  readonly steps: readonly Step[];
};

/** A request of a person, and how the store has to look when it is met. */
export type EvalTask = {
  readonly id: string;
  /** The shipped tenant that is asked. */
  readonly tenant: string;
  /** Makes what is there before; its answer is told to `ask` and `wants`. */
  readonly arrange?: (call: Arrange, account: string) => Promise<Facts>;
  /** The words of the person. */
  readonly ask: (given: Facts) => string;
  /** The same for a planner that reads no prose; a task without it is for models alone. */
  readonly wants?: (given: Facts) => readonly Want[];
  /** Looks whether the request is met. Throws an assertion's error where it is not. */
  readonly grade: (after: After) => void | Promise<void>;
};
