import sharp from 'sharp';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { FFMPEG, frameAt, measureLoudness, NEEDS_FFMPEG, probeWithFfprobe } from '../../kit/ffmpeg.js';
import { type RendererClient, rendererClient } from '../../kit/renderer.js';

/** How long a spot may take on a machine with other work. */
const SOON = { timeout: 170_000, interval: 200 };

const BRAND = {
  domain: 'acme-outdoor.example',
  name: 'Acme Outdoor',
  url: 'https://acme-outdoor.example',
  colors: { primary: '#1b4332', secondary: '#f4a259' },
};
const MESSAGE = 'Spring sale: 20% off trail running shoes, free shipping';

const gradient = (from: string, to: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1400"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="2000" height="1400" fill="url(#g)"/><circle cx="1300" cy="600" r="320" fill="#fff"/></svg>`,
    ),
  )
    .jpeg()
    .toBuffer();

describe.skipIf(FFMPEG === undefined)(`${NEEDS_FFMPEG}spots over MCP`, () => {
  let server: Booted;
  let client: RendererClient;
  let origin: string;

  beforeAll(async () => {
    server = await boot({ settings: { ffmpegPath: FFMPEG } });
    client = rendererClient(server);
    const assets = await serveAssets({
      '/one.jpg': await gradient('#264653', '#2a9d8f'),
      '/two.jpg': await gradient('#e76f51', '#f4a261'),
      '/logo.png': await sharp({ create: { width: 300, height: 100, channels: 3, background: '#d00000' } })
        .png()
        .toBuffer(),
    });
    origin = assets.origin;
  });

  /** Builds, and waits for the task where the build takes longer than its caller. */
  async function build(args: object) {
    const { payload } = await server.call('build_creative', args, { tenant: 'creative' });
    if (payload.status !== 'submitted') return payload;
    const ask = async () =>
      (await server.call('get_task_status', { task_id: payload.task_id, include_result: true }, { tenant: 'creative' }))
        .payload;
    await vi.waitFor(async () => expect((await ask()).status).not.toBe('working'), SOON);
    return (await ask()).result as Record<string, unknown>;
  }

  const image = (path: string) => ({ asset_type: 'image', url: `${origin}${path}`, width: 2000, height: 1400 });

  async function fetchBytes(url: string): Promise<Buffer> {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  test('two stills, a logo and a sentence become a 15 second MP4 of exactly 1920x1080', async () => {
    const answer = await build({
      message: MESSAGE,
      brand: BRAND,
      target_format_id: client.format('video_standard_15s'),
      creative_manifest: {
        assets: { still_one: image('/one.jpg'), still_two: image('/two.jpg'), logo: { ...image('/logo.png') } },
      },
    });
    if (answer.creative_manifest === undefined) throw new Error(JSON.stringify(answer) + JSON.stringify(server.log));
    const { video_file: video } = (answer.creative_manifest as { assets: Record<string, Record<string, unknown>> })
      .assets;
    expect(video).toMatchObject({
      asset_type: 'video',
      width: 1920,
      height: 1080,
      duration_ms: 15_000,
      video_codec: 'h264',
    });
    const bytes = await fetchBytes(String(video?.url));
    const { streams, format } = await probeWithFfprobe(bytes);
    const [film, sound] = [
      streams.find((one) => one.codec_type === 'video'),
      streams.find((one) => one.codec_type === 'audio'),
    ];
    if (process.env.SHOW) (await import('node:fs')).writeFileSync('/tmp/ff/spot.mp4', bytes);
    expect(film).toMatchObject({
      codec_name: 'h264',
      width: 1920,
      height: 1080,
      r_frame_rate: '30/1',
      nb_read_packets: '450',
    });
    expect(sound).toMatchObject({ codec_name: 'aac', sample_rate: '48000' });
    expect(Number(format.duration)).toBeCloseTo(15, 2);
    if (process.env.SHOW) {
      const { writeFileSync } = await import('node:fs');
      writeFileSync('/tmp/ff/spot.mp4', bytes);
      for (const at of [1, 3, 6.1, 8, 11, 13, 14.9]) writeFileSync(`/tmp/ff/f${at}.png`, await frameAt(bytes, at));
    }
    expect(Number.isNaN((await measureLoudness(bytes)).lufs)).toBe(false);
  });
});
