import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { adServerWith, sellThroughAdServer } from '../../kit/ad-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import {
  createRequest,
  createRequestByKey,
  creative,
  KIT_TOKEN,
  packageRequest,
  SANDBOX_ACCOUNT_2,
  succeeded,
  updateRequest,
} from '../../kit/buyer.js';
import { eventsOf, pass, settle, verifierOf } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { type ReceivedPost, type Receiver, startReceiver } from '../../kit/receiver.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, type TenantDraft, tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TOKEN = 'a-token-of-the-buyer-0123456789';
const SECRET = 'a-shared-secret-of-32-characters-or-more';
const CONTEXT = { trace: 'é-1', nested: { list: [1, null] } };

/** A seller and a buyer's endpoint. */
async function open(): Promise<{ server: Booted; receiver: Receiver }> {
  return { server: await boot(), receiver: await startReceiver() };
}

/** A person looks at every creative. */
function reviewing(tenant: TenantDraft): void {
  tenant.policies = { ...(tenant.policies as object), creative_approval: 'manual' };
}

/** What a buyer registers for its buy. */
function registered(receiver: Receiver, path = '/hook?a=1'): Record<string, unknown> {
  return { push_notification_config: { url: receiver.url + path, operation_id: 'op:1', token: TOKEN } };
}

/** A flight that begins later than the simulator confirms the booking, which it does once the answer is out. */
const LATER = { start_time: '2030-01-03T00:00:00Z', end_time: '2030-01-05T00:00:00Z' };

/** Lets a booking be confirmed, which gathers what else happens for two seconds. */
const confirmed = (server: Booted) => pass(server, 3 * SECOND, SECOND);

/** What the events so far say of their buys, in the order in which they came. */
const statesOf = (posts: readonly ReceivedPost[]) =>
  posts.map(({ json }) => {
    const { media_buy_id, media_buy_status, revision } = json.result as Payload;
    return [media_buy_id, media_buy_status, revision];
  });

describe('the first push of a buy', () => {
  test.each([
    ['3.0', 'webhook-signing'],
    ['3.1', 'request-signing'],
  ] as const)('is signed for a buyer of %s with a %s key', async (adcp_version, use) => {
    const { server, receiver } = await open();
    await shopper(server).create({ ...registered(receiver), ...LATER, adcp_version });
    await confirmed(server);
    const kid = /keyid="([^"]+)"/.exec(String(receiver.posts[0]?.headers['signature-input']))?.[1];
    const { keys } = server.server().app.keys.publicJwks();
    expect(keys.find((key) => key.kid === kid)).toMatchObject({ adcp_use: use, proto_use: use });
  });

  test('tells that the booking is confirmed, which the answer did not, signed, with all that the registration wants back', async () => {
    const { server, receiver } = await open();
    const bought = await shopper(server).create({ ...registered(receiver), ...LATER, context: CONTEXT });
    expect(bought).toMatchObject({ status: 'pending_start', revision: 1 });
    expect(bought).not.toHaveProperty('confirmed_at');
    await pass(server, SECOND);
    await pass(server, 2 * SECOND - 1);
    expect(receiver.posts).toEqual([]);
    await pass(server, 1);
    const [post, ...more] = receiver.posts;
    if (post === undefined) throw new Error('nothing was posted');
    expect(more).toEqual([]);
    expect({ method: post.method, path: post.path, json: post.json }).toEqual({
      method: 'POST',
      path: '/hook?a=1',
      json: {
        idempotency_key: expect.stringMatching(/^[A-Za-z0-9_.:-]{16,255}$/),
        operation_id: 'op:1',
        task_id: bought.media_buy_id,
        task_type: 'update_media_buy',
        protocol: 'media-buy',
        domain: 'media-buy',
        status: 'completed',
        timestamp: '2030-01-01T00:00:01Z',
        message: expect.any(String),
        token: TOKEN,
        context: CONTEXT,
        result: expect.objectContaining({
          media_buy_id: bought.media_buy_id,
          status: 'pending_start',
          media_buy_status: 'pending_start',
          revision: 1,
          confirmed_at: '2030-01-01T00:00:00.001Z',
          changes: [{ revision: 1, timestamp: '2030-01-01T00:00:00.001Z', actor: 'seller', action: 'confirmed' }],
          affected_packages: bought.packages,
          sandbox: true,
        }),
      },
    });
    expect(post.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(await (await verifierOf(server))(post, receiver.url)).toMatchObject({ ok: true });
    await pass(server, HOUR);
    expect(receiver.posts).toHaveLength(1);
  });

  test('is one for all that happens meanwhile, and says how it ended', async () => {
    const { server, receiver } = await open();
    const kit = shopper(server, 'kit');
    const bought = await kit.create(registered(receiver));
    expect(bought.media_buy_status).toBe('pending_creatives');
    await pass(server, SECOND);
    await kit.sync({ banner: packageIds(bought) });
    await pass(server, 2 * SECOND);
    expect(statesOf(receiver.posts)).toEqual([[bought.media_buy_id, 'active', 2]]);
    expect(receiver.posts[0]?.json).toMatchObject({
      result: {
        changes: [{ action: 'confirmed' }, { action: 'activated' }],
        affected_packages: [{ creative_assignments: [{ creative_id: 'banner' }] }],
      },
    });
    await pass(server, HOUR);
    expect(receiver.posts).toHaveLength(1);
  });

  test('is of the shape that its buyer speaks, and without a registration there is none', async () => {
    const { server, receiver } = await open();
    const create = async (version: string) =>
      succeeded(
        await server.call('create_media_buy', createRequest({ ...registered(receiver, `/${version}`), ...LATER }), {
          version,
        }),
      );
    await shopper(server).create(LATER);
    await create('3.0');
    expect(await create('3.1')).toMatchObject({ confirmed_at: null });
    await confirmed(server);
    const byRelease = Object.fromEntries(receiver.posts.map(({ path, json }) => [path, json.result]));
    expect(byRelease).toMatchObject({ '/3.0': { status: 'pending_start' }, '/3.1': { status: 'completed' } });
    expect(receiver.posts).toHaveLength(2);
    expect(await eventsOf(server)).toHaveLength(2);
  });
});

