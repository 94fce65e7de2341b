import { z } from 'zod';
import type { SignInProvider } from '../domain/console/provider.js';
import { distinct, object, webAddress } from './schema/shapes.js';

const values = distinct(z.string().min(1)).default([]);

/** The identity provider by which people sign in to the console, in the settings file. */
export const signInSchema = object({
  issuer: webAddress('The identity provider, as its metadata and tokens write it, to the letter.'),
  client_id: z.string().min(1).describe('The id that the provider gave to the console.'),
  client_secret: object({ env: z.string().min(1).describe('Name of the environment variable that holds it.') })
    .optional()
    .describe('The secret that it gave, as {"env": "NAME"}; left out of a public client.'),
  scopes: z.string().default('openid profile email').describe('What is asked for; "openid profile email" unless set.'),
  role_claim: z.string().min(1).default('groups').describe('The claim that roles follow from; "groups" unless set.'),
  roles: object({
    view: values.describe('Values of the claim whose people look on.'),
    operate: values.describe('Values of the claim whose people decide and act too.'),
    admin: values.describe('Values of the claim whose people change who may do what too.'),
  }).describe('Which values of the claim give which role; who has none of them is turned away.'),
});

/** Returns the identity provider of the console; undefined where none is set. */
export function signInProviderOf(
  file: z.output<typeof signInSchema> | undefined,
  clientSecret: string | undefined,
): SignInProvider | undefined {
  if (file === undefined) return undefined;
  const { client_id, issuer, role_claim, roles, scopes } = file;
  const { admin, operate, view } = roles;
  return { issuer, clientId: client_id, clientSecret, scopes, roleClaim: role_claim, roles: { view, operate, admin } };
}
