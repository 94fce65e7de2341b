/** Rows database, processes, database-size and latency: a seller on PostgreSQL beside one on SQLite, and two beside one. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startPostgres } from '../../../scripts/cluster/postgres.mjs';
import { startRelay } from '../../../scripts/cluster/relay.mjs';
import { createMediaBuy, getMediaBuys, getProducts, replayOfOneCreate } from '../calls.mjs';
import { connect, drive } from '../driver.mjs';
import { call } from '../large-data.mjs';
import { closeLanes, measureCell, medianOf, ratioOf, rotate } from '../measure.mjs';
import { cpuSeconds, startFilled } from '../targets.mjs';

const concurrency = 64;
const pageSize = 50;
/** Long beside what a busy machine adds. */
const countedLatencyMs = 100;
/** Durable, as the server comes; the folder is temporary. */
const flags = ['max_connections=200', 'shared_buffers=256MB'];

/** Runs `use` with a server of its own, and a function that makes the URL of an empty schema in it. */
async function withPostgres(use) {
  const server = await startPostgres({ flags });
  let count = 0;
  const newSchema = async () => {
    count += 1;
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query(`CREATE SCHEMA s${count}`);
    await client.end();
    const url = new URL(server.url);
    url.searchParams.set('options', `-c search_path=s${count}`);
    return url;
  };
  try {
    return await use(server, newSchema);
  } finally {
    await server.stop();
  }
}

/** Starts a seller on a database; those that share one have the same key. */
function startOn(url, key = randomBytes(32).toString('base64'), dataDir = undefined) {
  return startFilled('ours', dataDir, { args: ['--store', url.href], env: { SELLER_AGENT_MASTER_KEY: key } });
}

/** The URL by way of a relay. */
function through(url, relay) {
  const led = new URL(url);
  led.port = String(relay.port);
  return led;
}

async function warmUp(bench, lane, workload) {
  await measureCell(bench, lane.target, lane.connection, workload, { concurrency, seconds: bench.plan.warmUpSeconds });
}

const laneOf = (target, connections = concurrency) => ({ target, connection: connect(target, connections) });

export const databaseRow = {
  name: 'database',
  measure: (bench) =>
    withPostgres(async (server, newSchema) => {
      const relay = await startRelay({ port: server.port });
      const lanes = [];
      try {
        const url = await newSchema();
        lanes.push(laneOf(await startFilled('ours')), laneOf(await startOn(url)));
        for (const lane of lanes) await warmUp(bench, lane, createMediaBuy);
        const cells = [[], []];
        for (let round = 0; round < bench.plan.rounds; round++)
          for (const index of rotate([0, 1], round)) {
            bench.say(`round ${round + 1}: ${['SQLite', 'PostgreSQL'][index]}`);
            const { connection, target } = lanes[index];
            const load = { concurrency, seconds: bench.plan.cellSeconds };
            cells[index].push(await measureCell(bench, target, connection, createMediaBuy, load));
          }
        const [file, database] = cells;
        const rounds = await countRounds(await newSchema(), relay);
        const text = (cellsOf) =>
          `${medianOf(cellsOf, 'cpuMicros').toFixed(0)} us, ${medianOf(cellsOf, 'perSecond').toFixed(0)}/s, p50 ${medianOf(cellsOf, 'p50').toFixed(1)} ms`;
        return [
          {
            what: 'create_media_buy: CPU of the process per call at 64, on PostgreSQL / on SQLite',
            value: ratioOf(database, file, 'cpuMicros'),
            unit: 'x',
            detail: `PostgreSQL ${text(database)}; SQLite ${text(file)}; the database's own CPU is not counted, and it has the same cores`,
          },
          {
            what: 'create_media_buy: round trips to the database, BEGIN and COMMIT included',
            value: rounds,
            unit: '',
            aim: { atMost: 5.5 },
            detail: `by how much longer one caller waits where the database is ${countedLatencyMs} ms away, p50 of 10 calls`,
          },
        ];
      } finally {
        await closeLanes(lanes);
        await relay.close();
      }
    }),
};

