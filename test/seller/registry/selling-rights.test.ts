import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import type { Fetched, Outbound } from '../../../src/platform/net/fetch.js';
import { FetchError } from '../../../src/platform/net/fetch-error.js';
import type { EffectiveAdagents } from '../../../src/registry/adagents/discovery.js';
import { createPublisherFiles, type PublisherCopy } from '../../../src/registry/publish/publisher-files.js';
import type { Principal } from '../../../src/seller/domain/tenant/principal.js';
import { openSeller, type Seller } from '../../../src/seller/domain/tenant/seller.js';
import type { Tenant } from '../../../src/seller/domain/tenant/tenant.js';
import { createSellingRights, type SellingRightsOptions } from '../../../src/seller/registry/selling-rights.js';
import { collectingLog, type LogLine, turnableClock } from '../../kit/surroundings.js';
import { shippedTenant } from '../../kit/tenants.js';
import { effectiveOf } from '../../registry/scripted-web.js';

const BASE = 'https://ads.seller.example';
const AGENT = `${BASE}/sales/mcp`;
const LIVE = { id: 'live', sandbox: false } as Principal;
const SANDBOX = { id: 'sandbox', sandbox: true } as Principal;

/** A file of a domain that lets our agent sell everything there, or what `entry` says. */
function file(domain: string, entry: object = {}): EffectiveAdagents {
  const properties = [
    { property_id: 'site', property_type: 'website', name: domain, identifiers: [{ type: 'domain', value: domain }] },
  ];
  const all = { authorization_type: 'property_ids', property_ids: ['site'] };
  return effectiveOf(
    { properties, authorized_agents: [{ url: AGENT, authorized_for: 'All', ...all, ...entry }] },
    domain,
  );
}

/** A seller of one product for each domain. */
function sellerOf(...domains: readonly string[]): Seller {
  const { products } = shippedTenant();
  const tenant = {
    ...shippedTenant(),
    path: 'sales',
    kinds: ['sales'],
    principals: [],
    products: domains.map((domain) => ({
      ...products[0],
      product_id: domain,
      format_ids: [],
      inventory: { ...(products[0]?.inventory as object), keywords: [] },
      publisher_properties: [{ publisher_domain: domain, selection_type: 'all' }],
    })),
    signals: [],
    creativeAgents: [],
    protocolName: 'adcp',
  };
  return openSeller(tenant as object as Tenant, BASE, []);
}

function context(change: Partial<SellingRightsOptions> = {}) {
  const log: LogLine[] = [];
  const clock = turnableClock();
  const files = new Map<string, EffectiveAdagents | undefined>([['a.example', file('a.example')]]);
  const state = { sellers: new Map([['sales', sellerOf('a.example', 'b.example')]]), basis: '', lookups: 0 };
  const rights = createSellingRights({
    files: async () => {
      state.lookups += 1;
      return files;
    },
    basis: () => state.basis,
    clock,
    log: collectingLog(log),
    policy: 'refuse',
    sellers: () => state.sellers,
    ...change,
  });
  const seen = (principal: Principal | undefined = LIVE): readonly string[] => [
    ...rights.seen(state.sellers.get('sales') ?? sellerOf(), principal).products.keys(),
  ];
  return { clock, files, log, rights, seen, state };
}

