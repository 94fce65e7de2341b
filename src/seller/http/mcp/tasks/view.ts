import type { TaskStatus } from '../../../../protocol/tasks.js';
import { MAX_STORED_MS } from '../../../domain/task/a2a.js';
import { lastStep, openQuestion, type Task } from '../../../domain/task/task.js';
import type { CallEnd } from '../../../tasks/task/call-end.js';

/** Our states in the words of MCP, which knows no refusal of its own. */
const STATUSES = {
  submitted: 'working',
  working: 'working',
  'input-required': 'input_required',
  completed: 'completed',
  failed: 'failed',
  rejected: 'failed',
  canceled: 'cancelled',
} as const satisfies Readonly<Record<TaskStatus, string>>;

/** How long a client should wait between two looks at a task, ms: at one that goes on by itself, and at one that a person decides about. */
const POLL_MS = 2000;
const POLL_PERSON_MS = 5000;

const WAITS = 'The seller decides about the request.';

/** A task as revision 2025-11-25 shows it; `ttl` is null of one that goes on, which stays for as long as the seller's records do. */
export type ShownTask = {
  readonly taskId: string;
  readonly status: (typeof STATUSES)[TaskStatus];
  readonly statusMessage: string | undefined;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttl: number | null;
  readonly pollInterval: number | undefined;
};

/** Returns a stored task as it stands. */
export function showTask(task: Task): ShownTask {
  const { created_at, status, task_id, updated_at } = task;
  const isAsked = openQuestion(task) !== undefined;
  return {
    taskId: task_id,
    status: STATUSES[status],
    statusMessage: lastStep(task).message ?? (isAsked ? WAITS : undefined),
    createdAt: created_at,
    lastUpdatedAt: updated_at,
    ttl: null,
    pollInterval: isAsked ? POLL_PERSON_MS : POLL_MS,
  };
}

/** Returns a call that was over when it was answered. */
export function showEnd(taskId: string, { at, message, status, ttlMs = MAX_STORED_MS }: CallEnd): ShownTask {
  return {
    taskId,
    status: STATUSES[status],
    statusMessage: message,
    createdAt: at,
    lastUpdatedAt: at,
    ttl: ttlMs,
    pollInterval: undefined,
  };
}

/** Returns a task as the extension to the newest revision has it. */
export function inExtension({ pollInterval, ttl, ...facts }: ShownTask): Readonly<Record<string, unknown>> {
  return { ...facts, ttlMs: ttl, pollIntervalMs: pollInterval };
}
