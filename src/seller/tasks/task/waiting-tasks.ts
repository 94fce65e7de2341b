import { isOver } from '../../../protocol/tasks.js';
import type { App } from '../../context.js';
import { describeStake } from '../../domain/task/approval.js';
import { askedQuestion, lastStep, type Question, type Task } from '../../domain/task/task.js';
import { readOwner } from '../../domain/tenant/principal.js';
import { decideTask } from './decide-task.js';
import type { DecisionKind, Outcome, PendingDecision, Waiting } from './pending-decisions.js';

/** Orders that a person has to approve. */
export const TASK_DECISIONS: DecisionKind = {
  list: async (app, limit) => {
    const tasks = await app.store.read.tasks.waiting(limit);
    return tasks.flatMap((task) => (task.question === undefined ? [] : [describeWaiting(task, task.question)]));
  },
  find: findTask,
  decide: async (app, key, decision, channel) => {
    const task = await decideTask(app, key, decision, channel);
    const { result } = lastStep(task);
    const { media_buy_id, media_buy_status } = result ?? {};
    return {
      kind: 'task',
      id: task.task_id,
      ...readOwner(task.owner),
      what: task.question === undefined ? task.task_type : describeStake(task.question.stake),
      ...readOutcome(task),
      media_buys: typeof media_buy_id === 'string' ? [{ media_buy_id, status: String(media_buy_status) }] : [],
    };
  },
};

async function findTask(app: App, key: string): Promise<PendingDecision | undefined> {
  const task = await app.store.read.tasks.findAnywhere(key);
  if (task?.question === undefined) return undefined;
  return {
    waiting: describeWaiting(task, task.question),
    outcome: isOver(task.status) ? readOutcome(task) : undefined,
  };
}

function describeWaiting(task: Task, { because, stake, due_at, on_timeout }: Question): Waiting {
  return {
    kind: 'task',
    id: task.task_id,
    ...readOwner(task.owner),
    account_id: task.account_id,
    what: describeStake(stake),
    because,
    since: task.created_at,
    acts_at: due_at,
    on_timeout,
    asked: askedQuestion(task),
    order: stake,
    sandbox: task.sandbox,
  };
}

function readOutcome(task: Task): Outcome {
  const { status, at, message } = lastStep(task);
  const isDone = status === 'completed' || message === undefined;
  return { status, decided_at: at, reason: isDone ? undefined : message };
}
