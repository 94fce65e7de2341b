import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Libsql from 'libsql';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import { createLog } from '../../../src/platform/kernel/log.js';
import { type Mirror, openMirror } from '../../../src/registry/mirror/mirror.js';
import { openRegistryStore, type RegistryStore } from '../../../src/registry/store/registry-store.js';
import { eventId, type FakeRegistry, fakeRegistry, refusal, ridOf } from './fake-registry.js';

const START = Date.UTC(2026, 1, 1);
const AGENT = 'https://sales.example/mcp';
const folders: string[] = [];
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function property(number: number, domain = 'news.example', more: object = {}) {
  return {
    property_rid: ridOf(number),
    publisher_domain: domain,
    property_id: `p${number}`,
    property_type: 'ctv_app',
    name: `App ${number}`,
    classification: 'property',
    source: 'authoritative',
    identifiers: [{ type: 'roku_store_id', value: `${number}` }],
    tags: [],
    status: 'active',
    ...more,
  };
}

function row(number: number, rid: string | null, more: object = {}) {
  return {
    id: ridOf(0xa0000 + number),
    agent_url: AGENT,
    agent_url_canonical: AGENT,
    publisher_domain: 'news.example',
    authorization_type: 'publisher_properties',
    authorized_for: 'Everything',
    property_rid: rid,
    property_id_slug: null,
    evidence: 'adagents_json',
    disputed: false,
    created_by: null,
    expires_at: null,
    created_at: isoTime(START),
    updated_at: isoTime(START),
    ...more,
  };
}

/** A registry with one publisher, three properties, and an agent that may sell the first. */
function smallRegistry(): FakeRegistry {
  const registry = fakeRegistry(START);
  registry.rows.publishers.push({ domain: 'news.example', has_valid_adagents: true, agent_count: 1 });
  registry.rows.catalog.push(property(1), property(2), property(3));
  registry.rows.agents.push({ agent_url: AGENT, channels: ['ctv'], property_count: 1 });
  registry.rows.authorizations.push(row(1, ridOf(1)));
  registry.tell('publisher.adagents_discovered', { publisher_domain: 'news.example' });
  return registry;
}

type MirrorFixture = {
  readonly mirror: Mirror;
  readonly store: RegistryStore;
  readonly clock: { ms: number; now: () => number };
};

async function openFixture(registry: FakeRegistry, folder?: string, extra: object = {}): Promise<MirrorFixture> {
  const at = folder ?? mkdtempSync(path.join(tmpdir(), 'mirror-'));
  if (folder === undefined) folders.push(at);
  const store = openRegistryStore(path.join(at, 'registry.db'));
  open.push(store.close);
  const clock = { ms: START + HOUR_MS, now: () => clock.ms };
  const log = createLog('silent');
  const mirror = await openMirror({ store, source: registry.source, clock, ids: systemIds, log, ...extra });
  open.push(mirror.close);
  return { mirror, store, clock };
}

function ask(mirror: Mirror, number: number, at = START): string {
  const asked = { agent: AGENT, property: { type: 'roku_store_id', value: `${number}` }, at } as const;
  const { authorized, reason } = mirror.isAuthorized(asked);
  return authorized ? 'yes' : reason;
}

