import { describe, expect, it } from 'vitest';
import { crawlPublisher } from '../../../../src/registry/server/crawl/publisher.js';
import { EVENT_TYPES } from '../../../../src/registry/store/fold.js';
import { hasSchemas, schemaJudge } from '../../../kit/schemas.js';
import { openServiceContext } from '../context.js';

const DOMAIN = 'news.example';
const SALES = 'https://sales.example/mcp';
const property = (id: string, values: readonly string[], more: object = {}): object => ({
  property_id: id,
  property_type: 'website',
  name: id,
  identifiers: values.map((value) => ({ type: 'subdomain', value: `${value}.${DOMAIN}` })),
  tags: ['sport'],
  supported_channels: ['display'],
  ...more,
});
const entry = (more: object): object => ({ url: SALES, authorized_for: 'all', ...more });
const collection = (id: string, values: readonly string[], name = id): object => ({
  collection_id: id,
  name,
  kind: 'series',
  ...(values.length > 0 && {
    distribution: [
      { publisher_domain: 'tube.example', identifiers: values.map((value) => ({ type: 'imdb_id', value })) },
    ],
  }),
});

/** Files one after the other, which between them make every event that a crawl can tell. */
const FILES: readonly (object | undefined)[] = [
  {
    properties: [property('a', ['a']), property('b', ['b'])],
    collections: [collection('c', ['tt1']), collection('d', ['tt2']), collection('e', [])],
    placements: [{ placement_id: 'top', name: 'Top', property_ids: ['a'] }],
    authorized_agents: [
      entry({ authorization_type: 'property_ids', property_ids: ['a', 'b'], countries: ['US'], exclusive: true }),
      entry({ authorization_type: 'property_tags', property_tags: ['sport'], placement_ids: ['top'] }),
      entry({
        authorization_type: 'publisher_properties',
        publisher_properties: [{ publisher_domain: DOMAIN, selection_type: 'all' }],
        delegation_type: 'delegated',
        effective_from: '2029-01-01T00:00:00Z',
        effective_until: '2031-01-01T00:00:00Z',
        collections: [{ publisher_domain: DOMAIN, collection_ids: ['c'] }],
        signing_keys: [{ kid: 'k', kty: 'OKP', crv: 'Ed25519', x: 'AA', alg: 'EdDSA', use: 'sig' }],
      }),
      entry({ authorization_type: 'inline_properties', properties: [property('i', ['i'])] }),
      entry({ authorization_type: 'signal_ids', signal_ids: ['s'] }),
    ],
  },
  {
    properties: [property('a', ['a', 'b'])],
    collections: [collection('c', ['tt1', 'tt2'], 'C')],
    authorized_agents: [
      entry({ url: 'https://other.example/mcp', authorization_type: 'property_ids', property_ids: ['a'] }),
      entry({ authorization_type: 'property_ids', property_ids: ['a'], countries: ['US', 'DE'] }),
    ],
  },
  undefined,
  { properties: [property('a', ['a', 'b'])], authorized_agents: [] },
];

/** Told by members' operations, not by a crawl. */
const OF_MEMBERS: ReadonlySet<string> = new Set([
  'agent.compliance_changed',
  'agent.verification_earned',
  'agent.verification_lost',
]);

describe.runIf(hasSchemas('3.1'))('the events of a crawl, judged by the public schemas', () => {
  it('every type is told, and every event is valid', async () => {
    const judge = schemaJudge('3.1');
    const service = openServiceContext();
    const types = new Set<string>();
    for (const file of FILES) {
      const url = `https://${DOMAIN}/.well-known/adagents.json`;
      service.world[url] = file === undefined ? { status: 404 } : { json: file };
      await crawlPublisher(service, DOMAIN);
      const events = await service.news();
      expect(events.length).toBeGreaterThan(0);
      for (const event of events) {
        types.add(event.event_type);
        expect(judge('core/registry-event', event), `${event.event_type} ${JSON.stringify(event.payload)}`).toEqual([]);
      }
    }
    const missing = Object.keys(EVENT_TYPES).filter((type) => !types.has(type) && !OF_MEMBERS.has(type));
    expect(missing).toEqual([]);
  });
});
