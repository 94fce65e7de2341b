import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fetched, FetchOptions, Outbound } from '../../../platform/net/fetch.js';

/** Whether the ad server does what was asked before the fault. */
type FaultMoment = 'before' | 'after';
/** The adapter's view of a fault in place of the answer; a crash ends the adapter's process there. */
type FaultSight = 'silence' | 'hang-up' | 'error' | 'page' | 'throttle' | 'key' | 'crash';

/** Something that goes wrong with one request. */
export type Fault = { readonly moment: FaultMoment; readonly sight: FaultSight };

/** A request that arrived. */
type ProxiedCall = { readonly method: string; readonly path: string; readonly isWrite: boolean };

type ProxyOptions = {
  readonly target: string;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly isWrite: (method: string, path: string, body: string) => boolean;
  readonly onCrash: () => void;
  /** Called where a request gets no answer. */
  readonly onSilence: () => void;
};

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16_000_000;
/** Of one connection alone, or written anew. */
const NOT_FORWARDED: readonly string[] = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

const ANSWERS = {
  error: { status: 500, type: 'application/json', body: '{"message":"Something went wrong"}' },
  page: { status: 200, type: 'text/html', body: '<html><title>We will be back soon</title></html>' },
  throttle: { status: 429, type: 'application/json', body: '{"message":"Too many requests"}' },
  key: { status: 401, type: 'application/json', body: '{"message":"The key has expired"}' },
} as const;

/** Stands between one process of an adapter and its ad server, sees what is asked, and lets one request go wrong. */
export class FaultProxy {
  readonly calls: ProxiedCall[] = [];
  readonly #options: ProxyOptions;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #armed: { readonly fault: Fault; left: number; readonly isOfReads: boolean } | undefined;
  #isDead = false;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  /** Returns the address that the adapter takes for its ad server's. */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Lets the `nth` write (or read) from now on go wrong. */
  arm(fault: Fault, nth: number, isOfReads = false): void {
    this.#armed = { fault, left: nth, isOfReads };
  }

  /** Whether what was armed has not gone wrong: there were not so many. */
  get isArmed(): boolean {
    return this.#armed !== undefined;
  }

  /** Returns how many requests changed something, as far as can be seen. */
  get writes(): number {
    return this.calls.filter(({ isWrite }) => isWrite).length;
  }

  /** Answers nobody any more, but holds its port until `close`: another proxy must not answer who asks here. */
  stop(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#server.on('connection', (socket) => socket.destroy());
    this.#server.closeAllConnections();
  }

  close(): void {
    this.stop();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (this.#isDead) return;
    const { method = 'GET', url: path = '/' } = request;
    const body = Buffer.concat(chunks);
    const isWrite = this.#options.isWrite(method, path.replace(/\?.*$/s, ''), body.toString('utf8'));
    this.calls.push({ method, path, isWrite });
    const fault = this.#takeFault(isWrite);
    if (fault?.moment === 'before') return this.#fail(fault, response);
    const answer = await this.#forward(request, body).catch(() => undefined);
    if (fault !== undefined) return this.#fail(fault, response);
    if (answer === undefined) return void response.destroy();
    const headers = Object.entries(answer.headers).filter(([name]) => !NOT_FORWARDED.includes(name));
    response.writeHead(answer.status, Object.fromEntries(headers)).end(answer.bytes);
  }

  /** Takes the armed fault, if the request is of its kind and there is one left. */
  #takeFault(isWrite: boolean): Fault | undefined {
    const armed = this.#armed;
    if (armed === undefined || armed.isOfReads === isWrite) return undefined;
    armed.left -= 1;
    if (armed.left > 0) return undefined;
    if (armed.fault.sight !== 'key' || armed.left < 0) this.#armed = undefined;
    return armed.fault;
  }

  #forward(request: IncomingMessage, body: Buffer): Promise<Fetched> {
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' && !NOT_FORWARDED.includes(name) ? [[name, value] as const] : [],
    );
    return this.#options.outbound.fetch(`${this.#options.target}${request.url}`, {
      method: request.method as FetchOptions['method'] & string,
      headers: Object.fromEntries(headers),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      trusted: true,
      body: body.length === 0 ? undefined : body,
    });
  }

  #fail({ sight }: Fault, response: ServerResponse): void {
    switch (sight) {
      case 'silence':
        this.#options.onSilence();
        return;
      case 'hang-up':
        response.destroy();
        return;
      case 'crash':
        this.#options.onCrash();
        return;
      default: {
        const { status, type, body } = ANSWERS[sight];
        response.writeHead(status, { 'content-type': type, ...(sight === 'throttle' ? { 'retry-after': '0' } : {}) });
        response.end(body);
      }
    }
  }
}
