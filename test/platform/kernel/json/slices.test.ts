import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LARGE_BYTES } from '../../../../src/platform/kernel/json/bounds.js';
import { readJsonInSlices } from '../../../../src/platform/kernel/json/slices.js';
import { readStrictJson } from '../../../../src/platform/kernel/json/strict-json.js';

const WIDE = { levels: 1000, values: 1_000_000, members: 100_000 };

function parseWhole(text: string): unknown {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

async function readParts(text: string): Promise<unknown> {
  const read = await readJsonInSlices(Buffer.from(text), WIDE);
  if (read.ok) expect(await read.hasRepeatedNames()).toBe(repeatsName(text));
  return read.ok ? { ok: true, value: read.value } : { ok: false };
}

function repeatsName(text: string): boolean {
  const read = readStrictJson(text);
  return !read.ok && read.reason === 'duplicate_keys';
}

/** Texts that are long enough to be read in parts: small JSON, with runs of white space and of texts. */
const padding = fc.constantFrom('', ' ', '\n'.repeat(LARGE_BYTES), ' '.repeat(LARGE_BYTES / 2), '\u00a0');
const leaf = fc.constantFrom(
  '1',
  '-0',
  'null',
  `"${'x'.repeat(LARGE_BYTES)}"`,
  '"a\\"[{,"',
  '"é😀"',
  '{}',
  '[]',
  '[1,2]',
  'true',
  '',
);
const name = fc.constantFrom('"a":', '"b":', '"__proto__":', '"1":', '"a\\u0062":', '"a":-', '"a"', '', '"x":1,"y":');
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc
      .tuple(
        padding,
        fc.array(fc.tuple(padding, tie('value'), padding), { maxLength: 5 }),
        fc.constantFrom(']', ']', '}'),
      )
      .map(([pad, items, end]) => `[${pad}${items.map((item) => item.join('')).join(',')}${end}`),
    fc
      .tuple(padding, fc.array(fc.tuple(padding, name, tie('value'), padding), { maxLength: 5 }))
      .map(([pad, members]) => `{${pad}${members.map((member) => member.join('')).join(',')}}`),
  ),
})).value;

describe('JSON that is read in slices', () => {
  it('comes to what JSON.parse comes to, in the same order, and fails where that fails', async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.constantFrom('', ' ', ',', ']', '1'), async (text, behind) => {
        const [read, whole] = [await readParts(text + behind), parseWhole(text + behind)];
        expect(read).toStrictEqual(whole);
        expect(JSON.stringify(read)).toBe(JSON.stringify(whole));
      }),
      { numRuns: 300 },
    );
  });

  it('is that of long lists of all kinds, and of large values deep within', async () => {
    const long = (item: unknown) => Array.from({ length: 30_000 }, () => item);
    const values = [
      long(1),
      long({ a: [1, 'b'] }),
      { a: long('x'), b: { c: { d: [long([]), 1, long({})] } }, e: 2 },
      [[[[long(true)]]], { z: long(null) }],
      JSON.parse(`{"__proto__": {"a": [${'1,'.repeat(60_000)}1]}, "b": 1}`),
    ];
    for (const value of values) {
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 1)]) {
        expect(await readParts(text)).toStrictEqual({ ok: true, value });
      }
    }
  });

  it('is that of a hundred thousand lists in one another, of which the stack could not take as many parts', async () => {
    const read = await readJsonInSlices(Buffer.from(`${'['.repeat(120_000)}${']'.repeat(120_000)}`), {
      levels: Number.POSITIVE_INFINITY,
      values: Number.POSITIVE_INFINITY,
    });
    expect(read).toMatchObject({ ok: true, levels: 120_000 });
  });

  it('says which bound is exceeded, before it reads anything', async () => {
    const bounds = { levels: 10, values: 1000, members: 50 };
    const object = (members: number) => `{${Array.from({ length: members }, (_, at) => `"k${at}":1`).join(',')}}`;
    expect(await readJsonInSlices(Buffer.from('['.repeat(1_000_000)), bounds)).toEqual({
      ok: false,
      exceeded: 'levels',
    });
    expect(await readJsonInSlices(Buffer.from(`[${'1,'.repeat(1000)}`), bounds)).toEqual({
      ok: false,
      exceeded: 'values',
    });
    expect(await readJsonInSlices(Buffer.from(object(51)), bounds)).toEqual({ ok: false, exceeded: 'members' });
    expect(await readJsonInSlices(Buffer.from(`[${object(50)},${object(50)}]`), bounds)).toMatchObject({
      ok: true,
      levels: 2,
    });
    expect(await readJsonInSlices(Buffer.from(`[${'1,'.repeat(999)}1]`), bounds)).toMatchObject({
      ok: true,
      values: 1000,
    });
  });
});
