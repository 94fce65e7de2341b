import type { EngineStats, Reading, Writing } from '../../platform/database/engine.js';
import { openSqlite } from '../../platform/database/sqlite/sqlite.js';
import type { Builder } from '../../platform/database/statement.js';
import { AccountReader, AccountWriter, accountStatements } from './accounts.js';
import { AudienceReader, AudienceWriter, audienceStatements } from './audiences.js';
import { CatalogReader, CatalogWriter, catalogStatements } from './catalogs.js';
import { CreativeReader, CreativeWriter, creativeStatements } from './creatives.js';
import { EventReader, EventWriter, eventStatements } from './events.js';
import { GovernanceReader, GovernanceWriter, governanceStatements } from './governance.js';
import { KeyReader, KeyWriter, keyStatements } from './idempotency-keys.js';
import { MediaBuyReader, MediaBuyWriter, mediaBuyStatements } from './media-buys.js';
import { MediaReader, MediaWriter, mediaStatements } from './previews/media.js';
import { PreviewReader, PreviewWriter, previewStatements } from './previews/previews.js';
import { ProposalReader, ProposalVersions, ProposalWriter, proposalStatements } from './proposals.js';
import { SandboxReader, SandboxWriter, sandboxStatements } from './sandboxes.js';
import { SELLER_MIGRATIONS } from './schema/migrations.js';
import type { SellerTables } from './schema/schema.js';
import { SignalReader, SignalWriter, signalStatements } from './signals.js';
import { SoldTerms } from './sold-terms.js';
import { TaskReader, TaskWriter, taskStatements } from './tasks.js';
import { UsageWriter, usageStatements } from './usage.js';
import { OutboxReader, OutboxWriter } from './webhooks/outbox.js';
import { outboxStatements } from './webhooks/outbox-statements.js';
import { ReportReader, ReportWriter, reportStatements } from './webhooks/reports.js';
import { WebhookLogReader, webhookLogStatements } from './webhooks/webhook-log.js';

/** Reads durable state; a query may use nothing that writes. */
export type Reader = {
  readonly accounts: AccountReader;
  readonly mediaBuys: MediaBuyReader;
  readonly creatives: CreativeReader;
  readonly signals: SignalReader;
  readonly audiences: AudienceReader;
  readonly events: EventReader;
  readonly catalogs: CatalogReader;
  readonly governance: GovernanceReader;
  readonly keys: KeyReader;
  readonly tasks: TaskReader;
  readonly proposals: ProposalReader;
  readonly sandboxes: SandboxReader;
  readonly previews: PreviewReader;
  readonly media: MediaReader;
  readonly outbox: OutboxReader;
  readonly webhookLog: WebhookLogReader;
  readonly reports: ReportReader;
};

/** Reads and writes in one transaction, which sees its own writes. */
export type Writer = {
  readonly accounts: AccountWriter;
  readonly mediaBuys: MediaBuyWriter;
  readonly creatives: CreativeWriter;
  readonly signals: SignalWriter;
  readonly audiences: AudienceWriter;
  readonly events: EventWriter;
  readonly catalogs: CatalogWriter;
  readonly governance: GovernanceWriter;
  readonly keys: KeyWriter;
  readonly tasks: TaskWriter;
  readonly proposals: ProposalWriter;
  readonly sandboxes: SandboxWriter;
  readonly previews: PreviewWriter;
  readonly media: MediaWriter;
  readonly usage: UsageWriter;
  readonly outbox: OutboxWriter;
  readonly webhookLog: WebhookLogReader;
  readonly reports: ReportWriter;
  /** Runs `action` within the transaction, undoes everything it wrote unless `isKept` accepts its outcome, and returns the outcome. */
  readonly rehearse: Writing['rehearse'];
  readonly onCommit: Writing['onCommit'];
};

/** The seller's durable state. */
export type Store = {
  readonly read: Reader;
  /** Runs one transaction: all of it is on disk before the promise resolves, or none of it ever happened. */
  readonly transact: <T>(action: (tx: Writer) => Promise<T>) => Promise<T>;
  readonly ping: () => Promise<void>;
  readonly stats: () => EngineStats;
  readonly close: () => Promise<void>;
};

