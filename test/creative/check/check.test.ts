import { describe, expect, it } from 'vitest';
import type { AssetProbe, FetchedAsset } from '../../../src/creative/check/file.js';
import { type Finding, throwOnErrors } from '../../../src/creative/check/finding.js';
import { concreteFormat } from '../../../src/creative/formats/catalog/parameters.js';
import type { Format } from '../../../src/creative/formats/format.js';
import { TaskError } from '../../../src/protocol/errors.js';
import { startCpuClock } from '../../kit/cpu.js';
import * as files from '../probe/media-files.js';
import {
  brief,
  check,
  daast,
  errorsOf,
  format,
  formatOf,
  HOUSE,
  holding,
  image,
  slotOf,
  tag,
  text,
  url,
  video,
} from './context.js';

describe('slots', () => {
  const banner = format('display_300x250_image');
  const click = { asset_type: 'url', url: 'https://acme.example/' };

  it('lists every missing slot', async () => {
    const found = await check({}, banner);
    expect(brief(found)).toEqual([
      ['error', '/assets/banner_image', 'required'],
      ['error', '/assets/click_url', 'required'],
    ]);
  });

  it('an unknown key is a warning, and an error where the caller is strict', async () => {
    const assets = { banner_image: image(), click_url: click, headline: text('x') };
    expect(brief(await check(assets, banner)).filter(([, pointer]) => pointer === '/assets/headline')).toEqual([
      ['warning', '/assets/headline', 'additionalProperties'],
    ]);
    expect(brief(errorsOf(await check(assets, banner, undefined, true)))).toEqual([
      ['error', '/assets/headline', 'additionalProperties'],
    ]);
  });

  it('takes the documented manifests of the short ids', async () => {
    const master = { asset_type: 'image', url: 'https://cdn.example/hero.jpg', width: 1200, height: 628 };
    const cases: readonly (readonly [string, Record<string, unknown>])[] = [
      [
        'display_300x250',
        {
          image: { ...image(), asset_type: 'image' },
          click_url: click,
          headline: { asset_type: 'text', content: 'Sale' },
        },
      ],
      ['source_master', { image: master, click_url: click, headline: text('Sale') }],
      ['native_post', { headline: text('Sale'), image: master, click_url: click }],
      ['video_30s', { video: { asset_type: 'video', ...video({ width: 1920, height: 1080, duration_ms: 30_000 }) } }],
      ['ssai_30s', { video: { asset_type: 'video', ...video({ width: 1920, height: 1080, duration_ms: 30_000 }) } }],
      ['video_30s_generative', { brief: { asset_type: 'brief', name: 'Summer' } }],
      ['display_300x250_generative', { promoted_offerings: { inline_offerings: [{ name: 'x' }] } }],
      ['vast_30s', { vast_tag: { asset_type: 'vast', delivery_type: 'inline', content: tag('4.2') } }],
    ];
    for (const [id, assets] of cases) {
      const found = await check(assets, format(id), undefined, true);
      expect(errorsOf(found), `${id}: ${JSON.stringify(found)}`).toEqual([]);
    }
  });

  it('the type is that of the slot when the asset has none; another type is an error', async () => {
    expect(errorsOf(await check({ banner_image: image(), click_url: url('https://a.example/') }, banner))).toEqual([]);
    expect(
      brief(await check({ banner_image: text('x'), click_url: { asset_type: 'text', content: 'x' } }, banner)),
    ).toEqual([
      ['error', '/assets/banner_image/url', 'required'],
      ['error', '/assets/click_url/asset_type', 'asset_type'],
    ]);
  });

  it.each([
    ['pixel_tracker', 'url', url('https://t.example/i', { asset_type: 'pixel_tracker', event: 'impression' })],
    ['vast', 'video', { asset_type: 'vast', content: tag('4.2') }],
    ['daast', 'audio', { asset_type: 'daast', content: daast('1.1') }],
    ['markdown', 'text', { asset_type: 'markdown', content: 'x' }],
  ] as const)('a %s fills a slot for %s', async (_given, type, asset) => {
    expect(errorsOf(await check({ it: asset }, formatOf(slotOf(type, {}))))).toEqual([]);
  });

  it('several assets in one slot are checked one by one', async () => {
    const of = formatOf(slotOf('text', { max_length: 3 }));
    expect(brief(await check({ it: [text('abc'), text('abcd')] }, of))).toEqual([
      ['error', '/assets/it/1/content', 'max_length'],
    ]);
    expect(brief(await check({ it: [] }, of))).toEqual([['error', '/assets/it', 'required']]);
  });

  it('a template takes the size that its id names', async () => {
    const sized = concreteFormat(format('display_image'), {
      agent_url: HOUSE,
      id: 'display_image',
      width: 468,
      height: 60,
    });
    const found = await check({ banner_image: image(), click_url: click }, sized as Format);
    expect(errorsOf(found).map(({ keyword }) => keyword)).toEqual(['min_width', 'max_height']);
  });
});

