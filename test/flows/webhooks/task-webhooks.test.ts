import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, packageRequest, succeeded, updateRequest } from '../../kit/buyer.js';
import { settle } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { type ReceivedPost, type Receiver, startReceiver } from '../../kit/receiver.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import { tenantsFolder } from '../../kit/tenants.js';

const HOUR = 3_600_000;
const TOKEN = 'a-token-of-the-buyer-0123456789';
const CONTEXT = { trace: 'é-1', nested: { list: [1, null] } };

/** A seller that asks about every order, and a buyer's endpoint. */
async function open(rule: object = {}) {
  const server = await boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [rule] })) });
  return { server, receiver: await startReceiver() };
}

function registered(receiver: Receiver, changes: object = {}): Record<string, unknown> {
  const push_notification_config = { url: `${receiver.url}/hook?a=1`, operation_id: 'op:1', token: TOKEN };
  return createRequest({ context: CONTEXT, push_notification_config, ...changes });
}

async function submit(server: Booted, request: object, version?: string): Promise<string> {
  const options = version === undefined ? {} : { version };
  const payload = succeeded(await server.call('create_media_buy', request, options));
  expect(payload.status).toBe('submitted');
  return payload.task_id;
}

const decide = (server: Booted, taskId: string, decision: object) =>
  operatorOf(server).post(`/approvals/${taskId}`, decision);
const APPROVE = { decision: 'approve' };
const REJECT = { decision: 'reject', reason: 'Not this week.' };

/** Everything that the outbox ever held about a task. */
async function events(server: Booted, taskId: string) {
  const rows = await server.server().app.store.read.webhookLog.list({ limit: 100, after: undefined }, {});
  return rows.filter(({ task_id }) => task_id === taskId);
}

/** The first POST about a task. */
async function posted(receiver: Receiver, count = 1): Promise<ReceivedPost> {
  await receiver.received(count);
  const post = receiver.posts[count - 1];
  if (post === undefined) throw new Error('nothing was posted');
  return post;
}

describe('a task that was registered for', () => {
  test('tells of its decision once, signed, with everything that the registration wants back', async () => {
    const { server, receiver } = await open();
    const request = registered(receiver);
    const taskId = await submit(server, request);
    // What the call itself answers is no news.
    expect(await events(server, taskId)).toEqual([]);
    expect(succeeded(await server.call('get_task_status', { task_id: taskId })).has_webhook).toBe(true);

    server.clock.advance(HOUR);
    await decide(server, taskId, APPROVE);
    const { method, path, headers, json } = await posted(receiver);
    const { payload } = await server.call('get_task_status', { task_id: taskId, include_result: true });
    expect({ method, path, json }).toEqual({
      method: 'POST',
      path: '/hook?a=1',
      json: {
        idempotency_key: expect.stringMatching(/^[A-Za-z0-9_.:-]{16,255}$/),
        operation_id: 'op:1',
        task_id: taskId,
        task_type: 'create_media_buy',
        protocol: 'media-buy',
        domain: 'media-buy',
        status: 'completed',
        timestamp: '2030-01-01T01:00:00Z',
        message: expect.any(String),
        token: TOKEN,
        result: payload.result,
        context: CONTEXT,
      },
    });
    expect(headers['content-type']).toBe('application/json');
    expect(headers['signature-input']).toMatch(/tag="adcp\/webhook-signing\/v1"/);

    await server.call('create_media_buy', request);
    await decide(server, taskId, REJECT);
    expect(await events(server, taskId)).toHaveLength(1);
  });

  test('keeps the same bytes and key for a receiver that was down', async () => {
    const { server, receiver } = await open();
    receiver.script(503);
    const taskId = await submit(server, registered(receiver));
    await decide(server, taskId, APPROVE);
    await posted(receiver);
    await server.restart();
    server.clock.advance(HOUR);
    await server.server().tick();
    await posted(receiver, 2);
    const [first, second, ...more] = receiver.posts;
    expect(more).toEqual([]);
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers.signature).not.toBe(first?.headers.signature);
  });

  test.each([
    [
      'a rejection',
      {},
      async (server: Booted, id: string): Promise<void> => {
        await decide(server, id, REJECT);
      },
      'rejected',
      'PERMISSION_DENIED',
    ],
    [
      'an approval that is refused by now',
      { end_time: '2030-01-01T03:00:00Z' },
      async (server: Booted, id: string): Promise<void> => {
        server.clock.advance(5 * HOUR);
        await decide(server, id, APPROVE);
      },
      'failed',
      'INVALID_REQUEST',
    ],
    [
      'a decision of the clock',
      {},
      async (server: Booted): Promise<void> => {
        server.clock.advance(48 * HOUR);
        await server.server().tick();
      },
      'rejected',
      'PERMISSION_DENIED',
    ],
  ] as const)('tells of %s with its errors', async (_what, changes, act, status, code) => {
    const { server, receiver } = await open();
    const taskId = await submit(server, registered(receiver, changes));
    await act(server, taskId);
    const { json } = await posted(receiver);
    expect(json).toMatchObject({
      task_id: taskId,
      status,
      result: { errors: [{ code, message: expect.any(String) }] },
    });
    expect(json.result).not.toHaveProperty('media_buy_id');
  });

  test('tells of a change too', async () => {
    const { server, receiver } = await open({ tasks: ['update_media_buy'] });
    const bought = await shopper(server).create();
    const request = updateRequest(bought.media_buy_id, {
      packages: [{ package_id: packageIds(bought)[0], budget: 5000 }],
      push_notification_config: { url: `${receiver.url}/changes` },
    });
    const { payload } = await server.call('update_media_buy', request);
    await decide(server, payload.task_id, APPROVE);
    await posted(receiver);
    const post = receiver.posts.find(({ json }) => json.task_id === payload.task_id);
    // Without an operation_id the task's id stands in for it.
    expect(post).toMatchObject({
      path: '/changes',
      json: {
        task_type: 'update_media_buy',
        status: 'completed',
        operation_id: payload.task_id,
        result: { revision: 2 },
      },
    });
  });
});

