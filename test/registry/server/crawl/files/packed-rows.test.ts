import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  packedBytes,
  packedMemory,
  packRows,
  unpackPieces,
  unpackRows,
} from '../../../../../src/registry/server/crawl/files/packed-rows.js';

describe('packed rows', () => {
  it('come out as they went in, in their order, whatever their size', () => {
    const row = fc.record({
      text: fc.string({ unit: 'binary', maxLength: 200 }),
      times: fc.nat(1500),
      list: fc.array(fc.nat()),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (drawn) => {
        const rows = drawn.map(({ list, text, times }) => ({ list, text: text.repeat(times) }));
        const packed = packRows(rows);
        expect(unpackRows(packed)).toEqual(rows);
        expect([...unpackPieces(packed)].flat()).toEqual(rows);
        const largest = Math.max(0, ...rows.map((one) => Buffer.byteLength(JSON.stringify(one))));
        for (const piece of packed.pieces) expect(piece.length).toBeLessThan(4 * 64 * 1024 + largest);
      }),
      { numRuns: 100 },
    );
  });

  it('are handed over wherever they stand in a message, and nothing else is', () => {
    const [one, other] = [packRows([{ a: 1 }]), packRows([{ b: 2 }, { c: 3 }])];
    const message = {
      id: 1,
      job: { text: 'x', bytes: new Uint8Array(9), held: { one }, other, list: [one] },
      none: null,
    };
    expect(packedMemory(message)).toEqual([...one.pieces, ...other.pieces].map(({ buffer }) => buffer));
    expect(packedBytes(message)).toBe('[{"a":1}]'.length + '[{"b":2},{"c":3}]'.length);
  });
});
