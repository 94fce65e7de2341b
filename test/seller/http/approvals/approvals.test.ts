import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSignedLinks } from '../../../../src/platform/web/signed-link.js';
import { type Booted, boot } from '../../../kit/boot.js';
import { createRequest, creative, KIT_TOKEN, packageRequest, succeeded, updateRequest } from '../../../kit/buyer.js';
import { type HttpAnswer, send } from '../../../kit/http.js';
import { operatorOf, type WireWaiting } from '../../../kit/operator.js';
import { packageIds, shopper } from '../../../kit/shopper.js';
import { tenantsFolder } from '../../../kit/tenants.js';

const HOUR = 3_600_000;
const APPROVE = 'decision=approve';
const REJECT = 'decision=reject&reason=Too+much+for+one+week.';

/** A seller that asks about every order and every creative. */
const selling = (): Promise<Booted> =>
  boot({
    tenants: tenantsFolder((tenant) => {
      tenant.policies = { ...(tenant.policies as object), creative_approval: 'manual' };
      Object.assign(tenant, { approvals: [{ timeout_hours: 24 }] });
    }),
  });

/** A server with one order that waits. */
async function withOrder(changes: object = {}) {
  const server = await selling();
  const { payload } = await server.call('create_media_buy', createRequest(changes));
  return { server, taskId: payload.task_id, ...(await firstOf(server)) };
}

async function firstOf(server: Booted): Promise<{ readonly waiting: WireWaiting; readonly link: string }> {
  const [waiting] = await operatorOf(server).waiting();
  if (waiting === undefined) throw new Error('nothing waits');
  return { waiting, link: waiting.link };
}

const decide = (link: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> =>
  send(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(link).origin, ...headers },
    body,
  });

async function stateOf(server: Booted, taskId: string): Promise<string> {
  return succeeded(await server.call('get_task_status', { task_id: taskId })).status;
}

describe('the page of an order', () => {
  test('says who wants what for how much, when and why, and what happens if nobody decides', async () => {
    const { server, link } = await withOrder({ packages: [packageRequest({ budget: 12_500.5 })] });
    const page = await send(link);
    expect(page.status).toBe(200);
    for (const text of [
      'Approve this media buy?',
      'acme-outdoor.example',
      '12,500.50 USD',
      'Northlight run of site, display and video',
      'test-product',
      '1 Jan 2030, 00:00 UTC',
      '31 Jan 2030, 00:00 UTC',
      'a person approves every order',
      'it is rejected',
      '2 Jan 2030, 00:00 UTC',
      '1 day left',
      'nothing of it is real',
    ]) {
      expect(page.text).toContain(text);
    }
    const { tenant } =
      [...server.server().app.sellers().values()].find((seller) => seller.tenant.path === 'sales') ?? {};
    expect(page.text).toContain(tenant?.principals.find(({ id }) => id === 'sandbox')?.name);
  });

  test('of a change says what it was before', async () => {
    const server = await boot({
      tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{ tasks: ['update_media_buy'] }] })),
    });
    const bought = await shopper(server).create();
    const packages = [{ package_id: packageIds(bought)[0], budget: 3000 }];
    await server.call('update_media_buy', updateRequest(bought.media_buy_id, { packages }));
    const { text } = await send((await firstOf(server)).link);
    for (const part of ['Approve this change?', bought.media_buy_id, '3,000 USD', 'now 1,000 USD']) {
      expect(text).toContain(part);
    }
  });

  test('is kept by nobody, framed by nobody, found by nobody, and runs no script', async () => {
    const { link } = await withOrder();
    const { headers, text } = await send(link);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'same-origin',
    });
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
    expect(policy).not.toMatch(/script-src|unsafe-inline/);
    expect(text).not.toMatch(/<script|javascript:|https?:\/\/(?!127\.0\.0\.1)/i);
  });

  test('shows a buyer’s text, and obeys none of it', async () => {
    const { server } = await withOrder();
    const name = '<img src=x onerror=alert(1)>"\'&';
    await server.call('sync_creatives', {
      idempotency_key: 'hostile-creative-0001',
      account: { account_id: 'acct_sandbox' },
      creatives: [creative('hostile', { name })],
    });
    const waiting = (await operatorOf(server).waiting()).find(({ kind }) => kind === 'creative');
    const { text } = await send(waiting?.link ?? '');
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
  });
});

