/** What somebody may do in the console, the least first: look, decide and act, change who may do what. */
export const ROLES = ['view', 'operate', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Somebody who may use the console. `verifier` is what a password is checked by; `created_at` in ms since the epoch. */
export type ConsoleUser = {
  readonly name: string;
  readonly role: Role;
  readonly verifier: string;
  readonly created_at: number;
};

/** How somebody signed in: with a password, by the one-time link of the machine's own user, or at an identity provider. */
export type SessionOrigin = 'password' | 'link' | 'oidc';

/** Somebody who is signed in. Times in ms since the epoch. */
export type ConsoleSession = {
  /** SHA-256 of the secret in the cookie. */
  readonly digest: string;
  readonly actor: string;
  readonly origin: SessionOrigin;
  /** As it was at the sign-in; with a password, the role that the person has by now counts. */
  readonly role: Role;
  readonly created_at: number;
  readonly seen_at: number;
  readonly expires_at: number;
};

/** Whether a role includes what another one may do. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
