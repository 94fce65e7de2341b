import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../kit/boot.js';
import { createRequest, packageRequest, SANDBOX_ACCOUNT_2, succeeded, updateRequest } from '../kit/buyer.js';
import { operatorOf } from '../kit/operator.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../kit/schemas.js';
import { packageIds, shopper } from '../kit/shopper.js';
import { addAccount, tenantsFolder } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';

const HOUR = 3_600_000;
const SECRETS = {
  push_notification_config: {
    url: 'https://buyer.example/hook/secret-path',
    token: 'a-secret-token-of-the-buyer',
    authentication: { schemes: ['HMAC-SHA256'], credentials: 'a-shared-secret-of-at-least-32-characters' },
  },
};

const tenants = tenantsFolder((tenant) => {
  tenant.policies = { ...(tenant.policies as object), account_scope: 'account' };
  addAccount(tenant, 'acct_more');
  Object.assign(tenant, { approvals: [{ budget_over: { amount: 500, currency: 'USD' } }] });
});

/** A server with one task in each state that a person can bring about, an hour apart, and one that waits. */
async function withTasks(version?: SchemaRelease) {
  const server = await boot({ tenants });
  const options = version === undefined ? {} : { version };
  const operator = operatorOf(server);
  const ids: Record<string, string> = {};
  const submit = async (name: string, tool: string, request: object): Promise<string> => {
    server.clock.advance(HOUR);
    const { task_id } = succeeded(await server.call(tool, request, options));
    ids[name] = task_id;
    return task_id;
  };
  const decide = async (id: string, decision: object) => {
    server.clock.advance(HOUR);
    expect((await operator.post(`/approvals/${id}`, decision)).status).toBe(200);
  };
  await decide(await submit('completed', 'create_media_buy', createRequest({ context: { campaign: 'Spring' } })), {
    decision: 'approve',
  });
  await decide(await submit('rejected', 'create_media_buy', createRequest(SECRETS)), {
    decision: 'reject',
    reason: 'No.',
  });
  const soon = new Date(server.clock.now() + 1.5 * HOUR).toISOString();
  await decide(await submit('failed', 'create_media_buy', createRequest({ end_time: soon })), { decision: 'approve' });
  const buyer = shopper(server);
  const bought = await buyer.create({ packages: [packageRequest({ budget: 100 })] });
  const input = { packages: [{ package_id: packageIds(bought)[0], budget: 900 }] };
  await submit('changed', 'update_media_buy', updateRequest(bought.media_buy_id, input));
  await submit('other', 'create_media_buy', createRequest({ account: { account_id: 'acct_more' } }));
  return { server, ids, mediaBuyId: bought.media_buy_id, operator };
}

const named = (ids: Record<string, string>, { tasks }: Payload): readonly (string | undefined)[] =>
  tasks.map(({ task_id }) => Object.keys(ids).find((name) => ids[name] === task_id));

describe.each(['3.0', '3.1'] as const)('tasks in the words of %s', (release: SchemaRelease) => {
  test.skipIf(!hasSchemas(release))('are valid in every state, with and without all that can be added', async () => {
    const judge = schemaJudge(release);
    const { server, ids } = await withTasks(release);
    const call = async (tool: string, args: object): Promise<Payload> =>
      succeeded(await server.call(tool, args, { version: release }));
    for (const [name, task_id] of Object.entries(ids)) {
      for (const more of [{}, { include_result: true, include_history: true }]) {
        const payload = await call('get_task_status', { task_id, ...more });
        expect([name, judge('core/tasks-get-response', payload)]).toEqual([name, []]);
      }
    }
    for (const args of [{}, { include_history: true, pagination: { max_results: 2 } }]) {
      expect(judge('core/tasks-list-response', await call('list_tasks', args))).toEqual([]);
    }
    const { result } = await call('get_task_status', { task_id: ids.completed, include_result: true });
    expect(judge('media-buy/create-media-buy-response', result)).toEqual([]);
    expect(result?.status).toBe(release === '3.0' ? 'active' : 'completed');
  });

  test.skipIf(!hasSchemas(release))('are what a call answers that has to wait', async () => {
    const judge = schemaJudge(release);
    const { server } = await withTasks();
    const created = succeeded(await server.call('create_media_buy', createRequest(), { version: release }));
    expect(judge('media-buy/create-media-buy-response', created)).toEqual([]);
    expect(judge('media-buy/create-media-buy-async-response-submitted', created)).toEqual([]);
    const bought = await shopper(server).create({ packages: [packageRequest({ budget: 100 })] });
    const input = { packages: [{ package_id: packageIds(bought)[0], budget: 900 }] };
    const updated = succeeded(
      await server.call('update_media_buy', updateRequest(bought.media_buy_id, input), { version: release }),
    );
    expect(judge('media-buy/update-media-buy-async-response-submitted', updated)).toEqual([]);
    // The answer of 3.0 knows no task here; its own schema for what waits does.
    if (release === '3.1') expect(judge('media-buy/update-media-buy-response', updated)).toEqual([]);
    for (const payload of [created, updated]) {
      expect(Object.keys(payload)).not.toEqual(expect.arrayContaining(['media_buy_id']));
      expect(payload).not.toHaveProperty('packages');
      expect(payload).not.toHaveProperty('affected_packages');
    }
  });
});

