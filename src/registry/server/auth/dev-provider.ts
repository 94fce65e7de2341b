import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import { isUrl } from '../../../platform/net/url.js';
import type { Identity } from './identity.js';
import { ownAudiences, verifyToken } from './tokens.js';

/** An error of OAuth as its answers write it (RFC 6749 5.2). */
export type OAuthFault = { readonly error: string; readonly error_description: string };

/** What a client asks to be let in with (RFC 6749 4.1.1, RFC 7636). */
export type AuthorizeRequest = {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly state: string | undefined;
  readonly code_challenge: string;
  /** Who signs in; development asks for no password. */
  readonly user: string;
};

/** The OAuth 2.1 provider for development and tests: any name signs in, keys live as long as the process. */
export type DevProvider = Identity & {
  readonly jwks: () => Promise<object>;
  /** Why the wish cannot be granted and must not be answered with a redirect; undefined where it may. */
  readonly refusal: (clientId: string, redirectUri: string) => string | undefined;
  /** Where the browser goes with the code. */
  readonly authorize: (wish: AuthorizeRequest) => string;
  /** Tokens for a code or a refresh token. */
  readonly token: (form: Readonly<Record<string, string>>) => Promise<object | OAuthFault>;
};

type Grant = { readonly client_id: string; readonly user: string; readonly until: number };
type Code = Grant & { readonly redirect_uri: string; readonly challenge: string };

const CODE_MS = MINUTE_MS;
const TOKEN_SECONDS = 3600;
const REFRESH_MS = 24 * HOUR_MS;
const MOST_KEPT = 1000;
const SCOPES = ['openid', 'profile', 'email'];

/** Opens the provider. Only a server in development mode may. */
export function createDevProvider({
  clock,
  ids,
  baseUrl,
}: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly baseUrl: () => string;
}): DevProvider {
  const pair = generateKeyPair('ES256');
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, Code>();
  const refreshes = new Map<string, Grant>();

  async function tokens({ client_id, user }: Grant): Promise<object> {
    const { privateKey } = await pair;
    const now = Math.floor(clock.now() / 1000);
    const access_token = await new SignJWT({ client_id, name: user, scope: SCOPES.join(' ') })
      .setProtectedHeader({ alg: 'ES256', kid: 'development', typ: 'at+jwt' })
      .setIssuer(baseUrl())
      .setAudience([...ownAudiences(baseUrl())])
      .setSubject(user)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_SECONDS)
      .sign(privateKey);
    const refresh_token = ids.secret();
    keep(refreshes, refresh_token, { client_id, user, until: clock.now() + REFRESH_MS });
    return { access_token, token_type: 'Bearer', expires_in: TOKEN_SECONDS, refresh_token, scope: SCOPES.join(' ') };
  }

  return {
    get issuer() {
      return baseUrl();
    },
    metadata: async () => {
      const issuer = baseUrl();
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        jwks_uri: `${issuer}/oauth/jwks.json`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        scopes_supported: SCOPES,
      };
    },
    verify: async (token) => {
      const { publicKey } = await pair;
      return verifyToken(token, {
        issuer: baseUrl(),
        audience: ownAudiences(baseUrl()),
        algorithms: ['ES256'],
        keys: async () => publicKey,
        clock,
      });
    },
    register: async (client) => {
      const { redirect_uris: uris } = client as { readonly redirect_uris?: unknown };
      const isUsable =
        Array.isArray(uris) && uris.length > 0 && uris.every((uri) => typeof uri === 'string' && isUrl(uri));
      if (!isUsable) return { status: 400, body: fault('invalid_redirect_uri', 'Send redirect_uris, a list of URLs.') };
      const client_id = ids.uuid();
      keep(clients, client_id, uris);
      return {
        status: 201,
        body: {
          client_id,
          client_id_issued_at: Math.floor(clock.now() / 1000),
          redirect_uris: uris,
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        },
      };
    },
    jwks: async () => {
      const jwk = await exportJWK((await pair).publicKey);
      return { keys: [{ ...jwk, kid: 'development', alg: 'ES256', use: 'sig' }] };
    },
    refusal: (clientId, redirectUri) => {
      const uris = clients.get(clientId);
      if (uris === undefined) return 'The client is not registered; register it at /register.';
      return uris.includes(redirectUri) ? undefined : 'redirect_uri is not one that the client registered.';
    },
    authorize: ({ client_id, redirect_uri, state, code_challenge, user }) => {
      const code = ids.secret();
      keep(codes, code, { client_id, user, redirect_uri, challenge: code_challenge, until: clock.now() + CODE_MS });
      const url = new URL(redirect_uri);
      url.searchParams.set('code', code);
      url.searchParams.set('iss', baseUrl());
      if (state !== undefined) url.searchParams.set('state', state);
      return url.href;
    },
    token: async (form) => {
      const { grant_type, client_id } = form;
      if (grant_type === 'refresh_token') {
        const grant = take(refreshes, form.refresh_token);
        const isGood = grant !== undefined && grant.client_id === client_id && grant.until > clock.now();
        return isGood ? tokens(grant) : fault('invalid_grant', 'The refresh token is unknown, used or expired.');
      }
      if (grant_type !== 'authorization_code')
        return fault('unsupported_grant_type', 'Use authorization_code or refresh_token.');
      const code = take(codes, form.code);
      const isGood =
        code !== undefined &&
        code.until > clock.now() &&
        code.client_id === client_id &&
        code.redirect_uri === form.redirect_uri &&
        code.challenge === challengeOf(form.code_verifier ?? '');
      return isGood
        ? tokens(code)
        : fault('invalid_grant', 'The code is unknown, used or expired, or the verifier is wrong.');
    },
  };
}

/** The S256 challenge of a verifier (RFC 7636 4.2). */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** A code and a refresh token work once. */
function take<V>(kept: Map<string, V>, key: string | undefined): V | undefined {
  const value = kept.get(key ?? '');
  kept.delete(key ?? '');
  return value;
}

function keep<V>(kept: Map<string, V>, key: string, value: V): void {
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, value);
}

function fault(error: string, error_description: string): OAuthFault {
  return { error, error_description };
}
