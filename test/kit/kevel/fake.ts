import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANSWERS, REQUESTS } from './shapes.js';

type Members = Record<string, unknown>;
type Stored = Members & { Id: number };
type Answer = { readonly status: number; readonly body?: unknown };

/** What a fake of Kevel has beside what is booked there. */
type FakeOptions = {
  readonly apiKey: string;
  readonly priorities: readonly number[];
  readonly adTypes: readonly number[];
  readonly sites: readonly number[];
  readonly zones: readonly number[];
};

/** A network that tests book on. */
export const FAKE_NETWORK: FakeOptions = {
  apiKey: 'fake-key',
  priorities: [5001, 5002],
  adTypes: [4, 5, 6],
  sites: [31, 32],
  zones: [41],
};

/** As the examples of Kevel's documentation have them. */
const AD_TYPE_SIZES: Readonly<Record<number, Members>> = {
  4: { Width: 728, Height: 90 },
  5: { Width: 300, Height: 250 },
  6: { Width: 160, Height: 600 },
};

/** What a flight delivered on a day by one of its creatives. */
export type FakeDelivery = {
  readonly date: string;
  readonly flightId: number;
  readonly creativeId: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly revenue: number;
};

const READ_ALONE = ['CreativeMaps', 'DeliveryStatus', 'Created', 'LastModified'] as const;
const MAX_PAGE = 500;

/** Kevel's management API with state, as its public description has it: strict about requests, and about its own answers. */
export class FakeKevel {
  readonly advertisers = new Map<number, Stored>();
  readonly campaigns = new Map<number, Stored>();
  readonly flights = new Map<number, Stored>();
  readonly creatives = new Map<number, Stored>();
  readonly ads = new Map<number, Stored>();
  readonly dayParts = new Map<number, Members & { FlightId: number }>();
  readonly delivered: FakeDelivery[] = [];
  /** Answers that are not as the description has them. */
  readonly violations: string[] = [];
  /** Requests that were refused, with the reason. */
  readonly refusals: string[] = [];
  readonly calls: string[] = [];
  /** Of reports that are ordered from now on: polls before they are there; undefined is never. */
  polls: number | undefined = 1;
  readonly #options: FakeOptions;
  readonly #reports = new Map<string, { request: Members; pollsLeft: number | undefined }>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #next = 1000;