describe('a poll', () => {
  test('answers alike under every name that the protocol has for it', async () => {
    const { server, ids } = await withTasks();
    const args = { task_id: ids.completed, include_result: true, include_history: true };
    const [first, ...others] = await Promise.all(
      ['get_task_status', 'tasks_get', 'tasks/get'].map((tool) => server.call(tool, args)),
    );
    for (const other of others) expect(other).toEqual(first);
    const lists = await Promise.all(['list_tasks', 'tasks_list', 'tasks/list'].map((tool) => server.call(tool)));
    for (const list of lists.slice(1)) expect(list).toEqual(lists[0]);
  });

  test('shows the result of a completed task alone, and only where it is asked for', async () => {
    const { server, ids } = await withTasks();
    const seen = async (name: string) =>
      succeeded(await server.call('get_task_status', { task_id: ids[name], include_result: true }));
    expect((await seen('completed')).result?.media_buy_id).toMatch(/^mb_/);
    for (const name of ['rejected', 'failed', 'changed']) expect(await seen(name)).not.toHaveProperty('result');
    expect((await seen('failed')).error).toMatchObject({ code: 'INVALID_REQUEST', field: 'end_time' });
    expect(await seen('changed')).not.toHaveProperty('error');
    expect(await seen('changed')).not.toHaveProperty('completed_at');
  });

  test('tells the history from the request to the last answer, and none of its secrets', async () => {
    const { server, ids } = await withTasks();
    const { history, ...rest } = succeeded(
      await server.call('get_task_status', { task_id: ids.rejected, include_history: true }),
    );
    expect(rest.has_webhook).toBe(true);
    expect(history?.map(({ type, timestamp, data }) => [type, timestamp, data.status])).toEqual([
      ['request', '2030-01-01T03:00:00Z', undefined],
      ['response', '2030-01-01T03:00:00Z', 'submitted'],
      ['response', '2030-01-01T04:00:00Z', 'rejected'],
    ]);
    expect(history?.[0]?.data).toMatchObject({ packages: [{ product_id: 'test-product' }] });
    const list = await server.call('list_tasks', { include_history: true });
    for (const answer of [history, list.payload]) {
      expect(JSON.stringify(answer)).not.toMatch(/secret|push_notification_config|idempotency_key":"[^"]*-/);
    }
  });

  test('finds no task of another principal or account, exactly as one that does not exist', async () => {
    const { server, ids } = await withTasks();
    const unknown = await server.call('get_task_status', { task_id: 'task_unknown' });
    expect(unknown).toMatchObject({
      isError: true,
      payload: { code: 'REFERENCE_NOT_FOUND', errors: [{ field: 'task_id' }] },
    });
    const foreign = await server.call('get_task_status', { task_id: ids.completed }, { token: 'sandbox-token-2' });
    expect(foreign).toEqual(unknown);
    const elsewhere = { account: { account_id: 'acct_more' } };
    expect(await server.call('get_task_status', { task_id: ids.completed, ...elsewhere })).toEqual(unknown);
    const unopened = { account: { brand: { domain: 'nobody.example' }, operator: 'nobody.example' } };
    expect(await server.call('get_task_status', { task_id: ids.completed, ...unopened })).toEqual(unknown);
    expect((await server.call('get_task_status', { task_id: ids.other, ...elsewhere })).isError).toBe(false);
    expect(JSON.stringify(unknown.payload)).not.toContain('task_unknown');
  });
});

describe('the list', () => {
  test('holds the caller’s own, newest first, and counts them', async () => {
    const { server, ids } = await withTasks();
    const list = succeeded(await server.call('list_tasks'));
    expect(named(ids, list)).toEqual(['other', 'changed', 'failed', 'rejected', 'completed']);
    expect(list.query_summary).toEqual({
      total_matching: 5,
      returned: 5,
      domain_breakdown: { 'media-buy': 5 },
      status_breakdown: { submitted: 2, failed: 1, rejected: 1, completed: 1 },
      filters_applied: [],
      sort_applied: { field: 'created_at', direction: 'desc' },
    });
    expect(list.pagination).toEqual({ has_more: false, total_count: 5 });
    const foreign = succeeded(await server.call('list_tasks', {}, { token: 'sandbox-token-2' }));
    expect(foreign).toMatchObject({ tasks: [], query_summary: { total_matching: 0 } });
    const empty = { account: { brand: { domain: 'nobody.example' }, operator: 'nobody.example' } };
    expect(succeeded(await server.call('list_tasks', empty)).tasks).toEqual([]);
  });

  test('is narrowed by what is asked for', async () => {
    const { server, ids, mediaBuyId } = await withTasks();
    const table: readonly (readonly [filters: object, found: readonly string[]])[] = [
      [{ status: 'submitted' }, ['other', 'changed']],
      [{ statuses: ['rejected', 'failed'] }, ['failed', 'rejected']],
      [{ status: 'failed', statuses: ['rejected', 'failed'] }, ['failed']],
      [{ status: 'failed', statuses: ['rejected'] }, []],
      [{ statuses: ['auth-required', 'unknown'] }, []],
      [{ task_type: 'update_media_buy' }, ['changed']],
      [{ task_types: ['create_media_buy'], status: 'submitted' }, ['other']],
      [{ task_type: 'no_such_task' }, []],
      [{ protocol: 'media-buy', status: 'failed' }, ['failed']],
      [{ protocols: ['signals', 'creative'] }, []],
      [{ created_after: '2030-01-01T05:00:00Z' }, ['other', 'changed']],
      [{ created_before: '2030-01-01T03:00:00Z' }, ['completed']],
      [{ updated_after: '2030-01-01T03:00:00Z', updated_before: '2030-01-01T05:00:00Z' }, ['rejected']],
      [{ task_ids: [ids.failed, 'task_unknown'] }, ['failed']],
      [{ context_contains: 'spring' }, ['completed']],
      [{ context_contains: mediaBuyId }, ['changed']],
      [{ has_webhook: true }, ['rejected']],
    ];
    for (const [filters, found] of table) {
      const list = succeeded(await server.call('list_tasks', { filters }));
      expect([filters, named(ids, list)]).toEqual([filters, found]);
      expect(list.query_summary.total_matching).toBe(found.length);
    }
    const more = { account: { account_id: 'acct_more' } };
    expect(named(ids, succeeded(await server.call('list_tasks', more)))).toEqual(['other']);
  });

  test('comes in pages, in the order that is asked for', async () => {
    const { server, ids } = await withTasks();
    for (const sort of [{}, { field: 'updated_at', direction: 'asc' }, { field: 'status' }, { direction: 'asc' }]) {
      const whole = named(ids, succeeded(await server.call('list_tasks', { sort })));
      const paged: (string | undefined)[] = [];
      let cursor: string | undefined;
      do {
        const pagination = { max_results: 2, ...(cursor === undefined ? {} : { cursor }) };
        const page = succeeded(await server.call('list_tasks', { sort, pagination }));
        paged.push(...named(ids, page));
        cursor = page.pagination.cursor;
        expect(page.pagination.has_more).toBe(cursor !== undefined);
      } while (cursor !== undefined);
      expect(paged).toEqual(whole);
    }
  });
});

describe('a wrong call', () => {
  let server: Booted;
  beforeAll(async () => {
    server = await boot({ tenants });
  });

  test.each([
    ['get_task_status', {}, 'task_id'],
    ['get_task_status', { task_id: 7 }, 'task_id'],
    ['get_task_status', { task_id: '' }, 'task_id'],
    ['get_task_status', { task_id: 'task_1', include_result: 'yes' }, 'include_result'],
    ['list_tasks', { filters: { status: 'done' } }, 'filters.status'],
    ['list_tasks', { filters: { statuses: [] } }, 'filters.statuses'],
    ['list_tasks', { filters: { created_after: 'yesterday' } }, 'filters.created_after'],
    ['list_tasks', { filters: { updated_before: '2030-01-01T00:00:00' } }, 'filters.updated_before'],
    ['list_tasks', { filters: { task_ids: Array.from({ length: 101 }, () => 'x') } }, 'filters.task_ids'],
    ['list_tasks', { sort: { field: 'owner' } }, 'sort.field'],
    ['list_tasks', { pagination: { cursor: 'x' } }, 'pagination.cursor'],
    ['list_tasks', { pagination: { max_results: 0 } }, 'pagination.max_results'],
  ])('of %s with %j names %s', async (tool, args, field) => {
    const { payload, isError } = await server.call(tool, args);
    expect(isError).toBe(true);
    expect(payload).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ field, suggestion: expect.any(String) }] });
  });

  test('with an account that is not the caller’s is refused as everywhere', async () => {
    const { payload } = await server.call('list_tasks', { account: { account_id: SANDBOX_ACCOUNT_2 } });
    expect(payload.code).toBe('ACCOUNT_NOT_FOUND');
  });
});
