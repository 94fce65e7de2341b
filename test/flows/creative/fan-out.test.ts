import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { picture, type WireManifest } from '../../kit/renderer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { shippedTenant, writeTenant } from '../../kit/tenants.js';

type Leaf = { readonly build_variant_id: string; readonly creative_manifest: WireManifest };
type Group = {
  readonly catalog_item_ref?: { readonly catalog_type: string; readonly item_id: string };
  readonly signal_condition?: object;
  readonly variants?: readonly Leaf[];
  readonly errors?: readonly { readonly code: string; readonly message: string }[];
};
type Answer = {
  readonly creatives: readonly Group[];
  readonly estimate: object;
  readonly errors?: readonly { readonly code: string }[];
  readonly message?: string;
};
type Refusal = { readonly code: string; readonly field?: string; readonly suggestion?: string };

const BRAND = { domain: 'acme-outdoor.example', brand_kit_override: { colors: { primary: '#0a4a3a' } } };
const ACCOUNT = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };

let server: Booted;
let files: AssetServer;
beforeAll(async () => {
  files = await serveAssets({ '/boot.png': await drawBoot() });
  const tenants = temporaryFolder('seller-agent-tenants-');
  writeTenant(tenants, shippedTenant(), 'sales');
  const creative = shippedTenant('creative');
  creative.build_prices = [{ pricing_option_id: 'po_build', unit_price: 0.5, currency: 'USD' }];
  writeTenant(tenants, creative, 'creative');
  server = await boot({ tenants });
});

/** A picture of which a crop is not like the whole. */
async function drawBoot(): Promise<Buffer> {
  const sky = await picture(600, 200, '#7fb2e5');
  return sharp(await picture(600, 500))
    .composite([{ input: sky, gravity: 'north' }])
    .png()
    .toBuffer();
}

const format = (id: string) => ({ agent_url: server.url('creative'), id });

/** A catalog of three things, of which one has neither price nor picture. */
const items = () => [
  {
    id: 'boot',
    title: 'Ridge Boot',
    price: { amount: 129.5, currency: 'USD' },
    image_link: files.url('/boot.png'),
    link: 'https://acme-outdoor.example/boot',
    tags: ['shoes'],
  },
  { id: 'sock', title: 'Trail Sock', price: '9 EUR', description: 'Merino, knitted once', category: 'wear/socks' },
  { id: 'tent', title: 'Two Person Tent', tags: ['camp'] },
];

const request = (catalog: object, more: object = {}) => ({
  account: { account_id: 'acct_studio' },
  brand: BRAND,
  target_format_id: format('native_product_card'),
  creative_manifest: { assets: { feed: { asset_type: 'catalog', type: 'product', ...catalog } } },
  max_creatives: 10,
  ...more,
});

async function call(args: object, version = '3.1') {
  return server.call('build_creative', { idempotency_key: freshKey(), ...args }, { tenant: 'creative', version });
}

async function build(args: object): Promise<Answer> {
  const payload = succeeded(await call(args));
  if (hasSchemas('3.1')) expect(schemaJudge('3.1')('media-buy/build-creative-response', payload)).toEqual([]);
  return payload as unknown as Answer;
}

async function refused(args: object): Promise<Refusal> {
  const { payload, isError } = await call(args);
  expect(isError).toBe(true);
  return payload.errors[0] as Refusal;
}

const idsOf = ({ creatives }: Answer) => creatives.map(({ catalog_item_ref: ref }) => ref?.item_id);
const assetsOf = ({ variants }: Group) => variants?.[0]?.creative_manifest.assets ?? {};

