import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  extendWritten,
  isDeeperThan,
  isObject,
  QuotedText,
  toAsciiJson,
  toJson,
  type Written,
  writeOnce,
} from '../../../../src/platform/kernel/json/json.js';

/** Member names that JavaScript keeps in the order they were written; digits would move to the front. */
const name = fc.string({ maxLength: 6 }).filter((text) => !/^\d+$/.test(text) && text !== '__proto__');

const leaf = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
);

/** An arbitrary JSON value, parts of which, at any depth, are written already, extended, or quoted as text. */
const value = fc.letrec<{ value: unknown; object: object; part: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('object'), tie('part')),
  object: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  part: fc.oneof(
    fc.array(tie('value'), { maxLength: 3 }).map((list) => writeOnce(list)),
    tie('object').map((object) => writeOnce(object)),
    fc.tuple(tie('object'), fc.array(tie('object'), { maxLength: 3 })).map(([base, more]) => extendedBy(base, more)),
    fc
      .tuple(tie('object'), fc.array(tie('object'), { maxLength: 2 }))
      .map(([base, more]) => new QuotedText(extendedBy(base, more))),
  ),
})).value;

describe('toJson', () => {
  it('writes what JSON.stringify writes, whatever is written already, at any place', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(toJson(given)).toBe(JSON.stringify(given) ?? 'null');
      }),
      { numRuns: 1000 },
    );
  });

  it('writes plain values as if nothing had ever been written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (given) => {
        expect(toJson(given)).toBe(JSON.stringify(given));
        const body = writeOnce({ given });
        expect(toJson({ a: [body], b: new QuotedText(body) })).toBe(
          JSON.stringify({ a: [{ given }], b: JSON.stringify({ given }) }),
        );
      }),
    );
  });

  it('writes an answer inside an answer inside a message, and the same as text', () => {
    const product = { product_id: 'p', price: 5, note: '“\u2028”' };
    const base = writeOnce({
      products: [writeOnce(product), extendWritten(writeOnce(product), { brief_relevance: '"why"' })],
    });
    const body = extendWritten(base, { context: { a: [1, null] } });
    const message = {
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: new QuotedText(body) }], structuredContent: body },
    };
    const plain = { products: [product, { ...product, brief_relevance: '"why"' }], context: { a: [1, null] } };
    expect(toJson(message)).toBe(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: JSON.stringify(plain) }], structuredContent: plain },
      }),
    );
  });

  it.each([
    ['undefined', undefined, 'null'],
    ['not a number', Number.NaN, 'null'],
    ['nothing in an object', { a: undefined, b: 1 }, '{"b":1}'],
    ['nothing first and last', { a: undefined, b: undefined }, '{}'],
    ['nothing in a list', [undefined, 1], '[null,1]'],
    ['a name to escape', { 'a"\n': 1 }, '{"a\\"\\n":1}'],
    ['a name beyond ASCII', { é: 1 }, '{"é":1}'],
    ['line separators', '\u2028', JSON.stringify('\u2028')],
    ['half a character', '\ud800', '"\\ud800"'],
    ['half a character as a name', { '\ud800': 1 }, '{"\\ud800":1}'],
    ['a name like a prototype', JSON.parse('{"__proto__":{"a":1}}') as unknown, '{"__proto__":{"a":1}}'],
  ])('%s', (_what, given, text) => {
    expect(toJson(given)).toBe(text);
  });
});

describe('written', () => {
  it('really is written once: what changes afterwards is not read again', () => {
    const thing = { a: 1 };
    const text = writeOnce(thing);
    thing.a = 2;
    expect(toJson({ text })).toBe('{"text":{"a":1}}');
    expect(writeOnce(text)).toBe(text);
  });

  it.each([
    ['no additions', { a: 1 }, {}],
    ['nothing to begin with', {}, { b: 2 }],
    ['nothing at all', {}, {}],
    ['additions that are not there', { a: 1 }, { b: undefined }],
    ['a base that is not there', { a: undefined }, { b: 1 }],
  ])('extended by %s', (_what, base, additions) => {
    const whole = extendWritten(writeOnce(base), additions);
    expect(whole.plain).toBe(JSON.stringify({ ...base, ...additions }));
    expect(`"${whole.quotedAscii}"`).toBe(JSON.stringify(whole.plain));
  });
});

describe('toAsciiJson', () => {
  it('writes the same value as toJson in ASCII, and a quoted text as it is', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(JSON.parse(toAsciiJson({ given }))).toEqual(JSON.parse(toJson({ given })));
        expect(toAsciiJson(given)).toMatch(/^[\x20-\x7f]*$/);
        const body = writeOnce({ given });
        const sent = toAsciiJson([body, new QuotedText(body)]);
        expect(sent).toMatch(/^[\x20-\x7f]*$/);
        const [structured, text] = JSON.parse(sent) as [unknown, string];
        expect(text).toBe(body.plain);
        expect(structured).toEqual(JSON.parse(body.plain));
      }),
      { numRuns: 500 },
    );
  });

  it('leaves the characters of a text for people as they are', () => {
    const body = extendWritten(writeOnce({ name: 'Café 😀' }), { note: 'größer' });
    const sent = toAsciiJson({ text: new QuotedText(body), body });
    expect(sent).toContain('Caf\\u00e9 \\ud83d\\ude00');
    expect(JSON.parse(sent)).toEqual({
      text: '{"name":"Café 😀","note":"größer"}',
      body: { name: 'Café 😀', note: 'größer' },
    });
  });
});

describe('isDeeperThan', () => {
  const nested = (levels: number): unknown => {
    let inner: unknown = 1;
    for (let level = 0; level < levels; level += 1) inner = level % 2 === 0 ? [inner] : { inner };
    return inner;
  };

  it('agrees with a count by recursion', () => {
    const depthOf = (of: unknown): number =>
      typeof of === 'object' && of !== null ? 1 + Math.max(0, ...Object.values(of).map(depthOf)) : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(8), (given, levels) => {
        // A value of depth d, of which the outermost counts as level 0, is deeper than levels when d - 1 is.
        expect(isDeeperThan(given, levels)).toBe(Math.max(0, depthOf(given) - 1) > levels);
      }),
    );
  });

  it.each([
    [64, 65, false],
    [64, 66, true],
    [0, 1, false],
    [0, 2, true],
  ])('allows %i levels below the outermost: %i brackets', (levels, brackets, deeper) => {
    expect(isDeeperThan(nested(brackets), levels)).toBe(deeper);
  });

  it('judges a megabyte of brackets without exhausting the stack', () => {
    expect(isDeeperThan(nested(500_000), 64)).toBe(true);
  });
});

describe('isObject', () => {
  it.each([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    [undefined, false],
    ['text', false],
    [0, false],
  ])('%j: %s', (given, expected) => {
    expect(isObject(given)).toBe(expected);
  });
});

/** A written object, extended again and again by members that it does not have yet. */
function extendedBy(base: object, more: readonly object[]): Written {
  const known = new Set(Object.keys(base));
  return more.reduce<Written>((whole, members) => {
    const fresh = Object.entries(members).filter(([key]) => !known.has(key));
    for (const [key] of fresh) known.add(key);
    return extendWritten(whole, Object.fromEntries(fresh));
  }, writeOnce(base));
}
