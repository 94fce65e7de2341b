import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import { isObject, readJson } from '../../../platform/kernel/json/json.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import { isUrl } from '../../../platform/net/url.js';
import { roleOfClaims, type SignInProvider } from '../../domain/console/provider.js';
import type { SignedIn } from './sessions.js';

/** How long somebody may take at the provider, and how many are there at a time. */
const LIFE_MS = 10 * MINUTE_MS;
const MAX_PENDING = 1000;
const METADATA_MS = HOUR_MS;
const MAX_ANSWER_BYTES = 256 * 1024;
const TIMEOUT_MS = 10 * SECOND_MS;
/** Signatures of ID tokens that are taken: none that a client's secret makes. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
const MAX_NAME_CHARS = 100;

/** Why somebody could not sign in, in words for them. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

/** The ports that providers are reached through. */
type OidcPorts = {
  readonly outbound: () => Outbound;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'secret'>;
};

/** Somebody who was sent to the provider, until they come back. */
type Pending = {
  readonly verifier: string;
  readonly nonce: string;
  readonly redirectUri: string;
  readonly next: string;
  readonly endsAtMs: number;
};

/** Where a browser is sent, and what it has to show when it comes back. */
type Start = { readonly url: string; readonly state: string };

/** The members of a provider's metadata that are used. */
type Metadata = { readonly authorization: string; readonly token: string; readonly jwks: string };

/** The metadata as they were read, and the keys that they lead to. */
type Discovered = { readonly atMs: number; readonly value: Metadata; readonly keys: JWTVerifyGetKey };

/** Signs people in at an identity provider: authorization code with PKCE, state and nonce (OpenID Connect Core 1.0). */
export class OidcSignIn {
  readonly provider: SignInProvider;
  readonly #ports: OidcPorts;
  /** By the state; the oldest first. */
  readonly #pending = new Map<string, Pending>();
  #discovered: Discovered | undefined;

  constructor(provider: SignInProvider, ports: OidcPorts) {
    this.provider = provider;
    this.#ports = ports;
  }

