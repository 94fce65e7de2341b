import type { Clock, OwnClocks } from '../../platform/kernel/clock.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { SandboxItem, SandboxKind } from '../store/sandboxes.js';
import type { Store, Writer } from '../store/store.js';
import { openView, type SandboxView } from './seeded-catalog.js';

/** The things that sandbox principals have arranged for themselves, known at once and stored. An owner who arranged nothing costs nothing. */
export type Sandboxes = {
  /** The process's clock, ahead for the owners who turned theirs. */
  readonly clock: OwnClocks;
  /** The seller as an owner sees it: with its fixtures; the seller itself where it seeded none and never turned its clock. */
  readonly seen: (seller: Seller, owner: string) => Seller;
  /** The seller with the fixtures of an owner in place of the catalog. */
  readonly alone: (seller: Seller, owner: string) => Seller;
  /** Whether an owner has seeded anything. */
  readonly hasFixtures: (owner: string) => boolean;
  readonly count: (owner: string, kind: SandboxKind) => number;
  readonly find: (owner: string, kind: SandboxKind, key: string) => SandboxItem | undefined;
  /** Keeps an item, in place of the one with its key. */
  readonly save: (tx: Writer, item: SandboxItem) => Promise<void>;
  readonly remove: (tx: Writer, owner: string, kind: SandboxKind, key: string) => Promise<void>;
  /** Turns an owner's clock on by `ms`; answers how far it is ahead of the process's then. */
  readonly advance: (tx: Writer, owner: string, ms: number) => Promise<number>;
};

/** An owner asks for its seller as the registry narrows it, and as the files have it. */
const MAX_VIEWS = 2;

type View = { readonly seller: Seller; readonly view: SandboxView };

/** One owner's sandbox. */
type Sandbox = {
  aheadMs: number;
  readonly items: Map<string, SandboxItem>;
  /** The sellers last seen with the items; emptied by every change. */
  views: readonly View[];
};

const CLOCK_KEY = 'ahead';
/** Kinds that are not there to be read by the buyer's tasks. */
const ARRANGEMENTS: ReadonlySet<SandboxKind> = new Set(['clock', 'arm']);

/** The sandboxes that a store holds. */
export async function openSandboxes(store: Store, clock: Clock): Promise<Sandboxes> {
  const sandboxes = new Map<string, Sandbox>();
  let ahead: readonly string[] = [];
  for (const item of await store.read.sandboxes.all()) put(item);

  function put(item: SandboxItem): void {
    const sandbox = sandboxes.get(item.owner) ?? { aheadMs: 0, items: new Map(), views: [] };
    sandboxes.set(item.owner, sandbox);
    sandbox.items.set(keyOf(item.kind, item.key), item);
    changed(item.owner, sandbox);
  }

  function changed(owner: string, sandbox: Sandbox): void {
    const clockItem = sandbox.items.get(keyOf('clock', CLOCK_KEY));
    sandbox.aheadMs = aheadMsOf(clockItem);
    sandbox.views = [];
    if (sandbox.aheadMs > 0 && !ahead.includes(owner)) ahead = [...ahead, owner];
  }

  function viewOf(seller: Seller, owner: string): SandboxView | undefined {
    const sandbox = sandboxes.get(owner);
    if (sandbox === undefined) return undefined;
    const opened = sandbox.views.find((one) => one.seller === seller);
    if (opened !== undefined) return opened.view;
    const view = openView(seller, [...sandbox.items.values()]);
    sandbox.views = [{ seller, view }, ...sandbox.views].slice(0, MAX_VIEWS);
    return view;
  }

  const keep: Sandboxes['save'] = async (tx, item) => {
    await tx.sandboxes.save(item);
    tx.onCommit(() => put(item));
  };

  return {
    clock: {
      now: clock.now,
      nowOf: (owner) => clock.now() + (sandboxes.get(owner)?.aheadMs ?? 0),
      ahead: () => ahead,
    },
    seen: (seller, owner) => viewOf(seller, owner)?.whole ?? seller,
    alone: (seller, owner) => viewOf(seller, owner)?.alone ?? seller,
    hasFixtures: (owner) =>
      [...(sandboxes.get(owner)?.items.values() ?? [])].some(({ kind }) => !ARRANGEMENTS.has(kind)),
    count: (owner, wanted) =>
      [...(sandboxes.get(owner)?.items.values() ?? [])].filter(({ kind }) => kind === wanted).length,
    find: (owner, kind, key) => sandboxes.get(owner)?.items.get(keyOf(kind, key)),
    save: keep,
    remove: async (tx, owner, kind, key) => {
      await tx.sandboxes.remove(owner, kind, key);
      tx.onCommit(() => {
        const sandbox = sandboxes.get(owner);
        if (sandbox?.items.delete(keyOf(kind, key)) === true) changed(owner, sandbox);
      });
    },
    advance: async (tx, owner, ms) => {
      const before = aheadMsOf(await tx.sandboxes.find(owner, 'clock', CLOCK_KEY));
      const ahead_ms = before + ms;
      await keep(tx, { owner, kind: 'clock', key: CLOCK_KEY, doc: { ahead_ms } });
      return ahead_ms;
    },
  };
}

function keyOf(kind: SandboxKind, key: string): string {
  return `${kind} ${key}`;
}

function aheadMsOf(item: SandboxItem | undefined): number {
  const ms = item?.doc.ahead_ms;
  return typeof ms === 'number' ? ms : 0;
}
