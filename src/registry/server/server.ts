import { holdDataFolder } from '../../platform/database/data-folder.js';
import { startSigning } from '../../platform/database/postgres/processes.js';
import { checkStore } from '../../platform/health/checks.js';
import type { HealthCheck } from '../../platform/health/readiness.js';
import { SECOND_MS } from '../../platform/kernel/clock.js';
import { Closing } from '../../platform/kernel/closing.js';
import { yieldToEventLoop } from '../../platform/kernel/event-loop.js';
import { removeOperatorFile, writeOperatorFile } from '../../platform/kernel/files/operator-file.js';
import { systemIds } from '../../platform/kernel/ids.js';
import { createLog, type Log } from '../../platform/kernel/log.js';
import { type Loop, startLoop } from '../../platform/kernel/loop.js';
import { openTime, REMEMBER_MS, type ServerTime, type TimeSources } from '../../platform/kernel/steady-clock.js';
import { loadOutbound, outboundOnDemand } from '../../platform/net/outbound.js';
import { registrableDomain } from '../../platform/net/registrable-domain.js';
import { type Bound, bindHttp } from '../../platform/web/bind.js';
import type { ConnectionBounds } from '../../platform/web/connections.js';
import type { WebListener } from '../../platform/web/listener.js';
import { HEALTH_PATHS, isOurHost, localOnly, OurHosts } from '../../platform/web/origin.js';
import {
  type OpenRegistry,
  type OpenRegistryOptions,
  openRegistry,
  type RegistryOptions,
  type RegistryServerSettings,
} from './open-registry.js';
import { openOperation, type RegistryOperation } from './operation.js';
import type { Registry } from './service/registry.js';

/** Between two rounds of what is due. */
const ROUND_MS = 2 * SECOND_MS;

/** Loads what takes a while to load and is needed by some requests only. */
const PRELOADS: readonly (() => unknown)[] = [
  loadOutbound,
  () => registrableDomain('registry.example'),
  () => import('./mcp/endpoint.js'),
  () => import('./openapi/openapi.js'),
];

/** Runs rounds by the clock; before the first one loads, one after the other, what no request should have to wait for. */
function startRounds({ round }: OpenRegistry, log: Log): Loop {
  let isFirst = true;
  return startLoop('registry', ROUND_MS, log, async () => {
    if (isFirst) {
      isFirst = false;
      for (const load of PRELOADS) {
        await load();
        await yieldToEventLoop();
      }
    }
    await round();
  });
}

/** A registry beside the tenants of a seller. */
export type MountedRegistry = {
  readonly listener: WebListener;
  /** For the operator's address. */
  readonly operator: OpenRegistry['operatorListener'];
  /** What its seller's /readyz says of it. */
  readonly checks: readonly HealthCheck[];
  /** Loads what its seller's /metrics says of it. */
  readonly metrics: OpenRegistry['metrics'];
  /** For the people who run it. */
  readonly operation: RegistryOperation;
  readonly close: () => Promise<void>;
};

/** Opens a registry on the data folder of a seller that holds it, and runs it. */
export async function mountRegistry(options: OpenRegistryOptions): Promise<MountedRegistry> {
  const { log = createLog('warn') } = options;
  const opened = await openRegistry({ ...options, isMounted: true });
  const loop = startRounds(opened, log);
  return {
    listener: opened.listener,
    operator: opened.operatorListener,
    checks: [{ name: 'registry_store', run: () => checkStore(opened.registry.store) }],
    metrics: opened.metrics,
    operation: openOperation(opened.registry),
    close: async () => {
      opened.stopRounds();
      await loop.stop();
      await opened.close();
    },
  };
}

/** The options of a registry with an address of its own. */
export type RegistryServerOptions = RegistryOptions & {
  readonly settings: RegistryServerSettings & {
    /** Port 0: the system chooses, and a base URL that was not set still says 0. */
    readonly port: number;
    /** Port of the operator's address on the loopback; 0: the system chooses. */
    readonly adminPort: number;
    readonly host: string;
    /** Without a trailing slash. */
    readonly baseUrl: string;
    /** Host headers accepted beside those of host and base URL. */
    readonly allowedHosts: readonly string[];
    /** Most connections at once, in all and of one sender. */
    readonly connections: ConnectionBounds['connections'];
    /** What happens when the wall clock jumps. */
    readonly clockJumps: 'hold' | 'follow';
  };
  /** The clocks of the machine, where `clock` is not given. */
  readonly time?: TimeSources;
  /** Hosts that resolve to a loopback origin, in development mode only (tests). */
  readonly resolve?: ReadonlyMap<string, string>;
};

