import { Cache } from '../../platform/kernel/cache.js';
import type { Clock, OwnClocks } from '../../platform/kernel/clock.js';
import type { Written } from '../../platform/kernel/json/json.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { SandboxItem, SandboxKind } from '../store/sandboxes.js';
import type { Store, Writer } from '../store/store.js';
import { openView, type SandboxView } from './seeded-catalog.js';

/** An owner asks for its seller as the registry narrows it, and as the files have it. */
const MAX_VIEWS = 2;

type View = { readonly seller: Seller; readonly view: SandboxView };

/** An answer, with the question and the moment of its caller's clock. */
type RecordedAnswer = { readonly asked: string; readonly answer: Written; readonly atMs: number };

/** One owner's sandbox. */
type Sandbox = {
  readonly aheadMs: number;
  readonly items: Map<string, SandboxItem>;
  /** The sellers last seen with the items. */
  views: readonly View[];
};

const CLOCK_KEY = 'ahead';
/** Kinds that are not there to be read by the buyer's tasks. */
const ARRANGEMENTS: ReadonlySet<SandboxKind> = new Set(['clock', 'arm']);

/**
 * The things that sandbox principals have arranged for themselves, in memory and stored; an owner who arranged nothing costs nothing.
 * Where other processes share the store, `refresh` brings what they have changed.
 */
export class Sandboxes {
  /** The process's clock, ahead for the owners who turned theirs. */
  readonly clock: OwnClocks;
  /** The answers from catalogs that owners had last, by task: they stand in where an owner orders an outage. */
  readonly answers = new Cache<string, RecordedAnswer>({
    maxEntries: 1000,
    maxBytes: 16 * 1024 * 1024,
    sizeOf: ({ answer, asked }, key) => 2 * (answer.plain.length + asked.length + key.length),
  });
  readonly #store: Store;
  readonly #byOwner = new Map<string, Sandbox>();
  /** The versions of a shared store that the sandboxes were last read at. */
  readonly #versions = new Map<string, number>();
  #totalVersion = 0;
  #ahead: readonly string[] = [];

  private constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.clock = {
      now: clock.now,
      nowOf: (owner) => clock.now() + (this.#byOwner.get(owner)?.aheadMs ?? 0),
      ahead: () => this.#ahead,
    };
  }

  /** Opens the sandboxes that a store holds. */
  static async open(store: Store, clock: Clock): Promise<Sandboxes> {
    const sandboxes = new Sandboxes(store, clock);
    if (store.isShared) await sandboxes.refreshAll();
    else for (const item of await store.read.sandboxes.all()) sandboxes.#put(item);
    return sandboxes;
  }

  /** Returns the seller as an owner sees it: with its fixtures; the seller itself where it seeded none and never turned its clock. */
  seen(seller: Seller, owner: string): Seller {
    return this.#openView(seller, owner)?.whole ?? seller;
  }

  /** Returns the seller with the fixtures of an owner in place of the catalog. */
  alone(seller: Seller, owner: string): Seller {
    return this.#openView(seller, owner)?.alone ?? seller;
  }

  /** Whether an owner has seeded anything. */
  hasFixtures(owner: string): boolean {
    return this.#list(owner).some(({ kind }) => !ARRANGEMENTS.has(kind));
  }

  /** Returns how many things of a kind an owner has. */
  count(owner: string, wanted: SandboxKind): number {
    return this.#list(owner).filter(({ kind }) => kind === wanted).length;
  }

  /** Returns a thing of an owner, if it is there. */
  find(owner: string, kind: SandboxKind, key: string): SandboxItem | undefined {
    return this.#byOwner.get(owner)?.items.get(keyOf(kind, key));
  }

  /** Stores an item, in place of the one with its key. */
  async save(tx: Writer, item: SandboxItem): Promise<void> {
    await tx.sandboxes.save(item);
    tx.onCommit(() => this.#put(item));
  }

  /** Removes an item. */
  async remove(tx: Writer, owner: string, kind: SandboxKind, key: string): Promise<void> {
    await tx.sandboxes.remove(owner, kind, key);
    tx.onCommit(() => {
      const sandbox = this.#byOwner.get(owner);
      if (sandbox?.items.delete(keyOf(kind, key)) === true) this.#change(owner, sandbox.items);
    });
  }

  /** Advances an owner's clock by `ms`; returns how far it is ahead of the process's then. */
  async advance(tx: Writer, owner: string, ms: number): Promise<number> {
    const ahead_ms = aheadMsOf(await tx.sandboxes.find(owner, 'clock', CLOCK_KEY)) + ms;
    await this.save(tx, { owner, kind: 'clock', key: CLOCK_KEY, doc: { ahead_ms } });
    return ahead_ms;
  }

  /** Reads an owner's sandbox again where another process has changed it. */
  async refresh(owner: string): Promise<void> {
    if (!this.#store.isShared) return;
    const { sandboxes } = this.#store.read;
    const version = await sandboxes.version(owner);
    if (version === (this.#versions.get(owner) ?? 0)) return;
    // The version first: what is changed in between is read again with the next one.
    const items = await sandboxes.ofOwner(owner);
    this.#change(owner, new Map(items.map((item) => [keyOf(item.kind, item.key), item])));
    this.#versions.set(owner, version);
  }

  /** Reads all sandboxes again that other processes have changed. */
  async refreshAll(): Promise<void> {
    if (!this.#store.isShared) return;
    const { sandboxes } = this.#store.read;
    const total = await sandboxes.totalVersion();
    if (total === this.#totalVersion) return;
    for (const [owner, version] of await sandboxes.versions())
      if (version !== this.#versions.get(owner)) await this.refresh(owner);
    this.#totalVersion = total;
  }

  #list(owner: string): readonly SandboxItem[] {
    return [...(this.#byOwner.get(owner)?.items.values() ?? [])];
  }

  #put(item: SandboxItem): void {
    const items = this.#byOwner.get(item.owner)?.items ?? new Map<string, SandboxItem>();
    this.#change(item.owner, items.set(keyOf(item.kind, item.key), item));
  }

  #change(owner: string, items: Map<string, SandboxItem>): void {
    const aheadMs = aheadMsOf(items.get(keyOf('clock', CLOCK_KEY)));
    this.#byOwner.set(owner, { aheadMs, items, views: [] });
    if (aheadMs > 0 && !this.#ahead.includes(owner)) this.#ahead = [...this.#ahead, owner];
  }

  #openView(seller: Seller, owner: string): SandboxView | undefined {
    const sandbox = this.#byOwner.get(owner);
    if (sandbox === undefined) return undefined;
    const opened = sandbox.views.find((one) => one.seller === seller);
    if (opened !== undefined) return opened.view;
    const view = openView(seller, [...sandbox.items.values()]);
    sandbox.views = [{ seller, view }, ...sandbox.views].slice(0, MAX_VIEWS);
    return view;
  }
}

function keyOf(kind: SandboxKind, key: string): string {
  return `${kind} ${key}`;
}

function aheadMsOf(item: SandboxItem | undefined): number {
  const ms = item?.doc.ahead_ms;
  return typeof ms === 'number' ? ms : 0;
}
