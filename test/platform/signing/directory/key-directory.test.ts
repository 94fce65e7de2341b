import { afterAll, describe, expect, it } from 'vitest';
import { createOutbound, type Outbound } from '../../../../src/platform/net/fetch.js';
import {
  createKeyDirectory,
  type KeyDirectoryOptions,
  type SigningAgent,
} from '../../../../src/platform/signing/directory/key-directory.js';
import { createVerifier } from '../../../../src/platform/signing/verify/verify.js';
import { type Served, serveAssets } from '../../../kit/asset-server.js';
import { turnableClock } from '../../../kit/surroundings.js';
import { ADCP, arrived, freshKey, verifierOptions, webhook } from '../context.js';

const AGENT = 'https://ads.seller.example/sales/mcp';
const JWKS = 'https://ads.seller.example/.well-known/jwks.json';
const BRAND = 'https://seller.example/.well-known/brand.json';
const KEY = freshKey('ed25519', 'k1');
const SIGNS_WEBHOOKS = { webhook_signing: { supported: true } };

const outbounds: Outbound[] = [];
afterAll(() => Promise.all(outbounds.map((outbound) => outbound.close())));

/** What an operator serves, by host and path; every file may be replaced while a test runs. */
type World = { [url: string]: Served };

/** A world in which everything is right. */
function world(change: World = {}): World {
  return {
    [AGENT]: capabilities({
      identity: { brand_json_url: BRAND, key_origins: { webhook_signing: 'https://ads.seller.example' } },
      ...SIGNS_WEBHOOKS,
    }),
    [BRAND]: brand({ agents: [{ type: 'sales', url: AGENT, id: 'sales', jwks_uri: JWKS }] }),
    [JWKS]: JSON.stringify({ keys: [KEY.publicJwk] }),
    ...change,
  };
}

const brand = (members: object): string => JSON.stringify({ version: '1.0', ...members });

/** An agent's answer to the capabilities task. */
function capabilities(structuredContent: object, isStream = false): Served {
  return (request, response) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [], structuredContent } });
    if (request.method !== 'POST') response.writeHead(405).end();
    else if (isStream) response.setHeader('content-type', 'text/event-stream').end(`event: message\ndata: ${body}\n\n`);
    else response.setHeader('content-type', 'application/json').end(body);
  };
}

/** A directory over a world; `asked` are the URLs that were fetched. */
async function open(served: World, change: Partial<KeyDirectoryOptions> = {}) {
  const asked: string[] = [];
  const hosts = [...new Set([...Object.keys(served), AGENT, JWKS, BRAND, 'https://elsewhere.example'])].map(
    (url) => new URL(url).host,
  );
  const resolve = new Map<string, string>();
  for (const host of new Set(hosts)) {
    const files: Record<string, Served> = new Proxy(
      {},
      {
        has: () => true,
        getOwnPropertyDescriptor: (_files, path) => {
          const url = `https://${host}${String(path)}`;
          asked.push(url);
          return served[url] === undefined ? undefined : { value: served[url], configurable: true, enumerable: true };
        },
        get: (_files, path) => served[`https://${host}${String(path)}`],
      },
    );
    resolve.set(host, (await serveAssets(files)).origin);
  }
  const clock = turnableClock();
  const outbound = createOutbound({ development: true, resolve });
  outbounds.push(outbound);
  const directory = createKeyDirectory({ outbound, clock, names: ADCP, profile: 'webhook', local: false, ...change });
  const find = (keyid = 'k1', agent: SigningAgent = { url: AGENT }) => directory.find(agent, keyid);
  return { ...directory, find, clock, asked, count: (url: string) => asked.filter((one) => one === url).length };
}

const FOUND = { kind: 'found', jwk: KEY.publicJwk, signer: AGENT, source: JWKS } as const;
const refused = (failure: string) => ({ kind: 'refused', failure });

