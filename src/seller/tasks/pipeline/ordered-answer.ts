import { TaskError } from '../../../platform/kernel/errors.js';
import type { Payload } from '../../../protocol/envelope.js';
import type { TaskType } from '../../../protocol/tasks.js';
import type { App, Call } from '../../context.js';
import type { Account } from '../../domain/account/account.js';
import { openTask } from '../../domain/task/task.js';
import { type Mutation, type MutationContext, type Query, type Tool, toolName } from './define.js';
import type { PreparedMutation } from './work.js';

/** How a sandbox principal wants its next call of a task to be answered (facts G, force_*_arm). */
type Order = {
  readonly arm: 'submitted' | 'input-required';
  /** There with `submitted`. */
  readonly task_id?: string;
  readonly message?: string;
};

/** The key of an order: for the calls of a task in one account, or in whichever. */
export function orderKey(task: string, accountId: string | undefined): string {
  return accountId === undefined ? task : `${task} ${accountId}`;
}

/** The key of an order that the next call of a task finds what lies behind it away. */
export function outageKey(task: string): string {
  return `outage ${task}`;
}

/**
 * What makes the caller's next call of a task fail as it would if something behind it could not be reached, once, where that was ordered
 * (facts G, force_upstream_unavailable); undefined where it was not. It throws SERVICE_UNAVAILABLE.
 */
export function orderedOutage(app: App, tool: Tool, call: Call): (() => Promise<void>) | undefined {
  const key = outageKey(toolName(tool, call.seller.names));
  const ordered = app.sandboxes.find(call.owner, 'arm', key);
  if (ordered === undefined) return undefined;
  return async () => {
    await app.store.transact((tx) => app.sandboxes.remove(tx, call.owner, 'arm', key));
    const { upstream_name: name = 'default' } = ordered.doc;
    throw new TaskError('SERVICE_UNAVAILABLE', 'Something that this task needs could not be reached.', {
      retryAfter: 5,
      details: { upstream: { name } },
      suggestion: 'Retry in a few seconds, a changing task with the same idempotency_key; nothing was done.',
    });
  };
}

/** The key under which the caller has ordered how its next call of this task, in this account, is answered; undefined where it has not. */
function orderedKey(app: App, tool: Tool, call: Call, account: Account | undefined): string | undefined {
  const task = toolName(tool, call.seller.names);
  return [orderKey(task, account?.account_id), task].find(
    (key) => app.sandboxes.find(call.owner, 'arm', key) !== undefined,
  );
}

/**
 * Judges a call in full, so that what would be refused is refused, and answers as it was ordered, once: with a task that waits until it
 * is completed by order too, or by asking the buyer for something. Undefined where nothing was ordered. `request` are the arguments as
 * they came.
 */
export async function runAsOrdered(
  tool: Mutation,
  work: Pick<PreparedMutation, 'run'>,
  turn: MutationContext,
  request: Payload,
): Promise<Payload | undefined> {
  const { app, call, db, account } = turn;
  const key = orderedKey(app, tool, call, account);
  const ordered = key === undefined ? undefined : await db.sandboxes.find(call.owner, 'arm', key);
  if (ordered === undefined) return undefined;
  await db.rehearse(() => work.run(turn));
  await app.sandboxes.remove(db, call.owner, 'arm', ordered.key);
  const order = ordered.doc as Order;
  return order.task_id === undefined ? asksForInput(order) : submitted(tool, turn, order, order.task_id, request);
}

/**
 * Answers a reading task as it was ordered, once: with a task that waits. Undefined where nothing was ordered, and for a request of the
 * whole catalog, which is never a task. The caller has judged the arguments.
 */
export async function answerAsOrdered(
  app: App,
  tool: Query,
  call: Call,
  account: Account | undefined,
  request: Payload,
): Promise<Payload | undefined> {
  const isWholesale = request.buying_mode === 'wholesale' || request.discovery_mode === 'wholesale';
  const key = isWholesale ? undefined : orderedKey(app, tool, call, account);
  if (key === undefined) return undefined;
  // Nobody is called back about a task of this kind: it is polled.
  const { push_notification_config: _config, ...kept } = request;
  return app.store.transact(async (db) => {
    const ordered = await db.sandboxes.find(call.owner, 'arm', key);
    if (ordered === undefined) return undefined;
    await app.sandboxes.remove(db, call.owner, 'arm', key);
    const order = ordered.doc as Order;
    return order.task_id === undefined
      ? asksForInput(order)
      : submitted(tool, { call, db, account }, order, order.task_id, kept);
  });
}

function asksForInput({ message = 'The seller needs to know more before it can go on.' }: Order): Payload {
  return {
    status: 'input-required',
    reason: 'APPROVAL_REQUIRED',
    message,
    errors: [{ code: 'APPROVAL_REQUIRED', message, recovery: 'correctable' }],
  };
}

async function submitted(
  tool: Tool,
  { call, db, account }: Pick<MutationContext, 'call' | 'db' | 'account'>,
  { message }: Order,
  task_id: string,
  request: Payload,
): Promise<Payload> {
  const { idempotency_key: _key, ...kept } = request;
  const answer = { status: 'submitted', task_id, ...(message === undefined ? {} : { message }), sandbox: true };
  const task = openTask(
    {
      task_id,
      owner: call.owner,
      account_id: account?.account_id ?? '',
      sandbox: true,
      task_type: toolName(tool, call.seller.names) as TaskType,
      release: call.to.release,
      request: kept,
    },
    answer,
    call.now.iso,
  );
  // Ordered under an id that was used before, the new task takes the old one's place.
  const known = await db.tasks.find(call.owner, task_id);
  await (known === undefined ? db.tasks.insert(task) : db.tasks.replace(task));
  return answer;
}
