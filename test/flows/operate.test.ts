import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import Libsql from 'libsql';
import { describe, expect, test, vi } from 'vitest';
import { snippetsFor } from '../../src/commands/mcp/snippets.js';
import { boot, JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest, packageRequest, SANDBOX_ACCOUNT, succeeded } from '../kit/buyer.js';
import { runCommand, startServing } from '../kit/command-line.js';
import { send } from '../kit/http.js';
import { runCli, type Serving, startServe } from '../kit/process.js';
import { shopper } from '../kit/shopper.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { SHIPPED_PATHS, shippedTenant, tenantsFolder, writeTenant } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';

const DAY = 86_400_000;
/** However busy the machine is, what a test waits for comes within this time. */
const SOON = { timeout: 60_000 };

/** A create for servers that run by the machine's own clock. */
const order = (changes: object = {}) =>
  createRequest({ end_time: new Date(Date.now() + 30 * DAY).toISOString(), ...changes });

async function callOver(serving: { readonly baseUrl: string }, tool: string, args: object): Promise<Payload> {
  const body = JSON.stringify(toolCall(tool, args));
  return succeeded(
    readAnswer(await send(`${serving.baseUrl}/sales/mcp`, { method: 'POST', headers: JSON_HEADERS, body })),
  );
}

async function stop(serving: Serving) {
  serving.child.kill('SIGTERM');
  return serving.finished;
}

const operatorFile = (serving: { readonly dataDir: string }) => path.join(serving.dataDir, 'operator.json');

describe('serve', () => {
  test('greets with what works: addresses, a token, an account and snippets', async () => {
    const serving = await startServe();
    const banner = serving.stdout();
    expect(banner).toContain(`${serving.baseUrl}/sales/mcp`);
    expect(banner).toMatch(/token sandbox-token\s+account acct_sandbox/);
    expect(banner).toMatch(/development/);
    expect(banner).toContain(`npx -p @adcp/sdk adcp ${serving.baseUrl}/sales/mcp`);
    const [, url = '', token = ''] = /curl -s (\S+) -H 'Authorization: (Bearer \S+)'/.exec(banner) ?? [];
    const body = /-d '(\{.*\})'/.exec(banner)?.[1] ?? '';
    const answer = await send(url, { method: 'POST', headers: { ...JSON_HEADERS, authorization: token }, body });
    expect(readAnswer(answer).payload.status).toBe('completed');
    const endpoint = { name: 'sales', url: `${serving.baseUrl}/sales/mcp`, token: 'sandbox-token' };
    for (const { program, text } of snippetsFor(endpoint)) expect(banner).toContain(`${program}\n  ${text}\n`);
  });

  test('a second one on the same data folder refuses, and the first goes on', async () => {
    const serving = await startServe();
    const before = readFileSync(operatorFile(serving), 'utf8');
    const second = await runCli(['serve', '--port', '0', '--data', serving.dataDir]);
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/another seller-agent is running/);
    expect(second.stderr).toMatch(/fix: .*--data/);
    expect(second.stderr).not.toMatch(/\bat .*\.js/);
    expect(readFileSync(operatorFile(serving), 'utf8')).toBe(before);
    expect(await callOver(serving, 'list_accounts', {})).toMatchObject({ status: 'completed' });
  });

  test('refuses a broken tenant with every fault, and leaves nothing behind', async () => {
    const tenants = tenantsFolder((tenant) => {
      tenant.kinds = ['shop'];
      tenant.accounts[0] = { ...tenant.accounts[0], principal: 'nobody' };
    });
    const dataDir = temporaryFolder();
    const refused = await runCommand(['serve', '--port', '0', '--data', dataDir, '--tenants', tenants]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/sales\.json:\d+:\d+ \/kinds\/0/);
    expect(existsSync(path.join(dataDir, 'operator.json'))).toBe(false);
    const serving = await startServing({ dataDir });
    expect((await serving.stop()).code).toBe(0);
  });

  test('on a taken port says so without a stack', async () => {
    const serving = await startServe();
    const refused = await runCli(['serve', '--port', new URL(serving.baseUrl).port]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/EADDRINUSE|in use/);
    expect(refused.stderr).not.toMatch(/\bat .*\.js/);
  });

  test('what init writes is served, and its keys buy', async () => {
    const folder = temporaryFolder();
    const written = await runCommand(['init', '.'], { cwd: folder });
    expect(written.code).toBe(0);
    const key = /sandbox-[A-Za-z0-9_-]{20,}/.exec(written.stdout)?.[0];
    expect((await runCommand(['check'], { cwd: folder })).code).toBe(0);
    const serving = await startServing({ cwd: folder, dataDir: path.join(folder, 'data') });
    const request = order({
      account: { account_id: 'acct_sandbox' },
      packages: [packageRequest({ product_id: 'run_of_site_display', pricing_option_id: 'cpm_usd' })],
    });
    const answer = await send(`${serving.baseUrl}/sales/mcp`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, authorization: `Bearer ${key}` },
      body: JSON.stringify(toolCall('create_media_buy', request)),
    });
    expect(succeeded(readAnswer(answer)).status).toBe('pending_creatives');
  });
});

