import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Operator } from '../../../src/registry/authorization/operator.js';
import type { BrandContent } from '../../../src/registry/brand/types.js';
import { coversHost, hostPattern } from '../../../src/registry/model/domains.js';
import { brandOf, fileOf } from '../scripted-web.js';
import { some } from './scenes.js';

const HOSTS = [
  'a.example',
  'www.a.example',
  'm.a.example',
  'x.a.example',
  'y.x.a.example',
  '*.a.example',
  '*.x.a.example',
];
const host = some(...HOSTS);
const declared = fc.record(
  {
    type: some('website', 'mobile_app'),
    identifier: host,
    relationship: some('owned', 'direct', 'delegated', 'ad_network'),
    region: some('US', 'DE'),
  },
  { requiredKeys: ['type', 'identifier', 'relationship'] },
);
const identifiers = fc.array(fc.record({ type: some('domain', 'bundle_id'), value: host }), {
  minLength: 1,
  maxLength: 3,
});
const property = fc.record({ property_type: some('website', 'mobile_app'), identifiers });
const question = fc.record({
  host: some(undefined, 'a.example', 'x.a.example', 'y.x.a.example', 'b.example'),
  country: some(undefined, 'US', 'FR'),
});

/** A look at every declared property. */
function naive(
  operator: BrandContent,
  asked: ReturnType<typeof fileOf>['properties'][number],
  where: { host: string | undefined; country: string | undefined },
) {
  return operator.brands
    .flatMap(({ properties }) => properties)
    .filter(({ region }) => region === undefined || where.country === undefined || region === where.country)
    .filter(({ host: pattern, identifier, type }) => {
      if (pattern === undefined) {
        return type === asked.property_type && asked.identifiers.some(({ value }) => value === identifier);
      }
      if (where.host !== undefined) return coversHost(pattern, where.host);
      return asked.hosts.some((one) =>
        one.covers === 'subdomains'
          ? pattern.covers === 'subdomains' && pattern.host === one.host
          : coversHost(pattern, one.host),
      );
    });
}

describe('what an operator declares of a property', () => {
  it('is what a look at every declared property finds, said once', () => {
    const counts = { found: 0 };
    fc.assert(
      fc.property(fc.array(declared, { maxLength: 12 }), property, question, (properties, asked, where) => {
        const operator = brandOf({
          house: { domain: 'o.example', name: 'O' },
          brands: [{ id: 'o', names: [{ en: 'O' }], properties }],
        });
        const file = fileOf({
          properties: [{ property_id: 'p', name: 'P', publisher_domain: 'news.example', ...asked }],
          authorized_agents: [],
        });
        const [read] = file.properties;
        fc.pre(read !== undefined);
        const { host: of, country } = where;
        const found = new Operator(operator).declared(read, { ...(of && { host: of }), ...(country && { country }) });
        const oracle = naive(operator, read, where);
        expect(found[0]).toBe(oracle[0]);
        expect(new Set(found.map(({ relationship }) => relationship))).toEqual(
          new Set(oracle.map(({ relationship }) => relationship)),
        );
        expect(oracle).toEqual(expect.arrayContaining([...found]));
        counts.found += oracle.length > 0 ? 1 : 0;
      }),
      { numRuns: 2000 },
    );
    expect(counts.found).toBeGreaterThan(200);
  });

  it('knows the patterns of hosts that this test is made of', () => {
    expect(HOSTS.every((text) => hostPattern(text) !== undefined)).toBe(true);
  });
});
