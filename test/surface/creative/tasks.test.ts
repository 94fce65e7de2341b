import { beforeAll, describe, expect, test } from 'vitest';
import { daast, tag } from '../../creative/check/context.js';
import { mp3, mp3Frames, mp4, webm } from '../../creative/probe/media-files.js';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';
import { boot, readAnswer, rpc, toolCall } from '../../kit/boot.js';
import { freshKey, SANDBOX_ACCOUNT } from '../../kit/buyer.js';
import { send } from '../../kit/http.js';
import { banner, picture, type RendererPayload, rendererClient } from '../../kit/renderer.js';

const server = await boot();
const renderer = rendererClient(server);
const BANNER = renderer.format('display_300x250_image');

/** What a buyer sends to generate: nothing but the brand and its offer, without asset types. */
const PROMOTED = {
  brand_manifest: {
    url: 'https://acme-outdoor.example',
    name: 'Acme Outdoor',
    colors: { primary: '#1b4332', secondary: '#f4a259' },
  },
  inline_offerings: [{ name: 'Trail Pro Boots', description: 'Waterproof boots that are light enough to forget.' }],
};
const MESSAGE = 'Spring sale: 20% off trail running shoes';

let cdn: AssetServer;

beforeAll(async () => {
  cdn = await serveAssets({
    '/banner.png': await picture(300, 250),
    '/photo.jpg': await picture(1200, 900),
    '/spot.mp4': mp4({ seconds: 30 }),
    '/spot.webm': webm(1920, 1080, 30),
    '/spot.mp3': mp3(mp3Frames(30)),
    '/spot.m4a': mp4({ seconds: 30, brand: 'M4A ', picture: false }),
    '/tag.xml': tag('4.2'),
  });
});

test('list_creative_formats names the formats asked for that it does not have', async () => {
  const format_ids = [BANNER, { ...BANNER, id: 'nowhere' }];
  const { formats, message } = await renderer.must('list_creative_formats', { format_ids });
  expect([formats.length, message]).toEqual([1, expect.stringMatching(/^Not in this answer, .*: format_ids\[1\]\.$/)]);
});

describe('build_creative', () => {
  test('generation: a manifest with promoted_offerings alone becomes a complete one', async () => {
    const { creative_manifest: built } = await renderer.must('build_creative', {
      message: MESSAGE,
      creative_manifest: { format_id: BANNER, assets: { promoted_offerings: PROMOTED } },
      target_format_id: BANNER,
    });
    expect(built.format_id).toEqual(BANNER);
    expect(Object.keys(built.assets).sort()).toEqual(['banner_image', 'click_url']);
    expect(built.assets.banner_image).toMatchObject({ asset_type: 'image', width: 300, height: 250 });
    expect(built.assets.click_url?.url).toBe('https://acme-outdoor.example/');
    const image = await send(built.assets.banner_image?.url ?? '');
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png']);
  });

  test('transformation: existing assets become the target format, message and all', async () => {
    const { creative_manifest: built } = await renderer.must('build_creative', {
      message: 'Make it a leaderboard',
      creative_manifest: banner(BANNER, cdn.url('/photo.jpg')),
      target_format_id: renderer.format('display_728x90_image'),
    });
    expect(built.assets.banner_image).toMatchObject({ width: 728, height: 90 });
    expect(built.assets.click_url?.url).toBe('https://acme-outdoor.example/');
  });

  test('target_format_id is all that is required', async () => {
    const answer = await renderer.must('build_creative', { target_format_id: BANNER });
    const { assets } = answer.creative_manifest;
    expect(assets.banner_image).toMatchObject({ width: 300, height: 250 });
    expect([assets.click_url?.url, answer.message]).toEqual(['{CLICK_URL}', expect.stringContaining('{CLICK_URL}')]);
    const { error, adcp_error } = await renderer.refused('build_creative', { message: MESSAGE });
    expect([error.code, error.status, adcp_error.field]).toEqual(['INVALID_REQUEST', 400, 'target_format_id']);
  });

  test('what is built is ready for preview_creative and for sync_creatives', async () => {
    const { creative_manifest: built } = await renderer.must('build_creative', {
      message: MESSAGE,
      brand: { domain: 'acme-outdoor.example' },
      target_format_id: BANNER,
    });
    const { previews } = await renderer.preview(built);
    expect((await send(previews[0]?.preview_url ?? '')).status).toBe(200);
    const { payload, isError } = await server.call('sync_creatives', {
      idempotency_key: freshKey(),
      account: { account_id: SANDBOX_ACCOUNT },
      creatives: [{ creative_id: 'built', name: 'Built', ...built }],
    });
    expect([isError, payload.creatives]).toMatchObject([false, [{ creative_id: 'built', action: 'created' }]]);
  });

  test('several formats at once come in the order asked for; the same order gives the same addresses', async () => {
    const ids = ['display_320x50_image', 'display_300x250_image', 'display_728x90_image'];
    const order = {
      message: MESSAGE,
      brand: { domain: 'acme-outdoor.example' },
      target_format_ids: ids.map(renderer.format),
    };
    const one = await renderer.must('build_creative', order);
    expect(one.creative_manifests.map((each) => each.format_id.id)).toEqual(ids);
    expect((await renderer.must('build_creative', order)).creative_manifests).toEqual(one.creative_manifests);
  });

  test('one format of several that cannot be made fails the whole call and is named', async () => {
    const video = renderer.format('video_30s');
    const { adcp_error, error } = await renderer.refused('build_creative', {
      message: MESSAGE,
      brand: { domain: 'acme-outdoor.example' },
      target_format_ids: [BANNER, video],
    });
    expect(adcp_error).toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'target_format_ids[1]',
      details: { format_id: video, slot: 'video' },
    });
    expect(error.status).toBe(422);
  });

  test('with a preview in the same answer, one per variant asked for', async () => {
    const { preview } = await renderer.must('build_creative', {
      message: MESSAGE,
      brand: { domain: 'acme-outdoor.example' },
      target_format_id: BANNER,
      include_preview: true,
      preview_inputs: [{ name: 'Phone', macros: { DEVICE_TYPE: 'mobile' } }, { name: 'Desk' }],
    });
    expect(preview.previews.map((each) => each.input.name)).toEqual(['Phone', 'Desk']);
    for (const { preview_url } of preview.previews) expect((await send(preview_url)).status).toBe(200);
  });
});

