import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../src/platform/kernel/clock.js';
import type { TaskStatus } from '../../../src/protocol/tasks.js';
import { moveTask, openTask, type Task } from '../../../src/seller/domain/task/task.js';
import type { Store } from '../../../src/seller/store/store.js';
import { TASK_SORTS, type TaskFilter, type TaskSort } from '../../../src/seller/store/tasks.js';
import { freshFile, openTestStore } from './fixture.js';

const START = Date.parse('2030-06-01T00:00:00Z');
const HOUR = 3_600_000;
const NEWEST: TaskSort = { field: 'created_at', direction: 'desc' };
const ALL = { limit: 100, after: undefined };

/** A task that was opened `hours` after the start; it is due a day later where a person is asked. */
function taskCalled(task_id: string, hours: number, more: Partial<Task> = {}): Task {
  const stake = {
    task: 'create_media_buy',
    principal: 'buyer',
    account_id: 'acct_1',
    fulfillment: 'simulated',
    advertiser: 'acme.example',
    currency: 'USD',
    total: 1,
    start_time: isoTime(START),
    end_time: isoTime(START + HOUR),
    lines: [],
  } as const;
  const opened = openTask(
    {
      task_id,
      owner: 'sales#buyer',
      account_id: 'acct_1',
      sandbox: true,
      task_type: 'create_media_buy',
      release: '3.0',
      request: {},
      question: { because: '', stake, due_at: isoTime(START + (hours + 24) * HOUR), on_timeout: 'reject' },
    },
    {},
    isoTime(START + hours * HOUR),
  );
  return { ...opened, ...more };
}

function moved(task: Task, status: TaskStatus, hours: number): Task {
  return moveTask(task, { status, at: isoTime(START + hours * HOUR), result: { media_buy_id: 'mb_done' } });
}

async function keep(store: Store, ...tasks: readonly Task[]): Promise<void> {
  await store.transact(async (tx) => {
    for (const task of tasks) await tx.tasks.insert(task);
  });
}

const ids = (rows: readonly { readonly task: Task }[]) => rows.map(({ task }) => task.task_id);

