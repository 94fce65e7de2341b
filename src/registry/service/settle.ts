import { isDeepStrictEqual } from 'node:util';
import { canonicalHash } from '../../kernel/canonical.js';
import { type Clock, isoTime } from '../../kernel/clock.js';
import type { Ids } from '../../kernel/ids.js';
import type { RegistryStore, RegistryWriter } from '../../store/registry/registry-store.js';
import type { EffectiveAdagents } from '../adagents-discovery.js';
import type { InventoryProfile, PublisherRecord } from '../records.js';
import type { CrawlState, Visit } from './crawl-records.js';
import { change, type EventDraft } from './feed.js';
import { settleHosted } from './hosted.js';
import { entryKey } from './nouns.js';
import { emptyProjection, type Projection, projectAdagents } from './projection.js';
import { type HeldRecords, reconcile } from './reconcile.js';
import { NO_TALLY, profileOf, retally, type Share, sharesOf } from './tally.js';

/** What settling needs of the registry. */
export type SettleContext = { readonly store: RegistryStore; readonly clock: Clock; readonly ids: Ids };

/** Who tells what the crawler found. */
export const CRAWLER = 'pipeline:crawler';

/** So many events are written in one transaction: between two the event loop turns. */
const CHUNK = 250;
const PAGE = 1000;

/** The kinds of agents that the feed's events can name (facts 4). */
const TOLD_TYPES: ReadonlySet<string> = new Set([
  'sales',
  'creative',
  'signals',
  'governance',
  'measurement',
  'unknown',
]);

/**
 * Makes the records of a publisher what its file says, and tells every visible change, in transactions of bounded size; the last of them
 * saves the crawler's own state. A crash between two leaves records that the next reading completes. Answers how many events were told.
 */
export async function settlePublisher(
  { store, clock, ids }: SettleContext,
  state: CrawlState,
  effective: EffectiveAdagents | undefined,
  reason: string,
): Promise<number> {
  const { domain } = state;
  const now = isoTime(clock.now());
  const known = await store.read.publisher.find(domain);
  const target = effective === undefined ? emptyProjection(domain) : projectAdagents(effective);
  const held = await heldRecords(store, domain);
  const { events, held: next } = reconcile(held, target, { uuid: ids.uuid, now, actor: CRAWLER, reason });
  const shares = sharesOf(next.authorizations, next.properties);
  const parts = partsOf(target, effective);
  const told = publisherEvent({ known, target, effective, state, parts, held, next, now });
  const added = Object.keys(shares).filter((url) => !Object.hasOwn(state.shares, url));
  const agents = [...new Set([...Object.keys(state.shares), ...Object.keys(shares)])].filter(
    (url) => !isDeepStrictEqual(state.shares[url], shares[url]),
  );
  const steps: readonly Step[] = [
    ...added.map((url) => (tx: RegistryWriter) => discoverAgent(tx, clock, url, shares[url])),
    ...events.map((draft) => (tx: RegistryWriter) => tell(tx, clock, draft)),
    ...agents.map(
      (url) => (tx: RegistryWriter) =>
        settleAgent(tx, clock, { url, domain, before: state.shares[url], after: shares[url] }),
    ),
  ];
  const toAgents = added.length + events.length;
  let count = 0;
  for (let from = 0; ; from += CHUNK) {
    const upTo = Math.min(from + CHUNK, steps.length);
    const isLast = upTo === steps.length;
    const done = agents.slice(0, Math.max(0, upTo - toAgents));
    count += await store.transact(async (tx) => {
      let made = await runAll(tx, steps.slice(from, upTo));
      if (isLast && told !== undefined) made += await tell(tx, clock, told);
      if (isLast && effective === undefined) made += await settleContributed(tx, { clock, ids }, domain);
      // What has been added up is saved with it: a crash never adds it up twice. The rest is due at once.
      const half = { ...state, dueAt: state.attemptedAt, shares: mergedShares(state.shares, shares, done) };
      await tx.crawl.saveState(isLast ? { ...state, parts, shares } : half);
      return made;
    });
    if (isLast) return count;
  }
}

