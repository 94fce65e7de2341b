import { DAY_MS } from '../../platform/kernel/clock.js';
import { startPace } from '../../platform/kernel/event-loop.js';
import { runSlices } from '../../platform/kernel/slices.js';
import type { SoldLine } from '../domain/delivery/line.js';
import {
  checkHorizon,
  checkRivals,
  type FieldOf,
  type HoldRequest,
  isHeldAlike,
  isReserved,
  listDays,
  midnightOf,
  type Run,
  reserveDays,
  runsBefore,
  SEARCHED_DAYS,
  subtractRuns,
} from '../domain/inventory/hold.js';
import { type Advertiser, listRivals, noIndustryNamed, readAdvertiser } from '../domain/inventory/industry.js';
import type { MediaBuy, Package } from '../domain/media-buy/media-buy.js';
import { readOwner } from '../domain/tenant/principal.js';
import type { Book, Hold } from '../store/inventory/holds.js';
import type { Reader, Store, Writer } from '../store/store.js';

/** A buy that is stored, the buy that it was, if any, and where its packages are in the request. */
type HeldOrder = {
  readonly owner: string;
  readonly buy: MediaBuy;
  readonly before?: MediaBuy | undefined;
  /** Returns the paths of a package's members in the request, by its position in the buy. */
  readonly field: (line: Package, index: number) => FieldOf;
  readonly nowMs: number;
  /** Whether the budget of the request is for all packages together. */
  readonly isPlan?: boolean;
  /** Whether a package takes what is left where it is too little: of buys that are there already. */
  readonly isPartial?: boolean;
};

/** Returns whose books an owner's buys are in: live buyers of a tenant share its books, a sandbox has books of its own. */
export function bookScope(owner: string, isSandbox: boolean): string {
  return isSandbox ? owner : readOwner(owner).tenant;
}

/**
 * Holds what the promised and exclusive packages of a new or changed buy need, in the transaction that stores it, and gives back what
 * they need no more. Throws PRODUCT_UNAVAILABLE where a book has not so much left, or a rival has the product.
 */
export async function holdInventory(tx: Writer, order: HeldOrder): Promise<void> {
  const { owner, buy, before, field, nowMs, isPlan, isPartial } = order;
  const total = isPlan === true ? buy.packages.reduce((sum, { budget }) => sum + budget, 0) : undefined;
  const changed = buy.packages.flatMap((line, index) => {
    const earlier = before?.packages.find(({ package_id }) => package_id === line.package_id);
    const isSame = earlier === undefined ? !isReserved(line) : isHeldAlike(earlier, line);
    return isSame ? [] : [{ line, index }];
  });
  if (changed.length === 0) return;
  const scope = bookScope(owner, buy.sandbox);
  const advertiser = readAdvertiser(buy);
  const holds = new Map((await tx.inventory.heldBy(buy.media_buy_id)).map((hold) => [hold.package_id, hold]));
  const books = await Books.open(tx, scope, nowMs);
  for (const { line } of changed) {
    const hold = holds.get(line.package_id);
    if (hold !== undefined) books.giveBack(hold);
  }
  for (const { line, index } of changed) {
    const hold = holds.get(line.package_id) ?? newHold({ scope, product_id: line.product_id }, buy, line, advertiser);
    if (isReserved(line)) {
      await books.reserve(line, hold, { field: field(line, index), isPartial, part: total && line.budget / total });
      continue;
    }
    if (holds.has(line.package_id)) await books.save(hold, givenBack(hold.runs, nowMs, Date.parse(line.start_time)));
  }
  await books.write();
}

/** Gives back what the packages of an ended buy hold of days to come. */
export async function releaseInventory(tx: Writer, buy: MediaBuy, nowMs: number): Promise<void> {
  const books = new Books(tx, nowMs);
  for (const hold of await tx.inventory.heldBy(buy.media_buy_id)) {
    const line = buy.packages.find(({ package_id }) => package_id === hold.package_id);
    const runs = givenBack(hold.runs, nowMs, Date.parse(line?.start_time ?? buy.start_time));
    books.giveBack(hold);
    await books.save(hold, runs);
  }
  await books.write();
}

/** A line that is held before it is bought. */
export type PlannedLine = { readonly product_id: string; readonly line: SoldLine };

/** A holder of inventory for a time that was not bought yet. */
type TimedHolder = {
  readonly scope: string;
  readonly holder_id: string;
  readonly expiresMs: number;
  readonly nowMs: number;
  readonly field: FieldOf;
};

