import {
  InMemoryReplayStore,
  InMemoryRevocationStore,
  StaticJwksResolver,
  verifyRequestSignature,
} from '@adcp/sdk/signing/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalTargetUri } from '../../../../src/platform/signing/target-uri.js';
import { publicKeyOf, sdkVerifier, verifiesByPackage } from '../../../kit/oracles.js';
import { ADCP, arrived, freshKey } from '../context.js';

/** The oracles know no other time than the machine's. */
const now = Math.floor(Date.now() / 1000);
const KEYS = [
  freshKey('ed25519'),
  freshKey('ecdsa-p256-sha256'),
  freshKey('ed25519', 'for-3.0', 'webhook-signing'),
  freshKey('ecdsa-p256-sha256', 'es-for-3.0', 'webhook-signing'),
];

const path = fc.stringMatching(/^(\/[A-Za-z0-9._~!$&()*+,;=:@%-]{0,8}){0,4}$/).map((text) => text.replace(/%/g, '%C3'));
const query = fc.option(fc.stringMatching(/^[A-Za-z0-9._~&=+/?-]{0,12}$/), { nil: undefined });
const request = fc
  .record({
    host: fc.constantFrom('buyer.example', 'Buyer.Example:443', 'buyer.example:8443', 'bücher.example'),
    path,
    query,
    body: fc.uint8Array({ maxLength: 300 }),
    contentType: fc.constantFrom('application/json', 'application/json; charset=utf-8'),
    nonce: fc.uint8Array({ minLength: 16, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  })
  .map(({ host, path: rest, query: tail, ...others }) => ({
    ...others,
    method: 'POST',
    url: `https://${host}${rest}${tail === undefined ? '' : `?${tail}`}`,
  }));

describe.each(KEYS)('what $kid ($alg) signs', (key) => {
  it('verifies with http-message-signatures and independent cryptography', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        const sent = arrived(one, key, { nonce: one.nonce, nowSeconds: now });
        expect(await verifiesByPackage(sent, [publicKeyOf(key.publicJwk)])).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('verifies with the public SDK', async () => {
    const jwks = new StaticJwksResolver([key.publicJwk as never]);
    const isWebhook = key.purpose === 'webhook-signing';
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        // The SDK loses a question mark at the end and refuses hosts in other letters.
        const url = canonicalTargetUri(new URL(one.url).href).uri.replace(/\?+$/, '');
        const tag = isWebhook ? ADCP.webhookTag : ADCP.requestTag;
        const { headers, body } = arrived({ ...one, url }, key, { nonce: one.nonce, nowSeconds: now, tag });
        const state = { replayStore: new InMemoryReplayStore(), revocationStore: new InMemoryRevocationStore() };
        const received = { method: 'POST', url, headers: headers as Record<string, string>, body: Buffer.from(body) };
        if (isWebhook) {
          const request = { method: 'POST', url, headers, body };
          expect(await sdkVerifier([key.publicJwk])(request, now)).toBe('verified');
          return;
        }
        const capability = { supported: true, covers_content_digest: 'required' as const, required_for: [] };
        const result = await verifyRequestSignature(
          received as never,
          {
            jwks,
            now: () => now,
            capability,
            operation: 'create_media_buy',
            ...state,
          } as never,
        );
        expect(result).toMatchObject({ status: 'verified', keyid: key.kid });
      }),
      { numRuns: 50 },
    );
  });
});
