import { isObject } from '../../../platform/kernel/json/json.js';
import type { LiveOrder, LivePackage } from '../../domain/booking/live-order.js';
import type { KevelApi } from './api.js';
import type { Identities } from './identities.js';
import { type FoundAd, LookUp } from './look-up.js';
import { type MappedAd, mapAds } from './mapping/creative.js';
import { type MappedFlight, mapCampaign, mapFlight } from './mapping/flight.js';
import { writeAdKey } from './mapping/names.js';
import { targetFlight } from './places.js';
import type { KevelSettings } from './settings.js';
import type { KevelObject, Members } from './wire.js';

/** A package with all that Kevel is told of it. */
type Line = { readonly line: LivePackage; readonly flight: MappedFlight; readonly ads: readonly MappedAd[] };

/** What a flight or an ad belongs to. */
type Owners = { readonly campaignId: number; readonly advertiserId: number };

/** Returns all that Kevel is told of the packages that have not ended. Throws MappingRefusal for what it has no way to carry out. */
export function mapLines(order: LiveOrder): readonly Line[] {
  return order.packages
    .filter((line) => !isEnded(line))
    .map((line) => ({ line, flight: mapFlight(order, line), ads: mapAds(line) }));
}

/** Brings Kevel to an order: stops what must not run, makes what is not there, changes what differs, and at last lets run what may. */
export class OrderBringer {
  readonly #settings: KevelSettings;
  readonly #api: KevelApi;
  readonly #ids: Identities;
  readonly #lookUp: LookUp;

  constructor(settings: KevelSettings, api: KevelApi, ids: Identities) {
    this.#settings = settings;
    this.#api = api;
    this.#ids = ids;
    this.#lookUp = new LookUp(api, ids);
  }

  async bring(order: LiveOrder): Promise<void> {
    const campaign = await this.find(order);
    if (campaign !== undefined) await this.#stop(order, campaign);
    if (isEnded(order)) return;
    const lines = mapLines(order);
    const advertiserId = await this.#bringAdvertiser(order);
    const present = campaign ?? (await this.#createCampaign(order, advertiserId));
    for (const line of lines) await this.#bringLine(order, line, { campaignId: present.Id, advertiserId });
    await this.#api.change(`/campaign/${present.Id}`, { ...mapCampaign(order), IsActive: order.state === 'running' });
  }

  /** Returns the campaign of an order, and notes its ids and those of its flights; undefined where there is none. */
  async find(order: LiveOrder): Promise<KevelObject | undefined> {
    const domain = order.brand.domain.toLowerCase();
    const advertiserId = this.#settings.advertisers[domain] ?? (await this.#lookUp.advertiser(domain))?.Id;
    if (advertiserId === undefined) return undefined;
    const campaign = await this.#lookUp.campaign(order, advertiserId);
    if (campaign === undefined) return undefined;
    await this.#ids.note({ order: `${campaign.Id}`, others: { advertiser: `${advertiserId}` } });
    for (const { line, flight } of await this.#findFlights(order, campaign)) {
      await this.#ids.note({ packages: { [line.package_id]: `${flight.Id}` } });
    }
    return campaign;
  }

  async #findFlights(order: LiveOrder, campaign: KevelObject) {
    const flights = await this.#lookUp.flights(order, campaign.Id);
    return order.packages.flatMap((line) => {
      const flight = flights.get(line.package_id);
      return flight === undefined ? [] : [{ line, flight }];
    });
  }

