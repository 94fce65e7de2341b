import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { describe, expect, test } from 'vitest';
import { isoTime } from '../../src/platform/kernel/clock.js';
import { ConfigError } from '../../src/platform/kernel/errors.js';
import { type Booted, boot } from '../kit/boot.js';
import { createRequest, freshKey, succeeded } from '../kit/buyer.js';
import { appointment } from '../kit/governance-agent.js';
import { operatorOf } from '../kit/operator.js';
import { type Receiver, startReceiver } from '../kit/receiver.js';
import { packageIds } from '../kit/shopper.js';
import { tenantsFolder } from '../kit/tenants.js';

/** What others entrusted to us, each in its own kind of row. */
const SECRETS = {
  query: 'QuerySecret0123456789',
  token: 'RegistrationToken0123456789',
  hmac: 'HmacSecretOfTheBuyer-0123456789-abcdefgh',
  bearer: 'BearerTokenOfTheBuyer-0123456789-abcdefg',
  governance: 'GovernanceCredentials-0123456789-abcdefgh',
  subscriber: 'SecretOfASubscriber-0123456789-abcdefgh',
} as const;

const pushTo = (receiver: Receiver) => ({
  url: `${receiver.url}/hook?sig=${SECRETS.query}`,
  token: SECRETS.token,
  authentication: { schemes: ['HMAC-SHA256'], credentials: SECRETS.hmac },
});

const reportTo = (receiver: Receiver) => ({
  url: `${receiver.url}/reports?sig=${SECRETS.query}`,
  reporting_frequency: 'daily',
  authentication: { schemes: ['Bearer'], credentials: SECRETS.bearer },
});

/** A seller that asks a person about changes. */
const tenants = () =>
  tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{ tasks: ['update_media_buy'] }] }));

/** Leaves one row of every kind that holds a secret. */
async function entrust(server: Booted, receiver: Receiver): Promise<string> {
  receiver.always(503);
  const callbacks = { push_notification_config: pushTo(receiver), reporting_webhook: reportTo(receiver) };
  // It starts after the answer, so that there is something to tell.
  const start_time = isoTime(server.clock.now() + 300_000);
  const buy = succeeded(await server.call('create_media_buy', createRequest({ ...callbacks, start_time })));
  expect(buy.media_buy_id).toEqual(expect.any(String));
  const change = {
    idempotency_key: freshKey(),
    media_buy_id: buy.media_buy_id,
    revision: buy.revision,
    packages: [{ package_id: packageIds(buy)[0], budget: 9000 }],
    push_notification_config: pushTo(receiver),
  };
  expect(succeeded(await server.call('update_media_buy', change)).status).toBe('submitted');
  const other = { account_id: 'acct_sandbox_2' };
  const second = { token: 'sandbox-token-2' };
  const agent = { url: 'https://governance.buyer.example/mcp', credentials: SECRETS.governance };
  succeeded(await server.call('sync_governance', appointment(agent, other), second));
  const subscriber = {
    subscriber_id: 'audit-bus',
    url: `https://hooks.buyer.example/?sig=${SECRETS.query}`,
    event_types: ['creative.purged'],
    authentication: { schemes: ['HMAC-SHA256'], credentials: SECRETS.subscriber },
    active: false,
  };
  const entry = { account: other, notification_configs: [subscriber] };
  const { accounts } = succeeded(
    await server.call('sync_accounts', { idempotency_key: freshKey(), accounts: [entry] }, second),
  );
  expect(accounts).toMatchObject([{ action: 'updated', notification_configs: [{ subscriber_id: 'audit-bus' }] }]);
  server.clock.advance(600_000);
  await server.server().tick();
  // Changes near each other are gathered for a while.
  server.clock.advance(600_000);
  await server.server().tick();
  await receiver.received(1);
  return String(buy.media_buy_id);
}

/** The bytes of a folder's database, of its write-ahead log and of what else lies beside it. */
function bytesOf(dataDir: string): Buffer {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('seller-agent.db'));
  return Buffer.concat(files.map((name) => readFileSync(path.join(dataDir, name))));
}

function leaked(dataDir: string): readonly string[] {
  const bytes = bytesOf(dataDir);
  return Object.entries(SECRETS).flatMap(([name, secret]) => (bytes.includes(secret) ? [name] : []));
}

const keyFile = (dataDir: string) => path.join(dataDir, 'keys', 'master.json');
const keysOf = (dataDir: string) =>
  (JSON.parse(readFileSync(keyFile(dataDir), 'utf8')) as { keys: { id: string; key: string }[] }).keys;