describe('from an agent to its key', () => {
  it('leads over capabilities, brand.json and jwks_uri, each fetched once', async () => {
    const { asked, find } = await open(world());
    expect(await find()).toEqual(FOUND);
    expect(await find()).toEqual(FOUND);
    expect(asked).toEqual([AGENT, BRAND, JWKS]);
  });

  it.each<[string, World, string]>([
    [
      'an answer as a stream',
      {
        [AGENT]: capabilities(
          { identity: { brand_json_url: BRAND, key_origins: { webhook_signing: 'ads.seller.example' } } },
          true,
        ),
      },
      AGENT,
    ],
    ['an entry of the house', { [BRAND]: brand({ house: { agents: [{ url: AGENT, jwks_uri: JWKS }] } }) }, AGENT],
    [
      'an entry of a brand',
      { [BRAND]: brand({ brands: [{ id: 'b' }, { agents: [{ url: AGENT, jwks_uri: JWKS }] }] }) },
      AGENT,
    ],
    ['the usual place, when no jwks_uri is given', { [BRAND]: brand({ agents: [{ url: AGENT }] }) }, AGENT],
  ])('takes %s', async (_what, change) => {
    const { find } = await open(world(change));
    expect(await find()).toEqual(FOUND);
  });

  it('takes an agent of another domain that the operator lists', async () => {
    const url = 'https://agents.vendor.example/mcp';
    const served = {
      ...world(),
      [url]: capabilities({ identity: { brand_json_url: BRAND } }),
      [BRAND]: brand({
        authorized_operators: [{ domain: 'vendor.example' }],
        house: { agents: [{ url, jwks_uri: JWKS }] },
      }),
    };
    const { find } = await open(served);
    expect(await find('k1', { url })).toEqual({ ...FOUND, signer: url });
  });

  it.each<[string, World, string]>([
    [
      'an agent that is down',
      { [AGENT]: (_request, response) => void response.writeHead(500).end() },
      'signature_capabilities_unreachable',
    ],
    ['an agent that says nothing', { [AGENT]: '{}' }, 'signature_capabilities_unreachable'],
    [
      'an agent that repeats a name',
      { [AGENT]: '{"result":{"structuredContent":{}},"result":{}}' },
      'signature_capabilities_unreachable',
    ],
    ['no brand_json_url', { [AGENT]: capabilities(SIGNS_WEBHOOKS) }, 'signature_brand_json_url_missing'],
    [
      'a brand_json_url that is none',
      { [AGENT]: capabilities({ identity: { brand_json_url: 'x' } }) },
      'signature_brand_json_url_missing',
    ],
    [
      'a brand.json that is not there',
      { [BRAND]: (_request, response) => void response.writeHead(404).end() },
      'signature_brand_json_unreachable',
    ],
    [
      'a brand.json that leads away',
      { [BRAND]: (_request, response) => void response.writeHead(302, { location: JWKS }).end() },
      'signature_brand_json_unreachable',
    ],
    ['a brand.json without end', { [BRAND]: ' '.repeat(256 * 1024 + 1) }, 'signature_brand_json_unreachable'],
    [
      'a brand.json over http',
      { [AGENT]: capabilities({ identity: { brand_json_url: 'http://seller.example/brand.json' } }) },
      'signature_brand_json_unreachable',
    ],
    [
      'a brand.json in the private network',
      { [AGENT]: capabilities({ identity: { brand_json_url: 'https://10.0.0.1/brand.json' } }) },
      'signature_brand_json_unreachable',
    ],
    ['a brand.json that is no JSON', { [BRAND]: '<html>' }, 'signature_brand_json_malformed'],
    [
      'a brand.json that repeats a name',
      { [BRAND]: `{"agents":[],"agents":[{"url":"${AGENT}"}]}` },
      'signature_brand_json_malformed',
    ],
    [
      'a brand.json of somebody else',
      {
        [AGENT]: capabilities({ identity: { brand_json_url: 'https://elsewhere.example/brand.json' } }),
        'https://elsewhere.example/brand.json': brand({ agents: [{ url: AGENT, jwks_uri: JWKS }] }),
      },
      'signature_brand_origin_mismatch',
    ],
    [
      'a brand.json without the agent',
      { [BRAND]: brand({ agents: [{ url: `${AGENT}/`, jwks_uri: JWKS }] }) },
      'signature_agent_not_in_brand_json',
    ],
    [
      'a brand.json with the agent twice',
      { [BRAND]: brand({ agents: [{ url: AGENT, jwks_uri: JWKS }], house: { agents: [{ url: AGENT }] } }) },
      'signature_brand_json_ambiguous',
    ],
    [
      'keys on another host than the agent says',
      {
        [AGENT]: capabilities({
          identity: { brand_json_url: BRAND, key_origins: { webhook_signing: 'https://keys.example' } },
        }),
      },
      'signature_key_origin_mismatch',
    ],
    [
      'an agent that signs and does not say where its keys are',
      { [AGENT]: capabilities({ identity: { brand_json_url: BRAND }, ...SIGNS_WEBHOOKS }) },
      'signature_key_origin_missing',
    ],
    [
      'keys that are not there',
      { [JWKS]: (_request, response) => void response.writeHead(503).end() },
      'signature_jwks_unavailable',
    ],
    [
      'keys without end',
      { [JWKS]: JSON.stringify({ keys: [KEY.publicJwk], pad: 'x'.repeat(64 * 1024) }) },
      'signature_jwks_unavailable',
    ],
    [
      'keys in the private network',
      {
        [BRAND]: brand({ agents: [{ url: AGENT, jwks_uri: 'https://192.168.1.1/jwks.json' }] }),
        [AGENT]: capabilities({ identity: { brand_json_url: BRAND } }),
      },
      'signature_jwks_untrusted',
    ],
    ['keys that are no JWKS', { [JWKS]: '{"keys":{}}' }, 'signature_jwks_untrusted'],
    ['keys that repeat a member', { [JWKS]: '{"keys":[{"kid":"k1","kid":"k1"}]}' }, 'signature_jwks_untrusted'],
    [
      'two keys of one name',
      { [JWKS]: JSON.stringify({ keys: [KEY.publicJwk, freshKey('ed25519', 'k1').publicJwk] }) },
      'signature_jwks_untrusted',
    ],
  ])('refuses %s', async (_what, change, failure) => {
    const { find } = await open(world(change));
    expect(await find()).toEqual(refused(failure));
  });

  it.each([
    ['https://ads.seller.co.uk/mcp', 'https://seller.co.uk/brand.json', 'found'],
    ['https://one.co.uk/mcp', 'https://other.co.uk/brand.json', 'refused'],
    ['https://a.example/mcp', 'https://b.a.example/brand.json', 'found'],
  ])('%s and %s: %s', async (url, brandJsonUrl, kind) => {
    const served = {
      ...world(),
      [url]: capabilities({ identity: { brand_json_url: brandJsonUrl } }),
      [brandJsonUrl]: brand({ agents: [{ url, jwks_uri: JWKS }] }),
    };
    const { find } = await open(served);
    expect(await find('k1', { url })).toMatchObject({ kind });
  });

  it('tells the tenants of one host apart', async () => {
    const url = 'https://one.github.io/mcp';
    const brandJsonUrl = 'https://two.github.io/brand.json';
    const served = {
      ...world(),
      [url]: capabilities({ identity: { brand_json_url: brandJsonUrl } }),
      [brandJsonUrl]: brand({ agents: [{ url, jwks_uri: JWKS }] }),
    };
    const { find } = await open(served);
    expect(await find('k1', { url })).toEqual(refused('signature_brand_origin_mismatch'));
  });
});

