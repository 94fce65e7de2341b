import { describe, expect, it } from 'vitest';
import { findTool, TOOLS } from '../../src/seller/tasks/index.js';
import { toolName } from '../../src/seller/tasks/pipeline/tool.js';
import { type Booted, boot, JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { send } from '../kit/http.js';
import { hasSchemas, schemaJudge } from '../kit/schemas.js';
import { type TenantDraft, tenantsFolder } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';

type Signing = Payload & {
  readonly request_signing: Readonly<Record<'required_for' | 'warn_for' | 'supported_for', readonly string[]>>;
  readonly webhook_signing: { readonly algorithms: readonly string[] };
};

/** Signature-Input of a signature that is complete, and by nobody's key. */
const SIGNATURE_INPUT =
  'sig1=("@method" "@target-uri" "@authority" "content-type");created=1893456000;expires=1893456300;nonce="AAAAAAAAAAAAAAAAAAAAAA";keyid="nobody";alg="ed25519";tag="adcp/request-signing/v1"';

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
      coalescence_window_seconds: { impairment: 30, urgent_impairment: 0, media_buy: 2 },
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
    const answer = await capabilities(server, {}, 'get_mediaproto_capabilities');
    expect(answer.webhook_signing).toMatchObject({ profile: 'mediaproto/webhook-signing/v1' });
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

/** The 401 of a call, as its challenges name it, or what it was answered with. */
async function refusalOf(server: Booted, tool: string, headers: Record<string, string | undefined>): Promise<string> {
  const { status, headers: answered } = await server.raw(toolCall(tool, {}), headers);
  return status === 401 ? String(answered['www-authenticate']) : String(status);
}

describe('what is required and what is forgiven is what is enforced', () => {
  const RULES: readonly (readonly [string, object])[] = [
    ['as they are by themselves', {}],
    [
      'some of them',
      { required_for: ['sync_creatives', 'get_products'], warn_for: ['list_accounts', 'create_media_buy'] },
    ],
    ['strict', { required_for: ['update_media_buy', 'get_media_buys'], warn_for: ['get_products'], strict: true }],
    ['none', { required_for: [] }],
    ['not looked at', { supported: false }],
  ];
  const DEMANDS = /request_signature_required/;
  const token = 'Bearer sandbox-token';
  const falsely = { signature: `sig1=:${'A'.repeat(86)}:`, 'signature-input': SIGNATURE_INPUT };

  it.each(RULES)('%s, over every task that is offered', async (_what, rules) => {
    const server = await boot({
      tenants: tenantsFolder((tenant) => Object.assign(tenant, { request_signing: rules })),
    });
    const { request_signing: signing } = await capabilities(server);
    const { required_for = [], warn_for = [] } = signing;
    const seller = server.server().app.sellers().get('sales');
    if (seller === undefined) throw new Error('there is no sales tenant');
    const tasks = TOOLS.map((tool) => toolName(tool, seller.names)).filter(
      (name) => findTool(seller, name) !== undefined,
    );
    expect(tasks.length).toBeGreaterThan(15);
    for (const task of tasks) {
      const unsigned = await refusalOf(server, task, { authorization: undefined });
      expect([task, DEMANDS.test(unsigned)]).toEqual([task, required_for.includes(task)]);
      const withKey = await refusalOf(server, task, { authorization: token });
      const isStrict = 'strict' in rules && required_for.includes(task);
      expect([task, DEMANDS.test(withKey)]).toEqual([task, isStrict]);
      const isForgiven = 'supported' in rules || warn_for.includes(task);
      const wrong = await refusalOf(server, task, { authorization: token, ...falsely });
      expect([task, wrong.includes('request_signature')]).toEqual([task, !isForgiven]);
    }
  });

  it('demands nothing by itself of a tenant where nobody could sign', async () => {
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { public_sandbox: true }));
    const server = await boot({ settings: { ...PUBLIC, development: false }, tenants });
    expect((await capabilities(server)).request_signing).toMatchObject({ required_for: [] });
  });
});

describe.each(['3.0', '3.1'] as const)('by the schemas of %s', (release) => {
  it.skipIf(!hasSchemas(release))('it is valid, at a public address and on this machine', async () => {
    for (const settings of [PUBLIC, {}]) {
      const answer = await capabilities(await boot({ settings }), { adcp_version: release });
      expect(schemaJudge(release)('protocol/get-adcp-capabilities-response', answer)).toEqual([]);
    }
  });
});
