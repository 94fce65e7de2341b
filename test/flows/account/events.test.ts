import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import type { Payload } from '../../kit/wire.js';

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const OTHER = { brand: { domain: 'other.example' }, operator: 'other.example' };

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const event = (id: string, changes: object = {}) => ({
  event_id: id,
  event_type: 'purchase',
  event_time: '2029-12-31T12:00:00Z',
  custom_data: { value: 49.5, currency: 'USD' },
  ...changes,
});

async function setUp(server: Booted, sources?: readonly object[], more: object = {}): Promise<Payload> {
  const named = sources === undefined ? {} : { event_sources: sources };
  const args = { idempotency_key: freshKey(), account: ACCOUNT, ...named, ...more };
  return succeeded(await server.call('sync_event_sources', args));
}

async function log(server: Booted, events: readonly object[], more: object = {}): Promise<Payload> {
  const args = { idempotency_key: freshKey(), event_source_id: 'shop', events, ...more };
  return succeeded(await server.call('log_event', args));
}

const actions = (payload: Payload) =>
  (payload.event_sources as readonly { event_source_id: string; action: string }[]).map((row) => [
    row.event_source_id,
    row.action,
  ]);

describe('event sources', () => {
  test('are set up, changed, listed and removed', async () => {
    const server = await boot();
    const created = await setUp(server, [{ event_source_id: 'shop', name: 'Shop', event_types: ['purchase'] }]);
    expect(created.event_sources).toMatchObject([
      { event_source_id: 'shop', action: 'created', managed_by: 'buyer', setup: { snippet_type: 'server_only' } },
    ]);
    const same = { event_source_id: 'shop', name: 'Shop', event_types: ['purchase'] };
    expect(actions(await setUp(server, [same]))).toEqual([['shop', 'unchanged']]);
    expect(actions(await setUp(server, [{ ...same, name: 'Store' }, { event_source_id: 'app' }]))).toEqual([
      ['shop', 'updated'],
      ['app', 'created'],
    ]);
    await server.restart();
    expect(actions(await setUp(server))).toEqual([
      ['shop', 'unchanged'],
      ['app', 'unchanged'],
    ]);
    expect(actions(await setUp(server, [{ event_source_id: 'app' }], { delete_missing: true }))).toEqual([
      ['app', 'unchanged'],
      ['shop', 'deleted'],
    ]);
  });
});

