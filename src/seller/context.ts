import type { Renderer } from '../creative/renderer.js';
import type { Traces } from '../platform/health/traces.js';
import type { Cache } from '../platform/kernel/cache.js';
import type { OwnClocks } from '../platform/kernel/clock.js';
import type { Ids } from '../platform/kernel/ids.js';
import type { Written } from '../platform/kernel/json/json.js';
import type { Log } from '../platform/kernel/log.js';
import type { JumpWatch } from '../platform/kernel/steady-clock.js';
import type { KeyRing } from '../platform/signing/keys/key-ring.js';
import type { SignedLinks } from '../platform/web/signed-link.js';
import type { Addressee, Payload } from '../protocol/envelope.js';
import type { ConfiguredPublisher, Publication } from '../registry/publish/types.js';
import type { Booking } from './adserver/booking.js';
import type { FindConnection } from './adserver/connection.js';
import type { CallLog, CallOrigin } from './calls/call-log.js';
import type { KeyUses } from './calls/key-uses.js';
import type { Account } from './domain/account/account.js';
import type { Commitment } from './domain/governance/commitment.js';
import type { GovernanceAgent } from './domain/governance/governance.js';
import type { GovernanceVerdict } from './domain/governance/verdict.js';
import type { CatalogSearch } from './domain/product/catalog-search.js';
import type { Task } from './domain/task/task.js';
import type { CallGrant } from './domain/tenant/grant.js';
import type { Principal } from './domain/tenant/principal.js';
import type { Seller } from './domain/tenant/seller.js';
import type { ContextVerifier } from './governance/context-verifier.js';
import type { CachedReading } from './governance/inventory-list.js';
import type { Idempotency } from './idempotency/key.js';
import type { DeliveryPulls } from './lifecycle/ad-server/delivery-pulls.js';
import type { OrderInspections } from './lifecycle/ad-server/order-inspections.js';
import type { ContentPushes } from './lifecycle/content-pushes.js';
import type { InventoryLists } from './lifecycle/inventory-lists.js';
import type { Lifecycle } from './lifecycle/media-buys.js';
import type { Reports } from './lifecycle/reports.js';
import type { Spend } from './lifecycle/spend.js';
import type { AccessTokens } from './oauth/access-tokens.js';
import type { RegistryUse } from './registry/registry-use.js';
import type { SellerAuthority } from './registry/seller-authority.js';
import type { Sandboxes } from './sandbox/sandboxes.js';
import type { Store, Writer } from './store/store.js';
import type { AnswerCache } from './tasks/pipeline/answer-cache.js';
import type { UnfinishedTasks } from './tasks/pipeline/unfinished-tasks.js';
import type { Challenger } from './webhooks/challenge.js';
import type { Delivery } from './webhooks/delivery/delivery.js';
import type { AccountEvents } from './webhooks/events/account-events.js';
import type { FeedEvents } from './webhooks/events/feed-events.js';

/** The services that live as long as the process. */
export type App = {
  /** The process's time, and the time as each owner lives it. */
  readonly clock: OwnClocks;
  /** What sandbox principals have arranged for themselves. */
  readonly sandboxes: Sandboxes;
  /** What changes the course of a caller's task calls; undefined for all callers but those of the sandbox. */
  readonly interceptor: (caller: Caller) => Interceptor | undefined;
  readonly ids: Ids;
  readonly log: Log;
  /** What is known of the calls of this process: lines of the log, figures, and the last ones. */
  readonly calls: CallLog;
  /** When the keys of callers were used last. */
  readonly keyUses: KeyUses;
  /** Spans of calls, where OpenTelemetry is asked for. */
  readonly traces: Traces | undefined;
  readonly store: Store;
  readonly idempotency: Idempotency;
  /** The calls that go on after their answer. */
  readonly unfinished: UnfinishedTasks;
  /** The owners of whom it is known by now that they have a governance agent; others are found out in the transaction. */
  readonly governedOwners: Cache<string, true>;
  /** Verifies the governance contexts that buyers present. */
  readonly governanceContexts: ContextVerifier;
  /** Whole answers that follow from the tenant files, and for an owner those with its proposals. */
  readonly answers: AnswerCache<Written>;
  readonly searches: AnswerCache<CatalogSearch>;
  readonly lifecycle: Lifecycle;
  readonly booking: Booking;
  /** Where events for buyers go, with the change that they tell of. */
  readonly outbox: Delivery;
  /** Tells the subscribers of accounts what became of creatives. */
  readonly accountEvents: AccountEvents;
  /** Tells the subscribers of accounts what an edit changed of a wholesale feed. */
  readonly feedEvents: FeedEvents;
  /** Has an endpoint show that it wants the events of an account. */
  readonly challenge: Challenger;
  readonly reports: Reports;
  /** Pushes the content beside the ads of buys that asked for it. */
  readonly contentPushes: ContentPushes;
  /** The property and collection lists of governance tenants, by what publishers declare. */
  readonly inventoryLists: InventoryLists;
  /** What lists of other agents held when they were read, for as long as that is good, and a while longer for when they do not answer. */
  readonly listReadings: Cache<string, CachedReading>;
  /** What accounts have spent, by day. */
  readonly spend: Spend;
  /** The version of the program. */
  readonly version: string;
  /** Why the last edit of the tenant files is not served, where it is not; when they were read last; files that look like some and are not served. */
  readonly reloads: () => {
    readonly rejectedEdit: string | undefined;
    readonly succeededAtMs: number;
    readonly stray: readonly string[];
  };
  readonly deliveryPulls: DeliveryPulls;
  /** Compares what ad servers have of orders with what was booked. */
  readonly orderInspections: OrderInspections;
  /** Finds the ad server that the live buys of an owner go to. */
  readonly findConnection: FindConnection;
  /** Who runs the agents. */
  readonly operator: Publication['operator'];
  /** The publishers whose files are written here; an edit of the file replaces the list. */
  readonly publishers: () => readonly ConfiguredPublisher[];
  /** What a registry says of what is sold, where one is configured. */
  readonly registry: RegistryUse;
  /** Returns what judges, for one call at a moment, who may sell what by the files of publishers. */
  readonly sellerAuthority: (now: { readonly ms: number; readonly iso: string }) => SellerAuthority;
  /** What webhooks are signed with, and what the JWKS publishes. */
  readonly keys: KeyRing;
  /** Whether the machine's clock has jumped, and is not followed. */
  readonly watch: JumpWatch;
  /**
   * Makes ready to end a task that waits, as its seller would, telling its buyer `result`; answers what does it in a transaction.
   * Throws INVALID_STATE for a task that is over, and what its request is refused for by now.
   */
  readonly prepareCompletion: (
    task: Task,
    result: Readonly<Record<string, unknown>>,
  ) => Promise<(tx: Writer) => Promise<Task>>;
  /** Finds what access tokens open. */
  readonly accessTokens: AccessTokens;
  /** Links by which a person decides about one thing that waits. */
  readonly approvalLinks: SignedLinks;
  readonly shareLinks: SignedLinks;
  /** Links by which buyers look at their own things; the store knows which of them hold. */
  readonly portalLinks: SignedLinks;
  /** Where creatives are made and shown; formats follow the files, so it is asked for anew. */
  readonly renderer: () => Renderer;
  /** Nobody but this machine can reach the server. */
  readonly development: boolean;
  /** The tenants as they are served now, by path; an edit of the files replaces the map. */
  readonly sellers: () => ReadonlyMap<string, Seller>;
  /** Opens the seller of a tenant whose file was removed: people can stop its media buys, and nobody can call it. */
  readonly openDeparted: (path: string) => Seller;
};

