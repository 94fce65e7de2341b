import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDigest, readBytes, writeBytes } from '../../../src/platform/signing/digest.js';
import { isSingleValue, readByteMembers, readSignatureFields } from '../../../src/platform/signing/signature-fields.js';

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
