import { isDeepStrictEqual } from 'node:util';
import { canonicalHash } from '../../../../platform/kernel/canonical.js';
import { type Clock, isoTime } from '../../../../platform/kernel/clock.js';
import type { InventoryProfile } from '../../../model/records.js';
import { endAssessments } from '../../assessment/consent.js';
import {
  buildProfile,
  type InventoryShare,
  type InventoryTotals,
  NO_INVENTORY,
  replaceShare,
} from '../../service/agent/inventory/totals.js';
import { revokeBadge } from '../../service/badges/revoked.js';
import { appendChange } from '../../service/feed/feed.js';
import type { MemberAgent } from '../../service/records.js';
import type { ServerWriter } from '../../store/server-store.js';
import type { Visit } from '../records.js';

/** The actor of the crawler's events. */
export const CRAWLER = 'pipeline:crawler';

/** The types of agents that the feed's events can name. */
const FEED_AGENT_TYPES: ReadonlySet<string> = new Set([
  'sales',
  'creative',
  'signals',
  'governance',
  'measurement',
  'unknown',
]);

/** The share of a publisher that an agent sells now; undefined: nothing. */
type ShareChange = { readonly url: string; readonly domain: string; readonly after: InventoryShare | undefined };

/** Returns an agent that no file named before. It counts with its share from here on, so that it goes again with it, whatever comes between. */
export async function announceAgent(tx: ServerWriter, clock: Clock, one: ShareChange): Promise<number> {
  const { url } = one;
  if ((await tx.agent.find(url)) !== undefined) return 0;
  const tally = await addShare(tx, await tx.crawl.findShare(one.domain, url), one);
  const visit = await earlierVisit(tx, clock, url);
  const now = isoTime(clock.now());
  // Public clients want a name; until the agent tells one, its address is the name that it has.
  const dates = { created_at: now, updated_at: now };
  const payload = { name: url, ...agentPayload(url, buildProfile(tally, visit?.offer), visit, dates) };
  await appendChange(tx, clock, { event_type: 'agent.discovered', entity_id: url, payload, actor: CRAWLER });
  return 1;
}

/** Brings what an agent sells in line; one that sells nothing any more and that nobody enrolled is removed. */
export async function applyShare(tx: ServerWriter, clock: Clock, one: ShareChange): Promise<number> {
  const { after, domain, url } = one;
  const before = await tx.crawl.findShare(domain, url);
  if (isDeepStrictEqual(before, after)) return 0;
  const tally = await addShare(tx, before, one);
  const enrolled = tally.publishers <= 0 ? await tx.member_agent.find(url) : undefined;
  if (tally.publishers <= 0 && enrolled?.visibility !== 'public') {
    if (enrolled === undefined) await dropProgress(tx, url);
    return removeFromFeed(tx, clock, { agent_url: url, removed_from_publishers: [domain] }, CRAWLER);
  }
  const visit = await earlierVisit(tx, clock, url);
  return updateProfile(tx, clock, { url, profile: buildProfile(tally, visit?.offer), visit });
}

/**
 * Brings the feed in line with the enrollment of an agent, which is visited from then on; returns how many events that took. Everybody
 * reads the feed: it has agents that are public or that publishers' files name, and says of others that they are gone.
 */
export async function recordEnrolment(tx: ServerWriter, clock: Clock, url: string, actor: string): Promise<number> {
  const enrolled = await tx.member_agent.find(url);
  if (enrolled === undefined) await endAssessments(tx, clock, url);
  const tally = (await tx.crawl.findTotals(url)) ?? NO_INVENTORY;
  const isNamed = tally.publishers > 0 || (await tx.authorization.ofAgent(url, '', 1)).length > 0;
  if (enrolled === undefined && !isNamed) {
    await dropProgress(tx, url);
    return removeFromFeed(tx, clock, { agent_url: url }, actor);
  }
  const visit = await earlierVisit(tx, clock, url);
  if (!isNamed && enrolled?.visibility !== 'public') return removeFromFeed(tx, clock, { agent_url: url }, actor);
  const profile = buildProfile(tally, visit?.offer);
  if ((await tx.agent.find(url)) !== undefined) return updateProfile(tx, clock, { url, profile, visit, actor });
  const now = isoTime(clock.now());
  const dates = { created_at: now, updated_at: now };
  const words = { ...wordsFor(url, enrolled, visit), changed_fields: ['name', 'type'] };
  const payload = { ...agentPayload(url, profile, visit, dates), ...words };
  await appendChange(tx, clock, { event_type: 'agent.profile_updated', entity_id: url, payload, actor });
  return 1;
}

