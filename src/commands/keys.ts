import path from 'node:path';
import { sha256Hex } from '../platform/kernel/canonical.js';
import { secondText } from '../platform/kernel/clock.js';
import { ConfigError } from '../platform/kernel/errors.js';
import { writeWholeFile } from '../platform/kernel/files/whole-file.js';
import { type Draft, draftsAt, type Environment, keysOf, textAt } from '../seller/config/draft.js';
import { readJsonFile } from '../seller/config/json-file.js';
import { draftOf, fileRefusal } from '../seller/config/keys/edit-json.js';
import {
  type KeyFiles,
  type KeyOperation,
  type OperatedKeys,
  operatePrincipalKeys,
} from '../seller/config/keys/operate-keys.js';
import type { Settings } from '../seller/config/settings.js';
import { listTenantFiles, type TenantLocation } from '../seller/config/tenant-files.js';
import { askRunning } from './operator.js';

/** Returns every principal of every tenant and its credentials as text: no key, and of a hash only its beginning. */
export async function listKeys(settings: Pick<Settings, 'tenantsDir'>, env: Environment): Promise<string> {
  const tenants = await listTenantFiles(settings.tenantsDir);
  const parts = await Promise.all(
    tenants.map(async ({ file, path }) => [`/${path}/mcp`, ...principalLines(await readDraft(file), env)]),
  );
  return parts.flat().join('\n');
}

/**
 * Makes, revokes or expires a key, through the running server where one serves the files; returns what came of it as text. Throws ConfigError
 * where the tenants are the shipped examples.
 */
export async function operateKeys(
  settings: Pick<Settings, 'dataDir' | 'hasExampleTenants' | 'tenantsDir'>,
  operation: KeyOperation,
  means: Pick<KeyFiles, 'nowIso' | 'randomKey'>,
): Promise<string> {
  const { dataDir, hasExampleTenants, tenantsDir } = settings;
  if (hasExampleTenants) {
    const message = 'there is no folder ./tenants here, and keys are not written into the shipped example tenants';
    const fix = 'Run this in the folder of your settings, or name the folder of the tenants with --tenants.';
    throw new ConfigError([{ file: tenantsDir, line: 0, pointer: '', message, fix }]);
  }
  const served = await askRunning(dataDir, { path: '/tenant-keys' });
  const isServed = served !== undefined && 'tenants_dir' in served && served.tenants_dir === path.resolve(tenantsDir);
  const answer = isServed ? await askRunning(dataDir, { path: '/tenant-keys', body: operation }) : undefined;
  const files = { ...means, edit: editAlone(settings) };
  // The running server answers with what is answered here.
  return describeOperated(
    operation,
    (answer as OperatedKeys | undefined) ?? (await operatePrincipalKeys(files, operation)),
  );
}

function describeOperated(operation: KeyOperation, { file, key, sandbox, tenant }: OperatedKeys): string {
  const whose = `"${operation.principal}" of /${tenant}/mcp`;
  if (operation.operation === 'revoke') return `The key ${operation.key} of ${whose} opens nothing any more.`;
  if (operation.operation === 'expire')
    return `The key ${operation.key} of ${whose} opens nothing from ${secondText(operation.expires_at)} on.`;
  return [
    `A new ${sandbox === true ? 'sandbox' : 'live'} key for ${whose}:`,
    '',
    `    ${key}`,
    '',
    `It is shown this once. ${file} holds its hash; earlier keys stay valid until you revoke them.`,
  ].join('\n');
}

/** Edits tenant files where no server does. */
function editAlone({ tenantsDir }: Pick<Settings, 'tenantsDir'>): KeyFiles['edit'] {
  return async (tenantPath, change) => {
    const tenants = await listTenantFiles(tenantsDir);
    const tenant = tenants.find(({ path: one }) => one === tenantPath);
    if (tenant === undefined)
      throw fileRefusal(tenantsDir, '', `there is no tenant "${tenantPath}"`, tenantOffer(tenants));
    await writeWholeFile(tenant.file, change(await readJsonFile(tenant.file)));
    return tenant.file;
  };
}

/** Returns the hash of a key as a tenant file holds it. White space around the key does not count. Throws ConfigError on an empty key. */
export function hashKey(key: string): string {
  if (key.trim() === '')
    throw fileRefusal('keys hash', '', 'no key was given', 'Give the key as an argument or on standard input.');
  return `{"sha256": "${sha256Hex(key.trim())}"}`;
}

function principalLines(draft: Draft, env: Environment): string[] {
  const principals = draftsAt(draft, 'principals');
  if (principals.length === 0) return ['  no principals'];
  return principals.map(({ draft: principal }) => {
    const credentials = keysOf({ path: [], draft: principal }).map(({ draft: key }) => describeKey(key, env));
    if (principal.public_token !== undefined) credentials.push('a public token');
    const kind = principal.sandbox === true ? 'sandbox' : 'live';
    return `  ${textAt(principal, 'id') ?? '?'}  ${kind}  ${credentials.join(', ') || 'no credential'}`;
  });
}

function describeKey(key: Draft, env: Environment): string {
  const name = textAt(key, 'env');
  const expiry = textAt(key, 'expires_at');
  const until = expiry === undefined ? '' : ` (until ${expiry})`;
  if (name !== undefined) return `the environment variable ${name}${env[name] ? '' : ' (not set)'}${until}`;
  return `a key with hash ${textAt(key, 'sha256')?.slice(0, 8) ?? '?'}…${until}`;
}

async function readDraft(file: string): Promise<Draft> {
  return draftOf(await readJsonFile(file));
}

function tenantOffer(tenants: readonly TenantLocation[]): string {
  return tenants.length === 0
    ? 'Write a first set with "init".'
    : `Use one of: ${tenants.map(({ path }) => path).join(', ')}.`;
}
