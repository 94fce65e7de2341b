import { GRANT_SCOPES } from '../../domain/tenant/grant.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { OAUTH_PATHS, RESOURCE_METADATA_PATH } from './paths.js';

/** Returns where the metadata of a tenant's MCP endpoint are: the well-known path goes before the path of the resource. */
export function resourceMetadataUrl({ baseUrl, url }: Seller): string {
  return `${baseUrl}${RESOURCE_METADATA_PATH}${url.slice(baseUrl.length)}`;
}

/** Returns the metadata of a tenant's MCP endpoint as a protected resource (RFC 9728); undefined where it takes no tokens. */
export function describeResource({ baseUrl, tenant, url }: Seller): object | undefined {
  if (tenant.oauth === undefined) return undefined;
  return {
    resource: url,
    authorization_servers: [tenant.oauth.issuer?.url ?? baseUrl],
    scopes_supported: GRANT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: tenant.name,
  };
}

/** Returns where the authorization server that is built in is asked, and where its metadata are. */
export function addressesOf(
  baseUrl: string,
): Readonly<Record<'authorization_endpoint' | 'token_endpoint' | 'metadata', string>> {
  return {
    authorization_endpoint: `${baseUrl}${OAUTH_PATHS.authorization}`,
    token_endpoint: `${baseUrl}${OAUTH_PATHS.token}`,
    metadata: `${baseUrl}/.well-known/oauth-authorization-server`,
  };
}

/** Returns the metadata of the authorization server that is built in (RFC 8414). */
export function describeServer(baseUrl: string): object {
  const at = (name: keyof typeof OAUTH_PATHS): string => `${baseUrl}${OAUTH_PATHS[name]}`;
  return {
    issuer: baseUrl,
    authorization_endpoint: at('authorization'),
    token_endpoint: at('token'),
    registration_endpoint: at('registration'),
    revocation_endpoint: at('revocation'),
    scopes_supported: GRANT_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Returns the tenants that take tokens of the server that is built in. */
export function servedHere(sellers: Iterable<Seller>): readonly Seller[] {
  return [...sellers].filter(({ tenant: { oauth } }) => oauth !== undefined && oauth.issuer === undefined);
}
