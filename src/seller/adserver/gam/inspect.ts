import { isDeepStrictEqual } from 'node:util';
import { parseDateTime } from '../../../platform/kernel/clock.js';
import type { ForeignIds } from '../../domain/booking/foreign-ids.js';
import type { LiveOrder, LivePackage } from '../../domain/booking/live-order.js';
import { OrderRefusedError, RetryLaterError, UnknownOutcomeError } from '../errors.js';
import type { CallContext } from '../port/adapter.js';
import type { InspectedOrder, InspectedPackage } from '../port/answers.js';
import type { BookedOrder } from '../port/delivery.js';
import { Readings } from '../readings.js';
import { listLines, termsOf } from './book/lines.js';
import { stateOf } from './book/states.js';
import { TermsError } from './mapping/errors.js';
import { fromMicros, readMoney } from './mapping/money.js';
import { idOf } from './mapping/names.js';
import { changedMembers, MOVED_MS, type RestLine } from './mapping/rest-line.js';
import { dayPartKeys } from './mapping/targeting.js';
import type { LineTerms } from './mapping/terms.js';
import { calendarDays } from './mapping/times.js';
import type { GamNetwork } from './network.js';
import type { Association } from './soap/services.js';

/** An order, and the line items that the network has of it by package. */
type ReadOrder = BookedOrder & { readonly lines: ReadonlyMap<string, RestLine> };

/** The facts of a line item that REST lacks; undefined where they cannot be read now: the rest is seen without them. */
type Beside = {
  /** By line item. */
  readonly shown: ReadonlyMap<string, readonly Association[]> | undefined;
  readonly hours: ReadonlyMap<string, readonly string[]> | undefined;
};

/** The parts of days of so many line items are asked for at a time: those that were changed, then those that were read longest ago. */
const MAX_HOURS = 50;

/** Reads what a network has of orders. It remembers the parts of days of line items, which REST does not tell. */
export class OrderInspector {
  readonly #network: GamNetwork;
  readonly #hours = new Readings<readonly string[]>(MAX_HOURS);

  constructor(network: GamNetwork) {
    this.#network = network;
  }

  /** Returns what the network has of orders. */
  async inspect(orders: readonly BookedOrder[], { signal }: CallContext): Promise<readonly InspectedOrder[]> {
    const network = this.#network;
    const byOrder = await listLines(
      network,
      orders.flatMap(({ foreign }) => foreign.order ?? []),
      signal,
    );
    const present = orders.flatMap((booked): readonly ReadOrder[] => {
      const lines = byOrder.get(booked.foreign.order ?? '');
      return lines === undefined ? [] : [{ ...booked, lines }];
    });
    const ids = present.flatMap(({ lines }) => [...lines.values()].map(({ name }) => idOf(name)));
    const shown = await unlessSilent(async () => byLine(await network.soap.listAssociations(ids, signal)));
    const hours = await unlessSilent(() => this.#readHours(present, signal));
    return present.map((one) => ({
      media_buy_id: one.order.media_buy_id,
      packages: one.lines.size === 0 ? [] : inspectLines(network, one, { shown, hours }),
    }));
  }

  #readHours(found: readonly ReadOrder[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly string[]>> {
    const asked = found.flatMap(({ lines }) =>
      [...lines.values()].map(({ name, updateTime }) => ({ id: idOf(name), mark: String(updateTime) })),
    );
    return this.#hours.refresh(asked, (ids) => this.#network.soap.listDayParts(ids, signal));
  }
}

function byLine(associations: readonly Association[]): ReadonlyMap<string, readonly Association[]> {
  const shown = new Map<string, Association[]>();
  for (const one of associations) {
    const own = shown.get(one.lineItemId);
    if (own === undefined) shown.set(one.lineItemId, [one]);
    else own.push(one);
  }
  return shown;
}

/** Returns what the SOAP API answers; undefined where it does not answer just now. */
async function unlessSilent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const kinds = [OrderRefusedError, RetryLaterError, UnknownOutcomeError];
    if (kinds.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

function inspectLines(
  network: GamNetwork,
  { foreign, lines, order }: ReadOrder,
  { hours, shown }: Beside,
): readonly InspectedPackage[] {
  return Object.keys(foreign.packages ?? {}).map((package_id) => {
    const there = lines.get(package_id);
    if (there === undefined) return { package_id, state: 'missing' };
    const id = idOf(there.name);
    const running = shown && (shown.get(id) ?? []).filter(({ status }) => status === 'ACTIVE');
    return {
      ...inspectLine(package_id, there),
      ...inspectTerms(network, order, there, hours?.get(id)),
      creative_ids: running && [...new Set(running.flatMap(({ creativeId }) => ourCreative(foreign, creativeId)))],
    };
  });
}

function inspectLine(package_id: string, line: RestLine): InspectedPackage {
  const state = stateOf(line);
  return {
    package_id,
    state: state === 'refused' ? 'canceled' : state,
    end_time: line.targetEndTime,
    remarks: state === 'refused' ? [`Its status is ${String(line.status)}.`] : undefined,
  };
}

function ourCreative({ others }: ForeignIds, id: string): readonly string[] {
  const ours = others?.[`creative:${id}`];
  return ours === undefined ? [] : [ours];
}

/** Returns what can be told of a line by the terms of its package alone. */
function inspectTerms(
  network: GamNetwork,
  order: LiveOrder,
  there: RestLine,
  hours: readonly string[] | undefined,
): Partial<InspectedPackage> {
  const line = order.packages.find(({ package_id }) => package_id === there.externalLineItemId);
  const terms = line && readTerms(network, order, line);
  if (line === undefined || terms === undefined) return {};
  const nowMs = network.clock.now();
  const changed = changedMembers(there, terms, nowMs);
  const startedMs = parseDateTime(there.startTime ?? '');
  const isElsewhere = changed.includes('targeting') || changed.includes('frequencyCaps');
  const areHoursRight = hours && isDeepStrictEqual(hours, dayPartKeys(terms.targeting));
  const isMoved = startedMs !== undefined && Math.abs(startedMs - Date.parse(line.start_time)) > MOVED_MS;
  return {
    // One that was to start at once starts a little later.
    start_time: isMoved ? there.startTime : undefined,
    ...inspectPrice(network, line, there),
    is_targeted_as_ordered: isElsewhere ? false : areHoursRight,
  };
}

/**
 * Returns the price and goal of a line; the goal of a sponsorship is a part, and its price one per day of the flight.
 */
function inspectPrice({ zone }: GamNetwork, line: LivePackage, there: RestLine): Partial<InspectedPackage> {
  const micros = readMoney(there.rate);
  const units = there.goal?.units;
  const price = micros === undefined ? undefined : fromMicros(micros);
  if (there.lineItemType !== 'SPONSORSHIP') return { goal: units === undefined ? undefined : Number(units), price };
  const days = calendarDays(zone, Date.parse(line.start_time), Date.parse(line.end_time));
  return { price: price === undefined ? undefined : price * days };
}

/** Returns the terms of a package; undefined where its settings have none of it any more. */
function readTerms(network: GamNetwork, order: LiveOrder, line: LivePackage): LineTerms | undefined {
  try {
    return termsOf(network, order, line);
  } catch (error) {
    if (error instanceof TermsError) return undefined;
    throw error;
  }
}