describe('groups', () => {
  const carousel = format('native_carousel');
  const card = (more: object = {}) => ({ image: image(), headline: text('Boots'), ...more });

  it.each([
    ['an array under the id of the group', { card: [card(), card()] }],
    [
      'numbered keys',
      { card_0_image: image(), card_0_headline: text('a'), card_1_image: image(), card_1_headline: text('b') },
    ],
    ['numbered assets', { image_0: image(), headline_0: text('a'), image_1: image(), headline_1: text('b') }],
    ['arrays under the ids within', { image: [image(), image()], headline: [text('a'), text('b')] }],
  ])('%s', async (_name, assets) => {
    expect(errorsOf(await check(assets, carousel, undefined, true))).toEqual([]);
  });

  it.each([
    ['none', {}, '/assets/card', 'required'],
    ['too few', { card: [card()] }, '/assets/card', 'min_count'],
    ['too many', { card: Array.from({ length: 11 }, () => card()) }, '/assets/card', 'max_count'],
    ['a gap', { card: [card(), { image: image() }] }, '/assets/card/1/headline', 'required'],
    [
      'a long headline',
      { card: [card(), card({ headline: text('x'.repeat(61)) })] },
      '/assets/card/1/headline/content',
      'max_length',
    ],
    [
      'a bad link',
      { card: [card(), card({ click_url: url('javascript:1') })] },
      '/assets/card/1/click_url/url',
      'protocols',
    ],
  ])('%s', async (_name, assets, pointer, keyword) => {
    expect(brief(errorsOf(await check(assets, carousel)))).toEqual([['error', pointer, keyword]]);
  });
});

describe('URLs', () => {
  const of = formatOf(slotOf('url', { role: 'clickthrough' }));

  it.each([
    'https://acme.example/',
    'http://acme.example/?a={CACHEBUSTER}&b=[CB]&c=%%CLICK%%',
    '{CLICK_URL}https://acme.example/',
    '{CLICK_URL}',
    '{CLICK_URL}/path?x=1',
    'https://acme.example/{?a,b}',
    'https://{HOST}.acme.example/',
  ])('%s may be followed', async (value) => {
    expect(await check({ it: url(value) }, of)).toEqual([]);
  });

  it.each([
    ['javascript:alert(1)', 'protocols'],
    ['JaVaScRiPt:alert(1)', 'protocols'],
    ['{CLICK_URL}javascript:alert(1)', 'protocols'],
    ['data:text/html,<script>alert(1)</script>', 'protocols'],
    ['vbscript:x', 'protocols'],
    ['file:///etc/passwd', 'protocols'],
    ['blob:https://a.example/1', 'protocols'],
    ['java\nscript:alert(1)', 'format'],
    [' javascript:alert(1)', 'format'],
    ['\u0001javascript:alert(1)', 'format'],
    ['/relative', 'format'],
    ['//acme.example/', 'format'],
    ['acme.example', 'format'],
    ['   ', 'format'],
  ])('%j must not', async (value, keyword) => {
    expect(brief(await check({ it: url(value) }, of))).toEqual([['error', '/assets/it/url', keyword]]);
  });

  it('an image may be embedded, a click-through may not', async () => {
    const data = `data:image/png;base64,${files.png(300, 250).toString('base64')}`;
    const picture = formatOf(slotOf('image', { min_width: 300, max_width: 300, formats: ['png'] }));
    expect(await check({ it: { url: data } }, picture)).toEqual([]);
    expect(
      brief(await check({ it: { url: `data:image/png;base64,${files.png(301, 250).toString('base64')}` } }, picture)),
    ).toEqual([['error', '/assets/it/width', 'max_width']]);
    expect(brief(await check({ it: { url: 'data:image/png;base64,%%%' } }, picture))).toEqual([
      ['error', '/assets/it/url', 'malformed'],
    ]);
    expect(brief(await check({ it: { url: 'data:text/html;base64,AAAA' } }, picture))).toEqual([
      ['error', '/assets/it/url', 'protocols'],
    ]);
    expect(brief(await check({ it: url(data) }, of))).toEqual([['error', '/assets/it/url', 'protocols']]);
  });

  it('markup in a text is shown as text', async () => {
    const headline = formatOf(slotOf('text', {}));
    expect(await check({ it: text('<script>alert(1)</script>') }, headline)).toEqual([
      expect.objectContaining({
        severity: 'warning',
        keyword: 'markup',
        pointer: '/assets/it/content',
        found: '<script',
      }),
    ]);
    expect(await check({ it: text('1 < 2 > 0') }, headline)).toEqual([]);
  });
});

