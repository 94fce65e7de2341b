import { isObject, Written, writeOnce } from '../../../platform/kernel/json/json.js';
import { isOngoing, type TaskStatus } from '../../../protocol/tasks.js';
import type { App, Caller } from '../../context.js';
import { findTool } from '../index.js';
import { type Answer, ownerOf } from '../pipeline/receive.js';
import { canBeTask } from '../pipeline/tool.js';

/** Longest answer that may open a task; longer ones are results. */
const MAX_ACKNOWLEDGMENT_CHARACTERS = 64 * 1024;

/** Returns the members of an answer, where it is short enough to open a task or to tell of one buy. */
export function readShort({ isError, payload }: Answer): Readonly<Record<string, unknown>> | undefined {
  const { plain } = writeOnce(payload);
  if (isError || plain.length > MAX_ACKNOWLEDGMENT_CHARACTERS) return undefined;
  const answer: unknown = JSON.parse(plain);
  return isObject(answer) ? answer : undefined;
}

/** Returns the acknowledgment of a task that a call has opened; undefined of a call that is over, and of one that asks about tasks. */
export function readAcknowledgment(
  { principal, seller }: Caller,
  name: unknown,
  answer: Answer,
): ReturnType<typeof asOngoing> {
  const tool = typeof name === 'string' ? findTool(seller, name, principal) : undefined;
  const opensTasks = tool !== undefined && (tool.kind === 'mutation' || canBeTask(tool));
  return opensTasks ? asOngoing(readShort(answer)) : undefined;
}

function asOngoing(answer: Readonly<Record<string, unknown>> | undefined) {
  return answer !== undefined && isOngoing(answer) ? answer : undefined;
}

/** Largest answer that is kept for `tasks/get`. */
const MAX_STORED_BYTES = 256 * 1024;
const TOO_LARGE = 'The answer was too large to be kept; send the message again.';

/** The end of a call that was over when it was answered. */
export type CallEnd = {
  readonly status: Extract<TaskStatus, 'completed' | 'failed'>;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The task's name at its tenant. */
  readonly name: string;
  readonly message?: string | undefined;
  /** How long it is kept, ms; as long as any answer unless set. */
  readonly ttlMs?: number | undefined;
  readonly data?: Written | undefined;
};

/** Whether an answer is what the call came to: not that of one that came too often, nor of a store that is away. */
export function isFinal({ code }: Answer): boolean {
  return code !== 'RATE_LIMITED' && code !== 'SERVICE_UNAVAILABLE';
}

/** Keeps the end of a caller's call for whoever of its owner asks for it, at most `ttlMs` long. */
export async function storeEnd(
  app: App,
  caller: Caller,
  { id, contextId }: { readonly id: string; readonly contextId: string },
  end: CallEnd,
): Promise<void> {
  const task = { task_id: id, owner: ownerOf(caller), context_id: contextId, doc: writeEnd(end) };
  await app.store.transact((tx) => tx.a2a.finish(task, app.clock.now(), end.ttlMs));
}

/** Writes the end of a call as it is kept: what is said of it, then the answer to the byte where it is not too large. */
function writeEnd({ data, ...head }: CallEnd): string {
  if (data === undefined || Buffer.byteLength(data.plain) > MAX_STORED_BYTES)
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
