import { z } from 'zod';
import { EVENT_TYPES } from '../../store/fold.js';
import { jsonSchema } from './openapi.js';

/** The members that a payload has at least, for each type of event. */
const PAYLOADS: Readonly<Record<keyof typeof EVENT_TYPES, readonly string[]>> = {
  'property.created': ['property_rid', 'classification', 'identifiers'],
  'property.updated': ['property_rid'],
  'property.merged': ['alias_rid', 'canonical_rid'],
  'property.stale': ['property_rid'],
  'property.reactivated': ['property_rid'],
  'collection.created': ['collection_rid', 'publisher_domain', 'collection_id', 'identifiers'],
  'collection.updated': ['collection_rid'],
  'collection.merged': ['alias_rid', 'canonical_rid'],
  'collection.removed': ['collection_rid', 'publisher_domain', 'status'],
  'agent.discovered': ['agent_url'],
  'agent.removed': ['agent_url'],
  'agent.profile_updated': ['agent_url'],
  'agent.compliance_changed': [
    ...['agent_url', 'previous_status', 'current_status', 'tracks'],
    ...['storyboards_passing', 'storyboards_total'],
  ],
  'agent.verification_earned': ['agent_url', 'role', 'verified_specialisms'],
  'agent.verification_lost': ['agent_url', 'role', 'reason'],
  'publisher.adagents_discovered': ['publisher_domain'],
  'publisher.adagents_changed': ['publisher_domain'],
  'authorization.granted': ['agent_url', 'publisher_domain'],
  'authorization.revoked': ['agent_url', 'publisher_domain'],
  'authorization.modified': ['agent_url', 'publisher_domain'],
};

const event = z.looseObject({
  event_id: z.uuid().describe('UUID v7; events are ordered by it.'),
  event_type: z.enum(Object.keys(EVENT_TYPES) as [keyof typeof EVENT_TYPES, ...(keyof typeof EVENT_TYPES)[]]),
  entity_type: z.enum(['property', 'collection', 'agent', 'publisher', 'authorization']),
  entity_id: z.string(),
  payload: z.record(z.string(), z.unknown()),
  actor: z.string().describe('Informational.'),
  created_at: z.iso.datetime(),
});

const page = z.looseObject({
  cursor: z.string().nullable(),
  has_more: z.boolean(),
});

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Returns the schemas of the feed, by the path that they are served at. */
export function eventSchemas(baseUrl: string): Readonly<Record<string, object>> {
  const at = (name: string): string => `${baseUrl}/schemas/v3/core/${name}.json`;
  const { properties, required, ...others } = jsonSchema(page, 'output') as {
    properties: object;
    required: readonly string[];
  };
  return {
    '/schemas/v3/core/registry-event.json': {
      $schema: DIALECT,
      $id: at('registry-event'),
      title: 'Registry event',
      ...jsonSchema(event, 'output'),
      allOf: Object.entries(PAYLOADS).map(([type, names]) => ({
        if: { properties: { event_type: { const: type } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, in an object that nobody awaits
        then: { properties: { payload: { required: names } } },
      })),
    },
    '/schemas/v3/core/registry-feed-response.json': {
      $schema: DIALECT,
      $id: at('registry-feed-response'),
      title: 'Page of the registry feed',
      ...others,
      properties: { events: { type: 'array', items: { $ref: at('registry-event') } }, ...properties },
      required: ['events', ...required],
    },
  };
}
