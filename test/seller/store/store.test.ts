import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/seller/store/store.js';
import { buyCalled, freshFile, openTestStore } from './fixture.js';

/** The embedded engine runs transactions one after the other and commits them in groups. */
const embedded = it.runIf(process.env.TEST_ENGINE !== 'postgres');

const many = (count: number) => Array.from({ length: count }, (_, index) => `mb_${index}`);

describe('transact', () => {
  embedded('commits what arrives together in few commits, and answers only what is durable', async () => {
    const store = await openTestStore();
    const before = store.stats();
    const answers = await Promise.all(
      many(200).map((id) => store.transact((tx) => tx.mediaBuys.insert('o', buyCalled(id), true).then(() => id))),
    );
    expect(answers).toEqual(many(200));
    const { commits, transactions } = store.stats();
    expect(transactions - before.transactions).toBe(200);
    expect(commits - before.commits).toBeLessThanOrEqual(3);
    expect(await store.read.mediaBuys.list('o', { limit: 500, after: undefined }, {})).toHaveLength(200);
  });

  embedded('shares a commit among at most so many that none waits long', async () => {
    const store = await openTestStore();
    const { commits } = store.stats();
    await Promise.all(many(1000).map(() => store.transact(async () => undefined)));
    expect(store.stats().commits - commits).toBeGreaterThanOrEqual(4);
  });

  it('undoes a transaction that fails, and that one alone', async () => {
    const store = await openTestStore();
    const outcomes = await Promise.allSettled(
      many(40).map((id, index) =>
        store.transact(async (tx) => {
          await tx.mediaBuys.insert('o', buyCalled(id), true);
          await tx.mediaBuys.record(id, { revision: 1, timestamp: '', actor: 'buyer', action: 'created' });
          if (index % 3 === 0) throw new Error(`no ${id}`);
        }),
      ),
    );
    const kept = many(40).filter((_id, index) => index % 3 !== 0);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(
      many(40).map((_id, index) => (index % 3 === 0 ? 'rejected' : 'fulfilled')),
    );
    const rows = await store.read.mediaBuys.list('o', { limit: 100, after: undefined }, {});
    expect(rows.map((row) => row.buy.media_buy_id).toSorted()).toEqual(kept.toSorted());
    const history = await store.read.mediaBuys.history(many(40), 5);
    expect([...history].filter(([, entries]) => entries.length > 0).map(([id]) => id)).toEqual(kept);
  });

  it('undoes one whose statement fails, and its neighbours go on', async () => {
    const store = await openTestStore();
    const twice = store.transact(async (tx) => {
      await tx.mediaBuys.insert('o', buyCalled('mb_a'), true);
      await tx.mediaBuys.insert('o', buyCalled('mb_a'), true);
    });
    const good = store.transact((tx) => tx.mediaBuys.insert('o', buyCalled('mb_b'), true));
    await expect(twice).rejects.toThrow();
    await good;
    expect(await store.read.mediaBuys.find('o', 'mb_a')).toBeUndefined();
    expect(await store.read.mediaBuys.find('o', 'mb_b')).toBeDefined();
  });

  it('calls back after the commit, and never for what was undone, however often it ran', async () => {
    const store = await openTestStore();
    const heard: string[] = [];
    const settled = await Promise.allSettled(
      many(6).map((id, index) =>
        store.transact(async (tx) => {
          await tx.mediaBuys.insert('o', buyCalled(id), true);
          tx.onCommit(() => heard.push(id));
          if (index === 4) throw new Error('changed its mind');
          return id;
        }),
      ),
    );
    expect(settled.filter((one) => one.status === 'rejected')).toHaveLength(1);
    expect(heard.toSorted()).toEqual(many(6).filter((id) => id !== 'mb_4'));
  });

  embedded(
    'reads its own writes and those of neighbours that went before; a reader sees neither until they are durable',
    async () => {
      const store = await openTestStore();
      const steps: (string | undefined)[] = [];
      const outside = async () => (await store.read.mediaBuys.find('o', 'mb_a'))?.media_buy_id;
      const first = store.transact(async (tx) => {
        await tx.mediaBuys.insert('o', buyCalled('mb_a'), true);
        steps.push((await tx.mediaBuys.find('o', 'mb_a'))?.media_buy_id, await outside());
      });
      const second = store.transact(async (tx) => {
        steps.push((await tx.mediaBuys.find('o', 'mb_a'))?.media_buy_id, await outside());
      });
      await Promise.all([first, second]);
      steps.push(await outside());
      expect(steps).toEqual(['mb_a', undefined, 'mb_a', undefined, 'mb_a']);
    },
  );

  embedded('a refusal about a neighbour’s row waits until that row is there', async () => {
    const store = await openTestStore();
    const seen: (string | undefined)[] = [];
    const winner = store.transact((tx) => tx.mediaBuys.insert('o', buyCalled('mb_a'), true));
    const loser = store
      .transact(async (tx) => {
        if ((await tx.mediaBuys.find('o', 'mb_a')) !== undefined) throw new Error('taken');
      })
      .catch(async () => seen.push((await store.read.mediaBuys.find('o', 'mb_a'))?.media_buy_id));
    await Promise.all([winner, loser]);
    expect(seen).toEqual(['mb_a']);
  });

  embedded('runs work one after the other, however long each waits inside', async () => {
    const store = await openTestStore();
    const trace: string[] = [];
    await Promise.all(
      many(5).map((id) =>
        store.transact(async () => {
          trace.push(`${id} in`);
          for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
          trace.push(`${id} out`);
        }),
      ),
    );
    expect(trace).toEqual(many(5).flatMap((id) => [`${id} in`, `${id} out`]));
  });
});

