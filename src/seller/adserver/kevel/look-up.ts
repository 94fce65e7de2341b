import type { LiveOrder } from '../../domain/booking/live-order.js';
import type { KevelApi } from './api.js';
import type { Identities } from './identities.js';
import { type AdKey, campaignMark, flightMark, readAdKey } from './mapping/names.js';
import type { KevelObject } from './wire.js';

/** An ad of ours with what it is. */
export type KeyedAd = { readonly ad: KevelObject; readonly key: AdKey };

/** Finds what Kevel has of an order: by the ids that are known, else by ours in names and metadata. */
export class LookUp {
  readonly #api: KevelApi;
  readonly #ids: Identities;

  constructor(api: KevelApi, ids: Identities) {
    this.#api = api;
    this.#ids = ids;
  }

  /** Returns the advertiser of a brand; by its domain where its id is not known. */
  async advertiser(domain: string): Promise<KevelObject | undefined> {
    const id = this.#ids.advertiser;
    const there = id === undefined ? undefined : await this.#api.find(`/advertiser/${id}`);
    if (there !== undefined) return there;
    const isOurs = ({ ExternalId }: KevelObject): boolean => ExternalId === domain;
    // Whether a search takes parts of a name is not published, and people rename advertisers.
    const matches = await this.#api.search('/advertiser/search', { advertiserName: domain });
    return matches.find(isOurs) ?? (await this.#api.list('/advertiser')).find(isOurs);
  }

  /** Returns the campaign of an order, also one that was archived. */
  async campaign({ media_buy_id }: LiveOrder, advertiserId: number): Promise<KevelObject | undefined> {
    const id = this.#ids.campaign;
    const there = id === undefined ? undefined : await this.#api.find(`/campaign/${id}`);
    if (there !== undefined) return there;
    for (const isArchived of [false, true]) {
      const all = await this.#api.list('/campaign', { advertiserId, isArchived });
      const campaign = findOldest(all, campaignMark(media_buy_id));
      if (campaign !== undefined) return campaign;
    }
    return undefined;
  }

  /** Returns the flights of an order by their packages; those whose ids are known also where a list would hide them. */
  async flights(order: LiveOrder, campaignId: number): Promise<ReadonlyMap<string, KevelObject>> {
    const flights = new Map<string, KevelObject>();
    const unknown: string[] = [];
    for (const { package_id } of order.packages) {
      const id = this.#ids.flight(package_id);
      const there = id === undefined ? undefined : await this.#api.find(`/flight/${id}`);
      if (there === undefined) unknown.push(package_id);
      else flights.set(package_id, there);
    }
    if (unknown.length === 0) return flights;
    const listed = await this.#api.list(`/campaign/${campaignId}/flight`);
    for (const packageId of unknown) {
      const flight = findOldest(listed, flightMark(order.media_buy_id, packageId));
      if (flight !== undefined) flights.set(packageId, flight);
    }
    return flights;
  }

  /** Returns the ads of ours of a flight, the first that was made last: by key it takes the place of later doubles. */
  async ads(flightId: number): Promise<readonly KeyedAd[]> {
    return sortAds(await this.#api.list(`/flight/${flightId}/creatives`));
  }
}

/** Returns the ads of ours among those of a flight, the first that was made last. */
export function sortAds(ads: readonly KevelObject[]): readonly KeyedAd[] {
  return ads
    .flatMap((ad) => {
      const key = ad.IsDeleted === true ? undefined : readAdKey(ad.ExternalMetadata);
      return key === undefined ? [] : [{ ad, key }];
    })
    .toSorted((one, other) => other.ad.Id - one.ad.Id);
}

/** Returns the first that was made of several with a mark, so that whatever looks finds the same one. */
function findOldest(objects: readonly KevelObject[], mark: string): KevelObject | undefined {
  return objects
    .filter(({ Name, IsDeleted }) => IsDeleted !== true && typeof Name === 'string' && Name.endsWith(mark))
    .toSorted((one, other) => one.Id - other.Id)[0];
}
