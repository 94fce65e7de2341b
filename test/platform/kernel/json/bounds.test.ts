import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceededBound } from '../../../../src/platform/kernel/json/bounds.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Levels and values of what was read: each list and object counts, and each item or member but the first of its own. */
function shapeOf(value: unknown): { levels: number; values: number } {
  if (typeof value !== 'object' || value === null) return { levels: 0, values: 0 };
  const items = Object.values(value).map(shapeOf);
  return {
    levels: 1 + Math.max(0, ...items.map(({ levels }) => levels)),
    values: 1 + Math.max(0, items.length - 1) + items.reduce((sum, { values }) => sum + values, 0),
  };
}

describe('the bounds of a JSON text', () => {
  it('are overstepped by exactly what is deeper or holds more, whatever its texts say', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', ',', ']', 'é', '😀') }));
    const json = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 6 }, text, fc.integer(), fc.array(tie('value')), fc.dictionary(text, tie('value'))),
    })).value;
    fc.assert(
      fc.property(json, fc.nat(6), fc.nat(20), (value, levels, values) => {
        const written = JSON.stringify(value);
        const shape = shapeOf(JSON.parse(written));
        const exceeded = exceededBound(bytesOf(written), { levels, values });
        expect(exceeded !== undefined).toBe(shape.levels > levels || shape.values > values);
        if (exceeded === 'levels') expect(shape.levels).toBeGreaterThan(levels);
        if (exceeded === 'values') expect(shape.values).toBeGreaterThan(values);
        expect(exceededBound(bytesOf(JSON.stringify(value, null, 2)), shape)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('end also what has no end', () => {
    for (const text of ['"', '"\\', '"[[[[', '', ']]]]', '{"a":"b\\"[[[']) {
      expect(exceededBound(bytesOf(text), { levels: 2, values: 5 })).toBeUndefined();
    }
    expect(exceededBound(bytesOf('['.repeat(1_000_000)), { levels: 32, values: 100 })).toBe('levels');
    expect(exceededBound(bytesOf(`[${'1,'.repeat(1000)}`), { levels: 32, values: 100 })).toBe('values');
  });
});
