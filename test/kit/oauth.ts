import { createHash, randomBytes } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { type HttpAnswer, send } from './http.js';

/** Where the client of the tests gets its code: nobody has to listen there. */
export const REDIRECT = 'http://127.0.0.1:9/callback';

/** What a client of the MCP SDK remembers, and where it sends its user. */
export class RememberingClient implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  /** The last address that the user was sent to. */
  sentTo: URL | undefined;
  information: OAuthClientInformationMixed | undefined;
  saved: OAuthTokens | undefined;
  #verifier = '';

  constructor(scope?: string, clientMetadataUrl?: string, redirect = REDIRECT) {
    this.redirectUrl = redirect;
    this.clientMetadata = {
      client_name: 'Test assistant',
      redirect_uris: [redirect],
      // What hosted assistants ask for, of which a public client with PKCE is made.
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      scope,
    };
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  state = (): string => 'state-of-the-test';
  clientInformation = (): OAuthClientInformationMixed | undefined => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed): void => {
    this.information = information;
  };
  tokens = (): OAuthTokens | undefined => this.saved;
  saveTokens = (tokens: OAuthTokens): void => {
    this.saved = tokens;
  };
  redirectToAuthorization = (url: URL): void => {
    this.sentTo = url;
  };
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier;
  };
  codeVerifier = (): string => this.#verifier;
}

/** A browser of a person, as far as forms and redirects go. */
export class Visitor {
  readonly #cookies = new Map<string, string>();
  readonly #headers: Readonly<Record<string, string>>;
  /** The page that it shows. */
  page = '';
  url = '';
  status = 0;

  /** `headers` go with every request of it. */
  constructor(headers: Readonly<Record<string, string>> = {}) {
    this.#headers = headers;
  }

  /** Opens an address and follows where it leads; answers the address that is not of `origin` any more, or undefined. */
  async open(url: string, init: Parameters<typeof send>[1] = {}): Promise<URL | undefined> {
    const answer = await send(url, { ...init, headers: { ...this.#headers, ...init.headers, cookie: this.#cookie() } });
    this.#take(answer);
    const { location } = answer.headers;
    if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
      const next = new URL(location, url);
      if (next.origin !== new URL(url).origin) return next;
      return this.open(next.href);
    }
    this.page = answer.text;
    this.status = answer.status;
    this.url = url;
    return undefined;
  }

  /** Sends the form of the page with these fields. */
  submit(fields: Readonly<Record<string, string>>): Promise<URL | undefined> {
    return this.open(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(this.url).origin },
      body: new URLSearchParams(fields).toString(),
    });
  }

  #cookie(): string | undefined {
    const pairs = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? undefined : pairs.join('; ');
  }

  #take({ headers }: HttpAnswer): void {
    for (const cookie of (headers['set-cookie'] ?? '').split(/,(?=\s*\w+=)/)) {
      const [, name, value] = /^\s*([\w.]+)=([^;]*)/.exec(cookie) ?? [];
      if (name === undefined || value === undefined) continue;
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}

/** The fields by which somebody lets a client look and buy with a key. */
export function allowing(key: string, fields: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return { decision: 'allow', access: 'buy', limit: '500', currency: 'USD', days: '30', key, ...fields };
}

/** A sign-in that came to its code, and to tokens unless those were left. */
export type OauthSession = {
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly tokens: TokenAnswer;
};

/** What the token endpoint answers. */
export type TokenAnswer = {
  readonly status: number;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope?: string;
  readonly error?: string;
};

/** How somebody is asked, and answers. */
type AuthorizeOptions = {
  readonly fields: Readonly<Record<string, string>>;
  readonly scope?: string;
  readonly clientId?: string;
  readonly isExchanged?: boolean;
  /** Of the browser of who is asked. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Registers a client with the redirect URIs given and answers its id. */
export async function registerClient(baseUrl: string, redirect_uris: readonly string[] = [REDIRECT]): Promise<string> {
  const body = JSON.stringify({ client_name: 'Test assistant', redirect_uris });
  const headers = { 'content-type': 'application/json' };
  const answer = await send(`${baseUrl}/oauth/register`, { method: 'POST', headers, body });
  const { client_id } = answer.json() as { client_id: string };
  return client_id;
}

/** Lets a fresh client in by the consent page, as a person does, and exchanges its code. */
export async function authorizeAs(baseUrl: string, resource: string, options: AuthorizeOptions): Promise<OauthSession> {
  const { fields, isExchanged = true, scope = 'read buy operate' } = options;
  const clientId = options.clientId ?? (await registerClient(baseUrl));
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope,
    resource,
    state: 'state-of-the-test',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const visitor = new Visitor(options.headers);
  const early = await visitor.open(`${baseUrl}/oauth/authorize?${query}`);
  const back = early ?? (await visitor.submit(fields));
  if (back === undefined) throw new Error(`the page said: ${visitor.page.replaceAll(/<[^>]*>/g, ' ')}`);
  const code = back.searchParams.get('code');
  if (code === null) throw new Error(`the client was told: ${back.search}`);
  const session = { clientId, code, verifier, redirectUri: REDIRECT, resource, tokens: NO_TOKENS };
  return isExchanged ? { ...session, tokens: await exchange(baseUrl, session) } : session;
}

const NO_TOKENS: TokenAnswer = { status: 0, access_token: '', refresh_token: '' };

/** Exchanges the code of a sign-in for tokens. */
export function exchange(
  baseUrl: string,
  { clientId, code, redirectUri, resource, verifier }: Omit<OauthSession, 'tokens'>,
): Promise<TokenAnswer> {
  return askToken(baseUrl, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource,
  });
}

/** Renews tokens. */
export function refresh(baseUrl: string, client_id: string, refresh_token: string): Promise<TokenAnswer> {
  return askToken(baseUrl, { grant_type: 'refresh_token', client_id, refresh_token });
}

/** Revokes a token in the name of a client; answers the HTTP status. */
export async function revoke(baseUrl: string, client_id: string, token: string): Promise<number> {
  return (await postForm(`${baseUrl}/oauth/revoke`, { client_id, token })).status;
}

async function askToken(baseUrl: string, fields: Readonly<Record<string, string>>): Promise<TokenAnswer> {
  const answer = await postForm(`${baseUrl}/oauth/token`, fields);
  return { ...(answer.json() as Omit<TokenAnswer, 'status'>), status: answer.status };
}

function postForm(url: string, fields: Readonly<Record<string, string>>): Promise<HttpAnswer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return send(url, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
}