/** Who is calling which tenant; known before the arguments are looked at. */
export type Caller = {
  readonly seller: Seller;
  /** Absent only where a public tool is called without a credential. */
  readonly principal: Principal | undefined;
  /** What bounds the call, where it was let in by an access token. */
  readonly grant?: CallGrant | undefined;
  /** The caller is, or speaks for, a language model: its answers are short, and said in plain words too. */
  readonly isForModel?: boolean | undefined;
  /** SHA-256 of the token of a list that is shown in the place of a credential; it opens that list alone. */
  readonly listToken?: string | undefined;
  /** The request that brought the call; none where the process itself calls. */
  readonly origin?: CallOrigin | undefined;
  /** What else is stored with a task that goes on after the answer, in the transaction that opens it. */
  readonly onTask?: (tx: Writer, taskId: string) => void;
  /** A person of the seller approved this call, and carries it out by hand later. */
  readonly isBookedLater?: boolean;
  /** A person of the seller makes the call in the buyer's name. */
  readonly isOperator?: boolean | undefined;
  /** The transport brought a registration for that task, beside the arguments. */
  readonly isPushed?: boolean;
};

/** The arguments of a task call as they came. */
export type TaskRequest = Readonly<Record<string, unknown>>;

/** One task call. */
export type Call = Caller & {
  /** The caller's partition of the store: its tenant and principal. */
  readonly owner: string;
  readonly to: Addressee;
  readonly now: { readonly ms: number; readonly iso: string };
};

/** A task call as an interceptor sees it, once its account is known. */
export type InterceptedCall = {
  readonly call: Call;
  /** The task's name. */
  readonly task: string;
  readonly account: Account | undefined;
  readonly request: TaskRequest;
};

/** A hook into each stage of the pipeline of task calls; one that answers undefined leaves the stage as it is. */
export type Interceptor = {
  /** Receive: returns the seller as its caller sees it. */
  readonly receive: (seller: Seller, owner: string) => Seller | undefined;
  /** Admit, for reading tasks: returns the seller as it is seen from an account. */
  readonly admit: (call: Call, account: Account | undefined) => Seller | undefined;
  /** Prepare, for changing tasks: returns what fails the call in place of its preparation. */
  readonly prepare: (call: Call, task: string) => (() => Promise<never>) | undefined;
  /** Governance: returns the verdict on a commitment in place of the agent's. */
  readonly consult: (
    call: Call,
    agent: GovernanceAgent,
    commitment: Commitment,
    planId: string,
  ) => Promise<GovernanceVerdict> | undefined;
  /** Effect, for changing tasks: answers in the transaction; `judge` runs the effect and undoes it. */
  readonly effect: (
    intercepted: InterceptedCall,
    db: Writer,
    judge: () => Promise<unknown>,
  ) => Promise<Payload | undefined>;
  /** Effect, for reading tasks: answers in the task's place, or what `run` does. */
  readonly answer: (intercepted: InterceptedCall, run: () => Promise<Payload | Written>) => Promise<Payload | Written>;
};