describe('a catalog', () => {
  test('makes a creative of each item with its title, price, picture and address', async () => {
    const answer = await build(request({ items: items() }));
    expect(answer).toMatchObject({ items_total: 3, items_returned: 3, leaves_total: 3, leaves_returned: 3 });
    const [shoe, sock, tent] = answer.creatives.map(assetsOf);
    expect(answer.creatives[0]?.catalog_item_ref).toEqual({ catalog_type: 'product', item_id: 'boot' });
    expect(shoe).toMatchObject({ product_name: { content: 'Ridge Boot' }, price: { content: '$129.50' } });
    expect(JSON.stringify(shoe)).toContain('https://acme-outdoor.example/boot');
    expect(sock).toMatchObject({ product_name: { content: 'Trail Sock' }, price: { content: '9 EUR' } });
    expect(JSON.stringify(sock)).toContain('Merino');
    expect(tent).toMatchObject({ product_name: { content: 'Two Person Tent' } });
    expect(tent?.price).toBeUndefined();
    const pictures = [shoe, sock].map((assets) => assets?.product_image?.url);
    expect(new Set(pictures).size).toBe(2);
  });

  test('has the words of its items in a banner, whatever the message is about', async () => {
    const target = { target_format_id: format('display_300x250_html'), message: 'Autumn sale: 20% off everything' };
    const { creatives } = await build(request({ items: items() }, target));
    const pages = creatives.map((group) => JSON.stringify(assetsOf(group)));
    expect(pages[0]).toContain('Ridge Boot');
    expect(pages[0]).toContain('$129.50');
    expect(pages[1]).toContain('Trail Sock');
    expect(pages[1]).not.toContain('Ridge Boot');
  });

  test('is sampled to max_creatives, the same way for the same key, and says how many there are', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ id: `i${index}`, title: `Thing ${index}` }));
    const key = { idempotency_key: freshKey() };
    const wanted = request({ items: many }, { ...key, max_creatives: 3, selection_strategy: 'random' });
    const answer = await build(wanted);
    expect(answer).toMatchObject({ items_total: 60, items_returned: 3, selection_strategy_applied: 'random' });
    expect(idsOf(await build({ ...wanted, message: undefined }))).toEqual(idsOf(answer));
    const estimate = { ...request({ items: many }, { max_creatives: 50, mode: 'estimate' }) };
    expect((await build(estimate)).estimate).toMatchObject({ items_total: 60, items_to_produce: 20, cost_high: 10 });
  });

  test('is narrowed by ids, tags and categories', async () => {
    expect(idsOf(await build(request({ items: items(), ids: ['tent', 'boot'] })))).toEqual(['boot', 'tent']);
    expect(idsOf(await build(request({ items: items(), tags: ['camp', 'shoes'] })))).toEqual(['boot', 'tent']);
    expect(idsOf(await build(request({ items: items(), category: 'Wear' })))).toEqual(['sock']);
  });

  test('that was synced at a sales agent of this server is found by its id', async () => {
    const synced = { catalog_id: 'feed-1', type: 'product', items: items() };
    succeeded(
      await server.call('sync_catalogs', { idempotency_key: freshKey(), account: ACCOUNT, catalogs: [synced] }),
    );
    const answer = await build({ ...request({ catalog_id: 'feed-1', ids: ['sock'] }), account: ACCOUNT });
    expect(idsOf(answer)).toEqual(['sock']);
    const unknown = { ...request({ catalog_id: 'feed-2' }), account: ACCOUNT };
    expect(await refused(unknown)).toMatchObject({
      code: 'REFERENCE_NOT_FOUND',
      field: 'creative_manifest.assets.feed.catalog_id',
    });
  });

  test('with an item that cannot be built says so at that item, and charges for the others alone', async () => {
    const broken = [...items().slice(0, 2), { id: 'nameless', price: '3 USD' }];
    const answer = await build(request({ items: broken }));
    expect(answer.creatives.map(({ errors }) => errors?.[0]?.code)).toEqual([
      undefined,
      undefined,
      'ITEM_VALIDATION_FAILED',
    ]);
    expect(answer).toMatchObject({ items_total: 3, items_returned: 2, vendor_cost: 1 });
    expect(await refused(request({ items: broken.slice(2) }))).toMatchObject({ code: 'ITEM_VALIDATION_FAILED' });
  });

  test('is built as far as max_spend goes, variants of an item before the next one', async () => {
    const answer = await build(
      request({ items: items() }, { max_variants: 2, max_spend: { amount: 1.6, currency: 'USD' } }),
    );
    expect(answer).toMatchObject({ budget_status: 'capped', leaves_total: 6, leaves_returned: 3, vendor_cost: 1.5 });
    expect(answer.creatives.map(({ variants }) => variants?.length)).toEqual([2, 1]);
    expect(answer.errors).toEqual([expect.objectContaining({ code: 'BUDGET_CAP_REACHED' })]);
  });

  test('has each item in every format, and a creative of an item can be refined', async () => {
    const formats = [format('native_product_card'), format('display_300x250_html')];
    const two = request({ items: items().slice(0, 2) }, { target_format_id: undefined, target_format_ids: formats });
    const answer = await build(two);
    expect(idsOf(answer)).toEqual(['boot', 'boot', 'sock', 'sock']);
    const leaf = answer.creatives[3]?.variants?.[0];
    const refined = await build({
      account: { account_id: 'acct_studio' },
      refine_from_build_variant_id: leaf?.build_variant_id,
      config: { colors: 'inverted' },
    });
    expect(JSON.stringify(refined.creatives.map(assetsOf))).toContain('Trail Sock');
  });

  test('without max_creatives makes one creative, of at most item_limit items', async () => {
    const carousel = { target_format_id: format('native_carousel'), max_creatives: undefined };
    const shown = async (more: object) => {
      const { creative_manifest } = succeeded(await call(request({ items: items() }, { ...carousel, ...more })));
      return JSON.stringify((creative_manifest as unknown as WireManifest).assets);
    };
    expect(await shown({})).toContain('Two Person Tent');
    expect(await shown({ item_limit: 2 })).not.toContain('Two Person Tent');
  });

  test.each([
    [{ type: 'gadgets', items: [{ id: '1' }] }, {}, 'INVALID_REQUEST', 'creative_manifest.assets.feed.type'],
    [{}, {}, 'INVALID_REQUEST', 'creative_manifest.assets.feed'],
    [{ items: [{ id: '1', title: 'A' }], ids: ['2'] }, {}, 'VALIDATION_ERROR', 'creative_manifest.assets.feed'],
    [{ items: [{ id: '1' }], query: 'cheap ones' }, {}, 'UNSUPPORTED_FEATURE', 'creative_manifest.assets.feed.query'],
    [{ items: [{ id: '1' }] }, { selection_strategy: 'proximity' }, 'UNSUPPORTED_FEATURE', 'selection_strategy'],
    [{ catalog_id: 'x' }, { account: undefined, mode: 'estimate' }, 'INVALID_REQUEST', 'account'],
  ])('%j with %j is refused', async (catalog, more, code, field) => {
    expect(await refused(request(catalog, more))).toMatchObject({ code, field, suggestion: expect.any(String) });
  });

  test('is no part of a refinement', async () => {
    const { creatives } = await build(request({ items: items().slice(0, 1) }));
    const refining = {
      refine_from_build_variant_id: creatives[0]?.variants?.[0]?.build_variant_id,
      message: 'Shorter',
    };
    expect(await refused({ ...refining, max_creatives: 2 })).toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'max_creatives',
    });
  });
});

