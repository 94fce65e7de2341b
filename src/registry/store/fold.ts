import { isObject } from '../../platform/kernel/json/json.js';
import { authorizationOf } from '../model/event-authorization.js';
import {
  agentOf,
  agentUrlOf,
  type Bag,
  badgeOf,
  collectionOf,
  complianceOf,
  domainOf,
  propertyOf,
  publisherOf,
  textOf,
} from '../model/event-payloads.js';
import type { AgentRecord, Noun, RegistryEvent } from '../model/records.js';
import type { RegistryWriter } from './registry-store.js';

/**
 * An event's effect: changed records; nothing, for the records stand at it or at a later one (`repeated`); nothing,
 * because its type is unknown (`ignored`), it cannot be read (`broken`), or it is about something that is not known and
 * does not say enough (`partial`).
 */
export type FoldOutcome = 'applied' | 'repeated' | 'ignored' | 'broken' | 'partial';

type Fold = (tx: RegistryWriter, event: RegistryEvent) => Promise<FoldOutcome>;

/** What the feed can tell: the noun of each event type, and what it does to the records. */
export const EVENT_TYPES = {
  'property.created': { entity: 'property', fold: putProperty },
  'property.updated': { entity: 'property', fold: putProperty },
  'property.merged': { entity: 'property', fold: mergeInto('property') },
  'property.stale': { entity: 'property', fold: (tx, event) => putProperty(tx, withStatus(event, 'stale')) },
  'property.reactivated': { entity: 'property', fold: (tx, event) => putProperty(tx, withStatus(event, 'active')) },
  'collection.created': { entity: 'collection', fold: putCollection },
  'collection.updated': { entity: 'collection', fold: putCollection },
  'collection.merged': { entity: 'collection', fold: mergeInto('collection') },
  'collection.removed': { entity: 'collection', fold: removeCollection },
  'agent.discovered': { entity: 'agent', fold: putAgent },
  'agent.removed': { entity: 'agent', fold: removeAgent },
  'agent.profile_updated': { entity: 'agent', fold: putAgent },
  'agent.compliance_changed': { entity: 'agent', fold: patchAgent(withCompliance) },
  'agent.verification_earned': { entity: 'agent', fold: patchAgent(withBadge) },
  'agent.verification_lost': { entity: 'agent', fold: patchAgent(withoutBadge) },
  'publisher.adagents_discovered': { entity: 'publisher', fold: putPublisher },
  'publisher.adagents_changed': { entity: 'publisher', fold: putPublisher },
  'authorization.granted': { entity: 'authorization', fold: putAuthorization },
  'authorization.revoked': { entity: 'authorization', fold: removeAuthorization },
  'authorization.modified': { entity: 'authorization', fold: putAuthorization },
} as const satisfies Readonly<Record<string, { readonly entity: Noun; readonly fold: Fold }>>;

/** One of the twenty types. */
export type EventType = keyof typeof EVENT_TYPES;

/**
 * Applies one event to the records: the same event twice, or after a later one of the same record, changes nothing. A payload is of
 * another registry: what cannot be read changes nothing either, except that an authorization is taken away when it cannot be read.
 */
export async function fold(tx: RegistryWriter, event: RegistryEvent): Promise<FoldOutcome> {
  if (!Object.hasOwn(EVENT_TYPES, event.event_type)) return 'ignored';
  return await EVENT_TYPES[event.event_type as EventType].fold(tx, event);
}

