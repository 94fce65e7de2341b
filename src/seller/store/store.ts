import path from 'node:path';
import { requireWhole } from '../../platform/database/copy/unfinished-copy.js';
import type {
  DatabaseFigures,
  Engine,
  EngineStats,
  Reading,
  TableFigures,
  TransactionOptions,
  Writing,
} from '../../platform/database/engine.js';
import type { DatabaseGuard } from '../../platform/database/identity.js';
import { type Lease, type Leases, openLeases } from '../../platform/database/leases.js';
import { Processes } from '../../platform/database/postgres/processes.js';
import { Sweeper } from '../../platform/database/retention.js';
import { openSqlite } from '../../platform/database/sqlite/sqlite.js';
import type { Log } from '../../platform/kernel/log.js';
import { MasterKeys } from '../../platform/sealing/master-keys.js';
import { Sealer } from '../../platform/sealing/sealer.js';
import { periodsOf, type SellerPeriods } from '../domain/retention/periods.js';
import { type Quotas, quotasOf } from '../domain/retention/quotas.js';
import { A2aReader, A2aWriter, a2aStatements } from './a2a/a2a-tasks.js';
import { AccountReader, AccountWriter, accountStatements } from './accounts.js';
import { DeliveryPullReader, DeliveryPullWriter, deliveryPullStatements } from './adserver/delivery-pulls.js';
import { OrderBookingReader, OrderBookingWriter, orderBookingStatements } from './adserver/order-bookings.js';
import {
  OrderInspectionReader,
  OrderInspectionWriter,
  orderInspectionStatements,
} from './adserver/order-inspections.js';
import { OrderLineReader, OrderLineWriter, orderLineStatements } from './adserver/order-lines.js';
import { OrderWaitReader, OrderWaitWriter, orderWaitStatements } from './adserver/order-waits.js';
import { ReportJobReader, ReportJobWriter, reportJobStatements } from './adserver/report-jobs.js';
import { AudienceReader, AudienceWriter, audienceStatements } from './audiences.js';
import { GrantReader, GrantWriter, grantStatements } from './brand/grants.js';
import { BuildVariantReader, BuildVariantWriter, buildVariantStatements } from './builds/build-variants.js';
import { CatalogReader, CatalogWriter, catalogStatements } from './catalogs.js';
import { AlertReader, AlertWriter, alertStatements } from './console/alerts.js';
import { AuditReader, AuditWriter, auditStatements } from './console/audit.js';
import { KeyUseReader, KeyUseWriter, keyUseStatements } from './console/key-uses.js';
import { PortalLinkReader, PortalLinkWriter, portalLinkStatements } from './console/portal-links.js';
import { ConsoleSessionReader, ConsoleSessionWriter, consoleSessionStatements } from './console/sessions.js';
import { ConsoleUserReader, ConsoleUserWriter, consoleUserStatements } from './console/users.js';
import { CreativeReader, CreativeWriter, creativeStatements } from './creatives/creatives.js';
import { EventReader, EventWriter, eventStatements } from './events.js';
import { GovernanceReader, GovernanceWriter, governanceStatements } from './governance/appointments.js';
import {
  ContentStandardReader,
  ContentStandardWriter,
  contentStandardStatements,
} from './governance/content-standards.js';
import { FollowedListReader, FollowedListWriter, followedListStatements } from './governance/followed-lists.js';
import { InventoryListReader, InventoryListWriter, inventoryListStatements } from './governance/inventory-lists.js';
import { PlanReader, PlanWriter, planStatements } from './governance/plans.js';
import { KeyReader, KeyWriter, keyStatements } from './idempotency-keys.js';
import { DemandReader, DemandWriter, demandStatements, FoldLooks, HourMoments } from './inventory/demand.js';
import { InventoryReader, InventoryWriter, inventoryStatements } from './inventory/holds.js';
import { MediaBuyReader, MediaBuyWriter, mediaBuyStatements } from './media-buys/media-buys.js';
import { OauthGrantReader, OauthGrantWriter, oauthGrantStatements } from './oauth/grants.js';
import { OauthItemReader, OauthItemWriter, oauthItemStatements } from './oauth/items.js';
import { MediaReader, MediaWriter, mediaStatements } from './previews/media.js';
import { PreviewReader, PreviewWriter, previewStatements } from './previews/previews.js';
import { ProposalReader, ProposalWriter, proposalStatements } from './proposals.js';
import { OwnerUsageReader, ownerUsageStatements } from './quotas/owner-usage.js';
import { SandboxReader, SandboxWriter, sandboxStatements } from './sandboxes.js';
import { SELLER_MIGRATIONS } from './schema/migrations.js';
import { SELLER_RETENTION } from './schema/retention.js';
import type { SellerTables } from './schema/schema.js';
import { ALL_KEYS, type KeyRow, Resealing } from './sealing/resealing.js';
import { type SealedColumns, sealedColumns } from './sealing/sealed.js';
import { NonceWriter, nonceStatements } from './shared/nonces.js';
import { SecretReader, SecretWriter, secretStatements } from './shared/secrets.js';
import { TaskChanges } from './shared/task-changes.js';
import { LocalVersions, SharedVersions, versionStatements } from './shared/versions.js';
import { SignalReader, SignalWriter, signalStatements } from './signals.js';
import { SoldTerms } from './sold-terms.js';
import { DeliveryReader, DeliveryWriter, deliveryStatements } from './spend/deliveries.js';
import { SpendReader, SpendWriter, spendStatements } from './spend/spend.js';
import { TaskReader, TaskWriter, taskStatements } from './tasks.js';
import { UsageWriter, usageStatements } from './usage.js';
import { ContentStreamReader, ContentStreamWriter, contentStreamStatements } from './webhooks/content-streams.js';
import { FeedReader, FeedWriter, feedStatements } from './webhooks/feeds.js';
import { OutboxReader, OutboxWriter } from './webhooks/outbox/outbox.js';
import { outboxStatements } from './webhooks/outbox/statements.js';
import { ReportReader, ReportWriter, reportStatements } from './webhooks/reports.js';
import { SubscriberReader, SubscriberWriter, subscriberStatements } from './webhooks/subscribers.js';
import { WebhookLogReader, webhookLogStatements } from './webhooks/webhook-log.js';

