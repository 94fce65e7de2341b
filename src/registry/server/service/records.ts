import type { PublicJwk } from '../../../platform/signing/keys/jwk.js';
import type { ResolvedBrand } from '../../brand/resolution.js';
import type { BrandAgentType } from '../../brand/types.js';
import type { Revision as ShownRevision } from '../../client/answers.js';
import type { MembershipTier, Role, Visibility } from '../auth/caller.js';

/** The records of a registry service beside those of the mirror, in the members of the wire. Instants are ISO 8601 texts in UTC. */
export type ServiceRecords = {
  readonly organization: Organization;
  readonly api_key: ApiKey;
  readonly member: OrganizationMember;
  readonly member_agent: MemberAgent;
  readonly entry: Entry;
  readonly revision: Revision;
  readonly ownership: Ownership;
  readonly review: Review;
  readonly denied: DeniedName;
  readonly brand_copy: BrandCopy;
  readonly blocked: Blocked;
  readonly badge_key: BadgeKey;
  readonly revoked_badge: RevokedBadge;
  readonly operator_act: OperatorAct;
  readonly legal_hold: LegalHold;
};

/** An organization whose members save entries and enroll agents. */
export type Organization = {
  readonly org_id: string;
  readonly slug: string;
  readonly name: string;
  readonly tier: MembershipTier;
  readonly created_at: string;
};

/** A key of an organization; only its hash is kept. */
export type ApiKey = {
  readonly key_id: string;
  readonly org_id: string;
  readonly name: string;
  /** SHA-256, hex. */
  readonly hash: string;
  readonly role: Role;
  readonly created_at: string;
  /** When it ends by itself; absent of one that does not. */
  readonly expires_at?: string;
  /** When it was used last, to the hour; absent of one that never was. */
  readonly last_used_at?: string;
  readonly revoked_at?: string;
};

/** A user of the identity provider who belongs to an organization. */
export type OrganizationMember = {
  /** The `sub` of the user's tokens. */
  readonly subject: string;
  readonly org_id: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at: string;
};

/** An agent that an organization has put into the catalog. */
export type MemberAgent = {
  /** Canonical. */
  readonly agent_url: string;
  readonly org_id: string;
  readonly name: string;
  readonly description?: string;
  readonly type: BrandAgentType;
  readonly protocol: 'mcp' | 'a2a';
  readonly visibility: Visibility;
  readonly contact?: { readonly name?: string; readonly email?: string; readonly website?: string };
  readonly added_date: string;
  readonly updated_at: string;
};

/** The kinds of entries that the two save endpoints write. */
export const ENTRY_KINDS = ['brand', 'property'] as const;
/** A kind of the list. */
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What an operator keeps out of a registry. */
export const BLOCKED_KINDS = ['domain', 'agent', 'organization', 'member'] as const;
/** A kind of the list. */
export type BlockedKind = (typeof BLOCKED_KINDS)[number];

/** Something that the operator keeps out: a domain, an agent by its canonical URL, an organization by its id, a member by its subject. */
export type Blocked = {
  readonly kind: BlockedKind;
  readonly name: string;
  readonly reason: string;
  readonly blocked_by: string;
  readonly blocked_at: string;
  /** When what was stored of it was removed for good; absent of what is only kept out. */
  readonly removed_at?: string;
};

/** Something whose records nobody removes, and no retention clears, until the hold ends. Named as what is kept out is. */
export type LegalHold = {
  readonly kind: BlockedKind;
  readonly name: string;
  readonly reason: string;
  readonly held_by: string;
  readonly held_at: string;
};

/** A public key that badges are verified by, at every process and mirror; the private one stays in the folder of the process that signs. */
export type BadgeKey = { readonly kid: string; readonly jwk: PublicJwk; readonly until: string };

/** Something that the operator, an admin or a moderator did; never changed. */
export type OperatorAct = {
  /** A UUID v7: it sorts by when it was done. */
  readonly act_id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Who, with the id of their key or their subject; `operator` for the command line of the registry's own machine. */
  readonly by: string;
  /** The operation's id, such as `adminBlock`. */
  readonly action: string;
  /** What it was about, as it was named. */
  readonly subject: string;
  readonly reason?: string;
};

/** A badge that was taken back: none of its id counts any more. */
export type RevokedBadge = {
  readonly badge_id: string;
  /** Canonical. */
  readonly agent_url: string;
  readonly role: string;
  readonly reason: string;
  readonly revoked_at: string;
  /** When none of its id can be valid any more. */
  readonly until: string;
};

/** The content of a brand's entry. */
export type BrandEntry = {
  readonly brand_name: string;
  readonly brand_manifest?: Readonly<Record<string, unknown>>;
  readonly keller_type?: string;
  readonly house_domain?: string;
  readonly parent_brand?: string;
};

/** The content of a hosted property's entry. The agents are a claim, and authorize nobody. */
export type PropertyEntry = {
  readonly authorized_agents: readonly { readonly url: string; readonly authorized_for?: string }[];
  readonly properties: readonly HostedProperty[];
  readonly contact?: { readonly name?: string; readonly email?: string };
};

/** A property as its publisher or somebody else describes it. */
export type HostedProperty = {
  readonly type: string;
  readonly name: string;
  readonly identifiers?: readonly { readonly type: string; readonly value: string }[];
  readonly tags?: readonly string[];
};

/** A community entry and who may change it. */
export type Entry = {
  readonly id: string;
  readonly kind: EntryKind;
  readonly domain: string;
  readonly org_id: string;
  /** Of the last revision; the creation is 1. */
  readonly revision_number: number;
  readonly content: BrandEntry | PropertyEntry;
  /** Hidden while a moderator has not decided. */
  readonly review_status: 'approved' | 'pending';
  readonly created_at: string;
  readonly updated_at: string;
};

/** One state of an entry, with what it held. */
export type Revision = ShownRevision & {
  readonly kind: EntryKind;
  readonly domain: string;
  readonly content: Entry['content'];
};

/** The proof of an organization for a domain, and the nonce that waits to be verified. */
export type Ownership = {
  readonly org_id: string;
  readonly domain: string;
  /** SHA-256, hex; the nonce itself is not kept. */
  readonly nonce_hash: string;
  readonly state: 'pending' | 'consumed' | 'invalidated';
  readonly issued_at: string;
  readonly expires_at: string;
  /** The last proof that succeeded, also of an earlier nonce. */
  readonly verified_at?: string;
  readonly method?: 'dns' | 'http';
};

/** A submission that a person has to look at. */
export type Review = {
  readonly review_id: string;
  readonly kind: EntryKind;
  readonly domain: string;
  readonly org_id: string;
  readonly reason: string;
  readonly state: 'pending' | 'approved' | 'rejected';
  readonly content: Entry['content'];
  readonly requested_by: string;
  readonly requested_at: string;
  readonly decided_by?: string;
  readonly decided_at?: string;
  /** What the moderator said of it. */
  readonly decided_why?: string | undefined;
};

/** A name that no other may be mistaken for. */
type DeniedName = { readonly domain: string; readonly added_at: string };

/** A brand.json as it was read, and what it resolved to. */
export type BrandCopy = {
  readonly domain: string;
  readonly url: string;
  readonly variant: string;
  /** With the brand of the document itself, where it is one of several. */
  readonly brand: ResolvedBrand & { readonly brand_manifest?: Readonly<Record<string, unknown>> };
  /** The document, as parsed. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly fetched_at: string;
};

/** Returns the one id of an entry and of what hangs on it. */
export function entryKey(kind: EntryKind, domain: string): string {
  return `${kind}:${domain}`;
}
