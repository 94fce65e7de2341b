import { z } from 'zod';
import { Piecemeal } from '../../../platform/kernel/json/pieces.js';
import { IDENTIFIER_TYPES } from '../../adagents/types.js';
import { asMember } from '../auth/caller.js';
import { listableUrl } from '../auth/members.js';
import { problemsOf, resolvedProperty, saved } from '../http/answers.js';
import { requireBulk } from '../http/limits.js';
import { replyInPieces } from '../http/pieces.js';
import { ok, type Route, route } from '../http/route.js';
import { domain, domains } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { saveEntry } from '../service/brand/save.js';
import { RegistryProblem } from '../service/problem.js';
import { resolvePublisher, storedPublishers, validatePublisherFile } from '../service/publisher/properties.js';
import type { PropertyEntry } from '../service/records.js';
import { answerSaved, historyRoute, listingRoute } from './entries.js';

const SOURCES = ['adagents_json', 'community', 'enriched', 'hosted', 'discovered'] as const;

const agent = z.object({
  url: z.string().max(2048),
  authorized_for: z.string().min(1).max(500).optional(),
});

const property = z.object({
  type: z.string().trim().min(1).max(64),
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

/** The counts over all publishers. */
const NO_PROPERTIES = { total: 0, community: 0, adagents_json: 0, hosted: 0 } as const;

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
    answers: { 200: { description: 'The properties.', body: resolvedProperty }, ...problemsOf(400, 404, 429, 503) },
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
      ...problemsOf(400, 429),
    },
    tool: true,
    run: async ({ registry, body }) => {
      requireBulk(registry.policy, body.domains);
      return replyInPieces(new Piecemeal({ results: storedPublishers(registry, body.domains) }));
    },
  }),
  listingRoute({
    path: '/api/properties/registry',
    operation_id: 'listProperties',
    tag: TAGS.properties,
    summary: 'All publishers with properties, by domain.',
    member: 'properties',
    row: z.object({
      domain: z.string(),
      source: z.string(),
      property_count: z.int(),
      agent_count: z.int(),
      verified: z.boolean(),
    }),
    sources: SOURCES,
    searches: {
      search: 'Part of a domain, in any case.',
      source: 'Only those of this source.',
      limit: 'Most publishers of a page.',
    },
    usualRows: 100,
    noCounts: NO_PROPERTIES,
    list: (registry) => registry.listings.properties(),
    fits: (row, source, wanted) =>
      (source === undefined || row.source === (source === 'hosted' ? 'community' : source)) &&
      row.domain.includes(wanted),
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
      ...problemsOf(400, 429, 503),
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
  historyRoute('property', {
    path: '/api/properties/history',
    operation_id: 'getPropertyHistory',
    tag: TAGS.properties,
    summary: 'Every revision of a hosted property, newest first.',
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
      ...problemsOf(400, 401, 403, 405, 409, 429),
    },
    run: async ({ registry, caller, body }) => {
      const { publisher_domain, authorized_agents, properties = [], contact } = body;
      for (const [at, { url }] of authorized_agents.entries()) {
        listableUrl(registry, url, `/authorized_agents/${at}/url`);
      }
      const content = {
        authorized_agents,
        properties,
        contact,
      } as PropertyEntry;
      const entry = { kind: 'property', domain: publisher_domain, content } as const;
      return answerSaved(await saveEntry(registry, asMember(caller), entry), {
        held: (of) => `Hosted property for ${of} is held for a moderator`,
        created: (of) => `Hosted property created for ${of}`,
        updated: (of, revision) => `Property '${of}' updated (revision ${revision})`,
      });
    },
  }),
];
