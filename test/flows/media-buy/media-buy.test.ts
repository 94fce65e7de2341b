import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import {
  createRequest,
  creative,
  freshKey,
  packageRequest,
  SANDBOX_ACCOUNT,
  succeeded,
  updateRequest,
} from '../../kit/buyer.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import { addLivePrincipal, LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';

const DAY = 86_400_000;
const RUNNING = [
  'pause',
  'cancel',
  'update_budget',
  'update_dates',
  'update_packages',
  'add_packages',
  'sync_creatives',
];
const PAUSED = ['resume', ...RUNNING.slice(1)];
const PENDING = RUNNING;
const HELD = ['pause', 'resume', ...RUNNING.slice(1)];

describe('the example of the documents', () => {
  test('is active at once, at revision 1, with seven actions', async () => {
    const server = await boot();
    const { payload, isError, status } = await server.call('create_media_buy', {
      idempotency_key: '6c1f1f0e-6f3e-4a0e-9b0c-2f0a0c9f8f11',
      account: { account_id: SANDBOX_ACCOUNT },
      brand: { domain: 'acme-outdoor.example' },
      start_time: 'asap',
      end_time: '2030-02-01T00:00:00Z',
      packages: [{ product_id: 'test-product', budget: 5000, pricing_option_id: 'default' }],
    });
    expect([status, isError]).toEqual([200, false]);
    expect(payload).toMatchObject({
      media_buy_id: expect.any(String),
      status: 'active',
      revision: 1,
      valid_actions: RUNNING,
      sandbox: true,
      packages: [
        { package_id: expect.any(String), product_id: 'test-product', budget: 5000, pricing_option_id: 'default' },
      ],
    });
    expect(payload.valid_actions).toEqual(RUNNING);
    expect(payload).not.toHaveProperty('errors');
    expect(payload).not.toHaveProperty('adcp_version');
  });

  test.each([
    ['asap', '2030-01-01T00:00:00Z', 'active'],
    [{ type: 'date', date: '2030-01-01' }, '2030-01-01T00:00:00Z', 'active'],
    [{ type: 'date', date: '2030-01-05' }, '2030-01-05T00:00:00Z', 'pending_start'],
    [{ type: 'date', date: '2030-01-05T06:00:00+02:00' }, '2030-01-05T04:00:00Z', 'pending_start'],
    ['2030-01-05T00:00:00-08:00', '2030-01-05T08:00:00Z', 'pending_start'],
  ])('a start of %j is %s and %s', async (start_time, expected, status) => {
    const server = await boot();
    const bought = await shopper(server).create({ start_time });
    expect(bought).toMatchObject({ start_time: expected, status });
  });

  test.each([
    [{ agency_estimate_number: 5 }, 'agency_estimate_number'],
    [{ agency_estimate_number: 'x'.repeat(101) }, 'agency_estimate_number'],
    [{ packages: [packageRequest({ agency_estimate_number: [] })] }, 'packages[0].agency_estimate_number'],
    [{ packages: [packageRequest({ ext: 5 })] }, 'packages[0].ext'],
  ])('is refused with what could not be shown again: %#', async (changes, field) => {
    const server = await boot();
    const { payload } = await server.call('create_media_buy', createRequest(changes));
    expect(payload.errors?.[0]).toMatchObject({ code: 'INVALID_REQUEST', field });
  });
});