  /** Comes before all else: what follows may fail, and until it does not, nothing may be delivered that was taken back. */
  async #stop(order: LiveOrder, campaign: KevelObject): Promise<void> {
    for (const { line, flight } of await this.#findFlights(order, campaign)) {
      if (mayRun(order, line)) continue;
      await this.#api.change(`/flight/${flight.Id}`, { IsActive: false, IsArchived: line.state === 'canceled' });
    }
    if (order.state === 'running') return;
    await this.#api.change(`/campaign/${campaign.Id}`, {
      IsActive: false,
      IsArchived: order.state === 'canceled',
      StartDateISO: mapCampaign(order).StartDateISO,
    });
  }

  async #bringAdvertiser({ brand }: LiveOrder): Promise<number> {
    const domain = brand.domain.toLowerCase();
    const given = this.#settings.advertisers[domain];
    if (given !== undefined) return given;
    const found =
      (await this.#lookUp.advertiser(domain)) ??
      (await this.#api.create('/advertiser', { Title: domain, IsActive: true, ExternalId: domain }));
    await this.#ids.note({ others: { advertiser: `${found.Id}` } });
    return found.Id;
  }

  async #createCampaign(order: LiveOrder, AdvertiserId: number): Promise<KevelObject> {
    // The day of its start is taken by a PUT alone.
    const { Name } = mapCampaign(order);
    const made = await this.#api.create('/campaign', { AdvertiserId, Name, IsActive: false });
    await this.#ids.note({ order: `${made.Id}` });
    return made;
  }

  async #bringLine(order: LiveOrder, { line, flight: mapped, ads }: Line, owners: Owners): Promise<void> {
    const found = (await this.#lookUp.flights({ ...order, packages: [line] }, owners.campaignId)).get(line.package_id);
    const flightId = found?.Id ?? (await this.#createFlight(line, mapped, owners.campaignId));
    await this.#api.change(`/flight/${flightId}`, mapped.members);
    await targetFlight(this.#api, flightId, mapped);
    const running = await this.#bringAds(flightId, ads, owners);
    const IsActive = mayRun(order, line) && (running > 0 || !line.needs_creative);
    await this.#api.change(`/flight/${flightId}`, { IsActive });
  }

  async #createFlight(line: LivePackage, mapped: MappedFlight, CampaignId: number): Promise<number> {
    const { Id } = await this.#api.create('/flight', withoutNulls({ CampaignId, ...mapped.members, IsActive: false }));
    await this.#ids.note({ packages: { [line.package_id]: `${Id}` } });
    return Id;
  }

  /** Returns how many ads of a flight may run after that. */
  async #bringAds(flightId: number, wanted: readonly MappedAd[], owners: Owners): Promise<number> {
    const found = await this.#lookUp.ads(flightId);
    const present = new Map(found.map((one) => [writeAdKey(one.key), one]));
    for (const mapped of wanted) await this.#bringAd(flightId, mapped, { owners, found: present.get(mapped.key) });
    const kept = new Set(wanted.map(({ key }) => present.get(key)?.ad.Id));
    const gone = found.filter(({ ad }) => !kept.has(ad.Id) && ad.IsActive === true);
    for (const { ad } of gone) await this.#changeAd(flightId, ad, owners, { IsActive: false });
    return wanted.filter(({ members }) => members.IsActive === true).length;
  }

  async #bringAd(flightId: number, mapped: MappedAd, { owners, found }: PresentAd): Promise<void> {
    const { key, members, content } = mapped;
    const ad =
      found?.ad ??
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
    if (found !== undefined) await this.#changeAd(flightId, ad, owners, members);
  }

  /** An ad is not read by a call of its own: the list of its flight has it whole. */
  async #changeAd(flightId: number, ad: KevelObject, { campaignId }: Owners, members: Members): Promise<void> {
    const creative = isObject(ad.Creative) ? { Id: ad.Creative.Id } : undefined;
    const owners = { CampaignId: campaignId, FlightId: flightId, Creative: creative, IsDeleted: false };
    await this.#api.changeFrom(`/flight/${flightId}/creative/${ad.Id}`, { ...ad, ...owners }, members);
  }
}

type PresentAd = { readonly owners: Owners; readonly found: FoundAd | undefined };

function isEnded({ state }: Pick<LiveOrder, 'state'>): boolean {
  return state === 'canceled' || state === 'completed';
}

function mayRun(order: LiveOrder, line: LivePackage): boolean {
  return order.state === 'running' && line.state === 'running';
}

/** What is new has nothing to be reset. */
function withoutNulls(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
}
