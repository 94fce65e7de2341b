import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/platform/kernel/clock.js';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import { isAuthorized } from '../../../src/registry/authorization/authorize.js';
import type { PropertyReference } from '../../../src/registry/authorization/question.js';
import { type MirrorOf, openMirrorOf } from '../../../src/registry/mirror/open.js';
import { type Origins, serveOrigins } from '../../kit/origins.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { collectingLog, temporaryFolder } from '../../kit/surroundings.js';
import { effectiveOf } from '../../registry/scripted-web.js';

const DOMAINS = ['news.example', 'tv.example', 'radio.example'] as const;
const AGENTS = ['https://sales.example/mcp', 'https://rival.example/mcp', 'https://nobody.example/mcp'] as const;
const [SALES, RIVAL] = AGENTS;

type File = { readonly properties: object[]; readonly authorized_agents: object[] } & Readonly<Record<string, unknown>>;

const property = (id: string, type: string, value: string, tags: string[] = []) => ({
  property_id: id,
  property_type: type === 'domain' ? 'website' : 'mobile_app',
  name: id,
  identifiers: [{ type, value }],
  ...(tags.length === 0 ? {} : { tags }),
});
const entry = (url: string, more: object) => ({ url, authorized_for: 'Everything', ...more });

/** The publishers' files, which are the oracle; every chapter changes them. */
const files: Record<string, File> = {
  'news.example': {
    properties: [property('site', 'domain', 'news.example'), property('app', 'ios_bundle', 'example.news', ['sports'])],
    placements: [{ placement_id: 'top', name: 'Top', property_ids: ['site'] }],
    authorized_agents: [
      entry(SALES, { authorization_type: 'property_ids', property_ids: ['site'], placement_ids: ['top'] }),
      entry(RIVAL, { authorization_type: 'property_tags', property_tags: ['sports'], countries: ['US'] }),
    ],
  },
  'tv.example': {
    properties: [property('app', 'roku_store_id', '4711'), property('site', 'domain', '*.tv.example')],
    authorized_agents: [
      entry(SALES, { authorization_type: 'property_ids', property_ids: ['app'], exclusive: true }),
      entry(RIVAL, {
        authorization_type: 'publisher_properties',
        publisher_properties: [{ publisher_domain: 'tv.example', selection_type: 'all' }],
      }),
    ],
  },
  'radio.example': {
    properties: [property('site', 'domain', 'radio.example')],
    authorized_agents: [
      entry(SALES, {
        authorization_type: 'property_ids',
        property_ids: ['site'],
        effective_until: '2031-01-01T00:00:00Z',
      }),
    ],
  },
};

const PROPERTIES: readonly PropertyReference[] = [
  { property_id: 'site' },
  { property_id: 'app' },
  { type: 'domain', value: 'www.news.example' },
  { type: 'domain', value: 'live.tv.example' },
  { type: 'ios_bundle', value: 'example.news' },
  { type: 'roku_store_id', value: '4711' },
  { type: 'roku_store_id', value: '4712' },
];

let origins: Origins;
let registry: BootedRegistry;
let token: string;
let open: MirrorOf;
const dataDir = temporaryFolder('seller-agent-flow-mirror-');

async function start(): Promise<void> {
  const outbound = createOutbound({ development: true, resolve: new Map(Object.entries(origins.resolve)) });
  const log = collectingLog([]);
  const { clock } = registry;
  const parts = { url: registry.baseUrl, token, dataDir, outbound, clock, ids: systemIds, log, local: true };
  open = await openMirrorOf({ ...parts, maxStalenessMs: HOUR_MS });
}

/** Serves the files as they are now, and has them crawled. */
async function publish(): Promise<void> {
  for (const domain of DOMAINS) {
    origins.put(`https://${domain}/.well-known/adagents.json`, files[domain]);
    await registry.server().registry.crawler.crawl(domain);
  }
}

/** Asks everything of everybody everywhere, and holds each answer against the files; answers how many were yes. */
async function checkAll(): Promise<number> {
  await open.mirror.tick('now');
  expect(open.mirror.lag()).toMatchObject({ failures: 0, last_error: null, is_stale: false });
  let yes = 0;
  for (const domain of DOMAINS) {
    const effective = effectiveOf(files[domain], domain);
    for (const agent of AGENTS) {
      for (const asked of PROPERTIES) {
        for (const more of [{}, { country: 'US' }, { country: 'DE', placement: 'top' }]) {
          const question = { agent, property: asked, at: registry.clock.now(), ...more };
          const { authorized } = open.mirror.isAuthorized({ ...question, publisher_domain: domain });
          expect({ ...question, domain, authorized }).toEqual({
            ...question,
            domain,
            authorized: isAuthorized(question, effective).authorized,
          });
          yes += authorized ? 1 : 0;
        }
      }
    }
  }
  return yes;
}

beforeAll(async () => {
  origins = await serveOrigins(DOMAINS);
  registry = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)) });
  ({ token } = await registry.member('buyer'));
  await publish();
  await start();
});

describe('a mirror beside the files of the publishers', () => {
  it('answers as they do once it has read the registry', async () => {
    expect(await checkAll()).toBeGreaterThan(10);
  });

  it('and after a change that the feed told', async () => {
    const { authorized_agents, ...news } = files['news.example'] as File;
    files['news.example'] = { ...news, authorized_agents: authorized_agents.slice(1) };
    registry.clock.advance(HOUR_MS);
    await publish();
    expect(await checkAll()).toBeGreaterThan(5);
  });

  it('and after a restart, at once', async () => {
    await open.close();
    await start();
    const question = {
      agent: SALES,
      property: { type: 'roku_store_id', value: '4711' },
      at: registry.clock.now(),
    } as const;
    expect(open.mirror.isAuthorized(question).authorized).toBe(true);
    expect(open.mirror.lag().rebuilds).toBe(0);
    await checkAll();
  });

  it('and when its cursor was lost while it was away, what is gone is gone', async () => {
    await open.close();
    const { properties, ...tv } = files['tv.example'] as File;
    files['tv.example'] = { ...tv, properties: properties.slice(1) };
    registry.clock.advance(HOUR_MS);
    await publish();
    registry.clock.advance(91 * DAY_MS);
    await publish();
    await registry.server().registry.crawler.tick();
    await start();
    expect(open.mirror.isAuthorized({ agent: SALES, domain: 'radio.example', at: registry.clock.now() })).toMatchObject(
      {
        reason: 'snapshot_stale',
      },
    );
    await checkAll();
    expect(open.mirror.lag().rebuilds).toBe(1);
  });

  it('keys are those that the file pins now, whatever the registry holds', async () => {
    const pin = { kid: 'one', kty: 'OKP', crv: 'Ed25519', x: 'AA' };
    const pinned = entry(SALES, { authorization_type: 'property_ids', property_ids: ['site'], signing_keys: [pin] });
    origins.put('https://radio.example/.well-known/adagents.json', {
      ...files['radio.example'],
      authorized_agents: [pinned],
    });
    expect(await open.mirror.keysOf(SALES, 'radio.example')).toMatchObject([{ kid: 'one' }]);
    await open.close();
  });
});
