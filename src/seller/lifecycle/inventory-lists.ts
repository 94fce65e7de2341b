import { isoTime, type OwnClocks } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import { DeliveryJudge } from '../domain/governance/lists/delivery.js';
import type { InventorySource, ListRules, ResolvedEntry } from '../domain/governance/lists/inventory-list.js';
import { MAX_ENTRIES } from '../domain/governance/lists/inventory-list.js';
import { compareEntries, resolveList } from '../domain/governance/lists/resolve.js';
import type { ListKind } from '../domain/targeting/lists.js';
import type { InventoryListRow, ListContent } from '../store/governance/inventory-lists.js';
import type { Store, Writer } from '../store/store.js';
import type { AnnounceListChange } from '../webhooks/events/list-events.js';

/** The ports that lists are resolved through. */
type ListPorts = {
  readonly store: Store;
  readonly clock: OwnClocks;
  readonly log: Log;
  readonly source: InventorySource;
  /** Changes with what `source` knows. */
  readonly stamp: () => string;
  readonly announce: AnnounceListChange;
};

/** Lists of one slice of a round. */
const SLICE = 20;

/** The lists of a governance agent over time: what they hold, by what publishers declare. */
export class InventoryLists {
  readonly #ports: ListPorts;
  /** What the stored lists were resolved with; undefined before the first round. */
  #followed: string | undefined;

  constructor(ports: ListPorts) {
    this.#ports = ports;
  }

  /** Returns what a list holds now. */
  resolve(kind: ListKind, rules: ListRules): readonly ResolvedEntry[] {
    return resolveList(kind, rules, this.#ports.source);
  }

  /** Returns what judges delivery by a property list as it was resolved last. */
  judgeDelivery(content: ListContent): DeliveryJudge {
    return new DeliveryJudge(content, this.#ports.source);
  }

  /** Stores a changed list with what it holds, and tells its subscriber where that is something else. Returns the stored row. */
  async save(tx: Writer, row: InventoryListRow, content: ListContent, before: ListContent): Promise<InventoryListRow> {
    const nowMs = this.#ports.clock.nowOf(row.owner);
    const changed = compareEntries(before.entries, content.entries);
    if (changed === undefined) {
      tx.inventoryLists.replace(row, content);
      return row;
    }
    const list = { ...row.list, resolved_at: isoTime(nowMs), count: content.entries.length };
    const saved = { ...row, list };
    tx.inventoryLists.replace(saved, content);
    await this.#ports.announce(tx, row.owner, list, { ...changed, nowMs });
    return saved;
  }

  /** Resolves every list again where publishers have changed what they declare since the last round. */
  async follow(isStopped: () => boolean = () => false): Promise<void> {
    const { stamp, store } = this.#ports;
    const now = stamp();
    if (now === this.#followed) return;
    let after = 0;
    while (!isStopped()) {
      const rows = await store.read.inventoryLists.ofAll(after, SLICE);
      for (const row of rows)
        if (await this.#hasChanged(row)) await store.transact((tx) => this.#resolveAgain(tx, row));
      after = rows.at(-1)?.seq ?? after;
      if (rows.length < SLICE) {
        this.#followed = now;
        return;
      }
    }
  }

  async #hasChanged({ list, seq }: InventoryListRow): Promise<boolean> {
    const { entries, rules } = await this.#ports.store.read.inventoryLists.content(seq);
    return compareEntries(entries, this.resolve(list.kind, rules)) !== undefined;
  }

  async #resolveAgain(tx: Writer, { list: { kind, list_id }, owner }: InventoryListRow): Promise<void> {
    const row = await tx.inventoryLists.find(owner, kind, list_id);
    if (row === undefined) return;
    const before = await tx.inventoryLists.content(row.seq);
    const entries = this.resolve(kind, before.rules);
    if (entries.length <= MAX_ENTRIES) {
      await this.save(tx, row, { ...before, entries }, before);
      return;
    }
    this.#ports.log.warn(
      { list_id, entries: entries.length },
      'a list resolves to more than is served; it stays as it is',
    );
  }
}
