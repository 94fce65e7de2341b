/** What an attack does to a server and to those who have nothing to do with it. */
import { Worker } from 'node:worker_threads';
import { cpuSeconds, residentKiB } from '../../bench/targets.mjs';
import { PRINCIPALS } from './targets.mjs';
import { pause, send } from './wire.mjs';

/**
 * Bounds of every attack unless its row says otherwise: the innocent caller's slowest answer in ms (without the time in which others had the
 * machine's cores), the growth of the server's resident
 * memory in MiB, the innocent caller's calls that failed. Wide, for they also hold on a busy machine.
 */
export const BOUNDS = { innocentMs: 2000, growthMiB: 400, failures: 0 };

const SAMPLE_MS = 50;
const HEALTH_MS = 5000;

/** Watches a server from `start` to `end`, or one after the other, with `leave` between. */
export class Watch {
  #earlier = [];
  #bounds;
  #target;
  #worker;
  #timer;
  #before = { kib: 0, cpu: 0 };
  #peakKiB = 0;

  constructor(bounds = {}) {
    this.#bounds = { ...BOUNDS, ...bounds };
  }

  /** The server that is watched. */
  get target() {
    return this.#target;
  }

  async start(target) {
    this.#target = target;
    this.#before = { kib: residentKiB(target.pid), cpu: cpuSeconds(target.pid) };
    this.#peakKiB = this.#before.kib;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
    const { host, kind, pid, port } = target;
    this.#worker = new Worker(new URL('innocent.mjs', import.meta.url), {
      workerData: { pid, target: { host, port }, requests: REQUESTS[kind] },
    });
    await pause(SAMPLE_MS);
  }

  /** Looks away from the server, which may be ended now; what was seen so far counts. */
  async leave() {
    this.#earlier.push(await this.#look());
    this.#target = undefined;
  }

  /** Returns what was seen, with a list of what was out of bounds. */
  async end() {
    const seen = [...this.#earlier, ...(this.#target === undefined ? [] : [await this.#look()])];
    return seen.length === 0 ? { problems: ['no server was watched'] } : seen.reduce(joined);
  }

  async #look() {
    const answered = new Promise((resolve, reject) => {
      this.#worker.once('message', resolve);
      this.#worker.once('error', reject);
    });
    this.#worker.postMessage('end');
    const innocent = await answered;
    const alive = this.#target.isAlive();
    const health = alive ? await this.#health() : 0;
    this.#sample();
    clearInterval(this.#timer);
    const growthMiB = (this.#peakKiB - this.#before.kib) / 1024;
    const cpu = alive ? cpuSeconds(this.#target.pid) - this.#before.cpu : Number.NaN;
    return {
      innocent,
      alive,
      health,
      growthMiB,
      cpu,
      problems: this.#problems({ innocent, alive, health, growthMiB }),
    };
  }

  #problems({ innocent, alive, health, growthMiB }) {
    const { failures, innocentMs, growthMiB: most } = this.#bounds;
    return [
      ...(alive ? [] : ['the process ended']),
      ...(alive && health !== 200 ? [`/healthz answered ${health}`] : []),
      ...(innocent.failures > failures ? [`${innocent.failures} innocent calls failed: ${innocent.firstFailure}`] : []),
      ...(innocent.slowestMs > innocentMs
        ? [`an innocent ${innocent.slowest} took ${innocent.slowestMs.toFixed(0)} ms`]
        : []),
      ...(growthMiB > most ? [`memory grew by ${growthMiB.toFixed(0)} MiB`] : []),
    ];
  }

  #health() {
    return send(this.#target, { path: '/healthz', from: '127.0.0.9', timeoutMs: HEALTH_MS }).then(
      ({ status }) => status,
      () => 0,
    );
  }

  #sample() {
    if (this.#target.isAlive()) this.#peakKiB = Math.max(this.#peakKiB, residentKiB(this.#target.pid));
  }
}

/** What was seen of two servers, as one. */
function joined(one, two) {
  const [slower, faster] =
    one.innocent.slowestMs > two.innocent.slowestMs ? [one.innocent, two.innocent] : [two.innocent, one.innocent];
  return {
    ...two,
    innocent: {
      ...slower,
      asked: slower.asked + faster.asked,
      failures: slower.failures + faster.failures,
      firstFailure: slower.firstFailure || faster.firstFailure,
    },
    growthMiB: Math.max(one.growthMiB, two.growthMiB),
    cpu: one.cpu + two.cpu,
    problems: [...one.problems, ...two.problems],
  };
}

function toolCall(name, args) {
  return {
    name,
    method: 'POST',
    path: '/sales/mcp',
    headers: {
      authorization: `Bearer ${PRINCIPALS.innocent.token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  };
}

/** What the innocent caller asks, one after the other. */
const REQUESTS = {
  seller: [
    { name: '/healthz', path: '/healthz' },
    toolCall('get_products', { brief: 'video', buying_mode: 'brief' }),
    toolCall('get_media_buys', {}),
  ],
  registry: [
    { name: '/healthz', path: '/healthz' },
    { name: 'resolve', path: '/api/brands/resolve?domain=d1.example' },
    { name: 'properties', path: '/api/properties/resolve?domain=d2.example' },
  ],
};
