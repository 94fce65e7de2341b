import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { creative, freshKey, packageRequest, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { operatorOf } from '../../kit/operator.js';
import { packageIds, type Shopper, shopper } from '../../kit/shopper.js';
import { tenantsFolder } from '../../kit/tenants.js';

const DAY = 86_400_000;

/** A seller whose creatives a person looks at, but for those of a trusted buyer. */
const tenants = tenantsFolder((tenant) => {
  tenant.policies = { ...(tenant.policies as object), creative_approval: 'manual' };
  tenant.principals.push({
    id: 'trusted',
    sandbox: true,
    public_token: 'trusted-token',
    policies: { creative_approval: 'auto' },
  });
});
const open = (): Promise<Booted> => boot({ tenants });
const TRUSTED = {
  token: 'trusted-token',
  account: { brand: { domain: 'trusted.example' }, operator: 'trusted.example' },
};

/** The state of a creative as its buyer reads it. */
async function stateOf(buyer: Shopper, creativeId: string) {
  const { creatives } = succeeded(
    await buyer.call('list_creatives', {
      filters: { creative_ids: [creativeId], statuses: ['approved', 'pending_review', 'rejected', 'archived'] },
    }),
  );
  return creatives[0];
}

/** A buy of one package with its own creative, which waits. */
async function waitingBuy(buyer: Shopper, creativeId = 'banner') {
  const bought = await buyer.create({ packages: [packageRequest({ creatives: [creative(creativeId)] })] });
  expect(bought.status).toBe('pending_creatives');
  return { id: bought.media_buy_id, line: packageIds(bought)[0] ?? '' };
}

describe('approval', () => {
  test('moves the buys that wait, at once', async () => {
    const server = await open();
    const [kit, operator] = [shopper(server, 'kit'), operatorOf(server)];
    const { id, line } = await waitingBuy(kit);
    expect((await kit.read(id)).packages[0]?.creative_approvals).toEqual([
      { creative_id: 'banner', approval_status: 'pending_review' },
    ]);
    server.clock.advance(DAY);

    const waiting = await operator.waiting();
    expect(waiting).toHaveLength(1);
    expect(waiting).toMatchObject([
      {
        kind: 'creative',
        id: expect.stringMatching(/^creative-\d+\.1$/),
        tenant: 'sales',
        principal: 'demo-acme-outdoor-v1',
        account_id: expect.any(String),
        what: 'Creative banner "Banner banner", display_300x250_image',
        since: '2030-01-01T00:00:00Z',
        preview: 'https://cdn.example/banner.png',
        link: expect.stringContaining('/approvals/'),
        creative: { creative_id: 'banner', name: 'Banner banner', format_id: expect.anything() },
      },
    ]);
    const answer = await operator.approve('banner');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'approved', media_buys: [{ media_buy_id: id, status: 'active' }] });

    const buy = await kit.read(id);
    expect(buy).toMatchObject({ status: 'active', revision: 2 });
    expect(buy.history?.map(({ action, timestamp }) => [action, timestamp])).toEqual([
      ['activated', '2030-01-02T00:00:00Z'],
      ['confirmed', '2030-01-01T00:00:00.001Z'],
      ['created', '2030-01-01T00:00:00Z'],
    ]);
    expect(buy.packages[0]?.creative_approvals).toEqual([{ creative_id: 'banner', approval_status: 'approved' }]);
    expect(await stateOf(kit, 'banner')).toMatchObject({ status: 'approved', updated_date: '2030-01-02T00:00:00Z' });
    expect(await operator.waiting()).toEqual([]);
    server.clock.advance(DAY);
    const { by_package } = await kit.delivered(id);
    expect(by_package).toMatchObject([{ package_id: line }]);
    expect(by_package[0]?.impressions).toBeGreaterThan(0);
  });

  test('of one package’s creative leaves a buy waiting for the other’s', async () => {
    const server = await open();
    const [kit, operator] = [shopper(server, 'kit'), operatorOf(server)];
    const bought = await kit.create({
      start_time: '2030-01-05T00:00:00Z',
      packages: [packageRequest(), packageRequest({ budget: 500 })],
    });
    const [first = '', second = ''] = packageIds(bought);
    await kit.sync({ one: [first], other: [second] });
    expect((await operator.waiting()).map(({ creative }) => creative?.creative_id)).toEqual(['one', 'other']);
    await operator.approve('other');
    expect((await kit.read(bought.media_buy_id)).status).toBe('pending_creatives');
    await operator.approve('one');
    expect((await kit.read(bought.media_buy_id)).status).toBe('pending_start');
  });

  test('by the library lets an assigned creative run wherever it is', async () => {
    const server = await open();
    const [kit, operator] = [shopper(server, 'kit'), operatorOf(server)];
    const [first, second] = [await kit.create(), await kit.create({ packages: [packageRequest({ budget: 777 })] })];
    await kit.sync({ banner: [...packageIds(first), ...packageIds(second)] });
    const { media_buys } = (await operator.approve('banner')).json() as { media_buys: object[] };
    expect(media_buys).toEqual([
      { media_buy_id: first.media_buy_id, status: 'active' },
      { media_buy_id: second.media_buy_id, status: 'active' },
    ]);
  });

  test('survives a restart, and so does what waits for it', async () => {
    const server = await open();
    const kit = shopper(server, 'kit');
    const { id } = await waitingBuy(kit);
    await waitingBuy(kit, 'refused');
    await operatorOf(server).reject('refused', 'The logo is not yours.');
    const before = await operatorOf(server).waiting();
    await server.restart();
    expect(await operatorOf(server).waiting()).toEqual(before);
    expect(await stateOf(kit, 'refused')).toMatchObject({
      status: 'rejected',
      rejection_reason: 'The logo is not yours.',
    });
    expect((await operatorOf(server).approve('banner')).status).toBe(200);
    await server.restart();
    expect((await kit.read(id)).status).toBe('active');
    expect(await stateOf(kit, 'banner')).toMatchObject({ status: 'approved' });
  });
});

