import { sign as cryptoSign, randomBytes } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { httpbis } from 'http-message-signatures';
import { describe, expect, it } from 'vitest';
import type { SigningKey } from '../../../../src/platform/signing/keys/jwk.js';
import { type Booted, boot, readAnswer, toolCall } from '../../../kit/boot.js';
import { createRequest, succeeded } from '../../../kit/buyer.js';
import { freePort, send } from '../../../kit/http.js';
import { publicSandboxes, tenantsFolder } from '../../../kit/tenants.js';
import { freshKey } from '../../../platform/signing/context.js';
import { signingKeyOf, vectorKeys } from '../../../platform/signing/verify/vectors.js';
import {
  ALICE_TOKEN,
  asText,
  jwks,
  outcome,
  post,
  refused,
  signedHeaders,
  signingContext,
  WHO_AM_I,
} from './signing-context.js';

const MINUTE_MS = 60_000;

/** Where the sales tenant of a server is written. */
const fileOf = (server: Booted): string => server.server().app.sellers().get('sales')?.tenant.file ?? '';

describe('who a signature says calls', async () => {
  const { server, alice, bob } = await signingContext();

  it.each([
    ['ed25519', alice, 'acct_alice'],
    ['ecdsa-p256-sha256', bob, 'acct_bob'],
  ])('is the principal of the agent that published the key, %s', async (_alg, key, account) => {
    expect(outcome(await post(server, key, WHO_AM_I))).toEqual([account]);
  });

  it('is nobody for a key that no agent of the tenant publishes', async () => {
    expect(outcome(await post(server, freshKey('ed25519', 'carol-1'), WHO_AM_I))).toEqual(
      refused('signature_key_unknown'),
    );
    const impostor = freshKey('ed25519', 'alice-1');
    expect(outcome(await post(server, impostor, WHO_AM_I))).toEqual(refused('signature_invalid'));
  });

  it('counts before another credential', async () => {
    const headers = { authorization: 'Bearer sandbox-token' };
    expect(outcome(await post(server, alice, WHO_AM_I, { headers }))).toEqual(['acct_alice']);
  });

  it('has what its API key has, and nothing of another signer', async () => {
    const request = createRequest({ account: { account_id: 'acct_alice' } });
    const made = succeeded(readAnswer(await post(server, alice, toolCall('create_media_buy', request))));
    const mine = async (key: SigningKey): Promise<string[]> => {
      const answer = readAnswer(await post(server, key, toolCall('get_media_buys', {})));
      return succeeded(answer).media_buys.map((buy) => buy.media_buy_id);
    };
    expect(await mine(alice)).toEqual([made.media_buy_id]);
    expect(await mine(bob)).toEqual([]);
    const again = await server.call('create_media_buy', request, { token: ALICE_TOKEN });
    expect(succeeded(again)).toMatchObject({ media_buy_id: made.media_buy_id, replayed: true });
    const theirs = readAnswer(await post(server, bob, toolCall('create_media_buy', request)));
    expect(theirs.payload.code).toBe('ACCOUNT_NOT_FOUND');
  });

  it('may say hello and notify too', async () => {
    const hello = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    };
    expect((await post(server, alice, hello)).status).toBe(200);
    expect((await post(server, alice, { jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  });
});

describe('a call signed by another implementation', async () => {
  const { server, alice, bob } = await signingContext();

  /** The wire of http-message-signatures: standard base64, padded, and parameters in its own order. */
  async function signedElsewhere(key: SigningKey, body: string) {
    const now = server.clock.now();
    const url = server.url();
    const message = { method: 'POST', url, headers: { host: new URL(url).host, 'content-type': 'application/json' } };
    const signed = await httpbis.signMessage(
      {
        key: {
          id: key.kid,
          alg: key.alg,
          sign: async (base) =>
            key.alg === 'ed25519'
              ? cryptoSign(null, base, key.privateKey)
              : cryptoSign('sha256', base, { key: key.privateKey, dsaEncoding: 'ieee-p1363' }),
        },
        name: 'sig1',
        fields: ['@authority', 'content-type', '@target-uri', '@method'],
        params: ['tag', 'keyid', 'alg', 'nonce', 'expires', 'created'],
        paramValues: {
          created: new Date(now),
          expires: new Date(now + 2 * MINUTE_MS),
          nonce: randomBytes(16).toString('base64url'),
          tag: 'adcp/request-signing/v1',
        },
      },
      message,
    );
    return send(url, { method: 'POST', headers: { ...signed.headers, accept: 'application/json' }, body });
  }

  it.each([
    ['ed25519', alice, 'acct_alice'],
    ['ecdsa-p256-sha256', bob, 'acct_bob'],
  ])('is known by it: %s', async (_alg, key, account) => {
    expect(outcome(await signedElsewhere(key, asText(WHO_AM_I)))).toEqual([account]);
  });
});

describe('a call signed by the agent of another server', () => {
  it('is known by the brand.json of its operator, or by what it says of itself over https', async () => {
    const open = tenantsFolder((tenant) => {
      tenant.public_tools = ['get_adcp_capabilities'];
    });
    const buyer = await boot({ tenants: open });
    const tenants = tenantsFolder((tenant) => {
      const [sandbox, second] = tenant.principals;
      Object.assign(sandbox ?? {}, {
        signer: { agent_url: buyer.url(), brand_json_url: `${buyer.baseUrl}/.well-known/brand.json` },
      });
      Object.assign(second ?? {}, { signer: { agent_url: `${buyer.url()}/` } });
    });
    const seller = await boot({ tenants });
    const { keys } = buyer.server().app;
    // The second agent names no brand.json, as its own address is not https; that hides nobody else.
    expect(outcome(await post(seller, keys.signing('request-signing'), WHO_AM_I))).toEqual(['acct_sandbox']);
    await keys.rotate({ now: true });
    expect(outcome(await post(seller, keys.signing('request-signing'), WHO_AM_I))).toEqual(
      refused('signature_brand_json_url_missing'),
    );
    seller.clock.advance(MINUTE_MS);
    buyer.clock.advance(MINUTE_MS);
    expect(outcome(await post(seller, keys.signing('request-signing'), WHO_AM_I))).toEqual(['acct_sandbox']);
  });
});

describe('the address that is signed', async () => {
  const { server, alice } = await signingContext();

  it.each<readonly [what: string, path: string]>([
    ['a query', '/sales/mcp?b=2&a=%2f'],
    ['a trailing slash', '/sales/mcp/'],
  ])('is the one that is called: %s', async (_what, called) => {
    const to = `${server.baseUrl}${called}`;
    expect(outcome(await post(server, alice, WHO_AM_I, { to }))).toEqual(['acct_alice']);
    expect(outcome(await post(server, alice, WHO_AM_I, { to, as: server.url() }))).toEqual(
      refused('signature_invalid'),
    );
  });

  it('is not that of another name of the host', async () => {
    const to = server.url().replace('127.0.0.1', 'localhost');
    expect(outcome(await post(server, alice, WHO_AM_I, { to }))).toEqual(refused('target_uri_malformed'));
  });

  it('is not that of another tenant with the same signers', async () => {
    const { server: twins, alice: key } = await signingContext();
    const file = fileOf(twins);
    copyFileSync(file, path.join(path.dirname(file), 'twin.json'));
    await twins.server().reload();
    const to = twins.url('twin');
    expect(outcome(await post(twins, key, WHO_AM_I, { to }))).toEqual(['acct_alice']);
    expect(outcome(await post(twins, key, WHO_AM_I, { to, as: twins.url() }))).toEqual(refused('signature_invalid'));
  });

  it('is not what a proxy says', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    expect(outcome(await post(server, alice, WHO_AM_I, { headers }))).toEqual(['acct_alice']);
    const as = 'https://evil.example/sales/mcp';
    expect(outcome(await post(server, alice, WHO_AM_I, { as, headers }))).toEqual(refused('signature_invalid'));
  });

  it('is the configured one behind a proxy that passes the host on', async () => {
    const port = await freePort();
    const settings = { port, baseUrl: 'https://ads.example/agents' };
    const { server: behind, alice: key } = await signingContext(undefined, { settings });
    const to = `http://127.0.0.1:${port}/sales/mcp`;
    const as = 'https://ads.example/agents/sales/mcp';
    const outcomes = await Promise.all(
      ['ads.example', 'ads.example:443', `127.0.0.1:${port}`].map(async (host) =>
        outcome(await post(behind, key, WHO_AM_I, { to, as, headers: { host } })),
      ),
    );
    expect(outcomes).toEqual([['acct_alice'], ['acct_alice'], refused('target_uri_malformed')]);
    const headers = { host: 'ads.example' };
    expect(outcome(await post(behind, key, WHO_AM_I, { to, headers }))).toEqual(refused('signature_invalid'));
  });
});

describe('the bytes that are signed', async () => {
  const { server, alice } = await signingContext();
  const sent = (body: string, instead?: string) => post(server, alice, body, instead === undefined ? {} : { instead });
  const text = asText(WHO_AM_I);

  it.each<readonly [what: string, instead: string]>([
    ['another call', asText(toolCall('get_media_buys', {}))],
    ['a blank more', `${text} `],
    ['the same, written again', asText({ ...WHO_AM_I, id: 1 }).replace('{', '{ ')],
    ['nothing', ''],
  ])('are those that came: %s', async (_what, instead) => {
    expect(outcome(await sent(text, instead))).toEqual(refused('signature_digest_mismatch'));
  });

  it.each<readonly [what: string, body: string]>([
    ['a name twice', text.replace('"id":1', '"id":1,"id":2')],
    ['no JSON', '{'],
    ['no UTF-8 in a text', `${text.slice(0, -2)},"x":"\ud800"}`.replace('\ud800', '\x00')],
  ])('are read strictly: %s', async (_what, body) => {
    expect(outcome(await sent(body))).toEqual(refused('body_malformed'));
  });

  it('may be more than a stranger may send, and no more than a megabyte', async () => {
    const long = (bytes: number): string => text.padEnd(bytes);
    expect(outcome(await sent(long(1_000_000)))).toEqual(['acct_alice']);
    expect((await sent(long(1_048_577))).status).toBe(413);
    const headers = { authorization: `Bearer ${ALICE_TOKEN}` };
    expect(outcome(await post(server, alice, long(1_048_577), { headers }))).toEqual(['acct_alice']);
  });

  it('are refused as what they say they are after the signature', async () => {
    const contentType = 'text/plain';
    expect((await post(server, alice, WHO_AM_I, { contentType })).status).toBe(415);
    const headers = { 'content-type': 'application/json, text/plain' };
    expect(outcome(await post(server, alice, WHO_AM_I, { headers }))).toEqual(refused('signature_header_malformed'));
  });
});

describe('a signature', async () => {
  const { server, alice } = await signingContext();
  const again = (headers: Readonly<Record<string, string | undefined>>) =>
    send(server.url(), { method: 'POST', headers, body: asText(WHO_AM_I) });

  it('counts once, also after the tenants were read again', async () => {
    const headers = signedHeaders(server, alice, WHO_AM_I);
    expect(outcome(await again(headers))).toEqual(['acct_alice']);
    expect(outcome(await again(headers))).toEqual(refused('signature_replayed'));
    const file = fileOf(server);
    writeFileSync(file, readFileSync(file, 'utf8').replace('Northlight Media Network', 'Northlight, renamed'));
    await server.server().reload();
    expect(server.server().app.sellers().get('sales')?.tenant.name).toBe('Northlight, renamed');
    expect(outcome(await again(headers))).toEqual(refused('signature_replayed'));
    server.clock.advance(7 * MINUTE_MS);
    expect(outcome(await again(headers))).toEqual(refused('signature_window_invalid'));
  });

  it('counts once of many at the same time', async () => {
    const headers = signedHeaders(server, alice, WHO_AM_I);
    const outcomes = await Promise.all(Array.from({ length: 8 }, async () => outcome(await again(headers))));
    expect(outcomes.filter((one) => JSON.stringify(one) === '["acct_alice"]')).toHaveLength(1);
  });
});

describe('the keys of signers', () => {
  it('are asked for again when one is new, but not for every stranger', async () => {
    const { server, alice, assets, files } = await signingContext();
    expect(outcome(await post(server, alice, WHO_AM_I))).toEqual(['acct_alice']);
    const next = freshKey('ed25519', 'alice-2');
    files['/alice.json'] = jwks(alice, next);
    const before = assets.asked.length;
    for (let turn = 0; turn < 3; turn += 1) {
      expect(outcome(await post(server, next, WHO_AM_I))).toEqual(refused('signature_key_unknown'));
    }
    expect(assets.asked.length).toBe(before);
    server.clock.advance(MINUTE_MS / 2);
    expect(outcome(await post(server, next, WHO_AM_I))).toEqual(['acct_alice']);
  });

  it('that cannot be had are no reason to believe anybody, and hide nobody else', async () => {
    const { server, alice, bob, files } = await signingContext();
    delete files['/alice.json'];
    expect(outcome(await post(server, alice, WHO_AM_I))).toEqual(refused('signature_jwks_unavailable'));
    expect(outcome(await post(server, bob, WHO_AM_I))).toEqual(['acct_bob']);
  });

  it('that two agents publish make neither known, unless another credential does', async () => {
    const { server, alice, bob, files } = await signingContext();
    files['/bob.json'] = jwks(bob, alice);
    expect(outcome(await post(server, alice, WHO_AM_I))).toEqual(refused('signature_jwks_untrusted'));
    expect(server.log.map(({ text }) => text).join()).toContain('several signers publish one key');
    const headers = { authorization: `Bearer ${ALICE_TOKEN}` };
    expect(outcome(await post(server, alice, WHO_AM_I, { headers }))).toEqual(['acct_alice']);
    expect(outcome(await post(server, bob, WHO_AM_I))).toEqual(['acct_bob']);
  });

  it('are of the tenant’s own signers alone', async () => {
    const { server, alice } = await signingContext((tenant) => {
      tenant.principals = tenant.principals.filter(({ id }) => id !== 'bob');
      tenant.accounts = tenant.accounts.filter(({ principal }) => principal !== 'bob');
      Object.assign(tenant.principals.at(-1) ?? {}, { signer: undefined });
    });
    expect(outcome(await post(server, alice, WHO_AM_I))).toEqual(refused('signature_key_unknown'));
  });
});

describe('the public test kit', () => {
  const [ed25519, es256, governance, revoked] = vectorKeys('request-signing').map(signingKeyOf) as [
    SigningKey,
    SigningKey,
    SigningKey,
    SigningKey,
  ];
  const sync = (operator: string): object =>
    toolCall('sync_accounts', {
      idempotency_key: `kit-${operator}-0123456789`,
      accounts: [{ brand: { domain: 'kit.example' }, operator, billing: 'operator' }],
    });

  it.each(['adcp', 'mediaproto'])(
    'signs as one sandbox principal in development mode, the protocol called %s',
    async (protocolName) => {
      const server = await boot({ protocolName });
      expect((await post(server, ed25519, sync('one.example'))).status).toBe(200);
      const seen = await Promise.all([ed25519, es256].map(async (key) => outcome(await post(server, key, WHO_AM_I))));
      expect(seen).toEqual([[expect.any(String)], [expect.any(String)]]);
      expect(seen[0]).toEqual(seen[1]);
      expect(outcome(await server.raw(WHO_AM_I))).toEqual(['acct_sandbox']);
      expect(outcome(await post(server, governance, WHO_AM_I))).toEqual(refused('signature_key_purpose_invalid'));
      expect(outcome(await post(server, revoked, WHO_AM_I))).toEqual(refused('signature_key_revoked'));
    },
  );

  it('is nobody elsewhere', async () => {
    const server = await boot({ tenants: publicSandboxes(), settings: { development: false } });
    for (const key of [ed25519, es256, governance, revoked]) {
      expect(outcome(await post(server, key, WHO_AM_I))).toEqual(refused('signature_key_unknown'));
    }
  });

  it('may sign a hundred times a minute with a key, at each tenant', async () => {
    const server = await boot();
    const one = async (key: SigningKey, tenant = 'sales') =>
      (await post(server, key, WHO_AM_I, { to: server.url(tenant) })).headers['www-authenticate'];
    const abuse = 'Signature error="request_signature_rate_abuse"';
    const many = await Promise.all(Array.from({ length: 103 }, () => one(ed25519)));
    expect(many.filter((challenge) => challenge === undefined)).toHaveLength(100);
    expect(await one(ed25519)).toBe(abuse);
    expect([await one(es256), await one(ed25519, 'creative')]).toEqual([undefined, undefined]);
    server.clock.advance(MINUTE_MS - 1000);
    expect(await one(ed25519)).toBe(abuse);
    server.clock.advance(1000);
    expect(await one(ed25519)).toBeUndefined();
  });

  it('says nothing of an agent whose keys are known', async () => {
    const { server, alice, files } = await signingContext();
    const twin = { ...alice, kid: ed25519.kid, publicJwk: { ...alice.publicJwk, kid: ed25519.kid } };
    files['/alice.json'] = jwks(twin);
    expect(outcome(await post(server, twin, WHO_AM_I))).toEqual(['acct_alice']);
    expect(outcome(await post(server, ed25519, WHO_AM_I))).toEqual(refused('signature_invalid'));
  });
});
