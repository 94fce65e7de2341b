import { z } from 'zod';
import { Piecemeal } from '../../../platform/kernel/json/pieces.js';
import { IDENTIFIER_TYPES, PROPERTY_TYPES } from '../../adagents/types.js';
import { canonicalAgentUrl } from '../../model/agent-url.js';
import { asMember } from '../auth/caller.js';
import { activity, problems, resolvedProperty, saved } from '../http/answers.js';
import { replyInPieces } from '../http/pieces.js';
import { ok, type Reply, type Route, route } from '../http/route.js';
import { choice, domain, domains, integer, offset, text } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { readHistory } from '../service/brand/history.js';
import { type Saved, saveEntry } from '../service/brand/save.js';
import { RegistryProblem } from '../service/problem.js';
import { resolvePublisher, storedPublishers, validatePublisherFile } from '../service/publisher/properties.js';
import type { PropertyEntry } from '../service/records.js';

const SOURCES = ['adagents_json', 'community', 'enriched', 'hosted', 'discovered'] as const;

const agent = z.object({
  url: z
    .string()
    .max(2048)
    .refine((url) => canonicalAgentUrl(url) !== undefined, 'is not the URL of an agent'),
  authorized_for: z.string().min(1).max(500).optional(),
});

const property = z.object({
  type: z.enum(PROPERTY_TYPES, { error: () => `has to be one of ${PROPERTY_TYPES.join(', ')}` }),
  name: z.string().trim().min(1).max(255),
  identifiers: z
    .array(z.object({ type: z.enum(IDENTIFIER_TYPES), value: z.string().min(1).max(1024) }))
    .min(1)
    .max(1000)
    .optional(),
  tags: z
    .array(z.string().regex(/^[a-z0-9_]+$/))
    .max(100)
    .optional(),
});

