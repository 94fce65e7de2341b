/** Rows get_products, get_adcp_capabilities and tools_list: what one read costs the server, beside the peer and the floor. */
import { createMediaBuy, getCapabilities, getProducts, productsBetweenBuys, toolsList } from '../calls.mjs';
import { connect } from '../driver.mjs';
import { compareLanes, measureCell, medianOf, ratioOf } from '../measure.mjs';
import { startFilled, stopTarget } from '../targets.mjs';

/** How many bytes our answer has. */
async function answerBytes(workload) {
  const target = await startFilled('ours');
  const connection = connect(target, 1);
  const { bytes } = await connection.call(workload.body());
  await connection.close();
  await stopTarget(target);
  return bytes;
}

/**
 * A row that compares the server CPU of one read at concurrency 16; `aims` are the most that it may cost beside peer and floor. With
 * `sameBytes` the floor answers as many bytes as we do, else 2 KB.
 */
function readRow(name, workload, { sameBytes = false, ...aims }) {
  return {
    name,
    async measure(bench) {
      const floorBytes = sameBytes ? await answerBytes(workload) : 2000;
      const lanes = { ours: {}, peer: {}, floor: { tenant: String(floorBytes) } };
      for (const [target, lane] of Object.entries(lanes)) Object.assign(lane, { target, workloadFor: () => workload });
      const { ours, peer, floor } = await compareLanes(bench, lanes, 16);
      const micros = (cells) => `${medianOf(cells, 'cpuMicros').toFixed(0)} us`;
      const kilobytes = (cells) => `${(medianOf(cells, 'bytes') / 1000).toFixed(1)} KB`;
      return [
        {
          what: `${name}: server CPU per call, ours / peer`,
          value: ratioOf(ours, peer, 'cpuMicros'),
          unit: 'x',
          aim: { atMost: aims.peer },
          detail: `ours ${micros(ours)}, peer ${micros(peer)}; answers of ${kilobytes(ours)} and ${kilobytes(peer)}`,
        },
        {
          what: `${name}: server CPU per call, ours / floor`,
          value: ratioOf(ours, floor, 'cpuMicros'),
          unit: 'x',
          aim: { atMost: aims.floor },
          detail: `ours ${micros(ours)}, floor ${micros(floor)}; bare node:http with a static answer of ${(floorBytes / 1000).toFixed(1)} KB`,
        },
      ];
    },
  };
}

export const getProductsRow = readRow('get_products', getProducts, { peer: 0.25, floor: 9 });
export const getCapabilitiesRow = readRow('get_adcp_capabilities', getCapabilities, { peer: 0.25, floor: 9 });
export const toolsListRow = readRow('tools_list', toolsList, { peer: 0.25, floor: 3, sameBytes: true });

/** What a brief with plans costs while others buy: its answer depends on the books, so that each one is made anew. */
export const productsBetweenBuysRow = {
  name: 'get_products_between_buys',
  async measure(bench) {
    const count = bench.plan.readsBetweenBuys;
    const load = { concurrency: 1, count };
    const target = await startFilled('ours');
    const connection = connect(target, 1);
    const measure = (workload, times = 1) =>
      measureCell(bench, target, connection, workload, { ...load, count: times * count });
    try {
      bench.say('warming up');
      await measure(createMediaBuy);
      await measure(productsBetweenBuys(), 2);
      bench.say('buys, reads, and both by turns');
      const buys = await measure(createMediaBuy);
      const reads = await measure(getProducts);
      const both = await measure(productsBetweenBuys(), 2);
      const between = 2 * both.cpuMicros - buys.cpuMicros;
      return [
        {
          what: 'get_products with plans, after each buy: server CPU per call',
          value: between / 1000,
          unit: ' ms',
          detail: `${(reads.cpuMicros / 1000).toFixed(2)} ms where nobody buys, ${(buys.cpuMicros / 1000).toFixed(2)} ms a buy`,
        },
      ];
    } finally {
      await connection.close();
      await stopTarget(target);
    }
  },
};
