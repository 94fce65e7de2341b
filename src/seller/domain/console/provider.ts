import { ROLES, type Role } from './access.js';

/** An identity provider (OpenID Connect) by which people sign in to the console. */
export type SignInProvider = {
  /** As its tokens and its metadata write it, to the letter. */
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined of a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  /** The claim of the ID token that roles follow from. */
  readonly roleClaim: string;
  /** The values of the claim that give a role. */
  readonly roles: Readonly<Record<Role, readonly string[]>>;
};

/** Returns the highest role that the claims of somebody give; undefined where they give none. */
export function roleOfClaims(
  { roleClaim, roles }: Pick<SignInProvider, 'roleClaim' | 'roles'>,
  claims: Readonly<Record<string, unknown>>,
): Role | undefined {
  const values = [claims[roleClaim]].flat().filter((value) => typeof value === 'string');
  return ROLES.findLast((role) => roles[role].some((value) => values.includes(value)));
}
