import { beforeAll, describe, expect, it } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, creative, freshKey, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { makeCreative, type Option } from '../../kit/canonical-creative.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';

/** What a client knows of a product that reads `format_options` alone. */
type Offer = {
  readonly product_id: string;
  readonly format_options?: readonly Option[];
  readonly pricing_options: readonly {
    readonly pricing_option_id: string;
    readonly pricing_model: string;
    readonly currency: string;
    readonly fixed_price?: number;
    readonly floor_price?: number;
    readonly min_spend_per_package?: number;
  }[];
};

const NEW = { version: '3.1' } as const;
const ACCOUNT = { account_id: SANDBOX_ACCOUNT };

let app: Booted;
let offers: readonly Offer[];
beforeAll(async () => {
  app = await boot();
  const answer = succeeded(await app.call('get_products', { buying_mode: 'wholesale' }, NEW));
  offers = answer.products as unknown as readonly Offer[];
});

function packageFor({ product_id, pricing_options: [price] }: Offer, changes: object = {}): object {
  return {
    product_id,
    pricing_option_id: price?.pricing_option_id,
    budget: Math.max(1000, price?.min_spend_per_package ?? 0, price?.fixed_price ?? 0),
    ...(price?.fixed_price === undefined ? { bid_price: (price?.floor_price ?? 0) + 1 } : {}),
    ...changes,
  };
}

