import { beforeAll, describe, expect, test } from 'vitest';
import { houseFormats } from '../../../src/creative/formats/catalog/catalog.js';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';
import { boot } from '../../kit/boot.js';
import { picture, rendererClient } from '../../kit/renderer.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';

const RELEASES: readonly SchemaRelease[] = ['3.0', '3.1'];
/** Formats that are made without ffmpeg, of a brief: all but those of video and audio. */
const isSpot = ({ type }: { type: string }): boolean => type === 'video' || type === 'audio';
const FORMATS = houseFormats('https://x.example');
const IDS = FORMATS.filter((format) => !isSpot(format)).map(({ format_id }) => format_id.id);
const SPOTS = FORMATS.filter((format) => isSpot(format) && format.output_format_ids === undefined);

const server = await boot({ settings: { ffmpegPath: undefined } });
let cdn: AssetServer;

beforeAll(async () => {
  cdn = await serveAssets({ '/photo.jpg': await picture(1600, 1200) });
});

describe.each(RELEASES)('every format that is built, for callers of %s', (version) => {
  const caller = rendererClient(server, { version });

  test.each(IDS)('%s keeps its id and is valid', async (id) => {
    const { payload } = await server.call(
      'build_creative',
      {
        message: 'Spring sale: 20% off trail running shoes',
        creative_manifest: {
          assets: {
            image: { asset_type: 'image', url: cdn.url('/photo.jpg'), width: 1600, height: 1200 },
            click_url: { asset_type: 'url', url: 'https://shop.example/' },
          },
        },
        target_format_id: caller.format(id),
      },
      { tenant: 'creative', version },
    );
    const built = payload.creative_manifest as { format_id: { id: string } } | undefined;
    if (built === undefined) throw new Error(JSON.stringify(payload.errors ?? payload.adcp_error ?? payload));
    expect(built.format_id.id).toBe(id);
    const { previews } = await caller.preview(built, { output_format: 'html' });
    expect(previews[0]?.preview_html).not.toContain('Nothing to show');
    if (id.includes('generative')) expect(previews[0]?.preview_html).toMatch(/<body class="picture"><img/);
    if (!hasSchemas(version)) return;
    expect(schemaJudge(version)('media-buy/build-creative-response', payload)).toEqual([]);
    expect(schemaJudge(version)('core/creative-manifest', built)).toEqual([]);
  });
});

test.each(SPOTS.map(({ format_id }) => format_id.id))('%s, asked for without ffmpeg, says what to send', async (id) => {
  const renderer = rendererClient(server);
  const request = { message: 'Spring sale: 20% off trail running shoes', target_format_id: renderer.format(id) };
  const { adcp_error } = await renderer.refused('build_creative', request);
  expect(adcp_error.message).toMatch(/no ffmpeg/);
  expect(adcp_error.suggestion).toMatch(/^Send a .*rendering\.ffmpeg/);
});

test.each(['build_creative', 'preview_creative'])('%s refuses a picture without an address', async (task) => {
  const renderer = rendererClient(server);
  const format = renderer.format('display_300x250_image');
  const creative_manifest = {
    format_id: format,
    assets: {
      banner_image: { asset_type: 'image', width: 300, height: 250 },
      click_url: { asset_type: 'url', url: 'https://shop.example/' },
    },
  };
  const more = task === 'build_creative' ? { target_format_id: format } : { request_type: 'single' };
  const { adcp_error } = await renderer.refused(task, { creative_manifest, ...more });
  expect(adcp_error.field).toMatch(/^creative_manifest\.assets\.banner_image/);
});
