import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalHash, canonicalHashInSlices, sha256Hex } from '../../../src/platform/kernel/canonical.js';
import { isObject } from '../../../src/platform/kernel/json/json.js';

/** Returns a value with the members of every object in another order. */
function shuffled(value: unknown, order: (names: readonly string[]) => readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, order));
  if (!isObject(value)) return value;
  return Object.fromEntries(order(Object.keys(value)).map((name) => [name, shuffled(value[name], order)]));
}

describe('canonicalHash', () => {
  it('does not depend on the order of members, at any depth', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const hash = canonicalHash(value);
        expect(canonicalHash(shuffled(value, (names) => names.toReversed()))).toBe(hash);
        expect(canonicalHash(shuffled(value, (names) => names.toSorted()))).toBe(hash);
        expect(canonicalHash(JSON.parse(JSON.stringify(value)))).toBe(hash);
      }),
    );
  });

  it('is the same in slices, for flat, nested and long values', async () => {
    const many = Array.from({ length: 1001 }, (_, at) => at);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (given) => {
        const value: unknown = JSON.parse(JSON.stringify(given));
        expect(await canonicalHashInSlices(value)).toBe(canonicalHash(value));
        const large = { value, many };
        expect(await canonicalHashInSlices(large)).toBe(canonicalHash(large));
      }),
    );
    const long = Array.from({ length: 5000 }, (_, at) => ({ id: at, name: `n${at}`, tags: [at, null] }));
    const wide = Object.fromEntries(long.map((one) => [`${one.id}`, one.name]));
    const odd: unknown = JSON.parse('{"__proto__":{"b":1,"a":[]},"a":{"toJSON":"x"},"10":{},"9":[[],{}]}');
    for (const value of [
      long,
      wide,
      { z: wide, a: long },
      [[[]], {}, many],
      [odd, many],
      { a: undefined, b: [{}], many },
    ])
      expect(await canonicalHashInSlices(value)).toBe(canonicalHash(value));
    await expect(canonicalHashInSlices([[JSON.parse('1e400')]])).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('tells values apart', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
        const same =
          JSON.stringify(shuffled(one, (n) => n.toSorted())) === JSON.stringify(shuffled(other, (n) => n.toSorted()));
        expect(canonicalHash(one) === canonicalHash(other)).toBe(same);
      }),
    );
  });

  it.each([
    ['lists in another order', [1, 2], [2, 1], false],
    ['null and absent', { a: null }, {}, false],
    ['undefined and absent', { a: undefined }, {}, true],
    ['1.0 and 1', JSON.parse('1.0'), 1, true],
    ['1e3 and 1000', JSON.parse('1e3'), 1000, true],
    ['a number and its text', 1, '1', false],
    ['composed and decomposed letters', 'é', 'e\u0301', false],
    ['empty list and empty object', [], {}, false],
  ])('%s: the same %s', (_what, one, other, same) => {
    expect(canonicalHash(one) === canonicalHash(other)).toBe(same);
  });

  it('is the SHA-256 of the RFC 8785 text', () => {
    const text = '{"a":[1,"€"],"b":1e+30}';
    expect(canonicalHash({ b: 1e30, a: [1, '€'] })).toBe(createHash('sha256').update(text).digest('base64url'));
  });

  // A buyer can send all of these: what JSON.parse makes of 1e400, or of half a surrogate pair. None may break a call.
  it.each([
    ['a number too large', JSON.parse('{"ext":1e400}') as unknown],
    ['half a character', JSON.parse('{"ext":"\\ud800"}') as unknown],
    ['half a character as a name', JSON.parse('{"\\ud800":1}') as unknown],
    ['a name like a prototype', JSON.parse('{"__proto__":1}') as unknown],
    ['a member called toJSON', JSON.parse('{"toJSON":"x"}') as unknown],
    ['deep nesting', JSON.parse(`${'['.repeat(64)}1${']'.repeat(64)}`) as unknown],
  ])('takes or refuses whatever JSON.parse can make, and breaks on none: %s', (_what, value) => {
    try {
      expect(canonicalHash(value)).toMatch(/^[\w-]{43}$/);
    } catch (error) {
      expect(error).toMatchObject({ name: 'InputError', code: 'INVALID_REQUEST' });
    }
  });

  it('sees a member whose name is that of a prototype', () => {
    expect(canonicalHash(JSON.parse('{"__proto__":1}'))).not.toBe(canonicalHash({}));
  });
});

describe('sha256Hex', () => {
  it('is SHA-256 in lower-case hex', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
