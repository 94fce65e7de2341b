import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, systemClock } from '../platform/kernel/clock.js';
import type { Page } from '../platform/kernel/cursor.js';
import { exceededBound } from '../platform/kernel/json/bounds.js';
import { isObject } from '../platform/kernel/json/json.js';
import { readStrictJsonInSlices } from '../platform/kernel/json/strict-json.js';
import { createLog, type Log } from '../platform/kernel/log.js';
import { type Loop, startLoop } from '../platform/kernel/loop.js';
import { sha256 } from '../platform/signing/digest.js';
import type { KeyDirectory } from '../platform/signing/directory/key-directory.js';
import { createMemoryNonces, NONCE_LIMITS, type NonceStore } from '../platform/signing/verify/nonces.js';
import { headerReader, type ReceivedRequest, receivedHeaders } from '../platform/signing/verify/received.js';
import { NO_REVOCATION, type Revocation } from '../platform/signing/verify/revocation.js';
import { protocolNames } from '../protocol/names.js';
import { type Receipt, type Refusal, receiptResponse, sendReceipt } from './answers.js';
import { type BodyLimits, BodyReader } from './body.js';
import { type FindEndpoint, openEndpoints, type ReceiverEndpoint, type VerifiedEndpoint } from './endpoints.js';
import { judgeEnvelope } from './envelope.js';
import { Handling, type HandlingLimits, type ReceiptHandler } from './handling.js';
import { PUBLIC_NAME } from './keys.js';
import type { ReceiverStore, StoredEvent } from './store/store.js';

/** Bounds of a receiver. Bounds of its memory belong to its store. */
export type ReceiverBounds = BodyLimits & HandlingLimits;

/** Pauses between the tries of a handler, each in ms: twelve tries over 22 hours. */
const RETRY_DELAYS_MS: readonly number[] = [
  2 * SECOND_MS,
  8 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  8 * HOUR_MS,
];

/** Bounds of a body, looked at before anything reads it: a report of a thousand packages has some ten thousand values. */
const BODY_BOUNDS = { levels: 64, values: 50_000, members: 2000 };

/** A megabyte a body, 64 of them at once, ten seconds each; eight handlers of a minute, twelve tries over 22 hours. */
export const RECEIVER_BOUNDS: ReceiverBounds = {
  maxBodyBytes: 1024 * 1024,
  maxReadingBytes: 64 * 1024 * 1024,
  bodyTimeoutMs: 10 * SECOND_MS,
  concurrency: 8,
  handlerTimeoutMs: MINUTE_MS,
  retryDelaysMs: RETRY_DELAYS_MS,
};

/** The ports, endpoints and settings of a receiver. */
export type ReceiverOptions = {
  /** Shared by all endpoints: a sender's event counts once, wherever it is posted. */
  readonly store: ReceiverStore;
  readonly endpoints: readonly ReceiverEndpoint[];
  readonly handler: ReceiptHandler;
  /** Finds the keys of the endpoints' agents; `openSenderKeys` makes one. */
  readonly keys: Pick<KeyDirectory, 'findAmong'>;
  /** The protocol's name on the wire; `adcp` unless given. The neutral name is read beside it. */
  readonly protocolName?: string | undefined;
  /** Several processes share one. In memory it is enough for one: a replay after a restart is a duplicate for the store. */
  readonly nonces?: NonceStore | undefined;
  readonly revocation?: Revocation | undefined;
  readonly bounds?: Partial<ReceiverBounds> | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
};

/** A buyer's endpoint for webhooks. */
export type Receiver = {
  /** For node:http. */
  readonly listener: RequestListener;
  /** For servers that take a Request and give a Response; the same in everything else. Never throws. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Returns the receipt of a request, whose answer is the caller's to send. Never throws. */
  readonly receive: (request: IncomingMessage) => Promise<Receipt>;
  /** Answers a request and returns its receipt. Never throws. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<Receipt>;
  /** Runs one round by the clock, and waits for the handlers that it started. A round runs by itself every second too. */
  readonly tick: () => Promise<void>;
  /** Returns events whose handler failed every time, newest first; one more than the page asks for where there is one. */
  readonly dead: (page: Page) => Promise<readonly StoredEvent[]>;
  /** Makes a dead event due again. Returns false when there is no such event. */
  readonly retry: (seq: number) => Promise<boolean>;
  /** Ends rounds and handlers; an event under way waits for the next start. The store stays open. */
  readonly close: () => Promise<void>;
};

