/** Where the authorization server answers, below the base URL. */
export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  consent: '/oauth/consent',
} as const;

/** Where the metadata of the authorization server are (RFC 8414, OpenID Connect Discovery). */
export const SERVER_METADATA_PATHS = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
] as const;

/** Where the metadata of a protected resource are, its path behind it (RFC 9728). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

const OPEN_TO_PAGES: ReadonlySet<string> = new Set([
  OAUTH_PATHS.token,
  OAUTH_PATHS.registration,
  OAUTH_PATHS.revocation,
  ...SERVER_METADATA_PATHS,
]);

/** Whether a path is of OAuth and for programs: a program may run in a page of another origin. */
export function isOpenToPages(path: string): boolean {
  return OPEN_TO_PAGES.has(path) || path.startsWith(RESOURCE_METADATA_PATH);
}
