import { type Lease, LeaseLostError } from '../../platform/database/leases.js';
import { LockTimeout } from '../../platform/database/unavailable.js';
import { Cache } from '../../platform/kernel/cache.js';
import { canonicalHashInSlices, sha256Hex } from '../../platform/kernel/canonical.js';
import { monotonicMs, SECOND_MS } from '../../platform/kernel/clock.js';
import { freshBytes } from '../../platform/kernel/ids.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { pause, repeatEvery } from '../../platform/kernel/loop.js';
import { TaskError } from '../../protocol/errors.js';
import type { KeyRecord } from '../store/idempotency-keys.js';
import { ownerLock, type Reader, type Store, type Writer } from '../store/store.js';

/** A key that is in hand for longer than a rival waits is soon answered, or free. */
const RETRY_SECONDS = 2;

/** For how long a process that stops keeps others from preparing the same call. */
const LEASE_MS = 10 * SECOND_MS;
/** How long a call waits for another process that prepares the same one, and how long between two looks, about. */
const MAX_WAIT_MS = 5 * SECOND_MS;
const WAIT_MS = 100;

const KEY = /^[A-Za-z0-9_.:-]{16,255}$/;

/** Returns the request's key. Throws INVALID_REQUEST when it is missing or malformed. */
export function readKey(value: unknown): string {
  if (typeof value === 'string' && KEY.test(value)) return value;
  throw new TaskError(
    'INVALID_REQUEST',
    value === undefined ? 'This task needs an idempotency_key.' : 'The idempotency_key has the wrong form.',
    {
      field: 'idempotency_key',
      suggestion:
        'Send a fresh UUID v4 per intended change, and the same one again when you retry: 16 to 255 of A-Z a-z 0-9 _ . : -',
      issues: [
        {
          pointer: '/idempotency_key',
          message: `must match ${KEY.source}`,
          keyword: value === undefined ? 'required' : 'pattern',
        },
      ],
    },
  );
}

/**
 * Returns the hash of what a request asks for: the tool and all arguments but the four that may differ between retries
 * (key, context, governance context, callback credentials).
 */
export function requestHash(tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const { idempotency_key: _key, context: _context, governance_context: _governance, ...rest } = args;
  return canonicalHashInSlices([tool, { ...rest, ...withoutCredentials(rest.push_notification_config) }]);
}

function withoutCredentials(config: unknown): Record<string, unknown> {
  if (!isObject(config) || !isObject(config.authentication)) return {};
  const { credentials: _credentials, ...authentication } = config.authentication;
  return { push_notification_config: { ...config, authentication } };
}

/**
 * Returns what a known key means for a request: the stored answer to replay. Throws IDEMPOTENCY_EXPIRED outside the replay window and
 * IDEMPOTENCY_CONFLICT for another request; the latter says nothing about the first one.
 */
export function judgeRecord(record: KeyRecord, hash: string, nowMs: number): string {
  if (record.response === null || record.expires_at <= nowMs) {
    throw new TaskError(
      'IDEMPOTENCY_EXPIRED',
      'The idempotency_key was used before and its answer is no longer kept.',
      {
        suggestion: 'Read the present state (for example with get_media_buys); for a new change send a new key.',
      },
    );
  }
  if (record.hash !== hash) {
    throw new TaskError(
      'IDEMPOTENCY_CONFLICT',
      'The idempotency_key was used for a different request. Send a new key for a new request.',
    );
  }
  return record.response;
}

function inFlight(): TaskError {
  return new TaskError('IDEMPOTENCY_IN_FLIGHT', 'A request with this idempotency_key is being carried out.', {
    retryAfter: RETRY_SECONDS,
    suggestion: 'Send the same request again under the same key: it is answered once the first one is done.',
  });
}

/** A keyed request: whose, which, and what it asks for. */
export type Keyed = { readonly owner: string; readonly key: string; readonly hash: string; readonly nowMs: number };

/** The stored answer as JSON, and whether it had been there before. */
export type Once = { readonly response: string; readonly replayed: boolean };

/** The effect of a keyed request in its transaction, with what was prepared outside; answers in JSON. */
export type Effect<Prepared> = (tx: Writer, prepared: Prepared | undefined) => Promise<string>;

/** Runs keyed effects, each once. */
export type Idempotency = {
  /**
   * Runs an effect once per key: the effect, the key and the answer are one transaction, so a failed effect leaves the key free.
   * A call whose key is in hand waits for it and gets its answer, whichever process has it in hand. Throws as `judge` does, and
   * IDEMPOTENCY_IN_FLIGHT when another process has it in hand for long.
   */
  readonly run: <Prepared>(
    keyed: Keyed,
    ttlSeconds: number,
    effect: Effect<Prepared>,
    /** What is slow, done before the transaction and not for a replay. */
    prepare?: () => Promise<Prepared>,
  ) => Promise<Once>;
};

