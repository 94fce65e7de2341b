import { appendFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NonceJournal } from '../../../../src/platform/signing/verify/nonce-journal.js';
import { createMemoryNonces, NONCE_LIMITS } from '../../../../src/platform/signing/verify/nonces.js';
import { createRevocation, NO_REVOCATION } from '../../../../src/platform/signing/verify/revocation.js';
import { temporaryFolder } from '../../../kit/surroundings.js';

const use = (nonce: string, keyid = 'k', source = 's') => ({ source, keyid, nonce });

describe('a nonce store', () => {
  it('has the bounds of the profiles', () => {
    expect(NONCE_LIMITS).toEqual({
      webhook: { perKey: 100_000, total: 10_000_000 },
      request: { perKey: 1_000_000, total: 10_000_000 },
    });
  });

  it('takes a nonce once for each key and each place of keys', () => {
    const store = createMemoryNonces({ perKey: 5, total: 10 });
    const claims = [use('a'), use('a'), use('a', 'other'), use('a', 'k', 'other'), use('b')];
    expect(claims.map((one) => store.claim(one, 100, 0))).toEqual(['claimed', 'seen', 'claimed', 'claimed', 'claimed']);
  });

  it('refuses and never forgets when the share of a key is used up', () => {
    const store = createMemoryNonces({ perKey: 2, total: 10 });
    expect(['a', 'b', 'c', 'a'].map((nonce) => store.claim(use(nonce), 100, 0))).toEqual([
      'claimed',
      'claimed',
      'full',
      'seen',
    ]);
    expect(store.isFull(use(''), 0)).toBe(true);
    expect(store.isFull(use('', 'other'), 0)).toBe(false);
  });

  it('refuses everyone when all is used up', () => {
    const store = createMemoryNonces({ perKey: 2, total: 2 });
    for (const keyid of ['a', 'b']) expect(store.claim(use('n', keyid), 100, 0)).toBe('claimed');
    expect(store.isFull(use('', 'c'), 0)).toBe(true);
    expect(store.claim(use('n', 'c'), 100, 0)).toBe('full');
  });

  it('has room again when nonces have expired', () => {
    const store = createMemoryNonces({ perKey: 1, total: 1 });
    expect(store.claim(use('a'), 360, 0)).toBe('claimed');
    expect(store.claim(use('a'), 360, 360)).toBe('seen');
    expect(store.claim(use('b'), 800, 400)).toBe('claimed');
    expect(store.isFull(use(''), 400)).toBe(true);
  });

  it('knows every live nonce, whatever came in which order', () => {
    const step = fc.record({
      nonce: fc.constantFrom('a', 'b', 'c'),
      ttl: fc.integer({ min: 1, max: 360 }),
      wait: fc.nat(400),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const store = createMemoryNonces({ perKey: 1000, total: 1000 });
        const until = new Map<string, number>();
        let now = 1_000_000;
        for (const { nonce, ttl, wait } of steps) {
          now += wait;
          const isLive = (until.get(nonce) ?? 0) >= now;
          const claim = store.claim(use(nonce), now + ttl, now);
          if (isLive) expect(claim).toBe('seen');
          if (claim === 'claimed') until.set(nonce, now + ttl);
        }
      }),
    );
  });
});

describe('revocation', () => {
  const list = { updated: 1000, nextUpdate: 1600, revokedKids: ['bad'] };
  const check = (keyid: string, now: number, current: typeof list | undefined = list) =>
    createRevocation(() => current).check({ source: 's', keyid }, now);

  it('is by keyid, as long as the list can be believed', () => {
    expect([check('good', 1000), check('bad', 1000)]).toEqual(['valid', 'revoked']);
    expect([check('good', 4000), check('good', 4001)]).toEqual(['valid', 'stale']);
  });

  it('never lets a revoked key back in because the list is old', () => {
    expect(check('bad', 1_000_000)).toBe('revoked');
  });

  it('believes no list that promises to be good for ever, or comes from the future', () => {
    const endless = { ...list, nextUpdate: 10_000_000 };
    expect([check('good', 1000 + 5 * 1800, endless), check('good', 1001 + 5 * 1800, endless)]).toEqual([
      'valid',
      'stale',
    ]);
    expect(check('good', 0, { updated: 2000, nextUpdate: 2600, revokedKids: [] })).toBe('stale');
  });

  it('without a list nothing is known; with no revocation everything is valid', () => {
    expect(createRevocation(() => undefined).check({ source: 's', keyid: 'k' }, 0)).toBe('stale');
    expect(NO_REVOCATION.check({ source: 's', keyid: 'k' }, 0)).toBe('valid');
  });
});

describe('a journal of nonces', () => {
  const limits = { perKey: 10, total: 100 };
  const NOW = 1_800_000_000;

  it('knows what a process before claimed until the signature has expired, also one that was killed while it wrote', async () => {
    const folder = temporaryFolder('seller-agent-nonces-');
    const first = new NonceJournal(folder, limits);
    expect(await first.claim(use('a'), NOW + 300, NOW)).toBe('claimed');
    // It is not closed, as by kill -9.
    for (const name of readdirSync(folder)) appendFileSync(path.join(folder, name), 'half');
    const second = new NonceJournal(folder, limits);
    expect(await second.claim(use('b'), NOW + 300, NOW + 1)).toBe('claimed');
    const third = new NonceJournal(folder, limits);
    for (const nonce of ['a', 'b']) expect(await third.claim(use(nonce), NOW + 300, NOW + 300)).toBe('seen');
    expect(await third.claim(use('a', 'other'), NOW + 300, NOW + 2)).toBe('claimed');
    expect(await third.claim(use('a'), NOW + 900, NOW + 301)).toBe('claimed');
    for (const one of [first, second, third]) one.close();
  });

  it('has no more than the files of two periods', async () => {
    const folder = temporaryFolder('seller-agent-nonces-');
    const journal = new NonceJournal(folder, limits);
    for (let hour = 0; hour < 5; hour += 1) {
      const nowSeconds = NOW + hour * 3600;
      expect(await journal.claim(use(`${hour}`), nowSeconds + 300, nowSeconds)).toBe('claimed');
    }
    expect(readdirSync(folder)).toHaveLength(1);
    journal.close();
  });
});
