import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, systemClock } from '../platform/kernel/clock.js';
import type { Page } from '../platform/kernel/cursor.js';
import { isObject } from '../platform/kernel/json/json.js';
import { readStrictJson } from '../platform/kernel/json/strict-json.js';
import { createLog, type Log } from '../platform/kernel/log.js';
import { startLoop } from '../platform/kernel/loop.js';
import { sha256 } from '../platform/signing/digest.js';
import type { KeyDirectory } from '../platform/signing/directory/key-directory.js';
import { createMemoryNonces, NONCE_LIMITS, type NonceStore } from '../platform/signing/verify/nonces.js';
import { receivedHeaders } from '../platform/signing/verify/received.js';
import { NO_REVOCATION, type Revocation } from '../platform/signing/verify/revocation.js';
import { protocolNames } from '../protocol/names.js';
import { detectFormat } from '../protocol/webhook-envelope.js';
import { SCHEDULE } from '../seller/webhooks/delivery/schedule.js';
import { answerReceipt, type Receipt, type Refusal } from './answers.js';
import { type BodyLimits, createBodyReader } from './body.js';
import { openEndpoints, type ReceiverEndpoint, type VerifiedEndpoint } from './endpoints.js';
import { createHandling, type HandlingLimits, type ReceiptHandler } from './handling.js';
import { PUBLIC_NAME } from './keys.js';
import type { ReceiverStore, StoredEvent } from './store/events.js';

/** Bounds of a receiver. Those of what it remembers belong to its store. */
export type ReceiverBounds = BodyLimits & HandlingLimits;

/** A megabyte a body, 64 of them at once, ten seconds each; eight handlers of a minute, twelve tries over 22 hours. */
export const RECEIVER_BOUNDS: ReceiverBounds = {
  maxBodyBytes: 1024 * 1024,
  maxReadingBytes: 64 * 1024 * 1024,
  bodyTimeoutMs: 10 * SECOND_MS,
  concurrency: 8,
  handlerTimeoutMs: MINUTE_MS,
  retryDelaysMs: SCHEDULE.delaysMs,
};

/** What a receiver is made of. */
export type ReceiverOptions = {
  /** Shared by all endpoints: a sender's event counts once, wherever it is posted. */
  readonly store: ReceiverStore;
  readonly endpoints: readonly ReceiverEndpoint[];
  readonly handler: ReceiptHandler;
  /** Finds the keys of the endpoints' agents; `openSenderKeys` makes one. */
  readonly keys: Pick<KeyDirectory, 'findAmong'>;
  /** The protocol's name on the wire; `adcp` unless given. The neutral name is read beside it. */
  readonly protocolName?: string;
  /** Several processes share one. In memory it is enough for one: what is replayed after a restart is a duplicate for the store. */
  readonly nonces?: NonceStore;
  readonly revocation?: Revocation;
  readonly bounds?: Partial<ReceiverBounds>;
  readonly clock?: Clock;
  readonly log?: Log;
};

/** A buyer's endpoint for webhooks. */
export type Receiver = {
  /** For node:http. */
  readonly listener: RequestListener;
  /** The same, and says what it made of the request once that is answered. Never throws. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<Receipt>;
  /** One round of what runs by the clock, and waits for the handlers it started. It runs by itself every second too. */
  readonly tick: () => Promise<void>;
  /** Events whose handler failed every time, newest first; one more than the page asks for where there is one. */
  readonly dead: (page: Page) => Promise<readonly StoredEvent[]>;
  /** Hands a dead event over again; false when there is no such one. */
  readonly retry: (seq: number) => Promise<boolean>;
  /** Ends rounds and handlers; an event in hand waits for the next start. The store stays open. */
  readonly close: () => Promise<void>;
};

/** Longer than the day that senders retry for, as the last attempt may come on its stroke. */
const KEYS_KEPT_MS = 25 * HOUR_MS;
const DEAD_KEPT_MS = 30 * DAY_MS;
/** An impairment may close weeks after it was told of. */
const NOTIFICATIONS_KEPT_MS = 90 * DAY_MS;

const KEY = /^[A-Za-z0-9_.:-]{16,255}$/;
const NOTIFICATION_ID = /^[A-Za-z0-9_.:-]{1,255}$/;
const JSON_TYPE = /^application\/json *(;|$)/i;

