import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Libsql from 'libsql';
import { beforeAll, describe, expect, test } from 'vitest';
import { mp4 } from '../../creative/probe/media-files.js';
import { type AssetServer, type Served, serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { send } from '../../kit/http.js';
import { banner, picture, rendererClient } from '../../kit/renderer.js';

const DAY = 86_400_000;
const ID = 'display_300x250_image';

let cdn: AssetServer;

beforeAll(async () => {
  cdn = await serveAssets({
    '/banner.png': await picture(300, 250),
    '/other.png': await picture(300, 250, '#8b1e3f'),
    '/photo.png': await picture(1200, 900),
    '/logo.png': await picture(200, 80),
    '/long.mp4': mp4({ seconds: 30, dataBytes: 11 * 1024 ** 2 }),
    '/short.mp4': mp4({ seconds: 15, dataBytes: 11 * 1024 ** 2 }),
  });
});

/** Bytes of all previews and media that a store has. */
function storedBytes(file: string): number {
  const database = new Libsql(file, { readonly: true });
  const { bytes } = database.prepare("select bytes from preview_usage where owner = ''").get() as { bytes: number };
  database.close();
  return bytes;
}

const statusOf = async (url: string): Promise<number> => (await send(url)).status;
const framesOf = (page: string): readonly string[] =>
  Array.from(page.matchAll(/<iframe[^>]* src="([^"]+)"/g), (match) => match[1] ?? '');
const mediaOf = (page: string): string => /src="([^"]*\/media\/[^"]+)"/.exec(page)?.[1] ?? '';

/** HTML with the entities of its markup, and of what stands in that, resolved. */
function plain(html = ''): string {
  const once = (text: string): string =>
    text
      .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll(/&(lt|gt|quot|amp);/g, (_all, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? '&');
  return once(once(html));
}

/** A preview's page, the document in its frame and the picture in that, by their addresses. */
async function walk(page: string): Promise<{ readonly page: string; readonly frame: string; readonly media: string }> {
  const frame = new URL(framesOf((await send(page)).text)[0] ?? '', page).href;
  return { page, frame, media: new URL(mediaOf((await send(frame)).text), frame).href };
}

describe('a preview lives', () => {
  let server: Booted;
  let address: Awaited<ReturnType<typeof walk>>;
  let sheet: string;

  beforeAll(async () => {
    server = await boot();
    const renderer = rendererClient(server);
    const creative_manifest = banner(renderer.format(ID), cdn.url('/banner.png'));
    const answer = await renderer.must('preview_creative', {
      request_type: 'batch',
      output_format: 'url',
      requests: [{ creative_manifest }],
    });
    sheet = answer.sheet_url;
    expect(answer.expires_at).toBe('2030-01-02T00:00:00Z');
    address = await walk(answer.previews[0]?.preview_url ?? '');
  });

  test('as a page, a frame, a picture and a sheet, each without power and without a trace', async () => {
    for (const url of [address.page, address.frame, address.media, sheet]) {
      const { status, headers } = await send(url);
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
      expect(headers['content-security-policy']).not.toMatch(/unsafe-eval|allow-same-origin|https?:\/\/\*/);
      expect(headers['set-cookie']).toBeUndefined();
    }
    expect((await send(address.frame)).headers['content-security-policy']).toContain('sandbox allow-scripts');
    expect((await send(address.media)).headers['content-type']).toBe('image/png');
  });

  test('through a restart: the same addresses, the same bytes', async () => {
    const before = await Promise.all(Object.values(address).map((url) => send(url)));
    await server.restart();
    const after = await Promise.all(Object.values(address).map((url) => send(url)));
    expect(after.map(({ status, text }) => [status, text])).toEqual(before.map(({ status, text }) => [status, text]));
    expect(await statusOf(sheet)).toBe(200);
  });

  test('until it expires; then it says so, its files go, and in the end nobody remembers it', async () => {
    const file = path.join(server.dataDir, 'seller-agent.db');
    server.clock.set('2030-01-01T23:59:59Z');
    expect([await statusOf(address.page), await statusOf(sheet)]).toEqual([200, 200]);
    server.clock.set('2030-01-02T00:00:00Z');
    for (const url of [address.page, address.frame, sheet]) {
      const { status, text } = await send(url);
      expect([status, text.includes('This preview has expired')]).toEqual([410, true]);
    }
    const full = storedBytes(file);
    server.clock.advance(2 * 3_600_000);
    await server.server().tick();
    expect(storedBytes(file)).toBeLessThan(full);
    expect([await statusOf(address.page), await statusOf(address.media)]).toEqual([410, 404]);
    await server.restart();
    expect(await statusOf(address.page)).toBe(410);
    server.clock.advance(8 * DAY);
    await server.server().tick();
    expect([await statusOf(address.page), await statusOf(sheet)]).toEqual([404, 404]);
    expect(server.log).toEqual([]);
  });
});

test('the same creative of two buyers has addresses that neither can tell from their own', async () => {
  const server = await boot();
  const [first, second] = ['sandbox-token', 'sandbox-token-2'].map((token) => rendererClient(server, { token }));
  if (first === undefined || second === undefined) throw new Error('two buyers are needed');
  const manifest = banner(first.format(ID), cdn.url('/banner.png'));
  const requests = { request_type: 'batch', output_format: 'url', requests: [{ creative_manifest: manifest }] };
  const [own, other] = [
    await first.must('preview_creative', requests),
    await second.must('preview_creative', requests),
  ];
  const addresses = async ({ previews, sheet_url }: typeof own): Promise<readonly string[]> => {
    const { page, frame, media } = await walk(previews[0]?.preview_url ?? '');
    return [page, frame, media, sheet_url];
  };
  const [ofFirst, ofSecond] = [await addresses(own), await addresses(other)];
  expect(new Set([...ofFirst, ...ofSecond]).size).toBe(8);
  for (const url of [...ofFirst, ...ofSecond]) expect(await statusOf(url)).toBe(200);
  expect(await addresses(await first.must('preview_creative', requests))).toEqual(ofFirst);
});

describe('a preview shows', () => {
  test('each variant with its macros, in the page, in the markup and where a click leads', async () => {
    const renderer = rendererClient(await boot());
    const content = '<h1>{CITY}</h1><a href="{CLICK_URL}">{DEVICE_TYPE} {UNKNOWN}</a>';
    const manifest = {
      format_id: renderer.format('display_300x250_html'),
      assets: {
        html_creative: { asset_type: 'html', content },
        click_url: { asset_type: 'url', url: 'https://shop.example/?city={CITY}' },
      },
    };
    const inputs = [
      { name: 'Köln on a phone', macros: { CITY: 'Köln', DEVICE_TYPE: 'mobile' } },
      { name: 'Oslo', macros: { CITY: 'Oslo & <b>' } },
    ];
    const { previews, interactive_url } = await renderer.preview(manifest, { inputs, output_format: 'both' });
    expect(previews.map(({ input }) => input)).toEqual(inputs);
    expect(new Set(previews.map(({ preview_id }) => preview_id)).size).toBe(2);
    const [koeln, oslo] = previews;
    expect(plain(koeln?.preview_html)).toContain('<h1>Köln</h1>');
    expect(plain(koeln?.preview_html)).toContain('<a href="https://shop.example/?city=K%C3%B6ln">');
    expect(koeln?.preview_html).toContain('mobile {UNKNOWN}');
    expect(oslo?.preview_html).toContain('{DEVICE_TYPE}');
    expect(oslo?.preview_html).not.toContain('Oslo & <b>');
    const page = (await send(interactive_url)).text;
    for (const { name } of inputs) expect(page).toContain(name);
    expect((await send(oslo?.preview_url ?? '')).text).toContain('city=Oslo%20%26%20%3Cb%3E');
  });

  test('fifty creatives side by side on one sheet, each on a page of its own; not one more', async () => {
    const renderer = rendererClient(await boot());
    const requests = Array.from({ length: 50 }, (_, at) => ({
      creative_manifest: banner(renderer.format(ID), cdn.url('/banner.png'), {
        click_url: { asset_type: 'url', url: `https://shop.example/${at}` },
      }),
    }));
    const answer = await renderer.must('preview_creative', { request_type: 'batch', output_format: 'url', requests });
    expect(answer.results.map(({ success }) => success)).toEqual(Array(50).fill(true));
    const urls = answer.previews.map(({ preview_url }) => preview_url);
    expect(new Set(urls).size).toBe(50);
    expect(new Set(await Promise.all(urls.map(statusOf)))).toEqual(new Set([200]));
    expect(framesOf((await send(answer.sheet_url)).text)).toHaveLength(50);
    const tooMany = await renderer.refused('preview_creative', {
      request_type: 'batch',
      requests: [...requests, requests[0]],
    });
    expect([tooMany.code, tooMany.adcp_error.field, tooMany.error.status]).toEqual([
      'INVALID_REQUEST',
      'requests',
      400,
    ]);
  });

  test('a batch as addresses unless an item or the batch says otherwise', async () => {
    const renderer = rendererClient(await boot());
    const creative_manifest = banner(renderer.format(ID), cdn.url('/banner.png'));
    const requests = [{ creative_manifest }, { creative_manifest, output_format: 'html' }];
    const forms = async (more: object): Promise<readonly unknown[]> => {
      const { previews } = await renderer.must('preview_creative', { request_type: 'batch', requests, ...more });
      return previews.map(({ renders }) => renders[0]?.output_format);
    };
    expect(await forms({})).toEqual(['url', 'html']);
    expect(await forms({ output_format: 'both' })).toEqual(['both', 'html']);
  });

  test('nothing of a request that goes with another type, or names its format twice', async () => {
    const renderer = rendererClient(await boot());
    const creative_manifest = banner(renderer.format(ID), cdn.url('/banner.png'));
    const requests = [{ creative_manifest }];
    const refusal = async (args: object) => {
      const { code, adcp_error } = await renderer.refused('preview_creative', args);
      return [code, adcp_error.field];
    };
    expect(await refusal({ request_type: 'single', creative_manifest, requests })).toEqual([
      'INVALID_REQUEST',
      'requests',
    ]);
    expect(await refusal({ request_type: 'batch', requests, inputs: [{ name: 'Oslo' }] })).toEqual([
      'INVALID_REQUEST',
      'inputs',
    ]);
    const format_id = { agent_url: renderer.format(ID).agent_url, id: ID };
    expect(await refusal({ request_type: 'batch', requests, format_id })).toEqual(['INVALID_REQUEST', 'format_id']);
    const beside = { request_type: 'batch', requests, creative_manifest };
    expect(await renderer.must('preview_creative', beside)).toMatchObject({
      message: expect.stringMatching(/^The creative_manifest beside requests was left aside/),
    });
    const twice = { ...creative_manifest, format_kind: 'image' };
    expect(await refusal({ request_type: 'single', creative_manifest: twice })).toEqual([
      'INVALID_REQUEST',
      'creative_manifest.format_kind',
    ]);
    const format_option_ref = { scope: 'product', format_option_id: 'nowhere' };
    const stray = { ...creative_manifest, format_option_ref };
    expect(await refusal({ request_type: 'single', creative_manifest: stray })).toEqual([
      'UNSUPPORTED_FEATURE',
      'creative_manifest.format_option_ref.format_option_id',
    ]);
  });
});

test('previews are kept for as long as the operator set', async () => {
  const server = await boot({ settings: { previewMs: 72 * 3_600_000 } });
  const renderer = rendererClient(server);
  const manifest = banner(renderer.format(ID), cdn.url('/banner.png'));
  const { expires_at, previews } = await renderer.preview(manifest);
  expect(expires_at).toBe('2030-01-04T00:00:00Z');
  const { page, media } = await walk(previews[0]?.preview_url ?? '');
  server.clock.set('2030-01-03T23:59:59Z');
  await server.server().tick();
  expect([await statusOf(page), await statusOf(media)]).toEqual([200, 200]);
});

describe('files of advertisers', () => {
  test('that are larger than what a preview keeps are judged by their beginning', async () => {
    const renderer = rendererClient(await boot());
    const film = (name: string): object => ({
      format_id: renderer.format('video_30s'),
      assets: { video: { asset_type: 'video', url: cdn.url(name) } },
    });
    const { previews } = await renderer.preview(film('/long.mp4'), { output_format: 'html' });
    expect(previews[0]?.preview_html).toContain('The file is larger than 10 MB.');
    const { adcp_error } = await renderer.refused('preview_creative', {
      request_type: 'single',
      creative_manifest: film('/short.mp4'),
    });
    expect([adcp_error.field, adcp_error.message]).toEqual([
      'creative_manifest.assets.video.duration_ms',
      expect.stringContaining('15 s long'),
    ]);
  });

  test('are fetched once per call, by the check and the drawing together, and shown as copies', async () => {
    const renderer = rendererClient(await boot());
    const from = cdn.asked.length;
    const { previews } = await renderer.preview(banner(renderer.format(ID), cdn.url('/banner.png')));
    expect(cdn.asked.slice(from)).toEqual(['/banner.png']);
    const { frame } = await walk(previews[0]?.preview_url ?? '');
    expect((await send(frame)).text).not.toContain(cdn.origin);
    expect(cdn.asked.slice(from)).toEqual(['/banner.png']);
  });

  test('once for a whole batch, however many creatives show them', async () => {
    const renderer = rendererClient(await boot());
    const from = cdn.asked.length;
    const requests = Array.from({ length: 20 }, (_, at) => ({
      creative_manifest: banner(renderer.format(ID), cdn.url(at % 2 === 0 ? '/banner.png' : '/other.png')),
    }));
    await renderer.must('preview_creative', { request_type: 'batch', requests });
    expect(cdn.asked.slice(from).sort()).toEqual(['/banner.png', '/other.png']);
  });

  test('of a host that serves one after the other: 50 pictures give 50 previews', async () => {
    let serving = Promise.resolve();
    const names = Array.from({ length: 50 }, (_, at) => `/slow-${at}.png`);
    const bytes = await Promise.all(names.map((_, at) => picture(300, 250, `#00${(16 + at).toString(16)}40`)));
    const slow = await serveAssets(
      Object.fromEntries(
        names.map((name, at): [string, Served] => [
          name,
          (_request, response) => {
            serving = serving.then(() => sleep(20)).then(() => void response.end(bytes[at]));
          },
        ]),
      ),
    );
    const renderer = rendererClient(await boot());
    const requests = names.map((name) => ({ creative_manifest: banner(renderer.format(ID), slow.url(name)) }));
    const { previews } = await renderer.must('preview_creative', { request_type: 'batch', requests });
    expect(previews).toHaveLength(50);
    const walked = await Promise.all(previews.map(({ preview_url }) => walk(preview_url ?? '')));
    expect(new Set(walked.map(({ media }) => media)).size).toBe(50);
  });

  test('once for a build of many sizes with its previews; pictures made here are not fetched at all', async () => {
    const server = await boot();
    const renderer = rendererClient(server);
    const from = cdn.asked.length;
    const { preview } = await renderer.must('build_creative', {
      target_format_ids: [ID, 'display_728x90_image', 'display_320x50_image', 'display_160x600_html'].map(
        renderer.format,
      ),
      creative_manifest: {
        assets: {
          image: { asset_type: 'image', url: cdn.url('/photo.png'), width: 1200, height: 900 },
          logo: { asset_type: 'image', url: cdn.url('/logo.png'), width: 200, height: 80 },
          headline: { asset_type: 'text', content: 'Find your trail' },
          click_url: { asset_type: 'url', url: 'https://shop.example/' },
        },
      },
      include_preview: true,
    });
    expect(cdn.asked.slice(from).sort()).toEqual(['/logo.png', '/photo.png']);
    expect(preview.previews).toHaveLength(4);
    const { media } = await walk(preview.previews[0]?.preview_url ?? '');
    expect(await statusOf(media)).toBe(200);
  });
});
