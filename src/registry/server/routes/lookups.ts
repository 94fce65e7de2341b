import { z } from 'zod';
import { IDENTIFIER_TYPES } from '../../adagents/types.js';
import { typedDomain } from '../../model/domains.js';
import { problemsOf } from '../http/answers.js';
import { replyInPieces } from '../http/pieces.js';
import { ok, okWritten, type Reply, type Route, route } from '../http/route.js';
import { choice, domain, flag, text } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { RegistryProblem } from '../service/problem.js';
import { agentDomains, lookupDomain, lookupProperty, validateProperty } from '../service/publisher/lookups.js';
import { expandProduct, publisherAuthorization, validateProduct } from '../service/publisher/product-authorization.js';

const agentUrl = () => text('The agent, as buyers call it.');

const texts = z.array(z.string().min(1).max(2048)).max(10_000);
const selector = z.looseObject({
  publisher_domain: z.string().min(1).max(2048).optional(),
  publisher_domains: z.array(z.string().min(1).max(2048)).max(100).optional(),
  selection_type: z
    .enum(['all', 'by_id', 'by_tag'])
    .optional()
    .describe('Follows from the other members when left out.'),
  property_ids: texts.optional(),
  property_tags: texts.optional(),
  tags: texts.optional().describe('Old spelling of property_tags.'),
  property_types: texts.optional(),
});
const productBody = z.object({
  agent_url: z
    .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'has to be a text') })
    .min(1, 'is empty')
    .max(2048)
    .describe('The agent, as buyers call it.'),
  publisher_properties: z
    .array(selector, { error: (issue) => (issue.input === undefined ? 'is missing' : 'has to be a list of selectors') })
    .min(1, 'is empty')
    .max(100, 'has to be at most 100 selectors'),
});

const agent = z.looseObject({ url: z.string() });
const identifiers = z.array(z.object({ type: z.string(), value: z.string() }));

