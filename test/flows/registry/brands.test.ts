import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/platform/kernel/clock.js';
import { boot } from '../../kit/boot.js';
import { serveOrigins } from '../../kit/origins.js';
import { bootRegistry } from '../../kit/registry.js';

const BRIEF = 'Banners in the US';

test('what a registry knows of a brand moves the order of what a brief finds, and chooses nothing', async () => {
  const origins = await serveOrigins(['lakeside.example']);
  const registry = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)) });
  const { token } = await registry.member('seller');
  origins.put('https://lakeside.example/.well-known/brand.json', {
    house: { domain: 'lakeside.example', name: 'Lakeside' },
    brands: [
      { id: 'lakeside', names: [{ en: 'Lakeside' }], keller_type: 'master', industries: ['banking', 'insurance'] },
    ],
  });
  const use = { url: registry.baseUrl, token, maxStalenessMs: HOUR_MS, policy: 'warn' } as const;
  const server = await boot({ ids: 'system', settings: { registry: use } });
  await server.server().tick();
  const find = async (brand?: object): Promise<readonly string[]> => {
    const { payload } = await server.call('get_products', { buying_mode: 'brief', brief: BRIEF, brand });
    return payload.products.map(({ product_id }) => product_id);
  };
  const unknown = await find({ domain: 'hillside.example' });
  expect(unknown[0]).not.toBe('northlight_money_viewable');
  const known = await find({ domain: 'lakeside.example' });
  expect(known[0]).toBe('northlight_money_viewable');
  expect(known.toSorted()).toEqual(unknown.toSorted());
  // What the request says of its brand counts before what others know.
  expect((await find({ domain: 'lakeside.example', industries: ['toys'] }))[0]).toBe(unknown[0]);
});
