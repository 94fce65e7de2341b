import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { creative, freshKey, KIT_TOKEN, packageRequest, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { eventsOf, pass, settle, verifierOf } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { type Receiver, startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { packageIds, type Shopper, shopper } from '../../kit/shopper.js';
import { addLivePrincipal, LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CONTEXT = { trace: 'é-1', nested: { list: [1, null] } };
/** What makes a creative another one. */
const OTHER = {
  banner_image: { asset_type: 'image', url: 'https://cdn.example/other.png', width: 300, height: 250 },
  click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/' },
};

type Impairment = { readonly impairment_id: string; readonly package_ids: readonly string[]; readonly reason?: string };

/** What an impairment event says. */
type ImpairmentEvent = Payload & {
  readonly notification_type: string;
  readonly revision: number;
  readonly health: string;
  readonly impairment: Impairment;
  readonly resolved: boolean;
};

/** A seller that looks at creatives, and a buy that runs with one in each of its packages; its first pushes have been sent. */
async function running(
  settings: { readonly webhooks?: object; readonly packages?: number; readonly create?: object } = {},
) {
  const tenants = tenantsFolder((tenant) => {
    tenant.policies = { ...(tenant.policies as object), creative_approval: 'manual' };
    Object.assign(tenant, { webhooks: settings.webhooks ?? {} });
  });
  const [server, receiver] = [await boot({ tenants }), await startReceiver()];
  const [kit, operator] = [shopper(server, 'kit'), operatorOf(server)];
  const push_notification_config = { url: `${receiver.url}/hook`, operation_id: 'op:1', token: 't'.repeat(16) };
  const packages = Array.from({ length: settings.packages ?? 1 }, (_, at) => packageRequest({ budget: 1000 + at }));
  const bought = await kit.create({ push_notification_config, packages, context: CONTEXT, ...settings.create });
  const { media_buy_id: id } = bought;
  await kit.sync({ banner: packageIds(bought) });
  const [waiting] = await operator.waiting();
  await operator.approve('banner');
  await pass(server, 2 * SECOND);
  expect((await kit.read(id)).status).toBe('active');
  const before = receiver.posts.length;
  /** The seller takes the approved creative back. */
  const reject = (reason: string) => operator.post(`/approvals/${waiting?.id}`, { decision: 'reject', reason });
  return {
    server,
    receiver,
    kit,
    operator,
    id,
    lines: packageIds(bought),
    reject,
    announced: () => impairmentsOf(receiver, before),
  };
}

/** The impairment events among what came after the first `from` POSTs. */
function impairmentsOf(receiver: Receiver, from: number) {
  return receiver.posts
    .slice(from)
    .flatMap((post) => ((post.json.result as ImpairmentEvent).notification_type === 'impairment' ? [post] : []))
    .map(({ json }) => ({ key: json.idempotency_key, id: json.notification_id, ...(json.result as ImpairmentEvent) }));
}

/** A buy's health as its buyer reads it. */
async function healthOf(kit: Shopper, id: string): Promise<{ health?: string; impairments?: readonly Impairment[] }> {
  const { media_buys } = succeeded(await kit.call('get_media_buys', { media_buy_ids: [id] }));
  return media_buys[0] as object;
}

/** Sends what is due and waits for it, without any time passing. */
const now = (server: Booted): Promise<void> => settle(server);

describe('a creative that is rejected while it runs', () => {
  test('impairs its buy at once: in the snapshot, and in a signed event that waits for nothing', async () => {
    const { server, receiver, kit, id, lines, reject, announced } = await running();
    expect(await healthOf(kit, id)).toMatchObject({ status: 'active', health: 'ok', impairments: [] });
    server.clock.advance(HOUR);
    await reject('The claim is not proven.');
    const impairment = {
      impairment_id: expect.stringMatching(/^imp_/),
      resource_type: 'creative',
      resource_id: 'banner',
      package_ids: lines,
      transition: { to: 'rejected' },
      reason_code: 'content_rejected',
      reason: 'The claim is not proven.',
      observed_at: server.clock.iso().replace('.000', ''),
      remediation: expect.any(String),
    };
    expect(await healthOf(kit, id)).toMatchObject({ status: 'active', health: 'impaired', impairments: [impairment] });
    await now(server);
    const [post] = receiver.posts.slice(-1);
    if (post === undefined) throw new Error('nothing was posted');
    expect(post.json).toMatchObject({
      notification_id: announced()[0]?.impairment.impairment_id,
      operation_id: 'op:1',
      token: 't'.repeat(16),
      task_id: id,
      task_type: 'create_media_buy',
      status: 'completed',
      context: CONTEXT,
      result: {
        notification_type: 'impairment',
        media_buy_id: id,
        revision: (await kit.read(id)).revision,
        health: 'impaired',
        impairment,
        resolved: false,
      },
    });
    expect(await (await verifierOf(server))(post, receiver.url)).toMatchObject({ ok: true });
    expect(announced()).toHaveLength(1);
    for (const release of (['3.0', '3.1'] as const).filter(hasSchemas)) {
      const judge = schemaJudge(release);
      expect(judge('core/mcp-webhook-payload', post.json)).toEqual([]);
      const answer = await server.call(
        'get_media_buys',
        { media_buy_ids: [id] },
        { token: KIT_TOKEN, version: release },
      );
      expect(judge('media-buy/get-media-buys-response', succeeded(answer))).toEqual([]);
      if (release === '3.1') expect(judge('core/impairment', announced()[0]?.impairment)).toEqual([]);
    }
    // It is told once.
    await pass(server, DAY, HOUR);
    expect(announced()).toHaveLength(1);
  });

  test.each<[name: string, mend: (kit: Shopper, id: string, lines: readonly string[]) => Promise<unknown>]>([
    ['is corrected', (kit) => kit.sync({}, { creatives: [creative('banner', { assets: OTHER })] })],
    [
      'is replaced',
      async (kit, id, lines) => {
        const packages = lines.map((package_id) => ({ package_id, creatives: [creative('spare')] }));
        await kit.update(id, { packages });
      },
    ],
    [
      'has left with its package',
      (kit, id, lines) =>
        kit.update(id, {
          packages: lines.map((package_id) => ({ package_id, canceled: true })),
          new_packages: [packageRequest({ budget: 77 })],
        }),
    ],
  ])('is over for the buy when it %s, under the id it had', async (_name, mend) => {
    const { server, kit, id, lines, reject, announced } = await running();
    await reject('No.');
    await now(server);
    await pass(server, HOUR);
    await mend(kit, id, lines);
    expect(await healthOf(kit, id)).toMatchObject({ health: 'ok', impairments: [] });
    await now(server);
    const [opened, closed, ...more] = announced();
    expect(more).toEqual([]);
    expect(closed).toMatchObject({ id: opened?.id, resolved: true, health: 'ok', impairment: opened?.impairment });
    expect(closed?.key).not.toBe(opened?.key);
  });

  test('again, after it was mended, is a new impairment', async () => {
    const { server, kit, operator, id, reject, announced } = await running();
    await reject('No.');
    await now(server);
    await kit.sync({}, { creatives: [creative('banner', { assets: OTHER })] });
    await now(server);
    await operator.reject('banner', 'No better.');
    await now(server);
    const [first, over, second] = announced();
    expect([first?.resolved, over?.resolved, second?.resolved]).toEqual([false, true, false]);
    expect(over?.id).toBe(first?.id);
    expect(second?.id).not.toBe(first?.id);
    expect(await healthOf(kit, id)).toMatchObject({
      impairments: [{ impairment_id: second?.id, reason: 'No better.' }],
    });
  });

  test('in several packages is one impairment, emitted again under its id when it concerns fewer', async () => {
    const { server, kit, id, lines, reject, announced } = await running({ packages: 3 });
    await reject('No.');
    await now(server);
    server.clock.advance(HOUR);
    await kit.update(id, { packages: [{ package_id: lines[1], canceled: true }] });
    await now(server);
    const [first, second] = announced();
    expect(first?.impairment.package_ids).toEqual(lines);
    expect(second).toMatchObject({
      id: first?.id,
      resolved: false,
      health: 'impaired',
      impairment: { ...first?.impairment, package_ids: [lines[0], lines[2]] },
    });
    expect(second?.key).not.toBe(first?.key);
    // What has nothing to do with it emits nothing.
    await kit.update(id, { packages: [{ package_id: lines[0], budget: 5000 }] });
    await now(server);
    expect(announced()).toHaveLength(2);
  });

  test('and sent again by the operator a day later keeps its notification_id under a new key', async () => {
    const { server, reject, announced } = await running();
    await reject('No.');
    await now(server);
    await pass(server, 25 * HOUR);
    const [first] = announced();
    const { app } = server.server();
    await app.store.transact((tx) => app.outbox.replay(tx, String(first?.key)));
    await now(server);
    const [, again] = announced();
    expect(again).toMatchObject({ id: first?.id, impairment: first?.impairment, resolved: false });
    expect(again?.key).not.toBe(first?.key);
  });

  test('impairs every buy that holds it, and no other', async () => {
    const { server, receiver, kit, id, reject, announced } = await running();
    const push_notification_config = { url: `${receiver.url}/second` };
    const assigned = { creative_assignments: [{ creative_id: 'banner' }] };
    const second = await kit.create({ push_notification_config, packages: [packageRequest(assigned)] });
    const silent = await kit.create({ packages: [packageRequest(assigned)] });
    const other = await kit.create({ push_notification_config, packages: [packageRequest()] });
    await reject('No.');
    await now(server);
    expect(new Set(announced().map(({ media_buy_id }) => media_buy_id))).toEqual(new Set([id, second.media_buy_id]));
    expect(new Set(announced().map((event) => event.id)).size).toBe(2);
    expect(await healthOf(kit, silent.media_buy_id)).toMatchObject({ health: 'impaired' });
    expect(await healthOf(kit, other.media_buy_id)).toMatchObject({ health: 'ok' });
  });
});

describe('gathering', () => {
  const webhooks = { gather_seconds: { urgent_impairment: 60 } };

  test('of urgent impairments is off, and where a tenant sets it one that is mended meanwhile is told as that', async () => {
    const { server, kit, id, reject, announced } = await running({ webhooks });
    await reject('No.');
    await pass(server, 59 * SECOND);
    expect(announced()).toEqual([]);
    expect(await healthOf(kit, id)).toMatchObject({ health: 'impaired' });
    await kit.sync({}, { creatives: [creative('banner', { assets: OTHER })] });
    await pass(server, SECOND);
    expect(announced()).toMatchObject([{ resolved: true, health: 'ok' }]);
    await pass(server, HOUR);
    expect(announced()).toHaveLength(1);
  });

  test('tells the revision that the buy has by then', async () => {
    const { server, receiver, kit, id, lines, reject, announced } = await running({ webhooks });
    await reject('No.');
    await pass(server, 30 * SECOND);
    const { revision } = await kit.update(id, { packages: [{ package_id: lines[0], budget: 5000 }] });
    await pass(server, 29 * SECOND);
    expect(announced()).toEqual([]);
    await pass(server, SECOND);
    expect(announced()).toMatchObject([{ revision, resolved: false, health: 'impaired' }]);
    expect((await kit.read(id)).revision).toBe(revision);
    expect(receiver.posts.at(-1)?.json).toMatchObject({ context: CONTEXT, task_id: id });
    await pass(server, HOUR);
    expect(announced()).toHaveLength(1);
  });

  test('ends with the buy: impairment, then the state, then the final report, then nothing', async () => {
    const receiverOfReports = await startReceiver();
    const reporting_webhook = { url: `${receiverOfReports.url}/reports`, reporting_frequency: 'daily' };
    const create = { end_time: '2030-01-01T12:00:00Z', reporting_webhook };
    const { server, receiver, kit, id, reject } = await running({ webhooks, create });
    server.clock.set('2030-01-01T11:59:30Z');
    await reject('No.');
    await now(server);
    const before = (await eventsOf(server, id)).length - 1;
    server.clock.set('2030-01-01T12:00:00Z');
    await now(server);
    const events = (await eventsOf(server, id)).slice(before);
    expect(events.map((event) => [event.notification_type, event.state, event.finished_at])).toEqual(
      ['impairment', null, 'scheduled', 'final'].map((type) => [type, 'delivered', Date.parse('2030-01-01T12:00:00Z')]),
    );
    const results = receiver.posts.slice(-2).map(({ json }) => json.result as ImpairmentEvent);
    expect(results.find((one) => one.notification_type === 'impairment')).toMatchObject({
      health: 'impaired',
      resolved: false,
    });
    expect(results.find((one) => one.media_buy_status !== undefined)).toMatchObject({ media_buy_status: 'completed' });
    expect(receiverOfReports.posts.map(({ json }) => (json.result as ImpairmentEvent).notification_type)).toEqual([
      'scheduled',
      'final',
    ]);

    // A buy that has ended has no health, and nothing about it is news any more.
    expect(await healthOf(kit, id)).not.toHaveProperty('health');
    await kit.sync({}, { creatives: [creative('banner', { assets: OTHER })] });
    await pass(server, 10 * DAY, DAY);
    expect(await eventsOf(server, id)).toHaveLength(before + 4);
  });

  test('ends with a cancel too, whose state the answer tells', async () => {
    const { server, kit, id, reject, announced } = await running({ webhooks });
    await reject('No.');
    await kit.update(id, { canceled: true });
    await now(server);
    expect(announced()).toMatchObject([{ resolved: false, health: 'impaired' }]);
    const events = (await eventsOf(server, id)).length;
    await pass(server, DAY, HOUR);
    expect(await eventsOf(server, id)).toHaveLength(events);
  });

  test('goes on over a restart', async () => {
    const { server, reject, announced } = await running({ webhooks });
    await reject('No.');
    await pass(server, 30 * SECOND);
    await server.restart();
    await now(server);
    expect(announced()).toEqual([]);
    await pass(server, 30 * SECOND);
    expect(announced()).toHaveLength(1);
  });
});

describe('what else a buy needs', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const people = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      external_id: `crm-${at}`,
      hashed_email: sha256(`p${at}@acme.example`),
    }));

  const HOOK = { url: 'https://hooks.buyer.example/hook', operation_id: 'op' };

  /** A seller with a buyer whose buys are real, and the buyer's endpoint. */
  async function openLive() {
    const receiver = await startReceiver();
    const tenants = tenantsFolder((tenant) => {
      addLivePrincipal(tenant);
      // A live buyer may name no loopback address; this host stands for one.
      tenant.outbound = { resolve: { 'hooks.buyer.example': receiver.url } };
    });
    const server = await boot({ tenants });
    return { server, receiver, live: shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } }) };
  }

  test('a creative that is purged impairs its buy until another one is in its place', async () => {
    const { server, kit, id, lines, announced } = await running();
    const { arrange } = controllerOf(server);
    await arrange('force_creative_purge', { creative_id: 'banner' });
    await pass(server, MINUTE);
    expect(announced()).toMatchObject([
      {
        health: 'impaired',
        resolved: false,
        impairment: {
          resource_type: 'creative',
          resource_id: 'banner',
          transition: { to: 'suspended' },
          package_ids: lines,
          reason: 'The creative was purged.',
        },
      },
    ]);
    await kit.sync({ other: lines });
    await pass(server, MINUTE);
    const [opened, closed] = announced();
    expect(closed).toMatchObject({ id: opened?.id, health: 'ok', resolved: true });
    expect(await healthOf(kit, id)).toMatchObject({ health: 'ok', impairments: [] });
  });

  test('an audience that is deleted, or too small by now, impairs the buys that target it until it is there again', async () => {
    const { server, receiver, live: one } = await openLive();
    const sync = (audience: object) =>
      one.call('sync_audiences', {
        idempotency_key: freshKey(),
        account: { account_id: LIVE_ACCOUNT },
        audiences: [{ audience_id: 'vips', ...audience }],
      });
    await sync({ add: people(400) });
    const targeted = packageRequest({ targeting_overlay: { audience_include: ['vips'] } });
    const bought = await one.create({ push_notification_config: HOOK, packages: [packageRequest(), targeted] });
    await pass(server, MINUTE);
    const before = receiver.posts.length;
    await sync({ delete: true });
    await pass(server, MINUTE);
    await sync({ add: people(400) });
    await pass(server, MINUTE);
    await sync({ remove: people(390).map(({ external_id }) => ({ external_id })) });
    await pass(server, MINUTE);
    const events = impairmentsOf(receiver, before);
    const [, line] = packageIds(bought);
    expect(events).toMatchObject([
      {
        resolved: false,
        health: 'impaired',
        impairment: {
          resource_type: 'audience',
          resource_id: 'vips',
          package_ids: [line],
          reason: 'The audience was deleted.',
        },
      },
      { resolved: true, health: 'ok' },
      { resolved: false, health: 'impaired', impairment: { reason: expect.stringContaining('Fewer than') } },
    ]);
    // The second loss is another impairment.
    expect(new Set(events.map((event) => event.id)).size).toBe(2);
    if (hasSchemas('3.1')) {
      const judge = schemaJudge('3.1');
      for (const { impairment } of events) expect(judge('core/impairment', impairment)).toEqual([]);
    }
  });

  test('an event source that is deleted, or not set up for the events any more, impairs the goals of packages until it is again', async () => {
    const [server, receiver] = [await boot(), await startReceiver()];
    const buyer = shopper(server);
    const account = { account_id: SANDBOX_ACCOUNT };
    const set = (event_sources: readonly object[], more: object = {}) =>
      buyer.call('sync_event_sources', { idempotency_key: freshKey(), account, event_sources, ...more });
    const shop = { event_source_id: 'shop', event_types: ['purchase'] };
    await set([shop, { event_source_id: 'other' }]);
    const goal = { kind: 'event', event_sources: [{ event_source_id: 'shop', event_type: 'purchase' }] };
    const product = { product_id: 'northlight_native_stories', pricing_option_id: 'cpc_fixed', budget: 3000 };
    const steered = { ...product, optimization_goals: [goal] };
    const push_notification_config = { url: `${receiver.url}/hook`, operation_id: 'op' };
    const bought = await buyer.create({ push_notification_config, packages: [packageRequest(), steered] });
    await pass(server, MINUTE);
    const before = receiver.posts.length;
    await set([shop], { delete_missing: true });
    await pass(server, MINUTE);
    expect(receiver.posts).toHaveLength(before);
    await set([{ event_source_id: 'other' }], { delete_missing: true });
    expect(await healthOf(buyer, bought.media_buy_id)).toMatchObject({ health: 'impaired' });
    await pass(server, MINUTE);
    await set([shop]);
    await pass(server, MINUTE);
    await set([{ ...shop, event_types: ['lead'] }]);
    await pass(server, MINUTE);
    await buyer.update(bought.media_buy_id, { packages: [{ package_id: packageIds(bought)[1], canceled: true }] });
    await pass(server, MINUTE);
    const events = impairmentsOf(receiver, before);
    const lost = {
      resource_type: 'event_source',
      resource_id: 'shop',
      package_ids: [packageIds(bought)[1]],
      transition: { to: 'insufficient' },
      reason_code: 'source_offline',
    };
    expect(events).toMatchObject([
      { resolved: false, health: 'impaired', impairment: { ...lost, reason: 'The event source was deleted.' } },
      { resolved: true, health: 'ok', impairment: lost },
      { resolved: false, impairment: { ...lost, reason: expect.stringContaining('purchase') } },
      { resolved: true, health: 'ok' },
    ]);
    if (hasSchemas('3.1')) {
      const judge = schemaJudge('3.1');
      for (const { impairment } of events) expect(judge('core/impairment', impairment)).toEqual([]);
    }
  });

  test('a publisher that withdraws its authorization impairs the live buys on its properties until it gives it again', async () => {
    const { server, receiver, live } = await openLive();
    const { media_buy_id: id, packages } = await live.create({ push_notification_config: HOOK });
    await pass(server, MINUTE);
    const before = receiver.posts.length;
    const { registry } = server.server().app;
    Object.assign(registry, { unauthorized: () => [`sales: ${packages[0]?.product_id}`] });
    await pass(server, MINUTE);
    expect((await healthOf(live, id)).impairments).toMatchObject([
      { resource_type: 'property', transition: { to: 'depublished' }, reason_code: 'property_depublished' },
    ]);
    Object.assign(registry, { unauthorized: () => [] });
    await pass(server, MINUTE);
    expect(impairmentsOf(receiver, before)).toMatchObject([
      { resolved: false, health: 'impaired' },
      { resolved: true, health: 'ok' },
    ]);
  });
});