export type { Lease };

/** Reads durable state; a query may use nothing that writes. */
export type Reader = {
  readonly accounts: AccountReader;
  readonly mediaBuys: MediaBuyReader;
  readonly orderBookings: OrderBookingReader;
  readonly orderLines: OrderLineReader;
  readonly orderWaits: OrderWaitReader;
  readonly deliveryPulls: DeliveryPullReader;
  readonly orderInspections: OrderInspectionReader;
  readonly reportJobs: ReportJobReader;
  readonly creatives: CreativeReader;
  readonly signals: SignalReader;
  readonly audiences: AudienceReader;
  readonly events: EventReader;
  readonly catalogs: CatalogReader;
  readonly subscribers: SubscriberReader;
  readonly feeds: FeedReader;
  readonly governance: GovernanceReader;
  readonly plans: PlanReader;
  readonly contentStandards: ContentStandardReader;
  readonly inventoryLists: InventoryListReader;
  readonly buildVariants: BuildVariantReader;
  readonly followedLists: FollowedListReader;
  readonly grants: GrantReader;
  readonly keys: KeyReader;
  readonly tasks: TaskReader;
  readonly a2a: A2aReader;
  readonly proposals: ProposalReader;
  readonly ownerUsage: OwnerUsageReader;
  readonly sandboxes: SandboxReader;
  readonly previews: PreviewReader;
  readonly media: MediaReader;
  readonly outbox: OutboxReader;
  readonly webhookLog: WebhookLogReader;
  readonly reports: ReportReader;
  readonly contentStreams: ContentStreamReader;
  readonly spend: SpendReader;
  readonly deliveries: DeliveryReader;
  readonly inventory: InventoryReader;
  readonly demand: DemandReader;
  readonly secrets: SecretReader;
  readonly consoleUsers: ConsoleUserReader;
  readonly consoleSessions: ConsoleSessionReader;
  readonly oauthItems: OauthItemReader;
  readonly oauthGrants: OauthGrantReader;
  readonly audit: AuditReader;
  readonly alerts: AlertReader;
  readonly portalLinks: PortalLinkReader;
  readonly keyUses: KeyUseReader;
};