describe('an answer to the buyer', () => {
  test('is no news: nothing follows a pause, a change, a replay or a cancel', async () => {
    const { server, receiver } = await open();
    const one = shopper(server);
    const request = createRequest(registered(receiver));
    const { media_buy_id: id, packages } = succeeded(await server.call('create_media_buy', request));
    await pass(server, 2 * SECOND);
    const changes = [
      { paused: true },
      { packages: [{ package_id: packages[0]?.package_id, budget: 2000 }] },
      { paused: false },
      { end_time: '2030-02-20T00:00:00Z' },
      { canceled: true },
    ];
    for (const change of changes) {
      await one.update(id, change);
      await pass(server, HOUR);
    }
    expect(succeeded(await server.call('create_media_buy', request)).replayed).toBe(true);
    await pass(server, HOUR);
    expect(await eventsOf(server)).toEqual([]);
  });

  test('drops what waits to be told: where the buy stands is in it', async () => {
    const { server, receiver } = await open();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create({ ...registered(receiver), ...LATER });
    await confirmed(server);
    server.clock.set('2030-01-03T00:00:00Z');
    await settle(server);
    expect(await one.update(id, { canceled: true })).toMatchObject({ media_buy_status: 'canceled', revision: 3 });
    await pass(server, HOUR, MINUTE);
    expect(statesOf(receiver.posts)).toEqual([[id, 'pending_start', 1]]);
    expect((await eventsOf(server)).map(({ state, reason }) => [state, reason])).toEqual([
      ['delivered', null],
      ['dropped', 'outdated'],
    ]);
  });

  test('drops what failed and would be tried again', async () => {
    const { server, receiver } = await open();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create({ ...registered(receiver), ...LATER });
    receiver.always(503);
    await confirmed(server);
    expect(receiver.posts).toHaveLength(1);
    await one.update(id, { paused: true });
    receiver.always(200);
    await pass(server, HOUR, 10 * SECOND);
    expect(receiver.posts).toHaveLength(1);
  });

  test('of a creative sync is none about the buy, which tells of its move itself', async () => {
    const { server, receiver } = await open();
    const kit = shopper(server, 'kit');
    const bought = await kit.create(registered(receiver));
    await confirmed(server);
    await kit.sync({ banner: packageIds(bought) });
    await pass(server, 2 * SECOND);
    // A second creative moves nothing.
    await kit.sync({ spare: packageIds(bought) });
    await pass(server, HOUR);
    expect(statesOf(receiver.posts)).toEqual([
      [bought.media_buy_id, 'pending_creatives', 1],
      [bought.media_buy_id, 'active', 2],
    ]);
  });

  test('that was refused or only tried leaves no event', async () => {
    const { server, receiver } = await open();
    const one = shopper(server);
    const packages = [packageRequest({ budget: -1 })];
    await one.refused('create_media_buy', createRequest({ ...registered(receiver), packages }));
    const { media_buy_id: id } = await one.create();
    await one.refused('update_media_buy', updateRequest(id, { ...registered(receiver), revision: 7 }));
    await pass(server, HOUR);
    expect(await eventsOf(server)).toEqual([]);
  });
});

