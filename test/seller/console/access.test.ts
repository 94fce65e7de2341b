import { describe, expect, test } from 'vitest';
import { operateUsers } from '../../../src/seller/tasks/people/users.js';
import { boot } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';
import { consoleAs, consoleClient, consoleUrl, localConsole } from '../../kit/console.js';
import { send } from '../../kit/http.js';
import { operatorOf } from '../../kit/operator.js';
import { tenantsFolder } from '../../kit/tenants.js';

const HOUR = 3_600_000;
const SESSION = 'seller_agent_console';

/** A seller that asks about every order, with one that waits. */
async function withOrder() {
  const server = await boot({
    tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] })),
    ids: 'system',
  });
  const { task_id } = succeeded(await server.call('create_media_buy', createRequest()));
  const status = async () => (await server.call('get_task_status', { task_id })).payload.status;
  return { server, id: String(task_id), status };
}

describe('signing in to the console', () => {
  test('needs nothing but the link of the banner, which holds once', async () => {
    const server = await boot({ ids: 'system' });
    const link = new URL(server.server().signInLink()).pathname;
    const first = consoleClient(server);
    expect((await first.get(link)).status).toBe(303);
    expect((await first.get('/console')).text).toContain('local operator');
    const second = consoleClient(server);
    expect((await second.get(link)).status).toBe(410);
    expect((await second.get('/console')).status).toBe(303);
  });

  test('takes the name and password of somebody, and nobody else', async () => {
    const server = await boot({ ids: 'system' });
    const { password } = await operateUsers(server.server().app, { operation: 'new', name: 'ada', role: 'view' });
    const client = consoleClient(server);
    const wrong = await client.post('/console/sign-in', { name: 'ada', password: `${password}x` });
    expect([wrong.status, wrong.text.includes('The name or the password is wrong.')]).toEqual([401, true]);
    const unknown = await client.post('/console/sign-in', { name: 'eve', password });
    expect(unknown.status).toBe(401);
    expect((await client.post('/console/sign-in', { name: 'ada', password })).status).toBe(303);
    expect((await client.get('/console')).text).toContain('ada');
  });

  test('counts tries for a name, and turns away a good password after ten bad ones', async () => {
    const server = await boot({ ids: 'system' });
    const { password } = await operateUsers(server.server().app, { operation: 'new', name: 'ada', role: 'view' });
    const client = consoleClient(server);
    for (let tried = 0; tried < 10; tried += 1)
      await client.post('/console/sign-in', { name: 'ada', password: 'guess' });
    expect((await client.post('/console/sign-in', { name: 'ada', password })).status).toBe(429);
  });

  test('leads to pages of the console alone', async () => {
    const server = await boot({ ids: 'system' });
    const { password } = await operateUsers(server.server().app, { operation: 'new', name: 'ada', role: 'view' });
    for (const next of ['https://evil.example/', '//evil.example', '/console/../x', '/console\n//evil.example']) {
      const answer = await consoleClient(server).post('/console/sign-in', { name: 'ada', password, next });
      expect(answer.headers.location).toBe('/console');
    }
  });

  test('begins a session under a secret that nobody had before, and ends the one before it', async () => {
    const server = await boot({ ids: 'system' });
    const client = await localConsole(server);
    const before = client.cookies()[SESSION] ?? '';
    await client.get(new URL(server.server().signInLink()).pathname);
    expect(client.cookies()[SESSION]).not.toBe(before);
    const planted = await send(`${consoleUrl(server)}/console`, { headers: { cookie: `${SESSION}=${before}` } });
    expect(planted.status).toBe(303);
    const fixed = await send(`${consoleUrl(server)}${new URL(server.server().signInLink()).pathname}`, {
      headers: { cookie: `${SESSION}=chosen-by-an-attacker` },
    });
    expect(fixed.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Lax/);
    expect(fixed.headers['set-cookie']).not.toContain('chosen-by-an-attacker');
  });

  test('lasts twelve hours without use and a week in all', async () => {
    const server = await boot({ ids: 'system' });
    const idle = await localConsole(server);
    server.clock.advance(12 * HOUR);
    expect((await idle.get('/console')).status).toBe(303);
    const busy = await localConsole(server);
    const statuses = [];
    for (let hours = 0; hours <= 7 * 24; hours += 8) {
      statuses.push((await busy.get('/console')).status);
      server.clock.advance(8 * HOUR);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 303]);
  });

  test('ends when somebody is removed, and a new role counts at once', async () => {
    const server = await boot({ ids: 'system' });
    const client = await consoleAs(server, 'view');
    expect((await client.get('/console')).status).toBe(200);
    await operatorOf(server).post('/users', { operation: 'remove', name: 'view-person' });
    expect((await client.get('/console')).status).toBe(303);
  });
});

