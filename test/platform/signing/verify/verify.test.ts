import { describe, expect, it } from 'vitest';
import { ALGORITHMS } from '../../../../src/platform/signing/algorithms.js';
import { writeBytes } from '../../../../src/platform/signing/digest.js';
import { signatureBase } from '../../../../src/platform/signing/signature-base.js';
import { FAILURES, SIGNATURE_CODES, signatureChallenge } from '../../../../src/platform/signing/verify/codes.js';
import { receivedHeaders } from '../../../../src/platform/signing/verify/received.js';
import { NO_REVOCATION } from '../../../../src/platform/signing/verify/revocation.js';
import type { VerifierOptions } from '../../../../src/platform/signing/verify/verification.js';
import { createVerifier, loggableNames, STEPS } from '../../../../src/platform/signing/verify/verify.js';
import { protocolNames } from '../../../../src/protocol/names.js';
import { ADCP, arrived, freshKey, NONCE_TEXT, NOW, verifierOptions, webhook } from '../context.js';

const KEY = freshKey('ed25519');
const SIGNED = arrived(webhook(), KEY);

const verify = (request = SIGNED, change: Partial<VerifierOptions> = {}, jwks: readonly object[] = [KEY.publicJwk]) =>
  createVerifier({ ...verifierOptions('webhook', jwks), ...change })(request);

const withHeaders = (headers: Readonly<Record<string, string | readonly string[] | undefined>>) => ({
  ...SIGNED,
  headers: { ...SIGNED.headers, ...headers },
});

const withInput = (from: string, to: string) =>
  withHeaders({ 'Signature-Input': String(SIGNED.headers['Signature-Input']).replace(from, to) });

describe('a request that holds', () => {
  it('names the agent that published the key, and what was covered', async () => {
    expect(await verify()).toEqual({
      ok: true,
      keyid: 'test-ed25519',
      signer: 'https://seller.example/mcp',
      alg: 'ed25519',
      nonce: NONCE_TEXT,
      created: NOW,
      expires: NOW + 300,
      covered: ['@method', '@target-uri', '@authority', 'content-type', 'content-digest'],
    });
  });

  it.each([
    [
      'header names in lower case',
      Object.fromEntries(Object.entries(SIGNED.headers).map(([name, value]) => [name.toLowerCase(), value])),
    ],
    ['a Host header in other letters, with the port', { ...SIGNED.headers, host: 'BUYER.example:443' }],
    [
      'a signature in padded base64',
      {
        ...SIGNED.headers,
        Signature: String(SIGNED.headers.Signature).replaceAll('-', '+').replaceAll('_', '/').replace(/:$/, '==:'),
      },
    ],
    [
      'one more label',
      {
        ...SIGNED.headers,
        'Signature-Input': `${SIGNED.headers['Signature-Input']}, sig2=("@method");tag="x"`,
        Signature: `${SIGNED.headers.Signature}, sig2=:AAAA:`,
      },
    ],
  ])('may have %s', async (_what, headers) => {
    expect(await verify({ ...SIGNED, headers })).toMatchObject({ ok: true });
  });

  it('may cover one more header, which then counts', async () => {
    const input = String(SIGNED.headers['Signature-Input']).replace('"content-digest"', '"content-digest" "x-trace"');
    const values = [
      ['@method', 'POST'],
      ['@target-uri', 'https://buyer.example/hooks?a=1'],
      ['@authority', 'buyer.example'],
      ['content-type', 'application/json'],
      ['content-digest', String(SIGNED.headers['Content-Digest'])],
      ['x-trace', 'one, two'],
    ] as const;
    const base = Buffer.from(signatureBase(values, input.slice('sig1='.length)));
    const signature = `sig1=${writeBytes(ALGORITHMS.ed25519.sign(base, KEY.privateKey))}`;
    const headers = { 'Signature-Input': input, Signature: signature, 'X-Trace': ['one', 'two'] };
    expect(await verify(withHeaders(headers))).toMatchObject({ ok: true, covered: values.map(([name]) => name) });
    const changed = withHeaders({ ...headers, 'X-Trace': ['one'] });
    expect(await verify(changed)).toMatchObject({ failure: 'signature_invalid' });
  });

  it.each(['adcp', 'proto'])('may be signed in the name of %s', async (own) => {
    const names = protocolNames(own);
    const { adcp_use: use, proto_use: _, ...jwk } = KEY.publicJwk;
    const member = { [`${own}_use`]: use };
    expect(await verify(arrived(webhook(), KEY, { tag: names.webhookTag }), {}, [{ ...jwk, ...member }])).toMatchObject(
      {
        ok: true,
      },
    );
  });

  it('may not be signed in the name of another protocol', async () => {
    const request = arrived(webhook(), KEY, { tag: 'other/webhook-signing/v1' });
    expect(await verify(request)).toMatchObject({ code: 'webhook_signature_tag_invalid' });
    expect(
      await verify(request, { names: protocolNames('other') }, [{ ...KEY.publicJwk, other_use: 'request-signing' }]),
    ).toMatchObject({ ok: true });
  });
});