describe('a buy that needs creatives', () => {
  test('waits for them, then for its start, runs, and ends by the clock alone', async () => {
    const server = await boot();
    const kit = shopper(server, 'kit');
    const bought = await kit.create({
      start_time: '2030-01-05T00:00:00Z',
      end_time: '2030-01-15T00:00:00Z',
      packages: [packageRequest(), packageRequest({ budget: 500 })],
    });
    expect(bought).toMatchObject({ status: 'pending_creatives', revision: 1 });
    expect(bought.valid_actions).toEqual(PENDING);
    const id = bought.media_buy_id;
    const [first = '', second = ''] = packageIds(bought);

    const half = await kit.sync({ banner: [first] });
    expect(half.creatives).toMatchObject([
      { creative_id: 'banner', action: 'created', status: 'approved', assigned_to: [first] },
    ]);
    expect((await kit.read(id)).status).toBe('pending_creatives');

    await kit.sync({ banner: [second] });
    const ready = await kit.read(id);
    expect(ready.status).toBe('pending_start');
    expect(ready.valid_actions).toEqual(PENDING);
    expect(ready.packages.map((line) => line.creative_assignments)).toEqual([
      [{ creative_id: 'banner' }],
      [{ creative_id: 'banner' }],
    ]);

    server.clock.set('2030-01-04T23:59:59Z');
    expect((await kit.read(id)).status).toBe('pending_start');
    server.clock.advance(1000);
    const running = await kit.read(id);
    expect(running.status).toBe('active');
    expect(running.valid_actions).toEqual(RUNNING);

    server.clock.set('2030-01-14T23:59:59Z');
    expect((await kit.read(id)).status).toBe('active');
    server.clock.advance(1000);
    const done = await kit.read(id);
    expect(done.status).toBe('completed');
    expect(done.valid_actions).toEqual([]);
    expect(done.confirmed_at).toBe('2030-01-01T00:00:00.001Z');
    expect(done.history?.map(({ action, actor }) => [action, actor])).toEqual([
      ['completed', 'system'],
      ['activated', 'system'],
      ['confirmed', 'seller'],
      ['creatives_ready', 'system'],
      ['created', 'buyer'],
    ]);
    expect(done.history?.map((entry) => entry.revision)).toEqual([4, 3, 2, 2, 1]);
    expect(done.history?.[0]?.timestamp).toBe('2030-01-15T00:00:00Z');
    expect(done.history?.[1]?.timestamp).toBe('2030-01-05T00:00:00Z');
    expect(done.revision).toBe(4);
  });

  test('goes through all its states in order when nobody looked for weeks', async () => {
    const server = await boot();
    const kit = shopper(server, 'kit');
    const bought = await kit.create({
      start_time: '2030-01-05T00:00:00Z',
      packages: [packageRequest({ creatives: [creative('inline')] })],
    });
    expect(bought.status).toBe('pending_start');
    server.clock.advance(90 * DAY);
    const done = await kit.read(bought.media_buy_id);
    expect(done.status).toBe('completed');
    expect(done.history?.map(({ action, timestamp }) => [action, timestamp])).toEqual([
      ['completed', '2030-01-31T00:00:00Z'],
      ['activated', '2030-01-05T00:00:00Z'],
      ['confirmed', '2030-01-01T00:00:00.001Z'],
      ['created', '2030-01-01T00:00:00Z'],
    ]);
    expect((await kit.delivered(bought.media_buy_id)).totals.spend).toBeGreaterThan(0);
  });

  test('starts at once when its creatives come along, or from the library', async () => {
    const kit = shopper(await boot(), 'kit');
    const inline = await kit.create({ packages: [packageRequest({ creatives: [creative('inline')] })] });
    expect(inline.status).toBe('active');
    const library = await kit.create({
      packages: [packageRequest({ creative_assignments: [{ creative_id: 'inline', weight: 50 }] })],
    });
    expect(library.status).toBe('active');
    expect(library.packages[0]?.creative_assignments).toEqual([{ creative_id: 'inline', weight: 50 }]);
  });

  test('starts with an update that names creatives', async () => {
    const kit = shopper(await boot(), 'kit');
    const bought = await kit.create();
    const [line] = packageIds(bought);
    const changed = await kit.update(bought.media_buy_id, {
      packages: [{ package_id: line, creatives: [creative('late')] }],
    });
    expect(changed).toMatchObject({ status: 'active', revision: 2 });
    expect(changed.affected_packages).toMatchObject([{ package_id: line, product_id: 'test-product', budget: 1000 }]);
  });

  test('that never got them is canceled by the seller when its flight is over', async () => {
    const server = await boot();
    const kit = shopper(server, 'kit');
    const bought = await kit.create();
    server.clock.advance(31 * DAY);
    const ended = await kit.read(bought.media_buy_id);
    expect(ended).toMatchObject({ status: 'canceled', valid_actions: [], cancellation: { canceled_by: 'seller' } });
    expect((await kit.delivered(bought.media_buy_id)).totals).toMatchObject({ impressions: 0, spend: 0 });
  });

  test('takes assignments in the older form of a map, and says what could not be assigned', async () => {
    const server = await boot();
    const kit = shopper(server, 'kit');
    const bought = await kit.create();
    const foreign = packageIds(await shopper(server, 'first').create())[0] ?? '';
    const [line = ''] = packageIds(bought);
    const { creatives } = await kit.sync({ banner: [] }, { assignments: { banner: [line, foreign, 'pkg_nobody'] } });
    expect(creatives[0]?.assigned_to).toEqual([line]);
    const failures = creatives[0]?.assignment_errors ?? {};
    expect(Object.keys(failures).sort()).toEqual([foreign, 'pkg_nobody'].sort());
    expect(failures[foreign]).toBe(failures.pkg_nobody);
    expect((await kit.read(bought.media_buy_id)).status).toBe('active');
  });

  test('does not move by a dry run', async () => {
    const kit = shopper(await boot(), 'kit');
    const bought = await kit.create();
    const tried = await kit.sync({ banner: packageIds(bought) }, { dry_run: true });
    expect(tried.dry_run).toBe(true);
    expect(await kit.read(bought.media_buy_id)).toMatchObject({ status: 'pending_creatives', revision: 1 });
    expect((await kit.call('list_creatives')).payload.creatives).toEqual([]);
  });

  test('its running creative is not replaced until the package is paused', async () => {
    const kit = shopper(await boot(), 'kit');
    const bought = await kit.create({ packages: [packageRequest({ creatives: [creative('banner')] })] });
    const other = {
      idempotency_key: freshKey(),
      account: { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' },
      creatives: [creative('banner', { name: 'Another banner' })],
    };
    expect(await kit.refused('sync_creatives', other)).toBe('INVALID_STATE');
    await kit.update(bought.media_buy_id, { paused: true });
    const { payload } = await kit.call('sync_creatives', other);
    expect(payload.creatives).toMatchObject([{ action: 'updated' }]);
  });
});

describe('pausing', () => {
  test('a running buy pauses and resumes', async () => {
    const one = shopper(await boot());
    const { media_buy_id: id } = await one.create();
    const paused = await one.update(id, { paused: true });
    expect(paused).toMatchObject({ status: 'paused', media_buy_status: 'paused', revision: 2, affected_packages: [] });
    expect(paused.valid_actions).toEqual(PAUSED);
    const resumed = await one.update(id, { paused: false });
    expect(resumed).toMatchObject({ status: 'active', revision: 3 });
    expect(resumed.valid_actions).toEqual(RUNNING);
    const actions = (await one.read(id)).history?.map((entry) => entry.action);
    expect(actions).toEqual(['resumed', 'paused', 'created']);
  });

  test('a pending buy is held: it stays pending, and is paused when it would start', async () => {
    const server = await boot();
    const kit = shopper(server, 'kit');
    const bought = await kit.create({ start_time: '2030-01-05T00:00:00Z' });
    const id = bought.media_buy_id;
    const held = await kit.update(id, { paused: true });
    expect(held).toMatchObject({ status: 'pending_creatives', revision: 2 });
    expect(held.valid_actions).toEqual(HELD);
    await kit.sync({ banner: packageIds(bought) });
    expect(await kit.read(id)).toMatchObject({ status: 'pending_start', valid_actions: HELD });
    server.clock.advance(5 * DAY);
    expect((await kit.read(id)).status).toBe('paused');
    expect((await kit.delivered(id)).totals.impressions).toBe(0);
    expect(await kit.update(id, { paused: false })).toMatchObject({ status: 'active' });
  });

  test('what valid_actions does not list is refused with what it does', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    const resumed = await one.call('update_media_buy', updateRequest(id, { paused: false }));
    expect(resumed.payload.errors).toMatchObject([
      { code: 'INVALID_STATE', field: 'paused', details: { status: 'active', valid_actions: RUNNING } },
    ]);
    await one.update(id, { paused: true });
    expect(await one.refused('update_media_buy', updateRequest(id, { paused: true }))).toBe('INVALID_STATE');
  });

  test('a budget below what is spent is refused with the spend, and one at the spend is taken', async () => {
    const server = await boot();
    const one = shopper(server);
    const bought = await one.create();
    const [package_id = ''] = packageIds(bought);
    server.clock.advance(20 * DAY);
    const { by_package: delivered } = await one.delivered(bought.media_buy_id);
    const spent = (delivered[0] as unknown as { spend: number }).spend;
    expect(spent).toBeGreaterThan(100);
    const lower = (budget: number) => updateRequest(bought.media_buy_id, { packages: [{ package_id, budget }] });
    const refused = await one.call('update_media_buy', lower(spent - 1));
    expect(refused.payload.errors).toMatchObject([
      { code: 'BUDGET_TOO_LOW', field: 'packages[0].budget', details: { spent, currency: 'USD' } },
    ]);
    expect(await one.read(bought.media_buy_id)).toMatchObject({ revision: 1 });
    succeeded(await one.call('update_media_buy', lower(spent)));
  });

  test('every revision has its entry in the history, that of new callbacks too', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    await one.update(id, { paused: true });
    await one.update(id, {
      push_notification_config: {
        url: 'https://buyer.example/hook',
        authentication: { schemes: ['HMAC-SHA256'], credentials: 'a-secret-of-more-than-32-characters-1234' },
      },
    });
    await one.update(id, { canceled: true });
    const { history, revision } = await one.read(id);
    expect(history?.map((entry) => [entry.revision, entry.action])).toEqual([
      [4, 'canceled'],
      [3, 'updated_callbacks'],
      [2, 'paused'],
      [1, 'created'],
    ]);
    expect(revision).toBe(4);
  });

  test('a hold that is lifted in time leaves no trace in the flight', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create({ start_time: '2030-01-05T00:00:00Z', paused: true });
    expect((await one.read(id)).valid_actions).toContain('resume');
    const lifted = await one.update(id, { paused: false });
    expect(lifted).toMatchObject({ status: 'pending_start', valid_actions: PENDING });
    server.clock.advance(5 * DAY);
    expect((await one.read(id)).status).toBe('active');
  });

  test('a buy created paused is paused, and a paused one completes at its end', async () => {
    const server = await boot();
    const one = shopper(server);
    const bought = await one.create({ paused: true });
    expect(bought).toMatchObject({ status: 'paused', revision: 1, valid_actions: PAUSED });
    server.clock.advance(31 * DAY);
    expect((await one.read(bought.media_buy_id)).status).toBe('completed');
  });
});