/** What a member contributed counts again when the publisher no longer speaks for itself. */
async function settleContributed(
  tx: RegistryWriter,
  desk: Pick<SettleContext, 'clock' | 'ids'>,
  domain: string,
): Promise<number> {
  const entry = await tx.entry.find(entryKey('property', domain));
  return entry?.review_status === 'approved' ? settleHosted(tx, desk, entry, CRAWLER) : 0;
}

async function tell(tx: RegistryWriter, clock: Clock, draft: EventDraft): Promise<number> {
  await change(tx, clock, draft);
  return 1;
}

/** The shares before, with those of some agents as they are now. */
function mergedShares(
  before: CrawlState['shares'],
  after: CrawlState['shares'],
  agents: readonly string[],
): CrawlState['shares'] {
  const merged = new Map(Object.entries(before));
  for (const url of agents) {
    const share = after[url];
    if (share === undefined) merged.delete(url);
    else merged.set(url, share);
  }
  return Object.fromEntries(merged);
}

/** One change of a transaction; answers how many events it told. */
type Step = (tx: RegistryWriter) => Promise<number>;

async function runAll(tx: RegistryWriter, steps: readonly Step[]): Promise<number> {
  let count = 0;
  for (const step of steps) count += await step(tx);
  return count;
}

/** Everything that is held of a publisher. */
export async function heldRecords({ read }: Pick<RegistryStore, 'read'>, domain: string): Promise<HeldRecords> {
  const all = async <T>(page: (after: string) => Promise<readonly T[]>, idOf: (one: T) => string): Promise<T[]> => {
    const found: T[] = [];
    for (;;) {
      const last = found.at(-1);
      const rows = await page(last === undefined ? '' : idOf(last));
      found.push(...rows);
      if (rows.length < PAGE) return found;
    }
  };
  return {
    properties: await all(
      (after) => read.property.ofPublisher(domain, after, PAGE),
      ({ property_rid }) => property_rid,
    ),
    collections: await all(
      (after) => read.collection.ofPublisher(domain, after, PAGE),
      ({ collection_rid }) => collection_rid,
    ),
    authorizations: await all(
      (after) => read.authorization.ofPublisher(domain, after, PAGE),
      ({ id }) => id,
    ),
  };
}

/** An agent that no file named before. */
async function discoverAgent(tx: RegistryWriter, clock: Clock, url: string, share: Share | undefined): Promise<number> {
  if ((await tx.agent.find(url)) !== undefined) return 0;
  const visit = await tx.crawl.visit(url);
  const tally = retally((await tx.crawl.tally(url)) ?? NO_TALLY, undefined, share);
  const now = isoTime(clock.now());
  // Public clients want a name; until the agent tells one, its address is the name that it has.
  const dates = { created_at: now, updated_at: now };
  const payload = { name: url, ...agentPayload(url, profileOf(tally, visit?.offer), visit, dates) };
  await change(tx, clock, { event_type: 'agent.discovered', entity_id: url, payload, actor: CRAWLER });
  return 1;
}

/** What a publisher's file has changed of an agent. */
type ShareChange = {
  readonly url: string;
  readonly domain: string;
  readonly before: Share | undefined;
  readonly after: Share | undefined;
};

/** Adds a publisher's share to what an agent sells; an agent that sells nothing any more and that nobody enrolled is removed. */
async function settleAgent(
  tx: RegistryWriter,
  clock: Clock,
  { after, before, domain, url }: ShareChange,
): Promise<number> {
  const tally = retally((await tx.crawl.tally(url)) ?? NO_TALLY, before, after);
  const isGone = tally.publishers <= 0 && (await tx.member_agent.find(url)) === undefined;
  if (isGone) {
    await tx.crawl.dropTally(url);
    await tx.crawl.dropVisit(url);
    if ((await tx.agent.find(url)) === undefined) return 0;
    const payload = { agent_url: url, removed_from_publishers: [domain] };
    await change(tx, clock, { event_type: 'agent.removed', entity_id: url, payload, actor: CRAWLER });
    return 1;
  }
  await tx.crawl.saveTally({ agent_url: url, ...tally });
  const visit = await tx.crawl.visit(url);
  if (visit === undefined) {
    await tx.crawl.saveVisit({ agent_url: url, visitedAt: 0, dueAt: clock.now(), failures: 0 });
  }
  return updateProfile(tx, clock, url, profileOf(tally, visit?.offer), visit);
}

