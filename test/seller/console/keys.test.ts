import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/platform/kernel/canonical.js';
import { boot } from '../../kit/boot.js';
import { consoleAs, localConsole } from '../../kit/console.js';
import { operatorOf } from '../../kit/operator.js';
import { addLivePrincipal, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';

const DAY = 86_400_000;

/** A seller whose tenant file has a remark, and somebody with a role at its console. */
async function withKeys(role: 'operate' | 'admin' = 'admin') {
  const tenants = tenantsFolder((tenant) => Object.assign(tenant, { $comment: 'Ask Ada before you edit this.' }));
  const server = await boot({ tenants, ids: 'system' });
  const client = await consoleAs(server, role);
  const file = () => readFileSync(path.join(tenants, 'sales.json'), 'utf8');
  const isLetIn = async (token: string) =>
    !(await server.call('get_products', { buying_mode: 'wholesale' }, { token })).isError;
  const make = async () => {
    const { text } = await client.post('/console/buyers/keys/new', { tenant: 'sales', principal: 'new-buyer' });
    return /<pre[^>]*>(live-[^<]+)<\/pre>/.exec(text)?.[1] ?? '';
  };
  return { server, client, file, isLetIn, make };
}

test('A key that the console makes is shown once, opens the tenant at once, and is nowhere else', async () => {
  const { client, file, make, server } = await withKeys();
  const key = await make();
  expect(key).toMatch(/^live-/);
  expect(server.server().app.sellers().get('sales')?.principals.get(sha256Hex(key))?.id).toBe('new-buyer');
  expect(file()).toContain('Ask Ada before you edit this.');
  expect(file()).not.toContain(key);
  expect((await client.get('/console/buyers')).text).not.toContain(key);
  const [entry] = await server.server().app.store.read.audit.list({ limit: 1, after: undefined }, {});
  expect([entry?.actor, entry?.action, entry?.subject]).toEqual(['admin-person', 'key.new', 'sales#new-buyer']);
  expect(JSON.stringify(entry)).not.toContain(key);
});

test('A key that is revoked after a question, or has expired, opens nothing', async () => {
  const { client, isLetIn, make, server } = await withKeys();
  const [first, second] = [await make(), await make()];
  expect([await isLetIn(first), await isLetIn(second)]).toEqual([true, true]);
  const named = (key: string) => ({ tenant: 'sales', principal: 'new-buyer', key: sha256Hex(key).slice(0, 8) });
  expect((await client.post('/console/buyers/keys/revoke', named(first))).text).toContain('Revoke this key?');
  expect(await isLetIn(first)).toBe(true);
  await client.post('/console/buyers/keys/revoke', { ...named(first), confirmed: 'yes' });
  const day = new Date(server.clock.now() + DAY).toISOString().slice(0, 10);
  await client.post('/console/buyers/keys/expire', { ...named(second), expires_at: day });
  expect([await isLetIn(first), await isLetIn(second)]).toEqual([false, true]);
  server.clock.advance(2 * DAY);
  expect(await isLetIn(second)).toBe(false);
});

test('Keys are changed by admins alone, and by the command line through the server of the files', async () => {
  const { client, file, make, server } = await withKeys('operate');
  const before = file();
  expect(await make()).toBe('');
  expect((await client.get('/console/buyers')).text).not.toContain('Make a key');
  expect(file()).toBe(before);
  const answer = await operatorOf(server).post('/tenant-keys', { operation: 'new', tenant: 'sales', principal: 'x' });
  expect((answer.json() as { key: string }).key).toMatch(/^live-/);
  const [entry] = await server.server().app.store.read.audit.list({ limit: 1, after: undefined }, {});
  expect([entry?.actor, entry?.action, entry?.subject]).toEqual(['command line', 'key.new', 'sales#x']);
});

describe('the last use of a key', () => {
  test('is shown beside it, to the minute, also after a restart', async () => {
    const server = await boot({ tenants: tenantsFolder(addLivePrincipal) });
    const client = await localConsole(server);
    expect((await client.get('/console/buyers')).text).toContain('not used yet');
    await server.call('get_products', { buying_mode: 'wholesale' }, { token: LIVE_TOKEN });
    await server.server().tick();
    server.clock.advance(3 * 3_600_000);
    await server.restart();
    const { text } = await (await localConsole(server)).get('/console/buyers');
    expect(text).toMatch(/<small>used <time [^>]*>3 hours ago<\/time><\/small>/);
  });
});
