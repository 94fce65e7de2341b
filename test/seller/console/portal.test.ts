import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/platform/kernel/clock.js';
import { operateWebhooks } from '../../../src/seller/http/operator/operations.js';
import { operatePortalLinks } from '../../../src/seller/tasks/people/portal-links.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, creative, SANDBOX_ACCOUNT_2, succeeded } from '../../kit/buyer.js';
import { consoleAs, localConsole } from '../../kit/console.js';
import { send } from '../../kit/http.js';
import { type Receiver, startReceiver } from '../../kit/receiver.js';

/** What a browser cannot be brought to run; a buyer puts it wherever it may write. */
const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>';

let server: Booted;
let receiver: Receiver;
/** A buyer's buy and event, and those of another buyer of the same tenant. */
let own: { readonly buy: string; readonly event: string };
let other: { readonly buy: string; readonly event: string };
let home: string;

async function linkFor(principal: string, days?: number): Promise<string> {
  const { app } = server.server();
  const { url } = await operatePortalLinks(app, 'a test', { operation: 'new', tenant: 'sales', principal, days });
  return String(url);
}

async function buyAs(token: string, changes: object): Promise<string> {
  const answer = await server.call('create_media_buy', createRequest(changes), { token });
  return String(succeeded(answer).media_buy_id);
}

/** Has a test event sent about a buy; answers its key. */
async function notifyAbout(mediaBuyId: string): Promise<string> {
  const sent = await operateWebhooks(server.server().app, { do: 'test', media_buy_id: mediaBuyId });
  return 'sent' in sent ? String(sent.sent[0]) : '';
}

beforeAll(async () => {
  server = await boot({ ids: 'system' });
  receiver = await startReceiver();
  receiver.always(500);
  const notify = (path: string) => ({
    push_notification_config: { url: `${receiver.url}/${path}`, operation_id: 'op-1' },
    po_number: HOSTILE,
  });
  const mine = await buyAs('sandbox-token', notify('own'));
  const theirs = await buyAs('sandbox-token-2', { account: { account_id: SANDBOX_ACCOUNT_2 }, ...notify('other') });
  await server.call('sync_creatives', {
    account: { account_id: 'acct_sandbox' },
    idempotency_key: 'creatives-0123456789',
    creatives: [creative('hostile', { name: HOSTILE })],
  });
  own = { buy: mine, event: await notifyAbout(mine) };
  other = { buy: theirs, event: await notifyAbout(theirs) };
  home = await linkFor('sandbox');
});

/** Presses "Send again" on a page of the portal, as a browser would unless told otherwise. */
function replay(link: string, key: string, csrf: string | undefined, headers: Readonly<Record<string, string>> = {}) {
  const body = new URLSearchParams(csrf === undefined ? {} : { csrf }).toString();
  return send(`${link}/webhooks/${key}/replay`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });
}

async function csrfOf(link: string, key: string): Promise<string | undefined> {
  return /name="csrf" value="([^"]+)"/.exec((await send(`${link}/webhooks/${key}`)).text)?.[1];
}

describe('a buyer with a link', () => {
  test('sees its buys, creatives and webhooks with their attempts', async () => {
    expect((await send(home)).text).toContain(own.buy);
    const buy = await send(`${home}/buys/${own.buy}`);
    expect([buy.status, buy.text.includes('Delivery against plan')]).toEqual([200, true]);
    expect((await send(`${home}/creatives`)).text).toContain('&lt;script&gt;');
    expect((await send(`${home}/webhooks`)).text).toContain(own.event);
    const event = await send(`${home}/webhooks/${own.event}`);
    expect(event.text).toContain('Send again');
    expect(event.text).toContain(`${receiver.url}/own`);
  });

  test('has a webhook sent again, which is in the log of acts with the link', async () => {
    const before = receiver.posts.filter(({ path }) => path === '/own').length;
    receiver.always(200);
    const answer = await replay(home, own.event, await csrfOf(home, own.event));
    expect([answer.status, answer.headers.location]).toEqual([303, expect.stringContaining(own.event)]);
    await expect.poll(() => receiver.posts.filter(({ path }) => path === '/own').length).toBeGreaterThan(before);
    const audit = await server.server().app.store.read.audit.about(own.event, 10);
    expect(audit[0]).toMatchObject({ actor: 'portal of sandbox', action: 'webhook.replay', phase: 'done' });
  });

  test('finds nothing of another buyer by its ids', async () => {
    const pages = [`/buys/${other.buy}`, `/webhooks/${other.event}`, '/creatives/999999'];
    for (const page of pages) expect((await send(`${home}${page}`)).status).toBe(404);
    for (const page of ['', '/webhooks', '/creatives'])
      expect((await send(`${home}${page}`)).text).not.toContain(other.buy);
    const theirs = await linkFor('sandbox-2');
    const { creatives } = server.server().app.store.read;
    const [mine] = await creatives.newest({ owner: 'sales#sandbox', status: undefined }, undefined, 1);
    expect((await send(`${home}/creatives/${mine?.seq}`)).status).toBe(200);
    expect((await send(`${theirs}/creatives/${mine?.seq}`)).status).toBe(404);
    expect((await replay(home, other.event, await csrfOf(home, own.event))).status).toBe(404);
    expect(await server.server().app.store.read.audit.about(other.event, 10)).toEqual([]);
  });

  test('finds no way into the console, and no form but the one that sends a webhook again', async () => {
    const { text } = await send(`${home}/buys/${own.buy}`);
    expect(text).not.toContain('href="/console');
    expect(text).not.toContain('<form');
  });
});

