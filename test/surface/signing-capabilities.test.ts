import { describe, expect, it } from 'vitest';
import { type Booted, boot, JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { send } from '../kit/http.js';
import { hasSchemas, schemaJudge } from '../kit/schemas.js';
import { type TenantDraft, tenantsFolder } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';

type Signing = Payload & {
  readonly request_signing: { readonly required_for: readonly string[]; readonly supported_for: readonly string[] };
  readonly webhook_signing: { readonly algorithms: readonly string[] };
};

/** What a server says it can do, asked over loopback whatever its address is. */
async function capabilities({ baseUrl }: Booted, args: object = {}, tool = 'get_adcp_capabilities'): Promise<Signing> {
  const to = `http://127.0.0.1:${new URL(baseUrl).port}/sales/mcp`;
  const body = JSON.stringify(toolCall(tool, args));
  return readAnswer(await send(to, { method: 'POST', headers: JSON_HEADERS, body })).payload as Signing;
}

const PUBLIC = { baseUrl: 'https://ads.seller.example:0' };
const bent = (bend: (tenant: TenantDraft) => void) => boot({ settings: PUBLIC, tenants: tenantsFolder(bend) });

describe('what the capabilities say of signatures', () => {
  it('leads from the agent’s https address to its keys', async () => {
    const server = await boot({ settings: PUBLIC });
    const { port } = new URL(server.baseUrl);
    const origin = `https://ads.seller.example:${port}`;
    const { identity, webhook_signing } = await capabilities(server);
    expect(identity).toEqual({
      brand_json_url: `${origin}/.well-known/brand.json`,
      key_origins: { request_signing: origin, webhook_signing: origin },
    });
    expect(webhook_signing).toEqual({
      supported: true,
      profile: 'adcp/webhook-signing/v1',
      algorithms: ['ed25519'],
      legacy_hmac_fallback: true,
      delivery_retry_horizon_seconds: 86_400,
    });
    const brand = await send(`http://127.0.0.1:${port}/.well-known/brand.json`);
    expect(brand.json()).toMatchObject({
      agents: expect.arrayContaining([expect.objectContaining({ url: server.url() })]),
    });
  });

  it('names no brand.json that nobody could trust', async () => {
    const server = await boot();
    const { identity } = await capabilities(server);
    expect(identity).toEqual({ key_origins: { request_signing: server.baseUrl, webhook_signing: server.baseUrl } });
  });

  it('names the algorithms of the keys that are published now', async () => {
    const server = await boot({ settings: { webhookKey: 'request-signing' } });
    const { keys } = server.server().app;
    const algorithms = async () => (await capabilities(server)).webhook_signing.algorithms;
    expect(await algorithms()).toEqual(['ed25519']);
    await keys.rotate({ alg: 'ecdsa-p256-sha256' });
    expect(await algorithms()).toEqual(['ed25519', 'ecdsa-p256-sha256']);
    await keys.rotate({ alg: 'ecdsa-p256-sha256', now: true });
    expect(await algorithms()).toEqual(['ecdsa-p256-sha256']);
  });

  it('is called as the protocol is', async () => {
    const server = await boot({ protocolName: 'mediaproto' });
    const said = await capabilities(server, {}, 'get_mediaproto_capabilities');
    expect(said.webhook_signing).toMatchObject({ profile: 'mediaproto/webhook-signing/v1' });
  });

  it('claims neither requests that are not looked at nor legacy schemes that are not taken', async () => {
    const server = await bent((tenant) => {
      tenant.request_signing = { supported: false };
      tenant.webhooks = { legacy_webhooks: false };
    });
    const { identity, request_signing, webhook_signing } = await capabilities(server);
    expect(request_signing).toEqual({ supported: false });
    expect(webhook_signing).toMatchObject({ supported: true, legacy_hmac_fallback: false });
    expect(identity).toMatchObject({ key_origins: { webhook_signing: expect.any(String) } });
    expect(identity).not.toMatchObject({ key_origins: { request_signing: expect.any(String) } });
  });

  it('supports what it requires and what it warns for, of the tasks that are offered', async () => {
    const server = await bent((tenant) => {
      tenant.request_signing = { required_for: ['create_media_buy', 'build_creative'], warn_for: ['get_products'] };
    });
    const { request_signing: signing } = await capabilities(server);
    expect(signing).toMatchObject({ required_for: ['create_media_buy'], warn_for: ['get_products'] });
    expect(signing.supported_for).toEqual(
      expect.arrayContaining(['create_media_buy', 'get_products', 'sync_creatives']),
    );
    expect(signing.supported_for).not.toEqual(expect.arrayContaining(['build_creative']));
    expect(signing.supported_for).not.toEqual(expect.arrayContaining(['get_media_buys']));
  });
});

describe.each(['3.0', '3.1'] as const)('by the schemas of %s', (release) => {
  it.skipIf(!hasSchemas(release))('it is valid, at a public address and on this machine', async () => {
    for (const settings of [PUBLIC, {}]) {
      const said = await capabilities(await boot({ settings }), { adcp_version: release });
      expect(schemaJudge(release)('protocol/get-adcp-capabilities-response', said)).toEqual([]);
    }
  });
});