describe('preview_creative', () => {
  test('single with url output: one preview per variant, and when it expires', async () => {
    const inputs = [
      { name: 'Desktop', macros: { DEVICE_TYPE: 'desktop' } },
      { name: 'Mobile', macros: { DEVICE_TYPE: 'mobile' } },
    ];
    const answer = await renderer.preview(banner(BANNER, cdn.url('/banner.png')), { format_id: BANNER, inputs });
    expect(answer.previews.map(({ input }) => input)).toEqual(inputs);
    expect(answer.expires_at).toBe('2030-01-02T00:00:00Z');
    for (const { preview_url, preview_html, renders } of answer.previews) {
      expect([preview_html, renders[0]?.preview_url]).toEqual([undefined, preview_url]);
      expect((await send(preview_url)).status).toBe(200);
    }
  });

  test('html output: the markup itself, url being the default', async () => {
    const { previews } = await renderer.preview(banner(BANNER, cdn.url('/banner.png')), { output_format: 'html' });
    expect(previews[0]?.preview_url).toBeUndefined();
    expect(previews[0]?.preview_html).toMatch(
      /^<!doctype html>[\s\S]*<img src="http[^"]+\/previews\/media\/[0-9a-f]{64}\.png"/,
    );
  });

  test('batch: results in their order, each with its own fate, and one list of previews', async () => {
    const good = { format_id: BANNER, creative_manifest: banner(BANNER, cdn.url('/banner.png')) };
    const bad = { format_id: BANNER, creative_manifest: { format_id: BANNER, assets: {} } };
    const answer = await renderer.must('preview_creative', { request_type: 'batch', requests: [good, bad, good] });
    expect(answer.results.map(({ success }) => success)).toEqual([true, false, true]);
    expect(answer.results[1]?.errors).toMatchObject([
      { code: 'VALIDATION_ERROR', field: 'requests[1].creative_manifest.assets.banner_image' },
    ]);
    expect(answer.previews).toHaveLength(2);
    expect((await send(answer.sheet_url)).status).toBe(200);
  });

  /** Every asset type, each as a creative that carries it. */
  const CONTENTS: readonly (readonly [what: string, id: string, assets: (url: (path: string) => string) => object])[] =
    [
      [
        'image, PNG',
        'display_300x250_image',
        (url) => ({ banner_image: { asset_type: 'image', url: url('/banner.png'), width: 300, height: 250 } }),
      ],
      ['video, MP4', 'video_30s', (url) => ({ video: { asset_type: 'video', url: url('/spot.mp4') } })],
      ['video, WebM', 'video_30s', (url) => ({ video: { asset_type: 'video', url: url('/spot.webm') } })],
      ['video, VAST text', 'video_30s', () => ({ video: { asset_type: 'video', content: tag('4.2') } })],
      ['video, VAST address', 'video_30s', (url) => ({ video: { asset_type: 'video', url: url('/tag.xml') } })],
      [
        'vast tag',
        'video_vast_30s',
        () => ({ vast_tag: { asset_type: 'vast', delivery_type: 'inline', content: tag('4.2') } }),
      ],
      ['audio, MP3', 'audio_30s', (url) => ({ audio_file: { asset_type: 'audio', url: url('/spot.mp3') } })],
      ['audio, M4A', 'audio_30s', (url) => ({ audio_file: { asset_type: 'audio', url: url('/spot.m4a') } })],
      ['audio, DAAST text', 'audio_30s', () => ({ audio_file: { asset_type: 'audio', content: daast('1.1') } })],
      [
        'html, HTML5',
        'display_300x250_html',
        () => ({ html_creative: { asset_type: 'html', content: '<h1>Hello</h1>' } }),
      ],
      [
        'html, third-party tag',
        'display_300x250_html',
        () => ({ html_creative: { asset_type: 'html', content: '<script src="https://tags.example/a.js"></script>' } }),
      ],
      [
        'javascript tag',
        'display_js',
        () => ({ js_creative: { asset_type: 'javascript', content: 'document.write("Hello")' } }),
      ],
      [
        'text',
        'native_content',
        (url) => ({
          headline: { asset_type: 'text', content: 'Find your trail' },
          body: { asset_type: 'text', content: 'Boots that last.' },
          disclosure: { asset_type: 'text', content: 'Sponsored' },
          thumbnail: { asset_type: 'image', url: url('/photo.jpg'), width: 1200, height: 900 },
        }),
      ],
      [
        'url: click and pixel',
        'display_300x250_image',
        (url) => ({
          banner_image: { asset_type: 'image', url: url('/banner.png'), width: 300, height: 250 },
          impression_tracker: {
            asset_type: 'url',
            url_type: 'tracker_pixel',
            url: 'https://t.example/i?{CACHEBUSTER}',
          },
        }),
      ],
    ];

  test.each(CONTENTS)('shows %s', async (_what, id, assetsAt) => {
    const size = id === 'display_js' ? { width: 300, height: 250 } : {};
    const click_url = { asset_type: 'url', url: 'https://acme-outdoor.example/' };
    const assets = { ...assetsAt(cdn.url), ...(/display|native/.test(id) ? { click_url } : {}) };
    const { previews } = await renderer.preview(
      { format_id: { ...renderer.format(id), ...size }, assets },
      { output_format: 'both' },
    );
    const [first] = previews;
    expect(first?.preview_html).toMatch(/<(img|video|audio|iframe|article|div)\b/);
    expect((await send(first?.preview_url ?? '')).status).toBe(200);
  });
});