describe('canceling', () => {
  test.each([
    ['a running buy', {}],
    ['a paused buy', { paused: true }],
    ['a buy before its start', { start_time: '2030-01-05T00:00:00Z' }],
  ])('%s ends for good', async (_what, changes) => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create(changes);
    server.clock.advance(DAY);
    const canceled = await one.update(id, { canceled: true, cancellation_reason: 'plans changed' });
    expect(canceled).toMatchObject({ status: 'canceled', revision: 2, valid_actions: [] });
    const buy = await one.read(id);
    expect(buy.cancellation).toEqual({
      canceled_at: '2030-01-02T00:00:00Z',
      canceled_by: 'buyer',
      reason: 'plans changed',
    });
    expect(await one.refused('update_media_buy', updateRequest(id, { canceled: true }))).toBe('NOT_CANCELLABLE');
    expect(await one.refused('update_media_buy', updateRequest(id, { paused: true }))).toBe('INVALID_STATE');
    server.clock.advance(90 * DAY);
    expect(await one.read(id)).toMatchObject({ status: 'canceled', revision: 2 });
  });

  test('wins over everything beside it, even what would be refused alone', async () => {
    const one = shopper(await boot());
    const bought = await one.create();
    const [line] = packageIds(bought);
    const canceled = await one.update(bought.media_buy_id, {
      canceled: true,
      paused: true,
      packages: [{ package_id: line, budget: 9999 }],
    });
    expect(canceled.status).toBe('canceled');
    expect((await one.read(bought.media_buy_id)).packages[0]?.budget).toBe(1000);
  });

  test('a completed buy cannot be canceled or changed', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    server.clock.advance(31 * DAY);
    expect(await one.refused('update_media_buy', updateRequest(id, { canceled: true }))).toBe('NOT_CANCELLABLE');
    expect(await one.refused('update_media_buy', updateRequest(id, { end_time: '2030-03-01T00:00:00Z' }))).toBe(
      'INVALID_STATE',
    );
  });

  test('lets its creatives go: they stay in the library and can be used again', async () => {
    const kit = shopper(await boot(), 'kit');
    const bought = await kit.create({ packages: [packageRequest({ creatives: [creative('banner')] })] });
    await kit.update(bought.media_buy_id, { canceled: true });
    const { payload } = await kit.call('list_creatives');
    expect(payload.creatives).toMatchObject([
      { creative_id: 'banner', status: 'approved', assignments: { assignment_count: 0 } },
    ]);
    const again = await kit.create({
      packages: [packageRequest({ creative_assignments: [{ creative_id: 'banner' }] })],
    });
    expect(again.status).toBe('active');
  });

  test('one package ends alone and cannot come back', async () => {
    const one = shopper(await boot());
    const bought = await one.create({ packages: [packageRequest(), packageRequest({ budget: 500 })] });
    const [first, second] = packageIds(bought);
    const id = bought.media_buy_id;
    const changed = await one.update(id, { packages: [{ package_id: first, canceled: true }] });
    expect(changed.status).toBe('active');
    expect(changed.affected_packages).toMatchObject([{ package_id: first, canceled: true, budget: 1000 }]);
    const late = updateRequest(id, { packages: [{ package_id: first, paused: true }] });
    expect(await one.refused('update_media_buy', late)).toBe('INVALID_STATE');
    expect((await one.read(id)).packages.map((line) => line.canceled)).toEqual([true, false]);
    await one.update(id, { packages: [{ package_id: second, paused: true }] });
    expect((await one.read(id)).packages[1]).toMatchObject({ paused: true, canceled: false });
  });
});

