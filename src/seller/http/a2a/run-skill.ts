import type { Task as TaskView } from 'a2a-sdk';
import { isoTime } from '../../../platform/kernel/clock.js';
import { isObject, writeOnce } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import { isOver, TASK_STATUSES } from '../../../protocol/tasks.js';
import type { App, Caller } from '../../context.js';
import type { A2aPush } from '../../domain/task/a2a.js';
import { findTool } from '../../tasks/index.js';
import { type Answer, addresseeOf, answerFailure, ownerOf } from '../../tasks/pipeline/receive.js';
import { checkEchoedContext } from '../../tasks/pipeline/registration.js';
import { type Tool, toolName } from '../../tasks/pipeline/tool.js';
import { type CallEnd, isFinal, readAcknowledgment, readShort, storeEnd } from '../../tasks/task/call-end.js';
import { readPush, storePush } from '../../tasks/task/native-pushes.js';
import type { Limits } from '../limits.js';
import { callTool } from '../mcp/call-tool.js';
import { type A2aRequest, readSkillCall, type SkillCall } from './request.js';
import { showStoredTask, showTask } from './task-view.js';

type Services = { readonly app: App; readonly limits: Limits };

/** A call of a skill, with what belongs to the task that comes of it. */
type PlacedCall = {
  readonly caller: Caller;
  readonly call: SkillCall;
  readonly contextId: string;
  readonly push: A2aPush | undefined;
};

/** Runs the skill that a message calls, on the path of every task call, and returns the Task that it comes to: over, or going on. */
export async function runSkill(services: Services, caller: Caller, request: A2aRequest): Promise<TaskView> {
  const { app } = services;
  const call = readSkillCall(request);
  const { contextId = app.ids.next('ctx') } = call;
  const to = addresseeOf(caller, isObject(call.input) ? call.input : {});
  try {
    if (call.push !== undefined) checkEchoedContext(to.context);
    const push = call.push === undefined ? undefined : await readPush(app, caller, call.push, request.revision);
    return await answerSkill(services, { caller, call, contextId, push });
  } catch (error) {
    const failed = answerFailure({ app, caller, to }, error);
    return endCall(app, { caller, call, contextId, push: undefined }, failed);
  }
}

async function answerSkill({ app, limits }: Services, placed: PlacedCall): Promise<TaskView> {
  const { call, caller, contextId, push } = placed;
  if (call.skill === undefined) throw refuseUnroutable();
  const owner = ownerOf(caller);
  const params = { name: call.skill, arguments: call.input };
  const onTask: Caller['onTask'] = (tx, task_id) => {
    tx.a2a.open({ task_id, owner, context_id: contextId });
    if (push !== undefined) tx.a2a.savePush(task_id, push);
  };
  const answer = await callTool(app, limits, { ...caller, onTask, isPushed: push !== undefined }, params);
  const acknowledged = readAcknowledgment(caller, call.skill, answer);
  if (acknowledged === undefined) return endCall(app, placed, answer, describeBuy(readShort(answer)));
  const { task_id, status } = acknowledged;
  const task = await app.store.read.tasks.find(owner, task_id);
  // A repeated message registers for the task that the first one opened.
  if (push !== undefined)
    await app.store.transact(async (tx) => {
      const present = await tx.tasks.find(owner, task_id);
      if (present !== undefined && !isOver(present.status)) await storePush(tx, task_id, push);
    });
  if (task !== undefined) return showStoredTask(task, contextId);
  const at = isoTime(app.clock.nowOf(owner));
  return showTask({ id: task_id, contextId, status, at, name: call.skill, data: acknowledged });
}

/**
 * Returns what stands before an answer whose `status` is that of a buy, as release 3.0 has it, where it could be taken for that of the
 * call: clients read the first data part for both.
 */
function describeBuy({ media_buy_status, status }: Readonly<Record<string, unknown>> = {}): string | undefined {
  const isOfBuy = status === media_buy_status && TASK_STATUSES.some((one) => one === status && one !== 'completed');
  return isOfBuy ? `The call is completed; the media buy is ${status}.` : undefined;
}

function findSkill({ call, caller: { principal, seller } }: PlacedCall): Tool | undefined {
  return call.skill === undefined ? undefined : findTool(seller, call.skill, principal);
}

/** Returns the Task of a call that is over, and keeps it for whoever asks again. */
async function endCall(app: App, placed: PlacedCall, answer: Answer, message?: string): Promise<TaskView> {
  const { caller, contextId } = placed;
  const id = app.ids.next('a2a');
  const owner = ownerOf(caller);
  const tool = findSkill(placed);
  const end: CallEnd = {
    status: answer.isError ? 'failed' : 'completed',
    at: isoTime(app.clock.nowOf(owner)),
    name: tool === undefined ? 'call' : toolName(tool, caller.seller.names),
    message,
    data: writeOnce(answer.payload),
  };
  if (caller.principal !== undefined && isFinal(answer)) await storeEnd(app, caller, { id, contextId }, end);
  return showTask({ id, contextId, ...end });
}

function refuseUnroutable(): TaskError {
  return new TaskError('INVALID_REQUEST', 'No data part of the message names a skill.', {
    field: 'message.parts',
    suggestion:
      'Send {"kind": "data", "data": {"skill": "get_products", "input": {…}}}; the agent card lists the skills.',
  });
}
