import type { RequestListener } from 'node:http';
import path from 'node:path';
import { openPreviewStore } from '../creative/preview/store/store.js';
import type { Renderer } from '../creative/renderer.js';
import { holdDataFolder } from '../platform/database/data-folder.js';
import { keepSecret } from '../platform/database/secret-file.js';
import { type Clock, isoTime, MINUTE_MS, SECOND_MS, systemClock } from '../platform/kernel/clock.js';
import { ConfigError } from '../platform/kernel/errors.js';
import { type Ids, systemIds } from '../platform/kernel/ids.js';
import { toJson } from '../platform/kernel/json/json.js';
import { createLog, type Log } from '../platform/kernel/log.js';
import { type Loop, startLoop } from '../platform/kernel/loop.js';
import { removeOperatorFile, writeOperatorFile } from '../platform/kernel/operator-file.js';
import { outboundOf, outboundOnDemand } from '../platform/net/outbound.js';
import type { Purpose } from '../platform/signing/keys/jwk.js';
import { openKeyRing } from '../platform/signing/keys/key-ring.js';
import { type Bound, bindHttp } from '../platform/web/bind.js';
import type { WebListener } from '../platform/web/listener.js';
import { createSignedLinks } from '../platform/web/signed-link.js';
import { protocolNames } from '../protocol/names.js';
import type { Release } from '../protocol/versions.js';
import type { ConfiguredPublisher } from '../registry/publish/types.js';
import type { MountedRegistry } from '../registry/server/server.js';
import { createBooking } from './adserver/booking.js';
import type { AdServer } from './adserver/port.js';
import { openCatalog } from './config/formats.js';
import { fingerprintTenants, loadTenants } from './config/load.js';
import { loadPublishers } from './config/publishers.js';
import type { Settings } from './config/settings.js';
import type { App } from './context.js';
import { openSeller, type Seller } from './domain/tenant/seller.js';
import { ownerKey, type Tenant } from './domain/tenant/tenant.js';
import { createListener } from './http/app.js';
import { createLimits, type Limits } from './http/limits.js';
import type { Endpoint } from './http/mcp/mcp.js';
import { openTenantMcp } from './http/mcp/server.js';
import { createIdempotency, sweepKeys } from './idempotency/once.js';
import { createLifecycle } from './lifecycle/media-buys.js';
import { createReports } from './lifecycle/reports.js';
import { useRegistry } from './registry/open.js';
import { interceptForSandbox } from './sandbox/interceptor.js';
import { openSandboxes } from './sandbox/sandboxes.js';
import { openStore } from './store/store.js';
import { findTool, taskNames } from './tasks/index.js';
import { runTask } from './tasks/pipeline/pipeline.js';
import { decideDueTasks, prepareCompletion } from './tasks/task/decide-task.js';
import type { AnswerPolicy } from './webhooks/delivery/answers.js';
import { DELIVERY_POLICY } from './webhooks/delivery/attempt.js';
import { createDelivery } from './webhooks/delivery/delivery.js';
import { createBuyEvents } from './webhooks/events/buy-events.js';

/** What a server is made of; everything but settings and environment has a default. */
export type ServerOptions = {
  readonly settings: Settings;
  /** Where tenant files look for `{"env": …}` keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version?: string;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  /** Whether a registry of its own is served beside the tenants (`serve --registry`). */
  readonly registry?: boolean;
  /** The seller's own ad server for live buys; without one the built-in simulator serves them too. */
  readonly adServer?: AdServer;
};

/** A seller, opened but not yet listening. */
export type SellerServer = {
  readonly app: App;
  readonly limits: Limits;
  /** Binds the public address and the operator's; answers the base URL that is served. */
  readonly listen: () => Promise<string>;
  /** One round of all that runs by the clock: buys move, orders reach the ad server, waiting tasks end, webhooks go out, old keys go. */
  readonly tick: () => Promise<void>;
  /** Reads the tenant files again if they changed; a broken edit is logged and the old tenants go on. */
  readonly reload: () => Promise<void>;
  /** Lets calls in hand finish, then closes everything. */
  readonly close: () => Promise<void>;
};

