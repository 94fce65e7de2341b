import { describe, expect, it } from 'vitest';
import type { UseFilter } from '../../../src/seller/store/creatives/uses.js';
import type { Store } from '../../../src/seller/store/store.js';
import { fromNow } from '../domain/order-context.js';
import { creativeCalled, freshFile, openTestStore } from './fixture.js';

const ALL = { limit: 100, after: undefined };

async function assign(store: Store, owner: string, account: string, creative_id: string, buy: string, line = buy) {
  await store.transact((tx) =>
    tx.creatives.assign(owner, account, {
      creative_id,
      media_buy_id: buy,
      package_id: line,
      assigned_date: fromNow(0),
    }),
  );
}

describe('uses of creatives', () => {
  async function used(): Promise<Store> {
    const store = await openTestStore();
    await assign(store, 'o', 'acct_1', 'a', 'mb_1');
    await assign(store, 'o', 'acct_1', 'b', 'mb_1');
    await assign(store, 'o', 'acct_1', 'a', 'mb_1', 'another package');
    await assign(store, 'o', 'acct_2', 'a', 'mb_2');
    await assign(store, 'p', 'acct_1', 'a', 'mb_3');
    await store.transact((tx) => tx.creatives.release('mb_1'));
    return store;
  }

  it.each<readonly [what: string, filter: UseFilter, pairs: readonly (readonly [string, string])[]]>([
    [
      'all of an owner',
      {},
      [
        ['a', 'mb_1'],
        ['b', 'mb_1'],
        ['a', 'mb_2'],
      ],
    ],
    [
      'of a creative',
      { creativeIds: ['a'] },
      [
        ['a', 'mb_1'],
        ['a', 'mb_2'],
      ],
    ],
    [
      'of a buy',
      { mediaBuyIds: ['mb_1'] },
      [
        ['a', 'mb_1'],
        ['b', 'mb_1'],
      ],
    ],
    ['of both', { creativeIds: ['a', 'b'], mediaBuyIds: ['mb_2'] }, [['a', 'mb_2']]],
    ['of an account', { accountId: 'acct_2' }, [['a', 'mb_2']]],
    ['of somebody else’s buy', { mediaBuyIds: ['mb_3'] }, []],
  ])('are listed once per creative and buy, after they are let go too: %s', async (_what, filter, pairs) => {
    const store = await used();
    const rows = await store.read.creatives.uses('o', ALL, filter);
    expect(rows.map(({ creative_id, media_buy_id }) => [creative_id, media_buy_id])).toEqual(pairs);
    expect(await store.read.creatives.countUses('o', filter)).toBe(pairs.length);
  });

  it('are paged, and counted up to a place', async () => {
    const store = await used();
    const [first, spare] = await store.read.creatives.uses('o', { limit: 1, after: undefined }, {});
    expect(spare?.creative_id).toBe('b');
    const rest = await store.read.creatives.uses('o', { limit: 5, after: first?.seq }, {});
    expect(rest.map((row) => row.seq)[0]).toBe(spare?.seq);
    expect(await store.read.creatives.countUses('o', {}, spare?.seq)).toBe(2);
  });
});

describe('creatives that wait', () => {
  it('are found across all owners, longest first, and no others', async () => {
    const store = await openTestStore();
    const save = (owner: string, id: string, status: 'pending_review' | 'approved', at: number) =>
      store.transact((tx) => tx.creatives.save(owner, creativeCalled(id, { status, updated_date: fromNow(at) })));
    await save('o', 'late', 'pending_review', 3000);
    await save('p', 'early', 'pending_review', 1000);
    await save('o', 'done', 'approved', 0);
    const ids = async (limit = 10) =>
      (await store.read.creatives.waiting(limit)).map((row) => row.creative.creative_id);
    expect(await ids()).toEqual(['early', 'late']);
    expect(await ids(1)).toEqual(['early']);
    await save('p', 'early', 'approved', 4000);
    expect(await ids()).toEqual(['late']);
  });

  it('keep their place when they change, and are found at it', async () => {
    const file = freshFile();
    const store = await openTestStore(file);
    await store.transact((tx) => tx.creatives.save('o', creativeCalled('a', { status: 'pending_review' })));
    const [row] = await store.read.creatives.waiting(1);
    await store.transact((tx) => tx.creatives.save('o', creativeCalled('a', { status: 'rejected', version: 2 })));
    const found = await store.read.creatives.findBySeq(row?.seq ?? 0);
    expect(found).toMatchObject({ owner: 'o', creative: { creative_id: 'a', status: 'rejected', version: 2 } });
    expect(await store.read.creatives.findBySeq(999)).toBeUndefined();
  });

  it('bring the reason of their rejection to where they are assigned', async () => {
    const store = await openTestStore();
    await store.transact(async (tx) => {
      await tx.creatives.save('o', creativeCalled('bad', { status: 'rejected', rejection_reason: 'too loud' }));
      await tx.creatives.save('o', creativeCalled('good'));
    });
    await assign(store, 'o', 'acct_1', 'bad', 'mb_1');
    await assign(store, 'o', 'acct_1', 'good', 'mb_1');
    const assigned = await store.read.creatives.assignedTo(['mb_1']);
    expect(assigned).toMatchObject([{ status: 'rejected', rejection_reason: 'too loud' }, { status: 'approved' }]);
    expect(assigned[1]).not.toHaveProperty('rejection_reason');
  });
});

