import type { JWTVerifyGetKey } from 'jose';
import { sha256Hex } from '../../platform/kernel/canonical.js';
import type { Clock } from '../../platform/kernel/clock.js';
import { isObject, readJson } from '../../platform/kernel/json/json.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { type ExternalIssuer, readScopes, type TokenAccess } from '../domain/tenant/grant.js';
import type { Seller } from '../domain/tenant/seller.js';

const METADATA_BYTES = 256 * 1024;
const TIMEOUT_MS = 5000;
/** Signatures that anybody can check; none by a shared secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
/** Where an issuer describes itself (RFC 8414, OpenID Connect Discovery). */
const METADATA_PATHS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const;
/** Most issuers whose keys are remembered; a server has few. */
const MAX_ISSUERS = 100;

type ExternalTokensParts = { readonly clock: Clock; readonly outbound: Outbound };

/** Checks the tokens of issuers that operators have named in their tenant files. */
export class ExternalTokens {
  readonly #parts: ExternalTokensParts;
  /** The keys of issuers, by where they are; the first made goes first. */
  readonly #keys = new Map<string, Promise<JWTVerifyGetKey>>();

  constructor(parts: ExternalTokensParts) {
    this.#parts = parts;
  }

  /** Returns what a JWT opens: signature, issuer, audience and time are right, and it names a principal. Throws where the keys cannot be had. */
  async find(seller: Seller, issuer: ExternalIssuer, token: string): Promise<TokenAccess | undefined> {
    const { errors, jwtVerify } = await import('jose');
    try {
      const { payload } = await jwtVerify(token, await this.#keysOf(issuer), {
        issuer: issuer.url,
        audience: issuer.audience ?? seller.url,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp'],
        currentDate: new Date(this.#parts.clock.now()),
      });
      const subject = payload[issuer.principalClaim];
      const holder = seller.tenant.principals.find(({ subjects }) => subjects?.some((one) => one === subject) === true);
      const principal = seller.callers.find(({ id }) => id === holder?.id);
      if (principal === undefined) return undefined;
      const scopes = readScopes(Array.isArray(payload.scp) ? payload.scp.join(' ') : payload.scope);
      const grant_id = sha256Hex(`${issuer.url} ${String(subject)} ${String(payload.client_id ?? payload.azp)}`);
      return { principal, grant: { grant_id, scopes, limit: seller.tenant.oauth?.limit } };
    } catch (error) {
      // What jose throws is about the token; all else is about fetching the keys.
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return undefined;
      throw error;
    }
  }

  #keysOf(issuer: ExternalIssuer): Promise<JWTVerifyGetKey> {
    const where = `${issuer.url} ${issuer.jwksUri ?? ''}`;
    const cached = this.#keys.get(where);
    if (cached !== undefined) return cached;
    const made = this.#openKeys(issuer);
    this.#keys.set(where, made);
    for (const one of this.#keys.keys()) if (this.#keys.size > MAX_ISSUERS) this.#keys.delete(one);
    made.catch(() => this.#keys.delete(where));
    return made;
  }

  async #openKeys({ jwksUri, url }: ExternalIssuer): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const uri = jwksUri ?? (await this.#findKeys(url));
    return createRemoteJWKSet(new URL(uri), {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: async (address: string) => Response.json(await this.#read(String(address))),
    });
  }

  async #findKeys(issuer: string): Promise<string> {
    for (const path of METADATA_PATHS) {
      const metadata = await this.#read(`${issuer.replace(/\/$/, '')}${path}`).catch(() => undefined);
      if (isObject(metadata) && metadata.issuer === issuer && typeof metadata.jwks_uri === 'string')
        return metadata.jwks_uri;
    }
    throw new Error(`the metadata of the issuer ${issuer} cannot be read`);
  }

  async #read(url: string): Promise<unknown> {
    const options = { maxBytes: METADATA_BYTES, timeoutMs: TIMEOUT_MS, trusted: true };
    const { bytes, status } = await this.#parts.outbound.fetch(url, {
      ...options,
      headers: { accept: 'application/json' },
    });
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    return readJson(bytes);
  }
}
