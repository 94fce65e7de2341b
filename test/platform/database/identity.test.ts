import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';
import { bootRegistry } from '../../kit/registry.js';
import { temporaryFolder } from '../../kit/surroundings.js';

const END = '2030-03-01T00:00:00Z';

/** A data folder with a buy in it, whose server has ended. */
async function stopped(): Promise<{ readonly folder: string; readonly database: string; readonly server: Booted }> {
  const server = await boot({ dataDir: temporaryFolder('seller-agent-identity-'), ids: 'system' });
  succeeded(await server.call('create_media_buy', createRequest({ end_time: END })));
  await server.close();
  return { folder: server.dataDir, database: path.join(server.dataDir, 'seller-agent.db'), server };
}

const start = (dataDir: string) => boot({ dataDir, ids: 'system' });

describe('a server refuses to start on', () => {
  it('keys whose database is gone, and begins nothing in its place', async () => {
    const { database, folder } = await stopped();
    for (const ending of ['', '-wal', '-shm']) rmSync(`${database}${ending}`, { force: true });
    await expect(start(folder)).rejects.toThrow(/the database is gone.*restore a backup/s);
    expect(existsSync(database)).toBe(false);
    rmSync(path.join(folder, 'keys', 'databases.json'));
    await expect(start(folder)).rejects.toThrow(/the database is gone/);
    renameSync(path.join(folder, 'keys'), path.join(folder, 'old-keys'));
    await start(folder);
  });

  it('a database that was cut to nothing', async () => {
    const { database, folder } = await stopped();
    truncateSync(database, 0);
    await expect(start(folder)).rejects.toThrow(/the database is gone/);
  });

  it('a database whose log was cut or removed after a power cut, or that is an older copy', async () => {
    const { database, folder } = await stopped();
    const older = readFileSync(database);
    const running = await boot({ dataDir: folder, ids: 'system' });
    succeeded(await running.call('create_media_buy', createRequest({ end_time: END })));
    /** The data folder as a power cut left it, but for what is done to a file of the database. */
    const crashed = (ending: string, bend: (bytes: Buffer) => Buffer): string => {
      const copy = temporaryFolder('seller-agent-cut-');
      // Without the lock, and without what lay in the memory of the machine.
      cpSync(folder, copy, { recursive: true, filter: (file) => !/lock$|-shm$/.test(file) });
      const bent = path.join(copy, `seller-agent.db${ending}`);
      writeFileSync(bent, bend(readFileSync(bent)));
      return copy;
    };
    const folders = {
      whole: crashed('-wal', (bytes) => bytes),
      cut: crashed('-wal', (bytes) => bytes.subarray(0, -100)),
      none: crashed('-wal', () => Buffer.alloc(0)),
      damaged: crashed('-wal', (bytes) => bytes.fill(0x5a, 32, 100)),
    };
    await running.close();
    const back = temporaryFolder('seller-agent-older-');
    cpSync(folder, back, { recursive: true, filter: (file) => !/lock$/.test(file) });
    writeFileSync(path.join(back, 'seller-agent.db'), older);

    await (await start(folders.whole)).close();
    for (const one of [folders.cut, folders.none, folders.damaged, back]) {
      await expect(start(one)).rejects.toThrow(/the last \d+ commits are missing.*Restore a backup/s);
    }
    // The operator decides to go on without them.
    rmSync(path.join(back, 'seller-agent.db-commits'));
    await (await start(back)).close();
  });

  it('the database of another data folder, and changes nothing in it', async () => {
    const [one, other] = [await stopped(), await stopped()];
    cpSync(other.database, one.database);
    await expect(start(one.folder)).rejects.toThrow(/this is another database.*Put the right database back/s);
    await start(other.folder);
  });

  it('the keys of another data folder', async () => {
    const [one, other] = [await stopped(), await stopped()];
    rmSync(path.join(one.folder, 'keys'), { recursive: true });
    cpSync(path.join(other.folder, 'keys'), path.join(one.folder, 'keys'), { recursive: true });
    await expect(start(one.folder)).rejects.toThrow(/this is another database/);
  });

  it('a lock that is garbage', async () => {
    const { folder } = await stopped();
    writeFileSync(path.join(folder, 'lock'), 'garbage'.repeat(2000));
    await expect(start(folder)).rejects.toThrow(/not the lock of a data folder.*remove the file "lock"/s);
    rmSync(path.join(folder, 'lock'));
    mkdirSync(path.join(folder, 'lock'));
    await expect(start(folder)).rejects.toThrow(/not the lock of a data folder/);
  });

  it('a database of a newer version', async () => {
    const { database, folder } = await stopped();
    const opened = new Libsql(database);
    opened.exec('INSERT INTO migration SELECT max(number) + 1 FROM migration');
    opened.close();
    await expect(start(folder)).rejects.toThrow(/newer version of seller-agent.*Run that version/s);
  });

  it('a file that is no database, and one that is damaged in its middle', async () => {
    const { database, folder } = await stopped();
    const bytes = readFileSync(database);
    writeFileSync(database, 'garbage'.repeat(20_000));
    await expect(start(folder)).rejects.toThrow(/no database.*Restore a backup/s);
    bytes.fill(0x5a, 8 * 4096, 40 * 4096);
    writeFileSync(database, bytes);
    await expect(start(folder)).rejects.toThrow(/damaged.*Restore a backup|cannot be opened/s);
  });
});

describe('a data folder of an earlier version', () => {
  it('gets an identity for its database', async () => {
    const { database, folder } = await stopped();
    rmSync(path.join(folder, 'keys', 'databases.json'));
    const opened = new Libsql(database);
    opened.exec('DROP TABLE identity');
    opened.close();
    await (await start(folder)).close();
    expect(existsSync(path.join(folder, 'keys', 'databases.json'))).toBe(true);
  });
});

describe('a registry', () => {
  const ended = async (dataDir: string) => (await bootRegistry({ dataDir })).close();

  it('notices that its database is gone, or another one', async () => {
    const [one, other] = [temporaryFolder('registry-'), temporaryFolder('registry-')];
    await ended(one);
    await ended(other);
    cpSync(path.join(other, 'registry.db'), path.join(one, 'registry.db'));
    await expect(ended(one)).rejects.toThrow(/this is another database/);
    rmSync(path.join(one, 'registry.db'));
    await expect(ended(one)).rejects.toThrow(/the database is gone/);
  });
});

it('a server whose database is moved away accepts nothing until it is back', async () => {
  const server = await boot({ dataDir: temporaryFolder('seller-agent-moved-'), ids: 'system' });
  const database = path.join(server.dataDir, 'seller-agent.db');
  const order = createRequest({ end_time: END });
  renameSync(database, `${database}-away`);
  expect(await server.call('create_media_buy', order)).toMatchObject({ isError: true });
  renameSync(`${database}-away`, database);
  succeeded(await server.call('create_media_buy', order));
});
