import { startPace } from '../../../../platform/kernel/event-loop.js';
import { type MediaBuy, totalBudget } from '../../../domain/media-buy/media-buy.js';
import type { Visit } from '../../visit.js';
import { deliveryOf } from '../buys/delivery-series.js';
import type { Delivered } from './groups.js';

/** Running buys that are read from the store at once. */
const BATCH = 100;

/** A running buy, what it spent, and how far it is of an even flight: 1 is on plan. */
export type Paced = Delivered & {
  readonly spend: number | undefined;
  readonly impressions: number | undefined;
  readonly pace: number | undefined;
};

/** The filter of running buys: those of a buyer, and the packages of products whose id has a text in it. */
export type Narrowed = { readonly owner: string | undefined; readonly product: string | undefined };

/** Where the running buys that were not read yet begin. */
export type Position = { readonly dueMs: number; readonly seq: number };

/** Some of the running buys, and where the next ones begin; undefined where there are no more. */
export type PacedPage = { readonly rows: readonly Paced[]; readonly next: Position | undefined };

/** How many running buys are shown, and how many are looked at to find them. */
export type Bound = { readonly shown: number; readonly looked: number };

const START: Position = { dueMs: -1, seq: 0 };

/** Returns what running buys are narrowed to by an address. */
export function narrowedBy({ query }: Pick<Visit, 'query'>): Narrowed {
  return { owner: query.text('buyer'), product: query.text('product')?.toLowerCase() };
}

/** Reads a position from an address; the beginning where it has none. */
export function readPosition(text: string | undefined): Position {
  const [, dueMs, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(text ?? '') ?? [];
  return dueMs === undefined ? START : { dueMs: Number(dueMs), seq: Number(seq) };
}

/** Writes a position as an address has it. */
export function writePosition({ dueMs, seq }: Position): string {
  return `${dueMs}.${seq}`;
}

/** Returns running buys from a position on with what they delivered, those that end first before others. */
export async function readRunning(
  visit: Pick<Visit, 'app'>,
  narrowed: Narrowed,
  from: Position,
  bound: Bound,
): Promise<PacedPage> {
  const clock = startPace();
  const rows: Paced[] = [];
  let looked = 0;
  for (let at = from; ; ) {
    const page = { ...at, limit: BATCH + 1 };
    const read = await visit.app.store.read.mediaBuys.running(narrowed.owner, page);
    for (const [index, { buy, dueMs, owner, seq }] of read.slice(0, BATCH).entries()) {
      const paced = await readPaced(visit, narrowBuy(buy, narrowed), owner);
      if (paced !== undefined) rows.push(paced);
      looked += 1;
      at = { dueMs, seq };
      if (clock.isDue()) await clock.rest();
      const isLast = index + 1 === read.length;
      if (rows.length === bound.shown || looked === bound.looked) return { rows, next: isLast ? undefined : at };
    }
    if (read.length <= BATCH) return { rows, next: undefined };
  }
}

/** Returns a buy with those of its packages that are asked for; undefined where it has none. */
function narrowBuy(buy: MediaBuy, { product }: Narrowed): MediaBuy | undefined {
  if (product === undefined) return buy;
  const packages = buy.packages.filter(({ product_id }) => product_id.toLowerCase().includes(product));
  return packages.length === 0 ? undefined : { ...buy, packages };
}

async function readPaced(
  { app }: Pick<Visit, 'app'>,
  buy: MediaBuy | undefined,
  owner: string,
): Promise<Paced | undefined> {
  if (buy === undefined) return undefined;
  const nowMs = app.clock.nowOf(owner);
  const delivery = await deliveryOf(app, buy, nowMs);
  const { impressions, packages, spend } = delivery ?? {};
  return { buy, owner, nowMs, packages, spend, impressions, pace: paceOf(buy, spend, nowMs) };
}

function paceOf(buy: MediaBuy, spend: number | undefined, nowMs: number): number | undefined {
  const start = Date.parse(buy.start_time);
  const share = Math.min(1, (nowMs - start) / (Date.parse(buy.end_time) - start));
  const planned = totalBudget(buy) * share;
  return spend === undefined || planned <= 0 ? undefined : spend / planned;
}
