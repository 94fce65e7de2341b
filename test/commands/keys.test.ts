import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashKey, listKeys, newKey } from '../../src/commands/keys.js';
import { inspectTenants } from '../../src/seller/config/load.js';
import { folderWith, LIVE_DIGEST, optionsFor, validTenant } from '../seller/config/fixture.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const randomKey = () => 'fresh-and-random';

async function tenantFolder(content: unknown = validTenant()) {
  const tenantsDir = await folderWith({ 'acme/sales.json': content });
  const file = join(tenantsDir, 'acme', 'sales.json');
  return { tenantsDir, read: () => readFile(file, 'utf8'), before: await readFile(file, 'utf8') };
}

describe('keys new', () => {
  test('a principal that exists keeps its key and gets another', async () => {
    const { tenantsDir, read } = await tenantFolder();
    const text = await newKey({ tenantsDir }, { tenantPath: 'acme/sales', principalId: 'alice', randomKey });
    expect(text).toContain('live-fresh-and-random');
    const after = await read();
    expect(after).not.toContain('fresh-and-random');
    const expected = validTenant();
    expected.principals[0].key = [{ sha256: LIVE_DIGEST }, { sha256: sha256('live-fresh-and-random') }];
    expect(JSON.parse(after)).toEqual(expected);
    expect((await inspectTenants(optionsFor(tenantsDir))).problems).toEqual([]);
  });

  test('a third key joins the list', async () => {
    const { tenantsDir, read } = await tenantFolder();
    for (const number of [1, 2]) {
      await newKey(
        { tenantsDir },
        { tenantPath: 'acme/sales', principalId: 'alice', randomKey: () => `key-${number}` },
      );
    }
    expect(JSON.parse(await read()).principals[0].key).toEqual([
      { sha256: LIVE_DIGEST },
      { sha256: sha256('live-key-1') },
      { sha256: sha256('live-key-2') },
    ]);
  });

  test('a new principal is added at the end, as a sandbox one when asked', async () => {
    const { tenantsDir, read } = await tenantFolder();
    await newKey({ tenantsDir }, { tenantPath: '/acme/sales', principalId: 'carol', sandbox: true, randomKey });
    const { principals } = JSON.parse(await read());
    expect(principals).toHaveLength(3);
    expect(principals[2]).toEqual({ id: 'carol', sandbox: true, key: { sha256: sha256('sandbox-fresh-and-random') } });
    expect((await inspectTenants(optionsFor(tenantsDir))).problems).toEqual([]);
  });

  test('a file without principals gets them', async () => {
    const { tenantsDir, read } = await tenantFolder({ kinds: ['sales'], name: 'Empty' });
    await newKey({ tenantsDir }, { tenantPath: 'acme/sales', principalId: 'first', randomKey });
    expect(JSON.parse(await read()).principals).toEqual([
      { id: 'first', key: { sha256: sha256('live-fresh-and-random') } },
    ]);
  });

  test('every other line stays as a person wrote it', async () => {
    const written = JSON.stringify(validTenant(), null, 2).replace(
      /\[\s+"one\.example",\s+"two\.example"\s+\]/,
      '[ "one.example",   "two.example" ]',
    );
    const { tenantsDir, read, before } = await tenantFolder(written);
    expect(before).toContain('[ "one.example",   "two.example" ]');
    await newKey({ tenantsDir }, { tenantPath: 'acme/sales', principalId: 'carol', randomKey });
    const after = (await read()).split('\n');
    const unchanged = before.split('\n').filter((line) => line.trim() !== '}' && line.trim() !== '},');
    expect(after).toEqual(expect.arrayContaining(unchanged));
    expect(after.length - before.split('\n').length).toBe(6);
    expect(after).toContain('      "id": "carol",');
  });

  test.each([
    ['an unknown tenant', { tenantPath: 'sales', principalId: 'alice' }, /no tenant "sales"\n.*acme\/sales/],
    ['an impossible id', { tenantPath: 'acme/sales', principalId: 'a b' }, /cannot be the id/],
    [
      'a sandbox key for a live principal',
      { tenantPath: 'acme/sales', principalId: 'alice', sandbox: true },
      /is a live principal/,
    ],
  ])('%s is refused and nothing is written', async (_what, wanted, says) => {
    const { tenantsDir, read, before } = await tenantFolder();
    await expect(newKey({ tenantsDir }, { ...wanted, randomKey })).rejects.toThrow(says);
    expect(await read()).toBe(before);
  });

  test.each(['{ "principals": {} }', '{ "kinds": [', '[]'])('%s is not touched', async (content) => {
    const { tenantsDir, read } = await tenantFolder(content);
    await expect(newKey({ tenantsDir }, { tenantPath: 'acme/sales', principalId: 'a', randomKey })).rejects.toThrow(
      /fix: /,
    );
    expect(await read()).toBe(content);
  });
});

test('keys list names ways, never secrets', async () => {
  const tenant = validTenant();
  tenant.principals.push({ id: 'carol', key: [{ env: 'TEST_API_KEY' }, { env: 'ABSENT' }] }, { id: 'dave' });
  const { tenantsDir } = await tenantFolder(tenant);
  const text = await listKeys({ tenantsDir }, { TEST_API_KEY: 'the-secret-itself' });
  expect(text.split('\n')).toEqual([
    '/acme/sales/mcp',
    `  alice  live  a key with hash ${LIVE_DIGEST.slice(0, 8)}…`,
    '  bob  sandbox  a public token',
    '  carol  live  the environment variable TEST_API_KEY, the environment variable ABSENT (not set)',
    '  dave  live  no credential',
  ]);
  expect(text).not.toContain('the-secret-itself');
});

test('keys hash gives what a tenant file wants', () => {
  expect(hashKey('a key\n')).toBe(`{"sha256": "${sha256('a key')}"}`);
  expect(() => hashKey(' \n')).toThrow(/no key/);
});
