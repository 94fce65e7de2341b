/** Row large: CPU of the reading tasks, and how it grows with what an account has. */
import { toolCall } from '../calls.mjs';
import { connect } from '../driver.mjs';
import { READS } from '../large-calls.mjs';
import { bookAll, fill, makeOne } from '../large-data.mjs';
import { closeLanes, measureCell, rotate } from '../measure.mjs';
import { startFilled, stopTarget } from '../targets.mjs';

const SIZES = [1000, 100_000];
const ROUNDS = 3;

async function openLane(size) {
  const empty = await startFilled('ours');
  const mediaBuyId = await makeOne(empty);
  await stopTarget(empty);
  fill(empty.dataDir, mediaBuyId, size);
  const target = await startFilled('ours', empty.dataDir);
  await bookAll(target);
  return { size, target, connection: connect(target, 1) };
}

export const largeRow = {
  name: 'large',
  async measure(bench) {
    const lanes = [];
    try {
      for (const size of SIZES) {
        bench.say(`${size} of each`);
        lanes.push(await openLane(size));
      }
      const measurements = [];
      for (const [what, [name, args]] of Object.entries(READS)) {
        const micros = new Map(SIZES.map((size) => [size, []]));
        for (let round = 0; round <= ROUNDS; round += 1) {
          for (const { size, target, connection } of rotate(lanes, round)) {
            bench.say(`${what}, round ${round}`);
            const cell = await measureCell(bench, target, connection, toolCall(name, args), {
              concurrency: 1,
              count: bench.plan.pagesPerRound,
            });
            if (round > 0) micros.get(size).push(cell.cpuMicros);
          }
        }
        const [few, many] = SIZES.map((size) => Math.min(...micros.get(size)) / 1000);
        measurements.push({
          what: `large: ${what}, CPU at ${SIZES[1]} of each`,
          value: many,
          unit: ' ms',
          aim: { atMost: 10 },
          detail: `${few.toFixed(2)} ms at ${SIZES[0]}`,
        });
      }
      return measurements;
    } finally {
      await closeLanes(lanes);
    }
  },
};
