import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTenants } from '../../../src/seller/config/load.js';
import type { Tenant } from '../../../src/seller/domain/tenant/tenant.js';
import { optionsFor } from './fixture.js';

const directory = fileURLToPath(new URL('../../../tenants', import.meta.url));
const official = fileURLToPath(new URL('../../../node_modules/@adcp/sdk/dist/lib/schemas-data/3.0', import.meta.url));

/** The ids of the public reference catalog that the shipped products use. */
const CATALOG = new Set([
  ...['300x250', '728x90', '320x50', '160x600', '336x280', '300x600', '970x250'].map((size) => `display_${size}_image`),
  ...['display_300x250', 'display_728x90', 'display_320x50', 'native_standard', 'native_content', 'native_in_feed'],
  ...['video_standard_15s', 'video_standard_30s', 'video_15s', 'video_30s', 'video_vast_30s', 'video_ctv_preroll_30s'],
  ...['video_1920x1080', 'audio_standard_15s', 'audio_standard_30s', 'audio_30s'],
  ...['dooh_billboard_1920x1080', 'dooh_transit_screen', 'dooh_billboard_landscape'],
]);

let sales: Tenant;
beforeAll(async () => {
  const tenants = await loadTenants(optionsFor(directory, { formatIds: CATALOG, env: {} }));
  const found = tenants.find(({ path }) => path === 'sales');
  if (found === undefined) throw new Error('tenants/sales.json is missing');
  sales = found;
});

function wire({ inventory: _, ...product }: Tenant['products'][number]) {
  return product;
}

describe('the shipped sales tenant', () => {
  test('covers the breadth that a buyer may want to try', () => {
    const options = sales.products.flatMap((product) => product.pricing_options);
    const channels = sales.products.flatMap((product) => product.channels);
    expect(sales.products.length).toBeGreaterThanOrEqual(14);
    expect(new Set(channels)).toEqual(new Set(['display', 'olv', 'ctv', 'streaming_audio', 'podcast', 'dooh']));
    expect(new Set(sales.products.map((product) => product.delivery_type)).size).toBe(2);
    expect(new Set(options.map((option) => option.currency))).toEqual(new Set(['USD', 'EUR']));
    expect(options.map((option) => option.pricing_model)).toEqual(
      expect.arrayContaining(['cpm', 'vcpm', 'cpc', 'cpcv', 'flat_rate']),
    );
    expect(options.some((option) => option.floor_price !== undefined && option.price_guidance !== undefined)).toBe(
      true,
    );
  });

  test('the first product is what public test clients buy', () => {
    const [first] = sales.products;
    expect(first?.product_id).toBe('test-product');
    expect(first?.pricing_options[0]).toMatchObject({
      pricing_option_id: 'default',
      pricing_model: 'cpm',
      currency: 'USD',
    });
    expect(first?.pricing_options[0]?.fixed_price).toBeGreaterThan(0);
    expect(first?.pricing_options[0]?.min_spend_per_package ?? 0).toBeLessThanOrEqual(100);
  });

  test('two sandboxes with public tokens, each with an active account of its own, and no creative asked of them', () => {
    expect(sales.policies.creative_requirement).toBe('required');
    expect(
      sales.principals.map(({ id, sandbox, credentials, policies }) => [
        id,
        sandbox,
        credentials,
        policies.creative_requirement,
      ]),
    ).toEqual([
      ['sandbox', true, [{ kind: 'public_token', token: 'sandbox-token' }], 'none'],
      ['sandbox-2', true, [{ kind: 'public_token', token: 'sandbox-token-2' }], 'none'],
    ]);
    expect(sales.accounts.map(({ account_id, principal, status }) => [account_id, principal, status])).toEqual([
      ['acct_sandbox', 'sandbox', 'active'],
      ['acct_sandbox_2', 'sandbox-2', 'active'],
    ]);
    expect(new Set(sales.accounts.map(({ brand }) => brand.domain)).size).toBe(2);
  });

  test('its limits lie above what a bench sends', () => {
    for (const { policies } of sales.principals) {
      expect(policies.rate_limits.reads.per_second).toBeGreaterThanOrEqual(100_000);
      expect(policies.rate_limits.writes.per_second).toBeGreaterThanOrEqual(100_000);
    }
  });

  test('every product is small and valid for the public product schema', async () => {
    const ajv = await officialSchemas();
    const validate = ajv.getSchema('/schemas/3.0.6/core/product.json');
    for (const product of sales.products) {
      expect(validate?.(wire(product)), `${product.product_id}: ${JSON.stringify(validate?.errors)}`).toBe(true);
      expect(JSON.stringify(wire(product)).length, product.product_id).toBeLessThanOrEqual(1800);
      expect(product.reporting_capabilities.supports_webhooks).toBe(true);
    }
  });
});

async function officialSchemas(): Promise<Ajv> {
  const ajv = new Ajv({ strict: false, formats: fullFormats });
  const folders = [
    'core',
    'enums',
    'pricing-options',
    'media-buy',
    'property',
    'collection',
    'extensions',
    'governance',
  ];
  for (const folder of folders) {
    for (const name of await readdir(join(official, folder))) {
      if (!name.endsWith('.json')) continue;
      const schema = JSON.parse(await readFile(join(official, folder, name), 'utf8'));
      ajv.addSchema(schema);
    }
  }
  return ajv;
}
