import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/platform/kernel/canonical.js';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, KIT_TOKEN, succeeded } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { settle, verifierOf } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { type ReceivedPost, type Receiver, startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { shopper } from '../../kit/shopper.js';
import { tenantsFolder } from '../../kit/tenants.js';

const KEY = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
const EVENTS = ['creative.status_changed', 'creative.purged'];

/** An endpoint that proves that it wants the events; its posts without the challenges. */
async function startSubscriber(): Promise<Receiver & { readonly events: () => readonly ReceivedPost[] }> {
  const receiver = await startReceiver();
  receiver.always(({ json }) =>
    isChallenge(json) ? { status: 200, body: JSON.stringify({ challenge: json.challenge }) } : 200,
  );
  return { ...receiver, events: () => receiver.posts.filter(({ json }) => !isChallenge(json)) };
}

function isChallenge({ type }: Readonly<Record<string, unknown>>): boolean {
  return type === 'webhook.challenge';
}

/** A seller that looks at creatives. */
function reviewing(): Promise<Booted> {
  const tenants = tenantsFolder((tenant) => {
    tenant.policies = { ...(tenant.policies as object), creative_approval: 'manual' };
  });
  return boot({ tenants });
}

function subscriber(id: string, url: string, changes: object = {}): object {
  return { subscriber_id: id, url: `${url}/${id}`, event_types: EVENTS, ...changes };
}

/** Syncs the account of the public test kit with these subscribers; answers its row. */
async function subscribe(server: Booted, configs: readonly object[] | undefined, more: object = {}) {
  const entry = { ...KEY, billing: 'operator', notification_configs: configs };
  const args = { idempotency_key: freshKey(), adcp_version: '3.1', accounts: [entry], ...more };
  const { accounts } = succeeded(await server.call('sync_accounts', args, { token: KIT_TOKEN }));
  return accounts[0] as unknown as Row;
}

type Row = {
  readonly account_id: string;
  readonly action: string;
  readonly notification_configs?: readonly object[];
  readonly errors?: readonly { readonly code: string; readonly field: string; readonly suggestion: string }[];
};

