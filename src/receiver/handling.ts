import type { Clock } from '../platform/kernel/clock.js';
import type { Log } from '../platform/kernel/log.js';
import type { ChannelMode } from '../protocol/channels.js';
import { type EnvelopeKind, judgeEnvelope } from './envelope.js';
import type { ReceiverStore, StoredEvent } from './store/store.js';

/** An event as its handler gets it. A handler may get it more than once: only a try that succeeds is the last. */
export type ReceivedEvent = {
  /** The authenticated identity of the sender: the URL of the agent whose key signed, or whom the credential was given to. */
  readonly sender: string;
  readonly idempotencyKey: string;
  /** Of state-shaped events: names the state that the event is about. */
  readonly notificationId: string | null;
  /** The key under which this notification_id was received first: the event is emitted again, and an earlier one may have been missed. */
  readonly reemissionOf: string | null;
  readonly mode: ChannelMode;
  readonly keyid: string | null;
  /** Path and query that it was posted to; good for routing, never for correlation. */
  readonly target: string;
  /** Tells an event of a task, in either envelope, from those that are their own. */
  readonly kind: EnvelopeKind;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The exact text of the payload. */
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Counted from 1. */
  readonly attempt: number;
};

/** Handles an event. An error makes the event come again later; `signal` aborts when the try is given up. */
export type ReceiptHandler = (event: ReceivedEvent, signal: AbortSignal) => unknown;

/** Bounds of the handling of events. */
export type HandlingLimits = {
  /** Handlers that run side by side. */
  readonly concurrency: number;
  /** How long a handler may take before its try has failed. */
  readonly handlerTimeoutMs: number;
  /** Pauses between a failed try and the next; after the last the event is dead. */
  readonly retryDelaysMs: readonly number[];
};

type Try = { readonly until: number; readonly giveUp: (reason: Error) => void; readonly done: Promise<void> };

/** The store, clock, log and handler of the handling of events. */
type HandlingPorts = {
  readonly store: ReceiverStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly handler: ReceiptHandler;
};

/** Brings the store's waiting events to a handler, each until it succeeds or its tries are used up. An event has one try at a time. */
export class Handling {
  readonly #ports: HandlingPorts;
  readonly #limits: HandlingLimits;
  /** Tries under way, by the number of their event. */
  readonly #tries = new Map<number, Try>();
  #looking: Promise<void> = Promise.resolve();
  #isLookQueued = false;
  #isStopped = false;

  constructor(ports: HandlingPorts, limits: HandlingLimits) {
    this.#ports = ports;
    this.#limits = limits;
  }

  /** Looks for new events in the background. */
  wake(): void {
    this.#look().catch((error: unknown) => {
      this.#ports.log.error({ err: error }, 'received events could not be looked up');
    });
  }

  /** Starts the events that are due, and ends tries whose time is over. */
  async round(): Promise<void> {
    const now = this.#ports.clock.now();
    for (const { until, giveUp } of this.#tries.values()) {
      if (now >= until) giveUp(new Error(`the handler took longer than ${this.#limits.handlerTimeoutMs} ms`));
    }
    await this.#look();
  }

  /** Resolves once no try is under way. */
  async idle(): Promise<void> {
    await this.#looking.catch(() => undefined);
    if (this.#tries.size === 0) return;
    await Promise.all([...this.#tries.values()].map((one) => one.done));
    await this.idle();
  }

  /** Starts nothing more, aborts the tries under way and waits for them. An event that is not finished waits in the store. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { giveUp } of this.#tries.values()) giveUp(new Error('the receiver is closing'));
    await this.idle();
  }

  /** Looks for events to handle: however many ask, one look runs and one more waits behind it. */
  #look(): Promise<void> {
    if (this.#isLookQueued) return this.#looking;
    this.#isLookQueued = true;
    this.#looking = this.#looking.catch(() => undefined).then(() => this.#lookOnce());
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    this.#isLookQueued = false;
    const { concurrency } = this.#limits;
    if (this.#isStopped || this.#tries.size >= concurrency) return;
    // Events with a try under way are still due in the store.
    const due = await this.#ports.store.due(this.#ports.clock.now(), concurrency + this.#tries.size);
    for (const seq of due) {
      if (!this.#tries.has(seq) && this.#tries.size < concurrency && !this.#isStopped) this.#start(seq);
    }
  }

  #start(seq: number): void {
    const { clock, log } = this.#ports;
    const controller = new AbortController();
    const gaveUp = new Promise<never>((_resolve, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
    });
    gaveUp.catch(() => undefined);
    const done = this.#try(seq, controller.signal, gaveUp)
      .finally(() => this.#tries.delete(seq))
      // An event that the store refused is not looked for at once, but in the next round.
      .then(
        () => this.wake(),
        (error: unknown) => log.error({ err: error, seq }, 'a received event could not be settled'),
      );
    const until = clock.now() + this.#limits.handlerTimeoutMs;
    this.#tries.set(seq, { until, giveUp: (reason) => controller.abort(reason), done });
  }

  async #try(seq: number, signal: AbortSignal, gaveUp: Promise<never>): Promise<void> {
    const { store, clock, handler } = this.#ports;
    const event = await store.find(seq);
    // It may have been settled since it was looked up.
    if (event === undefined || event.body === null || event.due_at === null || event.due_at > clock.now()) return;
    const tries = event.tries + 1;
    try {
      await Promise.race([handler(receivedEvent(event, event.body), signal), gaveUp]);
    } catch (error) {
      if (!this.#isStopped || !signal.aborted) await this.#fail(event, tries, error);
      return;
    }
    await store.settle({ seq, state: 'handled', tries, reason: null, due_at: null, finished_at: clock.now() });
  }

  async #fail({ seq, sender, idempotency_key }: StoredEvent, tries: number, error: unknown): Promise<void> {
    const { store, clock, log } = this.#ports;
    const pauseMs = this.#limits.retryDelaysMs[tries - 1];
    const reason = error instanceof Error ? error.message : String(error);
    const details = { err: error, sender, idempotency_key, tries };
    if (pauseMs === undefined) {
      log.error(details, 'a received event is given up: its handler failed every time');
      await store.settle({ seq, state: 'dead', tries, reason, due_at: null, finished_at: clock.now() });
    } else {
      log.warn(details, 'the handler of a received event failed; it is tried again');
      await store.settle({ seq, state: 'waiting', tries, reason, due_at: clock.now() + pauseMs, finished_at: null });
    }
  }
}

function receivedEvent(event: StoredEvent, body: string): ReceivedEvent {
  const payload = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const judged = judgeEnvelope(payload);
  // What an older version stored may be of no kind; it was taken for a task's event.
  const kind = judged.ok ? judged.kind : 'mcp';
  return {
    sender: event.sender,
    idempotencyKey: event.idempotency_key,
    notificationId: event.notification_id,
    reemissionOf: event.reemission_of,
    mode: event.mode as ChannelMode,
    keyid: event.keyid,
    target: event.target,
    kind,
    payload,
    body,
    receivedAt: event.received_at,
    attempt: event.tries + 1,
  };
}
