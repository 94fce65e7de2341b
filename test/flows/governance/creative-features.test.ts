import { beforeAll, describe, expect, test } from 'vitest';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { creative, succeeded } from '../../kit/buyer.js';
import { picture } from '../../kit/renderer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';

type Answer = {
  readonly results: readonly { readonly feature_id: string; readonly value: unknown; readonly unit?: string }[];
  readonly audit_observations?: readonly { readonly field: string; readonly code: string }[];
  readonly message?: string;
};

const TENANT = 'governance';
const CLICK = { asset_type: 'url', url: 'https://acme-outdoor.example/', url_type: 'clickthrough' };
const { format_id } = creative('any');

let server: Booted;
let files: AssetServer;
let weight: number;
beforeAll(async () => {
  const banner = await picture(320, 50);
  weight = banner.length / 1000;
  files = await serveAssets({ '/banner.png': banner });
  server = await boot();
});

async function measure(creative_manifest: object, feature_ids?: readonly string[]): Promise<Answer> {
  const args = { creative_manifest, ...(feature_ids === undefined ? {} : { feature_ids }) };
  const payload = succeeded(await server.call('get_creative_features', args, { tenant: TENANT, version: '3.1' }));
  if (hasSchemas('3.1')) expect(schemaJudge('3.1')('creative/get-creative-features-response', payload)).toEqual([]);
  return payload as unknown as Answer;
}

const valuesOf = ({ results }: Answer) => Object.fromEntries(results.map((one) => [one.feature_id, one.value]));

describe('get_creative_features', () => {
  test('measures a picture by its file, whatever the manifest says of it', async () => {
    const image = { asset_type: 'image', url: files.url('/banner.png'), width: 300, height: 250, alt_text: 'Shoes' };
    const text = { asset_type: 'text', content: 'Die neuen Schuhe für den Sommer und mehr' };
    const values = valuesOf(await measure({ format_id, assets: { image, text, click_url: CLICK } }));
    expect(values).toEqual({
      width_px: 320,
      height_px: 50,
      file_weight_kb: weight,
      animated: false,
      // The picture of the test has no other address.
      ssl_compliant: false,
      click_tracking: true,
      tracker_count: 0,
      language: 'de',
      provenance_declared: false,
      alt_text: true,
    });
  });

  test('measures code and trackers that are in the manifest itself', async () => {
    const html = (script: string) => ({
      asset_type: 'html',
      content: `<svg xmlns="http://www.w3.org/2000/svg"></svg><script src="${script}"></script>`,
    });
    const pixel = { asset_type: 'url', url: 'https://pixel.example/i', url_type: 'tracker_pixel' };
    const secure = valuesOf(await measure({ format_id, assets: { html: html('https://cdn.example/a.js'), pixel } }));
    expect(secure).toMatchObject({ ssl_compliant: true, tracker_count: 1, click_tracking: false });
    const plain = valuesOf(await measure({ format_id, assets: { html: html('http://cdn.example/a.js') } }));
    expect(plain).toMatchObject({ ssl_compliant: false, tracker_count: 0 });
  });

  test('answers nothing of what it could not look at, and says why', async () => {
    const image = { asset_type: 'image', url: files.url('/gone.png'), width: 300, height: 250 };
    const answer = await measure({ format_id, assets: { image } }, ['width_px', 'alt_text']);
    expect(answer.results).toEqual([expect.objectContaining({ feature_id: 'alt_text', value: false })]);
    expect(answer.message).toMatch(/width_px.*could not be looked at/);
  });

  test('observes a disclosure that is waived because a person had a hand in it', async () => {
    const provenance = {
      digital_source_type: 'composite_with_trained_algorithmic_media',
      human_oversight: 'edited',
      disclosure: { required: false },
    };
    const { audit_observations: observed, ...rest } = await measure({ format_id, assets: {}, provenance });
    expect(observed).toEqual([
      expect.objectContaining({
        code: 'OVERSIGHT_DISCLOSURE_CARVEOUT_CLAIMED',
        field: 'creative_manifest.provenance.disclosure.required',
      }),
    ]);
    expect(valuesOf(rest)).toMatchObject({ provenance_declared: true });
    expect((await measure({ format_id, assets: {} })).audit_observations).toBeUndefined();
  });

  test('refuses a feature that it does not measure, with the list of those that it does', async () => {
    const args = { creative_manifest: { format_id, assets: {} }, feature_ids: ['alt_text', 'beauty'] };
    const { payload, isError } = await server.call('get_creative_features', args, { tenant: TENANT });
    expect(isError).toBe(true);
    expect(payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND', field: 'feature_ids[1]' });
    expect(payload.errors[0]?.suggestion).toContain('click_tracking');
  });

  test('measures every feature that the capabilities declare, within its range and categories', async () => {
    const { governance } = succeeded(
      await server.call('get_adcp_capabilities', {}, { tenant: TENANT, version: '3.1' }),
    ) as unknown as {
      governance: {
        creative_features: readonly {
          feature_id: string;
          type: string;
          range?: { min: number; max: number };
          categories?: readonly string[];
        }[];
      };
    };
    const vast = `<VAST version="4.2"><Ad><InLine><AdSystem>a</AdSystem><AdTitle>b</AdTitle><Impression>https://i.example</Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1920" height="1080">https://v.example/a.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
    const assets = {
      image: { asset_type: 'image', url: files.url('/banner.png') },
      tag: { asset_type: 'vast', delivery_type: 'inline', content: vast },
      video: { asset_type: 'video', url: 'https://v.example/a.mp4', captions_url: 'https://v.example/a.vtt' },
      text: { asset_type: 'text', content: 'The shoes of the summer' },
    };
    const features = governance.creative_features;
    expect(features.length).toBeGreaterThan(5);
    const { video: _video, ...seen } = assets;
    const found = new Map([
      ...(await measure({ format_id, assets: seen })).results.map((one) => [one.feature_id, one.value] as const),
      ...(await measure({ format_id, assets }, ['captions'])).results.map(
        (one) => [one.feature_id, one.value] as const,
      ),
    ]);
    for (const { feature_id, type, range, categories } of features) {
      const value = found.get(feature_id);
      expect({ feature_id, kind: typeof value }).toEqual({
        feature_id,
        kind: { binary: 'boolean', quantitative: 'number', categorical: 'string' }[type],
      });
      if (range !== undefined) expect(Number(value)).toBeGreaterThanOrEqual(range.min);
      if (range !== undefined) expect(Number(value)).toBeLessThanOrEqual(range.max);
      if (categories !== undefined) expect(categories).toContain(value);
    }
  });
});