describe('the agent’s own origin', () => {
  const own = 'https://ads.seller.example/.well-known/brand.json';

  it('is where a receiver of webhooks looks, without asking the agent', async () => {
    const { asked, find } = await open(world({ [own]: brand({ agents: [{ url: AGENT, jwks_uri: JWKS }] }) }), {
      brandJson: 'well_known',
    });
    expect(await find()).toEqual(FOUND);
    expect(asked).toEqual([own, JWKS]);
  });

  it.each([{ authoritative_location: BRAND }, { house: 'seller.example' }])(
    'may say that another counts: %j',
    async (redirect) => {
      const { asked, find } = await open(world({ [own]: JSON.stringify(redirect) }), { brandJson: 'well_known' });
      expect(await find()).toEqual(FOUND);
      expect(asked).toEqual([own, BRAND, JWKS]);
    },
  );

  it('may say so once', async () => {
    const again = JSON.stringify({ authoritative_location: own });
    const { find } = await open(world({ [own]: again, [BRAND]: again }), { brandJson: 'well_known' });
    expect(await find()).toEqual(refused('signature_agent_not_in_brand_json'));
  });
});

describe('what is known from elsewhere', () => {
  it('a jwks_uri is asked and nothing else', async () => {
    const { asked, find } = await open(world());
    expect(await find('k1', { url: AGENT, jwksUri: JWKS })).toEqual(FOUND);
    expect(asked).toEqual([JWKS]);
  });

  it('a brand.json spares the question to the agent', async () => {
    const { asked, find } = await open(world());
    expect(await find('k1', { url: AGENT, brandJsonUrl: BRAND })).toEqual(FOUND);
    expect(asked).toEqual([BRAND, JWKS]);
  });

  it.each([
    [[{ kid: 'k1', kty: 'OKP', x: KEY.publicJwk.x }], 'found'],
    [[{ kid: 'k1', kty: 'OKP' }], 'found'],
    [[], 'unknown'],
    [[{ kid: 'other', kty: 'OKP' }], 'unknown'],
    [[{ kid: 'k1', kty: 'OKP', x: freshKey('ed25519').publicJwk.x }], 'signature_jwks_untrusted'],
    [[{ kid: 'k1', kty: 'OKP', revoked_at: '2029-01-01T00:00:00Z' }], 'signature_key_revoked'],
    [[{ kid: 'k1', kty: 'OKP', revoked_at: 'never' }], 'signature_key_revoked'],
    [[{ kid: 'k1', kty: 'OKP', revoked_at: '2031-01-01T00:00:00Z' }], 'found'],
  ])('with the pins %j the key is %s', async (pins, expected) => {
    const { find } = await open(world());
    const found = await find('k1', { url: AGENT, jwksUri: JWKS, pins });
    expect(found.kind === 'refused' ? found.failure : found.kind).toBe(expected);
  });
});

