/** Rows get_products and get_adcp_capabilities: what one read costs the server, beside the peer and the floor. */
import { getCapabilities, getProducts } from '../calls.mjs';
import { compare, medianOf, ratioOf } from '../measure.mjs';

/** A row that compares the server CPU of one read at concurrency 16. */
function readRow(name, workload) {
  return {
    name,
    async measure(bench) {
      const { ours, peer, floor } = await compare(bench, ['ours', 'peer', 'floor'], () => workload, 16);
      const micros = (cells) => `${medianOf(cells, 'cpuMicros').toFixed(0)} us`;
      const kilobytes = (cells) => `${(medianOf(cells, 'bytes') / 1000).toFixed(1)} KB`;
      return [
        {
          what: `${name}: server CPU per call, ours / peer`,
          value: ratioOf(ours, peer, 'cpuMicros'),
          unit: 'x',
          aim: { atMost: 0.25 },
          detail: `ours ${micros(ours)}, peer ${micros(peer)}; answers of ${kilobytes(ours)} and ${kilobytes(peer)}`,
        },
        {
          what: `${name}: server CPU per call, ours / floor`,
          value: ratioOf(ours, floor, 'cpuMicros'),
          unit: 'x',
          aim: { atMost: 9 },
          detail: `ours ${micros(ours)}, floor ${micros(floor)}; bare node:http with a static answer of 2 KB`,
        },
      ];
    },
  };
}

export const getProductsRow = readRow('get_products', getProducts);
export const getCapabilitiesRow = readRow('get_adcp_capabilities', getCapabilities);
