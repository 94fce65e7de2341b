import path from 'node:path';
import { BUILT_MS } from '../creative/lifetimes.js';
import { MediaEncoder } from '../creative/media/encoder.js';
import { holdDataFolder, holdFolderOrFail, OPENED } from '../platform/database/data-folder.js';
import { isDatabaseUrl } from '../platform/database/database-url.js';
import { requireDatabase } from '../platform/database/identity.js';
import { makePrivateDatabase } from '../platform/database/private-files.js';
import { openTraces } from '../platform/health/traces.js';
import { Cache } from '../platform/kernel/cache.js';
import { type Clock, monotonicMs } from '../platform/kernel/clock.js';
import type { Closing } from '../platform/kernel/closing.js';
import type { Ids } from '../platform/kernel/ids.js';
import type { Log } from '../platform/kernel/log.js';
import type { JumpWatch } from '../platform/kernel/steady-clock.js';
import { outboundThrough } from '../platform/net/outbound.js';
import { MASTER_KEY_VARIABLE, MasterKeys } from '../platform/sealing/master-keys.js';
import type { Purpose } from '../platform/signing/keys/jwk.js';
import { KEY_FILE, type KeyRing, openKeyRing } from '../platform/signing/keys/key-ring.js';
import { KeyFile, type KeyStorage } from '../platform/signing/keys/key-storage.js';
import { createSignedLinks } from '../platform/web/signed-link.js';
import { protocolNames } from '../protocol/names.js';
import { RELEASE_TABLE, type Release } from '../protocol/releases.js';
import type { BroughtAdServer } from './adserver/adapters.js';
import { createBooking } from './adserver/booking.js';
import { Alerts } from './alerts/alerts.js';
import { CallLog } from './calls/call-log.js';
import { KeyUses } from './calls/key-uses.js';
import type { Settings } from './config/settings.js';
import type { App } from './context.js';
import { answerBytes, searchBytes } from './domain/product/catalog-search.js';
import type { Tenant } from './domain/tenant/tenant.js';
import { createContextVerifier } from './governance/context-verifier.js';
import { createLimits, type Limits } from './http/limits.js';
import { TaskStreams } from './http/task-streams.js';
import { createIdempotency } from './idempotency/key.js';
import { DeliveryPulls } from './lifecycle/ad-server/delivery-pulls.js';
import { OrderInspections } from './lifecycle/ad-server/order-inspections.js';
import { ContentPushes } from './lifecycle/content-pushes.js';
import { followDemand } from './lifecycle/demand.js';
import { holdEarlierBuys } from './lifecycle/inventory.js';
import { InventoryLists } from './lifecycle/inventory-lists.js';
import { createLostProperties } from './lifecycle/lost-properties.js';
import { Lifecycle } from './lifecycle/media-buys.js';
import { createReports, type Reports } from './lifecycle/reports.js';
import { Spend } from './lifecycle/spend.js';
import { AccessTokens } from './oauth/access-tokens.js';
import { createInventorySource, stampPublishers } from './registry/inventory-source.js';
import { useRegistry } from './registry/open.js';
import { SellerAuthority } from './registry/seller-authority.js';
import { interceptForSandbox } from './sandbox/interceptor.js';
import { Sandboxes } from './sandbox/sandboxes.js';
import { type LinkSecrets, openLinkSecrets } from './secrets/link-secrets.js';
import { SharedKeys } from './secrets/shared-keys.js';
import { takeOverMedia } from './store/previews/earlier-media.js';
import { SellerPreviews } from './store/previews/preview-store.js';
import { MASTER_KEY_FILE, openSharedStore, openStore, SELLER_FILE, type Store } from './store/store.js';
import { AnswerCache } from './tasks/pipeline/answer-cache.js';
import { UnfinishedTasks } from './tasks/pipeline/unfinished-tasks.js';
import { prepareCompletion } from './tasks/task/decide-task.js';
import { Tenants } from './tenants.js';
import { type Challenger, createChallenger } from './webhooks/challenge.js';
import type { AnswerPolicy } from './webhooks/delivery/answers.js';
import { DELIVERY_POLICY } from './webhooks/delivery/attempt.js';
import { createDelivery, type Delivery } from './webhooks/delivery/delivery.js';
import { createProver, type FindSigner } from './webhooks/delivery/proof.js';
import { createAccountEvents } from './webhooks/events/account-events.js';
import { BuyEvents } from './webhooks/events/buy-events.js';
import { createFeedEvents } from './webhooks/events/feed-events.js';
import { createListEvents } from './webhooks/events/list-events.js';