describe('rejection', () => {
  test('tells the buyer why, and what the buy still needs; a corrected creative is looked at again', async () => {
    const server = await open();
    const [kit, operator] = [shopper(server, 'kit'), operatorOf(server)];
    const format = { agent_url: server.url('creative'), id: 'display_300x250_image' };
    const bought = await kit.create({ packages: [packageRequest({ format_ids: [format] })] });
    const [line = ''] = packageIds(bought);
    await kit.sync({ banner: [line] });
    expect((await kit.read(bought.media_buy_id)).packages[0]?.format_ids_pending).toBeUndefined();

    const answer = await operator.reject('banner', '  The picture shows a brand that is not yours. ');
    const reason = 'The picture shows a brand that is not yours.';
    expect(answer.json()).toMatchObject({
      status: 'rejected',
      media_buys: [{ media_buy_id: bought.media_buy_id, status: 'pending_creatives' }],
    });
    expect(await stateOf(kit, 'banner')).toMatchObject({ status: 'rejected', rejection_reason: reason });
    const buy = await kit.read(bought.media_buy_id);
    expect(buy).toMatchObject({ status: 'pending_creatives', revision: 1 });
    expect(buy.valid_actions).toContain('sync_creatives');
    expect(buy.packages[0]).toMatchObject({
      creative_approvals: [{ creative_id: 'banner', approval_status: 'rejected', rejection_reason: reason }],
      format_ids_pending: [{ id: 'display_300x250_image' }],
    });

    const again = await kit.sync({ banner: [] });
    expect(again.creatives).toMatchObject([{ action: 'unchanged', status: 'rejected' }]);
    const assigned = await kit.sync({ banner: [line] });
    expect(assigned.creatives[0]?.assignment_errors?.[line]).toMatch(/rejected/);
    expect(await operator.waiting()).toEqual([]);

    const { creatives } = await kit.sync({}, { creatives: [creative('banner', { assets: OTHER })] });
    expect(creatives).toMatchObject([{ action: 'updated', status: 'pending_review' }]);
    expect(await stateOf(kit, 'banner')).not.toHaveProperty('rejection_reason');
    await operator.approve('banner');
    expect((await kit.read(bought.media_buy_id)).status).toBe('active');
  });

  test('of a creative that runs stops it there, and the corrected one may come although the buy is active', async () => {
    const server = await open();
    const [kit, operator] = [shopper(server, 'kit'), operatorOf(server)];
    const { id } = await waitingBuy(kit);
    const [waiting] = await operator.waiting();
    await operator.approve('banner');
    server.clock.advance(DAY);
    const revoked = await operator.post(`/approvals/${waiting?.id}`, { decision: 'reject', reason: 'Withdrawn.' });
    expect(revoked.json()).toMatchObject({ status: 'rejected', media_buys: [{ media_buy_id: id, status: 'active' }] });
    const day = (await kit.delivered(id)).totals.impressions;
    expect(day).toBeGreaterThan(0);
    server.clock.advance(DAY);
    expect((await kit.delivered(id)).totals.impressions).toBe(day);
    await kit.sync({}, { creatives: [creative('banner', { assets: OTHER })] });
    await operator.approve('banner');
    server.clock.advance(DAY);
    expect((await kit.delivered(id)).totals.impressions).toBeGreaterThan(day);
  });
});

