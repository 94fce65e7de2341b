import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJson } from '../../../../src/platform/kernel/json/json.js';
import { attachText, hasNumber, textsAt, verbatim } from '../../../../src/platform/kernel/json/verbatim.js';

describe('the text of a member', () => {
  it.each([
    ['{"a":1}', ['a'], '1'],
    [' { "x" : "}\\"]," , "a" : [ {} , 12345678901234567890 ] } ', ['a', 1], '12345678901234567890'],
    ['[{"b":{"c": 1e400 }}]', [0, 'b', 'c'], '1e400'],
    ['{"a":{"__proto__":{"x":1.0}},"z":0}', ['a'], '{"__proto__":{"x":1.0}}'],
    ['{"\\u0061":-0}', ['a'], '-0'],
    ['{"a":1,"a":2}', ['a'], '2'],
    ['{"a":{"b":1}}', ['b'], undefined],
    ['{"a":[1]}', ['a', 1], undefined],
    ['"a"', ['a'], undefined],
    ['[]', [], '[]'],
  ])('in %s at %j is %s', async (json, path, text) => expect(await textsAt(json, [path])).toEqual([text]));

  it('is that of its value, whatever the JSON is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(2), async (object, indent) => {
        const json = JSON.stringify(object, null, indent);
        const texts = await textsAt(
          json,
          Object.keys(object).map((name) => [name]),
        );
        expect(texts.map((text) => JSON.parse(text ?? 'null'))).toEqual(
          Object.values(object).map((value) => JSON.parse(JSON.stringify(value))),
        );
      }),
    );
  });

  it('is found in each item of a list', async () => {
    const items = fc.array(fc.record({ a: fc.jsonValue() }, { requiredKeys: [] }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(items, fc.nat(2), async (list, indent) => {
        const paths = list.map(() => ['a']);
        const texts = await textsAt(JSON.stringify(list, null, indent), paths, { each: true });
        expect(texts.map((text) => (text === undefined ? undefined : JSON.parse(text)))).toEqual(
          list.map(({ a }) => (a === undefined ? undefined : JSON.parse(JSON.stringify(a)))),
        );
      }),
    );
  });

  it('gives way to the event loop while it is looked for', async () => {
    const json = `{"large":[${'{},'.repeat(1_000_000)}1],"a":1}`;
    let rounds = 0;
    const timer = setInterval(() => {
      rounds += 1;
    }, 1);
    expect(await textsAt(json, [['a']])).toEqual(['1']);
    clearInterval(timer);
    expect(rounds).toBeGreaterThan(2);
  });
});

describe('an object as it was sent', () => {
  it('is written to the digit where its text was noted, and as itself else', () => {
    const object = JSON.parse('{"id":12345678901234567890}');
    expect(verbatim(object)).toBe(object);
    attachText(object, '{"id":12345678901234567890}');
    expect(toJson({ context: verbatim(object) })).toBe('{"context":{"id":12345678901234567890}}');
    expect(Object.keys(object)).toEqual(['id']);
  });

  it('needs its text where it holds a number', () => {
    expect(hasNumber({ a: '1', b: [null, true, {}] })).toBe(false);
    expect(hasNumber({ a: [{ b: 1 }] })).toBe(true);
  });
});
