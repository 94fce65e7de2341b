import path from 'node:path';
import { holdDataFolder } from '../../platform/database/data-folder.js';
import { type Clock, isoTime, SECOND_MS, systemClock } from '../../platform/kernel/clock.js';
import { ConfigError } from '../../platform/kernel/errors.js';
import { yieldToEventLoop } from '../../platform/kernel/event-loop.js';
import { type Ids, systemIds } from '../../platform/kernel/ids.js';
import { createLog, type Log } from '../../platform/kernel/log.js';
import { type Loop, startLoop } from '../../platform/kernel/loop.js';
import { removeOperatorFile, writeOperatorFile } from '../../platform/kernel/operator-file.js';
import { type ClientAddress, createClientAddress } from '../../platform/net/client-address.js';
import { systemTxt, type TxtLookup } from '../../platform/net/dns.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { loadOutbound, outboundOnDemand } from '../../platform/net/outbound.js';
import { registrableDomain } from '../../platform/net/registrable-domain.js';
import { isUrl } from '../../platform/net/url.js';
import { type Bound, bindHttp } from '../../platform/web/bind.js';
import type { WebListener } from '../../platform/web/listener.js';
import { isOurHost } from '../../platform/web/origin.js';
import { protocolNames } from '../../protocol/names.js';
import { createRegistryClient } from '../client/client.js';
import { openRegistryIndex } from '../mirror/index/registry-index.js';
import { openMirror } from '../mirror/mirror.js';
import { PUBLIC_POLICY, type RegistryServiceSettings } from '../settings.js';
import { createDevProvider } from './auth/dev-provider.js';
import { RegistryLimits } from './auth/limits.js';
import { findCallerByKey, findCallerBySubject } from './auth/members.js';
import { devProviderRoutes } from './auth/oauth.js';
import { remoteIdentity } from './auth/tokens.js';
import { createCrawler } from './crawl/crawler.js';
import { createFileReader } from './crawl/files/file-reader.js';
import { type AdminRequest, callAdmin } from './http/admin-call.js';
import { createRegistryListener } from './http/listener.js';
import type { Route } from './http/route.js';
import type { RegistryMcp } from './mcp/endpoint.js';
import { REGISTRY_ROUTES } from './routes/routes.js';
import { createProbeGate } from './service/agent/probe.js';
import { createProfiles } from './service/agent/search/search.js';
import { createBrandMemory } from './service/brand/brand-cache.js';
import { readBrand } from './service/brand/brands.js';
import { createStreamRoom } from './service/feed/stream.js';
import { createListings } from './service/listings/listings.js';
import { createLive } from './service/lookups.js';
import type { Registry } from './service/registry.js';
import { openServerStore, type ServerStore } from './store/server-store.js';

