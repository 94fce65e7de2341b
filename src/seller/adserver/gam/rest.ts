import { isObject } from '../../../platform/kernel/json/json.js';
import { UnknownOutcomeError } from '../errors.js';
import { RestRefusedError } from '../rest/errors.js';
import type { RestClient, RestRequest } from '../rest/rest-client.js';
import { errorFor } from './soap/reasons.js';

/** An object of the API, with members of its own that are not read. */
export type Resource = Readonly<Record<string, unknown>> & { readonly name: string };

/** The network does not offer a method yet: the API is in beta, and its writes come network by network. */
export class NotOfferedError extends Error {
  override readonly name = 'NotOfferedError';
}

/** So many are asked for at a time, and so many pages at most. */
const PAGE_SIZE = 500;
const MAX_PAGES = 40;
const NOT_OFFERED: readonly number[] = [404, 405, 501];

/** The REST API of one network. Throws the port's errors, beside what a method says of its own. */
export class GamRest {
  readonly #http: RestClient;
  readonly #network: string;

  constructor(http: RestClient, networkCode: string) {
    this.#http = http;
    this.#network = networkCode;
  }

  /** Returns the name of an object of the network. */
  nameOf(collection: string, id: string): string {
    return `networks/${this.#network}/${collection}/${id}`;
  }

  /** Returns the network itself. */
  async readNetwork(signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    return this.#send({ path: `/v1/networks/${this.#network}`, signal });
  }

  /** Returns an object; undefined where there is none of this id. */
  async find(collection: string, id: string, signal: AbortSignal): Promise<Resource | undefined> {
    const path = `/v1/${this.nameOf(collection, encodeURIComponent(id))}`;
    const { status, body } = await this.#http.send({ path, signal, isAnswer: (fetched) => fetched.status === 404 });
    return status === 404 ? undefined : (body as Resource);
  }

  /** Returns the objects that a filter lets through, or all of them without one, all pages of them. */
  async list(collection: string, filter: string | undefined, signal: AbortSignal): Promise<readonly Resource[]> {
    return this.readPages(
      `networks/${this.#network}/${collection}`,
      collection,
      { filter, pageSize: PAGE_SIZE },
      signal,
    );
  }

  /** Returns the members of a list, all pages of them. Throws UnknownOutcomeError for one that does not end. */
  async readPages<T = Resource>(
    path: string,
    member: string,
    query: NonNullable<RestRequest['query']>,
    signal: AbortSignal,
  ): Promise<readonly T[]> {
    const all: T[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const body = await this.#send({ path: `/v1/${path}`, query: { ...query, pageToken }, signal });
      if (Array.isArray(body[member])) all.push(...(body[member] as readonly T[]));
      if (typeof body.nextPageToken !== 'string' || body.nextPageToken === '') return all;
      pageToken = body.nextPageToken;
    }
    throw new UnknownOutcomeError(`Google Ad Manager: the list of ${member} has more than ${MAX_PAGES} pages.`);
  }

  /** Creates one object. Throws NotOfferedError where the network has no such method. */
  async create(collection: string, body: object, signal: AbortSignal): Promise<Resource> {
    const path = `/v1/networks/${this.#network}/${collection}`;
    return (await this.#write({ method: 'POST', path, json: body, effect: 'creates', signal })) as Resource;
  }

  /** Creates one order, which has no method of its own. */
  async createOrder(order: object, signal: AbortSignal): Promise<Resource> {
    const parent = `networks/${this.#network}`;
    const json = { requests: [{ parent, order }] };
    const path = `/v1/${parent}/orders:batchCreate`;
    const { orders } = await this.#write({ method: 'POST', path, json, effect: 'creates', signal });
    const [created] = Array.isArray(orders) ? (orders as readonly Resource[]) : [];
    if (created === undefined)
      throw new UnknownOutcomeError('Google Ad Manager answered the creation of an order without one.');
    return created;
  }

  /** Changes members of an object. Throws NotOfferedError where the network has no such method. */
  async patch(name: string, members: readonly string[], body: object, signal: AbortSignal): Promise<Resource> {
    const query = { updateMask: members.join(',') };
    const request = {
      method: 'PATCH',
      path: `/v1/${name}`,
      query,
      json: { name, ...body },
      effect: 'repeatable',
      signal,
    } as const;
    return (await this.#write(request)) as Resource;
  }

  /** Has an action carried out. Throws NotOfferedError where the network has no such method. That it answers says nothing: read the state back. */
  async act(collection: string, action: string, names: readonly string[], signal: AbortSignal): Promise<void> {
    const path = `/v1/networks/${this.#network}/${collection}:${action}`;
    await this.#write({ method: 'POST', path, json: { names }, effect: 'repeatable', signal });
  }

  /** Has a report run; returns the name of the operation. */
  async runReport(report: string, signal: AbortSignal): Promise<string> {
    const body = await this.#send({
      method: 'POST',
      path: `/v1/${report}:run`,
      json: {},
      effect: 'repeatable',
      signal,
    });
    if (typeof body.name === 'string') return body.name;
    throw new UnknownOutcomeError('Google Ad Manager answered the run of a report without an operation.');
  }

  /** Returns how far an operation is; undefined where there is none of this name any more. */
  async readOperation(name: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined> {
    const isAnswer: RestRequest['isAnswer'] = ({ status }) => status === 404;
    const { status, body } = await this.#http.send({ path: `/v1/${name}`, signal, isAnswer });
    return status === 404 || !isObject(body) ? undefined : body;
  }

  async #write(request: RestRequest): Promise<Readonly<Record<string, unknown>>> {
    const isAnswer: RestRequest['isAnswer'] = ({ status }) => status === 403 || NOT_OFFERED.includes(status);
    const { status, body } = await this.#http.send({ ...request, isAnswer }).catch((error: unknown) => {
      throw toPortError(error);
    });
    const error = isObject(body) && isObject(body.error) ? body.error : undefined;
    if (NOT_OFFERED.includes(status) && (error === undefined || error.status === 'UNIMPLEMENTED'))
      throw new NotOfferedError(`Google Ad Manager does not offer ${request.path} (${status}).`);
    if (status >= 400) throw restError(error);
    return isObject(body) ? body : {};
  }

  async #send(request: RestRequest): Promise<Readonly<Record<string, unknown>>> {
    try {
      const { body } = await this.#http.send(request);
      return isObject(body) ? body : {};
    } catch (error) {
      throw toPortError(error);
    }
  }
}

/** Returns the port's error for one of the REST client. */
function toPortError(error: unknown): unknown {
  if (!(error instanceof RestRefusedError)) return error;
  return isObject(error.body) && isObject(error.body.error) ? restError(error.body.error) : errorFor([], error.message);
}

function restError(error: Readonly<Record<string, unknown>> | undefined): Error {
  const { details = [], message = 'it refused without a reason', status = '' } = error ?? {};
  // Reasons stand in the details too, in a form that is not published.
  return errorFor([String(status), ...findReasons(details)], String(message));
}

function findReasons(details: unknown): readonly string[] {
  return [...new Set(JSON.stringify(details).match(/\b\w+Error\.\w+\b/g))];
}
