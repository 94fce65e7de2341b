import { describe, expect, it } from 'vitest';
import { RULES } from '../../../src/creative/check/check.js';
import type { AssetType } from '../../../src/creative/formats/format.js';

import type { Asset } from '../../../src/creative/formats/manifest.js';
import * as files from '../probe/media-files.js';
import {
  audio,
  catalog,
  check,
  daast,
  errorsOf,
  formatOf,
  holding,
  image,
  slotOf,
  tag,
  text,
  url,
  video,
} from './context.js';

type Row = readonly [
  keyword: string,
  type: AssetType,
  wanted: unknown,
  good: Asset,
  bad: Asset,
  more?: { requirements?: object; good?: Uint8Array; bad?: Uint8Array },
];

/** Every requirement, with an asset that meets it and one that does not; bytes where only they can tell. */
const ROWS: readonly Row[] = [
  ['min_width', 'image', 300, image(), image({ width: 299 })],
  ['max_width', 'image', 300, image(), image({ width: 301 })],
  ['min_height', 'image', 250, image(), image({ height: 249 })],
  ['max_height', 'image', 250, image(), image({ height: 251 })],
  ['min_width', 'video', 1280, video({ width: 1280 }), video({ width: 640 })],
  ['max_height', 'video', 1080, video({ height: 1080 }), video({ height: 2160 })],
  ['width', 'image', 300, image(), image({ width: 301 })],
  ['height', 'image', 250, image(), image({ height: 251 })],
  [
    'min_width',
    'image',
    10,
    image({ width: 3000 }),
    image({ width: 2999 }),
    { requirements: { unit: 'inches', min_dpi: 300 } },
  ],
  ['aspect_ratio', 'image', '1.2:1', image(), image({ width: 350 })],
  ['aspect_ratio', 'video', '16:9', video({ width: 1366, height: 768 }), video({ width: 1080, height: 1920 })],
  [
    'min_dpi',
    'image',
    300,
    image({ dpi: 300 }),
    image(),
    { bad: files.png(300, 250, { extra: [files.pngDensity(72)] }) },
  ],
  ['max_file_size_kb', 'image', 1, image({ file_size_bytes: 1024 }), image({ file_size_bytes: 1025 })],
  ['max_file_size_mb', 'video', 1, video({ file_size_bytes: 1024 ** 2 }), video({ file_size_bytes: 1024 ** 2 + 1 })],
  ['max_file_size_kb', 'html', 1, text('é'.repeat(512)), text('é'.repeat(513))],
  ['max_file_size_kb', 'css', 1, text('a'), text('a'.repeat(1025))],
  ['max_file_size_kb', 'javascript', 1, text('a'), text('a'.repeat(1025))],
  ['max_file_size_kb', 'audio', 1, audio(), audio(), { good: files.mp3(2), bad: files.mp3(3) }],
  ['formats', 'image', ['jpg', 'png'], image({ format: 'image/jpeg' }), image({ format: 'webp' })],
  ['formats', 'image', ['jpeg'], image(), image(), { good: files.jpeg(300, 250), bad: files.gif(300, 250) }],
  ['formats', 'audio', ['mp3', 'aac'], audio({ container_format: 'audio/mp4' }), audio({ container_format: 'wav' })],
  ['formats', 'audio', ['aac'], audio(), audio(), { good: files.mp4({ picture: false }), bad: files.mp3(3) }],
  [
    'containers',
    'video',
    ['mp4', 'mov'],
    video({ container_format: 'video/quicktime' }),
    video({ container_format: 'webm' }),
  ],
  ['codecs', 'video', ['h264'], video({ video_codec: 'H.264' }), video({ video_codec: 'vp9' })],
  ['audio_codecs', 'video', ['aac'], video({ audio_codec: 'AAC' }), video({ audio_codec: 'opus' })],
  [
    'audio_sample_rates',
    'video',
    [48_000],
    video({ audio_sampling_rate_hz: 48_000 }),
    video({ audio_sampling_rate_hz: 44_100 }),
  ],
  ['sample_rates', 'audio', [44_100], audio(), audio(), { good: files.mp3(3), bad: files.ogg(1) }],
  ['audio_channels', 'video', ['stereo'], video({ audio_channels: 'stereo' }), video({ audio_channels: '5.1' })],
  ['channels', 'audio', ['stereo'], audio(), audio(), { good: files.mp3(3), bad: files.wav(1) }],
  ['color_space', 'image', 'rgb', image(), image(), { good: files.jpeg(300, 250), bad: files.jpeg(300, 250, 4) }],
  [
    'frame_rate_type',
    'video',
    'constant',
    video({ frame_rate_type: 'constant' }),
    video({ frame_rate_type: 'variable' }),
  ],
  ['scan_type', 'video', 'progressive', video({ scan_type: 'progressive' }), video({ scan_type: 'interlaced' })],
  ['gop_type', 'video', 'closed', video({ gop_type: 'closed' }), video({ gop_type: 'open' })],
  ['min_gop_interval_seconds', 'video', 1, video({ gop_interval_seconds: 1 }), video({ gop_interval_seconds: 0.5 })],
  ['max_gop_interval_seconds', 'video', 2, video({ gop_interval_seconds: 2 }), video({ gop_interval_seconds: 3 })],
  ['moov_atom_position', 'video', 'start', video(), video(), { good: files.mp4(), bad: files.mp4({ late: true }) }],
  ['min_duration_ms', 'video', 30_000, video({ duration_ms: 30_000 }), video({ duration_ms: 15_000 })],
  ['max_duration_ms', 'video', 30_000, video(), video(), { good: files.mp4(), bad: files.mp4({ seconds: 31 }) }],
  [
    'min_duration_ms',
    'audio',
    30_000,
    audio(),
    audio(),
    { good: files.mp3(files.mp3Frames(30)), bad: files.mp3(files.mp3Frames(15)) },
  ],
  ['max_duration_ms', 'audio', 30_000, audio({ duration_ms: 30_000 }), audio({ duration_ms: 60_000 })],
  ['max_duration_ms', 'vast', 30_000, text(tag('4.2')), text(tag('4.2', '00:01:00'))],
  ['min_duration_ms', 'daast', 30_000, text(daast('1.0')), text(daast('1.0').replace(':30', ':15'))],
  ['min_bitrate_kbps', 'audio', 128, audio({ bitrate_kbps: 128 }), audio({ bitrate_kbps: 96 })],
  ['max_bitrate_kbps', 'video', 8000, video({ video_bitrate_kbps: 8000 }), video({ video_bitrate_kbps: 9000 })],
  ['true_peak_dbfs', 'video', -2, video({ audio_true_peak_dbfs: -2 }), video({ audio_true_peak_dbfs: -1 })],
  ['transparency_required', 'image', true, image(), image(), { good: files.png(300, 250), bad: files.jpeg(300, 250) }],
  ['animation_allowed', 'image', false, image(), image(), { good: files.gif(300, 250), bad: files.gif(300, 250, 2) }],
  [
    'max_animation_duration_ms',
    'image',
    1000,
    image(),
    image(),
    { good: files.gif(300, 250, 10), bad: files.gif(300, 250, 11) },
  ],
  ['audio_required', 'video', true, video(), video(), { good: files.mp4(), bad: files.mp4({ sound: false }) }],
  ['frame_rates', 'video', [25, 29.97], video({ frame_rate: '29.97' }), video({ frame_rate: '60' })],
  [
    'loudness_lufs',
    'video',
    -24,
    video({ audio_loudness_lufs: -22.5 }),
    video({ audio_loudness_lufs: -16 }),
    { requirements: { loudness_tolerance_db: 2 } },
  ],
  ['loudness_lufs', 'audio', -16, audio({ loudness_lufs: -16.5 }), audio({ loudness_lufs: -12 })],
  ['min_length', 'text', 3, text('abc'), text('ab')],
  ['max_length', 'text', 3, text('a👟c'), text('abcd')],
  ['max_length', 'markdown', 3, text('abc'), text('abcd')],
  ['max_length', 'url', 20, url('https://a.example/'), url('https://a.example/too/long')],
  ['min_lines', 'text', 2, text('a\nb'), text('a')],
  ['max_lines', 'text', 2, text('a\nb\n'), text('a\nb\nc')],
  ['character_pattern', 'text', '^[A-Za-z ]+$', text('Only letters'), text('Letters & more')],
  ['prohibited_terms', 'text', ['free', 'winner'], text('Good shoes'), text('You are a WINNER')],
  ['allowed_values', 'text', ['Buy', 'Learn more'], text('Buy'), text('buy')],
  [
    'external_resources_allowed',
    'html',
    false,
    text('<a href="https://a.example/">x</a>'),
    text('<img src="//cdn.example/x.png">'),
  ],
  [
    'external_resources_allowed',
    'javascript',
    false,
    text('"https://a.example"'),
    text('fetch("https://a.example/x")'),
  ],
  [
    'allowed_external_domains',
    'html',
    ['cdn.example'],
    text('<img src=https://x.cdn.example/a.png>'),
    text('<style>a{background:url(https://evil.example/a)}</style>'),
  ],
  ['module_type', 'javascript', 'script', text('alert(1)'), text('import x from "y";')],
  ['strict_mode_required', 'javascript', true, text("(function () {\n  'use strict';\n})();"), text('x = 1')],
  ['protocols', 'url', ['https'], url('https://a.example/'), url('http://a.example/')],
  ['allowed_domains', 'url', ['acme.example'], url('https://shop.acme.example/'), url('https://notacme.example/')],
  ['macro_support', 'url', false, url('https://a.example/'), url('https://a.example/?c={CACHEBUSTER}')],
  [
    'role',
    'url',
    'clickthrough',
    url('https://a.example/', { url_type: 'clickthrough' }),
    url('https://a.example/', { url_type: 'tracker_pixel' }),
  ],
  [
    'url_type',
    'url',
    'tracker_pixel',
    url('https://a.example/'),
    url('https://a.example/', { url_type: 'clickthrough' }),
  ],
  ['methods', 'webhook', ['POST'], url('https://a.example/'), url('https://a.example/', { method: 'GET' })],
  ['vast_version', 'vast', '4.0', text(tag('3.0')), text(tag('4.2'))],
  ['daast_version', 'daast', '1.0', text(daast('1.0')), text(daast('1.1'))],
  ['catalog_type', 'catalog', 'offering', catalog([]), catalog([], { type: 'hotel' })],
  ['min_items', 'catalog', 1, catalog([{ name: 'a' }]), catalog([])],
  ['max_items', 'catalog', 1, catalog([{ name: 'a' }]), catalog([{ name: 'a' }, { name: 'b' }])],
  ['required_fields', 'catalog', ['name'], catalog([{ name: 'a' }]), catalog([{ name: 'a' }, { title: 'b' }])],
  [
    'feed_formats',
    'catalog',
    ['google_merchant_center'],
    catalog([], { feed_format: 'google_merchant_center' }),
    catalog([], { feed_format: 'custom' }),
  ],
];