describe('the clock', () => {
  test('starts and ends a flight, and each is told, whatever calls come between', async () => {
    const { server, receiver } = await open();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create({ ...registered(receiver), ...LATER });
    await confirmed(server);
    server.clock.set('2030-01-03T00:00:00Z');
    expect((await one.read(id)).status).toBe('active');
    await pass(server, 2 * SECOND);
    server.clock.set('2030-01-05T00:00:00Z');
    // The end waits for nothing that may still be gathered.
    await settle(server);
    expect(statesOf(receiver.posts)).toEqual([
      [id, 'pending_start', 1],
      [id, 'active', 2],
      [id, 'completed', 3],
    ]);
    expect(receiver.posts.map(({ json }) => json.timestamp)).toEqual([
      '2030-01-01T00:00:01Z',
      '2030-01-03T00:00:00Z',
      '2030-01-05T00:00:00Z',
    ]);
    await pass(server, 30 * DAY, DAY);
    expect(receiver.posts).toHaveLength(3);
  });

  test('that jumps over a whole flight is one piece of news', async () => {
    const { server, receiver } = await open();
    const { media_buy_id: id } = await shopper(server).create({ ...registered(receiver), ...LATER });
    await confirmed(server);
    await pass(server, 10 * DAY);
    expect(statesOf(receiver.posts)).toEqual([
      [id, 'pending_start', 1],
      [id, 'completed', 3],
    ]);
  });

  test('ends a buy that never got its creatives, for the seller', async () => {
    const { server, receiver } = await open();
    const { media_buy_id: id } = await shopper(server, 'kit').create(registered(receiver));
    await pass(server, 2 * SECOND);
    await pass(server, 60 * DAY);
    expect(statesOf(receiver.posts).at(-1)).toEqual([id, 'canceled', 2]);
    expect(receiver.posts.at(-1)?.json.result).toMatchObject({
      cancellation: { canceled_by: 'seller', reason: expect.any(String) },
    });
  });
});

