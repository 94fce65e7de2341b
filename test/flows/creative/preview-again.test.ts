import { beforeEach, describe, expect, test } from 'vitest';
import { type Served, serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { send } from '../../kit/http.js';
import { banner, picture, type RendererClient, rendererClient } from '../../kit/renderer.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;

let server: Booted;
let renderer: RendererClient;

beforeEach(async () => {
  server = await boot();
  renderer = rendererClient(server);
});

/** A manifest that names nothing outside. */
function markup(text: string): object {
  return {
    format_id: renderer.format('display_300x250_html'),
    assets: { html_creative: { asset_type: 'html', content: `<h1>${text}</h1>` } },
  };
}

describe('the same preview again', () => {
  test('is the same answer, each with its own context, under both releases', async () => {
    const first = await renderer.preview(markup('Boots'), { context: { trip: 1 } });
    const again = await renderer.preview(markup('Boots'), { context: { trip: 2 } });
    expect(again).toEqual({ ...first, context: { trip: 2 } });
    for (const version of ['3.0', '3.1']) {
      const client = rendererClient(server, { version });
      expect(await client.preview(markup('Boots'))).toMatchObject({ previews: first.previews, adcp_version: version });
    }
  });

  test('is another one when anything that shows is different', async () => {
    const input = (macros: object): object => ({ inputs: [{ name: 'One', macros }] });
    const answers = [
      await renderer.preview(markup('Boots')),
      await renderer.preview(markup('Shoes')),
      await renderer.preview(markup('Boots'), input({ CITY: 'Oslo' })),
      await renderer.preview(markup('Boots'), input({ CITY: 'Bergen' })),
      await renderer.preview(markup('Boots'), { output_format: 'html' }),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(answer.previews))).size).toBe(answers.length);
  });

  test('leads to pages for at least half a day more, however late it is asked for', async () => {
    const first = await renderer.preview(markup('Boots'));
    expect(first.expires_at).toBe('2030-01-02T00:00:00Z');
    server.clock.advance(11 * HOUR);
    expect((await renderer.preview(markup('Boots'))).expires_at).toBe(first.expires_at);
    server.clock.advance(HOUR + MINUTE);
    const later = await renderer.preview(markup('Boots'));
    expect(later).toMatchObject({ interactive_url: first.interactive_url, expires_at: '2030-01-02T12:01:00Z' });
    server.clock.set('2030-01-02T12:00:00Z');
    await server.server().tick();
    expect((await send(later.interactive_url)).status).toBe(200);
  });

  test('is drawn from the files of others anew after a minute', async () => {
    const files: Record<string, Served> = { '/banner.png': await picture(300, 250) };
    const cdn = await serveAssets(files);
    const manifest = banner(renderer.format('display_300x250_image'), cdn.url('/banner.png'));
    const first = await renderer.preview(manifest, { output_format: 'html' });
    files['/banner.png'] = await picture(300, 250, '#8b1e3f');
    expect(await renderer.preview(manifest, { output_format: 'html' })).toEqual(first);
    expect(cdn.asked).toHaveLength(1);
    server.clock.advance(MINUTE);
    const later = await renderer.preview(manifest, { output_format: 'html' });
    expect(later.previews[0]?.preview_html).not.toBe(first.previews[0]?.preview_html);
    expect(cdn.asked).toHaveLength(2);
  });

  test('shows a file at once that was missing before', async () => {
    const files: Record<string, Served> = {};
    const cdn = await serveAssets(files);
    const manifest = banner(renderer.format('display_300x250_image'), cdn.url('/banner.png'));
    const first = await renderer.preview(manifest, { output_format: 'html' });
    expect(first.previews[0]?.preview_html).toContain('The server answered 404.');
    files['/banner.png'] = await picture(300, 250);
    const later = await renderer.preview(manifest, { output_format: 'html' });
    expect(later.previews[0]?.preview_html).toContain('/previews/media/');
  });

  test('as markup alone keeps no page, and shows its pictures until it expires, through a restart', async () => {
    const cdn = await serveAssets({ '/banner.png': await picture(300, 250) });
    const manifest = banner(renderer.format('display_300x250_image'), cdn.url('/banner.png'));
    await renderer.preview(manifest, { output_format: 'html' });
    server.clock.advance(20 * HOUR);
    const { previews, expires_at, interactive_url } = await renderer.preview(manifest, { output_format: 'html' });
    expect(interactive_url).toBeUndefined();
    const shown = /src="([^"]*\/previews\/media\/[^"]+)"/.exec(previews[0]?.preview_html ?? '')?.[1] ?? '';
    server.clock.set(expires_at);
    await server.restart();
    await server.server().tick();
    expect((await send(shown)).status).toBe(200);
    server.clock.advance(2 * HOUR);
    await server.server().tick();
    expect((await send(shown)).status).toBe(404);
  });

  test('of a refused manifest is refused again', async () => {
    const manifest = { format_id: renderer.format('display_300x250_html'), assets: {} };
    const refused = { request_type: 'single', creative_manifest: manifest };
    const first = await renderer.refused('preview_creative', refused);
    expect(first.error.status).toBe(422);
    expect(await renderer.refused('preview_creative', refused)).toEqual(first);
  });

  test('in a batch: each in its place, and what failed is tried again', async () => {
    const files: Record<string, Served> = { '/banner.png': Buffer.from('no picture') };
    const cdn = await serveAssets(files);
    const broken = banner(renderer.format('display_300x250_image'), cdn.url('/banner.png'));
    const requests = [markup('Boots'), broken].map((creative_manifest) => ({ creative_manifest }));
    const outcome = async (): Promise<readonly boolean[]> =>
      (await renderer.must('preview_creative', { request_type: 'batch', requests })).results.map(
        ({ success }) => success,
      );
    expect(await outcome()).toEqual([true, false]);
    files['/banner.png'] = await picture(300, 250);
    expect(await outcome()).toEqual([true, true]);
  });
});