/** Routes about who may sell what. */
export const LOOKUP_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/registry/lookup/domain/{domain}',
    operation_id: 'lookupDomain',
    tag: TAGS.lookups,
    summary: 'Agents authorized for a domain.',
    deprecated: true,
    auth: 'optional',
    answers: {
      200: {
        description: 'Agents that the domain’s file names, and agents that only say so themselves.',
        body: z.object({
          domain: z.string(),
          authorized_agents: z.array(agent),
          sales_agents_claiming: z.array(agent),
        }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, caller, params }) => {
      const name = typedDomain(params.domain ?? '');
      if (name === undefined) {
        throw new RegistryProblem('invalid_domain', 'domain: is not a valid domain', {
          field: 'domain',
          suggestion: 'Send a host name of at least two labels, such as news.example.',
        });
      }
      return ok(
        await lookupDomain(registry, caller, name),
        successorHeaders(`/api/registry/publisher?domain=${encodeURIComponent(name)}`),
      );
    },
  }),
  route({
    method: 'GET',
    path: '/api/registry/lookup/property',
    operation_id: 'lookupProperty',
    tag: TAGS.lookups,
    summary: 'Agents that may sell a property, by one of its identifiers.',
    deprecated: true,
    auth: 'none',
    query: z.object({ type: choice(IDENTIFIER_TYPES, 'Kind of the identifier.'), value: text('The identifier.') }),
    answers: {
      200: {
        description: 'Agents with the property that they may sell.',
        body: z.object({
          type: z.string(),
          value: z.string(),
          agents: z.array(
            z.looseObject({
              agent_url: z.string(),
              property: z.looseObject({ identifiers }),
              publisher_domain: z.string(),
            }),
          ),
          count: z.int(),
        }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, query }) =>
      replyInPieces(
        await lookupProperty(registry, query.type, query.value),
        successorHeaders('/api/registry/validate/property-authorization'),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/registry/lookup/agent/{agentUrl}/domains',
    operation_id: 'getAgentDomains',
    tag: TAGS.lookups,
    summary: 'All domains that authorize an agent; its URL percent-encoded.',
    deprecated: true,
    auth: 'none',
    answers: {
      200: {
        description: 'Domains, sorted.',
        body: z.object({ agent_url: z.string(), domains: z.array(z.string()), count: z.int() }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, params }) =>
      ok(await agentDomains(registry, params.agentUrl ?? ''), successorHeaders('/api/registry/authorizations')),
  }),
  route({
    method: 'POST',
    path: '/api/registry/validate/product-authorization',
    operation_id: 'validateProductAuthorization',
    tag: TAGS.lookups,
    summary: 'Whether an agent may sell everything that a product’s selectors reach.',
    auth: 'none',
    maxBodyBytes: 1024 * 1024,
    body: productBody,
    answers: {
      200: {
        description: 'The answer, selector by selector.',
        body: z.looseObject({
          agent_url: z.string(),
          authorized: z.boolean(),
          coverage_percentage: z.number(),
          total_requested: z.int(),
          total_authorized: z.int(),
          selectors: z.array(z.looseObject({ publisher_domain: z.string(), selection_type: z.string() })),
          checked_at: z.string(),
        }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, body }) =>
      replyInPieces(await validateProduct(registry, body.agent_url, withoutOptional(body.publisher_properties))),
  }),
  route({
    method: 'POST',
    path: '/api/registry/expand/product-identifiers',
    operation_id: 'expandProductIdentifiers',
    tag: TAGS.lookups,
    summary: 'The properties and identifiers that a product’s selectors stand for.',
    auth: 'none',
    maxBodyBytes: 1024 * 1024,
    body: productBody,
    answers: {
      200: {
        description: 'Properties and their identifiers.',
        body: z.object({
          agent_url: z.string(),
          properties: z.array(z.looseObject({ publisher_domain: z.string(), property_id: z.string(), identifiers })),
          identifiers: z.array(
            z.object({ type: z.string(), value: z.string(), property_id: z.string(), publisher_domain: z.string() }),
          ),
          property_count: z.int(),
          identifier_count: z.int(),
          generated_at: z.string(),
        }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, body }) =>
      replyInPieces(await expandProduct(registry, body.agent_url, withoutOptional(body.publisher_properties))),
  }),
  route({
    method: 'GET',
    path: '/api/registry/validate/property-authorization',
    operation_id: 'validatePropertyAuthorization',
    tag: TAGS.lookups,
    summary: 'Whether an agent may sell a property just now; from memory, for ad serving.',
    description:
      'Both sides are asked: the publisher’s adagents.json and the brand.json of the agent’s operator, delegation against relationship, dates, and countries where one is given. strict=true wants the confirmation of both.',
    auth: 'none',
    query: z.object({
      agent_url: agentUrl(),
      identifier_type: choice(IDENTIFIER_TYPES, 'Kind of the identifier.'),
      identifier_value: text('The identifier, such as a domain or a bundle.'),
      country: text('ISO 3166-1 alpha-2.', { max: 2, min: 2 }).optional(),
      strict: flag('Refuse what only the publisher confirms.').optional(),
      explain: flag('Add every step, and what each side says of the other.').optional(),
    }),
    answers: {
      200: {
        description: 'The answer with its reason and what each side says.',
        body: z.looseObject({
          agent_url: z.string(),
          identifier_type: z.string(),
          identifier_value: z.string(),
          authorized: z.boolean(),
          property_id: z.string().optional(),
          publisher_domain: z.string().optional(),
          checked_at: z.string(),
          reason: z.string(),
          match: z.string(),
          mutual: z.boolean(),
        }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, query }) => {
      const { country, explain, strict, ...asked } = query;
      return okWritten(await validateProperty(registry, { ...asked, country, strict, explain }));
    },
  }),
  route({
    method: 'GET',
    path: '/api/registry/publisher/authorization',
    operation_id: 'lookupPublisherAgentAuthorization',
    tag: TAGS.lookups,
    summary: 'How much of a publisher an agent may sell.',
    auth: 'none',
    query: z.object({ domain: domain(), agent: agentUrl() }),
    answers: {
      200: {
        description: 'Counts, and what it may not sell.',
        body: z.object({
          publisher_domain: z.string(),
          agent_url: z.string(),
          authorized: z.int(),
          total: z.int(),
          publisher_wide: z.boolean(),
          source: z.string(),
          authorized_for: z.string().optional(),
          unauthorized_properties: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
        }),
      },
      ...problemsOf(400, 404),
    },
    tool: true,
    run: async ({ registry, query }) => ok(await publisherAuthorization(registry, query.domain, query.agent)),
  }),
];

/** Returns the headers of a lookup that the public registry has superseded (RFC 9745, RFC 8288). */
function successorHeaders(path: string): NonNullable<Reply['headers']> {
  return { deprecation: 'true', link: `<${path}>; rel="successor-version"` };
}

/** Returns members that are there; optional ones of a schema may be undefined. */
function withoutOptional<T extends object>(
  list: readonly T[],
): readonly { [K in keyof T]: Exclude<T[K], undefined> }[] {
  return list as readonly { [K in keyof T]: Exclude<T[K], undefined> }[];
}
