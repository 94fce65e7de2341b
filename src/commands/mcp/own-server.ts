import { listTenantFiles } from '../../seller/config/tenant-files.js';
import { createServer } from '../../seller/server.js';
import { findPrincipalKey } from '../a2a/principal-key.js';
import type { CommandContext } from '../command.js';
import { askRunning, findBaseUrl, OperatorError } from '../operator.js';
import type { BridgeTarget, OpenTarget, StdioFlags } from './target.js';

/** Opens the server on the data folder: the one that runs there, else one of this process. */
export async function openOwnServer(
  context: CommandContext,
  flags: StdioFlags,
  given: string | undefined,
): Promise<OpenTarget> {
  const { env, log, version } = context;
  const port = flags.port ?? env.SELLER_AGENT_PORT ?? '0';
  const settings = await context.settings({ ...flags, port });
  const tenant = flags.tenant ?? (await firstTenant(settings.tenantsDir));
  const key = given ?? (await findPrincipalKey(settings, env, { tenant, principal: flags.principal }));
  const targetAt = (baseUrl: string): BridgeTarget => ({ url: `${baseUrl}/${tenant}/mcp`, key });
  if ((await askRunning(settings.dataDir, { path: '/status' })) !== undefined)
    return { target: targetAt(await findBaseUrl(settings)), close: async () => undefined };
  const server = await createServer({ settings, env, version, log: await log('warn') });
  const baseUrl = await server.listen();
  return { target: targetAt(baseUrl), close: () => server.close() };
}

async function firstTenant(folder: string): Promise<string> {
  const paths = (await listTenantFiles(folder)).map(({ path }) => path);
  const first = paths.find((path) => path === 'sales') ?? paths[0];
  if (first === undefined)
    throw new OperatorError(`There is no tenant file in ${folder}. "seller-agent init" writes some.`);
  return first;
}
