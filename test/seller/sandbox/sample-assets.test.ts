import { describe, expect, test } from 'vitest';
import { houseFormats } from '../../../src/creative/formats/catalog/catalog.js';
import { readManifest } from '../../../src/creative/formats/manifest.js';
import { parseTag } from '../../../src/creative/vast/tag.js';
import { withSamples } from '../../../src/seller/sandbox/sample-assets.js';

const FORMATS = houseFormats('https://seller.example/creative/mcp');
const format = (id: string) => FORMATS.find((one) => one.format_id.id === id);

describe('samples for a seeded creative', () => {
  test.each([
    ['display_300x250_image', 'banner_image', { asset_type: 'image', width: 300, height: 250 }],
    ['video_standard_15s', 'video_file', { asset_type: 'video', duration_ms: 15_000 }],
    ['vast_30s', 'vast_tag', { asset_type: 'vast', delivery_type: 'inline' }],
    ['display_js', 'js_creative', { asset_type: 'javascript' }],
  ])('of %s fill what it needs', (id, slot, sample) => {
    const needed = format(id)?.assets_required.map((one) => ('asset_id' in one ? one.asset_id : ''));
    const assets = withSamples(format(id), {});
    expect(Object.keys(assets)).toEqual(needed);
    expect(assets).toMatchObject({ [slot]: sample });
    expect(() => readManifest({ assets }, 'creative_manifest')).not.toThrow();
  });

  test('of a tag can be read, and lasts as long as its format says', () => {
    const { vast_tag } = withSamples(format('vast_30s'), {}) as { vast_tag: { content: string } };
    expect(parseTag(vast_tag.content)).toMatchObject({
      ok: true,
      tag: { version: '4.2', ads: [{ kind: 'inline', durationMs: 30_000 }] },
    });
  });

  test('leave what the fixture brings, and an unknown format, alone', () => {
    const own = { asset_type: 'image', url: 'https://cdn.example/own.png', width: 300, height: 250 };
    const assets = withSamples(format('display_300x250_image'), { banner_image: own });
    expect(assets.banner_image).toBe(own);
    expect(Object.keys(assets)).toContain('click_url');
    expect(withSamples(undefined, { odd: own })).toEqual({ odd: own });
  });
});