describe('signal conditions', () => {
  const reference = (signal_id: string) => ({ signal_ref: { scope: 'product', signal_id } });
  const RAIN = { ...reference('weather'), value_type: 'categorical', values: ['rain'], signal_agent_segment_id: 'w:1' };
  const WARM = { ...reference('temperature'), value_type: 'numeric', min_value: 25 };
  const conditional = (more: object = {}) => ({
    account: { account_id: 'acct_studio' },
    brand: BRAND,
    message: 'Jackets for every day',
    target_format_id: format('display_300x250_html'),
    signal_conditions: [RAIN, WARM],
    ...more,
  });

  test('have a group of creatives each, which says what it is for and is like no other', async () => {
    const answer = await build(conditional());
    expect(answer.creatives.map(({ signal_condition }) => signal_condition)).toEqual([RAIN, WARM]);
    const pages = answer.creatives.map((group) => JSON.stringify(assetsOf(group)));
    expect(pages[0]).not.toBe(pages[1]);
    expect(pages[0]).toMatch(/rain/);
    expect(answer).toMatchObject({ leaves_total: 2, leaves_returned: 2 });
  });

  test('multiply with items and variants, which an estimate says before', async () => {
    const catalog = { feed: { asset_type: 'catalog', type: 'product', items: items() } };
    const all = conditional({ creative_manifest: { assets: catalog }, max_creatives: 2, max_variants: 2 });
    const { estimate } = await build({ ...all, mode: 'estimate' });
    expect(estimate).toMatchObject({ items_total: 3, items_to_produce: 2, conditions_total: 2, leaves_total: 8 });
    const answer = await build(all);
    expect(answer).toMatchObject({ leaves_total: 8, leaves_returned: 8, items_returned: 2 });
    expect(answer.creatives).toHaveLength(4);
  });

  test('that are none are refused', async () => {
    const nameless = { value_type: 'binary', value: true };
    expect(await refused(conditional({ signal_conditions: [nameless] }))).toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'signal_conditions[0]',
    });
  });
});