/** The secret behind the links of approvals, below the data folder. */
const APPROVAL_SECRET = path.join('keys', 'approval-links');

/** Opens a seller: its data folder, its store and its tenants. Throws ConfigError when the folder is taken or a tenant is broken. */
export async function createServer(options: ServerOptions): Promise<SellerServer> {
  const { settings, clock = systemClock, ids = systemIds, log = createLog('warn'), version = '0.0.0' } = options;
  const file = settings.store ?? path.join(settings.dataDir, 'seller-agent.db');
  const holds = [...new Set([settings.dataDir, path.dirname(file)])].map(holdDataFolder);
  const keys = await openKeyRing({
    dataDir: settings.dataDir,
    clock,
    ids,
    log,
    keyUses: protocolNames(settings.protocolName).keyUses,
    webhookPurpose: settings.webhookKey === 'request-signing' ? 'request-signing' : 'webhook-signing',
  }).catch((error: unknown) => {
    for (const held of holds) held.release();
    throw error;
  });
  const store = openStore(file);
  const tenantAt = (path: string): Tenant | undefined => sellers.get(path)?.tenant;
  const delivery = createDelivery({
    store,
    clock,
    ids,
    log,
    outbound: { fetch: (...request) => app.renderer().outbound.fetch(...request) },
    sign: (tenant, release) => ({
      names: sellers.get(tenant)?.names ?? protocolNames(settings.protocolName),
      key: keys.signing(purposeFor(settings.webhookKey, release)),
    }),
    policy: (tenant) => ({ ...DELIVERY_POLICY, ...answersOf(tenantAt(tenant)) }),
  });
  const events = createBuyEvents(delivery, (tenant) => tenantAt(tenant)?.webhooks.windowsMs ?? {});
  const booking = createBooking(store, log, options.adServer, (tx, owner, buy) =>
    events.stands(tx, owner, buy, isoTime(clock.now())),
  );
  const sandboxes = await openSandboxes(store, clock);
  const interceptor = interceptForSandbox({
    store,
    sandboxes,
    ids,
    clock,
    development: settings.development,
    sellers: () => sellers,
  });
  const reports = createReports({ store, clock: sandboxes.clock, log, booking, outbox: delivery });
  const lifecycle = await createLifecycle({ store, clock: sandboxes.clock, ids, booking, events, reports });
  const registry = await useRegistry(settings.registry, {
    dataDir: settings.dataDir,
    outbound: () => app.renderer().outbound,
    clock,
    ids,
    log,
    local: settings.development,
    sellers: () => sellers,
  });
  const limits = createLimits();
  const servers: Bound[] = [];
  const loops: Loop[] = [];
  const previews = openPreviewStore({ folder: path.join(settings.dataDir, 'previews') });
  let renderer: Renderer | undefined;
  let sellers: ReadonlyMap<string, Seller> = new Map();
  let publishers: readonly ConfiguredPublisher[] = [];
  let endpoints: ReadonlyMap<string, Endpoint> = new Map();
  let fingerprint = '';
  let baseUrl = settings.baseUrl;
  let open = false;
  let mounted: MountedRegistry | undefined;
  const app: App = {
    clock: sandboxes.clock,
    sandboxes,
    interceptor: ({ principal }) => (principal?.sandbox === true ? interceptor : undefined),
    prepareCompletion: (task, result) => prepareCompletion(app, task, result),
    ids,
    log,
    store,
    idempotency: createIdempotency(store),
    lifecycle,
    booking,
    outbox: delivery,
    reports,
    approvalLinks: createSignedLinks('approval', () =>
      keepSecret(path.join(settings.dataDir, APPROVAL_SECRET), ids.secret),
    ),
    operator: settings.operator,
    publishers: () => publishers,
    registry,
    keys,
    development: settings.development,
    renderer: () => {
      if (renderer === undefined) throw new Error('the formats are not loaded yet');
      return renderer;
    },
    sellers: () => sellers,
  };

  async function load(): Promise<void> {
    const { tenantsDir: directory, protocolName, development } = settings;
    fingerprint = await fingerprintTenants(directory);
    const catalog = await openCatalog({ tenantsDir: directory, baseUrl });
    const listed = await loadPublishers(directory);
    const tenants = await loadTenants({
      directory,
      env: options.env,
      baseUrl,
      protocolName,
      development,
      knownFormatIds: catalog.ids,
      knownTasks: taskNames(protocolName),
      publishers: listed,
    });
    await bringInAccounts(app, tenants);
    const opened = tenants.map((tenant) => openSeller(tenant, baseUrl, catalog.formats, tenants));
    const served = await Promise.all(
      opened.map(
        async (seller) =>
          [`/${seller.tenant.path}/mcp`, { seller, mcp: await openTenantMcp(app, limits, seller, version) }] as const,
      ),
    );
    const resolve = new Map(tenants.flatMap((tenant) => Object.entries(tenant.outboundResolve)));
    const before = renderer?.outbound;
    renderer = { catalog, previews, baseUrl, outbound: outboundOnDemand({ development, resolve }) };
    await before?.close();
    for (const seller of opened) await answersItsCatalog(app, seller);
    publishers = listed;
    sellers = new Map(opened.map((seller) => [seller.tenant.path, seller]));
    endpoints = new Map(served);
  }

  let reloading: Promise<void> | undefined;
  function reload(): Promise<void> {
    reloading ??= reloadChanged().finally(() => {
      reloading = undefined;
    });
    return reloading;
  }

  async function reloadChanged(): Promise<void> {
    if ((await fingerprintTenants(settings.tenantsDir)) === fingerprint) return;
    try {
      await load();
      log.warn({ tenants: [...sellers.keys()] }, 'tenants reloaded');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      log.error(`The edit of the tenant files is rejected; the previous ones go on serving.\n${error.message}`);
    }
  }

  let swept = 0;

  async function sweep(): Promise<void> {
    if (clock.now() - swept < MINUTE_MS) return;
    swept = clock.now();
    await sweepKeys(store, swept);
    await previews.prune(swept);
  }

  async function tick(): Promise<void> {
    await round();
    await registry.tick();
  }

  async function round(): Promise<void> {
    await lifecycle.catchUp();
    await booking.bookWaiting();
    await decideDueTasks(app);
    await reports.tick();
    await delivery.tick();
    await keys.tick();
    await sweep();
  }

  async function bind(listener: RequestListener, host: string, port: number): Promise<number> {
    const bound = await bindHttp(listener, host, port);
    servers.push(bound);
    return bound.port;
  }

  async function listen(): Promise<string> {
    const own = options.registry === true ? await openOwnRegistry() : undefined;
    const hosts = new Set([...settings.allowedHosts, new URL(baseUrl).hostname].map((host) => host.toLowerCase()));
    // What signs has to be on disk and published before anybody can be called with it.
    await keys.ensure();
    const listener = createListener(app, {
      hosts,
      maxBodyBytes: settings.maxBodyBytes,
      endpoints: () => endpoints,
      isOpen: () => open,
      exportFolder: settings.dataDir,
      ...(own === undefined ? {} : { registry: own.listener }),
    });
    // A port that the system chooses is in every address the tenants publish, so it has to be known before they are read.
    if (settings.port !== 0) await load();
    const port = await bind(listener, settings.host, settings.port);
    if (settings.port === 0) {
      baseUrl = baseUrl.replace(/:0$/, `:${port}`);
      await load();
    }
    const token = ids.secret();
    const operatorPort = await bind(lazily(app, limits, token, own?.operator(token)), '127.0.0.1', 0);
    writeOperatorFile(settings.dataDir, {
      url: `http://127.0.0.1:${operatorPort}`,
      token,
      base_url: baseUrl,
    });
    await delivery.start();
    loops.push(startLoop('tick', SECOND_MS, log, round));
    registry.start();
    loops.push(startLoop('reload', SECOND_MS, log, reload));
    open = true;
    return baseUrl;
  }

  async function openOwnRegistry(): Promise<MountedRegistry> {
    const { mountRegistry } = await import('../registry/server/server.js');
    const outbound = outboundOf(() => app.renderer().outbound);
    mounted = await mountRegistry({ settings, version, clock, ids, log, outbound, baseUrl: () => baseUrl });
    return mounted;
  }

  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    closing ??= closeAll();
    return closing;
  }

  async function closeAll(): Promise<void> {
    open = false;
    if (servers.length > 0) removeOperatorFile(settings.dataDir);
    await Promise.all(loops.map((loop) => loop.stop()));
    await Promise.all(servers.map((server) => server.drain(log)));
    await delivery.close();
    await mounted?.close();
    await registry.close();
    await renderer?.outbound.close();
    await previews.close();
    await store.close();
    for (const held of holds) held.release();
  }

  return {
    app,
    limits,
    listen: () => listen().catch((error: unknown) => close().then(() => Promise.reject(error))),
    tick,
    reload,
    close,
  };
}