  /** Returns where a browser goes to sign in. Throws SignInRefused where the provider does not say how. */
  async start(redirectUri: string, next: string): Promise<Start> {
    const { ids, clock } = this.#ports;
    const { value } = await this.#discover();
    const [state, nonce, verifier] = [ids.secret(), ids.secret(), `${ids.secret()}${ids.secret()}`.slice(0, 128)];
    this.#pending.set(state, { verifier, nonce, redirectUri, next, endsAtMs: clock.now() + LIFE_MS });
    for (const oldest of this.#pending.keys()) if (this.#pending.size > MAX_PENDING) this.#pending.delete(oldest);
    const url = new URL(value.authorization);
    const query = {
      response_type: 'code',
      client_id: this.provider.clientId,
      redirect_uri: redirectUri,
      scope: this.provider.scopes,
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    for (const [name, text] of Object.entries(query)) url.searchParams.set(name, text);
    return { url: url.href, state };
  }

  /** Returns who came back from the provider, and where they were going. `state` is what their browser was given. Throws SignInRefused. */
  async finish(query: URLSearchParams, state: string | undefined): Promise<{ who: SignedIn; next: string }> {
    const given = query.get('state') ?? '';
    const pending = this.#pending.get(given);
    this.#pending.delete(given);
    if (pending === undefined || given !== state || this.#ports.clock.now() >= pending.endsAtMs)
      throw new SignInRefused('This sign-in was not begun in this browser, or too long ago.');
    if (query.get('error') !== null) throw new SignInRefused('The identity provider did not sign you in.');
    const issuer = query.get('iss');
    if (issuer !== null && issuer !== this.provider.issuer) throw new SignInRefused('Another provider answered.');
    const { keys, value } = await this.#discover();
    const token = await this.#exchange(value.token, query.get('code') ?? '', pending);
    return { who: await this.#identify(token, keys, pending), next: pending.next };
  }

  async #exchange(endpoint: string, code: string, { redirectUri, verifier }: Pending): Promise<string> {
    const { clientId, clientSecret } = this.provider;
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    if (clientSecret === undefined) form.set('client_id', clientId);
    const basic = [clientId, clientSecret ?? ''].map(encodeURIComponent).join(':');
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      authorization: clientSecret === undefined ? undefined : `Basic ${Buffer.from(basic).toString('base64')}`,
    };
    const json = await this.#ask(endpoint, { method: 'POST', body: form.toString(), headers });
    if (isObject(json) && typeof json.id_token === 'string') return json.id_token;
    throw new SignInRefused('The identity provider gave no ID token.');
  }

  async #identify(token: string, keys: JWTVerifyGetKey, { nonce }: Pending): Promise<SignedIn> {
    const { clientId, issuer } = this.provider;
    const currentDate = new Date(this.#ports.clock.now());
    const rules = {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'iat', 'sub'],
      currentDate,
    };
    const { payload } = await jwtVerify(token, keys, { ...rules, clockTolerance: 60 }).catch((error: unknown) => {
      if (error instanceof errors.JOSEError) throw new SignInRefused('The ID token of the provider does not hold.');
      throw error;
    });
    const isForUs = payload.azp === undefined || payload.azp === clientId;
    if (payload.nonce !== nonce || !isForUs) throw new SignInRefused('The ID token is of another sign-in.');
    const role = roleOfClaims(this.provider, payload);
    if (role === undefined)
      throw new SignInRefused(`You have no role here: nothing in your ${this.provider.roleClaim} gives one.`);
    return { actor: actorOf(payload, issuer), origin: 'oidc', role };
  }

  async #discover(): Promise<Discovered> {
    const now = this.#ports.clock.now();
    if (this.#discovered !== undefined && now - this.#discovered.atMs < METADATA_MS) return this.#discovered;
    const { issuer } = this.provider;
    const json = await this.#ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {});
    const value = readMetadata(json, issuer);
    const options = { [customFetch]: (url: string) => this.#fetchKeys(url) };
    const keys = createRemoteJWKSet(new URL(value.jwks), options);
    this.#discovered = { atMs: now, value, keys };
    return this.#discovered;
  }

  async #fetchKeys(url: string): Promise<Response> {
    return new Response(JSON.stringify(await this.#ask(url, {})), {
      headers: { 'content-type': 'application/json' },
    });
  }

  async #ask(
    url: string,
    {
      body,
      headers = {},
      method = 'GET',
    }: { body?: string; headers?: Readonly<Record<string, string | undefined>>; method?: 'GET' | 'POST' },
  ): Promise<unknown> {
    const own = Object.entries(headers).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]));
    const options = {
      method,
      body,
      headers: Object.fromEntries(own),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
    };
    try {
      const { bytes, status } = await this.#ports.outbound().fetch(url, { ...options, maxRedirects: 0, trusted: true });
      if (status === 200) return readJson(bytes.toString('utf8'));
    } catch {
      throw new SignInRefused('The identity provider cannot be reached just now.');
    }
    throw new SignInRefused('The identity provider refused what was asked of it.');
  }
}

function readMetadata(json: unknown, issuer: string): Metadata {
  const { authorization_endpoint, issuer: named, jwks_uri, token_endpoint } = isObject(json) ? json : {};
  const [authorization, token, jwks] = [authorization_endpoint, token_endpoint, jwks_uri];
  const isWhole = [authorization, token, jwks].every((url) => typeof url === 'string' && isUrl(url));
  if (named !== issuer || !isWhole) throw new SignInRefused('The identity provider describes itself as another one.');
  return { authorization: String(authorization), token: String(token), jwks: String(jwks) };
}

/** Returns who somebody is to the log of acts; the provider's name keeps them apart from who has a password here. */
function actorOf(
  { email, email_verified, preferred_username, sub }: Readonly<Record<string, unknown>>,
  issuer: string,
): string {
  const own = email_verified === false ? [preferred_username, sub] : [email, preferred_username, sub];
  const name = own.find((text) => typeof text === 'string' && text !== '');
  return `${String(name).slice(0, MAX_NAME_CHARS)} (${new URL(issuer).hostname})`;
}
