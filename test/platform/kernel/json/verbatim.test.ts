import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJson } from '../../../../src/platform/kernel/json/json.js';
import { attachText, hasNumber, textAt, verbatim } from '../../../../src/platform/kernel/json/verbatim.js';

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
  ])('in %s at %j is %s', (json, path, text) => expect(textAt(json, path)).toBe(text));

  it('is that of its value, whatever the JSON is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(2), (object, indent) => {
        const json = JSON.stringify(object, null, indent);
        for (const [name, value] of Object.entries(object))
          expect(JSON.parse(textAt(json, [name]) ?? 'null')).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
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
