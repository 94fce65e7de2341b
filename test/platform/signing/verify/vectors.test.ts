import { describe, expect, it } from 'vitest';
import { signRequest } from '../../../../src/platform/signing/sign.js';
import { readSignatureFields } from '../../../../src/platform/signing/signature-fields.js';
import type { Profile } from '../../../../src/platform/signing/verify/codes.js';
import { createMemoryNonces, type NonceStore } from '../../../../src/platform/signing/verify/nonces.js';
import { createRevocation } from '../../../../src/platform/signing/verify/revocation.js';
import { createVerifier, type Verdict } from '../../../../src/platform/signing/verify/verify.js';
import { protocolNames } from '../../../../src/protocol/names.js';
import { received, signingKeyOf, type Vector, vectorKeys, vectors } from './vectors.js';

const ADCP = protocolNames('adcp');
const SOURCE = 'the vectors';

const SETS = [
  { set: 'webhook-signing', profile: 'webhook', positive: 7, negative: 21 },
  { set: 'request-signing', profile: 'request', positive: 12, negative: 27 },
] as const;

/** A store with the state that a vector asks for. */
async function nonces({ test_harness_state: state = {}, reference_now: now }: Vector): Promise<NonceStore> {
  const filled = state.per_keyid_cap_filled_for ?? state.replay_cache_per_keyid_cap_hit?.keyid;
  const store = createMemoryNonces({ perKey: 3, total: 100 });
  const used = (state.replay_cache_entries ?? []).map(({ keyid, nonce }) => ({ keyid, nonce }));
  const filling = filled === undefined ? [] : ['a', 'b', 'c'].map((nonce) => ({ keyid: filled, nonce }));
  for (const use of [...used, ...filling]) {
    expect(await store.claim({ source: SOURCE, ...use }, now + 360, now)).toBe('claimed');
  }
  return store;
}

async function verify(
  set: 'webhook-signing' | 'request-signing',
  profile: Profile,
  vector: Vector,
  purposes?: string[],
) {
  const { test_harness_state: state = {}, jwks_ref: named = [], jwks_override: override = {} } = vector;
  const replaced = Array.isArray(override.keys) ? (override.keys as object[]) : Object.values(override);
  const published = vectorKeys(set).filter(({ kid }) => named.includes(kid));
  // A key of the override takes the place of the published one with its name.
  const jwks = [...replaced, ...published] as { readonly kid: string }[];
  const late = state.revocation_list_stale_seconds ?? 0;
  const updated = vector.reference_now - late;
  const revoked = state.revoked_kids ?? state.revocation_list?.revoked_kids ?? [];
  return createVerifier({
    profile,
    names: ADCP,
    keys: (keyid) => {
      const jwk = jwks.find(({ kid }) => kid === keyid);
      return jwk === undefined
        ? { kind: 'unknown' }
        : { kind: 'found', jwk, signer: 'https://agent.example/mcp', source: SOURCE };
    },
    nonces: await nonces(vector),
    revocation: createRevocation(() => ({ updated, nextUpdate: updated + 600, revokedKids: revoked })),
    now: () => vector.reference_now,
    contentDigest: vector.verifier_capability?.covers_content_digest ?? 'either',
    ...(purposes === undefined ? {} : { purposes }),
  })(received(vector));
}

const codeOf = (verdict: Verdict): string => (verdict.ok ? 'verified' : (verdict.code ?? verdict.failure));

describe.each(SETS)('the published vectors of $set', ({ set, profile, positive, negative }) => {
  // The vectors of this release want keys of the set's own purpose; later ones take request-signing for both.
  const purposes = [set];

  it('are all there', () => {
    expect([vectors(set, 'positive').length, vectors(set, 'negative').length]).toEqual([positive, negative]);
  });

  it.each(vectors(set, 'positive'))('$file verifies', async (vector) => {
    expect(await verify(set, profile, vector, purposes)).toMatchObject({
      ok: true,
      signer: 'https://agent.example/mcp',
    });
  });

  it.each(vectors(set, 'negative'))('$file is refused with its code', async (vector) => {
    expect(codeOf(await verify(set, profile, vector, purposes))).toBe(vector.expected_outcome.error_code);
  });

  it.each(vectors(set, 'positive'))('$file is what our signer makes of the same request', (vector) => {
    const { headers, method, url, body } = vector.request;
    const fields = readSignatureFields(headers['Signature-Input'] ?? '', headers.Signature ?? '', 'sig1');
    const parameters = Object.fromEntries(fields?.parameters ?? []);
    const key = vectorKeys(set).find(({ kid }) => kid === parameters.keyid);
    if (key === undefined || fields === undefined) throw new Error('the vector names no published key');
    const signed = signRequest(
      { method, url, contentType: headers['Content-Type'] ?? '', body: Buffer.from(body) },
      signingKeyOf(key),
      {
        tag: String(parameters.tag),
        nowSeconds: Number(parameters.created),
        lifetimeSeconds: Number(parameters.expires) - Number(parameters.created),
        nonce: String(parameters.nonce),
        components: fields.components as never,
        digestEncoding: 'base64',
      },
    );
    expect(signed['Signature-Input']).toBe(`sig1=${fields.received}`);
    expect(signed['Content-Digest']).toBe(
      fields.components.includes('content-digest') ? headers['Content-Digest'] : undefined,
    );
    // ES256 takes a random number for each signature.
    if (key.alg === 'EdDSA') expect(signed.Signature).toBe(headers.Signature?.split(', ')[0]);
    else expect(signed.Signature).toMatch(/^sig1=:[A-Za-z0-9_-]{86}:$/);
  });
});

describe('a key of the other purpose', () => {
  const [vector] = vectors('webhook-signing', 'negative').filter(({ file }) => file.startsWith('008-'));

  it('is refused by a verifier of 3.0 and taken by one of 3.1', async () => {
    if (vector === undefined) throw new Error('the vector is gone');
    expect(codeOf(await verify('webhook-signing', 'webhook', vector, ['webhook-signing']))).toBe(
      'webhook_signature_key_purpose_invalid',
    );
    expect(codeOf(await verify('webhook-signing', 'webhook', vector))).toBe('verified');
  });
});
