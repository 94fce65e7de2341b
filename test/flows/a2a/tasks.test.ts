import { describe, expect, it, vi } from 'vitest';
import { type A2aBuyer, a2aBuyer, dataOf, type WireTask } from '../../kit/a2a.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, freshKey, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { settle, verifierOf } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { type ReceivedPost, type Receiver, startReceiver } from '../../kit/receiver.js';
import { startSlowServer } from '../../kit/slow-server.js';
import { tenantsFolder } from '../../kit/tenants.js';

const TOKEN = 'a-token-of-the-buyer-0123456789';
const SECRET = 'Zx8-kQ2vN7pL4mT9wR1yB6cD3fG5hJ0s';
const CONTEXT = { trace: 'é-1', nested: { list: [1, null] } };
const APPROVE = { decision: 'approve' };

type Opened = { readonly server: Booted; readonly buyer: A2aBuyer; readonly receiver: Receiver };

/** A seller that asks about every order, a buyer who speaks A2A, and its endpoint. */
async function open(): Promise<Opened> {
  const server = await boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] })) });
  return { server, buyer: a2aBuyer(server), receiver: await startReceiver() };
}

const native = (receiver: Receiver, changes: object = {}): object => ({
  url: `${receiver.url}/a2a`,
  operation_id: 'op:a2a',
  token: TOKEN,
  ...changes,
});

function order({ buyer, receiver }: Opened, input: object = {}, changes: object = {}): Promise<WireTask> {
  const configuration = { pushNotificationConfig: native(receiver, changes) };
  return buyer.call('create_media_buy', createRequest({ context: CONTEXT, ...input }), { configuration });
}

const decide = (server: Booted, taskId: string, decision: object) =>
  operatorOf(server).post(`/approvals/task-${taskId}`, decision);

async function postedTo(receiver: Receiver, path: string): Promise<ReceivedPost> {
  for (let count = 1; ; count += 1) {
    await receiver.received(count);
    const post = receiver.posts.find((one) => one.path === path);
    if (post !== undefined) return post;
  }
}

