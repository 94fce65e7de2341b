import { z } from 'zod';
import { bindList, cutPage, readPage } from '../../../platform/kernel/cursor.js';
import { TASK_STATUSES } from '../../../protocol/tasks.js';
import { readTime } from '../../domain/media-buy/flight.js';
import { TASK_SORTS, type TaskCount, type TaskFilter } from '../../store/tasks.js';
import { accountRef, dateTime, endTime, envelopeFields, pagination } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { protocolOf, taskFacts, taskHistory } from './wire.js';

const word = z.string().max(64).optional();
const words = z.array(z.string().max(64)).min(1).max(100).optional();
/** The protocol knows two states more, which no task here is ever in. */
const status = z.enum([...TASK_STATUSES, 'auth-required', 'unknown']);

const filters = z
  .looseObject({
    protocol: word,
    protocols: words,
    status: status.optional(),
    statuses: z.array(status).min(1).optional(),
    task_type: word,
    task_types: words,
    created_after: dateTime.optional(),
    created_before: endTime.optional(),
    updated_after: dateTime.optional(),
    updated_before: endTime.optional(),
    task_ids: z.array(z.string().max(255)).min(1).max(100).optional(),
    context_contains: z.string().max(255).optional(),
    has_webhook: z.boolean().optional(),
  })
  .meta({
    brief: true,
    description: '{statuses, task_types, protocols, task_ids, created_after, updated_after, …}',
  });
type Filters = z.output<typeof filters>;

const input = z.looseObject({
  account: accountRef.optional(),
  filters: filters.optional(),
  sort: z
    .looseObject({ field: z.enum(TASK_SORTS).optional(), direction: z.enum(['asc', 'desc']).optional() })
    .optional()
    .meta({ unlisted: true }),
  include_history: z.boolean().optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** list_tasks: the caller's tasks, newest first unless sorted otherwise. */
export const listTasks = query({
  name: 'list_tasks',
  aliases: ['tasks_list', 'tasks/list'],
  title: 'Tasks that wait or waited',
  description:
    'Tasks answered with submitted, and where each stands. What is not over: filters.statuses ["submitted","working","input-required"].',
  kinds: ['sales', 'creative', 'signals', 'brand'],
  rows: 'tasks',
  input,
  account: { use: 'read_buys', required: false },
  run: async ({ call, args, db, account, accountIsNew, scope }) => {
    const filter = readFilter(args.filters ?? {}, account?.account_id);
    const sort = { field: args.sort?.field ?? 'created_at', direction: args.sort?.direction ?? 'desc' } as const;
    const list = bindList('tasks', scope, filter, sort);
    const page = readPage(list, args.pagination);
    const rows = accountIsNew ? [] : await db.tasks.list(scope, page, filter, sort);
    const counts = accountIsNew ? [] : await db.tasks.count(scope, filter);
    const cut = cutPage(list, rows, page, (row) => row.seq);
    const total = sumTotals(counts);
    return {
      query_summary: {
        total_matching: total,
        returned: cut.rows.length,
        domain_breakdown: countBy(counts, 'protocol'),
        status_breakdown: countBy(counts, 'status'),
        filters_applied: Object.keys(args.filters ?? {}),
        sort_applied: sort,
      },
      tasks: cut.rows.map(({ task }) => ({
        ...taskFacts(task),
        domain: protocolOf(task),
        history: args.include_history === true ? taskHistory(task) : undefined,
      })),
      pagination: { ...cut.info, total_count: total },
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

/** Returns the values for which a singular and a plural filter both hold; undefined without either. */
function intersectFilters<T extends string>(
  one: T | undefined,
  many: readonly T[] | undefined,
): readonly T[] | undefined {
  if (one === undefined) return many;
  return many === undefined || many.includes(one) ? [one] : [];
}

function readFilter(given: Filters, accountId: string | undefined): TaskFilter {
  const instant = (name: 'created_after' | 'created_before' | 'updated_after' | 'updated_before') =>
    given[name] === undefined ? undefined : readTime(given[name], `filters.${name}`);
  return {
    accountId,
    taskIds: given.task_ids,
    protocols: intersectFilters(given.protocol, given.protocols),
    statuses: intersectFilters(given.status, given.statuses),
    taskTypes: intersectFilters(given.task_type, given.task_types),
    createdAfter: instant('created_after'),
    createdBefore: instant('created_before'),
    updatedAfter: instant('updated_after'),
    updatedBefore: instant('updated_before'),
    contains: given.context_contains,
    hasWebhook: given.has_webhook,
  };
}

function sumTotals(counts: readonly TaskCount[]): number {
  return counts.reduce((total, count) => total + count.total, 0);
}

function countBy(counts: readonly TaskCount[], by: 'protocol' | 'status'): Readonly<Record<string, number>> {
  const names = [...new Set(counts.map((count) => count[by]))];
  return Object.fromEntries(names.map((name) => [name, sumTotals(counts.filter((count) => count[by] === name))]));
}
