import { randomBytes } from 'node:crypto';
import type { SigningKey } from '../../../../src/platform/signing/keys/jwk.js';
import { type SignOptions, signRequest } from '../../../../src/platform/signing/sign.js';
import { type AssetServer, serveAssets } from '../../../kit/asset-server.js';
import { type Booted, boot, toolCall } from '../../../kit/boot.js';
import { type HttpAnswer, send } from '../../../kit/http.js';
import { addAccount, type TenantDraft, tenantsFolder } from '../../../kit/tenants.js';
import { freshKey } from '../../../platform/signing/context.js';

/** The API key of Alice, whose agent signs too. */
export const ALICE_TOKEN = 'alices-sandbox-token';

/** A server with two principals whose agents sign, and where those publish their keys. */
export type SigningContext = {
  readonly server: Booted;
  readonly alice: SigningKey;
  readonly bob: SigningKey;
  /** What is served: `/alice.json` and `/bob.json` are the key sets. A test may put others there. */
  readonly files: Record<string, string>;
  readonly assets: AssetServer;
  /** The folder of the tenant files. */
  readonly tenants: string;
};

/** A key set as it is served. */
export function jwks(...keys: readonly SigningKey[]): string {
  return JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) });
}

/** Boots the context: a key is needed for create_media_buy, and forgiven for list_accounts, unless `bend` says otherwise. */
export async function signingContext(
  bend: (tenant: TenantDraft, jwksUri: (name: string) => string) => void = () => undefined,
  options: Omit<Parameters<typeof boot>[0], 'tenants'> = {},
): Promise<SigningContext> {
  const alice = freshKey('ed25519', 'alice-1');
  const bob = freshKey('ecdsa-p256-sha256', 'bob-1');
  const files: Record<string, string> = { '/alice.json': jwks(alice), '/bob.json': jwks(bob) };
  const assets = await serveAssets(files);
  const jwksUri = (name: string): string => assets.url(`/${name}.json`);
  const tenants = tenantsFolder((tenant) => {
    tenant.request_signing = { required_for: ['create_media_buy'], warn_for: ['list_accounts'] };
    for (const name of ['alice', 'bob']) {
      const signer = { agent_url: `https://${name}.example/mcp`, jwks_uri: jwksUri(name) };
      tenant.principals.push({ id: name, sandbox: true, signer, policies: { creative_requirement: 'none' } });
      addAccount(tenant, `acct_${name}`, { principal: name });
    }
    Object.assign(tenant.principals.at(-2) ?? {}, { public_token: ALICE_TOKEN });
    bend(tenant, jwksUri);
  });
  return { server: await boot({ ...options, tenants }), alice, bob, files, assets, tenants };
}

/** How a call is signed and sent; everything has a default. */
export type Sending = {
  /** The address that is called; the sales endpoint unless given. */
  readonly to?: string;
  /** The address that is signed; the one that is called unless given. */
  readonly as?: string;
  readonly contentType?: string;
  readonly sign?: Partial<SignOptions>;
  /** Put over the signed headers; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent in the place of the body that was signed. */
  readonly instead?: string;
};

/** A body as it is sent: text as it is, anything else as JSON. */
export function asText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** The headers of a signed call, no other credential among them. */
export function signedHeaders(server: Booted, key: SigningKey, body: unknown, sending: Sending = {}) {
  const { as = sending.to ?? server.url(), contentType = 'application/json', sign } = sending;
  const request = { method: 'POST', url: as, contentType, body: Buffer.from(asText(body)) };
  const nowSeconds = Math.floor(server.clock.now() / 1000);
  const nonce = randomBytes(16).toString('base64url');
  const { names } = [...server.server().app.sellers().values()][0] ?? {};
  const signature = signRequest(request, key, { tag: names?.requestTag ?? '', nowSeconds, nonce, ...sign });
  return { 'content-type': contentType, accept: 'application/json', ...signature, ...sending.headers };
}

/** Signs a body and posts it. */
export function post(server: Booted, key: SigningKey, body: unknown, sending: Sending = {}): Promise<HttpAnswer> {
  const headers = signedHeaders(server, key, body, sending);
  return send(sending.to ?? server.url(), { method: 'POST', headers, body: sending.instead ?? asText(body) });
}

/** What came of a call: the accounts that its caller sees, or the status and challenge of a refusal. */
export function outcome(answer: HttpAnswer): unknown {
  if (answer.status !== 200) return [answer.status, answer.headers['www-authenticate']];
  const { result } = answer.json() as { result: { structuredContent: { accounts: { account_id: string }[] } } };
  return result.structuredContent.accounts.map((account) => account.account_id);
}

/** The call whose answer tells who made it. */
export const WHO_AM_I = toolCall('list_accounts', {});

/** The challenge of a signature that does not hold, and nothing beside it. */
export const refused = (failure: string): unknown => [401, `Signature error="request_${failure}"`];
