import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRegistryIndex, type RegistryIndex } from '../../../src/registry/mirror/lookup/registry-index.js';
import { NOUNS, type RegistryEvent } from '../../../src/registry/model/records.js';
import { EVENT_TYPES, fold, readEvent } from '../../../src/registry/store/fold.js';
import { openRegistryStore, type RegistryStore } from '../../../src/registry/store/registry-store.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { eventId, ridOf } from '../mirror/fake-registry.js';

const START = Date.UTC(2026, 1, 1);
const some = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const rid = some(ridOf(1), ridOf(2), ridOf(3));
const domain = some<unknown>('news.example', 'NEWS.example', 'other.example', 'nowhere', '', 7);
const url = some(
  'https://sales.example/mcp',
  'https://rival.example/',
  'mailto:a@b.example',
  'http://[::1',
  'https://%zz/',
  null,
);
const texts = fc.oneof(fc.array(some('a', 'b', '')), fc.constant('a'), fc.constant(null));
const identifier = fc.record({
  type: some('domain', 'ios_bundle', 'shoe_size'),
  value: some<unknown>('news.example', '*.com', 'app', '', 5),
});
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: fc.anything() as never }), { nil: undefined });

/** Payloads as a registry might send them, and as it should not. */
const payload = fc.record({
  id: sometimes(some('row-1', 'row-2', 'row-3')),
  property_rid: sometimes(rid),
  collection_rid: sometimes(rid),
  alias_rid: sometimes(rid),
  canonical_rid: sometimes(rid),
  publisher_domain: sometimes(domain),
  agent_url: sometimes(url),
  property_type: sometimes(some('website', 'mobile_app', 'shop')),
  identifiers: sometimes(fc.array(identifier, { maxLength: 3 })),
  tags: sometimes(texts),
  authorization_type: sometimes(
    some('property_ids', 'property_tags', 'publisher_properties', 'inline_properties', 'signal_ids'),
  ),
  property_ids: sometimes(texts),
  publisher_properties: sometimes(
    fc.array(fc.record({ publisher_domain: domain, selection_type: some('all', 'by_id', 'none') })),
  ),
  placement_ids: sometimes(texts),
  countries: sometimes(texts),
  exclusive: sometimes(fc.boolean()),
  effective_until: sometimes(some('2026-01-01T00:00:00Z', 'soon')),
  standing: sometimes(some('open', 'revoked', 'closed')),
  placements: sometimes(fc.array(fc.record({ placement_id: some<unknown>('p', 3) }))),
  role: sometimes(some('sales', 'creative')),
  current_status: sometimes(some('passing', 'failing', 'great')),
  status: sometimes(some('active', 'stale', 'removed')),
});
const changes = fc.array(fc.record({ type: some(...Object.keys(EVENT_TYPES)), payload }), { maxLength: 12 });

/** What the registry says with its types, in the order told. */
function eventsOf(
  list: readonly { readonly type: string; readonly payload: object }[],
  from: number,
): readonly RegistryEvent[] {
  return list.map(({ payload, type }, index) => ({
    event_id: eventId(START + from, index),
    event_type: type,
    entity_type: '',
    entity_id: '',
    payload: payload as RegistryEvent['payload'],
    actor: 'test',
    created_at: new Date(START).toISOString(),
  }));
}

describe('any feed', () => {
  let store: RegistryStore;
  let index: RegistryIndex;
  let turn = 0;

  beforeAll(async () => {
    store = openRegistryStore(path.join(temporaryFolder('seller-agent-events-'), 'registry.db'), 'copy');
    index = await openRegistryIndex(store);
  });
  afterAll(async () => {
    await index.close();
    await store.close();
  });

  const foldAll = (events: readonly RegistryEvent[]) =>
    store.transact(async (tx) => {
      const outcomes = [];
      for (const event of events) outcomes.push(await fold(tx, event));
      return outcomes;
    });
  const records = async () => await Promise.all(NOUNS.map((noun) => store.read[noun].page('', 1000)));
  const answers = (one: RegistryIndex) =>
    ['https://sales.example/mcp', 'https://rival.example/'].flatMap((agent) =>
      ['news.example', 'other.example'].map((site) => {
        const { authorized, reason } = one.isAuthorized({ agent, domain: site, at: START });
        return `${agent} ${site} ${authorized} ${reason} ${one.domainsOf(agent).toSorted().join()}`;
      }),
    );

  it('breaks nothing, changes nothing when it is told again, and leaves the index as the rows are', async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        turn += 1;
        const events = eventsOf(list, turn);
        applied += (await foldAll(events)).filter((outcome) => outcome === 'applied').length;
        const after = await records();
        expect((await foldAll(events)).filter((outcome) => outcome === 'applied')).toEqual([]);
        await foldAll([...events].reverse());
        expect(await records()).toEqual(after);
        const followed = answers(index);
        await index.rebuild();
        expect(followed).toEqual(answers(index));
      }),
      { numRuns: 150 },
    );
    expect(applied).toBeGreaterThan(100);
  });

  it('is read event by event, and what is none is none', () => {
    const [good] = eventsOf([{ type: 'agent.removed', payload: {} }], 1);
    expect(readEvent({ ...good, payload: null, actor: 3 })).toMatchObject({ payload: {}, actor: '' });
    for (const bad of [
      null,
      [],
      'x',
      {},
      { ...good, event_id: '42' },
      { ...good, event_id: ridOf(1) },
      { ...good, event_type: 7 },
    ]) {
      expect(readEvent(bad)).toBeUndefined();
    }
  });
});
