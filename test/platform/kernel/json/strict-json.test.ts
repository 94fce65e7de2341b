import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_JSON_DEPTH,
  readStrictJson,
  readStrictJsonInSlices,
} from '../../../../src/platform/kernel/json/strict-json.js';

describe('readStrictJson', () => {
  it('reads every JSON text as JSON.parse does, when no name is repeated', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(readStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
        expect(readStrictJson(Buffer.from(text))).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('finds a repeated name wherever it stands and however it is spelled', () => {
    const spelled = (name: string) => [
      JSON.stringify(name),
      `"${[...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
    ];
    const name = fc.stringMatching(/^[a-z"\\/{}[\],:]{1,5}$/);
    fc.assert(
      fc.property(name, fc.json({ maxDepth: 2 }), fc.nat(5), fc.boolean(), (key, value, depth, isEscaped) => {
        const [plain, escaped] = spelled(key);
        const object = `{"other-name":${value},${plain}: ${value} , ${isEscaped ? escaped : plain} :1}`;
        const text = `${'[{"n":'.repeat(depth)}${object}${'}]'.repeat(depth)}`;
        expect(readStrictJson(text)).toEqual({ ok: false, reason: 'duplicate_keys', names: [key] });
      }),
    );
  });

  it.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', 'fine'],
    ['{"a":"\\"a\\":1,\\"a\\":2"}', 'fine'],
    ['["a","a",{"a":"a"}]', 'fine'],
    ['{"__proto__":1,"a":2}', 'fine'],
    ['{"a\\\\":1,"a\\\\\\\\":2}', 'fine'],
    ['{"a":1,"a":1', 'not_json'],
    ['{"a":1,}', 'not_json'],
    ['', 'not_json'],
    ['"', 'not_json'],
    ['\u{feff}{}', 'not_json'],
    [`${'['.repeat(MAX_JSON_DEPTH)}${']'.repeat(MAX_JSON_DEPTH)}`, 'fine'],
    [`${'['.repeat(MAX_JSON_DEPTH + 1)}${']'.repeat(MAX_JSON_DEPTH + 1)}`, 'too_deep'],
    ['['.repeat(100_000), 'too_deep'],
  ])('%j is %s', (text, expected) => {
    const read = readStrictJson(text);
    expect(read.ok ? 'fine' : read.reason).toBe(expected);
  });

  it('refuses bytes that are no UTF-8', () => {
    expect(readStrictJson(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ reason: 'not_json' });
  });
});

describe('readStrictJsonInSlices', () => {
  const large = Array.from({ length: 5000 }, (_, at) => ({ name: `n${at}`, text: 'x"\\'.repeat(5) }));

  it('reads what is read in one go alike, and refuses the same', async () => {
    const texts = ['', '{}', '[', '"', '\u{feff}{}', '{"a":1,"\\u0061":2}', JSON.stringify(large)];
    texts.push(
      JSON.stringify(large).replace('"n4999"', '"n","name":1'),
      '['.repeat(100_000),
      `${JSON.stringify(large)}]`,
    );
    for (const text of texts)
      expect(await readStrictJsonInSlices(Buffer.from(text), 100_000)).toEqual(readStrictJson(text));
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), async (text) => {
        expect(await readStrictJsonInSlices(Buffer.from(text), 100_000)).toEqual(readStrictJson(text));
      }),
    );
  });

  it('lets others have the event loop in between, and reads nothing of what holds too many values', async () => {
    const bytes = Buffer.from(JSON.stringify(Array.from({ length: 20 }, () => large)));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    expect(await readStrictJsonInSlices(bytes, 10_000_000)).toMatchObject({ ok: true });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
    expect(await readStrictJsonInSlices(bytes, 1000)).toEqual({ ok: false, reason: 'too_many', names: [] });
  });
});
