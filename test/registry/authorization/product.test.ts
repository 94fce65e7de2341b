import { describe, expect, it } from 'vitest';
import { isProductAuthorized } from '../../../src/registry/authorization/product.js';
import type { PropertySelector } from '../../../src/seller/domain/product/product.js';
import { effectiveOf, NOW } from '../scripted-web.js';

const AGENT = 'https://sales.example/mcp';
const property = (id: string, tags: readonly string[] = []): object => ({
  property_id: id,
  property_type: 'website',
  name: id,
  identifiers: [{ type: 'domain', value: `${id}.news.example` }],
  tags,
});
const entry = (selects: object): object => ({ url: AGENT, authorized_for: 'Some', ...selects });
const NEWS = effectiveOf({
  properties: [property('a', ['t']), property('b', ['t']), property('c'), property('d')],
  authorized_agents: [
    entry({ authorization_type: 'property_ids', property_ids: ['a', 'b'] }),
    entry({ authorization_type: 'inline_properties', properties: [property('d')], countries: ['US'] }),
  ],
});
const BARE = effectiveOf(
  {
    authorized_agents: [
      entry({
        authorization_type: 'publisher_properties',
        publisher_properties: [{ publisher_domain: 'bare.example', selection_type: 'all' }],
      }),
    ],
  },
  'bare.example',
);
const FILES = new Map([NEWS, BARE].map((file) => [file.publisherDomain, file]));

const ask = (publisher_properties: readonly PropertySelector[], country?: string) =>
  isProductAuthorized(
    { agent: AGENT, at: NOW, publisher_properties, ...(country === undefined ? {} : { country }) },
    (domain) => FILES.get(domain),
  );
const byId = (...property_ids: string[]): PropertySelector => ({
  publisher_domain: 'news.example',
  selection_type: 'by_id',
  property_ids,
});
const byTag = (...property_tags: string[]): PropertySelector => ({
  publisher_domain: 'news.example',
  selection_type: 'by_tag',
  property_tags,
});

describe('a product is authorized when everything that it runs on is', () => {
  it.each<
    [
      name: string,
      selectors: readonly PropertySelector[],
      country: string | undefined,
      counts: readonly number[],
      authorized: boolean,
    ]
  >([
    ['by id', [byId('a', 'b')], undefined, [2, 2], true],
    ['by tag', [byTag('t')], undefined, [2, 2], true],
    ['a site without a list', [{ publisher_domain: 'bare.example', selection_type: 'all' }], undefined, [1, 1], true],
    ['under www', [{ publisher_domain: 'www.bare.example', selection_type: 'all' }], undefined, [1, 1], true],
    ['inline, in the country', [byId('d')], 'US', [1, 1], true],
    ['inline, in another country', [byId('d')], 'DE', [0, 1], false],
    ['inline, in some country', [byId('d')], undefined, [0, 1], false],
    ['not all of it', [byId('a', 'c')], undefined, [1, 2], false],
    [
      'not all of the publisher',
      [{ publisher_domain: 'news.example', selection_type: 'all' }],
      undefined,
      [2, 4],
      false,
    ],
    ['an id that is not there', [byId('a', 'ghost')], undefined, [1, 2], false],
    ['a tag that reaches nothing', [byId('a'), byTag('ghost')], undefined, [1, 1], false],
    [
      'a publisher without a file',
      [byId('a'), { publisher_domain: 'other.example', selection_type: 'all' }],
      undefined,
      [1, 1],
      false,
    ],
    ['nothing', [], undefined, [0, 0], false],
  ])('%s', (_name, selectors, country, [authorized, requested], isAuthorized) => {
    expect(ask(selectors, country)).toMatchObject({
      authorized: isAuthorized,
      total_authorized: authorized,
      total_requested: requested,
    });
  });

  it('says what is missing', () => {
    expect(ask([byId('a', 'c', 'ghost')])).toEqual({
      authorized: false,
      coverage_percentage: 33,
      total_requested: 3,
      total_authorized: 1,
      selectors: [
        {
          publisher_domain: 'news.example',
          selection_type: 'by_id',
          requested_count: 3,
          authorized_count: 1,
          unauthorized_items: ['c', 'ghost'],
        },
      ],
    });
  });

  it('an agent that is no URL is refused', () => {
    const question = { agent: 'sales', at: NOW, publisher_properties: [byId('a')] };
    expect(() => isProductAuthorized(question, () => NEWS)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', extras: expect.objectContaining({ field: 'agent' }) }),
    );
  });
});