describe('errors of creative tasks', () => {
  const fitting = (): object => banner(BANNER, cdn.url('/banner.png'));
  const single = (args: object): object => ({ request_type: 'single', ...args });

  test.each([
    [
      'build_creative',
      'a name as format',
      'INVALID_FORMAT_ID',
      400,
      () => ({ target_format_id: 'display_300x250_image' }),
    ],
    [
      'build_creative',
      'a format of nobody',
      'REFERENCE_NOT_FOUND',
      404,
      () => ({ target_format_id: renderer.format('hologram') }),
    ],
    [
      'build_creative',
      'assets in a list',
      'INVALID_REQUEST',
      400,
      () => ({ target_format_id: BANNER, creative_manifest: { assets: [] } }),
    ],
    [
      'build_creative',
      'a film out of nothing',
      'VALIDATION_ERROR',
      422,
      () => ({ target_format_id: renderer.format('video_30s') }),
    ],
    [
      'build_creative',
      'a creative of nobody',
      'CREATIVE_NOT_FOUND',
      404,
      () => ({ target_format_id: BANNER, creative_id: 'nobody' }),
    ],
    [
      'preview_creative',
      'a name as format',
      'INVALID_FORMAT_ID',
      400,
      () => single({ format_id: 'display_300x250', creative_manifest: fitting() }),
    ],
    [
      'preview_creative',
      'a format of nobody',
      'REFERENCE_NOT_FOUND',
      404,
      () => single({ format_id: renderer.format('hologram'), creative_manifest: { assets: {} } }),
    ],
    ['preview_creative', 'no manifest', 'INVALID_REQUEST', 400, () => single({ format_id: BANNER })],
    ['preview_creative', 'no format', 'INVALID_FORMAT_ID', 400, () => single({ creative_manifest: { assets: {} } })],
    [
      'preview_creative',
      'no assets',
      'VALIDATION_ERROR',
      422,
      () => single({ format_id: BANNER, creative_manifest: { assets: {} } }),
    ],
    ['preview_creative', 'a batch of nothing', 'INVALID_REQUEST', 400, () => ({ request_type: 'batch' })],
    [
      'preview_creative',
      'no request_type',
      'INVALID_REQUEST',
      400,
      () => ({ format_id: BANNER, creative_manifest: fitting() }),
    ],
    ['list_creative_formats', 'an unknown type', 'INVALID_REQUEST', 400, () => ({ type: 'hologram' })],
    [
      'list_creative_formats',
      'a name as format',
      'INVALID_FORMAT_ID',
      400,
      () => ({ format_ids: ['display_300x250'] }),
    ],
  ] as const)('%s with %s: %s, %i', async (tool, _what, code, status, args) => {
    const answer = await server.raw(toolCall(tool, args()), {}, 'creative');
    expect(answer.status).toBe(200);
    const { content, isError } = rpc(answer).result ?? {};
    const text = JSON.parse(content?.[0]?.text ?? '{}') as RendererPayload;
    expect([isError, text.code, text.error.status]).toEqual([true, code, status]);
    expect(text.error).toEqual({ code, message: text.message, status });
    expect(text.adcp_error.suggestion?.length).toBeGreaterThan(10);
    expect(readAnswer(answer).payload).toEqual(text);
  });
});

test('nothing of all this was unexpected to the server', () => {
  expect(server.log).toEqual([]);
});
