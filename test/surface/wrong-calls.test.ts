import { beforeAll, describe, expect, test } from 'vitest';
import { boot, KIT_CONTEXT, readAnswer, toolCall } from '../kit/boot.js';
import {
  createRequest,
  creative,
  freshKey,
  packageRequest,
  SANDBOX_ACCOUNT,
  succeeded,
  updateRequest,
} from '../kit/buyer.js';
import { addAccount, addLivePrincipal, publicSandboxes, tenantsFolder } from '../kit/tenants.js';
import type { Answer } from '../kit/wire.js';
import { WRONG_CHANGES } from './wrong-calls/changes.js';
import { ODD } from './wrong-calls/odd.js';
import { WRONG_ORDERS } from './wrong-calls/orders.js';
import { WRONG_READS } from './wrong-calls/reads.js';
import { BAD, type Known, type Wrong } from './wrong-calls/shape.js';
import { WRONG_TERMS } from './wrong-calls/terms.js';

const TABLE = [...WRONG_ORDERS, ...WRONG_TERMS, ...WRONG_READS, ...WRONG_CHANGES];

const server = await boot({
  tenants: tenantsFolder((tenant) => {
    addLivePrincipal(tenant);
    for (const status of ['suspended', 'payment_required', 'pending_approval', 'closed', 'rejected'])
      addAccount(tenant, `acct_${status}`, { status });
    tenant.principals.push({
      id: 'listed',
      sandbox: true,
      public_token: 'listed-token',
      policies: { account_provisioning: 'manual' },
    });
    const [product] = tenant.products;
    tenant.products.push({
      ...product,
      product_id: 'gone',
      pricing_options: product?.pricing_options ?? [],
      expires_at: '2029-12-31T00:00:00Z',
    });
  }),
});

/** Buys that the calls are about; made before the first of them. */
let known: Known;

beforeAll(async () => {
  const create = async (changes: object = {}, token = 'sandbox-token') =>
    succeeded(await server.call('create_media_buy', createRequest(changes), { token }));
  const update = async (id: string, changes: object) =>
    succeeded(await server.call('update_media_buy', updateRequest(id, changes)));
  const active = await create();
  const partly = await create({ packages: [packageRequest(), packageRequest({ budget: 2000 })] });
  const canceledPackage = partly.packages[1]?.package_id ?? '';
  await update(partly.media_buy_id, { packages: [{ package_id: canceledPackage, canceled: true }] });
  const canceled = await create();
  await update(canceled.media_buy_id, { canceled: true });
  const later = await create({ start_time: '2030-01-10T00:00:00Z' });
  const foreign = await create({ account: { account_id: 'acct_sandbox_2' } }, 'sandbox-token-2');
  await server.call('sync_creatives', {
    idempotency_key: freshKey(),
    account: { account_id: SANDBOX_ACCOUNT },
    creatives: [creative('running')],
    assignments: [{ creative_id: 'running', package_id: active.packages[0]?.package_id }],
  });
  known = {
    active: active.media_buy_id,
    activePackage: active.packages[0]?.package_id ?? '',
    partly: partly.media_buy_id,
    canceledPackage,
    canceled: canceled.media_buy_id,
    later: later.media_buy_id,
    foreign: foreign.media_buy_id,
    foreignPackage: foreign.packages[0]?.package_id ?? '',
  };
});

/** Words that only somebody inside should read. */
const INTERNAL =
  /node_modules|\.ts:|\.js:|\bat [A-Z]\w+\.|sqlite|SQLITE|\bSELECT\b|[Zz]od|\[object|undefined|TypeError|RangeError|stack/;

async function send({ tool, args, token }: Wrong): Promise<Answer> {
  const given = args(known);
  const text = typeof given === 'string' ? given : JSON.stringify({ context: KIT_CONTEXT, ...given });
  const body = JSON.stringify(toolCall(tool, 'ARGUMENTS')).replace('"ARGUMENTS"', () => text);
  return readAnswer(await server.raw(body, token === undefined ? {} : { authorization: `Bearer ${token}` }));
}

/** `/packages/0/budget` as `packages[0].budget`. */
const asField = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/(^|\/)(\d+)(?=\/|$)/g, '[$2]')
    .replaceAll('/', '.');