/** Returns the name and type of an agent as its member shows them to everybody; else as the agent gives them itself. */
function wordsFor(url: string, enrolled: MemberAgent | undefined, visit: Visit | undefined): object {
  if (enrolled?.visibility === 'public') return { name: enrolled.name, type: enrolled.type };
  return { name: url, type: 'unknown', ...readWords(visit) };
}

async function dropProgress(tx: ServerWriter, url: string): Promise<void> {
  await tx.crawl.dropTotals(url);
  await tx.crawl.dropVisit(url);
}

async function removeFromFeed(
  tx: ServerWriter,
  clock: Clock,
  payload: { readonly agent_url: string; readonly removed_from_publishers?: readonly string[] },
  actor: string,
): Promise<number> {
  const { agent_url } = payload;
  const agent = await tx.agent.find(agent_url);
  if (agent === undefined) return 0;
  for (const badge of agent.badges ?? [])
    await revokeBadge(tx, clock, { agentUrl: agent_url, badge, reason: 'the agent left the registry' });
  await appendChange(tx, clock, { event_type: 'agent.removed', entity_id: agent_url, payload, actor });
  return 1;
}

/** Replaces a publisher's share in the inventory of an agent, and saves both. */
async function addShare(
  tx: ServerWriter,
  before: InventoryShare | undefined,
  { after, domain, url }: ShareChange,
): Promise<InventoryTotals> {
  if (after === undefined) await tx.crawl.dropShare(domain, url);
  else await tx.crawl.saveShare(domain, url, after);
  const tally = replaceShare((await tx.crawl.findTotals(url)) ?? NO_INVENTORY, before, after);
  await tx.crawl.saveTotals({ agent_url: url, ...tally });
  return tally;
}

/** Returns the last visit to an agent; one that was never visited is due. */
async function earlierVisit(tx: ServerWriter, clock: Clock, url: string): Promise<Visit | undefined> {
  const visit = await tx.crawl.findVisit(url);
  if (visit === undefined) {
    await tx.crawl.saveVisit({ agent_url: url, visitedAt: 0, dueAt: clock.now(), failures: 0 });
  }
  return visit;
}

/** Appends the profile of an agent where it has changed; returns how many events that took. */
export async function updateProfile(
  tx: ServerWriter,
  clock: Clock,
  { actor = CRAWLER, profile, url, visit }: ProfileChange,
): Promise<number> {
  const record = await tx.agent.find(url);
  if (record === undefined) return 0;
  const payload: Readonly<Record<string, unknown>> = {
    ...agentPayload(url, profile, visit, { updated_at: isoTime(clock.now()) }),
    ...wordsFor(url, await tx.member_agent.find(url), visit),
  };
  const recorded = record as Readonly<Record<string, unknown>>;
  const fields = Object.keys(payload).filter(
    (key) =>
      !NOT_IN_PROFILE.has(key) &&
      // An absent list is an empty one.
      canonicalHash(payload[key]) !== canonicalHash(recorded[key] ?? (Array.isArray(payload[key]) ? [] : undefined)),
  );
  if (fields.length === 0) return 0;
  const changed = { ...payload, changed_fields: fields };
  await appendChange(tx, clock, {
    event_type: 'agent.profile_updated',
    entity_id: url,
    payload: changed,
    actor,
  });
  return 1;
}

/** The profile of an agent as it is now, and who changed it; the crawler unless given. */
type ProfileChange = {
  readonly url: string;
  readonly profile: InventoryProfile;
  readonly visit: Visit | undefined;
  readonly actor?: string;
};

/** Members of an agent's payload that are no part of its profile. */
const NOT_IN_PROFILE: ReadonlySet<string> = new Set([
  'agent_url',
  'inventory_profile',
  'updated_at',
  'category_taxonomy',
]);

/** Returns the payload of an agent: its flat members, and the nested ones that public clients read. */
function agentPayload(
  agent_url: string,
  profile: InventoryProfile,
  visit: Visit | undefined,
  dates: object,
): Readonly<Record<string, unknown>> {
  return { agent_url, ...readWords(visit), ...profile, inventory_profile: profile, ...dates };
}

/** Returns the name and type that an agent gave itself when it was visited. */
function readWords({ reading }: Partial<Visit> = {}): object {
  return {
    ...(reading?.identity.name === undefined ? {} : { name: reading.identity.name }),
    ...(reading !== undefined && FEED_AGENT_TYPES.has(reading.type) ? { type: reading.type } : {}),
  };
}
