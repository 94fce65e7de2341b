import { TaskError } from '../../../protocol/errors.js';
import { readOrderCreatives } from '../../adserver/order-creatives.js';
import type { App } from '../../context.js';
import { joinForeignIds } from '../../domain/booking/foreign-ids.js';
import { isLive, makeOrder } from '../../domain/booking/live-order.js';
import { makeSheet, type TraffickingSheet, withoutFiles } from '../../domain/booking/sheet.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { OwnedBuy } from '../../store/media-buys/media-buys.js';
import { findWaiting } from './orders.js';

/** Trafficking sheets; `more` says that further orders wait, whose sheets did not fit. */
type Sheets = { readonly sheets: readonly TraffickingSheet[]; readonly more: boolean };

/** Of all sheets of an answer, as JSON. */
const MAX_SHEETS_CHARS = 8_000_000;

/** Returns the sheet of an order, or without an id those of the orders that wait for a person, longest first. Throws REFERENCE_NOT_FOUND. */
export async function readSheets(app: App, mediaBuyId?: string): Promise<Sheets> {
  const rows = mediaBuyId === undefined ? await findWaiting(app.store.read) : [await findOrder(app, mediaBuyId)];
  const sheets: TraffickingSheet[] = [];
  let left = MAX_SHEETS_CHARS;
  for (const row of rows) {
    const whole = await readSheet(app, row);
    if (whole === undefined) continue;
    const sheet = JSON.stringify(whole).length > left ? withoutFiles(whole) : whole;
    left -= JSON.stringify(sheet).length;
    if (left < 0 && sheets.length > 0) return { sheets, more: true };
    sheets.push(sheet);
  }
  return { sheets, more: false };
}

async function findOrder({ store }: App, mediaBuyId: string): Promise<OwnedBuy> {
  const owned = await store.read.mediaBuys.findAnywhere(mediaBuyId);
  if (owned !== undefined && isLive(owned.buy)) return owned;
  throw new TaskError('REFERENCE_NOT_FOUND', 'There is no order of this id that is real money.', {
    field: 'media_buy_id',
    suggestion: 'Use a media_buy_id from the list of orders; orders of sandboxes are booked nowhere.',
  });
}

async function readSheet({ sellers, store }: App, { buy, owner }: OwnedBuy): Promise<TraffickingSheet | undefined> {
  if (!isLive(buy)) return undefined;
  const { principal, tenant } = readOwner(owner);
  const products = sellers().get(tenant)?.products;
  const order = makeOrder(buy, {
    creatives: await readOrderCreatives(store.read, { owner, buy }),
    adapterOf: (id) => products?.get(id)?.inventory.adapter,
    nameOf: (id) => products?.get(id)?.name,
  });
  const booking = await store.read.orderBookings.find(buy.media_buy_id);
  const packages = await store.read.orderLines.ofBuy(buy.media_buy_id);
  const byHand = buy.booked_by_hand?.order_id;
  const entered = byHand === undefined ? { packages } : { order: byHand, packages };
  const foreign = joinForeignIds(booking?.foreign, entered);
  return makeSheet(order, { tenant, principal, foreign });
}
