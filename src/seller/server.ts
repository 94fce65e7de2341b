import type { RequestListener } from 'node:http';
import path from 'node:path';
import { isDatabaseUrl } from '../platform/database/database-url.js';
import { FileProblem } from '../platform/database/file-problem.js';
import { startSigning } from '../platform/database/postgres/processes.js';
import { type Clock, isoTime, SECOND_MS } from '../platform/kernel/clock.js';
import { Closing } from '../platform/kernel/closing.js';
import { removeOperatorFile, writeOperatorFile } from '../platform/kernel/files/operator-file.js';
import { type Ids, systemIds } from '../platform/kernel/ids.js';
import { createLog, type Log } from '../platform/kernel/log.js';
import { startLoop } from '../platform/kernel/loop.js';
import { openTime, type TimeSources } from '../platform/kernel/steady-clock.js';
import { createClientAddress } from '../platform/net/address.js';
import { outboundThrough } from '../platform/net/outbound.js';
import { NonceJournal } from '../platform/signing/verify/nonce-journal.js';
import { NONCE_LIMITS, type NonceStore } from '../platform/signing/verify/nonces.js';
import { type Bound, bindHttp } from '../platform/web/bind.js';
import { openSenders } from '../platform/web/body.js';
import { AllowedOrigins } from '../platform/web/cors.js';
import { localOnly, OurHosts } from '../platform/web/origin.js';
import { EXPORT_FILE, EXPORT_MANIFEST } from '../registry/mirror/export-files.js';
import type { MountedRegistry } from '../registry/server/server.js';
import type { BroughtAdServer } from './adserver/adapters.js';
import { type AppOptions, type OpenApp, openApp } from './app.js';
import { type KeyFiles, type OperatedKeys, operatePrincipalKeys } from './config/keys/operate-keys.js';
import type { Settings } from './config/settings.js';
import { OneTimeLinks } from './console/access/links.js';
import type { App } from './context.js';
import { openReadiness } from './health.js';
import { createListener } from './http/app.js';
import type { Limits } from './http/limits.js';
import { Rounds } from './rounds.js';
import { SharedNonces } from './secrets/shared-nonces.js';
import { COMMAND_LINE, carryOutAct } from './tasks/people/acts.js';

/** The settings and the parts of a server; everything but settings and environment has a default. */
export type ServerOptions = {
  readonly settings: Settings;
  /** Where tenant files look for `{"env": …}` keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version?: string;
  /** The time as a test turns it; unless given, that of the machine, which is not followed when it jumps. */
  readonly clock?: Clock;
  /** The clocks of the machine. */
  readonly time?: TimeSources;
  readonly ids?: Ids;
  readonly log?: Log;
  /** Whether a registry of its own is served beside the tenants (`serve --registry`). */
  readonly registry?: boolean;
  /** The seller's own ad server, for tenants that let live buys go to one and name none. */
  readonly adServer?: BroughtAdServer | undefined;
};

/** A seller, opened but not yet listening. */
export type SellerServer = {
  readonly app: App;
  readonly limits: Limits;
  /** Binds the public address and the operator's; answers the base URL that is served. */
  readonly listen: () => Promise<string>;
  /** Returns a link by which this machine's user signs in to the console once. Throws before `listen`. */
  readonly signInLink: () => string;
  /** One round of all that runs by the clock: buys move, orders reach the ad server, waiting tasks end, webhooks go out, old keys go. */
  readonly tick: () => Promise<void>;
  /** Reads the tenant files again if they changed; a broken edit is logged and the old tenants go on. */
  readonly reload: () => Promise<void>;
  /** Takes no further connection, and answers one more call on each that is open, for a second at most: what comes before `close` where callers go on. */
  readonly retire: () => Promise<void>;
  /** Lets calls in hand finish, then closes everything. */
  readonly close: () => Promise<void>;
};

