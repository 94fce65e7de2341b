import { isObject } from '../../../platform/kernel/json/json.js';
import { isOver, TASK_PROTOCOLS } from '../../../protocol/tasks.js';
import { lastStep, registrationOf, type Task } from '../../domain/task/task.js';

/** What of a request is never told again: addresses and credentials of callbacks, tokens, bank details. */
const WITHHELD: ReadonlySet<string> = new Set([
  'push_notification_config',
  'reporting_webhook',
  'artifact_webhook',
  'revocation_webhook',
  'governance_context',
  'invoice_recipient',
]);

/** Returns the facts about a task that a poll and a list share. */
export function taskFacts(task: Task): Record<string, unknown> {
  const { task_id, account_id, task_type, status, created_at, updated_at } = task;
  const { message } = lastStep(task);
  return {
    task_id,
    account_id,
    task_type,
    status,
    created_at,
    updated_at,
    completed_at: isOver(status) ? updated_at : undefined,
    has_webhook: registrationOf(task) !== undefined,
    message,
  };
}

/** Returns the protocol of a task, as polls name it; lists call it the domain. */
export function protocolOf({ task_type }: Task): string {
  return TASK_PROTOCOLS[task_type];
}

/** Returns what the present status of a task says in a poll: progress, the error, and the result where it is asked for. */
export function taskOutcome(task: Task, withResult: boolean): Record<string, unknown> {
  const { status, result } = lastStep(task);
  if (result === undefined) return {};
  if (status === 'working') return { progress: result };
  if (status === 'completed') return withResult ? { result } : {};
  const [error] = Array.isArray(result.errors) ? result.errors : [];
  return isObject(error) ? { error } : {};
}

/** Returns everything that was said about a task, oldest first: the request without its secrets, then each answer. */
export function taskHistory({ created_at, request, steps }: Task): readonly object[] {
  const asked = Object.fromEntries(Object.entries(request).filter(([name]) => !WITHHELD.has(name)));
  return [
    { timestamp: created_at, type: 'request', data: asked },
    ...steps.map(({ at, status, message, result }) => ({
      timestamp: at,
      type: 'response',
      data: { status, message, ...result },
    })),
  ];
}
