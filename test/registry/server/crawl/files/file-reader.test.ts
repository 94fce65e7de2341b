import { afterAll, describe, expect, it } from 'vitest';
import type { Fetched } from '../../../../../src/platform/net/fetch.js';
import { FileReader } from '../../../../../src/registry/server/crawl/files/file-reader.js';
import { collectingLog } from '../../../../kit/surroundings.js';

const AGENT = 'https://sales.example/mcp';
const NOW = Date.parse('2030-01-01T00:00:00Z');

/** A network's file of so many properties. */
const network = (count: number) => ({
  authorized_agents: [
    { url: AGENT, authorized_for: 'all', authorization_type: 'property_tags', property_tags: ['network'] },
  ],
  properties: Array.from({ length: count }, (_, index) => ({
    property_id: `site_${index}`,
    property_type: 'website',
    name: `Site ${index}`.padEnd(200, '.'),
    identifiers: [{ type: 'domain', value: `site-${index}.example` }],
    tags: ['network'],
    publisher_domain: 'news.example',
  })),
});

const pages = new Map<string, Buffer>();
const service = new FileReader(
  {
    fetch: async (url): Promise<Fetched> => {
      const bytes = pages.get(url);
      const headers = { 'content-type': 'application/json' };
      return { status: bytes === undefined ? 404 : 200, headers, bytes: bytes ?? Buffer.from(''), url };
    },
  },
  collectingLog([]),
);

afterAll(() => service.close());

/** Runs a job and counts how often the event loop turned meanwhile. */
async function countingTurns<T>(job: Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    if (isDone) return;
    turns += 1;
    setImmediate(turn);
  };
  setImmediate(turn);
  const result = await job.finally(() => {
    isDone = true;
  });
  return { result, turns };
}

describe('files are read beside the event loop', () => {
  it('a network’s file of 20 MB: the loop is served all the while, and the answer is small', async () => {
    pages.set(
      'https://news.example/.well-known/adagents.json',
      Buffer.from(JSON.stringify({ authoritative_location: 'https://cdn.example/network.json' })),
    );
    const bytes = Buffer.from(JSON.stringify(network(50_000)));
    expect(bytes.length).toBeGreaterThan(18_000_000);
    pages.set('https://cdn.example/network.json', bytes);
    const { result, turns } = await countingTurns(
      service.run({ kind: 'summary', domain: 'news.example', nowMs: NOW, local: false }),
    );
    expect(result).toMatchObject({
      reason: 'found',
      effective: {
        method: 'authoritative_location',
        agents: [AGENT],
        property_count: 50_000,
        property_type_counts: { website: 50_000 },
      },
    });
    expect(result.effective).not.toHaveProperty('file');
    // Read on the loop, it would have turned about once for each document.
    expect(turns).toBeGreaterThan(1000);
  }, 120_000);

  it('a large pointer-free file of another size reads the same in the thread as on the loop', async () => {
    const [small, large] = [network(20), network(400)];
    pages.set('https://small.example/.well-known/adagents.json', Buffer.from(JSON.stringify(small)));
    pages.set('https://large.example/.well-known/adagents.json', Buffer.from(JSON.stringify(large)));
    const read = (domain: string) => service.run({ kind: 'summary', domain, nowMs: NOW, local: false });
    const [one, other] = [await read('small.example'), await read('large.example')];
    expect([one.effective?.property_count, other.effective?.property_count]).toEqual([20, 400]);
    const shape = (text: string): string => text.replaceAll('large.example', 'small.example').replaceAll('400', '20');
    expect(shape(JSON.stringify(other))).toBe(JSON.stringify(one));
  });

  it('an offer lists a bounded number of properties, and says how many there are', async () => {
    const file = network(1500);
    pages.set('https://news.example/.well-known/adagents.json', Buffer.from(JSON.stringify(file)));
    const { effective } = await service.run({ kind: 'offer', domain: 'news.example', nowMs: NOW, local: false });
    expect(effective?.properties).toHaveLength(1000);
    expect(effective).toMatchObject({ properties_total: 1500, authorized_agents: [{ url: AGENT }] });
  });

  it('a large draft: its faults are found beside the loop', async () => {
    const file = { ...network(10_000), authorized_agents: [{ url: 'http://plain.example/mcp' }] };
    const job = service.run({
      ...{ kind: 'draft' as const, domain: 'publisher.example', nowMs: NOW, local: false },
      text: JSON.stringify(file),
    });
    const { result, turns } = await countingTurns(job);
    expect(result.map(({ pointer }) => pointer)).toContain('/authorized_agents/0/url');
    expect(turns).toBeGreaterThan(10);
  });

  it('a brand.json of a house, and one that is all faults', async () => {
    const house = {
      house: { domain: 'acme.example', name: 'Acme' },
      brands: Array.from({ length: 1000 }, (_, index) => ({
        id: `b${index}`,
        names: [{ en: `Brand ${index}` }],
        properties: [{ type: 'website', identifier: `b${index}.example` }],
      })),
    };
    pages.set('https://acme.example/.well-known/brand.json', Buffer.from(JSON.stringify(house)));
    const job = { kind: 'brand' as const, domain: 'acme.example', nowMs: NOW, local: false };
    const read = await countingTurns(service.run(job));
    expect(read.result).toMatchObject({ variant: 'house_portfolio', brand: { brand_name: 'Acme' } });
    expect(read.turns).toBeGreaterThan(10);
    const faulty = { ...house, brands: Array.from({ length: 80_000 }, () => ({})) };
    pages.set('https://acme.example/.well-known/brand.json', Buffer.from(JSON.stringify(faulty)));
    const { result, turns } = await countingTurns(service.run(job));
    expect(result.brand?.brand_name).not.toBe('Brand 0');
    expect(result.discovery.findings.length).toBeLessThan(250);
    expect(turns).toBeGreaterThan(10);
  });

  it('a large file that is broken is explained as a small one is', async () => {
    const text = JSON.stringify(network(1000));
    pages.set('https://cut.example/.well-known/adagents.json', Buffer.from(text.slice(0, -1)));
    const { reason, findings } = await service.run({
      kind: 'summary',
      domain: 'cut.example',
      nowMs: NOW,
      local: false,
    });
    expect([reason, findings[0]?.keyword]).toEqual(['not_json', 'json']);
  });
});
