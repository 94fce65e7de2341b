import { generateKeyPairSync } from 'node:crypto';
import { errors, interactionPolicy, type OidcClient, type OidcContext, Provider } from 'oidc-provider';
import { MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import { isObject, readJson } from '../../../platform/kernel/json/json.js';
import type { App } from '../../context.js';
import { GRANT_SCOPES } from '../../domain/tenant/grant.js';
import { StoreAdapter } from './adapter.js';
import { describeClient } from './client-metadata.js';
import { servedHere } from './metadata.js';
import { OAUTH_PATHS } from './paths.js';
import { supplyUrlParse } from './url-parse.js';

const CODE_SECONDS = 60;
const ACCESS_SECONDS = 60 * 60;
/** How long a sign-in may take. */
const CONSENT_SECONDS = 15 * 60;
/** A grant ends before this by itself; see `EXPIRIES_DAYS` of the consent page. */
const LONGEST_SECONDS = 90 * 24 * 60 * 60;

/** Largest document that describes a client, and the longest wait for it. */
const DOCUMENT_BYTES = 32 * 1024;
const DOCUMENT_TIMEOUT_MS = 2500;

/** Returns the authorization server of this host, on the store. `showFault` makes the page for what cannot go back to the client. */
export function openProvider(app: App, baseUrl: string, showFault: (text: string) => string): Provider {
  supplyUrlParse();
  const provider = new Provider(baseUrl, {
    adapter: (model: string) => new StoreAdapter(model, app),
    ...ROUTES,
    ...LIFETIMES,
    scopes: [],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: CLIENT_DEFAULTS,
    pkce: { required: () => true },
    // No ID token is ever made: there is no openid here. The library wants a key all the same.
    jwks: { keys: [unusedKey()] },
    cookies: {
      names: { session: 'oauth_session', interaction: 'oauth_consent', resume: 'oauth_resume' },
      long: { httpOnly: true, sameSite: 'lax', path: '/oauth' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    features: featuresOf(app),
    interactions: {
      policy: askingAlways(),
      url: (_context: unknown, { uid }: { readonly uid: string }) => `${OAUTH_PATHS.consent}/${uid}`,
    },
    findAccount: (_context: unknown, accountId: string, token?: { readonly grantId?: string }) =>
      findAccount(app, accountId, token?.grantId),
    issueRefreshToken: async (_context: unknown, client: OidcClient) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // The sign-in is over with the page; what it gave has an end of its own.
    expiresWithSession: async () => false,
    // Which origins may ask at all is decided before.
    clientBasedCORS: () => true,
    fetch: (url: string | URL) => fetchDocument(app, String(url)),
    renderError: (context: OidcContext, { error, error_description: says }: Readonly<Record<string, string>>) => {
      context.type = 'html';
      context.body = showFault(says ?? error ?? 'The request cannot be read.');
    },
  });
  provider.proxy = true;
  stayUntilAnswered(provider, showFault);
  provider.on('server_error', (_context, error) => app.log.error({ err: error }, 'the authorization server failed'));
  return provider;
}

/**
 * Shows a fault of a sign-in on a page of ours until a person has answered it: anybody can register an address, and a link to us must not
 * lead there by itself (RFC 9700, 4.11.2).
 */
function stayUntilAnswered(provider: Provider, showFault: (text: string) => string): void {
  const faults = new WeakMap<object, string>();
  provider.on('authorization.error', (context, error) => {
    const says = error instanceof Error && 'error_description' in error ? error.error_description : undefined;
    if (isObject(context) && typeof says === 'string') faults.set(context, says);
  });
  provider.use(async (context, next) => {
    await next();
    const target = context.response.get('location') ?? '';
    if (context.path !== OAUTH_PATHS.authorization || context.status >= 500) return;
    if (target.startsWith(`${OAUTH_PATHS.consent}/`)) return;
    context.remove('location');
    context.status = context.status < 400 ? 400 : context.status;
    context.type = 'html';
    context.body = showFault(faults.get(context) ?? 'The request cannot be read.');
  });
}

const ROUTES = {
  routes: {
    authorization: OAUTH_PATHS.authorization,
    token: OAUTH_PATHS.token,
    registration: OAUTH_PATHS.registration,
    revocation: OAUTH_PATHS.revocation,
    jwks: '/oauth/jwks',
    end_session: '/oauth/end-session',
  },
};

const LIFETIMES = {
  ttl: {
    AccessToken: ACCESS_SECONDS,
    AuthorizationCode: CODE_SECONDS,
    RefreshToken: LONGEST_SECONDS,
    Grant: LONGEST_SECONDS,
    Interaction: CONSENT_SECONDS,
    Session: CONSENT_SECONDS,
    IdToken: CODE_SECONDS,
  },
};

const CLIENT_DEFAULTS = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  id_token_signed_response_alg: 'ES256',
};

function featuresOf(app: App): object {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
    revocation: {
      enabled: true,
      allowedPolicy: (_context: unknown, client: OidcClient, token: { readonly clientId?: string }) =>
        token.clientId === client.clientId,
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      cacheDuration: { min: MINUTE_MS / SECOND_MS, max: ACCESS_SECONDS },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_context: unknown, _client: unknown, oneOf?: readonly string[]) => oneOf ?? soleUrl(app),
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_context: unknown, resource: string) => describeTarget(app, resource),
    },
  };
}

/** Returns the address of the only tenant that takes tokens, for clients that name none. */
function soleUrl(app: App): string | undefined {
  const urls = servedHere(app.sellers().values()).map(({ url }) => url);
  return urls.length === 1 ? urls[0] : undefined;
}

function describeTarget(app: App, resource: string): object {
  const isServed = servedHere(app.sellers().values()).some(({ url }) => url === resource);
  if (!isServed) throw new errors.InvalidTarget('the resource is not the address of an MCP endpoint of this server');
  return { scope: GRANT_SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' };
}

/** Returns rules by which somebody is asked each time: what was let once is not let again unseen. */
function askingAlways(): object {
  const policy = interactionPolicy.base();
  const { checks } = policy.get('login');
  checks.clear();
  checks.add(
    new interactionPolicy.Check(
      'nobody',
      'Somebody has to let the client in',
      ({ oidc }) => oidc.result?.login === undefined,
    ),
  );
  return policy;
}

/** Returns the account of a token whose grant still holds; of a sign-in under way there is no grant yet. */
async function findAccount(app: App, accountId: string, grantId: string | undefined): Promise<object | undefined> {
  if (grantId !== undefined && (await app.accessTokens.findGrant(grantId)) === undefined) return undefined;
  return { accountId, claims: async () => ({ sub: accountId }) };
}

/** Fetches the document that describes a client at its own address, and reads it as a registration. */
async function fetchDocument(app: App, url: string): Promise<Response> {
  const { bytes, headers, status } = await app.renderer().outbound.fetch(url, {
    maxBytes: DOCUMENT_BYTES,
    timeoutMs: DOCUMENT_TIMEOUT_MS,
    maxRedirects: 0,
    headers: { accept: 'application/json' },
    local: app.development,
  });
  const document = readJson(bytes);
  if (status !== 200 || !isObject(document)) return new Response(undefined, { status: 502 });
  const cacheControl = headers['cache-control'];
  return Response.json(describeClient(document), {
    headers: cacheControl === undefined ? {} : { 'cache-control': cacheControl },
  });
}

function unusedKey(): object {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
}
