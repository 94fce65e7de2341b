import { describe, expect, test } from 'vitest';
import { boot } from '../kit/boot.js';
import {
  createRequest,
  createRequestByKey,
  KIT_TOKEN,
  SANDBOX_ACCOUNT,
  succeeded,
  updateRequest,
} from '../kit/buyer.js';

const server = await boot();

/** What `adcp_version` says, and what a caller is then served; undefined: nothing is said. */
const CALLERS = [
  { asked: undefined, served: '3.0', answered: undefined },
  { asked: '3.0', served: '3.0', answered: '3.0' },
  { asked: '3.1', served: '3.1', answered: '3.1' },
  { asked: '3.4', served: '3.1', answered: '3.1' },
] as const;

describe.each(CALLERS)('a caller that asks for $asked', ({ asked, served, answered }) => {
  const options = asked === undefined ? {} : { version: asked };
  const kit = { ...options, token: KIT_TOKEN };

  test(`is answered ${answered ?? 'nothing about versions'}, on failures too`, async () => {
    const { payload } = await server.call('get_products', {}, options);
    expect(payload.adcp_version).toBe(answered);
    const failed = await server.call('create_media_buy', {}, options);
    expect(failed.isError).toBe(true);
    expect(failed.payload.adcp_version).toBe(answered);
  });

  test('hears of it also where no task runs: without a credential, and of a tool that there is not', async () => {
    const denied = await server.call('create_media_buy', {}, { ...options, token: null });
    expect(denied).toMatchObject({ status: 401 });
    expect(denied.payload.adcp_version).toBe(answered);
    const unknown = await server.call('fly_to_the_moon', {}, options);
    expect(unknown.isError).toBe(true);
    expect(unknown.payload.adcp_version).toBe(answered);
  });

  test(`reads the state of a new buy where ${served} has it`, async () => {
    const payload = succeeded(await server.call('create_media_buy', createRequestByKey(), kit));
    expect(payload.media_buy_status).toBe('pending_creatives');
    expect(payload.status).toBe(served === '3.0' ? 'pending_creatives' : 'completed');
    expect(payload).toMatchObject({ revision: 1 });
    // Not confirmed yet: 3.0 has no word for it.
    expect(payload.confirmed_at).toBe(served === '3.0' ? undefined : null);
    expect(payload.valid_actions).toContain('sync_creatives');
    // available_actions is a word of 3.1; in 3.0 it would be noise.
    expect('available_actions' in payload).toBe(served === '3.1');
  });

  test('the same of a changed one', async () => {
    const bought = succeeded(await server.call('create_media_buy', createRequest(), options));
    const change = updateRequest(bought.media_buy_id, { paused: true });
    const payload = succeeded(await server.call('update_media_buy', change, options));
    expect(payload).toMatchObject({ media_buy_status: 'paused', revision: 2, affected_packages: [] });
    expect(payload.status).toBe(served === '3.0' ? 'paused' : 'completed');
  });

  test('a replay keeps the shape', async () => {
    const request = createRequest();
    const first = succeeded(await server.call('create_media_buy', request, options));
    const again = succeeded(await server.call('create_media_buy', request, options));
    expect(again).toEqual({ ...first, replayed: true });
  });

  test('inside get_media_buys the state keeps its name', async () => {
    const { media_buy_id } = succeeded(await server.call('create_media_buy', createRequest(), options));
    const payload = succeeded(await server.call('get_media_buys', { media_buy_ids: [media_buy_id] }, options));
    expect(payload.status).toBe('completed');
    expect(payload.media_buys).toMatchObject([{ status: 'active', revision: 1, confirmed_at: expect.any(String) }]);
  });

  test('products say whom they are for', async () => {
    const anybody = succeeded(await server.call('get_products', { brief: 'video' }, options));
    expect(anybody).toMatchObject({ status: 'completed', cache_scope: 'public' });
    const account = { account_id: SANDBOX_ACCOUNT };
    const own = succeeded(await server.call('get_products', { brief: 'video', account }, options));
    expect(own.cache_scope).toBe('account');
  });

  test('failures speak its vocabulary', async () => {
    const code = async (tool: string, args: object) => (await server.call(tool, args, options)).payload.errors[0]?.code;
    expect(await code('get_media_buy_delivery', { time_granularity: 'monthly' })).toBe(
      served === '3.0' ? 'UNSUPPORTED_FEATURE' : 'UNSUPPORTED_GRANULARITY',
    );
    expect(await code('create_media_buy', createRequest({ packages: undefined, proposal_id: 'p' }))).toBe(
      served === '3.0' ? 'REFERENCE_NOT_FOUND' : 'PROPOSAL_NOT_FOUND',
    );
  });

  test('capabilities name both releases and the window for retries twice', async () => {
    const payload = succeeded(await server.call('get_adcp_capabilities', {}, options));
    const idempotency = { supported: true, replay_ttl_seconds: 86_400 };
    expect(payload).toMatchObject({
      status: 'completed',
      adcp: { major_versions: [3], supported_versions: ['3.0', '3.1'], idempotency },
      idempotency,
      supported_protocols: ['media_buy'],
    });
    expect(payload).not.toHaveProperty('task_status');
    expect(payload).not.toHaveProperty('response_status');
  });
});

test('the major version alone asks for no release: 3.0 is served, as deployed clients read it', async () => {
  const { payload } = await server.call('get_products', { buying_mode: 'wholesale', adcp_major_version: 3 });
  expect(payload).not.toHaveProperty('adcp_version');
  expect(payload.products[0]).not.toHaveProperty('format_options');
});
