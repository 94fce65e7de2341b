import { parseDateTime } from '../../../platform/kernel/clock.js';
import type { ForeignIds } from '../../domain/booking/foreign-ids.js';
import type { LiveOrder, LivePackage } from '../../domain/booking/live-order.js';
import { OrderRefusedError, RetryLaterError, UnknownOutcomeError } from '../errors.js';
import type { CallContext } from '../port/adapter.js';
import type { InspectedOrder, InspectedPackage } from '../port/answers.js';
import type { BookedOrder } from '../port/delivery.js';
import { findLines, termsOf } from './book/lines.js';
import { stateOf } from './book/states.js';
import { TermsError } from './mapping/errors.js';
import { fromMicros, readMoney } from './mapping/money.js';
import { idOf } from './mapping/names.js';
import { changedMembers, MOVED_MS, type RestLine } from './mapping/rest-line.js';
import type { LineTerms } from './mapping/terms.js';
import { calendarDays } from './mapping/times.js';
import type { GamNetwork } from './network.js';
import type { Association } from './soap/services.js';

/** An order, and the line items that the network has of it by package. */
type FoundOrder = BookedOrder & { readonly lines: ReadonlyMap<string, RestLine> };

/** Returns what the network has of orders. */
export async function inspectOrders(
  network: GamNetwork,
  orders: readonly BookedOrder[],
  { signal }: CallContext,
): Promise<readonly InspectedOrder[]> {
  const found: FoundOrder[] = [];
  for (const booked of orders) {
    const { order } = booked.foreign;
    if (order !== undefined) found.push({ ...booked, lines: await findLines(network, order, signal) });
  }
  const ids = found.flatMap(({ lines }) => [...lines.values()].map(({ name }) => idOf(name)));
  const shown = await readShown(network, ids, signal);
  return found.map(({ foreign, lines, order }) => ({
    media_buy_id: order.media_buy_id,
    packages: lines.size === 0 ? [] : inspectLines(network, { foreign, lines, order }, shown),
  }));
}

/** Returns the creatives of line items; undefined where that API does not answer just now: the rest is seen without them. */
async function readShown(
  { soap }: GamNetwork,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Association[] | undefined> {
  try {
    return await soap.listAssociations(ids, signal);
  } catch (error) {
    const kinds = [OrderRefusedError, RetryLaterError, UnknownOutcomeError];
    if (kinds.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

function inspectLines(
  network: GamNetwork,
  { foreign, lines, order }: FoundOrder,
  shown: readonly Association[] | undefined,
): readonly InspectedPackage[] {
  return Object.keys(foreign.packages ?? {}).map((package_id) => {
    const there = lines.get(package_id);
    if (there === undefined) return { package_id, state: 'missing' };
    const id = idOf(there.name);
    const running = shown?.filter(({ lineItemId, status }) => lineItemId === id && status === 'ACTIVE');
    return {
      ...inspectLine(package_id, there),
      ...inspectTerms(network, order, there),
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
function inspectTerms(network: GamNetwork, order: LiveOrder, there: RestLine): Partial<InspectedPackage> {
  const line = order.packages.find(({ package_id }) => package_id === there.externalLineItemId);
  const terms = line && readTerms(network, order, line);
  if (line === undefined || terms === undefined) return {};
  const nowMs = network.clock.now();
  const changed = changedMembers(there, terms, nowMs);
  const startedMs = parseDateTime(there.startTime ?? '');
  const isMoved = startedMs !== undefined && Math.abs(startedMs - Date.parse(line.start_time)) > MOVED_MS;
  return {
    // One that was to start at once starts a little later.
    start_time: isMoved ? there.startTime : undefined,
    ...inspectPrice(network, line, there),
    is_targeted_as_ordered: !changed.includes('targeting') && !changed.includes('frequencyCaps'),
  };
}

/** The goal of a sponsorship is a part, and its price one per day of the flight. */
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
