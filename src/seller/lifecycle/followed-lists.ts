import { isoTime, MINUTE_MS, type OwnClocks } from '../../platform/kernel/clock.js';
import { followListed } from '../domain/media-buy/change/follow-listed.js';
import { type HistoryEntry, isTerminal, type MediaBuy, type Package } from '../domain/media-buy/media-buy.js';
import { asRevision, settleBuy } from '../domain/media-buy/settlement.js';
import { type FollowedList, joinParts, type ReadList } from '../domain/targeting/followed-list.js';
import { LIST_DIMENSIONS, LISTS, type ListEntry, listKey } from '../domain/targeting/lists.js';
import type { Overlay } from '../domain/targeting/parts.js';
import type { Store, Writer } from '../store/store.js';
import { isOfLists } from './impairments.js';
import { fieldOfNone, holdInventory } from './inventory.js';
import { type Lifecycle, loadRotations, type Now } from './media-buys.js';

/** The entries of a list when it was read, and for how many ms they are good; undefined where it cannot be read. */
type Reading =
  | { readonly entries: readonly ListEntry[]; readonly unknown: readonly string[]; readonly goodForMs: number }
  | undefined;

/** The ports of the follower of lists. */
type FollowerPorts = {
  readonly store: Store;
  readonly clock: OwnClocks;
  readonly lifecycle: Pick<Lifecycle, 'save' | 'follow'>;
  readonly read: (list: FollowedList) => Promise<Reading | 'unreachable'>;
  /** Returns the part of a package's product that a list leaves; undefined where that is not known: the product is not sold any more. */
  readonly partOf: (
    owner: string,
    line: Package,
    list: FollowedList,
    reading: NonNullable<Reading>,
  ) => number | undefined;
};

/** After so long a list that could not be read is tried again. */
const RETRY_MS = 15 * MINUTE_MS;
/** Lists of an owner that are read in one round. */
const SLICE = 20;
/** Owners whose lists are read at the same time. */
const LANES = 4;

/** Stores which lists the packages of a buy target now, as they were read; a list that a package names still stays as it was. */
export async function saveFollowed(
  tx: Writer,
  owner: string,
  buy: MediaBuy,
  readings: ReadonlyMap<string, ReadList>,
): Promise<void> {
  const wanted = isTerminal(buy.status) ? [] : buy.packages.flatMap((line) => targetedLists(buy, line, readings));
  const before = await tx.followedLists.ofBuy(buy.media_buy_id);
  for (const list of before) if (!wanted.some(({ named }) => isSame(named, list))) tx.followedLists.remove(list);
  for (const { list } of wanted) if (list !== undefined) tx.followedLists.save(owner, list);
}

type Named = Pick<FollowedList, 'package_id' | 'dimension'> & { readonly reference: Overlay };

function targetedLists(
  { media_buy_id }: MediaBuy,
  { canceled, package_id, product_id, targeting_overlay: overlay }: Package,
  readings: ReadonlyMap<string, ReadList>,
): readonly { readonly named: Named; readonly list: FollowedList | undefined }[] {
  if (canceled) return [];
  return LISTS.flatMap((dimension) => {
    const reference = overlay?.[dimension] as Overlay | undefined;
    if (reference === undefined) return [];
    const read = readings.get(listKey(product_id, dimension, reference));
    const list = read && { ...read, media_buy_id, package_id, dimension };
    return [{ named: { package_id, dimension, reference }, list }];
  });
}

function isSame({ dimension, package_id, reference }: Named, list: FollowedList): boolean {
  const { agent_url, list_id } = list.reference;
  return (
    list.package_id === package_id &&
    list.dimension === dimension &&
    reference.agent_url === agent_url &&
    reference.list_id === list_id
  );
}

/** Reads the lists that packages target again when their reading is not good any more, and moves the packages by what is on them. */
export class ListFollower {
  readonly #ports: FollowerPorts;

  constructor(ports: FollowerPorts) {
    this.#ports = ports;
  }

