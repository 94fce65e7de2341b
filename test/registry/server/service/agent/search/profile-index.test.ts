import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  PROFILE_DIMENSIONS,
  ProfileIndex,
  type ProfileQuery,
  type Ranked,
  relevanceScore,
  type Searchable,
} from '../../../../../../src/registry/server/service/agent/search/profile-index.js';

const values = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 });
const agents = fc.uniqueArray(
  fc.record({
    agent_url: fc.integer({ min: 0, max: 400 }).map((number) => `https://a${number}.example/mcp`),
    channels: values,
    property_types: values,
    markets: values,
    categories: values,
    tags: values,
    delivery_types: values,
    format_kinds: values,
    property_count: fc.integer({ min: 0, max: 5 }),
    has_tmp: fc.boolean(),
  }),
  { selector: ({ agent_url }) => agent_url, maxLength: 120 },
);
const queries: fc.Arbitrary<ProfileQuery> = fc.record(
  {
    channels: values,
    property_types: values,
    markets: values,
    categories: values,
    tags: values,
    delivery_types: values,
    format_kinds: values,
    has_tmp: fc.boolean(),
    min_properties: fc.integer({ min: 0, max: 4 }),
  },
  { requiredKeys: [] },
);

/** The rule without an index, agent by agent. */
function naive(items: readonly Searchable[], query: ProfileQuery): readonly Ranked<Searchable>[] {
  const asked = PROFILE_DIMENSIONS.filter((dimension) => (query[dimension]?.length ?? 0) > 0);
  return items
    .filter((item) => asked.every((dimension) => query[dimension]?.some((value) => item[dimension]?.includes(value))))
    .filter((item) => query.has_tmp === undefined || item.has_tmp === query.has_tmp)
    .filter((item) => item.property_count >= (query.min_properties ?? 0))
    .map((item) => {
      const breadth = asked.length / Math.max(1, asked.length);
      return { item, score: breadth + Math.log(item.property_count + 1) * 0.1 + (item.has_tmp ? 0.05 : 0) };
    })
    .sort((one, other) => other.score - one.score || (one.item.agent_url < other.item.agent_url ? -1 : 1));
}

const short = (found: readonly Ranked<Searchable>[]): readonly string[] =>
  found.map(({ item, score }) => `${score} ${item.agent_url}`);

describe('the index of profiles', () => {
  it('finds what a look at every agent finds, page by page, also after changes', () => {
    fc.assert(
      fc.property(agents, agents, queries, fc.integer({ min: 1, max: 7 }), (first, changed, query, limit) => {
        const index = new ProfileIndex<Searchable>(first);
        const all = new Map(first.map((item) => [item.agent_url, item]));
        for (const [position, item] of changed.entries()) {
          if (position % 3 === 0) {
            index.remove(item.agent_url);
            all.delete(item.agent_url);
          } else {
            index.put(item);
            all.set(item.agent_url, item);
          }
        }
        const found: Ranked<Searchable>[] = [];
        for (;;) {
          const last = found.at(-1);
          const after = last && { score: last.score, agentUrl: last.item.agent_url };
          const page = index.search(query, limit, after);
          found.push(...page);
          if (page.length < limit) break;
        }
        expect(short(found)).toEqual(short(naive([...all.values()], query)));
        expect(index.size()).toBe(all.size);
      }),
      { numRuns: 300 },
    );
  });

  it('goes on where an agent was that is gone meanwhile', () => {
    const one = ['x'];
    const item = (name: string): Searchable => ({
      agent_url: `https://${name}.example/mcp`,
      channels: one,
      property_types: one,
      markets: one,
      categories: one,
      tags: one,
      delivery_types: one,
      property_count: 1,
      has_tmp: false,
    });
    const index = new ProfileIndex([item('a'), item('b'), item('c')]);
    const [first] = index.search({ channels: ['x'] }, 2).slice(-1);
    index.remove('https://b.example/mcp');
    const rest = index.search({ channels: ['x'] }, 2, { score: first?.score ?? 0, agentUrl: 'https://b.example/mcp' });
    expect(rest.map(({ item: { agent_url } }) => agent_url)).toEqual(['https://c.example/mcp']);
  });

  it('scores breadth, then properties by their logarithm, then support for TMP', () => {
    expect(relevanceScore({ property_count: 0, has_tmp: false }, 0)).toBe(0);
    expect(relevanceScore({ property_count: 9, has_tmp: true }, 3)).toBe(1 + Math.log(10) * 0.1 + 0.05);
  });
});
