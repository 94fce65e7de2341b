import {
  AgentCard,
  type ListTaskPushNotificationConfigsResponse,
  type StreamResponse,
  type TaskPushNotificationConfig,
  type Task as TaskView,
} from 'a2a-sdk';
import { LegacyJsonRpcTransportHandler } from 'a2a-sdk/compat/v0_3/server';
import {
  A2AError,
  TaskNotCancelableError,
  TaskNotFoundError,
  toJsonRpcError,
  UnsupportedOperationError,
} from 'a2a-sdk/errors';
import { type A2ARequestHandler, JsonRpcTransportHandler, ServerCallContext } from 'a2a-sdk/server';
import { TaskError } from '../../../protocol/errors.js';
import { isOver } from '../../../protocol/tasks.js';
import type { Caller } from '../../context.js';
import type { A2aPush } from '../../domain/task/a2a.js';
import type { Task } from '../../domain/task/task.js';
import { addressee, answerFailure, ownerOf } from '../../tasks/pipeline/receive.js';
import { cancelTask } from '../../tasks/task/cancel-task.js';
import { readPush, storePush } from '../../tasks/task/native-pushes.js';
import { type AgentParts, describeAgent } from './card.js';
import { readEnd } from './kept-answer.js';
import {
  type A2aRequest,
  forSdk,
  isChanging,
  isSending,
  isStreaming,
  pushInRequest,
  readSkillCall,
  requireWellFormed,
} from './request.js';
import { rpcErrorOf } from './rpc-error.js';
import { runSkill } from './run-skill.js';
import { showPush } from './show-push.js';
import { showStoredTask, showTask } from './task-view.js';

/** One request while it is answered. */
type Exchange = {
  readonly caller: Caller;
  readonly request: A2aRequest;
  /** What an operation failed with that is no error of A2A. */
  fault?: unknown;
};

const EXCHANGE = 'exchange';

/**
 * The operations of A2A about the tasks of one tenant, over the store. The SDK's handlers read and write the messages of both revisions
 * around them; what a message asks for is read from the message itself, whose values are bounded before.
 */