describe('notification_configs of an account', () => {
  test('are kept once their endpoint has proven itself, and shown without credentials', async () => {
    const [server, hook] = [await reviewing(), await startSubscriber()];
    const authentication = { schemes: ['HMAC-SHA256'], credentials: 'a-shared-secret-of-more-than-32-characters' };
    const configs = [
      subscriber('buyer-primary', hook.url, { ext: { team: 'a' } }),
      subscriber('audit-bus', hook.url, { authentication }),
      subscriber('paused', 'https://nobody.example', { active: false }),
    ];
    const row = await subscribe(server, configs);
    const shown = [
      { ...configs[0], active: true },
      { ...configs[1], active: true, authentication: { schemes: ['HMAC-SHA256'] } },
      configs[2],
    ];
    expect(row).toMatchObject({ action: 'created', notification_configs: shown });
    const { accounts } = succeeded(await server.call('list_accounts', {}, { token: KIT_TOKEN }));
    expect(accounts).toMatchObject([{ account_id: row.account_id, notification_configs: shown }]);
    expect(JSON.stringify([row, accounts])).not.toContain(authentication.credentials);

    // Those that are active were challenged, signed in either mode of delivery.
    const verify = await verifierOf(server);
    expect(hook.posts.map(({ json }) => json.subscriber_id).sort()).toEqual(['audit-bus', 'buyer-primary']);
    for (const post of hook.posts) {
      expect(await verify(post, hook.url)).toMatchObject({ ok: true });
      if (hasSchemas('3.1')) expect(schemaJudge('3.1')('core/webhook-challenge', post.json)).toEqual([]);
      expect(post.json).toMatchObject({ account_id: row.account_id, seller_agent_url: `${server.baseUrl}/sales/mcp` });
    }
    const legacy = hook.posts.find(({ json }) => json.subscriber_id === 'audit-bus');
    const credential_fingerprint = sha256Hex(authentication.credentials);
    expect(legacy?.json.delivery_auth).toEqual({ mode: 'HMAC-SHA256', credential_fingerprint });

    // What was proven holds: only the changed one is asked again, and an unchanged list changes nothing.
    const before = hook.posts.length;
    expect(await subscribe(server, configs)).toMatchObject({ action: 'unchanged', notification_configs: shown });
    expect(hook.posts).toHaveLength(before);
    const narrowed = [subscriber('buyer-primary', hook.url, { event_types: ['creative.purged'] }), configs[1]];
    expect(await subscribe(server, narrowed as object[])).toMatchObject({ action: 'updated' });
    expect(hook.posts.slice(before).map(({ json }) => json.subscriber_id)).toEqual(['buyer-primary']);
    // Left out they stay, and an empty list removes them.
    expect((await subscribe(server, undefined)).notification_configs).toHaveLength(2);
    expect(await subscribe(server, [])).toMatchObject({ action: 'updated', notification_configs: [] });
  });

  const fails = (url: string, status: number, body?: string) => ({ url, reaction: { status, body } });
  test.each([
    ['answers 404', fails('', 404)],
    ['answers something else', fails('', 200, '{"challenge":"x"}')],
    ['answers in both members', fails('', 200, '{"challenge":"x","token":"x"}')],
    ['answers nothing', fails('', 200)],
  ])('are refused where the endpoint %s; those before stay', async (_what, { reaction }) => {
    const [server, hook, other] = [await reviewing(), await startSubscriber(), await startReceiver()];
    await subscribe(server, [subscriber('buyer-primary', hook.url)]);
    other.always(reaction);
    const row = await subscribe(server, [subscriber('buyer-primary', hook.url), subscriber('b', other.url)]);
    expect(row).toMatchObject({
      action: 'failed',
      errors: [{ code: 'VALIDATION_ERROR', field: 'accounts[0].notification_configs[1].url' }],
    });
    expect(row.errors?.[0]?.suggestion).toContain('webhook.challenge');
    const { accounts } = succeeded(await server.call('list_accounts', {}, { token: KIT_TOKEN }));
    expect(accounts).toMatchObject([{ notification_configs: [{ subscriber_id: 'buyer-primary' }] }]);
  });

  const at = (path: string) => `accounts[0].notification_configs${path}`;
  const one = (changes: object) => [subscriber('a', 'https://buyer.example', changes)];
  test.each([
    ['a duplicate', [...one({}), ...one({})], 'INVALID_REQUEST', at('[1].subscriber_id')],
    [
      'a report of a buy',
      one({ event_types: ['creative.purged', 'scheduled'] }),
      'INVALID_REQUEST',
      at('[0].event_types[1]'),
    ],
    ['an impairment', one({ event_types: ['impairment'] }), 'INVALID_REQUEST', at('[0].event_types[0]')],
    [
      'a state of the account',
      one({ event_types: ['account.status_changed'] }),
      'INVALID_REQUEST',
      at('[0].event_types[0]'),
    ],
    [
      'a feed that is not sent',
      one({ event_types: ['signal.created'] }),
      'UNSUPPORTED_FEATURE',
      at('[0].event_types[0]'),
    ],
    [
      'an event named twice',
      one({ event_types: ['creative.purged', 'creative.purged'] }),
      'INVALID_REQUEST',
      at('[0].event_types[1]'),
    ],
    ['no events', one({ event_types: undefined }), 'INVALID_REQUEST', at('[0].event_types')],
    ['an id with a space', one({ subscriber_id: 'a b' }), 'INVALID_REQUEST', at('[0].subscriber_id')],
    [
      'an address inside, even paused',
      one({ url: 'https://10.0.0.1/x', active: false }),
      'INVALID_REQUEST',
      at('[0].url'),
    ],
    [
      'a short secret',
      one({ authentication: { schemes: ['Bearer'], credentials: 'x' } }),
      'INVALID_REQUEST',
      at('[0].authentication.credentials'),
    ],
    ['a member of nobody', one({ token: 'x'.repeat(20) }), 'INVALID_REQUEST', at('[0].token')],
  ])('refuse %s', async (_what, configs, code, field) => {
    const server = await reviewing();
    const trial = await subscribe(server, configs, { dry_run: true });
    if (!field.endsWith('.url') && !field.includes('authentication'))
      expect(trial).toMatchObject({ action: 'failed', errors: [{ code, field, suggestion: expect.any(String) }] });
    expect(await subscribe(server, configs)).toMatchObject({
      action: 'failed',
      errors: [{ code, field, suggestion: expect.any(String) }],
    });
  });

  test('are tried without a challenge in a dry run, which keeps nothing', async () => {
    const [server, hook] = [await reviewing(), await startSubscriber()];
    const row = await subscribe(server, [subscriber('a', hook.url)], { dry_run: true });
    expect(row.notification_configs).toHaveLength(1);
    expect(hook.posts).toEqual([]);
    const { accounts } = succeeded(await server.call('list_accounts', {}, { token: KIT_TOKEN }));
    expect(accounts).toEqual([]);
  });
});

