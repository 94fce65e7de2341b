import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { type RendererPayload, rendererClient } from '../../kit/renderer.js';

const server = await boot();
const renderer = rendererClient(server);
const BANNER = renderer.format('display_300x250_image');

describe('list_creative_formats, argument by argument', () => {
  const listed = async (args: object): Promise<RendererPayload> => {
    const page = { pagination: { max_results: 100 } };
    return renderer.must('list_creative_formats', { ...page, ...args });
  };
  type Shown = {
    readonly format_id: { readonly id: string };
    readonly name: string;
    readonly type: string;
    readonly assets_required: readonly { readonly asset_type?: string; readonly required: boolean }[];
    readonly assets: readonly { readonly asset_type?: string; readonly assets?: readonly { asset_type: string }[] }[];
    readonly renders: readonly {
      readonly dimensions?: { width?: number; height?: number; responsive?: { width: boolean; height: boolean } };
    }[];
  };
  const shown = async (args: object): Promise<readonly Shown[]> =>
    (await listed(args)).formats as unknown as readonly Shown[];

  test('nothing asked for: every format with the fields that the specification names', async () => {
    const formats = await shown({});
    expect(formats.length).toBe(100);
    for (const each of formats) {
      expect(each.format_id).toEqual({ agent_url: server.url('creative'), id: expect.stringMatching(/^[\w-]+$/) });
      expect(each.name.length).toBeGreaterThan(3);
      expect(each.assets_required.every((slot) => slot.required)).toBe(true);
      expect(each.renders.length).toBeGreaterThan(0);
    }
  });

  test('format_ids: only these; one that nobody knows just does not appear', async () => {
    const found = await shown({
      format_ids: [BANNER, renderer.format('hologram'), renderer.format('video_30s')],
    });
    expect(found.map((each) => each.format_id.id)).toEqual(['display_300x250_image', 'video_30s']);
  });

  test.each(['video', 'display', 'audio', 'dooh'])('type %s', async (type) => {
    const found = await shown({ type });
    expect(found.length).toBeGreaterThan(2);
    expect(new Set(found.map((each) => each.type))).toEqual(new Set([type]));
  });

  test.each(['image', 'video', 'audio', 'text', 'html', 'javascript', 'url'])('asset_types %s', async (type) => {
    const found = await shown({ asset_types: [type] });
    expect(found.length).toBeGreaterThan(0);
    for (const { assets } of found) {
      const types = assets.flatMap((slot) => [slot.asset_type, ...(slot.assets ?? []).map((one) => one.asset_type)]);
      expect(types).toContain(type);
    }
    const others = await shown({ format_ids: [renderer.format('audio_30s')], asset_types: ['javascript'] });
    expect(others).toEqual([]);
  });

  test('max_width and max_height: inclusive, and a side that is not fixed fits', async () => {
    const found = await shown({ type: 'display', max_width: 320, max_height: 50 });
    const sizes = found.flatMap((each) =>
      each.renders.map(({ dimensions = {} }) => [dimensions.width, dimensions.height]),
    );
    expect(sizes).toContainEqual([320, 50]);
    for (const [width, height] of sizes) {
      if (width !== undefined) expect(width).toBeLessThanOrEqual(320);
      if (height !== undefined) expect(height).toBeLessThanOrEqual(50);
    }
    expect(sizes).not.toContainEqual([300, 250]);
  });

  test('is_responsive tells formats that stretch from those that do not', async () => {
    const responsive = ({ renders }: Shown): boolean =>
      renders.some(({ dimensions }) => Boolean(dimensions?.responsive?.width || dimensions?.responsive?.height));
    const [fluid, fixed] = [await shown({ is_responsive: true }), await shown({ is_responsive: false })];
    expect(fluid.length * fixed.length).toBeGreaterThan(0);
    expect([fluid.every(responsive), fixed.some(responsive)]).toEqual([true, false]);
  });

  test('name_search: any part of the name, in any case', async () => {
    const found = await shown({ name_search: 'LEADERBOARD' });
    expect(found.length).toBeGreaterThan(0);
    for (const { name } of found) expect(name.toLowerCase()).toContain('leaderboard');
    expect(await shown({ name_search: 'no format is called so' })).toEqual([]);
  });

  test('the public filters beside these: what cannot be a filter is refused, not ignored', async () => {
    expect(await shown({ output_format_ids: [BANNER] })).toMatchObject([
      { format_id: { id: 'display_300x250_generative' } },
    ]);
    expect(await shown({ disclosure_positions: ['footer', 'overlay'] })).toEqual([]);
    await expect(shown({ disclosure_positions: ['footer', 'no such place'] })).rejects.toThrow('expected one of');
    for (const [args, code, field] of [
      [{ disclosure_positions: 'footer' }, 'INVALID_REQUEST', 'disclosure_positions'],
      [{ disclosure_persistence: 7 }, 'INVALID_REQUEST', 'disclosure_persistence'],
      [{ wcag_level: 'B' }, 'INVALID_REQUEST', 'wcag_level'],
      [{ output_format_ids: ['display_300x250'] }, 'INVALID_FORMAT_ID', 'output_format_ids[0]'],
    ] as const) {
      const { adcp_error, error } = await renderer.refused('list_creative_formats', args);
      expect([adcp_error.code, adcp_error.field, error.status]).toEqual([code, field, 400]);
    }
  });
});

test('nothing of all this was unexpected to the server', () => {
  expect(server.log).toEqual([]);
});
