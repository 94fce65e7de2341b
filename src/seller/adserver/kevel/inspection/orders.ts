import { isoTime } from '../../../../platform/kernel/clock.js';
import { wantedState } from '../../../domain/booking/drift.js';
import type { LiveOrder, LivePackage } from '../../../domain/booking/live-order.js';
import type { InspectedOrder, InspectedPackage } from '../../port/answers.js';
import type { BookedOrder } from '../../port/delivery.js';
import { Readings } from '../../readings.js';
import type { KevelApi } from '../api.js';
import type { KeyedAd } from '../look-up.js';
import { type MappedFlight, mapFlight } from '../mapping/flight.js';
import { dayPartKey, isTargetedAs, readDayParts } from '../places.js';
import { GOAL_TYPE, type KevelObject } from '../wire.js';
import { type KevelObjects, readLists, readSingly } from './objects.js';

/** Of so many orders the objects are asked for one by one; of more, lists are fewer requests. */
const MAX_SINGLE = 20;
/** The hours of so many flights are asked for at a time, since each takes a request of its own. */
const MAX_HOURS = 100;

/** A flight of ours, with what Kevel has around it. */
type ReadFlight = {
  readonly order: LiveOrder;
  readonly line: LivePackage;
  readonly flight: KevelObject;
  readonly campaign: KevelObject | undefined;
  readonly ads: readonly KeyedAd[];
  readonly mapped: MappedFlight;
};

/** Reads what Kevel has of orders. It remembers the hours of flights, which come in turn where there are many. */
export class OrderInspector {
  readonly #hours = new Readings<readonly string[]>(MAX_HOURS);

  /** Returns what Kevel has of orders. */
  async inspect(api: KevelApi, orders: readonly BookedOrder[]): Promise<readonly InspectedOrder[]> {
    const objects = orders.length > MAX_SINGLE ? await readLists(api) : readSingly(api);
    const packages: (readonly (ReadFlight | InspectedPackage)[])[] = [];
    for (const order of orders) packages.push(await findFlights(objects, order));
    const hours = await this.#readHours(api, packages.flat().filter(isFlight));
    return orders.map(({ order: { media_buy_id } }, at) => ({
      media_buy_id,
      packages: (packages[at] ?? []).map((one) => (isFlight(one) ? describeFlight(one, hours) : one)),
    }));
  }

  #readHours(api: KevelApi, flights: readonly ReadFlight[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const asked = flights.map(({ flight: { Id, LastModified }, mapped }) => ({
      id: `${Id}`,
      mark: JSON.stringify([LastModified, mapped.dayParts.map(dayPartKey)]),
    }));
    return this.#hours.refresh(asked, async (ids) => {
      const read = new Map<string, readonly string[]>();
      for (const id of ids)
        read.set(
          id,
          (await readDayParts(api, `/flight/${id}/dayparting`)).map(({ key }) => key),
        );
      return read;
    });
  }
}

function isFlight(one: ReadFlight | InspectedPackage): one is ReadFlight {
  return 'flight' in one;
}

async function findFlights(
  objects: KevelObjects,
  { foreign, order }: BookedOrder,
): Promise<readonly (ReadFlight | InspectedPackage)[]> {
  const packages: (ReadFlight | InspectedPackage)[] = [];
  let owner: { readonly campaign: KevelObject | undefined } | undefined;
  for (const line of order.packages) {
    const { package_id } = line;
    const flightId = foreign.packages?.[package_id];
    if (flightId === undefined) continue;
    const hasEnded = ['canceled', 'completed'].includes(wantedState(order, line));
    if (hasEnded && objects.isHidden(flightId)) {
      packages.push({ package_id, state: 'canceled' });
      continue;
    }
    const flight = await objects.findFlight(flightId);
    if (flight === undefined) {
      packages.push({ package_id, state: 'missing' });
      continue;
    }
    owner ??= { campaign: foreign.order === undefined ? undefined : await objects.findCampaign(foreign.order) };
    const ads = await objects.listAds(flight.Id);
    packages.push({ order, line, flight, ads, ...owner, mapped: mapFlight(order, line) });
  }
  return packages;
}

function describeFlight(
  { ads, campaign, flight, line, mapped }: ReadFlight,
  hours: ReadonlyMap<string, readonly string[]>,
): InspectedPackage {
  const running = ads.filter(({ ad }) => ad.IsActive === true).map(({ key }) => key.creative_id);
  const isCounted = flight.GoalType === GOAL_TYPE.impressions || flight.GoalType === GOAL_TYPE.clicks;
  return {
    package_id: line.package_id,
    state: stateOf(flight, campaign, running.length),
    start_time: timeOf(flight.StartDateISO),
    end_time: timeOf(flight.EndDateISO),
    goal: isCounted && typeof flight.Impressions === 'number' ? flight.Impressions : undefined,
    price: typeof flight.Price === 'number' ? flight.Price : undefined,
    is_targeted_as_ordered: isTargetedAs(flight, mapped, hours.get(`${flight.Id}`)),
    creative_ids: [...new Set(running)],
    remarks: campaign === undefined ? ['Its campaign was deleted in Kevel.'] : undefined,
  };
}

function stateOf(flight: KevelObject, campaign: KevelObject | undefined, running: number): InspectedPackage['state'] {
  if (campaign === undefined) return 'missing';
  if (flight.IsArchived === true || campaign.IsArchived === true) return 'canceled';
  if (flight.IsActive !== true || campaign.IsActive !== true) return running === 0 ? 'waiting' : 'paused';
  return 'running';
}

/** Returns a time as text; one without an offset is in UTC. */
function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = Date.parse(value.includes('T') && !/(?:Z|[+-]\d{2}:\d{2})$/.test(value) ? `${value}Z` : value);
  return Number.isNaN(ms) ? undefined : isoTime(ms);
}
