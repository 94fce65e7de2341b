/** Row growth: whether booking and reading stay as fast, and memory small, while one account fills with buys. */
import { createMediaBuy, getMediaBuys } from '../calls.mjs';
import { connect, median } from '../driver.mjs';
import { closeLanes, measureCell, rotate } from '../measure.mjs';
import { residentKiB, startTarget } from '../targets.mjs';

const concurrency = 16;
const fewBuys = 100;
const pageRounds = 5;

/** Fills one account, window by window; answers the p50 in ms and the resident KiB after each window. */
async function fill(bench, lane) {
  const { growthBuys, growthWindow } = bench.plan;
  const windows = [];
  for (let done = 0; done < growthBuys; done += growthWindow) {
    bench.say(`${done} of ${growthBuys} buys`);
    const load = { concurrency, count: growthWindow };
    const cell = await measureCell(bench, lane.target, lane.connection, createMediaBuy, load);
    windows.push({ p50: cell.p50, residentKiB: residentKiB(lane.target.pid) });
  }
  return windows;
}

/** The median p50 in ms of one page, for each lane in turn after a long round of warming up. */
async function pageLatencies(bench, lanes) {
  const page = getMediaBuys(50);
  const p50s = new Map(lanes.map((lane) => [lane, []]));
  for (let round = 0; round <= pageRounds; round++) {
    for (const lane of rotate(lanes, round)) {
      bench.say(`pages, round ${round} of ${pageRounds}`);
      const load = { concurrency: 1, count: bench.plan.pagesPerRound * (round === 0 ? 15 : 1) };
      const cell = await measureCell(bench, lane.target, lane.connection, page, load);
      if (round > 0) p50s.get(lane).push(cell.p50);
    }
  }
  return lanes.map((lane) => median(p50s.get(lane)));
}

/** Our server on a fresh data folder, with connections to it. */
async function openLane() {
  const target = await startTarget('ours');
  return { target, connection: connect(target, concurrency) };
}

export const growthRow = {
  name: 'growth',
  async measure(bench) {
    const { growthBuys, growthWindow } = bench.plan;
    const lanes = [];
    try {
      const many = await openLane();
      lanes.push(many);
      const windows = await fill(bench, many);
      const few = await openLane();
      lanes.push(few);
      await measureCell(bench, few.target, few.connection, createMediaBuy, { concurrency, count: fewBuys });
      const [manyMs, fewMs] = await pageLatencies(bench, [many, few]);

      const first = windows[0];
      const second = windows[1];
      const last = windows.at(-1);
      const grownKiB = last.residentKiB - first.residentKiB;
      return [
        {
          what: `growth: create p50 at 16, last ${growthWindow} of ${growthBuys} buys / second ${growthWindow}`,
          value: last.p50 / second.p50,
          unit: 'x',
          aim: { atMost: 1.2 },
          detail: `p50 per window in ms: ${windows.map((each) => each.p50.toFixed(2)).join(' ')}`,
        },
        {
          what: `growth: a page of 50 get_media_buys at ${growthBuys} buys / at ${fewBuys}`,
          value: manyMs / fewMs,
          unit: 'x',
          aim: { atMost: 1.3 },
          detail: `p50 ${manyMs.toFixed(2)} ms and ${fewMs.toFixed(2)} ms, one caller`,
        },
        {
          what: `growth: resident memory per buy, after ${growthWindow} to ${growthBuys} buys`,
          value: (grownKiB * 1.024) / (growthBuys - growthWindow),
          unit: ' KB',
          aim: { atMost: 9 },
          detail: `MiB per window: ${windows.map((each) => (each.residentKiB / 1024).toFixed(0)).join(' ')}`,
        },
      ];
    } finally {
      await closeLanes(lanes);
    }
  },
};
