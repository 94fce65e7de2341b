import path from 'node:path';
import { isDatabaseUrl } from '../../platform/database/database-url.js';
import { FileProblem } from '../../platform/database/file-problem.js';
import { checkClock, checkDisk, checkEventLoop, checkProcesses, checkStore } from '../../platform/health/checks.js';
import { LoopDelay } from '../../platform/health/loop-delay.js';
import type { MetricRow } from '../../platform/health/metrics.js';
import { type HealthCheck, Readiness } from '../../platform/health/readiness.js';
import { type Clock, isoTime, monotonicMs, systemClock } from '../../platform/kernel/clock.js';
import { Closing } from '../../platform/kernel/closing.js';
import { ConfigError } from '../../platform/kernel/errors.js';
import { type Ids, systemIds } from '../../platform/kernel/ids.js';
import { createLog, type Log } from '../../platform/kernel/log.js';
import { type JumpWatch, NO_WATCH } from '../../platform/kernel/steady-clock.js';
import { createClientAddress } from '../../platform/net/address.js';
import { systemTxt, type TxtLookup } from '../../platform/net/dns.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { isUrl } from '../../platform/net/url.js';
import { openSenders, type Senders } from '../../platform/web/body.js';
import type { WebListener } from '../../platform/web/listener.js';
import { HEALTH_PATHS } from '../../platform/web/origin.js';
import { protocolNames } from '../../protocol/names.js';
import { openRegistryIndex } from '../mirror/lookup/registry-index.js';
import { CRAWL_CONCURRENCY, PUBLIC_POLICY, type RegistryServiceSettings } from '../settings.js';
import { REGISTRY_FILE } from '../store/registry-store.js';
import { Assessor } from './assessment/assessor.js';
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
import { type CarryOut, createOperatorListener } from './http/operator.js';
import type { Route } from './http/route.js';
import type { RegistryMcp } from './mcp/endpoint.js';
import { createDocumentCache } from './openapi/document-cache.js';
import { OwnTables } from './replication/own-tables.js';
import { type MirrorOption, Replication } from './replication/replication.js';
import { REGISTRY_ROUTES } from './routes/routes.js';
import { ProbeQueue } from './service/agent/probe.js';
import { Profiles } from './service/agent/search/search.js';
import { BadgeKeys } from './service/badges/keys.js';
import { BrandCache } from './service/brand/brand-cache.js';
import { readBrand } from './service/brand/brands.js';
import { BrandProvider } from './service/brand/provider.js';
import { StreamSlots } from './service/feed/stream.js';
import { Listings } from './service/listings/listings.js';
import { LiveLookups } from './service/lookups.js';
import { OperatorDocuments } from './service/publisher/operator-documents.js';
import type { Registry } from './service/registry.js';
import { openServerStore, openSharedServerStore, type ServerStore } from './store/server-store.js';

/** The settings of the process that a registry reads. */
export type RegistryServerSettings = {
  readonly dataDir: string;
  /** The URL of a PostgreSQL database that several registries share; a file in the data folder where there is none. */
  readonly store?: string | undefined;
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
  readonly mirror?: MirrorOption;
  /** A brand-data provider, for /api/brands/enrich. */
  readonly enrich?: NonNullable<Registry['enrich']>;
};

/** The options of a registry together with the process that it lives in. */
export type OpenRegistryOptions = RegistryOptions & {
  readonly outbound: Outbound;
  readonly baseUrl: () => string;
  /** What is known of jumps of the clock; nothing unless given. */
  readonly watch?: JumpWatch;
  /** Whether the registry shares another server's address, whose own health endpoints then speak for the process. */
  readonly isMounted?: boolean;
};

/** A registry on a data folder that this process holds, without an address of its own. */
export type OpenRegistry = {
  readonly registry: Registry;
  /** Answers the requests of the table; others go to `next`. */
  readonly listener: WebListener;
  /** Answers the requests of the admin routes that carry the token, and /metrics; has what they change be stored as acts. */
  readonly operatorListener: (token: string, carryOut?: CarryOut) => WebListener;
  /** Loads what is measured of the registry, but for its store. */
  readonly metrics: () => Promise<readonly MetricRow[]>;
  /** Calls an admin route within the process, as the operator. Throws RegistryProblem. */
  readonly operate: (request: AdminRequest) => Promise<object>;
  /** Runs one round of what is due: crawls, or the reading of what the mirrored registry has by now. Returns how many events were appended. */
  readonly tick: () => Promise<number>;
  /** Runs what the clock of the process runs: what is due, or the following of the mirrored registry for a while. */
  readonly round: () => Promise<void>;
  /** Has the round in hand end at once, and later ones begin nothing: what it waits for of others is given up, and not recorded. */
  readonly stopRounds: () => void;
  readonly close: () => Promise<void>;
};

