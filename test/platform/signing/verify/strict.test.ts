import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDigest, readBytes, writeBytes } from '../../../../src/platform/signing/digest.js';
import { isSingleValue, readByteMembers, readSignatureFields } from '../../../../src/platform/signing/fields.js';
import {
  loggableNames,
  MAX_JSON_DEPTH,
  readStrictJson,
} from '../../../../src/platform/signing/verify/duplicate-keys.js';

describe('readBytes', () => {
  it('reads what anybody writes: base64url without padding, base64 with and without', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (array) => {
        const bytes = Buffer.from(array);
        const standard = bytes.toString('base64');
        for (const text of [bytes.toString('base64url'), standard, standard.replace(/=+$/, '')]) {
          expect(readBytes(text)).toEqual(bytes);
        }
      }),
    );
  });

  it.each(['a', 'ab=', 'AB==C', 'A+_A', '-/==', 'AA A', 'AAAA\n', 'AA=', 'AAA==', 'AAAA=', 'AB', 'AAB', '=', 'ä'])(
    'reads nothing in %j',
    (text) => {
      expect(readBytes(text)).toBeUndefined();
    },
  );

  it('takes back what it writes', () => {
    const bytes = Buffer.from([255, 254, 253, 252]);
    expect(writeBytes(bytes)).toBe(':__79_A:');
    expect(writeBytes(bytes, 'base64')).toBe('://79/A==:');
    expect(readByteMembers(contentDigest(bytes))?.get('sha-256')).toHaveLength(32);
    expect(readByteMembers(contentDigest(bytes, 'base64'))?.get('sha-256')).toHaveLength(32);
  });
});

describe('the fields of a signature', () => {
  const read = (input: string, signature = 'sig1=:AAAA:') => readSignatureFields(input, signature, 'sig1');

  it('keeps the parameters as they came', () => {
    expect(read('sig1=("a"  "b" ); created=1;x="a;b,c\\"(" , other=("x")')).toMatchObject({
      components: ['a', 'b'],
      received: '("a"  "b" ); created=1;x="a;b,c\\"("',
      signature: Buffer.alloc(3),
    });
  });

  it.each([
    '',
    'sig1',
    'sig1=',
    'sig1=token',
    'sig1="text"',
    'sig1=("a"',
    'sig1=("a"))',
    'sig1=(a)',
    'sig1=(1)',
    'sig1=("a";sf)',
    'sig1=("a");created=1;created=1',
    'sig1=("a"), sig1=("a")',
    'sig1=("a"),',
    'sig1=("a") x',
    'sig1=("ä")',
    'Sig1=("a")',
    'sig1=("a\\x")',
    'sig1=("a");created=1e5',
  ])('reads nothing in %j', (input) => {
    expect(read(input)).toBeUndefined();
  });

  it.each([
    '',
    'sig1=',
    'sig1=AAAA',
    'sig1=:AAAA',
    'sig1=:AAAA:;x',
    'sig1=:AAAA:, sig1=:AAAA:',
    'sig1=:A-B+:',
    'sig2=:AAAA:',
  ])('reads no signature in %j', (signature) => {
    expect(read('sig1=("a")', signature)).toBeUndefined();
  });

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (input, signature) => {
        readSignatureFields(input, signature, 'sig1');
        readSignatureFields(`sig1=${input}`, `sig1=:${signature}:`, 'sig1');
      }),
    );
  });

  it('a comma inside quotes makes no second value', () => {
    expect([isSingleValue('a/b; x="1,2"'), isSingleValue('a/b, c/d')]).toEqual([true, false]);
  });
});

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

describe('loggableNames', () => {
  it('cuts what a stranger wrote: four names, 32 bytes, nothing that a terminal obeys', () => {
    expect(loggableNames(['plain', 'a\u001b[31mred', 'ä', 'x'.repeat(40), 'fifth'])).toEqual([
      'plain',
      'a<sanitized:8>',
      '<sanitized:2>',
      `${'x'.repeat(32)}<sanitized:8>`,
    ]);
  });
});