/** How often a create waits for the database, by how much longer it takes where that is far away. */
async function countRounds(url, relay) {
  const lane = laneOf(await startOn(through(url, relay)), 1);
  try {
    await drive(lane.connection, createMediaBuy, { concurrency: 1, count: 20 });
    const near = await drive(lane.connection, createMediaBuy, { concurrency: 1, count: 10 });
    relay.setLatency(countedLatencyMs);
    const far = await drive(lane.connection, createMediaBuy, { concurrency: 1, count: 10 });
    return (far.p50 - near.p50) / countedLatencyMs;
  } finally {
    relay.setLatency(0);
    await closeLanes([lane]);
  }
}

export const processesRow = {
  name: 'processes',
  measure: (bench) =>
    withPostgres(async (_server, newSchema) => {
      const key = randomBytes(32).toString('base64');
      const alone = [laneOf(await startOn(await newSchema()))];
      const shared = await newSchema();
      const two = [];
      try {
        for (let process = 0; process < 2; process++) two.push(laneOf(await startOn(shared, key), concurrency / 2));
        for (const lane of [...alone, ...two]) await warmUp(bench, lane, createMediaBuy);
        const cells = { alone: [], two: [] };
        for (let round = 0; round < bench.plan.rounds; round++)
          for (const name of rotate(['alone', 'two'], round)) {
            bench.say(`round ${round + 1}: ${name}`);
            cells[name].push(await loadTogether(bench, name === 'two' ? two : alone));
          }
        const micros = (name) => medianOf(cells[name], 'cpuMicros');
        const rate = (name) => medianOf(cells[name], 'perSecond');
        return [
          {
            what: 'create_media_buy at 64 in all: CPU per call of two processes together / of one',
            value: ratioOf(cells.two, cells.alone, 'cpuMicros'),
            unit: 'x',
            aim: { atMost: 1.25 },
            detail:
              `two ${micros('two').toFixed(0)} us, ${rate('two').toFixed(0)}/s; one ${micros('alone').toFixed(0)} us, ${rate('alone').toFixed(0)}/s; ` +
              'database, driver and processes share the cores of this machine, so that throughput says nothing',
          },
        ];
      } finally {
        await closeLanes([...alone, ...two]);
      }
    }),
};

/** Loads lanes at the same time, the same load in all however many they are. */
async function loadTogether(bench, lanes) {
  const load = { concurrency: concurrency / lanes.length, seconds: bench.plan.cellSeconds };
  const before = lanes.map(({ target }) => cpuSeconds(target.pid));
  const driven = await Promise.all(lanes.map(({ connection }) => drive(connection, createMediaBuy, load)));
  const cpu = lanes.reduce((sum, { target }, index) => sum + cpuSeconds(target.pid) - before[index], 0);
  const calls = driven.reduce((sum, one) => sum + one.calls, 0);
  for (const { failures, firstFailure } of driven)
    if (failures > 0) bench.failedCalls.push(`${failures} calls failed: ${firstFailure}`);
  return { cpuMicros: (cpu * 1e6) / calls, perSecond: driven.reduce((sum, { perSecond }) => sum + perSecond, 0) };
}

export const databaseSizeRow = {
  name: 'database-size',
  measure: (bench) =>
    withPostgres(async (_server, newSchema) => {
      const { storedBuys } = bench.plan;
      const lanes = [];
      try {
        for (const count of [1000, storedBuys]) {
          bench.say(`filling ${count} buys`);
          lanes.push(laneOf(await startWithBuys(bench, await newSchema(), count), 1));
        }
        const workload = getMediaBuys(pageSize);
        for (const { connection } of lanes) await drive(connection, workload, { concurrency: 1, count: 30 });
        const cells = [[], []];
        for (let round = 0; round < bench.plan.rounds; round++)
          for (const index of rotate([0, 1], round)) {
            const { connection, target } = lanes[index];
            const load = { concurrency: 1, count: bench.plan.pagesPerRound };
            cells[index].push(await measureCell(bench, target, connection, workload, load));
          }
        const [small, large] = cells;
        return [
          {
            what: `a page of 50 get_media_buys on PostgreSQL at ${storedBuys} buys / at 1000: p50`,
            value: ratioOf(large, small, 'p50'),
            unit: 'x',
            aim: { atMost: 1.3 },
            detail: `p50 ${medianOf(large, 'p50').toFixed(2)} ms and ${medianOf(small, 'p50').toFixed(2)} ms; CPU of the process ${medianOf(large, 'cpuMicros').toFixed(0)} us and ${medianOf(small, 'cpuMicros').toFixed(0)} us, one caller`,
          },
        ];
      } finally {
        await closeLanes(lanes);
      }
    }),
};

