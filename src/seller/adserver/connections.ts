import PQueue from 'p-queue';
import type { Product } from '../domain/product/product.js';
import type { AdServerModules } from './adapters.js';
import { Connection } from './connection.js';
import type { AdServerAdapter, AdServerOptions } from './port/adapter.js';

/** A tenant as far as its ad server goes. */
type ConnectedTenant = {
  readonly path: string;
  readonly file: string;
  readonly fulfillment: string;
  readonly adServer?:
    | { readonly adapter: string | undefined; readonly settings: AdServerOptions['settings'] }
    | undefined;
  readonly products: readonly Product[];
};

/** An adapter that is open, and the settings that it was opened with, as text. */
type Opened = { readonly adapter: AdServerAdapter; readonly print: string };

/** The ad servers of the tenants: each is opened once, and again when its settings change. */
export class Connections {
  readonly #modules: AdServerModules;
  readonly #options: Omit<AdServerOptions, 'settings' | 'pace'>;
  readonly #paces = new Paces();
  #opened: ReadonlyMap<string, Opened> = new Map();
  #connections: ReadonlyMap<string, Connection> = new Map();

  constructor(modules: AdServerModules, options: Omit<AdServerOptions, 'settings' | 'pace'>) {
    this.#modules = modules;
    this.#options = options;
  }

  /** Returns the ad server of a tenant; undefined where its live buys do not go to one. */
  find(tenantPath: string): Connection | undefined {
    return this.#connections.get(tenantPath);
  }

  /** Connects the tenants as their files are now; what is used no more is closed. */
  async update(tenants: readonly ConnectedTenant[]): Promise<void> {
    const before = this.#opened;
    const opened = new Map<string, Opened>();
    const connections = new Map<string, Connection>();
    for (const tenant of tenants.filter(({ fulfillment }) => fulfillment === 'adapter')) {
      const one = this.#open(tenant, before.get(tenant.path));
      if (one === undefined) continue;
      opened.set(tenant.path, one);
      connections.set(tenant.path, new Connection(one.adapter, tenant.products));
    }
    this.#opened = opened;
    this.#connections = connections;
    const used = new Set([...opened.values()].map(({ adapter }) => adapter));
    await closeAll([...before.values()].filter(({ adapter }) => !used.has(adapter)));
  }

  /** Ends what the adapters hold open. */
  async close(): Promise<void> {
    await closeAll([...this.#opened.values()]);
  }

  #open({ path, file, adServer }: ConnectedTenant, before: Opened | undefined): Opened | undefined {
    const { adapter, settings = {} } = adServer ?? { adapter: undefined };
    const print = JSON.stringify([adapter, settings]);
    if (before?.print === print) return before;
    const module = this.#modules.find(adapter, file);
    if (module === undefined || typeof module === 'string') return undefined;
    const pace: AdServerOptions['pace'] = (network, perSecond) => this.#paces.wait(network, perSecond);
    const opened = module.open({ ...this.#options, settings, pace });
    this.#options.log.info({ tenant: path, ad_server: opened.name }, 'live buys go to an ad server');
    return { adapter: opened, print };
  }
}

/** So many networks are paced; the one that was longest there goes first. */
const MAX_NETWORKS = 1000;

/** How often the networks may be called, whichever tenants call them. */
class Paces {
  readonly #queues = new Map<string, PQueue>();

  async wait(network: string, perSecond: number): Promise<void> {
    let queue = this.#queues.get(network);
    if (queue === undefined) {
      const [oldest] = this.#queues.keys();
      if (this.#queues.size >= MAX_NETWORKS && oldest !== undefined) this.#queues.delete(oldest);
      queue = new PQueue({ interval: 1000, intervalCap: Math.max(1, Math.floor(perSecond)) });
      this.#queues.set(network, queue);
    }
    await queue.add(async () => undefined);
  }
}

/** Adapters that a program brought may be one for all tenants: each is closed once. */
async function closeAll(opened: readonly Opened[]): Promise<void> {
  await Promise.all([...new Set(opened.map(({ adapter }) => adapter))].map((adapter) => adapter.close?.()));
}
