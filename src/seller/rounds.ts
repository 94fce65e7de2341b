import type { Lease } from '../platform/database/leases.js';
import { SharedJob } from '../platform/database/shared-job.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../platform/kernel/clock.js';
import type { Log } from '../platform/kernel/log.js';
import { startLoop } from '../platform/kernel/loop.js';
import { REMEMBER_MS } from '../platform/kernel/steady-clock.js';
import type { Alerts } from './alerts/alerts.js';
import type { OpenApp } from './app.js';
import type { App } from './context.js';
import { findUnknown, partOfProduct } from './domain/product/listed-inventory.js';
import { LIST_DIMENSIONS } from './domain/targeting/lists.js';
import { readOwner } from './domain/tenant/principal.js';
import { remindOfOrders } from './lifecycle/ad-server/reminders.js';
import { ListFollower } from './lifecycle/followed-lists.js';
import { releaseExpired } from './lifecycle/inventory.js';
import { RightsFollower } from './lifecycle/lost-properties.js';
import { followRevocations } from './lifecycle/revoked-rights.js';
import type { SellerPreviews } from './store/previews/preview-store.js';
import { recheckFiles } from './tasks/creative/library/recheck-files.js';
import { renewUnfinished } from './tasks/pipeline/outlast.js';
import { decideDueTasks } from './tasks/task/decide-task.js';
import { findTaskChanges } from './tasks/task/follow-task.js';
import { resumeTasks } from './tasks/task/resume-tasks.js';

/** Something that runs by the clock, in slices; it ends soon once `isStopped`. */
type Job = {
  readonly name: string;
  /** A second unless given. */
  readonly everyMs?: number | undefined;
  readonly run: (isStopped: () => boolean) => Promise<unknown>;
};

/** Something that one of the processes on a database does at a time; under its lease. */
type SharedRun = (isStopped: () => boolean, lease: Lease) => Promise<unknown>;

/** How a job is shared: a second between its rounds, and by every process, unless given. */
type SharedOptions = Pick<Job, 'everyMs'> & { readonly isFit?: () => boolean };

/** How long it is known when a key was used. */
const KEY_USE_LIFE_MS = 400 * DAY_MS;
const EVERY_MINUTE = { everyMs: MINUTE_MS };
/** How often within a lease it is said that a task goes on. */
const RENEWALS = 3;
/** How often it is looked whether people have to be told of something. */
const ALERTS_MS = 20 * SECOND_MS;

/** The jobs of the clock, which run beside each other, so that a long one holds up none of the others. */
export class Rounds {
  readonly #app: App;
  readonly #previews: SellerPreviews;
  readonly #alerts: Alerts;
  readonly #leaseMs: number;
  readonly #rights: RightsFollower;
  readonly #followedLists: ListFollower;
  readonly #shared: SharedJob[] = [];
  readonly #jobs: readonly Job[];

  constructor({ alerts, app, previews }: Pick<OpenApp, 'alerts' | 'app' | 'previews'>, leaseMs: number) {
    this.#app = app;
    this.#previews = previews;
    this.#alerts = alerts;
    this.#leaseMs = leaseMs;
    const { store, clock, lifecycle, registry: rights } = app;
    this.#followedLists = createListFollower(app);
    this.#rights = new RightsFollower({ store, clock, lifecycle, rights });
    this.#jobs = [{ name: 'state of others', run: () => this.#refresh() }, ...this.#sharedJobs(), ...this.#ownJobs()];
  }

