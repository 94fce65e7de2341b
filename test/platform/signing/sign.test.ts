import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signRequest } from '../../../src/platform/signing/sign.js';
import type { ReceivedRequest } from '../../../src/platform/signing/verify/received.js';
import { createVerifier } from '../../../src/platform/signing/verify/verify.js';
import { ADCP, arrived, freshKey, NONCE_TEXT, NOW, verifierOptions, webhook } from './context.js';

const KEY = freshKey('ed25519');
const OPTIONS = { tag: ADCP.webhookTag, nowSeconds: NOW, nonce: NONCE_TEXT };

describe('signRequest', () => {
  it('writes three headers, without padding, in the order of the profile', () => {
    const headers = signRequest(webhook(), KEY, OPTIONS);
    expect(Object.keys(headers)).toEqual(['Signature-Input', 'Signature', 'Content-Digest']);
    expect(headers['Signature-Input']).toBe(
      `sig1=("@method" "@target-uri" "@authority" "content-type" "content-digest");created=${NOW};expires=${NOW + 300}` +
        `;nonce="${NONCE_TEXT}";keyid="test-ed25519";alg="ed25519";tag="adcp/webhook-signing/v1"`,
    );
    expect(headers.Signature).toMatch(/^sig1=:[A-Za-z0-9_-]{86}:$/);
    expect(headers['Content-Digest']).toMatch(/^sha-256=:[A-Za-z0-9_-]{43}:$/);
  });

  it('is pure: the same arguments give the same bytes, another nonce others', () => {
    expect(signRequest(webhook(), KEY, OPTIONS)).toEqual(signRequest(webhook(), KEY, OPTIONS));
    const other = signRequest(webhook(), KEY, { ...OPTIONS, nonce: `${NONCE_TEXT}A` });
    expect(other.Signature).not.toBe(signRequest(webhook(), KEY, OPTIONS).Signature);
  });

  it('covers what a request has, and no digest where it is told so', () => {
    const headers = signRequest({ method: 'get', url: 'https://a.example' }, KEY, OPTIONS);
    expect(headers['Signature-Input']).toContain('("@method" "@target-uri" "@authority");');
    expect(headers).not.toHaveProperty('Content-Digest');
    const chosen = signRequest(webhook(), KEY, { ...OPTIONS, components: ['@method', 'content-type'] });
    expect(chosen).not.toHaveProperty('Content-Digest');
  });

  it('signs what goes over the wire: the same for two ways to type one URL', () => {
    const sign = (url: string) => signRequest(webhook('{}', url), KEY, OPTIONS).Signature;
    expect(sign('HTTPS://Buyer.Example:443/a/../b?x')).toBe(sign('https://buyer.example/b?x'));
    expect(sign("https://buyer.example/b?x='")).toBe(sign('https://buyer.example/b?x=%27'));
    expect(sign('https://[2001:DB8:0:0::1]/')).toBe(sign('https://[2001:db8::1]/'));
    expect(sign('https://buyer.example/b?')).not.toBe(sign('https://buyer.example/b'));
  });

  it.each([
    ['a padded nonce', { nonce: `${NONCE_TEXT}==` }],
    ['a short nonce', { nonce: 'AAAAAAAAAAAAAAAAAAAAA' }],
    ['milliseconds', { nowSeconds: NOW + 0.5 }],
    ['a long life', { lifetimeSeconds: 301 }],
    ['no life', { lifetimeSeconds: 0 }],
    ['a tag that is not ASCII', { tag: 'ä' }],
    ['a header inside a tag', { tag: 'a\r\nx: y' }],
  ])('refuses %s', (_what, options) => {
    expect(() => signRequest(webhook(), KEY, { ...OPTIONS, ...options })).toThrow(/signature|nonce|parameter/);
  });

  it('refuses a URL without a canonical form, and to cover what is not there', () => {
    expect(() => signRequest(webhook('{}', 'https:///x'), KEY, OPTIONS)).not.toThrow();
    expect(() => signRequest(webhook('{}', '/x'), KEY, OPTIONS)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
    const bodiless = { method: 'POST', url: 'https://a.example/' };
    expect(() => signRequest(bodiless, KEY, { ...OPTIONS, components: ['content-digest'] })).toThrow(TypeError);
  });

  it('writes a keyid that has to be escaped so that it comes back', async () => {
    const key = freshKey('ed25519', 'a"b\\c');
    const verdict = await createVerifier(verifierOptions('webhook', [key.publicJwk]))(arrived(webhook(), key));
    expect(verdict).toMatchObject({ ok: true, keyid: 'a"b\\c' });
  });
});

describe.each(['ed25519', 'ecdsa-p256-sha256'] as const)('signed with %s, verified, and tampered with', (alg) => {
  const key = freshKey(alg);
  const verdict = (request: ReceivedRequest) => createVerifier(verifierOptions('webhook', [key.publicJwk]))(request);
  const json = fc.json().map((text) => Buffer.from(text));

  it('holds for every body', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (body) => {
        expect(await verdict(arrived({ ...webhook(), body }, key))).toMatchObject({ ok: true });
      }),
      { numRuns: 50 },
    );
  });

  it('notices every changed bit of the body', async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.nat(), async (body, at) => {
        const request = arrived({ ...webhook(), body }, key);
        const changed = Buffer.from(body);
        const index = at % (changed.length * 8);
        changed[index >> 3] = (changed[index >> 3] ?? 0) ^ (1 << (index & 7));
        expect(await verdict({ ...request, body: changed })).toMatchObject({ failure: 'signature_digest_mismatch' });
      }),
      { numRuns: 50 },
    );
  });

  it('notices every changed bit of the signature', async () => {
    const request = arrived(webhook(), key);
    const text = String(request.headers.Signature).slice('sig1=:'.length, -1);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 64 * 8 - 1 }), async (index) => {
        const bytes = Buffer.from(text, 'base64url');
        bytes[index >> 3] = (bytes[index >> 3] ?? 0) ^ (1 << (index & 7));
        const headers = { ...request.headers, Signature: `sig1=:${bytes.toString('base64url')}:` };
        expect(await verdict({ ...request, headers })).toMatchObject({ failure: 'signature_invalid' });
      }),
      { numRuns: 50 },
    );
  });

  it.each<[string, Partial<ReceivedRequest>]>([
    ['the method', { method: 'PUT' }],
    ['the path', { url: 'https://buyer.example/Hooks?a=1' }],
    ['the query', { url: 'https://buyer.example/hooks?a=2' }],
    ['the host', { url: 'https://other.example/hooks?a=1' }],
    ['the scheme', { url: 'http://buyer.example/hooks?a=1' }],
  ])('notices a change of %s', async (_what, change) => {
    expect(await verdict({ ...arrived(webhook(), key), ...change })).toMatchObject({ failure: 'signature_invalid' });
  });

  it.each([
    ['created', `created=${NOW}`, `created=${NOW + 1}`],
    ['expires', `expires=${NOW + 300}`, `expires=${NOW + 299}`],
    ['nonce', NONCE_TEXT, NONCE_TEXT.toLowerCase()],
    ['the order', `created=${NOW};expires=${NOW + 300}`, `expires=${NOW + 300};created=${NOW}`],
    ['white space', ';created', '; created'],
  ])('notices a change of %s in the parameters', async (_what, from, to) => {
    const request = arrived(webhook(), key);
    const input = String(request.headers['Signature-Input']).replace(from, to);
    expect(await verdict({ ...request, headers: { ...request.headers, 'Signature-Input': input } })).toMatchObject({
      failure: 'signature_invalid',
    });
  });
});
