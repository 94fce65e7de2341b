import { createHmac, timingSafeEqual } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { checkSecret, isBearer, signHmac, verifyHmac } from '../../../src/platform/signing/hmac.js';
import { ADCP, NOW } from './context.js';

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

const SECRET = 'whsec_0123456789abcdef0123456789abcdef';
const BODY = Buffer.from('{"idempotency_key":"evt_1","status":"completed"}');
const OPTIONS = { secret: SECRET, timestampSeconds: NOW, headers: ADCP.hmacHeaders };
const RECEIVER = { secrets: [SECRET], headers: ADCP.hmacHeaders, nowSeconds: NOW };

const verify = (
  headers: Readonly<Record<string, string>>,
  body: Uint8Array = BODY,
  change: Partial<typeof RECEIVER> = {},
) => {
  const verdict = verifyHmac({ headers, body }, { ...RECEIVER, ...change });
  return verdict.ok ? 'verified' : verdict.reason;
};

describe('the HMAC scheme', () => {
  it('signs timestamp, dot and raw body, under both names of the protocol', () => {
    // By `printf '%s.%s' 1893456000 '{"idempotency_key":"evt_1","status":"completed"}' | openssl dgst -sha256 -hmac …`.
    const signature = 'sha256=a52bcd2351833089831575801c48214554bdc8f3d5789a5260df76216f499fd9';
    expect(signHmac(BODY, OPTIONS)).toEqual({
      'X-ADCP-Signature': signature,
      'X-ADCP-Timestamp': String(NOW),
      'X-PROTO-Signature': signature,
      'X-PROTO-Timestamp': String(NOW),
    });
  });

  it('is what the formula says, for every body and time', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.integer({ min: 0, max: 4_000_000_000 }), (body, timestampSeconds) => {
        const message = Buffer.concat([Buffer.from(`${timestampSeconds}.`), body]);
        const expected = `sha256=${createHmac('sha256', SECRET).update(message).digest('hex')}`;
        expect(signHmac(body, { ...OPTIONS, timestampSeconds })['X-ADCP-Signature']).toBe(expected);
      }),
    );
  });

  it.each(['X-ADCP', 'X-PROTO', 'x-adcp'])('is verified under the name %s alone', (name) => {
    const signed = signHmac(BODY, { ...OPTIONS, headers: [name] });
    expect(verify(signed)).toBe('verified');
  });

  it('takes the old and the new secret while one is replaced', () => {
    expect(verify(signHmac(BODY, OPTIONS), BODY, { secrets: ['x'.repeat(40), SECRET] })).toBe('verified');
    expect(verify(signHmac(BODY, OPTIONS), BODY, { secrets: ['x'.repeat(40)] })).toBe('signature_invalid');
    expect(verify(signHmac(BODY, OPTIONS), BODY, { secrets: [] })).toBe('signature_invalid');
  });

  const signed = signHmac(BODY, { ...OPTIONS, headers: ['X-ADCP'] });
  it.each<[string, Record<string, string | undefined>, string]>([
    ['no signature', { 'X-ADCP-Signature': undefined }, 'headers_missing'],
    ['no timestamp', { 'X-ADCP-Timestamp': undefined }, 'headers_missing'],
    ['a timestamp that is no number', { 'X-ADCP-Timestamp': 'now' }, 'timestamp_invalid'],
    ['a timestamp with a fraction', { 'X-ADCP-Timestamp': `${NOW}.0` }, 'timestamp_invalid'],
    ['an empty timestamp', { 'X-ADCP-Timestamp': '' }, 'timestamp_invalid'],
    ['a timestamp in milliseconds', { 'X-ADCP-Timestamp': `${NOW}000` }, 'timestamp_invalid'],
    ['an old timestamp', { 'X-ADCP-Timestamp': String(NOW - 301) }, 'timestamp_invalid'],
    ['a timestamp ahead', { 'X-ADCP-Timestamp': String(NOW + 301) }, 'timestamp_invalid'],
    ['another timestamp in time', { 'X-ADCP-Timestamp': String(NOW - 300) }, 'signature_invalid'],
    [
      'a signature without its name',
      { 'X-ADCP-Signature': signed['X-ADCP-Signature']?.slice('sha256='.length) },
      'headers_malformed',
    ],
    ['half a signature', { 'X-ADCP-Signature': signed['X-ADCP-Signature']?.slice(0, -2) }, 'headers_malformed'],
    ['two names that disagree', { 'X-PROTO-Signature': `sha256=${'0'.repeat(64)}` }, 'headers_malformed'],
  ])('refuses %s', (_what, change, reason) => {
    const headers = Object.entries({ ...signed, ...change }).filter(([, value]) => value !== undefined);
    expect(verify(Object.fromEntries(headers) as Record<string, string>)).toBe(reason);
  });

  it('refuses every other body', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        fc.pre(!Buffer.from(body).equals(BODY));
        expect(verify(signed, body)).toBe('signature_invalid');
      }),
    );
  });

  it.each([0, 31])('is compared whole and in constant time when byte %i is wrong, with every secret', async (at) => {
    // Loaded anew: a worker shares its modules, and one that was there before knows the real comparison alone.
    vi.resetModules();
    const { verifyHmac: verifyWatched } = await import('../../../src/platform/signing/hmac.js');
    const wrong = createHmac('sha256', SECRET).update(`${NOW}.`).update(BODY).digest();
    wrong[at] = (wrong[at] ?? 0) ^ 1;
    const compared = vi.mocked(timingSafeEqual);
    compared.mockClear();
    const headers = { 'X-ADCP-Signature': `sha256=${wrong.toString('hex')}`, 'X-ADCP-Timestamp': String(NOW) };
    const secrets = [SECRET, 'x'.repeat(40)];
    expect(verifyWatched({ headers, body: BODY }, { ...RECEIVER, secrets })).toMatchObject({
      reason: 'signature_invalid',
    });
    expect(compared.mock.calls.map(([ours, given]) => [ours.byteLength, given.byteLength])).toEqual([
      [32, 32],
      [32, 32],
    ]);
  });

  it('refuses a body that repeats a name, after the signature was found good', () => {
    const body = Buffer.from('{"status":"completed","status":"failed"}');
    expect(verify(signHmac(body, OPTIONS), body)).toBe('body_malformed');
    expect(verify(signed, body)).toBe('signature_invalid');
  });

  it('is verified by the public SDK', async () => {
    const { ADCPMultiAgentClient } = await import('@adcp/sdk');
    const agent = { id: 'a', name: 'A', agent_uri: 'https://seller.example/mcp', protocol: 'mcp' as const };
    const now = Math.floor(Date.now() / 1000);
    const client = new ADCPMultiAgentClient([agent], { webhookSecret: SECRET });
    const { 'X-ADCP-Signature': signature = '' } = signHmac(BODY, { ...OPTIONS, timestampSeconds: now });
    expect(client.agent('a').verifyWebhookSignature(BODY.toString(), signature, now)).toBe(true);
    expect(client.agent('a').verifyWebhookSignature(`${BODY} `, signature, now)).toBe(false);
  });
});

