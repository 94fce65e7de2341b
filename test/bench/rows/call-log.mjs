/** Row call_log: what the line of a call costs, as a share of the CPU of the call. */
import { createMediaBuy, getProducts } from '../calls.mjs';
import { compareLanes, leastOf, medianOf } from '../measure.mjs';

const WORKLOADS = { get_products: getProducts, create_media_buy: createMediaBuy };

/** One server with the line of each call and without, measured by turns. */
export const callLogRow = {
  name: 'call_log',
  async measure(bench) {
    const measured = [];
    for (const [name, workload] of Object.entries(WORKLOADS)) {
      const lane = (level) => ({
        target: 'ours',
        more: { env: { SELLER_AGENT_LOG: level } },
        workloadFor: () => workload,
      });
      const { logged, silent } = await compareLanes(bench, { logged: lane('info'), silent: lane('silent') }, 16);
      measured.push({
        what: `${name}: server CPU per call, with a line of the log for each / without`,
        // What else runs on the machine only adds to a cell: a line of ten microseconds is seen in the least of them.
        value: leastOf(logged, 'cpuMicros') / leastOf(silent, 'cpuMicros'),
        unit: 'x',
        aim: { atMost: 1.05 },
        detail: `${leastOf(logged, 'cpuMicros').toFixed(0)} us and ${leastOf(silent, 'cpuMicros').toFixed(0)} us, the least of the rounds; medians ${medianOf(logged, 'cpuMicros').toFixed(0)} us and ${medianOf(silent, 'cpuMicros').toFixed(0)} us`,
      });
    }
    return measured;
  },
};
