import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { AdServerDeal, AdServerLine, ContractAdServer } from './ad-server.js';

/** The key that the example ad server takes. */
const API_KEY = 'example-key';
const PLACEMENTS = [1, 2];
const MAX_BODY_BYTES = 1_000_000;
/** Polls that a report takes. */
const REPORT_POLLS = 1;

type Members = Readonly<Record<string, unknown>>;
type Line = Members & { readonly id: number; readonly order_id: number };
type Order = Members & { readonly id: number };
type StoredDeal = Members & { readonly id: string };
type Row = { readonly line_id: number; readonly date: string; readonly creative: string; readonly impressions: number };
type Report = { readonly request: Members; pollsLeft: number };

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A small ad server with a REST API, as docs/extending.md describes it; all that it has is in memory. */
class ExampleServer {
  readonly orders = new Map<number, Order>();
  readonly lines = new Map<number, Line>();
  readonly deals = new Map<string, StoredDeal>();
  rows: readonly Row[] = [];
  isHeld = false;
  readonly #reports = new Map<number, Report>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #next = 100;

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  reset(): void {
    for (const table of [this.orders, this.lines, this.deals, this.#reports]) table.clear();
    this.rows = [];
    this.isHeld = false;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(request);
      if (request.headers.authorization !== `Bearer ${API_KEY}`) throw new Refusal(401, 'The key is not valid.');
      const answer = this.#route(request.method ?? 'GET', new URL(request.url ?? '/', 'http://localhost'), body);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      const message = error instanceof Error ? error.message : String(error);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
    }
  }

  #route(method: string, { pathname, searchParams }: URL, body: Members): unknown {
    const [, table, id] = pathname.split('/');
    const by = (name: string) => searchParams.get(name);
    switch (`${method} /${table}${id === undefined ? '' : '/#'}`) {
      case 'GET /placements':
        return PLACEMENTS.map((placement) => ({ id: placement }));
      case 'GET /orders':
        return [...this.orders.values()].filter(({ reference }) => reference === by('reference'));
      case 'POST /orders':
        return this.#put(this.orders, undefined, judgeOrder(body));
      case 'PUT /orders/#':
        return this.#put(this.orders, this.#get(this.orders, id), judgeOrder(body));
      case 'GET /lines':
        return [...this.lines.values()].filter(({ order_id }) => `${order_id}` === by('order_id'));
      case 'POST /lines':
        return this.#put(this.lines, undefined, this.#judgeLine(body));
      case 'PUT /lines/#':
        return this.#put(this.lines, this.#get(this.lines, id), this.#judgeLine(body));
      case 'GET /deals':
        return [...this.deals.values()].filter(({ order_reference }) => order_reference === by('order_reference'));
      case 'POST /deals':
        return this.#putDeal(`D-${this.#next + 1}`, judgeDeal(body));
      case 'PUT /deals/#':
        return this.#putDeal(this.#getDeal(id).id, judgeDeal(body));
      case 'POST /reports':
        return { id: this.#order(body) };
      case 'GET /reports/#':
        return this.#read(Number(id));
      default:
        throw new Refusal(404, `There is no ${method} ${pathname}.`);
    }
  }

  #put<T extends { readonly id: number }>(table: Map<number, T>, present: T | undefined, members: Omit<T, 'id'>): T {
    this.#next += 1;
    const stored = { ...members, id: present?.id ?? this.#next } as T;
    table.set(stored.id, stored);
    return stored;
  }

  #putDeal(id: string, members: Members): StoredDeal {
    this.#next += 1;
    const stored = { ...members, id };
    this.deals.set(id, stored);
    return stored;
  }

  #getDeal(id: string | undefined): StoredDeal {
    const deal = this.deals.get(id ?? '');
    if (deal === undefined) throw new Refusal(404, `There is no deal ${id}.`);
    return deal;
  }

  #get<T>(table: ReadonlyMap<number, T>, id: string | undefined): T {
    const row = table.get(Number(id));
    if (row === undefined) throw new Refusal(404, `There is nothing under ${id}.`);
    return row;
  }

  #judgeLine(line: Members): Omit<Line, 'id'> {
    const { creatives, end, goal, order_id, placement, price, reference, start, status } = line;
    if (typeof order_id !== 'number' || !this.orders.has(order_id)) throw new Refusal(422, 'order_id: no such order');
    if (typeof placement !== 'number' || !PLACEMENTS.includes(placement))
      throw new Refusal(409, 'placement: not there');
    if (typeof reference !== 'string' || typeof price !== 'number') throw new Refusal(422, 'reference, price: missing');
    if (typeof goal !== 'number' || !Number.isInteger(goal) || goal < 1) throw new Refusal(422, 'goal: 1 at least');
    if (!(Date.parse(String(start)) < Date.parse(String(end)))) throw new Refusal(422, 'end: not after start');
    if (!['active', 'paused', 'ended'].includes(String(status))) throw new Refusal(422, 'status: unknown');
    if (!Array.isArray(creatives)) throw new Refusal(422, 'creatives: missing');
    return { ...line, order_id };
  }

  #order(request: Members): number {
    this.#next += 1;
    this.#reports.set(this.#next, { request, pollsLeft: this.isHeld ? Number.POSITIVE_INFINITY : REPORT_POLLS });
    return this.#next;
  }

  #read(id: number): unknown {
    const report = this.#get(this.#reports, `${id}`);
    if (report.pollsLeft > 0 && (this.isHeld || Number.isFinite(report.pollsLeft))) {
      report.pollsLeft -= 1;
      return { id, status: 'running' };
    }
    if (report.pollsLeft > 0) return { id, status: 'running' };
    const { from, line_ids: lines, to } = report.request;
    const rows = this.rows.filter(
      ({ date, line_id }) =>
        Array.isArray(lines) && lines.includes(line_id) && date >= String(from) && date <= String(to),
    );
    return { id, status: 'done', rows };
  }
}

