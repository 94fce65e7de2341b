import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BrandJsonJwksResolver } from '@adcp/sdk/signing/server';
import { describe, expect, it } from 'vitest';
import { operateSigningKeys } from '../../../src/commands/keys/signing-keys.js';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import { createKeyDirectory } from '../../../src/platform/signing/directory/key-directory.js';
import { KEY_FILE } from '../../../src/platform/signing/keys/key-ring.js';
import { createVerifier } from '../../../src/platform/signing/verify/verify.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { type Booted, boot } from '../../kit/boot.js';
import { send } from '../../kit/http.js';
import { operatorOf } from '../../kit/operator.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { PROJECT } from '../../kit/surroundings.js';
import { ADCP, arrived, verifierOptions, webhook } from './context.js';

const HOUR_MS = 3_600_000;

type Brand = {
  readonly agents: readonly {
    readonly url: string;
    readonly type: string;
    readonly id: string;
    readonly jwks_uri: string;
  }[];
  readonly house: { readonly agents: Brand['agents'] };
  readonly contact: object;
};
type Jwks = { readonly keys: readonly { readonly kid: string }[] };

const get = (origin: string, file: string) => send(`${origin}/.well-known/${file}`);
const kids = async (server: Booted) =>
  ((await get(server.baseUrl, 'jwks.json')).json() as Jwks).keys.map(({ kid }) => kid);

/** The settings that a command would find for the data folder of a server. */
const settingsOf = ({ dataDir }: Booted) =>
  resolveSettings({ flags: { port: '0', data: dataDir }, env: {}, cwd: dataDir, packageRoot: PROJECT });

const command = async (server: Booted, flags: Parameters<typeof operateSigningKeys>[2]) =>
  operateSigningKeys(await settingsOf(server), {}, flags);

/** One key for every buyer. */
const ONE_KEY = { settings: { webhookKey: 'request-signing' } } as const;

describe('what a served host publishes', async () => {
  const server = await boot(ONE_KEY);

  it('is a key from the first request on, and the same after a restart', async () => {
    const answer = await get(server.baseUrl, 'jwks.json');
    expect([answer.status, answer.headers['cache-control'], answer.headers['access-control-allow-origin']]).toEqual([
      200,
      'public, max-age=300',
      '*',
    ]);
    const before = answer.json();
    expect(before).toEqual({
      keys: [expect.objectContaining({ adcp_use: 'request-signing', proto_use: 'request-signing' })],
    });
    await server.restart();
    expect((await get(server.baseUrl, 'jwks.json')).json()).toEqual(before);
  });

  it('is a brand.json with each agent as buyers call it', async () => {
    const brand = (await get(server.baseUrl, 'brand.json')).json() as Brand;
    const jwks_uri = `${server.baseUrl}/.well-known/jwks.json`;
    expect(brand.agents).toEqual([
      { type: 'brand', url: server.url('brand'), id: 'brand', description: expect.any(String), jwks_uri },
      { type: 'creative', url: server.url('creative'), id: 'creative', description: expect.any(String), jwks_uri },
      {
        type: 'creative',
        url: server.url('creative-builder'),
        id: 'creative_builder',
        description: expect.any(String),
        jwks_uri,
      },
      {
        type: 'governance',
        url: server.url('governance'),
        id: 'governance',
        description: expect.any(String),
        jwks_uri,
      },
      { type: 'sales', url: server.url(), id: 'sales', description: expect.any(String), jwks_uri },
      { type: 'signals', url: server.url('signals'), id: 'signals', description: expect.any(String), jwks_uri },
    ]);
  });

  it('leads a verifier from the agent’s URL to the key', async () => {
    const { keys } = server.server().app;
    const outbound = createOutbound({ development: true });
    const { clock } = server;
    const directory = createKeyDirectory({
      outbound,
      clock,
      names: ADCP,
      profile: 'webhook',
      local: true,
      brandJson: 'well_known',
    });
    const verifier = createVerifier({
      ...verifierOptions('webhook', []),
      now: () => clock.now() / 1000,
      keys: (keyid) => directory.find({ url: server.url() }, keyid),
    });
    const request = arrived(webhook(), keys.signing('webhook-signing'), { nowSeconds: clock.now() / 1000 });
    expect(await verifier(request)).toMatchObject({ ok: true, signer: server.url() });
    await outbound.close();
  });

  it('leads the public SDK to the key too', async () => {
    const resolver = new BrandJsonJwksResolver(`${server.baseUrl}/.well-known/brand.json`, {
      agentType: 'sales',
      allowPrivateIp: true,
    });
    const { kid, publicJwk } = server.server().app.keys.signing('request-signing');
    expect(await resolver.resolve(kid)).toEqual(publicJwk);
    expect(resolver.agentUrl).toBe(server.url());
  });

  it('pins the keys in adagents.json', async () => {
    const file = (await get(server.baseUrl, 'adagents.json')).json() as {
      authorized_agents: { signing_keys: object[] }[];
    };
    const { keys } = (await get(server.baseUrl, 'jwks.json')).json() as Jwks;
    for (const agent of file.authorized_agents) expect(agent.signing_keys).toEqual(keys);
  });
});

