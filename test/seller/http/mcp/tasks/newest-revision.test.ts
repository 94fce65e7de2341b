import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client';
import { describe, expect, it } from 'vitest';
import { boot, rpc } from '../../../../kit/boot.js';
import { createRequest } from '../../../../kit/buyer.js';
import { connectNew } from '../../../../kit/mcp-clients.js';
import { operatorOf } from '../../../../kit/operator.js';
import { sandboxToken, tenantsFolder } from '../../../../kit/tenants.js';

const REVISION = '2026-07-28';
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const CLIENT_INFO = { name: 'test', version: '1' };

const server = await boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] })) });
const approve = (taskId: string) => operatorOf(server).post(`/approvals/task-${taskId}`, { decision: 'approve' });

type Sent = { readonly method: string; readonly params?: Readonly<Record<string, unknown>> };

/** Posts a request of the newest revision, whose envelope is there, with the headers that say it too. */
async function post(request: Sent, token = 'sandbox-token') {
  const { name } = request.params ?? {};
  const answer = await server.raw(
    { jsonrpc: '2.0', id: 7, ...request },
    {
      authorization: `Bearer ${sandboxToken(undefined, token)}`,
      'mcp-protocol-version': REVISION,
      'mcp-method': request.method,
      'mcp-name': typeof name === 'string' ? name : undefined,
    },
  );
  return rpc(answer);
}

/** Posts a request of a client that declares what is given. */
function send(method: string, params: object, capabilities: object = TASKS, token?: string) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return post({ method, params: { ...params, _meta } }, token);
}

/** A session of the extension's own client. */
async function openSession() {
  const client = await connectNew({ url: server.url() });
  return createTaskSessionFromClient(client, {
    endpointId: 'sales',
    rawDispatch: async (request) => {
      const { error, result } = (await post(request as Sent)) as { readonly error?: never; readonly result?: never };
      return error === undefined ? { kind: 'result', result: result as never } : { kind: 'error', error };
    },
    v2RequestFraming: { protocolVersion: REVISION, clientInfo: CLIENT_INFO, clientCapabilities: {} },
  });
}

describe('a call that a client of the newest revision follows as a task', () => {
  it('waits for the seller, and settles with the result that the call would have had', async () => {
    const session = await openSession();
    const execution = await session.callTool('create_media_buy', createRequest() as never);
    const settled = execution.settle();
    const { result } = await send('tools/call', { name: 'list_tasks', arguments: {} });
    const { tasks } = (result as { readonly structuredContent: { readonly tasks: readonly { task_id: string }[] } })
      .structuredContent;
    await approve(tasks[0]?.task_id ?? '');
    expect((await settled).outcome).toMatchObject({
      status: 'completed',
      result: { structuredContent: { media_buy_id: expect.any(String) } },
    });
    await session.close();
  });

  it('is answered at once where it is over at once', async () => {
    const session = await openSession();
    const execution = await session.callTool('get_products', { brief: 'outdoor gear', buying_mode: 'brief' });
    expect((await execution.settle()).outcome).toMatchObject({
      status: 'completed',
      result: { structuredContent: { products: expect.any(Array) } },
    });
    await session.close();
  });

  it('is a task for a client that declares the extension, and for no other', async () => {
    const order = { name: 'create_media_buy', arguments: createRequest() };
    expect(await send('tools/call', order, {})).toMatchObject({
      result: { resultType: 'complete', structuredContent: { status: 'submitted' } },
    });
    const { result } = await send('tools/call', order);
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, pollIntervalMs: 5000 });
    const { taskId } = result as { readonly taskId: string };
    expect(await send('tasks/get', { taskId })).toMatchObject({
      result: { resultType: 'complete', taskId, status: 'working' },
    });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect(await send(method, { taskId }, {})).toMatchObject({
        error: { code: -32_021, data: { requiredCapabilities: TASKS } },
      });
    expect(await send('tasks/get', { taskId }, TASKS, 'sandbox-token-2')).toMatchObject({
      error: { code: -32_602, message: expect.stringContaining('no such task') },
    });
  });

  it('that the seller turns down is complete with its failure, and one that asks says how to answer', async () => {
    const { result } = await send('tools/call', { name: 'create_media_buy', arguments: createRequest() });
    const { taskId } = result as { readonly taskId: string };
    const { post: decide } = operatorOf(server);
    await decide(`/approvals/task-${taskId}`, { decision: 'ask', question: 'Which city?' });
    expect(await send('tasks/get', { taskId })).toMatchObject({
      result: { status: 'input_required', inputRequests: {}, statusMessage: expect.stringContaining('Which city?') },
    });
    expect(await send('tasks/update', { taskId, inputResponses: {} })).toMatchObject({
      error: { code: -32_602, message: expect.stringContaining('context_id') },
    });
    await decide(`/approvals/task-${taskId}`, { decision: 'reject', reason: 'No more of these.' });
    expect(await send('tasks/get', { taskId })).toMatchObject({
      result: {
        status: 'completed',
        result: { resultType: 'complete', isError: true, structuredContent: { code: 'PERMISSION_DENIED' } },
      },
    });
    expect(await send('tasks/cancel', { taskId })).toMatchObject({ error: { code: -32_602 } });
  });

  it('is cancelled as its buyer wants', async () => {
    const { result } = await send('tools/call', { name: 'create_media_buy', arguments: createRequest() });
    const { taskId } = result as { readonly taskId: string };
    expect(await send('tasks/cancel', { taskId })).toMatchObject({ result: { resultType: 'complete' } });
    expect(await send('tasks/get', { taskId })).toMatchObject({ result: { status: 'cancelled' } });
  });
});
