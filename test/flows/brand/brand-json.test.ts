import { expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { succeeded } from '../../kit/buyer.js';
import { send } from '../../kit/http.js';
import { schemaJudge } from '../../kit/schemas.js';
import { brandOf, RELEASES } from '../../registry/scripted-web.js';

/** Returns the brand.json that a host of an operator serves, and the host. */
async function servedBy(domain: string) {
  const server = await boot({ settings: { operator: { domain, name: undefined } } });
  const { text } = await send(`${server.baseUrl}/.well-known/brand.json`);
  // The schema wants https, which a server of a test has not.
  const file: { readonly brands?: readonly { readonly id: string }[] } = JSON.parse(
    text.replaceAll(server.baseUrl, 'https://ads.northlight.example'),
  );
  return { server, file, brands: file.brands ?? [] };
}

test('the brands of a house stand in the brand.json of its own host, as its agent tells of them to everybody', async () => {
  const { brands, file, server } = await servedBy('northlight.example');
  for (const release of RELEASES) expect(schemaJudge(release)('brand', file)).toEqual([]);
  expect(brandOf(file).variant).toBe('house_portfolio');
  const ids = brands.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['acme_outdoor', 'nova_motors', 'mara_velez']));
  for (const { id, ...shown } of brands) {
    const answer = await server.call('get_brand_identity', { brand_id: id }, { tenant: 'brand', version: '3.1' });
    const { properties, ...told } = { properties: undefined, ...shown };
    expect(succeeded(answer)).toMatchObject({ brand_id: id, ...told });
  }
  expect(JSON.stringify(file)).not.toContain('trail_hero');
});

test('a host of somebody else does not list them', async () => {
  const { brands } = await servedBy('seller.example');
  expect(brands.filter(({ id }) => id === 'acme_outdoor')).toEqual([]);
});
