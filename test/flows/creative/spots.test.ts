import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { a2aBuyer, skillMessage, type WireTask } from '../../kit/a2a.js';
import { serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { SHOTS } from '../../kit/browser.js';
import { freshKey } from '../../kit/buyer.js';
import { pass } from '../../kit/events.js';
import { FFMPEG, frameAt, makeMedia, measureLoudness, NEEDS_FFMPEG, probeWithFfprobe } from '../../kit/ffmpeg.js';
import { startReceiver } from '../../kit/receiver.js';
import { type RendererClient, rendererClient } from '../../kit/renderer.js';
import { tenantsFolder } from '../../kit/tenants.js';
import { NEEDS_VOICE, serveVoice, type VoiceServer } from '../../kit/voice.js';
import type { Payload } from '../../kit/wire.js';

/** How long a spot may take on a machine with other work. */
const SOON = { timeout: 400_000, interval: 200 };

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

/** Arguments that make ffmpeg play a formula. */
const source = (formula: string, seconds: number): readonly string[] => [
  ...['-f', 'lavfi', '-i', `aevalsrc='${formula}':d=${seconds}:s=44100`],
];

type BuiltAsset = Readonly<Record<string, unknown>> & { readonly url: string };

/** The percentage that an update of A2A tells. */
function percentagesOf(status: WireTask['status'] | undefined): readonly unknown[] {
  return (status?.message?.parts ?? []).flatMap(({ data }) =>
    data?.percentage === undefined ? [] : [data.percentage],
  );
}

const NEEDS = NEEDS_FFMPEG || NEEDS_VOICE;

describe.skipIf(NEEDS !== '')(`${NEEDS}spots over MCP`, { timeout: 420_000 }, () => {
  let voice: VoiceServer;
  let server: Booted;
  let client: RendererClient;
  let origin: string;

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    voice = await serveVoice();
    const tenants = tenantsFolder((tenant) => {
      Object.assign(tenant, { answer_within_seconds: 0.05 });
      tenant.speech = { base_url: voice.baseUrl, model: 'espeak', voice: 'any' };
    }, 'creative');
    server = await boot({ settings: { ffmpegPath: FFMPEG }, tenants });
    client = rendererClient(server);
    const assets = await serveAssets({
      '/one.jpg': await gradient('#264653', '#2a9d8f'),
      '/two.jpg': await gradient('#e76f51', '#f4a261'),
      '/logo.png': await sharp({ create: { width: 300, height: 100, channels: 3, background: '#d00000' } })
        .png()
        .toBuffer(),
      // Loud clicks on a soft tone: what encoders raise most.
      '/music.wav': await makeMedia('music.wav', source('0.05*sin(2*PI*220*t)', 20)),
      // What encoders raise most.
      '/clicks.wav': await makeMedia('clicks.wav', source('0.9*lt(mod(t,0.5),0.004)*sin(2*PI*7000*t)', 9)),
      '/silence.wav': await makeMedia('silence.wav', ['-f', 'lavfi', '-i', 'anullsrc=r=44100', '-t', '5']),
    });
    origin = assets.origin;
  });

  /** Builds, and waits for the task where the build takes longer than its caller. */
  async function build(args: object): Promise<Payload> {
    const { payload } = await server.call('build_creative', args, { tenant: 'creative' });
    if (payload.status !== 'submitted') return payload;
    const ask = async () =>
      (await server.call('get_task_status', { task_id: payload.task_id, include_result: true }, { tenant: 'creative' }))
        .payload;
    await vi.waitFor(async () => expect((await ask()).status).not.toBe('working'), SOON);
    const { result, ...task } = await ask();
    return (result ?? task) as Payload;
  }

  const image = (file: string) => ({ asset_type: 'image', url: `${origin}${file}`, width: 2000, height: 1400 });
  const sound = (file: string) => ({ asset_type: 'audio', url: `${origin}${file}` });

  /** The asset that was built, and the bytes behind its address. */
  async function buildAsset(args: object, assetId: string): Promise<{ asset: BuiltAsset; bytes: Buffer }> {
    const answer = await build(args);
    const manifest = answer.creative_manifest as { readonly assets: Record<string, BuiltAsset> } | undefined;
    const asset = manifest?.assets[assetId];
    if (asset === undefined) throw new Error(`${JSON.stringify(answer)} ${JSON.stringify(server.log)}`);
    const response = await fetch(asset.url);
    expect(response.status).toBe(200);
    return { asset, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  /** Holds what an asset says of its sound against what ffmpeg measures of the file that is served. */
  async function expectLoudness(bytes: Buffer, wanted: number, said: { lufs: unknown; peak: unknown }): Promise<void> {
    const { lufs, peak } = await measureLoudness(bytes);
    expect(Math.abs(lufs - wanted)).toBeLessThanOrEqual(0.5);
    expect(peak).toBeLessThanOrEqual(-1.8);
    expect(Math.abs(lufs - Number(said.lufs))).toBeLessThanOrEqual(0.2);
    expect(Math.abs(peak - Number(said.peak))).toBeLessThanOrEqual(0.3);
  }

  async function keepFrames(name: string, bytes: Buffer, seconds: readonly number[]): Promise<void> {
    for (const at of seconds) writeFileSync(path.join(SHOTS, `spot-${name}-${at}.png`), await frameAt(bytes, at));
  }

  test('a brief, two stills and a logo become a 15 second MP4 of exactly 1920x1080 that is at -23 LUFS', async () => {
    const { asset, bytes } = await buildAsset(
      {
        message: MESSAGE,
        brand: BRAND,
        target_format_id: client.format('video_standard_15s'),
        creative_manifest: {
          assets: { still_one: image('/one.jpg'), still_two: image('/two.jpg'), logo: { ...image('/logo.png') } },
        },
      },
      'video_file',
    );
    await keepFrames('en', bytes, [1, 3, 6, 9, 11, 14.9]);
    expect(asset).toMatchObject({ asset_type: 'video', width: 1920, height: 1080, duration_ms: 15_000 });
    const { streams, format } = await probeWithFfprobe(bytes);
    const film = { codec_name: 'h264', width: 1920, height: 1080, r_frame_rate: '30/1', nb_read_packets: '450' };
    expect(streams.find((one) => one.codec_type === 'video')).toMatchObject(film);
    expect(streams.find((one) => one.codec_type === 'audio')).toMatchObject({
      codec_name: 'aac',
      sample_rate: '48000',
    });
    expect(Math.abs(Number(format.duration) - 15)).toBeLessThanOrEqual(0.025);
    await expectLoudness(bytes, -23, { lufs: asset.audio_loudness_lufs, peak: asset.audio_true_peak_dbfs });
  });

  test.each([
    ['ar', 'تخفيضات الربيع: خصم 20٪ على أحذية الجري، والشحن مجاني', /\p{Script=Arabic}/u],
    ['ja', '春のセール：トレイルランニングシューズが20%オフ、送料無料', /\p{Script=Katakana}/u],
  ])('a brief is shown and spoken in its own language: %s', async (language, message, letters) => {
    const said = voice.spoken.length;
    const { asset, bytes } = await buildAsset(
      {
        message,
        brand: BRAND,
        target_format_id: { ...client.format('video_dimensions'), width: 640, height: 360, duration_ms: 15_000 },
      },
      'video_file',
    );
    await keepFrames(language, bytes, [1, 5, 14.5]);
    expect(voice.spoken.slice(said).join(' ')).toMatch(letters);
    await expectLoudness(bytes, -23, { lufs: asset.audio_loudness_lufs, peak: asset.audio_true_peak_dbfs });
  });

  test.each([
    ['mp3', 'audio_standard_15s', { music: '/music.wav', voiceover: '/clicks.wav' }],
    ['mp3 of the copy alone', 'audio_standard_15s', {}],
  ])('an %s is at -16 LUFS, and its peaks stay below -2 dBTP', async (_what, id, sounds) => {
    const assets = Object.fromEntries(Object.entries(sounds).map(([key, file]) => [key, sound(file)]));
    const order = {
      message: MESSAGE,
      brand: BRAND,
      target_format_id: client.format(id),
      creative_manifest: { assets },
    };
    const { asset, bytes } = await buildAsset(order, 'audio_file');
    expect(asset).toMatchObject({ duration_ms: 15_000, codec: 'mp3', channels: 'stereo' });
    await expectLoudness(bytes, -16, { lufs: asset.loudness_lufs, peak: asset.true_peak_dbfs });
  });

  test('a spot with little to say tells what would fill it and nothing of looks, and one with more to say has all of it spoken', async () => {
    const target_format_id = client.format('audio_standard_30s');
    const brand = { domain: 'acme-outdoor.example', name: 'Acme Outdoor' };
    const short = await build({ message: MESSAGE, brand, target_format_id });
    expect(short.message).toMatch(/Somebody speaks for \d of the spot's 30 seconds; the rest is silent\. To fill it, /);
    expect(short.message).not.toContain('how the brand looks');
    const said = voice.spoken.length;
    const sentences = [
      'Our shoes are light, dry and sure-footed on every trail.',
      'They are made in Portugal of recycled rubber and cork.',
      'Come to one of our twelve shops and run a mile in them before you buy.',
      'Free returns for sixty days.',
    ];
    const long = await build({
      message: `Radio spot. 20% off trail running shoes until 31 May. ${sentences.join(' ')} Legal: While stocks last. CTA: "Shop now"`,
      brand,
      target_format_id,
    });
    for (const part of ['20% off trail running shoes', '31 May', ...sentences, 'Shop now', 'While stocks last'])
      expect(voice.spoken.slice(said).join(' ')).toContain(part);
    expect(long.creative_manifest).toBeDefined();
    expect(long.message ?? '').not.toContain('Somebody speaks for');
  });

  test('six seconds upright are 180 pictures of 540x960', async () => {
    const { asset, bytes } = await buildAsset(
      {
        message: MESSAGE,
        brand: BRAND,
        target_format_id: { ...client.format('video_dimensions'), width: 540, height: 960, duration_ms: 6000 },
      },
      'video_file',
    );
    await keepFrames('upright', bytes, [0.8, 2.5, 5.5]);
    expect(asset).toMatchObject({ width: 540, height: 960, duration_ms: 6000 });
    const { streams } = await probeWithFfprobe(bytes);
    expect(streams[0]).toMatchObject({ width: 540, height: 960, nb_read_packets: '180' });
  });

  test('a tag around a made video names who counts impressions', async () => {
    const target_format_id = { ...client.format('video_vast'), duration_ms: 6000 };
    const assets = { impression_tracker: { asset_type: 'url', url_type: 'tracker_pixel', url: 'https://t.example/i' } };
    const answer = await build({ message: MESSAGE, brand: BRAND, target_format_id, creative_manifest: { assets } });
    const { vast_tag } = (answer.creative_manifest as { assets: Record<string, { content: string }> }).assets;
    expect(vast_tag?.content).toContain('<Impression>https://t.example/i</Impression>');
    expect(vast_tag?.content).toContain('<Duration>00:00:06.000</Duration>');
  });

  test('its percentage is told by polling, by webhook and over A2A', async () => {
    const receiver = await startReceiver();
    const order = (idempotency_key: string) => ({
      idempotency_key,
      message: MESSAGE,
      brand: BRAND,
      target_format_id: { ...client.format('video_dimensions'), width: 640, height: 360, duration_ms: 6000 },
    });
    const push_notification_config = { url: `${receiver.url}/spot`, operation_id: 'op-spot' };
    const options = { tenant: 'creative' };
    const { payload } = await server.call(
      'build_creative',
      { ...order(freshKey()), push_notification_config },
      options,
    );
    expect(payload).toMatchObject({ status: 'submitted' });
    const stream = await a2aBuyer(server, options).stream(
      'message/stream',
      skillMessage('build_creative', order(freshKey())),
    );
    const polled: unknown[] = [];
    await vi.waitFor(async () => {
      const { payload: task } = await server.call('get_task_status', { task_id: payload.task_id }, options);
      if (task.status === 'working') polled.push((task.progress as { percentage?: number } | undefined)?.percentage);
      await pass(server, 2000);
      expect(task.status).toBe('completed');
    }, SOON);
    const streamed = (await stream.rest()).flatMap((update) => percentagesOf(update.status as WireTask['status']));
    const told = receiver.posts.flatMap(({ json }) =>
      json.status === 'working' ? [(json.result as Payload).percentage] : [],
    );
    for (const percentages of [polled, told, streamed]) {
      expect(percentages.some((one) => Number(one) > 0 && Number(one) < 100)).toBe(true);
      expect(percentages).toEqual([...percentages].sort((a, b) => Number(a) - Number(b)));
    }
    expect(receiver.posts.at(-1)?.json).toMatchObject({ status: 'completed', operation_id: 'op-spot' });
  });

  test('sounds in which nothing is heard are refused', async () => {
    const answer = await build({
      message: MESSAGE,
      brand: BRAND,
      target_format_id: client.format('broadcast_spot_15s'),
      creative_manifest: { assets: { music: sound('/silence.wav'), voiceover: sound('/silence.wav') } },
    });
    expect(JSON.stringify(answer)).toContain('nothing to hear');
  });
});
