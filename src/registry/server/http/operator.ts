import type { ServerResponse } from 'node:http';
import type { MetricRow, Metrics } from '../../../platform/health/metrics.js';
import { socketAddress } from '../../../platform/net/address.js';
import { openSenders } from '../../../platform/web/body.js';
import type { WebListener } from '../../../platform/web/listener.js';
import { ACCEPT_CLOCK } from '../routes/clock.js';
import { REGISTRY_ROUTES } from '../routes/routes.js';
import type { Registry } from '../service/registry.js';
import { createRegistryListener } from './listener.js';

/**
 * Returns the listener of the operator's address: the figures for Prometheus, and the admin routes, for whoever can read the token in the
 * data folder. `readMetrics` is called with the first request for the figures.
 */
export function createOperatorListener(
  registry: Registry,
  token: string,
  readMetrics: () => Promise<readonly MetricRow[]>,
): WebListener {
  const own: Registry = {
    ...registry,
    // The operator's changes are also made in a mirror.
    mirrors: undefined,
    identify: async (given) =>
      given === token ? { kind: 'key', id: 'operator', name: 'operator', role: 'admin' } : undefined,
  };
  const routes = [...REGISTRY_ROUTES.filter(({ auth }) => auth === 'admin'), ACCEPT_CLOCK];
  const admin = createRegistryListener(own, routes, openSenders(socketAddress));
  let metrics: Promise<Metrics> | undefined;
  return (request, response, next) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return admin(request, response, next);
    metrics ??= Promise.all([import('../../../platform/health/metrics.js'), readMetrics()]).then(
      ([{ createMetrics }, rows]) => createMetrics(rows),
    );
    void metrics
      .then((read) => writeMetrics(read, response))
      .catch((error: unknown) => {
        registry.log.error({ err: error }, 'the figures of the registry cannot be read');
        response.destroy();
      });
  };
}

async function writeMetrics(read: Metrics, response: ServerResponse): Promise<void> {
  const { contentType, text } = await read();
  response.writeHead(200, { 'content-type': contentType }).end(text);
}
