import type { ServerResponse } from 'node:http';
import type { MetricRow, Metrics } from '../../../platform/health/metrics.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { socketAddress } from '../../../platform/net/address.js';
import { openSenders } from '../../../platform/web/body.js';
import type { WebListener } from '../../../platform/web/listener.js';
import { ACCEPT_CLOCK } from '../routes/clock.js';
import { REGISTRY_ROUTES } from '../routes/routes.js';
import type { Registry } from '../service/registry.js';
import { createRegistryListener } from './listener.js';
import type { Route } from './route.js';

/** Something that the operator does: its name in a log of acts, what it is done to, and the other words of the request. */
type OperatorAct = { readonly action: string; readonly subject: string; readonly detail: string };

/** Stores an act before it is run, and how it ended. */
export type CarryOut = <T>(act: OperatorAct, run: () => Promise<T>) => Promise<T>;

/** The parts of an operator's address beside the registry. */
type OperatorOptions = {
  readonly token: string;
  /** Called with the first request for the figures. */
  readonly readMetrics: () => Promise<readonly MetricRow[]>;
  /** Stores the acts of the operator; those of a registry by itself are not stored. */
  readonly carryOut?: CarryOut | undefined;
};

/**
 * Returns the listener of the operator's address: the figures for Prometheus, and the admin routes, for whoever can read the token in the
 * data folder.
 */
export function createOperatorListener(
  registry: Registry,
  { carryOut, readMetrics, token }: OperatorOptions,
): WebListener {
  const own: Registry = {
    ...registry,
    // The operator's changes of a mirror itself are made in it.
    mirrors: undefined,
    identify: async (given) =>
      given === token ? { kind: 'key', id: 'operator', name: 'operator', role: 'admin' } : undefined,
  };
  const operated = REGISTRY_ROUTES.filter(({ auth }) => auth === 'admin').map(ownOnly);
  const routes = [
    ...(carryOut === undefined ? operated : operated.map((one) => storeActs(one, carryOut))),
    ACCEPT_CLOCK,
  ];
  const admin = createRegistryListener(own, routes, openSenders(socketAddress));
  let metrics: Promise<Metrics> | undefined;
  return (request, response, next) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return admin(request, response, next);
    metrics ??= Promise.all([import('../../../platform/health/metrics.js'), readMetrics()]).then(
      ([{ createMetrics }, rows]) => createMetrics(rows, registry.log),
    );
    void metrics
      .then((read) => writeMetrics(read, response))
      .catch((error: unknown) => {
        registry.log.error({ err: error }, 'the figures of the registry cannot be read');
        response.destroy();
      });
  };
}

/** Returns a route that changes nothing of what a mirror has from its primary. */
function ownOnly(one: Route): Route {
  if (one.method === 'GET') return one;
  return {
    ...one,
    run: async (call) => {
      call.registry.replication.requireOwn(one.operation_id);
      return await one.run(call);
    },
  };
}

/** Returns a route whose calls are acts that are stored; what reads alone is none. */
function storeActs(one: Route, carryOut: CarryOut): Route {
  if (one.method === 'GET') return one;
  const action = `registry.${one.operation_id
    .replace(/^admin/, '')
    .replaceAll(/(?!^)[A-Z]/g, '_$&')
    .toLowerCase()}`;
  return {
    ...one,
    run: (call) => {
      const [subject = '', ...others] = isObject(call.body) ? Object.values(call.body).map(wordsOf) : [];
      return carryOut({ action, subject, detail: others.join(', ') }, () => one.run(call));
    },
  };
}

/** Things of one act that its record names; the others are counted. */
const MAX_NAMED_THINGS = 20;

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) {
    const more = value.length - MAX_NAMED_THINGS;
    const named = value
      .slice(0, MAX_NAMED_THINGS)
      .map((one: unknown) => wordsOf(isObject(one) ? Object.values(one)[0] : one));
    return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function writeMetrics(read: Metrics, response: ServerResponse): Promise<void> {
  const { contentType, text } = await read();
  response.writeHead(200, { 'content-type': contentType }).end(text);
}
