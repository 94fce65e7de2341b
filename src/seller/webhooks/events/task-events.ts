import { SECOND_MS } from '../../../platform/kernel/clock.js';
import { isObject, Written } from '../../../platform/kernel/json/json.js';
import { isOver } from '../../../protocol/tasks.js';
import { lastStep, registrationOf, type Task } from '../../domain/task/task.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { Writer } from '../../store/store.js';
import { type Channel, channelOf } from '../delivery/channel.js';
import { type Outbox, type Recipient, taskEvent } from '../outbox.js';
import { findRecipient } from './buy-events.js';

/** How long progress of a task waits for more, ms: an end that comes meanwhile is told in its place. */
const PROGRESS_WINDOW_MS = SECOND_MS;

/**
 * Tells the buyer where its task stands by now, in the transaction that moved it; nothing where it registered no webhook. What the
 * call itself answered is no news.
 */
export async function announceTask(outbox: Pick<Outbox, 'post'>, tx: Writer, task: Task): Promise<void> {
  const hearers = await findHearers(tx, task);
  if (hearers.length === 0) return;
  const { status, at, message, result } = lastStep(task);
  const { context } = task.request;
  const plain = isObject(context) ? context : undefined;
  const notice = {
    taskId: task.task_id,
    taskType: task.task_type,
    status,
    timestamp: at,
    message,
    result,
    context: task.context_text === undefined ? plain : new Written(task.context_text),
    contextId:
      (await tx.a2a.find(task.task_id))?.context_id ?? (status === 'input-required' ? task.task_id : undefined),
  };
  for (const { to, name } of hearers) {
    const coalesce = {
      key: `task ${task.task_id}${name}`,
      windowMs: status === 'working' ? PROGRESS_WINDOW_MS : 0,
    };
    await outbox.post(tx, taskEvent(to, notice, { coalesce }));
  }
}

/** Who hears of a task, with what tells its events from those to others. */
type Hearer = { readonly name: string; readonly to: Recipient };

/** Returns who hears of a task: the channels that it was registered with, or, of its end, the registration of the buy that it changes. */
async function findHearers(tx: Writer, task: Task): Promise<readonly Hearer[]> {
  const { owner, request, status } = task;
  const named = lastStep(task).result?.media_buy_id ?? request.media_buy_id;
  const mediaBuyId = typeof named === 'string' ? named : undefined;
  const channels = await findChannels(tx, task);
  const { tenant } = readOwner(owner);
  if (channels.length > 0 || mediaBuyId === undefined || !isOver(status))
    return channels.map(({ name, channel }) => ({ name, to: { owner, tenant, mediaBuyId, channel } }));
  const buy = await tx.mediaBuys.find(owner, mediaBuyId);
  const to = buy && findRecipient(owner, buy, 'push_notification_config');
  return to === undefined ? [] : [{ name: '', to }];
}

/** A channel with what tells its events from those of the task's other channels. */
type NamedChannel = { readonly name: string; readonly channel: Channel };

/** Returns the channels that a task was registered with: by its argument, and by A2A's own mechanism, which has an envelope of its own. */
async function findChannels(tx: Writer, task: Task): Promise<readonly NamedChannel[]> {
  const config = registrationOf(task);
  const own = isObject(config) ? [{ name: '', channel: channelOf(config, task.sandbox, task.release) }] : [];
  const pushes = await tx.a2a.pushes(task.task_id);
  const native = pushes.map(({ config_id, revision, ...push }): NamedChannel => {
    const channel = channelOf(push.config, push.local, task.release);
    return { name: ` ${config_id}`, channel: { ...channel, envelope: `a2a-${revision}` } };
  });
  return [...own, ...native];
}
