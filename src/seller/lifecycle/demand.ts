import {
  type Demand,
  demandBefore,
  diffDemand,
  expectDemand,
  moveEdges,
  newEdges,
} from '../domain/inventory/demand.js';
import type { MediaBuy } from '../domain/media-buy/media-buy.js';
import type { Book } from '../store/inventory/holds.js';
import type { Writer } from '../store/store.js';
import { bookScope } from './inventory.js';

/** Brings what a stored buy asks for of its products from now on to what it is; what it asked for before stays. `isNew`: it asked for nothing yet. */
export async function followDemand(
  tx: Writer,
  owner: string,
  buy: MediaBuy,
  { nowMs, isNew = false }: { readonly nowMs: number; readonly isNew?: boolean },
): Promise<void> {
  const { media_buy_id } = buy;
  const rows = isNew ? [] : await tx.demand.ofBuy(media_buy_id);
  const before = new Map(rows.map((row) => [row.package_id, row.stretches]));
  const isPromised = buy.packages.some(({ sold }) => sold.delivery_type === 'guaranteed');
  const holds = isPromised ? await tx.inventory.heldBy(media_buy_id) : [];
  for (const line of buy.packages) {
    const { package_id, product_id } = line;
    const runs = holds.find((hold) => hold.package_id === package_id)?.runs;
    const earlier = before.get(package_id) ?? [];
    const book = { scope: bookScope(owner, buy.sandbox), product_id };
    const asked = [...demandBefore(earlier, nowMs), ...expectDemand(buy, line, runs, nowMs)];
    const isSold = line.sold.delivery_type === 'guaranteed';
    const stretches = isSold ? asked : moveToQuiet(tx, book, asked, newEdges(earlier, asked, nowMs));
    const changes = diffDemand(earlier, stretches);
    if (changes.length === 0) continue;
    await tx.demand.save({ package_id, media_buy_id, ...book, stretches }, changes, nowMs);
  }
}

/** Moves edges out of hours that have many, so that a book that thousands buy from has few moments to look at. */
function moveToQuiet(tx: Writer, book: Book, demands: readonly Demand[], edges: readonly number[]): readonly Demand[] {
  const settled = edges.map((at) => [at, tx.demand.settle(book, at)] as const);
  const moved = new Map(settled.filter(([at, later]) => later !== at));
  return moved.size === 0 ? demands : moveEdges(demands, moved);
}
