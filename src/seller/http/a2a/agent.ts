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
import { addresseeOf, answerFailure, ownerOf } from '../../tasks/pipeline/receive.js';
import { readEnd } from '../../tasks/task/call-end.js';
import { cancelTask } from '../../tasks/task/cancel-task.js';
import { followTask } from '../../tasks/task/follow-task.js';
import { readPush, storePush } from '../../tasks/task/native-pushes.js';
import { rpcErrorOf } from '../rpc-error.js';
import type { TaskStream } from '../task-streams.js';
import { type AgentParts, describeAgent } from './card.js';
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
import { runSkill } from './run-skill.js';
import { showPush } from './show-push.js';
import { followedEvents, viewEvents } from './stream-events.js';
import { isFinal, showStoredTask, showTask } from './task-view.js';

/** The messages of a stream as they come, and how it ends before its time. */
export type EventStream = { readonly messages: AsyncGenerator<object>; readonly end: () => void };

/** One request while it is answered. */
type Exchange = {
  readonly caller: Caller;
  readonly request: A2aRequest;
  /** Where the answer may go on. */
  readonly stream: TaskStream | undefined;
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
  #card: AgentCard | undefined;
  readonly #handlers: Readonly<Record<A2aRequest['revision'], Pick<JsonRpcTransportHandler, 'handle'>>>;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#handlers = { '1.0': new JsonRpcTransportHandler(this), '0.3': new LegacyJsonRpcTransportHandler(this) };
  }

  /** Answers a request, whose sender is admitted, with the message of JSON-RPC that goes back, or with a stream of them. */
  async answer(caller: Caller, request: A2aRequest): Promise<{ readonly message: object } | EventStream> {
    let exchange: Exchange = { caller, request, stream: undefined };
    try {
      requireWellFormed(request);
      await this.#takeCall(exchange);
      if (isStreaming(request)) exchange = { ...exchange, stream: await this.#openStream(caller) };
      const context = new ServerCallContext({ state: new Map([[EXCHANGE, exchange]]) });
      const answered = await this.#handlers[request.revision].handle(forSdk(request), context);
      if (Symbol.asyncIterator in answered) return await this.#begin(exchange, answered);
      if (exchange.fault === undefined) return { message: answered };
    } catch (error) {
      exchange.fault = error;
    }
    exchange.stream?.end();
    return { message: this.#fail(exchange) };
  }

  /** Takes a request off the budget of its sender; the call of a skill is taken where it is run. */
  async #takeCall({ caller, request }: Exchange): Promise<void> {
    if (isSending(request) || caller.principal === undefined) return;
    await this.#parts.limits.take(ownerOf(caller), caller.principal, isChanging(request) ? 'writes' : 'reads');
  }

  /** Opens a stream; undefined for callers without a name, who have no tasks that go on. Throws RATE_LIMITED, which is a call, too. */
  async #openStream(caller: Caller): Promise<TaskStream | undefined> {
    const { principal, seller } = caller;
    const { limits, streams } = this.#parts;
    if (principal === undefined) return undefined;
    try {
      return streams.open(ownerOf(caller), seller);
    } catch (error) {
      await limits.take(ownerOf(caller), principal, 'reads');
      throw error;
    }
  }

  /** Returns a stream that has begun: what is wrong with its request is thrown here. */
  async #begin(exchange: Exchange, events: AsyncGenerator<object>): Promise<EventStream> {
    const first = await events.next();
    const fail = (error: unknown): object => this.#fail({ ...exchange, fault: error });
    const end = (): void => {
      exchange.stream?.end();
      void events.return(undefined);
    };
    async function* goOn(): AsyncGenerator<object> {
      try {
        if (first.done !== true) yield first.value;
        yield* events;
      } catch (error) {
        yield fail(error);
      } finally {
        end();
      }
    }
    return { messages: goOn(), end };
  }

  /** Returns the message of JSON-RPC for what a request failed of. */
  #fail({ caller, fault, request }: Exchange): object {
    const { app } = this.#parts;
    const error =
      fault instanceof A2AError
        ? toJsonRpcError(fault)
        : rpcErrorOf(answerFailure({ app, caller, to: addresseeOf(caller, {}) }, fault));
    return { jsonrpc: '2.0', id: request.id, error };
  }

  async getAgentCard(): Promise<AgentCard> {
    this.#card ??= AgentCard.fromJSON(describeAgent(this.#parts));
    return this.#card;
  }

  sendMessage(_params: unknown, context: ServerCallContext): Promise<TaskView> {
    return this.#run(context, (exchange) => this.#send(exchange));
  }

  getTask({ id }: { readonly id: string }, context: ServerCallContext): Promise<TaskView> {
    return this.#run(context, ({ caller }) => this.#find(caller, id));
  }

  cancelTask({ id }: { readonly id: string }, context: ServerCallContext): Promise<TaskView> {
    return this.#run(context, async ({ caller }) => {
      const { app } = this.#parts;
      const stored = await this.#find(caller, id);
      try {
        return showStoredTask(await cancelTask(app, ownerOf(caller), id), stored.contextId);
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

  async *sendMessageStream(
    _params: unknown,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const exchange = exchangeOf(context);
    const view = await this.#send(exchange);
    const task = await this.#parts.app.store.read.tasks.find(ownerOf(exchange.caller), view.id);
    if (task === undefined) yield* viewEvents(view);
    else yield* this.#follow(exchange, view);
  }

  async *resubscribe(
    { id }: { readonly id: string },
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const exchange = exchangeOf(context);
    const view = await this.#find(exchange.caller, id);
    if (isFinal(view)) throw new UnsupportedOperationError('The task is over: ask tasks/get for its end.');
    yield* this.#follow(exchange, view);
  }

  /** Yields a task and its changes for as long as the stream is open. */
  #follow({ caller, stream }: Exchange, { contextId, id: taskId }: TaskView): AsyncGenerator<StreamResponse> {
    const gone = stream?.gone ?? AbortSignal.abort();
    return followedEvents(followTask(this.#parts.app, { owner: ownerOf(caller), taskId, gone }), contextId);
  }

  async #send({ caller, request }: Exchange): Promise<TaskView> {
    const { app, limits } = this.#parts;
    const { taskId } = readSkillCall(request);
    if (taskId !== undefined) await this.#requireOngoing(caller, taskId);
    return runSkill({ app, limits }, caller, request);
  }

  async #run<Result>(context: ServerCallContext, operate: (exchange: Exchange) => Promise<Result>): Promise<Result> {
    const exchange = exchangeOf(context);
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

function exchangeOf(context: ServerCallContext): Exchange {
  return context.state.get(EXCHANGE) as Exchange;
}
