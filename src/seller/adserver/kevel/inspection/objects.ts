import type { KevelApi } from '../api.js';
import { Identities } from '../identities.js';
import { type KeyedAd, LookUp, sortAds } from '../look-up.js';
import type { KevelObject } from '../wire.js';

/** The reads of Kevel's objects by their ids. */
export type KevelObjects = {
  readonly findCampaign: (id: string) => Promise<KevelObject | undefined>;
  readonly findFlight: (id: string) => Promise<KevelObject | undefined>;
  readonly listAds: (flightId: number) => Promise<readonly KeyedAd[]>;
  /** Whether lists leave a flight out: it was archived or deleted. */
  readonly isHidden: (flightId: string) => boolean;
};

/** Returns objects that are asked for one by one: of few orders those are fewer requests than the lists of a network. */
export function readSingly(api: KevelApi): KevelObjects {
  return {
    findCampaign: (id) => api.find(`/campaign/${id}`),
    findFlight: (id) => api.find(`/flight/${id}`),
    listAds: (flightId) => new LookUp(api, new Identities(undefined)).ads(flightId),
    isHidden: () => false,
  };
}

/** Returns the objects of a network's lists, read page by page; what those leave out is asked for by its id. */
export async function readLists(api: KevelApi): Promise<KevelObjects> {
  const campaigns = byId(await api.list('/campaign', { isArchived: false }));
  const flights = byId(await api.list('/flight'));
  const ads = new Map<unknown, KevelObject[]>();
  for (const ad of await api.list('/ad')) {
    const own = ads.get(ad.FlightId);
    if (own === undefined) ads.set(ad.FlightId, [ad]);
    else own.push(ad);
  }
  const single = readSingly(api);
  return {
    findCampaign: async (id) => campaigns.get(id) ?? single.findCampaign(id),
    findFlight: async (id) => flights.get(id) ?? single.findFlight(id),
    listAds: async (flightId) => {
      const listed = ads.get(flightId);
      return listed === undefined ? single.listAds(flightId) : sortAds(listed);
    },
    isHidden: (flightId) => !flights.has(flightId),
  };
}

function byId(objects: readonly KevelObject[]): ReadonlyMap<string, KevelObject> {
  return new Map(objects.map((object) => [`${object.Id}`, object]));
}