/** Which key signs a webhook for a buyer of a release. */
function purposeFor(setting: Settings['webhookKey'], release: Release): Purpose {
  if (setting !== 'by_release') return setting;
  return release === '3.0' ? 'webhook-signing' : 'request-signing';
}

/** How a tenant takes what receivers answer. */
function answersOf(tenant: Tenant | undefined): Partial<AnswerPolicy> {
  if (tenant === undefined) return {};
  const { signatureReject, onGone } = tenant.webhooks;
  return { signatureReject, onGone };
}

/** The operator's API, loaded when it is first asked. */
function lazily(app: App, limits: Limits, token: string, registry?: WebListener): RequestListener {
  let operator: Promise<RequestListener> | undefined;
  return (request, response) => {
    if (registry !== undefined && request.url?.startsWith('/api/admin/') === true) return registry(request, response);
    operator ??= import('./http/operator.js').then(({ createOperatorListener }) =>
      createOperatorListener(app, limits, token),
    );
    void operator.then((listener) => listener(request, response));
  };
}

/** The tasks that search a catalog, and how a first question is put. */
const SEARCHES: Readonly<Record<string, (name: string) => Readonly<Record<string, unknown>>>> = {
  get_products: (brief) => ({ buying_mode: 'brief', brief }),
  get_signals: (signal_spec) => ({ signal_spec }),
};

/** A tenant that cannot answer for its own catalog is not served; the first buyer finds the task warm. */
async function answersItsCatalog(app: App, seller: Seller): Promise<void> {
  for (const [name, question] of Object.entries(SEARCHES)) {
    const tool = findTool(seller, name);
    if (tool === undefined) continue;
    const caller = { seller, principal: undefined };
    const { payload, isError } = await runTask(app, tool, caller, question(seller.tenant.name));
    if (isError) throw new Error(`The tenant ${seller.tenant.path} cannot answer ${name}: ${toJson(payload)}`);
  }
}

/** Accounts of the tenant files come into the store, where all accounts are. */
async function bringInAccounts(app: App, tenants: readonly Tenant[]): Promise<void> {
  if (tenants.every((tenant) => tenant.accounts.length === 0)) return;
  await app.store.transact(async (tx) => {
    for (const tenant of tenants) {
      for (const { principal, ...account } of tenant.accounts) {
        const sandbox = tenant.principals.find((one) => one.id === principal)?.sandbox ?? true;
        await tx.accounts.configure(ownerKey(tenant.path, principal), { ...account, sandbox });
      }
    }
  });
}