/** Reads and writes in one transaction, which sees its own writes. */
export type Writer = {
  readonly accounts: AccountWriter;
  readonly mediaBuys: MediaBuyWriter;
  readonly orderBookings: OrderBookingWriter;
  readonly orderLines: OrderLineWriter;
  readonly orderWaits: OrderWaitWriter;
  readonly deliveryPulls: DeliveryPullWriter;
  readonly orderInspections: OrderInspectionWriter;
  readonly reportJobs: ReportJobWriter;
  readonly creatives: CreativeWriter;
  readonly signals: SignalWriter;
  readonly audiences: AudienceWriter;
  readonly events: EventWriter;
  readonly catalogs: CatalogWriter;
  readonly subscribers: SubscriberWriter;
  readonly feeds: FeedWriter;
  readonly governance: GovernanceWriter;
  readonly plans: PlanWriter;
  readonly contentStandards: ContentStandardWriter;
  readonly inventoryLists: InventoryListWriter;
  readonly buildVariants: BuildVariantWriter;
  readonly followedLists: FollowedListWriter;
  readonly grants: GrantWriter;
  readonly keys: KeyWriter;
  readonly tasks: TaskWriter;
  readonly a2a: A2aWriter;
  readonly proposals: ProposalWriter;
  readonly ownerUsage: OwnerUsageReader;
  readonly sandboxes: SandboxWriter;
  readonly previews: PreviewWriter;
  readonly media: MediaWriter;
  readonly usage: UsageWriter;
  readonly outbox: OutboxWriter;
  readonly webhookLog: WebhookLogReader;
  readonly reports: ReportWriter;
  readonly contentStreams: ContentStreamWriter;
  readonly spend: SpendWriter;
  readonly deliveries: DeliveryWriter;
  readonly inventory: InventoryWriter;
  readonly demand: DemandWriter;
  readonly secrets: SecretWriter;
  readonly consoleUsers: ConsoleUserWriter;
  readonly consoleSessions: ConsoleSessionWriter;
  readonly oauthItems: OauthItemWriter;
  readonly oauthGrants: OauthGrantWriter;
  readonly audit: AuditWriter;
  readonly alerts: AlertWriter;
  readonly portalLinks: PortalLinkWriter;
  readonly keyUses: KeyUseWriter;
  readonly nonces: NonceWriter;
  /** Runs `action` within the transaction, undoes everything it wrote unless `needsCommit` accepts its outcome, and returns the outcome. */
  readonly rehearse: Writing['rehearse'];
  readonly onCommit: Writing['onCommit'];
  /** Keeps a lease from being taken until the transaction ends. Throws LeaseLostError where another process has it. */
  readonly requireLease: (lease: Lease) => Promise<void>;
};

/** The seller's durable state. */
export type Store = {
  readonly read: Reader;
  /** Whether other processes may read and write it too. */
  readonly isShared: boolean;
  /**
   * Runs one transaction: all of it is on disk before the promise resolves, or none of it ever happened. `ownerLock` names the lock on what
   * an owner has.
   */
  readonly transact: <T>(action: (tx: Writer) => Promise<T>, options?: TransactionOptions) => Promise<T>;
  /** Tells of tasks that change. */
  readonly taskChanges: TaskChanges;
  /** Of what one of the processes on the database does at a time. */
  readonly leases: Leases;
  /** What the secrets of others are sealed with. */
  readonly sealing: Resealing;
  /** Clears what has outlived its retention by a moment (ms), slice by slice; returns how many rows that were. */
  readonly sweep: (nowMs: number, isStopped?: () => boolean) => Promise<number>;
  readonly ping: () => Promise<void>;
  readonly stats: () => EngineStats;
  /** Of a database server; a file has none. */
  readonly figures: DatabaseFigures | undefined;
  /** Returns the figures of the tables whose rows change and go soonest; none of a file. */
  readonly hotTables: () => Promise<readonly TableFigures[]>;
  /** The processes that share the database; a file has one. */
  readonly processes: Processes | undefined;
  readonly close: () => Promise<void>;
};

/** Returns the name of the lock on what an owner has: its changes come one after the other. Of several locks it is the last. */
export function ownerLock(owner: string): string {
  return `owner ${owner}`;
}

/** The name of the store's file in a data folder. */
export const SELLER_FILE = 'seller-agent.db';
/** The file of the master keys below the data folder. */
export const MASTER_KEY_FILE = path.join('keys', 'master.json');

/** The queue of webhooks, leases, nonces of signed calls and stored answers. */
const HOT_TABLES = [
  'webhook_event',
  'webhook_body',
  'lease',
  'nonce',
  'idempotency',
] as const satisfies readonly (keyof SellerTables)[];

/** How a store is opened, whatever its engine: how long rows stay, what each principal may store, and what secrets are sealed with. */
type StoreOptions = {
  readonly periodsMs?: SellerPeriods;
  readonly quotas?: Quotas;
  readonly keys?: MasterKeys;
  /** Names this process to the others on the database. */
  readonly processId?: string;
};