async function refusal(options: Parameters<typeof boot>[0]): Promise<ConfigError> {
  const error: unknown = await boot(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  return error as ConfigError;
}

describe('secrets of others', () => {
  test('are nowhere in the file or in its log, and are used as they came, after a restart too', async () => {
    const receiver = await startReceiver();
    const server = await boot({ tenants: tenants(), ids: 'system' });
    const id = await entrust(server, receiver);
    expect(bytesOf(server.dataDir).includes(id)).toBe(true);
    expect(statSync(path.join(server.dataDir, 'seller-agent.db-wal')).size).toBeGreaterThan(0);
    expect(leaked(server.dataDir)).toEqual([]);
    await server.restart();
    expect(leaked(server.dataDir)).toEqual([]);
    receiver.always(200);
    const { posts } = receiver;
    const before = posts.length;
    server.clock.advance(3_600_000);
    await server.server().tick();
    await receiver.received(before + 1);
    const post = posts[before];
    expect(post?.path).toBe(`/hook?sig=${SECRETS.query}`);
    expect(post?.json.token).toBe(SECRETS.token);
    expect(post?.headers['x-adcp-signature']).toMatch(/^sha256=/);
    expect(leaked(server.dataDir)).toEqual([]);
    await server.close();
    expect(leaked(server.dataDir)).toEqual([]);
  });

  test('of an earlier version are sealed at the start, and wiped from the file', async () => {
    const receiver = await startReceiver();
    const server = await boot({ tenants: tenants() });
    const id = await entrust(server, receiver);
    await server.close();
    const file = path.join(server.dataDir, 'seller-agent.db');
    const database = new Libsql(file);
    const plain = JSON.stringify({ push_notification_config: pushTo(receiver) });
    database.prepare("UPDATE media_buy SET doc = json_set(doc, '$.callbacks', json(?))").run([plain]);
    const agent = JSON.stringify({ url: 'https://governance.buyer.example/mcp', credentials: SECRETS.governance });
    database.prepare('UPDATE governance_agent SET doc = ?').run([agent]);
    database.prepare('DELETE FROM sealing').run([]);
    database.close();
    expect(leaked(server.dataDir)).toEqual(expect.arrayContaining(['query', 'token', 'hmac', 'governance']));
    const again = await boot({ dataDir: server.dataDir });
    expect(leaked(server.dataDir)).toEqual([]);
    const buy = await again.server().app.store.read.mediaBuys.findAnywhere(id);
    expect(buy?.buy.callbacks).toEqual({ push_notification_config: pushTo(receiver) });
  });
});

describe('the master key', () => {
  test('rotates while the server runs: everything is sealed anew, and the old key leaves the file', async () => {
    const receiver = await startReceiver();
    const server = await boot({ tenants: tenants() });
    const id = await entrust(server, receiver);
    const [old] = keysOf(server.dataDir);
    const rotated = (await operatorOf(server).post('/master-keys', { operation: 'rotate' })).json() as {
      active: string;
      older: string[];
    };
    expect(rotated.older).toEqual([old?.id]);
    expect(keysOf(server.dataDir).map((key) => key.id)).toEqual([old?.id, rotated.active]);
    // A server that ends between has both keys, and goes on.
    await server.restart();
    await server.server().tick();
    expect(server.server().app.store.sealing.state).toEqual({ active: rotated.active, older: [], isComplete: true });
    expect(keysOf(server.dataDir).map((key) => key.id)).toEqual([rotated.active]);
    await server.restart();
    expect(bytesOf(server.dataDir).includes(`sealed:${rotated.active}:`)).toBe(true);
    const stored = await server.server().app.store.read.mediaBuys.findAnywhere(id);
    expect(stored?.buy.callbacks).toMatchObject({ push_notification_config: pushTo(receiver) });
    const { store } = server.server().app;
    expect(await store.read.governance.findAgent('sales#sandbox-2', 'acct_sandbox_2')).toMatchObject({
      credentials: SECRETS.governance,
    });
    expect(await store.read.subscribers.list('sales#sandbox-2', 'acct_sandbox_2')).toMatchObject([
      { authentication: { credentials: SECRETS.subscriber } },
    ]);
  });

  test('that is lost, or another, is a refusal to start that says what to do', async () => {
    const receiver = await startReceiver();
    const server = await boot({ tenants: tenants() });
    await entrust(server, receiver);
    await server.close();
    const { dataDir } = server;
    const good = readFileSync(keyFile(dataDir));
    const [key] = keysOf(dataDir);
    rmSync(keyFile(dataDir));
    const lost = await refusal({ dataDir });
    expect(lost.message).toContain(`master key ${key?.id}, which is not here`);
    expect(lost.message).toContain('SELLER_AGENT_MASTER_KEY');
    expect(existsSync(keyFile(dataDir))).toBe(false);
    const stranger = Buffer.alloc(32, 7).toString('base64');
    expect((await refusal({ dataDir, env: { SELLER_AGENT_MASTER_KEY: stranger } })).message).toContain(`${key?.id}`);
    writeFileSync(keyFile(dataDir), '{}');
    expect((await refusal({ dataDir })).message).toContain('no master keys');
    expect((await refusal({ dataDir, env: { SELLER_AGENT_MASTER_KEY: 'short' } })).message).toMatch(/32 bytes/);
    writeFileSync(keyFile(dataDir), good);
    await boot({ dataDir });
  });

  test('may come from the environment, and rotates by naming the new one first', async () => {
    const receiver = await startReceiver();
    const [first, next] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const server = await boot({ tenants: tenants(), env: { SELLER_AGENT_MASTER_KEY: `${first}` } });
    await entrust(server, receiver);
    expect(existsSync(keyFile(server.dataDir))).toBe(false);
    const refused = await operatorOf(server).post('/master-keys', { operation: 'rotate' });
    expect(refused.text).toContain('<new key>,<old key>');
    const { active: before } = server.server().app.store.sealing.state;
    await server.close();
    const { dataDir } = server;
    const moved = await boot({ dataDir, tenants: tenants(), env: { SELLER_AGENT_MASTER_KEY: `${next},${first}` } });
    await moved.server().tick();
    expect(moved.log.map(({ text }) => text).join()).toContain('sealed with the new master key');
    await moved.close();
    const alone = await boot({ dataDir, tenants: tenants(), env: { SELLER_AGENT_MASTER_KEY: `${next}` } });
    expect(alone.server().app.store.sealing.state.active).not.toBe(before);
    expect((await alone.call('list_accounts')).isError).toBe(false);
  });
});
