import { describe, expect, it } from 'vitest';
import { readBrandJson } from '../../../src/registry/brand/brand-json.js';
import { type Finding, isValid } from '../../../src/registry/documents/finding.js';
import { schemaJudge } from '../../kit/schemas.js';
import { examples, RELEASES, read } from '../scripted-web.js';

type Path = readonly (string | number)[];

/** What is put in the place of each member of an example, in turn. */
const SUBSTITUTES: readonly unknown[] = [undefined, null, 7, 'A b!', [], {}, [{}]];
/** How a brand sounds and is drawn is for those who draw; 3.0 had a scope of governance agents, which 3.1 dropped. */
const NOT_JUDGED =
  /^\/(brands\/\d+\/)?(tone|visual_guidelines|product_catalog|tagline|fonts|assets)\/|\/tone$|\/scope(\/|$)/;

const readers: Readonly<Record<'adagents' | 'brand', (content: unknown) => readonly Finding[]>> = {
  adagents: (content) => read(content).findings,
  brand: (content) => readBrandJson(JSON.stringify(content), { file: 'brand.json' }).findings,
};

describe.each(RELEASES)('the public examples of %s', (release) => {
  it.each(examples(release, 'adagents'))('adagents %#', (example) => {
    expect(isValid(readers.adagents(example))).toBe(true);
  });

  it.each(examples(release, 'brand'))('brand %#', (example) => {
    expect(isValid(readers.brand(example))).toBe(true);
  });
});

describe.each(RELEASES)('what the schemas of %s refuse', (release) => {
  const judge = schemaJudge(release);

  it.each(['adagents', 'brand'] as const)('%s: nothing of it is found fine', (schema) => {
    const unseen: string[] = [];
    let refused = 0;
    for (const example of examples(release, schema)) {
      for (const path of places(example)) {
        for (const substitute of SUBSTITUTES) {
          const changed = put(example, path, substitute);
          if (judge(schema, changed).length === 0) continue;
          refused += 1;
          if (readers[schema](changed).length === 0) unseen.push(`/${path.join('/')} = ${JSON.stringify(substitute)}`);
        }
      }
    }
    expect(unseen.filter((place) => !NOT_JUDGED.test(place.replace(/ = .*/, '')))).toEqual([]);
    expect(refused).toBeGreaterThan(400);
  });
});

/** The places of a value below its root: of a list the first and the last item. */
function places(value: unknown, at: Path = []): readonly Path[] {
  const here: readonly Path[] = at.length === 0 ? [] : [at];
  if (Array.isArray(value)) {
    const ends = [...new Set([0, value.length - 1])].filter((index) => index in value);
    return [...here, ...ends.flatMap((index) => places(value[index], [...at, index]))];
  }
  if (typeof value !== 'object' || value === null) return here;
  return [...here, ...Object.entries(value).flatMap(([key, member]) => places(member, [...at, key]))];
}

/** A copy with another value in a place; undefined takes it away. */
function put(value: unknown, [step, ...rest]: Path, substitute: unknown): unknown {
  if (step === undefined) return substitute;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return list.flatMap((item, index) => {
      if (index !== step) return [item];
      const made = put(item, rest, substitute);
      return made === undefined ? [] : [made];
    });
  }
  const object = value as Readonly<Record<string, unknown>>;
  const made = put(object[step], rest, substitute);
  const { [step]: _, ...others } = object;
  return made === undefined ? others : { ...others, [step]: made };
}