const NAMED = ROWS.map((row) => [`${row[0]} of ${row[1]}: ${JSON.stringify(row[2])}`, row] as const);

describe('every requirement', () => {
  it.each(NAMED)('%s', async (_name, [keyword, type, wanted, good, bad, more = {}]) => {
    const of = formatOf(slotOf(type, { ...more.requirements, [keyword]: wanted }));
    const met = await check({ it: good }, of, more.good && holding(more.good));
    expect(errorsOf(met), JSON.stringify(met)).toEqual([]);
    const [found, ...others] = errorsOf(await check({ it: bad }, of, more.bad && holding(more.bad)));
    expect(found).toMatchObject({ asset_id: 'it', keyword, severity: 'error' });
    expect(found?.pointer).toMatch(/^\/assets\/it(\/[a-z_]+)?$/);
    expect(found?.message).toMatch(/^it .+\.$/);
    expect(found?.found).not.toBe('');
    expect(found?.wanted).not.toBe('');
    expect(others).toEqual([]);
  });

  it('has a row, but for the one that a file cannot tell', () => {
    const tried = new Set(ROWS.map(([keyword]) => keyword));
    expect([...new Set(RULES.map(({ keyword }) => keyword))].filter((keyword) => !tried.has(keyword))).toEqual([
      'bleed',
    ]);
  });

  it.each(NAMED)(
    '%s is passed over when the format gives it a value of a strange type',
    async (_name, [keyword, type, , good]) => {
      for (const strange of [{}, 'x', null]) {
        const of = formatOf(slotOf(type, { [keyword]: strange }));
        await expect(check({ it: good }, of)).resolves.toBeInstanceOf(Array);
      }
    },
  );

  it('what nobody knows is one warning for all of it', async () => {
    const of = formatOf(slotOf('video', { gop_type: 'closed', max_file_size_kb: 1, max_duration_ms: 1 }));
    expect(await check({ it: video() }, of)).toEqual([
      expect.objectContaining({
        severity: 'warning',
        keyword: 'unverified',
        wanted: 'file size, duration, gop type',
      }),
    ]);
  });
});