describe('a client that reads format_options alone', () => {
  it('keeps every product of the shipped tenant', () => {
    expect(offers.length).toBeGreaterThan(15);
    expect(offers.filter(({ format_options = [] }) => format_options.length === 0)).toEqual([]);
  });

  it.skipIf(!hasSchemas('3.1'))('gets answers that are valid by the public schemas', async () => {
    const judge = schemaJudge('3.1');
    const products = await app.call('get_products', { buying_mode: 'wholesale' }, NEW);
    expect(judge('media-buy/get-products-response', products.payload)).toEqual([]);
    const formats = await app.call('list_creative_formats', {}, NEW);
    expect(judge('creative/list-creative-formats-response', formats.payload)).toEqual([]);
    const capabilities = await app.call('get_adcp_capabilities', {}, { ...NEW, tenant: 'creative' });
    expect(judge('protocol/get-adcp-capabilities-response', capabilities.payload)).toEqual([]);
    const { supported_formats } = capabilities.payload.creative as { supported_formats: unknown[] };
    expect(supported_formats.length).toBeGreaterThan(50);
  });

  it('buys each product and fills it with a creative of each kind that it declares', async () => {
    for (const [index, offer] of offers.entries()) {
      const options = (offer.format_options ?? []).filter(
        (option, at, all) => all.findIndex(({ format_kind }) => format_kind === option.format_kind) === at,
      );
      const sent = options.map((option, at) => makeCreative(`canonical_${index}_${at}`, option));
      const currency = offer.pricing_options[0]?.currency;
      const refs = (offer.format_options ?? []).map(({ format_option_id }) => ({ scope: 'product', format_option_id }));
      const bought = succeeded(
        await app.call(
          'create_media_buy',
          createRequest({
            advertiser_industry: 'retail',
            end_time:
              offer.pricing_options[0]?.pricing_model === 'flat_rate' ? '2030-01-02T00:00:00Z' : '2030-01-31T00:00:00Z',
            packages: [packageFor(offer, { format_option_refs: refs })],
          }),
          NEW,
        ),
      );
      const [line] = bought.packages as unknown as readonly { package_id: string; format_option_refs: unknown }[];
      expect(line?.format_option_refs, `${offer.product_id} in ${currency}`).toEqual(refs);
      const synced = succeeded(
        await app.call(
          'sync_creatives',
          {
            idempotency_key: freshKey(),
            account: ACCOUNT,
            creatives: sent,
            assignments: sent.map(({ creative_id }) => ({ creative_id, package_id: line?.package_id })),
          },
          NEW,
        ),
      );
      for (const row of synced.creatives as unknown as readonly Record<string, unknown>[]) {
        expect(row, offer.product_id).toMatchObject({
          action: 'created',
          status: 'approved',
          assigned_to: [line?.package_id],
        });
        expect(row.assignment_errors).toBeUndefined();
      }
    }
  }, 120_000);

  it('finds its creatives in the terms in which it sent them, and a 3.0 client by their format_id', async () => {
    const asked = { filters: { creative_ids: ['canonical_0_0'] } };
    const answer = await app.call('list_creatives', asked, NEW);
    const [mine] = answer.payload.creatives as unknown as readonly Record<string, unknown>[];
    expect(mine).toMatchObject({ format_kind: 'image', assets: { image_main: { asset_type: 'image' } } });
    expect(mine).not.toHaveProperty('format_id');
    if (hasSchemas('3.1')) expect(schemaJudge('3.1')('creative/list-creatives-response', answer.payload)).toEqual([]);
    const older = await app.call('list_creatives', asked);
    const [same] = older.payload.creatives as unknown as readonly Record<string, unknown>[];
    expect(same).toMatchObject({ format_id: { id: 'display_300x250' }, assets: { image: { asset_type: 'image' } } });
    expect(same).not.toHaveProperty('format_kind');
    expect(schemaJudge('3.0')('creative/list-creatives-response', older.payload)).toEqual([]);
  });

  it('is told FORMAT_NOT_SUPPORTED at the member that names what is not offered', async () => {
    const sync = async (changes: object, options: object = NEW) =>
      app.call(
        'sync_creatives',
        {
          idempotency_key: freshKey(),
          account: ACCOUNT,
          creatives: [{ creative_id: 'odd', name: 'Odd', assets: {}, ...changes }],
        },
        options,
      );
    const ref = { scope: 'product', format_option_id: 'skywriting' };
    const cases = [
      [await sync({ format_kind: 'agent_placement' }), 'creatives[0].format_kind'],
      [await sync({ format_kind: 'hologram' }), 'creatives[0].format_kind'],
      [await sync({ format_kind: 'image', format_option_ref: ref }), 'creatives[0].format_option_ref.format_option_id'],
      [await sync({ format_id: { agent_url: app.url('creative'), id: 'hologram' } }), 'creatives[0].format_id'],
    ] as const;
    for (const [{ payload }, field] of cases) {
      expect(payload.errors[0]).toMatchObject({ code: 'FORMAT_NOT_SUPPORTED', field });
    }
    expect((await sync({ format_kind: 'hologram' }, {})).payload.errors[0]).toMatchObject({
      code: 'UNSUPPORTED_FEATURE',
    });
  });

  it('buys by kind and parameters, and is refused a size that the product does not have', async () => {
    const asked = (params: object) =>
      app.call(
        'create_media_buy',
        createRequest({
          packages: [
            { product_id: 'test-product', pricing_option_id: 'default', budget: 1000, format_kind: 'image', params },
          ],
        }),
        NEW,
      );
    const bought = succeeded(await asked({ width: 728, height: 90 }));
    expect(bought.packages).toMatchObject([
      { format_kind: 'image', params: { width: 728 }, format_ids: [{ id: 'display_728x90' }] },
    ]);
    expect((await asked({ width: 3, height: 4 })).payload.errors[0]).toMatchObject({
      code: 'FORMAT_NOT_SUPPORTED',
      field: 'packages[0].params',
    });
  });

  it('is told by a native format which rule a call to action broke, and what it takes', async () => {
    const feed = offers
      .flatMap(({ format_options = [] }) => format_options)
      .find(({ format_option_id }) => format_option_id === 'native_in_feed');
    const { assets, ...rest } = makeCreative('feed', feed as Option);
    const format_option_ref = { scope: 'product', format_option_id: 'native_in_feed' };
    const answer = await app.call(
      'sync_creatives',
      {
        idempotency_key: freshKey(),
        account: ACCOUNT,
        creatives: [
          {
            ...rest,
            format_option_ref,
            assets: { ...(assets as object), cta: { asset_type: 'text', content: 'Buy or else' } },
          },
        ],
      },
      NEW,
    );
    expect(answer.payload.errors[0]).toMatchObject({
      code: 'CREATIVE_VALUE_NOT_ALLOWED',
      field: 'creatives[0].assets.cta.content',
      details: { rule: 'allowed_values', allowed_values: expect.arrayContaining(['Shop now']) },
    });
  });

  it('previews a manifest in canonical terms', async () => {
    const option = offers
      .flatMap(({ format_options = [] }) => format_options)
      .find(({ format_kind }) => format_kind === 'image');
    const { format_kind, assets } = makeCreative('shown', option as Option);
    const answer = await app.call(
      'preview_creative',
      { request_type: 'single', creative_manifest: { format_kind, assets } },
      { ...NEW, tenant: 'creative' },
    );
    expect(answer.payload.errors).toBeUndefined();
  });

  it('is refused a format that is named twice over', async () => {
    const twice = { ...creative('twice'), format_kind: 'image' };
    const answer = await app.call(
      'sync_creatives',
      { idempotency_key: freshKey(), account: ACCOUNT, creatives: [twice] },
      NEW,
    );
    expect(answer.payload.errors[0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'creatives[0].format_kind' });
  });
});
