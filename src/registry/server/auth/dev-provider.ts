import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import { isUrl } from '../../../platform/net/url.js';
import type { Identity, TokenUser } from './identity.js';
import { ownAudiences, verifyToken } from './tokens.js';

/** An error of OAuth as its answers write it (RFC 6749 5.2). */
type OAuthFault = { readonly error: string; readonly error_description: string };

/** The parameters of an authorization request (RFC 6749 4.1.1, RFC 7636). */
type AuthorizeRequest = {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly state: string | undefined;
  readonly code_challenge: string;
  /** The name that signs in; development asks for no password. */
  readonly user: string;
};

type Grant = { readonly client_id: string; readonly user: string; readonly until: number };
type Code = Grant & { readonly redirect_uri: string; readonly challenge: string };

const CODE_MS = MINUTE_MS;
const TOKEN_SECONDS = 3600;
const REFRESH_MS = 24 * HOUR_MS;
/** Clients, codes and refresh tokens that are remembered, of each. */
const MAX_ENTRIES = 1000;
const SCOPES = ['openid', 'profile', 'email'];

/** The parts that the provider is made of. */
type DevProviderOptions = { readonly clock: Clock; readonly ids: Ids; readonly baseUrl: () => string };

/**
 * The OAuth 2.1 provider for development and tests: any name signs in, keys live as long as the process. Only a server in development
 * mode may have one.
 */
export class DevProvider implements Identity {
  readonly #options: DevProviderOptions;
  readonly #keys = generateKeyPair('ES256');
  readonly #clients = new Map<string, readonly string[]>();
  readonly #codes = new Map<string, Code>();
  readonly #refreshTokens = new Map<string, Grant>();

  constructor(options: DevProviderOptions) {
    this.#options = options;
  }

  get issuer(): string {
    return this.#options.baseUrl();
  }

  async metadata(): Promise<Readonly<Record<string, unknown>>> {
    const { issuer } = this;
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
  }

  async verify(token: string): Promise<TokenUser | undefined> {
    const { publicKey } = await this.#keys;
    return verifyToken(token, {
      issuer: this.issuer,
      audience: ownAudiences(this.issuer),
      algorithms: ['ES256'],
      keys: async () => publicKey,
      clock: this.#options.clock,
    });
  }

  async register(client: object): Promise<{ readonly status: number; readonly body: object }> {
    const { clock, ids } = this.#options;
    const { redirect_uris: uris } = client as { readonly redirect_uris?: unknown };
    const isUsable =
      Array.isArray(uris) && uris.length > 0 && uris.every((uri) => typeof uri === 'string' && isUrl(uri));
    if (!isUsable) return { status: 400, body: fault('invalid_redirect_uri', 'Send redirect_uris, a list of URLs.') };
    const client_id = ids.uuid();
    setBounded(this.#clients, client_id, uris);
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
  }

  async jwks(): Promise<object> {
    const jwk = await exportJWK((await this.#keys).publicKey);
    return { keys: [{ ...jwk, kid: 'development', alg: 'ES256', use: 'sig' }] };
  }

  /** Returns why a request cannot be granted and must not be answered with a redirect; undefined where it may. */
  refusal(clientId: string, redirectUri: string): string | undefined {
    const uris = this.#clients.get(clientId);
    if (uris === undefined) return 'The client is not registered; register it at /register.';
    return uris.includes(redirectUri) ? undefined : 'redirect_uri is not one that the client registered.';
  }

  /** Grants a request; returns where the browser goes with the code. */
  authorize({ client_id, redirect_uri, state, code_challenge, user }: AuthorizeRequest): string {
    const { clock, ids } = this.#options;
    const code = ids.secret();
    const until = clock.now() + CODE_MS;
    setBounded(this.#codes, code, { client_id, user, redirect_uri, challenge: code_challenge, until });
    const url = new URL(redirect_uri);
    url.searchParams.set('code', code);
    url.searchParams.set('iss', this.issuer);
    if (state !== undefined) url.searchParams.set('state', state);
    return url.href;
  }

  /** Returns tokens for a code or a refresh token. */
  async token(form: Readonly<Record<string, string>>): Promise<object | OAuthFault> {
    const { grant_type } = form;
    if (grant_type === 'refresh_token') return this.#refresh(form);
    if (grant_type === 'authorization_code') return this.#redeem(form);
    return fault('unsupported_grant_type', 'Use authorization_code or refresh_token.');
  }

  async #refresh({ client_id, refresh_token }: Readonly<Record<string, string>>): Promise<object | OAuthFault> {
    const grant = takeOut(this.#refreshTokens, refresh_token);
    const isGood = grant !== undefined && grant.client_id === client_id && grant.until > this.#options.clock.now();
    return isGood ? this.#issue(grant) : fault('invalid_grant', 'The refresh token is unknown, used or expired.');
  }

  async #redeem(form: Readonly<Record<string, string>>): Promise<object | OAuthFault> {
    const code = takeOut(this.#codes, form.code);
    const isGood =
      code !== undefined &&
      code.until > this.#options.clock.now() &&
      code.client_id === form.client_id &&
      code.redirect_uri === form.redirect_uri &&
      code.challenge === codeChallenge(form.code_verifier ?? '');
    return isGood
      ? this.#issue(code)
      : fault('invalid_grant', 'The code is unknown, used or expired, or the verifier is wrong.');
  }

  async #issue({ client_id, user }: Grant): Promise<object> {
    const { clock, ids } = this.#options;
    const { privateKey } = await this.#keys;
    const now = Math.floor(clock.now() / 1000);
    const scope = SCOPES.join(' ');
    const access_token = await new SignJWT({ client_id, name: user, scope })
      .setProtectedHeader({ alg: 'ES256', kid: 'development', typ: 'at+jwt' })
      .setIssuer(this.issuer)
      .setAudience([...ownAudiences(this.issuer)])
      .setSubject(user)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_SECONDS)
      .sign(privateKey);
    const refresh_token = ids.secret();
    setBounded(this.#refreshTokens, refresh_token, { client_id, user, until: clock.now() + REFRESH_MS });
    return { access_token, token_type: 'Bearer', expires_in: TOKEN_SECONDS, refresh_token, scope };
  }
}

/** Returns the S256 challenge of a verifier (RFC 7636 4.2). */
function codeChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Returns an entry and removes it: a code and a refresh token can be used once. */
function takeOut<V>(entries: Map<string, V>, key = ''): V | undefined {
  const value = entries.get(key);
  entries.delete(key);
  return value;
}

function setBounded<V>(entries: Map<string, V>, key: string, value: V): void {
  const [oldest] = entries.keys();
  if (entries.size >= MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
  entries.set(key, value);
}

function fault(error: string, error_description: string): OAuthFault {
  return { error, error_description };
}