  /** Runs each job once, one after the other; not those that another process has. */
  async run(): Promise<void> {
    for (const { run } of this.#jobs) await run(() => false);
  }

  /** Runs each job again and again; returns how to stop, which waits for the slices in hand and leaves the jobs to other processes. */
  start(log: Log): () => Promise<void> {
    let isStopped = false;
    const loops = this.#jobs.map(({ everyMs = SECOND_MS, name, run }) =>
      startLoop(name, everyMs, log, () => run(() => isStopped)),
    );
    return async () => {
      isStopped = true;
      await Promise.all(loops.map((loop) => loop.stop()));
      await this.#app.booking.settle();
      await Promise.all(this.#shared.map((job) => job.release()));
    };
  }

  /** Returns what every process does for itself. */
  #ownJobs(): readonly Job[] {
    const app = this.#app;
    return [
      { name: 'webhooks', run: () => app.outbox.tick() },
      {
        name: 'tasks that go on',
        everyMs: this.#leaseMs / RENEWALS,
        run: () => renewUnfinished(app),
      },
      { name: 'keys', run: () => app.keys.tick() },
      { name: 'clock', everyMs: REMEMBER_MS, run: async () => app.watch.remember() },
      { name: 'key uses', everyMs: MINUTE_MS, run: () => this.#saveKeyUses() },
      { name: 'sealing', run: (isStopped) => this.#reseal(isStopped) },
    ];
  }

  #sharedJobs(): readonly Job[] {
    const app = this.#app;
    return [
      this.#share('media buys', (isStopped) => app.lifecycle.moveAllDue(isStopped)),
      this.#share('selling rights', (isStopped) => this.#rights.run(isStopped)),
      this.#share('revoked rights', (isStopped) => followRevocations(app, isStopped)),
      this.#share('lists of packages', (isStopped) => this.#followedLists.run(isStopped), EVERY_MINUTE),
      this.#share('inventory lists', (isStopped) => app.inventoryLists.follow(isStopped)),
      this.#share('booking', (isStopped, lease) => app.booking.bookWaiting(lease, isStopped)),
      this.#share('delivery of ad servers', (isStopped, lease) => app.deliveryPulls.tick(lease, isStopped)),
      this.#share('reminders', (isStopped) => this.#remind(isStopped), EVERY_MINUTE),
      this.#share(
        'orders in ad servers',
        (isStopped, lease) => app.orderInspections.tick(lease, isStopped),
        EVERY_MINUTE,
      ),
      this.#share('tasks', (isStopped) => decideDueTasks(app, isStopped)),
      this.#share('unfinished tasks', (isStopped) => resumeTasks(app, isStopped)),
      this.#share('creative files', (isStopped) => recheckFiles(app, isStopped)),
      this.#share('inventory', () => releaseExpired(app.store, (scope) => app.clock.nowOf(scope)), EVERY_MINUTE),
      this.#share('reports', (isStopped) => app.reports.tick(isStopped)),
      this.#share('content', (isStopped) => app.contentPushes.tick(isStopped)),
      this.#share('spend', (isStopped) => app.spend.tick(isStopped), EVERY_MINUTE),
      this.#share('alerts', (isStopped) => this.#alerts.tick(isStopped), { everyMs: ALERTS_MS }),
      // What is deleted cannot be brought back: a process that doubts its clock leaves it to others.
      this.#share('sweep', (isStopped) => this.#sweep(isStopped), {
        everyMs: MINUTE_MS,
        isFit: () => app.watch.findJump() === undefined,
      }),
    ];
  }

  #share(name: string, run: SharedRun, { everyMs, isFit }: SharedOptions = {}): Job {
    const { log, store } = this.#app;
    const job = new SharedJob({ leases: store.leases, name, leaseMs: this.#leaseMs, log, isFit });
    this.#shared.push(job);
    return {
      name,
      everyMs,
      run: (isStopped) => job.run(({ lease, isLost }) => run(() => isStopped() || isLost(), lease)),
    };
  }

  /** Reads what other processes have changed of what this one remembers. */
  async #refresh(): Promise<void> {
    const { lifecycle, sandboxes, store } = this.#app;
    await sandboxes.refreshAll();
    if (store.isShared) await lifecycle.refresh();
    await findTaskChanges(this.#app);
  }

  async #saveKeyUses(): Promise<void> {
    const { keyUses, store } = this.#app;
    const uses = keyUses.takeUnsaved();
    if (uses.length === 0) return;
    await store.transact(async (tx) => {
      for (const { keyId, tenant, usedAt } of uses)
        tx.keyUses.save({ tenant, key_id: keyId, used_at: usedAt, expires_at: usedAt + KEY_USE_LIFE_MS });
    });
  }

  async #reseal(isStopped: () => boolean): Promise<void> {
    const { log, store } = this.#app;
    const { older } = store.sealing.state;
    await store.sealing.run(isStopped);
    if (older.length > 0 && store.sealing.state.isComplete)
      log.warn(
        { keys: older },
        'every stored secret is sealed with the new master key; older ones are needed for older backups alone',
      );
  }

  #remind(isStopped: () => boolean): Promise<void> {
    const { clock, log, sellers, store } = this.#app;
    const settingsOf = (tenant: string) => sellers().get(tenant)?.tenant.orderReminders;
    return remindOfOrders({ store, clock, log, settingsOf }, isStopped);
  }

  async #sweep(isStopped: () => boolean): Promise<void> {
    const { clock, store } = this.#app;
    const nowMs = clock.now();
    await store.sweep(nowMs, isStopped);
    await this.#previews.prune(nowMs, isStopped);
  }
}

/** Returns what reads the lists of packages again, from the agents that maintain them. */
function createListFollower(app: App): ListFollower {
  const { clock, lifecycle, store } = app;
  return new ListFollower({
    store,
    clock,
    lifecycle,
    read: async ({ dimension, local, reference }) => {
      const { fetchList } = await import('./governance/inventory-list.js');
      const options = { collectionOf: app.registry.collectionOf, local, nowMs: clock.now() };
      const reading = await fetchList(app.renderer().outbound, LIST_DIMENSIONS[dimension], reference, options);
      return reading === 'unknown' || reading === 'too_long' ? undefined : reading;
    },
    partOf: (owner, { product_id }, { dimension }, { entries, unknown }) => {
      const product = app.sellers().get(readOwner(owner).tenant)?.products.get(product_id);
      if (product === undefined || findUnknown(product, unknown) !== undefined) return undefined;
      return partOfProduct(product, dimension, entries, app.publishers());
    },
  });
}
