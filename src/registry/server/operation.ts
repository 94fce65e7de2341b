import { publisherDomain } from '../model/domains.js';
import { listFailingCrawls, listFailingVisits } from './crawl/operate.js';
import { type AdminRequest, callAdmin } from './http/admin-call.js';
import { listBlocked } from './service/blocks/change.js';
import { listHolds } from './service/blocks/holds.js';
import { listReviews } from './service/brand/moderation.js';
import { isAuthoritative } from './service/brand/save.js';
import { type ApiKey, entryKey } from './service/records.js';
import type { Registry } from './service/registry.js';
import type { ServerReader } from './store/server-store.js';

/** Organizations, publishers or agents that are read at a time. */
const MAX_READ = 200;

/** A registry as the people of its process look at it, and operate it. */
export type RegistryOperation = ReturnType<typeof openOperation>;

/** Returns what people see and do of a registry that is served. What they do is what the admin routes do, as the operator. */
export function openOperation(registry: Registry) {
  const { read } = registry.store;
  return {
    overview: async () => {
      const [organizations, publishers, failing, visits, reviews] = await Promise.all([
        read.organization.count(),
        read.crawl.countPublishers(),
        read.crawl.countFailing(),
        read.crawl.countFailingVisits(),
        read.review.countByScope('pending'),
      ]);
      return { organizations, publishers, failing, visits, reviews };
    },
    countReviews: () => read.review.countByScope('pending'),
    /** Publishers whose last reading came to nothing, after a domain. */
    failing: (after: string) => listFailingCrawls(registry, after),
    /** Agents of members that could not be visited, after a URL. */
    failingVisits: (after: string) => listFailingVisits(registry, after),
    /** What members saved, brands before properties, after an entry. */
    entries: (after: string) => read.entry.page(after, MAX_READ),
    /** An entry, and its revisions from the newest down, `offset` of them passed over. */
    entry: async (kind: string, domain: string, page: { readonly limit: number; readonly offset: number }) => {
      const key = entryKey(kind === 'brand' ? 'brand' : 'property', domain);
      const entry = await read.entry.find(key);
      if (entry === undefined) return undefined;
      const [organization, revisions, hasOwnFile] = await Promise.all([
        read.organization.find(entry.org_id),
        read.revision.listLatest(key, page.limit, page.offset),
        isAuthoritative(read, entry.kind, entry.domain),
      ]);
      return { entry, organization, revisions, hasOwnFile };
    },
    /** Submissions that wait, the oldest first. */
    reviews: () => listReviews(registry, { state: 'pending', offset: 0 }),
    /** Submissions that were decided, the ones sent last first. */
    decidedReviews: (state: 'approved' | 'rejected', page: { readonly limit: number; readonly offset: number }) =>
      listReviews(registry, { state, ...page }),
    review: async (id: string) => {
      const review = await read.review.find(id);
      if (review === undefined) return undefined;
      const { domain, kind, org_id } = review;
      const [organization, entry] = await Promise.all([
        read.organization.find(org_id),
        read.entry.find(entryKey(kind, domain)),
      ]);
      return { review, organization, entry };
    },
    /** Organizations after an id, the oldest first. */
    organizations: (after: string) => read.organization.page(after, MAX_READ),
    organization: (id: string) => readOrganization(read, id),
    keys: (after: string) => readKeys(read, after),
    /** What is kept out, after a kind and name. */
    blocked: (after: string) => listBlocked(registry, after),
    holds: () => listHolds(read),
    /** Publishers that are known, from a domain on. */
    publishers: (from: string, limit: number) => read.crawl.listStates(from, limit),
    publisher: async (name: string) => {
      const domain = publisherDomain(name);
      const state = await read.crawl.findState(domain);
      return state && { state, sellers: await read.crawl.listSellers(domain, '', MAX_READ) };
    },
    /** Calls an admin route as the operator. Throws RegistryProblem. */
    operate: (request: AdminRequest) => callAdmin(registry, request),
  };
}

/** Returns an organization with its people, keys, agents and the badges of those. */
async function readOrganization(read: ServerReader, id: string) {
  const organization = await read.organization.find(id);
  if (organization === undefined) return undefined;
  const [members, keys, agents] = await Promise.all([
    read.member.listByScope(id, '', MAX_READ),
    read.api_key.listByScope(id, '', MAX_READ),
    read.member_agent.listByScope(id, '', MAX_READ),
  ]);
  const badges = await Promise.all(
    agents.map(async ({ agent_url }) => ({ agent_url, held: (await read.agent.find(agent_url))?.badges ?? [] })),
  );
  return { organization, members, keys: keys.map(withoutHash), agents, badges };
}

/** Returns keys of all organizations after an id, without what they are recognized by, each with its organization. */
async function readKeys(read: ServerReader, after: string) {
  const keys = await read.api_key.page(after, MAX_READ);
  return Promise.all(
    keys.map(async (key) => ({ ...withoutHash(key), organization: await read.organization.find(key.org_id) })),
  );
}

function withoutHash({ hash: _hash, ...shown }: ApiKey): Omit<ApiKey, 'hash'> {
  return shown;
}
