import { isObject, Written } from '../../../platform/kernel/json/json.js';
import type { TaskStatus } from '../../../protocol/tasks.js';

/** Largest answer that is kept for `tasks/get`. */
const MAX_KEPT_BYTES = 256 * 1024;
const TOO_LARGE = 'The answer was too large to be kept; send the message again.';

/** The end of a call that was over when it was answered. */
export type CallEnd = {
  readonly status: Extract<TaskStatus, 'completed' | 'failed'>;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The task's name at its tenant. */
  readonly name: string;
  readonly message?: string | undefined;
  readonly data?: Written | undefined;
};

/** Writes the end of a call as it is kept: what is said of it, then the answer to the byte where it is not too large. */
export function writeEnd({ data, ...head }: CallEnd): string {
  if (data === undefined || Buffer.byteLength(data.plain) > MAX_KEPT_BYTES)
    return JSON.stringify({ ...head, message: TOO_LARGE });
  return `${JSON.stringify(head)}\n${data.plain}`;
}

/** Returns the end of a call from what was kept of it. */
export function readEnd(stored: string): CallEnd {
  const at = stored.indexOf('\n');
  const head: unknown = JSON.parse(at < 0 ? stored : stored.slice(0, at));
  if (!isObject(head)) throw new Error('what is kept of a call is an object');
  return { ...(head as CallEnd), data: at < 0 ? undefined : new Written(stored.slice(at + 1)) };
}
