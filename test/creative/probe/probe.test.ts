import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { probeMedia } from '../../../src/creative/probe/probe.js';
import { startCpuClock } from '../../kit/cpu.js';
import * as files from './media-files.js';

const svg = (inside: string, attributes = 'width="300" height="250"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`);
/** Sixteen groups that each refer to the next one ten times. */
const copies = (before: string, after: string) =>
  Array.from({ length: 16 }, (_, at) => `<g id="a${at}">${`<${before}a${at + 1}${after}`.repeat(10)}</g>`).join('');
const media = (bytes: Uint8Array) => {
  const found = probeMedia(bytes);
  if (!found.ok) throw new Error(`${found.reason}: ${found.message}`);
  return found.media;
};
const mp3Ms = (frames: number) => Math.round((frames * 417 * 8) / 128);

describe('what a file is, by its bytes', () => {
  it.each([
    ['png', files.png(300, 250), { kind: 'image', format: 'png', width: 300, height: 250, hasAlpha: true, frames: 1 }],
    ['grey png', files.png(3, 2, { color: 0 }), { hasAlpha: false, colorSpace: 'grayscale' }],
    ['apng', files.png(3, 2, { extra: files.pngFrames(4, 250) }), { frames: 4, durationMs: 1000 }],
    ['png of 300 dpi', files.png(3, 2, { extra: [files.pngDensity(300)] }), { dpi: 300 }],
    [
      'jpeg',
      files.jpeg(728, 90),
      { format: 'jpg', mime: 'image/jpeg', width: 728, height: 90, colorSpace: 'rgb', dpi: 72 },
    ],
    ['cmyk jpeg', files.jpeg(728, 90, 4), { colorSpace: 'cmyk' }],
    ['gif', files.gif(320, 50), { format: 'gif', width: 320, height: 50, frames: 1 }],
    ['animated gif', files.gif(320, 50, 5, 200), { frames: 5, durationMs: 1000 }],
    ['webp', files.webp(160, 600), { format: 'webp', width: 160, height: 600, frames: 1 }],
    ['svg', svg('<rect/>'), { format: 'svg', mime: 'image/svg+xml', width: 300, height: 250 }],
    ['svg by viewBox', svg('', 'viewBox="0 0 30 20"'), { width: 30, height: 20 }],
    ['svg in points', svg('', 'width="72pt" height="1in"'), { width: 96, height: 96 }],
    [
      'mp4',
      files.mp4(),
      {
        ...{ kind: 'video', format: 'mp4', width: 1920, height: 1080, durationMs: 30_000, videoCodec: 'h264' },
        ...{
          audioCodec: 'aac',
          hasAudio: true,
          frameRate: 25,
          sampleRateHz: 48_000,
          channels: 2,
          moovPosition: 'start',
        },
      },
    ],
    ['mp4 with its index at the end', files.mp4({ late: true }), { moovPosition: 'end' }],
    ['silent mp4', files.mp4({ sound: false, codec: 'hvc1' }), { hasAudio: false, videoCodec: 'h265' }],
    ['mov', files.mp4({ brand: 'qt' }), { format: 'mov', mime: 'video/quicktime' }],
    ['m4a', files.mp4({ picture: false, brand: 'M4A' }), { kind: 'audio', format: 'm4a', durationMs: 30_000 }],
    [
      'webm',
      files.webm(640, 360, 15),
      {
        kind: 'video',
        format: 'webm',
        width: 640,
        height: 360,
        durationMs: 15_000,
        videoCodec: 'vp9',
        audioCodec: 'opus',
      },
    ],
    ['mkv', files.webm(640, 360, 15, 'matroska'), { format: 'mkv' }],
    [
      'avi',
      files.avi(320, 240, 25, 750),
      { format: 'avi', width: 320, height: 240, durationMs: 30_000, frameRate: 25 },
    ],
    ['mp3', files.mp3(100), { kind: 'audio', format: 'mp3', durationMs: mp3Ms(100), bitrateKbps: 128, channels: 2 }],
    ['tagged mp3', files.taggedMp3(1000), { format: 'mp3', durationMs: Math.round((1000 * 1152 * 1000) / 44_100) }],
    ['aac', files.adts(431), { format: 'aac', durationMs: 10_008, sampleRateHz: 44_100, channels: 2 }],
    ['wav', files.wav(3), { format: 'wav', durationMs: 3000, bitrateKbps: 64, channels: 1 }],
    ['ogg', files.ogg(30), { format: 'ogg', durationMs: 30_000, audioCodec: 'opus' }],
    ['flac', files.flac(15), { format: 'flac', durationMs: 15_000, sampleRateHz: 44_100, channels: 2 }],
    ['pdf', Buffer.from('%PDF-1.7 …'), { kind: 'image', format: 'pdf' }],
  ])('%s', (_name, bytes, expected) => {
    expect(media(bytes)).toMatchObject(expected);
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const)('a real %s', async (format) => {
    const picture = sharp({ create: { width: 61, height: 37, channels: 4, background: '#c0ffee80' } });
    const bytes = await picture.toFormat(format).toBuffer();
    expect(media(bytes)).toMatchObject({ format: format === 'jpeg' ? 'jpg' : format, width: 61, height: 37 });
  });

  it('a real lossless WebP', async () => {
    const picture = sharp({ create: { width: 61, height: 37, channels: 4, background: '#c0ffee80' } });
    expect(media(await picture.webp({ lossless: true }).toBuffer())).toMatchObject({
      width: 61,
      height: 37,
      hasAlpha: true,
    });
  });

  it.each([
    ['zip', Buffer.from('PK\x03\x04…'), 'zip'],
    ['gzip', Buffer.of(0x1f, 0x8b, 8, 0, 0), 'gzip'],
    ['html', Buffer.from('<!doctype html><p>x'), 'html'],
    ['a VAST tag', Buffer.from('<?xml version="1.0"?>\n<VAST version="4.2"/>'), 'vast'],
    ['JSON', Buffer.from('{"error": "not found"}'), 'json'],
    ['noise', Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9]), undefined],
  ])('%s is no media', (_name, bytes, format) => {
    const found = probeMedia(bytes);
    expect(found).toMatchObject({ ok: false, reason: 'unknown' });
    expect(found.ok ? undefined : found.format).toBe(format);
  });
});

