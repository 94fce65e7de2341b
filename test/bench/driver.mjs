/**
 * The closed-loop driver: a fixed number of callers, each on a keep-alive connection of its own, each sending its
 * next call when the answer to the last one is read to the end. Every answer is parsed and checked.
 */
import { Pool } from 'undici';
import { pause } from './targets.mjs';

/** Both answer forms are accepted, as MCP clients do. */
const clientHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The JSON-RPC message in a JSON body, or in the last event of an event stream; throws when there is none. */
export function messageIn(contentType, text) {
  if (!contentType?.includes('text/event-stream')) return JSON.parse(text);
  const data = text.split(/\r?\n/).findLast((line) => line.startsWith('data:') && line.length > 'data: '.length);
  if (data === undefined) throw new Error('an event stream without data');
  return JSON.parse(data.slice('data:'.length));
}

/**
 * Opens up to `connections` keep-alive connections to a target `{ url, token }`.
 * `call(body)` answers `{ ok, bytes, text, result }`; ok means HTTP 2xx and a JSON-RPC result that is no error.
 * It throws when no answer comes at all.
 */
export function connect(target, connections) {
  const url = new URL(target.url);
  const pool = new Pool(url.origin, { connections, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 });
  const headers = { ...clientHeaders, authorization: `Bearer ${target.token}` };
  return {
    async call(body) {
      const response = await pool.request({ path: url.pathname, method: 'POST', headers, body });
      const text = await response.body.text();
      const answer = { ok: false, bytes: Buffer.byteLength(text), text, result: undefined };
      if (response.statusCode < 200 || response.statusCode > 299) return answer;
      try {
        answer.result = messageIn(response.headers['content-type'], text).result;
      } catch {
        return answer;
      }
      answer.ok = answer.result !== undefined && answer.result.isError !== true;
      return answer;
    },
    /** The HTTP status that GET answers at this path of the same origin. */
    async status(path) {
      const response = await pool.request({ path, method: 'GET' });
      await response.body.dump();
      return response.statusCode;
    },
    close: () => pool.destroy(),
  };
}

/** The middle of a list of numbers; the mean of the middle two when their count is even. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value below which this share of a list of numbers lies. */
function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/**
 * Runs `concurrency` callers until `seconds` have passed or `count` calls were started; each waits `thinkMs` after an
 * answer. `workload` is `{ body(): string, accept?(answer): boolean }`. Answers the number
 * of calls and of failures, the first failure's text, calls per second, p50 and p99 latency in ms, bytes of one answer,
 * and the share of one core that the driver itself used (near 1: the driver was the bottleneck, not the server).
 */
export async function drive(connection, workload, load) {
  const { concurrency, seconds = Infinity, count = Infinity, thinkMs = 0 } = load;
  const latencies = [];
  let started = 0;
  let failures = 0;
  let firstFailure;
  let bytes = 0;
  const begin = performance.now();
  const deadline = begin + seconds * 1000;
  const cpuBefore = process.cpuUsage();

  const fail = (text) => {
    failures++;
    firstFailure ??= text.slice(0, 400);
  };
  const caller = async () => {
    while (started < count && performance.now() < deadline) {
      started++;
      const body = workload.body();
      const sent = performance.now();
      try {
        const answer = await connection.call(body);
        latencies.push(performance.now() - sent);
        bytes += answer.bytes;
        if (!answer.ok || workload.accept?.(answer) === false) fail(answer.text);
      } catch (error) {
        fail(String(error));
      }
      if (thinkMs > 0) await pause(thinkMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));

  const elapsed = (performance.now() - begin) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  return {
    calls: started,
    failures,
    firstFailure,
    perSecond: started / elapsed,
    p50: latencies.length ? median(latencies) : Number.NaN,
    p99: latencies.length ? quantile(latencies, 0.99) : Number.NaN,
    bytes: Math.round(bytes / Math.max(1, latencies.length)),
    driverCores: (cpu.user + cpu.system) / 1e6 / elapsed,
  };
}
