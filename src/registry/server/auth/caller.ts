import { RegistryProblem } from '../service/problem.js';

/** The callers that an agent is shown to. */
export const VISIBILITIES = ['public', 'members_only', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** The tiers of membership: `api` members see what is for members only. */
export const MEMBERSHIP_TIERS = ['basic', 'api'] as const;
export type MembershipTier = (typeof MEMBERSHIP_TIERS)[number];

/** The roles of users, who all save for their organization: `moderator` decides reviews and rollbacks, `admin` everything. */
export const ROLES = ['member', 'moderator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The organization that a caller acts for. */
type CallerOrganization = {
  readonly org_id: string;
  readonly slug: string;
  readonly name: string;
  readonly tier: MembershipTier;
};

/** The caller of a request: anonymous, or proven by an organization's key or a user's token. */
export type RegistryCaller =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'key' | 'user';
      /** The key that limits per user count by: the API key's id, or the issuer's subject. */
      readonly id: string;
      /** Name that the history shows. */
      readonly name: string;
      /** Absent for a user who belongs to none: proven, and entitled to nothing. */
      readonly organization?: CallerOrganization;
      readonly role: Role;
    };

/** A caller that acts for an organization. */
export type Member = Extract<RegistryCaller, { kind: 'key' | 'user' }> & { readonly organization: CallerOrganization };

/** The caller without a credential. */
export const ANONYMOUS: RegistryCaller = { kind: 'anonymous' };

/** Whether a caller sees a thing of this visibility that belongs to `ownerOrgId`. */
export function canSee(caller: RegistryCaller, visibility: Visibility, ownerOrgId: string | undefined): boolean {
  if (visibility === 'public') return true;
  if (caller.kind === 'anonymous') return false;
  if (caller.role === 'admin') return true;
  const { organization } = caller;
  if (organization === undefined) return false;
  if (organization.org_id === ownerOrgId) return true;
  return visibility === 'members_only' && organization.tier === 'api';
}

/** Returns the caller as a member. Throws membership_required. */
export function asMember(caller: RegistryCaller): Member {
  if (caller.kind !== 'anonymous' && caller.organization !== undefined) {
    return { ...caller, organization: caller.organization };
  }
  throw new RegistryProblem('membership_required', 'This needs the membership of an organization.', {
    suggestion: 'Use an API key of an organization, or ask its owner to add you as a member.',
  });
}

/** Whether a caller decides about what others saved. */
export function isModerator(caller: RegistryCaller): boolean {
  return caller.kind !== 'anonymous' && caller.role !== 'member';
}
