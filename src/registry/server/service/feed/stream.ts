import { SECOND_MS } from '../../../../platform/kernel/clock.js';
import type { Log } from '../../../../platform/kernel/log.js';
import { startLoop } from '../../../../platform/kernel/loop.js';
import { RegistryProblem } from '../problem.js';
import { type FeedParts, readFeedPage, readFreshness, type TypeFilter } from './feed.js';

const MAX_STREAMS = 100;
const RETRY_SECONDS = 30;

/** A slot that a stream of the feed has taken. */
type StreamSlot = {
  readonly release: () => void;
  /** Aborts when the registry closes. */
  readonly ended: AbortSignal;
};

/** The slots for streams of the feed, of which so many are open at once. */
export class StreamSlots {
  readonly #max: number;
  readonly #closing = new AbortController();
  #taken = 0;

  constructor(max = MAX_STREAMS) {
    this.#max = max;
  }

  get size(): number {
    return this.#taken;
  }

  /** Takes a slot. Throws rate_limited when all are taken. */
  take(): StreamSlot {
    if (this.#taken >= this.#max) {
      throw new RegistryProblem('rate_limited', 'Too many streams are open.', {
        retryAfter: RETRY_SECONDS,
        suggestion: 'Poll GET /api/registry/feed instead, and try the stream again later.',
      });
    }
    this.#taken += 1;
    let isTaken = true;
    const release = (): void => {
      if (isTaken) this.#taken -= 1;
      isTaken = false;
    };
    return { release, ended: this.#closing.signal };
  }

  /** Ends every stream. */
  close(): void {
    this.#closing.abort();
  }
}

/** The parts and parameters of a stream of the feed. */
type StreamOptions = {
  readonly registry: FeedParts & { readonly log: Log };
  readonly position: string;
  readonly types: TypeFilter;
  /** Seconds between two heartbeats of a quiet feed. */
  readonly intervalSeconds: number;
  readonly signal: AbortSignal;
};

const PAGE = 100;

/**
 * Yields the feed as server-sent events: those after the position, then what happens, at once, with a heartbeat when nothing does, until
 * the reader is gone. Every message carries its cursor as `id`: a reader who returns with Last-Event-ID misses nothing.
 */
export async function* streamFeed(options: StreamOptions): AsyncGenerator<string> {
  const { intervalSeconds, registry, signal, types } = options;
  const { log, store } = registry;
  const wakeup = new Wakeup(signal);
  const end = store.follow(() => wakeup.wake('change'));
  const beat = startLoop('feed heartbeat', intervalSeconds * SECOND_MS, log, async () => wakeup.wake('beat'));
  let { position } = options;
  try {
    while (!signal.aborted) {
      const page = readFeedPage(store, position, types, PAGE);
      for (;;) {
        const step = await page.next();
        if (step.done === true) {
          const { cursor, has_more } = step.value;
          position = cursor ?? position;
          if (has_more) break;
          const reason = await wakeup.wait();
          if (reason === 'beat') yield writeHeartbeat(position, await readFreshness(registry));
          break;
        }
        const { items, last } = step.value;
        yield message('feed', last, `{"events":[${items}],"cursor":${JSON.stringify(last)},"has_more":true}`);
        position = last;
      }
    }
  } finally {
    end();
    await beat.stop();
  }
}

function writeHeartbeat(position: string, fresh: Awaited<ReturnType<typeof readFreshness>>): string {
  const cursor = position === '' ? null : position;
  const data = JSON.stringify({ generated_at: fresh.generated_at, cursor, freshness: fresh });
  return message('heartbeat', cursor ?? undefined, data);
}

function message(event: string, id: string | undefined, data: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

type WakeReason = 'beat' | 'change';

/** Wakes a stream that waits for a change or a heartbeat. */
class Wakeup {
  #wake: ((reason: WakeReason) => void) | undefined;
  /** A reason that came while nobody waited. */
  #missed: WakeReason | undefined;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.wake('change'), { once: true });
  }

  wake(reason: WakeReason): void {
    if (this.#wake === undefined) {
      // A change is never lost behind a heartbeat.
      if (this.#missed !== 'change') this.#missed = reason;
      return;
    }
    const wake = this.#wake;
    this.#wake = undefined;
    wake(reason);
  }

  /** Resolves with the next reason, or the one that came meanwhile. */
  wait(): Promise<WakeReason> {
    if (this.#missed === undefined && !this.#signal.aborted) {
      return new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
    const reason = this.#missed ?? 'change';
    this.#missed = undefined;
    return Promise.resolve(reason);
  }
}
