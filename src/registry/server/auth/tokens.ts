import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { type Clock, HOUR_MS } from '../../../platform/kernel/clock.js';
import { isObject, readJson } from '../../../platform/kernel/json/json.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import { type IdentityProvider, TOKEN_ALGORITHMS } from '../../settings.js';
import { RegistryProblem } from '../service/problem.js';
import type { Identity, TokenUser } from './identity.js';

/** The rules that a token is verified by. */
type TokenRules = {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly keys: JWTVerifyGetKey;
  readonly clock: Clock;
};

/** Returns the user of an access token whose signature, issuer, audience and time are right; undefined for any other, and for a client's own. */
export async function verifyToken(token: string, rules: TokenRules): Promise<TokenUser | undefined> {
  try {
    const { payload } = await jwtVerify(token, rules.keys, {
      issuer: rules.issuer,
      audience: [...rules.audience],
      algorithms: [...rules.algorithms],
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(rules.clock.now()),
    });
    const { sub, name, email } = payload;
    if (typeof sub !== 'string' || sub === '' || payload.gty === 'client-credentials') return undefined;
    return {
      subject: sub,
      name: ([name, email].find((text) => typeof text === 'string' && text !== '') as string) ?? sub,
    };
  } catch (error) {
    if (error instanceof RegistryProblem) throw error;
    // What jose throws is about the token; all else is about fetching the keys.
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return undefined;
    throw refuseUnavailable();
  }
}

const METADATA_BYTES = 256 * 1024;
const TIMEOUT_MS = 5000;
/** Where a provider describes itself (RFC 8414, OpenID Connect Discovery). */
const METADATA_PATHS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const;

/** The means of reaching an identity provider. */
type RemoteIdentityOptions = {
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly baseUrl: () => string;
};

/** The identity provider that the operator has configured; reached when its first token comes. */
export class RemoteIdentity implements Identity {
  readonly #provider: IdentityProvider;
  readonly #options: RemoteIdentityOptions;
  #cached: { readonly at: number; readonly metadata: Readonly<Record<string, unknown>> } | undefined;
  #keys: JWTVerifyGetKey | undefined;

  constructor(provider: IdentityProvider, options: RemoteIdentityOptions) {
    this.#provider = provider;
    this.#options = options;
  }

  get issuer(): string {
    return this.#provider.issuer;
  }

  async metadata(): Promise<Readonly<Record<string, unknown>>> {
    const { clock } = this.#options;
    if (this.#cached !== undefined && clock.now() - this.#cached.at < HOUR_MS) return this.#cached.metadata;
    for (const path of METADATA_PATHS) {
      const { status, json } = await this.#send(`${this.issuer.replace(/\/$/, '')}${path}`);
      if (status === 200 && isObject(json) && json.issuer === this.issuer) {
        this.#cached = { at: clock.now(), metadata: json };
        return json;
      }
    }
    throw refuseUnavailable();
  }

  async verify(token: string): Promise<TokenUser | undefined> {
    const { algorithms = TOKEN_ALGORITHMS, audience } = this.#provider;
    const { baseUrl, clock } = this.#options;
    const keys = await this.#keySet();
    return verifyToken(token, {
      issuer: this.issuer,
      audience: audience ?? ownAudiences(baseUrl()),
      algorithms,
      keys,
      clock,
    });
  }

  async register(client: object): Promise<{ readonly status: number; readonly body: object } | undefined> {
    const { registration_endpoint: endpoint } = await this.metadata();
    if (typeof endpoint !== 'string') return undefined;
    const { status, json } = await this.#send(endpoint, JSON.stringify(client));
    return { status, body: isObject(json) ? json : {} };
  }

  async #keySet(): Promise<JWTVerifyGetKey> {
    if (this.#keys !== undefined) return this.#keys;
    const uri = this.#provider.jwks_uri ?? (await this.metadata()).jwks_uri;
    if (typeof uri !== 'string') throw refuseUnavailable();
    this.#keys = createRemoteJWKSet(new URL(uri), {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: async (url) => {
        const { status, json } = await this.#send(url);
        return new Response(JSON.stringify(json), { status });
      },
    });
    return this.#keys;
  }

  async #send(url: string, body?: string): Promise<{ readonly status: number; readonly json: unknown }> {
    const options = { maxBytes: METADATA_BYTES, timeoutMs: TIMEOUT_MS, trusted: true };
    const accept = { accept: 'application/json' };
    const request =
      body === undefined
        ? { ...options, headers: accept }
        : { ...options, headers: { ...accept, 'content-type': 'application/json' }, method: 'POST' as const, body };
    const { bytes, status } = await this.#options.outbound.fetch(url, request).catch(() => {
      throw refuseUnavailable();
    });
    return { status, json: readJson(bytes) };
  }
}

/** Returns the audiences that tokens for this registry name: one token is good for the REST API and for /mcp. */
export function ownAudiences(baseUrl: string): readonly string[] {
  return [baseUrl, `${baseUrl}/`, `${baseUrl}/api`, `${baseUrl}/mcp`];
}

function refuseUnavailable(): RegistryProblem {
  return new RegistryProblem('unavailable', 'The identity provider cannot be reached just now.', {
    retryAfter: 30,
    suggestion: 'Try again in half a minute, or use an API key.',
  });
}
