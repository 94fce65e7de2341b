import { z } from 'zod';
import { escapeHtml } from '../../../platform/web/html.js';
import { problemsOf } from '../http/answers.js';
import { API_RESOURCE_PATH } from '../http/listener.js';
import { ok, type Reply, type Route, route } from '../http/route.js';
import { text } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { RegistryProblem } from '../service/problem.js';
import type { Registry } from '../service/registry.js';
import type { DevProvider } from './dev-provider.js';

/** Metadata changes seldom; clients may keep it for an hour. */
const CACHE = { 'cache-control': 'public, max-age=3600' };

const resource = z.looseObject({
  resource: z.string(),
  authorization_servers: z.array(z.string()).optional(),
  bearer_methods_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()),
});

/** Returns the route that says which tokens `path` takes and where they come from (RFC 9728); without an identity provider there are keys only. */
function resourceRoute(path: 'api' | 'mcp', operation_id: string, wellKnown: string): Route {
  return route({
    method: 'GET',
    path: wellKnown,
    operation_id,
    tag: TAGS.about,
    summary: `Which tokens /${path} takes and who issues them (RFC 9728).`,
    auth: 'none',
    answers: { 200: { description: 'The metadata.', body: resource } },
    run: async ({ registry }) =>
      ok(
        {
          resource: `${registry.baseUrl()}/${path}`,
          authorization_servers: registry.identity === undefined ? undefined : [registry.identity.issuer],
          bearer_methods_supported: ['header'],
          scopes_supported: ['openid', 'profile', 'email'],
          resource_name: 'seller-agent registry',
          resource_documentation: `${registry.baseUrl()}/docs`,
        },
        CACHE,
      ),
  });
}

/** OAuth discovery. */
export const OAUTH_ROUTES: readonly Route[] = [
  resourceRoute('api', 'apiResourceMetadata', API_RESOURCE_PATH),
  resourceRoute('mcp', 'mcpResourceMetadata', '/.well-known/oauth-protected-resource/mcp'),
  route({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    operation_id: 'authorizationServerMetadata',
    tag: TAGS.about,
    summary: 'The identity provider of this registry (RFC 8414).',
    auth: 'none',
    answers: {
      200: { description: 'The metadata.', body: z.looseObject({ issuer: z.string() }) },
      ...problemsOf(404, 503),
    },
    run: async ({ registry }) => {
      const metadata = await identityOf(registry).metadata();
      const isOpen = typeof metadata.registration_endpoint === 'string';
      return ok(isOpen ? { ...metadata, registration_endpoint: `${registry.baseUrl()}/register` } : metadata, CACHE);
    },
  }),
  route({
    method: 'POST',
    path: '/register',
    operation_id: 'registerClient',
    tag: TAGS.about,
    summary: 'Register an OAuth client with the identity provider (RFC 7591).',
    auth: 'none',
    limits: ['live'],
    body: z.record(z.string(), z.unknown()),
    answers: {
      201: { description: 'The client.', body: z.looseObject({ client_id: z.string() }) },
      ...problemsOf(404, 429, 503),
      400: {
        description:
          'A body that cannot be used, or what the identity provider has against it (RFC 7591, section 3.2.2).',
        body: z.looseObject({ error: z.string() }),
      },
    },
    run: async ({ registry, body }) => {
      const registered = await identityOf(registry).register(body);
      if (registered === undefined) throw noProvider();
      return { status: registered.status, json: registered.body, headers: { 'cache-control': 'no-store' } };
    },
  }),
];

function identityOf({ identity }: Registry): NonNullable<Registry['identity']> {
  if (identity === undefined) throw noProvider();
  return identity;
}

function noProvider(): RegistryProblem {
  return new RegistryProblem('not_found', 'This registry has no identity provider that takes clients.', {
    suggestion: 'Use an API key; the operator makes one with "registry key new".',
  });
}

const authorizeQuery = z.object({
  response_type: z.literal('code', { error: () => 'has to be code' }),
  client_id: text('The client.'),
  redirect_uri: text('Where the browser goes with the code.'),
  code_challenge: z.string().regex(/^[\w-]{43}$/, 'has to be a S256 challenge'),
  code_challenge_method: z.literal('S256', { error: () => 'has to be S256' }),
  state: z.string().max(2048).optional(),
  user: z
    .string()
    .regex(/^[\w.@+-]{1,128}$/, 'has to be a name')
    .optional(),
});

/** Returns the endpoints of the provider for development. */
export function devProviderRoutes(provider: DevProvider): readonly Route[] {
  const hidden = { tag: TAGS.about, auth: 'none', hidden: true } as const;
  return [
    route({
      ...hidden,
      method: 'GET',
      path: '/oauth/jwks.json',
      operation_id: 'devKeys',
      summary: 'Keys of the development provider.',
      answers: { 200: { description: 'A JWK set.', body: z.looseObject({}) } },
      run: async () => ok(await provider.jwks()),
    }),
    route({
      ...hidden,
      method: 'GET',
      path: '/authorize',
      operation_id: 'devAuthorize',
      summary: 'Sign in as anybody.',
      query: authorizeQuery,
      answers: { 302: { description: 'Back to the client.' }, ...problemsOf(400) },
      run: async ({ query }) => {
        const refused = provider.refusal(query.client_id, query.redirect_uri);
        if (refused !== undefined)
          throw new RegistryProblem('invalid_request', refused, {
            field: 'redirect_uri',
            suggestion: 'Register the client with this address at /register first.',
          });
        const { user, ...request } = query;
        if (user === undefined) return signInPage(request);
        const { client_id, redirect_uri, code_challenge, state } = request;
        const location = provider.authorize({ client_id, redirect_uri, code_challenge, state, user });
        return { status: 302, empty: true, headers: { location, 'cache-control': 'no-store' } };
      },
    }),
    route({
      ...hidden,
      method: 'POST',
      path: '/token',
      operation_id: 'devToken',
      summary: 'Tokens for a code.',
      form: true,
      body: z.record(z.string(), z.string()),
      answers: {
        200: { description: 'Tokens.', body: z.looseObject({ access_token: z.string() }) },
        ...problemsOf(400),
      },
      run: async ({ body }) => {
        const json = await provider.token(body);
        return { status: 'error' in json ? 400 : 200, json, headers: { 'cache-control': 'no-store' } };
      },
    }),
  ];
}

/** Returns the sign-in page of development, which asks for a name and no password. */
function signInPage(request: Readonly<Record<string, string | undefined>>): Reply {
  const fields = Object.entries(request).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value ?? '')}">`,
  );
  const page = `<!doctype html><meta charset="utf-8"><title>Sign in</title><h1>Development sign-in</h1>
<form action="/authorize">${fields.join('')}<label>Sign in as <input name="user" required pattern="[\\w.@+\\-]+"></label> <button>Sign in</button></form>`;
  return { text: page, type: 'text/html; charset=utf-8', headers: { 'content-security-policy': "default-src 'none'" } };
}