/** Returns an event of another registry; undefined for what is none. */
export function readEvent(value: unknown): RegistryEvent | undefined {
  if (!isObject(value)) return undefined;
  const { event_id, event_type, entity_type, entity_id, payload, actor, created_at } = value;
  if (typeof event_id !== 'string' || !UUID_V7.test(event_id) || typeof event_type !== 'string') return undefined;
  return {
    event_id: event_id.toLowerCase(),
    event_type,
    entity_type: typeof entity_type === 'string' ? entity_type : '',
    entity_id: typeof entity_id === 'string' ? entity_id : '',
    payload: isObject(payload) ? payload : {},
    actor: typeof actor === 'string' ? actor : '',
    created_at: typeof created_at === 'string' ? created_at : '',
  };
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

function outcomeOf(isWritten: boolean): FoldOutcome {
  return isWritten ? 'applied' : 'repeated';
}

function withStatus(event: RegistryEvent, status: 'stale' | 'active'): RegistryEvent {
  return { ...event, payload: { ...event.payload, status } };
}

async function putProperty(tx: RegistryWriter, event: RegistryEvent): Promise<FoldOutcome> {
  const { payload, event_id, created_at } = event;
  const rid = textOf(payload, 'property_rid') ?? event.entity_id;
  const isWhole = domainOf(payload, 'publisher_domain') !== undefined && payload.property_type !== undefined;
  const before = isWhole ? undefined : await tx.property.find(rid);
  const record = propertyOf({ ...payload, property_rid: rid }, before, created_at);
  return record === undefined ? 'partial' : outcomeOf(await tx.property.put(record, event_id));
}

async function putCollection(
  tx: RegistryWriter,
  { payload, event_id, created_at }: RegistryEvent,
): Promise<FoldOutcome> {
  const rid = textOf(payload, 'collection_rid');
  if (rid === undefined) return 'broken';
  const record = collectionOf(payload, await tx.collection.find(rid), created_at);
  return record === undefined ? 'partial' : outcomeOf(await tx.collection.put(record, event_id));
}

async function removeCollection(tx: RegistryWriter, { payload, event_id }: RegistryEvent): Promise<FoldOutcome> {
  const rid = textOf(payload, 'collection_rid');
  return rid === undefined ? 'broken' : outcomeOf(await tx.collection.remove(rid, event_id));
}

function mergeInto(noun: 'property' | 'collection'): Fold {
  return async (tx, { payload, event_id }) => {
    const [alias, canonical] = [textOf(payload, 'alias_rid'), textOf(payload, 'canonical_rid')];
    if (alias === undefined || canonical === undefined || alias === canonical) return 'broken';
    // A canonical that is an alias already would close a circle.
    if ((await tx.links.canonicalOf(canonical)) !== undefined) return 'broken';
    // Told first: rows that name the alias are found through what it stands for.
    await tx.links.merge(alias, canonical);
    return outcomeOf(await tx[noun].remove(alias, event_id));
  };
}

async function putAgent(tx: RegistryWriter, { payload, event_id, created_at }: RegistryEvent): Promise<FoldOutcome> {
  const url = agentUrlOf(payload);
  if (url === undefined) return 'broken';
  const record = agentOf(payload, await tx.agent.find(url), created_at);
  return record === undefined ? 'broken' : outcomeOf(await tx.agent.put(record, event_id));
}

async function removeAgent(tx: RegistryWriter, { payload, event_id }: RegistryEvent): Promise<FoldOutcome> {
  const url = agentUrlOf(payload);
  return url === undefined ? 'broken' : outcomeOf(await tx.agent.remove(url, event_id));
}

type Patch = (agent: AgentRecord, payload: Bag, at: string) => AgentRecord | undefined;

/** Returns the fold of a change to a part of an agent. One that is not known yet is known from then on. */
function patchAgent(patch: Patch): Fold {
  return async (tx, { payload, event_id, created_at }) => {
    const url = agentUrlOf(payload);
    if (url === undefined) return 'broken';
    const agent = (await tx.agent.find(url)) ?? agentOf({ agent_url: url }, undefined, created_at);
    const patched = agent && patch(agent, payload, created_at);
    return patched === undefined ? 'broken' : outcomeOf(await tx.agent.put(patched, event_id));
  };
}

function withCompliance(agent: AgentRecord, payload: Bag, at: string): AgentRecord | undefined {
  const compliance = complianceOf(payload, at);
  return compliance && { ...agent, compliance };
}

function withBadge(agent: AgentRecord, payload: Bag, at: string): AgentRecord | undefined {
  const badge = badgeOf({ earned_at: at, ...payload });
  const others = (agent.badges ?? []).filter(({ role }) => role !== badge?.role);
  return badge && { ...agent, badges: [...others, badge] };
}

function withoutBadge(agent: AgentRecord, payload: Bag): AgentRecord | undefined {
  const lost = textOf(payload, 'role');
  return lost === undefined
    ? undefined
    : { ...agent, badges: (agent.badges ?? []).filter(({ role }) => role !== lost) };
}

async function putPublisher(
  tx: RegistryWriter,
  { payload, event_id, created_at }: RegistryEvent,
): Promise<FoldOutcome> {
  const domain = domainOf(payload, 'publisher_domain') ?? domainOf(payload, 'domain');
  if (domain === undefined) return 'broken';
  const record = publisherOf(payload, await tx.publisher.find(domain), created_at);
  return record === undefined ? 'broken' : outcomeOf(await tx.publisher.put(record, event_id));
}

async function putAuthorization(
  tx: RegistryWriter,
  { payload, event_id, created_at }: RegistryEvent,
): Promise<FoldOutcome> {
  const record = authorizationOf(payload, created_at);
  if (record !== undefined) return outcomeOf(await tx.authorization.put(record, event_id));
  const id = textOf(payload, 'id');
  // What it stood for before is not what it stands for now, and that cannot be read: it stands for nothing.
  if (id !== undefined) await tx.authorization.remove(id, event_id);
  return 'broken';
}

async function removeAuthorization(tx: RegistryWriter, { payload, event_id }: RegistryEvent): Promise<FoldOutcome> {
  const id = textOf(payload, 'id');
  if (id !== undefined) return outcomeOf(await tx.authorization.remove(id, event_id));
  const [agent, domain] = [agentUrlOf(payload), domainOf(payload, 'publisher_domain')];
  if (agent === undefined || domain === undefined) return 'broken';
  // It names no row: every one that it may mean is taken away.
  const rid = textOf(payload, 'property_rid');
  let removed = 0;
  for (let after = ''; ; ) {
    const rows = await tx.authorization.ofAgent(agent, after, MAX_READ);
    for (const row of rows) {
      const isMeant = row.publisher_domain === domain && (rid === undefined || row.property_rid === rid);
      if (isMeant && (await tx.authorization.remove(row.id, event_id))) removed += 1;
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < MAX_READ) return outcomeOf(removed > 0);
  }
}

/** Rows that are read at a time. */
const MAX_READ = 500;
