import { ImageProcessor } from '../creative/compose/pictures/image-processor.js';
import { PreviewAnswerCache } from '../creative/preview/answer-cache.js';
import type { Renderer } from '../creative/renderer.js';
import { ConfigError } from '../platform/kernel/errors.js';
import { toJson } from '../platform/kernel/json/json.js';
import { outboundOnDemand } from '../platform/net/outbound.js';
import type { ConfiguredPublisher } from '../registry/publish/types.js';
import { openCatalog } from './config/formats.js';
import { fingerprintTenants, loadTenants } from './config/load.js';
import { loadPublishers } from './config/publishers.js';
import type { Settings } from './config/settings.js';
import type { App } from './context.js';
import { openSeller, type Seller } from './domain/tenant/seller.js';
import { ownerKey, type Tenant } from './domain/tenant/tenant.js';
import type { Limits } from './http/limits.js';
import { type Endpoint, openEndpoint } from './http/mcp/endpoint.js';
import type { SellerPreviews } from './store/previews/preview-store.js';
import { findTool, taskNames } from './tasks/index.js';
import { runTask } from './tasks/pipeline/pipeline.js';

/** The surroundings that tenants are opened in. */
export type TenantsOptions = {
  readonly settings: Settings;
  /** Where tenant files look for `{"env": …}` keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly limits: Limits;
  readonly previews: SellerPreviews;
};

/** What is served of one reading of the tenant files. */
type Served = {
  readonly sellers: ReadonlyMap<string, Seller>;
  readonly publishers: readonly ConfiguredPublisher[];
  readonly endpoints: ReadonlyMap<string, Endpoint>;
};

/** The tenants as they are served: read from their files, and again when the files change. */
export class Tenants {
  readonly #options: TenantsOptions;
  #baseUrl: string;
  #served: Served = { sellers: new Map(), publishers: [], endpoints: new Map() };
  readonly #images = new ImageProcessor();
  #renderer: Renderer | undefined;
  #fingerprint = '';
  #reloading: Promise<void> | undefined;

  constructor(options: TenantsOptions) {
    this.#options = options;
    this.#baseUrl = options.settings.baseUrl;
  }

  /** The address of the server, without a trailing slash. */
  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** The tenants by path. */
  get sellers(): Served['sellers'] {
    return this.#served.sellers;
  }

  /** The publishers whose files are written here. */
  get publishers(): Served['publishers'] {
    return this.#served.publishers;
  }

  /** MCP endpoints by path. */
  get endpoints(): Served['endpoints'] {
    return this.#served.endpoints;
  }

  /** Where creatives are made and shown. Throws before the tenant files were read. */
  get renderer(): Renderer {
    if (this.#renderer === undefined) throw new Error('the formats are not loaded yet');
    return this.#renderer;
  }

  /** Sets the port that the system chose; the tenants have to be loaded after that. */
  usePort(port: number): void {
    this.#baseUrl = this.#baseUrl.replace(/:0$/, `:${port}`);
  }

  /** Reads the tenant files and serves what is in them. Throws ConfigError for a broken file; then nothing changes. */
  async load(app: App): Promise<void> {
    const { settings, env, version, limits } = this.#options;
    const { previews, media } = this.#options.previews;
    const { tenantsDir: directory, protocolName, development } = settings;
    const baseUrl = this.#baseUrl;
    this.#fingerprint = await fingerprintTenants(directory);
    const catalog = await openCatalog({ tenantsDir: directory, baseUrl });
    const publishers = await loadPublishers(directory);
    const tenants = await loadTenants({
      directory,
      env,
      baseUrl,
      protocolName,
      development,
      knownFormatIds: catalog.ids,
      knownTasks: taskNames(protocolName),
      publishers,
    });
    await configureAccounts(app, tenants);
    const sellers = tenants.map((tenant) => openSeller(tenant, baseUrl, catalog.formats, tenants));
    const endpoints = await Promise.all(
      sellers.map(async (seller): Promise<[string, Endpoint]> => {
        return [`/${seller.tenant.path}/mcp`, await openEndpoint(app, limits, seller, version)];
      }),
    );
    const resolve = new Map(tenants.flatMap((tenant) => Object.entries(tenant.outboundResolve)));
    const before = this.#renderer?.outbound;
    const outbound = outboundOnDemand({ development, resolve });
    const answers = new PreviewAnswerCache();
    this.#renderer = { catalog, previews, media, images: this.#images, answers, baseUrl, outbound };
    await before?.close();
    for (const seller of sellers) await checkCatalogSearch(app, seller);
    this.#served = {
      publishers,
      sellers: new Map(sellers.map((seller) => [seller.tenant.path, seller])),
      endpoints: new Map(endpoints),
    };
  }

  /** Reads the tenant files again if they changed; a broken edit is logged, and the old tenants go on. */
  reload(app: App): Promise<void> {
    this.#reloading ??= this.#reloadChanged(app).finally(() => {
      this.#reloading = undefined;
    });
    return this.#reloading;
  }

  async #reloadChanged(app: App): Promise<void> {
    if ((await fingerprintTenants(this.#options.settings.tenantsDir)) === this.#fingerprint) return;
    try {
      await this.load(app);
      app.log.warn({ tenants: [...this.sellers.keys()] }, 'tenants reloaded');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      app.log.error(`The edit of the tenant files is rejected; the previous ones go on serving.\n${error.message}`);
    }
  }

  /** Ends what the tenants go out with. */
  async close(): Promise<void> {
    await this.#renderer?.outbound.close();
  }
}

/** The tasks that search a catalog, and how a first question is put. */
const SEARCHES: Readonly<Record<string, (name: string) => Readonly<Record<string, unknown>>>> = {
  get_products: (brief) => ({ buying_mode: 'brief', brief }),
  get_signals: (signal_spec) => ({ signal_spec }),
};

/** Throws where a tenant cannot answer for its own catalog: it is not served then. The first buyer finds the task warm. */
async function checkCatalogSearch(app: App, seller: Seller): Promise<void> {
  for (const [name, question] of Object.entries(SEARCHES)) {
    const tool = findTool(seller, name);
    if (tool === undefined) continue;
    const caller = { seller, principal: undefined };
    const { payload, isError } = await runTask(app, tool, caller, question(seller.tenant.name));
    if (isError) throw new Error(`The tenant ${seller.tenant.path} cannot answer ${name}: ${toJson(payload)}`);
  }
}

/** Brings the accounts of the tenant files into the store, where all accounts are. */
async function configureAccounts(app: App, tenants: readonly Tenant[]): Promise<void> {
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