describe('a person of the seller', () => {
  test('who approves a creative sets the buy going', async () => {
    const server = await boot({ tenants: tenantsFolder(reviewing) });
    const receiver = await startReceiver();
    const packages = [packageRequest({ creatives: [creative('banner')] })];
    const { media_buy_id: id } = await shopper(server, 'kit').create({ ...registered(receiver), packages });
    await confirmed(server);
    await operatorOf(server).approve('banner');
    await pass(server, 2 * SECOND);
    expect(statesOf(receiver.posts)).toEqual([
      [id, 'pending_creatives', 1],
      [id, 'active', 2],
    ]);
  });

  test('who approves an order is told of once, by the end of its task; what comes later is about the buy', async () => {
    const server = await boot({
      tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] })),
    });
    const receiver = await startReceiver();
    const { task_id } = await shopper(server).create({ ...registered(receiver), ...LATER, context: CONTEXT });
    await operatorOf(server).post(`/approvals/${task_id}`, { decision: 'approve' });
    await settle(server);
    const [task] = receiver.posts.map(({ json }) => json);
    const { media_buy_id } = (task?.result ?? {}) as Payload;
    expect(task).toMatchObject({ task_id, task_type: 'create_media_buy', status: 'completed', context: CONTEXT });
    await confirmed(server);
    const [, push, ...more] = receiver.posts.map(({ json }) => json);
    expect(push).toMatchObject({ task_id: media_buy_id, task_type: 'update_media_buy', context: CONTEXT });
    expect(push).toMatchObject({ operation_id: 'op:1', token: TOKEN, result: { changes: [{ action: 'confirmed' }] } });
    expect(more).toEqual([]);
  });

  test('who approves a change is told of to the registration of the buy, where the change brought none', async () => {
    const rules = [{ tasks: ['update_media_buy'] }];
    const server = await boot({
      tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: rules })),
    });
    const receiver = await startReceiver();
    const one = shopper(server);
    const bought = await one.create(registered(receiver));
    const packages = [{ package_id: packageIds(bought)[0], budget: 5000 }];
    const { task_id } = await one.update(bought.media_buy_id, { packages });
    await operatorOf(server).post(`/approvals/${task_id}`, { decision: 'approve' });
    await pass(server, HOUR, MINUTE);
    expect(receiver.posts.map(({ json }) => json)).toMatchObject([
      { task_id, task_type: 'update_media_buy', status: 'completed', operation_id: 'op:1', result: { revision: 2 } },
    ]);
  });
});

describe('a registration that is replaced', () => {
  test('hears of what comes after the answer to that, with its own operation_id; what failed at the old one is told by the answer', async () => {
    const { server, receiver: old } = await open();
    const fresh = await startReceiver();
    const kit = shopper(server, 'kit');
    old.always(503);
    const bought = await kit.create(registered(old));
    const { media_buy_id: id } = bought;
    await confirmed(server);
    await kit.sync({ banner: packageIds(bought) });
    const push_notification_config = { url: `${fresh.url}/new`, operation_id: 'op:2' };
    expect(await kit.update(id, { push_notification_config })).toMatchObject({
      media_buy_status: 'active',
      revision: 3,
    });
    await pass(server, HOUR, 20 * SECOND);
    expect(old.posts).toHaveLength(1);
    expect(fresh.posts).toEqual([]);
    server.clock.set('2030-01-31T00:00:00Z');
    await settle(server);
    expect(old.posts).toHaveLength(1);
    expect(fresh.posts.map(({ json }) => json)).toMatchObject([
      { operation_id: 'op:2', result: { media_buy_status: 'completed', revision: 4 } },
    ]);
    expect(fresh.posts[0]?.json).not.toHaveProperty('token');
  });

  test('of another kind proves itself anew, and one that was never made begins with the next event', async () => {
    const { server, receiver } = await open();
    const one = shopper(server);
    const flight = { start_time: '2030-01-03T00:00:00Z', end_time: '2030-01-05T00:00:00Z' };
    const { media_buy_id: id } = await one.create(flight);
    await pass(server, HOUR);
    const config = { url: `${receiver.url}/hook`, operation_id: 'late' };
    await one.update(id, { push_notification_config: config });
    await pass(server, HOUR);
    expect(receiver.posts).toEqual([]);
    server.clock.set('2030-01-03T00:00:02Z');
    await settle(server);
    await pass(server, 2 * SECOND);
    const authentication = { schemes: ['HMAC-SHA256'], credentials: SECRET };
    const deprecated = () => server.log.filter(({ text }) => text.includes('deprecated scheme'));
    expect(deprecated()).toEqual([]);
    await one.update(id, { push_notification_config: { ...config, authentication } });
    expect(deprecated()).toEqual([{ level: 'warn', text: expect.stringContaining('hmac-sha256') }]);
    server.clock.set('2030-01-05T00:00:00Z');
    await settle(server);
    const [signed, legacy] = receiver.posts;
    expect(statesOf(receiver.posts).map(([, status]) => status)).toEqual(['active', 'completed']);
    expect(signed?.headers).toHaveProperty('signature');
    expect(legacy?.headers).not.toHaveProperty('signature');
    expect(legacy?.headers['x-adcp-signature']).toBe(
      hmac(SECRET, `${legacy?.headers['x-adcp-timestamp']}.${legacy?.body.toString()}`),
    );
  });
});

