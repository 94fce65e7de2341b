import { expect, it } from 'vitest';
import type { Subscriber } from '../../../src/seller/domain/account/subscriber.js';
import { openTestStore } from './fixture.js';

const entry = (id: string) => ({ id, shape: 's', prices: 'p' });

it('the state of a feed is replaced under the version that was read, by one process alone', async () => {
  const store = await openTestStore();
  const replace = (before: string | undefined, version: string) =>
    store.transact((tx) => tx.feeds.replace('sales', 'product', before, { version, entries: [entry(version)] }));
  expect(await store.read.feeds.find('sales', 'product')).toBeUndefined();
  expect(await replace(undefined, 'one')).toBe(true);
  expect(await replace(undefined, 'other')).toBe(false);
  expect(await replace('other', 'two')).toBe(false);
  expect(await replace('one', 'two')).toBe(true);
  expect(await store.read.feeds.find('sales', 'product')).toEqual({ version: 'two', entries: [entry('two')] });
  expect(await store.read.feeds.find('sales', 'signal')).toBeUndefined();
});

it('the subscribers of a tenant are those of its principals, and of no tenant whose path is like it', async () => {
  const store = await openTestStore();
  const one: Subscriber = {
    subscriber_id: 'mirror',
    url: 'https://buyer.example/',
    event_types: ['product.created'],
    active: true,
    isProven: true,
    local: false,
    release: '3.1',
  };
  for (const owner of ['a_b#p', 'a_b#q', 'axb#p'])
    await store.transact((tx) => tx.subscribers.replace(owner, `acct_${owner}`, [one]));
  expect(await store.read.subscribers.listOfTenant('a_b')).toEqual([
    { owner: 'a_b#p', account_id: 'acct_a_b#p', subscribers: [one] },
    { owner: 'a_b#q', account_id: 'acct_a_b#q', subscribers: [one] },
  ]);
});
