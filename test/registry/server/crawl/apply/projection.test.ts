import { describe, expect, it } from 'vitest';
import { readAdagents } from '../../../../../src/registry/adagents/adagents.js';
import { projectAdagents } from '../../../../../src/registry/server/crawl/apply/projection.js';

const DOMAIN = 'news.example';
const entry = (index: number, more: object = {}) => ({
  url: `https://a${index}.example/mcp`,
  authorized_for: 'everything',
  authorization_type: 'property_tags',
  property_tags: ['sport'],
  ...more,
});
const site = (more: object = {}) => ({
  property_id: 'site',
  property_type: 'website',
  name: 'Site',
  identifiers: [{ type: 'domain', value: DOMAIN }],
  tags: ['sport'],
  ...more,
});

function project(file: object) {
  const options = { file: 'adagents.json', domain: DOMAIN, nowMs: Date.parse('2030-01-01T00:00:00Z') };
  const { content } = readAdagents(JSON.stringify(file), options);
  if (content?.kind !== 'file') throw new Error('the file was not read');
  return projectAdagents({
    publisherDomain: DOMAIN,
    method: 'direct',
    url: 'https://news.example/',
    file: content.file,
  });
}

const words = (count: number, begin: string) => Array.from({ length: count }, (_, index) => `${begin}${index}`);
const urls = (file: object) => project(file).authorizations.map(({ agent_url }) => agent_url);

describe('what one publisher may have here is bounded', () => {
  const large = { property_tags: words(150_000, 'tag_') };

  it('a row of more than half a megabyte is left out, and the others stand', () => {
    const file = {
      properties: [site()],
      authorized_agents: [entry(0), entry(1, large), entry(2, { exclusive: true })],
    };
    expect(urls(file)).toEqual(['https://a0.example/mcp', 'https://a2.example/mcp']);
  });

  it('so is one that readers of the feed would not take: more than 50,000 names, or an address that is too long', () => {
    const many = { property_tags: words(50_001, 't') };
    const long = { url: `https://a2.example/${'x'.repeat(3000)}` };
    const file = { properties: [site()], authorized_agents: [entry(0), entry(1, many), entry(2, long)] };
    expect(urls(file)).toEqual(['https://a0.example/mcp']);
  });

  it('an exclusive row that is left out leaves nobody authorized: what it takes from the others is not known', () => {
    expect(
      urls({ properties: [site()], authorized_agents: [entry(0), entry(1, { ...large, exclusive: true })] }),
    ).toEqual([]);
  });

  it('so does one behind the most rows', () => {
    const agents = Array.from({ length: 10_001 }, (_, index) => entry(index));
    expect(urls({ properties: [site()], authorized_agents: agents })).toHaveLength(10_000);
    const exclusive = [...agents.slice(0, -1), entry(10_000, { exclusive: true })];
    expect(urls({ properties: [site()], authorized_agents: exclusive })).toEqual([]);
  });

  it('placements of more than half a megabyte are none, and rows that are limited to some are left out', () => {
    const placements = words(8_000, 'placement_').map((placement_id) => ({
      placement_id,
      name: placement_id.padEnd(150, '.'),
      property_tags: ['sport'],
    }));
    const agents = [entry(0), entry(1, { placement_ids: ['placement_1'] })];
    const few = { properties: [site()], placements: placements.slice(0, 3), authorized_agents: agents };
    expect(project(few).placements).toHaveLength(3);
    expect(urls(few)).toHaveLength(2);
    expect(project({ ...few, placements }).placements).toEqual([]);
    expect(urls({ ...few, placements })).toEqual(['https://a0.example/mcp']);
  });

  it('a property keeps the first of its identifiers and tags, and each channel once', () => {
    const identifiers = words(20_000, 'app.').map((value) => ({ type: 'bundle_id', value }));
    const [property] = project({
      properties: [site({ identifiers, tags: words(20_000, 'tag_'), supported_channels: ['ctv', 'display', 'ctv'] })],
      authorized_agents: [entry(0)],
    }).properties;
    expect(property?.identifiers).toEqual(identifiers.slice(0, property?.identifiers.length));
    expect(property?.identifiers.length).toBeGreaterThan(3000);
    expect(JSON.stringify(property).length).toBeLessThan(700_000);
    expect(property?.tags.length).toBeGreaterThan(1000);
    expect(property?.tags.length).toBeLessThan(2000);
    expect(property?.supported_channels).toEqual(['ctv', 'display']);
  });

  it('a collection of more than half a megabyte is left out', () => {
    const collections = [
      { collection_id: 'small', name: 'Small' },
      { collection_id: 'large', name: 'Large', synopsis: 'x'.repeat(1_100_000) },
    ];
    const file = { properties: [site()], collections, authorized_agents: [entry(0)] };
    expect(project(file).collections.map(({ collection_id }) => collection_id)).toEqual(['small']);
  });
});