describe('a task that goes on', () => {
  it('is submitted under an id that polls of both protocols answer, with its acknowledgment in the message of its status', async () => {
    const opened = await open();
    const task = await order(opened);
    expect(task).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
    expect(task.artifacts).toBeUndefined();
    expect(dataOf(task)).toMatchObject({ status: 'submitted', task_id: task.id });
    expect(await opened.buyer.get(task.id)).toEqual(task);
    const polled = await opened.server.call('get_task_status', { task_id: task.id });
    expect(succeeded(polled)).toMatchObject({ task_id: task.id, status: 'submitted' });
    // The skill that polls is a call of its own.
    const poll = await opened.buyer.call('get_task_status', { task_id: task.id });
    expect(poll.status.state).toBe('completed');
    expect(dataOf(poll)).toEqual(polled.payload);
    expect(
      (await a2aBuyer(opened.server, { token: 'sandbox-token-2' }).rpc('tasks/get', { id: task.id })).error,
    ).toMatchObject({ code: -32001 });
  });

  it('is told of when it is over, once, signed, as the Task that tasks/get answers', async () => {
    const opened = await open();
    const { buyer, receiver, server } = opened;
    const submitted = await order(opened, {}, { id: 'my-config' });
    await decide(server, submitted.id, APPROVE);
    const post = await postedTo(receiver, '/a2a');
    const task = await buyer.get(submitted.id);
    expect(post.json).toEqual({
      ...task,
      metadata: {
        idempotency_key: expect.stringMatching(/^[A-Za-z0-9_.:-]{16,255}$/),
        operation_id: 'op:a2a',
        task_type: 'create_media_buy',
        token: TOKEN,
        context: CONTEXT,
      },
    });
    expect(task.status.state).toBe('completed');
    expect(task.contextId).toBe(submitted.contextId);
    expect(dataOf(task)).toMatchObject({ media_buy_id: expect.any(String) });
    expect(post.headers).toMatchObject({ 'content-type': 'application/json', 'x-a2a-notification-token': TOKEN });
    const verify = await verifierOf(server);
    expect(await verify(post, receiver.url)).toMatchObject({ ok: true });
    expect(receiver.posts.filter(({ path }) => path === '/a2a')).toHaveLength(1);
  });

  it('is told in both envelopes to a buyer who registered in both ways', async () => {
    const opened = await open();
    const { receiver, server } = opened;
    const push_notification_config = { url: `${receiver.url}/mcp`, operation_id: 'op:mcp' };
    const submitted = await order(opened, { push_notification_config });
    await decide(server, submitted.id, { decision: 'reject', reason: 'Not this week.' });
    const [byA2a, byArgument] = [await postedTo(receiver, '/a2a'), await postedTo(receiver, '/mcp')];
    expect(byArgument.json).toMatchObject({ task_id: submitted.id, operation_id: 'op:mcp', status: 'rejected' });
    expect(byA2a.json).toMatchObject({
      id: submitted.id,
      status: { state: 'rejected' },
      metadata: { operation_id: 'op:a2a' },
    });
    expect(dataOf(byA2a.json as unknown as WireTask)).toEqual(byArgument.json.result);
    const verify = await verifierOf(server);
    for (const post of [byA2a, byArgument]) expect(await verify(post, receiver.url)).toMatchObject({ ok: true });
  });

  it('is told in the shapes of revision 1.0 to who registered in that', async () => {
    const opened = await open();
    const { buyer, receiver, server } = opened;
    const message = {
      messageId: 'm',
      role: 'ROLE_USER',
      parts: [{ data: { skill: 'create_media_buy', input: createRequest() } }],
    };
    const configuration = { taskPushNotificationConfig: { url: `${receiver.url}/a2a`, token: '' } };
    const { result } = await buyer.rpc('SendMessage', { message, configuration });
    const { task } = result as unknown as { task: WireTask };
    expect(task.status.state).toBe('TASK_STATE_SUBMITTED');
    await decide(server, task.id, APPROVE);
    const post = await postedTo(receiver, '/a2a');
    expect(post.json).toMatchObject({
      task: {
        id: task.id,
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ parts: [{ text: expect.any(String) }, { data: { media_buy_id: expect.any(String) } }] }],
      },
    });
  });

  it('is canceled by its buyer: what it held is free, and it is told of', async () => {
    const opened = await open();
    const { buyer, receiver, server } = opened;
    const submitted = await order(opened);
    const { result } = await buyer.rpc('tasks/cancel', { id: submitted.id });
    expect(result).toMatchObject({ id: submitted.id, contextId: submitted.contextId, status: { state: 'canceled' } });
    expect((await postedTo(receiver, '/a2a')).json).toMatchObject({ id: submitted.id, status: { state: 'canceled' } });
    expect((await decide(server, submitted.id, APPROVE)).status).toBe(409);
    expect((await buyer.rpc('tasks/cancel', { id: submitted.id })).error).toMatchObject({ code: -32002 });
    expect((await buyer.rpc('tasks/cancel', { id: 'no-such-task' })).error).toMatchObject({ code: -32001 });
  });

  it('is opened and registered once for a message that is sent again', async () => {
    const opened = await open();
    const { receiver, server, buyer } = opened;
    const request = createRequest();
    const configuration = { pushNotificationConfig: native(receiver) };
    const first = await buyer.call('create_media_buy', request, { configuration });
    const again = await buyer.call('create_media_buy', request, { configuration });
    expect(again.id).toBe(first.id);
    await server.restart();
    await decide(server, first.id, APPROVE);
    await postedTo(receiver, '/a2a');
    const rows = await server.server().app.store.read.webhookLog.list({ limit: 100, after: undefined }, {});
    expect(rows.filter(({ task_id }) => task_id === first.id)).toHaveLength(1);
    expect((await buyer.call('create_media_buy', request)).status.state).toBe('completed');
  });
});

describe('a task that is worked on', () => {
  const ITEMS = JSON.stringify([{ item_id: 'sku-1', name: 'Boots' }]);

  /** A seller whose callers wait for next to nothing, and a call that the feed of its catalog keeps. */
  async function begin() {
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { answer_within_seconds: 0.05 }));
    const server = await boot({ tenants });
    const [receiver, feed] = [await startReceiver(), await startSlowServer(ITEMS)];
    const buyer = a2aBuyer(server);
    const input = {
      idempotency_key: freshKey(),
      account: { account_id: SANDBOX_ACCOUNT },
      catalogs: [{ catalog_id: 'shoes', type: 'product', url: `${feed.url}/feed.json` }],
    };
    const configuration = { pushNotificationConfig: native(receiver) };
    return { server, receiver, feed, buyer, task: await buyer.call('sync_catalogs', input, { configuration }) };
  }

  it('is told of as a status update, and as a Task when it is done', async () => {
    const { server, receiver, feed, buyer, task } = await begin();
    expect(task.status.state).toBe('working');
    server.clock.advance(2000);
    await settle(server);
    await receiver.received(1);
    const [first] = receiver.posts;
    expect(first?.json).toMatchObject({
      kind: 'status-update',
      taskId: task.id,
      contextId: task.contextId,
      final: false,
      status: { state: 'working', message: { role: 'agent', parts: [{ kind: 'data', data: { percentage: 0 } }] } },
    });
    feed.letGo();
    await receiver.received(2);
    expect(receiver.posts[1]?.json).toMatchObject({ kind: 'task', id: task.id, status: { state: 'completed' } });
    expect(dataOf(await buyer.get(task.id))).toMatchObject({ catalogs: [{ catalog_id: 'shoes' }] });
  });

  it('stays canceled when its work ends later, and nothing of it is done', async () => {
    const { server, feed, buyer, task } = await begin();
    expect((await buyer.rpc('tasks/cancel', { id: task.id })).result).toMatchObject({ status: { state: 'canceled' } });
    feed.letGo();
    await vi.waitFor(() => expect(feed.waiting()).toBe(0));
    await settle(server);
    expect((await buyer.get(task.id)).status.state).toBe('canceled');
  });
});

