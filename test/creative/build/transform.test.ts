import { describe, expect, it } from 'vitest';
import {
  chooseAdaptation,
  cropLoss,
  findSourceAsset,
  isClick,
  isTracker,
  prepareUrl,
  readHtmlSize,
  resizeHtml,
  wrapPicture,
} from '../../../src/creative/build/transform.js';
import type { Manifest } from '../../../src/creative/formats/manifest.js';

const manifest = (assets: Manifest['assets'], id = 'x'): Manifest => ({
  format_id: { agent_url: 'https://a.example', id },
  assets,
});

describe('a picture in another shape', () => {
  it('is cropped while little is lost, else laid out anew, else shown whole', () => {
    const loss = cropLoss({ width: 300, height: 250 }, { width: 728, height: 90 });
    expect(loss).toBeCloseTo(0.85, 2);
    expect(chooseAdaptation(loss, true)).toBe('compose');
    expect(chooseAdaptation(loss, false)).toBe('contain');
    expect(chooseAdaptation(cropLoss({ width: 300, height: 250 }, { width: 336, height: 280 }), true)).toBe('crop');
    expect(chooseAdaptation(0.2, true)).toBe('crop');
    expect(chooseAdaptation(1, true, 'contain')).toBe('contain');
  });
});

describe('an asset of the source', () => {
  const source = manifest({
    photo: { asset_type: 'image', url: 'https://x/1' },
    logo: { asset_type: 'image', url: 'https://x/2' },
    image: { asset_type: 'image', url: 'https://x/3' },
  });

  it('is found by its name, then by its type', () => {
    expect(findSourceAsset(source, 'image', ['image'])?.key).toBe('image');
    expect(findSourceAsset(source, 'banner', ['image'])?.key).toBe('photo');
    expect(findSourceAsset(source, 'banner', ['image'], (key) => key === 'logo')?.key).toBe('logo');
    expect(findSourceAsset(source, 'banner', ['video'])).toBeUndefined();
    expect(findSourceAsset(undefined, 'banner', ['image'])).toBeUndefined();
  });

  it('counts or is clicked', () => {
    const url = { asset_type: 'url', url: 'https://x/' } as const;
    expect(isTracker({ key: 'click_tracker', asset: url })).toBe(true);
    expect(isTracker({ key: 'pixel', asset: { asset_type: 'pixel_tracker', url: 'https://x/' } })).toBe(true);
    expect(isClick({ key: 'click_url', asset: url })).toBe(true);
    expect(isClick({ key: 'click_tracker', asset: url })).toBe(false);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'not a url', ''])(
    'with the URL %j is refused',
    (url) => {
      expect(() => prepareUrl(url, 'creative_manifest.assets.click_url.url', {})).toThrow(
        expect.objectContaining({
          code: 'VALIDATION_ERROR',
          extras: expect.objectContaining({ field: 'creative_manifest.assets.click_url.url' }),
        }),
      );
    },
  );

  it('keeps its macros, and those with a value are filled', () => {
    expect(prepareUrl('https://x.example/?c={CLICK_URL}&d={DEVICE_TYPE}', 'f', { DEVICE_TYPE: 'a b&c' })).toBe(
      'https://x.example/?c={CLICK_URL}&d=a%20b%26c',
    );
  });
});

describe('HTML of another size', () => {
  const ad = '<meta name="ad.size" content="width=300,height=250"><a href="{CLICK_URL}">"Hi"</a>';

  it('says itself how large it is, else its asset or its format does', () => {
    expect(readHtmlSize({ content: ad, width: 1, height: 2 }, undefined)).toEqual({ width: 300, height: 250 });
    expect(readHtmlSize({ content: '', width: 1, height: 2 }, undefined)).toEqual({ width: 1, height: 2 });
    expect(readHtmlSize({ content: '' }, manifest({}, 'display_728x90_html'))).toEqual({ width: 728, height: 90 });
    expect(readHtmlSize({ content: '' }, undefined)).toBeUndefined();
  });

  it('is scaled inside a sandboxed frame, its macros literal', () => {
    const html = resizeHtml(ad, { width: 300, height: 250 }, { width: 600, height: 500 }, {});
    expect(html).toContain('transform:scale(2)');
    expect(html).toContain('href=&quot;{CLICK_URL}&quot;');
    expect(html).toContain('sandbox="allow-scripts');
    expect(html).not.toContain('allow-same-origin');
    expect(resizeHtml(ad, { width: 300, height: 250 }, { width: 300, height: 250 }, {})).toBe(ad);
  });

  it('around a picture escapes its title', () => {
    expect(wrapPicture('data:image/png;base64,AA', { width: 1, height: 2 }, '"><script>')).not.toContain('<script>');
  });
});
