import { isoTime } from '../../../../platform/kernel/clock.js';
import { isObject, writeOnce } from '../../../../platform/kernel/json/json.js';
import type { ClientSide } from '../../../../platform/mcp/methods.js';
import { McpRefusal } from '../../../../platform/mcp/refusal.js';
import type { App, Caller } from '../../../context.js';
import { MAX_STORED_MS } from '../../../domain/task/a2a.js';
import { findTool } from '../../../tasks/index.js';
import { type Answer, ownerOf } from '../../../tasks/pipeline/receive.js';
import { canBeTask, toolName } from '../../../tasks/pipeline/tool.js';
import { type CallEnd, isFinal, readAcknowledgment, storeEnd } from '../../../tasks/task/call-end.js';
import type { Limits } from '../../limits.js';
import { rpcErrorOf } from '../../rpc-error.js';
import { callTool } from '../call-tool.js';
import { inExtension, type ShownTask, showEnd, showTask } from './view.js';

type Result = Readonly<Record<string, unknown>>;

/** Whether a client of revision 2025-11-25 asks for a call as a task. Revisions without tasks ignore the member. */
export function asksForTask(params: unknown, client: ClientSide | undefined): params is { readonly task: unknown } {
  return client?.tasks === '2025-11-25' && isObject(params) && params.task !== undefined;
}

/** Runs a call and answers the task that it is: one that goes on, or one whose answer is kept. Throws the refusal of what cannot be a task. */
export async function callAsTask(
  app: App,
  limits: Limits,
  caller: Caller,
  params: { readonly task: unknown; readonly name?: unknown },
): Promise<Result> {
  const ttlMs = readTtl(params.task);
  const { principal, seller } = caller;
  const tool = typeof params.name === 'string' ? findTool(seller, params.name, principal) : undefined;
  if (principal === undefined) throw new McpRefusal(200, -32602, 'A task needs somebody to belong to: bring a key.');
  if (tool === undefined || !canBeTask(tool))
    throw new McpRefusal(200, -32601, 'This tool is not run as a task; call it without "task".');
  const answer = await callTool(app, limits, caller, params);
  const opened = await findOpened(app, caller, params.name, answer);
  if (opened !== undefined) return { task: opened };
  if (!isFinal(answer)) throw refusalOf(answer);
  const taskId = app.ids.next('a2a');
  const end: CallEnd = {
    status: answer.isError ? 'failed' : 'completed',
    at: isoTime(app.clock.nowOf(ownerOf(caller))),
    name: toolName(tool, seller.names),
    message: answer.isError ? rpcErrorOf(answer).message : undefined,
    ttlMs,
    data: writeOnce(answer.payload),
  };
  await storeEnd(app, caller, { id: taskId, contextId: taskId }, end);
  return { task: showEnd(taskId, end) };
}

/** Returns the task that a call has opened, as the extension to the newest revision answers it; undefined of a call that is over. */
export async function asTaskResult(
  app: App,
  caller: Caller,
  name: unknown,
  answer: Answer,
): Promise<Result | undefined> {
  const opened = await findOpened(app, caller, name, answer);
  return opened && { resultType: 'task', ...inExtension(opened) };
}

async function findOpened(
  { store }: App,
  caller: Caller,
  name: unknown,
  answer: Answer,
): Promise<ShownTask | undefined> {
  const acknowledged = readAcknowledgment(caller, name, answer);
  const task = acknowledged && (await store.read.tasks.find(ownerOf(caller), acknowledged.task_id));
  return task && showTask(task);
}

/** Reads how long a client wants the answer kept, ms; what is longer than any answer is kept is cut to that, as the protocol has it. */
function readTtl(task: unknown): number {
  const ttl = isObject(task) ? (task.ttl ?? MAX_STORED_MS) : undefined;
  if (typeof ttl !== 'number' || !Number.isInteger(ttl) || ttl < 0)
    throw new McpRefusal(200, -32602, 'params.task is {"ttl": …}, in milliseconds, or {}.');
  return Math.min(ttl, MAX_STORED_MS);
}

/** Returns a failed answer, of which nothing is kept, as the refusal of the call. */
function refusalOf(answer: Answer): McpRefusal {
  const { code, message, data } = rpcErrorOf(answer);
  return new McpRefusal(200, code, message, data);
}
