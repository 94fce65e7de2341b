import type { RegistryServer } from '../../registry/server/server.js';

/** What the greeting of `registry serve` says. */
export type RegistryBanner = { readonly version: string; readonly dataDir: string };

/** Serves a registry until `stopped`, then drains. `write` shows the greeting. */
export async function serveRegistry(
  server: RegistryServer,
  { version, dataDir }: RegistryBanner,
  write: (text: string) => void,
  stopped: Promise<void>,
): Promise<void> {
  const baseUrl = await server.listen();
  const { mirrors } = server.registry;
  write(
    [
      `seller-agent ${version} is serving a registry${mirrors === undefined ? '' : `, a mirror of ${mirrors}`}`,
      '',
      `  ${baseUrl}/api`,
      '',
      `  data      ${dataDir}`,
      `  API       ${baseUrl}/docs   ${baseUrl}/openapi/registry.yaml`,
      `  MCP       ${baseUrl}/mcp`,
      `  health    ${baseUrl}/healthz   ${baseUrl}/readyz`,
      '',
    ].join('\n'),
  );
  await stopped;
  write('Draining: calls in hand are finished, then the store is closed.');
  await server.close();
}