/** The surroundings that a seller is opened in. */
export type AppOptions = {
  readonly settings: Settings;
  /** Where tenant files look for `{"env": …}` keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly clock: Clock;
  /** Watches that clock, where it is the machine's. */
  readonly watch: JumpWatch;
  readonly ids: Ids;
  readonly log: Log;
  readonly adServer: BroughtAdServer | undefined;
};

/** A seller's services; its tenants are not loaded yet. */
export type OpenApp = {
  readonly app: App;
  readonly tenants: Tenants;
  readonly limits: Limits;
  readonly streams: TaskStreams;
  readonly previews: SellerPreviews;
  readonly alerts: Alerts;
};

/** The parts of the services that outlive an edit of the tenant files. */
type Foundation = AppOptions & {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly tenants: Tenants;
  readonly secret: LinkSecrets;
};

/** Opens the services of a seller on its data folder; `closing` closes them. Throws ConfigError when the folder is taken. */
export async function openApp(options: AppOptions, closing: Closing): Promise<OpenApp> {
  const { settings, clock, ids } = options;
  const { dataDir, quotas } = settings;
  const { store, keys } = await openState(options, closing);
  const secret = await openLinkSecrets(store, { dataDir, fresh: ids.secret });
  const previews = new SellerPreviews(store, { secret: () => secret('preview-ids'), quotas });
  const times = { nowMs: clock.now(), lifetimeMs: BUILT_MS };
  await takeOverMedia(path.join(dataDir, 'previews'), previews, times);
  const limits = createLimits({ countsStrangers: !settings.development });
  const streams = new TaskStreams();
  const encoder = await openEncoder(settings, closing);
  const tenants = new Tenants({ ...options, limits, previews, streams, encoder });
  closing.add(() => tenants.close());
  const foundation = { ...options, store, keys, tenants, secret };
  const app = await openServices(foundation, closing);
  const alerts = new Alerts(app, createProver(signerOf(foundation), ids));
  return { app, tenants, limits, streams, previews, alerts };
}

/** Returns what makes video and audio where there is ffmpeg. What a process that was killed left in its folder is removed. */
async function openEncoder({ ffmpegPath, dataDir }: Settings, closing: Closing): Promise<MediaEncoder | undefined> {
  const folder = path.join(dataDir, 'media-jobs');
  if (ffmpegPath === undefined) return undefined;
  const encoder = new MediaEncoder({ ffmpeg: ffmpegPath, folder });
  closing.add(() => encoder.close());
  await encoder.clean();
  return encoder;
}

/** Opens the store and the signing keys; those of a data folder are read before anything is written. */
async function openState(
  options: AppOptions,
  closing: Closing,
): Promise<{ readonly store: Store; readonly keys: KeyRing }> {
  const { settings, env, ids, log } = options;
  const { dataDir, quotas, retention: periodsMs } = settings;
  const { url, file } = locateStore(settings);
  // Before a file or keys are made for a database that is lost.
  const guard = { dataDir, name: SELLER_FILE, ownsKeys: true, newId: ids.uuid, log };
  if (url === undefined) requireDatabase(guard, file);
  holdStore(dataDir, file, log, closing);
  const ofFolder = new KeyFile(path.join(dataDir, KEY_FILE), log);
  const own = url === undefined ? await openKeys(options, ofFolder) : undefined;
  const masterKeys = MasterKeys.open({ file: path.join(dataDir, MASTER_KEY_FILE), given: env[MASTER_KEY_VARIABLE] });
  const bounds = { periodsMs, quotas, keys: masterKeys };
  const store =
    url === undefined
      ? openStore(file, { ...bounds, guard })
      : await openSharedStore(url, { ...bounds, log, processId: ids.uuid() });
  closing.add(() => store.close());
  await store.sealing.start();
  return { store, keys: own ?? (await openKeys(options, new SharedKeys(store, ofFolder))) };
}