describe('what may be sold', () => {
  it('is nothing before it was judged, except to sandboxes', () => {
    const { rights, seen } = context();
    expect([seen(), seen(undefined), seen(SANDBOX)]).toEqual([[], [], ['a.example', 'b.example']]);
    expect(rights.unauthorized()).toBeUndefined();
  });

  it('is what publishers authorize; catalog, search and look-ups agree', async () => {
    const { log, rights, seen, state } = context();
    await rights.judge();
    expect([seen(), seen(undefined), seen(SANDBOX)]).toEqual([
      ['a.example'],
      ['a.example'],
      ['a.example', 'b.example'],
    ]);
    const narrow = rights.seen(state.sellers.get('sales') ?? sellerOf(), LIVE);
    expect(narrow.tenant.products.map(({ product_id }) => product_id)).toEqual(['a.example']);
    expect(rights.seen(state.sellers.get('sales') ?? sellerOf(), undefined)).toBe(narrow);
    expect(rights.unauthorized()).toEqual(['sales: b.example']);
    expect(log).toEqual([{ level: 'warn', text: expect.stringContaining('"products":["sales: b.example"]') }]);
  });

  it('is judged again when a minute is over, the copy has moved, or the tenants changed, and told once', async () => {
    const { clock, files, log, rights, seen, state } = context();
    await rights.judge();
    const seller = state.sellers.get('sales') ?? sellerOf();
    const first = rights.seen(seller, LIVE);
    await rights.judge();
    expect(state.lookups).toBe(1);
    state.basis = 'moved a little';
    await rights.judge();
    expect([state.lookups, rights.seen(seller, LIVE)]).toEqual([2, first]);
    expect(rights.seen(seller, LIVE)).toBe(first);
    files.set('b.example', file('b.example'));
    state.basis = 'moved';
    await rights.judge();
    expect(seen()).toEqual(['a.example', 'b.example']);
    files.set('a.example', undefined);
    clock.advance(MINUTE_MS);
    await rights.judge();
    expect(seen()).toEqual(['b.example']);
    state.sellers = new Map([['sales', sellerOf('a.example', 'b.example', 'c.example')]]);
    // What is new was not judged yet.
    expect(seen()).toEqual(['b.example']);
    await rights.judge();
    expect(rights.unauthorized()).toEqual(['sales: a.example', 'sales: c.example']);
    expect(log.map(({ text }) => /\["sales: (.)/.exec(text)?.[1])).toEqual(['b', 'b', 'a', 'c']);
  });

  it('a seller that may sell everything is itself, not a copy', async () => {
    const { files, rights, state } = context();
    files.set('b.example', file('b.example'));
    await rights.judge();
    const seller = state.sellers.get('sales') ?? sellerOf();
    expect(rights.seen(seller, LIVE)).toBe(seller);
  });

  it('is everything by the policy "warn"', async () => {
    const { log, rights, seen } = context({ policy: 'warn' });
    expect(seen()).toEqual(['a.example', 'b.example']);
    await rights.judge();
    expect(seen()).toEqual(['a.example', 'b.example']);
    expect(log).toMatchObject([{ text: expect.stringContaining('sold all the same') }]);
  });

  it.each<[what: string, entry: object, may: boolean]>([
    ['another agent', { url: `${BASE}/SALES/mcp` }, false],
    ['an entry that has ended', { effective_until: '2029-01-01T00:00:00Z' }, false],
    ['an entry that begins later', { effective_from: '2031-01-01T00:00:00Z' }, false],
    ['an entry for some countries', { countries: ['US'] }, true],
    ['an entry of another scope', { property_ids: ['other'] }, false],
  ])('by %s: %s', async (_what, entry, may) => {
    const { files, rights, seen } = context();
    files.set('a.example', file('a.example', entry));
    await rights.judge();
    expect(seen()).toEqual(may ? ['a.example'] : []);
  });
});

describe('publishers’ files', () => {
  const text = JSON.stringify({
    properties: [{ property_type: 'website', name: 'A', identifiers: [{ type: 'domain', value: 'a.example' }] }],
    authorized_agents: [
      {
        url: AGENT,
        authorized_for: 'All',
        authorization_type: 'publisher_properties',
        publisher_properties: [{ publisher_domain: 'a.example', selection_type: 'all' }],
      },
    ],
  });

  function world(copy?: Partial<PublisherCopy> & { stale?: number }) {
    const clock = turnableClock();
    const asked: string[] = [];
    const state = { isUp: true };
    const fetch: Outbound['fetch'] = async (url): Promise<Fetched> => {
      asked.push(url);
      if (!state.isUp) throw new FetchError('unreachable');
      const isThere = url === 'https://a.example/.well-known/adagents.json';
      const headers = { 'content-type': 'application/json' };
      return { status: isThere ? 200 : 404, headers, bytes: Buffer.from(isThere ? text : ''), url };
    };
    const files = createPublisherFiles({
      copy:
        copy === undefined
          ? undefined
          : { stalenessMs: () => copy.stale ?? 0, stamp: () => '', effectiveOf: () => undefined, ...copy },
      maxStalenessMs: HOUR_MS,
      outbound: () => ({ fetch }),
      clock,
      local: false,
    });
    const read = async (...domains: string[]) => {
      const found = await files(new Set(domains));
      return domains.map((domain) => found.get(domain)?.url);
    };
    return { asked, clock, read, state };
  }
  const OWN = 'https://a.example/.well-known/adagents.json';

  it('come from a copy in step, without asking anybody', async () => {
    const known = file('a.example');
    const { asked, read } = world({ effectiveOf: () => ({ ...known, url: 'copy' }) });
    expect([await read('a.example'), asked]).toEqual([['copy'], []]);
  });

  it.each<[what: string, copy: Parameters<typeof world>[0]]>([
    ['a stale copy', { stale: HOUR_MS + 1, effectiveOf: () => file('a.example') }],
    ['one that was never in step', { stale: Number.POSITIVE_INFINITY }],
    ['one that does not know the publisher', {}],
    ['none at all', undefined],
  ])('come from the publishers themselves beside %s', async (_what, copy) => {
    const { asked, read } = world(copy);
    expect(await read('a.example', 'b.example')).toEqual([OWN, undefined]);
    expect(asked).toContain(OWN);
  });

  it('are read once an hour, and missing ones again after five minutes', async () => {
    const { asked, clock, read } = world();
    await read('a.example', 'b.example');
    const first = asked.length;
    clock.advance(5 * MINUTE_MS);
    await read('a.example', 'b.example');
    expect(asked.slice(first).every((url) => url.includes('b.example'))).toBe(true);
    expect(asked.length).toBeGreaterThan(first);
    clock.advance(HOUR_MS);
    await read('a.example');
    expect(asked.filter((url) => url === OWN)).toHaveLength(2);
  });

  it('stand in for a day while the publisher cannot be reached, then no more', async () => {
    const { clock, read, state } = world();
    await read('a.example');
    state.isUp = false;
    clock.advance(20 * HOUR_MS);
    expect(await read('a.example')).toEqual([OWN]);
    clock.advance(5 * HOUR_MS);
    expect(await read('a.example')).toEqual([undefined]);
  });
});
