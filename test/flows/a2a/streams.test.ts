import { SendMessageRequest, type StreamResponse, type Task, TaskState } from 'a2a-sdk';
import { type Client, ClientFactory, JsonRpcTransportFactory } from 'a2a-sdk/client';
import { LegacyJsonRpcTransport } from 'a2a-sdk/compat/v0_3/client';
import { describe, expect, it, vi } from 'vitest';
import { type A2aBuyer, a2aBuyer, dataOf, skillMessage, type WireStream, type WireTask } from '../../kit/a2a.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, freshKey, SANDBOX_ACCOUNT } from '../../kit/buyer.js';
import { operatorOf } from '../../kit/operator.js';
import { startSlowServer } from '../../kit/slow-server.js';
import { shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';

const APPROVE = { decision: 'approve' };

/** A seller that asks about every order. */
const asking = (): Promise<Booted> =>
  boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] })) });

const decide = (server: Booted, taskId: string, decision: object) =>
  operatorOf(server).post(`/approvals/task-${taskId}`, decision);

/** An order by message/stream, and the Task that its stream begins with. */
async function order(buyer: A2aBuyer, input: object = {}): Promise<{ stream: WireStream; task: WireTask }> {
  const stream = await buyer.stream('message/stream', skillMessage('create_media_buy', createRequest(input)));
  const first = await stream.next();
  if (first?.result === undefined) throw new Error(`no Task: ${JSON.stringify(first)}`);
  return { stream, task: first.result };
}

const shared = await asking();
const buyer = a2aBuyer(shared);

describe('a stream of a call that is over when it is answered', () => {
  it('is the Task and the end of its status, whether it did what was asked or failed', async () => {
    for (const [skill, state] of [
      ['get_products', 'completed'],
      ['create_media_buy', 'failed'],
    ] as const) {
      const stream = await buyer.stream('message/stream', skillMessage(skill, { context: { trace: 's-1' } }));
      expect([stream.status, stream.type]).toEqual([200, 'text/event-stream']);
      const [task, end, ...more] = await stream.rest();
      expect(task).toMatchObject({ kind: 'task', status: { state } });
      expect(dataOf(task as unknown as WireTask)).toMatchObject({ context: { trace: 's-1' } });
      expect(end).toMatchObject({ kind: 'status-update', taskId: task?.id, status: { state }, final: true });
      expect(more).toEqual([]);
      expect(await buyer.get(String(task?.id))).toEqual(task);
    }
  });

  it('is one for callers without a credential where the tool is public, and 401 where it is not', async () => {
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { public_tools: ['get_products'] }));
    const stranger = a2aBuyer(await boot({ tenants }), { token: null });
    const stream = await stranger.stream('message/stream', skillMessage('get_products'));
    expect(await stream.rest()).toMatchObject([{ kind: 'task' }, { final: true }]);
    for (const [method, params] of [
      ['message/stream', skillMessage('create_media_buy', createRequest())],
      ['tasks/resubscribe', { id: 'a' }],
    ] as const)
      expect((await stranger.stream(method, params)).status).toBe(401);
  });

  it('is none but an error where the request is malformed', async () => {
    for (const [method, params] of [
      ['message/stream', { message: { role: 'user', messageId: 'm', parts: [] } }],
      ['tasks/resubscribe', { id: 7 }],
      ['SubscribeToTask', { id: 'x'.repeat(300) }],
    ] as const) {
      const stream = await buyer.stream(method, params);
      expect(stream.type).toBe('application/json');
      expect((await stream.next())?.error).toMatchObject({ code: -32602 });
    }
  });
});

