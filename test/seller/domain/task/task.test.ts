import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TaskError } from '../../../../src/protocol/errors.js';
import { isOver, TASK_MOVES, TASK_STATUSES, type TaskStatus } from '../../../../src/protocol/tasks.js';
import {
  dueMs,
  lastStep,
  moveTask,
  openQuestion,
  openTask,
  shiftRequest,
  type Task,
} from '../../../../src/seller/domain/task/task.js';
import { fromNow, NOW, refusalOf } from '../order-context.js';

const HOUR = 3_600_000;

/** The moves as the protocol's own description has them; a person may turn down what was asked for more. */
const EDGES: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  submitted: ['working', 'input-required', 'completed', 'failed', 'canceled', 'rejected'],
  working: ['input-required', 'completed', 'failed', 'canceled'],
  'input-required': ['submitted', 'working', 'completed', 'failed', 'canceled', 'rejected'],
  completed: [],
  failed: [],
  canceled: [],
  rejected: [],
};

const TASK: Task = openTask(
  {
    task_id: 'task_1',
    owner: 'sales#buyer',
    account_id: 'acct',
    sandbox: true,
    task_type: 'create_media_buy',
    release: '3.1',
    request: {},
    question: {
      because: 'it is asked',
      stake: {
        task: 'create_media_buy',
        principal: 'buyer',
        account_id: 'acct',
        fulfillment: 'simulated',
        advertiser: 'acme.example',
        currency: 'USD',
        total: 1,
        start_time: fromNow(0),
        end_time: fromNow(HOUR),
        lines: [],
      },
      due_at: fromNow(48 * HOUR),
      on_timeout: 'reject',
    },
  },
  { status: 'submitted', task_id: 'task_1' },
  fromNow(0),
);

describe('the table of states', () => {
  it.each(TASK_STATUSES)('%s moves where the protocol lets it', (status) => {
    expect([...TASK_MOVES[status]].sort()).toEqual([...EDGES[status]].sort());
  });

  it('exactly what was decided is over', () => {
    expect(TASK_STATUSES.filter(isOver)).toEqual(['completed', 'failed', 'canceled', 'rejected']);
  });

  it('a task begins as submitted, with what its caller was told', () => {
    expect(TASK).toMatchObject({ status: 'submitted', created_at: fromNow(0), updated_at: fromNow(0) });
    expect(lastStep(TASK)).toEqual({
      status: 'submitted',
      at: fromNow(0),
      result: { status: 'submitted', task_id: 'task_1' },
    });
  });
});

describe('any sequence of moves', () => {
  it('goes along the table, keeps every step, and ends for good', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TASK_STATUSES), { maxLength: 12 }), (wanted) => {
        let task = TASK;
        for (const [index, status] of wanted.entries()) {
          const step = { status, at: fromNow(index * HOUR), message: `step ${index}` };
          const before = task;
          if (EDGES[before.status].includes(status)) {
            task = moveTask(before, step);
            expect(task).toMatchObject({ status, updated_at: step.at, created_at: before.created_at });
            expect(task.steps).toEqual([...before.steps, step]);
            expect(lastStep(task)).toBe(step);
          } else {
            expect(() => moveTask(before, step)).toThrow(TaskError);
          }
          // A question is open, and the clock waits, exactly while the task is not over.
          const over = EDGES[task.status].length === 0;
          expect(openQuestion(task)).toBe(over ? undefined : TASK.question);
          expect(dueMs(task)).toBe(over ? undefined : NOW + 48 * HOUR);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('what is not in the table is refused with a code and the states that are', () => {
    const at = (status: TaskStatus, hours = 1) => ({ status, at: fromNow(hours * HOUR) });
    const [working, done] = [moveTask(TASK, at('working')), moveTask(TASK, at('completed'))];
    expect(refusalOf(() => moveTask(working, at('rejected')))).toEqual(['INVALID_STATE']);
    expect(refusalOf(() => moveTask(done, at('rejected')))).toEqual(['INVALID_STATE']);
    expect(() => moveTask(done, at('rejected'))).toThrow(/completed.*rejected/);
  });
});

describe('the request when it is carried out', () => {
  const dates = { end_time: fromNow(100 * HOUR) };

  it.each<readonly [what: string, given: object, wanted: object | 'as it is']>([
    ['no start', { media_buy_id: 'mb_1' }, { media_buy_id: 'mb_1' }],
    ['a start to come', { start_time: fromNow(9 * HOUR) }, { start_time: fromNow(9 * HOUR) }],
    ['at once', { start_time: 'asap' }, { start_time: 'asap' }],
    ['a start that passed', { start_time: fromNow(2 * HOUR) }, { start_time: 'asap' }],
    ['a start that passed, in another zone', { start_time: '2030-06-01T16:00:00+02:00' }, { start_time: 'asap' }],
    ['a start to come, in another zone', { start_time: '2030-06-01T12:30:00-05:00' }, 'as it is'],
    ['a day that is today', { start_time: { type: 'date', date: '2030-06-01' } }, { start_time: 'asap' }],
    ['a day to come', { start_time: { type: 'date', date: '2030-06-02' } }, 'as it is'],
  ])('%s', (_what, given, wanted) => {
    const request = { ...given, ...dates };
    expect(shiftRequest(request, NOW + 5 * HOUR)).toEqual(wanted === 'as it is' ? request : { ...wanted, ...dates });
  });

  it('packages that wanted to start meanwhile start with their buy, others when they wanted', () => {
    const packages = [
      { product_id: 'a', start_time: fromNow(HOUR), end_time: fromNow(9 * HOUR) },
      { product_id: 'b', start_time: fromNow(8 * HOUR) },
      { product_id: 'c' },
    ];
    expect(shiftRequest({ start_time: fromNow(HOUR), packages }, NOW + 5 * HOUR).packages).toEqual([
      { product_id: 'a', end_time: fromNow(9 * HOUR) },
      { product_id: 'b', start_time: fromNow(8 * HOUR) },
      { product_id: 'c' },
    ]);
  });
});
