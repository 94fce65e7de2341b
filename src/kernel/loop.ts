import type { Log } from './log.js';

/** A piece of work that runs again and again, never twice at once. */
export type Loop = { readonly stop: () => Promise<void> };

/** Runs `work` every `everyMs`; a failure is logged and the next round tried. `stop` waits for the round in hand. */
export function startLoop(name: string, everyMs: number, log: Log, work: () => Promise<unknown>): Loop {
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = work()
      .then(() => undefined)
      .catch((error: unknown) => log.error({ err: error, loop: name }, 'a round failed; the next one is tried'))
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
