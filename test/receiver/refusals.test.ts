import { describe, expect, it } from 'vitest';
import { SECOND_MS } from '../../src/platform/kernel/clock.js';
import { createRevocation } from '../../src/platform/signing/verify/revocation.js';
import type { ReceiverEndpoint } from '../../src/receiver/endpoints.js';
import { type HttpAnswer, send } from '../kit/http.js';
import { ADCP, freshKey, NOW } from '../platform/signing/context.js';
import {
  type ContextOptions,
  challengeOf,
  KEY,
  NEW_SECRET,
  openServiceContext,
  type ReceiverContext,
  SECRET,
  type Signing,
  sendHmac,
  signedAt,
  signedRequest,
  taskEvent,
} from './context.js';

const OTHER_PURPOSE = freshKey('ed25519', 'seller-other', 'response-signing');
const REVOKED = freshKey('ed25519', 'seller-revoked');
const JWKS = JSON.stringify({ keys: [KEY, OTHER_PURPOSE, REVOKED].map((key) => key.publicJwk) });
const TOKEN = 'a-token-of-the-buyer';

/** Signed events, the same with a token, and both legacy schemes, in one receiver. */
const ALL_MODES: ContextOptions = {
  jwks: JWKS,
  endpoints: (base, jwksUri) => [
    ...signedAt('/hooks', '/down')(base, jwksUri),
    ...signedAt('/token')(base, jwksUri).map((endpoint) => ({ ...endpoint, token: TOKEN })),
    ...signedAt('/mcp-only')(base, jwksUri).map((endpoint) => ({ ...endpoint, format: 'mcp' as const })),
    ...signedAt('/a2a-only')(base, jwksUri).map((endpoint) => ({ ...endpoint, format: 'a2a' as const })),
    { url: `${base}/hmac`, mode: 'hmac-sha256', credentials: [SECRET, NEW_SECRET], sender: 'hmac seller' },
    { url: `${base}/bearer`, mode: 'bearer', credentials: [SECRET, NEW_SECRET], sender: 'bearer seller' },
  ],
  options: {
    revocation: createRevocation(() => ({ updated: NOW, nextUpdate: NOW + 1800, revokedKids: [REVOKED.kid] })),
  },
};

type Send = (context: ReceiverContext) => Promise<HttpAnswer>;

const JSON_TYPE = { 'content-type': 'application/json' };
const NAMED_TWICE = '{"idempotency_key":"0123456789abcdef","status":"failed","st\\u0061tus":"completed"}';

const signed =
  (signing: Signing = {}, event: object | string = taskEvent()): Send =>
  (context) =>
    context.post(event, signing);
const dated =
  (seconds: number): Send =>
  (context) =>
    context.post(taskEvent(), { nowSeconds: context.clock.now() / SECOND_MS + seconds });
const plain =
  (headers: Readonly<Record<string, string>>, path = '/hooks', method = 'POST'): Send =>
  ({ base }) =>
    send(base + path, { method, headers, ...(method === 'POST' ? { body: JSON.stringify(taskEvent()) } : {}) });
const hmac =
  (path = '/hmac', secret = SECRET, body = JSON.stringify(taskEvent()), seconds = 0): Send =>
  ({ base, clock }) =>
    sendHmac(base + path, body, clock.now() + seconds * SECOND_MS, secret);
const bearer = (token: string, path = '/bearer'): Send =>
  plain({ ...JSON_TYPE, authorization: `Bearer ${token}` }, path);

/** What was signed for the registered address, taken to another one. */
const resent: Send = ({ base, url, clock }) =>
  send(`${base}/hooks/x`, signedRequest(JSON.stringify(taskEvent()), { url, nowSeconds: clock.now() / SECOND_MS }));

const UNCOVERED = ['@method', '@target-uri', '@authority', 'content-type'] as const;

