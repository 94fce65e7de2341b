import { expect, it } from 'vitest';
import type { Subscriber } from '../../../src/seller/domain/account/subscriber.js';
import { openTestStore } from './fixture.js';

const SECRET = 'a-shared-secret-of-more-than-32-characters';

function subscriber(subscriber_id: string): Subscriber {
  return {
    subscriber_id,
    url: `https://buyer.example/${subscriber_id}`,
    event_types: ['creative.purged'],
    authentication: { schemes: ['HMAC-SHA256'], credentials: SECRET },
    active: true,
    isProven: true,
    local: false,
    release: '3.1',
  };
}

it('subscribers are replaced as a list, in its order, each account’s and owner’s own', async () => {
  const store = await openTestStore();
  const replace = (owner: string, account: string, ...ids: readonly string[]) =>
    store.transact((tx) => tx.subscribers.replace(owner, account, ids.map(subscriber)));
  const idsOf = async (owner: string, account: string) =>
    (await store.read.subscribers.list(owner, account)).map((one) => one.subscriber_id);
  await replace('o', 'acct_1', 'b', 'a');
  await replace('o', 'acct_2', 'c');
  expect(await store.read.subscribers.list('o', 'acct_1')).toEqual([subscriber('b'), subscriber('a')]);
  await replace('o', 'acct_1', 'a');
  expect(await idsOf('o', 'acct_1')).toEqual(['a']);
  expect(await idsOf('o', 'acct_2')).toEqual(['c']);
  expect(await idsOf('p', 'acct_1')).toEqual([]);
  await replace('o', 'acct_2');
  expect(await idsOf('o', 'acct_2')).toEqual([]);
});
