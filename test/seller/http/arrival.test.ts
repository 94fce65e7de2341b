import { describe, expect, it } from 'vitest';
import { boot, toolCall } from '../../kit/boot.js';
import { createRequest, freshKey } from '../../kit/buyer.js';
import { tenantsFolder } from '../../kit/tenants.js';
import {
  ALICE_TOKEN,
  asText,
  outcome,
  post,
  refused,
  signedHeaders,
  signingContext,
  WHO_AM_I,
} from './signatures/signing-context.js';

const BEARER = 'Bearer realm="seller-agent"';
const INVALID = `${BEARER}, error="invalid_token"`;
const REQUIRED = 'Signature error="request_signature_required"';

const LEGACY = {
  push_notification_config: { url: 'https://buyer.example/hooks', authentication: { schemes: ['HMAC-SHA256'] } },
};

/** The calls of the table, by what the tenant asks of them. */
const CALLS = {
  required: toolCall('create_media_buy', {}),
  warned: WHO_AM_I,
  free: toolCall('get_media_buys', {}),
  legacy: toolCall('update_media_buy', LEGACY),
  'a list': { jsonrpc: '2.0', id: 1, method: 'tools/list' },
} as const;

/** What a call brings to prove its caller. */
const SIGNATURES = {
  none: () => ({}),
  good: (given: Record<string, string>) => given,
  false: (given: Record<string, string>) => ({ ...given, Signature: `sig1=:${'A'.repeat(86)}:` }),
  'half a one': ({ Signature }: Record<string, string>) => ({ Signature }),
  'the other half': ({ 'Signature-Input': input }: Record<string, string>) => ({ 'Signature-Input': input }),
  unreadable: (given: Record<string, string>) => ({ ...given, 'Signature-Input': 'sig1=not a list' }),
  empty: () => ({ Signature: '' }),
} as const;
const TOKENS = { none: undefined, good: ALICE_TOKEN, wrong: 'nobodys-token-0123456789' } as const;

/** The table of facts 3.2. */
const TABLE: readonly (readonly [
  call: keyof typeof CALLS,
  signature: keyof typeof SIGNATURES,
  token: keyof typeof TOKENS,
  challenge: string | undefined,
])[] = [
  ['required', 'none', 'none', `${REQUIRED}, ${BEARER}`],
  ['required', 'none', 'wrong', `${REQUIRED}, ${INVALID}`],
  ['required', 'none', 'good', undefined],
  ['required', 'good', 'none', undefined],
  ['required', 'good', 'wrong', undefined],
  ['required', 'false', 'good', 'Signature error="request_signature_invalid"'],
  ['required', 'half a one', 'good', 'Signature error="request_signature_header_malformed"'],
  ['free', 'none', 'none', BEARER],
  ['free', 'none', 'wrong', INVALID],
  ['free', 'none', 'good', undefined],
  ['free', 'good', 'none', undefined],
  ['free', 'false', 'none', 'Signature error="request_signature_invalid"'],
  ['free', 'false', 'good', 'Signature error="request_signature_invalid"'],
  ['free', 'the other half', 'good', 'Signature error="request_signature_header_malformed"'],
  ['free', 'unreadable', 'good', 'Signature error="request_signature_header_malformed"'],
  ['free', 'empty', 'good', 'Signature error="request_signature_header_malformed"'],
  ['legacy', 'none', 'none', `${REQUIRED}, ${BEARER}`],
  ['legacy', 'none', 'wrong', `${REQUIRED}, ${INVALID}`],
  ['legacy', 'none', 'good', undefined],
  ['legacy', 'good', 'none', undefined],
  ['warned', 'none', 'none', BEARER],
  ['warned', 'good', 'none', undefined],
  ['warned', 'false', 'good', undefined],
  ['warned', 'false', 'none', 'Signature error="request_signature_invalid"'],
  ['warned', 'false', 'wrong', 'Signature error="request_signature_invalid"'],
  ['warned', 'half a one', 'good', 'Signature error="request_signature_header_malformed"'],
  ['warned', 'unreadable', 'good', 'Signature error="request_signature_header_malformed"'],
  ['a list', 'none', 'none', BEARER],
  ['a list', 'good', 'none', undefined],
  ['a list', 'false', 'good', 'Signature error="request_signature_invalid"'],
];