describe('files that are cut off', () => {
  const whole: readonly (readonly [string, Buffer])[] = [
    ['png', files.png(300, 250)],
    ['jpeg', files.jpeg(300, 250)],
    ['gif', files.gif(300, 250)],
    ['webp', files.webp(300, 250)],
    ['svg', svg('<rect/>')],
    ['mp4', files.mp4()],
    ['webm', files.webm(640, 360, 15)],
    ['wav', files.wav(1)],
    ['avi', files.avi(320, 240, 25, 750)],
  ];

  it.each(whole)('%s: never taken for whole, wherever the cut is', (_name, bytes) => {
    for (let length = 0; length < bytes.length; length += Math.max(1, Math.floor(bytes.length / 97))) {
      const found = probeMedia(bytes.subarray(0, length));
      expect(found.ok, `after ${length} bytes`).toBe(false);
    }
    expect(probeMedia(bytes.subarray(0, bytes.length - 2))).toMatchObject({ ok: false, reason: 'truncated' });
    expect(probeMedia(bytes).ok).toBe(true);
  });

  it('the beginning alone says the size when no more is asked for', () => {
    const beginning = (bytes: Buffer, length: number) => probeMedia(bytes.subarray(0, length), { complete: false });
    expect(beginning(files.png(300, 250), 50)).toMatchObject({ ok: true, media: { width: 300, height: 250 } });
    expect(beginning(files.jpeg(300, 250), 60)).toMatchObject({ ok: true, media: { width: 300, height: 250 } });
    expect(beginning(files.mp4({ dataBytes: 100_000 }), 2000)).toMatchObject({
      ok: true,
      media: { durationMs: 30_000 },
    });
    expect(beginning(files.webm(640, 360, 15), 200)).toMatchObject({ ok: true, media: { width: 640 } });
  });
});