describe('what the file really is', () => {
  const banner = formatOf(slotOf('image', { min_width: 300, max_width: 300, formats: ['png'], max_file_size_kb: 1 }));
  const of = (bytes: Uint8Array, more: FetchedAsset = {}) => check({ it: image() }, banner, holding(bytes, more));

  it('the file counts, not what is declared', async () => {
    expect(await of(files.png(300, 250))).toEqual([]);
    expect(brief(await of(files.png(600, 500)))).toEqual([
      ['warning', '/assets/it/url', 'width'],
      ['error', '/assets/it/width', 'max_width'],
    ]);
    expect(brief(await of(files.jpeg(300, 250)))).toEqual([['error', '/assets/it/url', 'formats']]);
    expect(brief(await of(files.png(300, 250), { size: 5000 }))).toEqual([['error', '/assets/it', 'max_file_size_kb']]);
  });

  it.each([
    ['truncated', files.png(300, 250).subarray(0, 60), 'truncated'],
    ['empty', Buffer.alloc(0), 'truncated'],
    ['40,000 x 40,000 pixels', files.png(40_000, 40_000), 'max_pixels'],
    ['an SVG with a script', Buffer.from('<svg><script/></svg>'), 'unsafe'],
    ['a zip', Buffer.from('PK\x03\x04'), 'formats'],
    ['a page', Buffer.from('<html>404</html>'), 'formats'],
    ['a film', files.mp4(), 'asset_type'],
    ['malformed', files.png(0, 0), 'malformed'],
  ])('%s: one error, and nothing else is said of it', async (_name, bytes, keyword) => {
    const found = await check({ it: image() }, banner, holding(bytes));
    expect(brief(found).filter(([severity]) => severity === 'error')).toEqual([['error', '/assets/it/url', keyword]]);
  });

  it('a file that must not be fetched is an error, one that cannot be had a warning', async () => {
    const refusing: AssetProbe = async () => {
      throw new TaskError('VALIDATION_ERROR', 'The address is private.');
    };
    expect(brief(await check({ it: image() }, banner, refusing))).toEqual([['error', '/assets/it/url', 'url']]);
    expect(brief(await check({ it: image() }, banner, async () => undefined))).toEqual([
      ['warning', '/assets/it', 'unverified'],
    ]);
    const broken: AssetProbe = async () => {
      throw new Error('a bug');
    };
    await expect(check({ it: image() }, banner, broken)).rejects.toThrow('a bug');
  });

  it('asks for files by the type they are judged as, and for nothing behind texts and clicks', async () => {
    const asked: unknown[] = [];
    const probe: AssetProbe = async (asset, type) => {
      asked.push([type, asset.url]);
      return undefined;
    };
    const source = { image: image(), headline: text('x'), click_url: url('https://a.example/') };
    await check(source, format('source_master'), probe);
    expect(asked).toEqual([['image', 'https://cdn.example/a.png']]);
  });

  it('a video may be a tag: by its text, or by its file', async () => {
    const spot = format('video_30s');
    const inTag = await check({ video: { asset_type: 'video', content: tag('4.2') } }, spot);
    expect(errorsOf(inTag)).toEqual([]);
    expect(errorsOf(await check({ video: video() }, spot, holding(Buffer.from(tag('4.2')))))).toEqual([]);
    const long = await check({ video: video() }, spot, holding(Buffer.from(tag('4.2', '00:01:00'))));
    expect(brief(errorsOf(long))).toEqual([['error', '/assets/video/duration_ms', 'max_duration_ms']]);
    expect(brief(errorsOf(await check({ video: { content: 'a film' } }, spot)))).toEqual([
      ['error', '/assets/video/content', 'content'],
    ]);
  });

  it.each([
    ['an entity', `<!DOCTYPE VAST [<!ENTITY x SYSTEM "file:///etc/passwd">]>${tag('4.2')}`, 'content'],
    ['a javascript click', tag('4.2').replace('https://cdn.example/a.mp4', 'javascript:alert(1)'), 'content'],
    ['another language', daast('1.0'), 'asset_type'],
  ])('a tag with %s', async (_name, content, keyword) => {
    const found = errorsOf(await check({ vast_tag: { content } }, format('vast_30s')));
    expect(brief(found)).toEqual([['error', '/assets/vast_tag/content', keyword]]);
  });

  it('accessible formats need a description and captions', async () => {
    const of = {
      ...formatOf(slotOf('image', {})),
      accessibility: { wcag_level: 'AA', requires_accessible_assets: true } as const,
    };
    expect(brief(await check({ it: image() }, of))).toEqual([['error', '/assets/it/alt_text', 'alt_text']]);
    expect(await check({ it: image({ alt_text: 'Boots' }) }, of)).toEqual([]);
  });
});

