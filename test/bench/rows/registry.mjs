/** Row registry: what reads and saves of the registry cost its process, beside the floor, an express route and a seller. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { createMediaBuy } from '../calls.mjs';
import { connect, median } from '../driver.mjs';
import { measureCell, medianOf, ratioOf, rotate } from '../measure.mjs';
import { cpuSeconds, endWithRun, freePort, newFolder, pause, startTarget, stopTarget } from '../targets.mjs';

const CONCURRENCY = 16;
const START_SECONDS = 900;
const script = fileURLToPath(new URL('../registry-target.mjs', import.meta.url));
const expressScript = fileURLToPath(new URL('../express-floor.mjs', import.meta.url));

/** Starts a script that takes its port and waits until `ready` answers true. */
async function start(name, args, env, ready) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: 'ignore',
  });
  endWithRun(child);
  const deadline = performance.now() + START_SECONDS * 1000;
  while (!(await ready())) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`${name} did not start`);
    await pause(50);
  }
  return { name, pid: child.pid, child };
}

/** A connection that sends `{ path, method?, body? }` with the token of the registry. */
function restConnection(origin, token) {
  const pool = new Pool(origin, { connections: CONCURRENCY, pipelining: 1, bodyTimeout: 60_000 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    async call({ path: at, method = 'GET', body }) {
      const response = await pool.request({ path: at, method, headers, body });
      const text = await response.body.text();
      return { ok: response.statusCode === 200, bytes: Buffer.byteLength(text), text };
    },
    close: () => pool.destroy(),
  };
}

/** The workloads of a registry with so many publishers; each asks about another one every time. */
function workloads(publishers, identifiers) {
  let at = 0;
  const next = () => {
    at = (at + 7919) % publishers;
    return at;
  };
  let asked = 0;
  /** Asks about every identifier before any is asked about again. */
  const nextIdentifier = () => {
    asked += 1;
    return { number: next(), app: Math.floor(asked / publishers) % identifiers };
  };
  const authorization = ({ number, app }) => {
    const agent = encodeURIComponent(`https://agent${number % 100}.example/mcp`);
    return {
      path: `/api/registry/validate/property-authorization?agent_url=${agent}&identifier_type=bundle_id&identifier_value=com.d${number}.app${app}`,
    };
  };
  const isAuthorized = ({ text }) => JSON.parse(text).authorized === true;
  const bulk = () => ({ domains: Array.from({ length: 100 }, () => `d${next()}.example`) });
  return {
    'brand resolve': { body: () => ({ path: `/api/brands/resolve?domain=d${next()}.example` }) },
    'property-authorization': { body: () => authorization({ number: next(), app: 1 }), accept: isAuthorized },
    [FIRST]: { body: () => authorization(nextIdentifier()), accept: isAuthorized },
    'brand bulk of 100': {
      body: () => ({ path: '/api/brands/resolve/bulk', method: 'POST', body: JSON.stringify(bulk()) }),
      accept: ({ text }) => Object.values(JSON.parse(text).results).every((brand) => brand !== null),
    },
    'agent search': {
      body: () => ({ path: '/api/registry/agents/search?channels=ctv&markets=US&tags=apps&limit=50' }),
    },
    'feed page of 10,000': {
      body: () => ({ path: '/api/registry/feed?limit=10000' }),
      accept: ({ text }) => JSON.parse(text).events.length > 0,
    },
    save: {
      body: () => ({
        path: '/api/brands/save',
        method: 'POST',
        body: JSON.stringify({ domain: `s${next() % 1000}.example`, brand_name: `Brand ${at}` }),
      }),
    },
  };
}

/** Lookups that are also asked of a registry of a hundredth of the size. */
const GROWING = ['brand resolve', 'property-authorization'];
const small = (name) => `${name}, small`;
const FIRST = 'property-authorization, first asked';
/** Lanes that are also measured with one caller at a time, as the floor is. */
const ALONE = [...GROWING, FIRST];
const alone = (name) => `${name}, one caller`;

/** Seeds a registry in a folder of its own and starts it. */
async function startRegistry(publishers, identifiers, events, authorizations = 0) {
  const dataDir = newFolder('registry');
  const port = await freePort();
  const args = [script, port, dataDir, publishers, identifiers, events, authorizations].map(String);
  const tokenFile = path.join(dataDir, 'token.json');
  const target = await start('registry', args, {}, async () => existsSync(tokenFile));
  const { token } = JSON.parse(readFileSync(tokenFile, 'utf8'));
  const origin = `http://127.0.0.1:${port}`;
  return { target, connection: restConnection(origin, token), origin, token };
}

/** Streams the authorization graph a few times; answers its bytes as they were before gzip, and megabytes per second of server CPU. */
async function streamSnapshot({ origin, target, token }, encoding, times) {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding };
  const speeds = [];
  let bytes = 0;
  for (let round = 0; round < times; round++) {
    const before = cpuSeconds(target.pid);
    const answer = await fetch(`${origin}/api/registry/authorizations/snapshot`, { headers });
    bytes = 0;
    for await (const chunk of answer.body) bytes += chunk.length;
    speeds.push(bytes / 1e6 / (cpuSeconds(target.pid) - before));
  }
  return { bytes, speed: median(speeds) };
}

