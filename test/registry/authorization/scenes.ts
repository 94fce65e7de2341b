import fc from 'fast-check';
import { DAY_MS, isoTime } from '../../../src/platform/kernel/clock.js';
import type { AuthorizationQuestion } from '../../../src/registry/authorization/question.js';
import { NOW } from '../scripted-web.js';
import type { RawEntry, RawFile, RawQuestion } from './naive-authorization.js';

/** The publisher that every scene is asked about. */
export const PUBLISHER = 'news.example';
const OWNERS = [PUBLISHER, PUBLISHER, PUBLISHER, 'manager.example'] as const;
const HOSTS = [
  ...Array<string>(4).fill('news.example'),
  'www.news.example',
  'm.news.example',
  'edition.news.example',
  'a.edition.news.example',
  'other.example',
];
const AGENTS = [
  ...Array<string>(6).fill('https://x.example/mcp'),
  'https://X.example:443/mcp',
  'https://x.example/%6Dcp',
  'https://x.example/other/mcp',
  'https://y.example/mcp',
];

/** One of these. */
export const some = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const few = <T>(...values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
/** Left out half of the time. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(arbitrary, fc.constant(undefined));
/** Left out most of the time. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 1, arbitrary }, { weight: 5, arbitrary: fc.constant(undefined) });
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 1, arbitrary }, { weight: 9, arbitrary: fc.constant(undefined) });
const instant = some(-2, -1, 0, 1, 2).map((days) => isoTime(NOW + days * DAY_MS));

const identifier = some(
  { type: 'domain', value: 'news.example' },
  { type: 'domain', value: 'edition.news.example' },
  { type: 'domain', value: '*.news.example' },
  { type: 'domain', value: 'other.example' },
  { type: 'ios_bundle', value: 'app.one' },
);
const property = fc.record({
  property_id: maybe(some('a', 'b', 'c')),
  property_type: some('website'),
  name: some('Property'),
  identifiers: fc.array(identifier, { minLength: 1, maxLength: 2 }),
  tags: fc.subarray(['t', 'u']),
  publisher_domain: some('news.example', 'news.example', undefined, 'other.example'),
});
const selector = fc.oneof(
  fc.record({ publisher_domain: some('news.example', 'other.example'), selection_type: some('all') }),
  fc.record({
    publisher_domains: few('news.example', 'other.example'),
    selection_type: some('by_tag'),
    property_tags: few('t', 'u'),
  }),
  fc.record({
    publisher_domain: some('news.example'),
    selection_type: some('by_id'),
    property_ids: few('a', 'b', 'c'),
  }),
);
const scope = fc.oneof(
  fc.record({ authorization_type: some('property_ids'), property_ids: few('a', 'b', 'c') }),
  fc.record({ authorization_type: some('property_tags'), property_tags: few('t', 'u') }),
  fc.record({
    authorization_type: some('inline_properties'),
    properties: fc.array(property, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    authorization_type: some('publisher_properties'),
    publisher_properties: fc.array(selector, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    authorization_type: some('publisher_properties'),
    publisher_properties: some([{ publisher_domain: 'news.example', selection_type: 'all' }]),
  }),
  fc.record({ authorization_type: some('signal_ids'), signal_ids: some(['s']) }),
);
const limits = fc.record({
  countries: seldom(few('US', 'DE')),
  collections: seldom(
    some(
      [{ publisher_domain: 'news.example', collection_ids: ['k'] }],
      [{ publisher_domain: 'other.example', collection_ids: ['k'] }],
    ),
  ),
  placement_ids: seldom(few('p', 'q', 'ghost')),
  placement_tags: seldom(few('hot', 'cold')),
  effective_from: seldom(instant),
  effective_until: seldom(instant),
  exclusive: some(true, false, undefined, undefined),
  delegation_type: maybe(some('direct', 'delegated', 'ad_network')),
});
/** What spoils an entry: never a wider grant. */
const fault = some<object>(
  { countries: 'US' },
  { countries: null },
  { effective_until: 'soon' },
  { delegation_type: 'reseller' },
  { exclusive: 1 },
  { authorized_for: '' },
  { collections: {} },
  { placement_ids: [] },
  { signing_keys: [{}] },
);
const entry = fc.record({ url: some(...AGENTS), scope, limits, fault: rarely(fault) });
const placement = fc.record({
  placement_id: some('p', 'q'),
  name: some('Placement'),
  tags: fc.subarray(['hot', 'cold']),
  property_ids: some(['a'], ['b', 'c']),
  property_tags: maybe(few('t', 'u')),
});
/** A file as it might stand anywhere: selectors of every kind, limits, faults, and other people's properties. */
export const scene = fc.record({
  properties: fc.oneof(
    { weight: 4, arbitrary: fc.array(property, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
  placements: fc.array(placement, { maxLength: 3 }),
  entries: fc.array(entry, { minLength: 1, maxLength: 5 }),
  revoked: rarely(rarely(some('news.example', 'other.example'))),
  owner: some(...OWNERS),
});
/** What might be asked of it. */
export const question = fc
  .record({
    agent: some(...AGENTS),
    about: fc.oneof(
      some(...HOSTS).map((domain) => ({ domain })),
      some({ property: { property_id: 'a' } }, { property: { property_id: 'b' } }),
      some(
        { property: { type: 'ios_bundle' as const, value: 'app.one' } },
        { property: { type: 'domain' as const, value: 'news.example' } },
      ),
    ),
    country: maybe(some('US', 'DE', 'FR')),
    collection: maybe(some({ collection_id: 'k' }, { collection_id: 'other' })),
    placement: maybe(some('p', 'q', 'ghost')),
    openLimits: some('refuse' as const, 'report' as const),
    at: some(-2, -1, 0, 1, 2).map((days) => NOW + days * DAY_MS),
  })
  .map(
    ({ about, ...rest }): RawQuestion & AuthorizationQuestion =>
      ({ ...rest, ...about }) as RawQuestion & AuthorizationQuestion,
  );

/** One of the scenes. */
export type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

/** A scene as a file, and the places of its faulty entries. */
export function fileOfScene({ entries, placements, properties, revoked }: Scene): {
  file: RawFile;
  faulty: ReadonlySet<number>;
} {
  const file = {
    ...(properties === undefined ? {} : { properties }),
    ...(placements.length === 0 ? {} : { placements }),
    ...(revoked === undefined ? {} : { revoked_publisher_domains: [{ publisher_domain: revoked }] }),
    authorized_agents: entries.map(({ url, scope: selects, limits: limit, fault: spoils }) => ({
      url,
      authorized_for: 'Everything',
      ...selects,
      ...limit,
      ...spoils,
    })),
  };
  const ends = ({ effective_from: from, effective_until: until }: RawEntry): boolean =>
    from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until);
  const spoiled = entries.flatMap(({ fault: spoils, limits: limit }, index) =>
    spoils !== undefined || ends(limit as RawEntry) ? [index] : [],
  );
  return { file: JSON.parse(JSON.stringify({ placements: [], ...file })) as RawFile, faulty: new Set(spoiled) };
}

/** A list of placements may not be empty in a file. */
export function served({ placements, ...file }: RawFile): object {
  return placements.length === 0 ? file : { ...file, placements };
}