describe('changing', () => {
  test('budgets, bids and pacing change, and the answer shows whole packages', async () => {
    const one = shopper(await boot());
    const bought = await one.create({
      packages: [packageRequest(), packageRequest({ pricing_option_id: 'auction', bid_price: 3 })],
    });
    const [first, second] = packageIds(bought);
    const changed = await one.update(bought.media_buy_id, {
      revision: 1,
      packages: [
        { package_id: first, budget: 2500, pacing: 'asap' },
        { package_id: second, bid_price: 4 },
      ],
    });
    expect(changed).toMatchObject({ revision: 2, total_budget: 3500, currency: 'USD' });
    expect(changed.affected_packages).toMatchObject([
      { package_id: first, product_id: 'test-product', pricing_option_id: 'default', budget: 2500, pacing: 'asap' },
      { package_id: second, product_id: 'test-product', pricing_option_id: 'auction', budget: 1000, bid_price: 4 },
    ]);
    expect(await one.read(bought.media_buy_id)).toMatchObject({ revision: 2, total_budget: 3500 });
  });

  test('packages join, in the currency of the buy', async () => {
    const one = shopper(await boot());
    const bought = await one.create();
    const changed = await one.update(bought.media_buy_id, {
      new_packages: [packageRequest({ budget: 700, pricing_option_id: 'auction', bid_price: 2.5 })],
    });
    expect(changed).toMatchObject({ status: 'active', revision: 2, total_budget: 1700 });
    expect(changed.affected_packages).toMatchObject([{ product_id: 'test-product', budget: 700, bid_price: 2.5 }]);
    const buy = await one.read(bought.media_buy_id);
    expect(buy.packages).toHaveLength(2);
    expect(buy.history?.[0]).toMatchObject({ action: 'package_added', package_id: buy.packages[1]?.package_id });
  });

  test('all of it or nothing', async () => {
    const one = shopper(await boot());
    const bought = await one.create({ packages: [packageRequest(), packageRequest({ budget: 500 })] });
    const [first] = packageIds(bought);
    const id = bought.media_buy_id;
    const before = await one.read(id);
    const half = updateRequest(id, {
      paused: true,
      packages: [
        { package_id: first, budget: 5000, creatives: [creative('banner')] },
        { package_id: 'pkg_nobody', budget: 1 },
      ],
    });
    expect(await one.refused('update_media_buy', half)).toBe('PACKAGE_NOT_FOUND');
    const late = updateRequest(id, {
      packages: [{ package_id: first, budget: 5000 }],
      new_packages: [packageRequest({ product_id: 'nobody' })],
    });
    expect(await one.refused('update_media_buy', late)).toBe('PRODUCT_NOT_FOUND');
    expect(await one.read(id)).toEqual(before);
    expect((await one.call('list_creatives')).payload.creatives).toEqual([]);
  });

  test('a flight is extended and goes on, or is cut short', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create();
    const longer = await one.update(id, { end_time: '2030-03-01T00:00:00Z' });
    expect(longer.affected_packages[0]).toMatchObject({ end_time: '2030-03-01T00:00:00Z' });
    server.clock.set('2030-02-15T00:00:00Z');
    expect((await one.read(id)).status).toBe('active');
    await one.update(id, { end_time: '2030-02-16T00:00:00Z' });
    server.clock.advance(DAY);
    expect(await one.read(id)).toMatchObject({ status: 'completed', end_time: '2030-02-16T00:00:00Z' });
  });

  test('a start that has not come yet moves', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create({ start_time: '2030-01-10T00:00:00Z' });
    await one.update(id, { start_time: '2030-01-20T00:00:00Z' });
    server.clock.set('2030-01-15T00:00:00Z');
    expect((await one.read(id)).status).toBe('pending_start');
    expect(await one.update(id, { start_time: 'asap' })).toMatchObject({ status: 'active' });
    expect((await one.read(id)).start_time).toBe('2030-01-15T00:00:00Z');
  });

  test('every change is one revision; replays, reads and refusals are none', async () => {
    const one = shopper(await boot());
    const bought = await one.create();
    const id = bought.media_buy_id;
    const pause = updateRequest(id, { paused: true });
    const first = (await one.call('update_media_buy', pause)).payload;
    const again = (await one.call('update_media_buy', pause)).payload;
    expect(again).toEqual({ ...first, replayed: true });
    await one.refused('update_media_buy', updateRequest(id, { revision: 1, paused: false }));
    await one.read(id);
    expect((await one.read(id)).revision).toBe(2);
    const last = await one.update(id, { revision: 2, paused: false, end_time: '2030-02-10T00:00:00Z' });
    expect(last.revision).toBe(3);
    const history = (await one.read(id)).history ?? [];
    expect(
      history
        .filter((entry) => entry.revision === 3)
        .map((entry) => entry.action)
        .sort(),
    ).toEqual(['resumed', 'updated_dates']);
  });

  test('that is named by a field of the caller’s own says that nothing was changed, and what changes a buy', async () => {
    const one = shopper(await boot());
    const { media_buy_id: id } = await one.create();
    const answer = succeeded(await one.call('update_media_buy', updateRequest(id, { status: 'paused' })));
    expect(answer).toMatchObject({ revision: 1, message: expect.stringMatching(/^Nothing was changed.* Send paused/) });
    const changed = succeeded(await one.call('update_media_buy', updateRequest(id, { paused: true })));
    expect(changed).not.toHaveProperty('message');
  });

  test('of two changes to the same revision one wins and the other is told', async () => {
    const one = shopper(await boot());
    const { media_buy_id: id } = await one.create();
    const answers = await Promise.all([
      one.call('update_media_buy', updateRequest(id, { revision: 1, end_time: '2030-02-10T00:00:00Z' })),
      one.call('update_media_buy', updateRequest(id, { revision: 1, end_time: '2030-02-20T00:00:00Z' })),
    ]);
    expect(answers.map((answer) => answer.isError).sort()).toEqual([false, true]);
    const lost = answers.find((answer) => answer.isError)?.payload;
    expect(lost).toMatchObject({
      code: 'CONFLICT',
      errors: [{ recovery: 'transient', details: { expected_version: 1, current_version: 2 } }],
    });
    expect((await one.read(id)).revision).toBe(2);
  });
});

