import { isDeepStrictEqual } from 'node:util';
import { PackagedFonts } from '../creative/compose/fonts/packaged-fonts.js';
import { ImageProcessor } from '../creative/compose/pictures/image-processor.js';
import type { Catalog } from '../creative/formats/files/load-catalog.js';
import type { MediaEncoder } from '../creative/media/encoder.js';
import { PreviewAnswerCache } from '../creative/preview/answer-cache.js';
import type { Renderer } from '../creative/renderer.js';
import type { Clock } from '../platform/kernel/clock.js';
import { ConfigError } from '../platform/kernel/errors.js';
import { startPace } from '../platform/kernel/event-loop.js';
import { writeWholeFile } from '../platform/kernel/files/whole-file.js';
import { toJson } from '../platform/kernel/json/json.js';
import type { Log } from '../platform/kernel/log.js';
import { outboundOnDemand, outboundThrough } from '../platform/net/outbound.js';
import type { ConfiguredPublisher } from '../registry/publish/types.js';
import { AdServerModules, type BroughtAdServer } from './adserver/adapters.js';
import type { FindConnection } from './adserver/connection.js';
import { Connections } from './adserver/connections.js';
import { fingerprintFormats, openCatalog } from './config/formats.js';
import { type JsonFile, readJsonFile } from './config/json-file.js';
import { loadPublishers } from './config/publishers.js';
import type { Settings } from './config/settings.js';
import {
  describeStray,
  type Fingerprints,
  fingerprintTenants,
  listStrayFiles,
  listTenantFiles,
} from './config/tenant-files.js';
import { TenantFolder } from './config/tenant-folder.js';
import type { App } from './context.js';
import { isTerminal, MEDIA_BUY_STATUSES } from './domain/media-buy/media-buy.js';
import { ownerKey, readOwner } from './domain/tenant/principal.js';
import { isCreativeAgent, openSeller, type Seller } from './domain/tenant/seller.js';
import type { Tenant } from './domain/tenant/tenant.js';
import { openA2aEndpoint } from './http/a2a/endpoint.js';
import type { Endpoint } from './http/endpoint.js';
import type { Limits } from './http/limits.js';
import { openEndpoint } from './http/mcp/endpoint.js';
import type { TaskStreams } from './http/task-streams.js';
import { announceFeeds } from './lifecycle/feeds.js';
import type { SellerPreviews } from './store/previews/preview-store.js';
import { findTool, taskNames } from './tasks/index.js';
import { runTask } from './tasks/pipeline/pipeline.js';