describe('a wrong call is answered so that a model can correct it', () => {
  test.each(TABLE)('$tool: $what -> $code', async (one) => {
    const { payload, isError, status } = await send(one);
    const [error] = payload.errors;
    expect({ status, isError, code: error?.code, field: error?.field }).toEqual({
      status: 200,
      isError: true,
      code: one.code,
      field: one.field,
    });
    expect(payload).toMatchObject({ status: 'failed', code: one.code, message: error?.message });
    expect(payload.adcp_error.code).toBe(one.code);
    expect(error?.recovery).toMatch(/^(transient|correctable|terminal)$/);
    expect(error?.message.length).toBeGreaterThan(10);
    expect(error?.suggestion?.length).toBeGreaterThan(10);
    if (one.field !== 'context') expect(payload.context).toEqual(KIT_CONTEXT);
    expect(JSON.stringify(payload)).not.toMatch(INTERNAL);
    // Clients drop error objects that are larger.
    expect(Buffer.byteLength(JSON.stringify(payload.adcp_error))).toBeLessThanOrEqual(4096);
    if (error?.issues !== undefined) expect(asField(error.issues[0]?.pointer ?? '')).toBe(error.field);
  });

  test('no call stands twice in the table', () => {
    expect(new Set(TABLE.map((one) => `${one.tool} ${one.what}`)).size).toBe(TABLE.length);
  });

  test('and has changed nothing', async () => {
    const { media_buys } = succeeded(
      await server.call('get_media_buys', { status_filter: ['active', 'pending_start', 'paused', 'canceled'] }),
    );
    expect(media_buys.map((buy) => [buy.media_buy_id, buy.revision]).sort()).toEqual(
      [
        [known.active, 1],
        [known.partly, 2],
        [known.canceled, 2],
        [known.later, 1],
      ].sort(),
    );
    const { creatives } = succeeded(await server.call('list_creatives'));
    expect(creatives.map((one) => one.creative_id)).toEqual(['running']);
  });

  test('and was nothing unexpected to the server', () => {
    expect(server.log).toEqual([]);
  });
});

const DAYS = { start_date: '2029-12-01', end_date: '2030-01-01' };
const FEEDBACK = {
  measurement_period: { start: '2029-12-01T00:00:00Z', end: '2029-12-31T00:00:00Z' },
  performance_index: 1,
};

describe('what is not yours looks exactly like what is not there', () => {
  type Probe = readonly [tool: string, args: (id: string) => object, foreign: () => string];
  const probes: readonly Probe[] = [
    ['update_media_buy', (id) => updateRequest(id, { paused: true }), () => known.foreign],
    [
      'provide_performance_feedback',
      (id) => ({ ...FEEDBACK, idempotency_key: freshKey(), media_buy_id: id }),
      () => known.foreign,
    ],
    ['create_media_buy', (id) => createRequest({ account: { account_id: id } }), () => 'acct_sandbox_2'],
    ['get_media_buys', (id) => ({ media_buy_ids: [id] }), () => known.foreign],
    ['get_media_buy_delivery', (id) => ({ ...DAYS, media_buy_ids: [id] }), () => known.foreign],
    ['get_products', (id) => ({ account: { account_id: id } }), () => 'acct_sandbox_2'],
    ['list_accounts', (id) => ({ account: { account_id: id } }), () => 'acct_sandbox_2'],
  ];

  test.each(probes)('%s, byte for byte', async (tool, args, foreign) => {
    const answer = async (id: string) => JSON.stringify((await server.call(tool, args(id))).payload);
    const theirs = await answer(foreign());
    expect(theirs).toBe(await answer('mb_0123456789'));
    expect(theirs).not.toContain(foreign());
  });

  test('an unknown account is answered with the caller’s own', async () => {
    const { payload } = await server.call('create_media_buy', createRequest({ account: { account_id: 'acct_x' } }));
    expect(payload.errors[0]?.suggestion).toContain(SANDBOX_ACCOUNT);
    expect(payload.errors[0]?.suggestion).not.toContain('acct_sandbox_2');
  });
});

describe('what looks odd but is right passes', () => {
  test.each(ODD)('%s (%s)', async (what, tool, args) => {
    const { payload, isError } = await send({ what, tool, args, code: '' });
    expect({ isError, errors: payload.errors }).toEqual({ isError: false, errors: undefined });
  });

  test('nothing unexpected', () => {
    expect(server.log).toEqual([]);
  });
});

describe('outside development mode', async () => {
  const production = await boot({ settings: { development: false }, tenants: publicSandboxes() });

  test('test keys of public kits are nobody', async () => {
    const { status, payload } = await production.call('list_accounts', {}, { token: 'demo-acme-outdoor-v1' });
    expect([status, payload.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  test.each(['http://127.0.0.1:9000/hook', 'http://buyer.example/hook', 'https://127.0.0.1/hook', '{{receiver}}'])(
    'a sandbox principal may not name %s either',
    async (url) => {
      const request = createRequest({ push_notification_config: { url } });
      const { payload } = await production.call('create_media_buy', request);
      expect(payload.errors).toMatchObject([{ code: BAD, field: 'push_notification_config.url' }]);
    },
  );
});
