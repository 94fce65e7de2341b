import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
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
import { receivedHeaders } from '../platform/signing/verify/received.js';
import { NO_REVOCATION, type Revocation } from '../platform/signing/verify/revocation.js';
import { protocolNames } from '../protocol/names.js';
import { detectFormat } from '../protocol/webhook-envelope.js';
import { type Receipt, type Refusal, sendReceipt } from './answers.js';
import { type BodyLimits, BodyReader } from './body.js';
import { type FindEndpoint, openEndpoints, type ReceiverEndpoint, type VerifiedEndpoint } from './endpoints.js';
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
const JSON_TYPE = /^application\/json *(;|$)/i;

/**
 * Makes a receiver. A request is checked in this order: address, size, content type, proof, nonce, shape. Then key and body are
 * written once, the request is answered when they are on disk, and the handler runs until it succeeds. Throws as `openEndpoints` does.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const receiver = new WebhookReceiver(options);
  return {
    listener: (request, response) => void receiver.handle(request, response),
    handle: (request, response) => receiver.handle(request, response),
    tick: () => receiver.tick(),
    dead: (page) => options.store.list('dead', page),
    retry: (seq) => receiver.retry(seq),
    close: () => receiver.close(),
  };
}

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

  async handle(request: IncomingMessage, response: ServerResponse): Promise<Receipt> {
    const receipt = await this.#receive(request).catch((error: unknown) => {
      this.#log.error({ err: error }, 'a webhook could not be received; its sender comes again');
      return refused('trouble');
    });
    sendReceipt(receipt, response);
    return receipt;
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

  async #receive(request: IncomingMessage): Promise<Receipt> {
    const endpoint = this.#findEndpoint(request.url ?? '');
    const early = this.#refuseEarly(request, endpoint);
    if (early !== undefined || endpoint === undefined) {
      this.#bodies.discard(request);
      return refused(early ?? 'unknown_address');
    }
    const body = await this.#bodies.read(request);
    if (!body.ok) return body.fault === 'gone' ? { kind: 'gone' } : refused(body.fault);
    try {
      return await this.#accept(request, endpoint, body.bytes);
    } finally {
      body.release();
    }
  }

  /** Returns a refusal that needs nothing of the body, undefined where there is none. */
  #refuseEarly(request: IncomingMessage, endpoint: VerifiedEndpoint | undefined): Refusal | undefined {
    if (endpoint === undefined) return 'unknown_address';
    if (request.method !== 'POST') return 'wrong_method';
    if (Number(request.headers['content-length'] ?? 0) > this.#maxBodyBytes) return 'too_large';
    return JSON_TYPE.test(request.headers['content-type'] ?? '') ? undefined : 'wrong_type';
  }

  /** Verifies a request, reads its event and stores it. */
  async #accept(request: IncomingMessage, endpoint: VerifiedEndpoint, body: Buffer): Promise<Receipt> {
    if (exceededBound(body, BODY_BOUNDS) !== undefined) return refused('too_many_values');
    const target = request.url ?? '';
    const proof = await endpoint.prove({
      method: 'POST',
      url: endpoint.urlOf(target),
      headers: receivedHeaders(request.rawHeaders),
      body,
    });
    if (!proof.ok) {
      if (proof.log !== undefined) this.#log.warn(proof.log, 'the body of a signed webhook is malformed');
      return proof.code === undefined ? refused('keys_unavailable') : { kind: 'unproven', code: proof.code };
    }
    const { mode, token } = endpoint.registered;
    const event = await readEvent(body, token);
    if ('refusal' in event) return refused(event.refusal);
    const { idempotency_key, notification_id, payload } = event;
    const { sender, keyid } = proof;
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

function refused(refusal: Refusal): Receipt {
  return { kind: 'refused', refusal };
}

type ReadEvent =
  | { readonly refusal: Refusal }
  | {
      readonly idempotency_key: string;
      readonly notification_id: string | null;
      readonly payload: Readonly<Record<string, unknown>>;
    };

/** Reads the members of a payload that a receiver needs; an A2A payload has them in its `metadata`. */
async function readEvent(body: Buffer, token: string | undefined): Promise<ReadEvent> {
  const read = await readStrictJsonInSlices(body, BODY_BOUNDS.values);
  if (!read.ok || !isObject(read.value)) return { refusal: 'not_an_object' };
  const payload = read.value;
  const members = detectFormat(payload) === 'a2a' && isObject(payload.metadata) ? payload.metadata : payload;
  const { idempotency_key, notification_id = null } = members;
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
