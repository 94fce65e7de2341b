import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkBackup, readBackup, writeBackup } from '../../../src/commands/backup.js';
import { restoreBackup } from '../../../src/platform/database/backup/restore.js';
import { resolveSettings, type Settings } from '../../../src/seller/config/settings.js';
import { boot } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';
import { bootRegistry } from '../../kit/registry.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';

const END = '2030-03-01T00:00:00Z';
const CONTEXT = { now: () => Date.parse('2030-01-01T00:00:00Z'), version: '1.2.3' };

const fresh = () => path.join(temporaryFolder('seller-agent-backup-'), 'new');

function settingsOf(data: string, store?: string): Promise<Settings> {
  const flags = { data, ...(store === undefined ? {} : { store }) };
  return resolveSettings({ flags, env: {}, cwd: temporaryFolder(), packageRoot: PROJECT });
}

const backUp = async (data: string, folder: string, withoutKeys = false) =>
  writeBackup(CONTEXT, { settings: await settingsOf(data), folder }, withoutKeys);
const restore = async (folder: string, data: string) => readBackup({ settings: await settingsOf(data), folder });

/** A running server with a buy that was acknowledged, and how to find that again. */
async function selling() {
  const server = await boot({ ids: 'system' });
  const order = createRequest({ end_time: END });
  const { media_buy_id } = succeeded(await server.call('create_media_buy', order));
  return { server, order, media_buy_id };
}

describe('a restore drill', () => {
  it('brings back what a running server had acknowledged, with its keys, and goes on from there', async () => {
    const { media_buy_id, order, server } = await selling();
    const backup = fresh();
    expect(await backUp(server.dataDir, backup)).toMatch(/seller-agent\.db: \d+ rows in \d+ tables\nIt holds the keys/);
    const later = succeeded(await server.call('create_media_buy', createRequest({ end_time: END })));
    expect(await checkBackup(backup)).toMatchObject({ ok: true });
    const published = await (await fetch(`${server.baseUrl}/.well-known/jwks.json`)).json();
    await server.close();

    const dataDir = fresh();
    expect(await restore(backup, dataDir)).toContain(`It is restored in ${dataDir}.`);
    const restored = await boot({ dataDir, ids: 'system' });
    const listed = succeeded(await restored.call('get_media_buys', { media_buy_ids: [media_buy_id] }));
    expect(listed.media_buys).toHaveLength(1);
    // Its idempotency key as well: a retry is a replay and no second buy.
    expect(succeeded(await restored.call('create_media_buy', order))).toMatchObject({ media_buy_id, replayed: true });
    expect((await restored.call('get_media_buys', { media_buy_ids: [later.media_buy_id] })).payload.media_buys).toEqual(
      [],
    );
    expect(await (await fetch(`${restored.baseUrl}/.well-known/jwks.json`)).json()).toEqual(published);
  });

  it('of a backup without keys needs the keys in place, and those of this database', async () => {
    const { media_buy_id, server } = await selling();
    const backup = fresh();
    expect(await backUp(server.dataDir, backup, true)).toContain('The keys are not in it');
    expect(existsSync(path.join(backup, 'keys'))).toBe(false);
    await server.close();
    for (const ending of ['', '-wal', '-shm', '-commits'])
      rmSync(path.join(server.dataDir, `seller-agent.db${ending}`), { force: true });
    await restore(backup, server.dataDir);
    const restored = await boot({ dataDir: server.dataDir, ids: 'system' });
    expect(succeeded(await restored.call('get_media_buys', { media_buy_ids: [media_buy_id] })).media_buys).toHaveLength(
      1,
    );
  });

  it('of a registry brings back its organizations and their keys', async () => {
    const registry = await bootRegistry();
    const { org_id } = await registry.member('acme');
    const backup = fresh();
    await backUp(registry.dataDir, backup);
    await registry.close();
    const dataDir = fresh();
    await restore(backup, dataDir);
    const restored = await bootRegistry({ dataDir });
    const store = restored.server().registry.store.read;
    expect(await store.organization.find(org_id)).toMatchObject({ slug: 'acme' });
    expect(await store.api_key.listByScope(org_id, '', 10)).toHaveLength(1);
  });
});

