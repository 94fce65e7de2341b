import type { LoadOptions } from '../../../src/seller/config/load.js';
import type { Bendable } from './fixture.js';

/** One way to break the valid tenant, and what must be said about it. */
export type Variant = {
  readonly what: string;
  readonly bend: (tenant: Bendable) => void;
  readonly pointer: string;
  /** A text that stands on exactly one line of the broken file. */
  readonly line: string;
  /** The line to be named, counted from that one. */
  readonly shift?: number;
  /** What message or fix must say. */
  readonly says: RegExp;
  readonly options?: Partial<LoadOptions>;
};
