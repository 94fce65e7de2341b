import { ConfigError } from '../../platform/kernel/errors.js';
import { createRegistryServer } from '../../registry/server/server.js';
import type { SettingsFlags } from '../../seller/config/settings.js';
import type { CommandContext } from '../command.js';

/** Serves a registry, or a mirror of one, until the process is told to end, then drains. */
export async function serveRegistry(
  { env, log, out, settings: readSettings, untilStopped, version }: CommandContext,
  { mirror, standby, ...flags }: SettingsFlags & { readonly mirror?: string; readonly standby?: boolean },
): Promise<undefined> {
  const settings = await readSettings(flags);
  const token = env.SELLER_AGENT_REGISTRY_TOKEN;
  const origin = mirror === undefined ? undefined : { url: mirror, token, isStandby: standby === true };
  const lines = await log('info');
  const server = await createRegistryServer({ settings, version, log: lines, mirror: origin });
  if (origin === undefined && server.registry.mirrors !== undefined) {
    await server.close();
    throw restingMirror(server.registry.mirrors);
  }
  const stopped = untilStopped(() => lines.warn('SIGHUP changes nothing: settings are read at a start'));
  const baseUrl = await server.listen();
  const { mirrors } = server.registry;
  out(
    [
      `seller-agent ${version} is serving a registry${kindOf(mirrors, standby === true)}`,
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
  await server.retire();
  await server.close();
}

function kindOf(mirrors: string | undefined, isStandby: boolean): string {
  if (mirrors === undefined) return '';
  return isStandby ? `, a standby of ${mirrors}` : `, a mirror of ${mirrors}`;
}

function restingMirror(url: string): ConfigError {
  return new ConfigError([
    {
      file: 'flag --data',
      line: 0,
      pointer: '',
      message: `the registry in the data folder is a mirror of ${url}`,
      fix: `Add --mirror ${url}, or make it the primary with "seller-agent registry promote".`,
    },
  ]);
}
