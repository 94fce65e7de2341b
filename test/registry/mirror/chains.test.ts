import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange } from '../../../src/registry/mirror/apply.js';
import { identifiersFrom } from '../../../src/registry/mirror/index/effective.js';
import { buildTables, type Tables } from '../../../src/registry/mirror/index/tables.js';
import type { PropertyRecord, RecordChange } from '../../../src/registry/model/records.js';

/** A property that shares its id and its identifiers with others, at one of two publishers. */
const property = fc.record({
  rid: fc.nat(12),
  publisher: fc.constantFrom('one.example', 'two.example'),
  slug: fc.option(fc.constantFrom('a', 'b')),
  values: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
  isThere: fc.boolean(),
});
type Drawn = typeof property extends fc.Arbitrary<infer T> ? T : never;

function changeOf({ isThere, publisher, rid, slug, values }: Drawn): RecordChange {
  const record: PropertyRecord = {
    property_rid: `rid${rid}`,
    publisher_domain: publisher,
    property_id: slug,
    property_type: 'website',
    name: '',
    classification: 'property',
    source: 'authoritative',
    identifiers: values.map((value) => ({ type: 'network_id', value })),
    tags: [],
    status: 'active',
  };
  return { noun: 'property', id: record.property_rid, record: isThere ? record : undefined };
}

/** The rids along a chain; a circle would never end. */
function along(first: number, next: Tables['nextOfDomain'], ridOf: (row: number) => string): readonly string[] {
  const found: string[] = [];
  for (let row = first; row !== 0 && found.length < 100; row = next.at(row)) found.push(ridOf(row));
  return found.sort();
}

describe('rows that hang together', () => {
  it('are those that are there, whatever came and went in whatever order', () => {
    fc.assert(
      fc.property(fc.array(property, { minLength: 1, maxLength: 80 }), (drawn) => {
        const tables = buildTables(7);
        const model = new Map<number, Drawn>();
        for (const one of drawn) {
          applyChange(tables, changeOf(one));
          if (one.isThere) model.set(one.rid, one);
          else model.delete(one.rid);
        }
        const rids = (fits: (one: Drawn) => boolean): readonly string[] =>
          [...model.values()]
            .filter(fits)
            .map(({ rid }) => `rid${rid}`)
            .sort();
        const ridOf = (row: number): string => tables.rids.text(tables.propertyRid.at(row));
        for (const publisher of ['one.example', 'two.example']) {
          const domain = tables.domains.find(publisher);
          const isOfIt = (one: Drawn): boolean => one.publisher === publisher;
          expect(along(tables.domainProperty.at(domain), tables.nextOfDomain, ridOf)).toEqual(rids(isOfIt));
          for (const slug of ['a', 'b']) {
            const first = tables.slugs.find(domain, tables.words.find(slug));
            expect(along(first, tables.nextOfSlug, ridOf)).toEqual(rids((one) => isOfIt(one) && one.slug === slug));
          }
        }
        for (const value of ['x', 'y', 'z'] as const) {
          const first = tables.valueIdentifier.at(tables.values.find(value));
          const ofIdentifier = (row: number): string => ridOf(tables.identifierProperty.at(row));
          expect(along(first, tables.nextOfValue, ofIdentifier)).toEqual(rids(({ values }) => values.includes(value)));
        }
        for (const { rid, values } of model.values()) {
          const row = tables.ridProperty.at(tables.rids.find(`rid${rid}`));
          expect(
            identifiersFrom(tables, row)
              .map(({ value }) => value)
              .sort(),
          ).toEqual(values.toSorted());
        }
      }),
      { numRuns: 500 },
    );
  });
});
