import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  AuthorizationRecord,
  PropertyRecord,
  RecordSelector,
} from '../../../../../../src/registry/model/records.js';
import { createPicker } from '../../../../../../src/registry/server/service/agent/inventory/inventory.js';
import {
  countShares,
  type InventoryShare,
} from '../../../../../../src/registry/server/service/agent/inventory/totals.js';

/** What an arbitrary makes. */
type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

const TAGS = ['a', 'b', 'c', 'd', 'rare'];
const IDS = Array.from({ length: 12 }, (_, index) => `id${index}`);

const tags = fc.array(fc.constantFrom(...TAGS), { maxLength: 4 });
const property = fc.record({
  property_id: fc.option(fc.constantFrom(...IDS)),
  property_type: fc.constantFrom('website', 'ctv_app', 'podcast' as const),
  tags,
  supported_channels: fc.option(fc.array(fc.constantFrom('ctv', 'olv', 'display'), { maxLength: 3 }), {
    nil: undefined,
  }),
  inline: fc.constantFrom(undefined, undefined, true as const),
  status: fc.constantFrom('active', 'active', 'active', 'stale' as const),
});
const selector: fc.Arbitrary<RecordSelector> = fc.oneof(
  fc.constant({ selection_type: 'all' } as const),
  fc.record({
    selection_type: fc.constant('by_id' as const),
    property_ids: fc.array(fc.constantFrom(...IDS, 'none'), { maxLength: 6 }),
  }),
  fc.record({
    selection_type: fc.constant('by_tag' as const),
    property_tags: fc.array(fc.constantFrom(...TAGS, 'none'), { maxLength: 3 }),
  }),
);
const row = fc.record({
  agent: fc.integer({ min: 0, max: 3 }),
  authorization_type: fc.constantFrom('property_tags', 'property_ids', 'publisher_properties', 'signal_tags' as const),
  property_rid: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.integer({ max: 150 }).map(String)),
  selectors: fc.option(fc.array(selector, { maxLength: 3 }), { nil: undefined }),
  countries: fc.option(fc.array(fc.constantFrom('DE', 'FR', 'US'), { maxLength: 3 }), { nil: undefined }),
});

const propertiesOf = (drafts: readonly Drawn<typeof property>[]): readonly PropertyRecord[] =>
  drafts.map(({ inline, supported_channels, ...draft }, at) => ({
    property_rid: `${at}`,
    publisher_domain: 'big.example',
    name: `${at}`,
    classification: 'property',
    source: 'authoritative',
    identifiers: [],
    ...(inline && { inline }),
    ...(supported_channels && { supported_channels }),
    ...draft,
  }));
const rowsOf = (drafts: readonly Drawn<typeof row>[]): readonly AuthorizationRecord[] =>
  drafts.map(({ agent, countries, selectors, ...draft }, at) => ({
    id: `${at}`,
    agent_url: `https://a${agent}.example`,
    agent_url_canonical: `https://a${agent}.example`,
    publisher_domain: 'big.example',
    authorized_for: null,
    property_id_slug: null,
    evidence: 'adagents_json',
    disputed: false,
    created_by: null,
    expires_at: null,
    created_at: '',
    updated_at: '',
    ...(countries && { countries }),
    ...(selectors && { selectors }),
    ...draft,
  }));

/** Whether a row covers a property, by the words of the records alone. */
function isCovered(
  one: AuthorizationRecord,
  { inline, property_id, property_rid, tags: own }: PropertyRecord,
): boolean {
  if (one.authorization_type.startsWith('signal_')) return false;
  if (one.property_rid !== null) return one.property_rid === property_rid;
  if (inline === true) return false;
  return (one.selectors ?? [{ selection_type: 'all' }]).some((wanted) => {
    if (wanted.selection_type === 'all') return true;
    if (wanted.selection_type === 'by_id') return property_id !== null && wanted.property_ids.includes(property_id);
    return wanted.property_tags.some((tag) => own.includes(tag));
  });
}

const USUAL: Readonly<Record<string, string>> = { ctv_app: 'ctv', podcast: 'podcast' };

function counted(values: readonly string[]): InventoryShare['tags'] {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function naiveShares(rows: readonly AuthorizationRecord[], properties: readonly PropertyRecord[]): object {
  return Object.fromEntries(
    [...new Set(rows.map(({ agent_url_canonical }) => agent_url_canonical))].map((url): [string, InventoryShare] => {
      const own = rows.filter((one) => one.agent_url_canonical === url);
      const covered = properties.filter((one) => one.status === 'active' && own.some((it) => isCovered(it, one)));
      const channels = covered.flatMap(
        ({ property_type, supported_channels }) => supported_channels ?? USUAL[property_type] ?? [],
      );
      return [
        url,
        {
          properties: covered.length,
          property_types: counted(covered.map(({ property_type }) => property_type)),
          channels: counted(channels),
          markets: counted([...new Set(own.flatMap(({ countries }) => countries ?? []))]),
          tags: counted(covered.flatMap((one) => one.tags)),
        },
      ];
    }),
  );
}

describe('what agents may sell of a publisher', () => {
  it('is what a look at every property for every row comes to', () => {
    fc.assert(
      fc.property(
        fc.array(property, { maxLength: 150, size: 'max' }),
        fc.array(row, { maxLength: 12 }),
        (properties, rows) => {
          const [listed, given] = [propertiesOf(properties), rowsOf(rows)];
          expect(countShares(given, listed)).toEqual(naiveShares(given, listed));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('counts every place of a word', () => {
    for (const length of [31, 32, 33, 64, 65, 1000]) {
      const properties = propertiesOf(
        Array.from({ length }, () => ({
          property_id: null,
          property_type: 'website' as const,
          tags: ['a'],
          supported_channels: undefined,
          inline: undefined,
          status: 'active' as const,
        })),
      );
      const rows = rowsOf([
        {
          agent: 0,
          authorization_type: 'property_tags',
          property_rid: null,
          selectors: [{ selection_type: 'by_tag', property_tags: ['a'] }],
          countries: undefined,
        },
      ]);
      expect(countShares(rows, properties)['https://a0.example']).toMatchObject({
        properties: length,
        tags: { a: length },
      });
    }
  });
});

describe('a selector made ready', () => {
  it('picks what its words say', () => {
    fc.assert(
      fc.property(selector, property, (wanted, draft) => {
        const [record] = propertiesOf([{ ...draft, inline: undefined }]) as [PropertyRecord];
        const [one] = rowsOf([
          {
            agent: 0,
            authorization_type: 'property_tags',
            property_rid: null,
            selectors: [wanted],
            countries: undefined,
          },
        ]) as [AuthorizationRecord];
        expect(createPicker(wanted)(record)).toBe(isCovered(one, record));
      }),
    );
  });
});
