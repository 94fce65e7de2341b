import type { PropertySelector } from '../../domain/product.js';
import { isoTime } from '../../kernel/clock.js';
import { nextTurn } from '../../kernel/turn.js';
import type { PropertyIdentifier } from '../adagents-types.js';
import { publisherDomain, typedDomain } from '../domains.js';
import type { AuthorizationRecord, PropertyRecord } from '../records.js';
import { itemOf, requireAgent } from './lookups.js';
import { RegistryProblem } from './problem.js';
import type { Registry } from './registry.js';
import { picks } from './tally.js';

/** Most rows of a publisher that one question reads, and most properties that it judges. */
const MOST_ROWS = 1000;
const MOST_JUDGED = 10_000;
const MOST_UNAUTHORIZED = 100;
const JUDGED_AT_ONCE = 200;

/** A selector as callers write it: old ones leave out the kind (facts 1.4). */
export type AskedSelector = {
  readonly publisher_domain?: string;
  readonly publisher_domains?: readonly string[];
  readonly selection_type?: 'all' | 'by_id' | 'by_tag';
  readonly property_ids?: readonly string[];
  readonly property_tags?: readonly string[];
  readonly tags?: readonly string[];
  readonly property_types?: readonly string[];
};

type Selected = {
  readonly selector: PropertySelector;
  readonly isKnown: boolean;
  readonly properties: readonly PropertyRecord[];
  readonly unknownIds: readonly string[];
};

/** Whether an agent may sell all that a product's selectors reach (spec 1, validate/product-authorization). Throws invalid_request. */
export async function validateProduct(
  registry: Registry,
  agentUrl: string,
  selectors: readonly AskedSelector[],
): Promise<object> {
  const agent = requireAgent(agentUrl, '/agent_url');
  const answers = [];
  for await (const { isKnown, properties, selector, unknownIds } of selected(registry, selectors)) {
    const refused = await withoutAuthorization(registry, agent, properties);
    const authorized = properties.length - refused.length;
    answers.push({
      publisher_domain: selector.publisher_domain,
      selection_type: selector.selection_type,
      requested_count: properties.length + unknownIds.length,
      authorized_count: authorized,
      unauthorized_items: [...refused.map(itemOf), ...unknownIds].slice(0, MOST_UNAUTHORIZED),
      source: isKnown && authorized > 0 ? 'adagents_json' : 'none',
    });
  }
  const total_requested = answers.reduce((sum, one) => sum + one.requested_count, 0);
  const total_authorized = answers.reduce((sum, one) => sum + one.authorized_count, 0);
  return {
    agent_url: agentUrl,
    authorized: total_requested > 0 && total_authorized === total_requested,
    coverage_percentage: total_requested === 0 ? 0 : Math.floor((total_authorized / total_requested) * 100),
    total_requested,
    total_authorized,
    selectors: answers,
    checked_at: isoTime(registry.clock.now()),
  };
}

/** What a product's selectors stand for, property by property (spec 1, expand/product-identifiers). Throws invalid_request. */
export async function expandProduct(
  registry: Registry,
  agentUrl: string,
  selectors: readonly AskedSelector[],
): Promise<object> {
  requireAgent(agentUrl, '/agent_url');
  const byRid = new Map<string, PropertyRecord>();
  for await (const { properties } of selected(registry, selectors)) {
    for (const record of properties) byRid.set(record.property_rid, record);
  }
  const records = [...byRid.values()];
  const identifiers = records.flatMap((record) =>
    record.identifiers.map(({ type, value }: PropertyIdentifier) => {
      return { type, value, property_id: itemOf(record), publisher_domain: record.publisher_domain };
    }),
  );
  return {
    agent_url: agentUrl,
    properties: records.map((record) => {
      const { identifiers: own, name, property_type, publisher_domain, tags } = record;
      return {
        publisher_domain,
        property_id: itemOf(record),
        property_name: name,
        property_type,
        identifiers: own,
        tags,
      };
    }),
    identifiers,
    property_count: records.length,
    identifier_count: identifiers.length,
    generated_at: isoTime(registry.clock.now()),
  };
}