test('a task that was not registered for tells nobody', async () => {
  const { server } = await open();
  const taskId = await submit(server, createRequest());
  await decide(server, taskId, APPROVE);
  expect(await events(server, taskId)).toEqual([]);
});

test('an effect that fails unexpectedly leaves no event behind', async () => {
  const { server, receiver } = await open();
  const taskId = await submit(server, registered(receiver));
  const { lifecycle } = server.server().app;
  Object.assign(lifecycle, { open: () => Promise.reject(new Error('the disk is full')) });
  expect((await decide(server, taskId, APPROVE)).status).toBe(500);
  expect(succeeded(await server.call('get_task_status', { task_id: taskId })).status).toBe('submitted');
  expect(await events(server, taskId)).toEqual([]);
});

describe.each(['3.0', '3.1'] as const)('in the words of %s', (release: SchemaRelease) => {
  test.skipIf(!hasSchemas(release))('every event is valid', async () => {
    const judge = schemaJudge(release);
    const { server, receiver } = await open();
    for (const [index, decision] of [APPROVE, REJECT].entries()) {
      const taskId = await submit(server, registered(receiver), release);
      await decide(server, taskId, decision);
      const { json } = await posted(receiver, index + 1);
      expect(judge('core/mcp-webhook-payload', json)).toEqual([]);
      expect(judge('media-buy/create-media-buy-response', json.result)).toEqual([]);
    }
    const late = registered(receiver, { end_time: '2030-01-01T03:00:00Z', packages: [packageRequest()] });
    const taskId = await submit(server, late, release);
    server.clock.advance(5 * HOUR);
    await decide(server, taskId, APPROVE);
    const { json } = await posted(receiver, 3);
    expect(json.status).toBe('failed');
    expect(judge('core/mcp-webhook-payload', json)).toEqual([]);
    expect(judge('media-buy/create-media-buy-response', json.result)).toEqual([]);
  });
});

describe('an order that the seller asks its buyer about', () => {
  const QUESTION = { decision: 'ask', question: 'Which page do the ads lead to?' };

  test('says so by its webhook, and goes on when the order is sent again in its context', async () => {
    const { server, receiver } = await open();
    const taskId = await submit(server, registered(receiver));
    const asked = await decide(server, taskId, QUESTION);
    expect(asked.status).toBe(200);
    await settle(server);
    expect(receiver.posts.map(({ json }) => json)).toMatchObject([
      {
        task_id: taskId,
        context_id: taskId,
        status: 'input-required',
        operation_id: 'op:1',
        context: CONTEXT,
        result: { reason: 'APPROVAL_REQUIRED', errors: [{ message: QUESTION.question }] },
      },
    ]);
    const again = registered(receiver, { context_id: taskId, packages: [packageRequest({ budget: 1234 })] });
    const { payload } = await server.call('create_media_buy', again);
    expect(payload).toMatchObject({ status: 'submitted', task_id: taskId });
    expect((await decide(server, taskId, APPROVE)).status).toBe(200);
    await settle(server);
    const statuses = receiver.posts.filter(({ json }) => json.task_id === taskId).map(({ json }) => json.status);
    expect(statuses).toEqual(['input-required', 'completed']);
    const { payload: task } = await server.call('get_task_status', { task_id: taskId, include_result: true });
    expect(task).toMatchObject({ status: 'completed', result: { packages: [{ budget: 1234 }] } });
    // It is over: nothing is asked about it any more.
    const late = await server.call('create_media_buy', registered(receiver, { context_id: taskId }));
    expect(late.payload.errors).toMatchObject([{ code: 'INVALID_STATE', field: 'context_id' }]);
  });

  test('is rejected where nobody answers in time, even where its rule would approve it', async () => {
    const { server, receiver } = await open({ timeout_hours: 24, on_timeout: 'approve' });
    const taskId = await submit(server, registered(receiver));
    await decide(server, taskId, QUESTION);
    await settle(server);
    server.clock.advance(23 * HOUR);
    await settle(server);
    expect(receiver.posts.map(({ json }) => json.status)).toEqual(['input-required']);
    server.clock.advance(HOUR);
    await settle(server);
    expect(receiver.posts.map(({ json }) => json.status)).toEqual(['input-required', 'rejected']);
  });
});