function openKeys({ settings, clock, ids, log }: AppOptions, storage: KeyStorage): Promise<KeyRing> {
  const { dataDir, protocolName, webhookKey } = settings;
  return openKeyRing({
    dataDir,
    clock,
    ids,
    log,
    keyUses: protocolNames(protocolName).keyUses,
    webhookPurpose: webhookKey === 'request-signing' ? 'request-signing' : 'webhook-signing',
    storage,
  });
}

/** Returns the URL of a database that is the store, and the file that is it where there is none. */
function locateStore({ dataDir, store }: AppOptions['settings']): { readonly url?: string; readonly file: string } {
  const file = path.join(dataDir, SELLER_FILE);
  if (store === undefined) return { file };
  return isDatabaseUrl(store) ? { url: store, file } : { file: store };
}

/** Reserves the data folder, and the store's where that lies elsewhere: of what else is there, nothing is ours. */
function holdStore(dataDir: string, file: string, log: Log, closing: Closing): void {
  const data = holdDataFolder(dataDir, log);
  closing.add(() => data.release());
  if (path.dirname(file) === dataDir) return;
  const opened = makePrivateDatabase(file);
  if (opened.length > 0) log.warn({ files: opened }, OPENED);
  const hold = holdFolderOrFail(path.dirname(file));
  closing.add(() => hold.release());
}

/** Returns the links that let whoever has one do or see one thing. */
function openLinks({ secret }: Foundation): Pick<App, 'shareLinks' | 'approvalLinks' | 'portalLinks'> {
  return {
    shareLinks: createSignedLinks('preview', () => secret('preview-ids')),
    approvalLinks: createSignedLinks('approval', () => secret('approval-links')),
    portalLinks: createSignedLinks('portal', () => secret('approval-links')),
  };
}

/** Returns what finds what access tokens open. */
function openTokens({ settings, store, tenants }: Foundation, clock: App['clock']): AccessTokens {
  return new AccessTokens({
    store,
    clock,
    development: settings.development,
    outbound: outboundThrough(() => tenants.renderer.outbound),
    sellers: () => tenants.sellers,
  });
}