/** The surroundings that tenants are opened in. */
type TenantsOptions = {
  readonly settings: Settings;
  /** Where tenant files look for `{"env": …}` keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly limits: Limits;
  readonly streams: TaskStreams;
  readonly previews: SellerPreviews;
  /** What makes video and audio; undefined without ffmpeg. */
  readonly encoder: MediaEncoder | undefined;
  /** The ad server that the embedding program or the command brought. */
  readonly adServer: BroughtAdServer | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** The tenants of one reading of the files. */
type Served = {
  readonly sellers: ReadonlyMap<string, Seller>;
  readonly publishers: readonly ConfiguredPublisher[];
  readonly endpoints: ReadonlyMap<string, Endpoint>;
};

/** The fingerprints by which an edit of the files is recognized. */
type Prints = Fingerprints & { readonly formats: string };

/** The rules that tenants are judged by, and what those were read from. */
type Sources = {
  readonly prints: Prints;
  readonly catalog: Catalog;
  readonly publishers: readonly ConfiguredPublisher[];
};

/** A tenant that is open, and what it was opened with. */
type Opened = {
  readonly seller: Seller;
  readonly mcp: Endpoint;
  readonly a2a: Endpoint;
  readonly catalog: Catalog;
  /** The creative agents of the server, as text. */
  readonly agents: string;
  /** Whether it was opened by this reading. */
  readonly isNew: boolean;
};

/** The tenants as they are served: read from their files, and again when the files change. */
export class Tenants {
  readonly #options: TenantsOptions;
  #baseUrl: string;
  #served: Served = { sellers: new Map(), publishers: [], endpoints: new Map() };
  readonly #images: ImageProcessor;
  readonly #encoder: MediaEncoder | undefined;
  readonly #adServers: AdServerModules;
  readonly #connections: Connections;
  #renderer: Renderer | undefined;
  /** What the renderer goes out with, as text. */
  #resolved = '';
  readonly #folder = new TenantFolder();
  #prints: Prints | undefined;
  #sources: Sources | undefined;
  #opened: ReadonlyMap<string, Opened> = new Map();
  /** The sellers whose feeds were told of as they are. */
  #announced: ReadonlySet<Seller> = new Set();
  #reloading: Promise<void> = Promise.resolve();
  /** The round after the one under way, for all who ask for it meanwhile. */
  #nextReload: Promise<void> | undefined;
  #loadedAtMs = 0;
  /** The last of the edits, which come one after another. */
  #editing: Promise<unknown> = Promise.resolve();
  #rejectedEdit: string | undefined;
  #stray: readonly string[] = [];

  constructor(options: TenantsOptions) {
    this.#options = options;
    this.#baseUrl = options.settings.baseUrl;
    this.#images = new ImageProcessor(new PackagedFonts(options.settings.fontsDir));
    this.#encoder = options.encoder;
    this.#adServers = new AdServerModules(options.adServer);
    const outbound = outboundThrough(() => this.renderer.outbound);
    this.#connections = new Connections(this.#adServers, { outbound, clock: options.clock, log: options.log });
  }

  /** Finds the ad server of the tenant that sold to an owner. */
  get findConnection(): FindConnection {
    return (owner) => this.#connections.find(readOwner(owner).tenant);
  }

  /** Returns the address of the server, without a trailing slash. */
  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** Returns the tenants by path. */
  get sellers(): Served['sellers'] {
    return this.#served.sellers;
  }

  /** Returns the seller of a tenant whose file was removed, by which its media buys can be paused and canceled. */
  openDeparted(path: string): Seller {
    return openSeller(this.#folder.departed(path), this.#baseUrl, this.renderer.catalog.formats);
  }

  /** Returns the publishers whose files are written here. */
  get publishers(): Served['publishers'] {
    return this.#served.publishers;
  }

  /** Endpoints by path. */
  get endpoints(): Served['endpoints'] {
    return this.#served.endpoints;
  }

  /** Returns where creatives are made and shown. Throws before the tenant files were read. */
  get renderer(): Renderer {
    if (this.#renderer === undefined) throw new Error('the formats are not loaded yet');
    return this.#renderer;
  }

  /** Whether the tenant files hold an edit that cannot be served. */
  get isLastEditRejected(): boolean {
    return this.#rejectedEdit !== undefined;
  }

  /** Why the last edit of the tenant files is not served; undefined where it is. */
  get rejectedEdit(): string | undefined {
    return this.#rejectedEdit;
  }

  /** Returns how the tenant files were read last. */
  get reloads(): ReturnType<App['reloads']> {
    return { rejectedEdit: this.#rejectedEdit, succeededAtMs: this.#loadedAtMs, stray: this.#stray };
  }

  /** Sets the port that the system chose; the tenants have to be loaded after that. */
  usePort(port: number): void {
    this.#baseUrl = this.#baseUrl.replace(/:0$/, `:${port}`);
  }

  /**
   * Reads what changed of the tenant files and serves what is in them, tenant by tenant, so that calls go between. Throws ConfigError for
   * a broken file; then nothing changes.
   */
  async load(app: App): Promise<void> {
    const { settings, env } = this.#options;
    const { tenantsDir: directory, protocolName, protocolPreview, development, hasExampleTenants } = settings;
    if (hasExampleTenants && !development) throw examplesOnly(directory);
    this.#prints = await this.#fingerprint();
    const { catalog, publishers } = await this.#readSources(this.#prints);
    const tenants = await this.#folder.load({
      directory,
      env,
      baseUrl: this.#baseUrl,
      protocolName,
      preview: protocolPreview,
      development,
      formatIds: catalog.ids,
      taskNames: taskNames(protocolName),
      adServers: this.#adServers,
      publishers,
    });
    const opened = await this.#open(app, tenants, catalog);
    await this.#openRenderer(tenants, catalog);
    await this.#connections.update(tenants);
    await checkCatalogs(
      app,
      opened.filter(({ isNew }) => isNew).map(({ seller }) => seller),
    );
    const removed = [...this.#opened.keys()].filter(
      (path) => !opened.some(({ seller }) => seller.tenant.path === path),
    );
    const isChecked = this.#opened.size === 0 || removed.length > 0;
    this.#serve(opened, publishers);
    this.#loadedAtMs = app.clock.now();
    this.#options.streams.retain(this.sellers.values());
    await this.#announce(app);
    if (isChecked) await this.#warnOfDeparted(app);
    await this.#warnOfStray(directory);
  }

  /** Serves these tenants from now on, and no others. */
  #serve(opened: readonly Opened[], publishers: Served['publishers']): void {
    this.#opened = new Map(opened.map((one) => [one.seller.tenant.path, { ...one, isNew: false }]));
    this.#served = {
      publishers,
      sellers: new Map(opened.map(({ seller }) => [seller.tenant.path, seller])),
      endpoints: new Map(
        opened.flatMap(({ seller: { tenant }, mcp, a2a }) => [
          [`/${tenant.path}/mcp`, mcp],
          [`/${tenant.path}/a2a`, a2a],
        ]),
      ),
    };
  }

  /** Warns of files that look like tenants' and are not served, once of each. */
  async #warnOfStray(directory: string): Promise<void> {
    const before = this.#stray;
    this.#stray = await listStrayFiles(directory);
    for (const file of this.#stray.filter((one) => !before.includes(one)))
      this.#options.log.warn({ file }, `${describeStray(file).message}. ${describeStray(file).fix}`);
  }

  /** Warns of media buys that go on though the file of their tenant was removed. */
  async #warnOfDeparted({ log, store }: App): Promise<void> {
    const open = new Map<string, number>();
    for (const { owner, status, total } of await store.read.mediaBuys.countByStatus()) {
      const { tenant } = readOwner(owner);
      const isOpen = MEDIA_BUY_STATUSES.some((one) => one === status && !isTerminal(one));
      if (isOpen && !this.sellers.has(tenant)) open.set(tenant, (open.get(tenant) ?? 0) + total);
    }
    for (const [tenant, media_buys] of open) log.warn({ tenant, media_buys }, DEPARTED);
  }

  /** Tells of the feeds that an edit changed; what could not be stored is told by the next round. */
  async #announce(app: App): Promise<void> {
    const sellers = [...this.#served.sellers.values()];
    for (const seller of sellers) if (!this.#announced.has(seller)) await announceFeeds(app, seller);
    this.#announced = new Set(sellers);
  }

  /** Opens the tenants; one is left as it is while all that it is made of is. */
  async #open(app: App, tenants: readonly Tenant[], catalog: Catalog): Promise<readonly Opened[]> {
    const { limits, streams, version } = this.#options;
    const agents = JSON.stringify(tenants.filter(isCreativeAgent).map(({ path, name }) => [path, name]));
    const opened: Opened[] = [];
    const pace = startPace();
    for (const tenant of tenants) {
      const before = this.#opened.get(tenant.path);
      if (before?.seller.tenant === tenant && before.catalog === catalog && before.agents === agents) {
        opened.push(before);
        continue;
      }
      await configureAccounts(app, tenant);
      const hasEncoder = this.#encoder !== undefined;
      const seller = { ...openSeller(tenant, this.#baseUrl, catalog.formats, tenants), hasEncoder };
      const mcp = await openEndpoint({ app, limits, streams, seller, version });
      const a2a = openA2aEndpoint({ app, limits, streams, seller, version });
      opened.push({ seller, mcp, a2a, catalog, agents, isNew: true });
      if (pace.isDue()) await pace.rest();
    }
    return opened;
  }

  /** Returns the formats and the publishers, read again where their files changed. */
  async #readSources(prints: Prints): Promise<Sources> {
    const { tenantsDir } = this.#options.settings;
    const before = this.#sources;
    const hasFormats = before?.prints.formats === prints.formats;
    const hasPublishers = before?.prints.publishers === prints.publishers;
    const catalog = hasFormats ? before.catalog : await openCatalog({ tenantsDir, baseUrl: this.#baseUrl });
    const publishers = hasPublishers ? before.publishers : await loadPublishers(tenantsDir);
    this.#sources = { prints, catalog, publishers };
    return this.#sources;
  }

  /** Opens where creatives are made and shown, as far as formats or the addresses that tenants set have changed. */
  async #openRenderer(tenants: readonly Tenant[], catalog: Catalog): Promise<void> {
    const { previews, media } = this.#options.previews;
    const { development } = this.#options.settings;
    const resolve = new Map(tenants.flatMap((tenant) => Object.entries(tenant.outboundResolve)));
    const before = this.#renderer;
    const resolved = JSON.stringify([...resolve]);
    const isOutboundSame = before !== undefined && resolved === this.#resolved;
    const outbound = isOutboundSame ? before.outbound : outboundOnDemand({ development, resolve });
    const answers = before?.catalog === catalog && isOutboundSame ? before.answers : new PreviewAnswerCache();
    this.#renderer = {
      catalog,
      previews,
      media,
      images: this.#images,
      encoder: this.#encoder,
      answers,
      previewMs: this.#options.settings.previewMs,
      previewHosts: this.#options.settings.previewHosts,
      baseUrl: this.#baseUrl,
      outbound,
    };
    this.#resolved = resolved;
    if (!isOutboundSame) await before?.outbound.close();
  }

  async #fingerprint(): Promise<Prints> {
    const { settings } = this.#options;
    return { ...(await fingerprintTenants(settings.tenantsDir)), formats: await fingerprintFormats(settings) };
  }

  /** Reads the tenant files again if they changed; a broken edit is logged, and the old tenants go on. */
  reload(app: App): Promise<void> {
    // A round that is under way may have looked at the files before the caller changed them.
    this.#nextReload ??= this.#reloading.then(() => {
      this.#nextReload = undefined;
      const round = this.#reloadChanged(app);
      this.#reloading = round.catch(() => undefined);
      return round;
    });
    return this.#nextReload;
  }

  /**
   * Writes another text of a tenant's file where it can be served, serves it and returns the file; edits go one after another. Throws
   * ConfigError with what is wrong with the text; then the file stays as it was.
   */
  edit(app: App, tenant: string, change: (json: JsonFile) => string): Promise<string> {
    const edited = this.#editing.then(() => this.#edit(app, tenant, change));
    this.#editing = edited.catch(() => undefined);
    return edited;
  }

  async #edit(app: App, tenant: string, change: (json: JsonFile) => string): Promise<string> {
    const { tenantsDir } = this.#options.settings;
    const location = (await listTenantFiles(tenantsDir)).find(({ path }) => path === tenant);
    if (location === undefined) {
      const fix = `Use one of: ${[...this.sellers.keys()].join(', ')}.`;
      throw new ConfigError([
        { file: tenantsDir, line: 0, pointer: '', message: `there is no tenant "${tenant}"`, fix },
      ]);
    }
    const text = change(await readJsonFile(location.file));
    const problems = await this.#folder.inspect(location, text);
    if (problems.length > 0) throw new ConfigError(problems);
    await writeTenantFile(location.file, text);
    await this.reload(app);
    return location.file;
  }

  async #reloadChanged(app: App): Promise<void> {
    const prints = await this.#fingerprint().catch((error: unknown) => {
      // Once the folder can be listed again, it is read whatever is in it.
      this.#prints = undefined;
      return this.#reject(app, error);
    });
    if (prints === undefined) return;
    if (isDeepStrictEqual(prints, this.#prints)) return this.#announce(app);
    const before = this.#opened;
    try {
      await this.load(app);
      this.#rejectedEdit = undefined;
      const tenants = [...this.#opened].filter(([path, { seller }]) => before.get(path)?.seller !== seller);
      const removed = [...before.keys()].filter((path) => !this.#opened.has(path));
      if (before.size > 0) app.log.info({ tenants: tenants.map(([path]) => path), removed }, 'tenants reloaded');
    } catch (error) {
      this.#reject(app, error);
    }
  }

  /** Goes on with the tenants that are served, and says why in the log, once. Throws an error that is not about the files. */
  #reject(app: App, error: unknown): undefined {
    const before = this.#rejectedEdit;
    this.#rejectedEdit = error instanceof Error ? error.message : String(error);
    if (!(error instanceof ConfigError)) {
      // Nothing is wrong with the files: they are read again by the next round.
      this.#prints = undefined;
      throw error;
    }
    if (error.message === before) return;
    app.log.error(`The edit of the tenant files is rejected; the previous ones go on serving.\n${error.message}`);
  }

  /** Ends what the tenants go out with. */
  async close(): Promise<void> {
    await this.#connections.close();
    await this.#renderer?.outbound.close();
  }
}

const DEPARTED =
  'media buys go on whose tenant has no file any more: put the file back, or pause or cancel them in the console and stop them by hand where they are booked';

/** Returns the refusal to serve the example tenants, whose tokens everybody knows. */
function examplesOnly(file: string): ConfigError {
  const message = 'the shipped example tenants are served to this machine alone, and there is no folder ./tenants';
  const fix = 'Write tenants of your own with "seller-agent init", or name their folder with --tenants.';
  return new ConfigError([{ file, line: 0, pointer: '', message, fix }]);
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

/** Brings the accounts of a tenant file into the store, where all accounts are. */
async function configureAccounts(app: App, { path, accounts, principals }: Tenant): Promise<void> {
  if (accounts.length === 0) return;
  await app.store.transact(async (tx) => {
    for (const { principal, ...account } of accounts) {
      const sandbox = principals.find((one) => one.id === principal)?.sandbox ?? true;
      await tx.accounts.configure(ownerKey(path, principal), { ...account, sandbox });
    }
  });
}

/** Throws ConfigError where this process may not write the file, as under the systemd unit. */
async function writeTenantFile(file: string, text: string): Promise<void> {
  try {
    await writeWholeFile(file, text);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error;
    const message = `this server may not write the file (${code})`;
    const fix = 'Edit it by hand or by a command as a user who may: the server serves the new text within a second.';
    throw new ConfigError([{ file, line: 0, pointer: '', message, fix }]);
  }
}

/** Checks that the catalogs of tenants can be searched, giving way to the event loop in between. */
async function checkCatalogs(app: App, sellers: readonly Seller[]): Promise<void> {
  const pace = startPace();
  for (const seller of sellers) {
    await checkCatalogSearch(app, seller);
    if (pace.isDue()) await pace.rest();
  }
}
