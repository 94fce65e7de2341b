import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { check } from '../../../src/commands/check/check.js';
import { verifyHmac } from '../../../src/platform/signing/hmac.js';
import { protocolNames } from '../../../src/protocol/names.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, packageRequest, succeeded } from '../../kit/buyer.js';
import { send } from '../../kit/http.js';
import { startMailServer } from '../../kit/mail-server.js';
import { sdkVerifier } from '../../kit/oracles.js';
import { type ReceivedPost, startReceiver } from '../../kit/receiver.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';
import { tenantsFolder, writeTenant } from '../../kit/tenants.js';

const SECRET = 'a-shared-secret-of-forty-characters-long';
const PASSWORD = 'the password of the mail server';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A folder of one tenant that asks about every order of a sandbox, and alerts its people as told. */
function alerting(alerts: object): string {
  return tenantsFolder((tenant) => {
    Object.assign(tenant, { approvals: [{ tasks: ['create_media_buy'] }], alerts: { sandboxes: true, ...alerts } });
  });
}

function alertsOf({ json }: ReceivedPost): readonly Readonly<Record<string, unknown>>[] {
  return json.alerts as Readonly<Record<string, unknown>>[];
}

/** Has a buyer order something that waits for a decision; answers the id of the task. */
async function order(server: Booted, changes: object = {}): Promise<string> {
  return String(succeeded(await server.call('create_media_buy', createRequest(changes))).task_id);
}