describe('a stream of a task that goes on', () => {
  it('tells every status until the end, which comes with its artifact', async () => {
    const { stream, task } = await order(buyer);
    expect(task).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
    await decide(shared, task.id, { decision: 'ask', question: 'Which page do the ads lead to?' });
    expect((await stream.next())?.result).toMatchObject({
      kind: 'status-update',
      taskId: task.id,
      contextId: task.contextId,
      status: { state: 'input-required', message: { parts: [{ kind: 'text' }, { kind: 'data' }] } },
      final: false,
    });
    await buyer.call('create_media_buy', createRequest({ context_id: task.id }));
    expect((await stream.next())?.result).toMatchObject({ status: { state: 'submitted' }, final: false });
    await decide(shared, task.id, APPROVE);
    const [made, end, ...more] = await stream.rest();
    const over = await buyer.get(task.id);
    expect(made).toMatchObject({ kind: 'artifact-update', taskId: task.id, append: false, lastChunk: true });
    expect(made?.artifact).toEqual(over.artifacts?.[0]);
    expect(end).toMatchObject({ kind: 'status-update', status: { state: 'completed' }, final: true });
    expect(more).toEqual([]);
  });

  it('tells its progress', async () => {
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { answer_within_seconds: 0.05 }));
    const server = await boot({ tenants });
    const feeds = [await startSlowServer('[]'), await startSlowServer('[]')];
    const catalogs = feeds.map(({ url }, index) => ({ catalog_id: `c${index}`, type: 'product', url: `${url}/feed` }));
    const input = { idempotency_key: freshKey(), account: { account_id: SANDBOX_ACCOUNT }, catalogs };
    const stream = await a2aBuyer(server).stream('message/stream', skillMessage('sync_catalogs', input));
    expect((await stream.next())?.result).toMatchObject({ kind: 'task', status: { state: 'working' } });
    for (const feed of feeds) {
      await vi.waitFor(() => expect(feed.waiting()).toBe(1));
      feed.letGo();
    }
    const states = (await stream.rest()).flatMap(
      ({ status }) => (status as WireTask['status'] | undefined)?.state ?? [],
    );
    expect(states.slice(0, -1).every((state) => state === 'working')).toBe(true);
    expect(states.at(-1)).toBe('completed');
  });

  it('is taken up again by tasks/resubscribe, after a restart too', async () => {
    const server = await asking();
    const again = a2aBuyer(server);
    const { stream, task } = await order(again);
    await server.restart();
    expect(await stream.next()).toBeUndefined();
    // A server that ends waits for nobody who streams.
    expect(server.log.filter(({ text }) => text.includes('cut off'))).toEqual([]);
    const resumed = await again.stream('tasks/resubscribe', { id: task.id });
    expect((await resumed.next())?.result).toEqual(task);
    await again.rpc('tasks/cancel', { id: task.id });
    const rest = await resumed.rest();
    expect(rest.at(-1)).toMatchObject({ kind: 'status-update', status: { state: 'canceled' }, final: true });
  });

  it('is for its buyer alone, and for as long as the task goes on', async () => {
    const { stream, task } = await order(buyer);
    const other = a2aBuyer(shared, { token: 'sandbox-token-2' });
    for (const [who, id] of [
      [other, task.id],
      [buyer, 'no-such-task'],
    ] as const)
      expect((await (await who.stream('tasks/resubscribe', { id })).next())?.error).toMatchObject({ code: -32001 });
    await buyer.rpc('tasks/cancel', { id: task.id });
    await stream.rest();
    const late = await buyer.stream('tasks/resubscribe', { id: task.id });
    expect((await late.next())?.error).toMatchObject({ code: -32004 });
  });

  it('ends when its tenant is edited: who may call has to be asked anew', async () => {
    const folder = tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] }));
    const server = await boot({ tenants: folder });
    const { stream } = await order(a2aBuyer(server));
    const tenant = shippedTenant();
    writeTenant(folder, { ...tenant, principals: tenant.principals.slice(1), accounts: [] });
    await server.server().reload();
    expect(await stream.rest()).toEqual([]);
  });
});

describe('streams of one principal', () => {
  it('are 128 at once: one more is refused before anything is done, until one is closed', async () => {
    const server = await asking();
    const mine = a2aBuyer(server);
    const { stream, task } = await order(mine);
    const open = await Promise.all(
      Array.from({ length: 127 }, () => mine.stream('tasks/resubscribe', { id: task.id })),
    );
    for (const one of open) expect((await one.next())?.result).toMatchObject({ id: task.id });
    for (const [method, params] of [
      ['tasks/resubscribe', { id: task.id }],
      ['message/stream', skillMessage('create_media_buy', createRequest())],
    ] as const) {
      const refused = await mine.stream(method, params);
      expect((await refused.next())?.error).toMatchObject({
        code: -32000,
        data: { code: 'RATE_LIMITED', adcp_error: { retry_after: 10 } },
      });
    }
    expect(dataOf(await mine.call('list_tasks'))).toMatchObject({ query_summary: { total_matching: 1 } });
    const { task: others } = await order(a2aBuyer(server, { token: 'sandbox-token-2' }));
    expect(others.kind).toBe('task');
    stream.close();
    await vi.waitFor(async () => {
      const one = await mine.stream('tasks/resubscribe', { id: task.id });
      expect((await one.next())?.result).toMatchObject({ id: task.id });
    });
  });
});

describe('the client of @a2a-js/sdk', () => {
  const fetchImpl: typeof fetch = (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization: 'Bearer sandbox-token' },
    });

  const clientOf = async (): Promise<Client> => {
    const transports = [new JsonRpcTransportFactory({ fetchImpl })];
    return new ClientFactory({ transports }).createFromUrl(`${shared.baseUrl}/sales/`);
  };
  const legacy = new LegacyJsonRpcTransport({ endpoint: `${shared.baseUrl}/sales/a2a`, fetchImpl });

  const message = () =>
    SendMessageRequest.fromJSON({
      message: {
        messageId: freshKey(),
        role: 'ROLE_USER',
        parts: [{ data: { skill: 'create_media_buy', input: createRequest() } }],
      },
    });

  it.each([
    ['1.0', clientOf],
    ['0.3', async () => legacy],
  ])('streams an order and takes it up again in revision %s', async (_revision, open) => {
    const client = await open();
    const events = client.sendMessageStream(message());
    const task = taskIn((await events.next()).value ?? undefined);
    expect(task.status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
    const resumed = client.resubscribeTask({ id: task.id, tenant: '' });
    expect(taskIn((await resumed.next()).value ?? undefined).id).toBe(task.id);
    await decide(shared, task.id, APPROVE);
    for (const stream of [events, resumed]) {
      const cases: (string | undefined)[] = [];
      let last: StreamResponse | undefined;
      for await (const event of stream) {
        cases.push(event.payload?.$case);
        last = event;
      }
      expect(cases).toEqual(['artifactUpdate', 'statusUpdate']);
      expect(last?.payload?.value).toMatchObject({
        taskId: task.id,
        status: { state: TaskState.TASK_STATE_COMPLETED },
      });
    }
    await expect(client.resubscribeTask({ id: task.id, tenant: '' }).next()).rejects.toThrow(/over/);
  });

  it('finds in the card that there are streams', async () => {
    expect((await (await clientOf()).getAgentCard()).capabilities?.streaming).toBe(true);
  });
});

function taskIn(event: StreamResponse | undefined): Task {
  const payload = event?.payload;
  if (payload?.$case !== 'task') throw new Error(`no Task: ${JSON.stringify(event)}`);
  return payload.value;
}