const UNPROVEN: readonly (readonly [what: string, code: string, send: Send])[] = [
  ['without a signature', 'webhook_signature_header_malformed', plain(JSON_TYPE)],
  ['with half a signature', 'webhook_signature_header_malformed', signed({ headers: { Signature: undefined } })],
  ['tagged for requests', 'webhook_signature_tag_invalid', signed({ tag: ADCP.requestTag })],
  ['dated 61 seconds ahead', 'webhook_signature_window_invalid', dated(61)],
  ['that expired 61 seconds ago', 'webhook_signature_window_invalid', dated(-361)],
  ['without a digest', 'webhook_signature_components_incomplete', signed({ components: UNCOVERED })],
  ['by a key nobody publishes', 'webhook_signature_key_unknown', signed({ key: freshKey('ed25519', 'nobody') })],
  ['by a key for something else', 'webhook_signature_key_purpose_invalid', signed({ key: OTHER_PURPOSE })],
  ['by a revoked key', 'webhook_signature_key_revoked', signed({ key: REVOKED })],
  ['under the name of another key', 'webhook_signature_invalid', signed({ key: freshKey('ed25519', KEY.kid) })],
  ['for another host', 'webhook_target_uri_malformed', signed({ headers: { host: 'buyer.example' } })],
  ['for another address', 'webhook_signature_invalid', resent],
  ['of another body', 'webhook_signature_digest_mismatch', signed({ body: JSON.stringify(taskEvent()) })],
  ['of a name that stands twice', 'webhook_body_malformed', signed({}, NAMED_TWICE)],
  ['of what is no JSON', 'webhook_body_malformed', signed({}, '{"idempotency_key":')],
  ['with a secret where keys are registered', 'webhook_mode_mismatch', hmac('/hooks')],
  ['with a token where keys are registered', 'webhook_mode_mismatch', bearer(SECRET, '/hooks')],
  [
    'signed where a secret is registered',
    'webhook_mode_mismatch',
    (context) => signed({ url: `${context.base}/hmac` })(context),
  ],
  ['with a token where a secret is registered', 'webhook_mode_mismatch', bearer(SECRET, '/hmac')],
  ['with a secret where a token is registered', 'webhook_mode_mismatch', hmac('/bearer')],
  ['without anything where a secret is registered', 'webhook_signature_header_malformed', plain(JSON_TYPE, '/hmac')],
  ['with another secret', 'webhook_signature_invalid', hmac('/hmac', 'x'.repeat(20) + 'y'.repeat(20))],
  ['with a timestamp of long ago', 'webhook_signature_window_invalid', hmac('/hmac', SECRET, '{}', -301)],
  ['with a timestamp ahead', 'webhook_signature_window_invalid', hmac('/hmac', SECRET, '{}', 301)],
  ['with a secret, of a name that stands twice', 'webhook_body_malformed', hmac('/hmac', SECRET, NAMED_TWICE)],
  ['with another token', 'webhook_signature_invalid', bearer('x'.repeat(40))],
  ['without anything where a token is registered', 'webhook_signature_header_malformed', plain(JSON_TYPE, '/bearer')],
];

const KEYED = { idempotency_key: 'x'.repeat(16) };
const A2A_TASK = { kind: 'task', id: 'task_1', status: { state: 'completed' }, metadata: KEYED };
const CREATIVE_EVENT = {
  notification_type: 'creative.status_changed',
  notification_id: 'cs_1',
  fired_at: '2030-01-01T00:00:00Z',
  subscriber_id: 'buyer-primary',
};
const NO_ENVELOPE = { code: 'INVALID_REQUEST', message: 'The body is no envelope of a webhook.' };
const WRONG_ENVELOPE = { code: 'INVALID_REQUEST', field: 'status' };