/** Opens the embedded store on one SQLite file, creating and migrating it as needed. Only one process may hold it (`holdFolder`). */
export function openStore(file: string): Store {
  const engine = openSqlite<SellerTables>(file, { migrations: SELLER_MIGRATIONS });
  const parts = createParts(engine.queries);
  const writers = new WeakMap<Writing, Writer>();
  const writerFor = (tx: Writing): Writer => {
    const writer = writers.get(tx) ?? createWriter(tx, parts);
    writers.set(tx, writer);
    return writer;
  };
  return {
    read: createReader(engine.reading, parts),
    transact: (action) => engine.transact((tx) => action(writerFor(tx))),
    ping: () => engine.ping(),
    stats: () => engine.stats(),
    close: () => engine.close(),
  };
}

type StoreParts = ReturnType<typeof createParts>;

/** Returns what readers and writers share: compiled statements, and what is remembered between transactions. */
function createParts(db: Builder<SellerTables>) {
  return {
    accounts: accountStatements(db),
    mediaBuys: mediaBuyStatements(db),
    creatives: creativeStatements(db),
    signals: signalStatements(db),
    audiences: audienceStatements(db),
    events: eventStatements(db),
    catalogs: catalogStatements(db),
    governance: governanceStatements(db),
    keys: keyStatements(db),
    tasks: taskStatements(db),
    proposals: proposalStatements(db),
    sandboxes: sandboxStatements(db),
    previews: previewStatements(db),
    media: mediaStatements(db),
    usage: usageStatements(db),
    outbox: outboxStatements(db),
    webhookLog: webhookLogStatements(db),
    reports: reportStatements(db),
    soldTerms: new SoldTerms(db),
    proposalVersions: new ProposalVersions(),
  };
}

function createReader(tx: Reading, parts: StoreParts): Reader {
  return {
    accounts: new AccountReader(tx, parts.accounts),
    mediaBuys: new MediaBuyReader(tx, parts.mediaBuys, parts.soldTerms),
    creatives: new CreativeReader(tx, parts.creatives),
    signals: new SignalReader(tx, parts.signals),
    audiences: new AudienceReader(tx, parts.audiences),
    events: new EventReader(tx, parts.events),
    catalogs: new CatalogReader(tx, parts.catalogs),
    governance: new GovernanceReader(tx, parts.governance),
    keys: new KeyReader(tx, parts.keys),
    tasks: new TaskReader(tx, parts.tasks),
    proposals: new ProposalReader(tx, parts.proposals, parts.proposalVersions),
    sandboxes: new SandboxReader(tx, parts.sandboxes),
    previews: new PreviewReader(tx, parts.previews),
    media: new MediaReader(tx, parts.media),
    outbox: new OutboxReader(tx, parts.outbox),
    webhookLog: new WebhookLogReader(tx, parts.webhookLog),
    reports: new ReportReader(tx, parts.reports),
  };
}

function createWriter(tx: Writing, parts: StoreParts): Writer {
  return {
    accounts: new AccountWriter(tx, parts.accounts),
    mediaBuys: new MediaBuyWriter(tx, parts.mediaBuys, parts.soldTerms),
    creatives: new CreativeWriter(tx, parts.creatives),
    signals: new SignalWriter(tx, parts.signals),
    audiences: new AudienceWriter(tx, parts.audiences),
    events: new EventWriter(tx, parts.events),
    catalogs: new CatalogWriter(tx, parts.catalogs),
    governance: new GovernanceWriter(tx, parts.governance),
    keys: new KeyWriter(tx, parts.keys),
    tasks: new TaskWriter(tx, parts.tasks),
    proposals: new ProposalWriter(tx, parts.proposals, parts.proposalVersions),
    sandboxes: new SandboxWriter(tx, parts.sandboxes),
    previews: new PreviewWriter(tx, parts.previews),
    media: new MediaWriter(tx, parts.media),
    usage: new UsageWriter(tx, parts.usage),
    outbox: new OutboxWriter(tx, parts.outbox),
    webhookLog: new WebhookLogReader(tx, parts.webhookLog),
    reports: new ReportWriter(tx, parts.reports),
    rehearse: (action, isKept) => tx.rehearse(action, isKept),
    onCommit: (listener) => tx.onCommit(listener),
  };
}
