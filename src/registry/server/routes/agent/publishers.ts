import { z } from 'zod';
import { problemsOf } from '../../http/answers.js';
import { replyInPieces } from '../../http/pieces.js';
import { type Route, route } from '../../http/route.js';
import { integer, repeatableOf, text } from '../../openapi/fields.js';
import { TAGS } from '../../openapi/tags.js';
import { LIFECYCLE_STATES, lookupAgentPublishers } from '../../service/publisher/inverse-lookup.js';

/** The two paths of one operation: the later contract has it outside /api. */
const PATHS = [
  ['/api/v1/agents/{encodedUrl}/publishers', 'getPublishersForAgentLegacyApiPrefix'],
  ['/v1/agents/{encodedUrl}/publishers', 'getPublishersForAgent'],
] as const;

const USUAL_PAGE = 200;
const entry = z.object({
  publisher_domain: z.string(),
  discovery_method: z.string(),
  manager_domain: z.string().nullable(),
  properties_authorized: z.int(),
  properties_total: z.int(),
  property_ids: z.array(z.string()).optional(),
  signing_keys_pinned: z.boolean(),
  status: z.enum(LIFECYCLE_STATES),
  last_verified_at: z.string(),
});

/** The publishers of an agent. */
export const AGENT_PUBLISHER_ROUTES: readonly Route[] = PATHS.map(([path, operation_id]) =>
  route({
    method: 'GET',
    path,
    operation_id,
    tag: TAGS.lookups,
    summary: 'Publishers whose files name an agent, with how much of each it may sell.',
    auth: 'none',
    query: z.object({
      since: text('Only publishers that were read then or later; ISO 8601.', { max: 40 }).optional(),
      cursor: text('From the page before.', { max: 512 }).optional(),
      status: repeatableOf(
        LIFECYCLE_STATES,
        'What the publisher says of the agent now; those that authorize it unless given.',
      ).optional(),
      include: repeatableOf(['properties'], 'What is listed too: the ids of the properties.').optional(),
      limit: integer('Most publishers of a page.', { min: 1, max: 1000, usual: USUAL_PAGE }).optional(),
    }),
    answers: {
      200: {
        description: 'A page of publishers.',
        body: z.object({
          agent_url: z.string(),
          directory_indexed_at: z.string().nullable(),
          publishers: z.array(entry),
          next_cursor: z.string().nullable(),
        }),
      },
      304: { description: 'Nothing changed since the ETag that was sent.' },
      ...problemsOf(400, 404),
    },
    run: async ({ registry, params, query }) =>
      replyInPieces(
        lookupAgentPublishers(registry, params.encodedUrl ?? '', {
          since: query.since,
          cursor: query.cursor,
          status: query.status ?? ['authorized'],
          limit: query.limit ?? USUAL_PAGE,
          withPropertyIds: query.include !== undefined,
        }),
      ),
  }),
);
