import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../../src/seller/domain/account/account.js';
import { naturalKey } from '../../../src/seller/domain/account/account.js';
import type { HistoryEntry, MediaBuyStatus } from '../../../src/seller/domain/media-buy/media-buy.js';
import type { Proposal } from '../../../src/seller/domain/proposal/proposal.js';
import type { CreativeFilter, CreativeSort } from '../../../src/seller/store/creatives/filter.js';
import { ACCOUNT, fromNow, NOW } from '../domain/order-context.js';
import { buyCalled, creativeCalled, freshFile, openTestStore } from './fixture.js';

const DAY = 86_400_000;
const ALL = { limit: 100, after: undefined };

describe('accounts', () => {
  it('are found by id and by natural key, by their owner alone', async () => {
    const store = await openTestStore();
    await store.transact((tx) => tx.accounts.save('o', ACCOUNT));
    const key = naturalKey(ACCOUNT.brand, ACCOUNT.operator, true);
    expect(await store.read.accounts.findById('o', ACCOUNT.account_id)).toEqual(ACCOUNT);
    expect(await store.read.accounts.findByKey('o', key)).toEqual(ACCOUNT);
    expect(await store.read.accounts.findById('p', ACCOUNT.account_id)).toBeUndefined();
    expect(await store.read.accounts.findByKey('p', key)).toBeUndefined();
  });

  it('are replaced by one of the same id, and keep their place in the list', async () => {
    const store = await openTestStore();
    const second: Account = { ...ACCOUNT, account_id: 'acct_2', operator: 'other.example' };
    await store.transact((tx) => tx.accounts.save('o', ACCOUNT));
    await store.transact((tx) => tx.accounts.save('o', second));
    await store.transact((tx) => tx.accounts.save('o', { ...ACCOUNT, status: 'suspended' }));
    const rows = await store.read.accounts.list('o', ALL, {});
    expect(rows.map(({ account }) => [account.account_id, account.status])).toEqual([
      ['acct_1', 'suspended'],
      ['acct_2', 'active'],
    ]);
  });

  it('are listed by status and sandbox, page by page', async () => {
    const store = await openTestStore();
    const make = (n: number): Account => ({
      ...ACCOUNT,
      account_id: `acct_${n}`,
      operator: `op${n}.example`,
      sandbox: n % 2 === 0,
      status: n < 3 ? 'active' : 'closed',
    });
    await store.transact(async (tx) => {
      for (const n of [0, 1, 2, 3, 4]) await tx.accounts.save('o', make(n));
    });
    const ids = async (filter: { status?: string; sandbox?: boolean }) =>
      (await store.read.accounts.list('o', ALL, filter)).map((row) => row.account.account_id);
    expect(await ids({})).toHaveLength(5);
    expect(await ids({ sandbox: true })).toEqual(['acct_0', 'acct_2', 'acct_4']);
    expect(await ids({ sandbox: false })).toEqual(['acct_1', 'acct_3']);
    expect(await ids({ status: 'closed' })).toEqual(['acct_3', 'acct_4']);
    expect(await ids({ status: 'active', sandbox: false })).toEqual(['acct_1']);
    const page = await store.read.accounts.list('o', { limit: 2, after: undefined }, {});
    expect(page).toHaveLength(3);
    const next = await store.read.accounts.list('o', { limit: 2, after: page[1]?.seq }, {});
    expect(next.map((row) => row.account.account_id)).toEqual(['acct_2', 'acct_3', 'acct_4']);
  });

  it('a filter sees an account’s state, not a word in its name', async () => {
    const store = await openTestStore();
    await store.transact((tx) => tx.accounts.save('o', { ...ACCOUNT, name: '"status":"closed"' }));
    expect(await store.read.accounts.list('o', ALL, { status: 'closed' })).toEqual([]);
  });

  it('of the tenant file come in once: a later state of their own stays until the file changes', async () => {
    const store = await openTestStore();
    const status = async () => (await store.read.accounts.findById('o', 'acct_1'))?.status;
    await store.transact((tx) => tx.accounts.configure('o', ACCOUNT));
    await store.transact((tx) => tx.accounts.save('o', { ...ACCOUNT, status: 'closed' }));
    await store.transact((tx) => tx.accounts.configure('o', ACCOUNT));
    expect(await status()).toBe('closed');
    await store.transact((tx) => tx.accounts.configure('o', { ...ACCOUNT, name: 'Renamed' }));
    expect(await status()).toBe('active');
  });
});

