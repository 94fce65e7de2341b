import { z } from 'zod';
import { isoTime } from '../../../platform/kernel/clock.js';
import { problemsOf } from '../http/answers.js';
import { ok, type Route, route } from '../http/route.js';
import { domain } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { type AdagentsInput, createAdagents, validateAdagents } from '../service/publisher/validation.js';

const validation = z.looseObject({
  valid: z.boolean(),
  errors: z.array(z.object({ field: z.string(), message: z.string(), severity: z.literal('error') })),
  warnings: z.array(z.object({ field: z.string(), message: z.string(), suggestion: z.string() })),
  domain: z.string(),
  url: z.string(),
});
const members = z.record(z.string(), z.unknown());

/** Tools for adagents.json. */
export const VALIDATION_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/adagents/validate',
    operation_id: 'validateAdagents',
    tag: TAGS.validation,
    summary: 'Read a domain’s adagents.json now, and say what is wrong with it.',
    auth: 'none',
    limits: ['probe'],
    body: z.object({ domain: domain() }),
    answers: {
      200: {
        description: 'Findings, and whether the first agents that it names answer.',
        body: z.looseObject({
          success: z.literal(true),
          valid: z.boolean(),
          data: z.looseObject({
            domain: z.string(),
            found: z.boolean(),
            validation,
            agent_cards: z.array(members).optional(),
          }),
          timestamp: z.string(),
        }),
      },
      ...problemsOf(400, 429, 503),
    },
    tool: true,
    run: async ({ registry, body }) => {
      const data = await validateAdagents(registry, body.domain);
      // Public clients look for the verdict beside the envelope.
      const { errors, valid, warnings } = data.validation;
      return ok({ success: true, valid, errors, warnings, data, timestamp: isoTime(registry.clock.now()) });
    },
  }),
  route({
    method: 'POST',
    path: '/api/adagents/create',
    operation_id: 'createAdagents',
    tag: TAGS.validation,
    summary: 'Write an adagents.json of what it should say.',
    auth: 'none',
    maxBodyBytes: 256 * 1024,
    body: z.object({
      authorized_agents: z
        .array(members, {
          error: (issue) => (issue.input === undefined ? 'is missing' : 'has to be a list of entries'),
        })
        .max(1000),
      include_schema: z.boolean().optional(),
      include_timestamp: z.boolean().optional(),
      properties: z.array(z.unknown()).max(10_000).optional(),
      catalog_etag: z.string().max(255).optional(),
      formats: z.array(z.unknown()).max(1000).optional(),
      placements: z.array(z.unknown()).max(10_000).optional(),
      placement_tags: members.optional(),
    }),
    answers: {
      200: {
        description: 'The file as text, and what readers would remark on.',
        body: z.object({
          success: z.literal(true),
          data: z.object({ success: z.literal(true), adagents_json: z.string(), validation }),
          timestamp: z.string(),
        }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, body }) => {
      // Optional members of a schema may be undefined, which JSON leaves out.
      const data = await createAdagents(registry, body as AdagentsInput);
      return ok({ success: true, data, timestamp: isoTime(registry.clock.now()) });
    },
  }),
];
