import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Origins, serveOrigins } from '../../kit/origins.js';
import { startNode } from '../../kit/process.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { PROJECT } from '../../kit/surroundings.js';

const COMMAND = path.join(PROJECT, 'node_modules', '@adcp', 'sdk', 'bin', 'adcp.js');
const NEWS = 'news.example';
const BRAND = 'sneaker.example';
const SALES = 'https://sales.example/mcp';
const UNKNOWN = 'nobody.example';

const ADAGENTS = {
  properties: [
    {
      property_id: 'site',
      property_type: 'website',
      name: 'News',
      identifiers: [{ type: 'domain', value: NEWS }],
      supported_channels: ['display'],
    },
  ],
  authorized_agents: [
    {
      url: SALES,
      authorized_for: 'direct sales',
      authorization_type: 'publisher_properties',
      publisher_properties: [{ publisher_domain: NEWS, selection_type: 'all' }],
    },
  ],
};

let origins: Origins;
let registry: BootedRegistry;
let token: string;

/** Runs `adcp registry …` against the registry, as somebody at a terminal does. */
function adcp(...args: readonly string[]) {
  return startNode([COMMAND, 'registry', ...args, '--registry-url', registry.baseUrl, '--auth', token, '--json'])
    .finished;
}

beforeAll(async () => {
  origins = await serveOrigins([NEWS, UNKNOWN]);
  origins.put(`https://${NEWS}/.well-known/adagents.json`, ADAGENTS);
  registry = await bootRegistry({
    resolve: new Map(Object.entries(origins.resolve)),
    service: { policy: { ownership: 'off' } },
  });
  ({ token } = await registry.member('acme'));
  await registry.post('/api/registry/crawl-request', { domain: NEWS }, token);
  await registry.server().registry.crawler.crawl(NEWS);
  const saved = await registry.post('/api/brands/save', { domain: BRAND, brand_name: 'Sneaker' }, token);
  expect(saved.status, saved.text).toBe(200);
}, 60_000);

describe('the public command line', () => {
  it.concurrent.each([
    ['brand', [BRAND], { canonical_domain: BRAND, brand_name: 'Sneaker' }],
    ['brand', [UNKNOWN], null],
    ['brands', [BRAND, UNKNOWN], { [BRAND]: { brand_name: 'Sneaker' }, [UNKNOWN]: null }],
    ['property', [NEWS], { publisher_domain: NEWS }],
    ['properties', [NEWS], { [NEWS]: { publisher_domain: NEWS } }],
    ['list-brands', ['--search', 'snea'], { brands: [{ domain: BRAND }], stats: { total: 1 } }],
    ['list-properties', ['--limit', '5'], { properties: expect.any(Array) }],
    ['search', ['sneaker'], { brands: [{ domain: BRAND }] }],
    ['agents', ['--type', 'sales'], { agents: expect.any(Array), count: expect.any(Number) }],
    ['publishers', [], { publishers: [{ domain: NEWS }], count: 1 }],
    ['stats', [], { discovered_publishers: 1, discovered_properties: 1 }],
    ['validate', [NEWS], { valid: true }],
    ['validate-publisher', [NEWS], { valid: true, domain: NEWS, agent_count: 1, property_count: 1 }],
    ['lookup', [NEWS], { domain: NEWS, authorized_agents: [{ url: SALES }] }],
    ['check-auth', [SALES, 'domain', NEWS], { authorized: true }],
    ['check-auth', ['https://rival.example/mcp', 'domain', NEWS], { authorized: false }],
    ['save-brand', ['saved.example', 'Saved'], { success: true, domain: 'saved.example' }],
    ['save-property', ['kept.example', SALES], { success: true, id: expect.any(String) }],
  ] as const)('registry %s %j', async (command, args, expected) => {
    const ran = await adcp(command, ...args);
    expect(ran.code, ran.stderr).toBe(0);
    expect({ answer: JSON.parse(ran.stdout) }).toMatchObject({ answer: expected });
  });

  it.concurrent.each([
    ['enrich-brand', [BRAND], /configured|unavailable|enrich/i],
    ['discover', ['http://127.0.0.1:9/mcp'], /could not be reached/],
  ] as const)('registry %s %j says what is wrong', async (command, args, expected) => {
    const ran = await adcp(command, ...args);
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toMatch(expected);
  });
});