describe.each(['adcp', 'mediaproto'])('what becomes of a call, the protocol called %s', async (protocolName) => {
  const { server, alice } = await signingContext(undefined, { protocolName });

  it.each(TABLE)('%s; signature: %s; token: %s', async (call, signature, token, challenge) => {
    const { 'content-type': type, accept, ...given } = signedHeaders(server, alice, CALLS[call]);
    const headers = SIGNATURES[signature](given as Record<string, string>);
    const authorization = TOKENS[token] === undefined ? undefined : `Bearer ${TOKENS[token]}`;
    const answer = await server.raw(CALLS[call], { authorization, ...headers });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      challenge === undefined ? 200 : 401,
      challenge,
    ]);
  });

  it.each(['request-signing/v1', 'webhook-signing/v1'])('a tag of either name counts, of %s', async (tag) => {
    const outcomes = await Promise.all(
      [protocolName, 'proto', 'other'].map(async (name) =>
        outcome(await post(server, alice, WHO_AM_I, { sign: { tag: `${name}/${tag}` } })),
      ),
    );
    const wrong = refused('signature_tag_invalid');
    expect(outcomes).toEqual(
      tag.startsWith('request') ? [['acct_alice'], ['acct_alice'], wrong] : [wrong, wrong, wrong],
    );
  });
});

describe('a task in warn_for', async () => {
  const { server, alice } = await signingContext();

  it('is called by whom the token says when the signature does not hold, and the log says so', async () => {
    const headers = { authorization: 'Bearer sandbox-token' };
    const before = server.log.length;
    expect(outcome(await post(server, alice, WHO_AM_I, { headers }))).toEqual(['acct_alice']);
    expect(server.log.slice(before)).toEqual([]);
    expect(outcome(await post(server, alice, WHO_AM_I, { headers, instead: `${asText(WHO_AM_I)} ` }))).toEqual([
      'acct_sandbox',
    ]);
    expect(server.log.slice(before)).toEqual([
      { level: 'warn', text: expect.stringContaining('request_signature_digest_mismatch') },
    ]);
  });
});

describe('the body of a refusal', async () => {
  const { server, alice } = await signingContext();

  it('says the code, what was wrong and what to do, to whom it may concern', async () => {
    const message = toolCall('get_media_buys', { context: { a: 1 } }, 'my-id');
    const answer = await post(server, alice, message, { headers: { 'Content-Digest': 'sha-256=:AAAA:' } });
    expect(answer.json()).toMatchObject({ id: 'my-id', result: { isError: true } });
    const { result } = answer.json() as { result: { structuredContent: object } };
    expect(result.structuredContent).toMatchObject({
      code: 'UNAUTHORIZED',
      context: { a: 1 },
      errors: [
        {
          message: expect.any(String),
          suggestion: expect.any(String),
          details: { signature_error: expect.any(String) },
        },
      ],
    });
  });

  it('offers both ways in where both lead in', async () => {
    const { payload } = await server.call('create_media_buy', {}, { token: null, version: '3.1' });
    expect(payload.errors[0]).toMatchObject({
      code: 'AUTH_MISSING',
      suggestion: expect.stringMatching(/Authorization: Bearer .* Or sign the request .* get_adcp_capabilities/),
      details: { signature_error: 'request_signature_required' },
    });
  });

  it('is written for a message that is nested without end', async () => {
    const nested = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_media_buy","arguments":{"x":${nested}}}}`;
    const answer = await server.raw(body, { authorization: undefined });
    expect(outcome(answer)).toEqual([401, `${REQUIRED}, ${BEARER}`]);
  });
});

describe('several messages at once', async () => {
  const { server, alice } = await signingContext();
  const batch = [WHO_AM_I, { jsonrpc: '2.0', id: 2, method: 'ping' }, CALLS.required];
  const ids = (text: string): unknown[] => (JSON.parse(text) as { id: unknown }[]).map(({ id }) => id);

  it('are signed together', async () => {
    const answer = await post(server, alice, batch);
    expect([answer.status, ids(answer.text)]).toEqual([200, [1, 2, 1]]);
  });

  it('fall together, whichever was changed', async () => {
    const instead = asText([...batch, WHO_AM_I]);
    expect(outcome(await post(server, alice, batch, { instead }))).toEqual(refused('signature_digest_mismatch'));
  });

  it('need a signature when one of them does', async () => {
    const answer = await server.raw(batch, { authorization: undefined });
    expect(outcome(answer)).toEqual([401, `${REQUIRED}, ${BEARER}`]);
  });

  it.each<readonly [what: string, batch: readonly object[], isForgiven: boolean]>([
    ['all of them are', [WHO_AM_I, WHO_AM_I], true],
    ['one of them is not', [WHO_AM_I, CALLS.free], false],
    ['one of them is no task', [WHO_AM_I, CALLS['a list']], false],
  ])('are forgiven a false signature when %s', async (_what, messages, isForgiven) => {
    const headers = { authorization: `Bearer ${ALICE_TOKEN}` };
    const answer = await post(server, alice, messages, { headers, instead: `${asText(messages)} ` });
    if (isForgiven) expect([answer.status, ids(answer.text)]).toEqual([200, [1, 1]]);
    else expect(outcome(answer)).toEqual(refused('signature_digest_mismatch'));
  });
});

