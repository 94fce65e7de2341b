import { describe, expect, test, vi } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, SANDBOX_ACCOUNT } from '../../kit/buyer.js';
import { settle } from '../../kit/events.js';
import { startReceiver } from '../../kit/receiver.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { startSlowServer } from '../../kit/slow-server.js';
import { tenantsFolder } from '../../kit/tenants.js';

const RELEASES = (['3.0', '3.1'] as const satisfies readonly SchemaRelease[]).filter(hasSchemas);
/** How long a condition is waited for. */
const SOON = { timeout: 20_000, interval: 20 };
/** After this long without a word of its process a task is begun again. */
const LEFT_MS = 45_000;
const CONTEXT = { trace: 'long-1' };

const ITEMS = JSON.stringify([{ item_id: 'sku-1', name: 'Boots' }]);

/** A seller whose callers wait for next to nothing, and the feed of a catalog that is slow. */
async function open() {
  const server = await boot({
    tenants: tenantsFolder((tenant) => Object.assign(tenant, { answer_within_seconds: 0.05 })),
  });
  const receiver = await startReceiver();
  const feed = await startSlowServer(ITEMS);
  const request = (changes: object = {}) => ({
    idempotency_key: freshKey(),
    account: { account_id: SANDBOX_ACCOUNT },
    catalogs: [{ catalog_id: 'shoes', type: 'product', url: `${feed.url}/feed.json` }],
    context: CONTEXT,
    push_notification_config: { url: `${receiver.url}/hook`, operation_id: 'op-long' },
    ...changes,
  });
  return { server, receiver, feed, request };
}

async function statusOf(server: Booted, task_id: unknown) {
  const { payload } = await server.call('get_task_status', { task_id, include_result: true, include_history: true });
  return payload;
}

async function whenOver(server: Booted, task_id: unknown) {
  await vi.waitFor(async () => expect((await statusOf(server, task_id)).status).not.toBe('working'), SOON);
  await settle(server);
  return statusOf(server, task_id);
}

