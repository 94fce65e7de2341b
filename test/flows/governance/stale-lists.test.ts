import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { sandboxToken } from '../../kit/tenants.js';

const DAY_MS = 86_400_000;
const GOVERNANCE = { tenant: 'governance', token: sandboxToken('governance') };
const PROPERTIES = {
  base_properties: [
    {
      selection_type: 'publisher_ids',
      publisher_domain: 'northlight.example',
      property_ids: ['northlight_news', 'northlight_app'],
    },
  ],
};

/** A seller, and a governance agent elsewhere that keeps a list. */
async function begin() {
  const [seller, keeper] = [await boot(), await boot()];
  const named = { idempotency_key: freshKey(), name: 'Ours', ...PROPERTIES };
  const made = succeeded(await keeper.call('create_property_list', named, GOVERNANCE));
  const { list_id } = made.list as unknown as { readonly list_id: string };
  const property_list = { agent_url: keeper.url('governance'), list_id, auth_token: made.auth_token };
  const ask = (args: object = {}) =>
    seller.call('get_products', { buying_mode: 'wholesale', property_list, ...args }, { version: '3.1' });
  return { seller, keeper, property_list, ask, list_id };
}

describe('a property list whose agent does not answer', () => {
  test('stands in as it was read last, and the answer says so', async () => {
    const { seller, keeper, property_list, ask } = await begin();
    const fresh = succeeded(await ask());
    expect(fresh.products.length).toBeGreaterThan(0);
    expect(fresh).not.toHaveProperty('errors');
    await keeper.close();
    seller.clock.advance(DAY_MS / 2);
    expect(succeeded(await ask())).not.toHaveProperty('errors');

    seller.clock.advance(DAY_MS);
    const { payload, isError } = await ask();
    expect(isError).toBe(false);
    expect(payload.products).toEqual(fresh.products);
    expect(payload.errors).toMatchObject([
      {
        code: 'STALE_RESPONSE',
        recovery: 'transient',
        field: 'products',
        details: {
          served_from_cache: true,
          freshness_target_seconds: DAY_MS / 1000,
          upstream: { url: property_list.agent_url },
        },
      },
    ]);
    expect(payload).not.toHaveProperty('adcp_error');
    const { details } = payload.errors[0] as unknown as { readonly details: Readonly<Record<string, number>> };
    expect(details.cache_age_seconds).toBeGreaterThan(details.freshness_target_seconds ?? 0);
    if (hasSchemas('3.1')) {
      expect(schemaJudge('3.1')('media-buy/get-products-response', payload)).toEqual([]);
      expect(schemaJudge('3.1')('error-details/stale-response', details)).toEqual([]);
    }
    const refine = [{ scope: 'request', ask: 'video only' }];
    const refined = await ask({ buying_mode: 'refine', refine });
    expect(refined.payload.errors).toMatchObject([{ code: 'STALE_RESPONSE' }]);
  });

  test('is refused where nothing was read, and after a week', async () => {
    const { seller, keeper, ask, property_list } = await begin();
    succeeded(await ask());
    await keeper.close();
    const other = await ask({ property_list: { ...property_list, list_id: 'another' } });
    expect(other.payload.errors).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', field: 'property_list' }]);
    seller.clock.advance(8.1 * DAY_MS);
    expect((await ask()).payload.errors).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', field: 'property_list' }]);
  });

  test('is read anew once it answers again, and is not shown any more once it is gone', async () => {
    const { seller, keeper, ask, list_id } = await begin();
    succeeded(await ask());
    await keeper.close();
    seller.clock.advance(1.5 * DAY_MS);
    expect((await ask()).payload.errors).toMatchObject([{ code: 'STALE_RESPONSE' }]);
    await keeper.restart();
    seller.clock.advance(2 * 60_000);
    expect(succeeded(await ask())).not.toHaveProperty('errors');

    succeeded(await keeper.call('delete_property_list', { idempotency_key: freshKey(), list_id }, GOVERNANCE));
    seller.clock.advance(1.5 * DAY_MS);
    expect((await ask()).payload.errors).toMatchObject([{ code: 'REFERENCE_NOT_FOUND' }]);
    await keeper.close();
    expect((await ask()).payload.errors).toMatchObject([{ code: 'SERVICE_UNAVAILABLE' }]);
  });
});