describe('media buys', () => {
  it('are found by their owner alone, and come back as they were stored', async () => {
    const store = await openTestStore();
    const buy = buyCalled('mb_a');
    await store.transact((tx) => tx.mediaBuys.insert('o', buy, true));
    expect(await store.read.mediaBuys.find('o', 'mb_a')).toEqual(buy);
    expect(await store.read.mediaBuys.find('p', 'mb_a')).toBeUndefined();
    expect(await store.read.mediaBuys.list('p', ALL, {})).toEqual([]);
  });

  it.runIf(process.env.TEST_ENGINE !== 'postgres')(
    'share the terms they were sold at: each is stored once, and found again by another process',
    async () => {
      const file = freshFile();
      const store = await openTestStore(file);
      const spoiled = store.transact(async (tx) => {
        await tx.mediaBuys.insert('o', buyCalled('mb_never'), true);
        throw new Error('undone with its terms');
      });
      await expect(spoiled).rejects.toThrow('undone');
      for (const id of ['mb_a', 'mb_b']) await store.transact((tx) => tx.mediaBuys.insert('o', buyCalled(id), true));
      const raw = new Libsql(file, { readonly: true });
      expect(raw.prepare('SELECT count(*) AS n FROM terms').get()).toMatchObject({ n: 1 });
      raw.close();
      expect(await (await openTestStore(file)).read.mediaBuys.find('o', 'mb_b')).toEqual(buyCalled('mb_b'));
    },
  );

  it('are listed newest first, filtered, page by page', async () => {
    const store = await openTestStore();
    const statuses: readonly MediaBuyStatus[] = ['active', 'paused', 'completed', 'active', 'active'];
    await store.transact(async (tx) => {
      for (const [n, status] of statuses.entries())
        await tx.mediaBuys.insert('o', buyCalled(`mb_${n}`, { status, account_id: n < 2 ? 'a' : 'b' }), true);
    });
    const ids = async (filter: object, page = ALL) =>
      (await store.read.mediaBuys.list('o', page, filter)).map((row) => row.buy.media_buy_id);
    expect(await ids({})).toEqual(['mb_4', 'mb_3', 'mb_2', 'mb_1', 'mb_0']);
    expect(await ids({ statuses: ['active'] })).toEqual(['mb_4', 'mb_3', 'mb_0']);
    expect(await ids({ accountId: 'a' })).toEqual(['mb_1', 'mb_0']);
    expect(await ids({ ids: ['mb_1', 'mb_4', 'mb_none'] })).toEqual(['mb_4', 'mb_1']);
    expect(await ids({ ids: ['mb_1', 'mb_4'], statuses: ['paused'], accountId: 'a' })).toEqual(['mb_1']);
    const rows = await store.read.mediaBuys.list('o', { limit: 2, after: undefined }, {});
    expect(rows).toHaveLength(3);
    expect(await ids({}, { limit: 2, after: rows[1]?.seq as never })).toEqual(['mb_2', 'mb_1', 'mb_0']);
  });

  it('are due when the clock overtakes them, the earliest of an owner first', async () => {
    const store = await openTestStore();
    await store.transact(async (tx) => {
      await tx.mediaBuys.insert('o', buyCalled('mb_late', { end_time: fromNow(9 * DAY) }), true);
      await tx.mediaBuys.insert('p', buyCalled('mb_theirs', { end_time: fromNow(DAY) }), true);
      await tx.mediaBuys.insert('o', buyCalled('mb_soon', { end_time: fromNow(2 * DAY) }), true);
      await tx.mediaBuys.insert('o', buyCalled('mb_over', { status: 'completed' }), true);
    });
    const { mediaBuys } = store.read;
    const due = async (ms: number) => (await mediaBuys.due('o', ms, 10)).map((row) => row.buy.media_buy_id);
    expect(await mediaBuys.earliestDue('o')).toBe(NOW + 2 * DAY);
    expect(await due(NOW + 2 * DAY - 1)).toEqual([]);
    expect(await due(NOW + 2 * DAY)).toEqual(['mb_soon']);
    expect(await due(NOW + 99 * DAY)).toEqual(['mb_soon', 'mb_late']);
    const named = await mediaBuys.dueAmong('o', NOW + 99 * DAY, ['mb_late', 'mb_theirs', 'mb_over', 'mb_none']);
    expect(named.map((row) => row.buy.media_buy_id)).toEqual(['mb_late']);
    expect(await mediaBuys.earliestDues()).toEqual(
      new Map([
        ['o', NOW + 2 * DAY],
        ['p', NOW + DAY],
      ]),
    );
    await store.transact((tx) => tx.mediaBuys.replace(buyCalled('mb_soon', { status: 'completed' }), true));
    expect(await mediaBuys.earliestDue('o')).toBe(NOW + 9 * DAY);
  });

  it('wait for the ad server until their present revision is booked', async () => {
    const store = await openTestStore();
    const waiting = async () => (await store.read.mediaBuys.unbooked('adapter', 10)).map((row) => row.buy.media_buy_id);
    await store.transact((tx) => tx.mediaBuys.insert('o', buyCalled('mb_a', { fulfillment: 'adapter' }), false));
    await store.transact((tx) => tx.mediaBuys.insert('o', buyCalled('mb_b', { fulfillment: 'adapter' }), true));
    expect(await waiting()).toEqual(['mb_a']);
    await store.transact((tx) =>
      tx.mediaBuys.replace(buyCalled('mb_a', { fulfillment: 'adapter', revision: 2 }), false),
    );
    await store.transact((tx) => tx.mediaBuys.book('mb_a', 1));
    expect(await waiting()).toEqual(['mb_a']);
    await store.transact((tx) => tx.mediaBuys.book('mb_a', 2));
    await store.transact((tx) => tx.mediaBuys.book('mb_a', 1));
    expect(await waiting()).toEqual([]);
  });

  it('keep their history, the newest entries first', async () => {
    const store = await openTestStore();
    const entry = (revision: number): HistoryEntry => ({
      revision,
      timestamp: fromNow(revision),
      actor: 'buyer',
      action: 'paused',
    });
    await store.transact(async (tx) => {
      for (const revision of [2, 3, 4]) await tx.mediaBuys.record('mb_a', entry(revision));
      await tx.mediaBuys.record('mb_b', entry(2));
    });
    const history = await store.read.mediaBuys.history(['mb_a', 'mb_b', 'mb_c'], 2);
    expect([...history]).toEqual([
      ['mb_a', [entry(4), entry(3)]],
      ['mb_b', [entry(2)]],
      ['mb_c', []],
    ]);
  });
});

