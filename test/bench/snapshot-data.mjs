/** A registry of any size, made by rule: the same number always means the same publisher, property, row and event. */

const START_MS = Date.UTC(2026, 0, 1);
const PROPERTIES_OF_PUBLISHER = 100;
const AGENTS_OF_PUBLISHER = 5;
const AGENTS = 500;
const TYPES = ['domain', 'ios_bundle', 'roku_store_id', 'google_play_id'];

/** A UUID from a number; version 7 and in the order of the numbers where it stands for time. */
export function uuid(kind, number) {
  const hex = number.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${kind.toString(16).padStart(12, '0')}`;
}

/** The id of the n-th event. */
export function eventId(number) {
  return uuid(number % 1000, START_MS + Math.floor(number / 1000));
}

export const agentUrl = (number) => `https://sales-${number % AGENTS}.agents.example/mcp/v1`;
export const domainOf = (publisher) => `publisher-${publisher}.example`;

/** The identifier of the n-th property: no two have the same. */
export function identifierOf(number) {
  const type = TYPES[number % TYPES.length];
  const publisher = Math.floor(number / PROPERTIES_OF_PUBLISHER);
  const value = type === 'domain' ? `site-${number}.${domainOf(publisher)}` : `com.publisher${publisher}.app${number}`;
  return { type, value };
}

export function propertyOf(number) {
  return {
    property_rid: uuid(1, number + 1),
    publisher_domain: domainOf(Math.floor(number / PROPERTIES_OF_PUBLISHER)),
    property_id: `property_${number % PROPERTIES_OF_PUBLISHER}`,
    property_type: 'mobile_app',
    name: `Property ${number}`,
    classification: 'property',
    source: 'authoritative',
    identifiers: [identifierOf(number)],
    tags: number % 3 === 0 ? ['sports'] : ['news'],
    status: 'active',
  };
}

/** Which agent may sell the n-th property, and until when: every tenth grant has ended. */
export function rowOf(number) {
  const publisher = Math.floor(number / PROPERTIES_OF_PUBLISHER);
  const url = agentUrl(publisher * 7 + (number % AGENTS_OF_PUBLISHER));
  return {
    id: uuid(2, number + 1),
    agent_url: url,
    agent_url_canonical: url,
    publisher_domain: domainOf(publisher),
    authorization_type: 'property_ids',
    authorized_for: 'Everything',
    property_rid: uuid(1, number + 1),
    property_id_slug: `property_${number % PROPERTIES_OF_PUBLISHER}`,
    delegation_type: 'direct',
    ...(number % 10 === 0 ? { effective_until: '2026-01-01T00:00:00Z' } : {}),
    evidence: 'adagents_json',
    disputed: false,
    created_by: null,
    expires_at: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  };
}

/** Everything of a registry of so many properties, as a source that a mirror reads; `now` is after its last event. */
export function registryOf(properties) {
  const publishers = Math.ceil(properties / PROPERTIES_OF_PUBLISHER);
  const numbers = (count) => Array.from({ length: count }, (_none, number) => number);
  const feed = [];
  return {
    publishers,
    properties,
    now: START_MS + 10_000_000,
    /** Events behind the ones that the records hold already. */
    feed,
    publisher: (number) => ({ domain: domainOf(number), has_valid_adagents: true, agent_count: AGENTS_OF_PUBLISHER }),
    agents: () =>
      numbers(Math.min(AGENTS, publishers * AGENTS_OF_PUBLISHER)).map((number) => ({ agent_url: agentUrl(number) })),
  };
}

/** The events that build such a registry: for each property its creation and its grant, publishers before. */
export function* eventsOf({ properties, publishers }) {
  let number = 0;
  const event = (event_type, entity_id, payload) => {
    const event_id = eventId(number);
    number += 1;
    const created_at = '2026-01-01T00:00:00.000Z';
    return {
      event_id,
      event_type,
      entity_type: event_type.split('.')[0],
      entity_id,
      payload,
      actor: 'bench',
      created_at,
    };
  };
  for (let one = 0; one < publishers; one += 1) {
    yield event('publisher.adagents_discovered', domainOf(one), { publisher_domain: domainOf(one) });
  }
  for (let one = 0; one < properties; one += 1) {
    yield event('property.created', uuid(1, one + 1), propertyOf(one));
    const row = rowOf(one);
    yield event('authorization.granted', row.id, row);
  }
}
