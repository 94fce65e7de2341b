import { isDeepStrictEqual } from 'node:util';
import { canonicalHash } from '../../../../platform/kernel/canonical.js';
import { type Clock, isoTime } from '../../../../platform/kernel/clock.js';
import type { InventoryProfile } from '../../../model/records.js';
import { change } from '../../service/feed/feed.js';
import { NO_TALLY, profileOf, retally, type Share, type Tally } from '../../service/feed/tally.js';
import type { ServerWriter } from '../../store/server-store.js';
import type { Visit } from '../records.js';

/** Who tells what the crawler found. */
export const CRAWLER = 'pipeline:crawler';

/** The kinds of agents that the feed's events can name (facts 4). */
const TOLD_TYPES: ReadonlySet<string> = new Set([
  'sales',
  'creative',
  'signals',
  'governance',
  'measurement',
  'unknown',
]);

/** What an agent sells of a publisher now; undefined: nothing. */
export type ShareChange = { readonly url: string; readonly domain: string; readonly after: Share | undefined };

/** An agent that no file named before. It counts with its share from here on, so that it goes again with it, whatever comes between. */
export async function discoverAgent(tx: ServerWriter, clock: Clock, one: ShareChange): Promise<number> {
  const { url } = one;
  if ((await tx.agent.find(url)) !== undefined) return 0;
  const tally = await addShare(tx, await tx.crawl.share(one.domain, url), one);
  const visit = await knownVisit(tx, clock, url);
  const now = isoTime(clock.now());
  // Public clients want a name; until the agent tells one, its address is the name that it has.
  const dates = { created_at: now, updated_at: now };
  const payload = { name: url, ...agentPayload(url, profileOf(tally, visit?.offer), visit, dates) };
  await change(tx, clock, { event_type: 'agent.discovered', entity_id: url, payload, actor: CRAWLER });
  return 1;
}

/** Brings what an agent sells in line; one that sells nothing any more and that nobody enrolled is removed. */
export async function settleAgent(tx: ServerWriter, clock: Clock, one: ShareChange): Promise<number> {
  const { after, domain, url } = one;
  const before = await tx.crawl.share(domain, url);
  if (isDeepStrictEqual(before, after)) return 0;
  const tally = await addShare(tx, before, one);
  const isGone = tally.publishers <= 0 && (await tx.member_agent.find(url)) === undefined;
  if (isGone) {
    await tx.crawl.dropTally(url);
    await tx.crawl.dropVisit(url);
    if ((await tx.agent.find(url)) === undefined) return 0;
    const payload = { agent_url: url, removed_from_publishers: [domain] };
    await change(tx, clock, { event_type: 'agent.removed', entity_id: url, payload, actor: CRAWLER });
    return 1;
  }
  const visit = await knownVisit(tx, clock, url);
  return updateProfile(tx, clock, url, profileOf(tally, visit?.offer), visit);
}

/** Adds a publisher's share to what an agent sells, in the place of the one before, and keeps both. */
async function addShare(
  tx: ServerWriter,
  before: Share | undefined,
  { after, domain, url }: ShareChange,
): Promise<Tally> {
  if (after === undefined) await tx.crawl.dropShare(domain, url);
  else await tx.crawl.saveShare(domain, url, after);
  const tally = retally((await tx.crawl.tally(url)) ?? NO_TALLY, before, after);
  await tx.crawl.saveTally({ agent_url: url, ...tally });
  return tally;
}

/** The last visit to an agent; one that was never visited is due. */
async function knownVisit(tx: ServerWriter, clock: Clock, url: string): Promise<Visit | undefined> {
  const visit = await tx.crawl.visit(url);
  if (visit === undefined) {
    await tx.crawl.saveVisit({ agent_url: url, visitedAt: 0, dueAt: clock.now(), failures: 0 });
  }
  return visit;
}

/** Tells the profile of an agent when it differs from what is known; answers how many events that took. */
export async function updateProfile(
  tx: ServerWriter,
  clock: Clock,
  url: string,
  profile: InventoryProfile,
  visit: Visit | undefined,
): Promise<number> {
  const record = await tx.agent.find(url);
  if (record === undefined) return 0;
  const said = agentPayload(url, profile, visit, { updated_at: isoTime(clock.now()) });
  const fields = Object.keys(said).filter(
    (key) =>
      !UNTOLD.has(key) &&
      canonicalHash(said[key]) !== canonicalHash((record as Readonly<Record<string, unknown>>)[key]),
  );
  if (fields.length === 0) return 0;
  const payload = { ...said, changed_fields: fields };
  await change(tx, clock, { event_type: 'agent.profile_updated', entity_id: url, payload, actor: CRAWLER });
  return 1;
}

/** Members of an agent's payload that are no part of its profile. */
const UNTOLD: ReadonlySet<string> = new Set(['agent_url', 'inventory_profile', 'updated_at', 'category_taxonomy']);

/** Flat members as facts 4 has them, and the nested ones that public clients read (facts 1.3). */
function agentPayload(
  agent_url: string,
  profile: InventoryProfile,
  visit: Visit | undefined,
  dates: object,
): Readonly<Record<string, unknown>> {
  const { reading } = visit ?? {};
  return {
    agent_url,
    ...(reading?.identity.name === undefined ? {} : { name: reading.identity.name }),
    ...(reading !== undefined && TOLD_TYPES.has(reading.type) ? { type: reading.type } : {}),
    ...profile,
    inventory_profile: profile,
    ...dates,
  };
}