/** The settings of the process that a registry reads. */
export type RegistryServerSettings = {
  readonly dataDir: string;
  /** Loopback only: http, the development provider. */
  readonly development: boolean;
  readonly protocolName: string;
  readonly registryService: RegistryServiceSettings;
  /** Addresses and ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
};

/** What a registry is made of; everything but settings and the way out has a default. */
export type RegistryOptions = {
  readonly settings: RegistryServerSettings;
  readonly version?: string;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  /** TXT records; the system's unless given. */
  readonly txt?: TxtLookup;
  /** The registry to mirror: its changes are read into the same tables, reads are served, and nothing is written here. */
  readonly mirror?: { readonly url: string; readonly token: string | undefined };
  /** A brand-data provider, for /api/brands/enrich. */
  readonly enrich?: NonNullable<Registry['enrich']>;
};

/** A registry on a data folder that this process holds, without an address of its own. */
export type OpenRegistry = {
  readonly registry: Registry;
  /** Answers the requests of the table; others go to `next`. */
  readonly listener: WebListener;
  /** The same for the operator alone: the caller has shown the operator's token already. */
  readonly operate: (request: AdminRequest) => Promise<object>;
  /** One round of all that runs by the clock: crawls that are asked for or due. Answers how many events it told. */
  readonly tick: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Where a registry keeps its records, in the data folder. */
const REGISTRY_FILE = 'registry.db';
/** The records in the form in which they are answered, for a quick start. */
const INDEX_FILE = 'registry.idx';

/** Between two rounds of what runs by the clock. */
const ROUND_MS = 2 * SECOND_MS;
/** Where a process says how it is. */
const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Opens a registry beside whatever else the process serves. Throws ConfigError for the development provider outside its mode. */
export async function openRegistry(
  options: RegistryOptions & {
    readonly outbound: Outbound;
    readonly baseUrl: () => string;
    /** Another server's address carries it, and that one says how the process is. */
    readonly isMounted?: boolean;
  },
): Promise<OpenRegistry> {
  const { settings, clock = systemClock, ids = systemIds, log = createLog('warn'), baseUrl, outbound } = options;
  const { identityProvider, limits, policy, protectedNames } = settings.registryService;
  if (identityProvider === 'development' && !settings.development) throw developmentOnly();
  if (options.mirror !== undefined && !isUrl(options.mirror.url)) throw noOrigin(options.mirror.url);
  const store = openServerStore(path.join(settings.dataDir, REGISTRY_FILE));
  await protectNames(store, protectedNames, clock);
  const devProvider = identityProvider === 'development' ? createDevProvider({ clock, ids, baseUrl }) : undefined;
  const identity =
    identityProvider === undefined || identityProvider === 'development'
      ? devProvider
      : remoteIdentity(identityProvider, { clock, outbound, baseUrl });
  const names = protocolNames(settings.protocolName);
  const isDevelopment = settings.development;
  const indexFile = path.join(settings.dataDir, INDEX_FILE);
  const { mirror } = options;
  const copy =
    mirror &&
    (await openMirror({
      store,
      source: createRegistryClient({ ...mirror, outbound, clock }),
      clock,
      ids,
      log,
      indexFile,
    }));
  const crawler = createCrawler({
    ...{ clock, ids, log, names, outbound, store, isDevelopment },
    readBrand: (domain) => readBrand(registry, domain),
  });
  const registry: Registry = {
    clock,
    ids,
    log,
    store,
    outbound,
    txt: options.txt ?? systemTxt,
    names,
    baseUrl,
    version: options.version ?? '0.0.0',
    limits: new RegistryLimits(limits),
    policy: { ...PUBLIC_POLICY, ...policy },
    lookups: createLive(clock, log),
    files: createFileReader(outbound, log),
    listings: createListings(store),
    brandCache: createBrandMemory(store),
    index:
      copy?.index ??
      (await openRegistryIndex(store, { file: indexFile, seed: Buffer.from(ids.secret()).readUInt32BE(0) })),
    profiles: createProfiles(store),
    crawler,
    probes: createProbeGate(),
    streams: createStreamRoom(),
    isDevelopment,
    identify: async (token) => {
      const isSigned = identity !== undefined && token.split('.').length === 3;
      if (!isSigned) return findCallerByKey(registry, token);
      const user = await identity.verify(token);
      return user === undefined ? undefined : findCallerBySubject(registry, user.subject, user.name);
    },
    ...(options.enrich === undefined ? {} : { enrich: options.enrich }),
    ...(identity === undefined ? {} : { identity }),
    ...(mirror === undefined ? {} : { mirrors: mirror.url }),
  };
  const served =
    options.isMounted === true ? REGISTRY_ROUTES.filter(({ path: at }) => !HEALTH.has(at)) : REGISTRY_ROUTES;
  const routes = devProvider === undefined ? served : [...served, ...devProviderRoutes(devProvider)];
  return {
    registry,
    listener: withMcp(registry, routes, createClientAddress(settings.trustedProxies)),
    operate: (request) => callAdmin(registry, request),
    // A mirror reads one registry's feed; what it tells was crawled there.
    tick: () => (copy === undefined ? crawler.tick() : copy.tick().then(() => 0)),
    close: async () => {
      registry.streams.close();
      await crawler.close();
      await registry.files.close();
      registry.listings.close();
      registry.brandCache.close();
      registry.profiles.close();
      await (copy ?? registry.index).close();
      await store.close();
    },
  };
}

/** The table, and beside it /mcp, loaded when it is first asked. */
function withMcp(registry: Registry, routes: readonly Route[], addressOf: ClientAddress): WebListener {
  const rest = createRegistryListener(registry, routes, addressOf);
  let mcp: Promise<RegistryMcp> | undefined;
  return (request, response, next) => {
    if (!/^\/mcp\/?(?:\?|$)/.test(request.url ?? '')) return rest(request, response, next);
    mcp ??= import('./mcp/endpoint.js').then(({ openRegistryMcp }) => openRegistryMcp(registry, routes, addressOf));
    void mcp.then((serve) => serve(request, response));
  };
}

/** What takes a while to load and is needed by some requests only. */
const LOADED_AHEAD: readonly (() => unknown)[] = [
  loadOutbound,
  () => registrableDomain('registry.example'),
  () => import('./mcp/endpoint.js'),
  () => import('./openapi/openapi.js'),
];

/** Runs rounds by the clock; before the first one loads, one after the other, what no request should have to wait for. */
function startRounds({ tick }: OpenRegistry, log: Log): Loop {
  let isFirst = true;
  return startLoop('registry', ROUND_MS, log, async () => {
    if (isFirst) {
      isFirst = false;
      for (const load of LOADED_AHEAD) {
        await load();
        await yieldToEventLoop();
      }
    }
    await tick();
  });
}

/** A registry beside the tenants of a seller. */
export type MountedRegistry = {
  readonly listener: WebListener;
  /** For the operator's address. */
  readonly operator: (token: string) => WebListener;
  readonly close: () => Promise<void>;
};

/** Opens a registry on the data folder of a seller that holds it, and runs it. */
export async function mountRegistry(options: Parameters<typeof openRegistry>[0]): Promise<MountedRegistry> {
  const { log = createLog('warn') } = options;
  const opened = await openRegistry({ ...options, isMounted: true });
  const loop = startRounds(opened, log);
  return {
    listener: opened.listener,
    operator: (token) => operatorListener(opened, token),
    close: async () => {
      await loop.stop();
      await opened.close();
    },
  };
}

/** What a registry of its own is made of. */
export type RegistryServerOptions = RegistryOptions & {
  readonly settings: RegistryServerSettings & {
    /** Port 0: the system chooses, and a base URL that was not set still says 0. */
    readonly port: number;
    readonly host: string;
    /** Without a trailing slash. */
    readonly baseUrl: string;
    /** Host headers accepted beside those of host and base URL. */
    readonly allowedHosts: readonly string[];
  };
  /** Hosts that stand for a loopback origin, in development mode only (tests). */
  readonly resolve?: ReadonlyMap<string, string>;
};

/** A registry of its own, opened but not yet listening. */
export type RegistryServer = {
  readonly registry: Registry;
  /** Binds the address and the operator's; answers the base URL that is served. */
  readonly listen: () => Promise<string>;
  /** Does what the operator's commands do. */
  readonly operate: OpenRegistry['operate'];
  readonly tick: OpenRegistry['tick'];
  /** Lets calls in hand finish, then closes everything. */
  readonly close: () => Promise<void>;
};

/** Opens a registry on a data folder. Throws ConfigError when the folder is taken. */
export async function createRegistryServer(options: RegistryServerOptions): Promise<RegistryServer> {
  const { settings, ids = systemIds, log = createLog('warn'), resolve } = options;
  const { dataDir, development } = settings;
  const held = holdDataFolder(dataDir);
  let { baseUrl } = settings;
  const outbound = outboundOnDemand({ development, ...(resolve === undefined ? {} : { resolve }) });
  const opened = await openRegistry({ ...options, ids, log, outbound, baseUrl: () => baseUrl }).catch(
    (error: unknown) => {
      held.release();
      throw error;
    },
  );
  const bound: Bound[] = [];
  const loops: Loop[] = [];

  async function listen(): Promise<string> {
    const hosts = new Set([...settings.allowedHosts, new URL(baseUrl).hostname].map((host) => host.toLowerCase()));
    const server = await bindHttp(guarded(opened.listener, hosts), settings.host, settings.port);
    bound.push(server);
    if (settings.port === 0) baseUrl = baseUrl.replace(/:0$/, `:${server.port}`);
    const token = ids.secret();
    const operator = await bindHttp(operatorListener(opened, token), '127.0.0.1', 0);
    bound.push(operator);
    loops.push(startRounds(opened, log));
    writeOperatorFile(dataDir, { url: `http://127.0.0.1:${operator.port}`, token, base_url: baseUrl });
    return baseUrl;
  }

  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    if (bound.length > 0) removeOperatorFile(dataDir);
    await Promise.all(loops.map((loop) => loop.stop()));
    opened.registry.streams.close();
    await Promise.all(bound.map((server) => server.drain(log)));
    await opened.close();
    await outbound.close();
    held.release();
  }
  const close = (): Promise<void> => {
    closing ??= closeAll();
    return closing;
  };
  return {
    registry: opened.registry,
    listen: () => listen().catch((error: unknown) => close().then(() => Promise.reject(error))),
    operate: opened.operate,
    tick: opened.tick,
    close,
  };
}

/** Reads are for pages of every origin; a host name that is not ours is a page that was rebound. */
function guarded(serve: WebListener, hosts: ReadonlySet<string>): WebListener {
  return (request, response, next) => {
    if (isOurHost(request, hosts)) return serve(request, response, next);
    request.resume();
    const error = { error: 'This host is not served here.', code: 'forbidden', suggestion: HOST_FIX };
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(error));
  };
}

