import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../../src/platform/kernel/log.js';
import { openServerStore, openSharedServerStore } from '../../../../src/registry/server/store/server-store.js';
import { freshDatabase } from '../../../kit/postgres.js';
import { temporaryFolder } from '../../../kit/surroundings.js';

const publisher = (name: string) => ({ domain: name, standing: 'open', adagents_valid: null }) as const;

/** Opens the store on a database with its file, does something, closes it, and returns the publishers that the file has then. */
async function withStore(
  url: string,
  file: string,
  action: (store: Awaited<ReturnType<typeof openSharedServerStore>>) => Promise<unknown> = async () => undefined,
): Promise<readonly string[]> {
  const store = await openSharedServerStore(url, { file, processId: 'p', log: createLog('silent') });
  await action(store);
  await store.close();
  return publishersIn(file);
}

async function publishersIn(file: string): Promise<readonly string[]> {
  const stored = openServerStore(file);
  const publishers = await stored.read.publisher.page('', 100);
  await stored.close();
  return publishers.map(({ domain }) => domain);
}

/** Puts a publisher into the file alone: a file that is made anew does not have it. */
async function markFile(file: string): Promise<void> {
  const stored = openServerStore(file);
  await stored.transact((tx) => tx.publisher.put(publisher('mark')));
  await stored.close();
}

const put =
  (...names: readonly string[]) =>
  (store: Pick<Awaited<ReturnType<typeof openSharedServerStore>>, 'transact'>) =>
    store.transact(async (tx) => {
      for (const name of names) await tx.publisher.put(publisher(name));
    });

describe('the copy of a shared store that a process looks authorizations up in', () => {
  it('goes on at the next start where it was, with what others changed meanwhile', async () => {
    const url = await freshDatabase();
    const [file, other] = ['one', 'two'].map((name) => path.join(temporaryFolder(), `${name}.db`)) as [string, string];
    expect(await withStore(url, file, put('a', 'b'))).toEqual(['a', 'b']);
    await markFile(file);
    await withStore(url, other, async (store) => {
      await put('c')(store);
      await store.transact((tx) => tx.publisher.remove('a'));
    });
    expect(await withStore(url, file)).toEqual(['b', 'c', 'mark']);
    expect(await withStore(url, file)).toEqual(['b', 'c', 'mark']);
  });

  it('is made anew where the log does not go back to it', async () => {
    const url = await freshDatabase();
    const file = path.join(temporaryFolder(), 'replica.db');
    await withStore(url, file, put('a'));
    await markFile(file);
    await withStore(url, path.join(temporaryFolder(), 'other.db'), put('b', 'c'));
    const client = new pg.Client(url);
    await client.connect();
    await client.query('DELETE FROM store_change WHERE seq < (SELECT max(seq) FROM store_change)');
    await client.end();
    expect(await withStore(url, file)).toEqual(['a', 'b', 'c']);
  });

  it('is made anew of another database, though the log of that has a change of the same number', async () => {
    const file = path.join(temporaryFolder(), 'replica.db');
    await withStore(await freshDatabase(), file, put('a', 'b'));
    const url = await freshDatabase();
    await withStore(url, path.join(temporaryFolder(), 'other.db'), put('x', 'y', 'z'));
    expect(await withStore(url, file)).toEqual(['x', 'y', 'z']);
  });

  it.each([
    ['is damaged', 'SQLite format 3\0 and then nothing of it'.padEnd(8192, 'x')],
    ['is no database', 'some text'],
    ['is empty, as one is whose making was broken off', ''],
  ])('is made anew where the file %s', async (_what, content) => {
    const url = await freshDatabase();
    const file = path.join(temporaryFolder(), 'replica.db');
    await withStore(url, file, put('a'));
    writeFileSync(file, content);
    expect(await withStore(url, file)).toEqual(['a']);
  });
});
