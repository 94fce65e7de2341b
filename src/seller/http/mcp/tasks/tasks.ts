import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/server';
import { bindList, cutPage, readPage } from '../../../../platform/kernel/cursor.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import type { Notification, ServedTasks } from '../../../../platform/mcp/methods.js';
import { McpRefusal } from '../../../../platform/mcp/refusal.js';
import type { App, Caller } from '../../../context.js';
import { addresseeOf, answerFailure, ownerOf } from '../../../tasks/pipeline/receive.js';
import { readEnd } from '../../../tasks/task/call-end.js';
import { cancelTask } from '../../../tasks/task/cancel-task.js';
import { followTask } from '../../../tasks/task/follow-task.js';
import type { Limits } from '../../limits.js';
import { rpcErrorOf } from '../../rpc-error.js';
import type { TaskStreams } from '../../task-streams.js';
import { endedCall, outcomeOf, storedTask, type TaskWithOutcome } from './outcome.js';
import { inExtension, showTask } from './view.js';

/** The services that tasks are served with. */
export type TaskServices = { readonly app: App; readonly limits: Limits; readonly streams: TaskStreams };

type Result = Readonly<Record<string, unknown>>;

/** Returns the methods about the tasks of a tenant's endpoint, by the rules of both revisions that have such. A task is its principal's, at its tenant. */
export function serveTasks(services: TaskServices): ServedTasks<Caller> {
  const reading = (run: Run) => answerWith(services, 'reads', run);
  const changing = (run: Run) => answerWith(services, 'writes', run);
  return {
    methods: {
      '2025-11-25': {
        'tasks/get': reading(async ({ app }, caller, params) => (await findTask(app, caller, params)).shown),
        'tasks/list': reading(({ app }, caller, params) => listTasks(app, caller, params)),
        'tasks/cancel': changing(({ app }, caller, params) => cancel(app, caller, params)),
      },
      '2026-07-28': {
        'tasks/get': reading(async ({ app }, caller, params) => detailOf(caller, await findTask(app, caller, params))),
        'tasks/update': reading(({ app }, caller, params) => answerNothing(app, caller, params)),
        'tasks/cancel': changing(async ({ app }, caller, params) => {
          await cancel(app, caller, params);
          return {};
        }),
      },
    },
    awaitResult: (caller, params, gone) => awaitResult(services, caller, params, gone),
  };
}

type Run = (services: TaskServices, caller: Caller, params: unknown) => Promise<Result>;

/** Returns what answers a method: off the budget of its sender, with failures as errors of JSON-RPC. */
function answerWith(services: TaskServices, kind: 'reads' | 'writes', run: Run) {
  return async (caller: Caller, params: unknown): Promise<Result> => {
    try {
      await takeAllowance(services, caller, kind);
      return await run(services, caller, params);
    } catch (error) {
      throw asRefusal(services.app, caller, error);
    }
  };
}

async function takeAllowance({ limits }: TaskServices, caller: Caller, kind: 'reads' | 'writes'): Promise<void> {
  if (caller.principal !== undefined) await limits.take(ownerOf(caller), caller.principal, kind);
}

function asRefusal(app: App, caller: Caller, error: unknown): McpRefusal {
  if (error instanceof McpRefusal) return error;
  const { code, data, message } = rpcErrorOf(answerFailure({ app, caller, to: addresseeOf(caller, {}) }, error));
  return new McpRefusal(200, code, message, data);
}

const MAX_ID_CHARACTERS = 255;

function readId(params: unknown): string {
  const id = isObject(params) ? params.taskId : undefined;
  if (typeof id === 'string' && id.length <= MAX_ID_CHARACTERS) return id;
  throw new McpRefusal(200, -32602, 'params.taskId is missing or no text: send the taskId of a task.');
}

/** Returns a task of the caller. Throws the refusal of one that is not there, or not theirs. */
async function findTask({ clock, store }: App, caller: Caller, params: unknown): Promise<TaskWithOutcome> {
  const id = readId(params);
  const owner = ownerOf(caller);
  const task = caller.principal && (await store.read.tasks.find(owner, id));
  if (task !== undefined) return storedTask(task);
  const row = caller.principal && (await store.read.a2a.find(id));
  const isThere = row?.owner === owner && row.expires_at !== null && row.expires_at > clock.now();
  if (isThere && row.doc !== null) return endedCall(id, readEnd(row.doc));
  throw new McpRefusal(200, -32602, 'There is no such task for this caller, or it is kept no longer.');
}

/** Returns a task with what it came to, or asks for. What the seller asks is answered by sending the call again, as its message says. */
function detailOf(caller: Caller, found: TaskWithOutcome): Result {
  const { status } = found.shown;
  const shown = inExtension(found.shown);
  if (status === 'input_required') return { ...shown, inputRequests: {} };
  if (status === 'working' || status === 'cancelled') return shown;
  // A call that failed has a result that says why: `failed` is for requests that came to none.
  const result = { resultType: 'complete', ...outcomeOf(caller, found) };
  return { ...shown, status: 'completed', result };
}

