import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import { accountRef, envelopeFields } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { protocolOf, taskFacts, taskHistory, taskOutcome } from './wire.js';

const input = z.looseObject({
  task_id: z.string().min(1).max(255),
  account: accountRef.optional(),
  include_result: z.boolean().optional().describe('Adds what the task answered once it is completed'),
  include_history: z.boolean().optional(),
  ...envelopeFields,
});

/** get_task_status: where a task stands that was answered with `submitted`. */
export const getTaskStatus = query({
  name: 'get_task_status',
  aliases: ['tasks_get', 'tasks/get'],
  title: 'Where a task stands',
  description:
    'Poll this with the task_id of a submitted answer, every few minutes, until it is completed, failed, rejected or canceled. include_result: true brings the answer of the call.',
  kinds: ['sales', 'creative', 'signals'],
  input,
  account: { use: 'read_buys', required: false },
  run: async ({ args, db, scope }) => {
    const task = await db.tasks.find(scope, args.task_id);
    if (task === undefined) throw unknownTask();
    return {
      ...taskFacts(task),
      protocol: protocolOf(task),
      ...taskOutcome(task, args.include_result === true),
      ...(args.include_history === true ? { history: taskHistory(task) } : {}),
      sandbox: task.sandbox,
    };
  },
});

function unknownTask(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'There is no such task for this caller.', {
    field: 'task_id',
    suggestion: 'Use a task_id from an answer with status submitted, or from list_tasks.',
  });
}