/**
 * Makes a receiver (spec 3). A request passes in this order: address, size, content type, proof, nonce, shape, then one write of key and
 * body; it is answered once that is on disk, and its handler runs afterwards until it succeeds. Throws as `openEndpoints` does.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { store, handler, keys, clock = systemClock, log = createLog('warn') } = options;
  const bounds = { ...RECEIVER_BOUNDS, ...options.bounds };
  const find = openEndpoints(options.endpoints, {
    names: protocolNames(options.protocolName ?? PUBLIC_NAME),
    keys,
    nonces: options.nonces ?? createMemoryNonces(NONCE_LIMITS.webhook),
    revocation: options.revocation ?? NO_REVOCATION,
    now: clock.now,
  });
  const bodies = createBodyReader(bounds, clock);
  const handling = createHandling({ store, clock, log, handler }, bounds);
  let prunedAt = Number.NEGATIVE_INFINITY;

  async function receive(request: IncomingMessage): Promise<Receipt> {
    const target = request.url ?? '';
    const endpoint = find(target);
    const early = refusalBefore(request, endpoint);
    if (early !== undefined || endpoint === undefined) {
      bodies.discard(request);
      return refused(early ?? 'unknown_address');
    }
    const body = await bodies.read(request);
    if (!body.ok) return body.fault === 'gone' ? { kind: 'gone' } : refused(body.fault);
    try {
      return await prove(request, endpoint, body.bytes);
    } finally {
      body.release();
    }
  }

  /** What can be refused before anything of the body is read. */
  function refusalBefore(request: IncomingMessage, endpoint: VerifiedEndpoint | undefined): Refusal | undefined {
    if (endpoint === undefined) return 'unknown_address';
    if (request.method !== 'POST') return 'wrong_method';
    if (Number(request.headers['content-length'] ?? 0) > bounds.maxBodyBytes) return 'too_large';
    return JSON_TYPE.test(request.headers['content-type'] ?? '') ? undefined : 'wrong_type';
  }

  async function prove(request: IncomingMessage, endpoint: VerifiedEndpoint, body: Buffer): Promise<Receipt> {
    const target = request.url ?? '';
    const proof = await endpoint.prove({
      method: 'POST',
      url: endpoint.urlOf(target),
      headers: receivedHeaders(request.rawHeaders),
      body,
    });
    if (!proof.ok) {
      if (proof.log !== undefined) log.warn(proof.log, 'the body of a signed webhook is malformed');
      return proof.code === undefined ? refused('keys_unavailable') : { kind: 'unproven', code: proof.code };
    }
    const { mode, token } = endpoint.registered;
    const read = readEvent(body, token);
    if ('refusal' in read) return refused(read.refusal);
    const { idempotency_key, notification_id, payload } = read;
    const kept = await store.keep({
      sender: proof.sender,
      idempotency_key,
      notification_id,
      mode,
      keyid: proof.keyid,
      target,
      body: body.toString('utf8'),
      received_at: clock.now(),
    });
    if (kept === 'full') return refused('full');
    if (kept === 'kept') handling.wake();
    const { sender, keyid } = proof;
    const kind = kept === 'kept' ? 'accepted' : 'duplicate';
    return { kind, sender, mode, keyid, idempotencyKey: idempotency_key, payload };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<Receipt> {
    const receipt = await receive(request).catch((error: unknown) => {
      log.error({ err: error }, 'a webhook could not be received; its sender comes again');
      return refused('trouble');
    });
    answerReceipt(receipt, response);
    return receipt;
  }

  async function prune(): Promise<void> {
    const now = clock.now();
    if (now - prunedAt < MINUTE_MS) return;
    prunedAt = now;
    await store.prune({
      handled: now - KEYS_KEPT_MS,
      dead: now - DEAD_KEPT_MS,
      notifications: now - NOTIFICATIONS_KEPT_MS,
    });
  }

  async function round(): Promise<void> {
    bodies.expire();
    await handling.round();
    await prune();
  }

  const loop = startLoop('receiver', SECOND_MS, log, round);
  handling.wake();

  return {
    listener: (request, response) => void handle(request, response),
    handle,
    tick: async () => {
      await round();
      await handling.idle();
    },
    dead: (page) => store.list('dead', page),
    retry: async (seq) => {
      const isRevived = await store.revive(seq, clock.now());
      if (isRevived) handling.wake();
      return isRevived;
    },
    close: async () => {
      await handling.stop();
      await loop.stop();
    },
  };
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

/** Reads what a receiver needs of a payload; the members of an A2A one stand in its `metadata`. The rest is the handler's. */
function readEvent(body: Buffer, token: string | undefined): ReadEvent {
  const read = readStrictJson(body);
  if (!read.ok || !isObject(read.value)) return { refusal: 'not_an_object' };
  const payload = read.value;
  const members = detectFormat(payload) === 'a2a' && isObject(payload.metadata) ? payload.metadata : payload;
  const { idempotency_key, notification_id = null } = members;
  if (typeof idempotency_key !== 'string' || !KEY.test(idempotency_key)) return { refusal: 'bad_key' };
  if (notification_id !== null && (typeof notification_id !== 'string' || !NOTIFICATION_ID.test(notification_id))) {
    return { refusal: 'bad_notification_id' };
  }
  if (token !== undefined && !isSame(members.token, token)) return { refusal: 'wrong_token' };
  return { idempotency_key, notification_id, payload };
}

/** Compared in constant time. */
function isSame(given: unknown, token: string): boolean {
  return timingSafeEqual(sha256(Buffer.from(String(given ?? ''))), sha256(Buffer.from(token)));
}
