import { expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { KIT_TOKEN, succeeded } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { packageIds, shopper } from '../../kit/shopper.js';

const DAY = 86_400_000;

type Snapshot = { readonly impressions: number; readonly last_served?: string; readonly as_of: string };

test('the library shows what each creative has served so far where it is asked for, and when it did last', async () => {
  const server = await boot();
  const buyer = shopper(server, 'kit');
  const { media_buy_id, ...bought } = await buyer.create();
  await buyer.sync({ banner: packageIds(bought), spare: [] });
  const list = async (more: object = {}) => {
    const args = { include_snapshot: true, ...more };
    const payload = succeeded(await server.call('list_creatives', args, { token: KIT_TOKEN, version: '3.1' }));
    if (hasSchemas('3.1')) expect(schemaJudge('3.1')('creative/list-creatives-response', payload)).toEqual([]);
    const rows = payload.creatives as unknown as readonly { creative_id: string; snapshot?: Snapshot }[];
    return new Map(rows.map((row) => [row.creative_id, row.snapshot]));
  };
  expect((await list()).get('banner')).toMatchObject({ impressions: 0 });
  server.clock.advance(2 * DAY);
  const running = await list();
  expect(running.get('banner')?.impressions).toBeGreaterThan(0);
  expect(running.get('banner')?.last_served).toBe(running.get('banner')?.as_of);
  expect(running.get('spare')).toEqual({ as_of: expect.any(String), staleness_seconds: 0, impressions: 0 });
  const { totals } = succeeded(await buyer.call('get_creative_delivery', { media_buy_ids: [media_buy_id] }))
    .creatives[0] as unknown as { totals: { impressions: number } };
  expect(running.get('banner')?.impressions).toBe(totals.impressions);
  await buyer.update(media_buy_id, { canceled: true });
  const stoppedAt = server.clock.now();
  server.clock.advance(3 * DAY);
  const after = (await list({ fields: ['snapshot'] })).get('banner');
  expect(after?.impressions).toBe(running.get('banner')?.impressions);
  expect(Math.abs(Date.parse(after?.last_served ?? '') - stoppedAt)).toBeLessThanOrEqual(3_600_000);
  expect((await list({ include_snapshot: false })).get('banner')).toBeUndefined();
  expect((await list({ filters: { has_variables: true } })).size).toBe(0);
  expect((await list({ filters: { has_variables: false } })).size).toBe(2);
  expect((await list({ filters: { concept_ids: ['spring'] } })).size).toBe(0);
});
