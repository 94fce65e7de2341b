import { startPace } from '../../../platform/kernel/event-loop.js';
import type { Limit } from '../../domain/delivery/limit.js';
import { type BookDemand, shareSupply } from '../../domain/inventory/demand.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { PackageDemand } from '../../store/inventory/demand.js';
import type { Reader } from '../../store/store.js';

/** A buy with the most that each of its packages gets while others ask for the same supply. */
type LimitedBuy = MediaBuy & { readonly isLimited: true };

/** Returns a buy with the most that each of its packages gets while others ask for the same supply; as it is where it has that. */
export async function limitByDemand(db: Reader, buy: MediaBuy | LimitedBuy): Promise<MediaBuy> {
  if ('isLimited' in buy) return buy;
  const [limited = buy] = await limitAllByDemand(db, [buy]);
  return limited;
}

/** Returns buys with the most that each of their packages gets while others ask for the same supply, reading what is asked for once. */
export async function limitAllByDemand(db: Reader, buys: readonly MediaBuy[]): Promise<readonly MediaBuy[]> {
  const demands = await db.demand.ofBuys(buys.map((buy) => buy.media_buy_id));
  const books = await readBooks(db, demands);
  const ofPackage = new Map(demands.map((demand) => [demand.package_id, demand]));
  const limited: LimitedBuy[] = [];
  const pace = startPace();
  for (const buy of buys) {
    const limits = limitPackages(buy, ofPackage, books);
    const packages = buy.packages.map((line) => ({ ...line, limits: limits.get(line.package_id) }));
    limited.push({ ...buy, packages: limits.size === 0 ? buy.packages : packages, isLimited: true });
    if (pace.isDue()) await pace.rest();
  }
  return limited;
}

function limitPackages(
  { packages }: MediaBuy,
  ofPackage: ReadonlyMap<string, PackageDemand>,
  books: ReadonlyMap<string, BookDemand>,
): ReadonlyMap<string, readonly Limit[]> {
  const limits = new Map<string, readonly Limit[]>();
  for (const { package_id, sold } of packages) {
    const demand = ofPackage.get(package_id);
    const asked = demand && books.get(bookKey(demand));
    if (asked === undefined) continue;
    const own = shareSupply(demand?.stretches ?? [], asked, sold.inventory.daily_impressions);
    if (own.length > 0) limits.set(package_id, own);
  }
  return limits;
}

/** Returns all that is asked for of each product while any of these packages asks for it. */
async function readBooks(db: Reader, demands: readonly PackageDemand[]): Promise<ReadonlyMap<string, BookDemand>> {
  const spans = new Map<string, { readonly demand: PackageDemand; readonly from: number; readonly to: number }>();
  for (const demand of demands) {
    const [first, last] = [demand.stretches[0], demand.stretches.at(-1)];
    if (first === undefined || last === undefined) continue;
    const { from = first.from_ms, to = last.to_ms } = spans.get(bookKey(demand)) ?? {};
    spans.set(bookKey(demand), { demand, from: Math.min(from, first.from_ms), to: Math.max(to, last.to_ms) });
  }
  const books = new Map<string, BookDemand>();
  for (const [key, { demand, from, to }] of spans) books.set(key, await db.demand.ofBook(demand, from, to));
  return books;
}

function bookKey({ product_id, scope }: PackageDemand): string {
  return `${scope}\n${product_id}`;
}
