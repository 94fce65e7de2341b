import { isObject } from '../../../platform/kernel/json/json.js';
import { RetryLaterError, UnknownOutcomeError } from '../errors.js';
import type { AdServerOptions } from '../port/adapter.js';
import { RestRefusedError } from '../rest/errors.js';
import { RestClient, type RestRequest } from '../rest/rest-client.js';
import type { KevelSettings } from './settings.js';
import type { KevelObject, Members } from './wire.js';

const PAGE_SIZE = 500;
/** Of a list; beyond it something is wrong with the paging. */
const MAX_PAGES = 200;

/** What a PUT must not send: read alone, left over from older versions, or added once more each time. */
const NEVER_SENT = [
  'CreativeMaps',
  'DeliveryStatus',
  'Created',
  'LastModified',
  'StartDate',
  'EndDate',
  'GeoTargeting',
  'SiteZoneTargeting',
] as const;

/** What Kevel has to show after a change: an answer of 200 alone is no yes. */
const DECISIVE = ['IsActive', 'IsArchived', 'Impressions', 'GoalType', 'Price', 'EndDateISO'] as const;

/** The calls of Kevel's management API: https://dev.kevel.com/reference. */
export class KevelApi {
  readonly #client: RestClient;
  readonly #signal: AbortSignal;

  constructor(client: RestClient, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Returns an object; undefined where there is none (any more). */
  async find(path: string): Promise<KevelObject | undefined> {
    try {
      const object = objectOf(await this.#send({ path }), path);
      return object.IsDeleted === true ? undefined : object;
    } catch (error) {
      if (error instanceof RestRefusedError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Returns every object of a list. There are no dependable totals: it ends at an empty page. */
  async list(path: string, query: NonNullable<RestRequest['query']> = {}): Promise<readonly KevelObject[]> {
    const all = new Map<number, KevelObject>();
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const items = itemsOf(await this.#send({ path, query: { ...query, page, pageSize: PAGE_SIZE } }));
      const fresh = items.filter(({ Id }) => !all.has(Id));
      // A list without pages answers the same again.
      if (fresh.length === 0) return [...all.values()];
      for (const item of fresh) all.set(item.Id, item);
    }
    throw new Error(`Kevel: ${path} has no end`);
  }

  /** Returns the objects that a form finds. */
  async search(path: string, form: Readonly<Record<string, string>>): Promise<readonly KevelObject[]> {
    return itemsOf(await this.#send({ method: 'POST', path, form, effect: 'none' }));
  }

  /** Makes a new object; returns it as it was answered. */
  async create(path: string, json: Members): Promise<KevelObject> {
    return objectOf(await this.#send({ method: 'POST', path, json }), path);
  }

  /** Makes something that is read again from its owner. */
  async add(path: string, json: Members): Promise<void> {
    await this.#send({ method: 'POST', path, json });
  }

  /** Takes away what hangs on an object; most such calls are a GET. */
  async remove(path: string): Promise<void> {
    try {
      await this.#send({ path, effect: 'repeatable' });
    } catch (error) {
      if (!(error instanceof RestRefusedError && error.status === 404)) throw error;
    }
  }

  /** Returns an object that has to be there. Throws RetryLaterError where somebody has just taken it away. */
  async get(path: string): Promise<KevelObject> {
    const object = await this.find(path);
    if (object === undefined) throw new RetryLaterError(`Kevel has no ${path} any more.`);
    return object;
  }

  /** Returns what hangs on an object and has no Id of its own. */
  async entries(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const body = await this.#send({ path });
    const items = isObject(body) ? body.items : body;
    return Array.isArray(items) ? items.filter((item) => isObject(item)) : [];
  }

  /** Brings members of an object to what they should be, where they differ. */
  async change(path: string, wanted: Members): Promise<void> {
    await this.changeFrom(path, await this.get(path), wanted);
  }

  /** Brings members to what they should be, of an object that was just read. */
  async changeFrom(path: string, present: KevelObject, wanted: Members): Promise<void> {
    if (isSame(present, wanted)) return;
    const json: Record<string, unknown> = { ...present, ...wanted };
    for (const name of NEVER_SENT) delete json[name];
    const answered = objectOf(await this.#send({ method: 'PUT', path, json }), path);
    const ignored = DECISIVE.filter((name) => name in wanted && !isSameValue(name, answered[name], wanted[name]));
    if (ignored.length === 0) return;
    throw new RetryLaterError(`Kevel took a change of ${path} and left ${ignored.join(', ')} as it was.`);
  }

  /** Asks for what neither is an object nor changes one. */
  async ask(path: string, json?: Members): Promise<Readonly<Record<string, unknown>>> {
    const method = json === undefined ? 'GET' : 'POST';
    const body = await this.#send({ method, path, json, effect: 'none' });
    if (!isObject(body)) throw new UnknownOutcomeError(`Kevel answered ${path} without an object.`);
    return body;
  }

  async #send(request: RestRequest): Promise<unknown> {
    return (await this.#client.send({ ...request, path: `/v1${request.path}`, signal: this.#signal })).body;
  }
}

/** Returns a client of a network. */
export function openClient(settings: KevelSettings, { clock, outbound, pace }: AdServerOptions): RestClient {
  const { api_key, base_url, network_id, requests_per_second } = settings;
  return new RestClient({
    name: 'Kevel',
    baseUrl: base_url,
    fetch: outbound.fetch,
    clock,
    pace: () => pace(`kevel:${network_id}`, requests_per_second),
    authorize: async () => ({ 'x-adzerk-apikey': api_key }),
    secrets: () => [api_key],
    keyHelp: 'Set the variable that ad_server.api_key names to a key of the network, and start again.',
  });
}

/** Whether members are as they are wanted: nothing differs from null, and instants are one however they are written. */
function isSame(present: Members, wanted: Members): boolean {
  return Object.entries(wanted).every(([name, value]) => isSameValue(name, present[name], value));
}

function isSameValue(name: string, present: unknown, wanted: unknown): boolean {
  if (wanted === null || wanted === undefined) return present === null || present === undefined;
  if (name.endsWith('ISO')) return instantOf(present) === instantOf(wanted);
  if (isObject(wanted) && isObject(present)) return isSame(present as Members, wanted as Members);
  return present === wanted;
}

/** Returns an instant in milliseconds; one without an offset is in UTC. */
function instantOf(value: unknown): number {
  const text = String(value);
  return Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/.test(text) || !text.includes('T') ? text : `${text}Z`);
}

function itemsOf(body: unknown): readonly KevelObject[] {
  const items = isObject(body) ? (body as { readonly items?: unknown }).items : body;
  return Array.isArray(items) ? items.filter(isKevelObject) : [];
}

function objectOf(body: unknown, path: string): KevelObject {
  if (isKevelObject(body)) return body;
  // It may have been done.
  throw new UnknownOutcomeError(`Kevel answered ${path} without an Id.`);
}

function isKevelObject(value: unknown): value is KevelObject {
  return isObject(value) && Number.isSafeInteger((value as { readonly Id?: unknown }).Id);
}
