import { isoTime, SECOND_MS } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import {
  adviseOn,
  BY_HAND_REMEDY,
  DELIVERY_REMEDY,
  isByHand,
  type OrderBooking,
} from '../../domain/booking/booking.js';
import { DRIFT_REMEDY, describeDrift } from '../../domain/booking/drift.js';
import { fulfillmentOf } from '../../domain/media-buy/fulfillment.js';
import { type MediaBuy, totalBudget } from '../../domain/media-buy/media-buy.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { DeliveryPull } from '../../store/adserver/delivery-pulls.js';
import type { OrderInspection } from '../../store/adserver/order-inspections.js';
import type { OwnedBuy } from '../../store/media-buys/media-buys.js';
import type { Reader } from '../../store/store.js';
import { readOrderId } from '../task/approvals.js';
import { choosePreview } from '../task/waiting-creatives.js';
import { findHandBooked } from './by-hand.js';
import { readIds, saveLineIds } from './ids.js';

/** An order that a person has to book, or to book again since it changed. */
export type OpenOrder = {
  readonly media_buy_id: string;
  readonly tenant: string;
  readonly principal: string;
  readonly advertiser: string;
  readonly status: string;
  readonly revision: number;
  readonly budget: number;
  readonly currency: string;
  /** Its id in the seller's ad server, where it was booked before. */
  readonly order_id: string | undefined;
  /** Since when it waits for a person; undefined until somebody looked, within a minute. */
  readonly waiting_since: string | undefined;
  /** When people were reminded of it last. */
  readonly reminded_at: string | undefined;
  /** Why the ad server has not taken it, where it goes to one. */
  readonly trouble: string | undefined;
  /** What to do about that. */
  readonly todo: string | undefined;
  /** Who accepted which insertion order, and when; undefined where it was bought without one. */
  readonly insertion_order: string | undefined;
  /** The last changes, newest first. */
  readonly changes: readonly string[];
  readonly packages: readonly string[];
  /** What is to run in them, with where its files are. */
  readonly creatives: readonly string[];
};

const MAX_LISTED = 200;
const MAX_CHANGES = 5;
/** Of an order; the others are in list_creatives. */
const MAX_CREATIVES = 50;

/** Returns the orders that are not booked as they are, those that wait for a person's hand first, and those booked that have other troubles in their ad servers. */
export async function readOrders({ clock, store }: App): Promise<{ readonly orders: readonly OpenOrder[] }> {
  const { deliveryPulls, orderBookings, orderInspections, orderLines, orderWaits } = store.read;
  const rows = await findOpen(store.read, clock.now());
  const ids = rows.map(({ buy }) => buy.media_buy_id);
  const histories = await store.read.mediaBuys.history(ids, MAX_CHANGES);
  const bookings = await Promise.all(ids.map((id) => orderBookings.find(id)));
  const waits = await Promise.all(ids.map((id) => orderWaits.find(id)));
  const lines = await Promise.all(ids.map((id) => orderLines.ofBuy(id)));
  const inspections = await Promise.all(ids.map((id) => orderInspections.find(id)));
  const pulls = await Promise.all(ids.map((id) => deliveryPulls.find(id)));
  const creatives = await Promise.all(rows.map(({ owner, buy }) => describeCreatives(store.read, owner, buy)));
  const orders = rows.map(({ owner, buy }, index) => ({
    media_buy_id: buy.media_buy_id,
    ...readOwner(owner),
    advertiser: buy.brand.domain,
    status: buy.status,
    revision: buy.revision,
    budget: totalBudget(buy),
    currency: buy.currency,
    order_id: bookings[index]?.foreign?.order ?? buy.booked_by_hand?.order_id,
    waiting_since: timeOf(waits[index]?.since),
    reminded_at: timeOf(waits[index]?.reminded_at),
    ...describeTrouble(buy, bookings[index], inspections[index], pulls[index]),
    insertion_order: describeAcceptance(buy),
    changes: (histories.get(buy.media_buy_id) ?? []).map(
      ({ revision, timestamp, action, actor }) => `${timestamp} revision ${revision}: ${action} by ${actor}`,
    ),
    packages: buy.packages.map((line) =>
      describePackage(line, { ...bookings[index]?.foreign?.packages, ...lines[index] }[line.package_id]),
    ),
    creatives: creatives[index] ?? [],
  }));
  return { orders };
}

/** Returns the orders that a person has to book or to look at: what an ad server will not have first, then those booked by hand, longest first. */
export async function findWaiting({ mediaBuys }: Pick<Reader, 'mediaBuys'>): Promise<readonly OwnedBuy[]> {
  const unbookable = await mediaBuys.unbookable(MAX_LISTED);
  return [...unbookable, ...(await mediaBuys.unbooked('manual', MAX_LISTED))].slice(0, MAX_LISTED);
}

/** How long an ad server may take before somebody hears of it. */
const PATIENCE_MS = 30 * SECOND_MS;

/** Returns the orders that are not booked as they are, those that their ad servers have otherwise, and those whose delivery cannot be read. */
async function findOpen(
  db: Pick<Reader, 'deliveryPulls' | 'mediaBuys' | 'orderInspections'>,
  nowMs: number,
): Promise<readonly OwnedBuy[]> {
  const unbooked = await findUnbooked(db, nowMs);
  const listed = new Set(unbooked.map(({ buy }) => buy.media_buy_id));
  const booked = [...(await db.orderInspections.drifted(MAX_LISTED)), ...(await db.deliveryPulls.failing(MAX_LISTED))];
  const ids = new Set(booked.map(({ media_buy_id }) => media_buy_id));
  const fresh = [...ids].filter((id) => !listed.has(id)).slice(0, MAX_LISTED - unbooked.length);
  const troubled = await Promise.all(fresh.map((id) => db.mediaBuys.findAnywhere(id)));
  return [...unbooked, ...troubled.flatMap((owned) => owned ?? [])];
}

