import { SECOND_MS } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { lastStep, registrationOf, type Task } from '../../domain/task/task.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { Writer } from '../../store/store.js';
import { channelOf } from '../delivery/channel.js';
import { type Outbox, taskEvent } from '../outbox.js';

/** How long progress of a task waits for more, ms: an end that comes meanwhile is told in its place. */
const PROGRESS_WINDOW_MS = SECOND_MS;

/**
 * Tells the buyer where its task stands by now, in the transaction that moved it; nothing where it registered no webhook. What the
 * call itself answered is no news.
 */
export async function announceTask(outbox: Pick<Outbox, 'post'>, tx: Writer, task: Task): Promise<void> {
  const config = registrationOf(task);
  if (!isObject(config)) return;
  const { status, at, message, result } = lastStep(task);
  const { context } = task.request;
  const { tenant } = readOwner(task.owner);
  const bought = result?.media_buy_id;
  const address = {
    owner: task.owner,
    tenant,
    channel: channelOf(config, task.sandbox, task.release),
    mediaBuyId: typeof bought === 'string' ? bought : undefined,
  };
  const notice = {
    taskId: task.task_id,
    taskType: task.task_type,
    status,
    timestamp: at,
    message,
    result,
    context: isObject(context) ? context : undefined,
  };
  const coalesce = {
    key: `task ${task.task_id}`,
    windowMs: status === 'working' ? PROGRESS_WINDOW_MS : 0,
  };
  await outbox.post(tx, taskEvent(address, notice, { coalesce }));
}
