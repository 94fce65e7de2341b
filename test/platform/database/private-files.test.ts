import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePrivateDatabase, makePrivateFolder } from '../../../src/platform/database/private-files.js';
import { boot } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';
import { bootRegistry } from '../../kit/registry.js';
import { temporaryFolder } from '../../kit/surroundings.js';

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
/** The modes of a folder and of everything in it. */
const modesOf = (folder: string): Record<string, string> =>
  Object.fromEntries([
    ['', modeOf(folder)],
    ...readdirSync(folder, { recursive: true }).map((name) => [String(name), modeOf(path.join(folder, String(name)))]),
  ]);

describe('private files', () => {
  it('what stood open is closed and named; what is not ours is left alone', () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'keys'));
    const ours = [
      'seller-agent.db',
      'seller-agent.db-wal',
      'registry.db-shm',
      'lock',
      'operator.json',
      'keys/signing.json',
    ];
    for (const name of [...ours, 'notes.txt']) writeFileSync(path.join(folder, name), '');
    for (const name of ['', 'keys', ...ours, 'notes.txt']) chmodSync(path.join(folder, name), 0o755);
    const opened = makePrivateFolder(folder).map((file) => path.relative(folder, file));
    expect(opened.toSorted()).toEqual(['', 'keys', ...ours].toSorted());
    expect(modesOf(folder)).toMatchObject({ '': '700', keys: '700', lock: '700', 'notes.txt': '755' });
    expect(makePrivateFolder(folder)).toEqual([]);
  });

  it('a database and what lies beside it is closed', () => {
    const file = path.join(temporaryFolder(), 'a.db');
    writeFileSync(`${file}-wal`, '', { mode: 0o644 });
    expect(makePrivateDatabase(file)).toEqual([`${file}-wal`]);
    expect([modeOf(file), modeOf(`${file}-wal`)]).toEqual(['600', '600']);
  });
});

describe.each([0o000, 0o022, 0o077])('under umask %o', (umask) => {
  let before = 0;
  beforeEach(() => {
    before = process.umask(umask);
  });
  afterEach(() => {
    process.umask(before);
  });

  it('a seller leaves nothing in its data folder that others may read', async () => {
    const dataDir = path.join(temporaryFolder(), 'data');
    const server = await boot({ dataDir });
    succeeded(await server.call('create_media_buy', createRequest()));
    const modes = modesOf(dataDir);
    expect(Object.keys(modes)).toEqual(
      expect.arrayContaining([
        'seller-agent.db',
        'seller-agent.db-wal',
        'seller-agent.db-shm',
        'lock',
        'operator.json',
      ]),
    );
    expect(
      new Set(Object.entries(modes).map(([name, mode]) => (name === '' || name === 'keys' ? 'folder' : mode))),
    ).toEqual(new Set(['folder', '600']));
    expect([modes[''], modes.keys]).toEqual(['700', '700']);
  });

  it('so does a registry', async () => {
    const dataDir = path.join(temporaryFolder(), 'data');
    const registry = await bootRegistry({ dataDir });
    await registry.member('acme');
    const { '': folder, keys, ...files } = modesOf(dataDir);
    expect([folder, keys]).toEqual(['700', '700']);
    expect(new Set(Object.values(files))).toEqual(new Set(['600']));
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['registry.db', 'registry.db-wal']));
  });
});

it('a data folder that stood open is closed at the start, and the log names what stood open', async () => {
  const dataDir = temporaryFolder();
  const first = await boot({ dataDir });
  await first.close();
  chmodSync(dataDir, 0o755);
  chmodSync(path.join(dataDir, 'seller-agent.db'), 0o644);
  const second = await boot({ dataDir });
  expect(modesOf(dataDir)).toMatchObject({ '': '700', 'seller-agent.db': '600' });
  expect(second.log[0]).toMatchObject({ level: 'warn' });
  expect(JSON.stringify(second.log[0])).toContain('seller-agent.db');
});