/** Opens a seller on its data folder. Throws ConfigError when the folder is taken. */
export async function createServer(options: ServerOptions): Promise<SellerServer> {
  const { version = '0.0.0', ids = systemIds, log = createLog('warn'), registry = false, adServer } = options;
  const { settings, env } = options;
  if (registry) requireOwnStore(settings);
  const { clock, watch } = openTime(options, log);
  const closing = new Closing();
  try {
    const given = { settings, env, version, clock, watch, ids, log, adServer };
    const opened = await openApp(given, closing);
    const { app, tenants, limits } = opened;
    const rounds = new Rounds(opened, settings.leaseMs);
    const server = new Server({ ...given, ...opened, rounds, withRegistry: registry }, closing);
    return {
      app,
      limits,
      listen: () => server.listen(),
      signInLink: () => server.signInLink(),
      tick: async () => {
        await rounds.run();
        await app.registry.tick();
      },
      reload: () => tenants.reload(app),
      retire: () => server.retire(),
      close: () => server.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** Throws FileProblem where a registry is to be served beside sellers that share a database, before anything is made there. */
function requireOwnStore({ store }: Settings): void {
  if (store === undefined || !isDatabaseUrl(store)) return;
  throw new FileProblem('the store', 'several sellers on one database would each have a registry of its own', {
    fix: 'Leave --registry out, and run "seller-agent registry serve --store postgres://…" with a database of its own beside them.',
  });
}

/** What one file of the console takes of running buys. */
const EXPORT_BOUND = { maxBuys: 20_000, pieceBuys: 100 };

type Parts = AppOptions &
  OpenApp & {
    readonly rounds: Rounds;
    /** Whether a registry is served beside the tenants. */
    readonly withRegistry: boolean;
  };

/** The addresses of a seller, from the first bound to the last drained. */
class Server {
  readonly #parts: Parts;
  readonly #closing: Closing;
  readonly #bound: Bound[] = [];
  readonly #links: OneTimeLinks;
  #operatorUrl: string | undefined;
  #isOpen = false;

  constructor(parts: Parts, closing: Closing) {
    this.#parts = parts;
    this.#closing = closing;
    this.#links = new OneTimeLinks(parts.ids, parts.clock);
  }

  signInLink(): string {
    if (this.#operatorUrl === undefined) throw new Error('the console is served once the server listens');
    return `${this.#operatorUrl}/console/enter/${this.#links.issue()}`;
  }

  /** Binds the addresses and starts what runs by the clock; answers the base URL. What fails closes the whole seller. */
  async listen(): Promise<string> {
    try {
      const registry = await this.#mountRegistry();
      const { settings, ids, app, tenants } = this.#parts;
      // What signs has to be on disk and published before anybody can be called with it.
      await app.keys.ensure();
      this.#closing.add(() => Promise.all(this.#bound.map((address) => address.drain())));
      this.#closing.add(() => this.#parts.streams.close());
      await this.#bindPublic(registry);
      const token = ids.secret();
      const port = await this.#bind(this.#operatorListener(token, registry), '127.0.0.1', settings.adminPort);
      const { dataDir } = settings;
      this.#operatorUrl = `http://127.0.0.1:${port}`;
      writeOperatorFile(dataDir, { url: this.#operatorUrl, token, base_url: tenants.baseUrl });
      this.#closing.add(() => removeOperatorFile(dataDir));
      await app.outbox.start();
      this.#startLoops();
      this.#isOpen = true;
      return tenants.baseUrl;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Takes no further connection, and answers one more call on each that is open. */
  async retire(): Promise<void> {
    await Promise.all(this.#bound.map((address) => address.retire()));
  }

  /** Turns away new calls, lets those in hand finish, then closes everything. */
  close(): Promise<void> {
    this.#isOpen = false;
    return this.#closing.close();
  }

  async #mountRegistry(): Promise<MountedRegistry | undefined> {
    const { settings, version, clock, watch, ids, log, tenants, withRegistry } = this.#parts;
    if (!withRegistry) return undefined;
    const { mountRegistry } = await import('../registry/server/server.js');
    const outbound = outboundThrough(() => tenants.renderer.outbound);
    const baseUrl = (): string => tenants.baseUrl;
    const mounted = await mountRegistry({ settings, version, clock, watch, ids, log, outbound, baseUrl });
    this.#closing.add(() => mounted.close());
    return mounted;
  }

  async #bindPublic(registry: MountedRegistry | undefined): Promise<void> {
    const { settings, app, tenants } = this.#parts;
    const readiness = openReadiness({ app, tenants, settings }, registry?.checks ?? [], this.#closing);
    const listener = createListener(app, {
      nonces: this.#openNonces(),
      newRequestId: systemIds.uuid,
      hosts: new OurHosts([...settings.allowedHosts, new URL(tenants.baseUrl).hostname]),
      origins: new AllowedOrigins(settings.corsOrigins, { local: settings.development }),
      readiness,
      version: this.#parts.version,
      maxBodyBytes: settings.maxBodyBytes,
      limits: this.#parts.limits,
      senders: openSenders(createClientAddress(settings.trustedProxies)),
      endpoints: () => tenants.endpoints,
      isOpen: () => this.#isOpen,
      portal: this.#portalListener(),
      exported: { folder: settings.dataDir, names: [EXPORT_FILE, EXPORT_MANIFEST] },
      registry: registry?.listener,
    });
    // A port that the system chooses is in every address the tenants publish, so it has to be known before they are read.
    if (settings.port !== 0) await tenants.load(app);
    const port = await this.#bind(listener, settings.host, settings.port);
    if (settings.port !== 0) return;
    tenants.usePort(port);
    await tenants.load(app);
  }

  #openNonces(): NonceStore {
    const { app, settings } = this.#parts;
    if (app.store.isShared) return new SharedNonces(app.store, NONCE_LIMITS.request);
    const journal = new NonceJournal(settings.dataDir, NONCE_LIMITS.request);
    this.#closing.add(async () => journal.close());
    return journal;
  }

  async #bind(listener: RequestListener, host: string, port: number): Promise<number> {
    const { log, settings } = this.#parts;
    const { connections, trustedProxies } = settings;
    const bound = await bindHttp(listener, { host, port }, { log, connections, trustedProxies });
    this.#bound.push(bound);
    return bound.port;
  }

  /** Returns the portal, loaded when it is first asked. */
  #portalListener(): RequestListener {
    let pages: Promise<RequestListener> | undefined;
    return (request, response) => {
      pages ??= import('./console/portal/listener.js').then(({ createPortal }) => createPortal(this.#parts.app));
      void pages.then((listener) => listener(request, response));
    };
  }

  /** Returns the operator's API and the console, loaded when they are first asked; beside them the API of the registry. */
  #operatorListener(token: string, registry: MountedRegistry | undefined): RequestListener {
    const { app, limits } = this.#parts;
    const registryListener = registry?.operator(token, (act, run) =>
      carryOutAct(app, { actor: COMMAND_LINE, ...act }, run),
    );
    const options = {
      token,
      registryMetrics: registry?.metrics,
      signInLink: () => this.signInLink(),
      tenantsDir: path.resolve(this.#parts.settings.tenantsDir),
      operateKeys: (asked: unknown) => this.#operateKeys(asked),
    };
    let operator: Promise<RequestListener> | undefined;
    let pages: Promise<RequestListener> | undefined;
    return localOnly((request, response) => {
      if (request.url?.startsWith('/console') === true) {
        pages ??= this.#openConsole(registry);
        void pages.then((listener) => listener(request, response));
        return;
      }
      if (registryListener !== undefined && request.url?.startsWith('/api/admin/') === true)
        return registryListener(request, response);
      operator ??= import('./http/operator/listener.js').then(({ createOperatorListener }) =>
        createOperatorListener(app, limits, options),
      );
      void operator.then((listener) => listener(request, response));
    });
  }

  async #openConsole(registry: MountedRegistry | undefined): Promise<RequestListener> {
    const { app, limits, settings, tenants, version } = this.#parts;
    const { createConsole } = await import('./console/listener.js');
    return createConsole({
      app,
      limits,
      settings,
      version,
      links: this.#links,
      exportBound: EXPORT_BOUND,
      registry: registry?.operation,
      rejectedEdit: () => tenants.rejectedEdit,
      operateKeys: (asked) => this.#operateKeys(asked),
      editTenant: (tenant, change) => tenants.edit(app, tenant, change),
    });
  }

  /** Changes keys in the tenant files that are served. */
  #operateKeys(asked: unknown): Promise<OperatedKeys> {
    const { app, ids, tenants } = this.#parts;
    const files: KeyFiles = {
      edit: (tenant, change) => tenants.edit(app, tenant, change),
      nowIso: () => isoTime(app.clock.now()),
      randomKey: () => ids.secret(),
    };
    return operatePrincipalKeys(files, asked);
  }

  /** Says to the other processes on the database, again and again, that this one is there. */
  #signOn(): void {
    const { app, log, version } = this.#parts;
    const { clock, store } = app;
    if (store.processes !== undefined) this.#closing.add(startSigning(store.processes, { clock, log, version }));
  }

  #startLoops(): void {
    const { app, log, tenants, rounds } = this.#parts;
    this.#closing.add(rounds.start(log));
    app.registry.start();
    this.#signOn();
    const reload = startLoop('reload', SECOND_MS, log, () => tenants.reload(app));
    this.#closing.add(() => reload.stop());
  }
}
