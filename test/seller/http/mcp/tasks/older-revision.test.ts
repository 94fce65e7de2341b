import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { boot, rpc } from '../../../../kit/boot.js';
import { createRequest } from '../../../../kit/buyer.js';
import { connectOld } from '../../../../kit/mcp-clients.js';
import { operatorOf } from '../../../../kit/operator.js';
import { tenantsFolder } from '../../../../kit/tenants.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const REVISION = { 'mcp-protocol-version': '2025-11-25' };

const server = await boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] })) });
const FOLLOWS = { tasks: {} };
const client = await connectOld({ url: server.url() }, FOLLOWS);
const { tasks } = client.experimental;
await client.listTools();

const decide = (taskId: string, decision: object) => operatorOf(server).post(`/approvals/task-${taskId}`, decision);
const approve = (taskId: string) => decide(taskId, { decision: 'approve' });

const resultOf = (taskId: string) => tasks.getTaskResult(taskId, CallToolResultSchema);

/** Calls a tool as a task, and returns what the client is told until the end; `onTask` runs once it is created. */
async function follow(
  params: Parameters<typeof tasks.callToolStream>[0],
  onTask: (taskId: string) => unknown = () => undefined,
) {
  const told = [];
  for await (const message of tasks.callToolStream(params)) {
    told.push(message);
    if (message.type === 'taskCreated') await onTask(message.task.taskId);
  }
  return told;
}

/** Orders as a task and returns the id of the task, which waits for the seller. */
async function waiting(by: Client = client): Promise<string> {
  const stream = by.experimental.tasks.callToolStream(
    { name: 'create_media_buy', arguments: createRequest() },
    undefined,
    { task: {} },
  );
  const { value } = await stream.next();
  if (value?.type !== 'taskCreated') throw new Error('no task was created');
  return value.task.taskId;
}

const rawly = async (method: string, params: object, headers: Record<string, string> = REVISION) =>
  rpc(await server.raw({ jsonrpc: '2.0', id: 7, method, params }, headers));

