/** Row holds: how long anonymous requests hold the event loop of a registry, each operation by the worst that can be asked of it. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { listTools } from '../../../dist/registry/server/mcp/tools.js';
import { REGISTRY_ROUTES } from '../../../dist/registry/server/routes/routes.js';
import { median } from '../driver.mjs';
import { openOrigin } from '../holds-origin.mjs';
import { MESSAGES, QUESTIONS } from '../holds-questions.mjs';
import { KEY, sellerCalls } from '../holds-seller-calls.mjs';
import { READS, searchesOf } from '../large-calls.mjs';
import { bookAll, fill, makeOne } from '../large-data.mjs';
import { endWithRun, newFolder, startFilled, stopTarget } from '../targets.mjs';

const script = fileURLToPath(new URL('../holds-target.mjs', import.meta.url));
const sellerScript = fileURLToPath(new URL('../holds-seller-target.mjs', import.meta.url));
/** The first time is when things are loaded and read; another one is what is left. */
const TIMES = 2;
/** What held shorter in the first round is not asked in the others, which tell chance from habit. */
const LOOKED_AT_AGAIN_MS = 25;
const PATIENCE_MS = 300_000;
/** Most bytes of a message to /mcp. */
const MAX_OF_MESSAGE = 256 * 1024;

/** Routes that anybody may call. */
const openRoutes = REGISTRY_ROUTES.filter(({ auth }) => auth === 'none' || auth === 'optional');

/** Throws for an operation that nobody has written a question for, and for a question about none. */
function requireQuestions() {
  const asked = new Set(Object.keys(QUESTIONS));
  const known = new Set(openRoutes.map(({ operation_id }) => operation_id));
  const missing = [...known].filter((name) => !asked.has(name));
  const unknown = [...asked].filter((name) => !known.has(name));
  if (missing.length + unknown.length === 0) return;
  throw new Error(
    `holds-questions.mjs lacks ${missing.join(', ') || 'nothing'}, and asks of no route: ${unknown.join(', ') || 'nothing'}`,
  );
}

function textOf(body) {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

function pathOf({ path, query = {} }) {
  const search = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${encodeURIComponent(one)}`),
  );
  return search.length === 0 ? path : `${path}?${search.join('&')}`;
}

/** Returns the question of a request to /mcp; none where it is longer than a message may be, or no object. */
function asMessage(tool, { body, params = {}, query = {} }) {
  const args = body === undefined ? JSON.stringify({ ...params, ...query }) : textOf(body);
  const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`;
  return message.length > MAX_OF_MESSAGE ? [] : [message];
}

/** Every request of the row: `{ operation, path, method, body? }`. */
export function requests() {
  requireQuestions();
  const tools = new Map([...listTools(openRoutes).values()].map(({ name, route }) => [route.operation_id, name]));
  const rest = openRoutes.flatMap(({ method, operation_id: operation }) =>
    QUESTIONS[operation].map((question) => ({
      operation,
      method,
      path: pathOf(question),
      body: textOf(question.body),
    })),
  );
  const messages = [
    ...MESSAGES.map((message) => ['message', textOf(message)]),
    ...openRoutes.flatMap(({ operation_id }) => {
      const tool = tools.get(operation_id);
      if (tool === undefined) return [];
      return QUESTIONS[operation_id].flatMap((question) => asMessage(tool, question)).map((body) => [tool, body]);
    }),
  ].map(([name, body]) => ({ operation: `/mcp ${name}`, method: 'POST', path: '/mcp', body }));
  return [...rest, ...messages];
}

/** A word over IPC and what comes back. */
function tell(child, word) {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the registry ended'));
    child.once('exit', ended);
    child.once('message', (said) => {
      child.removeListener('exit', ended);
      resolve(said);
    });
    if (word !== undefined) child.send(word);
  });
}

/** Starts a registry on a folder, which is filled when it is empty. */
export function startHeld(folder, sizes, hosts) {
  return startWatched([script, folder, JSON.stringify({ sizes, hosts })]);
}

