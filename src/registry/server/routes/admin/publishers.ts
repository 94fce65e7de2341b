import { z } from 'zod';
import { crawlSoon, importFiles, listFailingCrawls } from '../../crawl/operate.js';
import { ok, type Route } from '../../http/route.js';
import { domain } from '../../openapi/fields.js';
import { importSnapshot } from '../../service/publisher/snapshot-import.js';
import { adminList, adminRoute, editorName, moderatorRoute } from './admin-route.js';

/** Publishers of one request. */
const MAX_DOMAINS = 1000;
/** Files of one request, and bytes of all of them: the largest that counts has twenty megabytes. */
const MAX_FILES = 500;
const MAX_FILES_BYTES = 24 * 1024 * 1024;
/** Characters of a row of another registry's snapshot. */
const MAX_ROW_CHARACTERS = 512 * 1024;

/** What is read of publishers: by the crawler, or from copies that the operator has. */
export const ADMIN_PUBLISHER_ROUTES: readonly Route[] = [
  adminList({
    path: 'crawls',
    operation_id: 'adminListFailingCrawls',
    summary: 'Publishers whose last reading came to nothing: why, since when, and when they are read again.',
    query: z.object({ after: domain().describe('Only publishers behind this one, by domain.').optional() }),
    run: async ({ registry, query }) => ok({ crawls: await listFailingCrawls(registry, query.after ?? '') }),
  }),
  moderatorRoute({
    path: 'crawls',
    operation_id: 'adminCrawl',
    summary: 'Have up to 1,000 publishers be read with the next round, known or not.',
    body: z.object({ domains: z.array(domain()).min(1).max(MAX_DOMAINS) }),
    run: async ({ registry, body }) => ok(await crawlSoon(registry, body.domains)),
  }),
  adminRoute({
    path: 'import',
    operation_id: 'adminImport',
    summary: 'Read up to 500 adagents.json files of publishers from copies that the operator has.',
    description:
      'Each is read as if its domain had served it just now, and counts until the domain is read, an hour later. What is refused stays as it was.',
    body: z.object({
      files: z
        .array(z.object({ domain: domain(), text: z.string() }))
        .min(1)
        .max(MAX_FILES),
    }),
    maxBodyBytes: MAX_FILES_BYTES,
    run: async ({ registry, body }) => ok(await importFiles(registry, body.files)),
  }),
  adminRoute({
    path: 'import/snapshot',
    operation_id: 'adminImportSnapshot',
    summary: 'Take up to 500 properties and 1,000 publishers of another registry’s snapshot in, not verified.',
    description:
      'Properties are listed as contributed until the files of their publishers are read, with the next rounds. Nothing of a snapshot authorizes anybody, and what is known here already is not changed.',
    body: z.object({
      domains: z.array(domain()).max(MAX_DOMAINS).optional(),
      properties: z
        .array(z.string().max(MAX_ROW_CHARACTERS).describe('A row of the catalog, as JSON.'))
        .max(MAX_FILES)
        .optional(),
    }),
    maxBodyBytes: MAX_FILES_BYTES,
    run: async ({ registry, caller, body: { domains = [], properties = [] } }) =>
      ok(await importSnapshot(registry, { domains, properties }, `admin:${editorName(caller)}`)),
  }),
];
