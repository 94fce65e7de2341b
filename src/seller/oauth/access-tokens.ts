import type { Clock } from '../../platform/kernel/clock.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { findPrincipal, isKeyOpen } from '../domain/tenant/callers.js';
import { type OauthGrant, readScopes, type TokenAccess } from '../domain/tenant/grant.js';
import type { Principal } from '../domain/tenant/principal.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { Store } from '../store/store.js';
import { ExternalTokens } from './external-tokens.js';

type AccessTokensParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly development: boolean;
  readonly outbound: Outbound;
  /** The tenants as they are served now, by path. */
  readonly sellers: () => ReadonlyMap<string, Seller>;
};

/** The longest access token that is looked at: a JWT with many claims. */
const MAX_TOKEN_CHARS = 8192;

/** Finds what access tokens open: those of the server that is built in, or of an issuer of the operator's own. */
export class AccessTokens {
  readonly #parts: AccessTokensParts;
  readonly #external: ExternalTokens;

  constructor(parts: AccessTokensParts) {
    this.#parts = parts;
    this.#external = new ExternalTokens(parts);
  }

  /** Returns what a token opens at the MCP endpoint of a tenant; undefined where it opens nothing there, by now. */
  async find(seller: Seller, token: string): Promise<TokenAccess | undefined> {
    const { oauth } = seller.tenant;
    if (oauth === undefined || token.length > MAX_TOKEN_CHARS) return undefined;
    if (oauth.issuer !== undefined) return this.#external.find(seller, oauth.issuer, token);
    const item = await this.#parts.store.read.oauthItems.find('AccessToken', token);
    if (item === undefined || item.expires_at <= this.#parts.clock.now()) return undefined;
    const { aud, grantId, scope } = item.doc;
    if (aud !== seller.url || typeof grantId !== 'string') return undefined;
    const match = await this.findGrant(grantId);
    if (match === undefined || match.grant.tenant !== seller.tenant.path) return undefined;
    const { grant, principal } = match;
    const scopes = readScopes(scope).filter((one) => grant.scopes.includes(one));
    return { principal, grant: { grant_id: grantId, scopes, limit: grant.limit } };
  }

  /** Returns a grant and its principal as the tenant's file has it now; undefined once it ended, or the key that it was given with did. */
  async findGrant(grantId: string): Promise<{ readonly grant: OauthGrant; readonly principal: Principal } | undefined> {
    const { clock, development, sellers, store } = this.#parts;
    const grant = await store.read.oauthGrants.find(grantId);
    if (grant === undefined || grant.expires_at <= clock.now()) return undefined;
    const seller = sellers().get(grant.tenant);
    const principal = seller && findPrincipal(seller, grant.principal, development);
    if (seller === undefined || principal === undefined) return undefined;
    const { key_digest: digest } = grant;
    const isOpen = digest === undefined || isKeyOpen(seller, digest, principal, { development, nowMs: clock.now() });
    return isOpen ? { grant, principal } : undefined;
  }
}