describe('a mirror', () => {
  it('says no before it has read anything, reads it all, and answers', async () => {
    const registry = smallRegistry();
    const { mirror } = await openFixture(registry);
    expect(ask(mirror, 1)).toBe('snapshot_stale');
    await mirror.tick();
    expect([1, 2, 3].map((number) => ask(mirror, number))).toEqual([
      'yes',
      'property_not_covered',
      'property_not_covered',
    ]);
    expect(mirror.lag()).toMatchObject({ state: 'following', is_stale: false, failures: 0, lag_ms: 0 });
    expect(mirror.domainsOf(AGENT)).toEqual(['news.example']);
    expect(mirror.identifier('roku_store_id', '2').map(({ property_rid }) => property_rid)).toEqual([ridOf(2)]);
    expect(await mirror.agent(AGENT)).toMatchObject({ record: { channels: ['ctv'] }, domains: ['news.example'] });
    expect(await mirror.publisher('www.news.example')).toMatchObject({ agents: [AGENT] });
    // The cursor was taken before anything was read.
    expect(registry.asked[0]).toBe('feed ');
  });

  it('follows the feed: grants, changes, revocations, merges, and what becomes stale', async () => {
    const registry = smallRegistry();
    const { mirror } = await openFixture(registry);
    await mirror.tick();
    const follow = async (event_type: string, payload: object): Promise<string[]> => {
      registry.tell(event_type, payload as Record<string, unknown>);
      await mirror.tick('now');
      return [1, 2, 3, 4].map((number) => ask(mirror, number));
    };
    const not = 'property_not_covered';
    expect(await follow('authorization.granted', row(2, ridOf(2)))).toEqual(['yes', 'yes', not, 'property_unknown']);
    expect(await follow('authorization.modified', row(2, ridOf(2), { effective_until: isoTime(START) }))).toEqual([
      ...['yes', 'expired', not, 'property_unknown'],
    ]);
    // Rows may come before what they are about.
    expect(await follow('authorization.granted', row(4, ridOf(4)))).toEqual([
      'yes',
      'expired',
      not,
      'property_unknown',
    ]);
    expect(await follow('property.created', property(4))).toEqual(['yes', 'expired', not, 'yes']);
    expect(await follow('property.stale', { property_rid: ridOf(4), reason: 'gone' })).toEqual([
      ...['yes', 'expired', not, 'property_unknown'],
    ]);
    expect(await follow('property.reactivated', { property_rid: ridOf(4) })).toEqual(['yes', 'expired', not, 'yes']);
    expect(await follow('property.merged', { alias_rid: ridOf(4), canonical_rid: ridOf(3) })).toEqual([
      ...['yes', 'expired', 'yes', 'property_unknown'],
    ]);
    expect(await follow('authorization.revoked', row(1, ridOf(1)))).toEqual([
      not,
      'expired',
      'yes',
      'property_unknown',
    ]);
    expect(await follow('registry.new_kind', {})).toEqual([not, 'expired', 'yes', 'property_unknown']);
    expect(mirror.lag().events).toMatchObject({ applied: 8, ignored: 1, broken: 0, partial: 0 });
  });

  it('takes away what an unreadable change was about', async () => {
    const registry = smallRegistry();
    const { mirror } = await openFixture(registry);
    await mirror.tick();
    registry.tell('authorization.modified', row(1, ridOf(1), { countries: 'US' }));
    await mirror.tick('now');
    expect(ask(mirror, 1)).toBe('agent_not_listed');
    expect(mirror.lag().events.broken).toBe(1);
  });

  it('a revocation that names no row takes all that it may mean', async () => {
    const registry = smallRegistry();
    registry.rows.authorizations.push(row(2, ridOf(2)), row(3, null));
    const { mirror } = await openFixture(registry);
    await mirror.tick();
    expect([1, 2, 3].map((number) => ask(mirror, number))).toEqual(['yes', 'yes', 'yes']);
    registry.tell('authorization.revoked', { agent_url: AGENT, publisher_domain: 'news.example' });
    await mirror.tick('now');
    expect([1, 2, 3].map((number) => ask(mirror, number))).toEqual(Array(3).fill('agent_not_listed'));
  });

  it('starts warm, and writes its lookups of the records where there are none yet', async () => {
    const registry = smallRegistry();
    const folder = mkdtempSync(path.join(tmpdir(), 'mirror-'));
    folders.push(folder);
    const first = await openFixture(registry, folder);
    await first.mirror.tick();
    await first.mirror.close();
    await first.store.close();
    open.length = 0;
    registry.asked.length = 0;
    const second = await openFixture(registry, folder);
    expect(ask(second.mirror, 1)).toBe('yes');
    expect(registry.asked).toEqual([]);
    await second.mirror.close();
    await second.store.close();
    open.length = 0;
    // As an older version leaves it, which had no lookups there.
    const file = new Libsql(path.join(folder, 'registry.db'));
    file.exec('DELETE FROM lookup_edition');
    file.close();
    const third = await openFixture(registry, folder);
    expect(ask(third.mirror, 1)).toBe('yes');
    await third.mirror.tick();
    expect(registry.asked).toEqual([`feed ${registry.events[0]?.event_id}`]);
  });

  it('reads everything anew when its cursor is lost, and what is gone is gone', async () => {
    const registry = smallRegistry();
    const { mirror, store } = await openFixture(registry);
    await mirror.tick();
    registry.rows.authorizations.splice(0, 1, row(2, ridOf(2)));
    registry.rows.catalog.splice(2, 1, property(5));
    for (let index = 0; index < 3; index += 1) registry.tell('agent.discovered', { agent_url: AGENT });
    registry.forget = registry.events.at(-1)?.event_id ?? '';
    const seen: string[] = [];
    const answers = setInterval(() => seen.push(ask(mirror, 1)), 0);
    await mirror.tick('now');
    clearInterval(answers);
    expect(new Set([...seen, 'yes', 'property_not_covered'])).toEqual(new Set(['yes', 'property_not_covered']));
    expect([1, 2, 3, 5].map((number) => ask(mirror, number))).toEqual([
      ...['property_not_covered', 'yes', 'property_unknown', 'property_not_covered'],
    ]);
    expect(await store.read.property.count()).toBe(3);
    expect(mirror.lag()).toMatchObject({ rebuilds: 2, failures: 0 });
  });

  it('closes once the registry has been silent for too long, and opens again', async () => {
    const registry = smallRegistry();
    const { clock, mirror } = await openFixture(registry, undefined, { maxStalenessMs: 10 * MINUTE_MS });
    await mirror.tick();
    registry.bend = () => Promise.reject(refusal(500));
    for (let minute = 0; minute <= 11; minute += 1) {
      clock.ms += MINUTE_MS;
      await mirror.tick();
    }
    expect(ask(mirror, 1)).toBe('snapshot_stale');
    expect(mirror.explain({ agent: AGENT, domain: 'news.example', at: START })).toBeUndefined();
    expect(mirror.lag()).toMatchObject({ is_stale: true, last_error: 'the registry answered 500' });
    expect(mirror.lag().failures).toBeGreaterThan(2);
    registry.bend = undefined;
    clock.ms += HOUR_MS;
    await mirror.tick();
    expect(ask(mirror, 1)).toBe('yes');
  });

  it('comes back when it is told to', async () => {
    const registry = smallRegistry();
    const { clock, mirror } = await openFixture(registry);
    await mirror.tick();
    registry.bend = () => Promise.reject(refusal(429, 600));
    await mirror.tick('now');
    const asked = registry.asked.length;
    clock.ms += 599_000;
    await mirror.tick();
    expect(registry.asked.length).toBe(asked);
    clock.ms += 2_000;
    await mirror.tick();
    expect(registry.asked.length).toBe(asked + 1);
  });

  it('polls as soon as a stream says that there is something, and goes on without one', async () => {
    const registry = smallRegistry();
    let heard: (() => void) | undefined;
    let [opened, stopped] = [0, 0];
    let fail: ((error: Error) => void) | undefined;
    const listen: NonNullable<typeof registry.source.listen> = (_cursor, hear) => {
      [heard, opened] = [hear, opened + 1];
      const done = new Promise<void>((resolve, reject) => {
        fail = reject;
        resolveStream = resolve;
      });
      return {
        done,
        stop: () => {
          stopped += 1;
          resolveStream?.();
        },
      };
    };
    let resolveStream: (() => void) | undefined;
    const { clock, mirror } = await openFixture({ ...registry, source: { ...registry.source, listen } });
    mirror.start();
    await mirror.tick();
    expect(opened).toBe(1);
    registry.tell('authorization.granted', row(2, ridOf(2)));
    await mirror.tick();
    expect(ask(mirror, 2)).toBe('property_not_covered');
    heard?.();
    await mirror.tick();
    expect(ask(mirror, 2)).toBe('yes');
    // A stream that breaks is opened again, one that is not offered is not.
    fail?.(refusal(0));
    clock.ms += MINUTE_MS;
    await mirror.tick();
    expect(opened).toBe(2);
    fail?.(refusal(404));
    clock.ms += MINUTE_MS;
    await mirror.tick();
    clock.ms += MINUTE_MS;
    await mirror.tick();
    expect([opened, stopped]).toEqual([2, 0]);
  });

  it('reads a registry without a catalog publisher by publisher', async () => {
    const registry = smallRegistry();
    registry.hasCatalog = false;
    const view = (agents: object[]) => ({
      domain: 'news.example',
      adagents_valid: true,
      properties: [
        { id: 'one', type: 'ctv_app', name: 'One', identifiers: [{ type: 'roku_store_id', value: '1' }], tags: [] },
        { id: 'two', type: 'ctv_app', name: 'Two', identifiers: [{ type: 'roku_store_id', value: '2' }], tags: [] },
      ],
      authorized_agents: agents,
    });
    registry.views.set('news.example', view([{ url: AGENT, source: 'adagents_json', publisher_wide: true }]));
    const { mirror } = await openFixture(registry);
    await mirror.tick();
    expect([1, 2, 3].map((number) => ask(mirror, number))).toEqual(['yes', 'yes', 'property_unknown']);
    // Which of the properties are meant, the view does not say.
    const some = { url: AGENT, source: 'adagents_json', properties_authorized: 1, properties_total: 2 };
    registry.views.set('news.example', view([some]));
    registry.tell('publisher.adagents_changed', { publisher_domain: 'news.example' });
    await mirror.tick('now');
    expect([1, 2].map((number) => ask(mirror, number))).toEqual(['property_not_covered', 'property_not_covered']);
    registry.views.set('news.example', view([{ ...some, source: 'agent_claim', publisher_wide: true }]));
    registry.tell('authorization.granted', row(9, null));
    await mirror.tick('now');
    expect(ask(mirror, 1)).toBe('agent_not_listed');
  });
});