const REFUSED: readonly (readonly [what: string, status: number, error: object, send: Send])[] = [
  ['at no address', 404, { code: 'REFERENCE_NOT_FOUND' }, plain(JSON_TYPE, '/other')],
  ['at the beginning of an address', 404, { code: 'REFERENCE_NOT_FOUND' }, plain(JSON_TYPE, '/hook')],
  ['that is no POST', 405, { code: 'INVALID_REQUEST' }, plain({}, '/hooks', 'GET')],
  ['as text', 415, { code: 'INVALID_REQUEST', field: 'content-type' }, plain({ 'content-type': 'text/plain' })],
  ['of two types', 415, { code: 'INVALID_REQUEST' }, plain({ 'content-type': 'application/json, text/plain' })],
  ['of no type', 415, { code: 'INVALID_REQUEST' }, plain({})],
  ['that is a list', 400, { code: 'INVALID_REQUEST' }, signed({}, [taskEvent()])],
  ['that is a result alone', 400, NO_ENVELOPE, signed({}, { media_buy_id: 'mb_1', status: 'active', packages: [] })],
  ['that is a result alone, with a key', 400, NO_ENVELOPE, signed({}, { ...KEYED, media_buy_deliveries: [] })],
  ['that is an acknowledgment alone', 400, lacks('task_type'), signed({}, { status: 'submitted', task_id: 'task_1' })],
  ...['task_id', 'task_type', 'status', 'timestamp'].map(
    (name) => [`whose envelope lacks ${name}`, 400, lacks(name), signed({}, taskEvent({ [name]: undefined }))] as const,
  ),
  ['of A2A without an id', 400, lacks('id'), signed({}, { ...A2A_TASK, id: undefined })],
  ['of A2A without a key', 400, keyRefused(), signed({}, { ...A2A_TASK, metadata: {} })],
  ['in A2A’s envelope where the other is registered', 400, WRONG_ENVELOPE, at('/mcp-only', A2A_TASK)],
  ['in the task envelope where A2A is registered', 400, WRONG_ENVELOPE, at('/a2a-only', taskEvent())],
  ['about a creative that names no account', 400, lacks('account_id'), signed({}, { ...KEYED, ...CREATIVE_EVENT })],
  ['about a list that names none', 400, lacks('list_id'), signed({}, { ...KEYED, event: 'property_list_changed' })],
  ['with content of no batch', 400, lacks('batch_id'), signed({}, { ...KEYED, media_buy_id: 'mb_1', artifacts: [] })],
  ['about rights of no brand', 400, lacks('brand_id'), signed({}, { ...KEYED, rights_id: 'r_1' })],
  [
    'that challenges with a short text',
    400,
    lacks('challenge'),
    signed({}, { type: 'webhook.challenge', challenge: 'x'.repeat(31), subscriber_id: 's' }),
  ],
  ['without a key', 400, keyRefused(), signed({}, { ...taskEvent(), idempotency_key: undefined })],
  ['with a short key', 400, keyRefused(), signed({}, { ...taskEvent(), idempotency_key: 'x'.repeat(15) })],
  ['with a long key', 400, keyRefused(), signed({}, { ...taskEvent(), idempotency_key: 'x'.repeat(256) })],
  ['with a number for a key', 400, keyRefused(), signed({}, { ...taskEvent(), idempotency_key: 1e20 })],
  [
    'with a notification_id that cannot be kept',
    400,
    { code: 'INVALID_REQUEST', field: 'notification_id' },
    signed({}, taskEvent({ notification_id: 'x y' })),
  ],
  ['without its token', 403, { code: 'PERMISSION_DENIED', field: 'token' }, at('/token', taskEvent())],
  ['with another token', 403, { code: 'PERMISSION_DENIED' }, at('/token', taskEvent({ token: `${TOKEN}x` }))],
  ['under a secret that is no JSON', 400, { code: 'INVALID_REQUEST' }, hmac('/hmac', SECRET, 'nothing')],
];

function lacks(field: string): object {
  return { code: 'INVALID_REQUEST', field };
}

function keyRefused(): object {
  return { code: 'INVALID_REQUEST', field: 'idempotency_key' };
}

function at(path: string, event: object): Send {
  return (context) => context.post(event, { url: context.base + path });
}

async function expectNothingStored(context: ReceiverContext): Promise<void> {
  await context.receiver.tick();
  expect(context.handled).toEqual([]);
  for (const state of ['waiting', 'handled', 'dead'] as const) {
    expect(await context.store.list(state, { limit: 10, after: undefined })).toEqual([]);
  }
}

