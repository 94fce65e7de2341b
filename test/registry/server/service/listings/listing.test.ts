import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../../../src/platform/kernel/event-loop.js';
import { Listing } from '../../../../../src/registry/server/service/listings/listing.js';

type Row = { readonly kind: string; readonly size: number };

/** Returns the page that a listing must give, by looking at every row. */
function naivePage(rows: ReadonlyMap<string, Row>, kind: string, offset: number, limit: number): readonly Row[] {
  return [...rows.keys()]
    .sort()
    .flatMap((key) => rows.get(key) ?? [])
    .filter((row) => row.kind === kind)
    .slice(offset, offset + limit);
}

const change = fc.record({
  key: fc.integer({ min: 0, max: 3000 }).map((number) => `k${number}`),
  row: fc.option(fc.record({ kind: fc.constantFrom('a', 'b'), size: fc.nat(9) }), { nil: undefined, freq: 3 }),
});

describe('a listing', () => {
  it('answers what a look at all rows answers, whatever came and went', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 4000, minLength: 500, size: 'max' }),
        fc.nat(400),
        fc.integer({ min: 1, max: 900 }),
        async (changes, offset, limit) => {
          const listing = new Listing<Row>(({ kind }) => ['total', kind]);
          const rows = new Map<string, Row>();
          for (const { key, row } of changes) {
            if (row === undefined) {
              listing.remove(key);
              rows.delete(key);
            } else {
              listing.put(key, row);
              rows.set(key, row);
            }
          }
          for (const kind of ['a', 'b']) {
            expect(await listing.page((row) => row.kind === kind, offset, limit)).toEqual(
              naivePage(rows, kind, offset, limit),
            );
          }
          const of = (kind: string) => [...rows.values()].filter((row) => row.kind === kind).length;
          const { a = 0, b = 0, total = 0 } = listing.counts();
          expect({ a, b, total }).toEqual({ a: of('a'), b: of('b'), total: rows.size });
        },
      ),
      { numRuns: 30 },
    );
  });

  it('leaves a kind out of its counts when its last row is gone', () => {
    const listing = new Listing<Row>(({ kind }) => [kind]);
    listing.put('one', { kind: 'a', size: 1 });
    listing.put('one', { kind: 'b', size: 1 });
    expect(listing.counts()).toEqual({ b: 1 });
    listing.remove('one');
    expect(listing.counts()).toEqual({});
  });

  it('gives way while it looks through many rows, and shows once each row that stays', async () => {
    const listing = new Listing<Row>();
    const names = Array.from({ length: 30_000 }, (_, at) => `n${String(at).padStart(6, '0')}`);
    for (const [size, name] of names.entries()) listing.put(name, { kind: 'a', size });
    let turns = 0;
    let isLooking = true;
    const others = (async () => {
      while (isLooking) {
        // Rows come and go before, at and behind the place of the look.
        listing.put(`n${String(turns * 37).padStart(6, '0')}x`, { kind: 'b', size: turns });
        listing.remove(`n${String(turns * 37).padStart(6, '0')}x`);
        turns += 1;
        await yieldToEventLoop();
      }
    })();
    // A slow question, so that the look takes many turns however quick the machine is.
    const slow = (row: Row): boolean => {
      const until = performance.now() + (row.size % 100 === 0 ? 1 : 0);
      while (performance.now() < until);
      return row.kind === 'a';
    };
    const found = await listing.page(slow, 0, names.length);
    isLooking = false;
    await others;
    expect(found.map(({ size }) => size)).toEqual(names.map((_, size) => size));
    expect(turns).toBeGreaterThan(10);
  });
});