describe('an alert by webhook', () => {
  test('is a text for chat tools and its parts, signed with the published key, once for each thing until it is due again', async () => {
    const receiver = await startReceiver();
    const server = await boot({ tenants: alerting({ webhook: { url: `${receiver.url}/chat` } }) });
    const task = await order(server);
    await server.server().tick();
    await server.server().tick();
    expect(receiver.posts).toHaveLength(1);
    const [post] = receiver.posts as [ReceivedPost];
    expect(post.json).toMatchObject({ type: 'seller.alert', tenant: 'sales' });
    expect(String(post.json.text).split('\n')[0]).toContain(': 1 decision to take');
    const [alert] = alertsOf(post);
    expect(alert).toMatchObject({ kind: 'approval_waiting', subject: task, is_repeated: false });
    expect(post.json.text).toContain(String(alert?.link));
    expect((await send(String(alert?.link))).text).toContain('Approve');

    const jwks = JSON.parse((await send(`${server.baseUrl}/.well-known/jwks.json`)).text) as { keys: object[] };
    const verify = sdkVerifier(jwks.keys as never[]);
    const request = { ...post, url: `${receiver.url}/chat` };
    expect(await verify(request, server.clock.now() / 1000)).toBe('verified');
    const forged = { ...request, body: Buffer.from(String(request.body).replace('decision', 'decizion')) };
    await expect(sdkVerifier(jwks.keys as never[])(forged, server.clock.now() / 1000)).rejects.toThrow();

    server.clock.advance(25 * HOUR);
    await server.server().tick();
    expect(receiver.posts).toHaveLength(2);
    expect(alertsOf(receiver.posts[1] as ReceivedPost)[0]).toMatchObject({ subject: task, is_repeated: true });
  });

  test('is tried again under its key until it is taken, over a restart too, and not once it is decided', async () => {
    const receiver = await startReceiver();
    receiver.script(503, 500, 503);
    const server = await boot({ tenants: alerting({ webhook: { url: receiver.url } }) });
    const task = await order(server);
    await server.server().tick();
    await server.server().tick();
    expect(receiver.posts).toHaveLength(1);
    await server.restart();
    server.clock.advance(MINUTE);
    await server.server().tick();
    expect(receiver.posts.map(({ json }) => json.idempotency_key)).toHaveLength(2);
    expect(new Set(receiver.posts.map(({ json }) => json.idempotency_key)).size).toBe(1);
    const { recordDecision } = await import('../../../src/seller/http/operator/operations.js');
    await recordDecision(server.server().app, task, { decision: 'reject', reason: 'Not this time.' });
    server.clock.advance(HOUR);
    await server.server().tick();
    expect(receiver.posts).toHaveLength(2);
  });

  test('carries HMAC-SHA256 where a secret is shared', async () => {
    const receiver = await startReceiver();
    const webhook = { url: { env: 'CHAT_URL' }, secret: { env: 'CHAT_SECRET' } };
    const env = { CHAT_URL: `${receiver.url}/of/a/secret`, CHAT_SECRET: SECRET };
    const server = await boot({ tenants: alerting({ webhook }), env });
    await order(server);
    await server.server().tick();
    const [post] = receiver.posts as [ReceivedPost];
    expect(post.path).toBe('/of/a/secret');
    const nowSeconds = Math.floor(server.clock.now() / 1000);
    const options = { secrets: [SECRET], headers: protocolNames('adcp').hmacHeaders, nowSeconds };
    expect(verifyHmac(post, options)).toEqual({ ok: true });
  });

  test('tells of endpoints that fail for ten minutes and of rejected edits', async () => {
    const receiver = await startReceiver();
    const failing = await startReceiver();
    failing.always(404);
    const webhook = { url: receiver.url };
    const tenants = alerting({ webhook });
    const server = await boot({ tenants, ids: 'system' });
    const push_notification_config = { url: `${failing.url}/hooks`, operation_id: 'op-1' };
    const task = await order(server, { push_notification_config });
    const { recordDecision } = await import('../../../src/seller/http/operator/operations.js');
    await recordDecision(server.server().app, task, { decision: 'reject', reason: 'Not this time.' });
    await failing.received(1);
    await expect.poll(async () => (await server.server().app.store.read.webhookLog.failing(0)).length).toBe(1);
    await server.server().tick();
    expect(receiver.posts).toEqual([]);
    server.clock.advance(11 * MINUTE);
    await server.server().tick();
    expect(receiver.posts.flatMap(alertsOf).map(({ kind }) => kind)).toEqual(['endpoint_failing']);
    expect(receiver.posts[0]?.json.text).toContain(failing.url);
    writeTenant(tenants, '{ "kinds": [');
    await server.server().reload();
    await server.server().tick();
    expect(receiver.posts.flatMap(alertsOf).map(({ kind }) => kind)).toEqual(['endpoint_failing', 'edit_rejected']);
    expect(receiver.posts[1]?.json.text).toContain('sales.json');
  });

  test('says nothing of what sandbox principals do unless that is asked for', async () => {
    const receiver = await startReceiver();
    const server = await boot({ tenants: alerting({ sandboxes: false, webhook: { url: receiver.url } }) });
    await order(server);
    await server.server().tick();
    expect(receiver.posts).toEqual([]);
  });

  test('gives no buyer a link, a mention or another line in a chat', async () => {
    const receiver = await startReceiver();
    const server = await boot({ tenants: alerting({ webhook: { url: receiver.url } }) });
    const name = '<!channel> @here [free](https://evil.example)\nSeller: `approved`';
    await order(server, {
      packages: [packageRequest({ buyer_ref: name })],
      po_number: name,
      brand: { domain: 'acme-outdoor.example', name },
    });
    await server.server().tick();
    const text = String(receiver.posts[0]?.json.text);
    expect(text).not.toMatch(/<!channel>|@here|\]\(|`/);
    expect(text.split('\n')).toHaveLength(3);
  });
});

describe('an alert by mail', () => {
  test('reaches everybody who is named, by a server that asks for a password', async () => {
    const { mails, url } = await startMailServer(PASSWORD);
    const email = {
      server: url,
      user: 'seller',
      password: { env: 'MAIL_PASSWORD' },
      from: 'seller@news.example',
      to: ['ops@news.example', 'sales@news.example'],
    };
    const server = await boot({ tenants: alerting({ email }), env: { MAIL_PASSWORD: PASSWORD } });
    await order(server);
    await server.server().tick();
    await server.server().tick();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: email.to, from: email.from, user: 'seller' });
    expect(mails[0]?.text).toMatch(/^Subject: .*: 1 decision to take\r$/m);
    expect(mails[0]?.text).toContain('/approvals/');
  });

  test('that the server refuses is tried again, and its password is in no log', async () => {
    const { mails, url } = await startMailServer(PASSWORD);
    const wrong = 'some other password';
    const email = {
      server: url,
      user: 'seller',
      password: { env: 'P' },
      from: 'a@news.example',
      to: ['b@news.example'],
    };
    const server = await boot({ tenants: alerting({ email }), env: { P: wrong } });
    await order(server);
    await server.server().tick();
    expect(mails).toEqual([]);
    const lines = server.log.map(({ text }) => text).join('\n');
    expect(lines).toContain('alerts could not be sent');
    expect(lines).not.toContain(wrong);
  });
});

describe('check --online', () => {
  test('signs in at the mail server and finds the webhook, or says what is wrong', async () => {
    const { mails, url } = await startMailServer(PASSWORD);
    const chat = createServer((_request, response) => response.writeHead(405).end());
    await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
    const { port } = chat.address() as AddressInfo;
    const email = { server: url, user: 'u', password: { env: 'P' }, from: 'a@news.example', to: ['b@news.example'] };
    const tenants = alerting({ email, webhook: { url: `http://127.0.0.1:${port}/hook` } });
    const flags = { tenants, port: '0', data: temporaryFolder() };
    const settings = await resolveSettings({ flags, env: {}, cwd: tenants, packageRoot: PROJECT });
    const right = await check(settings, { P: PASSWORD }, undefined, { isOnline: true });
    expect(right.text).toContain('alerts by mail: 127.0.0.1 takes them');
    expect(right.text).toContain('alerts by webhook: 127.0.0.1 answers');
    expect(right.ok).toBe(true);
    await new Promise((resolve) => chat.close(resolve));
    const wrong = await check(settings, { P: 'some other password' }, undefined, { isOnline: true });
    expect(wrong.ok).toBe(false);
    expect(wrong.text).toContain('2 answer not as they should');
    expect(wrong.text).toMatch(/alerts\.email: .*password is wrong/);
    expect(wrong.text).toMatch(/alerts\.webhook: .*cannot be reached/);
    expect(mails).toEqual([]);
  });
});
