import { SECOND_MS } from '../../platform/kernel/clock.js';
import { isObject, readJson } from '../../platform/kernel/json/json.js';
import { createOutbound } from '../../platform/net/fetch.js';
import type { Settings } from '../../seller/config/settings.js';
import type { Asked, CheckedServer } from '../../seller/doctor/finding.js';
import { check, inspectAll } from '../check/check.js';
import type { CommandContext } from '../command.js';
import { askRunning, findBaseUrl } from '../operator.js';

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
  const get: CheckedServer['get'] = async (url) => {
    const isTrusted = url.startsWith(`${baseUrl}/`);
    const asked = await outbound
      .fetch(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, trusted: isTrusted })
      .catch((cause) => {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`${url}: ${why}`, { cause });
      });
    return { status: asked.status, headers: asked.headers, text: asked.bytes.toString('utf8') };
  };
  const server: CheckedServer = {
    settings,
    tenants,
    checkFiles: () => check(settings, env, nowMs),
    countKeys: async () => countPublishedKeys(await get(`${baseUrl}/.well-known/jwks.json`)),
    version,
    nowMs,
    baseUrl,
    agents: tenants.map(({ path }) => `${baseUrl}/${path}/mcp`),
    publisherDomains: [
      ...new Set(tenants.flatMap(({ kinds, publisherDomains }) => (kinds.includes('sales') ? publisherDomains : []))),
    ],
    get,
    askOperator: (path) => askRunning(settings.dataDir, { path }),
  };
  return { server, close: () => outbound.close() };
}

function countPublishedKeys({ status, text }: Asked): number {
  const jwks = readJson(Buffer.from(text));
  return status === 200 && isObject(jwks) && Array.isArray(jwks.keys) ? jwks.keys.length : 0;
}