describe('a backup', () => {
  it('is closed to others, and holds neither lock nor operator’s token', async () => {
    const { server } = await selling();
    const backup = fresh();
    await backUp(server.dataDir, backup);
    expect(statSync(backup).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(backup, 'seller-agent.db')).mode & 0o777).toBe(0o600);
    for (const name of ['lock', 'operator.json', 'seller-agent.db-wal'])
      expect(existsSync(path.join(backup, name))).toBe(false);
  });

  it('is written into an empty folder outside of the data folder only', async () => {
    const { server } = await selling();
    const taken = temporaryFolder();
    writeFileSync(path.join(taken, 'holiday.jpg'), 'x');
    await expect(backUp(server.dataDir, taken)).rejects.toThrow(/not empty/);
    await expect(backUp(server.dataDir, path.join(server.dataDir, 'backup'))).rejects.toThrow(
      /cannot lie in the data folder/,
    );
    const data = temporaryFolder();
    writeFileSync(path.join(data, 'holiday.jpg'), 'x');
    const backup = fresh();
    await expect(backUp(data, backup)).rejects.toThrow(/no database in this data folder/);
    expect(existsSync(backup)).toBe(false);
  });

  it.each([
    ['a byte of the database was changed', (file: string) => flip(file), /seller-agent\.db: the file was changed/],
    [
      'the database was cut',
      (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 9000)),
      /bytes, and had/,
    ],
    ['the database is missing', (file: string) => rmSync(file), /seller-agent\.db: the file is missing/],
    ['a stranger’s file lies in it', (file: string) => writeFileSync(`${file}.txt`, 'x'), /did not write this file/],
  ])('is refused when %s', async (_what, harm, says) => {
    const { server } = await selling();
    const backup = fresh();
    await backUp(server.dataDir, backup);
    harm(path.join(backup, 'seller-agent.db'));
    const checked = await checkBackup(backup);
    expect(checked).toMatchObject({ ok: false, text: expect.stringMatching(says) });
    const target = fresh();
    await expect(restore(backup, target)).rejects.toThrow(/not whole/);
    expect(existsSync(path.join(target, 'seller-agent.db'))).toBe(false);
  });

  it('that was not finished is none', async () => {
    const { server } = await selling();
    const backup = fresh();
    await backUp(server.dataDir, backup);
    renameSync(path.join(backup, 'backup.json'), path.join(backup, 'backup.json.new'));
    await expect(checkBackup(backup)).rejects.toThrow(/no finished backup/);
  });

  it('names no file outside of its folder', async () => {
    const { server } = await selling();
    const backup = fresh();
    await backUp(server.dataDir, backup);
    const file = path.join(backup, 'backup.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"seller-agent.db"', '"../../seller-agent.db"'));
    await expect(restore(backup, fresh())).rejects.toThrow(/not known here/);
  });
});

describe('a restore', () => {
  it('of a newer version is refused before anything is written', async () => {
    const { server } = await selling();
    const [backup, dataDir] = [fresh(), fresh()];
    await backUp(server.dataDir, backup);
    const older = { dataDir, elsewhere: {}, migrations: { 'seller-agent.db': 3 } };
    await expect(restoreBackup(backup, older)).rejects.toThrow(/newer version of seller-agent.*Run that version/s);
    expect(existsSync(dataDir)).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)(
    'of root belongs to whom the folder does, so that its server can start',
    async () => {
      const { server } = await selling();
      const [backup, dataDir] = [fresh(), fresh()];
      await backUp(server.dataDir, backup);
      mkdirSync(dataDir, { mode: 0o700 });
      chownSync(dataDir, 61_234, 61_234);
      await restore(backup, dataDir);
      const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
      expect(files).toEqual(expect.arrayContaining(['keys', 'seller-agent.db']));
      expect(files.filter((name) => statSync(path.join(dataDir, name)).uid !== 61_234)).toEqual([]);
    },
  );

  it('writes over nothing, and not beside a running server', async () => {
    const { server } = await selling();
    const backup = fresh();
    await backUp(server.dataDir, backup);
    await expect(restore(backup, server.dataDir)).rejects.toThrow(/another seller-agent is running/);
    await server.close();
    await expect(restore(backup, server.dataDir)).rejects.toThrow(/not empty.*nothing is written over/s);
  });

  it('that fails takes back what it had written, so that it can be done again', async () => {
    const { server } = await selling();
    const backup = fresh();
    await backUp(server.dataDir, backup);
    await server.close();
    const [dataDir, file] = [fresh(), path.join(temporaryFolder(), 'file')];
    writeFileSync(file, 'x');
    const elsewhere = { 'seller-agent.db': path.join(file, 'seller-agent.db') };
    await expect(restoreBackup(backup, { dataDir, elsewhere, migrations: {} })).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(await restore(backup, dataDir)).toContain(`It is restored in ${dataDir}.`);
  });
});

function flip(file: string): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(5000) ^ 1, 5000);
  writeFileSync(file, bytes);
}