describe('accounts', () => {
  test('one brand and operator is one account, whichever way it is named', async () => {
    const server = await boot();
    const key = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
    const one = shopper(server);
    const named = await one.create({ account: key });
    const listed = (await one.call('get_media_buys', { account: { account_id: SANDBOX_ACCOUNT } })).payload;
    expect(listed.media_buys.map((buy) => buy.media_buy_id)).toEqual([named.media_buy_id]);
    expect((await one.call('list_accounts')).payload.accounts).toHaveLength(1);
  });

  test('an account opened by sync_accounts buys, and one that is closed does not', async () => {
    const one = shopper(await boot());
    const key = { brand: { domain: 'fresh.example' }, operator: 'fresh.example' };
    const opened = (await one.call('sync_accounts', { idempotency_key: freshKey(), accounts: [key] })).payload;
    const account_id = opened.accounts[0]?.account_id;
    expect(opened.accounts).toMatchObject([{ ...key, action: 'created', status: 'active' }]);
    const bought = await one.create({ account: { account_id } });
    expect(bought.status).toBe('active');
    const leaveOut = async () => {
      const accounts = [{ account: { account_id: SANDBOX_ACCOUNT } }];
      const answer = await one.call('sync_accounts', { idempotency_key: freshKey(), accounts, delete_missing: true });
      return answer.payload.accounts[1];
    };
    // What runs in it could be paused, canceled and changed by nobody any more.
    expect(await leaveOut()).toMatchObject({ account_id, action: 'unchanged', status: 'active' });
    await one.update(bought.media_buy_id, { canceled: true });
    expect(await leaveOut()).toMatchObject({ account_id, action: 'updated', status: 'closed' });
    expect(await one.refused('create_media_buy', createRequest({ account: { account_id } }))).toBe('ACCOUNT_NOT_FOUND');
    // It stays closed, and its brand and operator may have another.
    const sync = async (entry: object) =>
      (await one.call('sync_accounts', { idempotency_key: freshKey(), accounts: [entry] })).payload.accounts[0];
    const accounts = [{ account: { account_id } }, { account: { account_id: SANDBOX_ACCOUNT } }];
    const named = await one.call('sync_accounts', { idempotency_key: freshKey(), accounts });
    expect(named.payload.accounts).toMatchObject([
      {
        ...key,
        action: 'failed',
        status: 'closed',
        errors: [{ code: 'ACCOUNT_NOT_FOUND', field: 'accounts[0].account' }],
      },
      { action: 'unchanged' },
    ]);
    const again = await sync(key);
    expect(again).toMatchObject({ ...key, action: 'created', status: 'active' });
    expect(again?.account_id).not.toBe(account_id);
    expect((await one.create({ account: key })).status).toBe('active');
  });

  test('an account that a sync names is not closed by it, also where its entry fails', async () => {
    const one = shopper(await boot());
    const key = { brand: { domain: 'fresh.example' }, operator: 'fresh.example' };
    await one.call('sync_accounts', { idempotency_key: freshKey(), accounts: [key] });
    const accounts = [{ ...key, payment_terms: 'net_999' }, { account: { account_id: SANDBOX_ACCOUNT } }];
    const args = { idempotency_key: freshKey(), accounts, delete_missing: true };
    expect((await one.call('sync_accounts', args)).payload.accounts).toMatchObject([
      { ...key, action: 'failed', status: 'active' },
      { action: 'unchanged' },
    ]);
    expect((await one.create({ account: key })).status).toBe('active');
  });
});