describe.each(['3.0', '3.1'] as const)('by the schemas of %s', (release) => {
  it.skipIf(!hasSchemas(release))('brand.json and adagents.json are valid', async () => {
    const operator = { domain: 'seller.example', name: 'The Seller' };
    const server = await boot({ settings: { baseUrl: 'https://ads.seller.example:0', operator } });
    const origin = `http://127.0.0.1:${new URL(server.baseUrl).port}`;
    await server.server().app.keys.rotate({ now: true });
    const brand = (await get(origin, 'brand.json')).json() as Brand;
    expect(brand.contact).toEqual(operator);
    // With publishers configured the operator is a house, whose agents they are.
    expect(brand.house.agents.map(({ url }) => url)).toContain(server.url());
    const judge = schemaJudge(release);
    expect(judge('brand', brand)).toEqual([]);
    expect(judge('adagents', (await get(origin, 'adagents.json')).json())).toEqual([]);
  });
});

describe('the operator', () => {
  it('rotates the keys of a running server, which signs on without a restart', async () => {
    const server = await boot(ONE_KEY);
    const [first] = await kids(server);
    const { ok, text } = await command(server, { operation: 'rotate' });
    expect([ok, text]).toEqual([
      true,
      expect.stringMatching(/^\S+ is published and takes over for request-signing at 2030-01-01T01:00:00Z\.$/),
    ]);
    const [, second] = await kids(server);
    expect(server.server().app.keys.signing('request-signing').kid).toBe(first);
    server.clock.advance(HOUR_MS);
    expect(server.server().app.keys.signing('request-signing').kid).toBe(second);
    expect(await kids(server)).toEqual([first, second]);
    expect((await command(server, { operation: 'list' })).text).toMatch(
      /retiring {2}published until 2030-01-01T01:15:00Z\n.*active {4}since 2030-01-01T01:00:00Z/,
    );
    await server.server().tick();
    const rows = JSON.parse(readFileSync(path.join(server.dataDir, KEY_FILE), 'utf8')) as { keys: { state: string }[] };
    expect(rows.keys.map(({ state }) => state)).toEqual(['retiring', 'active']);
  });

  it('gives a key up at once', async () => {
    const server = await boot(ONE_KEY);
    const [first] = await kids(server);
    expect((await command(server, { operation: 'rotate', now: true })).text).toMatch(
      / signs for request-signing from now on\.$/,
    );
    expect(await kids(server)).not.toContain(first);
    expect((await command(server, { operation: 'list' })).text).toContain('revoked 2030-01-01T00:00:00Z');
  });

  it('is told what is wrong, with what to do', async () => {
    const server = await boot(ONE_KEY);
    const answer = await operatorOf(server).post('/keys', { operation: 'retire', kid: 'nope' });
    expect([answer.status, answer.json()]).toEqual([
      404,
      {
        code: 'REFERENCE_NOT_FOUND',
        error: expect.stringMatching(/^There is no key with this kid\. The keys: \S+\.$/),
      },
    ]);
    await expect(command(server, { operation: 'generate' })).rejects.toThrow(/already\. Replace it with rotate\.$/);
    await expect(command(server, { operation: 'rotate', alg: 'rsa' })).rejects.toMatchObject({
      extras: { field: 'alg' },
    });
  });

  it('does the same on the data folder when nothing runs', async () => {
    const server = await boot(ONE_KEY);
    const [first] = await kids(server);
    await server.close();
    expect((await command(server, { operation: 'rotate' })).text).toContain('is published and takes over');
    expect((await command(server, { operation: 'list' })).text.split('\n')).toHaveLength(2);
    const { ok, text } = await command(server, { operation: 'verify' });
    expect([ok, text.split('\n').filter((line) => line.startsWith(`ok      ${first}`)).length]).toEqual([true, 3]);
  });

  it('is kept from serving with a key that nobody could verify', async () => {
    const server = await boot(ONE_KEY);
    await server.close();
    const file = path.join(server.dataDir, KEY_FILE);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"x": ".{4}/, '"x": "AAAA'));
    await expect(boot({ ...ONE_KEY, dataDir: server.dataDir })).rejects.toThrow(
      /does not belong to its public key[\s\S]*fix: /,
    );
  });
});

describe('the key for verifiers of 3.0', () => {
  it.each(['by_release', 'webhook-signing'] as const)(
    'is made and published beside the other: %s',
    async (webhookKey) => {
      const server = await boot({ settings: { webhookKey } });
      expect((await get(server.baseUrl, 'jwks.json')).json()).toEqual({
        keys: [
          expect.objectContaining({ adcp_use: 'request-signing', proto_use: 'request-signing' }),
          expect.objectContaining({ adcp_use: 'webhook-signing', proto_use: 'webhook-signing' }),
        ],
      });
      expect(server.server().app.keys.signing('webhook-signing').purpose).toBe('webhook-signing');
    },
  );

  it('is named after the protocol, whatever that is called', async () => {
    const server = await boot({ protocolName: 'mediaproto' });
    const { keys } = (await get(server.baseUrl, 'jwks.json')).json() as Jwks;
    expect(keys[0]).toMatchObject({ mediaproto_use: 'request-signing', proto_use: 'request-signing' });
  });
});