async function openServices(foundation: Foundation, closing: Closing): Promise<App> {
  const { settings, clock, ids, log, store, keys, tenants } = foundation;
  const sellers = (): Tenants['sellers'] => tenants.sellers;
  const outbox = createOutbox(foundation);
  closing.add(() => outbox.close());
  const events = new BuyEvents(outbox, (tenant) => sellers().get(tenant)?.tenant.webhooks.windowsMs ?? {});
  const sandboxes = await Sandboxes.open(store, clock);
  const booking = openBooking(foundation, sandboxes.clock, () => lifecycle);
  const reports = createReports({ store, clock: sandboxes.clock, log, booking, outbox });
  const contentPushes = new ContentPushes({ store, clock: sandboxes.clock, log, booking, outbox, sellers });
  const spend = new Spend({ store, clock: sandboxes.clock, log, booking });
  closing.add(() => spend.close());
  const registry = await openRegistry(foundation);
  closing.add(() => registry.close());
  const lifecycle = await Lifecycle.start({
    store,
    clock: sandboxes.clock,
    ids,
    booking,
    events,
    reports: followWithBoth(reports, contentPushes),
    spend,
    lostProperties: createLostProperties(registry, sellers),
  });
  await holdEarlierBuys(store, sandboxes.clock.nowOf, async (tx, owner, buy) => {
    if (booking.isSimulated(buy)) await followDemand(tx, owner, buy, { nowMs: sandboxes.clock.nowOf(owner) });
  });
  const app: App = {
    clock: sandboxes.clock,
    watch: foundation.watch,
    sandboxes,
    interceptor: interceptForSandbox({ store, sandboxes, ids, clock, development: settings.development, sellers }),
    prepareCompletion: (task, result) => prepareCompletion(app, task, result),
    ids,
    log,
    calls: new CallLog({ log, clock, monotonicMs }),
    keyUses: new KeyUses(),
    traces: await openTraces(foundation.env, foundation.version, log),
    store,
    ...openMemory(store, clock, settings.leaseMs),
    lifecycle,
    booking,
    outbox,
    accountEvents: createAccountEvents(outbox, { clock, ids }),
    feedEvents: createFeedEvents(outbox, { clock, ids }),
    challenge: challengerOf(foundation),
    governanceContexts: createContextVerifier({ outbound: outboundThrough(() => tenants.renderer.outbound), clock }),
    reports,
    contentPushes,
    spend,
    deliveryPulls: openPulls(foundation, spend),
    orderInspections: openInspections(foundation),
    inventoryLists: openLists(foundation, { clock: sandboxes.clock, outbox, registry }),
    ...openLinks(foundation),
    accessTokens: openTokens(foundation, sandboxes.clock),
    ...describeServed(foundation),
    registry,
    sellerAuthority: (now) => openAuthority(app, now),
    keys,
    development: settings.development,
  };
  return app;
}

/** Returns who serves what, as the tenant files say it now. */
function describeServed({
  settings,
  tenants,
  version,
}: Foundation): Pick<
  App,
  'version' | 'reloads' | 'operator' | 'publishers' | 'renderer' | 'sellers' | 'openDeparted' | 'findConnection'
> {
  return {
    version,
    reloads: () => tenants.reloads,
    operator: settings.operator,
    publishers: () => tenants.publishers,
    renderer: () => tenants.renderer,
    sellers: () => tenants.sellers,
    openDeparted: (path) => tenants.openDeparted(path),
    findConnection: tenants.findConnection,
  };
}

function openPulls({ clock, ids, log, store, tenants }: Foundation, spend: Spend): DeliveryPulls {
  return new DeliveryPulls({ store, clock, ids, log, spend, findConnection: tenants.findConnection });
}

function openInspections({ clock, log, store, tenants }: Foundation): OrderInspections {
  return new OrderInspections({ store, clock, log, findConnection: tenants.findConnection });
}

/** Connects buys to what carries them out; the lifecycle, which follows when an order was booked or refused, is made after it. */
function openBooking(
  { log, store, tenants }: Foundation,
  clock: App['clock'],
  lifecycle: () => Lifecycle,
): App['booking'] {
  return createBooking({
    store,
    clock,
    log,
    findConnection: tenants.findConnection,
    onBooked: (tx, owner, buy) => lifecycle().confirm(tx, owner, buy),
    onRefused: (tx, owner, buy, refusal) => lifecycle().refuse(tx, owner, buy, refusal),
  });
}

function openAuthority(
  { development: local, publishers, registry, sellers }: App,
  now: Parameters<App['sellerAuthority']>[0],
): SellerAuthority {
  const agents = [...sellers().values()].map(({ tenant: { name, publisherDomains }, url }) => ({
    url,
    name,
    publisherDomains,
  }));
  return new SellerAuthority({ registry, publishers: publishers(), agents, now, local });
}

/** Returns what follows changes of buys for their reports and for the content that they have pushed. */
function followWithBoth(reports: Reports, contentPushes: ContentPushes): Pick<Reports, 'followBuy'> {
  return {
    followBuy: async (tx, buy) => {
      await reports.followBuy(tx, buy);
      await contentPushes.followBuy(tx, buy);
    },
  };
}