describe('the operator', () => {
  test('reaches the running server by a file that only its owner reads', async () => {
    const serving = await startServing();
    expect(statSync(operatorFile(serving)).mode & 0o777).toBe(0o600);
    const { url, token, pid, base_url } = JSON.parse(readFileSync(operatorFile(serving), 'utf8')) as Record<
      string,
      string
    >;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect({ pid, base_url }).toEqual({ pid: process.pid, base_url: serving.baseUrl });
    for (const authorization of [undefined, 'Bearer wrong', `Basic ${token}`, 'Bearer sandbox-token'])
      expect((await send(`${url}/status`, { headers: { authorization } })).status).toBe(401);
    const status = await send(`${url}/status`, { headers: { authorization: `Bearer ${token}` } });
    expect(status.json()).toMatchObject({ tenants: SHIPPED_PATHS });
    expect(serving.stdout() + serving.stderr()).not.toContain(token);
    await serving.stop();
    expect(existsSync(operatorFile(serving))).toBe(false);
  });

  test('calls through the running server and without one, on the same store', async () => {
    const serving = await startServing();
    const call = (tool: string, args: object, ...more: string[]) =>
      runCommand(['call', 'sales', tool, JSON.stringify(args), '--data', serving.dataDir, ...more]);
    const bought = await call('create_media_buy', order());
    expect({ code: bought.code, stderr: bought.stderr }).toEqual({ code: 0, stderr: '' });
    const { media_buy_id } = JSON.parse(bought.stdout) as Payload;
    const seen = await callOver(serving, 'get_media_buys', {});
    expect(seen.media_buys.map((buy) => buy.media_buy_id)).toEqual([media_buy_id]);

    await serving.stop();
    const alone = await call('get_media_buys', {});
    expect(alone.code).toBe(0);
    expect((JSON.parse(alone.stdout) as Payload).media_buys.map((buy) => buy.media_buy_id)).toEqual([media_buy_id]);
    const other = await call('get_media_buys', {}, '--principal', 'sandbox-2');
    expect((JSON.parse(other.stdout) as Payload).media_buys).toEqual([]);
  });

  test.each([
    ['a failed task', ['sales', 'create_media_buy', '{}'], /INVALID_REQUEST/],
    ['an unknown tenant', ['shop', 'get_products'], /no tenant "shop".*sales/],
    ['an unknown principal', ['sales', 'get_products', '{}', '--principal', 'nobody'], /no such principal.*sandbox/],
    ['arguments that are no JSON', ['sales', 'get_products', '{brief}'], /JSON/],
  ])('is told of %s, with exit code 1', async (_what, args, says) => {
    const failed = await runCommand(['call', ...args, '--data', temporaryFolder()]);
    expect(failed.code).toBe(1);
    expect(failed.stdout + failed.stderr).toMatch(says);
    expect(failed.stderr).not.toMatch(/\bat .*\.js/);
  });

  test('is not misled by the file of a server that was killed', async () => {
    const serving = await startServe();
    const { media_buy_id } = await callOver(serving, 'create_media_buy', order());
    serving.child.kill('SIGKILL');
    await serving.finished;
    expect(existsSync(operatorFile(serving))).toBe(true);
    const alone = await runCli(['call', 'sales', 'get_media_buys', '{}', '--data', serving.dataDir]);
    expect((JSON.parse(alone.stdout) as Payload).media_buys.map((buy) => buy.media_buy_id)).toEqual([media_buy_id]);
    const again = await startServe({ dataDir: serving.dataDir });
    expect((await callOver(again, 'get_media_buys', {})).media_buys).toHaveLength(1);
  });
});

