import { z } from 'zod';
import { KELLER_TYPES } from '../../../protocol/brand-words.js';
import { asMember } from '../auth/caller.js';
import { problemsOf, resolvedBrand, saved } from '../http/answers.js';
import { requireBulk } from '../http/limits.js';
import { ok, okWritten, type Reply, type Route, route } from '../http/route.js';
import { domain, domains, flag, httpsUrl, integer, isHttpsUrl, text } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { brandDocument, resolveDomain, storedBrands } from '../service/brand/brands.js';
import { saveEntry, submitEntry } from '../service/brand/save.js';
import type { LookupMiss } from '../service/lookups.js';
import { RegistryProblem } from '../service/problem.js';
import type { BrandEntry } from '../service/records.js';
import type { Registry } from '../service/registry.js';
import { answerSaved, historyRoute, listingRoute } from './entries.js';

const SOURCES = ['hosted', 'brand_json', 'community', 'enriched', 'stub'] as const;

/** Brand identity data of a save. Further members are kept as they are. */
const manifest = z
  .looseObject({
    name: z.string().max(255).optional(),
    description: z.string().max(5000).optional(),
    logos: z
      .array(z.looseObject({ url: httpsUrl(), tags: z.array(z.string()).optional() }))
      .max(100)
      .optional(),
    // The public contract lists colors; a brand.json, and what the public client sends, names them by role.
    colors: z
      .union([
        z.array(z.looseObject({ hex: z.string().max(32), type: z.string().max(64) })).max(100),
        z.record(z.string(), z.unknown()),
      ])
      .optional(),
  })
  .superRefine((value, context) => {
    for (const path of findUnsafeUrls(value)) {
      context.addIssue({
        code: 'custom',
        path: [...path],
        message: 'has to be an https URL',
        params: { suggestion: HTTPS },
      });
    }
  });

const HTTPS = 'Send an absolute https URL without a user name or password.';
/** Members that pages show as links, however deep they lie in a manifest. */
const LINK = /(?:^|_)(?:url|website|href)$/i;

/** Returns where a manifest has links that are not https, the logos' aside. */
function findUnsafeUrls(value: unknown, path: readonly PropertyKey[] = []): readonly (readonly PropertyKey[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const isUnsafe = typeof inner === 'string' && LINK.test(key) && !isHttpsUrl(inner);
    return isUnsafe ? [[...path, key]] : findUnsafeUrls(inner, [...path, key]);
  });
}

const brandName = z
  .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'has to be a text') })
  .trim()
  .min(1, 'is empty')
  .max(255);

/** The counts over all brands. */
const NO_BRANDS = {
  total: 0,
  hosted: 0,
  brand_json: 0,
  community: 0,
  enriched: 0,
  stub: 0,
  houses: 0,
  sub_brands: 0,
  with_manifest: 0,
} as const;

