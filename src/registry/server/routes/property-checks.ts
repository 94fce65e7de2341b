import { z } from 'zod';
import { problemsOf } from '../http/answers.js';
import { type Route, route } from '../http/route.js';
import { TAGS } from '../openapi/tags.js';
import { checkPropertyList, findPropertyCheck, MAX_CHECKED_DOMAINS } from '../service/property-check/check.js';

const report = z
  .object({
    summary: z.object({ total: z.int(), remove: z.int(), modify: z.int(), assess: z.int(), ok: z.int() }),
    remove: z
      .array(
        z.object({
          input: z.string(),
          canonical: z.string(),
          reason: z.enum(['duplicate', 'blocked']),
          domain_type: z.string().optional().describe('Of a blocked one: what it is in the trade.'),
          blocked_reason: z.string().optional(),
        }),
      )
      .describe('Those that are in the list already, are no inventory, or are kept out of this registry.'),
    modify: z
      .array(z.object({ input: z.string(), canonical: z.string(), reason: z.string() }))
      .describe('Those that were brought into their one form.'),
    assess: z
      .array(
        z.object({ domain: z.string(), problem: z.string().optional().describe('Of one that is no domain name.') }),
      )
      .describe('Those that this registry does not know.'),
    ok: z
      .array(z.object({ domain: z.string(), source: z.enum(['adagents_json', 'hosted']) }))
      .describe('Those that this registry knows, as they are.'),
    report_id: z.string(),
  })
  .meta({ id: 'PropertyCheckReport' });

/** Checks of lists of domains, and their reports. */
export const PROPERTY_CHECK_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/properties/check',
    operation_id: 'checkPropertyList',
    tag: TAGS.properties,
    summary: 'Sort a list of domains into those to remove, modify, assess and leave.',
    description:
      'Domains of the trade that are no inventory, such as ad servers and trackers, are to be removed. The report can be had for seven days, at the registry or mirror that made it.',
    auth: 'none',
    limits: ['bulk_read'],
    body: z.object({
      domains: z
        .array(z.string().max(2048, 'has to be at most 2048 characters'), {
          error: (issue) => (issue.input === undefined ? 'is missing' : 'has to be a list of texts'),
        })
        .max(MAX_CHECKED_DOMAINS, `has to be at most ${MAX_CHECKED_DOMAINS} domains`),
    }),
    maxBodyBytes: 3 * 1024 * 1024,
    answers: { 200: { description: 'What is to be done with each.', body: report }, ...problemsOf(400, 429) },
    run: async ({ registry, body }) => ({
      text: await checkPropertyList(registry, body.domains),
      type: 'application/json',
    }),
  }),
  route({
    method: 'GET',
    path: '/api/properties/check/{reportId}',
    operation_id: 'getPropertyCheckReport',
    tag: TAGS.properties,
    summary: 'The report of an earlier check of a list of domains.',
    auth: 'none',
    answers: { 200: { description: 'The report as it was given.', body: report }, ...problemsOf(404) },
    run: async ({ registry, params }) => ({
      text: await findPropertyCheck(registry, params.reportId ?? ''),
      type: 'application/json',
    }),
  }),
];
