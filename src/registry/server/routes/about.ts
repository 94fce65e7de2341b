import { z } from 'zod';
import { SECOND_MS } from '../../../platform/kernel/clock.js';
import { problemsOf } from '../http/answers.js';
import { ok, type Route, route } from '../http/route.js';
import { TAGS } from '../openapi/tags.js';
import type { Replication } from '../replication/replication.js';
import { RegistryProblem } from '../service/problem.js';

const health = z.looseObject({ status: z.string() });
const discovery = z.looseObject({
  name: z.string(),
  version: z.string(),
  documentation: z.string(),
  openapi: z.string(),
  endpoints: z.record(z.string(), z.string()),
});

/** Documents are written once for an address. */
const CACHE = { 'cache-control': 'public, max-age=300' };

/** The page runs its one script, which calls this registry and nobody else. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the routes that describe the registry and its state; `routes` is the whole table, which the first one lists. */
export function aboutRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [discoveryRoute(routes), ...documentRoutes(routes), FEED_SCHEMA_ROUTE, ...HEALTH_ROUTES];
}

function discoveryRoute(routes: () => readonly Route[]): Route {
  return route({
    method: 'GET',
    path: '/api',
    operation_id: 'apiDiscovery',
    tag: TAGS.about,
    summary: 'What this registry offers and where it is described.',
    auth: 'none',
    answers: { 200: { description: 'Links and the list of endpoints.', body: discovery } },
    run: async ({ registry }) => {
      const base = registry.baseUrl();
      const shown = routes().filter(({ hidden }) => hidden !== true);
      return ok({
        name: 'seller-agent registry',
        version: registry.version,
        documentation: `${base}/docs`,
        openapi: `${base}/openapi/registry.yaml`,
        mcp: `${base}/mcp`,
        mirror_of: registry.mirrors,
        mirror: shownLag(registry.replication),
        epoch: registry.replication.epoch,
        endpoints: Object.fromEntries(
          shown.map(({ operation_id, method, path }) => [operation_id, `${method} ${path}`]),
        ),
      });
    },
  });
}

/** Returns how a mirror does, for everybody; undefined of a primary. */
function shownLag(replication: Replication): object | undefined {
  const lag = replication.lag();
  if (lag === undefined) return undefined;
  const { lag_ms, scope, state, synced_at, term } = lag;
  return { scope, state, term, synced_at, lag_seconds: lag_ms === null ? null : Math.round(lag_ms / SECOND_MS) };
}

const HIDDEN = { method: 'GET', tag: TAGS.about, auth: 'none', hidden: true } as const;

const HEALTH_ROUTES: readonly Route[] = [
  route({
    ...HIDDEN,
    path: '/healthz',
    operation_id: 'health',
    summary: 'Whether the process runs.',
    answers: { 200: { description: 'It does.', body: z.object({ status: z.string() }) } },
    run: async () => ok({ status: 'ok' }),
  }),
  route({
    ...HIDDEN,
    path: '/readyz',
    operation_id: 'readiness',
    summary: 'Whether requests can be answered.',
    answers: { 200: { description: 'They can.', body: health }, 503: { description: 'They cannot.', body: health } },
    run: async ({ registry }) => {
      const { degraded, ill, isReady, parts } = await registry.readiness.report();
      return {
        status: isReady ? 200 : 503,
        json: { status: isReady ? 'ready' : 'not_ready', ill, degraded, ...parts, index: registry.index.stats() },
      };
    },
  }),
];

/** Returns the routes of the API description for machines and for people; the program that writes each is loaded when it is asked for. */
function documentRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [
    route({
      ...HIDDEN,
      path: '/openapi/registry.yaml',
      operation_id: 'openApi',
      summary: 'The API description.',
      answers: { 200: { description: 'OpenAPI 3.1.', type: 'application/yaml' } },
      run: async ({ registry }) => ({
        text: await registry.documents.getOrLoad(`yaml ${registry.baseUrl()}`, async () =>
          (await import('../openapi/openapi.js')).openApiYaml(registry, routes()),
        ),
        type: 'application/yaml; charset=utf-8',
        headers: CACHE,
      }),
    }),
    route({
      ...HIDDEN,
      path: '/.well-known/openapi.yaml',
      operation_id: 'openApiLocation',
      summary: 'Where the API description is.',
      answers: { 302: { description: 'There.' } },
      run: async () => ({ status: 302, empty: true, headers: { location: '/openapi/registry.yaml' } }),
    }),
    route({
      ...HIDDEN,
      path: '/docs',
      operation_id: 'apiPage',
      summary: 'The API for people.',
      answers: { 200: { description: 'A page.', type: 'text/html' } },
      run: async ({ registry }) => ({
        text: await registry.documents.getOrLoad(`page ${registry.baseUrl()}`, async () =>
          (await import('../openapi/api-page.js')).apiPage(registry.baseUrl(), routes()),
        ),
        type: 'text/html; charset=utf-8',
        headers: { ...CACHE, 'content-security-policy': PAGE_POLICY },
      }),
    }),
    route({
      ...HIDDEN,
      path: '/docs/page.js',
      operation_id: 'apiPageScript',
      summary: 'The script of the API for people.',
      answers: { 200: { description: 'A script.', type: 'text/javascript' } },
      run: async ({ registry }) => ({
        text: await registry.documents.getOrLoad('page script', async () =>
          (await import('../openapi/api-page.js')).pageScript(),
        ),
        type: 'text/javascript; charset=utf-8',
        headers: CACHE,
      }),
    }),
  ];
}

const FEED_SCHEMA_ROUTE = route({
  ...HIDDEN,
  path: '/schemas/v3/core/{name}',
  operation_id: 'feedSchema',
  summary: 'The schemas of the feed.',
  answers: { 200: { description: 'JSON Schema.', body: z.looseObject({}) }, ...problemsOf(404) },
  run: async ({ registry, params }) => {
    const { eventSchemas } = await import('../openapi/event-schemas.js');
    const schema = eventSchemas(registry.baseUrl())[`/schemas/v3/core/${params.name}`];
    if (schema !== undefined) return ok(schema, CACHE);
    throw new RegistryProblem('not_found', 'There is no schema of this name.', {
      suggestion: 'Those of the feed are registry-event.json and registry-feed-response.json.',
    });
  },
});
