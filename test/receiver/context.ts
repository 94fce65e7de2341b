import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemIds } from '../../src/platform/kernel/ids.js';
import { signHmac } from '../../src/platform/signing/hmac.js';
import type { SigningKey } from '../../src/platform/signing/keys/jwk.js';
import type { SignOptions } from '../../src/platform/signing/sign.js';
import type { Receipt } from '../../src/receiver/answers.js';
import type { ReceiverEndpoint } from '../../src/receiver/endpoints.js';
import { openReceiverFolder } from '../../src/receiver/folder.js';
import type { ReceiptHandler, ReceivedEvent } from '../../src/receiver/handling.js';
import { openSenderKeys } from '../../src/receiver/keys.js';
import {
  createReceiver,
  type Receiver,
  type ReceiverBounds,
  type ReceiverOptions,
} from '../../src/receiver/receiver.js';
import type { ReceiverLimits, ReceiverStore } from '../../src/receiver/store/store.js';
import { type Served, serveAssets } from '../kit/asset-server.js';
import { type HttpAnswer, type HttpRequest, send } from '../kit/http.js';
import {
  collectingLog,
  type LogLine,
  type TurnableClock,
  temporaryFolder,
  turnableClock,
} from '../kit/surroundings.js';
import { ADCP, arrived, freshKey } from '../platform/signing/context.js';

/** The agent whose events the tests receive, and a key of it. */
export const SELLER = 'https://seller.example/sales/mcp';
export const KEY = freshKey('ed25519', 'seller-1');

/** Two shared secrets. */
export const SECRET = 'old-secret-of-more-than-32-characters';
export const NEW_SECRET = 'new-secret-of-more-than-32-characters';

/** What a test changes about its receiver; everything has a default. */
export type ContextOptions = {
  readonly folder?: string;
  readonly clock?: TurnableClock;
  /** The endpoints by the origin of the server; one for signed events at /hooks unless given. */
  readonly endpoints?: (base: string, jwksUri: string) => readonly ReceiverEndpoint[];
  readonly handler?: ReceiptHandler;
  readonly bounds?: Partial<ReceiverBounds>;
  readonly limits?: ReceiverLimits;
  /** What the sender publishes; the key of the tests unless given. */
  readonly jwks?: Served;
  /** What else is served beside it. */
  readonly files?: Readonly<Record<string, Served>>;
  readonly options?: Partial<ReceiverOptions>;
};

/** A receiver on a real server and a real store, with a clock that a test turns. */
export type ReceiverContext = {
  readonly base: string;
  /** The registered address of signed events. */
  readonly url: string;
  readonly folder: string;
  readonly clock: TurnableClock;
  readonly store: ReceiverStore;
  readonly receiver: Receiver;
  /** What was handed over, in its order. */
  readonly handled: readonly ReceivedEvent[];
  /** Requests whose head has arrived. */
  readonly arrived: () => number;
  /** What came of each request. */
  readonly receipts: readonly Receipt[];
  readonly log: readonly LogLine[];
  /** Posts an event signed by the seller, as a sender would: freshly signed at every call. */
  readonly post: (event: object | string, signing?: Signing) => Promise<HttpAnswer>;
  /** Ends it as a stop would; the folder stays. */
  readonly close: () => Promise<void>;
};

/** How one event is signed; everything has a default. */
export type Signing = Partial<SignOptions> & {
  readonly url?: string;
  readonly key?: SigningKey;
  /** In place of those of the signature; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** In place of what was signed. */
  readonly body?: string;
};

/** Opens a receiver; it is closed after the test. */
export async function openServiceContext(options: ContextOptions = {}): Promise<ReceiverContext> {
  const { folder = temporaryFolder('receiver-'), clock = turnableClock(), bounds = {} } = options;
  const jwks = options.jwks ?? JSON.stringify({ keys: [KEY.publicJwk] });
  const published = await serveAssets({ '/jwks.json': jwks, ...options.files });
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handled: ReceivedEvent[] = [];
  const receipts: Receipt[] = [];
  const log: LogLine[] = [];
  const store = await openReceiverFolder(folder, options.limits);
  const keys = openSenderKeys({ clock, local: true });
  const endpoints = options.endpoints ?? signedAt('/hooks');
  let receiver: Receiver | undefined;
  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    server.close();
    server.closeAllConnections();
    await receiver?.close();
    await keys.close();
    await store.close();
  }
  const close = (): Promise<void> => {
    closing ??= closeAll();
    return closing;
  };
  onTestFinished(close);

  const opened = createReceiver({
    store,
    keys,
    clock,
    bounds,
    log: collectingLog(log),
    endpoints: endpoints(base, published.url('/jwks.json')),
    handler: (event, signal) => {
      handled.push(event);
      return options.handler?.(event, signal);
    },
    ...options.options,
  });
  receiver = opened;
  let heads = 0;
  server.on('request', (request, response) => {
    heads += 1;
    void opened.handle(request, response).then((receipt) => receipts.push(receipt));
  });

  const url = `${base}/hooks`;
  return {
    base,
    url,
    folder,
    clock,
    store,
    receiver: opened,
    handled,
    arrived: () => heads,
    receipts,
    log,
    post: (event, signing = {}) => {
      const text = typeof event === 'string' ? event : JSON.stringify(event);
      const signed = { url, nowSeconds: Math.floor(clock.now() / 1000), ...signing };
      return send(signed.url, signedRequest(text, signed));
    },
    close,
  };
}

/** Endpoints of events that the seller signs, one per path. */
export function signedAt(...paths: readonly string[]): NonNullable<ContextOptions['endpoints']> {
  return (base, jwksUri) =>
    paths.map((path) => ({ url: base + path, mode: 'rfc9421', agents: [{ url: SELLER, jwksUri }] }));
}

type SignedFor = Signing & { readonly url: string; readonly nowSeconds: number };

/** A signed request, not sent yet. */
export function signedRequest(body: string, signing: SignedFor): HttpRequest {
  const { url, key = KEY, headers = {}, body: other, ...options } = signing;
  const request = { method: 'POST', url, contentType: 'application/json', body: Buffer.from(body) };
  const signed = arrived(request, key, { nonce: systemIds.secret(), ...options });
  return {
    method: 'POST',
    headers: { ...(signed.headers as Record<string, string>), ...headers },
    body: other ?? body,
  };
}

/** Posts a body under the HMAC scheme. */
export function sendHmac(url: string, body: string, nowMs: number, secret = SECRET, headers = ADCP.hmacHeaders) {
  const proof = signHmac(Buffer.from(body), { secret, timestampSeconds: Math.floor(nowMs / 1000), headers });
  return send(url, { method: 'POST', headers: { 'content-type': 'application/json', ...proof }, body });
}

/** An event of a task, with a key of its own. */
export function taskEvent(change: object = {}): Record<string, unknown> & { readonly idempotency_key: string } {
  return {
    idempotency_key: systemIds.uuid(),
    operation_id: 'op_1',
    task_id: 'task_1',
    task_type: 'create_media_buy',
    status: 'completed',
    timestamp: '2030-01-01T00:00:00Z',
    result: { media_buy_id: 'mb_1' },
    ...change,
  };
}

/** The code of a refused signature, as the challenge tells it. */
export function challengeOf(answer: HttpAnswer): string | undefined {
  return /^Signature error="([a-z_]+)"$/.exec(answer.headers['www-authenticate'] ?? '')?.[1];
}
