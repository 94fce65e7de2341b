import { firstReadDay } from '../domain/booking/booking.js';
import { type DeliveryEntry, dayOfDate, type EntryVerdict, judgeEntry } from '../domain/delivery/entered.js';
import { fulfillmentOf } from '../domain/media-buy/fulfillment.js';
import type { MediaBuy, Package } from '../domain/media-buy/media-buy.js';
import { readMediaBuyId } from '../domain/media-buy/order.js';
import type { OwnedBuy } from '../store/media-buys/media-buys.js';
import type { Reader, Store, Writer } from '../store/store.js';
import type { Lifecycle } from './media-buys.js';
import type { Spend } from './spend.js';

/** The services that delivery is entered with. */
type EntryPorts = {
  readonly store: Store;
  readonly clock: { readonly nowOf: (owner: string) => number };
  readonly lifecycle: Pick<Lifecycle, 'catchUp'>;
  readonly spend: Pick<Spend, 'enter'>;
};

/** A row of delivery that names its package by our id or by the ad server's, or the order of a buy that has one package. */
type NamedEntry = Omit<DeliveryEntry, 'package_id'> & {
  readonly package_id?: string | undefined;
  /** Of the seller's ad server, as a person entered it. */
  readonly line_id?: string | undefined;
  /** Of the seller's ad server, as the order was booked. */
  readonly order_id?: string | undefined;
};

/** The outcome of a row. */
export type EntryOutcome = { readonly action: EntryVerdict['action']; readonly why?: string | undefined };

/**
 * Enters rows of delivery in one transaction, each judged by itself; entering a row again changes nothing. Returns what became of each; of a dry
 * run what would.
 */
export async function enterDelivery(
  ports: EntryPorts,
  entries: readonly NamedEntry[],
  isDryRun: boolean,
): Promise<EntryOutcome[]> {
  const { store, lifecycle } = ports;
  const owners = new Set<string>();
  for (const entry of entries) {
    const target = await findPackage(store.read, entry);
    if (typeof target !== 'string') owners.add(target.owner);
  }
  for (const owner of owners) await lifecycle.catchUp(owner);
  return store.transact(async (tx) => {
    const enter = async (): Promise<EntryOutcome[]> => {
      const outcomes: EntryOutcome[] = [];
      for (const entry of entries) outcomes.push(await enterRow(ports, tx, entry));
      return outcomes;
    };
    return isDryRun ? tx.rehearse(enter) : enter();
  });
}

async function enterRow({ clock, spend }: EntryPorts, tx: Writer, entry: NamedEntry): Promise<EntryOutcome> {
  const target = await findPackage(tx, entry);
  if (typeof target === 'string') return { action: 'refused', why: target };
  const { owner, buy, line } = target;
  const { creative_id } = entry;
  const { package_id } = line;
  const key = { package_id, day: dayOfDate(entry.date), creative_id };
  const uses = { creativeIds: [creative_id], mediaBuyIds: [buy.media_buy_id] };
  const before = await tx.deliveries.find(key);
  const verdict = judgeEntry(
    { ...entry, package_id },
    {
      buy,
      line,
      nowMs: clock.nowOf(owner),
      before,
      spentCents: await tx.deliveries.spentCents(package_id),
      hasOtherKind: await tx.deliveries.hasOtherKind(key),
      isCreativeOfBuy: creative_id === '' || (await tx.creatives.countUses(owner, uses)) > 0,
    },
  );
  if (verdict.action === 'refused') return verdict;
  if (verdict.action === 'unchanged') return { action: 'unchanged' };
  await tx.deliveries.save(verdict.row);
  const cents = verdict.row.spend_cents - (before?.spend_cents ?? 0);
  await spend.enter(tx, owner, buy, { day: key.day, cents });
  return { action: verdict.action };
}

/** Returns the package of a row, or why there is none. */
async function findPackage(db: Reader, entry: NamedEntry): Promise<(OwnedBuy & { readonly line: Package }) | string> {
  const named = await nameByLine(db, entry);
  if (typeof named === 'string') return named;
  const { order_id, package_id } = named;
  const owned = await findBuy(db, package_id, order_id);
  if (typeof owned === 'string') return owned;
  const { buy } = owned;
  const refusal = await explainRead(db, buy, dayOfDate(entry.date));
  if (refusal !== undefined) return refusal;
  if (package_id === undefined && buy.packages.length > 1)
    return `${buy.media_buy_id} has several packages: ${buy.packages.map((line) => line.package_id).join(', ')}. Name one as package_id`;
  const line = package_id === undefined ? buy.packages[0] : buy.packages.find((one) => one.package_id === package_id);
  return line === undefined ? unknownPackage(package_id) : { ...owned, line };
}

/** Returns why nobody enters what a buy delivered on a day: it is not carried out by hand, or was not on that day. */
async function explainRead(db: Reader, buy: MediaBuy, day: number): Promise<string | undefined> {
  const { media_buy_id } = buy;
  const fulfillment = fulfillmentOf(buy);
  if (fulfillment === 'manual') return undefined;
  const readDay = fulfillment === 'adapter' ? firstReadDay(buy, await db.orderBookings.find(media_buy_id)) : 0;
  if (readDay === undefined || day < readDay) return undefined;
  return `${media_buy_id} is not carried out by hand${readDay > 0 ? ' any more on that day' : ''}, so nobody enters its delivery`;
}

/** Returns a row with the package that has its `line_id` in the ad server, or why none has. */
async function nameByLine(db: Reader, entry: NamedEntry): Promise<NamedEntry | string> {
  const { line_id, package_id } = entry;
  if (line_id === undefined) return entry;
  const lines = await db.orderLines.findByLine(line_id);
  const [one, other] = package_id === undefined ? lines : lines.filter((line) => line.package_id === package_id);
  if (one === undefined)
    return `${package_id === undefined ? 'no package is' : `package ${package_id} is not`} booked as ${line_id}. Enter the id with "orders ids"`;
  return other === undefined
    ? { ...entry, package_id: one.package_id }
    : `several packages are booked as ${line_id}. Name the package_id`;
}

async function findBuy(
  db: Reader,
  package_id: string | undefined,
  order_id: string | undefined,
): Promise<OwnedBuy | string> {
  if (package_id === undefined) {
    const [one, other] = await db.mediaBuys.findByOrder(order_id ?? '');
    if (one === undefined) return `no order was booked as ${order_id}. "orders" lists them`;
    return other === undefined ? one : `several orders were booked as ${order_id}. Name the package_id`;
  }
  const id = readMediaBuyId(package_id);
  const owned = id === undefined ? undefined : await db.mediaBuys.findAnywhere(id);
  if (owned === undefined) return unknownPackage(package_id);
  return order_id === undefined || order_id === owned.buy.booked_by_hand?.order_id
    ? owned
    : `package ${package_id} belongs to another order than ${order_id}. Correct one of them`;
}

function unknownPackage(packageId: string | undefined): string {
  return `there is no package ${packageId}. get_media_buys and "orders" name those that there are`;
}
