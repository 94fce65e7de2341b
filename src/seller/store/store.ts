import type { EngineStats, Reading, Writing } from '../../platform/database/engine.js';
import { openSqlite } from '../../platform/database/sqlite/sqlite.js';
import { AccountReader, AccountWriter, accountStatements } from './accounts.js';
import type { AudienceReads, AudienceWrites } from './audiences.js';
import { audienceRepository } from './audiences.js';
import type { CatalogReads, CatalogWrites } from './catalogs.js';
import { catalogRepository } from './catalogs.js';
import type { CreativeReads, CreativeWrites } from './creatives.js';
import { creativeRepository } from './creatives.js';
import type { EventReads, EventWrites } from './events.js';
import { eventRepository } from './events.js';
import type { GovernanceReads, GovernanceWrites } from './governance.js';
import { governanceRepository } from './governance.js';
import type { KeyReads, KeyWrites } from './idempotency-keys.js';
import { keyRepository } from './idempotency-keys.js';
import type { MediaBuyReads, MediaBuyWrites } from './media-buys.js';
import { mediaBuyRepository } from './media-buys.js';
import type { ProposalReads, ProposalWrites } from './proposals.js';
import { proposalRepository } from './proposals.js';
import type { SandboxReads, SandboxWrites } from './sandboxes.js';
import { sandboxRepository } from './sandboxes.js';
import { SELLER_MIGRATIONS } from './schema/migrations.js';
import type { SellerTables } from './schema/schema.js';
import type { SignalReads, SignalWrites } from './signals.js';
import { signalRepository } from './signals.js';
import type { TaskReads, TaskWrites } from './tasks.js';
import { taskRepository } from './tasks.js';
import type { UsageWrites } from './usage.js';
import { usageRepository } from './usage.js';
import type { OutboxReads, OutboxWrites } from './webhooks/outbox.js';
import { outboxRepository } from './webhooks/outbox.js';
import type { ReportReads, ReportWrites } from './webhooks/reports.js';
import { reportRepository } from './webhooks/reports.js';
import type { WebhookLogReads } from './webhooks/webhook-log.js';
import { webhookLogRepository } from './webhooks/webhook-log.js';

/** What a query may use: durable state, and nothing that writes. */
export type Reader = {
  readonly accounts: AccountReader;
  readonly mediaBuys: MediaBuyReads;
  readonly creatives: CreativeReads;
  readonly signals: SignalReads;
  readonly audiences: AudienceReads;
  readonly events: EventReads;
  readonly catalogs: CatalogReads;
  readonly governance: GovernanceReads;
  readonly keys: KeyReads;
  readonly tasks: TaskReads;
  readonly outbox: OutboxReads;
  readonly webhookLog: WebhookLogReads;
  readonly reports: ReportReads;
  readonly proposals: ProposalReads;
  readonly sandboxes: SandboxReads;
};

/** What a mutation may use: one transaction. It reads its own writes. */
export type Writer = {
  readonly accounts: AccountWriter;
  readonly mediaBuys: MediaBuyWrites;
  readonly creatives: CreativeWrites;
  readonly signals: SignalWrites;
  readonly usage: UsageWrites;
  readonly audiences: AudienceWrites;
  readonly events: EventWrites;
  readonly catalogs: CatalogWrites;
  readonly governance: GovernanceWrites;
  readonly keys: KeyWrites;
  readonly tasks: TaskWrites;
  readonly outbox: OutboxWrites;
  readonly webhookLog: WebhookLogReads;
  readonly reports: ReportWrites;
  readonly proposals: ProposalWrites;
  readonly sandboxes: SandboxWrites;
  /** Runs `work` within the transaction and undoes all that it wrote, unless `keep` wants it for what it came to; answers that. */
  readonly rehearse: Writing['rehearse'];
  readonly onCommit: Writing['onCommit'];
};

/** The process's durable state. */
export type Store = {
  readonly read: Reader;
  /** One transaction: all of it is on disk before the promise resolves, or none of it ever happened. */
  readonly transact: <T>(work: (tx: Writer) => Promise<T>) => Promise<T>;
  readonly ping: () => Promise<void>;
  readonly stats: () => EngineStats;
  readonly close: () => Promise<void>;
};

/** Opens the embedded store on one SQLite file, creating and migrating it as needed. Only one process may hold it (`holdFolder`). */
export function openStore(file: string): Store {
  const engine = openSqlite<SellerTables>(file, { migrations: SELLER_MIGRATIONS });
  const builder = engine.queries;
  const accounts = accountStatements(builder);
  const mediaBuys = mediaBuyRepository(builder);
  const creatives = creativeRepository(builder);
  const signals = signalRepository(builder);
  const usage = usageRepository(builder);
  const audiences = audienceRepository(builder);
  const events = eventRepository(builder);
  const catalogs = catalogRepository(builder);
  const governance = governanceRepository(builder);
  const keys = keyRepository(builder);
  const tasks = taskRepository(builder);
  const outbox = outboxRepository(builder);
  const webhookLog = webhookLogRepository(builder);
  const reports = reportRepository(builder);
  const proposals = proposalRepository(builder);
  const sandboxes = sandboxRepository(builder);
  const reader = (tx: Reading): Reader => ({
    accounts: new AccountReader(tx, accounts),
    mediaBuys: mediaBuys.reads(tx),
    creatives: creatives.reads(tx),
    signals: signals.reads(tx),
    audiences: audiences.reads(tx),
    events: events.reads(tx),
    catalogs: catalogs.reads(tx),
    governance: governance.reads(tx),
    keys: keys.reads(tx),
    tasks: tasks.reads(tx),
    outbox: outbox.reads(tx),
    webhookLog: webhookLog.reads(tx),
    reports: reports.reads(tx),
    proposals: proposals.reads(tx),
    sandboxes: sandboxes.reads(tx),
  });
  const writerOf = new WeakMap<Writing, Writer>();
  const writer = (tx: Writing): Writer => {
    const made = writerOf.get(tx) ?? {
      accounts: new AccountWriter(tx, accounts),
      mediaBuys: mediaBuys.writes(tx),
      creatives: creatives.writes(tx),
      signals: signals.writes(tx),
      usage: usage.writes(tx),
      audiences: audiences.writes(tx),
      events: events.writes(tx),
      catalogs: catalogs.writes(tx),
      governance: governance.writes(tx),
      keys: keys.writes(tx),
      tasks: tasks.writes(tx),
      outbox: outbox.writes(tx),
      webhookLog: webhookLog.reads(tx),
      reports: reports.writes(tx),
      proposals: proposals.writes(tx),
      sandboxes: sandboxes.writes(tx),
      rehearse: (action, isKept) => tx.rehearse(action, isKept),
      onCommit: (listener) => tx.onCommit(listener),
    };
    writerOf.set(tx, made);
    return made;
  };
  return {
    read: reader(engine.reading),
    transact: (work) => engine.transact((tx) => work(writer(tx))),
    ping: () => engine.ping(),
    stats: () => engine.stats(),
    close: () => engine.close(),
  };
}