const OTHER = {
  banner_image: { asset_type: 'image', url: 'https://cdn.example/other.png', width: 300, height: 250 },
  click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/other' },
};

describe('a change', () => {
  test('of an approved creative is looked at again, and until then its packages rest', async () => {
    const server = await open();
    const [kit, operator] = [shopper(server, 'kit'), operatorOf(server)];
    const { id } = await waitingBuy(kit);
    await operator.approve('banner');
    await kit.update(id, { paused: true });
    const { creatives } = await kit.sync({}, { creatives: [creative('banner', { assets: OTHER })] });
    expect(creatives).toMatchObject([{ action: 'updated', status: 'pending_review', changes: ['status', 'assets'] }]);
    await kit.update(id, { paused: false });
    server.clock.advance(DAY);
    expect((await kit.delivered(id)).totals.impressions).toBe(0);
    await operator.approve('banner');
    server.clock.advance(DAY);
    expect((await kit.delivered(id)).totals.impressions).toBeGreaterThan(0);
  });

  test('of its name or tags alone is none that anybody has to look at', async () => {
    const server = await open();
    const [kit, operator] = [shopper(server, 'kit'), operatorOf(server)];
    await kit.sync({ banner: [] });
    await operator.approve('banner');
    const renamed = creative('banner', { name: 'Spring', tags: ['spring'] });
    const { creatives } = await kit.sync({}, { creatives: [renamed] });
    expect(creatives).toMatchObject([{ action: 'updated', status: 'approved', changes: ['name', 'tags'] }]);
  });

  test('after the list was read makes the old id worthless', async () => {
    const server = await open();
    const [kit, operator] = [shopper(server, 'kit'), operatorOf(server)];
    await kit.sync({ banner: [] });
    const [seen] = await operator.waiting();
    await kit.sync({}, { creatives: [creative('banner', { assets: OTHER })] });
    const late = await operator.post(`/approvals/${seen?.id}`, { decision: 'approve' });
    expect({ status: late.status, body: late.json() }).toEqual({
      status: 409,
      body: { code: 'CONFLICT', error: expect.stringMatching(/another version/) },
    });
    expect(await stateOf(kit, 'banner')).toMatchObject({ status: 'pending_review' });
    expect((await operator.waiting()).map(({ id }) => id)).not.toContain(seen?.id);
  });

  test('that brings an archived creative back is looked at', async () => {
    const server = await open();
    const [kit, operator] = [shopper(server, 'kit'), operatorOf(server)];
    await kit.sync({ banner: [] });
    await operator.approve('banner');
    await kit.sync({ spare: [] }, { delete_missing: true });
    expect(await stateOf(kit, 'banner')).toMatchObject({ status: 'archived' });
    const { creatives } = await kit.sync({ banner: [] });
    expect(creatives).toMatchObject([{ action: 'updated', status: 'pending_review', changes: ['status'] }]);
  });
});

describe('the policy', () => {
  test('may be another for a principal, and the capabilities say which it is', async () => {
    const server = await open();
    const [trusted, operator] = [shopper(server, TRUSTED), operatorOf(server)];
    const bought = await trusted.create({ packages: [packageRequest({ creatives: [creative('banner')] })] });
    expect(bought.status).toBe('active');
    expect(await operator.waiting()).toEqual([]);
    const modeOf = async (token: string) => {
      const { payload } = await server.call('get_adcp_capabilities', {}, { token, version: '3.1' });
      return (payload.media_buy as { creative_approval_mode: string }).creative_approval_mode;
    };
    expect(await modeOf('trusted-token')).toBe('auto_approve');
    expect(await modeOf('sandbox-token')).toBe('require_human');
    const shipped = await boot();
    const { payload } = await shipped.call('get_adcp_capabilities', {}, { version: '3.1' });
    expect(payload.media_buy).toMatchObject({ creative_approval_mode: 'auto_approve' });
  });

  test('holds on the creative tenant, whose library is another one', async () => {
    const server = await boot({
      tenants: tenantsFolder((tenant) => {
        tenant.kinds = ['sales', 'creative'];
        tenant.policies = { ...(tenant.policies as object), creative_approval: 'manual' };
      }),
    });
    const { creatives } = await shopper(server).sync({ banner: [] });
    expect(creatives).toMatchObject([{ status: 'pending_review' }]);
  });
});