/** Longer than the day that senders retry for, as the last attempt may come at its very end. */
const KEY_RETENTION_MS = 25 * HOUR_MS;
const DEAD_RETENTION_MS = 30 * DAY_MS;
/** An impairment may close weeks after it was announced. */
const NOTIFICATION_RETENTION_MS = 90 * DAY_MS;
const PRUNE_EVERY_MS = MINUTE_MS;

const KEY = /^[A-Za-z0-9_.:-]{16,255}$/;
const NOTIFICATION_ID = /^[A-Za-z0-9_.:-]{1,255}$/;
const CHALLENGE = /^[A-Za-z0-9_.:-]{32,255}$/;
const JSON_TYPE = /^application\/json *(;|$)/i;

/**
 * Makes a receiver that checks a request in this order: address, size, content type, proof, nonce, shape. Key and body are then written
 * once, the request is answered when they are on disk, and the handler runs until it succeeds. Throws as `openEndpoints` does.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const receiver = new WebhookReceiver(options);
  return {
    listener: (request, response) => void receiver.handle(request, response),
    fetch: (request) => receiver.respond(request),
    receive: (request) => receiver.receive(request),
    handle: (request, response) => receiver.handle(request, response),
    tick: () => receiver.tick(),
    dead: (page) => options.store.list('dead', page),
    retry: (seq) => receiver.retry(seq),
    close: () => receiver.close(),
  };
}

/** A request in the form that both kinds of servers give it. */
type Arrival = Pick<ReceivedRequest, 'method' | 'headers'> & {
  /** Path and query. */
  readonly target: string;
  readonly body: Readable;
};

class WebhookReceiver {
  readonly #store: ReceiverStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #maxBodyBytes: number;
  readonly #findEndpoint: FindEndpoint;
  readonly #bodies: BodyReader;
  readonly #handling: Handling;
  readonly #loop: Loop;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ReceiverOptions) {
    const { store, handler, keys, clock = systemClock, log = createLog('warn') } = options;
    const bounds = { ...RECEIVER_BOUNDS, ...options.bounds };
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#maxBodyBytes = bounds.maxBodyBytes;
    this.#findEndpoint = openEndpoints(options.endpoints, {
      names: protocolNames(options.protocolName ?? PUBLIC_NAME),
      keys,
      nonces: options.nonces ?? createMemoryNonces(NONCE_LIMITS.webhook),
      revocation: options.revocation ?? NO_REVOCATION,
      now: () => clock.now(),
    });
    this.#bodies = new BodyReader(bounds, clock);
    this.#handling = new Handling({ store, clock, log, handler }, bounds);
    this.#loop = startLoop('receiver', SECOND_MS, log, () => this.#round());
    this.#handling.wake();
  }

  receive(request: IncomingMessage): Promise<Receipt> {
    return this.#receive(() => nodeArrival(request));
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<Receipt> {
    const receipt = await this.receive(request);
    sendReceipt(receipt, response);
    return receipt;
  }

  async respond(request: Request): Promise<Response> {
    return receiptResponse(await this.#receive(() => fetchArrival(request)));
  }

  async tick(): Promise<void> {
    await this.#round();
    await this.#handling.idle();
  }

  async retry(seq: number): Promise<boolean> {
    const isRevived = await this.#store.revive(seq, this.#clock.now());
    if (isRevived) this.#handling.wake();
    return isRevived;
  }

  async close(): Promise<void> {
    await this.#handling.stop();
    await this.#loop.stop();
  }

  async #receive(readArrival: () => Arrival): Promise<Receipt> {
    try {
      return await this.#judge(readArrival());
    } catch (error) {
      this.#log.error({ err: error }, 'a webhook could not be received; its sender comes again');
      return refused('trouble');
    }
  }

  async #judge(arrival: Arrival): Promise<Receipt> {
    const endpoint = this.#findEndpoint(arrival.target);
    const early = this.#refuseEarly(arrival, endpoint);
    if (early !== undefined || endpoint === undefined) {
      this.#bodies.discard(arrival.body);
      return refused(early ?? 'unknown_address');
    }
    const body = await this.#bodies.read(arrival.body);
    if (!body.ok) return body.fault === 'gone' ? { kind: 'gone' } : refused(body.fault);
    try {
      return await this.#accept(arrival, endpoint, body.bytes);
    } finally {
      body.release();
    }
  }

  /** Returns a refusal that needs nothing of the body, undefined where there is none. */
  #refuseEarly({ method, headers }: Arrival, endpoint: VerifiedEndpoint | undefined): Refusal | undefined {
    if (endpoint === undefined) return 'unknown_address';
    if (method !== 'POST') return 'wrong_method';
    const header = headerReader(headers);
    if (Number(header('content-length') ?? 0) > this.#maxBodyBytes) return 'too_large';
    return JSON_TYPE.test(header('content-type') ?? '') ? undefined : 'wrong_type';
  }

  /** Verifies a request, reads its event and stores it. */
  async #accept({ target, headers }: Arrival, endpoint: VerifiedEndpoint, body: Buffer): Promise<Receipt> {
    if (exceededBound(body, BODY_BOUNDS) !== undefined) return refused('too_many_values');
    const proof = await endpoint.prove({ method: 'POST', url: endpoint.urlOf(target), headers, body });
    if (!proof.ok) {
      if (proof.log !== undefined) this.#log.warn(proof.log, 'the body of a signed webhook is malformed');
      return proof.code === undefined ? refused('keys_unavailable') : { kind: 'unproven', code: proof.code };
    }
    const { mode } = endpoint.registered;
    const event = await readEvent(body, endpoint.registered);
    if ('refusal' in event) return refused(event.refusal, event.field);
    const { sender, keyid } = proof;
    const { payload } = event;
    if ('challenge' in event) return { kind: 'challenge', sender, mode, keyid, payload, challenge: event.challenge };
    const { idempotency_key, notification_id } = event;
    const added = await this.#store.add({
      sender,
      idempotency_key,
      notification_id,
      mode,
      keyid,
      target,
      body: body.toString('utf8'),
      received_at: this.#clock.now(),
    });
    if (added === 'full') return refused('full');
    if (added === 'added') this.#handling.wake();
    const kind = added === 'added' ? 'accepted' : 'duplicate';
    return { kind, sender, mode, keyid, idempotencyKey: idempotency_key, payload };
  }

  async #round(): Promise<void> {
    this.#bodies.expire();
    await this.#handling.round();
    const now = this.#clock.now();
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    await this.#store.prune({
      handled: now - KEY_RETENTION_MS,
      dead: now - DEAD_RETENTION_MS,
      notifications: now - NOTIFICATION_RETENTION_MS,
    });
  }
}

