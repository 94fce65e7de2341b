import { getPublicKeyAsync, signAsync, utils } from '@noble/ed25519';
import { httpbis } from 'http-message-signatures';
import { describe, expect, it } from 'vitest';
import { SECOND_MS } from '../../src/platform/kernel/clock.js';
import { systemIds } from '../../src/platform/kernel/ids.js';
import { contentDigest } from '../../src/platform/signing/digest.js';
import { a2aEnvelope } from '../../src/protocol/webhook-envelope.js';
import { send } from '../kit/http.js';
import { ADCP, freshKey } from '../platform/signing/context.js';
import { addressOf, startSender } from '../seller/webhooks/sender.js';
import { challengeOf, KEY, openServiceContext, SECRET, SELLER, sendHmac, signedAt, taskEvent } from './context.js';

const ES_KEY = freshKey('ecdsa-p256-sha256', 'seller-es');
const OLD_PURPOSE = freshKey('ed25519', 'seller-3.0', 'webhook-signing');
const KEYS = [KEY, ES_KEY, OLD_PURPOSE];
const JWKS = JSON.stringify({ keys: KEYS.map((key) => key.publicJwk) });

describe('what is accepted', () => {
  it.each(KEYS)('is signed by $kid ($alg), acknowledged, and handed over once', async (key) => {
    const context = await openServiceContext({ jwks: JWKS });
    const event = taskEvent();
    const answer = await context.post(event, { key });
    expect(answer).toMatchObject({ status: 200, text: '{"status":"accepted"}' });
    await context.receiver.tick();
    expect(context.handled).toEqual([
      {
        sender: SELLER,
        idempotencyKey: event.idempotency_key,
        notificationId: null,
        reemissionOf: null,
        mode: 'rfc9421',
        keyid: key.kid,
        target: '/hooks',
        kind: 'mcp',
        payload: event,
        body: JSON.stringify(event),
        receivedAt: context.clock.now(),
        attempt: 1,
      },
    ]);
  });

  it('may be signed by another implementation, with noble and standard base64', async () => {
    const secretKey = utils.randomSecretKey();
    const x = Buffer.from(await getPublicKeyAsync(secretKey));
    const publicJwk = { ...KEY.publicJwk, kid: 'elsewhere', x: x.toString('base64url') };
    const context = await openServiceContext({ jwks: JSON.stringify({ keys: [publicJwk] }) });
    const body = JSON.stringify(taskEvent());
    const created = new Date(context.clock.now());
    const signed = await httpbis.signMessage(
      {
        name: 'sig1',
        key: { id: 'elsewhere', alg: 'ed25519', sign: async (base) => Buffer.from(await signAsync(base, secretKey)) },
        fields: ['@method', '@target-uri', '@authority', 'content-type', 'content-digest'],
        params: ['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'],
        paramValues: {
          created,
          expires: new Date(created.getTime() + 240 * SECOND_MS),
          nonce: systemIds.secret(),
          tag: ADCP.webhookTag,
        },
      },
      {
        method: 'POST',
        url: context.url,
        headers: {
          host: new URL(context.url).host,
          'content-type': 'application/json',
          'content-digest': contentDigest(Buffer.from(body), 'base64'),
        },
      },
    );
    const answer = await send(context.url, { method: 'POST', headers: signed.headers as Record<string, string>, body });
    expect(challengeOf(answer)).toBeUndefined();
    expect(answer.status).toBe(200);
  });

  it('is what our own sender posts, whatever the mode', async () => {
    const sender = await startSender();
    const context = await openServiceContext({
      clock: sender.clock,
      jwks: JSON.stringify({ keys: [sender.key.publicJwk] }),
      endpoints: (base, jwksUri) => [
        ...signedAt('/hooks')(base, jwksUri),
        { url: `${base}/hmac`, mode: 'hmac-sha256', credentials: [SECRET], sender: 'hmac seller' },
        { url: `${base}/bearer`, mode: 'bearer', credentials: [SECRET], sender: 'bearer seller' },
      ],
    });
    const keys = [
      await sender.send(addressOf(`${context.url}?route=a%2Fb`)),
      await sender.send(addressOf(`${context.base}/hmac`, { mode: 'hmac-sha256', credentials: SECRET })),
      await sender.send(addressOf(`${context.base}/bearer`, { mode: 'bearer', credentials: SECRET })),
    ];
    await sender.settle();
    await context.receiver.tick();
    const senders = new Map(context.handled.map((event) => [event.idempotencyKey, event.sender]));
    expect(keys.map((key) => senders.get(key))).toEqual([SELLER, 'hmac seller', 'bearer seller']);
    expect(await sender.store.read.webhookLog.backlog()).toMatchObject({ pending: 0, dead: 0 });
  });

  it('carries the tag of either name of the protocol', async () => {
    const context = await openServiceContext();
    for (const tag of ADCP.acceptedWebhookTags) expect((await context.post(taskEvent(), { tag })).status).toBe(200);
  });

  it('may be an A2A task, whose key and token stand in its metadata', async () => {
    const context = await openServiceContext({
      endpoints: (base, jwksUri) =>
        signedAt('/hooks')(base, jwksUri).map((endpoint) => ({ ...endpoint, token: 'a-token-of-the-buyer' })),
    });
    const key = systemIds.uuid();
    const notice = {
      taskId: 'task_1',
      taskType: 'create_media_buy',
      status: 'completed',
      timestamp: context.clock.iso(),
    } as const;
    const event = a2aEnvelope(key, notice, { operation_id: 'op_1', token: 'a-token-of-the-buyer' });
    expect((await context.post(event)).status).toBe(200);
    await context.receiver.tick();
    expect(context.handled.map((one) => one.idempotencyKey)).toEqual([key]);
  });

  it('belongs to the endpoint with the longest path above it', async () => {
    const context = await openServiceContext({
      endpoints: (base, jwksUri) => [
        ...signedAt('/hooks')(base, jwksUri),
        { url: `${base}/hooks/legacy`, mode: 'hmac-sha256', credentials: [SECRET], sender: 'hmac seller' },
      ],
    });
    const body = (): string => JSON.stringify(taskEvent());
    expect((await context.post(taskEvent(), { url: `${context.url}/create_media_buy/agent_1` })).status).toBe(200);
    expect((await sendHmac(`${context.url}/legacy/x?y=1`, body(), context.clock.now())).status).toBe(200);
    expect(challengeOf(await sendHmac(`${context.url}/legacies`, body(), context.clock.now()))).toBe(
      'webhook_mode_mismatch',
    );
    await context.receiver.tick();
    expect(context.handled.map((event) => event.target)).toEqual([
      '/hooks/create_media_buy/agent_1',
      '/hooks/legacy/x?y=1',
    ]);
  });
});