/** The file in which a process on a shared store looks authorizations up. */
const REPLICA_FILE = 'registry-replica.db';

/** Opens a registry beside whatever else the process serves. Throws ConfigError for the development provider outside its mode. */
export async function openRegistry(options: OpenRegistryOptions): Promise<OpenRegistry> {
  const { isMounted = false, mirror, settings } = options;
  if (settings.registryService.identityProvider === 'development' && !settings.development) throw developmentOnly();
  if (mirror !== undefined && !isUrl(mirror.url)) throw notAnOrigin(mirror.url);
  const closing = new Closing();
  try {
    const services = await openServices(options, closing);
    const { devProvider, registry } = services;
    const served = isMounted ? REGISTRY_ROUTES.filter((route) => !HEALTH_PATHS.has(route.path)) : REGISTRY_ROUTES;
    const routes = devProvider === undefined ? served : [...served, ...devProviderRoutes(devProvider)];
    const metrics = () => readMetrics(registry);
    return {
      registry,
      listener: withMcp(registry, routes, openSenders(createClientAddress(settings.trustedProxies))),
      operatorListener: (token, carryOut) =>
        createOperatorListener(registry, {
          token,
          carryOut,
          readMetrics: async () => [...(await readStoreMetrics(registry)), ...(await metrics())],
        }),
      metrics,
      operate: (request) => callAdmin(registry, request),
      tick: () => runTick(services),
      round: () => runRound(services),
      stopRounds: () => {
        registry.crawler.stop();
        registry.replication.stop();
      },
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

type ClockedServices = Pick<Awaited<ReturnType<typeof openServices>>, 'assessor' | 'ownTables' | 'registry'>;

/** Runs what is due to its end; returns how many events that appended. What a mirror has was crawled at its primary. */
async function runTick({ assessor, ownTables, registry }: ClockedServices): Promise<number> {
  if (registry.mirrors === undefined) {
    const events = await registry.crawler.tick();
    await (await assessor.begin()).done;
    return events;
  }
  await registry.replication.catchUp();
  await ownTables.sweep();
  return 0;
}

/** Runs what is due, without waiting for assessments: one takes up to half a minute. */
async function runRound({ assessor, ownTables, registry }: ClockedServices): Promise<void> {
  if (registry.mirrors !== undefined) {
    await registry.replication.follow();
    return await ownTables.sweep();
  }
  await registry.crawler.tick();
  await assessor.begin();
}

/** Opens the database that the settings name, or the file in the data folder. Throws FileProblem. */
async function openStore(
  { isMounted = false, mirror, settings }: OpenRegistryOptions,
  ids: Ids,
  log: Log,
): Promise<ServerStore> {
  const { dataDir, store } = settings;
  if (store !== undefined && !isMounted) {
    requireSharable(store, mirror !== undefined);
    return openSharedServerStore(store, { file: path.join(dataDir, REPLICA_FILE), processId: ids.uuid(), log });
  }
  // What mirrors another registry can be read again from there.
  const guard =
    mirror === undefined ? { dataDir, name: REGISTRY_FILE, ownsKeys: false, newId: ids.uuid, log } : undefined;
  return openServerStore(path.join(dataDir, REGISTRY_FILE), guard);
}

/** Throws FileProblem for a registry that cannot have its records in the store that is named. */
function requireSharable(store: string, isMirror: boolean): void {
  if (!isDatabaseUrl(store))
    throw new FileProblem('the store', 'a registry has its file in the data folder', {
      fix: 'Leave --store out and choose the folder with --data, or use "postgres://user:password@host/database".',
    });
  if (isMirror)
    throw new FileProblem('the store', 'a mirror is a copy in the data folder, which every process makes for itself', {
      fix: 'Leave --store out; each process with --mirror reads the registry by itself.',
    });
}

/** A registry whose services are open, and what only its composition root uses of it. */
type OpenServices = {
  readonly registry: Registry;
  readonly devProvider: DevProvider | undefined;
  readonly assessor: Assessor;
  readonly ownTables: OwnTables;
};

/** Opens the services of a registry, each after those that it uses; `closing` closes them the other way round. */
async function openServices(options: OpenRegistryOptions, closing: Closing): Promise<OpenServices> {
  const { baseUrl, clock = systemClock, enrich, ids = systemIds, log = createLog('warn'), outbound } = options;
  const { mirror, settings, txt = systemTxt, version = '0.0.0', watch = NO_WATCH } = options;
  const { crawlConcurrency = CRAWL_CONCURRENCY.usual, limits, policy, protectedNames } = settings.registryService;
  const isDevelopment = settings.development;
  const names = protocolNames(settings.protocolName);
  const opened = <T extends { readonly close: () => unknown }>(service: T): T => {
    closing.add(() => service.close());
    return service;
  };
  const store = opened(await openStore(options, ids, log));
  await protectNames(store, protectedNames, clock);
  const index = opened(await openRegistryIndex(store));
  const replication = opened(await Replication.open({ store, index, clock, ids, log, outbound }, mirror));
  const { devProvider, identity } = openIdentity(options, clock, ids);
  const profiles = opened(new Profiles(store));
  const brandCache = opened(new BrandCache(store));
  const listings = opened(new Listings(store));
  const files = opened(new FileReader(outbound, log));
  const context = { clock, watch, ids, log, names, outbound, store, isDevelopment };
  const crawler = opened(
    new Crawler(
      { ...context, readBrand: (domain, from) => readBrand(registry, domain, from) },
      { concurrency: crawlConcurrency },
    ),
  );
  const assessor = opened(new Assessor(context));
  const ownTables = opened(new OwnTables(context));
  const streams = opened(new StreamSlots());
  const loopDelay = opened(new LoopDelay(monotonicMs, log));
  const isMirror = mirror !== undefined;
  const counting = new RegistryLimits({ store, clock }, limits, { countsStrangers: !isDevelopment });
  const lookups = new LiveLookups(clock, log);
  const badgeKeys = new BadgeKeys({ ...context, dataDir: settings.dataDir });
  const { brandData } = settings.registryService;
  const provider = brandData && new BrandProvider(brandData, { ...context, limits: counting, lookups, isMirror });
  const registry: Registry = {
    ...context,
    readiness: new Readiness(healthChecks({ store, loopDelay, settings, watch, replication }), { clock, log }),
    txt,
    baseUrl,
    version,
    limits: counting,
    policy: { ...PUBLIC_POLICY, ...policy },
    lookups,
    files,
    listings,
    brandCache,
    operatorDocuments: new OperatorDocuments(files),
    documents: createDocumentCache(),
    index,
    profiles,
    crawler,
    probes: new ProbeQueue(),
    get badgeKeys() {
      return replication.mirrors === undefined ? badgeKeys : undefined;
    },
    streams,
    identify: (token) => identify(registry, token),
    enrich: enrich ?? (provider && ((domain) => provider.enrich(domain))),
    identity,
    replication,
    get mirrors() {
      return replication.mirrors;
    },
  };
  return { registry, devProvider, assessor, ownTables };
}

type CheckedParts = {
  readonly store: ServerStore;
  readonly loopDelay: LoopDelay;
  readonly settings: RegistryServerSettings;
  readonly watch: JumpWatch;
  readonly replication: Replication;
};

/** Returns every part that /readyz speaks of, in the order in which it is shown. */
function healthChecks({ loopDelay, replication, settings, store, watch }: CheckedParts): readonly HealthCheck[] {
  const { processes } = store;
  return [
    { name: 'store', run: () => checkStore(store) },
    { name: 'disk', run: () => checkDisk(settings.dataDir) },
    { name: 'event_loop', run: () => checkEventLoop(loopDelay) },
    { name: 'clock', run: () => checkClock(watch) },
    ...(replication.mirrors === undefined ? [] : [{ name: 'mirror', run: () => replication.check() }]),
    ...(processes === undefined ? [] : [{ name: 'processes', run: () => checkProcesses(processes) }]),
  ];
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
function withMcp(registry: Registry, routes: readonly Route[], senders: Senders): WebListener {
  const rest = createRegistryListener(registry, routes, senders);
  let mcp: Promise<RegistryMcp> | undefined;
  return (request, response, next) => {
    if (!/^\/mcp\/?(?:\?|$)/.test(request.url ?? '')) return rest(request, response, next);
    mcp ??= import('./mcp/endpoint.js').then(({ openRegistryMcp }) => openRegistryMcp(registry, routes, senders));
    void mcp.then((serve) => serve(request, response));
  };
}

async function readStoreMetrics({ store }: Registry): Promise<readonly MetricRow[]> {
  const { storeMetrics } = await import('../../platform/health/store-metrics.js');
  return storeMetrics(store);
}

async function readMetrics(registry: Registry): Promise<readonly MetricRow[]> {
  const { mirrorMetrics, registryMetrics } = await import('./http/metrics.js');
  const { replication } = registry;
  return replication.lag() === undefined
    ? registryMetrics(registry)
    : [...registryMetrics(registry), ...mirrorMetrics(replication)];
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
