import { parseDateTime } from '../../../../platform/kernel/clock.js';
import { withoutUndefined } from '../../../../platform/kernel/json/json.js';
import type { LiveOrder, LivePackage } from '../../../domain/booking/live-order.js';
import { idOf } from '../mapping/names.js';
import { changedMembers, type RestLine, restLine } from '../mapping/rest-line.js';
import { soapLine } from '../mapping/soap-line.js';
import { type LineTerms, lineTerms } from '../mapping/terms.js';
import type { GamNetwork } from '../network.js';
import { NotOfferedError } from '../rest.js';
import { readProduct } from '../settings.js';
import type { SoapObject } from '../soap/envelope.js';

/** So many orders are named in a filter, which is a part of an address. */
const ORDERS_IN_FILTER = 40;

/** Line items that carry the ids of packages, by those; archived ones where there is no other. */
type LinesByPackage = ReadonlyMap<string, RestLine>;

/** Returns the line items of an order. */
export async function findLines(network: GamNetwork, orderId: string, signal: AbortSignal): Promise<LinesByPackage> {
  return (await listLines(network, [orderId], signal)).get(orderId) ?? new Map();
}

/** Returns the line items of orders, by the ids of those; nothing of an order that has none. */
export async function listLines(
  { rest }: GamNetwork,
  orderIds: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, LinesByPackage>> {
  const all: RestLine[] = [];
  for (let at = 0; at < orderIds.length; at += ORDERS_IN_FILTER) {
    const named = orderIds.slice(at, at + ORDERS_IN_FILTER).map((id) => `order = "${rest.nameOf('orders', id)}"`);
    all.push(...((await rest.list('lineItems', named.join(' OR '), signal)) as readonly RestLine[]));
  }
  const archivedFirst = all.toSorted((one, other) => Number(other.archived === true) - Number(one.archived === true));
  const byOrder = new Map(orderIds.map((id) => [id, new Map<string, RestLine>()]));
  for (const line of archivedFirst) {
    const { externalLineItemId: id } = line;
    if (id !== undefined && id !== '') byOrder.get(idOf(line.order))?.set(id, line);
  }
  return byOrder;
}

/** Returns a package in the terms of Ad Manager. Throws TermsError. */
export function termsOf({ clock, settings, zone }: GamNetwork, order: LiveOrder, line: LivePackage): LineTerms {
  return lineTerms(order, line, { settings, zone, product: readProduct(line.adapter), nowMs: clock.now() });
}

/** Creates a line item, by the API that can; returns its id. */
export async function createLine(
  network: GamNetwork,
  orderId: string,
  terms: LineTerms,
  signal: AbortSignal,
): Promise<string> {
  const { rest, settings, soap } = network;
  if (terms.targeting.dayParts.length === 0) {
    try {
      return idOf((await rest.create('lineItems', restLine(terms, settings.network_code, orderId), signal)).name);
    } catch (error) {
      if (!(error instanceof NotOfferedError)) throw error;
    }
  }
  return soap.createLineItem(soapLine(terms, clockOf(network), { orderId }), signal);
}

/** Changes what of a line item differs from its package, by the API that can. `areDayPartsNew`: the parts of days are others than those that were booked. */
export async function changeLine(
  network: GamNetwork,
  line: RestLine,
  terms: LineTerms,
  { areDayPartsNew, signal }: { readonly areDayPartsNew: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { clock, rest, settings, soap } = network;
  const changed = changedMembers(line, terms, clock.now());
  if (changed.length === 0 && !areDayPartsNew) return;
  const body = restLine(terms, settings.network_code, idOf(line.order));
  // A targeting without parts of days, which is all that REST can say, might take away those that are there.
  if (!areDayPartsNew && (terms.targeting.dayParts.length === 0 || !changed.includes('targeting'))) {
    try {
      const members = Object.fromEntries(changed.map((name) => [name, body[name]]));
      await rest.patch(line.name, changed, members, signal);
      return;
    } catch (error) {
      if (!(error instanceof NotOfferedError)) throw error;
    }
  }
  const whole = soapLine(terms, clockOf(network), {});
  const { endDateTime, ...others } = whole;
  const start: SoapObject = changed.includes('startTime') ? {} : WITHOUT_START;
  await soap.updateLineItem(idOf(line.name), { ...withoutUndefined({ ...others, ...start }), endDateTime }, signal);
}

const WITHOUT_START: SoapObject = { startDateTime: undefined, startDateTimeType: undefined };

/** What is done to a line item, by the names of both APIs. */
const ACTIONS = {
  pause: ['batchPause', 'PauseLineItems'],
  resume: ['batchResume', 'ResumeLineItems'],
  reserve: ['batchReserve', 'ReserveLineItems'],
  archive: ['batchArchive', 'ArchiveLineItems'],
} as const;

/** Does something to a line item, by the API that can. */
export async function actOnLine(
  { rest, soap }: GamNetwork,
  action: keyof typeof ACTIONS,
  { name }: Pick<RestLine, 'name'>,
  signal: AbortSignal,
): Promise<void> {
  const [byRest, bySoap] = ACTIONS[action];
  try {
    await rest.act('lineItems', byRest, [name], signal);
  } catch (error) {
    if (!(error instanceof NotOfferedError)) throw error;
    await soap.actOnLineItem(bySoap, idOf(name), signal);
  }
}

function clockOf({ settings, zone }: GamNetwork) {
  return { zone, zoneName: settings.time_zone };
}

/** Whether the flight of a line item is over, so that there is nothing to change any more. */
export function isOver({ targetEndTime }: RestLine, nowMs: number): boolean {
  return (parseDateTime(targetEndTime ?? '') ?? Number.POSITIVE_INFINITY) <= nowMs;
}