function openLists(
  { log, store, tenants }: Foundation,
  { clock, outbox, registry }: Pick<App, 'clock' | 'outbox' | 'registry'>,
): InventoryLists {
  const publishers: App['publishers'] = () => tenants.publishers;
  const source = createInventorySource(publishers, registry);
  const published = stampPublishers(publishers);
  const stamp = (): string => `${published()} ${registry.stamp()}`;
  return new InventoryLists({ store, clock, log, source, stamp, announce: createListEvents(outbox) });
}

/** Returns what a process remembers of calls, within bounds. */
function openMemory(
  store: Store,
  clock: Clock,
  leaseMs: number,
): Pick<App, 'idempotency' | 'unfinished' | 'governedOwners' | 'answers' | 'searches' | 'listReadings'> {
  return {
    listReadings: createListReadings(clock),
    idempotency: createIdempotency(store),
    unfinished: new UnfinishedTasks(leaseMs),
    governedOwners: createGovernedOwners(),
    answers: new AnswerCache(answerBytes),
    searches: new AnswerCache(searchBytes),
  };
}

function openRegistry({ settings, clock, ids, log, tenants }: Foundation): Promise<App['registry']> {
  return useRegistry(settings.registry, {
    dataDir: settings.dataDir,
    outbound: () => tenants.renderer.outbound,
    clock,
    ids,
    log,
    local: settings.development,
    sellers: () => tenants.sellers,
  });
}

function createListReadings(clock: Clock): App['listReadings'] {
  return new Cache({
    maxEntries: 1000,
    maxBytes: 32 * 1024 * 1024,
    sizeOf: ({ reading }) =>
      reading.entries.reduce((bytes, { type, value }) => bytes + 2 * (type.length + value.length) + 64, 200),
    expiry: { ttlMs: 0, clock },
  });
}

function createGovernedOwners(): App['governedOwners'] {
  return new Cache({
    maxEntries: 10_000,
    maxBytes: 4 * 1024 * 1024,
    sizeOf: (_, owner) => 2 * owner.length + 100,
  });
}

function createOutbox(foundation: Foundation): Delivery {
  const { settings, clock, ids, log, store, tenants } = foundation;
  return createDelivery({
    store,
    clock,
    ids,
    log,
    outbound: outboundThrough(() => tenants.renderer.outbound),
    sign: signerOf(foundation),
    leaseMs: settings.leaseMs,
    policy: (tenant) => ({ ...DELIVERY_POLICY, ...answerPolicy(tenants.sellers.get(tenant)?.tenant) }),
  });
}

function challengerOf(foundation: Foundation): Challenger {
  const { ids, clock, keys, tenants } = foundation;
  const outbound = outboundThrough(() => tenants.renderer.outbound);
  return createChallenger({ outbound, sign: signerOf(foundation), ensureKeys: () => keys.ensure(), ids, clock });
}

/** Returns what names and signs a tenant's events. */
function signerOf({ settings, keys, tenants }: Foundation): FindSigner {
  return (tenant, release) => ({
    names: tenants.sellers.get(tenant)?.names ?? protocolNames(settings.protocolName),
    key: keys.signing(webhookPurpose(settings.webhookKey, release)),
  });
}

/** Returns the purpose of the key that signs a webhook for a buyer of a release. */
function webhookPurpose(setting: Settings['webhookKey'], release: Release): Purpose {
  if (setting !== 'by_release') return setting;
  return RELEASE_TABLE[release].signing.webhookKey;
}

/** Returns how a tenant takes what receivers answer. */
function answerPolicy(tenant: Tenant | undefined): Partial<AnswerPolicy> {
  if (tenant === undefined) return {};
  const { signatureReject, onGone } = tenant.webhooks;
  return { signatureReject, onGone };
}