describe('a hostile feed', () => {
  const grants = (registry: FakeRegistry, count: number): void => {
    for (let number = 10; number < 10 + count; number += 1) {
      registry.tell('property.created', property(number));
      registry.tell('authorization.granted', row(number, ridOf(number)));
    }
    registry.tell('authorization.revoked', row(10, ridOf(10)));
  };
  const late = eventId(START + 400 * DAY_MS, 1);
  const bends: readonly (readonly [name: string, bend: NonNullable<FakeRegistry['bend']>, ends: 'well' | 'waits'])[] = [
    ['repeats its events', (page) => ({ ...page, events: [...listed(page), ...listed(page)] }), 'well'],
    ['turns their order round', (page) => ({ ...page, events: [...listed(page)].reverse() }), 'well'],
    ['claims that there is more', (page) => ({ ...page, has_more: true }), 'waits'],
    ['goes back with its cursor', (page) => ({ ...page, cursor: eventId(START - DAY_MS, 0) }), 'well'],
    ['names a cursor of the far future', (page) => ({ ...page, cursor: late }), 'well'],
    ['names no cursor', (page) => ({ ...page, cursor: null }), 'well'],
    ['names a cursor of another kind', (page) => ({ ...page, cursor: '42' }), 'well'],
    [
      'tells events from the far future',
      (page) => ({ ...page, events: [...listed(page), { ...listed(page)[0], event_id: late }] }),
      'well',
    ],
    [
      'mixes in what is no event',
      (page) => ({ ...page, events: [null, 7, {}, { event_id: 'x' }, ...listed(page)] }),
      'well',
    ],
    [
      'mixes in events without a payload',
      (page) => ({ ...page, events: [...listed(page), ...listed(page).map((one) => ({ ...one, payload: null }))] }),
      'well',
    ],
    ['answers something else', () => ({ events: 'none', cursor: {}, has_more: 'no' }), 'waits'],
    ['answers 500', () => Promise.reject(refusal(500)), 'waits'],
    ['breaks off', () => Promise.reject(new SyntaxError('Unexpected end of JSON input')), 'waits'],
    ['sends more than anybody reads', () => Promise.reject(Object.assign(refusal(0), { code: 'too_large' })), 'waits'],
  ];

  function listed(page: { readonly events: unknown }): readonly Record<string, unknown>[] {
    return page.events as Record<string, unknown>[];
  }

  it.each(bends)(
    'that %s leads to no wrong yes, and to the right answers once it behaves',
    async (_name, bend, ends) => {
      const registry = smallRegistry();
      const { clock, mirror } = await openFixture(registry);
      await mirror.tick();
      grants(registry, 30);
      registry.bend = bend;
      for (let round = 0; round < 3; round += 1) {
        await mirror.tick('now');
        const yes = Array.from({ length: 45 }, (_none, number) => number).filter(
          (number) => ask(mirror, number) === 'yes',
        );
        const granted = [1, ...Array.from({ length: 30 }, (_none, number) => number + 10)];
        expect(yes.filter((number) => !granted.includes(number))).toEqual([]);
      }
      expect(mirror.lag().last_error === null).toBe(ends === 'well');
      registry.bend = undefined;
      clock.ms += HOUR_MS / 2;
      await mirror.tick('now');
      const answers = Array.from({ length: 30 }, (_none, number) => ask(mirror, number + 10));
      expect(answers).toEqual(['property_not_covered', ...Array<string>(29).fill('yes')]);
      expect(mirror.lag()).toMatchObject({ cursor: registry.events.at(-1)?.event_id, failures: 0 });
    },
  );

  it('asks for fewer events when a page is too large', async () => {
    const registry = smallRegistry();
    const { mirror } = await openFixture(registry);
    await mirror.tick();
    grants(registry, 30);
    const { feed } = registry.source;
    const limits: number[] = [];
    const source = {
      ...registry.source,
      feed: async (question: Parameters<typeof feed>[0]) => {
        limits.push(question.limit ?? 0);
        if ((question.limit ?? 0) > 10) throw Object.assign(refusal(0), { code: 'too_large' });
        return await feed(question);
      },
    };
    const second = await openFixture({ ...registry, source });
    await second.mirror.tick();
    expect(second.mirror.lag().last_error).toBeNull();
    expect(limits).toContain(10);
  });
});