describe('what a tenant may say', () => {
  it('strict: an API key does not stand for a signature where one is required', async () => {
    const { server, alice } = await signingContext((tenant) =>
      Object.assign(tenant.request_signing ?? {}, { strict: true }),
    );
    const authorization = `Bearer ${ALICE_TOKEN}`;
    const create = (): object => toolCall('create_media_buy', createRequest({ account: { account_id: 'acct_alice' } }));
    expect(outcome(await server.raw(create(), { authorization }))).toEqual([401, REQUIRED]);
    expect(outcome(await server.raw(create(), { authorization: undefined }))).toEqual([401, REQUIRED]);
    expect((await post(server, alice, create())).status).toBe(200);
    expect(outcome(await server.raw(WHO_AM_I, { authorization }))).toEqual(['acct_alice']);
    expect(outcome(await server.raw(CALLS.legacy, { authorization: undefined }))).toEqual([
      401,
      `${REQUIRED}, ${BEARER}`,
    ]);
  });

  it('not supported: signatures are not looked at', async () => {
    const tenants = tenantsFolder((tenant) => {
      tenant.request_signing = { supported: false };
    });
    const server = await boot({ tenants });
    const headers = { Signature: 'sig1=:AAAA:' };
    expect(outcome(await server.raw(WHO_AM_I, headers))).toEqual(['acct_sandbox']);
    const stranger = { ...headers, authorization: undefined };
    expect(outcome(await server.raw(CALLS.required, stranger))).toEqual([401, BEARER]);
    expect(outcome(await server.raw(CALLS.legacy, stranger))).toEqual([401, BEARER]);
    const { payload } = await server.call('get_adcp_capabilities');
    expect(payload.request_signing).toEqual({ supported: false });
  });

  it.each([
    ['required', ['@method', '@target-uri', '@authority', 'content-type'], 'signature_components_incomplete'],
    ['forbidden', undefined, 'signature_components_unexpected'],
  ] as const)('covers_content_digest %s', async (policy, components, failure) => {
    const { server, alice } = await signingContext((tenant) =>
      Object.assign(tenant.request_signing ?? {}, { covers_content_digest: policy }),
    );
    const other =
      policy === 'forbidden' ? (['@method', '@target-uri', '@authority', 'content-type'] as const) : undefined;
    const signedAs = (covered: readonly string[] | undefined) =>
      post(server, alice, WHO_AM_I, covered === undefined ? {} : { sign: { components: covered as never } });
    expect(outcome(await signedAs(components))).toEqual(refused(failure));
    expect(outcome(await signedAs(other))).toEqual(['acct_alice']);
  });

  it('nothing: what spends money needs proof, at every tenant, and every changing task may be signed', async () => {
    const server = await boot();
    const { payload } = await server.call('get_adcp_capabilities');
    expect(payload.request_signing).toMatchObject({
      supported: true,
      covers_content_digest: 'either',
      required_for: ['create_media_buy', 'update_media_buy'],
      warn_for: [],
      supported_for: expect.arrayContaining(['create_media_buy', 'update_media_buy', 'sync_creatives']),
    });
    const answer = await server.raw(CALLS.required, { authorization: undefined }, 'creative');
    expect(outcome(answer)).toEqual([401, `${REQUIRED}, ${BEARER}`]);
  });
});

describe('a call without a signature', async () => {
  const { server, assets } = await signingContext();

  it('asks nobody for keys', async () => {
    await server.call('list_accounts');
    await server.call('create_media_buy', createRequest({ idempotency_key: freshKey() }));
    await server.raw(CALLS.required, { authorization: undefined });
    expect(assets.asked).toEqual([]);
  });
});