test('everybody hears of their own buys alone', async () => {
  const { server, receiver: first } = await open();
  const second = await startReceiver();
  const [one, two] = [shopper(server, 'first'), shopper(server, 'second')];
  const mine = await one.create({ ...registered(first), ...LATER });
  const yours = await two.create({ ...registered(second), ...LATER });
  const stolen = { push_notification_config: { url: `${first.url}/stolen` } };
  const account = { account_id: SANDBOX_ACCOUNT_2 };
  const taken = updateRequest(yours.media_buy_id, stolen);
  expect(await one.refused('update_media_buy', taken)).toBe('MEDIA_BUY_NOT_FOUND');
  expect(await one.refused('update_media_buy', { ...taken, account })).toMatch(/NOT_FOUND$/);
  await confirmed(server);
  await pass(server, 60 * DAY);
  const heard = ({ posts }: Receiver) => posts.map(({ path, json }) => [path, (json.result as Payload).media_buy_id]);
  expect(heard(first)).toEqual([1, 2].map(() => ['/hook?a=1', mine.media_buy_id]));
  expect(heard(second)).toEqual([1, 2].map(() => ['/hook?a=1', yours.media_buy_id]));
});

test('an address that a test runner left unfilled is kept and never called', async () => {
  const { server, receiver } = await open();
  const one = shopper(server);
  const push_notification_config = { url: '{{runner.webhook_url}}' };
  const reporting_webhook = { url: '{{runner.webhook_url}}', reporting_frequency: 'daily' };
  const { media_buy_id: id } = await one.create({ push_notification_config, reporting_webhook });
  await pass(server, 3 * DAY, DAY);
  expect(await eventsOf(server)).toEqual([]);
  await one.update(id, registered(receiver));
  await pass(server, 60 * DAY);
  expect(statesOf(receiver.posts)).toEqual([[id, 'completed', 3]]);
  expect(await eventsOf(server)).toHaveLength(1);
});

describe('a restart', () => {
  test('between booking, gathering, a failed attempt and the end loses nothing and sends nothing twice', async () => {
    const { server, receiver } = await open();
    const kit = shopper(server, 'kit');
    const reporting_webhook = { url: `${receiver.url}/reports`, reporting_frequency: 'daily' };
    const bought = await kit.create({ ...registered(receiver), reporting_webhook, end_time: '2030-01-02T12:00:00Z' });
    await server.restart();
    await confirmed(server);
    receiver.script(503);
    await kit.sync({ banner: packageIds(bought) });
    await server.restart();
    await pass(server, 2 * SECOND);
    await server.restart();
    await pass(server, 10 * MINUTE, 10 * SECOND);
    await server.close();
    server.clock.set('2030-01-02T06:00:00Z');
    await server.restart();
    await settle(server);
    server.clock.set('2030-01-02T12:00:00Z');
    await settle(server);
    await server.restart();
    await pass(server, DAY, HOUR);

    const kinds = receiver.posts.map(({ json }) => {
      const { media_buy_status, notification_type } = json.result as Payload;
      return notification_type ?? media_buy_status;
    });
    // The one that failed came again under its key.
    expect(kinds.toSorted()).toEqual(
      ['pending_creatives', 'active', 'active', 'scheduled', 'scheduled', 'completed', 'final'].toSorted(),
    );
    const keys = receiver.posts.map(({ json }) => json.idempotency_key);
    expect(new Set(keys).size).toBe(6);
    const [failed, again] = receiver.posts.filter((_post, at) => kinds[at] === 'active');
    expect(again?.body.equals(failed?.body ?? Buffer.alloc(0))).toBe(true);
  });
});