/** Starts a watched server; `more` are headers of each request. */
async function startWatched(args, more = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  endWithRun(child);
  const { origin } = await tell(child);
  const pool = new Pool(origin, { connections: 1, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  return {
    origin,
    target: { child },
    close: () => pool.destroy(),
    /** The longest hold in ms while a request is answered, and how it was. */
    async ask({ body, method, path }) {
      await tell(child, 'begin');
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more };
      const response = await pool.request({ path, method, headers, body });
      let bytes = 0;
      for await (const chunk of response.body) bytes += chunk.length;
      const { holdMs } = await tell(child, 'end');
      return { holdMs, status: response.statusCode, bytes };
    },
  };
}

export const holdsRow = {
  name: 'holds',
  async measure(bench) {
    const { holds: sizes, holdRounds: rounds } = bench.plan;
    const asked = requests();
    const holds = asked.map(() => []);
    const origin = await openOrigin();
    const folder = newFolder('holds');
    try {
      for (let round = 0; round < rounds; round++) {
        bench.say(`round ${round + 1} of ${rounds}: starting`);
        const registry = await startHeld(folder, sizes, origin.hosts);
        for (const [index, request] of asked.entries()) {
          if (round > 0 && holds[index][0] < LOOKED_AT_AGAIN_MS) continue;
          bench.say(`round ${round + 1} of ${rounds}: ${index + 1} of ${asked.length}, ${request.operation}`);
          const times = [];
          for (let time = 0; time < TIMES; time++) {
            const { holdMs, status } = await registry.ask(request);
            if (status === 500) bench.failedCalls.push(`${request.operation} answered 500: ${labelOf(request)}`);
            times.push(holdMs);
          }
          holds[index].push(Math.max(...times));
        }
        await registry.close();
        await stopTarget(registry.target);
      }
    } finally {
      origin.close();
    }
    return [measurement(asked, holds, sizes, rounds), await measureSeller(bench), await measureLargeSeller(bench)];
  },
};

const AS_BUYER = { authorization: 'Bearer sandbox-token' };

/** The longest hold of a seller by one call of a buyer. */
async function measureSeller(bench) {
  const seller = await startWatched([sellerScript, newFolder('holds-seller')], AS_BUYER);
  return measureCalls(
    bench,
    seller,
    sellerCalls(bench.plan.holdPlaces),
    'seller: longest hold of the event loop by one call of a buyer',
  );
}

/** The longest hold by one call of a buyer who has very many buys, creatives and tasks. */
async function measureLargeSeller(bench) {
  const { holdCount } = bench.plan;
  bench.say(`seller with ${holdCount} of each: filling`);
  const empty = await startFilled('ours');
  const mediaBuyId = await makeOne(empty);
  await stopTarget(empty);
  fill(empty.dataDir, mediaBuyId, holdCount);
  const full = await startFilled('ours', empty.dataDir);
  await bookAll(full);
  await stopTarget(full);
  const seller = await startWatched([sellerScript, empty.dataDir], AS_BUYER);
  const asked = Object.entries({ ...READS, ...searchesOf(seller.origin) }).map(([what, [name, args]]) => ({
    operation: name,
    what,
    path: '/sales/mcp',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  }));
  return measureCalls(bench, seller, asked, `seller: longest hold by one call of a buyer who has ${holdCount} of each`);
}

/** The longest hold by one of several calls, after which the seller ends; one that held long is made again, to tell chance from habit. */
async function measureCalls(bench, seller, asked, title) {
  const { holdRounds: rounds } = bench.plan;
  const holds = [];
  for (const [index, { body, operation, path, what }] of asked.entries()) {
    bench.say(`${title}: ${index + 1} of ${asked.length}, ${operation}`);
    const times = [];
    for (let round = 0; round < rounds && (times.at(-1) ?? Infinity) >= LOOKED_AT_AGAIN_MS; round++) {
      const fresh = body.replaceAll(KEY, randomUUID());
      const { holdMs, status } = await seller.ask({ method: 'POST', path, body: fresh });
      if (status === 500) bench.failedCalls.push(`${operation} answered 500: ${what}`);
      times.push(holdMs);
    }
    holds.push({ operation, what, ms: Math.min(...times) });
  }
  await seller.close();
  await stopTarget(seller.target);
  holds.sort((one, other) => other.ms - one.ms);
  const five = holds.slice(0, 5).map(({ ms, operation, what }) => `${operation} (${what}) ${ms.toFixed(0)} ms`);
  return {
    what: title,
    value: holds[0].ms,
    unit: ' ms',
    aim: { atMost: 50 },
    detail: `worst: ${five.join(', ')}; ${asked.length} calls of ${new Set(holds.map(({ operation }) => operation)).size} operations, the long ones up to ${rounds} times, least`,
  };
}

/** A request in few words. */
export function labelOf({ body, operation, path }) {
  const what = body === undefined ? path : `${path} ${body.length} bytes ${body}`;
  return `${operation} (${what.slice(0, 90)})`;
}

function measurement(asked, holds, { publishers, properties }, rounds) {
  const worst = asked
    .map((request, index) => ({ request, ms: median(holds[index]) }))
    .sort((one, other) => other.ms - one.ms);
  const operations = new Map();
  for (const { ms, request } of worst) if (!operations.has(request.operation)) operations.set(request.operation, ms);
  const five = [...operations].slice(0, 5).map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`);
  return {
    what: 'registry: longest hold of the event loop by an anonymous request',
    value: worst[0].ms,
    unit: ' ms',
    aim: { atMost: 30 },
    detail: `${labelOf(worst[0].request)}; worst operations: ${five.join(', ')}; ${asked.length} requests to ${operations.size} operations, first and again; the long ones in ${rounds} processes, median; ${publishers} publishers and one of ${properties} properties`,
  };
}
