import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { KIT_TOKEN, succeeded } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { packageIds, shopper } from '../../kit/shopper.js';

const DAY = 86_400_000;

describe('a creative that its seller destroys', () => {
  test('is out of its packages and out of the library; a tombstone is shown for thirty days to those who ask', async () => {
    const server = await boot();
    const { arrange, run } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    const bought = await buyer.create();
    await buyer.sync({ banner: packageIds(bought), other: [] });
    expect((await buyer.read(bought.media_buy_id)).packages[0]?.creative_assignments).toHaveLength(1);
    const purged_at = server.clock.iso().replace('.000', '');
    expect(
      await arrange('force_creative_purge', { creative_id: 'banner', reason_code: 'takedown_request' }),
    ).toMatchObject({ previous_state: 'approved', current_state: 'purged' });

    const ids = async (args: object = {}) =>
      succeeded(await buyer.call('list_creatives', args)).creatives.map(({ creative_id }) => creative_id);
    expect(await ids()).toEqual(['other']);
    expect(await ids({ filters: { creative_ids: ['banner'] } })).toEqual([]);
    const [tombstone] = succeeded(
      await buyer.call('list_creatives', {
        include_purged: true,
        filters: { creative_ids: ['banner'] },
        fields: ['name'],
      }),
    ).creatives;
    expect(tombstone).toMatchObject({
      status: 'approved',
      purge: { kind: 'soft', at: purged_at, reason_code: 'takedown_request' },
    });
    expect((await buyer.read(bought.media_buy_id)).packages[0]?.creative_assignments ?? []).toEqual([]);
    const again = {
      packages: [{ package_id: packageIds(bought)[0], creative_assignments: [{ creative_id: 'banner' }] }],
    };
    const { payload } = await buyer.call('update_media_buy', {
      idempotency_key: crypto.randomUUID(),
      account: { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' },
      media_buy_id: bought.media_buy_id,
      ...again,
    });
    expect(payload.code).toBe('CREATIVE_NOT_FOUND');
    expect(await run('force_creative_purge', { creative_id: 'banner' })).toMatchObject({ error: 'NOT_FOUND' });

    await server.restart();
    server.clock.advance(29 * DAY);
    expect(await ids({ include_purged: true })).toHaveLength(2);
    server.clock.advance(2 * DAY);
    expect(await ids({ include_purged: true })).toEqual(['other']);
  });

  test('leaves nothing behind where that is asked for; its id can be sent again', async () => {
    const server = await boot();
    const { arrange, run } = controllerOf(server);
    const buyer = shopper(server, 'kit');
    await buyer.sync({ banner: [] });
    await arrange('force_creative_purge', { creative_id: 'banner', purge_kind: 'hard' });
    const list = async () => succeeded(await buyer.call('list_creatives', { include_purged: true })).creatives;
    expect(await list()).toEqual([]);
    const wrong = { creative_id: 'banner', purge_kind: 'gently' };
    expect(await run('force_creative_purge', wrong)).toMatchObject({
      error: 'INVALID_PARAMS',
      field: 'params.purge_kind',
    });
    expect((await buyer.sync({ banner: [] })).creatives).toMatchObject([{ action: 'created' }]);
    await arrange('force_creative_purge', { creative_id: 'banner' });
    expect((await buyer.sync({ banner: [] })).creatives).toMatchObject([{ action: 'created' }]);
    expect(await list()).toMatchObject([{ creative_id: 'banner', status: 'approved' }]);
    expect((await list())[0]).not.toHaveProperty('purge');
  });

  test('keeps what it delivered', async () => {
    const server = await boot();
    const buyer = shopper(server, 'kit');
    const { media_buy_id, ...bought } = await buyer.create();
    await buyer.sync({ banner: packageIds(bought) });
    server.clock.advance(2 * DAY);
    const delivered = async () =>
      succeeded(await buyer.call('get_creative_delivery', { media_buy_ids: [media_buy_id] })).creatives[0]?.totals;
    const before = await delivered();
    expect(before?.impressions).toBeGreaterThan(0);
    expect(before?.spend).toBeGreaterThan(0);
    await controllerOf(server).arrange('force_creative_purge', { creative_id: 'banner' });
    server.clock.advance(DAY);
    expect(await delivered()).toEqual(before);
    const named = succeeded(await buyer.call('get_creative_delivery', { creative_ids: ['banner', 'nobody'] }));
    expect(named.errors).toMatchObject([{ field: 'creative_ids[1]' }]);
  });

  test.skipIf(!hasSchemas('3.1'))('is told as the schemas have it', async () => {
    const server = await boot();
    const { arrange } = controllerOf(server, { version: '3.1' });
    await shopper(server, 'kit').sync({ banner: [] });
    const judge = schemaJudge('3.1');
    const purged = await arrange('force_creative_purge', { creative_id: 'banner' });
    expect(judge('compliance/comply-test-controller-response', purged)).toEqual([]);
    const { payload } = await server.call(
      'list_creatives',
      { include_purged: true },
      { token: KIT_TOKEN, version: '3.1' },
    );
    expect(payload.creatives).toHaveLength(1);
    expect(judge('creative/list-creatives-response', payload)).toEqual([]);
  });
});
