import type { Principal } from './principal.js';

/** What a grant may open, the least first: look, buy, set accounts up. */
export const GRANT_SCOPES = ['read', 'buy', 'operate'] as const;
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** The most that may be committed on one day of UTC. */
export type DailyLimit = { readonly amount: number; readonly currency: string };

/** A person's permission for a client to act as a principal of a tenant. Times in ms since the epoch. */
export type OauthGrant = {
  readonly grant_id: string;
  readonly tenant: string;
  readonly principal: string;
  /** SHA-256 of the access key that it was given with: it ends with the key. A person of the console gives one without. */
  readonly key_digest?: string | undefined;
  /** Who gave it: the principal itself, or a person of the console. */
  readonly given_by: string;
  readonly client_id: string;
  /** As the client calls itself; nobody has checked it. */
  readonly client_name: string;
  readonly scopes: readonly GrantScope[];
  /** What may be committed under it; undefined: as much as the principal may. */
  readonly limit?: DailyLimit | undefined;
  readonly created_at: number;
  readonly expires_at: number;
};

/** The part of a grant that a call is judged by. */
export type CallGrant = Pick<OauthGrant, 'grant_id' | 'scopes' | 'limit'>;

/** The access of a token: the principal that it acts as, within its grant. */
export type TokenAccess = { readonly principal: Principal; readonly grant: CallGrant };

/** Returns those of the scopes of a text, as OAuth separates them, that there are here. */
export function readScopes(text: unknown): readonly GrantScope[] {
  const named = new Set(typeof text === 'string' ? text.split(' ') : []);
  return GRANT_SCOPES.filter((scope) => named.has(scope));
}

/** How clients get tokens for a tenant: from the server that is built in, or from an issuer of the operator's own. */
export type TenantOauth = {
  readonly issuer?: ExternalIssuer | undefined;
  /** The most that any grant may commit on a day. */
  readonly limit?: DailyLimit | undefined;
  /** Whether anybody may try the sandbox without a key, as the principal of its public token. */
  readonly trySandbox: boolean;
};

/** An authorization server of the operator's own, whose tokens are JWTs. */
export type ExternalIssuer = {
  readonly url: string;
  /** Where its keys are; its metadata say it unless set. */
  readonly jwksUri?: string | undefined;
  /** What its tokens have to be for; the tenant's MCP endpoint unless set. */
  readonly audience?: string | undefined;
  /** The claim that names the principal. */
  readonly principalClaim: string;
};
