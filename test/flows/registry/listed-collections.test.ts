import { beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, freshKey, packageRequest, succeeded } from '../../kit/buyer.js';
import { listAgent } from '../../kit/list-agent.js';
import { type Origins, serveOrigins } from '../../kit/origins.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { sandboxToken, shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const SHOWS = 'shows.example';
const GOVERNANCE = { tenant: 'governance', token: sandboxToken('governance'), version: '3.1' } as const;

const FILE = {
  properties: [
    {
      property_id: 'shows_app',
      property_type: 'mobile_app',
      name: 'Shows',
      identifiers: [{ type: 'ios_bundle', value: 'example.shows' }],
    },
  ],
  collections: [
    {
      collection_id: 'night_talk',
      name: 'Night Talk',
      kind: 'series',
      genre: ['talk'],
      distribution: [{ publisher_domain: 'imdb.com', identifiers: [{ type: 'imdb_id', value: 'tt77' }] }],
    },
    { collection_id: 'early_news', name: 'Early News', kind: 'series' },
  ],
  authorized_agents: [
    {
      url: 'https://sells-shows.example/mcp',
      authorized_for: 'Everything of ours',
      authorization_type: 'publisher_properties',
      publisher_properties: [{ publisher_domain: SHOWS, selection_type: 'all' }],
    },
  ],
  last_updated: '2029-12-01T00:00:00Z',
};

let server: Booted;
let registry: BootedRegistry;
let origins: Origins;

/** A seller and a governance agent beside it, whose host has a copy of the registry that has read the publisher. */
beforeAll(async () => {
  origins = await serveOrigins([SHOWS]);
  origins.put(`https://${SHOWS}/.well-known/adagents.json`, FILE);
  registry = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)) });
  const { token } = await registry.member('shows');
  await registry.server().registry.crawler.crawl(SHOWS);
  const tenants = tenantsFolder((tenant) => {
    for (const product of tenant.products) {
      if (product.product_id !== 'test-product') continue;
      const { targeting, ...inventory } = product.inventory as Readonly<Record<string, object>>;
      product.inventory = { ...inventory, targeting: { ...targeting, collection_list: { night_talk: 0.25 } } };
    }
  });
  writeTenant(tenants, shippedTenant('governance'), 'governance');
  const use = { url: registry.baseUrl, token, maxStalenessMs: HOUR_MS, policy: 'warn' } as const;
  server = await boot({ tenants, ids: 'system', settings: { registry: use } });
  await server.server().tick();
  server.clock.advance(MINUTE_MS);
  await server.server().tick();
});

type Collection = Readonly<Record<string, unknown>> & { readonly collection_rid?: string };

async function collectionsOf(base_collections: readonly object[]): Promise<readonly Collection[]> {
  const args = { idempotency_key: freshKey(), name: 'Ours', base_collections };
  const { list } = succeeded(await server.call('create_collection_list', args, GOVERNANCE));
  const { list_id } = list as unknown as { readonly list_id: string };
  const answer = succeeded(await server.call('get_collection_list', { list_id }, GOVERNANCE));
  if (hasSchemas('3.1')) expect(schemaJudge('3.1')('collection/get-collection-list-response', answer)).toEqual([]);
  return answer.collections as unknown as readonly Collection[];
}

const bySelection = (more: object) => ({ publisher_domain: SHOWS, ...more });

describe('collections that a registry knows', () => {
  test('are selected by their publisher, and listed with their ids in the registry', async () => {
    const [night] = await collectionsOf([
      bySelection({ selection_type: 'publisher_collections', collection_ids: ['night_talk', 'nobody_has'] }),
    ]);
    expect(night).toMatchObject({
      collection_rid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Night Talk',
      distribution_ids: [{ type: 'imdb_id', value: 'tt77' }],
      genre: ['talk'],
      kind: 'series',
    });
    const byGenre = { selection_type: 'publisher_genres', genres: ['talk'], genre_taxonomy: 'custom' };
    expect(await collectionsOf([bySelection(byGenre)])).toEqual([night]);
  });

  test('are targeted by those ids alone; one that the registry does not know is refused where nothing else tells of it', async () => {
    const both = await collectionsOf([
      bySelection({ selection_type: 'publisher_collections', collection_ids: ['night_talk', 'early_news'] }),
    ]);
    const named = (name: string) => both.find((collection) => collection.name === name);
    const [night, early] = [named('Night Talk'), named('Early News')];
    const foreign = '00000000-0000-4000-8000-000000000000';
    const agent = await listAgent({
      known: { list: {}, collections: [{ collection_rid: night?.collection_rid }] },
      another: { list: {}, collections: [{ collection_rid: early?.collection_rid }] },
      foreign: { list: {}, collections: [{ name: 'Night Talk' }, { collection_rid: foreign }] },
    });
    const order = async (list_id: string, dimension = 'collection_list') => {
      const targeting_overlay = { [dimension]: { agent_url: agent.url, list_id } };
      return server.call('create_media_buy', createRequest({ packages: [packageRequest({ targeting_overlay })] }));
    };
    const listed = async (bought: Payload) => {
      const [followed] = await server.server().app.store.read.followedLists.ofBuy(bought.media_buy_id);
      return followed?.part;
    };
    expect(await listed(succeeded(await order('known')))).toBeCloseTo(0.25, 6);
    expect(await listed(succeeded(await order('known', 'collection_list_exclude')))).toBeCloseTo(0.75, 6);
    const refused: readonly (readonly [list_id: string, code: string])[] = [
      ['another', 'PRODUCT_UNAVAILABLE'],
      ['foreign', 'REFERENCE_NOT_FOUND'],
    ];
    for (const [list_id, code] of refused) {
      const { payload } = await order(list_id);
      expect(payload.errors[0]).toMatchObject({
        code,
        field: 'packages[0].targeting_overlay.collection_list',
        suggestion: expect.any(String),
      });
    }
  });
});

test('delivery to what a registry knows is held against the file of its publisher', async () => {
  const made = { idempotency_key: freshKey(), name: 'Apps' };
  const app = { type: 'ios_bundle', value: 'example.shows' };
  const base_properties = [bySelection({ selection_type: 'publisher_ids', property_ids: ['shows_app'] })];
  const { list } = succeeded(await server.call('create_property_list', { ...made, base_properties }, GOVERNANCE));
  const { list_id } = list as unknown as { readonly list_id: string };
  const records = ['https://sells-shows.example/mcp', 'https://resold.example/mcp'].map((sales_agent_url) => ({
    identifier: app,
    impressions: 5,
    sales_agent_url,
  }));
  const args = { list_id, records, include_compliant: true };
  const answer = succeeded(await server.call('validate_property_delivery', args, GOVERNANCE));
  const authorization = (status: string) => expect.objectContaining({ status, publisher_domain: SHOWS });
  expect(answer).toMatchObject({
    compliant: true,
    results: [
      { status: 'compliant', authorization: authorization('authorized') },
      { status: 'compliant', authorization: authorization('unauthorized') },
    ],
  });
});