/**
 * Opens the embedded store on one SQLite file, which one process may hold (`holdFolder`), creating and migrating it as needed. The master
 * keys lie beside the file unless given. Throws ConfigError when a master key that it needs is missing.
 */
export function openStore(
  file: string,
  { guard, keys, ...options }: StoreOptions & { readonly guard?: DatabaseGuard } = {},
): Store {
  const masterKeys = keys ?? MasterKeys.open({ file: path.join(path.dirname(file), MASTER_KEY_FILE) });
  const engine = openSqlite<SellerTables>(file, { migrations: SELLER_MIGRATIONS, guard });
  try {
    return createStore(engine, engine.direct.all(ALL_KEYS, {}), { ...options, keys: masterKeys });
  } catch (error) {
    void engine.close();
    throw error;
  }
}

/** Opens the store that several processes share in a PostgreSQL database, migrating it as needed. Throws as `openStore` does. */
export async function openSharedStore(
  url: string,
  { log, ...options }: StoreOptions & { readonly keys: MasterKeys; readonly log: Log },
): Promise<Store> {
  const { openPostgres } = await import('../../platform/database/postgres/postgres.js');
  const engine = await openPostgres<SellerTables>(url, { migrations: SELLER_MIGRATIONS, marker: 'media_buy', log });
  try {
    await requireWhole(engine.reading);
    const processes = new Processes(engine, options.processId ?? '');
    return { ...createStore(engine, await engine.reading.all(ALL_KEYS, {}), options), processes };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Returns the store on an open engine; `keyRows` are the rows of its table `sealing`. */
function createStore(
  engine: Engine<SellerTables>,
  keyRows: readonly KeyRow[],
  { keys, periodsMs = periodsOf(), processId = '', quotas = quotasOf() }: StoreOptions & { readonly keys: MasterKeys },
): Store {
  const sweeper = new Sweeper({ engine, retention: SELLER_RETENTION, periodsMs });
  const sealer = new Sealer(keys);
  const columns = sealedColumns(sealer);
  const sealing = new Resealing({ engine, keys, sealer, columns, rows: keyRows });
  const parts = createParts(engine, columns, { quotas, periodsMs });
  const leases = openLeases(engine, processId);
  const writers = new WeakMap<Writing, Writer>();
  const writerFor = (tx: Writing): Writer => {
    const writer = writers.get(tx) ?? createWriter(tx, parts, leases);
    writers.set(tx, writer);
    return writer;
  };
  return {
    read: createReader(engine.reading, parts),
    isShared: engine.name === 'postgres',
    transact: (action, options) => engine.transact((tx) => action(writerFor(tx)), options),
    taskChanges: parts.taskChanges,
    leases,
    sealing,
    sweep: (nowMs, isStopped) => sweeper.run(nowMs, isStopped),
    ping: () => engine.ping(),
    stats: () => engine.stats(),
    figures: engine.figures,
    hotTables: async () => (await engine.figures?.tables(HOT_TABLES)) ?? [],
    processes: undefined,
    close: () => engine.close(),
  };
}

/** The most that is stored of an owner, and for how long. */
type Bounds = { readonly quotas: Quotas; readonly periodsMs: SellerPeriods };

type StoreParts = ReturnType<typeof createParts>;

/** Returns what readers and writers share: compiled statements, and what is remembered between transactions. */
function createParts({ name, queries: db }: Engine<SellerTables>, sealed: SealedColumns, bounds: Bounds) {
  const isShared = name === 'postgres';
  const versions = versionStatements(db);
  return {
    sealed,
    accounts: accountStatements(db),
    mediaBuys: mediaBuyStatements(db),
    orderBookings: orderBookingStatements(db),
    orderLines: orderLineStatements(db),
    orderWaits: orderWaitStatements(db),
    deliveryPulls: deliveryPullStatements(db),
    orderInspections: orderInspectionStatements(db),
    reportJobs: reportJobStatements(db),
    creatives: creativeStatements(db),
    signals: signalStatements(db),
    audiences: audienceStatements(db),
    events: eventStatements(db),
    catalogs: catalogStatements(db),
    subscribers: subscriberStatements(db),
    feeds: feedStatements(db),
    governance: governanceStatements(db),
    plans: planStatements(db),
    contentStandards: contentStandardStatements(db),
    inventoryLists: inventoryListStatements(db),
    buildVariants: buildVariantStatements(db),
    followedLists: followedListStatements(db),
    grants: grantStatements(db),
    keys: keyStatements(db),
    tasks: taskStatements(db),
    taskChanges: new TaskChanges(),
    a2a: a2aStatements(db),
    proposals: proposalStatements(db),
    ownerUsage: ownerUsageStatements(db, bounds.quotas),
    ...bounds,
    sandboxes: { ...sandboxStatements(db), versions },
    previews: previewStatements(db),
    media: mediaStatements(db),
    usage: usageStatements(db),
    outbox: outboxStatements(db, name),
    webhookLog: webhookLogStatements(db),
    reports: reportStatements(db),
    contentStreams: contentStreamStatements(db),
    spend: spendStatements(db),
    deliveries: deliveryStatements(db),
    inventory: inventoryStatements(db),
    demand: demandStatements(db),
    demandShared: { looks: new FoldLooks(), moments: new HourMoments() },
    soldTerms: new SoldTerms(db, sealed),
    versions: isShared ? new SharedVersions(versions) : new LocalVersions(),
    secrets: secretStatements(db),
    consoleUsers: consoleUserStatements(db),
    consoleSessions: consoleSessionStatements(db),
    oauthItems: oauthItemStatements(db),
    oauthGrants: oauthGrantStatements(db),
    audit: auditStatements(db),
    alerts: alertStatements(db),
    portalLinks: portalLinkStatements(db),
    keyUses: keyUseStatements(db),
    nonces: nonceStatements(db),
  };
}

function createReader(tx: Reading, parts: StoreParts): Reader {
  return {
    accounts: new AccountReader(tx, parts.accounts),
    mediaBuys: new MediaBuyReader(tx, parts.mediaBuys, parts.soldTerms),
    orderBookings: new OrderBookingReader(tx, parts.orderBookings),
    orderLines: new OrderLineReader(tx, parts.orderLines),
    orderWaits: new OrderWaitReader(tx, parts.orderWaits),
    deliveryPulls: new DeliveryPullReader(tx, parts.deliveryPulls),
    orderInspections: new OrderInspectionReader(tx, parts.orderInspections),
    reportJobs: new ReportJobReader(tx, parts.reportJobs),
    creatives: new CreativeReader(tx, parts.creatives),
    signals: new SignalReader(tx, parts.signals),
    audiences: new AudienceReader(tx, parts.audiences),
    events: new EventReader(tx, parts.events),
    catalogs: new CatalogReader(tx, parts.catalogs, parts.sealed),
    subscribers: new SubscriberReader(tx, parts.subscribers, parts.sealed),
    feeds: new FeedReader(tx, parts.feeds),
    governance: new GovernanceReader(tx, parts.governance, parts.sealed),
    plans: new PlanReader(tx, parts.plans, parts.sealed),
    contentStandards: new ContentStandardReader(tx, parts.contentStandards),
    inventoryLists: new InventoryListReader(tx, parts.inventoryLists, parts.sealed),
    buildVariants: new BuildVariantReader(tx, parts.buildVariants),
    followedLists: new FollowedListReader(tx, parts.followedLists, parts.sealed),
    grants: new GrantReader(tx, parts.grants, parts.sealed),
    keys: new KeyReader(tx, parts.keys, parts.sealed),
    tasks: new TaskReader(tx, parts.tasks, parts.sealed),
    a2a: new A2aReader(tx, parts.a2a, parts.sealed),
    proposals: new ProposalReader(tx, parts.proposals, parts.versions),
    ownerUsage: new OwnerUsageReader(tx, parts.ownerUsage, parts.quotas),
    sandboxes: new SandboxReader(tx, parts.sandboxes),
    previews: new PreviewReader(tx, parts.previews),
    media: new MediaReader(tx, parts.media),
    outbox: new OutboxReader(tx, parts.outbox),
    webhookLog: new WebhookLogReader(tx, parts.webhookLog, parts.sealed),
    reports: new ReportReader(tx, parts.reports),
    contentStreams: new ContentStreamReader(tx, parts.contentStreams),
    spend: new SpendReader(tx, parts.spend),
    deliveries: new DeliveryReader(tx, parts.deliveries),
    inventory: new InventoryReader(tx, parts.inventory, parts.versions),
    demand: new DemandReader(tx, parts.demand, parts.versions),
    secrets: new SecretReader(tx, parts.secrets, parts.sealed),
    consoleUsers: new ConsoleUserReader(tx, parts.consoleUsers),
    consoleSessions: new ConsoleSessionReader(tx, parts.consoleSessions),
    oauthItems: new OauthItemReader(tx, parts.oauthItems),
    oauthGrants: new OauthGrantReader(tx, parts.oauthGrants),
    audit: new AuditReader(tx, parts.audit),
    alerts: new AlertReader(tx, parts.alerts),
    portalLinks: new PortalLinkReader(tx, parts.portalLinks),
    keyUses: new KeyUseReader(tx, parts.keyUses),
  };
}

function createWriter(tx: Writing, parts: StoreParts, leases: Leases): Writer {
  return {
    accounts: new AccountWriter(tx, parts.accounts),
    mediaBuys: new MediaBuyWriter(tx, parts.mediaBuys, parts.soldTerms),
    orderBookings: new OrderBookingWriter(tx, parts.orderBookings),
    orderLines: new OrderLineWriter(tx, parts.orderLines),
    orderWaits: new OrderWaitWriter(tx, parts.orderWaits),
    deliveryPulls: new DeliveryPullWriter(tx, parts.deliveryPulls),
    orderInspections: new OrderInspectionWriter(tx, parts.orderInspections),
    reportJobs: new ReportJobWriter(tx, parts.reportJobs),
    creatives: new CreativeWriter(tx, parts.creatives),
    signals: new SignalWriter(tx, parts.signals),
    audiences: new AudienceWriter(tx, parts.audiences),
    events: new EventWriter(tx, parts.events),
    catalogs: new CatalogWriter(tx, parts.catalogs, parts.sealed),
    subscribers: new SubscriberWriter(tx, parts.subscribers, parts.sealed),
    feeds: new FeedWriter(tx, parts.feeds),
    governance: new GovernanceWriter(tx, parts.governance, parts.sealed),
    plans: new PlanWriter(tx, parts.plans, parts.sealed),
    contentStandards: new ContentStandardWriter(tx, parts.contentStandards),
    inventoryLists: new InventoryListWriter(tx, parts.inventoryLists, parts.sealed),
    buildVariants: new BuildVariantWriter(tx, parts.buildVariants),
    followedLists: new FollowedListWriter(tx, parts.followedLists, parts.sealed),
    grants: new GrantWriter(tx, parts.grants, parts.sealed),
    keys: new KeyWriter(tx, parts.keys, parts.sealed),
    tasks: new TaskWriter(tx, parts.tasks, parts.sealed, parts.taskChanges),
    a2a: new A2aWriter(tx, parts.a2a, parts.sealed),
    proposals: new ProposalWriter(tx, parts.proposals, parts.versions),
    ownerUsage: new OwnerUsageReader(tx, parts.ownerUsage, parts.quotas),
    sandboxes: new SandboxWriter(tx, parts.sandboxes),
    previews: new PreviewWriter(tx, parts.previews),
    media: new MediaWriter(tx, parts.media),
    usage: new UsageWriter(tx, parts.usage),
    outbox: new OutboxWriter(tx, parts.outbox, parts.sealed),
    webhookLog: new WebhookLogReader(tx, parts.webhookLog, parts.sealed),
    reports: new ReportWriter(tx, parts.reports),
    contentStreams: new ContentStreamWriter(tx, parts.contentStreams),
    spend: new SpendWriter(tx, parts.spend),
    deliveries: new DeliveryWriter(tx, parts.deliveries),
    inventory: new InventoryWriter(tx, parts.inventory, parts.versions),
    demand: new DemandWriter(tx, parts.demand, parts.versions, {
      retentionMs: parts.periodsMs.finished_buys,
      ...parts.demandShared,
    }),
    secrets: new SecretWriter(tx, parts.secrets, parts.sealed),
    consoleUsers: new ConsoleUserWriter(tx, parts.consoleUsers),
    consoleSessions: new ConsoleSessionWriter(tx, parts.consoleSessions),
    oauthItems: new OauthItemWriter(tx, parts.oauthItems),
    oauthGrants: new OauthGrantWriter(tx, parts.oauthGrants),
    audit: new AuditWriter(tx, parts.audit),
    alerts: new AlertWriter(tx, parts.alerts),
    portalLinks: new PortalLinkWriter(tx, parts.portalLinks),
    keyUses: new KeyUseWriter(tx, parts.keyUses),
    nonces: new NonceWriter(tx, parts.nonces),
    rehearse: (action, needsCommit) => tx.rehearse(action, needsCommit),
    onCommit: (listener) => tx.onCommit(listener),
    requireLease: (lease) => leases.requireHeld(tx, lease),
  };
}
