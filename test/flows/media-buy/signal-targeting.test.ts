import { beforeAll, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { packageIds, shopper } from '../../kit/shopper.js';

const NEW = { version: '3.1' } as const;
const PRODUCT = 'test-product';
const CAR = { signal_ref: { scope: 'product', signal_id: 'in_market_auto' }, value_type: 'binary', value: true };
const RAIN = { signal_ref: { scope: 'product', signal_id: 'weather' }, value_type: 'categorical', values: ['rain'] };
const groups = (...list: object[]) => ({ signal_targeting_groups: { operator: 'all', groups: list } });
const DRIVERS = groups({ operator: 'any', signals: [CAR] });

let app: Booted;
beforeAll(async () => {
  app = await boot();
});

const line = (targeting_overlay: object, changes: object = {}) => ({
  product_id: PRODUCT,
  pricing_option_id: 'default',
  budget: 1_000_000,
  targeting_overlay,
  ...changes,
});
const buy = async (targeting_overlay: object, changes: object = {}) =>
  app.call('create_media_buy', createRequest({ packages: [line(targeting_overlay, changes)] }), NEW);
const search = async (filters: object, options: object = NEW) => {
  const { payload } = await app.call('get_products', { buying_mode: 'wholesale', filters }, options);
  const release = 'version' in options ? '3.1' : '3.0';
  if (hasSchemas(release)) expect(schemaJudge(release)('media-buy/get-products-response', payload)).toEqual([]);
  return payload.products as unknown as readonly Record<string, unknown>[];
};

test('a product shows the signals that its packages can be targeted by, to callers of a release that has them', async () => {
  const find = (products: readonly Record<string, unknown>[]) => products.find((each) => each.product_id === PRODUCT);
  const shown = find(await search({}));
  expect(shown).toMatchObject({
    signal_targeting_allowed: true,
    signal_targeting_options: [
      { signal_ref: CAR.signal_ref, value_type: 'binary', allowed_targeting_modes: ['include', 'exclude'] },
      { signal_ref: RAIN.signal_ref, value_type: 'categorical', categories: ['sun', 'rain', 'snow'] },
    ],
    signal_targeting_rules: { max_selected_signals: 4 },
  });
  expect(JSON.stringify(shown)).not.toContain('"share"');
  expect(find(await search({}, {}))).not.toHaveProperty('signal_targeting_options');
});

test('products are found by the signals that they can be targeted by together', async () => {
  const ids = async (...signal_targeting: object[]) =>
    (await search({ signal_targeting })).map(({ product_id }) => product_id);
  expect(await ids(CAR, RAIN)).toEqual([PRODUCT]);
  expect(await ids({ ...RAIN, targeting_mode: 'exclude' })).toEqual([]);
  expect(await ids({ ...CAR, signal_ref: { scope: 'product', signal_id: 'boats' } })).toEqual([]);
});

test('signals and ages narrow what a package delivers, and a change of them what it delivers from then on', async () => {
  const DAY = 86_400_000;
  const delivered = async (targeting_overlay: object, changed?: object) => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id, packages } = await one.create({ packages: [line(targeting_overlay, { pacing: 'asap' })] });
    const [package_id = ''] = packageIds({ packages });
    await one.sync({ banner: [package_id] });
    server.clock.advance(5 * DAY);
    const before = (await one.delivered(media_buy_id)).totals.impressions;
    if (changed !== undefined)
      await one.update(media_buy_id, { packages: [{ package_id, targeting_overlay: changed }] });
    server.clock.advance(5 * DAY);
    return [before, (await one.delivered(media_buy_id)).totals.impressions - before] as const;
  };
  const [whole] = await delivered({});
  const [drivers, others] = await delivered(DRIVERS, groups({ operator: 'none', signals: [CAR] }));
  expect(drivers / whole).toBeCloseTo(0.2, 1);
  expect(others / drivers).toBeGreaterThan(2);
  const [adults] = await delivered({ age_restriction: { min: 18, verification_required: true } });
  expect(adults / whole).toBeCloseTo(0.3, 1);
});

test('a signal that the product does not have, or cannot be used so, is refused where it stands', async () => {
  const at = 'packages[0].targeting_overlay.signal_targeting_groups';
  const error = async (...refused: Parameters<typeof buy>) => (await buy(...refused)).payload.errors[0];
  const boats = { ...CAR, signal_ref: { scope: 'product', signal_id: 'boats' } };
  expect(await error(groups({ operator: 'any', signals: [boats] }))).toMatchObject({
    code: 'SIGNAL_NOT_FOUND',
    field: `${at}.groups[0].signals[0].signal_ref`,
    suggestion: expect.stringContaining('in_market_auto'),
  });
  expect(await error(groups({ operator: 'none', signals: [RAIN] }))).toMatchObject({
    code: 'UNSUPPORTED_FEATURE',
    field: `${at}.groups[0].signals[0]`,
  });
  const other = { product_id: 'stadtblick_display', pricing_option_id: 'cpm_fixed', budget: 1000 };
  expect(await error(DRIVERS, other)).toMatchObject({ code: 'UNSUPPORTED_FEATURE', field: at });
  expect(await error({ signal_targeting: [CAR] })).toMatchObject({
    code: 'UNSUPPORTED_FEATURE',
    suggestion: expect.stringContaining('signal_targeting_groups'),
  });
});

test('a restriction of age is kept by a product that knows ages, and declared', async () => {
  succeeded(await buy({ age_restriction: { min: 21 } }));
  succeeded(
    await buy({ age_restriction: { min: 18, verification_required: true, accepted_methods: ['credit_card'] } }),
  );
  const refused = await buy({ age_restriction: { min: 18, accepted_methods: ['world_id'] } });
  expect(refused.payload.errors[0]).toMatchObject({
    code: 'UNSUPPORTED_FEATURE',
    field: 'packages[0].targeting_overlay.age_restriction.accepted_methods',
    suggestion: 'Accept one of id_document, credit_card.',
  });
  const capabilities = succeeded(await app.call('get_adcp_capabilities', {}, NEW)) as Record<string, unknown>;
  expect(capabilities).toMatchObject({
    media_buy: {
      execution: {
        targeting: { age_restriction: { supported: true, verification_methods: ['id_document', 'credit_card'] } },
      },
    },
  });
});
