import { type Clock, SECOND_MS } from '../../../../platform/kernel/clock.js';
import type { Log } from '../../../../platform/kernel/log.js';
import { startLoop } from '../../../../platform/kernel/loop.js';
import type { ServerStore } from '../../store/server-store.js';
import { RegistryProblem } from '../problem.js';
import { readFeedPage, readFreshness, type TypeFilter } from './feed.js';

/** Room for so many streams of the feed at once (facts 4). */
export type StreamRoom = {
  /** Takes a place. Throws rate_limited when all are taken; `leave` gives it back, and `ended` aborts when the registry closes. */
  readonly enter: () => { readonly leave: () => void; readonly ended: AbortSignal };
  readonly size: () => number;
  /** Ends every stream. */
  readonly close: () => void;
};

const MOST_STREAMS = 100;
const RETRY_SECONDS = 30;

/** Opens the room. */
export function createStreamRoom(most = MOST_STREAMS): StreamRoom {
  const closing = new AbortController();
  let taken = 0;
  return {
    size: () => taken,
    close: () => closing.abort(),
    enter: () => {
      if (taken >= most) {
        throw new RegistryProblem('rate_limited', 'Too many streams are open.', {
          retryAfter: RETRY_SECONDS,
          suggestion: 'Poll GET /api/registry/feed instead, and try the stream again later.',
        });
      }
      taken += 1;
      let isHere = true;
      const leave = (): void => {
        if (isHere) taken -= 1;
        isHere = false;
      };
      return { leave, ended: closing.signal };
    },
  };
}

/** What a stream of the feed is opened with. */
export type StreamOptions = {
  readonly store: ServerStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly place: string;
  readonly types: TypeFilter;
  /** Seconds between two heartbeats of a quiet feed. */
  readonly intervalSeconds: number;
  readonly signal: AbortSignal;
};

const PAGE = 100;

/**
 * The feed as server-sent events (facts 4): what is behind the place, then what happens, at once; a heartbeat when nothing does. Every
 * message carries its cursor as `id`, so that a reader who comes again with Last-Event-ID misses nothing. Ends when the reader is gone.
 */
export async function* streamFeed(options: StreamOptions): AsyncGenerator<string> {
  const { clock, intervalSeconds, log, signal, store, types } = options;
  const bell = createBell(signal);
  const end = store.follow(() => bell.ring());
  const beat = startLoop('feed heartbeat', intervalSeconds * SECOND_MS, log, async () => bell.ring('beat'));
  let { place } = options;
  try {
    while (!signal.aborted) {
      const page = readFeedPage(store, place, types, PAGE);
      for (;;) {
        const step = await page.next();
        if (step.done === true) {
          const { cursor, has_more } = step.value;
          place = cursor ?? place;
          if (has_more) break;
          const why = await bell.rung();
          if (why === 'beat') yield heartbeat(place, await readFreshness(store, clock));
          break;
        }
        const { items, last } = step.value;
        yield message('feed', last, `{"events":[${items}],"cursor":${JSON.stringify(last)},"has_more":true}`);
        place = last;
      }
    }
  } finally {
    end();
    await beat.stop();
  }
}

function heartbeat(place: string, fresh: Awaited<ReturnType<typeof readFreshness>>): string {
  const cursor = place === '' ? null : place;
  const data = JSON.stringify({ generated_at: fresh.generated_at, cursor, freshness: fresh });
  return message('heartbeat', cursor ?? undefined, data);
}

function message(event: string, id: string | undefined, data: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

type Bell = {
  /** Wakes who waits, or lets who comes next pass. */
  readonly ring: (why?: 'beat') => void;
  readonly rung: () => Promise<'beat' | 'change'>;
};

function createBell(signal: AbortSignal): Bell {
  let wake: ((why: 'beat' | 'change') => void) | undefined;
  let waiting: 'beat' | 'change' | undefined;
  const ring = (why: 'beat' | 'change' = 'change'): void => {
    if (wake === undefined) {
      // A change is never lost behind a heartbeat.
      if (waiting !== 'change') waiting = why;
      return;
    }
    const then = wake;
    wake = undefined;
    then(why);
  };
  signal.addEventListener('abort', () => ring(), { once: true });
  return {
    ring,
    rung: () =>
      new Promise((resolve) => {
        if (waiting === undefined && !signal.aborted) {
          wake = resolve;
          return;
        }
        const why = waiting ?? 'change';
        waiting = undefined;
        resolve(why);
      }),
  };
}