  constructor(options: FakeOptions = FAKE_NETWORK) {
    this.#options = options;
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets all that was booked. */
  reset(): void {
    for (const table of [this.advertisers, this.campaigns, this.flights, this.creatives, this.ads, this.dayParts]) {
      table.clear();
    }
    this.delivered.length = 0;
    this.polls = 1;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The ads of a flight, in the order in which they were made. */
  adsOf(flightId: number): readonly Stored[] {
    return [...this.ads.values()].filter(({ FlightId }) => FlightId === flightId);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://kevel.invalid');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const path = url.pathname.replace(/^\/v1/, '');
    const call = `${request.method} ${path.replace(/\/queue\/[^/]+$/, '/queue/$').replace(/\/\d+(?=\/|$)/g, '/#')}`;
    this.calls.push(`${request.method} ${path}`);
    const { status, body } = this.#judge(request, { call, path, query: url.searchParams, text });
    if (status < 300) this.#judgeAnswer(call, body);
    else this.refusals.push(`${call}: ${JSON.stringify(body)}`);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  #judgeAnswer(call: string, body: unknown): void {
    const judged = ANSWERS[call]?.safeParse(body === undefined ? undefined : JSON.parse(JSON.stringify(body)));
    if (judged === undefined) this.violations.push(`${call} is not described`);
    else if (!judged.success) this.violations.push(`${call}: ${judged.error.message}`);
  }

  #judge(request: IncomingMessage, { call, path, query, text }: Call): Answer {
    const key = request.headers['x-adzerk-apikey'] ?? request.headers['x-kevel-apikey'];
    if (key !== this.#options.apiKey) return { status: 401, body: { message: 'The API key is not valid' } };
    if (ANSWERS[call] === undefined) return { status: 404, body: { message: `There is no ${call}` } };
    const ids = (path.match(/\/\d+(?=\/|$)/g) ?? []).map((part) => Number(part.slice(1)));
    const shape = REQUESTS[call];
    if (shape === undefined) return this.#run(call, { ids, body: {}, query, path });
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    if (call.endsWith('/search') !== isForm) return { status: 400, body: { message: 'Wrong Content-Type' } };
    let body: unknown;
    try {
      body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
    } catch {
      return { status: 400, body: { message: 'The body is no JSON' } };
    }
    const judged = shape.safeParse(strip(call, body));
    if (!judged.success) {
      const [issue] = judged.error.issues;
      return { status: 400, body: { message: `${issue?.path.join('.')}: ${issue?.message}` } };
    }
    return this.#run(call, { ids, body: judged.data as Members, query, path });
  }

  #run(call: string, input: Input): Answer {
    const { ids, body, query } = input;
    const [id = 0, other = 0] = ids;
    switch (call) {
      case 'POST /advertiser':
        return ok(this.#store(this.advertisers, { IsDeleted: false, ...body }));
      case 'GET /advertiser':
        return page([...this.advertisers.values()], query);
      case 'POST /advertiser/search':
        return page(byName(this.advertisers, 'Title', body.advertiserName), query);
      case 'GET /advertiser/#':
        return found(this.advertisers.get(id));
      case 'POST /campaign':
        if (!this.advertisers.has(Number(body.AdvertiserId))) return unknown('AdvertiserId');
        return ok(this.#store(this.campaigns, { IsActive: false, IsDeleted: false, IsArchived: false, ...body }));
      case 'GET /campaign':
        return page(
          [...this.campaigns.values()].filter((each) => isListed(each, query)),
          query,
        );
      case 'POST /campaign/search':
        return page(byName(this.campaigns, 'Name', body.campaignName), query);
      case 'GET /campaign/#':
        return found(this.campaigns.get(id));
      case 'PUT /campaign/#':
        return this.#replace(this.campaigns, id, { IsArchived: false, IsDeleted: false, ...body });
      case 'GET /campaign/#/flight':
        return page(this.#listFlights(id), query);
      case 'GET /flight':
        return page(this.#listFlights(undefined), query);
      case 'GET /ad':
        return page(
          [...this.ads.values()].filter(({ IsDeleted }) => IsDeleted !== true),
          query,
        );
      default:
        return call.includes('/flight') ? this.#runFlight(call, { ...input, id, other }) : this.#runOther(call, input);
    }
  }

  /** Lists hide what is archived or deleted. */
  #listFlights(campaignId: number | undefined): readonly Stored[] {
    return [...this.flights.values()].filter(({ CampaignId, IsArchived, IsDeleted }) => {
      const isOfCampaign = campaignId === undefined || CampaignId === campaignId;
      return isOfCampaign && IsArchived !== true && IsDeleted !== true;
    });
  }

  #runFlight(
    call: string,
    { body, id, other, query }: Input & { readonly id: number; readonly other: number },
  ): Answer {
    if (call === 'POST /flight') return this.#createFlight(body);
    const flight = this.flights.get(id);
    if (flight === undefined || flight.IsDeleted === true) return { status: 404, body: { message: 'No such flight' } };
    switch (call) {
      case 'GET /flight/#':
        return ok(flight);
      case 'PUT /flight/#':
        return this.#replaceFlight(flight, body);
      case 'POST /flight/#/geotargeting':
        return ok(add(flight, 'GeoTargeting', { ...body, LocationId: this.#id() }));
      case 'GET /flight/#/geotargeting/#/delete':
        return remove(flight, 'GeoTargeting', ['LocationId', other]);
      case 'POST /flight/#/sitezonetargeting':
        return this.#addSite(flight, body);
      case 'GET /flight/#/sitezonetargeting/#/delete':
        return remove(flight, 'SiteZoneTargeting', ['Id', other]);
      case 'POST /flight/#/dayparting': {
        const TimepartId = this.#id();
        this.dayParts.set(TimepartId, { ...body, TimepartId, FlightId: id });
        return { status: 201, body: { ...body, TimepartId } };
      }
      case 'GET /flight/#/dayparting':
        return ok(
          [...this.dayParts.values()]
            .filter(({ FlightId }) => FlightId === id)
            .map(({ FlightId: _flight, ...part }) => part),
        );
      case 'POST /flight/#/dayparting/delete':
        this.dayParts.delete(Number(body.TimepartId));
        return { status: 204 };
      default:
        return this.#runAd(call, { flight, adId: other, body, query });
    }
  }

  #createFlight(body: Members): Answer {
    const fault = this.#faultOfFlight(body);
    if (fault !== undefined) return fault;
    const flight = this.#store(this.flights, { IsDeleted: false, IsArchived: false, ...body });
    return this.#targeted(flight, body, []);
  }

  #faultOfFlight(body: Members): Answer | undefined {
    if (!this.campaigns.has(Number(body.CampaignId))) return unknown('CampaignId');
    if (!this.#options.priorities.includes(Number(body.PriorityId))) return unknown('PriorityId');
    const isEndless = [2, 9, 10].includes(Number(body.GoalType));
    if (body.EndDateISO === undefined && !isEndless)
      return { status: 400, body: { message: 'EndDateISO is required' } };
    if (body.EndDateISO !== undefined && String(body.EndDateISO) <= String(body.StartDateISO)) {
      return { status: 400, body: { message: 'EndDateISO is before StartDateISO' } };
    }
    return undefined;
  }

  /** What was left out is reset; places are added once more, but for null. */
  #replaceFlight(flight: Stored, body: Members): Answer {
    const fault = this.#faultOfFlight(body);
    if (fault !== undefined) return fault;
    const { GeoTargeting, SiteZoneTargeting } = flight;
    for (const name of Object.keys(flight)) if (name !== 'Id') delete flight[name];
    Object.assign(flight, { IsDeleted: false, IsArchived: false }, body, { SiteZoneTargeting });
    return this.#targeted(flight, body, GeoTargeting as readonly Members[]);
  }

  #targeted(flight: Stored, body: Members, before: readonly Members[]): Answer {
    const added = (body.GeoTargeting ?? []) as readonly Members[];
    flight.GeoTargeting = [...before, ...added.map((entry) => ({ ...entry, LocationId: this.#id() }))];
    flight.SiteZoneTargeting ??= [];
    return ok(flight);
  }

  #addSite(flight: Stored, { IsExclude, ...body }: Members): Answer {
    if (!this.#options.sites.includes(Number(body.SiteId))) return unknown('SiteId');
    if (body.ZoneId !== undefined && !this.#options.zones.includes(Number(body.ZoneId))) return unknown('ZoneId');
    return ok(add(flight, 'SiteZoneTargeting', { ...body, IsExcluded: IsExclude, Id: this.#id() }));
  }

  #runAd(call: string, { adId, body, flight, query }: AdInput): Answer {
    switch (call) {
      case 'POST /flight/#/creative': {
        const creative = this.#creativeOf(body.Creative as Members);
        if (creative === undefined) return unknown('AdTypeId');
        return ok(this.#store(this.ads, { IsDeleted: false, ...body, Creative: creative }));
      }
      case 'GET /flight/#/creatives':
        return page(this.adsOf(flight.Id), query);
      default: {
        const creative = this.creatives.get(Number((body.Creative as Members | undefined)?.Id));
        if (creative === undefined) return unknown('Creative');
        return this.#replace(this.ads, adId, { ...body, Creative: creative });
      }
    }
  }

  #creativeOf(creative: Members): Stored | undefined {
    if (creative.Id !== undefined) return this.creatives.get(Number(creative.Id));
    if (!this.#options.adTypes.includes(Number(creative.AdTypeId))) return undefined;
    return this.#store(this.creatives, creative);
  }

  #runOther(call: string, { body, path, query }: Input): Answer {
    const { adTypes, priorities, sites, zones } = this.#options;
    const lists: Readonly<Record<string, readonly Stored[]>> = {
      'GET /priority': priorities.map((Id, index) => ({ Id, Name: `Priority ${Id}`, Weight: 5 + 5 * index })),
      'GET /adtypes': adTypes.map((Id) => ({ Id, ...AD_TYPE_SIZES[Id] })),
      'GET /site': sites.map((Id) => ({ Id, Title: `Site ${Id}`, Url: `https://${Id}.example` })),
      'GET /zone': zones.map((Id) => ({ Id, Name: `Top of page ${Id}`, SiteId: sites[0] })),
    };
    const list = lists[call];
    if (list !== undefined) return page(list, query);
    if (call === 'POST /report/queue') {
      const Id = randomUUID();
      this.#reports.set(Id, { request: body, pollsLeft: this.polls });
      return ok({ Id });
    }
    return this.#readReport(path.split('/').at(-1) ?? '');
  }

  #readReport(Id: string): Answer {
    const report = this.#reports.get(Id);
    if (report === undefined) return { status: 404, body: { message: 'No such report' } };
    if (report.pollsLeft === undefined || report.pollsLeft > 0) {
      if (report.pollsLeft !== undefined) report.pollsLeft -= 1;
      return ok({ Id, Status: 1, Message: null, Result: null });
    }
    return ok({ Id, Status: 2, Message: null, Result: this.#report(report.request) });
  }

  #report({ StartDateISO, EndDateISO, Parameters }: Members): Members {
    const campaigns = new Set((Parameters as readonly Members[]).map(({ campaignId }) => campaignId));
    const own = this.delivered.filter(({ date, flightId }) => {
      const isWithin = `${date}T00:00:00` >= `${StartDateISO}` && `${date}T00:00:00` <= `${EndDateISO}`;
      return isWithin && campaigns.has(this.flights.get(flightId)?.CampaignId);
    });
    const Records = [...new Set(own.map(({ date }) => date))].map((date) => ({
      Date: `${date}T00:00:00`,
      Details: own
        .filter((row) => row.date === date)
        .map(({ clicks, creativeId, flightId, impressions, revenue }) => ({
          ...{ Title: '', Impressions: impressions, Clicks: clicks, Revenue: revenue, Events: {} },
          Grouping: { FlightId: flightId, CreativeId: creativeId },
        })),
    }));
    return { StartDateISO, EndDateISO, Critiera: [], LoginId: 1, Records };
  }

  #store(objects: Map<number, Stored>, members: Members): Stored {
    const stored = { ...members, Id: this.#id() };
    objects.set(stored.Id, stored);
    return stored;
  }

  #replace(objects: Map<number, Stored>, id: number, members: Members): Answer {
    const present = objects.get(id);
    if (present === undefined || present.IsDeleted === true) return { status: 404, body: { message: 'Not found' } };
    const replaced = { ...members, Id: id };
    objects.set(id, replaced);
    return ok(replaced);
  }

  #id(): number {
    this.#next += 1;
    return this.#next;
  }
}

type Call = { readonly call: string; readonly path: string; readonly query: URLSearchParams; readonly text: string };
type Input = {
  readonly ids: readonly number[];
  readonly body: Members;
  readonly query: URLSearchParams;
  readonly path: string;
};
type AdInput = {
  readonly flight: Stored;
  readonly adId: number;
  readonly body: Members;
  readonly query: URLSearchParams;
};

/** What is read alone may come back in a PUT, and is passed over. */
function strip(call: string, body: unknown): unknown {
  if (!call.startsWith('PUT') || typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !READ_ALONE.some((one) => one === name)));
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function found(stored: Stored | undefined): Answer {
  if (stored === undefined || stored.IsDeleted === true) return { status: 404, body: { message: 'Not found' } };
  return ok(stored);
}

function unknown(member: string): Answer {
  return { status: 400, body: { message: `${member} is not known` } };
}

function byName(objects: ReadonlyMap<number, Stored>, member: string, name: unknown): readonly Stored[] {
  return [...objects.values()].filter((each) => each[member] === name);
}

function isListed({ AdvertiserId, IsArchived, IsDeleted }: Stored, query: URLSearchParams): boolean {
  const advertiserId = query.get('advertiserId');
  const isOfAdvertiser = advertiserId === null || `${AdvertiserId}` === advertiserId;
  return isOfAdvertiser && IsDeleted !== true && `${IsArchived}` === (query.get('isArchived') ?? 'false');
}

function page(items: readonly unknown[], query: URLSearchParams): Answer {
  const pageSize = Math.min(Number(query.get('pageSize') ?? MAX_PAGE), MAX_PAGE);
  const number = Number(query.get('page') ?? 1);
  const totalPages = Math.ceil(items.length / pageSize);
  const own = items.slice((number - 1) * pageSize, number * pageSize);
  return ok({ page: number, pageSize, totalPages, totalItems: items.length, items: own });
}

function add(flight: Stored, list: string, entry: Members): Members {
  flight[list] = [...((flight[list] ?? []) as readonly Members[]), entry];
  return entry;
}

function remove(flight: Stored, list: string, [member, id]: readonly [member: string, id: number]): Answer {
  flight[list] = ((flight[list] ?? []) as readonly Members[]).filter((entry) => entry[member] !== id);
  return { status: 200 };
}