describe('a call that takes longer than its caller waits', () => {
  test('is answered as submitted, says that it is working, and how it ended, each once', async () => {
    const { server, receiver, feed, request } = await open();
    const asked = request();
    const { payload: answer } = await server.call('sync_catalogs', asked);
    expect(answer).toMatchObject({ status: 'submitted', task_id: expect.any(String), context: CONTEXT });
    expect(answer.catalogs).toBeUndefined();
    expect(await statusOf(server, answer.task_id)).toMatchObject({
      status: 'working',
      has_webhook: true,
      progress: { percentage: 0, step_number: 1, total_steps: 1, current_step: 'read shoes' },
    });
    server.clock.advance(2000);
    await settle(server);
    expect(receiver.posts.map(({ json }) => json)).toMatchObject([
      { status: 'working', task_id: answer.task_id, operation_id: 'op-long', result: { percentage: 0 } },
    ]);
    expect((await server.call('sync_catalogs', asked)).payload).toMatchObject({
      status: 'submitted',
      task_id: answer.task_id,
      replayed: true,
    });
    feed.letGo();
    expect(await whenOver(server, answer.task_id)).toMatchObject({ status: 'completed', result: { catalogs: [{}] } });
    const [, end, ...more] = receiver.posts.map(({ json }) => json);
    expect(more).toEqual([]);
    expect(end).toMatchObject({
      task_id: answer.task_id,
      task_type: 'sync_catalogs',
      operation_id: 'op-long',
      status: 'completed',
      context: CONTEXT,
      result: { catalogs: [{ catalog_id: 'shoes', action: 'created' }] },
    });
    for (const release of RELEASES)
      for (const { json } of receiver.posts)
        expect(schemaJudge(release)('core/mcp-webhook-payload', json), release).toEqual([]);
    const { payload: listed } = await server.call('sync_catalogs', {
      idempotency_key: freshKey(),
      account: { account_id: SANDBOX_ACCOUNT },
    });
    expect(listed.catalogs).toMatchObject([{ catalog_id: 'shoes' }]);
  });

  test('is told once where it ends before anybody was told that it is working', async () => {
    const { server, receiver, feed, request } = await open();
    const { payload: answer } = await server.call('sync_catalogs', request());
    feed.letGo();
    await whenOver(server, answer.task_id);
    server.clock.advance(2000);
    await settle(server);
    expect(receiver.posts.map(({ json }) => json.status)).toEqual(['completed']);
  });

  test('is a task without a webhook too, for the answer does not depend on one', async () => {
    const { server, feed, request } = await open();
    const { payload: answer } = await server.call('sync_catalogs', request({ push_notification_config: undefined }));
    expect(answer).toMatchObject({ status: 'submitted' });
    expect(answer.message).not.toContain('webhook');
    feed.letGo();
    expect(await whenOver(server, answer.task_id)).toMatchObject({ status: 'completed', has_webhook: false });
  });

  test('is begun again by the next process where its own ended', async () => {
    const { server, receiver, feed, request } = await open();
    const { payload: answer } = await server.call('sync_catalogs', request());
    await vi.waitFor(() => expect(feed.waiting()).toBe(1), SOON);
    await server.restart();
    server.clock.advance(LEFT_MS);
    feed.letGo();
    await settle(server);
    expect(await whenOver(server, answer.task_id)).toMatchObject({ status: 'completed' });
    expect(receiver.posts.at(-1)?.json).toMatchObject({ status: 'completed', task_id: answer.task_id });
    expect(receiver.posts.filter(({ json }) => json.status === 'completed')).toHaveLength(1);
  });

  test('is left to its process as long as that lives, however long it takes', async () => {
    const { server, feed, request } = await open();
    const { payload: answer } = await server.call('sync_catalogs', request());
    await vi.waitFor(() => expect(feed.waiting()).toBe(1), SOON);
    const leftBehind = () => server.server().app.store.read.tasks.leftBehind(server.clock.now(), 10);
    server.clock.advance(LEFT_MS);
    expect(await leftBehind()).toMatchObject([{ task_id: answer.task_id }]);
    await settle(server);
    expect(await leftBehind()).toEqual([]);
    expect(feed.waiting()).toBe(1);
    feed.letGo();
    expect(await whenOver(server, answer.task_id)).toMatchObject({ status: 'completed' });
  });

  test('fails as a task where what it asks for is refused by then', async () => {
    const { server, receiver, feed, request } = await open();
    const { payload: answer } = await server.call('sync_catalogs', request({ account: { account_id: 'acct_nobody' } }));
    expect(answer.errors).toMatchObject([{ field: 'account' }]);
    feed.letGo();
    await settle(server);
    expect(receiver.posts).toEqual([]);
  });
});

test('a build that takes long is delivered', async () => {
  const copy = { headline: 'Boots', body: 'For the hills.', call_to_action: 'Shop' };
  const model = await startSlowServer(JSON.stringify({ choices: [{ message: { content: JSON.stringify(copy) } }] }));
  const tenants = tenantsFolder((tenant) => {
    const llm = { base_url: model.url, model: 'm' };
    Object.assign(tenant, { answer_within_seconds: 0.05, llm });
  }, 'creative');
  const server = await boot({ tenants });
  const receiver = await startReceiver();
  const { payload: formats } = await server.call('list_creative_formats', {}, { tenant: 'creative' });
  const { format_id } =
    formats.formats.find((one) => one.format_id.id === 'display_300x250') ?? expect.fail('no format');
  const options = { tenant: 'creative', version: '3.1' };
  const { payload: answer } = await server.call(
    'build_creative',
    {
      message: 'Boots for the hills',
      brand: { domain: 'acme.example', name: 'Acme' },
      target_format_id: format_id,
      push_notification_config: { url: `${receiver.url}/built`, operation_id: 'op-build' },
    },
    options,
  );
  expect(answer).toMatchObject({ status: 'submitted' });
  model.letGo();
  const status = async () =>
    (await server.call('get_task_status', { task_id: answer.task_id }, options)).payload.status;
  await vi.waitFor(async () => expect(await status()).toBe('completed'), SOON);
  server.clock.advance(1000);
  await settle(server);
  expect(receiver.posts.at(-1)?.json).toMatchObject({
    task_id: answer.task_id,
    task_type: 'build_creative',
    protocol: 'creative',
    status: 'completed',
    result: { creative_manifest: { format_id: { id: 'display_300x250' } } },
  });
});
