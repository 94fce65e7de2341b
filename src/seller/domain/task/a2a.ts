import { HOUR_MS } from '../../../platform/kernel/clock.js';

/** Most native registrations of one task. */
export const MAX_TASK_PUSHES = 10;

/** How long the end of a call is kept at most, ms. */
export const MAX_STORED_MS = 24 * HOUR_MS;

/** A2A's members of a task that goes on, or of a call that was over when it was answered. */
export type A2aTask = {
  readonly task_id: string;
  readonly owner: string;
  readonly context_id: string;
  /** The answer of a call that was over, as JSON; null of a task that `TaskReader` finds. */
  readonly doc: string | null;
};

/** The revisions of A2A, by whose shapes a registration is served. */
export type A2aRevision = '0.3' | '1.0';

/** A native registration of one task. */
export type A2aPush = {
  readonly config_id: string;
  readonly revision: A2aRevision;
  /** The registration as it came: address, `operation_id`, `token`, `authentication`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Plain http and loopback may be called, in development mode. */
  readonly local: boolean;
};