async function snapshotMeasurements(bench) {
  const { registryAuthorizations: rows } = bench.plan;
  bench.say(`seeding ${rows} authorizations`);
  const registry = await startRegistry(1, 10, 1, rows);
  try {
    const plain = await streamSnapshot(registry, 'identity', 3);
    const packed = await streamSnapshot(registry, 'gzip', 3);
    const measured = ({ speed }, how, detail) => ({
      what: `registry: snapshot of ${rows} authorizations, ${how}, per second of server CPU`,
      value: speed,
      unit: ' MB/s',
      aim: { atLeast: 50 },
      detail,
    });
    return [
      measured(plain, 'plain', `${(plain.bytes / 1e6).toFixed(0)} MB`),
      measured(packed, 'gzipped', 'gunzipped bytes; the threads of gzip count too'),
    ];
  } finally {
    await registry.connection.close();
    await stopTarget(registry.target);
  }
}

/** Microseconds of CPU that writing this JSON value takes, in this process. */
function stringifyMicros(value) {
  const rounds = 20;
  JSON.stringify(value);
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) JSON.stringify(value);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / rounds;
}

export const registryRow = {
  name: 'registry',
  async measure(bench) {
    const {
      registryPublishers: publishers,
      registryIdentifiers: identifiers,
      rounds,
      cellSeconds,
      warmUpSeconds,
    } = bench.plan;
    const open = [];
    const cells = {};
    try {
      bench.say(`seeding ${publishers} publishers with ${publishers * identifiers} identifiers`);
      const { target, connection } = await startRegistry(publishers, identifiers, 10_000);
      for (const [name, workload] of Object.entries(workloads(publishers, identifiers))) {
        open.push({ name, target, connection, workload });
        if (ALONE.includes(name)) open.push({ name: alone(name), target, connection, workload, concurrency: 1 });
      }

      const few = { publishers: Math.ceil(publishers / 10), identifiers: Math.max(10, identifiers / 10) };
      const little = await startRegistry(few.publishers, few.identifiers, 100);
      const asked = workloads(few.publishers, few.identifiers);
      for (const name of GROWING) open.push({ name: small(name), ...little, workload: asked[name] });

      const floor = await startTarget('floor');
      const floorConnection = restConnection(floor.origin, '');
      const { bytes: floorBytes } = await connection.call({ path: '/api/brands/resolve?domain=d1.example' });
      const asFloor = { body: () => ({ path: `/${floorBytes}/` }) };
      const bare = { target: floor, connection: floorConnection, workload: asFloor };
      open.push({ name: 'floor', ...bare }, { name: alone('floor'), ...bare, concurrency: 1 });

      const expressPort = await freePort();
      const expressOrigin = `http://127.0.0.1:${expressPort}`;
      const express = await start('express', [expressScript], { PORT: String(expressPort) }, () =>
        fetch(`${expressOrigin}/route`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      open.push({
        name: 'express',
        target: express,
        connection: restConnection(expressOrigin, ''),
        workload: { body: () => ({ path: '/route' }) },
      });

      const seller = await startTarget('ours');
      open.push({
        name: 'create_media_buy',
        target: seller,
        connection: connect(seller, CONCURRENCY),
        workload: createMediaBuy,
      });

      for (const lane of open) {
        cells[lane.name] = [];
        bench.say(`${lane.name}: warming up`);
        await measureCell(bench, lane.target, lane.connection, lane.workload, {
          concurrency: CONCURRENCY,
          seconds: warmUpSeconds / 4,
        });
      }
      for (let round = 0; round < rounds; round++) {
        for (const { name, target: of, connection: through, workload, concurrency } of rotate(open, round)) {
          bench.say(`round ${round + 1} of ${rounds}: ${name}`);
          const load = {
            concurrency: concurrency ?? (name.startsWith('feed') ? 2 : CONCURRENCY),
            seconds: cellSeconds,
          };
          cells[name].push(await measureCell(bench, of, through, workload, load));
        }
      }
      const page = JSON.parse((await connection.call({ path: '/api/registry/feed?limit=10000' })).text);
      const streamed = await snapshotMeasurements(bench);
      const written = stringifyMicros(page.events);
      const looked = measurements(cells, { publishers, identifiers, few, written, floorBytes });
      return [...looked, ...streamed];
    } finally {
      const targets = new Set(open.map(({ target: of }) => of));
      for (const through of new Set(open.map(({ connection: one }) => one))) await through.close();
      for (const of of targets) await stopTarget(of);
    }
  },
};

function measurements(cells, { publishers, identifiers, few, written, floorBytes }) {
  const micros = (name) => `${medianOf(cells[name], 'cpuMicros').toFixed(0)} us`;
  const size = `${publishers} publishers, ${publishers * identifiers} identifiers; the floor answers ${floorBytes} bytes as a brand does`;
  const beside = (name, other, aim) => ({
    what: `registry: server CPU per ${name}, ours / ${other}`,
    value: ratioOf(cells[name], cells[other], 'cpuMicros'),
    unit: 'x',
    ...(aim === undefined ? {} : { aim }),
    detail: `${name} ${micros(name)}, ${other} ${micros(other)}; ${size}`,
  });
  const feed = medianOf(cells['feed page of 10,000'], 'cpuMicros');
  return [
    beside('brand resolve', 'floor', { atMost: 2 }),
    beside('brand resolve', 'express', { atMost: 1.5 }),
    beside('property-authorization', 'floor', { atMost: 2 }),
    beside('property-authorization', 'express', { atMost: 1.5 }),
    beside(FIRST, 'floor', { atMost: 12 }),
    beside(alone('brand resolve'), alone('floor'), { atMost: 2 }),
    beside(alone('property-authorization'), alone('floor'), { atMost: 2 }),
    beside(alone(FIRST), alone('floor')),
    // A resolve that was asked before is a third of one that was not, and each of the hundred is looked up.
    beside('brand bulk of 100', 'brand resolve', { atMost: 20 }),
    beside('agent search', 'floor'),
    ...GROWING.map((name) => ({
      what: `registry: server CPU per ${name}, at ${publishers * identifiers} identifiers / at ${few.publishers * few.identifiers}`,
      value: ratioOf(cells[name], cells[small(name)], 'cpuMicros'),
      unit: 'x',
      aim: { atMost: 1.5 },
      detail: `${micros(name)}, ${micros(small(name))}; publishers ${publishers} and ${few.publishers}`,
    })),
    {
      what: 'registry: server CPU of a feed page of 10,000 events, ours / JSON.stringify of them',
      value: feed / written,
      unit: 'x',
      aim: { atMost: 4 },
      detail: `page ${(feed / 1000).toFixed(1)} ms, writing the same events ${(written / 1000).toFixed(1)} ms`,
    },
    {
      what: 'registry: durable saves per second / create_media_buy per second',
      value: ratioOf(cells.save, cells.create_media_buy, 'perSecond'),
      unit: 'x',
      aim: { atLeast: 0.5 },
      detail: `saves ${medianOf(cells.save, 'perSecond').toFixed(0)}/s, creates ${medianOf(cells.create_media_buy, 'perSecond').toFixed(0)}/s; both on disk before they are answered`,
    },
  ];
}
