import { isObject } from '../../../platform/kernel/json/json.js';
import type { LiveOrder, LivePackage } from '../../domain/booking/live-order.js';
import type { Advertisers } from './advertisers.js';
import type { KevelApi } from './api.js';
import type { Identities } from './identities.js';
import { type KeyedAd, LookUp } from './look-up.js';
import { type MappedAd, mapAds } from './mapping/creative.js';
import { type MappedFlight, mapCampaign, mapFlight } from './mapping/flight.js';
import { writeAdKey } from './mapping/names.js';
import { targetFlight, targetNewFlight } from './places.js';
import type { KevelObject, Members } from './wire.js';

/** A package with all that Kevel is told of it. */
type Line = { readonly line: LivePackage; readonly flight: MappedFlight; readonly ads: readonly MappedAd[] };

/** The campaign and advertiser that a flight or an ad belongs to. */
type Owners = { readonly campaignId: number; readonly advertiserId: number };

/** Returns all that Kevel is told of the packages that have not ended. Throws MappingRefusal for what it has no way to carry out. */
export function mapLines(order: LiveOrder): readonly Line[] {
  return order.packages
    .filter((line) => !isEnded(line))
    .map((line) => ({ line, flight: mapFlight(order, line), ads: mapAds(line) }));
}

/** The objects of an order in Kevel: its campaign, and its flights by their packages. */
type Present = { readonly campaign: KevelObject; readonly flights: ReadonlyMap<string, KevelObject> };

/** The API, ids and advertisers that orders are brought to Kevel with. */
type BringerParts = {
  readonly api: KevelApi;
  readonly ids: Identities;
  readonly advertisers: Advertisers;
};

/** Brings Kevel to an order: stops what must not run, makes what is not there, changes what differs, and at last lets run what may. */
export class OrderBringer {
  readonly #api: KevelApi;
  readonly #ids: Identities;
  readonly #advertisers: Advertisers;
  readonly #lookUp: LookUp;

  constructor({ advertisers, api, ids }: BringerParts) {
    this.#api = api;
    this.#ids = ids;
    this.#advertisers = advertisers;
    this.#lookUp = new LookUp(api, ids);
  }