describe('events', () => {
  test('count once per source, type and id, whatever the call', async () => {
    const server = await boot();
    await setUp(server, [{ event_source_id: 'shop' }]);
    const first = await log(server, [event('1'), event('2'), event('2'), event('2', { event_type: 'refund' })]);
    expect(first).toMatchObject({ events_received: 4, events_processed: 4 });
    expect(first.warnings).toEqual([
      expect.stringMatching(/^1 of the events had been logged before/),
      expect.any(String),
    ]);
    const again = await log(server, [event('1'), event('3')]);
    expect(again.warnings).toContainEqual(expect.stringMatching(/^1 of the events/));
    const trial = await log(server, [event('1')], { test_event_code: 'TEST1' });
    expect(trial.warnings).not.toContainEqual(expect.stringContaining('logged before'));
    await setUp(server, [{ event_source_id: 'app' }]);
    const elsewhere = await log(server, [event('1')], { event_source_id: 'app' });
    expect(elsewhere.warnings).not.toContainEqual(expect.stringContaining('logged before'));
  });

  test('say how many of their users are known', async () => {
    const server = await boot();
    await setUp(server, [{ event_source_id: 'shop' }]);
    const events = Array.from({ length: 200 }, (_, index) =>
      event(`e${index}`, { user_match: { hashed_email: sha256(`buyer-${index}`) } }),
    );
    const { match_quality: quality } = await log(server, events);
    expect(quality).toBeGreaterThan(0.4);
    expect(quality).toBeLessThan(0.8);
    expect(await log(server, [event('x')])).toMatchObject({
      match_quality: 0,
      warnings: [expect.stringContaining('user_match')],
    });
  });

  test.each([
    ['no id', { event_id: undefined }, 'VALIDATION_ERROR', 'event_id'],
    ['a type that is none', { event_type: 'nap' }, 'VALIDATION_ERROR', 'event_type'],
    ['a type the source is not for', { event_type: 'lead' }, 'UNSUPPORTED_FEATURE', 'event_type'],
    ['a custom event without a name', { event_type: 'custom' }, 'VALIDATION_ERROR', 'custom_event_name'],
    ['a time without an offset', { event_time: '2029-12-31T12:00:00' }, 'INVALID_REQUEST', 'event_time'],
    ['no time', { event_time: undefined }, 'INVALID_REQUEST', 'event_time'],
    ['tomorrow', { event_time: '2030-01-02T00:00:00Z' }, 'VALIDATION_ERROR', 'event_time'],
    ['a website without a page', { action_source: 'website' }, 'VALIDATION_ERROR', 'event_source_url'],
    ['a page elsewhere', { event_source_url: 'https://evil-acme.example/' }, 'VALIDATION_ERROR', 'event_source_url'],
    ['a value without its currency', { custom_data: { value: 1 } }, 'VALIDATION_ERROR', 'custom_data.currency'],
    ['less than nothing', { custom_data: { value: -1, currency: 'USD' } }, 'VALIDATION_ERROR', 'custom_data.value'],
    ['an email in the clear', { user_match: { email: 'a@b.example' } }, 'VALIDATION_ERROR', 'user_match.email'],
    ['a name that is no text', { custom_event_name: 5 }, 'VALIDATION_ERROR', 'custom_event_name'],
    ['an order that is no text', { custom_data: { order_id: 7 } }, 'VALIDATION_ERROR', 'custom_data.order_id'],
    ['half an item', { custom_data: { num_items: 1.5 } }, 'VALIDATION_ERROR', 'custom_data.num_items'],
    ['contents without ids', { custom_data: { contents: [{ price: 1 }] } }, 'VALIDATION_ERROR', 'custom_data.contents'],
    ['a place that is none', { action_source: 'moon' }, 'VALIDATION_ERROR', 'action_source'],
  ])('%s: the event fails, the others count', async (_what, changes, code, member) => {
    const server = await boot();
    const source = { event_source_id: 'shop', event_types: ['purchase', 'custom'], allowed_domains: ['acme.example'] };
    await setUp(server, [source]);
    const good = event('good', { action_source: 'website', event_source_url: 'https://shop.acme.example/thanks' });
    const answer = await log(server, [good, event('bad', changes)]);
    expect(answer).toMatchObject({ events_received: 2, events_processed: 1 });
    expect(answer.partial_failures).toMatchObject([
      { code, field: `events[1].${member}`, suggestion: expect.any(String) },
    ]);
  });

  test('need a source, and the account where several have one of its id', async () => {
    const server = await boot();
    const call = (more: object = {}) =>
      server.call('log_event', { idempotency_key: freshKey(), event_source_id: 'shop', events: [event('1')], ...more });
    expect((await call()).payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND', field: 'event_source_id' });
    await setUp(server, [{ event_source_id: 'shop' }]);
    await setUp(server, [{ event_source_id: 'shop' }], { account: OTHER });
    expect((await call()).payload.errors[0]).toMatchObject({ code: 'ACCOUNT_AMBIGUOUS', field: 'account' });
    expect(succeeded(await call({ account: OTHER })).events_processed).toBe(1);
    const stranger = await server.call(
      'log_event',
      { idempotency_key: freshKey(), event_source_id: 'shop', events: [event('1')] },
      { token: 'sandbox-token-2' },
    );
    expect(stranger.payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND' });
  });
});

describe.each(['3.0', '3.1'] as const)('the answers of %s', (version) => {
  test.skipIf(!hasSchemas(version))('are as its schemas have them', async () => {
    const judge = schemaJudge(version);
    const server = await boot();
    const steps: readonly (readonly [tool: string, args: object])[] = [
      [
        'sync_event_sources',
        { account: ACCOUNT, event_sources: [{ event_source_id: 'shop', allowed_domains: ['a.example'] }] },
      ],
      ['sync_event_sources', { account: ACCOUNT }],
      ['sync_event_sources', { account: ACCOUNT, event_sources: [{ event_source_id: 'app' }], delete_missing: true }],
      ['sync_event_sources', { account: ACCOUNT, event_sources: [] }],
      ['log_event', { event_source_id: 'app', events: [event('1'), event('1'), {}] }],
      ['log_event', { event_source_id: 'nobody', events: [event('1')] }],
    ];
    for (const [tool, args] of steps) {
      const { payload } = await server.call(tool, { idempotency_key: freshKey(), ...args }, { version });
      expect(judge(`media-buy/${tool.replaceAll('_', '-')}-response`, payload), tool).toEqual([]);
    }
  });
});