function judgeOrder(order: Members): Omit<Order, 'id'> {
  const { name, reference, status } = order;
  if (typeof reference !== 'string' || typeof name !== 'string') throw new Refusal(422, 'reference, name: missing');
  if (status !== 'active' && status !== 'paused' && status !== 'ended') throw new Refusal(422, 'status: unknown');
  return order;
}

/** As the Deals API of the IAB Tech Lab numbers them. */
const DEAL_STATES: Readonly<Record<number, AdServerLine['state']>> = {
  0: 'running',
  1: 'paused',
  3: 'ended',
  4: 'ended',
};

function judgeDeal(deal: Members): Members {
  const { dsp, name, order_reference, reference, sellerstatus, terms, wseat = [] } = deal;
  const named = [dsp, name, order_reference, reference];
  if (named.some((one) => typeof one !== 'string')) throw new Refusal(422, 'dsp, name, references: missing');
  if (DEAL_STATES[Number(sellerstatus)] === undefined) throw new Refusal(422, 'sellerstatus: unknown');
  if (!Array.isArray(wseat)) throw new Refusal(422, 'wseat: no list');
  const { cur, dealfloor, enddate, pricetype, startdate } = isObject(terms) ? (terms as Members) : {};
  if (typeof dealfloor !== 'number' || typeof cur !== 'string') throw new Refusal(422, 'terms: no dealfloor, cur');
  if (![1, 2, 3].includes(Number(pricetype))) throw new Refusal(422, 'terms.pricetype: unknown');
  if (!(Date.parse(String(startdate)) < Date.parse(String(enddate))))
    throw new Refusal(422, 'terms.enddate: too early');
  return deal;
}

async function readBody(request: IncomingMessage): Promise<Members> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Refusal(413, 'The body is too large.');
    chunks.push(chunk);
  }
  if (size === 0) return {};
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (!isObject(body)) throw new Refusal(400, 'The body is no object.');
  return body as Members;
}

/** Starts the example ad server, for adapters to be tried against. */
export async function startExampleServer(): Promise<ContractAdServer> {
  const server = new ExampleServer();
  const change = (id: string, members: Members): void => {
    const line = server.lines.get(Number(id));
    if (line !== undefined) server.lines.set(line.id, { ...line, ...members });
  };
  return {
    url: await server.start(),
    settings: (base_url) => ({ base_url, api_key: API_KEY, currency: 'USD' }),
    product: { placement: 1 },
    unknownProduct: { placement: 999 },
    reset: async () => server.reset(),
    lines: async () => [...server.lines.values()].map((line) => readLine(line, server.orders.get(line.order_id))),
    deals: async () => [...server.deals.values()].map(readDeal),
    deliver: async ({ id }, { creative_id = '', date, impressions }) => {
      const isOther = (row: Row) => row.line_id !== Number(id) || row.date !== date;
      server.rows = [...server.rows.filter(isOther), { line_id: Number(id), date, creative: creative_id, impressions }];
    },
    removeByHand: async ({ id }) => void server.lines.delete(Number(id)),
    pauseByHand: async ({ id }) => change(id, { status: 'paused' }),
    holdReports: (isHeld) => {
      server.isHeld = isHeld;
    },
    spoil: (order) => ({
      ...order,
      packages: order.packages.map((line) => ({ ...line, end_time: line.start_time })),
    }),
    stop: async () => server.stop(),
  };
}

function readLine(line: Line, order: Order | undefined): AdServerLine {
  const [media_buy_id = '', package_id = ''] = String(line.reference).split('/');
  const creatives = (line.creatives as readonly Members[]).filter(({ reference }) => typeof reference === 'string');
  return {
    ...{ id: `${line.id}`, order: `${line.order_id}`, media_buy_id, package_id },
    state: stateOf([String(line.status), String(order?.status)]),
    ...{
      goal: Number(line.goal),
      price: Number(line.price),
      start_time: String(line.start),
      end_time: String(line.end),
    },
    creative_ids: creatives.map(({ reference }) => String(reference)),
    pictures: creatives.map(({ image }) => String(image)),
  };
}

function readDeal({ id, dsp, reference, sellerstatus, terms, wseat }: StoredDeal): AdServerDeal {
  const { cur, dealfloor, enddate, pricetype, startdate } = terms as Members;
  const [media_buy_id = '', key = ''] = String(reference).split('/');
  return {
    ...{ id, dsp: String(dsp), media_buy_id, package_id: key.split('@')[0] ?? '' },
    ...{ bidfloor: Number(dealfloor), bidfloorcur: String(cur), at: Number(pricetype) as AdServerDeal['at'] },
    wseat: wseat as AdServerDeal['wseat'],
    state: DEAL_STATES[Number(sellerstatus)] ?? 'ended',
    ...{ start_time: String(startdate), end_time: String(enddate) },
  };
}

function stateOf(statuses: readonly string[]): AdServerLine['state'] {
  if (statuses.includes('ended')) return 'ended';
  return statuses.includes('paused') ? 'paused' : 'running';
}