/** Starts a seller on a database with so many buys of one buyer: one that was canceled, multiplied in SQL. */
async function startWithBuys(bench, url, count) {
  const key = randomBytes(32).toString('base64');
  const first = await startOn(url, key);
  const lane = laneOf(first, 1);
  await drive(lane.connection, createMediaBuy, { concurrency: 1, count: 1 });
  const { media_buys: buys } = await call(first, 'get_media_buys', {});
  const [{ media_buy_id, revision }] = buys;
  await call(first, 'update_media_buy', {
    idempotency_key: `cancel-${media_buy_id}`,
    media_buy_id,
    revision,
    canceled: true,
  });
  await closeLanes([lane]);
  const client = new pg.Client(url.href);
  await client.connect();
  const columns = 'owner, account_id, status, revision, booked_revision, due_at, created_at, ended_at';
  const numbered = `replace(media_buy_id, right(media_buy_id, 8), lpad(n::text, 8, '0'))`;
  // Triggers count row by row; what they count is set once.
  await client.query('ALTER TABLE media_buy DISABLE TRIGGER USER');
  await client.query(
    `INSERT INTO media_buy (${columns}, media_buy_id, doc)
       SELECT ${columns}, ${numbered}, replace(doc, media_buy_id, ${numbered}) FROM media_buy, generate_series(2, ${count}) AS n`,
  );
  await client.query('ALTER TABLE media_buy ENABLE TRIGGER USER');
  await client.query(`UPDATE owner_usage SET count = ${count}, bytes = bytes * ${count} WHERE noun = 'media_buys'`);
  await client.query('ANALYZE');
  await client.end();
  bench.say(`${count} buys: starting`);
  return startOn(url, key, first.dataDir);
}

export const databaseAwayRow = {
  name: 'latency',
  measure: (bench) =>
    withPostgres(async (server, newSchema) => {
      const relay = await startRelay({ port: server.port });
      const target = await startOn(through(await newSchema(), relay));
      const lane = laneOf(target, 1);
      try {
        const workloads = {
          create_media_buy: createMediaBuy,
          'create_media_buy again': await replayOfOneCreate(lane.connection),
          'get_media_buys, a page of 50': getMediaBuys(pageSize),
          get_products: getProducts,
        };
        await drive(lane.connection, createMediaBuy, { concurrency: 1, count: 2 * pageSize });
        const measurements = [];
        for (const [name, workload] of Object.entries(workloads)) {
          const p50 = [];
          for (const ms of [0, 100]) {
            bench.say(`${name}, ${ms} ms away`);
            relay.setLatency(0);
            await drive(lane.connection, workload, { concurrency: 1, count: 10 });
            relay.setLatency(ms);
            const count = bench.plan.latencyCalls;
            const cell = await drive(lane.connection, workload, { concurrency: 1, count });
            if (cell.failures > 0) bench.failedCalls.push(`${name}: ${cell.firstFailure}`);
            p50.push(cell.p50);
          }
          const [near, far] = p50;
          measurements.push({
            what: `${name}: p50 of one caller with the database 100 ms away`,
            value: far,
            unit: ' ms',
            detail: `${near.toFixed(1)} ms beside it; ${((far - near) / 100).toFixed(1)} times the way there and back`,
          });
        }
        return measurements;
      } finally {
        relay.setLatency(0);
        await closeLanes([lane]);
        await relay.close();
      }
    }),
};