describe('registrations of a task', () => {
  it('are set, shown without their secrets, listed and deleted, ten at most', async () => {
    const opened = await open();
    const { buyer, receiver, server } = opened;
    const task = await order(
      opened,
      {},
      { id: 'first', authentication: { schemes: ['HMAC-SHA256'], credentials: SECRET } },
    );
    const set = (config: object) =>
      buyer.rpc('tasks/pushNotificationConfig/set', { taskId: task.id, pushNotificationConfig: config });
    for (let count = 1; count < 10; count += 1)
      expect((await set({ id: `c${count}`, url: `${receiver.url}/c${count}` })).result).toMatchObject({
        taskId: task.id,
        pushNotificationConfig: { id: `c${count}`, url: `${receiver.url}/c${count}` },
      });
    expect((await set({ id: 'c11', url: `${receiver.url}/c11` })).error).toMatchObject({ code: -32602 });
    const listed = await buyer.rpc('tasks/pushNotificationConfig/list', { id: task.id });
    expect(listed.result).toHaveLength(10);
    expect(JSON.stringify(listed)).not.toContain(SECRET);
    const one = await buyer.rpc('tasks/pushNotificationConfig/get', { id: task.id, pushNotificationConfigId: 'c3' });
    expect(one.result).toMatchObject({ pushNotificationConfig: { id: 'c3' } });
    for (const id of ['first', 'c1', 'c2', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9'])
      await buyer.rpc('tasks/pushNotificationConfig/delete', { id: task.id, pushNotificationConfigId: id });
    const stranger = a2aBuyer(server, { token: 'sandbox-token-2' });
    const other = await stranger.rpc('tasks/pushNotificationConfig/list', { id: task.id });
    expect(other.error).toMatchObject({ code: -32001 });
    await decide(server, task.id, APPROVE);
    await postedTo(receiver, '/c3');
    expect((await set({ url: `${receiver.url}/late` })).error).toMatchObject({ code: -32004 });
    const rows = await server.server().app.store.read.webhookLog.list({ limit: 100, after: undefined }, {});
    expect(rows.filter(({ task_id }) => task_id === task.id)).toHaveLength(1);
  });

  it.each([
    ['an address inside', { url: 'https://10.0.0.1/hook' }, 'pushNotificationConfig.url'],
    ['no address', { url: 7 }, 'pushNotificationConfig.url'],
    [
      'a scheme that nobody has',
      { url: 'https://buyer.example/', authentication: { schemes: ['Basic'] } },
      'pushNotificationConfig.authentication.schemes',
    ],
    ['a short token', { url: 'https://buyer.example/', token: 'x' }, 'pushNotificationConfig.token'],
    [
      'a token that no header carries',
      { url: 'https://buyer.example/', token: 'line\nbreak-1234567' },
      'pushNotificationConfig.token',
    ],
    ['an id that is no text', { url: 'https://buyer.example/', id: 7 }, 'pushNotificationConfig.id'],
  ])('are refused with %s, and nothing is done', async (_name, config, field) => {
    const { buyer } = await shared;
    const task = await buyer.call(
      'create_media_buy',
      { ...createRequest(), idempotency_key: freshKey() },
      { configuration: { pushNotificationConfig: config } },
    );
    expect(task.status.state).toBe('failed');
    expect(dataOf(task).adcp_error).toMatchObject({ code: 'INVALID_REQUEST', field });
    expect(dataOf(await buyer.call('list_tasks'))).toMatchObject({ tasks: [] });
  });
});

const shared = await open();