describe('a decision by link', () => {
  test('approves: the buy is there, and the page says so from then on', async () => {
    const { server, taskId, link } = await withOrder();
    const answer = await decide(link, APPROVE);
    expect({ status: answer.status, location: answer.headers.location }).toEqual({
      status: 303,
      location: new URL(link).pathname,
    });
    expect(await stateOf(server, taskId)).toBe('completed');
    const { text } = await send(link);
    expect(text).toContain('<strong>Approved</strong>');
    expect(text).toContain('This media buy is decided');
    expect(text).not.toContain('<form');
  });

  test('asks the buyer once, says what was asked, and shows the order again when it comes with the answer', async () => {
    const { server, taskId, link } = await withOrder();
    expect((await send(link)).text).toContain('Ask the buyer');
    expect((await decide(link, 'decision=ask&question=')).status).toBe(400);
    expect((await decide(link, 'decision=ask&question=Which+%3Cpage%3E%3F')).status).toBe(303);
    expect(await stateOf(server, taskId)).toBe('input-required');
    const asked = (await send(link)).text;
    expect(asked).toContain('Which &lt;page&gt;?');
    expect(asked).toContain('If nobody answers or decides, it is rejected');
    expect(asked).not.toContain('Ask the buyer');
    expect(asked).toContain('value="approve"');
    succeeded(await server.call('create_media_buy', createRequest({ context_id: taskId })));
    expect(await stateOf(server, taskId)).toBe('submitted');
    const again = (await send((await firstOf(server)).link)).text;
    expect(again).toContain('Ask the buyer');
    expect(again).not.toContain('Which &lt;page&gt;?');
  });

  test('asks nothing about a creative', async () => {
    const server = await selling();
    await shopper(server, 'kit').sync({}, { creatives: [creative('banner')] });
    expect((await send((await firstOf(server)).link)).text).not.toContain('Ask the buyer');
  });

  test('rejects with its reason, which the buyer reads', async () => {
    const { server, taskId, link } = await withOrder();
    expect((await decide(link, REJECT)).status).toBe(303);
    const { payload } = await server.call('get_task_status', { task_id: taskId });
    expect(payload).toMatchObject({ status: 'rejected', message: expect.stringContaining('Too much for one week.') });
    expect((await send(link)).text).toMatch(/<strong>Rejected<\/strong>.*Too much for one week\./s);
  });

  test('is taken once; a second one is told what was decided', async () => {
    const { server, taskId, link } = await withOrder();
    const all = await Promise.all([decide(link, APPROVE), decide(link, REJECT), decide(link, APPROVE)]);
    expect(all.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
    const state = await stateOf(server, taskId);
    const late = await decide(link, REJECT);
    expect(late.status).toBe(409);
    expect(late.text).toContain(`The task is ${state}`);
    expect(late.text).toContain(state === 'completed' ? '<strong>Approved</strong>' : '<strong>Rejected</strong>');
    expect(await stateOf(server, taskId)).toBe(state);
  });

  test('is not taken by looking, from another site, or without a reason that can be read', async () => {
    const { server, taskId, link } = await withOrder();
    await send(link);
    await send(link, { method: 'HEAD' });
    await send(`${link}?decision=approve`);
    expect((await decide(link, APPROVE, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await decide(link, APPROVE, { origin: 'null' })).status).toBe(403);
    expect((await send(link, { method: 'PUT', body: APPROVE })).status).toBe(404);
    const table = [
      ['', 400, /approve/],
      ['decision=maybe', 400, /approve/],
      ['decision=reject', 400, /reason/],
      ['decision=reject&reason=++', 400, /reason/],
      [`decision=reject&reason=${'x'.repeat(1001)}`, 400, /1000/],
      [`decision=reject&reason=${'x'.repeat(20_000)}`, 413, /could not be read/],
    ] as const;
    for (const [body, status, says] of table) {
      const answer = await decide(link, body);
      expect([body.slice(0, 40), answer.status]).toEqual([body.slice(0, 40), status]);
      expect(answer.text).toMatch(says);
      expect(answer.headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
    }
    const json = await decide(link, '{"decision":"approve"}', { 'content-type': 'application/json' });
    expect(json.status).toBe(400);
    expect(await stateOf(server, taskId)).toBe('submitted');
  });

  test('that cannot be carried out says why', async () => {
    const { server, link, taskId } = await withOrder({ end_time: '2030-01-01T02:00:00Z' });
    server.clock.advance(3 * HOUR);
    expect((await decide(link, APPROVE)).status).toBe(303);
    expect(await stateOf(server, taskId)).toBe('failed');
    expect((await send(link)).text).toMatch(/Approved, but it could not be carried out.*end must lie after the start/s);
  });

  test('holds for a creative too, once, and for the version that was looked at', async () => {
    const server = await selling();
    const kit = shopper(server, 'kit');
    await kit.sync({ banner: [] });
    const first = await firstOf(server);
    const page = (await send(first.link)).text;
    for (const part of [
      'Approve this creative?',
      'Banner banner',
      'display_300x250_image',
      'https://cdn.example/banner.png',
    ]) {
      expect(page).toContain(part);
    }
    await kit.sync(
      {},
      {
        creatives: [
          creative('banner', {
            assets: {
              banner_image: { asset_type: 'image', url: 'https://cdn.example/2.png', width: 300, height: 250 },
              click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/' },
            },
          }),
        ],
      },
    );
    expect((await send(first.link)).text).toContain('another version');
    expect((await decide(first.link, APPROVE)).status).toBe(409);

    const second = await firstOf(server);
    expect((await decide(second.link, APPROVE)).status).toBe(303);
    expect((await decide(second.link, REJECT)).status).toBe(409);
    const { creatives } = succeeded(await server.call('list_creatives', {}, { token: KIT_TOKEN }));
    expect(creatives).toMatchObject([{ creative_id: 'banner', status: 'approved' }]);
  });
});

describe('a link', () => {
  test('works after a restart, whose secret only the owner of the data may read', async () => {
    const { server, taskId, link } = await withOrder();
    await server.restart();
    expect((await decide(link, APPROVE)).status).toBe(303);
    expect(await stateOf(server, taskId)).toBe('completed');
    expect(statSync(path.join(server.dataDir, 'keys', 'approval-links')).mode & 0o777).toBe(0o600);
  });

  test('expires when the clock decides, and says so', async () => {
    const { server, link } = await withOrder();
    server.clock.advance(24 * HOUR);
    const [page, late] = [await send(link), await decide(link, APPROVE)];
    for (const answer of [page, late]) {
      expect(answer.status).toBe(410);
      expect(answer.text).toContain('This link has expired');
      expect(answer.text).not.toContain('acme');
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' });
    }
    await server.server().tick();
    expect(await operatorOf(server).waiting()).toEqual([]);
  });

  test('of a creative is good for a week', async () => {
    const server = await selling();
    await shopper(server).sync({ banner: [] });
    const { link } = await firstOf(server);
    server.clock.advance(7 * 24 * HOUR - 1);
    expect((await send(link)).status).toBe(200);
    server.clock.advance(1);
    expect((await send(link)).status).toBe(410);
  });

  test('that was forged, bent or is about nothing is unknown, and all look the same', async () => {
    const { server, link, waiting } = await withOrder();
    const base = `${server.baseUrl}/approvals`;
    const token = link.slice(base.length + 1);
    const forger = createSignedLinks('approval', () => 'a guess');
    const ours = server.server().app.approvalLinks;
    const far = server.clock.now() + HOUR;
    const tokens = [
      forger.write(waiting.id, far),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      token.slice(1),
      ours.write('task-task_nothing', far),
      ours.write('nothing', far),
      ours.write('constructor-1', far),
      'x',
      '%00',
      '..%2f..%2fetc%2fpasswd',
    ];
    const pages = new Set<string>();
    for (const bad of tokens) {
      const [seen, tried] = [await send(`${base}/${bad}`), await decide(`${base}/${bad}`, APPROVE)];
      expect([bad, seen.status, tried.status]).toEqual([bad, 404, 404]);
      pages.add(seen.text).add(tried.text);
    }
    expect(pages.size).toBe(1);
    expect((await send(base)).status).toBe(404);
    expect((await operatorOf(server).waiting()).map(({ id }) => id)).toEqual([waiting.id]);
  });
});