/** Property resolution: six endpoints. */
export const PROPERTY_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/properties/resolve',
    operation_id: 'resolveProperty',
    tag: TAGS.properties,
    summary: 'Resolve a domain to its properties and the agents that may sell them.',
    auth: 'none',
    query: z.object({ domain: domain() }),
    answers: { 200: { description: 'The properties.', body: resolvedProperty }, ...problems(400, 404) },
    tool: true,
    run: async ({ registry, query, ip }) => {
      const { answer, miss } = await resolvePublisher(registry, query.domain, ip);
      if (answer !== undefined) return replyInPieces(answer);
      throw new RegistryProblem('not_found', 'Property not found', {
        field: 'domain',
        suggestion: 'Serve /.well-known/adagents.json on the domain, or save it with POST /api/properties/save.',
        details: {
          domain: query.domain,
          file_status: miss?.status,
          errors: miss?.errors,
        },
      });
    },
  }),
  route({
    method: 'POST',
    path: '/api/properties/resolve/bulk',
    operation_id: 'resolvePropertiesBulk',
    tag: TAGS.properties,
    summary: 'Resolve up to 100 domains at once, by what is known.',
    auth: 'none',
    limits: ['bulk'],
    body: z.object({ domains: domains() }),
    answers: {
      200: {
        description: 'The properties, or null, for each domain.',
        body: z.object({ results: z.record(z.string(), resolvedProperty.nullable()) }),
      },
      ...problems(400, 413, 429),
    },
    tool: true,
    run: async ({ registry, body }) =>
      replyInPieces(new Piecemeal({ results: storedPublishers(registry, body.domains) })),
  }),
  route({
    method: 'GET',
    path: '/api/properties/registry',
    operation_id: 'listProperties',
    tag: TAGS.properties,
    summary: 'All publishers with properties, by domain.',
    auth: 'none',
    query: z.object({
      search: text('Part of a domain, in any case.', { min: 0, max: 253 }).optional(),
      source: choice(SOURCES, 'Only those of this source.').optional(),
      limit: integer('Most publishers of a page.', { min: 1, max: 5000, usual: 100 }).optional(),
      offset: offset().optional(),
    }),
    answers: {
      200: {
        description: 'A page, and counts of the whole registry.',
        body: z.object({
          properties: z.array(
            z.object({
              domain: z.string(),
              source: z.string(),
              property_count: z.int(),
              agent_count: z.int(),
              verified: z.boolean(),
            }),
          ),
          stats: z.record(z.string(), z.int()),
        }),
      },
      ...problems(400),
    },
    tool: true,
    run: async ({ registry, query }) => {
      const list = await registry.listings.properties();
      const wanted = query.search?.toLowerCase() ?? '';
      const source = query.source === 'hosted' ? 'community' : query.source;
      const properties = await list.page(
        (row) => (source === undefined || row.source === source) && row.domain.includes(wanted),
        query.offset ?? 0,
        query.limit ?? 100,
      );
      return ok({ properties, stats: { ...NO_PROPERTIES, ...list.counts() } });
    },
  }),
  route({
    method: 'GET',
    path: '/api/properties/validate',
    operation_id: 'validateProperty',
    tag: TAGS.properties,
    summary: 'Read and check a domain’s adagents.json now.',
    auth: 'none',
    limits: ['probe'],
    query: z.object({ domain: domain() }),
    answers: {
      200: {
        description: 'What is right and wrong with it.',
        body: z.looseObject({
          valid: z.boolean(),
          domain: z.string(),
          url: z.string(),
          errors: z.array(z.string()),
          warnings: z.array(z.string()),
          status_code: z.int().optional(),
        }),
      },
      ...problems(400, 429, 503),
    },
    tool: true,
    run: async ({ registry, query }) => {
      const validation = await registry.lookups.run(`validate:${query.domain}`, () =>
        validatePublisherFile(registry, query.domain),
      );
      if (validation !== undefined) return ok(validation);
      throw new RegistryProblem('unavailable', 'The file could not be read in time.', {
        retryAfter: 5,
        suggestion: 'Try again in a few seconds.',
      });
    },
  }),
  route({
    method: 'GET',
    path: '/api/properties/history',
    operation_id: 'getPropertyHistory',
    tag: TAGS.properties,
    summary: 'Every revision of a hosted property, newest first.',
    auth: 'none',
    query: z.object({
      domain: domain(),
      limit: integer('Most revisions of a page.', { min: 1, max: 100, usual: 20 }).optional(),
      offset: offset().optional(),
    }),
    answers: { 200: { description: 'A page of revisions.', body: activity }, ...problems(400, 404) },
    tool: true,
    run: async ({ registry, query }) => {
      const page = { limit: query.limit ?? 20, offset: query.offset ?? 0 };
      return ok(await readHistory(registry.store.read, 'property', query.domain, page));
    },
  }),
  route({
    method: 'POST',
    path: '/api/properties/save',
    operation_id: 'saveProperty',
    tag: TAGS.properties,
    summary: 'Save or change a hosted property.',
    description:
      'What it says of agents is kept as a claim and authorizes nobody: that takes the publisher’s own adagents.json. A new domain needs the proof of ownership first.',
    auth: 'member',
    limits: ['save'],
    body: z.object({
      publisher_domain: domain(),
      authorized_agents: z
        .array(agent, { error: (issue) => (issue.input === undefined ? 'is missing' : 'has to be a list of agents') })
        .max(1000),
      properties: z.array(property).max(1000).optional(),
      contact: z.object({ name: z.string().max(255).optional(), email: z.email().max(255).optional() }).optional(),
    }),
    maxBodyBytes: 1024 * 1024,
    answers: {
      200: { description: 'Saved, or held for a moderator.', body: saved },
      ...problems(400, 401, 403, 405, 409, 413, 429),
    },
    run: async ({ registry, caller, body }) => {
      const { publisher_domain, authorized_agents, properties = [], contact } = body;
      const content = {
        authorized_agents,
        properties,
        contact,
      } as PropertyEntry;
      return answerSaved(
        await saveEntry(registry, asMember(caller), { kind: 'property', domain: publisher_domain, content }),
      );
    },
  }),
];

/** The counts over all publishers. */
const NO_PROPERTIES = { total: 0, community: 0, adagents_json: 0, hosted: 0 };

/** Returns the answer of a save. */
function answerSaved(outcome: Saved): Reply {
  if (outcome.outcome === 'held') {
    const { domain: of, review_id } = outcome;
    const message = `Hosted property for ${of} is held for a moderator`;
    return ok({ success: true, message, domain: of, id: review_id, review_status: 'pending' });
  }
  const { domain: of, id, revision_number } = outcome.entry;
  if (outcome.outcome === 'created')
    return ok({ success: true, message: `Hosted property created for ${of}`, domain: of, id });
  const message = `Property '${of}' updated (revision ${revision_number})`;
  return ok({ success: true, message, domain: of, id, revision_number });
}
