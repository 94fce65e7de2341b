import { isoTime } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Release } from '../../../protocol/releases.js';
import { isOver, TASK_MOVES, type TaskStatus, type TaskType } from '../../../protocol/tasks.js';
import { readStart, type StartTime } from '../media-buy/flight.js';
import type { Stake, TimeoutAction } from './approval.js';

/** One status of a task: when it came about, and what an event or a poll says of it. */
export type Step = {
  readonly status: TaskStatus;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** For the buyer. */
  readonly message?: string;
  /** The task's response, progress, reason or errors, as the status wants it. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** The person or service that caused the step; for the seller's own records. */
  readonly by?: string;
};

/** A decision that a person of the seller has to take, or the clock will. */
export type Question = {
  /** Why it is asked, in words for that person. */
  readonly because: string;
  /** The order as it was judged. */
  readonly stake: Stake;
  /** ISO 8601. */
  readonly due_at: string;
  readonly on_timeout: TimeoutAction;
};

/** A call that is not over when it is answered. Times are ISO 8601 in UTC. */
export type Task = {
  readonly task_id: string;
  /** `ownerKey` of the caller. */
  readonly owner: string;
  readonly account_id: string;
  /** Nothing of it is ever real; its webhooks may be local ones in development mode. */
  readonly sandbox: boolean;
  readonly task_type: TaskType;
  readonly status: TaskStatus;
  readonly created_at: string;
  readonly updated_at: string;
  /** The release that the task's answers are shaped for. */
  readonly release: Release;
  /** The arguments as they came, but for the idempotency key. Callback credentials are among them: never returned. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Their context as JSON, where it is told from what was read of it by more than its form. */
  readonly context_text?: string | undefined;
  /** Oldest first; the last one is where the task stands. */
  readonly steps: readonly Step[];
  /** Absent where no person is waited for. */
  readonly question?: Question;
  /** Of a task that goes on by itself: how often it was begun, and when it has to be heard of again (ISO 8601). */
  readonly run?: { readonly count: number; readonly due_at: string };
};

/** A step of a task that goes on; `step_number` counts from 1, and `share` is how much of the step is done, 0 to 1. */
export type Progress = {
  readonly step_number: number;
  readonly total_steps: number;
  readonly current_step: string;
  readonly share?: number;
};

/** Returns a task at its first status, `submitted`; `answer` is what the caller is told. */
export function openTask(
  facts: Omit<Task, 'status' | 'created_at' | 'updated_at' | 'steps'>,
  answer: Readonly<Record<string, unknown>>,
  nowIso: string,
): Task {
  const step: Step = { status: 'submitted', at: nowIso, result: answer };
  return { ...facts, status: 'submitted', created_at: nowIso, updated_at: nowIso, steps: [step] };
}

/** Returns the task after a move. Throws INVALID_STATE for one that is not in the table. */
export function moveTask(task: Task, step: Step): Task {
  if (!TASK_MOVES[task.status].includes(step.status)) {
    const legal = TASK_MOVES[task.status].join(', ');
    throw new TaskError('INVALID_STATE', `The task is ${task.status}; it cannot become ${step.status}.`, {
      suggestion: legal === '' ? 'Nothing is left to do: the task is over.' : `It can become ${legal}.`,
    });
  }
  return { ...task, status: step.status, updated_at: step.at, steps: [...task.steps, step] };
}

/** Returns a task that goes on with the progress that it has made by `at`. */
export function noteProgress(task: Task, result: Readonly<Record<string, unknown>>, at: string): Task {
  return { ...task, updated_at: at, steps: [...task.steps.slice(0, -1), { ...lastStep(task), at, result }] };
}

/** Returns a task whose buyer answered what it was asked by sending the request anew: it waits for a person again. */
export function answerQuestion(task: Task, anew: Task): Task {
  const { at, result } = lastStep(anew);
  const { release, question } = anew;
  const request = { push_notification_config: registrationOf(task), ...anew.request };
  return { ...moveTask(task, { status: 'submitted', at, result }), request, release, question };
}

/** Returns the decision that a task still waits for; undefined when there is none. */
export function openQuestion({ question, status }: Pick<Task, 'question' | 'status'>): Question | undefined {
  return isOver(status) ? undefined : question;
}

/** Returns a task whose decision may take as long again as it was given at first, from `nowMs` on. */
export function renewQuestion(task: Task, nowMs: number): Task {
  const { question, created_at } = task;
  if (question === undefined) return task;
  const due_at = isoTime(nowMs + Date.parse(question.due_at) - Date.parse(created_at));
  return { ...task, question: { ...question, due_at } };
}

/** Returns the last step of a task, which holds its present status. */
export function lastStep(task: Task): Step {
  const step = task.steps.at(-1);
  if (step === undefined) throw new Error('a task has at least its first step');
  return step;
}

/** Returns when the clock decides, or a task that goes on has to be heard of, ms since the epoch; undefined when it never will. */
export function dueMs(task: Pick<Task, 'question' | 'status' | 'run'>): number | undefined {
  if (isOver(task.status)) return undefined;
  const due = (task.question ?? task.run)?.due_at;
  return due === undefined ? undefined : Date.parse(due);
}

/** Returns what the buyer of a task is asked just now; undefined where it is asked nothing. */
export function askedQuestion(task: Task): string | undefined {
  const { status, result } = lastStep(task);
  const [error] = status === 'input-required' && Array.isArray(result?.errors) ? result.errors : [];
  return isObject(error) && typeof error.message === 'string' ? error.message : undefined;
}

/** Returns the buyer's registration for the task's events, if it brought one. */
export function registrationOf({ request }: Pick<Task, 'request'>): unknown {
  return request.push_notification_config;
}

/**
 * Returns the arguments as they are carried out at `nowMs`: a start that passed while somebody decided means now. Packages that wanted to
 * start in that time start with their buy.
 */
export function shiftRequest(request: Task['request'], nowMs: number): Task['request'] {
  if (request.start_time === undefined || readStart(request.start_time as StartTime, 'start_time', 0) >= nowMs)
    return request;
  const packages = Array.isArray(request.packages)
    ? { packages: request.packages.map((line) => dropPastStart(line, nowMs)) }
    : {};
  return { ...request, start_time: 'asap', ...packages };
}

function dropPastStart(line: Readonly<Record<string, unknown>>, nowMs: number): Readonly<Record<string, unknown>> {
  const { start_time, ...rest } = line;
  return typeof start_time === 'string' && Date.parse(start_time) < nowMs ? rest : line;
}
