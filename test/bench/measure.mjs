/**
 * How much is measured, and the two ways of measuring that rows share: one cell (a target under load for a while)
 * and a comparison (several targets, cell by cell in turn, so that a busy neighbour on the machine hits all alike).
 */
import { connect, drive, median } from './driver.mjs';
import { cpuSeconds, startFilled, startTarget, stopTarget, tenantOf } from './targets.mjs';

/** The sizes of a full run. */
export const fullPlan = {
  warmUpSeconds: 8,
  cellSeconds: 3,
  rounds: 5,
  syncedCreates: 5000,
  growthBuys: 10_000,
  growthWindow: 1000,
  sweptKeys: 1_000_000,
  readsBetweenBuys: 500,
  pagesPerRound: 60,
  coldStarts: 9,
  firstCallRuns: 5,
  listCalls: 50_000,
  batches: 8,
  webhooks: 8000,
  webhookRounds: 5,
  webhookLatencies: 2000,
  queuedWebhooks: 10_000,
  registryPublishers: 10_000,
  registryIdentifiers: 100,
  registryAuthorizations: 1_000_000,
  importedPublishers: 20_000,
  mirroredProperties: 1_000_000,
  sharedProperties: 100_000,
  storedBuys: 1_000_000,
  latencyCalls: 40,
  holdRounds: 3,
  holdCount: 100_000,
  holdPlaces: 80,
  holds: {
    publishers: 10_000,
    identifiers: 100,
    events: 10_000,
    agents: 10_000,
    properties: 20_000,
    rows: 5000,
    brandBytes: 250 * 1024,
    heavyBrands: 200,
    revisions: 100,
    revisionBytes: 900 * 1024,
  },
};

/** The sizes of `--quick`: the same rows, good enough to see whether they work, too short to quote. */
export const quickPlan = {
  warmUpSeconds: 1.5,
  cellSeconds: 1,
  rounds: 3,
  syncedCreates: 1000,
  growthBuys: 2000,
  growthWindow: 500,
  sweptKeys: 100_000,
  readsBetweenBuys: 150,
  pagesPerRound: 20,
  coldStarts: 2,
  firstCallRuns: 2,
  listCalls: 5000,
  batches: 3,
  webhooks: 3000,
  webhookRounds: 3,
  webhookLatencies: 400,
  queuedWebhooks: 2000,
  registryPublishers: 1000,
  registryIdentifiers: 10,
  registryAuthorizations: 50_000,
  importedPublishers: 2000,
  mirroredProperties: 50_000,
  sharedProperties: 20_000,
  storedBuys: 100_000,
  latencyCalls: 10,
  holdRounds: 3,
  holdCount: 20_000,
  holdPlaces: 8,
  holds: {
    publishers: 1000,
    identifiers: 10,
    events: 1000,
    agents: 1000,
    properties: 2000,
    rows: 500,
    brandBytes: 250 * 1024,
    heavyBrands: 100,
    revisions: 20,
    revisionBytes: 900 * 1024,
  },
};

/**
 * The state of one run, handed to every row: the `plan`, `say(text)` for the progress line, and `failedCalls`,
 * the text of every cell in which a call failed.
 */
export function createBench(plan, say) {
  const failedCalls = [];
  return { plan, say, failedCalls };
}

/**
 * Loads one target and answers what `drive` answers plus `cpuMicros`, the server's CPU time per call in us.
 * Failed calls are noted in the bench; the cell is answered all the same.
 */
export async function measureCell(bench, target, connection, workload, load) {
  const before = cpuSeconds(target.pid);
  const driven = await drive(connection, workload, load);
  const cpuMicros = ((cpuSeconds(target.pid) - before) * 1e6) / driven.calls;
  if (driven.failures > 0) {
    bench.failedCalls.push(
      `${target.name}: ${driven.failures} of ${driven.calls} calls failed: ${driven.firstFailure}`,
    );
  }
  return { ...driven, cpuMicros };
}

/** The list, turned left by `steps`: which one begins changes from round to round. */
export function rotate(list, steps) {
  return list.map((_, index) => list[(index + steps) % list.length]);
}

/** Compares targets, each under the same workload, as `compareLanes` does. `workloadFor(connection)` answers the workload. */
export function compare(bench, names, workloadFor, concurrency) {
  const lanes = Object.fromEntries(names.map((name) => [name, { target: name, workloadFor }]));
  return compareLanes(bench, lanes, concurrency);
}

/**
 * Compares lanes `{ [name]: { target, tenant?, path?, more?, workloadFor(connection, target) } }`, each on a process of its own.
 * Answers `{ [name]: cell[] }`, one cell per round; cells of one index were measured one right after the other.
 */
export async function compareLanes(bench, lanes, concurrency) {
  const { warmUpSeconds, cellSeconds, rounds } = bench.plan;
  const open = [];
  const cells = Object.fromEntries(Object.keys(lanes).map((name) => [name, []]));
  try {
    for (const [name, { more, path, target: targetName, tenant, workloadFor }] of Object.entries(lanes)) {
      bench.say(`${name}: warming up`);
      const start = targetName === 'ours' ? startFilled : startTarget;
      const named = tenantOf(await start(targetName, undefined, more), tenant);
      const target = path === undefined ? named : { ...named, url: `${named.origin}${path}` };
      const connection = connect(target, concurrency);
      const lane = { name, target, connection, workload: undefined };
      open.push(lane);
      lane.workload = await workloadFor(connection, target);
      await measureCell(bench, target, connection, lane.workload, { concurrency, seconds: warmUpSeconds });
    }
    for (let round = 0; round < rounds; round++) {
      for (const { name, target, connection, workload } of rotate(open, round)) {
        bench.say(`round ${round + 1} of ${rounds}: ${name}`);
        const load = { concurrency, seconds: cellSeconds };
        cells[name].push(await measureCell(bench, target, connection, workload, load));
      }
    }
    return cells;
  } finally {
    await closeLanes(open);
  }
}

/** Closes the connections of lanes `{ target, connection }` and stops their targets. */
export async function closeLanes(lanes) {
  for (const { target, connection } of lanes) {
    await connection.close();
    await stopTarget(target);
  }
}

/** The median over the rounds of (ours / other), each ratio taken within one round. `field` is a field of a cell. */
export function ratioOf(ours, other, field) {
  return median(ours.map((cell, round) => cell[field] / other[round][field]));
}

/** The least over the rounds of one field of the cells. */
export function leastOf(cells, field) {
  return Math.min(...cells.map((cell) => cell[field]));
}

/** The median over the rounds of one field of the cells. */
export function medianOf(cells, field) {
  return median(cells.map((cell) => cell[field]));
}
