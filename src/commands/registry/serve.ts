import { createRegistryServer } from '../../registry/server/server.js';
import type { SettingsFlags } from '../../seller/config/settings.js';
import type { CommandContext } from '../command.js';

/** Serves a registry, or a mirror of one, until the process is told to end, then drains. */
export async function serveRegistry(
  { env, log, out, settings: readSettings, untilStopped, version }: CommandContext,
  { mirror, ...flags }: SettingsFlags & { readonly mirror?: string },
): Promise<undefined> {
  const settings = await readSettings(flags);
  const origin = mirror === undefined ? {} : { mirror: { url: mirror, token: env.SELLER_AGENT_REGISTRY_TOKEN } };
  const server = await createRegistryServer({ settings, version, log: await log('info'), ...origin });
  const stopped = untilStopped();
  const baseUrl = await server.listen();
  const { mirrors } = server.registry;
  out(
    [
      `seller-agent ${version} is serving a registry${mirrors === undefined ? '' : `, a mirror of ${mirrors}`}`,
      '',
      `  ${baseUrl}/api`,
      '',
      `  data      ${settings.dataDir}`,
      `  API       ${baseUrl}/docs   ${baseUrl}/openapi/registry.yaml`,
      `  MCP       ${baseUrl}/mcp`,
      `  health    ${baseUrl}/healthz   ${baseUrl}/readyz`,
      '',
    ].join('\n'),
  );
  await stopped;
  out('Draining: calls in hand are finished, then the store is closed.');
  await server.close();
}
