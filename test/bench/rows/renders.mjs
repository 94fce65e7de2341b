/** Rows render and beside_renders: drawing pictures beside sharp alone, and answering calls while pictures are drawn. */
import os from 'node:os';
import { getProducts } from '../calls.mjs';
import { buildPicture } from '../creatives.mjs';
import { allowance, startDrawer } from '../drawers.mjs';
import { connect, drive } from '../driver.mjs';
import { measureCell, medianOf, ratioOf, rotate } from '../measure.mjs';
import { startTarget, stopTarget, tenantOf } from '../targets.mjs';

const cores = os.availableParallelism();
const allowanceText = `${allowance.pictures} at once on ${allowance.threadsEach} thread(s) each, of ${cores} cores`;

export const renderRow = {
  name: 'render',
  async measure(bench) {
    const { warmUpSeconds, cellSeconds, rounds } = bench.plan;
    const drawers = [];
    const cells = { ours: [], bare: [], confined: [] };
    try {
      for (const name of Object.keys(cells)) {
        bench.say(`${name}: warming up`);
        const drawer = await startDrawer(name);
        drawers.push(drawer);
        await drawer.draw(warmUpSeconds);
      }
      for (let round = 0; round < rounds; round++) {
        for (const drawer of rotate(drawers, round)) {
          bench.say(`round ${round + 1} of ${rounds}: ${drawer.name}`);
          cells[drawer.name].push(await drawer.draw(cellSeconds));
        }
      }
    } finally {
      for (const drawer of drawers) drawer.stop();
    }
    if (new Set(Object.values(cells).flatMap((list) => list.map(({ hash }) => hash))).size !== 1) {
      throw new Error('the pictures of our renderer and of sharp alone are not the same bytes');
    }
    const rate = (list) => `${medianOf(list, 'perSecond').toFixed(0)}/s`;
    const milliseconds = (list) => `${(medianOf(list, 'cpuMicros') / 1000).toFixed(2)} ms`;
    return [
      {
        what: 'PNG of an ad (300x250) at 4: throughput, ours / sharp alone on the cores that drawing may take',
        value: ratioOf(cells.ours, cells.confined, 'perSecond'),
        unit: 'x',
        aim: { atLeast: 0.9 },
        detail: `ours ${rate(cells.ours)}, sharp alone ${rate(cells.confined)}; ${allowanceText}; the same bytes`,
      },
      {
        what: 'the same / sharp alone on all cores',
        value: ratioOf(cells.ours, cells.bare, 'perSecond'),
        unit: 'x',
        detail: `sharp alone ${rate(cells.bare)}; CPU per picture ${milliseconds(cells.ours)} and ${milliseconds(cells.bare)}`,
      },
    ];
  },
};

/** How get_products is asked while pictures are drawn: so seldom that what is measured is the wait, not the work. */
const asking = { concurrency: 4, thinkMs: 10 };
const drawingCallers = 4;

/** Our server with build_creative calls beside; the floor with a process that draws beside. */
async function openLanes() {
  const ours = await startTarget('ours');
  const studio = tenantOf(ours, 'creative');
  const builders = connect(studio, drawingCallers);
  const floor = await startTarget('floor');
  const drawer = await startDrawer('confined');
  const lanes = [
    {
      name: 'ours',
      target: ours,
      connection: connect(ours, asking.concurrency),
      draw: (seconds) => drive(builders, buildPicture(studio), { concurrency: drawingCallers, seconds }),
    },
    { name: 'floor', target: floor, connection: connect(floor, asking.concurrency), draw: drawer.draw },
  ];
  const close = async () => {
    drawer.stop();
    await builders.close();
    for (const { target, connection } of lanes) {
      await connection.close();
      await stopTarget(target);
    }
  };
  return { lanes, close };
}

/** One cell: get_products while pictures are drawn; also how many were drawn per second. */
async function besideDrawing(bench, { target, connection, draw }, seconds) {
  const drawing = draw(seconds);
  const cell = await measureCell(bench, target, connection, getProducts, { ...asking, seconds });
  const { perSecond, failures = 0, firstFailure } = await drawing;
  if (failures > 0) bench.failedCalls.push(`${target.name}: ${failures} pictures failed: ${firstFailure}`);
  return { ...cell, drawn: perSecond };
}

export const besideRendersRow = {
  name: 'beside_renders',
  async measure(bench) {
    const { warmUpSeconds, cellSeconds, rounds } = bench.plan;
    const { lanes, close } = await openLanes();
    const cells = { ours: [], floor: [] };
    try {
      for (const lane of lanes) {
        bench.say(`${lane.name}: warming up`);
        await besideDrawing(bench, lane, warmUpSeconds);
      }
      for (let round = 0; round < rounds; round++) {
        for (const lane of rotate(lanes, round)) {
          bench.say(`round ${round + 1} of ${rounds}: ${lane.name}`);
          cells[lane.name].push(await besideDrawing(bench, lane, cellSeconds));
        }
      }
    } finally {
      await close();
    }
    const text = (list) =>
      `p99 ${medianOf(list, 'p99').toFixed(1)} ms, p50 ${medianOf(list, 'p50').toFixed(2)} ms beside ${medianOf(list, 'drawn').toFixed(0)} pictures/s`;
    return [
      {
        what: 'get_products while pictures are drawn without a pause: p99, ours / floor beside sharp alone',
        value: ratioOf(cells.ours, cells.floor, 'p99'),
        unit: 'x',
        aim: { atMost: 2 },
        detail: `ours ${text(cells.ours)}; floor ${text(cells.floor)}; drawing ${allowanceText}`,
      },
    ];
  },
};
