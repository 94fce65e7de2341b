import { describe, expect, it } from 'vitest';
import { Cache, Doorkeeper } from '../../../src/platform/kernel/cache.js';

const bounded = (maxEntries: number, maxBytes = 1000): Cache<string, string> =>
  new Cache({ maxEntries, maxBytes, sizeOf: (value) => value.length });

describe('a cache', () => {
  it('drops what was not used for longest when there are too many entries', () => {
    const cache = bounded(2);
    cache.set('a', '1');
    cache.set('b', '2');
    expect(cache.get('a')).toBe('1');
    cache.set('c', '3');
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['1', undefined, '3']);
    expect(cache.stats).toEqual({ entries: 2, bytes: 2, hits: 3, misses: 1, evictions: 1 });
  });

  it('drops in the order of use, also after entries in the middle, the oldest and the newest were used or deleted', () => {
    const used = ['b', 'd', 'b', 'a', 'c', 'c'];
    for (const [deleted, order] of [
      ['a', ['d', 'b', 'c']],
      ['d', ['b', 'a', 'c']],
      ['c', ['d', 'b', 'a']],
    ] as const) {
      for (const [at, last] of order.entries()) {
        const cache = bounded(4);
        for (const key of ['a', 'b', 'c', 'd']) cache.set(key, '1');
        for (const key of used) cache.get(key);
        cache.delete(deleted);
        for (let added = 0; added <= at + 1; added += 1) cache.set(`new${added}`, '1');
        expect([deleted, last, cache.get(last)]).toEqual([deleted, last, undefined]);
        expect(order.slice(at + 1).map((key) => cache.get(key))).toEqual(order.slice(at + 1).map(() => '1'));
      }
    }
  });

  it('drops as many entries as a value needs bytes', () => {
    const cache = bounded(10, 10);
    for (const key of ['a', 'b', 'c']) cache.set(key, 'xxx');
    cache.set('d', 'xxxxxx');
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([undefined, undefined, 'xxx', 'xxxxxx']);
    expect(cache.stats.bytes).toBe(9);
  });

  it('never keeps a value that is larger than all of it, and drops the one before', () => {
    const cache = bounded(10, 3);
    cache.set('a', 'x');
    expect(cache.getOrMake('b', () => 'xxxx')).toBe('xxxx');
    cache.set('a', 'xxxx');
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined]);
    expect(cache.stats).toMatchObject({ entries: 0, bytes: 0 });
  });

  it('counts a key that is set again once', () => {
    const cache = bounded(10);
    cache.set('a', 'xx');
    cache.set('a', 'xxx');
    expect(cache.stats).toMatchObject({ entries: 1, bytes: 3, evictions: 0 });
  });

  it('counts an entry as absent when its time to live is over', () => {
    let nowMs = 0;
    const cache = new Cache<string, number>({
      maxEntries: 10,
      maxBytes: 10,
      sizeOf: () => 1,
      expiry: { ttlMs: 100, clock: { now: () => nowMs } },
    });
    cache.set('own', 1);
    cache.set('longer', 2, 200);
    nowMs = 99;
    expect(cache.get('own')).toBe(1);
    nowMs = 100;
    expect([cache.get('own'), cache.get('longer')]).toEqual([undefined, 2]);
    expect(cache.stats.entries).toBe(1);
  });

  it('makes a value once, also one that is undefined', () => {
    const cache = new Cache<string, undefined>({ maxEntries: 1, maxBytes: 1, sizeOf: () => 1 });
    let made = 0;
    const make = (): undefined => {
      made += 1;
      return undefined;
    };
    cache.getOrMake('a', make);
    cache.getOrMake('a', make);
    expect(made).toBe(1);
  });

  it('loads a value once for all who wait for it, and again after a failure', async () => {
    const cache = bounded(10);
    let loads = 0;
    const load = async (): Promise<string> => {
      loads += 1;
      if (loads === 1) throw new Error('away');
      return 'x';
    };
    await expect(Promise.all([cache.getOrLoad('a', load), cache.getOrLoad('a', load)])).rejects.toThrow('away');
    expect(loads).toBe(1);
    expect(await Promise.all([cache.getOrLoad('a', load), cache.getOrLoad('a', load)])).toEqual(['x', 'x']);
    expect(await cache.getOrLoad('a', load)).toBe('x');
    expect(loads).toBe(2);
  });

  it('keeps no value whose key was deleted while it was loaded', async () => {
    const cache = bounded(10);
    const loading = cache.getOrLoad('a', async () => 'old');
    cache.delete('a');
    expect(await loading).toBe('old');
    expect(cache.get('a')).toBeUndefined();
    const cleared = cache.getOrLoad('b', async () => 'old');
    cache.clear();
    await cleared;
    expect(cache.stats.entries).toBe(0);
  });
});

const MAX_KEYS = 1024;
const keys = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const admitted = (doorkeeper: Doorkeeper, asked: readonly string[]) =>
  asked.filter((key) => doorkeeper.admits(key)).length;

describe('a doorkeeper', () => {
  it('admits what came before, and hardly anything that did not', () => {
    const doorkeeper = new Doorkeeper(MAX_KEYS);
    const asked = keys('https://registry.example/api/brands/resolve?domain=d', MAX_KEYS);
    expect(admitted(doorkeeper, asked)).toBeLessThan(MAX_KEYS / 20);
    expect(admitted(doorkeeper, asked)).toBe(MAX_KEYS);
  });

  it('knows the last keys for at least as many others, and forgets them behind twice as many', () => {
    const doorkeeper = new Doorkeeper(MAX_KEYS);
    doorkeeper.admits('first');
    admitted(doorkeeper, keys('a', MAX_KEYS - 1));
    expect(doorkeeper.admits('first')).toBe(true);
    admitted(doorkeeper, keys('b', 3 * MAX_KEYS));
    expect(admitted(doorkeeper, ['first', ...keys('a', 100)])).toBeLessThan(10);
  });
});