async function answerNothing(app: App, caller: Caller, params: unknown): Promise<Result> {
  await findTask(app, caller, params);
  throw new McpRefusal(
    200,
    -32602,
    'The task asks for nothing that tasks/update could answer. Send the call again with a fresh idempotency_key and the taskId as context_id.',
  );
}

/** Ends a task that goes on, and returns it. Throws the refusal of one that is over. */
async function cancel(app: App, caller: Caller, params: unknown): Promise<Result> {
  const { shown, task } = await findTask(app, caller, params);
  if (task === undefined)
    throw new McpRefusal(200, -32602, `The task is ${shown.status}; it cannot be cancelled any more.`);
  return showTask(await cancelTask(app, ownerOf(caller), task.task_id));
}

/** Tasks on one page, and what the cursor of a page of finished calls begins with. */
const PAGE_SIZE = 50;
const AMONG_FINISHED = 'finished.';

const NEWEST_FIRST = { field: 'created_at', direction: 'desc' } as const;

/** Returns a page of the caller's tasks, the newest first: those that the store knows, then the calls whose answers are row. */
async function listTasks(app: App, caller: Caller, params: unknown): Promise<Result> {
  if (caller.principal === undefined) return { tasks: [] };
  const { cursor } = isObject(params) ? params : {};
  if (cursor !== undefined && typeof cursor !== 'string')
    throw new McpRefusal(200, -32602, 'params.cursor is no text: send the nextCursor of the page before.');
  if (cursor?.startsWith(AMONG_FINISHED) === true) return listFinished(app, caller, cursor);
  const owner = ownerOf(caller);
  const list = bindList('mcp-tasks', owner);
  const page = readPage(list, { cursor, max_results: PAGE_SIZE });
  const rows = await app.store.read.tasks.list(owner, page, {}, NEWEST_FIRST);
  const { info, rows: shown } = cutPage(list, rows, page, ({ seq }) => seq);
  const tasks = shown.map(({ task }) => showTask(task));
  if (info.cursor !== undefined) return { tasks, nextCursor: info.cursor };
  const [first] = await app.store.read.a2a.finished(owner, app.clock.now(), { after: undefined, limit: 0 });
  return { tasks, nextCursor: first && AMONG_FINISHED };
}

async function listFinished({ clock, store }: App, caller: Caller, cursor: string): Promise<Result> {
  const owner = ownerOf(caller);
  const list = bindList('mcp-finished', owner);
  const page = readPage(list, { cursor: cursor.slice(AMONG_FINISHED.length) || undefined, max_results: PAGE_SIZE });
  const rows = await store.read.a2a.finished(owner, clock.now(), page);
  const { info, rows: shown } = cutPage(list, rows, page, ({ seq }) => seq);
  const tasks = shown.map(({ head, task_id }) => endedCall(task_id, readEnd(head.split('\n', 1)[0] ?? head)).shown);
  return { tasks, nextCursor: info.cursor && `${AMONG_FINISHED}${info.cursor}` };
}

/** Waits until a task is over, telling of its changes, and returns the result of its call. Throws the refusal of one that has none. */
async function* awaitResult(
  services: TaskServices,
  caller: Caller,
  params: unknown,
  gone: AbortSignal,
): AsyncGenerator<Notification, Result, undefined> {
  const { app } = services;
  try {
    await takeAllowance(services, caller, 'reads');
    const task = await findTask(app, caller, params);
    const result = outcomeOf(caller, task) ?? (yield* follow(services, caller, task, gone));
    return { ...result, _meta: { [RELATED_TASK_META_KEY]: { taskId: task.shown.taskId } } };
  } catch (error) {
    throw asRefusal(app, caller, error);
  }
}

async function* follow(
  { app, streams }: TaskServices,
  caller: Caller,
  { shown: before }: TaskWithOutcome,
  gone: AbortSignal,
): AsyncGenerator<Notification, Result, undefined> {
  const owner = ownerOf(caller);
  const stream = streams.open(owner, caller.seller);
  const ending = AbortSignal.any([gone, stream.gone]);
  const { taskId } = before;
  let shownLast = JSON.stringify(before);
  try {
    for await (const task of followTask(app, { owner, taskId, gone: ending })) {
      const stored = storedTask(task);
      const shown = JSON.stringify(stored.shown);
      if (shown !== shownLast) yield { method: 'notifications/tasks/status', params: stored.shown };
      shownLast = shown;
      const result = outcomeOf(caller, stored);
      if (result !== undefined) return result;
    }
  } finally {
    stream.end();
  }
  throw new McpRefusal(200, -32000, 'The task goes on, and was waited for as long as a request may; ask again.');
}