describe('a live buy with an ad server of the seller', () => {
  /** A seller with a live buyer, whose ad server takes orders while it is up. */
  async function openLive() {
    const receiver = await startReceiver();
    const adServer = Object.assign(adServerWith(), { up: true });
    Object.assign(adServer, {
      book: async () => {
        if (!adServer.up) throw new Error('the ad server is down');
      },
    });
    const tenants = tenantsFolder((tenant) => {
      sellThroughAdServer(tenant);
      // A live buyer may name no loopback address; this host stands for one.
      tenant.outbound = { resolve: { 'hooks.buyer.example': receiver.url } };
    });
    const server = await boot({ tenants, adServer });
    const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
    const config = { push_notification_config: { url: 'https://hooks.buyer.example/hook', operation_id: 'op:1' } };
    return { server, receiver, adServer, live, config };
  }

  test('first pushes when the booking has succeeded, and never for what the buyer did itself', async () => {
    const { server, receiver, adServer, live, config } = await openLive();
    adServer.up = false;
    const { media_buy_id: id, media_buy_status, sandbox } = await live.create(config);
    expect([sandbox, media_buy_status]).toEqual([false, 'pending_start']);
    await pass(server, HOUR);
    expect(await eventsOf(server)).toEqual([]);
    adServer.up = true;
    // The pause before the next attempt to book is at most twelve minutes; the signature has to be young below.
    for (let minute = 0; minute < 15 && receiver.posts.length === 0; minute++) await pass(server, MINUTE);
    expect(statesOf(receiver.posts)).toEqual([[id, 'active', 2]]);
    expect(receiver.posts[0]?.json).toMatchObject({
      result: { changes: [{ action: 'confirmed' }, { action: 'activated' }] },
    });
    const [post] = receiver.posts;
    if (post === undefined) throw new Error('nothing was posted');
    expect(await (await verifierOf(server))(post, 'https://hooks.buyer.example')).toMatchObject({ ok: true });

    await live.update(id, { paused: true });
    await pass(server, HOUR);
    await live.update(id, { canceled: true });
    await pass(server, HOUR);
    expect(receiver.posts).toHaveLength(1);
  });

  test('tells of its end once, though the ad server has to confirm that too', async () => {
    const { server, receiver, live, config } = await openLive();
    const { media_buy_id: id } = await live.create(config);
    await settle(server);
    await pass(server, 2 * SECOND);
    await pass(server, 60 * DAY);
    await pass(server, HOUR, MINUTE);
    expect(statesOf(receiver.posts)).toEqual([
      [id, 'active', 2],
      [id, 'completed', 3],
    ]);
  });

  test('that was canceled before it was ever booked pushes nothing', async () => {
    const { server, receiver, adServer, live, config } = await openLive();
    adServer.up = false;
    const { media_buy_id: id } = await live.create(config);
    await live.update(id, { canceled: true });
    adServer.up = true;
    await pass(server, HOUR, MINUTE);
    expect(receiver.posts).toEqual([]);
  });
});

describe.each(['3.0', '3.1'] as const)('in the words of %s', (release: SchemaRelease) => {
  test.skipIf(!hasSchemas(release))('every push is valid', async () => {
    const judge = schemaJudge(release);
    const { server, receiver } = await open();
    const flight = { start_time: '2030-01-03T00:00:00Z', end_time: '2030-01-05T00:00:00Z' };
    const request = createRequestByKey({ ...registered(receiver), ...flight, context: CONTEXT });
    const bought = succeeded(await server.call('create_media_buy', request, { token: KIT_TOKEN, version: release }));
    await confirmed(server);
    await shopper(server, 'kit').sync({ banner: packageIds(bought) });
    await pass(server, 2 * SECOND);
    await pass(server, 2 * DAY);
    await pass(server, 2 * SECOND);
    await pass(server, 2 * DAY);
    expect(statesOf(receiver.posts).map(([, status]) => status)).toEqual([
      'pending_creatives',
      'pending_start',
      'active',
      'completed',
    ]);
    for (const { json } of receiver.posts) {
      expect(judge('core/mcp-webhook-payload', json)).toEqual([]);
      expect(judge('media-buy/update-media-buy-response', json.result)).toEqual([]);
    }
  });
});

/** The header of the older scheme. */
function hmac(secret: string, text: string): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}