describe('the first step that fails is the answer', () => {
  const jwk = (change: object) => [{ ...KEY.publicJwk, ...change }];
  const es = freshKey('ecdsa-p256-sha256', KEY.kid).publicJwk;

  it.each<[string, Parameters<typeof verify>, string, string]>([
    [
      'no headers',
      [withHeaders({ Signature: undefined, 'Signature-Input': undefined })],
      '1 headers',
      'signature_header_malformed',
    ],
    ['half a signature', [withHeaders({ 'Signature-Input': undefined })], '1 headers', 'signature_header_malformed'],
    ['another label', [withInput('sig1=', 'sig2=')], '1 headers', 'signature_header_malformed'],
    [
      'a header that came twice',
      [withHeaders({ Signature: [String(SIGNED.headers.Signature), String(SIGNED.headers.Signature)] })],
      '1 headers',
      'signature_header_malformed',
    ],
    [
      'a parameter that came twice',
      [withInput(';created', `;created=1;created`)],
      '1 headers',
      'signature_header_malformed',
    ],
    [
      'a component that came twice',
      [withInput('("@method"', '("@method" "@method"')],
      '1 headers',
      'signature_header_malformed',
    ],
    [
      'a component with parameters',
      [withInput('"content-type"', '"content-type";sf')],
      '1 headers',
      'signature_header_malformed',
    ],
    [
      'a derived component that we do not know',
      [withInput('("@method"', '("@query" "@method"')],
      '1 headers',
      'signature_header_malformed',
    ],
    [
      'a covered header that is missing',
      [withInput('("@method"', '("date" "@method"')],
      '1 headers',
      'signature_header_malformed',
    ],
    [
      'two content types',
      [withHeaders({ 'content-type': ['application/json', 'application/json'] })],
      '1 headers',
      'signature_header_malformed',
    ],
    [
      'a digest that is none',
      [withHeaders({ 'Content-Digest': 'sha-256=abc' })],
      '1 headers',
      'signature_header_malformed',
    ],
    [
      'a digest of another kind',
      [withHeaders({ 'Content-Digest': 'sha-512=:AAAA:' })],
      '1 headers',
      'signature_header_malformed',
    ],
    [
      'a URL that is not ASCII',
      [{ ...SIGNED, url: 'https://bücher.example/' }],
      '1 headers',
      'signature_header_malformed',
    ],
    [
      'a date that is text',
      [withInput(`created=${NOW}`, `created="${NOW}"`)],
      '2 parameters',
      'signature_header_malformed',
    ],
    ['a padded nonce', [withInput(NONCE_TEXT, `${NONCE_TEXT}==`)], '2 parameters', 'signature_header_malformed'],
    ['a short nonce', [withInput(NONCE_TEXT, 'AAAA')], '2 parameters', 'signature_header_malformed'],
    ['an endless nonce', [withInput(NONCE_TEXT, 'A'.repeat(256))], '2 parameters', 'signature_header_malformed'],
    ['no tag', [withInput(';tag="adcp/webhook-signing/v1"', '')], '2 parameters', 'signature_params_incomplete'],
    ['the tag of requests', [withInput('webhook-signing/v1', 'request-signing/v1')], '3 tag', 'signature_tag_invalid'],
    ['a symmetric algorithm', [withInput('"ed25519"', '"hmac-sha256"')], '4 algorithm', 'signature_alg_not_allowed'],
    [
      'a member of every object as algorithm',
      [withInput('"ed25519"', '"constructor"')],
      '4 algorithm',
      'signature_alg_not_allowed',
    ],
    ['a signature of the future', [SIGNED, { now: () => NOW - 61 }], '5 window', 'signature_window_invalid'],
    ['a signature of the past', [SIGNED, { now: () => NOW + 361 }], '5 window', 'signature_window_invalid'],
    [
      'no digest covered',
      [arrived(webhook(), KEY, { components: ['@method', '@target-uri', '@authority', 'content-type'] })],
      '6 components',
      'signature_components_incomplete',
    ],
    ['a key that nobody publishes', [SIGNED, {}, []], '7 key', 'signature_key_unknown'],
    ['a key for encryption', [SIGNED, {}, jwk({ use: 'enc' })], '8 purpose', 'signature_key_purpose_invalid'],
    [
      'a key that may not verify',
      [SIGNED, {}, jwk({ key_ops: ['sign'] })],
      '8 purpose',
      'signature_key_purpose_invalid',
    ],
    [
      'a key without a purpose',
      [SIGNED, {}, jwk({ adcp_use: undefined, proto_use: undefined })],
      '8 purpose',
      'signature_key_purpose_invalid',
    ],
    [
      'a key of governance',
      [SIGNED, {}, jwk({ adcp_use: 'governance-signing', proto_use: undefined })],
      '8 purpose',
      'signature_key_purpose_invalid',
    ],
    [
      'a key whose names disagree',
      [SIGNED, {}, jwk({ proto_use: 'governance-signing' })],
      '8 purpose',
      'signature_key_purpose_invalid',
    ],
    [
      'a list of purposes',
      [SIGNED, {}, jwk({ adcp_use: ['request-signing'], proto_use: undefined })],
      '8 purpose',
      'signature_key_purpose_invalid',
    ],
    ['a key without an algorithm', [SIGNED, {}, jwk({ alg: undefined })], '8 purpose', 'signature_key_purpose_invalid'],
    ['a key of the other algorithm', [SIGNED, {}, [es]], '8 purpose', 'signature_key_purpose_invalid'],
    ['numbers that are no key', [SIGNED, {}, jwk({ x: 'AAAA' })], '8 purpose', 'signature_key_purpose_invalid'],
    ['a revoked key', [SIGNED, { revocation: { check: () => 'revoked' } }], '9 revocation', 'signature_key_revoked'],
    [
      'a list that is too old',
      [SIGNED, { revocation: { check: () => 'stale' } }],
      '9 revocation',
      'signature_revocation_stale',
    ],
    [
      'no room for a nonce',
      [SIGNED, { nonces: { isFull: () => true, claim: () => 'claimed' } }],
      '9a rate',
      'signature_rate_abuse',
    ],
    ['another Host', [withHeaders({ host: 'other.example' })], '10 signature', 'target_uri_malformed'],
    ['a Host that is none', [withHeaders({ host: 'a:b:c' })], '10 signature', 'target_uri_malformed'],
    [
      'two authorities',
      [withHeaders({ ':authority': 'buyer.example', host: 'other.example' })],
      '10 signature',
      'target_uri_malformed',
    ],
    ['a URL without a host', [{ ...SIGNED, url: 'https:///hooks' }], '10 signature', 'target_uri_malformed'],
    ['a signature of another length', [withHeaders({ Signature: 'sig1=:AAAA:' })], '10 signature', 'signature_invalid'],
    ['another body', [{ ...SIGNED, body: Buffer.from('{}') }], '11 digest', 'signature_digest_mismatch'],
    [
      'a nonce that was used',
      [SIGNED, { nonces: { isFull: () => false, claim: () => 'seen' } }],
      '12 nonce',
      'signature_replayed',
    ],
    [
      'a store that filled meanwhile',
      [SIGNED, { nonces: { isFull: () => false, claim: () => 'full' } }],
      '12 nonce',
      'signature_rate_abuse',
    ],
    ['a name that is there twice', [arrived(webhook('{"a":1,"\\u0061":2}'), KEY)], '14 body', 'body_malformed'],
    ['a body that is no JSON', [arrived(webhook('{'), KEY)], '14 body', 'body_malformed'],
  ])('%s', async (_what, [request, change, jwks], step, failure) => {
    expect(await verify(request, change, jwks)).toMatchObject({
      ok: false,
      status: 401,
      step,
      failure,
      code: `webhook_${failure}`,
    });
  });

  it('has every step of the list among them', () => {
    expect(STEPS.map(([name]) => name.split(' ')[0])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '9a',
      '10',
      '11',
      '12',
      '14',
    ]);
  });
});

