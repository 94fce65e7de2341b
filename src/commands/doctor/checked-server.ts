import { SECOND_MS } from '../../platform/kernel/clock.js';
import { createOutbound } from '../../platform/net/fetch.js';
import type { Settings } from '../../seller/config/settings.js';
import { inspectAll } from '../check/check.js';
import type { CommandContext } from '../command.js';
import { askRunning, findBaseUrl } from '../operator.js';
import type { CheckedServer } from './finding.js';

const TIMEOUT_MS = 10 * SECOND_MS;
const MAX_BYTES = 8 * 1024 * 1024;

/** Opens what `doctor` looks at of one's own server, as the settings name it; `close` ends its connections. */
export async function openCheckedServer(
  { env, now, version }: Pick<CommandContext, 'env' | 'now' | 'version'>,
  settings: Settings,
): Promise<{ readonly server: CheckedServer; readonly close: () => Promise<void> }> {
  const nowMs = now();
  const outbound = createOutbound({ development: settings.development });
  const baseUrl = await findBaseUrl(settings);
  const { tenants } = await inspectAll(settings, env, nowMs);
  const server: CheckedServer = {
    settings,
    env,
    version,
    nowMs,
    baseUrl,
    agents: tenants.map(({ path }) => `${baseUrl}/${path}/mcp`),
    publisherDomains: [
      ...new Set(tenants.flatMap(({ kinds, publisherDomains }) => (kinds.includes('sales') ? publisherDomains : []))),
    ],
    get: async (url) => {
      const asked = await outbound.fetch(url, {
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        trusted: url.startsWith(`${baseUrl}/`),
      });
      return { status: asked.status, headers: asked.headers, text: asked.bytes.toString('utf8') };
    },
    askOperator: (path) => askRunning(settings.dataDir, { path }),
  };
  return { server, close: () => outbound.close() };
}
