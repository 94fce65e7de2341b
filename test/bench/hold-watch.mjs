/** Watches the event loop of this process, and says over IPC how long it was held. */
import { openSync, readSync } from 'node:fs';

/** What the process loads by itself after its start is no request's doing. */
const STARTS_MS = 4000;
const SETTLES_MS = 10;

/** Milliseconds that this thread would have run and others had the cores: what else the machine does is no hold. */
function openWaited() {
  const scheduled = openSync(`/proc/self/task/${process.pid}/schedstat`);
  const text = Buffer.alloc(100);
  return () => {
    const length = readSync(scheduled, text, 0, text.length, 0);
    return Number(text.toString('latin1', 0, length).split(' ')[1]) / 1e6;
  };
}

/**
 * Sends `{ origin }` once the process has settled; answers `begin`, and then `end` with the longest hold since, in milliseconds. SIGTERM
 * closes the server.
 */
export function serveHolds(server, origin) {
  const waitedMs = openWaited();
  /** The longest time between two timers that should follow each other at once. */
  let holdMs = 0;
  let last = { at: performance.now(), waited: waitedMs() };
  setInterval(() => {
    const now = { at: performance.now(), waited: waitedMs() };
    holdMs = Math.max(holdMs, now.at - last.at - (now.waited - last.waited));
    last = now;
  }, 1);
  process.on('message', (word) => {
    // What starting or the question before left behind is no hold of the next one; and after a hold the timer comes first.
    setTimeout(() => {
      process.send({ holdMs });
      if (word === 'begin') holdMs = 0;
    }, SETTLES_MS);
  });
  process.once('SIGTERM', () => server.close().then(() => process.exit(0)));
  setTimeout(() => process.send({ origin }), STARTS_MS);
}