describe('acts in the console', () => {
  test('are done by who may, under their name, and are in the log of acts', async () => {
    const { id, server, status } = await withOrder();
    const client = await consoleAs(server, 'operate');
    const answer = await client.post(`/console/approvals/${id}`, { decision: 'approve' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/console/approvals']);
    expect(await status()).toBe('completed');
    expect((await client.get('/console/approvals')).text).toMatch(
      /role="status">Approved: Buy .+ The media buy is mb_/,
    );
    const task = await server.server().app.store.read.tasks.findAnywhere(id);
    expect(task?.steps.at(-1)?.by).toBe('console: operate-person');
    const log = await server.server().app.store.read.audit.list({ limit: 10, after: undefined }, {});
    expect(log.map(({ action, actor, phase, subject }) => [actor, action, subject, phase])[0]).toEqual([
      'operate-person',
      'approval.approve',
      id,
      'done',
    ]);
  });

  test('are refused to who may only look', async () => {
    const { id, server, status } = await withOrder();
    const client = await consoleAs(server, 'view');
    expect((await client.get(`/console/approvals/${id}`)).text).not.toContain('<button class="primary">Approve');
    expect((await client.post(`/console/approvals/${id}`, { decision: 'approve' })).status).toBe(403);
    expect(await status()).toBe('submitted');
  });

  test('are refused to forms of other pages, sessions and nobody', async () => {
    const { id, server, status } = await withOrder();
    const client = await consoleAs(server, 'operate');
    const approve = { decision: 'approve' };
    const other = await localConsole(server);
    const stolen = /name="csrf" value="([^"]+)"/.exec((await other.get('/console')).text)?.[1];
    const path = `/console/approvals/${id}`;
    const answers = [
      await client.post(path, { ...approve, csrf: undefined }),
      await client.post(path, { ...approve, csrf: stolen }),
      await client.post(path, approve, { origin: 'http://localhost:9999' }),
      await client.post(path, approve, { origin: 'null' }),
      await client.post(path, approve, { 'sec-fetch-site': 'same-site' }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403]);
    const ended = (await consoleClient(server).post(path, approve)).headers.location ?? '';
    expect(new URL(ended, 'http://console').searchParams.get('next')).toBe(path);
    expect((await consoleClient(server).get(ended)).text).toContain('what you sent was not done');
    expect(await status()).toBe('submitted');
  });

  test('that are refused say why, and the log of acts has the reason', async () => {
    const { id, server } = await withOrder();
    const client = await consoleAs(server, 'operate');
    await client.post(`/console/approvals/${id}`, { decision: 'reject', reason: '' });
    const page = await client.get(`/console/approvals/${id}`);
    expect(page.text).toContain('A rejection needs a reason');
    const [entry] = await server.server().app.store.read.audit.list({ limit: 1, after: undefined }, {});
    expect([entry?.action, entry?.phase]).toEqual(['approval.reject', 'refused']);
  });

  test('of the command line are in the log of acts too, which nothing changes', async () => {
    const { id, server } = await withOrder();
    await operatorOf(server).post(`/approvals/${id}`, { decision: 'approve' });
    const { store } = server.server().app;
    const [entry] = await store.read.audit.list({ limit: 1, after: undefined }, {});
    expect([entry?.actor, entry?.action, entry?.subject]).toEqual(['command line', 'approval.approve', id]);
  });
});

describe('pages of the console', () => {
  test('say who may load what, and are framed and kept by nobody', async () => {
    const { id, server } = await withOrder();
    const { headers } = await (await localConsole(server)).get(`/console/approvals/${id}`);
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'; script-src 'self'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect([headers['x-frame-options'], headers['cache-control']]).toEqual(['DENY', 'no-store']);
  });

  test('answer under the names of this machine alone', async () => {
    const { server } = await withOrder();
    const answer = await (await localConsole(server)).get('/console', { host: 'rebound.example' });
    expect(answer.status).toBe(403);
  });
});
