import { isoTime } from '../../../../platform/kernel/clock.js';
import { typedDomain } from '../../../model/domains.js';
import { recordEnrolment } from '../../crawl/apply/agents.js';
import { crawlSoon, unreadState } from '../../crawl/operate.js';
import type { ServerWriter } from '../../store/server-store.js';
import { rebuildBrand } from '../brand/brands.js';
import { applyHostedProperties } from '../brand/hosted.js';
import { RegistryProblem } from '../problem.js';
import { type Blocked, ENTRY_KINDS, type Entry, entryKey } from '../records.js';
import type { Registry } from '../registry.js';
import { blockKey } from './find.js';
import { refuseHeld } from './holds.js';
import { type NamedThing, resolveListed, resolveName } from './name.js';

/** Who blocks something and why, and when what is stored of it is removed, where it is. */
export type BlockedBy = { readonly reason: string; readonly by: string; readonly removed_at?: string };

/** Agents of an organization, and blocks that are listed at a time. */
const PAGE_SIZE = 1000;

/** Returns blocks in the order of their kinds and names, after the id of one. */
export function listBlocked({ store }: Registry, after: string): Promise<readonly Blocked[]> {
  return store.read.blocked.page(after, PAGE_SIZE);
}

/**
 * Blocks something from now on and withdraws what it has, with events: a domain leaves every surface, an agent the catalog; an
 * organization's keys and users open nothing, and its agents are private. What members saved stays, hidden. Throws not_found for an
 * organization that is none, and legal_hold where records would go.
 */
export async function block(
  registry: Registry,
  target: NamedThing,
  { by, reason, removed_at }: BlockedBy,
): Promise<Blocked> {
  const { clock, crawler, store } = registry;
  const { kind, name } = await resolveName(registry, target);
  const blocked: Blocked = { kind, name, reason, blocked_by: by, blocked_at: isoTime(clock.now()), removed_at };
  await store.transact(async (tx) => {
    // An organization that is only blocked loses nothing that is stored of it.
    if (removed_at !== undefined || kind === 'domain' || kind === 'agent') await refuseHeld(tx, kind, name);
    await tx.blocked.put(blocked);
    if (kind === 'domain') {
      await setEntries(tx, registry, name, 'pending');
      await tx.crawl.saveState({ ...((await tx.crawl.findState(name)) ?? unreadState(name)), dueAt: clock.now() });
    }
    if (kind === 'agent') await dropAgent(tx, registry, name);
    if (kind === 'organization') await hideAgents(tx, registry, name);
  });
  // Its records are told to be gone by whichever process crawls: here at once, or with its next round.
  if (kind === 'domain') await crawler.crawl(name);
  return blocked;
}

/** Lets something into the registry again: a domain is read with the next round, and what members saved of it is shown. Throws not_found. */
export async function unblock(registry: Registry, target: NamedThing): Promise<NamedThing> {
  const { kind, name } = await resolveListed(registry, target, registry.store.read.blocked);
  const isReadable = kind === 'domain' && typedDomain(name) !== undefined;
  await registry.store.transact(async (tx) => {
    if (!(await tx.blocked.remove(blockKey(kind, name)))) throw refuseMissing(`${name} is not blocked.`);
    if (kind === 'domain') await setEntries(tx, registry, name, 'approved');
    if (kind === 'domain' && !isReadable) await tx.crawl.dropState(name);
  });
  if (isReadable) await crawlSoon(registry, [name]);
  return { kind, name };
}

/** Hides the entries of a domain, or shows them again. */
async function setEntries(
  tx: ServerWriter,
  registry: Registry,
  domain: string,
  review_status: Entry['review_status'],
): Promise<void> {
  for (const kind of ENTRY_KINDS) {
    const entry = await tx.entry.find(entryKey(kind, domain));
    if (entry !== undefined) await setEntry(tx, registry, entry, review_status);
  }
  if (review_status === 'pending') await tx.brand_copy.remove(domain);
  await rebuildBrand(tx, domain);
}

/** Hides an entry, or shows it again. */
export async function setEntry(
  tx: ServerWriter,
  registry: Registry,
  entry: Entry,
  review_status: Entry['review_status'],
): Promise<void> {
  const { domain, kind } = entry;
  const changed: Entry = { ...entry, review_status };
  await tx.entry.put(changed);
  await tx.announce({ noun: 'entry', id: entryKey(kind, domain), doc: JSON.stringify(changed) });
  if (kind === 'brand') return rebuildBrand(tx, domain);
  if ((await tx.publisher.find(domain))?.adagents_valid === true) return;
  const shown = review_status === 'approved' ? entry : { ...entry, content: { ...entry.content, properties: [] } };
  await applyHostedProperties(tx, registry, shown, OPERATOR);
}

const OPERATOR = 'admin:operator';

/** Takes an agent out of the catalog. */
export async function dropAgent(tx: ServerWriter, { clock }: Registry, url: string): Promise<void> {
  if (await tx.member_agent.remove(url)) await recordEnrolment(tx, clock, url, OPERATOR);
}

async function hideAgents(tx: ServerWriter, { clock }: Registry, orgId: string): Promise<void> {
  for (const agent of await tx.member_agent.listByScope(orgId, '', PAGE_SIZE)) {
    await tx.member_agent.put({ ...agent, visibility: 'private', updated_at: isoTime(clock.now()) });
    await recordEnrolment(tx, clock, agent.agent_url, OPERATOR);
  }
}

function refuseMissing(message: string): RegistryProblem {
  return new RegistryProblem('not_found', message, {
    field: '/name',
    suggestion: 'List what is blocked with "registry block list".',
  });
}
