import { createHash } from 'node:crypto';
import { isObject } from '../../platform/kernel/json/json.js';
import { authorizationOf } from '../model/event-authorization.js';
import { agentUrlOf, type Bag, domainOf, propertyOf, publisherOf } from '../model/event-payloads.js';
import type { AuthorizationRecord, PropertyRecord, PublisherRecord, RegistryEvent } from '../model/records.js';
import type { RegistryWriter } from '../store/registry-store.js';
import type { Divert } from './poll.js';
import { type FeedSource, isNotOffered } from './source.js';

/** The records that a registry's view of a publisher amounts to. */
type ViewRecords = {
  readonly publisher: PublisherRecord | undefined;
  readonly properties: readonly PropertyRecord[];
  readonly authorizations: readonly AuthorizationRecord[];
};

/** Whose word the view takes an agent from, and whether that is the publisher's. */
const EVIDENCE: Readonly<Record<string, AuthorizationRecord['evidence']>> = {
  adagents_json: 'adagents_json',
  aao_hosted: 'adagents_authoritative',
  agent_claim: 'agent_claim',
};

/**
 * Reads `GET publisher?domain=`. The view tells an agent's properties by their number alone: one that has all of them
 * has the publisher, any other is known for nothing that could be asked.
 */
export function readView(domain: string, view: unknown, now: string): ViewRecords {
  if (!isObject(view)) return { publisher: undefined, properties: [], authorizations: [] };
  const { adagents_valid, authorized_agents, properties } = view;
  const listed = bagsOf(properties).filter(({ source }) => source !== 'brand_json');
  return {
    publisher: publisherOf(
      { ...view, publisher_domain: domain, adagents_valid: adagents_valid ?? null },
      undefined,
      now,
    ),
    properties: listed.flatMap((bag) => {
      const fields = { ...bag, property_type: bag.type ?? bag.property_type, property_id: bag.id ?? bag.property_id };
      const rid = derivedId(domain, fields.property_id ?? JSON.stringify(bag.identifiers));
      return (
        propertyOf(
          { ...fields, source: 'authoritative', publisher_domain: domain, property_rid: rid },
          undefined,
          now,
        ) ?? []
      );
    }),
    authorizations: bagsOf(authorized_agents).flatMap((bag) => rowOf(domain, bag, now) ?? []),
  };
}

function rowOf(domain: string, bag: Bag, now: string): AuthorizationRecord | undefined {
  const agent_url = agentUrlOf(bag);
  const { properties_authorized: some, properties_total: all, publisher_wide } = bag;
  const isWide = publisher_wide === true || (typeof all === 'number' && all > 0 && some === all);
  const evidence = EVIDENCE[typeof bag.source === 'string' ? bag.source : 'adagents_json'];
  if (agent_url === undefined || evidence === undefined) return undefined;
  const row = { ...bag, agent_url, publisher_domain: domain, evidence, id: derivedId(domain, agent_url) };
  const record = authorizationOf({ ...row, authorization_type: 'publisher_properties' }, now);
  return record && (isWide ? record : { ...record, selectors: [] });
}

/** Returns an id in the form of a UUID that is the same every time. */
function derivedId(...parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function bagsOf(value: unknown): readonly Bag[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/**
 * Reads the views of the publishers that events tell of, in the place of those events: for a mirror of views, which has no records that
 * they could be folded into. A publisher that the registry does not know any more has nothing.
 */
export function viewsInstead(source: Pick<FeedSource, 'publisher'>, now: string): Divert {
  return async (events) => {
    const [meant, domains]: [RegistryEvent[], Set<string>] = [[], new Set()];
    for (const event of events) {
      const isOfPublisher = /^(publisher|property|authorization)\./.test(event.event_type);
      const domain = isOfPublisher ? domainOf(event.payload, 'publisher_domain') : undefined;
      if (domain !== undefined) domains.add(domain);
      if (!isOfPublisher) meant.push(event);
    }
    const views = new Map<string, ViewRecords>();
    for (const domain of domains) {
      const view = await source.publisher({ domain }).catch((error: unknown) => {
        if (isNotOffered(error)) return undefined;
        throw error;
      });
      views.set(domain, readView(domain, view, now));
    }
    const position = events.at(-1)?.event_id ?? '';
    return {
      meant,
      put: async (tx) => {
        for (const [domain, view] of views) await putView(tx, domain, view, position);
      },
    };
  };
}

/** Puts what a view tells in the place of all that was known of the publisher. */
export async function putView(tx: RegistryWriter, domain: string, view: ViewRecords, position: string): Promise<void> {
  const { authorizations, properties, publisher } = view;
  const current = {
    property: new Set(properties.map(({ property_rid }) => property_rid)),
    authorization: new Set(authorizations.map(({ id }) => id)),
  };
  for (const { property_rid: rid } of await tx.property.ofPublisher(domain, '', MAX_REPLACED)) {
    if (!current.property.has(rid)) await tx.property.remove(rid);
  }
  for (const { id } of await tx.authorization.ofPublisher(domain, '', MAX_REPLACED)) {
    if (!current.authorization.has(id)) await tx.authorization.remove(id);
  }
  if (publisher === undefined) await tx.publisher.remove(domain);
  else await tx.publisher.reset(publisher, position);
  for (const one of properties) await tx.property.reset(one, position);
  for (const one of authorizations) await tx.authorization.reset(one, position);
}

/** Rows of one publisher that a view can take away. */
const MAX_REPLACED = 100_000;
