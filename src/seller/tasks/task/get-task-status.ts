import { z } from 'zod';
import type { Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import { TASK_PROTOCOLS } from '../../../protocol/tasks.js';
import type { Call } from '../../context.js';
import type { Scope } from '../../domain/account/scope.js';
import { changedBuy, shapeByRelease } from '../../domain/media-buy/wire.js';
import type { Reader } from '../../store/store.js';
import { accountRef, envelopeFields } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { protocolOf, taskFacts, taskHistory, taskOutcome } from './wire.js';

const input = z.looseObject({
  task_id: z.string().min(1).max(255),
  account: accountRef.optional(),
  include_result: z.boolean().optional(),
  include_history: z.boolean().optional(),
  ...envelopeFields,
});

/** get_task_status: where a task stands that was answered with `submitted`. */
export const getTaskStatus = query({
  name: 'get_task_status',
  aliases: ['tasks_get', 'tasks/get'],
  title: 'Where a task stands',
  description:
    'Poll with the task_id of a submitted answer every few minutes until it is over. include_result: true brings the answer of the call.',
  kinds: ['sales', 'creative', 'signals', 'brand'],
  input,
  account: { use: 'read_buys', required: false },
  run: async ({ call, args, db, scope }) => {
    const task = await db.tasks.find(scope, args.task_id);
    if (task === undefined) return readBuyAsTask(call, db, scope, args);
    return {
      ...taskFacts(task),
      protocol: protocolOf(task),
      ...taskOutcome(task, args.include_result === true),
      history: args.include_history === true ? taskHistory(task) : undefined,
      sandbox: task.sandbox,
    };
  },
});

/**
 * Returns where a media buy stands under its own id, which its events name as their task: what was last done to it is over. Throws
 * REFERENCE_NOT_FOUND where there is no such buy either.
 */
async function readBuyAsTask(
  call: Call,
  db: Reader,
  scope: Scope,
  { task_id, include_result }: z.output<typeof input>,
): Promise<Payload> {
  const buy = await db.mediaBuys.find(scope, task_id);
  if (buy === undefined) throw unknownTask();
  const changes = (await db.mediaBuys.history([task_id], MAX_CHANGES)).get(task_id) ?? [];
  const task_type = changes.length === 0 ? 'create_media_buy' : 'update_media_buy';
  const assigned = include_result === true ? await db.creatives.assignedTo([task_id]) : [];
  const { isOperator, principal } = call;
  const authority = { account: await db.accounts.ofThing(call.owner, buy), isOperator, principal };
  const result = shapeByRelease(changedBuy(buy, assigned, changes.toReversed(), authority), call.to.release);
  return {
    task_id,
    account_id: buy.account_id,
    task_type,
    status: 'completed',
    created_at: buy.created_at,
    updated_at: buy.updated_at,
    completed_at: buy.updated_at,
    has_webhook: buy.callbacks.push_notification_config !== undefined,
    protocol: TASK_PROTOCOLS[task_type],
    result: include_result === true ? result : undefined,
    sandbox: buy.sandbox,
  };
}

/** Of a media buy, newest first. */
const MAX_CHANGES = 20;

function unknownTask(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'There is no such task for this caller.', {
    field: 'task_id',
    suggestion: 'Use a task_id from an answer with status submitted, or from list_tasks, or a media_buy_id.',
  });
}