describe('credentials in the arguments of a call', () => {
  test.each([
    [{ api_key: 'sk-1' }, 'api_key'],
    [{ context: { meta_access_token: 'EAAB1' } }, 'context.meta_access_token'],
    [{ ext: { vendor: [{}, { Authorization: 'Bearer x' }] } }, 'ext.vendor[1].Authorization'],
    [{ packages: [packageRequest({ ext: { jwks: { keys: [] } } })] }, 'packages[0].ext.jwks'],
  ])('are refused, and named without what they hold: %j', async (more, field) => {
    const server = await boot();
    const request = createRequest({ ...more, adcp_version: '3.1' });
    const { payload, isError } = await server.call('create_media_buy', request);
    expect([isError, payload.errors?.[0]]).toMatchObject([
      true,
      { code: 'CREDENTIAL_IN_ARGS', field, recovery: 'terminal' },
    ]);
  });

  test('are not those by which a webhook is proven, words that only look like them, or texts of callers of 3.0', async () => {
    const server = await boot();
    const authentication = { schemes: ['HMAC-SHA256'], credentials: 'Fq3vWkzBqkPZ5m2x9cJrT7uYwN4hLdSg' };
    const push_notification_config = { url: 'https://buyer.example/hook', operation_id: 'op-1', authentication };
    const plain = {
      push_notification_config,
      ext: { authorization: { status: 'granted' }, password: '', my_api_keys: 2 },
    };
    for (const more of [{ ...plain, adcp_version: '3.1' }, { ext: { api_key: 'sk-1' } }])
      expect((await server.call('create_media_buy', createRequest(more))).payload.errors).toBeUndefined();
  });
});

