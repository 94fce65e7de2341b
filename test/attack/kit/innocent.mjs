/**
 * The innocent caller, in a thread of its own so that an attack made in the runner's does not delay it: asks round by round, each time
 * on a new connection, until it is told to end; then says how it went. Time in which the server or this thread would have run and others
 * had the cores does not count: what else the machine does is no attack.
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { pause, send } from './wire.mjs';

const { pid, requests, target } = workerData;
/** Another address than the attacks come from. */
const FROM = '127.0.0.9';
const BETWEEN_MS = 40;

const seen = { asked: 0, failures: 0, slowestMs: 0, slowest: '', firstFailure: '' };
let isOver = false;
parentPort.once('message', () => {
  isOver = true;
});

/** Milliseconds that a thread has waited for a core so far. */
function waitedMs(thread) {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    // The server is gone.
    return 0;
  }
}

const waited = () => waitedMs(`${pid}/task/${pid}`) + waitedMs('thread-self');

while (!isOver || seen.asked < requests.length) {
  const { name, ...request } = requests[seen.asked % requests.length];
  const began = performance.now() - waited();
  const failure = await send(target, { ...request, from: FROM }).then(
    ({ status, text }) => (status === 200 ? '' : `${name} answered ${status}: ${text.slice(0, 200)}`),
    (error) => `${name}: ${error.message}`,
  );
  const ms = Math.max(0, performance.now() - waited() - began);
  if (ms > seen.slowestMs) Object.assign(seen, { slowestMs: ms, slowest: name });
  if (failure !== '') {
    seen.failures += 1;
    seen.firstFailure ||= failure;
  }
  seen.asked += 1;
  await pause(BETWEEN_MS);
}
parentPort.postMessage(seen);