/** Returns the stored answer of a key; throws as `judge` does. */
async function findOnce(reader: Pick<Reader, 'keys'>, { owner, key, hash, nowMs }: Keyed): Promise<Once | undefined> {
  const record = await reader.keys.find(owner, key);
  return record === undefined ? undefined : { response: judgeRecord(record, hash, nowMs), replayed: true };
}

/** Runs what is prepared outside of a transaction while no other process does that under the same key; a rival replays what comes of it. */
async function runAlone(store: Store, keyed: Keyed, action: (lease: Lease) => Promise<Once>): Promise<Once> {
  const { leases } = store;
  const name = `call ${sha256Hex(`${keyed.owner}\n${keyed.key}`)}`;
  const giveUpAt = monotonicMs() + MAX_WAIT_MS;
  for (let lease = await leases.take(name, LEASE_MS); ; lease = await leases.take(name, LEASE_MS)) {
    if (lease !== undefined) return runUnder(store, lease, keyed, action);
    const stored = await findOnce(store.read, keyed);
    if (stored !== undefined) return stored;
    if (monotonicMs() > giveUpAt) throw inFlight();
    await pause(WAIT_MS * (0.5 + (freshBytes(1)[0] ?? 0) / 256));
  }
}

/** Runs an action under a lease, which is renewed meanwhile and then given back. */
async function runUnder(
  { isShared, leases, read }: Store,
  lease: Lease,
  keyed: Keyed,
  action: (lease: Lease) => Promise<Once>,
): Promise<Once> {
  // A renewal that fails is no harm: the lease is looked at again where it counts, in the transaction.
  const endRenewal = repeatEvery(LEASE_MS / 3, () => leases.renew(lease, LEASE_MS));
  try {
    // A rival may have been done with it before the lease was free.
    const stored = isShared ? await findOnce(read, keyed) : undefined;
    return stored ?? (await action(lease));
  } catch (error) {
    throw error instanceof LeaseLostError ? inFlight() : error;
  } finally {
    endRenewal();
    // One that cannot be given back ends by itself.
    await leases.forget(lease).catch(() => undefined);
  }
}

/** Runs an effect and stores its answer under the key, in one transaction, unless the key has an answer already. */
function execute(
  store: Store,
  keyed: Keyed,
  ttlSeconds: number,
  effect: (tx: Writer) => Promise<string>,
): Promise<Once> {
  const { owner, key, hash, nowMs } = keyed;
  const lock = `key ${owner} ${key}`;
  const once = async (tx: Writer): Promise<Once> => {
    const stored = await findOnce(tx, keyed);
    if (stored !== undefined) return stored;
    const response = await effect(tx);
    await tx.keys.add(owner, key, { hash, response, created_at: nowMs, expires_at: nowMs + ttlSeconds * 1000 });
    return { response, replayed: false };
  };
  return store.transact(once, { locks: [lock, ownerLock(owner)] }).catch((error: unknown) => {
    throw error instanceof LockTimeout && error.lock === lock ? inFlight() : error;
  });
}

/**
 * Returns idempotency over a store. A key that was answered of late is looked up without a transaction (bench row
 * `replay`).
 */
export function createIdempotency(store: Store): Idempotency {
  const running = new Map<string, Promise<unknown>>();
  const answered = new Cache<string, true>({
    maxEntries: 20_000,
    maxBytes: 8 * 1024 * 1024,
    sizeOf: (_, id) => 2 * id.length + 100,
  });

  return {
    run: async (keyed, ttlSeconds, effect, prepare) => {
      const id = `${keyed.owner}\n${keyed.key}`;
      for (let other = running.get(id); other !== undefined; other = running.get(id))
        await other.catch(() => undefined);
      const executing = (async (): Promise<Once> => {
        if (prepare !== undefined || answered.get(id) === true) {
          const stored = await findOnce(store.read, keyed);
          if (stored !== undefined) return stored;
        }
        if (prepare === undefined) return execute(store, keyed, ttlSeconds, (tx) => effect(tx, undefined));
        return runAlone(store, keyed, async (lease) => {
          const prepared = await prepare();
          return execute(store, keyed, ttlSeconds, async (tx) => {
            await tx.requireLease(lease);
            return effect(tx, prepared);
          });
        });
      })();
      running.set(id, executing);
      try {
        const once = await executing;
        answered.set(id, true);
        return once;
      } finally {
        if (running.get(id) === executing) running.delete(id);
      }
    },
  };
}
