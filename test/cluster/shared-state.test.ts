import { describe, expect, it } from 'vitest';
import { a2aBuyer } from '../kit/a2a.js';
import { type Booted, boot } from '../kit/boot.js';
import { createRequest, createRequestByKey, KIT_TOKEN, succeeded } from '../kit/buyer.js';
import { controllerOf } from '../kit/controller.js';
import { operatorOf } from '../kit/operator.js';
import { tenantsFolder } from '../kit/tenants.js';
import { bootTwo, shareDatabase } from '../kit/two-servers.js';
import type { Payload } from '../kit/wire.js';
import { outcome, post, refused, signingContext, WHO_AM_I } from '../seller/http/signatures/signing-context.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BRIEF = 'Premium video and display on sports and outdoor lifestyle. $50K budget. Adults 25-54, US and Canada.';
const ACCOUNT = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
/** An offer of the shipped tenant that has to be finalized. */
const RESERVED = 'premium_video_reserved';

const statusOf = async (server: Booted, id: unknown): Promise<unknown> =>
  succeeded(await server.call('get_media_buys', { media_buy_ids: [id] })).media_buys?.[0]?.status;

const jwksOf = async ({ baseUrl }: Booted): Promise<unknown> =>
  (await fetch(`${baseUrl}/.well-known/jwks.json`)).json();

const askBrief = async (server: Booted) =>
  succeeded(
    await server.call('get_products', { account: ACCOUNT, buying_mode: 'brief', brief: BRIEF }, { token: KIT_TOKEN }),
  );

const proposalsOf = (payload: Payload) =>
  (payload as unknown as { proposals: readonly { proposal_id: string; proposal_status?: string }[] }).proposals;

describe('the sandbox of a principal whose calls come to two processes', () => {
  it('has one clock: what it is turned on by at one, the other moves its buys by', async () => {
    const { one, two } = await bootTwo();
    const flight = { start_time: '2030-01-03T00:00:00Z', end_time: '2030-01-13T00:00:00Z' };
    const { media_buy_id } = succeeded(await one.call('create_media_buy', createRequest(flight)));
    await two.server().tick();
    for (const [server, ms, status] of [
      [one, 3 * DAY_MS, 'active'],
      [two, 10 * DAY_MS, 'completed'],
    ] as const) {
      const advance = { advance_ms: ms, tenant: 'sales', principal: 'sandbox' };
      expect((await operatorOf(server).post('/clock', advance)).status).toBe(200);
      for (const asked of [one, two]) expect(await statusOf(asked, media_buy_id)).toBe(status);
    }
    await one.server().tick();
    expect(one.server().app.clock.ahead()).toEqual(two.server().app.clock.ahead());
  });

  it('has one set of fixtures', async () => {
    const { one, two } = await bootTwo();
    const product = { product_id: 'seeded', name: 'Seeded', delivery_type: 'non_guaranteed' };
    const find = async (server: Booted) => {
      const asked = { buying_mode: 'wholesale' };
      const { products } = succeeded(await server.call('get_products', asked, { token: KIT_TOKEN }));
      return (products as readonly { product_id: string }[]).filter(({ product_id }) => product_id === 'seeded').length;
    };
    expect(await find(two)).toBe(0);
    await controllerOf(one).arrange('seed_product', { product_id: 'seeded', fixture: product });
    expect([await find(two), await find(one)]).toEqual([1, 1]);
  });

  it('is given an answer that it ordered once, by whichever process is asked next', async () => {
    const { one, two } = await bootTwo();
    const signals = { tenant: 'signals', token: KIT_TOKEN, version: '3.1' };
    const ask = async (server: Booted) =>
      succeeded(await server.call('get_signals', { signal_spec: 'in-market EV buyers' }, signals)).status;
    await controllerOf(one, signals).arrange('force_get_signals_arm', { arm: 'submitted', task_id: 'sig-1' });
    expect([await ask(two), await ask(one), await ask(two)]).toEqual(['submitted', 'completed', 'completed']);
  });
});