describe('tasks', () => {
  it.skipIf(process.env.TEST_ENGINE === 'postgres')(
    'that wait for a person are read from an index of them alone',
    async () => {
      const file = freshFile();
      await openTestStore(file);
      const query = "SELECT doc FROM task WHERE due_at IS NOT NULL AND status <> 'working' ORDER BY seq LIMIT 9";
      const plan = new Libsql(file, { readonly: true }).prepare(`EXPLAIN QUERY PLAN ${query}`).all();
      expect(plan).toMatchObject([{ detail: 'SCAN task USING INDEX task_waiting' }]);
    },
  );

  it('are their owner’s alone, and are there after the store was opened again', async () => {
    const file = freshFile();
    const store = await openTestStore(file);
    const task = taskCalled('task_a', 0);
    await keep(store, task, taskCalled('task_b', 0, { owner: 'sales#other' }));
    await store.close();
    const again = await openTestStore(file);
    expect(await again.read.tasks.find('sales#buyer', 'task_a')).toEqual(task);
    expect(await again.read.tasks.find('sales#buyer', 'task_b')).toBeUndefined();
    expect(await again.read.tasks.find('sales#buyer', 'task_c')).toBeUndefined();
    expect(await again.read.tasks.findAnywhere('task_b')).toMatchObject({ owner: 'sales#other' });
    expect(ids(await again.read.tasks.list('sales#buyer', ALL, {}, NEWEST))).toEqual(['task_a']);
  });

  it('are due in order, and wait, until they are over', async () => {
    const store = await openTestStore();
    const [a, b, c] = [taskCalled('task_a', 2), taskCalled('task_b', 1), taskCalled('task_c', 3)];
    const { question: _none, ...forced } = taskCalled('task_d', 0);
    await keep(store, a, b, c, forced);
    const due = async (hours: number) => (await store.read.tasks.due(START + hours * HOUR, 10)).map((t) => t.task_id);
    const waiting = async () => (await store.read.tasks.waiting(10)).map((task) => task.task_id);
    expect(await due(24.9)).toEqual([]);
    expect(await due(26)).toEqual(['task_b', 'task_a']);
    expect(await store.read.tasks.due(START + 99 * HOUR, 2)).toHaveLength(2);
    expect(await waiting()).toEqual(['task_a', 'task_b', 'task_c']);
    await store.transact((tx) => tx.tasks.replace(moved(a, 'input-required', 4)));
    await store.transact((tx) => tx.tasks.replace(moved(b, 'rejected', 4)));
    expect(await waiting()).toEqual(['task_a', 'task_c']);
    expect(await due(99)).toEqual(['task_a', 'task_c']);
  });

  it.each<readonly [what: string, filter: TaskFilter, found: readonly string[]]>([
    ['nothing', {}, ['d', 'c', 'b', 'a']],
    ['an account', { accountId: 'acct_2' }, ['c']],
    ['ids', { taskIds: ['a', 'c', 'zz'] }, ['c', 'a']],
    ['no id', { taskIds: [] }, []],
    ['states', { statuses: ['completed', 'failed'] }, ['d', 'b']],
    ['a protocol', { protocols: ['creative'] }, ['d']],
    ['task types', { taskTypes: ['update_media_buy', 'build_creative'] }, ['d', 'c']],
    ['created after', { createdAfter: START + HOUR }, ['d', 'c']],
    ['created before', { createdBefore: START + HOUR }, ['a']],
    ['updated after', { updatedAfter: START + 3 * HOUR }, ['d', 'b']],
    ['updated before', { updatedBefore: START + 3 * HOUR }, ['c', 'a']],
    ['a webhook', { hasWebhook: true }, ['a']],
    ['no webhook', { hasWebhook: false, statuses: ['submitted'] }, ['c']],
    ['a word of the context, in whatever case', { contains: 'SPRING_sale' }, ['a']],
    ['the buy that is changed', { contains: 'mb_changed' }, ['c']],
    ['the buy that came of it', { contains: 'mb_done' }, ['d', 'b']],
    ['nothing of a callback', { contains: 'hook.example' }, []],
    ['two things', { statuses: ['submitted'], contains: 'mb_' }, ['c']],
  ])('narrowed by %s', async (_what, filter, found) => {
    const store = await openTestStore();
    const request = {
      push_notification_config: { url: 'https://hook.example/' },
      context: { campaign: 'spring_sale' },
    };
    await keep(
      store,
      taskCalled('a', 0, { request }),
      moved(taskCalled('b', 1), 'completed', 5),
      taskCalled('c', 2, {
        account_id: 'acct_2',
        task_type: 'update_media_buy',
        request: { media_buy_id: 'mb_changed' },
      }),
      moved(taskCalled('d', 3, { task_type: 'build_creative' }), 'failed', 4),
    );
    expect(ids(await store.read.tasks.list('sales#buyer', ALL, filter, NEWEST))).toEqual(found);
    const counts = await store.read.tasks.count('sales#buyer', filter);
    expect(counts.reduce((sum, { total }) => sum + total, 0)).toBe(found.length);
  });

  it('are counted by protocol and state', async () => {
    const store = await openTestStore();
    await keep(
      store,
      taskCalled('a', 0),
      taskCalled('b', 0),
      moved(taskCalled('c', 0, { task_type: 'build_creative' }), 'failed', 1),
    );
    expect(await store.read.tasks.count('sales#buyer', {})).toEqual(
      expect.arrayContaining([
        { protocol: 'media-buy', status: 'submitted', total: 2 },
        { protocol: 'creative', status: 'failed', total: 1 },
      ]),
    );
  });

  it.each(TASK_SORTS.flatMap((field) => [{ field, direction: 'asc' } as const, { field, direction: 'desc' } as const]))(
    'come in pages without gap or overlap, sorted by $field $direction',
    async (sort) => {
      const store = await openTestStore();
      const types = ['create_media_buy', 'build_creative', 'update_media_buy'] as const;
      const states = ['completed', 'failed', 'canceled'] as const;
      // Many are equal in what they are sorted by.
      const tasks = Array.from({ length: 17 }, (_, index) =>
        moved(
          taskCalled(`task_${index}`, index % 3, { task_type: types[index % 3] ?? 'create_media_buy' }),
          states[index % 2] ?? 'completed',
          5 + (index % 4),
        ),
      );
      await keep(store, ...tasks);
      const whole = await store.read.tasks.list('sales#buyer', ALL, {}, sort);
      const paged: string[] = [];
      let after: number | undefined;
      do {
        const rows = await store.read.tasks.list('sales#buyer', { limit: 4, after }, {}, sort);
        paged.push(...ids(rows.slice(0, 4)));
        after = rows.length > 4 ? rows[3]?.seq : undefined;
      } while (after !== undefined);
      expect(new Set(paged).size).toBe(17);
      expect(paged).toEqual(ids(whole));
      const values = whole.map(({ task }) => (sort.field === 'protocol' ? task.task_type : task[sort.field]));
      if (sort.field !== 'protocol')
        expect(values).toEqual(sort.direction === 'asc' ? values.toSorted() : values.toSorted().toReversed());
    },
  );
});