describe('copies', () => {
  const agent: SigningAgent = { url: AGENT, jwksUri: JWKS };
  const MINUTE = 60_000;

  it.each([
    [undefined, 15 * MINUTE],
    ['max-age=120', 2 * MINUTE],
    ['public, max-age=1', MINUTE],
    ['no-store', MINUTE],
    ['max-age=86400', 30 * MINUTE],
  ])('with Cache-Control %s are good for %i ms', async (cacheControl, ttlMs) => {
    const jwks: Served = (_request, response) => {
      if (cacheControl !== undefined) response.setHeader('cache-control', cacheControl);
      response.end(JSON.stringify({ keys: [KEY.publicJwk] }));
    };
    const { clock, count, find } = await open(world({ [JWKS]: jwks }));
    await find('k1', agent);
    clock.advance(ttlMs - 1);
    await find('k1', agent);
    expect(count(JWKS)).toBe(1);
    clock.advance(1);
    await find('k1', agent);
    expect(count(JWKS)).toBe(2);
  });

  it('are fetched once for calls that come together', async () => {
    const { count, find } = await open(world());
    const found = await Promise.all(Array.from({ length: 20 }, () => find()));
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['found']));
    expect([count(AGENT), count(BRAND), count(JWKS)]).toEqual([1, 1, 1]);
  });

  it('are fetched anew for a keyid that is not there, every 30 seconds at most', async () => {
    const served = world();
    const { clock, count, find } = await open(served);
    const fresh = freshKey('ed25519', 'k2').publicJwk;
    await find('k1', agent);
    served[JWKS] = JSON.stringify({ keys: [KEY.publicJwk, fresh] });
    expect(await find('k2', agent)).toEqual({ kind: 'unknown' });
    clock.advance(30_000);
    expect(await find('k2', agent)).toMatchObject({ kind: 'found', jwk: fresh });
    for (const kid of ['x', 'y', 'z']) expect(await find(kid, agent)).toEqual({ kind: 'unknown' });
    expect(count(JWKS)).toBe(2);
  });

  it('of a failure are kept for half a minute', async () => {
    const served = world({ [JWKS]: 'nonsense' });
    const { clock, count, find } = await open(served);
    for (const _ of [1, 2, 3]) expect(await find('k1', agent)).toEqual(refused('signature_jwks_untrusted'));
    expect(count(JWKS)).toBe(1);
    served[JWKS] = JSON.stringify({ keys: [KEY.publicJwk] });
    clock.advance(30_000);
    expect(await find('k1', agent)).toMatchObject({ kind: 'found' });
  });

  it('that are good are not lost to a failure that a strange keyid brought about', async () => {
    const served = world();
    const { clock, find } = await open(served);
    await find('k1', agent);
    clock.advance(60_000);
    served[JWKS] = (_request, response) => void response.writeHead(500).end();
    expect(await find('strange', agent)).toEqual({ kind: 'unknown' });
    expect(await find('k1', agent)).toMatchObject({ kind: 'found' });
    clock.advance(15 * 60_000);
    expect(await find('k1', agent)).toEqual(refused('signature_jwks_unavailable'));
  });
});

describe('several agents', () => {
  const other: SigningAgent = { url: 'https://elsewhere.example/mcp', jwksUri: 'https://elsewhere.example/jwks.json' };
  const agents: readonly SigningAgent[] = [other, { url: AGENT, jwksUri: JWKS }];

  it('are all asked; one that is down hides no key of another', async () => {
    const { findAmong } = await open(world());
    expect(await findAmong(agents, 'k1')).toEqual(FOUND);
    expect(await findAmong(agents, 'k9')).toEqual(refused('signature_jwks_unavailable'));
    expect(await findAmong([], 'k1')).toEqual({ kind: 'unknown' });
  });

  it('that publish one keyid: the first counts', async () => {
    const { findAmong } = await open(
      world({ 'https://elsewhere.example/jwks.json': JSON.stringify({ keys: [freshKey('ed25519', 'k1').publicJwk] }) }),
    );
    expect(await findAmong(agents, 'k1')).toMatchObject({ kind: 'found', signer: other.url });
  });

  it('serve a verifier: its answer names who signed', async () => {
    const { findAmong } = await open(world());
    const verifier = createVerifier({ ...verifierOptions('webhook', []), keys: (keyid) => findAmong(agents, keyid) });
    expect(await verifier(arrived(webhook(), KEY))).toMatchObject({ ok: true, signer: AGENT });
    const stranger = freshKey('ed25519', 'k1');
    expect(await verifier(arrived(webhook(), stranger))).toMatchObject({ code: 'webhook_signature_invalid' });
  });
});