describe('creatives', () => {
  const BY_NAME: CreativeSort = { field: 'name', direction: 'asc' };

  async function library() {
    const store = await openTestStore();
    await store.transact(async (tx) => {
      await tx.creatives.save(
        'o',
        creativeCalled('a', { name: 'Zebra', tags: ['Spring', 'hero'], created_date: fromNow(1000) }),
      );
      await tx.creatives.save(
        'o',
        creativeCalled('b', {
          name: 'apple 100%',
          status: 'rejected',
          tags: ['springtime'],
          created_date: fromNow(2000),
        }),
      );
      await tx.creatives.save(
        'o',
        creativeCalled('c', {
          name: 'Mango',
          account_id: 'acct_2',
          format_id: { agent_url: 'x', id: 'video_30s' },
          created_date: fromNow(3000),
        }),
      );
      await tx.creatives.save('p', creativeCalled('a', { name: 'Somebody else’s' }));
      await tx.creatives.assign('o', 'acct_1', {
        creative_id: 'a',
        media_buy_id: 'mb_1',
        package_id: 'pkg_1_1',
        weight: 40,
        assigned_date: fromNow(0),
      });
      await tx.creatives.assign('o', 'acct_1', {
        creative_id: 'a',
        media_buy_id: 'mb_2',
        package_id: 'pkg_2_1',
        assigned_date: fromNow(0),
      });
    });
    return store;
  }

  it.each<readonly [what: string, filter: CreativeFilter, ids: readonly string[]]>([
    ['all', {}, ['b', 'c', 'a']],
    ['an account', { accountId: 'acct_2' }, ['c']],
    ['statuses', { statuses: ['rejected', 'archived'] }, ['b']],
    ['ids', { creativeIds: ['a', 'c', 'x'] }, ['c', 'a']],
    ['a part of the name, in any case', { nameContains: 'ANG' }, ['c']],
    ['a percent sign, taken as it is', { nameContains: '%' }, ['b']],
    ['an underscore, taken as it is', { nameContains: '_' }, []],
    ['a tag, whole', { tags: ['spring'] }, ['a']],
    ['all of several tags', { tags: ['HERO', 'spring'] }, ['a']],
    ['all of several tags, one missing', { tags: ['hero', 'springtime'] }, []],
    ['any of several tags', { tagsAny: ['hero', 'springtime'] }, ['b', 'a']],
    ['formats', { formats: ['video_30s'] }, ['c']],
    ['after a date', { createdAfter: fromNow(1000) }, ['b', 'c']],
    ['before a date', { createdBefore: fromNow(2000) }, ['a']],
    ['a package', { packageIds: ['pkg_2_1'] }, ['a']],
    ['a buy', { mediaBuyIds: ['mb_1', 'mb_9'] }, ['a']],
    ['unassigned', { unassigned: true }, ['b', 'c']],
    ['assigned', { unassigned: false }, ['a']],
  ])('are filtered by %s', async (_what, filter, ids) => {
    const store = await library();
    const rows = await store.read.creatives.list('o', ALL, filter, BY_NAME);
    expect(rows.map((row) => row.creative.creative_id)).toEqual(ids);
    expect(await store.read.creatives.count('o', filter)).toBe(ids.length);
  });

  it.each<readonly [CreativeSort['field'], CreativeSort['direction']]>(
    (['created_date', 'updated_date', 'name', 'status'] as const).flatMap((field) => [
      [field, 'asc'],
      [field, 'desc'],
    ]),
  )('are paged without gap or repeat, sorted by %s %s', async (field, direction) => {
    const store = await openTestStore();
    await store.transact(async (tx) => {
      for (let n = 0; n < 25; n += 1)
        await tx.creatives.save(
          'o',
          creativeCalled(`c${n}`, { name: `N${n % 4}`, created_date: fromNow((n % 3) * 1000) }),
        );
    });
    const whole = await store.read.creatives.list('o', ALL, {}, { field, direction });
    const paged: string[] = [];
    for (let from: number | undefined; ; ) {
      const rows = await store.read.creatives.list('o', { limit: 4, after: from }, {}, { field, direction });
      paged.push(...rows.slice(0, 4).map((row) => row.creative.creative_id));
      if (rows.length <= 4) break;
      from = rows[3]?.seq;
    }
    expect(paged).toEqual(whole.map((row) => row.creative.creative_id));
    expect(new Set(paged).size).toBe(25);
  });

  it('are found in an account, or the newest of their name anywhere', async () => {
    const store = await library();
    await store.transact((tx) => tx.creatives.save('o', creativeCalled('a', { account_id: 'acct_9' })));
    expect((await store.read.creatives.find('o', 'acct_1', 'a'))?.name).toBe('Zebra');
    expect(await store.read.creatives.find('o', 'acct_2', 'a')).toBeUndefined();
    expect((await store.read.creatives.findAnywhere('o', 'a'))?.account_id).toBe('acct_9');
    expect((await store.read.creatives.find('p', 'acct_1', 'a'))?.name).toBe('Somebody else’s');
  });

  it('are assigned once per package; a second time changes the weight', async () => {
    const store = await library();
    await store.transact((tx) =>
      tx.creatives.assign('o', 'acct_1', {
        creative_id: 'a',
        media_buy_id: 'mb_1',
        package_id: 'pkg_1_1',
        assigned_date: fromNow(9),
      }),
    );
    expect(await store.read.creatives.assignedTo(['mb_1'])).toEqual([
      { creative_id: 'a', media_buy_id: 'mb_1', package_id: 'pkg_1_1', assigned_date: fromNow(0), status: 'approved' },
    ]);
    expect(await store.read.creatives.assignedTo([])).toEqual([]);
    expect(await store.read.creatives.listAssignments('o', [])).toEqual([]);
    expect(await store.read.creatives.listAssignments('o', [creativeCalled('a')])).toHaveLength(2);
  });

  it('are let go by package, and by buy', async () => {
    const store = await library();
    const packages = async () =>
      (await store.read.creatives.assignedTo(['mb_1', 'mb_2'])).map((entry) => entry.package_id);
    await store.transact((tx) => tx.creatives.release('mb_1', 'pkg_other'));
    expect(await packages()).toEqual(['pkg_1_1', 'pkg_2_1']);
    await store.transact((tx) => tx.creatives.release('mb_1', 'pkg_1_1'));
    expect(await packages()).toEqual(['pkg_2_1']);
    await store.transact((tx) => tx.creatives.release('mb_2'));
    expect(await packages()).toEqual([]);
    expect(await store.read.creatives.count('o', {})).toBe(3);
  });

  it('text that looks like SQL is text', async () => {
    const store = await library();
    const evil = "'; DROP TABLE creative; --";
    await store.transact((tx) => tx.creatives.save('o', creativeCalled(evil, { name: evil, tags: [evil] })));
    const rows = await store.read.creatives.list(
      'o',
      ALL,
      { nameContains: evil, tags: [evil], creativeIds: [evil] },
      BY_NAME,
    );
    expect(rows.map((row) => row.creative.name)).toEqual([evil]);
  });
});