export class SkillAgent implements A2ARequestHandler {
  readonly #parts: AgentParts;
  readonly #handlers: Readonly<Record<A2aRequest['revision'], Pick<JsonRpcTransportHandler, 'handle'>>>;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#handlers = { '1.0': new JsonRpcTransportHandler(this), '0.3': new LegacyJsonRpcTransportHandler(this) };
  }

  /** Answers a request, whose sender is admitted, with the message of JSON-RPC that goes back. */
  async answer(caller: Caller, request: A2aRequest): Promise<object> {
    const { app, limits } = this.#parts;
    const exchange: Exchange = { caller, request };
    try {
      requireWellFormed(request);
      if (isStreaming(request)) return { jsonrpc: '2.0', id: request.id, error: toJsonRpcError(noStream()) };
      if (!isSending(request) && caller.principal !== undefined)
        await limits.take(ownerOf(caller), caller.principal, isChanging(request) ? 'writes' : 'reads');
      const context = new ServerCallContext({ state: new Map([[EXCHANGE, exchange]]) });
      const answered = await this.#handlers[request.revision].handle(forSdk(request), context);
      if (Symbol.asyncIterator in answered) throw new Error('nothing is streamed');
      if (exchange.fault === undefined) return answered;
    } catch (error) {
      exchange.fault = error;
    }
    const failed = answerFailure({ app, caller, to: addressee(caller, {}) }, exchange.fault);
    return { jsonrpc: '2.0', id: request.id, error: rpcErrorOf(failed) };
  }

  async getAgentCard(): Promise<AgentCard> {
    return AgentCard.fromJSON(describeAgent(this.#parts));
  }

  sendMessage(_params: unknown, context: ServerCallContext): Promise<TaskView> {
    return this.#run(context, async ({ caller, request }) => {
      const { app, limits } = this.#parts;
      const { taskId } = readSkillCall(request);
      if (taskId !== undefined) await this.#requireOngoing(caller, taskId);
      return runSkill({ app, limits }, caller, request);
    });
  }

  getTask({ id }: { readonly id: string }, context: ServerCallContext): Promise<TaskView> {
    return this.#run(context, ({ caller }) => this.#find(caller, id));
  }

  cancelTask({ id }: { readonly id: string }, context: ServerCallContext): Promise<TaskView> {
    return this.#run(context, async ({ caller }) => {
      const { app } = this.#parts;
      const found = await this.#find(caller, id);
      try {
        return showStoredTask(await cancelTask(app, ownerOf(caller), id), found.contextId);
      } catch (error) {
        // The task may have ended since; an answer that was over never was one to end.
        if (error instanceof TaskError && (error.code === 'INVALID_STATE' || error.code === 'REFERENCE_NOT_FOUND'))
          throw new TaskNotCancelableError();
        throw error;
      }
    });
  }

  createTaskPushNotificationConfig(
    { taskId }: Pick<PushParams, 'taskId'>,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.#run(context, async ({ caller, request }) => {
      const { app } = this.#parts;
      await this.#requireOngoing(caller, taskId);
      const push = await readPush(app, caller, pushInRequest(request), request.revision);
      await app.store.transact(async (tx) => {
        // It may have ended meanwhile, and would never tell this registration.
        if (isEnded(await tx.tasks.find(ownerOf(caller), taskId))) throw taskIsOver();
        await storePush(tx, taskId, push);
      });
      return showPush(taskId, push);
    });
  }

  getTaskPushNotificationConfig(params: PushParams, context: ServerCallContext): Promise<TaskPushNotificationConfig> {
    return this.#run(context, async ({ caller }) => {
      const pushes = await this.#pushes(caller, params.taskId);
      // Revision 0.3 may leave the id out: the first is meant.
      const push = params.id === '' ? pushes[0] : pushes.find(({ config_id }) => config_id === params.id);
      if (push === undefined) throw new TaskNotFoundError('There is no such registration of this task.');
      return showPush(params.taskId, push);
    });
  }

  listTaskPushNotificationConfigs(
    { taskId }: Pick<PushParams, 'taskId'>,
    context: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#run(context, async ({ caller }) => {
      const pushes = await this.#pushes(caller, taskId);
      return { configs: pushes.map((push) => showPush(taskId, push)), nextPageToken: '' };
    });
  }

  deleteTaskPushNotificationConfig({ id, taskId }: PushParams, context: ServerCallContext): Promise<void> {
    return this.#run(context, async ({ caller }) => {
      await this.#find(caller, taskId);
      await this.#parts.app.store.transact(async (tx) => tx.a2a.removePush(taskId, id));
    });
  }

  getAuthenticatedExtendedAgentCard(): Promise<never> {
    return Promise.reject(new UnsupportedOperationError('There is no other card than the public one.'));
  }

  listTasks(): Promise<never> {
    return Promise.reject(new UnsupportedOperationError('Send the skill list_tasks.'));
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed
  async *sendMessageStream(): AsyncGenerator<StreamResponse, void, undefined> {
    throw noStream();
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed
  async *resubscribe(): AsyncGenerator<StreamResponse, void, undefined> {
    throw noStream();
  }

  async #run<Result>(context: ServerCallContext, operate: (exchange: Exchange) => Promise<Result>): Promise<Result> {
    const exchange = context.state.get(EXCHANGE) as Exchange;
    try {
      return await operate(exchange);
    } catch (error) {
      if (!(error instanceof A2AError)) exchange.fault = error;
      throw error;
    }
  }

  /** Returns a task of the caller. Throws TaskNotFoundError. */
  async #find(caller: Caller, id: string): Promise<TaskView> {
    const { read } = this.#parts.app.store;
    if (caller.principal === undefined || typeof id !== 'string') throw new TaskNotFoundError();
    const owner = ownerOf(caller);
    const stored = await read.a2a.find(id);
    if (stored !== undefined && stored.owner !== owner) throw new TaskNotFoundError();
    const contextId = stored?.context_id ?? id;
    if (typeof stored?.doc === 'string') return showTask({ id, contextId, ...readEnd(stored.doc) });
    const task: Task | undefined = await read.tasks.find(owner, id);
    if (task === undefined) throw new TaskNotFoundError();
    return showStoredTask(task, contextId);
  }

  /** Makes sure that a task is the caller's and goes on. Throws TaskNotFoundError or UnsupportedOperationError. */
  async #requireOngoing(caller: Caller, id: string): Promise<void> {
    await this.#find(caller, id);
    const task = await this.#parts.app.store.read.tasks.find(ownerOf(caller), id);
    if (isEnded(task)) throw taskIsOver();
  }

  async #pushes(caller: Caller, taskId: string): Promise<readonly A2aPush[]> {
    await this.#find(caller, taskId);
    return this.#parts.app.store.read.a2a.pushes(taskId);
  }
}

type PushParams = { readonly taskId: string; readonly id: string };

function isEnded(task: Task | undefined): boolean {
  return task === undefined || isOver(task.status);
}

function taskIsOver(): A2AError {
  return new UnsupportedOperationError('The task is over; nothing can be added to it.');
}

function noStream(): A2AError {
  return new UnsupportedOperationError('Nothing is streamed here: ask tasks/get, or register a webhook.');
}
