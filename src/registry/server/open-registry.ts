import path from 'node:path';
import { type Clock, isoTime, systemClock } from '../../platform/kernel/clock.js';
import { Closing } from '../../platform/kernel/closing.js';
import { ConfigError } from '../../platform/kernel/errors.js';
import { type Ids, systemIds } from '../../platform/kernel/ids.js';
import { createLog, type Log } from '../../platform/kernel/log.js';
import { type ClientAddress, createClientAddress } from '../../platform/net/client-address.js';
import { systemTxt, type TxtLookup } from '../../platform/net/dns.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { isUrl } from '../../platform/net/url.js';
import type { WebListener } from '../../platform/web/listener.js';
import { protocolNames } from '../../protocol/names.js';
import { createRegistryClient } from '../client/client.js';
import { openRegistryIndex, type RegistryIndex } from '../mirror/lookup/registry-index.js';
import { type Mirror, openMirror } from '../mirror/mirror.js';
import { PUBLIC_POLICY, type RegistryServiceSettings } from '../settings.js';
import { DevProvider } from './auth/dev-provider.js';
import type { Identity } from './auth/identity.js';
import { RegistryLimits } from './auth/limits.js';
import { findCallerByKey, findCallerBySubject } from './auth/members.js';
import { devProviderRoutes } from './auth/oauth.js';
import { RemoteIdentity } from './auth/tokens.js';
import { Crawler } from './crawl/crawler.js';
import { FileReader } from './crawl/files/file-reader.js';
import { type AdminRequest, callAdmin } from './http/admin-call.js';
import { createRegistryListener } from './http/listener.js';
import type { Route } from './http/route.js';
import type { RegistryMcp } from './mcp/endpoint.js';
import { createDocumentCache } from './openapi/document-cache.js';
import { REGISTRY_ROUTES } from './routes/routes.js';
import { ProbeQueue } from './service/agent/probe.js';
import { Profiles } from './service/agent/search/search.js';
import { BrandCache } from './service/brand/brand-cache.js';
import { readBrand } from './service/brand/brands.js';
import { StreamSlots } from './service/feed/stream.js';
import { Listings } from './service/listings/listings.js';
import { LiveLookups } from './service/lookups.js';
import { OperatorDocuments } from './service/publisher/operator-documents.js';
import { PropertyCounts } from './service/publisher/property-counts.js';
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

/** The parts of a registry that its caller brings; all but the settings have a default. */
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

/** The options of a registry together with the process that it lives in. */
export type OpenRegistryOptions = RegistryOptions & {
  readonly outbound: Outbound;
  readonly baseUrl: () => string;
  /** Whether the registry shares another server's address, whose own health endpoints then speak for the process. */
  readonly isMounted?: boolean;
};

