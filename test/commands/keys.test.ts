import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashKey, listKeys, operateKeys } from '../../src/commands/keys.js';
import type { KeyOperation } from '../../src/seller/config/keys/operate-keys.js';
import { inspectTenants } from '../../src/seller/config/load.js';
import { folderWith, LIVE_DIGEST, optionsFor, validTenant } from '../seller/config/fixture.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const randomKey = () => 'fresh-and-random';
const NOW = '2026-11-26T00:00:00.000Z';

type Wanted = {
  readonly tenantPath: string;
  readonly principalId: string;
  readonly sandbox?: boolean;
  readonly randomKey?: () => string;
};

const operate = (tenantsDir: string, operation: KeyOperation, random = randomKey) =>
  operateKeys({ tenantsDir, dataDir: tenantsDir, hasExampleTenants: false }, operation, {
    nowIso: () => NOW,
    randomKey: random,
  });

const newKey = ({ tenantsDir }: { readonly tenantsDir: string }, wanted: Wanted) => {
  const { principalId: principal, sandbox, tenantPath: tenant } = wanted;
  return operate(tenantsDir, { operation: 'new', tenant, principal, sandbox }, wanted.randomKey);
};

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
    ['an unknown tenant', { tenantPath: 'sales', principalId: 'alice' }, /no tenant "sales"/],
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
      /It is not done: /,
    );
    expect(await read()).toBe(content);
  });
});

describe('keys revoke and keys expire', () => {
  const alice = { tenant: 'acme/sales', principal: 'alice' };
  const old = LIVE_DIGEST.slice(0, 8);

  test('one of two keys goes, and the other stays as it was', async () => {
    const { tenantsDir, read, before } = await tenantFolder();
    await operate(tenantsDir, { operation: 'new', ...alice });
    expect(await operate(tenantsDir, { operation: 'revoke', ...alice, key: old })).toContain('opens nothing any more');
    const { principals } = JSON.parse(await read());
    expect(principals[0].key).toEqual([{ sha256: sha256('live-fresh-and-random') }]);
    expect(principals.slice(1)).toEqual(JSON.parse(before).principals.slice(1));
    expect((await inspectTenants(optionsFor(tenantsDir))).problems).toEqual([]);
  });

  test('the last key of a principal stays in the file as one that has expired', async () => {
    const { tenantsDir, read } = await tenantFolder();
    await operate(tenantsDir, { operation: 'revoke', ...alice, key: old });
    expect(JSON.parse(await read()).principals[0].key).toEqual({ sha256: LIVE_DIGEST, expires_at: NOW });
    expect((await inspectTenants(optionsFor(tenantsDir))).problems).toEqual([]);
  });

  test('a key expires on a day, and the list says so', async () => {
    const { tenantsDir } = await tenantFolder();
    await operate(tenantsDir, { operation: 'expire', ...alice, key: old, expires_at: '2026-12-31' });
    expect(await listKeys({ tenantsDir }, {})).toContain(`${old}… (until 2026-12-31T00:00:00Z)`);
  });

  test.each([
    ['a key that nobody has', { ...alice, key: '00000000' }, /names no key/],
    ['too few digits', { ...alice, key: LIVE_DIGEST.slice(0, 7) }, /names no key/],
    ['an unknown principal', { ...alice, principal: 'eve', key: old }, /no principal "eve"/],
  ])('%s is refused and nothing is written', async (_what, named, says) => {
    const { tenantsDir, read, before } = await tenantFolder();
    await expect(operate(tenantsDir, { operation: 'revoke', ...named })).rejects.toThrow(says);
    expect(await read()).toBe(before);
  });

  test('a day that is none is refused', async () => {
    const { tenantsDir, read, before } = await tenantFolder();
    const expire = operate(tenantsDir, { operation: 'expire', ...alice, key: old, expires_at: 'soon' });
    await expect(expire).rejects.toThrow(/cannot be read/);
    expect(await read()).toBe(before);
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
