import { ConfigError } from '../../platform/kernel/errors.js';
import { type Draft, draftsAt, type Environment, isDraft, textAt } from '../../seller/config/draft.js';
import { readJsonFile } from '../../seller/config/json-file.js';
import type { Settings } from '../../seller/config/settings.js';
import { listTenantFiles } from '../../seller/config/tenant-files.js';
import { OperatorError } from '../operator.js';

/** Whose key is wanted. */
type Wanted = { readonly tenant: string; readonly principal?: string | undefined };

/**
 * Returns the key of a principal as far as the tenant's file tells it: its public token, or what an environment variable holds. Throws
 * OperatorError for one whose hash alone is known.
 */
export async function findPrincipalKey(
  settings: Pick<Settings, 'tenantsDir'>,
  env: Environment,
  { principal: id, tenant }: Wanted,
): Promise<string> {
  const files = await listTenantFiles(settings.tenantsDir);
  const location = files.find(({ path }) => path === tenant);
  if (location === undefined)
    throw new OperatorError(`There is no tenant "${tenant}". Tenants: ${files.map(({ path }) => path).join(', ')}.`);
  const { problems, value } = await readJsonFile(location.file);
  if (problems.length > 0 || !isDraft(value)) throw new ConfigError(problems);
  const principals = draftsAt(value, 'principals').map(({ draft }) => draft);
  const ids = principals.map((one) => textAt(one, 'id'));
  const wanted =
    id === undefined
      ? (principals.find(({ sandbox }) => sandbox === true) ?? principals[0])
      : principals.find((one) => textAt(one, 'id') === id);
  if (wanted === undefined) throw new OperatorError(`The tenant has no such principal. Principals: ${ids.join(', ')}.`);
  const key = textAt(wanted, 'public_token') ?? keyOfEnvironment(wanted, env);
  if (key === undefined)
    throw new OperatorError(
      `The tenant's file has no more than a hash of the key of "${textAt(wanted, 'id')}". Give the key with --key, or --key - and on standard input.`,
    );
  return key;
}

function keyOfEnvironment({ key, ...principal }: Draft, env: Environment): string | undefined {
  const keys = isDraft(key) ? [key] : draftsAt({ ...principal, key }, 'key').map(({ draft }) => draft);
  return keys.map((one) => env[textAt(one, 'env') ?? '']).find((value) => value !== undefined && value !== '');
}