describe('a rehearsal', () => {
  it('sees what it writes, answers, and leaves nothing', async () => {
    const store = await openTestStore();
    const seen = await store.transact(async (tx) => {
      await tx.creatives.save('o', creativeCalled('before'));
      const inside = await tx.rehearse(async () => {
        await tx.creatives.save('o', creativeCalled('tried'));
        return tx.creatives.count('o', {});
      });
      await tx.creatives.save('o', creativeCalled('after'));
      return [inside, await tx.creatives.count('o', {})];
    });
    expect(seen).toEqual([2, 2]);
    const rows = await store.read.creatives.list('o', ALL, {}, { field: 'name', direction: 'asc' });
    expect(rows.map((row) => row.creative.creative_id)).toEqual(['after', 'before']);
  });

  it.each([true, false])('keeps what it wrote when what it came to is wanted: %s', async (wanted) => {
    const store = await openTestStore();
    const heard: string[] = [];
    const answered = await store.transact(async (tx) => {
      await tx.creatives.save('o', creativeCalled('before'));
      const outcome = await tx.rehearse(
        async () => {
          await tx.creatives.save('o', creativeCalled('tried'));
          tx.onCommit(() => heard.push('tried'));
          return { wanted };
        },
        (came) => came.wanted,
      );
      tx.onCommit(() => heard.push('after'));
      return outcome;
    });
    expect(answered).toEqual({ wanted });
    expect(await store.read.creatives.count('o', {})).toBe(wanted ? 2 : 1);
    expect(heard).toEqual(wanted ? ['tried', 'after'] : ['after']);
  });

  it('that fails leaves nothing either, and the transaction goes on', async () => {
    const store = await openTestStore();
    await store.transact(async (tx) => {
      const failed = tx.rehearse(async () => {
        await tx.creatives.save('o', creativeCalled('tried'));
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      await tx.creatives.save('o', creativeCalled('after'));
    });
    expect(await store.read.creatives.count('o', {})).toBe(1);
  });

  it('does not disturb its neighbours in the same commit', async () => {
    const store = await openTestStore();
    const save = (id: string) => store.transact((tx) => tx.creatives.save('o', creativeCalled(id)));
    const tried = store.transact((tx) => tx.rehearse(() => tx.creatives.save('o', creativeCalled('tried'))));
    const bad = store.transact(async (tx) => {
      await tx.creatives.save('o', creativeCalled('bad'));
      throw new Error('no');
    });
    await Promise.allSettled([save('a'), tried, bad, save('b')]);
    const rows = await store.read.creatives.list('o', ALL, {}, { field: 'name', direction: 'asc' });
    expect(rows.map((row) => row.creative.creative_id)).toEqual(['a', 'b']);
  });
});

describe('creatives whose files nobody served', () => {
  it('are found when they are due, longest first, until they are decided', async () => {
    const store = await openTestStore();
    const recheck = (at: string) => ({ status: 'processing', recheck: { attempts: 1, at } }) as const;
    const rows = [
      creativeCalled('late', recheck('2030-06-01T14:00:00Z')),
      creativeCalled('second', recheck('2030-06-01T12:30:00Z')),
      creativeCalled('first', recheck('2030-06-01T12:10:00Z')),
      creativeCalled('forced', { status: 'processing' }),
      creativeCalled('whole'),
    ];
    await store.transact(async (tx) => {
      for (const creative of rows) await tx.creatives.save('o', creative);
    });
    const due = async (at: string, limit = 10) =>
      (await store.read.creatives.unread(Date.parse(at), limit)).map(({ creative }) => creative.creative_id);
    expect(await due('2030-06-01T12:00:00Z')).toEqual([]);
    expect(await due('2030-06-01T13:00:00Z')).toEqual(['first', 'second']);
    expect(await due('2030-06-01T15:00:00Z', 2)).toEqual(['first', 'second']);
    await store.transact((tx) => tx.creatives.save('o', creativeCalled('first', { status: 'approved' })));
    expect(await due('2030-06-01T15:00:00Z')).toEqual(['second', 'late']);
  });
});