describe('a call that a client of 2025-11-25 follows as a task', () => {
  it('is declared with the tools that may be one, in that revision, to clients that declare tasks', async () => {
    expect(client.getServerCapabilities()?.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = await client.listTools();
    const optional = tools.filter(({ execution }) => execution?.taskSupport === 'optional').map(({ name }) => name);
    expect(optional).toEqual(expect.arrayContaining(['get_products', 'create_media_buy', 'sync_creatives']));
    expect(optional).not.toContain('get_task_status');
    const older = { 'mcp-protocol-version': '2025-06-18' };
    const clientInfo = { name: 'test', version: '1' };
    const { result } = await rawly(
      'initialize',
      { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      older,
    );
    expect((result as { readonly capabilities: object }).capabilities).not.toHaveProperty('tasks');
    expect(JSON.stringify((await rawly('tools/list', {}, older)).result)).not.toContain('taskSupport');
    expect(await rawly('tasks/list', {}, older)).toMatchObject({ error: { code: -32601 } });
  });

  it('is not offered to one that does not declare tasks, which is answered as ever', async () => {
    const program = await connectOld({ url: server.url() });
    expect(program.getServerCapabilities()).not.toHaveProperty('tasks');
    const { structuredContent } = await program.callTool({ name: 'create_media_buy', arguments: createRequest() });
    expect(structuredContent).toMatchObject({ status: 'submitted', task_id: expect.any(String) });
  });

  it('waits for the seller, and has the result that the call would have had at once', async () => {
    const args = createRequest({ context: { trace: 'é-1' } });
    const told = await follow({ name: 'create_media_buy', arguments: args }, async (taskId) => {
      expect(await tasks.getTask(taskId)).toMatchObject({ taskId, status: 'working', ttl: null, pollInterval: 5000 });
      await approve(taskId);
    });
    expect(told.map(({ type }) => type)).toEqual(['taskCreated', 'taskStatus', 'result']);
    const last = told.at(-1);
    if (last?.type !== 'result') throw new Error('no result came');
    const { content, structuredContent, isError } = CallToolResultSchema.parse(last.result);
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({
      media_buy_id: expect.any(String),
      context: args.context,
    });
    expect(content[0]).toEqual({ type: 'text', text: JSON.stringify(structuredContent) });
  });

  it('answers its result as soon as it is decided, to who waits for it', async () => {
    const taskId = await waiting();
    const result = resultOf(taskId);
    await approve(taskId);
    expect(await result).toMatchObject({
      structuredContent: { media_buy_id: expect.any(String) },
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    });
  });

  it('tells who waits of a question of the seller, and goes on', async () => {
    const taskId = await waiting();
    const notified: unknown[] = [];
    client.fallbackNotificationHandler = async (notification) => void notified.push(notification);
    const result = resultOf(taskId);
    await expect.poll(() => tasks.getTask(taskId)).toMatchObject({ status: 'working' });
    await decide(taskId, { decision: 'ask', question: 'Which city?' });
    await expect.poll(() => notified).toHaveLength(1);
    expect(notified[0]).toMatchObject({
      method: 'notifications/tasks/status',
      params: { taskId, status: 'input_required', statusMessage: expect.stringContaining('Which city?') },
    });
    await tasks.cancelTask(taskId);
    await expect(result).rejects.toThrow('cancelled');
  });

  it('fails as the seller turns it down, and says why', async () => {
    const taskId = await waiting();
    await decide(taskId, { decision: 'reject', reason: 'No more of these.' });
    expect(await tasks.getTask(taskId)).toMatchObject({
      status: 'failed',
      statusMessage: expect.stringContaining('No more of these.'),
    });
    expect(await resultOf(taskId)).toMatchObject({
      isError: true,
      structuredContent: { status: 'failed', code: 'PERMISSION_DENIED', errors: [{ code: 'PERMISSION_DENIED' }] },
    });
  });

  it('that finishes at once is a task all the same, whose answer is kept', async () => {
    const params = { name: 'get_products', arguments: { brief: 'outdoor gear', buying_mode: 'brief' } };
    const told = await follow(params);
    expect(told.map(({ type }) => type)).toEqual(['taskCreated', 'taskStatus', 'result']);
    expect(told[0]).toMatchObject({ task: { status: 'completed', ttl: DAY_MS } });
    const { content, structuredContent } = await client.callTool(params);
    expect(told.at(-1)).toMatchObject({ result: { content, structuredContent } });
  });

  it('that fails at once is a failed task, with its error kept', async () => {
    const args = createRequest({ packages: [{ product_id: 'none', pricing_option_id: 'x', budget: 1 }] });
    let id = '';
    const told = await follow({ name: 'create_media_buy', arguments: args }, (taskId) => {
      id = taskId;
    });
    expect(told.at(-1)).toMatchObject({ type: 'error' });
    expect(await tasks.getTask(id)).toMatchObject({ status: 'failed', statusMessage: expect.any(String) });
    expect(await resultOf(id)).toMatchObject({
      isError: true,
      structuredContent: { code: 'PRODUCT_NOT_FOUND' },
    });
  });

  it('is kept as long as it is asked to be, and a day at most', async () => {
    const call = (task: object) =>
      rawly('tools/call', { name: 'get_products', arguments: { brief: 'gear', buying_mode: 'brief' }, task });
    const long = (await call({ ttl: 30 * DAY_MS })).result as { readonly task: { readonly taskId: string } };
    expect(long).toMatchObject({ task: { ttl: DAY_MS } });
    const short = (await call({ ttl: 60_000 })).result as { readonly task: { readonly taskId: string } };
    expect(await tasks.getTask(short.task.taskId)).toMatchObject({ ttl: 60_000 });
    server.clock.advance(60_000);
    await expect(tasks.getTask(short.task.taskId)).rejects.toThrow('no such task');
    expect(await tasks.getTask(long.task.taskId)).toMatchObject({ status: 'completed' });
    expect(await call({ ttl: -1 })).toMatchObject({ error: { code: -32602 } });
  });

  it('is refused for a tool that is none, and ignored by a revision without tasks', async () => {
    const params = { name: 'list_tasks', arguments: {}, task: {} };
    expect(await rawly('tools/call', params)).toMatchObject({ error: { code: -32601 } });
    const older = await rawly('tools/call', params, { 'mcp-protocol-version': '2025-06-18' });
    expect(older).toMatchObject({ result: { structuredContent: { tasks: expect.any(Array) } } });
  });

  it('is cancelled as its buyer wants, and not once it is over', async () => {
    const taskId = await waiting();
    expect(await tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
    await expect(tasks.cancelTask(taskId)).rejects.toThrow('it cannot be canceled');
    await expect(resultOf(taskId)).rejects.toThrow('it has no result');
    expect((await approve(taskId)).status).toBe(409);
    const { task } = (
      await rawly('tools/call', { name: 'get_products', arguments: { brief: 'gear', buying_mode: 'brief' }, task: {} })
    ).result as {
      readonly task: { readonly taskId: string };
    };
    await expect(tasks.cancelTask(task.taskId)).rejects.toThrow('The task is completed');
  });

  it('is there for its principal alone', async () => {
    const stranger = await connectOld({ url: server.url(), token: 'sandbox-token-2' }, FOLLOWS);
    const taskId = await waiting();
    const ended = (
      await rawly('tools/call', { name: 'get_products', arguments: { brief: 'gear', buying_mode: 'brief' }, task: {} })
    ).result as {
      readonly task: { readonly taskId: string };
    };
    const theirs = stranger.experimental.tasks;
    for (const id of [taskId, ended.task.taskId, 'task_none']) {
      await expect(theirs.getTask(id)).rejects.toThrow('There is no such task');
      await expect(theirs.getTaskResult(id, CallToolResultSchema)).rejects.toThrow('There is no such task');
      await expect(theirs.cancelTask(id)).rejects.toThrow('There is no such task');
    }
    expect((await theirs.listTasks()).tasks).toEqual([]);
    expect(await tasks.getTask(taskId)).toMatchObject({ status: 'working' });
  });

  it('is listed with the others, page by page, and is there after a restart', async () => {
    const taskId = await waiting();
    await server.restart();
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await tasks.listTasks(cursor);
      listed.push(...page.tasks.map((task) => task.taskId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(listed[0]).toBe(taskId);
    expect(listed.some((id) => id.startsWith('a2a_'))).toBe(true);
    expect(new Set(listed).size).toBe(listed.length);
    await approve(taskId);
    expect(await resultOf(taskId)).toMatchObject({
      structuredContent: { media_buy_id: expect.any(String) },
    });
  });
});
