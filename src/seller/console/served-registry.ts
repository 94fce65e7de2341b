import type { FailingCrawl, FailingVisit } from '../../registry/model/failing.js';

type Review = {
  readonly review_id: string;
  readonly kind: string;
  readonly domain: string;
  readonly org_id: string;
  /** Why a person has to look at it. */
  readonly reason: string;
  readonly state: 'pending' | 'approved' | 'rejected';
  readonly content: object;
  readonly requested_by: string;
  readonly requested_at: string;
  readonly decided_by?: string;
  readonly decided_at?: string;
  readonly decided_why?: string | undefined;
};

type Entry = {
  readonly id: string;
  readonly kind: string;
  readonly domain: string;
  readonly org_id: string;
  readonly revision_number: number;
  readonly content: object;
  readonly updated_at: string;
};

type Revision = {
  readonly revision_number: number;
  readonly editor_name: string;
  readonly edit_summary: string;
  readonly rolled_back_to?: number | undefined;
  readonly created_at: string;
  readonly content: object;
};

/** An entry of the registry with some of its history, newest first. */
export type EntryPage = {
  readonly entry: Entry;
  readonly organization: Organization | undefined;
  readonly revisions: readonly Revision[];
  /** Whether the domain's own file speaks for it, so that nothing saved here counts. */
  readonly hasOwnFile: boolean;
};

type Organization = {
  readonly org_id: string;
  readonly slug: string;
  readonly name: string;
  readonly tier: string;
  readonly created_at: string;
};

type OrganizationPage = {
  readonly organization: Organization;
  readonly members: readonly { readonly subject: string; readonly name: string; readonly role: string }[];
  readonly keys: readonly RegistryKey[];
  readonly agents: readonly {
    readonly agent_url: string;
    readonly name: string;
    readonly type: string;
    readonly visibility: string;
  }[];
  readonly badges: readonly {
    readonly agent_url: string;
    readonly held: readonly {
      readonly role: string;
      readonly adcp_version?: string;
      readonly verified_specialisms: readonly string[];
      readonly earned_at?: string;
    }[];
  }[];
};

/** A key of an organization, without its secret. */
export type RegistryKey = {
  readonly key_id: string;
  readonly org_id: string;
  readonly name: string;
  readonly role: string;
  readonly created_at: string;
  readonly expires_at?: string;
  readonly last_used_at?: string;
  readonly revoked_at?: string;
};

/** Something that is kept out of the registry; removed for good where it says when. */
type Blocked = {
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
  readonly blocked_by: string;
  readonly blocked_at: string;
  readonly removed_at?: string;
};

/** Something whose records may not be removed. */
type LegalHold = {
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
  readonly held_by: string;
  readonly held_at: string;
};

/** The crawl of a publisher, with its result. Instants in milliseconds; 0 for never. */
export type CrawledPublisher = {
  readonly domain: string;
  readonly namedBy?: string;
  readonly attemptedAt: number;
  readonly dueAt: number;
  readonly readAt: number;
  readonly failures: number;
  readonly message: string;
  readonly kept?: { readonly url: string; readonly managerDomain?: string };
  readonly revokedAt?: number;
  readonly findings: { readonly errors: number; readonly warnings: number };
};

/** The name of a figure of a registry. */
type Figure = 'organizations' | 'publishers' | 'failing' | 'visits' | 'reviews';

/** A registry that is served by the same process, as its people look at it and operate it. */
export type ServedRegistry = {
  readonly overview: () => Promise<Readonly<Record<Figure, number>>>;
  readonly countReviews: () => Promise<number>;
  /** Publishers whose last reading came to nothing, after a domain. */
  readonly failing: (after: string) => Promise<readonly FailingCrawl[]>;
  /** Agents of members that could not be visited, after a URL. */
  readonly failingVisits: (after: string) => Promise<readonly FailingVisit[]>;
  /** What members saved, after an entry. */
  readonly entries: (after: string) => Promise<readonly Entry[]>;
  readonly entry: (
    kind: string,
    domain: string,
    page: { readonly limit: number; readonly offset: number },
  ) => Promise<EntryPage | undefined>;
  /** Submissions that wait, the oldest first. */
  readonly reviews: () => Promise<readonly Review[]>;
  /** Submissions that were decided, the ones sent last first. */
  readonly decidedReviews: (
    state: 'approved' | 'rejected',
    page: { readonly limit: number; readonly offset: number },
  ) => Promise<readonly Review[]>;
  /** A submission, who sent it, and what it would take the place of. */
  readonly review: (id: string) => Promise<
    | {
        readonly review: Review;
        readonly organization: Organization | undefined;
        readonly entry: { readonly content: object } | undefined;
      }
    | undefined
  >;
  /** Organizations after an id, the oldest first. */
  readonly organizations: (after: string) => Promise<readonly Organization[]>;
  readonly organization: (id: string) => Promise<OrganizationPage | undefined>;
  /** Keys of all organizations, after an id. */
  readonly keys: (
    after: string,
  ) => Promise<readonly (RegistryKey & { readonly organization: Organization | undefined })[]>;
  /** What is kept out, after a kind and name. */
  readonly blocked: (after: string) => Promise<readonly Blocked[]>;
  readonly holds: () => Promise<readonly LegalHold[]>;
  /** Publishers that are known, from a domain on. */
  readonly publishers: (from: string, limit: number) => Promise<readonly CrawledPublisher[]>;
  readonly publisher: (
    domain: string,
  ) => Promise<{ readonly state: CrawledPublisher; readonly sellers: readonly string[] } | undefined>;
  /** Does what an admin route of the registry does. Throws AppError with what it is refused for. */
  readonly operate: (request: { readonly path: string; readonly body: object }) => Promise<object>;
};