describe('two processes on one database', () => {
  it('move the buys of one that has ended', async () => {
    const { one, two, pass } = await bootTwo();
    const flight = { start_time: '2030-01-03T00:00:00Z', end_time: '2030-01-13T00:00:00Z' };
    const { media_buy_id } = succeeded(await one.call('create_media_buy', createRequest(flight)));
    await one.close();
    pass(3 * DAY_MS);
    await two.server().tick();
    const { store } = two.server().app;
    expect((await store.read.mediaBuys.find('sales#sandbox', String(media_buy_id)))?.status).toBe('active');
  });

  it('show a buyer the same proposals, as they are after a change at the other one', async () => {
    const { one, two } = await bootTwo();
    for (const server of [one, two]) await askBrief(server);
    const refine = [{ scope: 'proposal', proposal_id: RESERVED, action: 'finalize' }];
    succeeded(
      await one.call('get_products', { account: ACCOUNT, buying_mode: 'refine', refine }, { token: KIT_TOKEN }),
    );
    const seen = [];
    for (const server of [one, two])
      seen.push(proposalsOf(await askBrief(server)).find(({ proposal_id }) => proposal_id === RESERVED));
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]?.proposal_status).toBe('committed');
  });

  it('sell what is promised once, however old an answer about what is left is', async () => {
    const { one, two } = await bootTwo();
    const buy = (server: Booted) =>
      server.call(
        'create_media_buy',
        createRequestByKey({
          packages: undefined,
          proposal_id: RESERVED,
          total_budget: { amount: 50_000, currency: 'USD' },
        }),
        { token: KIT_TOKEN },
      );
    await askBrief(one);
    succeeded(
      await one.call(
        'get_products',
        {
          account: ACCOUNT,
          buying_mode: 'refine',
          refine: [{ scope: 'proposal', proposal_id: RESERVED, action: 'finalize' }],
        },
        { token: KIT_TOKEN },
      ),
    );
    const bought = await Promise.all([buy(one), buy(two)]);
    expect(bought.filter(({ isError }) => !isError)).toHaveLength(1);
  });
});

describe('a signed call', () => {
  it('is a replay at one process once it came to another', async () => {
    const shared = await shareDatabase();
    const { server: one, alice, tenants } = await signingContext(undefined, shared);
    const two = await boot({ ...shared, tenants });
    const again = { sign: { nonce: 'twenty-two-characters-0' } };
    expect(outcome(await post(one, alice, WHO_AM_I, again))).toEqual(['acct_alice']);
    expect(outcome(await post(two, alice, WHO_AM_I, again))).toEqual(refused('signature_replayed'));
    expect(outcome(await post(two, alice, WHO_AM_I))).toEqual(['acct_alice']);
  });
});

describe('the secrets of two processes on one database', () => {
  it('are one set: a link that one gives out opens at the other, and ids of previews are the same', async () => {
    const { one, two } = await bootTwo();
    const token = one.server().app.approvalLinks.write('task-1', one.clock.now() + DAY_MS);
    expect(two.server().app.approvalLinks.read(token, two.clock.now())).toEqual({
      subject: 'task-1',
      isExpired: false,
    });
    const ids = [one, two].map((server) => server.server().app.renderer().previews.idKey('sales#sandbox'));
    expect(ids[1]).toBe(ids[0]);
  });

  it('are one key ring: a key that one rotates to is published by both at once, and signs at both in its time', async () => {
    const { one, two, pass } = await bootTwo();
    const rings = [one, two].map((server) => server.server().app.keys);
    const signing = () => rings.map((ring) => ring.signing('request-signing').kid);
    expect(await jwksOf(two)).toEqual(await jwksOf(one));
    const rotated = await Promise.allSettled(rings.map((ring) => ring.rotate({})));
    expect(rotated.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await jwksOf(two)).toEqual(await jwksOf(one));
    const [kid] = signing();
    expect(signing()).toEqual([kid, kid]);
    pass(HOUR_MS);
    await Promise.all(rings.map((ring) => ring.tick()));
    expect(new Set(signing()).size).toBe(1);
    expect(signing()[0]).not.toBe(kid);
    expect(rings[1]?.list()).toEqual(rings[0]?.list());
  });

  it('lie sealed in the database, and are those of the next process', async () => {
    const { one, two } = await bootTwo();
    const stored = await two.server().app.store.read.secrets.find('signing-keys');
    expect(JSON.parse(stored?.text ?? '')).toEqual({ keys: one.server().app.keys.rows() });
    await two.restart();
    expect(await jwksOf(two)).toEqual(await jwksOf(one));
  });
});

describe('a task of A2A that is opened at one process', () => {
  it('is answered, registered for and canceled at the other', async () => {
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] }));
    const { one, two } = await bootTwo({ tenants });
    const [here, there] = [a2aBuyer(one), a2aBuyer(two)];
    const over = await here.call('get_media_buys');
    expect(await there.get(over.id)).toEqual(over);
    const task = await here.call('create_media_buy', createRequest());
    expect(await there.get(task.id)).toEqual(task);
    const config = { id: 'hook', url: 'https://buyer.example/hook' };
    await there.rpc('tasks/pushNotificationConfig/set', { taskId: task.id, pushNotificationConfig: config });
    const listed = await here.rpc('tasks/pushNotificationConfig/list', { id: task.id });
    expect(listed.result).toMatchObject([{ pushNotificationConfig: config }]);
    await there.rpc('tasks/cancel', { id: task.id });
    expect((await here.get(task.id)).status.state).toBe('canceled');
  });
});
