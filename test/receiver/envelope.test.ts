import { describe, expect, it } from 'vitest';
import { a2aEnvelope, a2aEnvelopeOf10, mcpEnvelope } from '../../src/protocol/webhook-envelope.js';
import { judgeEnvelope } from '../../src/receiver/envelope.js';
import { artifactBody, listChangeBody, revocationBody } from '../../src/seller/webhooks/events/payloads.js';
import { openServiceContext, taskEvent } from './context.js';

const AT = '2030-01-01T00:00:00Z';
const TASK = {
  taskId: 'task_1',
  taskType: 'create_media_buy',
  timestamp: AT,
  result: { media_buy_id: 'mb_1' },
} as const;

function accountEvent(idempotency_key: string, notification_type: string): object {
  const ids = { notification_id: 'ntf_1', subscriber_id: 'buyer-primary', account_id: 'acct_1', creative_id: 'banner' };
  return { idempotency_key, notification_type, fired_at: AT, ...ids };
}

/** Every body that the sender of this package writes, under a key. */
const SENT: readonly (readonly [what: string, kind: string, body: (key: string) => object])[] = [
  ['a task in its own envelope', 'mcp', (key) => mcpEnvelope(key, { ...TASK, status: 'working' }, {})],
  ['a finished task of A2A', 'a2a', (key) => a2aEnvelope(key, { ...TASK, status: 'completed' }, {})],
  ['a status of A2A', 'a2a', (key) => a2aEnvelope(key, { ...TASK, status: 'working' }, {})],
  ['a finished task of A2A 1.0', 'a2a', (key) => a2aEnvelopeOf10(key, { ...TASK, status: 'failed' }, {})],
  ['a status of A2A 1.0', 'a2a', (key) => a2aEnvelopeOf10(key, { ...TASK, status: 'input-required' }, {})],
  ['the move of a creative', 'account_event', (key) => accountEvent(key, 'creative.status_changed')],
  ['the end of a creative', 'account_event', (key) => accountEvent(key, 'creative.purged')],
  ...(['collection_list_changed', 'property_list_changed'] as const).map(
    (event) =>
      [
        event,
        'list_change',
        (key: string) => listChangeBody(key, event, { list_id: 'list_1', resolved_at: AT }),
      ] as const,
  ),
  [
    'a batch of content',
    'artifacts',
    (key) => artifactBody(key, { media_buy_id: 'mb_1', batch_id: 'batch_1', timestamp: AT, artifacts: [] }),
  ],
  [
    'revoked rights',
    'revocation',
    (key) => revocationBody(key, { rights_id: 'r_1', brand_id: 'b_1', reason: 'The grant ended.', effective_at: AT }),
  ],
];

describe('a body that the sender of this package writes', () => {
  it.each(SENT)('%s is received as %s', async (_what, kind, body) => {
    const context = await openServiceContext();
    const { idempotency_key: key } = taskEvent();
    expect((await context.post(body(key))).json()).toEqual({ status: 'accepted' });
    await context.receiver.tick();
    expect(context.handled).toMatchObject([{ idempotencyKey: key, kind }]);
  });
});

const CHALLENGE = {
  type: 'webhook.challenge',
  challenge: 'x'.repeat(43),
  account_id: 'acct_1',
  subscriber_id: 'buyer-primary',
  seller_agent_url: 'https://seller.example/sales/mcp',
  delivery_auth: { mode: 'rfc9421' },
  event_types: ['creative.purged'],
};

describe('a challenge', () => {
  it('of a sender that is believed is answered with its own text, and is no event', async () => {
    const context = await openServiceContext();
    expect((await context.post(CHALLENGE)).json()).toEqual({ challenge: CHALLENGE.challenge });
    await context.receiver.tick();
    expect(context.handled).toEqual([]);
    expect(context.receipts).toMatchObject([{ kind: 'challenge', payload: CHALLENGE }]);
  });

  it('that nobody signed is refused', async () => {
    const context = await openServiceContext();
    expect((await context.post(CHALLENGE, { headers: { Signature: undefined } })).status).toBe(401);
  });
});

describe('an envelope', () => {
  it.each([
    ['a result', { media_buy_id: 'mb_1', status: 'active' }, undefined],
    ['an empty object', {}, undefined],
    ['a member that only wraps', { task: 'task_1' }, undefined],
    ['an empty task id', taskEvent({ task_id: '' }), 'task_id'],
  ])('is not made of %s', (_what, payload, lacks) => {
    expect(judgeEnvelope(payload)).toEqual({ ok: false, lacks });
  });
});
