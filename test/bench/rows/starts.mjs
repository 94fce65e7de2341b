/** Rows cold_start and first_call: how long until a new process answers, and what its first answers cost. */
import * as calls from '../calls.mjs';
import { connect, drive, median } from '../driver.mjs';
import { rotate } from '../measure.mjs';
import { spawnTarget, startTarget, stopTarget, waitUntil } from '../targets.mjs';

/** Milliseconds from spawning a target (ours: on a fresh data folder) to its first successful create_media_buy. */
async function coldStartMs(name) {
  const target = await spawnTarget(name);
  const connection = connect(target, 1);
  try {
    await waitUntil(target, async () => {
      const answer = await connection.call(calls.createMediaBuy.body()).catch(() => undefined);
      return answer?.ok === true && calls.createMediaBuy.accept(answer);
    });
    return performance.now() - target.spawnedAt;
  } finally {
    await connection.close();
    await stopTarget(target);
  }
}

export const coldStartRow = {
  name: 'cold_start',
  async measure(bench) {
    const times = { ours: [], peer: [] };
    const runs = bench.plan.coldStarts;
    for (let run = 0; run < runs; run++) {
      for (const name of rotate(['ours', 'peer'], run)) {
        bench.say(`start ${run + 1} of ${runs}: ${name}`);
        times[name].push(await coldStartMs(name));
      }
    }
    const [ours, peer] = [median(times.ours), median(times.peer)];
    return [
      {
        what: 'cold start: spawn to first successful create_media_buy, ours / peer',
        value: ours / peer,
        unit: 'x',
        aim: { atMost: 0.6 },
        detail: `ours ${ours.toFixed(0)} ms on a fresh data folder, peer ${peer.toFixed(0)} ms; median of ${runs}`,
      },
    ];
  },
};

/** The tools whose first call is measured, each on a process of its own. */
const firstCalls = {
  get_adcp_capabilities: calls.getCapabilities,
  get_products: calls.getProducts,
  list_creative_formats: calls.listCreativeFormats,
  create_media_buy: calls.createMediaBuy,
  get_media_buys: calls.getMediaBuys(),
  list_accounts: calls.listAccounts,
};

/**
 * Latencies in ms of the first and the tenth call of a fresh server of ours, which has answered nothing before but,
 * with `ready`, one GET /readyz on the same connection. Throws when a call fails.
 */
async function firstAndTenth(workload, ready) {
  const target = await startTarget('ours');
  const connection = connect(target, 1);
  try {
    if (ready) await waitUntil(target, async () => (await connection.status('/readyz')) === 200);
    const times = [];
    for (let call = 0; call < 10; call++) {
      const begin = performance.now();
      const answer = await connection.call(workload.body());
      times.push(performance.now() - begin);
      if (!answer.ok || workload.accept?.(answer) === false) throw new Error(answer.text.slice(0, 400));
    }
    return { first: times[0], tenth: times[9] };
  } finally {
    await connection.close();
    await stopTarget(target);
  }
}

/** The medians over several fresh servers of the first and the tenth call. */
async function firstAndTenthOfMany(bench, tool, ready) {
  const times = [];
  for (let run = 0; run < bench.plan.firstCallRuns; run++) {
    bench.say(`${tool}, start ${run + 1} of ${bench.plan.firstCallRuns}`);
    times.push(await firstAndTenth(firstCalls[tool], ready));
  }
  return { first: median(times.map((each) => each.first)), tenth: median(times.map((each) => each.tenth)) };
}

/** Runs the driver against the floor for a moment: its own first calls must not count as the server's. */
async function warmTheDriver() {
  const floor = await startTarget('floor');
  const connection = connect(floor, 1);
  await drive(connection, calls.getProducts, { concurrency: 1, count: 2000 });
  await connection.close();
  await stopTarget(floor);
}

export const firstCallRow = {
  name: 'first_call',
  async measure(bench) {
    await warmTheDriver();
    const measurements = [];
    for (const tool of Object.keys(firstCalls)) {
      const { first, tenth } = await firstAndTenthOfMany(bench, tool, true);
      measurements.push({
        what: `first call of a new process / its tenth: ${tool}`,
        value: first / tenth,
        unit: 'x',
        aim: { atMost: 10 },
        detail: `${first.toFixed(1)} ms and ${tenth.toFixed(1)} ms, after one GET /readyz; a process per tool`,
      });
    }
    const unasked = await firstAndTenthOfMany(bench, 'get_products', false);
    measurements.push({
      what: 'the same without the GET /readyz before it: get_products',
      value: unasked.first / unasked.tenth,
      unit: 'x',
      detail: `${unasked.first.toFixed(1)} ms and ${unasked.tenth.toFixed(1)} ms; connecting and node:http's first request count`,
    });
    return measurements;
  },
};