/** How much of a publisher an agent may sell (spec 1, publisher/authorization). Throws not_found when none of it. */
export async function publisherAuthorization(registry: Registry, domain: string, agentUrl: string): Promise<object> {
  const agent = requireAgent(agentUrl, 'agent');
  const name = publisherDomain(domain);
  const rows = await registry.store.read.authorization.ofPublisher(name, '', MOST_ROWS);
  const own = rows.filter(({ agent_url_canonical }) => agent_url_canonical === agent);
  const [first] = own;
  if (first === undefined) {
    throw new RegistryProblem('not_found', 'This publisher does not authorise this agent.', {
      field: 'agent',
      suggestion: 'Check the spelling of both; the publisher adds agents in its adagents.json.',
    });
  }
  const listed = await activeProperties(registry, name);
  const refused = await withoutAuthorization(registry, agent, listed);
  return {
    publisher_domain: name,
    agent_url: agentUrl,
    authorized: listed.length - refused.length,
    total: listed.length,
    publisher_wide: own.some(isWide),
    source: first.evidence === 'agent_claim' ? 'agent_claim' : 'adagents_json',
    ...(first.authorized_for === null ? {} : { authorized_for: first.authorized_for }),
    unauthorized_properties: refused.slice(0, MOST_UNAUTHORIZED).map((record) => {
      return { id: itemOf(record), name: record.name, type: record.property_type };
    }),
  };
}

/** Whether a row is for everything that its publisher lists. */
export function isWide({ authorization_type, property_rid, selectors }: AuthorizationRecord): boolean {
  if (authorization_type === 'signal_ids' || authorization_type === 'signal_tags' || property_rid !== null)
    return false;
  return selectors === undefined || selectors.some(({ selection_type }) => selection_type === 'all');
}

/** The properties that a publisher lists and that are not stale. */
export async function activeProperties({ store }: Registry, domain: string): Promise<readonly PropertyRecord[]> {
  const rows = await store.read.property.ofPublisher(domain, '', MOST_JUDGED);
  return rows.filter(({ inline, status }) => status === 'active' && inline !== true);
}

/** Properties that an agent may not sell just now. */
async function withoutAuthorization(
  registry: Registry,
  agent: string,
  properties: readonly PropertyRecord[],
): Promise<readonly PropertyRecord[]> {
  const refused: PropertyRecord[] = [];
  for (const [position, record] of properties.entries()) {
    const { publisher_domain, property_id } = record;
    const [identifier] = record.identifiers;
    const property = property_id !== null ? { property_id } : identifier;
    const question = { agent, publisher_domain, at: registry.clock.now(), openLimits: 'report' } as const;
    const isYes = property !== undefined && registry.index.isAuthorized({ ...question, property }).authorized;
    if (!isYes) refused.push(record);
    if (position % JUDGED_AT_ONCE === JUDGED_AT_ONCE - 1) await nextTurn();
  }
  return refused;
}

async function* selected(registry: Registry, asked: readonly AskedSelector[]): AsyncGenerator<Selected> {
  for (const [position, one] of asked.entries()) {
    for (const selector of readSelector(one, position)) {
      const listed = await activeProperties(registry, selector.publisher_domain);
      const ofType = listed.filter(
        ({ property_type }) => one.property_types === undefined || one.property_types.includes(property_type),
      );
      const properties = ofType.filter((record) => picks(selector, record));
      const found = new Set(properties.map(({ property_id }) => property_id));
      const unknownIds =
        selector.selection_type === 'by_id' ? selector.property_ids.filter((id) => !found.has(id)) : [];
      const isKnown = registry.index.publisher(selector.publisher_domain) !== undefined;
      yield { selector, isKnown, properties, unknownIds };
    }
  }
}

function readSelector(asked: AskedSelector, position: number): readonly PropertySelector[] {
  const { property_ids, property_tags = asked.tags, publisher_domain, publisher_domains = [] } = asked;
  const domains = [...(publisher_domain === undefined ? [] : [publisher_domain]), ...publisher_domains];
  if (domains.length === 0) throw wrongSelector(position, 'publisher_domain', 'is missing');
  const type = asked.selection_type ?? (property_ids ? 'by_id' : property_tags ? 'by_tag' : 'all');
  return domains.map((text) => {
    const domain = typedDomain(text);
    if (domain === undefined) throw wrongSelector(position, 'publisher_domain', 'is not a valid domain');
    const publisher = publisherDomain(domain);
    if (type === 'all') return { publisher_domain: publisher, selection_type: type };
    if (type === 'by_id') {
      if (property_ids === undefined) throw wrongSelector(position, 'property_ids', 'is missing');
      return { publisher_domain: publisher, selection_type: type, property_ids };
    }
    if (property_tags === undefined) throw wrongSelector(position, 'property_tags', 'is missing');
    return { publisher_domain: publisher, selection_type: type, property_tags };
  });
}

function wrongSelector(position: number, member: string, what: string): RegistryProblem {
  const field = `/publisher_properties/${position}/${member}`;
  return new RegistryProblem('invalid_request', `${field}: ${what}`, {
    field,
    suggestion: 'Send {"publisher_domain", "selection_type": "all" | "by_id" | "by_tag"} with what it selects.',
  });
}
