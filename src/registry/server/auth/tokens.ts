import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { type Clock, HOUR_MS } from '../../../platform/kernel/clock.js';
import { isObject, readJson } from '../../../platform/kernel/json/json.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import { type IdentityProvider, TOKEN_ALGORITHMS } from '../../settings.js';
import { RegistryProblem } from '../service/problem.js';
import type { Identity, TokenUser } from './identity.js';

/** What tokens are verified with. */
export type TokenRules = {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly keys: JWTVerifyGetKey;
  readonly clock: Clock;
};

/** The user of an access token (spec 1, Authentication 2): signature, issuer, audience and time, and a subject that is a user. */
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
    // What jose throws is about the token; all else is about the way to the keys.
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return undefined;
    throw unavailable();
  }
}

const METADATA_BYTES = 256 * 1024;
const TIMEOUT_MS = 5000;
/** Where a provider describes itself (RFC 8414, OpenID Connect Discovery). */
const METADATA_PATHS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const;

/** The identity provider that the operator has configured; reached when its first token comes. */
export function remoteIdentity(
  provider: IdentityProvider,
  { clock, outbound, baseUrl }: { readonly clock: Clock; readonly outbound: Outbound; readonly baseUrl: () => string },
): Identity {
  let read: { readonly at: number; readonly metadata: Readonly<Record<string, unknown>> } | undefined;
  let keys: JWTVerifyGetKey | undefined;

  async function send(url: string, body?: string): Promise<{ readonly status: number; readonly json: unknown }> {
    const { bytes, status } = await outbound
      .fetch(url, {
        maxBytes: METADATA_BYTES,
        timeoutMs: TIMEOUT_MS,
        trusted: true,
        headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { method: 'POST' as const, body }),
      })
      .catch(() => {
        throw unavailable();
      });
    return { status, json: readJson(bytes) };
  }

  async function metadata(): Promise<Readonly<Record<string, unknown>>> {
    if (read !== undefined && clock.now() - read.at < HOUR_MS) return read.metadata;
    for (const path of METADATA_PATHS) {
      const { status, json } = await send(`${provider.issuer.replace(/\/$/, '')}${path}`);
      if (status === 200 && isObject(json) && json.issuer === provider.issuer) {
        read = { at: clock.now(), metadata: json };
        return json;
      }
    }
    throw unavailable();
  }

  async function keySet(): Promise<JWTVerifyGetKey> {
    if (keys !== undefined) return keys;
    const uri = provider.jwks_uri ?? (await metadata()).jwks_uri;
    if (typeof uri !== 'string') throw unavailable();
    keys = createRemoteJWKSet(new URL(uri), {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: async (url) => {
        const { status, json } = await send(url);
        return new Response(JSON.stringify(json), { status });
      },
    });
    return keys;
  }

  return {
    issuer: provider.issuer,
    metadata,
    verify: async (token) =>
      verifyToken(token, {
        issuer: provider.issuer,
        audience: provider.audience ?? ownAudiences(baseUrl()),
        algorithms: provider.algorithms ?? TOKEN_ALGORITHMS,
        keys: await keySet(),
        clock,
      }),
    register: async (client) => {
      const { registration_endpoint: endpoint } = await metadata();
      if (typeof endpoint !== 'string') return undefined;
      const { status, json } = await send(endpoint, JSON.stringify(client));
      return { status, body: isObject(json) ? json : {} };
    },
  };
}

/** What tokens for this registry name: one works for the REST API and for /mcp (spec 1, Authentication 2). */
export function ownAudiences(baseUrl: string): readonly string[] {
  return [baseUrl, `${baseUrl}/`, `${baseUrl}/api`, `${baseUrl}/mcp`];
}

function unavailable(): RegistryProblem {
  return new RegistryProblem('unavailable', 'The identity provider cannot be reached just now.', {
    retryAfter: 30,
    suggestion: 'Try again in half a minute, or use an API key.',
  });
}