describe('a link', () => {
  test('that is forged, of another purpose or expired opens nothing', async () => {
    const { app } = server.server();
    const [, token = ''] = home.split('/portal/');
    const [content = '', signature = ''] = token.split('.');
    const forged = Buffer.from(content, 'base64url')
      .toString()
      .replace(/"expiresMs":\d+/, '"expiresMs":9999999999999');
    const later = `${Buffer.from(forged).toString('base64url')}.${signature}`;
    const approval = app.approvalLinks.write(JSON.parse(Buffer.from(content, 'base64url').toString()).subject, 9e12);
    for (const bad of [later, approval, `${content}.${'a'.repeat(43)}`, 'x', token.slice(0, -1)])
      expect((await send(`${server.baseUrl}/portal/${bad}`)).status).toBe(404);

    const client = await localConsole(server);
    const made = await client.post('/console/buyers/links/new', { buyer: 'sales#sandbox', days: '1' });
    const short = /http:\/\/[^\s<]+\/portal\/[\w.-]+/.exec(made.text)?.[0] ?? '';
    expect((await send(short)).status).toBe(200);
    server.clock.advance(DAY_MS);
    expect((await send(short)).status).toBe(404);
    expect((await send(home)).status).toBe(200);
  });

  test('that is revoked in the console opens nothing from then on, and one that is no buyer’s is refused', async () => {
    const client = await localConsole(server);
    const made = await client.post('/console/buyers/links/new', { buyer: 'sales#sandbox', days: '2' });
    const link = /http:\/\/[^\s<]+\/portal\/[\w.-]+/.exec(made.text)?.[0] ?? '';
    const subject = server.server().app.portalLinks.read(link.split('/portal/')[1] ?? '', 0)?.subject;
    expect((await send(link)).status).toBe(200);
    await client.post(`/console/buyers/links/${subject}/revoke`, {});
    expect((await send(link)).status).toBe(404);
    await client.post('/console/buyers/links/new', { buyer: 'sales#nobody', days: '2' });
    expect((await client.get('/console/buyers/links')).text).toContain('The tenant has no such buyer');
    const looking = await consoleAs(server, 'view');
    expect((await looking.post('/console/buyers/links/new', { buyer: 'sales#sandbox', days: '2' })).status).toBe(403);
  });
});

describe('an attack on the portal', () => {
  test('by a form of another page does nothing', async () => {
    const before = receiver.posts.length;
    const csrf = await csrfOf(home, own.event);
    for (const [name, value] of [
      ['origin', 'https://evil.example'],
      ['origin', 'null'],
      ['sec-fetch-site', 'cross-site'],
    ] as const)
      expect((await replay(home, own.event, csrf, { [name]: value })).status).toBe(403);
    for (const bad of [undefined, 'x'.repeat(64)]) expect((await replay(home, own.event, bad)).status).toBe(403);
    expect(receiver.posts).toHaveLength(before);
  });

  test('by a text that a buyer sets is shown as text, under a policy that runs none of it', async () => {
    for (const page of ['', `/buys/${own.buy}`, '/creatives', '/webhooks', `/webhooks/${own.event}`]) {
      const { headers, text } = await send(`${home}${page}`);
      expect(text).not.toMatch(/<script>alert|<img src=x/);
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
    }
  });
});