const HOST_FIX =
  'Use the address of the base URL; other host names are allowed with allowed_hosts in seller-agent.json.';

/** The operator's address: the admin routes, for who can read the token in the data folder. */
function operatorListener({ registry }: OpenRegistry, token: string): WebListener {
  const identify: Registry['identify'] = async (given) =>
    given === token ? { kind: 'key', id: 'operator', name: 'operator', role: 'admin' } : undefined;
  const { mirrors: _mirrors, ...own } = registry;
  return createRegistryListener(
    { ...own, identify },
    REGISTRY_ROUTES.filter(({ auth }) => auth === 'admin'),
  );
}

/** Brings the deny list in line with the settings. */
async function protectNames(store: ServerStore, names: readonly string[], clock: Clock): Promise<void> {
  const kept = await store.read.denied.page('', MOST_NAMES);
  const wanted = new Set(names);
  const known = new Set(kept.map(({ domain }) => domain));
  const [gone, fresh] = [kept.filter(({ domain }) => !wanted.has(domain)), names.filter((name) => !known.has(name))];
  if (gone.length + fresh.length === 0) return;
  await store.transact(async (tx) => {
    for (const { domain } of gone) await tx.denied.remove(domain);
    for (const domain of fresh) await tx.denied.put({ domain, added_at: isoTime(clock.now()) });
  });
}

/** Most protected names that settings may hold. */
const MOST_NAMES = 100_000;

function noOrigin(url: string): ConfigError {
  return new ConfigError([
    {
      file: 'flag --mirror',
      line: 0,
      pointer: '',
      message: `"${url}" is not the URL of a registry`,
      fix: 'Use its base URL, such as https://registry.example.',
    },
  ]);
}

function developmentOnly(): ConfigError {
  return new ConfigError([
    {
      file: 'seller-agent.json',
      line: 0,
      pointer: '/registry_service/identity_provider',
      message: 'the development provider lets anybody in and works on loopback only',
      fix: 'Name an OAuth 2.1 provider, or leave it out and use API keys.',
    },
  ]);
}
