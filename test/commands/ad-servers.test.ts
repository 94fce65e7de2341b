import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startExampleServer } from '../../src/seller/adserver/contract/example-server.js';
import { afterUse } from '../kit/after-use.js';
import { startCommand } from '../kit/command-line.js';
import { KEVEL_PRODUCT, kevelSettings } from '../kit/kevel/adapter.js';
import { FAKE_NETWORK, FakeKevel } from '../kit/kevel/fake.js';
import { sellOneProduct } from '../kit/sold-through.js';
import { PROJECT, temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';

const ENV = { KEVEL_API_KEY: FAKE_NETWORK.apiKey };

/** Checks a tenant that sells through a fake of Kevel; `more` are settings, `product` is what its product says of Kevel. */
async function check(
  flags: readonly string[],
  { more = {}, product = KEVEL_PRODUCT, env = ENV }: { more?: object; product?: object; env?: Record<string, string> },
) {
  const fake = new FakeKevel();
  const settings = { ...kevelSettings(await fake.start()), api_key: { env: 'KEVEL_API_KEY' }, ...more };
  afterUse(() => fake.stop());
  const tenants = tenantsFolder((tenant) => sellOneProduct(tenant, { settings, product: { ...product } }));
  const { code, stdout, stderr } = await startCommand(['check', '--tenants', tenants, ...flags], { env }).finished;
  return { code, text: `${stdout}${stderr}`, fake };
}

test('a tenant file names Kevel, and check asks nobody about it', async () => {
  const { code, text, fake } = await check([], { more: { check: 'if_reachable' } });
  expect(text).toMatch(/1 tenant/);
  expect([code, fake.calls]).toEqual([0, []]);
});

test('check tells what Kevel cannot be told and which variable is not set', async () => {
  const wrong = await check([], { more: { network_id: 'one', colour: 'red' } });
  expect(wrong.text).toContain('/ad_server/network_id: Invalid input');
  expect(wrong.text).toContain('/ad_server/colour: Unrecognized key');
  expect(wrong.code).toBe(1);
  expect((await check([], { more: { currency: undefined } })).text).toContain(
    '/ad_server/currency: "currency" is missing',
  );
  const secret = await check([], { env: {} });
  expect(secret.text).toContain('KEVEL_API_KEY is not set');
  const product = await check([], { product: { ad_types: { '300x250': 5 } } });
  expect(product.text).toContain('priority_id');
  expect(product.code).toBe(1);
});

test('check --online tries the connection and what each product names, and changes nothing', async () => {
  const good = await check(['--online'], {});
  expect(good.text).toContain('ad server kevel: network 1234 answers');
  expect(good.code).toBe(0);
  expect(good.fake.campaigns.size + good.fake.flights.size).toBe(0);
  const gone = await check(['--online'], { product: { ...KEVEL_PRODUCT, priority_id: 9 } });
  expect(gone.text).toMatch(/product test-product: .*9/);
  expect(gone.code).toBe(1);
  const key = await check(['--online'], { env: { KEVEL_API_KEY: 'another-key' } });
  expect(key.text).toMatch(/ad_server: kevel cannot be asked: [^\n]*key/i);
  expect(key.text).not.toContain('another-key');
  expect(key.code).toBe(1);
});

test('adapter products lists what Kevel could sell and the tenant file does not, and changes nothing', async () => {
  const fake = new FakeKevel();
  const settings = { ...kevelSettings(await fake.start()), api_key: { env: 'KEVEL_API_KEY' } };
  afterUse(() => fake.stop());
  const sold = { priority_id: 5002, ad_types: { '728x90': 4, '300x250': 5, '160x600': 6 }, sites: [{ site_id: 31 }] };
  const tenants = tenantsFolder((tenant) => sellOneProduct(tenant, { settings, product: sold }));
  const out = path.join(temporaryFolder(), 'drafts.json');
  const list = (...words: readonly string[]) =>
    startCommand(['adapter', 'products', ...words, '--tenants', tenants], { env: ENV }).finished;
  const shown = await list('sales');
  expect(shown.stderr).toContain('2 of 3 products of the ad server are not in the tenant file.');
  const drafts: unknown = JSON.parse(shown.stdout);
  expect(drafts).toMatchObject([
    { product_id: 'site_32', name: 'Site 32', adapter: { ...sold, sites: [{ site_id: 32 }] } },
    {
      product_id: 'zone_41',
      name: 'Site 31, Top of page 41',
      format_ids: ['display_728x90_image', 'display_300x250_image', 'display_160x600_image'],
      adapter: { ...sold, sites: [{ site_id: 31, zone_id: 41 }] },
    },
  ]);
  expect((await list('sales', '--out', out)).code).toBe(0);
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(drafts);
  const again = await list('sales', '--out', out);
  expect([again.code, `${again.stdout}${again.stderr}`]).toEqual([1, expect.stringContaining('EEXIST')]);
  const stranger = await list('nobody');
  expect([stranger.code, `${stranger.stdout}${stranger.stderr}`]).toEqual([
    1,
    expect.stringContaining('no tenant "nobody"'),
  ]);
  expect(fake.campaigns.size + fake.flights.size).toBe(0);
});

test('--ad-server brings the adapter of a tenant file that names none, and is tried like any other', async () => {
  const example = await startExampleServer();
  afterUse(() => example.stop());
  const settings = example.settings(example.url);
  const bring = ['--online', '--ad-server', path.join(PROJECT, 'examples/ad-server-adapter.mjs')];
  const tryWith = async (flags: readonly string[], product: object) => {
    const tenants = tenantsFolder((tenant) => sellOneProduct(tenant, { settings, product: { ...product } }));
    const { code, stdout, stderr } = await startCommand(['check', '--tenants', tenants, ...flags]).finished;
    return { code, text: `${stdout}${stderr}` };
  };
  const good = await tryWith(bring, example.product);
  expect(good.text).toContain('ad server example: the example answers');
  expect(good.code).toBe(0);
  expect((await tryWith(bring, example.unknownProduct)).text).toContain('Its placement is not there.');
  const alone = await tryWith([], example.product);
  expect(alone.text).toContain('("gam", "kevel", "manual"');
  expect(alone.code).toBe(1);
});