/** A registry of its own, opened but not yet listening. */
export type RegistryServer = {
  readonly registry: Registry;
  /** Binds the address and the operator's; returns the base URL that is served. */
  readonly listen: () => Promise<string>;
  /** Calls an admin route, as the operator's commands do. */
  readonly operate: OpenRegistry['operate'];
  readonly tick: OpenRegistry['tick'];
  /** Takes no further connection, and answers one more request on each that is open, for a second at most. */
  readonly retire: () => Promise<void>;
  /** Lets calls in hand finish, then closes everything. */
  readonly close: () => Promise<void>;
};

/** Opens a registry on a data folder. Throws ConfigError when the folder is taken. */
export async function createRegistryServer(options: RegistryServerOptions): Promise<RegistryServer> {
  const { settings, ids = systemIds, log = createLog('warn'), resolve } = options;
  const closing = new Closing();
  const held = holdDataFolder(settings.dataDir, log);
  closing.add(() => held.release());
  try {
    const address = { baseUrl: settings.baseUrl };
    const time = openTime(options, log);
    const outbound = outboundOnDemand({ development: settings.development, resolve });
    closing.add(() => outbound.close());
    const opened = await openRegistry({ ...options, ...time, ids, log, outbound, baseUrl: () => address.baseUrl });
    closing.add(() => opened.close());
    const server = new AddressedRegistry({ ...options, ...time, ids, log }, opened, address, closing);
    return {
      registry: opened.registry,
      listen: () => server.listen(),
      operate: opened.operate,
      tick: opened.tick,
      retire: () => server.retire(),
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

type AddressedOptions = RegistryServerOptions &
  ServerTime & { readonly ids: { readonly secret: () => string }; readonly log: Log };

/** The addresses of a registry of its own: the public one and the operator's. */
class AddressedRegistry {
  readonly #options: AddressedOptions;
  readonly #opened: OpenRegistry;
  /** Known when the port is bound. */
  readonly #address: { baseUrl: string };
  readonly #closing: Closing;
  readonly #bound: Bound[] = [];

  constructor(options: AddressedOptions, opened: OpenRegistry, address: { baseUrl: string }, closing: Closing) {
    this.#options = options;
    this.#opened = opened;
    this.#address = address;
    this.#closing = closing;
  }

  async listen(): Promise<string> {
    try {
      return await this.#listen();
    } catch (error) {
      await this.#closing.close();
      throw error;
    }
  }

  async retire(): Promise<void> {
    await Promise.all(this.#bound.map((address) => address.retire()));
  }

  async #listen(): Promise<string> {
    const { ids, log, settings } = this.#options;
    const { adminPort, dataDir, host, port } = settings;
    this.#closing.add(() => Promise.all(this.#bound.map((server) => server.drain())));
    // A stream never ends by itself, and a drain would wait for it.
    this.#closing.add(() => this.#opened.registry.streams.close());
    const server = await this.#bind(guardHost(this.#opened.listener, this.#hosts()), host, port);
    if (port === 0) this.#address.baseUrl = this.#address.baseUrl.replace(/:0$/, `:${server.port}`);
    const token = ids.secret();
    const operator = await this.#bind(localOnly(this.#opened.operatorListener(token)), '127.0.0.1', adminPort);
    const loop = startRounds(this.#opened, log);
    this.#closing.add(() => {
      this.#opened.stopRounds();
      return loop.stop();
    });
    const { clock, version = '0.0.0', watch } = this.#options;
    const { processes } = this.#opened.registry.store;
    if (processes !== undefined) this.#closing.add(startSigning(processes, { clock, log, version }));
    const remembering = startLoop('clock', REMEMBER_MS, log, async () => watch.remember());
    this.#closing.add(() => remembering.stop());
    const { baseUrl } = this.#address;
    this.#closing.add(() => removeOperatorFile(dataDir));
    writeOperatorFile(dataDir, { url: `http://127.0.0.1:${operator.port}`, token, base_url: baseUrl });
    return baseUrl;
  }

  async #bind(listener: WebListener, host: string, port: number): Promise<Bound> {
    const { log, settings } = this.#options;
    const { connections, trustedProxies } = settings;
    const bound = await bindHttp(listener, { host, port }, { log, connections, trustedProxies });
    this.#bound.push(bound);
    return bound;
  }

  #hosts(): OurHosts {
    return new OurHosts([...this.#options.settings.allowedHosts, new URL(this.#address.baseUrl).hostname]);
  }
}

/** Serves pages of every origin, and refuses a host name that is not ours: a page that was rebound. Health is for every name. */
function guardHost(serve: WebListener, hosts: OurHosts): WebListener {
  return (request, response, next) => {
    if (isOurHost(request, hosts) || HEALTH_PATHS.has(request.url?.split('?', 1)[0] ?? ''))
      return serve(request, response, next);
    request.resume();
    const error = { error: 'This host is not served here.', code: 'forbidden', suggestion: HOST_FIX };
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(error));
  };
}

const HOST_FIX =
  'Use the address of the base URL; other host names are allowed with allowed_hosts in seller-agent.json.';