/** Holds what planned lines need until a moment, and returns it. Throws PRODUCT_UNAVAILABLE where a book has not so much left. */
export async function holdPlanned(
  tx: Writer,
  { scope, holder_id, expiresMs, nowMs, field }: TimedHolder,
  lines: readonly PlannedLine[],
): Promise<readonly Hold[]> {
  await releaseHolder(tx, holder_id);
  const books = await Books.open(tx, scope, nowMs);
  const held: Hold[] = [];
  const total = lines.reduce((sum, { line }) => sum + line.budget, 0);
  for (const [index, { product_id, line }] of lines.entries()) {
    if (!isReserved({ canceled: false, sold: line.sold })) continue;
    const hold: Hold = {
      package_id: `${holder_id}#${index}`,
      holder_id,
      scope,
      product_id,
      expires_at: expiresMs,
      category: null,
      advertiser: null,
      runs: [],
    };
    held.push({ ...hold, runs: await books.reserve(line, hold, { field, part: line.budget / total }) });
  }
  await books.write();
  return held;
}

/** Gives back all that a proposal or a task holds. */
export async function releaseHolder(tx: Writer, holder_id: string): Promise<void> {
  const books = new Books(tx, 0);
  for (const hold of await tx.inventory.heldBy(holder_id)) await books.remove(hold);
  await books.write();
}

/** Returns what some holders hold. */
export async function listHeld(db: Reader, holders: readonly string[]): Promise<readonly Hold[]> {
  const held = await Promise.all(holders.map((holder) => db.inventory.heldBy(holder)));
  return held.flat();
}

/** Who holds what a buy is to have, and until when (ms), if that ends by itself. */
type LaterHolder = { readonly holder_id: string; readonly expires_at: number | null };

/** Holds for a request or amendment that waits what it would hold beyond what its buy and proposal hold already. */
export async function holdBeyond(
  tx: Writer,
  { holder_id, expires_at }: LaterHolder,
  wanted: readonly Hold[],
  present: readonly Hold[],
): Promise<void> {
  const books = new Books(tx, 0);
  for (const [index, hold] of wanted.entries()) {
    const own = present.filter(({ scope, product_id }) => scope === hold.scope && product_id === hold.product_id);
    const others = wanted.slice(0, index).filter(({ product_id }) => product_id === hold.product_id);
    // What stands for one line does not stand for the next.
    const runs = subtractRuns(hold.runs, subtractRuns(sumRuns(own), sumRuns(others)));
    if (runs.length === 0) continue;
    await books.save({ ...hold, package_id: `${holder_id}#${index}`, holder_id, expires_at }, runs);
  }
  await books.write();
}

function sumRuns(holds: readonly Hold[]): readonly Run[] {
  return holds.flatMap(({ runs }) => runs);
}

/** Takes holds that have ended by themselves out of every scope's books. */
export async function releaseExpired(store: Store, nowOf: (scope: string) => number): Promise<void> {
  for (const { scope, expires_at } of await store.read.inventory.expiring()) {
    const nowMs = nowOf(scope);
    if (expires_at > nowMs) continue;
    await store.transact(async (tx) => (await Books.open(tx, scope, nowMs)).write());
  }
}

/** So many earlier buys are given their holds in one transaction. */
const MAX_EARLIER_BUYS = 50;

/** Holds for buys from before inventory was held what they were promised, as far as it is left; the first buys first. */
export async function holdEarlierBuys(
  store: Store,
  nowOf: (owner: string) => number,
  follow: (tx: Writer, owner: string, buy: MediaBuy) => Promise<void>,
): Promise<void> {
  await runSlices(
    async (limit) => {
      const ids = await store.read.inventory.backlog(Math.min(limit, MAX_EARLIER_BUYS));
      if (ids.length === 0) return false;
      await store.transact(async (tx) => {
        for (const id of ids) {
          const owned = await tx.mediaBuys.findAnywhere(id);
          await tx.inventory.finishBacklog(id);
          if (owned === undefined) continue;
          const { owner, buy } = owned;
          await holdInventory(tx, { owner, buy, field: fieldOfNone, nowMs: nowOf(owner), isPartial: true });
          await follow(tx, owner, buy);
        }
      });
      return true;
    },
    () => false,
  );
}

/** Returns paths for a buy that no request is about. */
export function fieldOfNone(): FieldOf {
  return (member) => member;
}

/** Returns what stays held of a package that has ended: the days that it ran on, today's too. */
function givenBack(runs: readonly Run[], nowMs: number, startMs: number): readonly Run[] {
  return runsBefore(runs, midnightOf(nowMs) + (startMs < nowMs ? DAY_MS : 0));
}