async function findUnbooked(db: Pick<Reader, 'mediaBuys'>, nowMs: number): Promise<readonly OwnedBuy[]> {
  const waiting = await findWaiting(db);
  const listed = new Set(waiting.map(({ buy }) => buy.media_buy_id));
  const troubled = await db.mediaBuys.troubled(nowMs - PATIENCE_MS, MAX_LISTED);
  return [...waiting, ...troubled.filter(({ buy }) => !listed.has(buy.media_buy_id))].slice(0, MAX_LISTED);
}

function describeTrouble(
  buy: MediaBuy,
  booking: OrderBooking | undefined,
  inspection: OrderInspection | undefined,
  pull: DeliveryPull | undefined,
): Pick<OpenOrder, 'trouble' | 'todo'> {
  if (fulfillmentOf(buy) === 'manual') return { trouble: undefined, todo: undefined };
  if (booking?.state === 'booked' && booking.booked !== undefined && inspection?.drift_since)
    return {
      trouble: `ad server ${booking.ad_server}: changed by hand, seen since ${isoTime(inspection.drift_since)}: ${describeDrift(inspection.drift)}`,
      todo: DRIFT_REMEDY,
    };
  if (booking?.state === 'booked' && pull?.failing_since)
    return {
      trouble: `ad server ${booking.ad_server}: delivery cannot be read since ${isoTime(pull.failing_since)}: ${pull.trouble}`,
      todo: DELIVERY_REMEDY,
    };
  const todo = adviseOn(booking);
  if (booking === undefined) return { trouble: 'ad server: not asked yet', todo };
  const { ad_server = '', state, revision, attempts, first_at, reason = '' } = booking;
  const tried = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} since ${isoTime(first_at)}`;
  return { trouble: `ad server ${ad_server}: ${state} at revision ${revision}, ${tried}: ${reason}`, todo };
}

function describeAcceptance({ io_acceptance: accepted }: MediaBuy): string | undefined {
  if (accepted === undefined) return undefined;
  const { io_id, signatory, accepted_at, signature_id, text_digest } = accepted;
  const signature = signature_id === undefined ? '' : `, signature ${signature_id}`;
  return `${io_id} accepted by ${signatory} at ${accepted_at}${signature}, text ${text_digest}`;
}

function timeOf(ms: number | null | undefined): string | undefined {
  return ms === null || ms === undefined ? undefined : isoTime(ms);
}

function describePackage(line: MediaBuy['packages'][number], lineId: string | undefined): string {
  const { budget, canceled, end_time, package_id, paused, product_id, start_time } = line;
  const parts = [`${package_id} ${product_id}`, String(budget), `${start_time} to ${end_time}`];
  if (canceled) parts.push('canceled');
  else if (paused) parts.push('paused');
  if (lineId !== undefined) parts.push(`line ${lineId}`);
  return parts.join(', ');
}

async function describeCreatives(
  db: Reader,
  owner: string,
  { media_buy_id }: Pick<MediaBuy, 'media_buy_id'>,
): Promise<readonly string[]> {
  const assigned = (await db.creatives.assignedTo([media_buy_id])).slice(0, MAX_CREATIVES);
  if (assigned.length === 0) return [];
  const creativeIds = assigned.map(({ creative_id }) => creative_id);
  const page = { limit: MAX_CREATIVES, after: undefined };
  const filter = { creativeIds, mediaBuyIds: [media_buy_id] };
  const rows = await db.creatives.list(owner, page, filter, { field: 'created_date', direction: 'asc' });
  const byId = new Map(rows.map(({ creative }) => [creative.creative_id, creative]));
  return assigned.map(({ creative_id, package_id, status, weight }) => {
    const creative = byId.get(creative_id);
    const share = weight === undefined ? '' : `, weight ${weight}`;
    const format = creative === undefined ? '' : `, ${creative.format_id.id}`;
    const preview = creative && choosePreview(creative);
    return `${package_id} creative ${creative_id}, ${status}${share}${format}${preview === undefined ? '' : `  ${preview}`}`;
  });
}

/** A booking by a person, and what is theirs to do from now on where an ad server was to do it. */
type RecordedBooking = {
  readonly media_buy_id: string;
  readonly revision: number;
  readonly order_id: string | undefined;
  readonly todo: string | undefined;
};

/** Records that a person has booked an order as it is now, with the ids that it has there. Throws REFERENCE_NOT_FOUND, INVALID_STATE, or CONFLICT for an older revision. */
export async function recordBooking(app: App, mediaBuyId: string, body: unknown): Promise<RecordedBooking> {
  const { lines, order_id, revision } = isObject(body) ? body : {};
  const orderId = readOrderId(order_id);
  const lineIds = readIds('lines', lines);
  return app.store.transact(async (tx) => {
    const { owner, buy } = await findHandBooked(tx, mediaBuyId);
    if (revision !== undefined && revision !== buy.revision) {
      throw new TaskError('CONFLICT', `The order is at revision ${buy.revision} by now.`, {
        field: 'revision',
        suggestion: 'List the orders again and book what changed.',
      });
    }
    await saveLineIds(tx, buy, lineIds);
    const booked = await app.booking.bookByHand(tx, owner, buy, orderId);
    const isInPlace = isByHand(booked, await tx.orderBookings.find(mediaBuyId));
    return {
      media_buy_id: mediaBuyId,
      revision: buy.revision,
      order_id: booked.booked_by_hand?.order_id,
      todo: isInPlace ? BY_HAND_REMEDY : undefined,
    };
  });
}
