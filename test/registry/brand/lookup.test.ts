import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { createBrandLookup } from '../../../src/registry/brand/lookup.js';
import { turnableClock } from '../../kit/surroundings.js';
import { type Line, scripted } from '../client/scripted-registry.js';

const COLORS = { colors: { primary: '#112233' } };
const answer = (source: string): Line => ({
  body: { canonical_id: 'acme', canonical_domain: 'acme.example', brand_name: 'Acme', source, brand_manifest: COLORS },
});

async function lookup(
  script: readonly Line[],
  mirrored: Parameters<typeof createBrandLookup>[0] = async () => undefined,
) {
  const { client, heard } = await scripted(script, { longestWaitMs: 0 });
  const clock = turnableClock();
  return { brandOf: createBrandLookup(mirrored, client, clock), clock, heard };
}

describe('a brand', () => {
  it('of the mirror is taken from there, and the registry is not asked', async () => {
    const { brandOf, heard } = await lookup([], async () => ({ source: 'brand_json', brand_json: { id: 'acme' } }));
    expect([await brandOf('acme.example'), heard]).toEqual([{ id: 'acme' }, []]);
  });

  it('that the registry knows is asked for once an hour', async () => {
    const { brandOf, clock, heard } = await lookup([answer('brand_json'), answer('enriched')]);
    expect(await brandOf('acme.example')).toEqual({ name: 'Acme', ...COLORS });
    expect(await brandOf('acme.example')).toEqual({ name: 'Acme', ...COLORS });
    expect(heard.map(({ url }) => url)).toEqual(['/api/brands/resolve?domain=acme.example']);
    clock.advance(HOUR_MS);
    await brandOf('acme.example');
    expect(heard).toHaveLength(2);
  });

  it.each<[what: string, line: Line]>([
    ['a stranger has sent in', answer('community')],
    ['it does not know', { status: 404, body: { error: 'Brand not found' } }],
    ['it has no manifest of', { body: { source: 'brand_json', brand_name: 'Acme' } }],
  ])('that %s is left to its own file', async (_what, line) => {
    const { brandOf, heard } = await lookup([line]);
    expect([await brandOf('acme.example'), await brandOf('acme.example'), heard.length]).toEqual([
      undefined,
      undefined,
      1,
    ]);
  });

  it('is asked for again after a minute when the registry failed', async () => {
    const { brandOf, clock, heard } = await lookup([{ status: 503 }, answer('brand_json')]);
    expect(await brandOf('acme.example')).toBeUndefined();
    expect(await brandOf('acme.example')).toBeUndefined();
    clock.advance(MINUTE_MS);
    expect(await brandOf('acme.example')).toMatchObject(COLORS);
    expect(heard).toHaveLength(2);
  });
});
