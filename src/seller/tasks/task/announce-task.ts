import { isObject } from '../../../platform/kernel/json/json.js';
import type { App } from '../../context.js';
import { lastStep, registrationOf, type Task } from '../../domain/task/task.js';
import { readOwner } from '../../domain/tenant/tenant.js';
import type { Writer } from '../../store/store.js';
import { channelOf } from '../../webhooks/delivery/channel.js';
import { taskEvent } from '../../webhooks/outbox.js';

/**
 * Tells the buyer where its task stands by now, in the transaction that moved it; nothing where it registered no webhook. What the
 * call itself answered is no news.
 */
export async function announceTask(app: App, tx: Writer, task: Task): Promise<void> {
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
  await app.outbox.post(tx, taskEvent(address, notice));
}