describe('SIGTERM', () => {
  test('lets a call in hand finish, takes no new ones, and ends with 0', async () => {
    const serving = await startServe({ env: { SELLER_AGENT_LOG: 'warn' } });
    const { hostname, port } = new URL(serving.baseUrl);
    const body = JSON.stringify(toolCall('create_media_buy', order()));
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const head = Object.entries(JSON_HEADERS).map(([name, value]) => `${name}: ${value}`);
    const lines = [
      'POST /sales/mcp HTTP/1.1',
      `host: ${hostname}:${port}`,
      ...head,
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body.slice(0, 40)}`);
    // The server has read the first half once a later request on another connection is answered.
    await send(`${serving.baseUrl}/healthz`);
    await send(`${serving.baseUrl}/healthz`);

    serving.child.kill('SIGTERM');
    await vi.waitFor(() => expect(serving.stdout()).toMatch(/Draining/), SOON);
    await vi.waitFor(async () => {
      await expect(send(`${serving.baseUrl}/healthz`, { headers: { connection: 'close' } })).rejects.toThrow(
        /ECONNREFUSED|ECONNRESET/,
      );
    }, SOON);
    socket.write(body.slice(40));
    const { code, stderr } = await serving.finished;
    await closed;
    // The last answer ends the drain: of the ten seconds for calls that hang it would have said something.
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toContain('\\"status\\":\\"active\\"');

    const again = await startServe({ dataDir: serving.dataDir });
    expect((await callOver(again, 'get_media_buys', {})).media_buys).toHaveLength(1);
  });

  test('ends a server at once when nobody is served, though clients keep their connections', async () => {
    const serving = await startServe({ env: { SELLER_AGENT_LOG: 'warn' } });
    await callOver(serving, 'list_accounts', {});
    expect(await stop(serving)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a restart', () => {
  test('keeps buys, creatives, accounts and keys', async () => {
    const server = await boot();
    const [one, kit] = [shopper(server), shopper(server, 'kit')];
    const request = createRequest();
    const first = succeeded(await one.call('create_media_buy', request));
    const pending = await kit.create();
    await kit.sync({ banner: [] });
    server.clock.advance(3 * DAY);
    const before = {
      buy: await one.read(first.media_buy_id),
      delivery: await one.delivered(first.media_buy_id),
      library: (await kit.call('list_creatives')).payload,
      accounts: (await kit.call('list_accounts')).payload,
      pending: await kit.read(pending.media_buy_id),
    };
    await server.restart();
    expect({
      buy: await one.read(first.media_buy_id),
      delivery: await one.delivered(first.media_buy_id),
      library: (await kit.call('list_creatives')).payload,
      accounts: (await kit.call('list_accounts')).payload,
      pending: await kit.read(pending.media_buy_id),
    }).toEqual(before);
  });

  test('answers retries from before it', async () => {
    const server = await boot();
    const request = createRequest();
    const first = succeeded(await server.call('create_media_buy', request));
    server.clock.advance(DAY / 2);
    await server.restart();
    const again = succeeded(await server.call('create_media_buy', request));
    expect(again).toEqual({ ...first, replayed: true });
    const other = await server.call('create_media_buy', { ...request, po_number: 'another' });
    expect(other.payload.code).toBe('IDEMPOTENCY_CONFLICT');
    server.clock.advance(DAY);
    await server.restart();
    expect((await server.call('create_media_buy', request)).payload.code).toBe('IDEMPOTENCY_EXPIRED');
    expect((await server.call('get_media_buys')).payload.media_buys).toHaveLength(1);
  });

  test('catches up with the clock that went on without it', async () => {
    const server = await boot();
    const one = shopper(server);
    const { media_buy_id: id } = await one.create({ start_time: '2030-01-05T00:00:00Z' });
    await server.close();
    server.clock.advance(10 * DAY);
    await server.restart();
    expect((await one.read(id)).status).toBe('active');
    expect((await one.delivered(id)).totals.impressions).toBeGreaterThan(0);
  });
});

describe('readiness', () => {
  const readiness = async (server: { baseUrl: string }) => {
    const answer = await send(`${server.baseUrl}/readyz`, { headers: { host: '10.1.2.3:8080' } });
    return { status: answer.status, body: answer.json() as Record<string, unknown> };
  };

  test('names every part, and writes to the store at most once a second', async () => {
    const server = await boot();
    const { status, body } = await readiness(server);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ready', ill: [], degraded: [] });
    for (const part of ['store', 'disk', 'event_loop', 'keys', 'reload'])
      expect(body[part], part).toMatchObject({ status: 'ok' });
    const { commits } = server.server().app.store.stats();
    await Promise.all(Array.from({ length: 20 }, () => readiness(server)));
    expect(server.server().app.store.stats().commits).toBe(commits);
    server.clock.advance(1000);
    await readiness(server);
    expect(server.server().app.store.stats().commits).toBe(commits + 1);
  });

  test('a store that can be read and not written is ill', async () => {
    const server = await boot();
    const database = new Libsql(path.join(server.dataDir, 'seller-agent.db'));
    database.exec("CREATE TRIGGER sick BEFORE INSERT ON probe BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END");
    const { status, body } = await readiness(server);
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'not_ready', ill: ['store'], store: { status: 'ill' } });
    expect((await server.call('get_products')).isError).toBe(false);
    database.exec('DROP TRIGGER sick');
    database.close();
    server.clock.advance(1000);
    expect((await readiness(server)).status).toBe(200);
    expect(server.log.map(({ level }) => level)).toEqual(['error', 'warn']);
  });

  test('a rejected edit degrades and does not take the server away', async () => {
    const tenants = tenantsFolder();
    const server = await boot({ tenants });
    writeTenant(tenants, '{ "kinds": [');
    await server.server().reload();
    const { status, body } = await readiness(server);
    expect(status).toBe(200);
    expect(body).toMatchObject({ degraded: ['reload'], reload: { status: 'degraded' } });
    writeTenant(tenants, shippedTenant());
    await server.server().reload();
    server.clock.advance(1000);
    expect((await readiness(server)).body).toMatchObject({ degraded: [] });
  });
});

describe('an edit of the tenant files while serving', () => {
  test('is picked up by itself: names, products, keys', async () => {
    const tenants = tenantsFolder();
    const server = await boot({ tenants });
    const edited = shippedTenant();
    const [product] = edited.products;
    edited.products.push({ ...product, product_id: 'brand_new', pricing_options: product?.pricing_options ?? [] });
    edited.principals = [
      ...edited.principals.filter((principal) => principal.id !== 'sandbox-2'),
      { id: 'late', sandbox: true, public_token: 'late-token' },
    ];
    edited.accounts = edited.accounts.filter((account) => account.principal !== 'sandbox-2');
    writeTenant(tenants, edited);
    await vi.waitFor(
      async () => {
        const { products } = succeeded(await server.call('get_products'));
        expect(products.map((each) => each.product_id)).toContain('brand_new');
      },
      { timeout: 50_000, interval: 50 },
    );
    expect((await server.call('get_products', {}, { token: 'late-token' })).isError).toBe(false);
    expect((await server.call('get_products', {}, { token: 'sandbox-token-2' })).status).toBe(401);
    expect(server.log.map((line) => line.level)).toEqual([]);
  });

  test.each([
    ['no JSON', '{ "kinds": ['],
    ['a field that nobody knows', { ...shippedTenant(), prodcuts: [] }],
    ['nothing at all', ''],
  ])('that is %s is rejected: the old files go on serving, and a good one is taken again', async (_what, broken) => {
    const tenants = tenantsFolder();
    const server = await boot({ tenants });
    const before = (await server.call('get_products')).payload;
    writeTenant(tenants, broken);
    await server.server().reload();
    expect((await server.call('get_products')).payload).toEqual(before);
    expect(succeeded(await server.call('create_media_buy', createRequest())).status).toBe('active');
    expect(server.log.filter((line) => line.level === 'error')).toHaveLength(1);
    expect(server.log[0]?.text).toMatch(/sales\.json:\d+/);
    await server.server().reload();
    expect(server.log).toHaveLength(1);
    writeTenant(tenants, { ...shippedTenant(), products: shippedTenant().products.slice(0, 3), proposals: [] });
    await server.server().reload();
    expect(succeeded(await server.call('get_products')).products).toHaveLength(3);
  });

  test('adds and removes whole tenants', async () => {
    const tenants = tenantsFolder();
    const server = await boot({ tenants });
    writeTenant(tenants, shippedTenant(), 'acme/sales');
    await server.server().reload();
    expect((await server.call('list_accounts', {}, { tenant: 'acme/sales' })).isError).toBe(false);
    const { json } = await send(`${server.baseUrl}/readyz`);
    expect(json()).toMatchObject({ tenants: expect.arrayContaining(['sales', 'acme/sales']) });
  });

  test('does not disturb calls that are running', async () => {
    const tenants = tenantsFolder();
    const server = await boot({ tenants });
    const calls = Array.from({ length: 50 }, () => server.call('create_media_buy', createRequest()));
    writeTenant(tenants, { ...shippedTenant(), name: 'Another name' });
    await server.server().reload();
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer.isError)).toEqual([]);
    const { payload } = await server.call('get_media_buys', { pagination: { max_results: 100 } });
    expect(payload.media_buys).toHaveLength(50);
  });
});

describe('limits per principal', () => {
  test('refuse with the seconds to wait, and count reads, writes and principals apart', async () => {
    const limits = { per_second: 0.1, burst: 3 };
    const tenants = tenantsFolder((tenant) => {
      tenant.principals[0] = { ...tenant.principals[0], policies: { rate_limits: { reads: limits, writes: limits } } };
    });
    const server = await boot({ tenants });
    for (let count = 0; count < 3; count += 1) succeeded(await server.call('get_products'));
    const { payload, status, isError } = await server.call('get_products', { context: { a: 1 } });
    expect({ status, isError }).toEqual({ status: 200, isError: true });
    expect(payload).toMatchObject({ code: 'RATE_LIMITED', recovery: 'transient', context: { a: 1 } });
    const [error] = payload.errors;
    expect(error?.retry_after).toBeGreaterThanOrEqual(1);
    expect(error?.retry_after).toBeLessThanOrEqual(3600);
    expect(error?.suggestion).toMatch(/[Ww]ait/);
    expect((await server.call('get_products', {}, { token: 'sandbox-token-2' })).isError).toBe(false);
    const account = { account_id: SANDBOX_ACCOUNT };
    expect((await server.call('create_media_buy', createRequest({ account }))).payload.code).not.toBe('RATE_LIMITED');
  });
});
