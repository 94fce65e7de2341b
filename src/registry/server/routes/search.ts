import { z } from 'zod';
import { problemsOf } from '../http/answers.js';
import { ok, type Route, route } from '../http/route.js';
import { choice, domain, text } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { lookupManifest, MANIFEST_TYPES, searchRegistry } from '../service/search.js';

const rows = z.array(z.looseObject({}));

/** Search over everything, and where files stand. */
export const SEARCH_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/search',
    operation_id: 'search',
    tag: TAGS.search,
    summary: 'Brands, publishers and properties by a part of their name or domain.',
    auth: 'none',
    query: z.object({ q: text('At least two characters, in any case.', { min: 2, max: 253 }) }),
    answers: {
      200: {
        description: 'Up to five of each.',
        body: z.object({ brands: rows, publishers: rows, properties: rows }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, query }) => ok(await searchRegistry(registry, query.q)),
  }),
  route({
    method: 'GET',
    path: '/api/manifest-refs/lookup',
    operation_id: 'lookupManifestRef',
    tag: TAGS.search,
    summary: 'Where a domain’s file stands.',
    auth: 'none',
    query: z.object({ domain: domain(), type: choice(MANIFEST_TYPES, 'Which file.').optional() }),
    answers: {
      200: {
        description: 'The reference, or that there is none.',
        body: z.looseObject({ success: z.boolean(), found: z.boolean() }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, query }) => ok(await lookupManifest(registry, query.domain, query.type ?? 'brand.json')),
  }),
];
