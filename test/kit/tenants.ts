import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT, temporaryFolder } from './surroundings.js';

/** A tenant file as tests bend it. */
export type TenantDraft = Record<string, unknown> & {
  name: string;
  principals: Record<string, unknown>[];
  accounts: Record<string, unknown>[];
  products: (Record<string, unknown> & { product_id: string; pricing_options: Record<string, unknown>[] })[];
  signals: (Record<string, unknown> & { signal_agent_segment_id: string })[];
};

/** The shipped tenants. */
export const SHIPPED = ['sales', 'creative', 'creative-builder', 'signals', 'governance', 'brand'] as const;

/** Their paths as a list of tenants shows them. */
export const SHIPPED_PATHS: readonly string[] = [...SHIPPED].sort();

/** The token of a sandbox principal at a shipped tenant: sellers are given that of the governance agent, which is longer therefore. */
export function sandboxToken(tenant: string | undefined, token = 'sandbox-token'): string {
  return tenant === 'governance' ? `${token}-of-the-governance-agent` : token;
}

/** A fresh copy of a shipped tenant, the sales one unless named. */
export function shippedTenant(name: (typeof SHIPPED)[number] = 'sales'): TenantDraft {
  return JSON.parse(readFileSync(path.join(PROJECT, 'tenants', `${name}.json`), 'utf8')) as TenantDraft;
}

/** Writes a tenant file into a folder, in place of the one that is there. */
export function writeTenant(folder: string, content: object | string, name = 'sales'): void {
  const file = path.join(folder, `${name}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
}

/** A folder with one tenant: a shipped one after `bend`, the sales one unless named. */
export function tenantsFolder(
  bend: (tenant: TenantDraft) => void = () => undefined,
  name: Parameters<typeof shippedTenant>[0] = 'sales',
): string {
  const tenant = shippedTenant(name);
  bend(tenant);
  const folder = temporaryFolder('seller-agent-tenants-');
  writeTenant(folder, tenant, name);
  return folder;
}

/** A folder with the shipped tenants as public sandboxes: their public tokens hold outside development mode too. */
export function publicSandboxes(): string {
  const folder = temporaryFolder('seller-agent-tenants-');
  for (const name of SHIPPED) writeTenant(folder, { ...shippedTenant(name), public_sandbox: true }, name);
  return folder;
}

/** A folder with the shipped tenants that lists every task there is: governance is left to whoever needs it otherwise. */
export function tenantsWithEveryTask(): string {
  const folder = temporaryFolder('seller-agent-tenants-');
  for (const name of SHIPPED) {
    const tenant = shippedTenant(name);
    if (name === 'sales' || name === 'signals') tenant.governance = 'listed';
    writeTenant(folder, tenant, name);
  }
  return folder;
}

/** The API key of the principal that `addLivePrincipal` adds. */
export const LIVE_TOKEN = 'live-key-of-a-real-buyer-0123456789';

/** The account that comes with it. */
export const LIVE_ACCOUNT = 'acct_live';

/** Adds a principal whose buys are real money, with an active account; no creatives are needed. Delivery is simulated. */
export function addLivePrincipal(tenant: TenantDraft): void {
  tenant.fulfillment = 'simulated';
  tenant.principals.push({
    id: 'live',
    name: 'Live buyer',
    key: { sha256: createHash('sha256').update(LIVE_TOKEN).digest('hex') },
    policies: { creative_requirement: 'none' },
  });
  addAccount(tenant, LIVE_ACCOUNT, { principal: 'live' });
}

/** Adds an account, active unless `changes` say otherwise. */
export function addAccount(tenant: TenantDraft, accountId: string, changes: object = {}): void {
  const domain = `${accountId.replaceAll('_', '-')}.example`;
  const usual = { account_id: accountId, principal: 'sandbox', name: accountId, brand: { domain }, operator: domain };
  tenant.accounts.push({ ...usual, ...changes });
}
