import { z } from 'zod';
import { asMember } from '../auth/caller.js';
import {
  crawlRequest,
  requestBrandCrawl,
  requestCrawl,
  requestManagerRevalidation,
  revalidatePublisher,
} from '../crawl/request.js';
import { problemsOf } from '../http/answers.js';
import { ok, type Route, route } from '../http/route.js';
import { choice, domain } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';

const crawlAnswer = z
  .object({
    crawl_request_id: z.uuid(),
    domain: z.string(),
    status: z.enum(['queued', 'running', 'deferred', 'retrying', 'completed', 'invalid', 'failed']),
    attempts: z.int(),
    max_attempts: z.int(),
    requested_at: z.string(),
    started_at: z.string().nullable(),
    last_attempted_at: z.string().nullable(),
    completed_at: z.string().nullable(),
    next_attempt_at: z.string().nullable(),
    last_error_code: z.string().nullable(),
  })
  .meta({ id: 'CrawlRequest' });

const LIMITS =
  'One request for each domain in five minutes, thirty for each user in an hour, of all kinds of crawls together.';

/** Crawls that somebody asks for. */
export const CRAWL_ROUTES: readonly Route[] = [
  crawlRoute(requestCrawl, 'Crawl request accepted', {
    path: '/api/registry/crawl-request',
    operation_id: 'requestCrawl',
    tag: TAGS.agents,
    summary: 'Have a publisher’s adagents.json read again, soon.',
    description: 'One request for each domain in five minutes, thirty for each user in an hour.',
  }),
  route({
    method: 'GET',
    path: '/api/registry/crawl-request/{id}',
    operation_id: 'getCrawlRequest',
    tag: TAGS.agents,
    summary: 'How a crawl that was asked for is doing.',
    auth: 'bearer',
    answers: { 200: { description: 'The request.', body: crawlAnswer }, ...problemsOf(401, 404) },
    run: async ({ registry, caller, params }) => ok(await crawlRequest(registry, caller, params.id ?? '')),
  }),
  crawlRoute(requestBrandCrawl, 'Brand crawl request accepted', {
    path: '/api/registry/brand-crawl-request',
    operation_id: 'requestBrandCrawl',
    tag: TAGS.brands,
    summary: 'Have a domain’s brand.json read again, soon.',
    description: LIMITS,
  }),
  route({
    method: 'POST',
    path: '/api/registry/manager-revalidation-request',
    operation_id: 'requestManagerRevalidation',
    tag: TAGS.agents,
    summary: 'Have every publisher read again whose ads.txt names a manager domain.',
    description: `They are read with the next rounds of the crawler. ${LIMITS}`,
    auth: 'member',
    body: z.object({ manager_domain: domain() }),
    answers: {
      202: {
        description: 'Taken; the publishers are due.',
        body: z.object({
          message: z.literal('Manager re-validation enqueued'),
          manager_domain: z.string(),
          publishers_enqueued: z.int(),
        }),
      },
      ...problemsOf(400, 401, 403, 405, 429),
    },
    run: async ({ registry, caller, body: { manager_domain } }) => {
      const publishers_enqueued = await requestManagerRevalidation(registry, asMember(caller), manager_domain);
      return { status: 202, json: { message: 'Manager re-validation enqueued', manager_domain, publishers_enqueued } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/registry/publisher/{domain}/adagents/revalidate',
    operation_id: 'revalidatePublisherAdagents',
    tag: TAGS.lookups,
    summary: 'Read and record a publisher’s adagents.json now, and say what is wrong with it.',
    description: LIMITS,
    auth: 'admin',
    query: z.object({ force: choice(['1', 'true'], 'Changes nothing: the file is always read.').optional() }),
    answers: {
      200: {
        description: 'What was found.',
        body: z.looseObject({ domain: z.string(), adagents_valid: z.boolean(), checked_at: z.string() }),
      },
      ...problemsOf(400, 401, 403, 405, 429, 503),
    },
    run: async ({ registry, caller, params }) =>
      ok(await revalidatePublisher(registry, asMember(caller), params.domain ?? '')),
  }),
];

/** Returns the route by which a member has a file of a domain read again. */
function crawlRoute(
  request: typeof requestCrawl,
  message: string,
  operation: Pick<Route, 'path' | 'operation_id' | 'tag' | 'summary' | 'description'>,
): Route {
  return route({
    method: 'POST',
    ...operation,
    auth: 'member',
    body: z.object({ domain: domain() }),
    answers: {
      202: {
        description: 'Taken; the crawl runs on its own.',
        body: z.looseObject({ message: z.literal(message), domain: z.string(), crawl_request_id: z.uuid() }),
      },
      ...problemsOf(400, 401, 403, 405, 429, 503),
    },
    run: async ({ registry, caller, body }) => {
      const { crawl_request_id, domain: of, status } = await request(registry, asMember(caller), body.domain);
      return { status: 202, json: { message, domain: of, crawl_request_id, status } };
    },
  });
}
