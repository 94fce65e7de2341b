import type { RequestListener } from 'node:http';
import { type Clock, MINUTE_MS, SECOND_MS, systemClock } from '../platform/kernel/clock.js';
import { Closing } from '../platform/kernel/closing.js';
import { type Ids, systemIds } from '../platform/kernel/ids.js';
import { createLog, type Log } from '../platform/kernel/log.js';
import { startLoop } from '../platform/kernel/loop.js';
import { removeOperatorFile, writeOperatorFile } from '../platform/kernel/operator-file.js';
import { outboundThrough } from '../platform/net/outbound.js';
import { type Bound, bindHttp } from '../platform/web/bind.js';
import { EXPORT_FILE, EXPORT_MANIFEST } from '../registry/mirror/export-files.js';
import type { MountedRegistry } from '../registry/server/server.js';
import type { AdServer } from './adserver/port.js';
import { type AppOptions, type OpenApp, openApp } from './app.js';
import type { Settings } from './config/settings.js';
import type { App } from './context.js';
import { createListener } from './http/app.js';
import type { Limits } from './http/limits.js';
import { sweepKeys } from './idempotency/once.js';
import type { SellerPreviews } from './store/previews/preview-store.js';
import { decideDueTasks } from './tasks/task/decide-task.js';

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

/** Opens a seller on its data folder. Throws ConfigError when the folder is taken. */
export async function createServer(options: ServerOptions): Promise<SellerServer> {
  const {
    version = '0.0.0',
    clock = systemClock,
    ids = systemIds,
    log = createLog('warn'),
    registry = false,
    adServer,
  } = options;
  const { settings, env } = options;
  const closing = new Closing();
  try {
    const given = { settings, env, version, clock, ids, log, adServer };
    const opened = await openApp(given, closing);
    const { app, tenants, limits, previews } = opened;
    const rounds = new Rounds(app, previews);
    const server = new Server({ ...given, ...opened, rounds, withRegistry: registry }, closing);
    return {
      app,
      limits,
      listen: () => server.listen(),
      tick: async () => {
        await rounds.run();
        await app.registry.tick();
      },
      reload: () => tenants.reload(app),
      close: () => server.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** Runs what the clock brings about, round by round. */
class Rounds {
  readonly #app: App;
  readonly #previews: SellerPreviews;
  #sweptMs = 0;

  constructor(app: App, previews: SellerPreviews) {
    this.#app = app;
    this.#previews = previews;
  }

  async run(): Promise<void> {
    const { lifecycle, booking, reports, outbox, keys } = this.#app;
    await lifecycle.catchUp();
    await booking.bookWaiting();
    await decideDueTasks(this.#app);
    await reports.tick();
    await outbox.tick();
    await keys.tick();
    await this.#sweep();
  }

  async #sweep(): Promise<void> {
    const { clock, store } = this.#app;
    if (clock.now() - this.#sweptMs < MINUTE_MS) return;
    this.#sweptMs = clock.now();
    await sweepKeys(store, this.#sweptMs);
    await store.transact((tx) => tx.proposals.forgetEnded(this.#sweptMs));
    await this.#previews.prune(this.#sweptMs);
  }
}

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
  #isOpen = false;

  constructor(parts: Parts, closing: Closing) {
    this.#parts = parts;
    this.#closing = closing;
  }

  /** Binds the addresses and starts what runs by the clock; answers the base URL. What fails closes the whole seller. */
  async listen(): Promise<string> {
    try {
      const registry = await this.#mountRegistry();
      const { settings, ids, app, tenants } = this.#parts;
      // What signs has to be on disk and published before anybody can be called with it.
      await app.keys.ensure();
      this.#closing.add(() => Promise.all(this.#bound.map((address) => address.drain(this.#parts.log))));
      await this.#bindPublic(registry);
      const token = ids.secret();
      const port = await this.#bind(this.#operatorListener(token, registry), '127.0.0.1', 0);
      const { dataDir } = settings;
      writeOperatorFile(dataDir, { url: `http://127.0.0.1:${port}`, token, base_url: tenants.baseUrl });
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

  /** Turns away new calls, lets those in hand finish, then closes everything. */
  close(): Promise<void> {
    this.#isOpen = false;
    return this.#closing.close();
  }

  async #mountRegistry(): Promise<MountedRegistry | undefined> {
    const { settings, version, clock, ids, log, tenants, withRegistry } = this.#parts;
    if (!withRegistry) return undefined;
    const { mountRegistry } = await import('../registry/server/server.js');
    const outbound = outboundThrough(() => tenants.renderer.outbound);
    const baseUrl = (): string => tenants.baseUrl;
    const mounted = await mountRegistry({ settings, version, clock, ids, log, outbound, baseUrl });
    this.#closing.add(() => mounted.close());
    return mounted;
  }

  async #bindPublic(registry: MountedRegistry | undefined): Promise<void> {
    const { settings, app, tenants } = this.#parts;
    const hosts = [...settings.allowedHosts, new URL(tenants.baseUrl).hostname];
    const listener = createListener(app, {
      hosts: new Set(hosts.map((host) => host.toLowerCase())),
      maxBodyBytes: settings.maxBodyBytes,
      endpoints: () => tenants.endpoints,
      isOpen: () => this.#isOpen,
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

  async #bind(listener: RequestListener, host: string, port: number): Promise<number> {
    const bound = await bindHttp(listener, host, port);
    this.#bound.push(bound);
    return bound.port;
  }

  /** The operator's API, loaded when it is first asked; beside it the one of the registry. */
  #operatorListener(token: string, registry: MountedRegistry | undefined): RequestListener {
    const { app, limits } = this.#parts;
    const registryListener = registry?.operator(token);
    let operator: Promise<RequestListener> | undefined;
    return (request, response) => {
      if (registryListener !== undefined && request.url?.startsWith('/api/admin/') === true)
        return registryListener(request, response);
      operator ??= import('./http/operator/listener.js').then(({ createOperatorListener }) =>
        createOperatorListener(app, limits, token),
      );
      void operator.then((listener) => listener(request, response));
    };
  }

  #startLoops(): void {
    const { app, log, tenants, rounds } = this.#parts;
    const tick = startLoop('tick', SECOND_MS, log, () => rounds.run());
    this.#closing.add(() => tick.stop());
    app.registry.start();
    const reload = startLoop('reload', SECOND_MS, log, () => tenants.reload(app));
    this.#closing.add(() => reload.stop());
  }
}
