import { isUrl } from '../../../platform/net/url.js';

const MAX_NAME_CHARS = 200;
const MAX_REDIRECT_URIS = 20;
const MAX_URI_CHARS = 2000;

/** Schemes that a browser would run or read in place of handing the code to the client. */
const UNSAFE_SCHEMES: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'view-source:',
]);

/**
 * Returns the metadata of a client as they are registered here: a public client with PKCE, whatever else it offered (RFC 7591 lets a server
 * replace what it was asked for). Throws a text that says what is wrong with its redirect URIs.
 */
export function describeClient(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { client_id, client_name, client_uri } = given;
  const redirects = readRedirects(given.redirect_uris);
  return {
    client_id,
    client_name: typeof client_name === 'string' ? client_name.slice(0, MAX_NAME_CHARS) : undefined,
    client_uri: typeof client_uri === 'string' && isUrl(client_uri) ? client_uri.slice(0, MAX_URI_CHARS) : undefined,
    redirect_uris: redirects,
    // A program on somebody's machine listens on the loopback or has a scheme of its own.
    application_type: redirects.every((uri) => uri.startsWith('https:')) ? 'web' : 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

function readRedirects(given: unknown): readonly string[] {
  const uris = Array.isArray(given) ? given.filter((uri): uri is string => typeof uri === 'string') : [];
  if (uris.length === 0) throw new Error('redirect_uris must hold at least one URI');
  if (uris.length > MAX_REDIRECT_URIS) throw new Error(`redirect_uris may hold ${MAX_REDIRECT_URIS} URIs at most`);
  for (const uri of uris) {
    if (uri.length > MAX_URI_CHARS || !isUrl(uri)) throw new Error('redirect_uris must hold absolute URIs');
    const { hash, password, protocol, username } = new URL(uri);
    if (UNSAFE_SCHEMES.has(protocol)) throw new Error(`redirect_uris may not use the scheme ${protocol}`);
    if (hash !== '' || username !== '' || password !== '')
      throw new Error('redirect_uris may have no fragment, user or password');
  }
  return uris;
}