describe('the subscribers of an account', () => {
  test('hear of each move of a creative that its seller made, once each, and of none of their own', async () => {
    const [server, hook] = [await reviewing(), await startSubscriber()];
    const { account_id } = await subscribe(server, [
      subscriber('one', hook.url),
      subscriber('two', hook.url),
      subscriber('purges', hook.url, { event_types: ['creative.purged'] }),
      subscriber('paused', hook.url, { active: false }),
    ]);
    const kit = shopper(server, 'kit');
    await kit.sync({ banner: [], other: [] }, { assignments: undefined });
    await settle(server);
    expect(hook.events()).toEqual([]);
    const operator = operatorOf(server);
    await operator.approve('banner');
    await operator.reject('other', 'The logo is missing.');
    await settle(server);
    const verify = await verifierOf(server);
    for (const post of hook.events()) {
      expect(await verify(post, hook.url)).toMatchObject({ ok: true });
      if (hasSchemas('3.1'))
        expect(schemaJudge('3.1')('creative/creative-status-changed-webhook', post.json)).toEqual([]);
    }
    const told = hook.events().map(({ json }) => json);
    const common = { notification_type: 'creative.status_changed', account_id, initiator: 'seller' };
    const approved = {
      ...common,
      creative_id: 'banner',
      transition: { from: 'pending_review', to: 'approved' },
      reason_code: 'review_passed',
    };
    const rejected = {
      ...common,
      creative_id: 'other',
      transition: { from: 'pending_review', to: 'rejected' },
      reason_code: 'review_failure',
      reason_detail: 'The logo is missing.',
    };
    expect(told).toHaveLength(4);
    for (const subscriber_id of ['one', 'two']) {
      expect(told.filter((event) => event.subscriber_id === subscriber_id)).toMatchObject(
        expect.arrayContaining([expect.objectContaining({ creative_id: 'banner' })]),
      );
    }
    for (const event of told) expect(event).toMatchObject(event.creative_id === 'banner' ? approved : rejected);
    // One thing happened, told under one id and two keys.
    expect(new Set(told.map((event) => event.notification_id)).size).toBe(2);
    expect(new Set(told.map((event) => event.idempotency_key)).size).toBe(4);
    // What the buyer does itself is in the answers to its calls.
    await kit.sync({ banner: [] }, { delete_missing: true, assignments: undefined });
    await settle(server);
    expect(hook.events()).toHaveLength(4);
  });

  test('hear of a creative that is destroyed, with its kind and reason', async () => {
    const [server, hook] = [await boot(), await startSubscriber()];
    await subscribe(server, [subscriber('one', hook.url)]);
    await shopper(server, 'kit').sync({ banner: [], other: [] }, { assignments: undefined });
    const controller = controllerOf(server);
    await controller.arrange('force_creative_purge', { creative_id: 'banner', purge_kind: 'soft' });
    await controller.arrange('force_creative_purge', {
      creative_id: 'other',
      purge_kind: 'hard',
      reason_code: 'takedown_request',
    });
    await settle(server);
    const told = hook.events().map(({ json }) => json);
    expect(told).toMatchObject([
      {
        notification_type: 'creative.purged',
        creative_id: 'banner',
        purge_kind: 'soft',
        reason_code: 'retention_expired',
      },
      {
        notification_type: 'creative.purged',
        creative_id: 'other',
        purge_kind: 'hard',
        reason_code: 'takedown_request',
      },
    ]);
    if (hasSchemas('3.1'))
      for (const event of told) expect(schemaJudge('3.1')('creative/creative-purged-webhook', event)).toEqual([]);
  });

  test('that moved or were paused meanwhile: the next attempt follows the registration', async () => {
    const [server, hook, next] = [await reviewing(), await startSubscriber(), await startSubscriber()];
    await subscribe(server, [subscriber('one', hook.url)]);
    await shopper(server, 'kit').sync({ banner: [], other: [] }, { assignments: undefined });
    hook.always(503);
    await operatorOf(server).approve('banner');
    await settle(server);
    expect(hook.events()).toHaveLength(1);
    await subscribe(server, [subscriber('one', next.url)]);
    server.clock.advance(60_000);
    await settle(server);
    expect(next.events().map(({ json }) => json)).toEqual(hook.events().map(({ json }) => json));
    next.always(503);
    await operatorOf(server).approve('other');
    await settle(server);
    await subscribe(server, [subscriber('one', next.url, { active: false })]);
    server.clock.advance(60_000);
    await settle(server);
    expect(next.events()).toHaveLength(2);
  });
});
