import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import { createLog } from '../../../src/platform/kernel/log.js';
import { type Mirror, openMirror } from '../../../src/registry/mirror/mirror.js';
import { openRegistryStore } from '../../../src/registry/store/registry-store.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { eventId, type FakeRegistry, fakeRegistry, refusal, ridOf } from './fake-registry.js';

const START = Date.UTC(2026, 1, 1);
const AGENT = 'https://sales.example/mcp';
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function row(domain: string) {
  return { id: ridOf(0xa0000 + Number(/\d+/.exec(domain)?.[0])), agent_url: AGENT, publisher_domain: domain };
}

function grant(domain: string) {
  return { ...row(domain), authorization_type: 'publisher_properties', evidence: 'adagents_json', property_rid: null };
}

async function follow(registry: FakeRegistry) {
  const store = openRegistryStore(`${temporaryFolder('hostile-')}/registry.db`);
  const clock = { ms: START + HOUR_MS, now: () => clock.ms };
  const parts = { store, source: registry.source, clock, ids: systemIds, log: createLog('silent') };
  const mirror = await openMirror(parts);
  open.push(store.close, mirror.close);
  return { mirror, clock };
}

function view(domain: string, isAuthorized: boolean) {
  const agent = { url: AGENT, source: 'adagents_json', publisher_wide: true };
  const identifiers = [{ type: 'domain', value: domain }];
  const properties = [{ id: 'site', type: 'website', name: 'Site', identifiers, tags: [] }];
  return { domain, adagents_valid: true, properties, authorized_agents: isAuthorized ? [agent] : [] };
}

const says = (mirror: Mirror, domain: string): boolean =>
  mirror.isAuthorized({ agent: AGENT, domain, at: START }).authorized;

/** A registry of publishers' views alone, each of which authorizes the agent. */
function viewsOf(count: number): { readonly registry: FakeRegistry; readonly domains: readonly string[] } {
  const registry = fakeRegistry(START);
  registry.hasCatalog = false;
  const domains = Array.from({ length: count }, (_, number) => `news${number}.example`);
  for (const domain of domains) {
    registry.rows.publishers.push({ domain });
    registry.views.set(domain, view(domain, true));
  }
  return { registry, domains };
}

describe('a registry that is read publisher by publisher', () => {
  it('tells where the reading is, and of how many', async () => {
    const { registry, domains } = viewsOf(3);
    const { publisher } = registry.source;
    const events: unknown[] = [];
    const source: FakeRegistry['source'] = {
      ...registry.source,
      publisher: async (question) => {
        events.push(mirror.lag().reading);
        return await publisher(question);
      },
    };
    const { mirror } = await follow({ ...registry, source });
    await mirror.tick();
    expect(events.slice(1)).toEqual([1, 2].map((done) => ({ what: 'publishers', done, total: domains.length })));
    expect(mirror.lag()).toMatchObject({ reading: null, state: 'following' });
  });
});

describe('a registry that behaves badly', () => {
  it('answers 500 for an hour: nothing is believed any more, few questions are asked, and the rest comes afterwards', async () => {
    const { registry, domains } = viewsOf(2);
    const [first = '', second = ''] = domains;
    const { mirror, clock } = await follow(registry);
    await mirror.tick();
    expect([says(mirror, first), says(mirror, second)]).toEqual([true, true]);
    registry.views.set(first, view(first, false));
    registry.tell('authorization.revoked', row(first));
    registry.bend = () => Promise.reject(refusal(500));
    const asked = registry.asked.length;
    for (let minute = 0; minute <= 60; minute += 1) {
      clock.ms += MINUTE_MS;
      await mirror.tick();
    }
    expect(mirror.isAuthorized({ agent: AGENT, domain: second, at: START }).reason).toBe('snapshot_stale');
    expect(mirror.lag()).toMatchObject({ is_stale: true, failures: registry.asked.length - asked });
    expect(registry.asked.length - asked).toBeLessThan(40);
    registry.bend = undefined;
    clock.ms += 10 * MINUTE_MS;
    await mirror.tick();
    expect([says(mirror, first), says(mirror, second)]).toEqual([false, true]);
  });

  it('skips events: what it kept back is right again after the next reading of everything', async () => {
    const { registry, domains } = viewsOf(2);
    const [first = '', second = ''] = domains;
    const { mirror, clock } = await follow(registry);
    await mirror.tick();
    for (const domain of domains) registry.views.set(domain, view(domain, false));
    for (const domain of domains) registry.tell('authorization.revoked', row(domain));
    registry.bend = (page) => ({ ...page, events: (page.events as object[]).slice(1) });
    await mirror.tick('now');
    expect(says(mirror, second)).toBe(false);
    registry.bend = undefined;
    registry.forget = eventId(START + DAY_MS, 0);
    clock.ms += MINUTE_MS;
    await mirror.tick('now');
    expect([says(mirror, first), mirror.lag().rebuilds]).toEqual([false, 2]);
  });

  it('names the end of its feed far ahead: the feed is read from its beginning, and no change is missed', async () => {
    const registry = fakeRegistry(START);
    const { feed } = registry.source;
    const source: FakeRegistry['source'] = {
      ...registry.source,
      feed: async (question) =>
        question.types === undefined
          ? await feed(question)
          : { events: [], cursor: eventId(START + 400 * DAY_MS, 1), has_more: false },
    };
    registry.tell('publisher.adagents_discovered', { publisher_domain: 'news0.example' });
    const { mirror } = await follow({ ...registry, source });
    await mirror.tick();
    registry.tell('authorization.granted', grant('news0.example'));
    await mirror.tick('now');
    expect(mirror.domainsOf(AGENT)).toEqual(['news0.example']);
    registry.tell('authorization.revoked', row('news0.example'));
    await mirror.tick('now');
    expect(mirror.domainsOf(AGENT)).toEqual([]);
  });

  it('changes more publishers at once than fit a page, and fails between them: every one is read anew in the end', async () => {
    const { registry, domains } = viewsOf(1200);
    const { mirror, clock } = await follow(registry);
    await mirror.tick();
    expect(domains.filter((domain) => says(mirror, domain)).length).toBe(domains.length);
    for (const domain of domains) {
      registry.views.set(domain, view(domain, false));
      registry.tell('publisher.adagents_changed', { publisher_domain: domain });
    }
    let left = 700;
    const { publisher } = registry.source;
    Object.assign(registry.source, {
      publisher: async (question: { readonly domain: string }) => {
        left -= 1;
        if (left === 0) throw refusal(502);
        return await publisher(question);
      },
    });
    await mirror.tick('now');
    expect(mirror.lag()).toMatchObject({ failures: 1 });
    expect(domains.filter((domain) => says(mirror, domain)).length).toBe(600);
    clock.ms += MINUTE_MS;
    await mirror.tick('now');
    expect(domains.filter((domain) => says(mirror, domain))).toEqual([]);
    expect(mirror.lag()).toMatchObject({ failures: 0, cursor: registry.events.at(-1)?.event_id });
  });
});
