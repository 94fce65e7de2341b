import { describe, expect, it } from 'vitest';
import {
  ASSET_TYPES,
  assetAt,
  creativeStatus,
  isAsset,
  promotedOfferings,
  readManifest,
} from '../../../src/creative/formats/manifest.js';
import { ERROR_CODES, type ErrorCode, TaskError } from '../../../src/protocol/errors.js';

const format_id = { agent_url: 'https://a.example', id: 'display_300x250' };

function thrownBy(act: () => unknown): TaskError {
  try {
    act();
  } catch (error) {
    if (error instanceof TaskError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('readManifest', () => {
  it('keeps assets and further fields as they came', () => {
    const given = {
      format_id: { ...format_id, note: 'x' },
      assets: {
        image: { asset_type: 'image', url: 'https://a.example/a.png', width: 300, height: 250, mime_type: 'image/png' },
        headline: { content: 'Sale' },
        texts: [
          { asset_type: 'text', content: 'a' },
          { asset_type: 'text', content: 'b' },
        ],
        card: [{ image: { url: 'https://a.example/a.png' }, url: { asset_type: 'url', url: 'https://a.example' } }],
        brief: { asset_type: 'brief', name: 'Summer', messaging: { headline: 'x' } },
      },
      provenance: { ai: true },
    };
    expect(readManifest(given, 'creative_manifest')).toEqual({ ...given, format_id });
  });

  it('needs neither format nor assets', () => {
    expect(readManifest({}, 'm')).toEqual({ assets: {} });
    expect(readManifest({ assets: {} }, 'm')).toEqual({ assets: {} });
  });

  it.each(ASSET_TYPES)('knows the asset type %s', (asset_type) => {
    expect(readManifest({ assets: { x: { asset_type } } }, 'm').assets.x).toEqual({ asset_type });
  });

  it.each([
    [null, 'm', ''],
    ['x', 'm', ''],
    [[], 'm', ''],
    [{ assets: [] }, 'm.assets', '/assets'],
    [{ assets: 'x' }, 'm.assets', '/assets'],
    [{ assets: { x: 'https://a.example' } }, 'm.assets.x', '/assets/x'],
    [{ assets: { x: null } }, 'm.assets.x', '/assets/x'],
    [{ assets: { x: { asset_type: 'smell' } } }, 'm.assets.x.asset_type', '/assets/x/asset_type'],
    [{ assets: { x: { url: 7 } } }, 'm.assets.x.url', '/assets/x/url'],
    [{ assets: { x: { width: '300' } } }, 'm.assets.x.width', '/assets/x/width'],
    [{ assets: { x: { width: 0 } } }, 'm.assets.x.width', '/assets/x/width'],
    [{ assets: { x: { content: ['a'] } } }, 'm.assets.x.content', '/assets/x/content'],
    [{ assets: { x: [{ content: 7 }] } }, 'm.assets.x[0].content', '/assets/x/0/content'],
    [{ assets: { x: [{ image: { url: 7 } }] } }, 'm.assets.x[0].image.url', '/assets/x/0/image/url'],
    [{ assets: { x: [{ image: {}, headline: 'x' }] } }, 'm.assets.x[0].headline', '/assets/x/0/headline'],
    [{ assets: { 'a/b': {} } }, 'm.assets', '/assets'],
    [{ assets: { promoted_offerings: 'x' } }, 'm.assets.promoted_offerings', '/assets/promoted_offerings'],
  ])('%j is no manifest', (value, field, pointer) => {
    const error = thrownBy(() => readManifest(value, 'm'));
    expect(error.code).toBe('INVALID_REQUEST');
    expect(creativeStatus(error.code)).toBe(400);
    expect(error.extras.field).toBe(field);
    expect(error.extras.issues?.[0]?.pointer).toBe(`/m${pointer}`);
  });

  it('shows every fault, with pointers from the arguments', () => {
    const error = thrownBy(() =>
      readManifest({ assets: { a: { url: 1 }, b: { width: 'x' } } }, 'requests[3].creative_manifest'),
    );
    expect(error.extras.field).toBe('requests[3].creative_manifest.assets.a.url');
    expect(error.extras.issues?.map(({ pointer }) => pointer)).toEqual([
      '/requests/3/creative_manifest/assets/a/url',
      '/requests/3/creative_manifest/assets/b/width',
    ]);
  });

  it('a format that is no object is INVALID_FORMAT_ID', () => {
    const error = thrownBy(() => readManifest({ format_id: 'display_300x250', assets: {} }, 'm'));
    expect([error.code, error.extras.field]).toEqual(['INVALID_FORMAT_ID', 'm.format_id']);
  });

  it('is bounded: depth, assets, text', () => {
    let deep: unknown = {};
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    expect(thrownBy(() => readManifest({ assets: {}, ext: deep }, 'm')).extras.issues?.[0]?.keyword).toBe('maxDepth');
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`a${index}`, {}]));
    expect(thrownBy(() => readManifest({ assets: many }, 'm')).extras.issues?.[0]?.keyword).toBe('maxProperties');
    const long = { assets: { x: { content: 'x'.repeat(2_000_001) } } };
    expect(thrownBy(() => readManifest(long, 'm')).extras.field).toBe('m.assets.x.content');
  });
});

describe('what a manifest holds', () => {
  it('the older form of an offer, under both names', () => {
    const offer = (promoted_offerings: object) =>
      promotedOfferings(readManifest({ assets: { promoted_offerings } }, 'm'));
    const brand_manifest = { name: 'Acme', colors: { primary: '#112233' } };
    const offerings = [{ name: 'Boots', description: 'For the summit' }];
    expect(offer({ brand_manifest, inline_offerings: offerings })).toEqual({ brand_manifest, offerings });
    expect(offer({ brand_manifest: 'https://acme.example/', offerings })).toEqual({
      brand_manifest: 'https://acme.example/',
      offerings,
    });
    expect(offer({ brand_manifest: 7, offerings: [7, ...offerings] })).toEqual({ offerings });
    expect(promotedOfferings({ assets: {} })).toBeUndefined();
  });

  it('one asset, several, or none', () => {
    const manifest = readManifest(
      { assets: { a: { content: '1' }, b: [{ content: '2' }, { content: '3' }], c: [] } },
      'm',
    );
    expect(isAsset(manifest.assets.a)).toBe(true);
    expect(isAsset(manifest.assets.b)).toBe(false);
    expect(['a', 'b', 'c', 'd', 'constructor'].map((key) => assetAt(manifest, key)?.content)).toEqual([
      '1',
      '2',
      ...[undefined, undefined, undefined],
    ]);
  });
});

describe('creativeStatus', () => {
  it.each([
    ['INVALID_FORMAT_ID', 400],
    ['INVALID_REQUEST', 400],
    ['REFERENCE_NOT_FOUND', 404],
    ['FORMAT_NOT_SUPPORTED', 404],
    ['CREATIVE_NOT_FOUND', 404],
    ['VALIDATION_ERROR', 422],
    ['COMPLIANCE_UNSATISFIED', 422],
    ['CREATIVE_VALUE_NOT_ALLOWED', 422],
    ['RATE_LIMITED', undefined],
  ] as const)('%s: %s', (code, status) => {
    expect(creativeStatus(code)).toBe(status);
  });

  it('agrees with the table of codes', () => {
    for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
      const status = creativeStatus(code);
      if (status !== undefined) expect(ERROR_CODES[code].status).toBe(status);
    }
  });
});