describe('state', () => {
  it('is spent once: the second copy is a replay, with the same store', async () => {
    const verifier = createVerifier(verifierOptions('webhook', [KEY.publicJwk]));
    expect(await verifier(SIGNED)).toMatchObject({ ok: true });
    expect(await verifier(SIGNED)).toMatchObject({ code: 'webhook_signature_replayed' });
  });

  it('is not spent by what fails before the nonce', async () => {
    const verifier = createVerifier(verifierOptions('webhook', [KEY.publicJwk]));
    expect(await verifier({ ...SIGNED, body: Buffer.from('{}') })).toMatchObject({ ok: false });
    expect(await verifier({ ...SIGNED, method: 'PUT' })).toMatchObject({ ok: false });
    expect(await verifier(SIGNED)).toMatchObject({ ok: true });
  });

  it('is spent by a malformed body, whose log holds names and nothing else', async () => {
    const verifier = createVerifier(verifierOptions('webhook', [KEY.publicJwk]));
    const body = '{"secret\\n":1,"secret\\n":2,"token":"hush","token":"hush"}';
    const request = arrived(webhook(body), KEY);
    const verdict = await verifier(request);
    expect(verdict).toMatchObject({
      code: 'webhook_body_malformed',
      log: { keyid: KEY.kid, nonce: NONCE_TEXT, bytes: body.length, names: ['secret<sanitized:1>', 'token'] },
    });
    expect(JSON.stringify(verdict)).not.toContain('hush');
    expect(await verifier(request)).toMatchObject({ code: 'webhook_signature_replayed' });
  });

  it('lets two copies that arrive together pass once', async () => {
    const verifier = createVerifier(verifierOptions('webhook', [KEY.publicJwk]));
    const verdicts = await Promise.all([verifier(SIGNED), verifier(SIGNED), verifier(SIGNED)]);
    expect(verdicts.map(({ ok }) => ok)).toEqual([true, false, false]);
  });

  it('throws what a port throws: a broken store is no bad signature', async () => {
    const revocation = { check: () => Promise.reject(new Error('the disk is gone')) };
    await expect(verify(SIGNED, { revocation })).rejects.toThrow('the disk is gone');
  });
});

