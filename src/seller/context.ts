import type { Renderer } from '../creative/renderer.js';
import type { OwnClocks } from '../platform/kernel/clock.js';
import type { Ids } from '../platform/kernel/ids.js';
import type { Log } from '../platform/kernel/log.js';
import type { KeyRing } from '../platform/signing/keys/key-ring.js';
import type { SignedLinks } from '../platform/web/signed-link.js';
import type { Addressee } from '../protocol/envelope.js';
import type { RegistryUse } from '../registry/mirror/use.js';
import type { ConfiguredPublisher, Publication } from '../registry/publish/types.js';
import type { Booking } from './adserver/booking.js';
import type { Task } from './domain/task/task.js';
import type { Seller } from './domain/tenant/seller.js';
import type { Principal } from './domain/tenant/tenant.js';
import type { Idempotency } from './idempotency/once.js';
import type { Lifecycle } from './lifecycle/media-buys.js';
import type { Reports } from './lifecycle/reports.js';
import type { Sandboxes } from './sandbox/sandboxes.js';
import type { Store, Writer } from './store/store.js';
import type { Delivery } from './webhooks/delivery/delivery.js';

/** What lives as long as the process. */
export type App = {
  /** The process's time, and the time as each owner lives it. */
  readonly clock: OwnClocks;
  /** What sandbox principals have arranged for themselves. */
  readonly sandboxes: Sandboxes;
  readonly ids: Ids;
  readonly log: Log;
  readonly store: Store;
  readonly idempotency: Idempotency;
  readonly lifecycle: Lifecycle;
  readonly booking: Booking;
  /** Where events for buyers go, with the change that they tell of. */
  readonly outbox: Delivery;
  readonly reports: Reports;
  /** Who runs the agents. */
  readonly operator: Publication['operator'];
  /** The publishers whose files are written here; an edit of the file replaces the list. */
  readonly publishers: () => readonly ConfiguredPublisher[];
  /** What a registry says of what is sold, where one is configured. */
  readonly registry: RegistryUse;
  /** What webhooks are signed with, and what the JWKS publishes. */
  readonly keys: KeyRing;
  /**
   * Makes ready to end a task that waits, as its seller would, telling its buyer `result`; answers what does it in a transaction.
   * Throws INVALID_STATE for a task that is over, and what its request is refused for by now.
   */
  readonly prepareCompletion: (
    task: Task,
    result: Readonly<Record<string, unknown>>,
  ) => Promise<(tx: Writer) => Promise<Task>>;
  /** Links by which a person decides about one thing that waits. */
  readonly approvalLinks: SignedLinks;
  /** Where creatives are made and shown; formats follow the files, so it is asked for anew. */
  readonly renderer: () => Renderer;
  /** Bind address and base URL are both loopback. */
  readonly development: boolean;
  /** The tenants as they are served now, by path; an edit of the files replaces the map. */
  readonly sellers: () => ReadonlyMap<string, Seller>;
};

/** Who is calling which tenant; known before the arguments are looked at. */
export type Caller = {
  readonly seller: Seller;
  /** Absent only where a public tool is called without a credential. */
  readonly principal: Principal | undefined;
};

/** One task call. */
export type Call = Caller & {
  /** The caller's partition of the store: its tenant and principal. */
  readonly owner: string;
  readonly to: Addressee;
  readonly now: { readonly ms: number; readonly iso: string };
};