describe('hostile files', () => {
  it('reports 40,000 x 40,000 pixels and unpacks nothing', () => {
    const bomb = files.chunk('zTXt', Buffer.from('a\0\0'), deflateSync(Buffer.alloc(50_000_000)));
    const elapsed = startCpuClock();
    expect(probeMedia(files.png(40_000, 40_000, { extra: [bomb, bomb] }))).toMatchObject({
      ok: true,
      media: { width: 40_000, height: 40_000 },
    });
    expect(elapsed()).toBeLessThan(100);
  });

  it.each([
    ['a png without size', files.png(0, 250)],
    ['a jpeg segment of no length', Buffer.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0)],
    ['a box shorter than its head', Buffer.concat([files.mp4().subarray(0, 20), Buffer.from('\0\0\0\x03moov')])],
    ['a gif of nothing', Buffer.concat([files.gif(3, 2).subarray(0, 13), Buffer.of(0x3b)])],
    ['a movie without tracks', files.mp4({ picture: false, sound: false })],
  ])('%s is malformed', (_name, bytes) => {
    expect(probeMedia(bytes)).toMatchObject({ ok: false, reason: 'malformed' });
  });

  it('gives up on files made of a million boxes, or of boxes within boxes', () => {
    const crumbs = Buffer.concat([files.mp4().subarray(0, 20), Buffer.alloc(8_000_000)]);
    for (let at = 20; at < crumbs.length; at += 8) crumbs.writeUInt32BE(8, at);
    let nest = files.box('moov');
    for (let level = 0; level < 2000; level += 1) nest = files.box('moov', nest);
    let ebml = files.element(0xae);
    for (let level = 0; level < 200; level += 1) ebml = files.element(0xae, ebml);
    const elapsed = startCpuClock();
    expect(probeMedia(crumbs)).toMatchObject({ ok: false, reason: 'malformed' });
    expect(probeMedia(Buffer.concat([files.mp4().subarray(0, 20), nest]))).toMatchObject({ ok: false });
    expect(probeMedia(Buffer.concat([Buffer.of(0x1a, 0x45, 0xdf, 0xa3, 0x80), ebml]))).toMatchObject({ ok: false });
    expect(elapsed()).toBeLessThan(2000);
  });

  it('reads garbage behind every signature without throwing', () => {
    let seed = 1;
    const noise = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed & 255;
    };
    const heads = [
      ...[files.png(9, 9), files.jpeg(9, 9), files.gif(9, 9), files.webp(9, 9), files.mp4(), files.webm(9, 9, 9)],
      ...[
        files.wav(1),
        files.avi(9, 9, 9, 9),
        files.mp3(3),
        files.taggedMp3(9),
        files.adts(3),
        files.ogg(1),
        files.flac(1),
      ],
    ];
    for (const head of heads) {
      for (let round = 0; round < 200; round += 1) {
        const bytes = Buffer.from(head);
        for (let hit = 0; hit < 8; hit += 1) bytes[4 + ((noise() * 256 + noise()) % (bytes.length - 4))] = noise();
        expect(() => probeMedia(bytes)).not.toThrow();
        expect(() => probeMedia(bytes, { complete: false })).not.toThrow();
      }
    }
  });

  it.each([
    ['a DOCTYPE', Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg width="1" height="1">&a;</svg>')],
    ['a DOCTYPE behind a prolog', Buffer.from('<?xml version="1.0"?><!DOCTYPE svg SYSTEM "http://x/"><svg/>')],
    ['a script', svg('<script>alert(1)</script>')],
    ['a script in a namespace', svg('<s:script xmlns:s="http://www.w3.org/2000/svg"/>')],
    ['a handler', svg('<rect onload="alert(1)"/>')],
    ['a handler without a space', svg('<rect x="1"onload="alert(1)"/>')],
    ['HTML', svg('<foreignObject><p/></foreignObject>')],
    ['a picture elsewhere', svg('<image href="http://169.254.169.254/"/>')],
    ['a file', svg('<image xlink:href="file:///etc/passwd"/>')],
    ['a javascript link', svg('<a href=" javascript:alert(1)"/>')],
    ['a link by entities', svg('<a h&#114;ef="x"/><rect fill="u&#x72;l(http://x/)"/>')],
    ['a style elsewhere', svg('<style>@import "http://x/"</style>')],
    ['a fill elsewhere', svg('<rect fill="url( http://x/#a )"/>')],
    ['a fill behind a comment', svg('<style>a{fill:u<!-- -->rl(http://x/)}</style>')],
    ['a fill behind an escape', svg('<style>a{fill:\\75rl(http://x/)}</style>')],
    ['a style sheet', Buffer.from('<?xml-stylesheet href="x"?><svg width="1" height="1"></svg>')],
    ['an animated link', svg('<set attributeName="xlink:href" to="x"/>')],
    ['another alphabet', Buffer.from('<?xml version="1.0" encoding="UTF-7"?><svg></svg>')],
    ['CDATA', svg('<style>u<![CDATA[]]>rl(x)</style>')],
    ['very many levels', svg(`${'<g>'.repeat(100_000)}${'</g>'.repeat(100_000)}`)],
    ['more than twenty thousand tags', svg('<rect/>'.repeat(20_001))],
    ['copies of copies of copies', svg(copies('use href="#', '"/>'))],
    ['patterns of patterns', svg(copies("rect fill='url( #", ")'/>"))],
    ['a copy of itself', svg('<g id="a"><use href="#a"/></g>')],
    [
      'a chain without end',
      svg(Array.from({ length: 300 }, (_, at) => `<g id="a${at}"><use href="#a${at + 1}"/></g>`).join('')),
    ],
  ])('an SVG with %s is unsafe', (_name, bytes) => {
    expect(probeMedia(bytes)).toMatchObject({ ok: false, reason: 'unsafe', format: 'svg' });
  });

  it.each([
    ['a gradient of its own', svg('<rect fill="url(#a)"/><use href="#b"/>')],
    ['a sprite used often', svg(`<g id="a"><use href="#b"/><path id="b"/></g>${'<use href="#a"/>'.repeat(1000)}`)],
    ['a picture of its own', svg('<image href="data:image/png;base64,AAAA"/>')],
    [
      'a comment before it',
      Buffer.from('<?xml version="1.0" encoding="UTF-8"?><!-- a --><svg width="1" height="1"></svg>'),
    ],
    ['a mark of byte order', Buffer.from('\ufeff<svg width="1" height="1"/>')],
  ])('an SVG with %s is safe', (_name, bytes) => {
    expect(probeMedia(bytes).ok).toBe(true);
  });

  it.each([
    ['styles', ' style="'],
    ['tags', '<svg '],
    ['comments', '<!-- '],
    ['hyphens', 'a-'],
    ['handlers', ' on'],
    ['links', ' href="#" '],
    ['urls', 'url(#'],
    ['names', '<a'],
    ['letters', 'a'],
    ['groups that refer', '<g id="a" fill="url(#b)">'],
    ['spaces', ' '],
  ])('an SVG of endless %s is read in linear time', (_name, part) => {
    const bytes = svg(part.repeat(Math.floor(1_900_000 / part.length)));
    const elapsed = startCpuClock();
    probeMedia(bytes);
    expect(elapsed()).toBeLessThan(3000);
  });

  it('an SVG of more than 500 kB is refused, with what to do', () => {
    expect(probeMedia(svg(' '.repeat(490_000)))).toMatchObject({ ok: true });
    expect(probeMedia(svg(' '.repeat(500_000)))).toMatchObject({
      ok: false,
      reason: 'unsafe',
      message: expect.stringContaining('export it with fewer points, or as PNG'),
    });
  });
});