describe('the profile of requests', () => {
  const { body, ...bodiless } = webhook();
  const options = (contentDigest: VerifierOptions['contentDigest']) => ({
    ...verifierOptions('request', [KEY.publicJwk]),
    revocation: NO_REVOCATION,
    ...(contentDigest === undefined ? {} : { contentDigest }),
  });
  const signed = (isCovered: boolean) =>
    arrived({ ...bodiless, body }, KEY, {
      tag: ADCP.requestTag,
      components: [
        '@method',
        '@target-uri',
        '@authority',
        'content-type',
        ...(isCovered ? (['content-digest'] as const) : []),
      ],
    });

  it.each([
    ['required', true, 'verified'],
    ['required', false, 'request_signature_components_incomplete'],
    ['forbidden', true, 'request_signature_components_unexpected'],
    ['forbidden', false, 'verified'],
    ['either', true, 'verified'],
    ['either', false, 'verified'],
    [undefined, false, 'verified'],
  ] as const)('content-digest %s, covered %s: %s', async (policy, isCovered, expected) => {
    const verdict = await createVerifier(options(policy))(signed(isCovered));
    expect(verdict.ok ? 'verified' : verdict.code).toBe(expected);
  });

  it('wants the content type covered only where there is a body', async () => {
    const components = ['@method', '@target-uri', '@authority'] as const;
    const get = { method: 'GET', url: 'https://seller.example/mcp' };
    const tag = ADCP.requestTag;
    expect(await createVerifier(options(undefined))(arrived(get, KEY, { tag, components }))).toMatchObject({
      ok: true,
    });
    expect(await createVerifier(options(undefined))(arrived({ ...get, body }, KEY, { tag, components }))).toMatchObject(
      {
        code: 'request_signature_components_incomplete',
      },
    );
  });

  it('takes no key for webhooks', async () => {
    const key = freshKey('ed25519', 'w', 'webhook-signing');
    const request = arrived(webhook(), key, { tag: ADCP.requestTag });
    expect(await createVerifier(verifierOptions('request', [key.publicJwk]))(request)).toMatchObject({
      code: 'request_signature_key_purpose_invalid',
    });
    expect(await verify(arrived(webhook(), key), {}, [key.publicJwk])).toMatchObject({ ok: true });
  });

  it('has a code for a request without any signature', async () => {
    const request = { method: 'POST', url: 'https://seller.example/mcp', headers: {}, body: Buffer.from('{}') };
    expect(await createVerifier(options(undefined))(request)).toMatchObject({ code: 'request_signature_required' });
  });
});