  async bring(order: LiveOrder): Promise<void> {
    const present = await this.#find(order);
    if (present !== undefined) await this.#stop(order, present);
    if (isEnded(order)) return;
    const lines = mapLines(order);
    const advertiserId = await this.#advertisers.bring(order, this.#api, this.#ids);
    const campaignId = present?.campaign.Id ?? (await this.#createCampaign(order, advertiserId));
    const owners = { campaignId, advertiserId };
    for (const line of lines) await this.#bringLine(order, line, { owners, flights: present?.flights });
    await this.#api.change(`/campaign/${campaignId}`, { ...mapCampaign(order), IsActive: order.state === 'running' });
  }

  /** Notes the ids of what Kevel has of an order; returns whether that is anything. */
  async find(order: LiveOrder): Promise<boolean> {
    return (await this.#find(order)) !== undefined;
  }

  async #find(order: LiveOrder): Promise<Present | undefined> {
    const advertiserId = await this.#advertisers.find(order, this.#api, this.#ids);
    if (advertiserId === undefined) return undefined;
    const campaign = await this.#lookUp.campaign(order, advertiserId);
    if (campaign === undefined) return undefined;
    await this.#ids.note({ order: `${campaign.Id}`, others: { advertiser: `${advertiserId}` } });
    const flights = await this.#lookUp.flights(order, campaign.Id);
    for (const [packageId, { Id }] of flights) await this.#ids.note({ packages: { [packageId]: `${Id}` } });
    return { campaign, flights };
  }

  /** Comes before all else: what follows may fail, and until it does not, nothing may be delivered that was taken back. */
  async #stop(order: LiveOrder, { campaign, flights }: Present): Promise<void> {
    for (const line of order.packages) {
      const flight = flights.get(line.package_id);
      if (flight === undefined || canRun(order, line)) continue;
      await this.#api.change(`/flight/${flight.Id}`, { IsActive: false, IsArchived: line.state === 'canceled' });
    }
    if (order.state === 'running') return;
    await this.#api.change(`/campaign/${campaign.Id}`, {
      IsActive: false,
      IsArchived: order.state === 'canceled',
      StartDateISO: mapCampaign(order).StartDateISO,
    });
  }

  async #createCampaign(order: LiveOrder, AdvertiserId: number): Promise<number> {
    // The day of its start is taken by a PUT alone.
    const { Name } = mapCampaign(order);
    const { Id } = await this.#api.create('/campaign', { AdvertiserId, Name, IsActive: false });
    await this.#ids.note({ order: `${Id}` });
    return Id;
  }

  async #bringLine(
    order: LiveOrder,
    { line, flight: mapped, ads }: Line,
    { flights, owners }: FlightContext,
  ): Promise<void> {
    const present = flights?.get(line.package_id);
    const flightId = present?.Id ?? (await this.#createFlight(line, mapped, owners.campaignId));
    if (present !== undefined) await this.#changeFlight(flightId, mapped);
    const running = await this.#bringAds(flightId, ads, { owners, isNew: present === undefined });
    const IsActive = canRun(order, line) && (running > 0 || !line.needs_creative);
    // What was made is read back whole: an answer alone proves nothing.
    await this.#api.change(
      `/flight/${flightId}`,
      present === undefined ? { ...mapped.members, IsActive } : { IsActive },
    );
  }

  async #createFlight(line: LivePackage, mapped: MappedFlight, CampaignId: number): Promise<number> {
    const { Id } = await this.#api.create('/flight', withoutNulls({ CampaignId, ...mapped.members, IsActive: false }));
    await this.#ids.note({ packages: { [line.package_id]: `${Id}` } });
    await targetNewFlight(this.#api, Id, mapped);
    return Id;
  }

  async #changeFlight(flightId: number, mapped: MappedFlight): Promise<void> {
    const path = `/flight/${flightId}`;
    const flight = await this.#api.get(path);
    await this.#api.changeFrom(path, flight, mapped.members);
    await targetFlight(this.#api, flight, mapped);
  }

  /** Returns how many ads of a flight may run after that. */
  async #bringAds(flightId: number, wanted: readonly MappedAd[], { isNew, owners }: AdContext): Promise<number> {
    const presentAds = isNew ? [] : await this.#lookUp.ads(flightId);
    const present = new Map(presentAds.map((one) => [writeAdKey(one.key), one]));
    for (const mapped of wanted) await this.#bringAd(flightId, mapped, { owners, present: present.get(mapped.key) });
    const wantedIds = new Set(wanted.map(({ key }) => present.get(key)?.ad.Id));
    const gone = presentAds.filter(({ ad }) => !wantedIds.has(ad.Id) && ad.IsActive === true);
    for (const { ad } of gone) await this.#changeAd(flightId, ad, owners, { IsActive: false });
    return wanted.filter(({ members }) => members.IsActive === true).length;
  }

  async #bringAd(flightId: number, mapped: MappedAd, { owners, present }: PresentAd): Promise<void> {
    const { key, members, content } = mapped;
    const ad =
      present?.ad ??
      (await this.#api.create(
        `/flight/${flightId}/creative`,
        withoutNulls({
          ...{ CampaignId: owners.campaignId, FlightId: flightId, ExternalMetadata: key, ...members },
          Creative: withoutNulls({ ...content, AdvertiserId: owners.advertiserId }),
        }),
      ));
    const creativeId = isObject(ad.Creative) ? ad.Creative.Id : undefined;
    const { creative_id } = mapped.creative;
    if (typeof creativeId === 'number') await this.#ids.noteCreative(mapped.creative, creativeId);
    else throw new Error(`Kevel does not tell which creative shows ${creative_id}`);
    if (present !== undefined) await this.#changeAd(flightId, ad, owners, members);
  }

  /** Changes an ad without reading it first: the list of its flight has it whole. */
  async #changeAd(flightId: number, ad: KevelObject, { campaignId }: Owners, members: Members): Promise<void> {
    const creative = isObject(ad.Creative) ? { Id: ad.Creative.Id } : undefined;
    const owners = { CampaignId: campaignId, FlightId: flightId, Creative: creative, IsDeleted: false };
    await this.#api.changeFrom(`/flight/${flightId}/creative/${ad.Id}`, { ...ad, ...owners }, members);
  }
}

/** Where a package goes, and the flights that the order has there; undefined where its campaign is new. */
type FlightContext = { readonly owners: Owners; readonly flights: Present['flights'] | undefined };

/** Where ads go, and whether their flight was just made. */
type AdContext = { readonly owners: Owners; readonly isNew: boolean };

type PresentAd = { readonly owners: Owners; readonly present: KeyedAd | undefined };

function isEnded({ state }: Pick<LiveOrder, 'state'>): boolean {
  return state === 'canceled' || state === 'completed';
}

function canRun(order: LiveOrder, line: LivePackage): boolean {
  return order.state === 'running' && line.state === 'running';
}

/** Returns the members that have a value, since what is new has nothing to be reset. */
function withoutNulls(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
}
