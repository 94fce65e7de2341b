/** Row search: agent search in process, beside a look at every profile. */
import {
  PROFILE_DIMENSIONS,
  ProfileIndex,
  relevanceScore,
} from '../../../dist/registry/server/service/agent/search/profile-index.js';
import { medianOf } from '../measure.mjs';

const AGENTS = 10_000;
const PAGE = 50;
const ROUNDS = 9;
const WARM = 30;

/** What each query asks for, and the share of agents that it finds, about. */
const QUERIES = [
  { share: '1 %', aim: { atLeast: 20 }, query: { channels: ['v1'], markets: ['v3'], delivery_types: ['v0'] } },
  {
    share: '30 %',
    aim: { atLeast: 3 },
    query: {
      channels: ['v1', 'v2'],
      property_types: ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'],
      delivery_types: ['v0', 'v1'],
    },
  },
];

/** Numbers that are the same in every run. */
function numbers() {
  let seed = 7;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
}

function profiles() {
  const next = numbers();
  const pick = (count, of) => [...new Set(Array.from({ length: count }, () => `v${Math.floor(next() * of)}`))];
  return Array.from({ length: AGENTS }, (_, index) => ({
    agent_url: `https://agent${index}.example/mcp`,
    channels: pick(3, 14),
    property_types: pick(2, 10),
    markets: pick(4, 40),
    categories: pick(4, 60),
    tags: pick(6, 200),
    delivery_types: pick(1, 2),
    property_count: Math.floor(next() * 5000),
    has_tmp: next() < 0.3,
  }));
}

/** Returns the answer that the index must give, without one. */
function lookAtAll(items, query) {
  const asked = PROFILE_DIMENSIONS.filter((dimension) => query[dimension] !== undefined);
  return items
    .filter((item) => asked.every((dimension) => query[dimension].some((value) => item[dimension].includes(value))))
    .map((item) => ({ item, score: relevanceScore(item, asked.length) }))
    .sort((one, other) => other.score - one.score || (one.item.agent_url < other.item.agent_url ? -1 : 1));
}

/** Microseconds of CPU that one call takes: the median of some rounds. */
function cost(work, times) {
  for (let warm = 0; warm < WARM; warm += 1) work();
  return medianOf(
    Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage();
      for (let time = 0; time < times; time += 1) work();
      const { system, user } = process.cpuUsage(before);
      return { micros: (system + user) / times };
    }),
    'micros',
  );
}

export const searchRow = {
  name: 'search',
  measure: async () => {
    const items = profiles();
    const index = new ProfileIndex(items);
    return QUERIES.map(({ aim, query, share }) => {
      const found = lookAtAll(items, query);
      const page = index.search(query, PAGE).map(({ item }) => item.agent_url);
      if (JSON.stringify(page) !== JSON.stringify(found.slice(0, PAGE).map(({ item }) => item.agent_url))) {
        throw new Error('the index and a look at every profile differ');
      }
      const ours = cost(() => index.search(query, PAGE), 500);
      const linear = cost(() => lookAtAll(items, query), 20);
      return {
        what: `search: three filters at 10,000 agents, about ${share} match, speed / a look at every profile`,
        value: linear / ours,
        unit: 'x',
        aim,
        detail: `CPU ${ours.toFixed(0)} and ${linear.toFixed(0)} µs, ${found.length} match, a page of ${PAGE}`,
      };
    });
  },
};