describe('a request', () => {
  it.each(UNPROVEN)('%s is answered 401 with %s and not a word more', async (_what, code, sendIt) => {
    const context = await openServiceContext(ALL_MODES);
    const answer = await sendIt(context);
    expect([answer.status, challengeOf(answer), answer.text]).toEqual([401, code, '']);
    expect(context.receipts).toEqual([{ kind: 'unproven', code }]);
    await expectNothingStored(context);
  });

  it.each(REFUSED)('%s is answered %d with a code and what to do', async (_what, status, error, sendIt) => {
    const context = await openServiceContext(ALL_MODES);
    const answer = await sendIt(context);
    expect(answer.status).toBe(status);
    expect(answer.headers['www-authenticate']).toBeUndefined();
    const expected = { message: expect.stringMatching(/\.$/), suggestion: expect.stringMatching(/\.$/), ...error };
    expect(answer.json()).toMatchObject({ error: expected });
    await expectNothingStored(context);
  });

  it('is answered as the table says for its smallest differences in time', async () => {
    const context = await openServiceContext(ALL_MODES);
    for (const fits of [
      dated(60),
      dated(-360),
      hmac('/hmac', SECRET, undefined, 300),
      hmac('/hmac', SECRET, undefined, -300),
    ])
      expect((await fits(context)).status).toBe(200);
  });

  it('may be proven by the old or the new credential while it is replaced', async () => {
    const context = await openServiceContext(ALL_MODES);
    for (const secret of [SECRET, NEW_SECRET]) {
      expect((await hmac('/hmac', secret)(context)).status).toBe(200);
      expect((await bearer(secret)(context)).status).toBe(200);
    }
  });

  it.each(ADCP.hmacHeaders)('may be proven under the headers %s', async (name) => {
    const context = await openServiceContext(ALL_MODES);
    const body = JSON.stringify(taskEvent());
    expect((await sendHmac(`${context.base}/hmac`, body, context.clock.now(), SECRET, [name])).status).toBe(200);
  });

  it('that was seen before is a replay, although its key is known; a retry is signed anew and is a duplicate', async () => {
    const context = await openServiceContext(ALL_MODES);
    const event = taskEvent();
    const nowSeconds = context.clock.now() / SECOND_MS;
    const request = signedRequest(JSON.stringify(event), { url: context.url, nowSeconds });
    expect((await send(context.url, request)).status).toBe(200);
    expect(challengeOf(await send(context.url, request))).toBe('webhook_signature_replayed');
    expect(await context.post(event)).toMatchObject({ status: 200, text: '{"status":"duplicate"}' });
  });

  it('logs of a malformed body no more than cleaned names', async () => {
    const context = await openServiceContext(ALL_MODES);
    await signed({}, '{"a\\u001b[2Jsecret":1,"a\\u001b[2Jsecret":2}')(context);
    const [line, ...more] = context.log;
    expect(more).toEqual([]);
    expect(line?.text).toContain('"names":["a<sanitized:');
    expect(line?.text).not.toContain('secret');
  });
});

describe('the keys of the sender', () => {
  it('that cannot be had are no fault of the signature: 503, and again in 30 seconds', async () => {
    let isDown = true;
    const context = await openServiceContext({
      jwks: (_request, response) => {
        if (isDown) response.writeHead(500).end();
        else response.end(JWKS);
      },
    });
    const event = taskEvent();
    const answer = await context.post(event);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
    expect(answer.headers['www-authenticate']).toBeUndefined();
    isDown = false;
    context.clock.advance(31 * SECOND_MS);
    expect(await context.post(event)).toMatchObject({ status: 200, text: '{"status":"accepted"}' });
  });

  it('are found by way of the operator’s brand.json', async () => {
    const files: Record<string, string> = {};
    const context = await openServiceContext({
      jwks: (_request, response) => response.end(files.jwks),
      endpoints: (base, jwksUri) => {
        const url = jwksUri.replace('/jwks.json', '/sales/mcp');
        files.brand = JSON.stringify({ agents: [{ type: 'sales', id: 'sales', url, jwks_uri: jwksUri }] });
        return [
          { url: `${base}/hooks`, mode: 'rfc9421', agents: [{ url, brandJsonUrl: jwksUri.replace('jwks', 'brand') }] },
        ];
      },
      files: { '/brand.json': (_request, response) => response.end(files.brand) },
    });
    files.jwks = JWKS;
    expect((await context.post(taskEvent())).status).toBe(200);
    await context.receiver.tick();
    expect(context.handled[0]?.sender).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sales\/mcp$/);
  });
});

const url = 'https://buyer.example/a';
const sender = 'seller';
const IMPOSSIBLE: readonly (readonly [what: string, endpoints: readonly ReceiverEndpoint[], message: RegExp])[] = [
  ['without senders', [{ url, mode: 'rfc9421', agents: [] }], /agents/],
  ['without an address', [{ url: '/a', mode: 'bearer', credentials: [SECRET], sender }], /endpoints\[0\]\.url/],
  ['without a credential', [{ url, mode: 'bearer', credentials: [], sender }], /credentials/],
  ['with a short secret', [{ url, mode: 'hmac-sha256', credentials: ['x'], sender }], /32 bytes/],
  [
    'at one path',
    [SECRET, NEW_SECRET].map((secret) => ({ url, mode: 'bearer', credentials: [secret], sender })),
    /same path/,
  ],
];

describe('endpoints', () => {
  it.each(IMPOSSIBLE)('%s are refused when they are opened', async (_what, endpoints, message) => {
    await expect(openServiceContext({ endpoints: () => endpoints })).rejects.toThrow(message);
  });
});
