import { z } from 'zod';
import { withoutUndefined } from '../../../platform/kernel/json/json.js';
import { Piecemeal } from '../../../platform/kernel/json/pieces.js';
import { VERIFICATION_MODES } from '../../model/records.js';
import { canSee } from '../auth/caller.js';
import { problemsOf } from '../http/answers.js';
import { replyInPieces } from '../http/pieces.js';
import { ok, type Route, route } from '../http/route.js';
import { choice, csv, csvOf, domain, flag, integer, repeatable, repeatableOf, text } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { listAgents } from '../service/agent/catalog.js';
import { CREATIVE_OPERATIONS } from '../service/agent/formats.js';
import { AGENT_TYPES } from '../service/agent/reading.js';
import { searchAgents } from '../service/agent/search/search.js';
import { lookupOperator, SCOPES } from '../service/publisher/operator-lookup.js';
import { lookupPublisher } from '../service/publisher/publisher-lookup.js';
import { readPublishers, registryStats } from '../service/publisher/statistics.js';

const MAX_Q_CHARACTERS = 64;
const strings = z.array(z.string());
const agent = z.looseObject({ url: z.string(), name: z.string(), type: z.string() });

/** Agents and publishers. */
export const AGENT_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/registry/agents',
    operation_id: 'listAgents',
    tag: TAGS.agents,
    summary: 'Agents that members have enrolled, with filters and enrichment.',
    description:
      'Metrics and formats are what agents publish themselves, read at most a day ago; the registry endorses none of their accreditations. One metric, or one format, has to meet all filters of its kind.',
    auth: 'optional',
    query: z.object({
      type: choice(AGENT_TYPES, 'What the agent is.').optional(),
      health: flag('Add health and statistics.').optional(),
      capabilities: flag('Add what the agent can do, the metrics of measurement agents among it.').optional(),
      properties: flag('Add what sales agents sell.').optional(),
      compliance: flag('Add how the checks of the agent went.').optional(),
      metric_id: repeatable('Exact id of a metric; several are alternatives.').optional(),
      accreditation: repeatable('Exact name of an accrediting body; several are alternatives.').optional(),
      format_kind: repeatable(
        'Kind of a creative format that the agent supports; several are alternatives.',
      ).optional(),
      publisher_domain: repeatable('Publisher whose own declaration of a format the agent supports.').optional(),
      format_option_id: repeatable('Id of a format in the publisher’s declarations.').optional(),
      capability_id: repeatable('Id of a format in the agent’s own list.').optional(),
      creative_operation: repeatableOf(
        CREATIVE_OPERATIONS,
        'What the agent does with the format; several are alternatives.',
      ).optional(),
      match: choice(
        ['any', 'all'],
        'Whether one of several values of a filter is enough (any, unless given), or each combination of them has to be met by one metric or format.',
      ).optional(),
      q: z
        .string({ error: 'has to be sent once, as a text' })
        .max(MAX_Q_CHARACTERS, `has to be at most ${MAX_Q_CHARACTERS} characters`)
        .refine((value) => !/[%_]/.test(value), 'may not hold the wildcards % and _')
        .describe('Part of a metric’s id, in any case.')
        .optional(),
      verification_mode: repeatableOf(
        VERIFICATION_MODES,
        'Only agents with a badge of this mode; several have to be met together.',
      ).optional(),
      verified: flag('Only agents with a badge.').optional(),
    }),
    answers: {
      200: {
        description: 'Agents that the caller may see.',
        body: z.object({ agents: z.array(agent), count: z.int() }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, caller, query }) => {
      const asked = withoutUndefined(query);
      return replyInPieces(
        countRows('agents', listAgents(registry, caller, asked)),
        query.compliance === true ? { 'cache-control': 'no-store' } : undefined,
      );
    },
  }),
  route({
    method: 'GET',
    path: '/api/registry/agents/search',
    operation_id: 'searchAgentProfiles',
    tag: TAGS.agents,
    summary: 'Search agents by what they sell, best first.',
    description:
      'Filters are met together; several values of one are alternatives. Pages neither repeat nor skip an agent.',
    auth: 'bearer',
    query: z.object({
      channels: csv('Such as ctv, olv, display.').optional(),
      property_types: csv('Such as ctv_app, website.').optional(),
      markets: csv('ISO 3166-1 alpha-2.').optional(),
      categories: csv('Codes of content categories.').optional(),
      tags: csv('Tags of properties.').optional(),
      delivery_types: csv('Such as guaranteed, programmatic.').optional(),
      format_kinds: csv('Kinds of creative formats, such as video_hosted.').optional(),
      has_tmp: flag('Whether the agent supports TMP.').optional(),
      min_properties: integer('Least properties.', { min: 0, max: 999_999_999 }).optional(),
      type: choice(AGENT_TYPES, 'What the agent is.').optional(),
      sort: choice(['relevance'], 'The order.').optional(),
      cursor: text('From the page before.', { max: 4096 }).optional(),
      limit: integer('Most results of a page.', { min: 1, max: 200, usual: 50 }).optional(),
    }),
    answers: {
      200: {
        description: 'A page of results.',
        body: z.object({
          results: z.array(
            z.looseObject({
              agent_url: z.string(),
              channels: strings,
              property_types: strings,
              markets: strings,
              categories: strings,
              tags: strings,
              delivery_types: strings,
              format_ids: z.array(z.unknown()),
              format_kinds: strings,
              property_count: z.int(),
              publisher_count: z.int(),
              has_tmp: z.boolean(),
              category_taxonomy: z.string().nullable(),
              relevance_score: z.number(),
              matched_filters: strings,
              updated_at: z.string(),
            }),
          ),
          cursor: z.string().nullable(),
          has_more: z.boolean(),
        }),
      },
      ...problemsOf(400, 401),
    },
    tool: true,
    run: async ({ registry, caller, query: { cursor, limit = 50, sort: _sort, ...asked } }) => {
      const query = withoutUndefined(asked);
      const page = await searchAgents(registry.profiles, query, limit, cursor, async ({ agent_url }) => {
        const enrolled = await registry.store.read.member_agent.find(agent_url);
        return enrolled === undefined || canSee(caller, enrolled.visibility, enrolled.org_id);
      });
      return ok(page);
    },
  }),
  route({
    method: 'GET',
    path: '/api/registry/operator',
    operation_id: 'lookupOperator',
    tag: TAGS.agents,
    summary: 'Agents that a domain operates, and the publishers that trust them.',
    auth: 'optional',
    query: z.object({
      domain: domain(),
      scope: choice(SCOPES, 'Only agents of this visibility; it widens nothing.').optional(),
    }),
    answers: {
      200: {
        description: 'Agents that the caller may see.',
        body: z.looseObject({
          domain: z.string(),
          member: z.looseObject({}).nullable(),
          agents: z.array(z.looseObject({ url: z.string(), authorized_by: z.array(z.looseObject({})) })),
        }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, caller, query }) =>
      replyInPieces(await lookupOperator(registry, caller, query.domain, query.scope ?? 'all')),
  }),
  route({
    method: 'GET',
    path: '/api/registry/publisher',
    operation_id: 'lookupPublisher',
    tag: TAGS.agents,
    summary: 'What a publisher has, and the agents that its adagents.json names.',
    auth: 'none',
    query: z.object({
      domain: domain(),
      include: csvOf(['placements'], 'What is listed too.').optional(),
    }),
    answers: {
      200: {
        description: 'The publisher.',
        body: z.looseObject({
          domain: z.string(),
          member: z.looseObject({}).nullable(),
          adagents_valid: z.boolean().nullable(),
          properties: z.array(z.looseObject({})),
          properties_total: z.int().optional().describe('How many there are, where not all are listed.'),
          authorized_agents: z.array(z.looseObject({ url: z.string(), source: z.string() })),
        }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, query }) =>
      replyInPieces(await lookupPublisher(registry, query.domain, query.include?.includes('placements') === true)),
  }),
  route({
    method: 'GET',
    path: '/api/registry/publishers',
    operation_id: 'listPublishers',
    tag: TAGS.agents,
    summary: 'All publishers whose adagents.json was read, by domain.',
    auth: 'none',
    answers: {
      200: {
        description: 'Publishers.',
        body: z.object({ publishers: z.array(z.looseObject({ domain: z.string() })), count: z.int() }),
      },
    },
    run: async ({ registry }) => replyInPieces(countRows('publishers', readPublishers(registry))),
  }),
  route({
    method: 'GET',
    path: '/api/registry/stats',
    operation_id: 'getRegistryStats',
    tag: TAGS.agents,
    summary: 'How much the registry knows, and how its crawler is doing.',
    auth: 'none',
    answers: { 200: { description: 'Counts.', body: z.looseObject({ discovered_publishers: z.int() }) } },
    tool: true,
    run: async ({ registry }) => ok(await registryStats(registry)),
  }),
];

/** Reads a list and, behind it, how many it had. */
function countRows(name: string, pages: AsyncIterable<readonly object[]>): Piecemeal {
  let count = 0;
  async function* counting(): AsyncGenerator<readonly object[]> {
    for await (const page of pages) {
      count += page.length;
      yield page;
    }
  }
  return new Piecemeal({ [name]: counting(), count: () => count });
}
