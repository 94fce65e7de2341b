import { type Clock, isoTime } from '../../../../platform/kernel/clock.js';
import { ERASED, eraseProperties } from '../../crawl/erase.js';
import type { ServerReader, ServerWriter } from '../../store/server-store.js';
import { revisionKey } from '../../store/service.js';
import { takeBadge } from '../badges/give.js';
import { RegistryProblem } from '../problem.js';
import { type Blocked, ENTRY_KINDS, type Entry, type EntryKind, entryKey } from '../records.js';
import type { Registry } from '../registry.js';
import { type BlockedBy, block, dropAgent, setEntry } from './change.js';
import { blockKey } from './find.js';
import { type NamedThing, resolveName } from './name.js';

/** Rows that are read at a time. */
const PAGE_SIZE = 500;

/**
 * Removes something for good until it is let in again: it is blocked, and what is stored of it goes, with its history. Removed again, it
 * completes what a crash broke off. Throws legal_hold.
 */
export async function removeForGood(registry: Registry, target: NamedThing, blockedBy: BlockedBy): Promise<Blocked> {
  const { clock, store } = registry;
  const removed_at = isoTime(clock.now());
  await requireStored(store.read, await resolveName(registry, target));
  const blocked = await block(registry, target, { ...blockedBy, removed_at });
  const { kind, name } = blocked;
  if (kind === 'organization') await removeOrganization(registry, name);
  else
    await store.transact(async (tx) => {
      if (kind === 'domain') await removeDomain(tx, name);
      if (kind === 'agent') await removeTraces(tx, clock, name);
      if (kind === 'member') await tx.member.remove(name);
    });
  if (kind === 'domain') await eraseProperties(registry, name);
  return blocked;
}

/** Throws not_found for what the registry has nothing of: a name that is misspelt would else look as if it were gone. */
async function requireStored(read: ServerReader, { kind, name }: NamedThing): Promise<void> {
  if (await isStored(read, { kind, name })) return;
  throw new RegistryProblem('not_found', `This registry has nothing of ${name}.`, {
    field: '/name',
    suggestion: 'Check the spelling; to keep it out before it comes, block it.',
  });
}

/** Whether something is blocked or held already, or has anything here that a removal takes. */
async function isStored(read: ServerReader, { kind, name }: NamedThing): Promise<boolean> {
  const sources: { readonly [K in NamedThing['kind']]: readonly (() => Promise<unknown>)[] } = {
    domain: [
      () => read.publisher.find(name),
      () => read.brand.find(name),
      () => read.crawl.findState(name),
      ...ENTRY_KINDS.map((entry) => () => read.entry.find(entryKey(entry, name))),
      ...ENTRY_KINDS.map((entry) => async () => (await read.review.listByMark(entryKey(entry, name)))[0]),
      async () => (await read.ownership.listByScope(name, '', 1))[0],
      async () => (await read.property.ofPublisher(name, '', 1))[0],
    ],
    agent: [
      () => read.agent.find(name),
      () => read.member_agent.find(name),
      () => read.crawl.findVisit(name),
      async () => (await read.authorization.ofAgent(name, '', 1))[0],
    ],
    organization: [() => read.organization.find(name)],
    member: [() => read.member.find(name)],
  };
  const key = blockKey(kind, name);
  for (const find of [() => read.blocked.find(key), () => read.legal_hold.find(key), ...sources[kind]])
    if ((await find()) !== undefined) return true;
  return false;
}

const OPERATOR = 'admin:operator';

async function removeDomain(tx: ServerWriter, domain: string): Promise<void> {
  for (const kind of ENTRY_KINDS) await dropEntry(tx, kind, domain);
  for (const { org_id } of await tx.ownership.listByScope(domain, '', PAGE_SIZE))
    await tx.ownership.remove(`${org_id}:${domain}`);
  await tx.brand.remove(domain);
}

/** Removes an entry, its revisions and the submissions for it. */
async function dropEntry(tx: ServerWriter, kind: EntryKind, domain: string): Promise<void> {
  const key = entryKey(kind, domain);
  await tx.entry.remove(key);
  await eachPage(
    () => tx.revision.listByScope(key, '', PAGE_SIZE),
    async ({ revision_number }) => void (await tx.revision.remove(revisionKey(kind, domain, revision_number))),
  );
  await eachPage(
    () => tx.review.listByMark(key),
    async ({ review_id }) => void (await tx.review.remove(review_id)),
  );
}

/** Removes what was found out about an agent that files of publishers may still name. */
async function removeTraces(tx: ServerWriter, clock: Clock, url: string): Promise<void> {
  for (const { role } of (await tx.agent.find(url))?.badges ?? [])
    await takeBadge(tx, clock, { agent_url: url, role, reason: 'the agent was removed', actor: OPERATOR });
  await tx.crawl.dropAssessment(url);
}

async function removeOrganization(registry: Registry, orgId: string): Promise<void> {
  const { clock, store } = registry;
  for (let after = ''; ; ) {
    const page = await store.read.entry.page(after, PAGE_SIZE);
    for (const entry of page) if (entry.org_id === orgId) await removeEntry(registry, entry);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) break;
    after = entryKey(last.kind, last.domain);
  }
  await store.transact(async (tx) => {
    await eachPage(
      () => tx.member_agent.listByScope(orgId, '', PAGE_SIZE),
      async ({ agent_url }) => {
        await dropAgent(tx, registry, agent_url);
        await removeTraces(tx, clock, agent_url);
      },
    );
    await eachPage(
      () => tx.api_key.listByScope(orgId, '', PAGE_SIZE),
      async ({ key_id }) => void (await tx.api_key.remove(key_id)),
    );
    await eachPage(
      () => tx.member.listByScope(orgId, '', PAGE_SIZE),
      async ({ subject }) => void (await tx.member.remove(subject)),
    );
    await removeProofs(tx, orgId);
    await removeSubmissions(tx, orgId);
    const organization = await tx.organization.find(orgId);
    // Its short name stays taken, so that nobody comes back under it.
    if (organization !== undefined) await tx.organization.put({ ...organization, name: ERASED });
  });
}

async function removeEntry(registry: Registry, entry: Entry): Promise<void> {
  const { domain, kind } = entry;
  await registry.store.transact((tx) => setEntry(tx, registry, entry, 'pending'));
  if (kind === 'property') await eraseProperties(registry, domain, ({ source }) => source === 'contributed');
  await registry.store.transact((tx) => dropEntry(tx, kind, domain));
}

async function removeProofs(tx: ServerWriter, orgId: string): Promise<void> {
  for (;;) {
    const page = await tx.ownership.page(`${orgId}:`, PAGE_SIZE);
    const own = page.filter(({ org_id }) => org_id === orgId);
    for (const { domain } of own) await tx.ownership.remove(`${orgId}:${domain}`);
    if (own.length < PAGE_SIZE) return;
  }
}

async function removeSubmissions(tx: ServerWriter, orgId: string): Promise<void> {
  for (let after = ''; ; ) {
    const page = await tx.review.page(after, PAGE_SIZE);
    for (const { org_id, review_id } of page) if (org_id === orgId) await tx.review.remove(review_id);
    after = page.at(-1)?.review_id ?? after;
    if (page.length < PAGE_SIZE) return;
  }
}

/** Removes rows until there are none. */
async function eachPage<Row>(read: () => Promise<readonly Row[]>, remove: (row: Row) => Promise<void>): Promise<void> {
  for (let rows = await read(); rows.length > 0; rows = await read()) for (const row of rows) await remove(row);
}
