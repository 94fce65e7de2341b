import { beforeAll, describe, expect, test } from 'vitest';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';
import { boot, rpc } from '../../kit/boot.js';
import { banner, picture, rendererClient } from '../../kit/renderer.js';
import { hasSchemas, SCHEMA_FOLDERS, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';

const server = await boot();
const renderer = rendererClient(server);
const BANNER = renderer.format('display_300x250_image');

const MESSAGE = 'Spring sale: 20% off trail running shoes';

const RELEASES: readonly SchemaRelease[] = ['3.0', '3.1'];

let cdn: AssetServer;

beforeAll(async () => {
  cdn = await serveAssets({
    '/banner.png': await picture(300, 250),
    '/photo.jpg': await picture(1200, 900),
  });
});

describe.each(RELEASES)('answers for callers of %s', (version) => {
  if (version === '3.1' && !hasSchemas('3.1')) {
    test(`are not judged: there are no schemas at ${SCHEMA_FOLDERS['3.1']}`, (context) => context.skip());
    return;
  }
  const judge = schemaJudge(version);
  const caller = rendererClient(server, { version });
  const good = (): object => ({ format_id: BANNER, creative_manifest: banner(BANNER, cdn.url('/banner.png')) });
  const built = { message: MESSAGE, brand: { domain: 'acme-outdoor.example' }, include_preview: true };
  const TWO = [BANNER, renderer.format('display_728x90_image')];

  test.each([
    ['formats', 'list_creative_formats', () => ({}), 'creative/list-creative-formats-response'],
    [
      'formats of one size',
      'list_creative_formats',
      () => ({ max_width: 300, max_height: 250 }),
      'creative/list-creative-formats-response',
    ],
    [
      'a generated creative',
      'build_creative',
      () => ({ ...built, target_format_id: BANNER }),
      'media-buy/build-creative-response',
    ],
    [
      'a creative of nobody, for nobody',
      'build_creative',
      () => ({ target_format_id: BANNER }),
      'media-buy/build-creative-response',
    ],
    [
      'generated HTML',
      'build_creative',
      () => ({ ...built, target_format_id: renderer.format('display_300x250_html') }),
      'media-buy/build-creative-response',
    ],
    [
      'a native creative',
      'build_creative',
      () => ({ ...built, target_format_id: renderer.format('native_content') }),
      'media-buy/build-creative-response',
    ],
    [
      'several creatives',
      'build_creative',
      () => ({ ...built, target_format_ids: TWO }),
      'media-buy/build-creative-response',
    ],
    [
      'a transformed creative',
      'build_creative',
      () => ({ target_format_id: TWO[1], creative_manifest: banner(BANNER, cdn.url('/photo.jpg')) }),
      'media-buy/build-creative-response',
    ],
    [
      'a preview',
      'preview_creative',
      () => ({ request_type: 'single', ...good() }),
      'creative/preview-creative-response',
    ],
    [
      'a preview as HTML',
      'preview_creative',
      () => ({ request_type: 'single', ...good(), output_format: 'html' }),
      'creative/preview-creative-response',
    ],
    [
      'a preview in both forms',
      'preview_creative',
      () => ({ request_type: 'single', ...good(), output_format: 'both' }),
      'creative/preview-creative-response',
    ],
    [
      'a preview with variants',
      'preview_creative',
      () => ({
        request_type: 'single',
        ...good(),
        inputs: [{ name: 'A', macros: { CITY: 'Oslo' }, context_description: 'in the north' }],
      }),
      'creative/preview-creative-response',
    ],
    [
      'a batch',
      'preview_creative',
      () => ({ request_type: 'batch', requests: [good(), { creative_manifest: { assets: {} }, format_id: BANNER }] }),
      'creative/preview-creative-response',
    ],
  ] as const)('%s (%s) fit the public schema', async (_what, tool, args, schema) => {
    expect(judge(schema, await caller.must(tool, args()))).toEqual([]);
  });

  test('a failed build fits it too; previews and formats have no failed answer there', async () => {
    const failed = await caller.refused('build_creative', { target_format_id: renderer.format('video_30s') });
    expect(judge('media-buy/build-creative-response', failed)).toEqual([]);
    expect(judge('media-buy/build-creative-response', { status: 'completed' })).not.toEqual([]);
  });
});

test('a card of tools shows what each creative task reads', async () => {
  const { tools } = rpc(await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, 'creative'))
    .result as unknown as {
    tools: readonly { name: string; inputSchema: { properties: object } }[];
  };
  const fields = (name: string): readonly string[] =>
    Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {});
  expect(fields('list_creative_formats')).toEqual(
    expect.arrayContaining([
      'format_ids',
      'type',
      'asset_types',
      'max_width',
      'max_height',
      'is_responsive',
      'name_search',
      'wcag_level',
      'output_format_ids',
    ]),
  );
  expect(fields('build_creative')).toEqual(
    expect.arrayContaining([
      'message',
      'creative_manifest',
      'target_format_id',
      'target_format_ids',
      'include_preview',
      'preview_inputs',
    ]),
  );
  expect(fields('preview_creative')).toEqual(
    expect.arrayContaining(['request_type', 'format_id', 'creative_manifest', 'inputs', 'output_format', 'requests']),
  );
});

test('nothing of all this was unexpected to the server', () => {
  expect(server.log).toEqual([]);
});