describe('hostile texts', () => {
  const code = { external_resources_allowed: false, allowed_external_domains: ['a.example'], module_type: 'script' };

  it.each(['<link ', 'src= ', ' ', '"//a', 'url(', 'import ', '{', '%%A', '<', '</', '//a.example/', '<!--'])(
    'two million characters of %j are judged in linear time',
    async (part) => {
      const content = part.repeat(Math.floor(1_990_000 / part.length));
      const elapsed = startCpuClock();
      await check({ it: text(content) }, formatOf(slotOf('html', code)));
      await check({ it: text(content) }, formatOf(slotOf('javascript', { ...code, strict_mode_required: true })));
      await check(
        { it: url(content) },
        formatOf(slotOf('url', { macro_support: false, allowed_domains: ['a.example'] })),
      );
      await check({ it: text(content) }, formatOf(slotOf('video', {})));
      expect(elapsed()).toBeLessThan(3000);
    },
  );
});

describe('throwOnErrors', () => {
  const thrown = (findings: readonly Finding[], base?: string): TaskError => {
    try {
      throwOnErrors(findings, base);
    } catch (error) {
      if (error instanceof TaskError) return error;
      throw error;
    }
    throw new Error('nothing was thrown');
  };

  it('is silent where nothing is wrong', async () => {
    expect(() => throwOnErrors([])).not.toThrow();
    const findings = await check({ it: text('<b>') }, formatOf(slotOf('text', {})));
    expect(findings).toHaveLength(1);
    expect(() => throwOnErrors(findings)).not.toThrow();
  });

  it('names slot, pointer, found and wanted', async () => {
    const findings = await check(
      { banner_image: image({ width: 320 }), click_url: url('javascript:1') },
      format('display_300x250_image'),
    );
    const error = thrown(findings, '/requests/3/creative_manifest');
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.message).toBe('banner_image is 320 px wide; the slot takes at most 300. And 1 more.');
    expect(error.extras).toMatchObject({
      field: 'requests[3].creative_manifest.assets.banner_image.width',
      details: { slot: 'banner_image', found: '320', wanted: 'at most 300' },
      issues: [
        { pointer: '/requests/3/creative_manifest/assets/banner_image/width', keyword: 'max_width' },
        { pointer: '/requests/3/creative_manifest/assets/click_url/url', keyword: 'protocols' },
      ],
    });
    expect(error.extras.suggestion).toMatch(/list_creative_formats/);
  });

  it('lists what is missing', async () => {
    const error = thrown(await check({}, format('display_300x250_image')));
    expect(error.message).toBe('Required assets are missing: banner_image, click_url.');
    expect(error.extras.details).toMatchObject({ missing: ['banner_image', 'click_url'] });
    expect(error.extras.field).toBe('creative_manifest.assets.banner_image');
  });

  it('has a code of its own for a value that is not allowed', async () => {
    const of = formatOf(slotOf('text', { allowed_values: ['Buy'] }));
    expect(thrown(await check({ it: text('Sell') }, of)).code).toBe('CREATIVE_VALUE_NOT_ALLOWED');
  });
});
