import { isoTime } from '../../../platform/kernel/clock.js';
import type { LiveOrder, LivePackage } from '../../domain/booking/live-order.js';
import type { InspectedOrder, InspectedPackage, MappingProblem, ProductMapping } from '../port/answers.js';
import type { BookedOrder } from '../port/delivery.js';
import type { KevelApi } from './api.js';
import { Identities } from './identities.js';
import { LookUp } from './look-up.js';
import { mapFlight } from './mapping/flight.js';
import { isTargetedAs } from './places.js';
import { readProduct } from './settings.js';
import { GOAL_TYPE, type KevelObject } from './wire.js';

/** Returns what Kevel has of an order. */
export async function inspectOrder(api: KevelApi, { order, foreign }: BookedOrder): Promise<InspectedOrder> {
  const { media_buy_id } = order;
  const campaign = foreign.order === undefined ? undefined : await api.find(`/campaign/${foreign.order}`);
  const packages: InspectedPackage[] = [];
  for (const line of order.packages) {
    const flightId = foreign.packages?.[line.package_id];
    if (flightId !== undefined) packages.push(await inspectFlight(api, { order, line, flightId, campaign }));
  }
  return { media_buy_id, packages };
}

type BookedFlight = {
  readonly order: LiveOrder;
  readonly line: LivePackage;
  readonly flightId: string;
  readonly campaign: KevelObject | undefined;
};

async function inspectFlight(api: KevelApi, booked: BookedFlight): Promise<InspectedPackage> {
  const { order, line, flightId, campaign } = booked;
  const { package_id } = line;
  const flight = await api.find(`/flight/${flightId}`);
  if (flight === undefined) return { package_id, state: 'missing' };
  const ads = await new LookUp(api, new Identities(undefined)).ads(flight.Id);
  const running = ads.filter(({ ad }) => ad.IsActive === true).map(({ key }) => key.creative_id);
  const isCounted = flight.GoalType === GOAL_TYPE.impressions || flight.GoalType === GOAL_TYPE.clicks;
  return {
    package_id,
    state: stateOf(flight, campaign, running.length),
    start_time: timeOf(flight.StartDateISO),
    end_time: timeOf(flight.EndDateISO),
    goal: isCounted && typeof flight.Impressions === 'number' ? flight.Impressions : undefined,
    price: typeof flight.Price === 'number' ? flight.Price : undefined,
    is_targeted_as_ordered: await isTargetedAs(api, flight, mapFlight(order, line)),
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

/** Without an offset it is UTC. */
function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = Date.parse(value.includes('T') && !/(?:Z|[+-]\d{2}:\d{2})$/.test(value) ? `${value}Z` : value);
  return Number.isNaN(ms) ? undefined : isoTime(ms);
}

/** What the products of a tenant name, with the list that has it. */
const REFERENCES = [
  { path: '/priority', what: 'priority', member: 'priority_id' },
  { path: '/adtypes', what: 'ad type', member: 'ad_types' },
  { path: '/site', what: 'site', member: 'sites' },
  { path: '/zone', what: 'zone', member: 'sites' },
] as const;

/** Returns what products name that the network does not have. */
export async function judgeReferences(
  api: KevelApi,
  products: readonly ProductMapping[],
): Promise<readonly MappingProblem[]> {
  const problems: MappingProblem[] = [];
  for (const { path, what, member } of REFERENCES) {
    const there = new Set((await api.list(path)).filter(({ IsDeleted }) => IsDeleted !== true).map(({ Id }) => Id));
    for (const { product_id, adapter } of products) {
      for (const id of listReferences(adapter, path).filter((one) => !there.has(one))) {
        const fix = `Correct ${member} in the product's "adapter" object; GET /v1${path} lists what there is.`;
        problems.push({ product_id, message: `The network has no ${what} ${id}.`, fix });
      }
    }
  }
  return problems;
}

function listReferences(
  adapter: ProductMapping['adapter'],
  path: (typeof REFERENCES)[number]['path'],
): readonly number[] {
  const product = readProduct(adapter);
  if (product === undefined) return [];
  const { ad_types, priority_id, sites } = product;
  const ids = {
    '/priority': [priority_id],
    '/adtypes': Object.values(ad_types),
    '/site': sites.map(({ site_id }) => site_id),
    '/zone': sites.flatMap(({ zone_id }) => zone_id ?? []),
  };
  return [...new Set(ids[path])];
}