/** Tells the profile of an agent when it differs from what is known; answers how many events that took. */
export async function updateProfile(
  tx: RegistryWriter,
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

/** Which parts a file has, each as a digest. A new `$schema` or `last_updated` is in none of them (facts 4). */
function partsOf(target: Projection, effective: EffectiveAdagents | undefined): Readonly<Record<string, string>> {
  const { file, managerDomain, method, url } = effective ?? {};
  const parts: Readonly<Record<string, unknown>> = {
    standing: target.standing,
    location: { url, method, managerDomain },
    properties: target.properties,
    collections: target.collections,
    authorized_agents: target.authorizations,
    placements: target.placements,
    formats: file?.formats ?? [],
    signals: file?.signals ?? [],
    contact: file?.contact ?? {},
    catalog_etag: file?.catalog_etag ?? '',
    superseded_by: file?.superseded_by ?? '',
  };
  return Object.fromEntries(
    // Absent members are none of a canonical form's business.
    Object.entries(parts).map(([name, part]) => [name, canonicalHash(JSON.parse(JSON.stringify(part)))]),
  );
}

type PublisherChange = {
  readonly known: PublisherRecord | undefined;
  readonly target: Projection;
  readonly effective: EffectiveAdagents | undefined;
  readonly state: CrawlState;
  readonly parts: Readonly<Record<string, string>>;
  readonly held: HeldRecords;
  readonly next: HeldRecords;
  readonly now: string;
};

/** The event of the file as a whole; undefined when nothing of it changed, or there never was one. */
function publisherEvent(one: PublisherChange): EventDraft | undefined {
  const { effective, held, known, next, now, parts, state, target } = one;
  const isFound = effective !== undefined;
  if (known === undefined && !isFound) return undefined;
  const wasFound = known?.adagents_valid === true;
  const changed = Object.keys(parts).filter((name) => parts[name] !== state.parts[name]);
  if (wasFound === isFound && changed.length === 0) return undefined;
  const [before, after] = [urlsOf(held), urlsOf(next)];
  const rids = (records: HeldRecords): ReadonlySet<string> =>
    new Set(records.properties.filter(({ status }) => status === 'active').map(({ property_rid }) => property_rid));
  const [ridsBefore, ridsAfter] = [rids(held), rids(next)];
  const domain = target.publisherDomain;
  const payload = {
    publisher_domain: domain,
    domain,
    standing: target.standing,
    adagents_valid: isFound,
    adagents_url: effective?.url ?? null,
    ...(isFound ? { discovery_method: effective.method } : {}),
    manager_domain: effective?.managerDomain ?? null,
    agent_count: after.size,
    property_count: ridsAfter.size,
    collection_count: next.collections.length,
    format_count: effective?.file.formats.length ?? 0,
    placement_count: target.placements.length,
    placements: target.placements,
    last_validated: now,
    updated_at: now,
    source: 'adagents_json',
  };
  const isNew = isFound && !wasFound;
  return {
    event_type: isNew ? 'publisher.adagents_discovered' : 'publisher.adagents_changed',
    entity_id: domain,
    actor: CRAWLER,
    payload: isNew
      ? payload
      : {
          ...payload,
          properties_added: [...ridsAfter].filter((rid) => !ridsBefore.has(rid)).length,
          properties_removed: [...ridsBefore].filter((rid) => !ridsAfter.has(rid)).length,
          agents_added: [...after].filter((url) => !before.has(url)),
          agents_removed: [...before].filter((url) => !after.has(url)),
          ...(changed.length > 0 && { changed_fields: changed }),
        },
  };
}

function urlsOf({ authorizations }: HeldRecords): ReadonlySet<string> {
  return new Set(authorizations.map(({ agent_url_canonical }) => agent_url_canonical));
}