describe('keys that cannot be had', () => {
  const keys = () => ({ kind: 'refused', failure: 'signature_jwks_unavailable' }) as const;

  it('are no fault of a webhook: it should come again', async () => {
    const verdict = await verify(SIGNED, { keys });
    expect(verdict).toEqual({ ok: false, status: 503, failure: 'signature_jwks_unavailable', step: '7 key' });
  });

  it('have a code for requests', async () => {
    const request = arrived(webhook(), KEY, { tag: ADCP.requestTag });
    expect(await createVerifier({ ...verifierOptions('request', []), keys })(request)).toMatchObject({
      status: 401,
      code: 'request_signature_jwks_unavailable',
    });
  });
});

describe('the table of codes', () => {
  it('has the codes of both profiles, each once', () => {
    const count = (prefix: string) => SIGNATURE_CODES.filter((code) => code.startsWith(prefix)).length;
    expect(new Set(SIGNATURE_CODES).size).toBe(SIGNATURE_CODES.length);
    // 17 of webhooks; of requests the same but the mode, and four of their own, and nine on the way to the keys.
    expect([count('webhook_'), count('request_')]).toEqual([17, 29]);
  });

  it('says what to do, to both sides', () => {
    for (const { meaning, receiver, sender } of Object.values(FAILURES))
      for (const text of [meaning, receiver, sender]) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  it('makes a challenge of a code and nothing else', () => {
    expect(signatureChallenge('webhook_signature_replayed')).toBe('Signature error="webhook_signature_replayed"');
  });
});

describe('receivedHeaders', () => {
  it('keeps every value of a name, as Node does not', () => {
    const raw = ['Content-Type', 'application/json', 'X-A', '1', 'content-type', 'text/plain'];
    expect(receivedHeaders(raw)).toEqual({ 'content-type': ['application/json', 'text/plain'], 'x-a': ['1'] });
  });
});

describe('loggableNames', () => {
  it('cuts what a stranger wrote: four names, 32 bytes, nothing that a terminal obeys', () => {
    expect(loggableNames(['plain', 'a\u001b[31mred', 'ä', 'x'.repeat(40), 'fifth'])).toEqual([
      'plain',
      'a<sanitized:8>',
      '<sanitized:2>',
      `${'x'.repeat(32)}<sanitized:8>`,
    ]);
  });
});