function nodeArrival(request: IncomingMessage): Arrival {
  const { method = '', url: target = '', rawHeaders } = request;
  return { method, target, headers: receivedHeaders(rawHeaders), body: request };
}

/** Throws TypeError for a request whose body was read before. */
function fetchArrival(request: Request): Arrival {
  if (request.bodyUsed) throw new TypeError('the body was read before it came to the receiver');
  const { pathname, search } = new URL(request.url);
  const body = request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as ReadableStream);
  return { method: request.method, target: pathname + search, headers: Object.fromEntries(request.headers), body };
}

function refused(refusal: Refusal, field?: string): Receipt {
  return { kind: 'refused', refusal, field };
}

type Payload = Readonly<Record<string, unknown>>;
type ReadEvent =
  | { readonly refusal: Refusal; readonly field?: string | undefined }
  | { readonly challenge: string; readonly payload: Payload }
  | { readonly idempotency_key: string; readonly notification_id: string | null; readonly payload: Payload };

/** Reads the members of a body that a receiver needs; a body that the endpoint was not registered for is refused. */
async function readEvent(body: Buffer, { token, format }: ReceiverEndpoint): Promise<ReadEvent> {
  const read = await readStrictJsonInSlices(body, BODY_BOUNDS.values);
  if (!read.ok || !isObject(read.value)) return { refusal: 'not_an_object' };
  const payload = read.value;
  const judged = judgeEnvelope(payload);
  if (!judged.ok) {
    return judged.lacks === undefined
      ? { refusal: 'bare_result' }
      : { refusal: 'incomplete_envelope', field: judged.lacks };
  }
  const { kind, members } = judged;
  if (format !== undefined && (kind === 'mcp' || kind === 'a2a') && kind !== format)
    return { refusal: 'wrong_envelope' };
  const { idempotency_key, notification_id = null, challenge } = members;
  if (kind === 'challenge') {
    return typeof challenge === 'string' && CHALLENGE.test(challenge)
      ? { challenge, payload }
      : { refusal: 'incomplete_envelope', field: 'challenge' };
  }
  if (typeof idempotency_key !== 'string' || !KEY.test(idempotency_key)) return { refusal: 'bad_key' };
  if (notification_id !== null && (typeof notification_id !== 'string' || !NOTIFICATION_ID.test(notification_id))) {
    return { refusal: 'bad_notification_id' };
  }
  if (token !== undefined && !isToken(members.token, token)) return { refusal: 'wrong_token' };
  return { idempotency_key, notification_id, payload };
}

/** Whether a token is the registered one, compared in constant time. */
function isToken(given: unknown, token: string): boolean {
  return timingSafeEqual(sha256(Buffer.from(String(given ?? ''))), sha256(Buffer.from(token)));
}