/** Brand resolution: eight endpoints, and a search by name beside them. */
export const BRAND_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/brands/resolve',
    operation_id: 'resolveBrand',
    tag: TAGS.brands,
    summary: 'Resolve a domain to its canonical brand.',
    description:
      'The domain’s brand.json where it has one, no older than a day; else what a member saved. The house is named only when both sides confirm it.',
    auth: 'none',
    query: z.object({ domain: domain(), fresh: flag('Read the brand.json now.').optional() }),
    answers: { 200: { description: 'The brand.', body: resolvedBrand }, ...problemsOf(400, 404, 429, 503) },
    tool: true,
    run: async ({ registry, query, ip }) => {
      const { brand, miss } = await resolveDomain(registry, query.domain, { fresh: query.fresh ?? false, ip });
      if (brand !== undefined) return okWritten(brand);
      throw unknownBrand(query.domain, miss);
    },
  }),
  route({
    method: 'POST',
    path: '/api/brands/resolve/bulk',
    operation_id: 'resolveBrandsBulk',
    tag: TAGS.brands,
    summary: 'Resolve up to 100 domains at once, by what is known.',
    auth: 'none',
    limits: ['bulk'],
    body: z.object({ domains: domains() }),
    answers: {
      200: {
        description: 'A brand, or null, for each domain.',
        body: z.object({ results: z.record(z.string(), resolvedBrand.nullable()) }),
      },
      ...problemsOf(400, 429),
    },
    tool: true,
    run: async ({ registry, body }) => {
      requireBulk(registry.policy, body.domains);
      return ok({ results: await storedBrands(registry, body.domains) });
    },
  }),
  route({
    method: 'GET',
    path: '/api/brands/brand-json',
    operation_id: 'getBrandJson',
    tag: TAGS.brands,
    summary: 'The brand.json of a domain as it is served, and where it was found.',
    auth: 'none',
    query: z.object({ domain: domain(), fresh: flag('Read it now.').optional() }),
    answers: {
      200: {
        description: 'The document.',
        body: z.looseObject({
          domain: z.string(),
          url: z.string(),
          variant: z.string(),
          data: z.record(z.string(), z.unknown()),
          warnings: z.array(z.string()),
        }),
      },
      ...problemsOf(400, 404, 429, 503),
    },
    tool: true,
    run: async ({ registry, query, ip }) => {
      const { copy, miss } = await brandDocument(registry, query.domain, { fresh: query.fresh ?? false, ip });
      if (copy === undefined) throw unknownBrand(query.domain, miss);
      const { domain: of, url, variant, data, warnings } = copy;
      return ok({ domain: of, url, variant, data, warnings }, { 'cache-control': 'no-store' });
    },
  }),
  listingRoute({
    path: '/api/brands/registry',
    operation_id: 'listBrands',
    tag: TAGS.brands,
    summary: 'All brands, by domain.',
    member: 'brands',
    row: z.looseObject({
      domain: z.string(),
      brand_name: z.string(),
      source: z.string(),
      has_manifest: z.boolean(),
      verified: z.boolean(),
    }),
    sources: SOURCES,
    searches: {
      search: 'Part of a domain or name, in any case.',
      source: 'Only brands of this source.',
      limit: 'Most brands of a page.',
    },
    usualRows: 5000,
    noCounts: NO_BRANDS,
    list: (registry) => registry.listings.brands(),
    fits: (row, source, wanted) =>
      (source === undefined || row.source === source) &&
      (row.domain.includes(wanted) || row.brand_name.toLowerCase().includes(wanted)),
  }),
  route({
    method: 'GET',
    path: '/api/brands/find',
    operation_id: 'findBrand',
    tag: TAGS.brands,
    summary: 'Brands whose name or domain holds a text; those that begin with it first.',
    auth: 'none',
    query: z.object({
      q: text('At least two characters.', { min: 2, max: 253 }),
      limit: integer('Most results.', { min: 1, max: 50, usual: 10 }).optional(),
    }),
    answers: {
      200: {
        description: 'The brands.',
        body: z.object({
          results: z.array(
            z.looseObject({
              domain: z.string(),
              canonical_domain: z.string(),
              brand_name: z.string(),
              source: z.string(),
            }),
          ),
        }),
      },
      ...problemsOf(400),
    },
    tool: true,
    run: async ({ registry, query }) => {
      const list = await registry.listings.brands();
      const q = query.q.toLowerCase();
      const rank = (name: string, of: string): number => {
        if (name === q || of === q) return 0;
        return name.startsWith(q) || of.startsWith(q) ? 1 : 2;
      };
      const rows = await list.page(
        ({ domain: of, brand_name }) => of.includes(q) || brand_name.toLowerCase().includes(q),
        0,
        1000,
      );
      const best = rows
        .map((row) => ({ row, rank: rank(row.brand_name.toLowerCase(), row.domain) }))
        .sort((one, other) => one.rank - other.rank)
        .slice(0, query.limit ?? 10);
      return ok({ results: best.map(({ row }) => ({ ...row, canonical_domain: row.domain })) });
    },
  }),
  route({
    method: 'GET',
    path: '/api/brands/enrich',
    operation_id: 'enrichBrand',
    tag: TAGS.brands,
    summary: 'Brand data of a third-party provider, where this registry has one.',
    auth: 'none',
    query: z.object({ domain: domain() }),
    limits: ['live'],
    answers: {
      200: {
        description: 'What the provider knows.',
        body: z.looseObject({ success: z.literal(true), domain: z.string(), cached: z.boolean() }),
      },
      ...problemsOf(400, 404, 429, 503),
    },
    run: async ({ registry, query }) => {
      if (registry.enrich === undefined) {
        throw new RegistryProblem('no_provider', 'No brand-data provider is configured on this registry.', {
          suggestion:
            'Use GET /api/brands/resolve, which needs none. The operator names a provider as "brand_data" of "registry_service" in seller-agent.json; docs/registry.md says what it has to answer.',
        });
      }
      const enriched = await registry.enrich(query.domain);
      if (enriched === undefined) throw unknownBrand(query.domain, undefined);
      return ok({ success: true, domain: query.domain, ...enriched });
    },
  }),
  historyRoute('brand', {
    path: '/api/brands/history',
    operation_id: 'getBrandHistory',
    tag: TAGS.brands,
    summary: 'Every revision of a brand, newest first.',
  }),
  route({
    method: 'POST',
    path: '/api/brands/save',
    operation_id: 'saveBrand',
    tag: TAGS.brands,
    summary: 'Save or change a community brand.',
    description:
      'A new domain, and one whose proof is older than the registry allows, needs POST /api/ownership/issue and /verify first. A brand with a brand.json of its own is changed there.',
    auth: 'member',
    limits: ['save'],
    body: z.object({ domain: domain(), brand_name: brandName, brand_manifest: manifest.optional() }),
    answers: {
      200: { description: 'Saved, or held for a moderator.', body: saved },
      ...problemsOf(400, 401, 403, 405, 409, 429),
    },
    run: async ({ registry, caller, body }) => {
      const { brand_name, brand_manifest } = body;
      const content: BrandEntry = { brand_name, brand_manifest };
      const outcome = await saveEntry(registry, asMember(caller), { kind: 'brand', domain: body.domain, content });
      return answerSaved(outcome, {
        held: () => `Brand "${brand_name}" is held for a moderator`,
        created: () => `Brand "${brand_name}" saved to registry`,
        updated: (_domain, revision) => `Brand "${brand_name}" updated in registry (revision ${revision})`,
      });
    },
  }),
  route({
    method: 'POST',
    path: '/api/brands/discovered/community',
    operation_id: 'submitCommunityBrand',
    tag: TAGS.brands,
    summary: 'Submit a brand for review. Superseded by save.',
    auth: 'member',
    limits: ['save'],
    deprecated: true,
    body: z.object({
      domain: domain(),
      brand_name: brandName.optional(),
      house_domain: domain().optional(),
      keller_type: z.enum(KELLER_TYPES).optional(),
      parent_brand: z.string().max(255).optional(),
      brand_manifest: manifest.optional(),
    }),
    answers: {
      200: {
        description: 'A moderator will look at it.',
        body: z.object({
          brand: z.looseObject({ domain: z.string(), brand_name: z.string() }),
          review_status: z.literal('pending'),
        }),
      },
      ...problemsOf(400, 401, 403, 405, 409, 429),
    },
    run: async ({ registry, caller, body }) => submit(registry, asMember(caller), body),
  }),
];

async function submit(
  registry: Registry,
  member: ReturnType<typeof asMember>,
  { domain: of, brand_name, ...rest }: { readonly domain: string } & Partial<BrandEntry>,
): Promise<Reply> {
  const content = { brand_name: brand_name ?? of, ...rest };
  const review = await submitEntry(registry, member, { kind: 'brand', domain: of, content });
  return ok({
    brand: { domain: review.domain, ...content, source: 'community', review_id: review.review_id },
    review_status: 'pending',
  });
}

function unknownBrand(of: string, miss: LookupMiss | undefined): RegistryProblem {
  return new RegistryProblem('not_found', 'Brand not found', {
    field: 'domain',
    suggestion: 'Serve /.well-known/brand.json on the domain, or save the brand with POST /api/brands/save.',
    details: {
      domain: of,
      file_status: miss?.status,
      errors: miss?.errors,
    },
  });
}
