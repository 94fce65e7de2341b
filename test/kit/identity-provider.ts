import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { supplyUrlParse } from '../../src/seller/http/oauth/url-parse.js';
import { afterUse } from './after-use.js';

/** Somebody at a provider: the name that signs in is the subject too. */
export type Person = { readonly email: string; readonly groups: readonly string[] };

/** The client that the console is at a provider of tests. */
export const CONSOLE_CLIENT = { id: 'the-console', secret: 'the secret of the console at its provider' };

/** Starts a real OpenID Connect provider, which asks for PKCE and lets its people in by name with any password. */
export async function startIdentityProvider(
  people: Readonly<Record<string, Person>>,
  redirectUris: () => readonly string[],
): Promise<string> {
  supplyUrlParse();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CONSOLE_CLIENT.id,
        client_secret: CONSOLE_CLIENT.secret,
        redirect_uris: [...redirectUris()],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => {
      const person = people[id];
      if (person === undefined) return undefined;
      const { email, groups } = person;
      return { accountId: id, claims: async () => ({ sub: id, email, email_verified: true, name: id, groups }) };
    },
    cookies: { keys: ['a key of the provider’s cookies'] },
  });
  server.on('request', provider.callback());
  afterUse(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return issuer;
}
