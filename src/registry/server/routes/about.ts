import { z } from 'zod';
import { problems } from '../http/answers.js';
import { ok, type Route, route } from '../http/route.js';
import { TAGS } from '../openapi/tags.js';
import { RegistryProblem } from '../service/problem.js';

/** What the registry says about itself; `routes` is the whole table, which the first one lists. */
export function aboutRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api',
      operation_id: 'apiDiscovery',
      tag: TAGS.about,
      summary: 'What this registry offers and where it is described.',
      auth: 'none',
      answers: {
        200: {
          description: 'Links and the list of endpoints.',
          body: z.looseObject({
            name: z.string(),
            version: z.string(),
            documentation: z.string(),
            openapi: z.string(),
            endpoints: z.record(z.string(), z.string()),
          }),
        },
      },
      run: async ({ registry }) => {
        const base = registry.baseUrl();
        return ok({
          name: 'seller-agent registry',
          version: registry.version,
          documentation: `${base}/docs`,
          openapi: `${base}/openapi/registry.yaml`,
          mcp: `${base}/mcp`,
          ...(registry.mirrors === undefined ? {} : { mirror_of: registry.mirrors }),
          endpoints: Object.fromEntries(
            routes()
              .filter(({ hidden }) => hidden !== true)
              .map(({ operation_id, method, path }) => [operation_id, `${method} ${path}`]),
          ),
        });
      },
    }),
    ...documents(routes),
    route({
      method: 'GET',
      path: '/healthz',
      operation_id: 'health',
      tag: TAGS.about,
      summary: 'Whether the process runs.',
      auth: 'none',
      hidden: true,
      answers: { 200: { description: 'It does.', body: z.object({ status: z.string() }) } },
      run: async () => ok({ status: 'ok' }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      operation_id: 'readiness',
      tag: TAGS.about,
      summary: 'Whether requests can be answered.',
      auth: 'none',
      hidden: true,
      answers: {
        200: { description: 'They can.', body: z.looseObject({ status: z.string() }) },
        503: { description: 'They cannot.', body: z.looseObject({ status: z.string() }) },
      },
      run: async ({ registry }) => {
        const store = await registry.store.ping().then(
          () => 'ok',
          () => 'unreachable',
        );
        const isReady = store === 'ok';
        return {
          status: isReady ? 200 : 503,
          json: {
            status: isReady ? 'ready' : 'not_ready',
            store: { status: store, ...registry.store.stats() },
            index: registry.index.stats(),
          },
        };
      },
    }),
  ];
}

/** Documents are written once for an address. */
const CACHE = { 'cache-control': 'public, max-age=300' };

/** The API for machines and for people, and the schemas of the feed; what writes them is loaded when one is asked for. */
function documents(routes: () => readonly Route[]): readonly Route[] {
  const common = { method: 'GET', tag: TAGS.about, auth: 'none', hidden: true } as const;
  const written = new Map<string, Promise<string>>();
  const once = (key: string, write: () => Promise<string>): Promise<string> => {
    const known = written.get(key) ?? write();
    written.set(key, known);
    return known;
  };
  return [
    route({
      ...common,
      path: '/openapi/registry.yaml',
      operation_id: 'openApi',
      summary: 'The API description.',
      answers: { 200: { description: 'OpenAPI 3.1.', type: 'application/yaml' } },
      run: async ({ registry }) => ({
        text: await once(`yaml ${registry.baseUrl()}`, async () =>
          (await import('../openapi/openapi.js')).openApiYaml(registry, routes()),
        ),
        type: 'application/yaml; charset=utf-8',
        headers: CACHE,
      }),
    }),
    route({
      ...common,
      path: '/.well-known/openapi.yaml',
      operation_id: 'openApiLocation',
      summary: 'Where the API description is.',
      answers: { 302: { description: 'There.' } },
      run: async () => ({ status: 302, empty: true, headers: { location: '/openapi/registry.yaml' } }),
    }),
    route({
      ...common,
      path: '/docs',
      operation_id: 'apiPage',
      summary: 'The API for people.',
      answers: { 200: { description: 'A page.', type: 'text/html' } },
      run: async ({ registry }) => ({
        text: await once(`page ${registry.baseUrl()}`, async () =>
          (await import('../openapi/api-page.js')).apiPage(registry.baseUrl(), routes()),
        ),
        type: 'text/html; charset=utf-8',
        headers: { ...CACHE, 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" },
      }),
    }),
    route({
      ...common,
      path: '/schemas/v3/core/{name}',
      operation_id: 'feedSchema',
      summary: 'The schemas of the feed.',
      answers: { 200: { description: 'JSON Schema.', body: z.looseObject({}) }, ...problems(404) },
      run: async ({ registry, params }) => {
        const { eventSchemas } = await import('../openapi/event-schemas.js');
        const schema = eventSchemas(registry.baseUrl())[`/schemas/v3/core/${params.name}`];
        if (schema !== undefined) return ok(schema, CACHE);
        throw new RegistryProblem('not_found', 'There is no schema of this name.', {
          suggestion: 'Those of the feed are registry-event.json and registry-feed-response.json.',
        });
      },
    }),
  ];
}