/** A registry on a data folder that this process holds, without an address of its own. */
export type OpenRegistry = {
  readonly registry: Registry;
  /** Answers the requests of the table; others go to `next`. */
  readonly listener: WebListener;
  /** Answers the requests of the admin routes that carry the token. */
  readonly operatorListener: (token: string) => WebListener;
  /** Calls an admin route within the process, as the operator. Throws RegistryProblem. */
  readonly operate: (request: AdminRequest) => Promise<object>;
  /** Runs one round of what is due: crawls, or the reading of the mirrored feed. Returns how many events were appended. */
  readonly tick: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/** The file of a registry's records, in the data folder. */
const REGISTRY_FILE = 'registry.db';
const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Opens a registry beside whatever else the process serves. Throws ConfigError for the development provider outside its mode. */
export async function openRegistry(options: OpenRegistryOptions): Promise<OpenRegistry> {
  const { isMounted = false, mirror, settings } = options;
  if (settings.registryService.identityProvider === 'development' && !settings.development) throw developmentOnly();
  if (mirror !== undefined && !isUrl(mirror.url)) throw notAnOrigin(mirror.url);
  const closing = new Closing();
  try {
    const { devProvider, feed, registry } = await openServices(options, closing);
    const served = isMounted ? REGISTRY_ROUTES.filter((route) => !HEALTH_PATHS.has(route.path)) : REGISTRY_ROUTES;
    const routes = devProvider === undefined ? served : [...served, ...devProviderRoutes(devProvider)];
    return {
      registry,
      listener: withMcp(registry, routes, createClientAddress(settings.trustedProxies)),
      operatorListener: (token) => openOperatorListener(registry, token),
      operate: (request) => callAdmin(registry, request),
      // A mirror reads one registry's feed; the events in it were crawled there.
      tick: () => (feed === undefined ? registry.crawler.tick() : feed.tick().then(() => 0)),
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** A registry whose services are open, and what only its composition root uses of it. */
type OpenServices = {
  readonly registry: Registry;
  /** The reader of the registry that is mirrored. */
  readonly feed: Mirror | undefined;
  readonly devProvider: DevProvider | undefined;
};

/** Opens the services of a registry, each after those that it uses; `closing` closes them the other way round. */
async function openServices(options: OpenRegistryOptions, closing: Closing): Promise<OpenServices> {
  const { baseUrl, clock = systemClock, enrich, ids = systemIds, log = createLog('warn'), outbound } = options;
  const { mirror, settings, txt = systemTxt, version = '0.0.0' } = options;
  const { limits, policy, protectedNames } = settings.registryService;
  const isDevelopment = settings.development;
  const names = protocolNames(settings.protocolName);
  const opened = <T extends { readonly close: () => unknown }>(service: T): T => {
    closing.add(() => service.close());
    return service;
  };
  const store = opened(openServerStore(path.join(settings.dataDir, REGISTRY_FILE)));
  await protectNames(store, protectedNames, clock);
  const { feed, index } = await openIndex({ ...options, clock, ids, log }, store, closing);
  const { devProvider, identity } = openIdentity(options, clock, ids);
  const profiles = opened(new Profiles(store));
  const brandCache = opened(new BrandCache(store));
  const listings = opened(new Listings(store));
  const files = opened(new FileReader(outbound, log));
  const context = { clock, ids, log, names, outbound, store, isDevelopment };
  const crawler = opened(new Crawler({ ...context, readBrand: (domain) => readBrand(registry, domain) }));
  const streams = opened(new StreamSlots());
  const registry: Registry = {
    ...context,
    txt,
    baseUrl,
    version,
    limits: new RegistryLimits(limits),
    policy: { ...PUBLIC_POLICY, ...policy },
    lookups: new LiveLookups(clock, log),
    files,
    listings,
    brandCache,
    operatorDocuments: new OperatorDocuments(files),
    propertyCounts: new PropertyCounts(store, clock),
    documents: createDocumentCache(),
    index,
    profiles,
    crawler,
    probes: new ProbeQueue(),
    streams,
    identify: (token) => identify(registry, token),
    enrich,
    identity,
    mirrors: mirror?.url,
  };
  return { registry, feed, devProvider };
}

/** Opens the index of the records; of a mirror, together with the reader of the registry that is mirrored. */
async function openIndex(
  options: OpenRegistryOptions & Required<Pick<OpenRegistryOptions, 'clock' | 'ids' | 'log'>>,
  store: ServerStore,
  closing: Closing,
): Promise<{ readonly index: RegistryIndex; readonly feed: Mirror | undefined }> {
  const { clock, ids, log, mirror, outbound } = options;
  if (mirror === undefined) {
    const index = await openRegistryIndex(store);
    closing.add(() => index.close());
    return { index, feed: undefined };
  }
  const source = createRegistryClient({ ...mirror, outbound, clock });
  const feed = await openMirror({ store, source, clock, ids, log });
  closing.add(() => feed.close());
  return { index: feed.index, feed };
}

function openIdentity(
  { baseUrl, outbound, settings }: OpenRegistryOptions,
  clock: Clock,
  ids: Ids,
): { readonly identity: Identity | undefined; readonly devProvider: DevProvider | undefined } {
  const { identityProvider } = settings.registryService;
  if (identityProvider === undefined) return { identity: undefined, devProvider: undefined };
  if (identityProvider !== 'development') {
    return { identity: new RemoteIdentity(identityProvider, { clock, outbound, baseUrl }), devProvider: undefined };
  }
  const devProvider = new DevProvider({ clock, ids, baseUrl });
  return { identity: devProvider, devProvider };
}

async function identify(registry: Registry, token: string): ReturnType<Registry['identify']> {
  const { identity } = registry;
  const isSigned = identity !== undefined && token.split('.').length === 3;
  if (!isSigned) return findCallerByKey(registry, token);
  const user = await identity.verify(token);
  return user && findCallerBySubject(registry, user.subject, user.name);
}

/** Returns the listener of the table, and beside it /mcp, loaded when it is first asked. */
function withMcp(registry: Registry, routes: readonly Route[], addressOf: ClientAddress): WebListener {
  const rest = createRegistryListener(registry, routes, addressOf);
  let mcp: Promise<RegistryMcp> | undefined;
  return (request, response, next) => {
    if (!/^\/mcp\/?(?:\?|$)/.test(request.url ?? '')) return rest(request, response, next);
    mcp ??= import('./mcp/endpoint.js').then(({ openRegistryMcp }) => openRegistryMcp(registry, routes, addressOf));
    void mcp.then((serve) => serve(request, response));
  };
}

/** Returns the listener of the operator's address: the admin routes, for whoever can read the token in the data folder. */
function openOperatorListener(registry: Registry, token: string): WebListener {
  const own: Registry = {
    ...registry,
    // The operator's changes are also made in a mirror.
    mirrors: undefined,
    identify: async (given) =>
      given === token ? { kind: 'key', id: 'operator', name: 'operator', role: 'admin' } : undefined,
  };
  return createRegistryListener(
    own,
    REGISTRY_ROUTES.filter(({ auth }) => auth === 'admin'),
  );
}

/** Protected names that settings may hold. */
const MAX_PROTECTED_NAMES = 100_000;

/** Brings the deny list in line with the settings. */
async function protectNames(store: ServerStore, names: readonly string[], clock: Clock): Promise<void> {
  const stored = await store.read.denied.page('', MAX_PROTECTED_NAMES);
  const wanted = new Set(names);
  const before = new Set(stored.map(({ domain }) => domain));
  const removed = stored.filter(({ domain }) => !wanted.has(domain));
  const added = names.filter((name) => !before.has(name));
  if (removed.length + added.length === 0) return;
  await store.transact(async (tx) => {
    for (const { domain } of removed) await tx.denied.remove(domain);
    for (const domain of added) await tx.denied.put({ domain, added_at: isoTime(clock.now()) });
  });
}

function notAnOrigin(url: string): ConfigError {
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