describe('members of a request that no schema names', () => {
  test('are named in the answer with the nearest field, in a replay too, and those of the protocol are not', async () => {
    const server = await boot();
    const request = createRequest({
      adcp_version: '3.1',
      proto_major_version: 3,
      ext: { any: 1 },
      flight_end: '2030-03-01T00:00:00Z',
      packages: [packageRequest({ bidprice: 3, daily_budget: 50, ext: { any: 1 } })],
    });
    const message = expect.stringContaining(
      'Not read, for create_media_buy has no such field: packages[0].bidprice (bid_price?), packages[0].daily_budget, flight_end.',
    );
    expect((await server.call('create_media_buy', request)).payload).toMatchObject({ message });
    expect((await server.call('create_media_buy', request)).payload).toMatchObject({ message, replayed: true });
    const read = await server.call('get_products', {
      brief: 'video',
      countries: ['US'],
      filters: { channel: ['olv'] },
    });
    expect(read.payload.message).toContain('countries, filters.channel (channels?)');
    const listed = await server.call('get_media_buys', { status: 'paused' });
    expect(listed.payload.message).toContain(': status (status_filter?).');
    expect((await server.call('get_media_buys', { context_id: 'c', adcp_version: '3.1' })).payload.message).toBe(
      undefined,
    );
  });

  test('are no more than five of a long request', async () => {
    const server = await boot();
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`field_${index}`, 'x'.repeat(10)]));
    const { payload } = await server.call('create_media_buy', createRequest(many));
    expect(payload.message).toMatch(/: field_0, field_1, field_2, field_3, field_4 and more\./);
  });
});