describe('what waits', () => {
  test('is told apart by owner, whatever its id', async () => {
    const server = await open();
    const [one, two, operator] = [shopper(server), shopper(server, 'second'), operatorOf(server)];
    await one.sync({ banner: [] });
    server.clock.advance(1000);
    await two.sync({ banner: [] });
    const [first, second] = await operator.waiting();
    expect([first?.principal, second?.principal]).toEqual(['sandbox', 'sandbox-2']);
    expect(first?.account_id).toBe(SANDBOX_ACCOUNT);
    await operator.post(`/approvals/${second?.id}`, { decision: 'reject', reason: 'No.' });
    expect(await stateOf(one, 'banner')).toMatchObject({ status: 'pending_review' });
    expect(await stateOf(one, 'banner')).not.toHaveProperty('rejection_reason');
    expect(await stateOf(two, 'banner')).toMatchObject({ status: 'rejected', rejection_reason: 'No.' });
    expect((await operator.waiting()).map(({ id }) => id)).toEqual([first?.id]);
  });

  test('is decided once', async () => {
    const server = await open();
    const [one, operator] = [shopper(server), operatorOf(server)];
    await one.sync({ banner: [] });
    const [{ id } = { id: '' }] = await operator.waiting();
    const both = await Promise.all([
      operator.post(`/approvals/${id}`, { decision: 'approve' }),
      operator.post(`/approvals/${id}`, { decision: 'approve' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.json()).toMatchObject({ code: 'INVALID_STATE' });
  });

  test('is decided by whoever has the operator’s token, in words that can be read', async () => {
    const server = await open();
    const [one, operator] = [shopper(server), operatorOf(server)];
    await one.sync({ banner: [] });
    const [{ id } = { id: '' }] = await operator.waiting();
    expect((await operator.get('/approvals', 'wrong')).status).toBe(401);
    expect((await operator.get('/approvals', 'sandbox-token')).status).toBe(401);
    const table = [
      ['creative-999999.1', { decision: 'approve' }, 404, 'REFERENCE_NOT_FOUND'],
      ['creative-1', { decision: 'approve' }, 404, 'REFERENCE_NOT_FOUND'],
      ['banner', { decision: 'approve' }, 404, 'REFERENCE_NOT_FOUND'],
      ['constructor-1.1', { decision: 'approve' }, 404, 'REFERENCE_NOT_FOUND'],
      [id, {}, 400, 'INVALID_REQUEST'],
      [id, [], 400, 'INVALID_REQUEST'],
      [id, { decision: 'maybe' }, 400, 'INVALID_REQUEST'],
      [id, { decision: 'reject' }, 400, 'INVALID_REQUEST'],
      [id, { decision: 'reject', reason: '  ' }, 400, 'INVALID_REQUEST'],
      [id, { decision: 'reject', reason: 'x'.repeat(1001) }, 400, 'INVALID_REQUEST'],
      [id, { decision: 'reject', reason: 7 }, 400, 'INVALID_REQUEST'],
    ] as const;
    for (const [named, body, status, code] of table) {
      const answer = await operator.post(`/approvals/${named}`, body);
      expect({ named, body, status: answer.status, answer: answer.json() }).toEqual({
        named,
        body,
        status,
        answer: { code, error: expect.stringMatching(/\. [A-Z]/) },
      });
    }
    expect(await stateOf(one, 'banner')).toMatchObject({ status: 'pending_review' });
  });

  test('is no tool of the buyers', async () => {
    const server = await open();
    for (const tool of ['approve', 'approvals', 'review_creative'])
      expect((await server.call(tool, { idempotency_key: freshKey() })).payload.code).toBe('INVALID_REQUEST');
  });
});
