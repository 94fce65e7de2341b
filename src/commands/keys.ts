import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { sha256Hex } from '../platform/kernel/canonical.js';
import { ConfigError, type ConfigProblem } from '../platform/kernel/errors.js';
import { writeWholeFile } from '../platform/kernel/whole-file.js';
import { type Draft, draftsAt, type Environment, isDraft, textAt } from '../seller/config/draft.js';
import { type JsonFile, readJsonFile } from '../seller/config/json-file.js';
import type { Settings } from '../seller/config/settings.js';
import { listTenantFiles, type TenantLocation } from '../seller/config/tenant-files.js';

/** Whom a new key is for. */
type NewKey = {
  /** `sales`, or `acme/sales`. */
  readonly tenantPath: string;
  readonly principalId: string;
  /** The principal that is made when it is missing is a sandbox one. */
  readonly sandbox?: boolean;
  /** Unguessable text; randomness is the caller's. */
  readonly randomKey: () => string;
};

const PRINCIPAL_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Returns every principal of every tenant and its credentials as text: no key, and of a hash only its beginning. */
export async function listKeys(settings: Pick<Settings, 'tenantsDir'>, env: Environment): Promise<string> {
  const tenants = await listTenantFiles(settings.tenantsDir);
  const parts = await Promise.all(
    tenants.map(async ({ file, path }) => [`/${path}/mcp`, ...principalLines(await readDraft(file), env)]),
  );
  return parts.flat().join('\n');
}

/** Adds a fresh key to a principal, which is made if missing. The file keeps its order and layout; only the hash goes into it. */
export async function newKey(settings: Pick<Settings, 'tenantsDir'>, wanted: NewKey): Promise<string> {
  const tenants = await listTenantFiles(settings.tenantsDir);
  const tenant = tenants.find(({ path }) => path === wanted.tenantPath.replace(/^\/|\/$|\.json$/g, ''));
  if (tenant === undefined)
    throw refusal(settings.tenantsDir, '', `there is no tenant "${wanted.tenantPath}"`, tenantOffer(tenants));
  const json = await readJsonFile(tenant.file);
  const principals = draftsAt(draftOf(json), 'principals');
  const existing = principals.find(({ draft }) => draft.id === wanted.principalId);
  const sandbox = existing === undefined ? wanted.sandbox === true : existing.draft.sandbox === true;
  refuseBadPrincipal(tenant, wanted, existing?.draft);
  const key = `${sandbox ? 'sandbox' : 'live'}-${wanted.randomKey()}`;
  const hash = { sha256: sha256Hex(key) };
  const text =
    existing === undefined
      ? appended(json, ['principals'], { id: wanted.principalId, sandbox: sandbox || undefined, key: hash })
      : withKey(json, [...existing.path, 'key'], existing.draft.key, hash);
  await writeWholeFile(tenant.file, text);
  return [
    `A new ${sandbox ? 'sandbox' : 'live'} key for "${wanted.principalId}" of /${tenant.path}/mcp:`,
    '',
    `    ${key}`,
    '',
    `It is shown this once. ${tenant.file} holds its hash; earlier keys stay valid until you remove them there.`,
  ].join('\n');
}

/** Returns the hash of a key as a tenant file holds it. White space around the key does not count. Throws ConfigError on an empty key. */
export function hashKey(key: string): string {
  if (key.trim() === '')
    throw refusal('keys hash', '', 'no key was given', 'Give the key as an argument or on standard input.');
  return `{"sha256": "${sha256Hex(key.trim())}"}`;
}

function principalLines(draft: Draft, env: Environment): string[] {
  const principals = draftsAt(draft, 'principals');
  if (principals.length === 0) return ['  no principals'];
  return principals.map(({ draft: principal }) => {
    const keys = isDraft(principal.key) ? [principal.key] : draftsAt(principal, 'key').map(({ draft: key }) => key);
    const credentials = keys.map((key) => describeKey(key, env));
    if (principal.public_token !== undefined) credentials.push('a public token');
    const kind = principal.sandbox === true ? 'sandbox' : 'live';
    return `  ${textAt(principal, 'id') ?? '?'}  ${kind}  ${credentials.join(', ') || 'no credential'}`;
  });
}

function describeKey(key: Draft, env: Environment): string {
  const name = textAt(key, 'env');
  if (name !== undefined) return `the environment variable ${name}${env[name] ? '' : ' (not set)'}`;
  return `a key with hash ${textAt(key, 'sha256')?.slice(0, 8) ?? '?'}…`;
}

async function readDraft(file: string): Promise<Draft> {
  return draftOf(await readJsonFile(file));
}

function draftOf(json: JsonFile): Draft {
  if (json.problems.length > 0) throw new ConfigError(json.problems);
  if (!isDraft(json.value))
    throw refusal(json.file, '', 'a tenant file is a JSON object', 'Put the content into braces.');
  const { principals } = json.value;
  if (principals === undefined || Array.isArray(principals)) return json.value;
  throw refusal(json.file, '/principals', 'principals are a list', 'Put them into square brackets.');
}

function withKey(json: JsonFile, path: JSONPath, held: unknown, hash: Draft): string {
  if (Array.isArray(held)) return appended(json, path, hash);
  return edited(json, path, held === undefined ? hash : [held, hash]);
}

function appended(json: JsonFile, path: JSONPath, value: Draft): string {
  const list = path.reduce<unknown>(
    (at, segment) => (at as Record<string | number, unknown> | undefined)?.[segment],
    json.value,
  );
  return Array.isArray(list) ? edited(json, [...path, list.length], value) : edited(json, path, [value]);
}

function edited(json: JsonFile, path: JSONPath, value: unknown): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  return applyEdits(json.text, modify(json.text, path, value, { formattingOptions }));
}

function refuseBadPrincipal(
  { file }: TenantLocation,
  { principalId, sandbox }: NewKey,
  existing: Draft | undefined,
): void {
  if (!PRINCIPAL_ID.test(principalId)) {
    const fix = 'Use letters, digits, ".", "_" and "-", starting with a letter or digit.';
    throw refusal(file, '/principals', `"${principalId}" cannot be the id of a principal`, fix);
  }
  if (sandbox === true && existing !== undefined && existing.sandbox !== true) {
    const fix = 'Leave --sandbox out, or choose another id for a sandbox principal.';
    throw refusal(file, '/principals', `"${principalId}" exists and is a live principal`, fix);
  }
}

function tenantOffer(tenants: readonly TenantLocation[]): string {
  return tenants.length === 0
    ? 'Write a first set with "init".'
    : `Use one of: ${tenants.map(({ path }) => path).join(', ')}.`;
}

function refusal(file: string, pointer: string, message: string, fix: string): ConfigError {
  const problem: ConfigProblem = { file, line: 0, pointer, message, fix };
  return new ConfigError([problem]);
}