test('refuses a currency that is not that of the price, of an order, its packages and a change', async () => {
  const server = await boot();
  const buyer = shopper(server);
  const code = async (task: string, args: object) => (await buyer.call(task, args)).payload.errors?.[0];
  const wrong = { code: 'INVALID_REQUEST', details: { currency: 'USD' } };
  expect(await code('create_media_buy', createRequest({ currency: 'EUR' }))).toMatchObject({
    ...wrong,
    field: 'currency',
  });
  const packages = [packageRequest({ currency: 'EUR' })];
  expect(await code('create_media_buy', createRequest({ packages }))).toMatchObject({
    ...wrong,
    field: 'packages[0].currency',
  });
  const bought = await buyer.create({ currency: 'USD', packages: [packageRequest({ currency: 'USD' })] });
  expect(bought.message ?? '').not.toContain('Not read');
  const [package_id] = packageIds(bought);
  const change = { packages: [{ package_id, budget: 6000, currency: 'EUR' }] };
  expect(await code('update_media_buy', updateRequest(bought.media_buy_id, change))).toMatchObject({
    ...wrong,
    field: 'packages[0].currency',
  });
});

test('refuses a live account that the request takes for a sandbox, or for another brand of its house', async () => {
  const server = await boot({ tenants: tenantsFolder(addLivePrincipal) });
  const buy = async (more: object) => {
    const account = { account_id: LIVE_ACCOUNT, ...more };
    return (await server.call('create_media_buy', createRequest({ account }), { token: LIVE_TOKEN })).payload;
  };
  expect((await buy({ sandbox: true })).errors?.[0]).toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'account.sandbox',
  });
  const brand = { domain: 'acme-outdoor.example', brand_id: 'other' };
  expect((await buy({ brand })).errors?.[0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'account.brand' });
  expect((await buy({ sandbox: false })).status).toBe('active');
});
