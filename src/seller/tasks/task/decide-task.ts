import { isoTime, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { attachText } from '../../../platform/kernel/json/verbatim.js';
import { runSlices } from '../../../platform/kernel/slices.js';
import { errorObject, type Payload } from '../../../protocol/envelope.js';
import { catchTaskError, ERROR_CODES, TaskError } from '../../../protocol/errors.js';
import type { Release } from '../../../protocol/releases.js';
import { isOver } from '../../../protocol/tasks.js';
import type { App, Caller } from '../../context.js';
import { fulfillmentOf } from '../../domain/media-buy/fulfillment.js';
import type { Decision } from '../../domain/task/approval.js';
import {
  lastStep,
  moveTask,
  openQuestion,
  renewQuestion,
  type Step,
  shiftRequest,
  type Task,
} from '../../domain/task/task.js';
import { findPrincipal } from '../../domain/tenant/callers.js';
import { readOwner } from '../../domain/tenant/principal.js';
import { releaseHolder } from '../../lifecycle/inventory.js';
import type { Writer } from '../../store/store.js';
import { announceTask } from '../../webhooks/events/task-events.js';
import { findTool } from '../index.js';
import { prepareDecided } from '../pipeline/pipeline.js';
import { alreadyDecided, unknownDecision } from './pending-decisions.js';

/** A step of a task, without who brought it about and when. */
type Outcome = Omit<Step, 'at' | 'by'>;

/**
 * Carries out a decision about a waiting task: the effect, the task's move, its result and its event are one transaction, and `by` is for
 * the seller's records. Approved, it is done as if it were asked for now: `completed`, or `failed` where it is refused by now. Throws
 * REFERENCE_NOT_FOUND for an unknown task, and INVALID_STATE when there is nothing to decide any more.
 */
export async function decideTask(app: App, taskId: string, decision: Decision, by: string): Promise<Task> {
  if (decision.decision === 'ask') return askBuyer(app, taskId, decision.question, by);
  const task = requireUndecided(await app.store.read.tasks.findAnywhere(taskId));
  const carryOut =
    decision.decision === 'approve'
      ? await prepareTask(app, task, decision.book_later)
      : async () => refuseTask(task, decision.reason);
  return app.store.transact(async (tx) => {
    const present = requireUndecided(await tx.tasks.findAnywhere(taskId));
    const at = isoTime(app.clock.nowOf(present.owner));
    // What the request held while it waited is its own again, or free.
    await releaseHolder(tx, taskId);
    const decided = moveTask(present, { ...(await carryOut(tx)), at, by });
    await bookDecided(app, tx, decided, decision);
    await tx.tasks.replace(decided);
    await announceTask(app.outbox, tx, decided);
    return decided;
  });
}

/** Asks the buyer something about its request, which waits for the answer: the same task again, with `context_id`. Unanswered, it is rejected. */
function askBuyer(app: App, taskId: string, question: string, by: string): Promise<Task> {
  return app.store.transact(async (tx) => {
    const present = requireUndecided(await tx.tasks.findAnywhere(taskId));
    const nowMs = app.clock.nowOf(present.owner);
    const asked = moveTask(present, {
      status: 'input-required',
      at: isoTime(nowMs),
      by,
      message: `The seller asks: ${question} Send the request again, changed or not, with a new idempotency_key and context_id ${taskId}.`,
      result: {
        reason: 'APPROVAL_REQUIRED',
        errors: [{ code: 'APPROVAL_REQUIRED', message: question, recovery: 'correctable' }],
      },
    });
    const waiting = renewQuestion(asked, nowMs);
    await tx.tasks.replace(waiting);
    await announceTask(app.outbox, tx, waiting);
    return waiting;
  });
}

/** Books what a person approved and carries out by hand, unless the person says that it is booked later. */
async function bookDecided(app: App, tx: Writer, task: Task, decision: Decision): Promise<void> {
  const { status, result } = lastStep(task);
  if (decision.decision !== 'approve' || decision.book_later === true) return;
  if (status !== 'completed' || typeof result?.media_buy_id !== 'string') return;
  const buy = await tx.mediaBuys.find(task.owner, result.media_buy_id);
  if (buy === undefined || fulfillmentOf(buy) !== 'manual') return;
  await app.booking.bookByHand(tx, task.owner, buy, decision.order_id);
}

/** How many tasks that are due are read at once. */
const BATCH = 20;
const TOO_LATE = 'Nobody of the seller decided in time.';
const UNANSWERED = 'The question of the seller was not answered in time.';

/** Decides as their rules say about tasks that nobody decided about in time. One that cannot be carried out is tried again. */
export async function decideDueTasks(app: App, isStopped: () => boolean = () => false): Promise<void> {
  await decideAllDue(app, () => app.store.read.tasks.due(app.clock.now(), BATCH), isStopped);
  for (const owner of app.clock.ahead())
    await decideAllDue(app, () => app.store.read.tasks.due(app.clock.nowOf(owner), BATCH, owner), isStopped);
}

async function decideAllDue(app: App, find: () => Promise<readonly Task[]>, isStopped: () => boolean): Promise<void> {
  await runSlices(async () => {
    const due = await find();
    for (const task of due) await decideDue(app, task);
    return due.length === BATCH;
  }, isStopped);
}

async function decideDue(app: App, task: Task): Promise<void> {
  const decision = decideByClock(task);
  try {
    await decideTask(app, task.task_id, decision, 'timeout');
  } catch (error) {
    if (await postpone(app, task.task_id))
      app.log.error({ err: error, task: task.task_id }, 'a task that is due could not be decided; it is tried again');
  }
}

/** Returns what the clock decides about a task: what its rule says, unless its buyer was asked something and did not answer. */
function decideByClock({ question, status }: Task): Decision {
  if (status === 'input-required') return { decision: 'reject', reason: UNANSWERED };
  return question?.on_timeout === 'approve' ? { decision: 'approve' } : { decision: 'reject', reason: TOO_LATE };
}

/** Answers false when there is nothing to wait for any more: somebody was faster. */
function postpone(app: App, taskId: string): Promise<boolean> {
  return app.store.transact(async (tx) => {
    const task = await tx.tasks.findAnywhere(taskId);
    const question = task === undefined ? undefined : openQuestion(task);
    if (task === undefined || question === undefined) return false;
    const due_at = isoTime(app.clock.nowOf(task.owner) + MINUTE_MS);
    await tx.tasks.replace({ ...task, question: { ...question, due_at } });
    return true;
  });
}

function requireUndecided(task: Task | undefined): Task {
  if (task === undefined) throw unknownDecision();
  if (openQuestion(task) === undefined) throw alreadyDecided('task', task.status);
  return task;
}

/** Prepares what is slow, and answers what does the rest in a transaction. A refusal of the request is its outcome. */
async function prepareTask(app: App, task: Task, isBookedLater = false): Promise<(tx: Writer) => Promise<Outcome>> {
  const ready = await catchTaskError(() => prepareRequest(app, task, isBookedLater));
  // An agent that is away decides nothing: the task goes on waiting.
  if (ready instanceof TaskError && ERROR_CODES[ready.code].recovery === 'transient') throw ready;
  if (ready instanceof TaskError) return async () => failTask('failed', ready, task.release);
  return async (tx) => {
    const answer = await tx.rehearse(
      () => catchTaskError(() => ready(tx)),
      (outcome) => !(outcome instanceof TaskError),
    );
    if (answer instanceof TaskError) return failTask('failed', answer, task.release);
    return { status: 'completed', message: 'The seller approved the request.', result: answer };
  };
}

/**
 * Prepares the request of a task as if it were made now; answers what does the rest in a transaction. `isBookedLater`: a person approved it, and
 * carries it out by hand later.
 */
export async function prepareRequest(
  app: App,
  task: Task,
  isBookedLater = false,
): Promise<(tx: Writer) => Promise<Payload>> {
  const caller = { ...callerOf(app, task), isBookedLater };
  // The buyer's key is not stored; the task is carried out once all the same.
  const request = { ...shiftRequest(task.request, app.clock.nowOf(task.owner)), idempotency_key: task.task_id };
  const { context } = task.request;
  if (isObject(context) && task.context_text !== undefined) attachText(context, task.context_text);
  const tool = findTool(caller.seller, task.task_type);
  if (tool?.kind !== 'mutation') throw refuseGone();
  return prepareDecided(app, tool, caller, request);
}

/**
 * Makes ready to end a task that waits, as its seller would, telling its buyer `result`; answers what does it in a transaction. What
 * the buyer asked for is done as if it were asked for now, under the ids that the result names, unless the result says that it failed.
 * Throws INVALID_STATE for a task that is over, and what the request is refused for by now.
 */
export async function prepareCompletion(app: App, task: Task, result: Payload): Promise<(tx: Writer) => Promise<Task>> {
  const { media_buy_id: named } = result;
  const isRefusal = Array.isArray(result.errors) && named === undefined && result.creatives === undefined;
  const caller = callerOf(app, requireUnfinished(task));
  const isQuestion = findTool(caller.seller, task.task_type)?.kind === 'query';
  const ready = isRefusal || isQuestion ? undefined : await prepareRequest(namingApp(app, named), task);
  return async (tx) => {
    const present = requireUnfinished(await tx.tasks.findAnywhere(task.task_id));
    await releaseHolder(tx, task.task_id);
    const answer = await ready?.(tx);
    const outcome: Outcome = isRefusal
      ? { status: 'failed', message: 'The seller could not do what was asked for.', result }
      : { status: 'completed', message: 'The seller did what was asked for.', result: { ...answer, ...result } };
    const ended = moveTask(present, { ...outcome, at: isoTime(app.clock.nowOf(task.owner)), by: 'sandbox' });
    await renamePackages(tx, ended);
    await tx.tasks.replace(ended);
    await announceTask(app.outbox, tx, ended);
    return ended;
  };
}

/** Returns an app that gives the media buy that is opened next this id. */
function namingApp(app: App, mediaBuyId: unknown): App {
  if (typeof mediaBuyId !== 'string') return app;
  const { ids } = app;
  return { ...app, ids: { ...ids, next: (prefix) => (prefix === 'mb' ? mediaBuyId : ids.next(prefix)) } };
}

/** Gives the packages of the buy that a task made the ids that its buyer was told. */
async function renamePackages(tx: Writer, task: Task): Promise<void> {
  const { media_buy_id: id, packages } = lastStep(task).result ?? {};
  if (task.task_type !== 'create_media_buy' || typeof id !== 'string' || !Array.isArray(packages)) return;
  const buy = await tx.mediaBuys.find(task.owner, id);
  if (buy === undefined) return;
  const names = packages.map((line: unknown) => (isObject(line) ? line.package_id : undefined));
  const renamed = buy.packages.map((line, index) => {
    const name = names[index];
    return typeof name === 'string' ? { ...line, package_id: name } : line;
  });
  await tx.mediaBuys.replace({ ...buy, packages: renamed }, true);
}

function requireUnfinished(task: Task | undefined): Task {
  if (task === undefined) throw unknownDecision();
  if (!isOver(task.status)) return task;
  throw new TaskError('INVALID_STATE', `The task is ${task.status}; nothing is left to do.`, {
    field: 'task_id',
    suggestion: 'Name a task that still waits; list_tasks shows them.',
    details: { current_state: task.status },
  });
}

/** Returns who asked, as the tenant's file has it now. */
function callerOf(app: App, task: Task): Caller {
  const { tenant, principal: id } = readOwner(task.owner);
  const seller = app.sellers().get(tenant);
  const principal = seller && findPrincipal(seller, id, app.development);
  if (seller === undefined || principal === undefined) throw refuseGone();
  return { seller, principal };
}

function refuseGone(): TaskError {
  return new TaskError('PERMISSION_DENIED', 'The seller no longer takes this request from this caller.', {
    suggestion: 'Ask the seller for access, then send the request again with a new idempotency_key.',
  });
}

function refuseTask(task: Task, reason: string): Outcome {
  const error = new TaskError('PERMISSION_DENIED', `The seller turned the request down: ${reason}`, {
    suggestion: 'Change what the reason names and send the request again with a new idempotency_key.',
  });
  return failTask('rejected', error, task.release);
}

function failTask(status: 'failed' | 'rejected', error: TaskError, release: Release): Outcome {
  return { status, message: error.message, result: { status, errors: [errorObject(error, release)] } };
}
