import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/platform/kernel/clock.js';
import { openTestStore } from '../fixture.js';

const NOW = Date.parse('2030-01-01T10:00:00Z');

describe('what the authorization server remembers', () => {
  it('is found by its id alone, of which the digest is stored, and is used once', async () => {
    const store = await openTestStore();
    const item = { model: 'AuthorizationCode', doc: { scope: 'read' }, expires_at: NOW };
    await store.transact((tx) => tx.oauthItems.save('secret', item, { grantId: 'g1', uid: 'u1' }));
    expect(await store.read.oauthItems.find('AuthorizationCode', 'secret')).toMatchObject({
      ...item,
      consumed_at: null,
    });
    expect(await store.read.oauthItems.find('AccessToken', 'secret')).toBeUndefined();
    expect(await store.read.oauthItems.findByUid('AuthorizationCode', 'u1')).toMatchObject(item);
    const used = await store.transact(async (tx) => [
      await tx.oauthItems.consume('AuthorizationCode', 'secret', NOW),
      await tx.oauthItems.consume('AuthorizationCode', 'secret', NOW),
    ]);
    expect(used).toEqual([true, false]);
    await store.transact((tx) => tx.oauthItems.removeOf('g1'));
    expect(await store.read.oauthItems.find('AuthorizationCode', 'secret')).toBeUndefined();
  });

  it('goes once it has ended, and clients are let stay for their grants', async () => {
    const store = await openTestStore();
    const client = { model: 'Client', doc: {}, expires_at: NOW };
    await store.transact(async (tx) => {
      await tx.oauthItems.save('unused', client, {});
      await tx.oauthItems.save('used', client, {});
      await tx.oauthItems.prolong('Client', 'used', NOW + DAY_MS);
    });
    await store.sweep(NOW + 1);
    expect(await store.read.oauthItems.find('Client', 'unused')).toBeUndefined();
    expect(await store.read.oauthItems.find('Client', 'used')).toBeDefined();
  });
});

describe('grants', () => {
  const grant = (grant_id: string, expires_at: number) => ({
    grant_id,
    tenant: 'sales',
    principal: 'acme',
    given_by: 'acme',
    client_id: 'c',
    client_name: 'Assistant',
    scopes: ['read' as const],
    created_at: NOW,
    expires_at,
  });

  it('of a principal with too many the one that ends first goes', async () => {
    const store = await openTestStore();
    await store.transact(async (tx) => {
      for (let index = 0; index <= 200; index += 1) await tx.oauthGrants.add(grant(`g${index}`, NOW + index));
    });
    expect(await store.read.oauthGrants.find('g0')).toBeUndefined();
    expect(await store.read.oauthGrants.list(1000)).toHaveLength(200);
  });

  it('count what is spent by day, and forget it two days later', async () => {
    const store = await openTestStore();
    await store.transact(async (tx) => {
      await tx.oauthGrants.spend('g', NOW, 1050);
      await tx.oauthGrants.spend('g', NOW + 1, 50);
      await tx.oauthGrants.spend('g', NOW + DAY_MS, 7);
    });
    const spent = () => Promise.all([NOW, NOW + DAY_MS].map((ms) => store.read.oauthGrants.spent('g', ms)));
    expect(await spent()).toEqual([1100, 7]);
    await store.sweep(NOW + 2 * DAY_MS);
    expect(await spent()).toEqual([0, 7]);
  });
});
