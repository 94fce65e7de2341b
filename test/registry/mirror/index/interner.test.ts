import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ids } from '../../../../src/registry/mirror/index/column.js';
import { Interner } from '../../../../src/registry/mirror/index/interner.js';
import { KeyedRows } from '../../../../src/registry/mirror/index/keyed-rows.js';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.uuid(),
  fc.uuid().map((one) => one.toUpperCase()),
  fc.uuid().map((one) => one.replaceAll('-', '_')),
  fc.constantFrom('', 'a', 'á', '\u{1f600}', '\u00ff'.repeat(17), 'x'.repeat(36), 'x'.repeat(3000)),
);

describe('texts as numbers', () => {
  it('are found again as what they are, each under one number, as a Map would have it', () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 200 }),
        fc.array(text, { maxLength: 50 }),
        fc.integer(),
        (kept, others, seed) => {
          const interner = new Interner(seed);
          const map = new Map<string, number>();
          for (const one of kept) {
            const id = interner.add(one);
            expect(id).toBe(map.get(one) ?? map.size + 1);
            map.set(one, id);
          }
          for (const one of [...kept, ...others]) expect(interner.find(one)).toBe(map.get(one) ?? 0);
          for (const [one, id] of map) expect(interner.text(id)).toBe(one);
          expect(interner.size).toBe(map.size);
        },
      ),
    );
  });

  it('go on from their arrays as if nothing had happened', () => {
    const first = new Interner(7);
    for (let number = 0; number < 1000; number += 1) first.add(`text ${number}`);
    const second = new Interner(7, first.bytes.used(), first.starts.used(), first.slots.slice());
    expect(second.find('text 999')).toBe(1000);
    expect(second.add('text 1000')).toBe(1001);
    expect(second.find('text 0')).toBe(1);
  });
});

describe('rows by two numbers', () => {
  it('are what a Map would have, whatever is put, replaced and dropped', () => {
    const step = fc.record({ key: fc.nat(9), other: fc.nat(2), drops: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const [first, second] = [ids(), ids()];
        const rows = new KeyedRows(first, second);
        const map = new Map<string, number>();
        for (const [index, { drops, key, other }] of steps.entries()) {
          const name = `${key} ${other}`;
          const held = map.get(name) ?? 0;
          if (drops && held !== 0) {
            rows.drop(held);
            map.delete(name);
          } else if (!drops) {
            first.set(index + 1, key + 1);
            second.set(index + 1, other + 1);
            rows.put(index + 1, held);
            map.set(name, index + 1);
          }
        }
        for (let key = 0; key < 10; key += 1) {
          for (let other = 0; other < 3; other += 1) {
            expect(rows.find(key + 1, other + 1)).toBe(map.get(`${key} ${other}`) ?? 0);
          }
        }
      }),
    );
  });
});
