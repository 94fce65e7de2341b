import type { Clock } from '../platform/kernel/clock.js';
import type { Log } from '../platform/kernel/log.js';
import type { ChannelMode } from '../protocol/channels.js';
import type { ReceiverStore, StoredEvent } from './store/events.js';

/** An event as its handler gets it. It may come more than once: only a try that succeeds is the last. */
export type ReceivedEvent = {
  /** The authenticated identity of the sender: the URL of the agent whose key signed, or whom the credential was given to. */
  readonly sender: string;
  readonly idempotencyKey: string;
  /** Of state-shaped events: names the state that this tells of. */
  readonly notificationId: string | null;
  /** The key under which the same notification_id came first: the sender tells again, and an event before may have been missed. */
  readonly reemissionOf: string | null;
  readonly mode: ChannelMode;
  readonly keyid: string | null;
  /** Path and query that it was posted to; good for routing, never for correlation. */
  readonly target: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The exact text of the payload. */
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Counted from 1. */
  readonly attempt: number;
};

/** Takes an event in. What it throws makes the event come again later. `signal` says that the try is given up. */
export type ReceiptHandler = (event: ReceivedEvent, signal: AbortSignal) => unknown;

/** How events are handed over. */
export type HandlingLimits = {
  /** Handlers that run side by side. */
  readonly concurrency: number;
  /** How long a handler may take before its try has failed. */
  readonly handlerTimeoutMs: number;
  /** Pauses between a failed try and the next; after the last the event is dead. */
  readonly retryDelaysMs: readonly number[];
};

/** What brings events to their handler. */
export type Handling = {
  /** There may be something new: looks without being waited for. */
  readonly wake: () => void;
  /** Hands over what is due and ends tries that have had their time. */
  readonly round: () => Promise<void>;
  /** Resolves once nothing is in hand. */
  readonly idle: () => Promise<void>;
  /** Hands over nothing more, tells the handlers at work, and waits for them. What they did not finish waits in the store. */
  readonly stop: () => Promise<void>;
};

type Hand = { readonly until: number; readonly giveUp: (reason: Error) => void; readonly done: Promise<void> };

/** Brings the store's waiting events to a handler, each until it succeeds or its tries are used up. Every event is in one hand at a time. */
export function createHandling(
  ports: { readonly store: ReceiverStore; readonly clock: Clock; readonly log: Log; readonly handler: ReceiptHandler },
  { concurrency, handlerTimeoutMs, retryDelaysMs }: HandlingLimits,
): Handling {
  const { store, clock, log, handler } = ports;
  const hands = new Map<number, Hand>();
  let looking: Promise<void> = Promise.resolve();
  let isLookQueued = false;
  let isStopped = false;

  /** However many ask, one look runs and one more waits behind it. */
  function look(): Promise<void> {
    if (isLookQueued) return looking;
    isLookQueued = true;
    looking = looking.catch(() => undefined).then(lookOnce);
    return looking;
  }

  async function lookOnce(): Promise<void> {
    isLookQueued = false;
    if (isStopped || hands.size >= concurrency) return;
    // Those in hand are still due in the store.
    const due = await store.due(clock.now(), concurrency + hands.size);
    for (const seq of due) if (!hands.has(seq) && hands.size < concurrency && !isStopped) take(seq);
  }

  function take(seq: number): void {
    const controller = new AbortController();
    const gaveUp = new Promise<never>((_resolve, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
    });
    gaveUp.catch(() => undefined);
    const done = attempt(seq, controller.signal, gaveUp)
      .finally(() => hands.delete(seq))
      // What the store refused is not looked for at once, but in the next round.
      .then(wake, (error: unknown) => log.error({ err: error, seq }, 'a received event could not be settled'));
    hands.set(seq, { until: clock.now() + handlerTimeoutMs, giveUp: (reason) => controller.abort(reason), done });
  }

  async function attempt(seq: number, signal: AbortSignal, gaveUp: Promise<never>): Promise<void> {
    const event = await store.find(seq);
    // It may have been settled since it was looked up.
    if (event === undefined || event.body === null || event.due_at === null || event.due_at > clock.now()) return;
    const tries = event.tries + 1;
    try {
      await Promise.race([handler(handedOver(event, event.body), signal), gaveUp]);
    } catch (error) {
      if (!isStopped || !signal.aborted) await fail(event, tries, error);
      return;
    }
    const settled = { seq, tries, reason: null, due_at: null, finished_at: clock.now() };
    await store.settle({ ...settled, state: 'handled' });
  }

  async function fail({ seq, sender, idempotency_key }: StoredEvent, tries: number, error: unknown): Promise<void> {
    const pause = retryDelaysMs[tries - 1];
    const reason = error instanceof Error ? error.message : String(error);
    const known = { err: error, sender, idempotency_key, tries };
    if (pause === undefined) {
      log.error(known, 'a received event is given up: its handler failed every time');
      await store.settle({ seq, state: 'dead', tries, reason, due_at: null, finished_at: clock.now() });
    } else {
      log.warn(known, 'the handler of a received event failed; it is tried again');
      await store.settle({ seq, state: 'waiting', tries, reason, due_at: clock.now() + pause, finished_at: null });
    }
  }

  function wake(): void {
    look().catch((error: unknown) => log.error({ err: error }, 'received events could not be looked up'));
  }

  async function idle(): Promise<void> {
    await looking.catch(() => undefined);
    if (hands.size === 0) return;
    await Promise.all([...hands.values()].map((hand) => hand.done));
    await idle();
  }

  function expire(): void {
    const now = clock.now();
    for (const { until, giveUp } of hands.values()) {
      if (now >= until) giveUp(new Error(`the handler took longer than ${handlerTimeoutMs} ms`));
    }
  }

  return {
    wake,
    round: async () => {
      expire();
      await look();
    },
    idle,
    stop: async () => {
      isStopped = true;
      for (const { giveUp } of hands.values()) giveUp(new Error('the receiver is closing'));
      await idle();
    },
  };
}

function handedOver(event: StoredEvent, body: string): ReceivedEvent {
  return {
    sender: event.sender,
    idempotencyKey: event.idempotency_key,
    notificationId: event.notification_id,
    reemissionOf: event.reemission_of,
    mode: event.mode as ChannelMode,
    keyid: event.keyid,
    target: event.target,
    payload: JSON.parse(body) as Readonly<Record<string, unknown>>,
    body,
    receivedAt: event.received_at,
    attempt: event.tries + 1,
  };
}