describe('a shared secret', () => {
  it.each(['', 'a'.repeat(31), '0'.repeat(40), '\0'.repeat(32)])('%j protects nothing', (secret) => {
    const refused = () => checkSecret(secret, 'push_notification_config.authentication.credentials');
    expect(refused).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        extras: expect.objectContaining({
          field: 'push_notification_config.authentication.credentials',
          suggestion: expect.stringContaining('32'),
        }),
      }),
    );
  });

  it('may be 32 bytes, also of fewer letters', () => {
    expect(() => checkSecret(SECRET, 'x')).not.toThrow();
    expect(() => checkSecret(`${'ä'.repeat(15)}bc`, 'x')).not.toThrow();
  });

  it('is never shown, and never signs when it is too short', () => {
    expect(() => checkSecret('hush-hush', 'x')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hush') }),
    );
    expect(() => signHmac(BODY, { ...OPTIONS, secret: 'short' })).toThrow(RangeError);
  });
});

describe('a bearer', () => {
  it.each([
    ['Bearer token-1', true],
    ['bearer  token-1 ', true],
    ['Bearer token-2', false],
    ['Bearer token-1 x', false],
    ['token-1', false],
    ['Basic token-1', false],
    ['Bearer ', false],
    [undefined, false],
  ])('%j: %s', (authorization, expected) => {
    expect(isBearer(authorization, 'token-1')).toBe(expected);
  });

  it('is never the empty one', () => {
    expect(isBearer('Bearer ', '')).toBe(false);
    expect(isBearer(undefined, '')).toBe(false);
  });
});