function newHold(book: Book, { media_buy_id }: MediaBuy, { package_id, sold }: Package, advertiser: Advertiser): Hold {
  const isOfCategory = sold.exclusivity === 'category';
  return {
    ...book,
    package_id,
    holder_id: media_buy_id,
    expires_at: null,
    category: isOfCategory ? advertiser.industries.join(',') : null,
    advertiser: isOfCategory ? advertiser.domain : null,
    runs: [],
  };
}

/** Where a line is in its request, and whether it takes what is left where it is too little. */
type Reservation = Pick<HoldRequest, 'field' | 'isPartial' | 'part'>;

/** The books that one transaction changes: each day of each product is written once. */
class Books {
  readonly #tx: Writer;
  readonly #today: number;
  readonly #changes = new Map<string, { readonly book: Book; readonly days: Map<number, number> }>();

  constructor(tx: Writer, nowMs: number) {
    this.#tx = tx;
    this.#today = midnightOf(nowMs);
  }

  /** Opens the books of a scope, without the holds that have ended by themselves. */
  static async open(tx: Writer, scope: string, nowMs: number): Promise<Books> {
    const books = new Books(tx, nowMs);
    for (const hold of await tx.inventory.expired(scope, nowMs)) await books.remove(hold);
    return books;
  }

  /** Holds the days that a line needs from today on, and returns them. Its hold was given back before. */
  async reserve(line: SoldLine, hold: Hold, { field, isPartial, part }: Reservation): Promise<readonly Run[]> {
    if (isPartial !== true) checkHorizon(line, this.#today, field('product_id'));
    if (hold.category !== null && isPartial !== true) await this.#checkRivals(line, hold, field);
    const last = Date.parse(line.end_time) + (SEARCHED_DAYS + 1) * DAY_MS;
    const held = await this.#heldDays(hold, last);
    const runs = reserveDays({ line, held, own: hold.runs, fromMs: this.#today, field, isPartial, part });
    await this.save(hold, [...runsBefore(hold.runs, this.#today), ...runs]);
    return runs;
  }

  /** Takes all that a hold has out of its book, until it is saved again. */
  giveBack(hold: Hold): void {
    this.#count(hold, hold.runs, -1);
  }

  /** Stores what a package holds, of days that have passed too. */
  async save(hold: Hold, runs: readonly Run[]): Promise<void> {
    await this.#tx.inventory.save({ ...hold, runs });
    this.#count(hold, runs, 1);
  }

  /** Takes a hold out of its book for good. */
  async remove(hold: Hold): Promise<void> {
    this.giveBack(hold);
    await this.#tx.inventory.remove(hold);
  }

  async write(): Promise<void> {
    const pace = startPace();
    for (const { book, days } of this.#changes.values()) {
      for (const [day, amount] of days) {
        if (amount !== 0) await this.#tx.inventory.add(book, day, amount);
        // A flight of many years has thousands of days.
        if (pace.isDue()) await pace.rest();
      }
    }
  }

  /** Returns what is held on the days from today to `last`, changes of this transaction included. */
  async #heldDays(book: Book, last: number): Promise<ReadonlyMap<number, number>> {
    const held = await this.#tx.inventory.days(book, this.#today, last);
    for (const [day, amount] of this.#daysOf(book)) held.set(day, (held.get(day) ?? 0) + amount);
    return held;
  }

  async #checkRivals(line: SoldLine, hold: Hold, field: FieldOf): Promise<void> {
    const industries = (hold.category ?? '').split(',').filter((each) => each !== '');
    if (industries.length === 0) throw noIndustryNamed('advertiser_industry');
    const advertiser = { domain: hold.advertiser ?? '', industries };
    const rivals = listRivals(await this.#tx.inventory.ofCategories(hold), advertiser);
    checkRivals(
      line,
      rivals.map(({ runs }) => runs),
      this.#today,
      field('product_id'),
    );
  }

  #count(book: Book, runs: readonly Run[], sign: 1 | -1): void {
    const days = this.#daysOf(book);
    for (const [day, amount] of listDays(runs)) days.set(day, (days.get(day) ?? 0) + sign * amount);
  }

  #daysOf({ scope, product_id }: Book): Map<number, number> {
    const key = JSON.stringify([scope, product_id]);
    const changes = this.#changes.get(key) ?? { book: { scope, product_id }, days: new Map<number, number>() };
    this.#changes.set(key, changes);
    return changes.days;
  }
}