  /**
   * Reads the lists that are due by the clocks of their owners: of each owner a slice, and of several owners at once, so that the agents
   * of one, however slow, hold up nobody else's for long. What is left is read in the next round.
   */
  async run(isStopped: () => boolean = () => false): Promise<void> {
    const { clock, store } = this.#ports;
    const earliest = await store.read.followedLists.earliest();
    const owners = earliest.filter(([owner, dueMs]) => dueMs <= clock.nowOf(owner)).map(([owner]) => owner);
    const next = owners[Symbol.iterator]();
    const lane = async (): Promise<void> => {
      for (const owner of next) {
        if (isStopped()) return;
        await this.#follow(owner, isStopped);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  /** Reads a slice of an owner's lists; an agent that has not answered is not asked for another one. */
  async #follow(owner: string, isStopped: () => boolean): Promise<void> {
    const { clock, read, store } = this.#ports;
    const silent = new Set<string>();
    for (const list of await store.read.followedLists.due(owner, clock.nowOf(owner), SLICE)) {
      if (isStopped()) return;
      const { agent_url } = list.reference;
      const reading = silent.has(agent_url) ? 'unreachable' : await read(list);
      if (reading === 'unreachable') silent.add(agent_url);
      await this.#readAgain(owner, list, reading === 'unreachable' ? undefined : reading);
    }
  }

  async #readAgain(owner: string, list: FollowedList, reading: Reading): Promise<void> {
    const { clock, store } = this.#ports;
    const ms = clock.nowOf(owner);
    await store.transact(async (tx) => {
      const buy = await tx.mediaBuys.find(owner, list.media_buy_id);
      const line = buy?.packages.find(({ package_id }) => package_id === list.package_id);
      if (buy === undefined || line === undefined || line.canceled || isTerminal(buy.status)) {
        tx.followedLists.remove(list);
        return;
      }
      const own = await tx.followedLists.ofBuy(buy.media_buy_id);
      // What the buyer has replaced meanwhile is not its list any more.
      if (!own.some((one) => isSame({ ...list, reference: list.reference }, one))) return;
      await this.#apply(tx, owner, { buy, line, list, own }, { reading, now: { ms, iso: isoTime(ms) } });
    });
  }

  async #apply(tx: Writer, owner: string, target: Target, { now, reading }: Outcome): Promise<void> {
    const { buy, line, list, own } = target;
    const part = reading && this.#ports.partOf(owner, line, list, reading);
    const next =
      reading === undefined || part === undefined ? markFailing(list, now) : readNow(list, part, reading, now);
    tx.followedLists.save(owner, next);
    const others = own.filter((one) => one.package_id === list.package_id && one.dimension !== list.dimension);
    const listed = joinParts([...others, next]);
    const summary = describeChange(list, next, { before: line.listed ?? 1, listed });
    if (summary === undefined) {
      await this.#holdMissing(tx, owner, buy, now);
      return;
    }
    const revision = buy.revision + 1;
    const packages = buy.packages.map((one) => (one === line ? followListed(line, listed) : one));
    const changed = { ...buy, packages, revision, updated_at: now.iso };
    const settled = asRevision(settleBuy(changed, await loadRotations(tx, buy), now), revision);
    const { action, text } = summary;
    const { package_id } = line;
    const entry: HistoryEntry = { revision, timestamp: now.iso, actor: 'seller', action, package_id, summary: text };
    // What fits where it runs now is held anew; what somebody else has meanwhile is not sold twice, and what is missing is an impairment.
    await holdInventory(tx, {
      owner,
      buy: settled.buy,
      before: buy,
      field: fieldOfNone,
      nowMs: now.ms,
      isPartial: true,
    });
    await this.#ports.lifecycle.save(tx, owner, settled.buy, [entry, ...settled.moves]);
    // A list that leaves nothing or too little impairs the buy, and one that leaves enough again mends it.
    await this.#ports.lifecycle.follow(tx, owner, settled.buy, now);
  }

  /** Holds for a buy that lacks inventory by its lists what others have given back since its lists were read last. */
  async #holdMissing(tx: Writer, owner: string, buy: MediaBuy, now: Now): Promise<void> {
    if (!(buy.impairments ?? []).some(isOfLists)) return;
    await holdInventory(tx, { owner, buy, field: fieldOfNone, nowMs: now.ms, isPartial: true });
    await this.#ports.lifecycle.follow(tx, owner, buy, now);
  }
}

/** The package that a list is of, and all lists of its buy. */
type Target = {
  readonly buy: MediaBuy;
  readonly line: Package;
  readonly list: FollowedList;
  readonly own: readonly FollowedList[];
};
type Outcome = { readonly reading: Reading; readonly now: Now };

function markFailing(list: FollowedList, { iso, ms }: Now): FollowedList {
  return { ...list, failing_since: list.failing_since ?? iso, nextReadMs: ms + RETRY_MS };
}

function readNow(
  list: FollowedList,
  part: number,
  { goodForMs }: NonNullable<Reading>,
  { iso, ms }: Now,
): FollowedList {
  return { ...list, part, read_at: iso, failing_since: undefined, nextReadMs: ms + goodForMs };
}

type Parts = { readonly before: number; readonly listed: number };

/** Returns what a reading changes, for the history; undefined where nothing is different. */
function describeChange(
  list: FollowedList,
  next: FollowedList,
  { before, listed }: Parts,
): { readonly action: string; readonly text: string } | undefined {
  const { list_id } = list.reference;
  const name = `The ${LIST_DIMENSIONS[list.dimension]} list ${list_id}`;
  if (Math.abs(before - listed) > 1e-9)
    return {
      action: 'updated_targeting',
      text: `${name} holds something else: the lists of the package leave ${percent(listed)} of the product, ${percent(before)} before.`,
    };
  if (list.failing_since === undefined && next.failing_since !== undefined)
    return {
      action: 'list_unreadable',
      text: `${name} cannot be read from its agent. What it held at ${list.read_at} stays in force.`,
    };
  if (list.failing_since !== undefined && next.failing_since === undefined)
    return { action: 'list_readable', text: `${name} can be read again, and holds what it held.` };
  return undefined;
}

function percent(part: number): string {
  return `${Math.round(part * 1000) / 10}%`;
}