describe('idempotency keys', () => {
  const record = (response: string, at = NOW, expires = NOW + DAY) => ({
    hash: 'h',
    response,
    created_at: at,
    expires_at: expires,
  });

  it('belong to their owner, and the first to come keeps one', async () => {
    const store = await openTestStore();
    await store.transact((tx) => tx.keys.add('o', 'k', record('1')));
    await expect(store.transact((tx) => tx.keys.add('o', 'k', record('2')))).rejects.toThrow(/unique/i);
    await store.transact((tx) => tx.keys.add('p', 'k', record('3')));
    expect((await store.read.keys.find('o', 'k'))?.response).toBe('1');
    expect((await store.read.keys.find('p', 'k'))?.response).toBe('3');
    expect(await store.read.keys.find('o', 'other')).toBeUndefined();
  });

  it('lose their answer when they expire, and are forgotten when they are old', async () => {
    const store = await openTestStore();
    await store.transact((tx) => tx.keys.add('o', 'old', record('1', NOW - 10, NOW)));
    await store.transact((tx) => tx.keys.add('o', 'new', record('2', NOW, NOW + 1)));
    const answers = async () =>
      Promise.all(['old', 'new'].map(async (key) => (await store.read.keys.find('o', key))?.response));
    expect(await store.sweep(NOW)).toBe(1);
    expect(await answers()).toEqual([null, '2']);
    expect(await store.sweep(NOW)).toBe(0);
    expect(await store.sweep(NOW + 90 * DAY)).toBe(2);
    expect(await answers()).toEqual([undefined, null]);
  });
});

describe('proposals', () => {
  const proposal = (proposal_id: string, expires_at?: string): Proposal => ({
    ...({} as Proposal),
    proposal_id,
    expires_at,
  });

  it('are forgotten 90 days after their offer ended, unless they were bought or never end', async () => {
    const store = await openTestStore();
    const ended = '2030-01-01T00:00:00Z';
    await store.transact(async (tx) => {
      await tx.proposals.save('o', { proposal: proposal('ended', ended) });
      await tx.proposals.save('o', { proposal: proposal('bought', ended), media_buy_id: 'mb' });
      await tx.proposals.save('o', { proposal: proposal('standing') });
    });
    const ids = ['bought', 'ended', 'standing'];
    const now = Date.parse(ended) + 90 * DAY;
    expect(await store.sweep(now - 1)).toBe(0);
    expect([...(await store.read.proposals.find('o', ids)).proposals.keys()]).toEqual(ids);
    expect(await store.sweep(now)).toBe(1);
    expect([...(await store.read.proposals.find('o', ids)).proposals.keys()]).toEqual(['bought', 'standing']);
    expect((await store.read.proposals.find('p', ids)).proposals.size).toBe(0);
  });
});
