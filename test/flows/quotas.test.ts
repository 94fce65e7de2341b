import { describe, expect, it } from 'vitest';
import { quotasOf } from '../../src/seller/domain/retention/quotas.js';
import { boot } from '../kit/boot.js';
import { createRequest, creative, freshKey, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../kit/buyer.js';
import { tenantsFolder } from '../kit/tenants.js';

const END = '2030-03-01T00:00:00Z';
const order = () => createRequest({ end_time: END });
const sync = (creatives: readonly object[]) => ({
  idempotency_key: freshKey(),
  account: { account_id: SANDBOX_ACCOUNT },
  creatives,
});

describe('a principal that reached its quota', () => {
  it('of media buys is refused a further one, with what to do, and may still change what it has', async () => {
    const server = await boot({ settings: { quotas: quotasOf({ media_buys: 2 }) } });
    const { media_buy_id } = succeeded(await server.call('create_media_buy', order()));
    const last = order();
    succeeded(await server.call('create_media_buy', last));
    const further = order();
    const { payload } = await server.call('create_media_buy', further);
    expect(payload.errors?.[0]).toMatchObject({
      code: 'RATE_LIMITED',
      field: 'packages',
      suggestion: expect.stringContaining('raise the quota'),
      retry_after: 3600,
      details: { quota: 'media_buys', limit: 2 },
    });
    expect(succeeded(await server.call('get_media_buys', {})).media_buys).toHaveLength(2);
    expect(succeeded(await server.call('create_media_buy', last)).replayed).toBe(true);
    succeeded(await server.call('update_media_buy', updateRequest(media_buy_id, { paused: true })));
    // The refused key is free: nothing was stored under it.
    expect((await server.call('create_media_buy', further)).payload.code).toBe('RATE_LIMITED');
  });

  it('of media buys is refused one at once that a person would have to approve', async () => {
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] }));
    const server = await boot({ tenants, settings: { quotas: quotasOf({ media_buys: 0 }) } });
    expect((await server.call('create_media_buy', order())).payload.code).toBe('RATE_LIMITED');
  });

  it('of creatives has none of a call stored that would exceed it', async () => {
    const server = await boot({ settings: { quotas: quotasOf({ creatives: 2 }) } });
    succeeded(await server.call('sync_creatives', sync([creative('a')])));
    const { payload } = await server.call('sync_creatives', sync([creative('b'), creative('c')]));
    expect(payload.errors?.[0]).toMatchObject({
      code: 'RATE_LIMITED',
      field: 'creatives',
      details: { quota: 'creatives', limit: 2 },
    });
    const [usage] = await server
      .server()
      .app.store.read.ownerUsage.list('sales#sandbox')
      .then((rows) => rows);
    expect(usage === undefined || usage.count <= 2).toBe(true);
    succeeded(await server.call('sync_creatives', sync([creative('a'), creative('b')])));
    expect(succeeded(await server.call('list_creatives', {})).creatives).toHaveLength(2);
  });

  it('of creatives makes room by archiving, as its refusal says: what was archived longest goes', async () => {
    const server = await boot({ settings: { quotas: quotasOf({ creatives: 2 }) } });
    succeeded(await server.call('sync_creatives', sync([creative('a'), creative('b')])));
    const refused = await server.call('sync_creatives', sync([creative('c')]));
    expect(refused.payload.errors?.[0]?.suggestion).toContain('delete_missing');
    succeeded(await server.call('sync_creatives', { ...sync([creative('b')]), delete_missing: true }));
    succeeded(await server.call('sync_creatives', sync([creative('c')])));
    const ids = async (filters: object) =>
      (succeeded(await server.call('list_creatives', { filters })).creatives ?? [])
        .map(({ creative_id }) => creative_id)
        .sort();
    expect(await ids({})).toEqual(['b', 'c']);
    expect(await ids({ statuses: ['archived'] })).toEqual([]);
    expect((await server.call('sync_creatives', sync([creative('d')]))).payload.code).toBe('RATE_LIMITED');
  });

  it('of bytes is refused as well', async () => {
    const server = await boot({ settings: { quotas: { ...quotasOf(), bytes: 20_000 } } });
    let answer = await server.call('create_media_buy', order());
    for (let n = 0; n < 50 && answer.payload.code === undefined; n += 1)
      answer = await server.call('create_media_buy', order());
    expect(answer.payload.errors?.[0]).toMatchObject({
      code: 'RATE_LIMITED',
      details: { quota: 'bytes', limit: 20_000 },
    });
  });
});
