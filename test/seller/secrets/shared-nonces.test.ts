import { describe, expect, it } from 'vitest';
import { SharedNonces } from '../../../src/seller/secrets/shared-nonces.js';
import { openTestStore } from '../store/fixture.js';

const LIMITS = { perKey: 100, total: 100 };
const NOW = 1_000_000;
const use = (nonce: string, keyid = 'key') => ({ source: 'https://buyer.example/jwks.json', keyid, nonce });

/** The nonces of two processes on one store. */
async function openTwo() {
  const store = await openTestStore();
  return [new SharedNonces(store, LIMITS), new SharedNonces(store, LIMITS)] as const;
}

describe('nonces of processes that share a store', () => {
  it('are claimed once, at whichever process', async () => {
    const [one, two] = await openTwo();
    expect(await one.claim(use('a'), NOW + 300, NOW)).toBe('claimed');
    expect(await two.claim(use('a'), NOW + 300, NOW)).toBe('seen');
    expect(await two.claim(use('a', 'another key'), NOW + 300, NOW)).toBe('claimed');
  });

  it('are claimed once by calls that come to both at the same time', async () => {
    const both = await openTwo();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) => both[i % 2]?.claim(use('a'), NOW + 300, NOW)),
    );
    expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1);
  });

  it('are free again once their signature has expired, and swept then', async () => {
    const store = await openTestStore();
    const nonces = new SharedNonces(store, LIMITS);
    expect(await nonces.claim(use('a'), NOW + 300, NOW)).toBe('claimed');
    expect(await new SharedNonces(store, LIMITS).claim(use('a'), NOW + 900, NOW + 301)).toBe('claimed');
    expect(await store.sweep((NOW + 899) * 1000)).toBe(0);
    expect(await store.sweep((NOW + 901) * 1000)).toBe(1);
  });

  it('are bounded by key in each process', async () => {
    const [one] = await openTwo();
    for (let i = 0; i < LIMITS.perKey; i++) await one.claim(use(`n${i}`), NOW + 300, NOW);
    expect(one.isFull(use(''), NOW)).toBe(true);
    expect(await one.claim(use('more'), NOW + 300, NOW)).toBe('full');
  });
});
