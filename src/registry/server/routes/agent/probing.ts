import { z } from 'zod';
import { problemsOf } from '../../http/answers.js';
import { ok, type Route, route } from '../../http/route.js';
import { domain, text } from '../../openapi/fields.js';
import { TAGS } from '../../openapi/tags.js';
import { agentFormats, agentProducts, discoverAgent } from '../../service/agent/probe.js';
import { validatePublisherSummary } from '../../service/publisher/validation.js';

const url = () => text('The MCP endpoint of an agent.');
const LISTED = z.array(z.looseObject({}));

/** Agents and publishers looked at now. */
export const PROBING_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/public/discover-agent',
    operation_id: 'discoverAgent',
    tag: TAGS.probing,
    summary: 'Ask an agent who it is and what it can do.',
    auth: 'none',
    limits: ['probe'],
    query: z.object({ url: url() }),
    answers: {
      200: {
        description: 'The agent.',
        body: z.looseObject({
          name: z.string(),
          description: z.string().optional(),
          protocols: z.array(z.string()),
          type: z.string(),
          tools_count: z.int(),
          tools: z.array(z.object({ name: z.string(), description: z.string() })),
          stats: z.object({
            format_count: z.int().optional(),
            product_count: z.int().optional(),
            publisher_count: z.int().optional(),
          }),
        }),
      },
      ...problemsOf(400, 429, 502, 503, 504),
    },
    tool: true,
    run: async ({ registry, query }) => ok(await discoverAgent(registry, query.url)),
  }),
  route({
    method: 'GET',
    path: '/api/public/agent-formats',
    operation_id: 'getAgentFormats',
    tag: TAGS.probing,
    summary: 'The creative formats that an agent lists.',
    auth: 'none',
    limits: ['probe'],
    query: z.object({ url: url() }),
    answers: {
      200: { description: 'Up to 200 formats.', body: z.object({ success: z.literal(true), formats: LISTED }) },
      ...problemsOf(400, 429, 502, 503, 504),
    },
    tool: true,
    run: async ({ registry, query }) => ok({ success: true, formats: await agentFormats(registry, query.url) }),
  }),
  route({
    method: 'GET',
    path: '/api/public/agent-products',
    operation_id: 'getAgentProducts',
    tag: TAGS.probing,
    summary: 'The products that a sales agent offers to anybody.',
    auth: 'none',
    limits: ['probe'],
    query: z.object({ url: url() }),
    answers: {
      200: { description: 'Up to 200 products.', body: z.object({ success: z.literal(true), products: LISTED }) },
      ...problemsOf(400, 429, 502, 503, 504),
    },
    tool: true,
    run: async ({ registry, query }) => ok({ success: true, products: await agentProducts(registry, query.url) }),
  }),
  route({
    method: 'GET',
    path: '/api/public/validate-publisher',
    operation_id: 'validatePublisher',
    tag: TAGS.probing,
    summary: 'Read a publisher’s adagents.json now, and count what is in it.',
    auth: 'none',
    limits: ['probe'],
    query: z.object({ domain: domain() }),
    answers: {
      200: {
        description: 'Counts and findings.',
        body: z.looseObject({
          valid: z.boolean(),
          domain: z.string(),
          url: z.string(),
          discovery_method: z.enum(['direct', 'authoritative_location', 'ads_txt_managerdomain']),
          manager_domain: z.string().optional(),
          agent_count: z.int(),
          property_count: z.int(),
          property_type_counts: z.record(z.string(), z.int()),
          tag_count: z.int(),
          errors: z.array(z.string()),
          warnings: z.array(z.string()),
        }),
      },
      ...problemsOf(400, 429, 503),
    },
    tool: true,
    run: async ({ registry, query }) => ok(await validatePublisherSummary(registry, query.domain)),
  }),
];