describe('open and close', () => {
  it('finds everything again after it was closed', async () => {
    const file = freshFile();
    const first = await openTestStore(file);
    await first.transact((tx) => tx.mediaBuys.insert('o', buyCalled('mb_a'), true));
    await first.close();
    const again = await openTestStore(file);
    expect(await again.read.mediaBuys.find('o', 'mb_a')).toEqual(buyCalled('mb_a'));
    await again.ping();
  });

  it('finishes what was begun before it closes, and then takes no more', async () => {
    const file = freshFile();
    const store = await openTestStore(file);
    const begun = store.transact((tx) => tx.mediaBuys.insert('o', buyCalled('mb_a'), true));
    await store.close();
    await begun;
    await expect(store.transact(async () => undefined)).rejects.toThrow('closed');
    expect(await (await openTestStore(file)).read.mediaBuys.find('o', 'mb_a')).toBeDefined();
  });

  embedded('migrates once: a second open changes nothing', async () => {
    const file = freshFile();
    await openStore(file).close();
    const describeFile = () => {
      const database = new Libsql(file);
      const rows = [
        database.prepare('SELECT * FROM migration').all(),
        database.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY name').all(),
      ];
      database.close();
      return JSON.stringify(rows);
    };
    const before = describeFile();
    await openStore(file).close();
    expect(describeFile()).toBe(before);
  });

  embedded('refuses a store that a newer version wrote, and leaves it as it is', async () => {
    const file = freshFile();
    await openStore(file).close();
    const database = new Libsql(file);
    database.exec('INSERT INTO migration VALUES (999)');
    database.close();
    expect(() => openStore(file)).toThrow(/newer version/);
    expect(() => openStore(file)).toThrow(/newer version/);
  });

  embedded('writes ahead and syncs to disk on every commit', async () => {
    const file = freshFile();
    const store = await openTestStore(file);
    await store.ping();
    const database = new Libsql(file, { readonly: true });
    expect(database.prepare('PRAGMA journal_mode').all()).toEqual([{ journal_mode: 'wal' }]);
    database.close();
  });
});
