import { isObject } from '../../../../platform/kernel/json/json.js';
import { attachText } from '../../../../platform/kernel/json/verbatim.js';
import { McpRefusal } from '../../../../platform/mcp/refusal.js';
import { completePayload, type Payload, successPayload } from '../../../../protocol/envelope.js';
import { isOver } from '../../../../protocol/tasks.js';
import type { Caller } from '../../../context.js';
import { lastStep, type Task } from '../../../domain/task/task.js';
import { addresseeOf } from '../../../tasks/pipeline/receive.js';
import type { CallEnd } from '../../../tasks/task/call-end.js';
import { callResult } from '../call-tool.js';
import { type ShownTask, showEnd, showTask } from './view.js';

type Result = Readonly<Record<string, unknown>>;

/** A task of a caller: one that the store knows, or a call that was over when it was answered. */
export type TaskWithOutcome = { readonly shown: ShownTask } & (
  | { readonly task: Task }
  | { readonly task?: undefined; readonly end: CallEnd }
);

/** Returns a stored task. */
export function storedTask(task: Task): TaskWithOutcome {
  return { shown: showTask(task), task };
}

/** Returns the kept end of a call. */
export function endedCall(taskId: string, end: CallEnd): TaskWithOutcome {
  return { shown: showEnd(taskId, end), end };
}

/** Returns the result that the call of a task came to, as it would have been answered at once; undefined while it goes on. Throws the refusal of one that has none. */
export function outcomeOf(caller: Caller, found: TaskWithOutcome): Result | undefined {
  if (found.task !== undefined) return isOver(found.task.status) ? resultOf(caller, found.task) : undefined;
  const { data, name, status } = found.end;
  if (data === undefined) throw noResult(found.end.message ?? 'There is no result.');
  return callResult({ payload: data, isError: status === 'failed' }, { caller, name });
}

function resultOf(caller: Caller, task: Task): Result {
  if (task.status === 'canceled') throw noResult('The task was cancelled; it has no result.');
  const { result = {} } = lastStep(task);
  const { context } = task.request;
  if (isObject(context) && task.context_text !== undefined) attachText(context, task.context_text);
  const to = { ...addresseeOf(caller, task.request), release: task.release };
  const isError = task.status !== 'completed';
  const answer = isError ? { ...result, ...failureOf(result, to.names.error) } : completePayload(result);
  return callResult({ payload: successPayload(answer, to), isError }, { caller, name: task.task_type });
}

/** Returns what a failed answer says beside the errors of its result, where clients of each kind look for it. */
function failureOf({ errors }: Payload, member: string): Payload {
  const [error]: readonly unknown[] = Array.isArray(errors) ? errors : [];
  if (!isObject(error)) return { status: 'failed' };
  const { code, message, recovery } = error;
  return { status: 'failed', code, message, recovery, [member]: error };
}

function noResult(message: string): McpRefusal {
  return new McpRefusal(200, -32602, message);
}
