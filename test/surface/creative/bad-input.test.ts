import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tag } from '../../creative/check/context.js';
import * as files from '../../creative/probe/media-files.js';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';
import type { Booted } from '../../kit/boot.js';
import { banner, picture, type RendererClient } from '../../kit/renderer.js';
import { CDN, expectHelp, leadingTo, openRenderer, refusals } from './refusals.js';

/** Fifty megabytes in some fifty kilobytes. */
const ZIPPED = gzipSync(Buffer.alloc(50_000_000));

let cdn: AssetServer;
let server: Booted;
let renderer: RendererClient;
let sent = 0;
let hangUps = 0;

/** Sends and sends, until the other side has had enough. */
const endless: RequestListener = (_request, response) => {
  const more = (): void => {
    if (response.destroyed) return;
    sent += 1 << 20;
    if (response.write(Buffer.alloc(1 << 20))) more();
  };
  response.on('drain', more).on('close', () => {
    hangUps += 1;
  });
  response.write(files.png(300, 250));
  more();
};

beforeAll(async () => {
  const good = await picture(300, 250);
  cdn = await serveAssets({
    '/good.png': good,
    '/cut.png': good.subarray(0, 120),
    '/huge.png': files.png(40_000, 40_000),
    '/archive.png': Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(2000)]),
    '/zipped.png': (_request, response) => {
      response.setHeader('content-encoding', 'gzip').end(ZIPPED);
    },
    '/entities.svg': `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg" width="300" height="250"><text>&b;</text></svg>`,
    '/outside.svg': `<!DOCTYPE svg [<!ENTITY x SYSTEM "https://cdn.advertiser.example/good.png">]><svg xmlns="http://www.w3.org/2000/svg" width="300" height="250">&x;</svg>`,
    '/copies.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250">${Array.from({ length: 20 }, (_, at) => `<g id="a${at}">${`<use href="#a${at + 1}"/>`.repeat(9)}</g>`).join('')}</svg>`,
    '/script.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250"><script>alert(1)</script></svg>',
    '/page.png': '<html><script>alert(1)</script></html>',
    '/film.png': files.mp4(),
    '/endless.png': endless,
    '/2gb.png': (_request, response) => {
      response.setHeader('content-length', 2 * 1024 ** 3);
      endless(_request, response);
    },
    '/never.png': () => undefined,
    '/breaks-off.png': (_request, response) => {
      response.setHeader('content-length', 5000);
      response.write(good.subarray(0, 100), () => response.destroy());
    },
    '/round.png': leadingTo('/round.png'),
    '/to-10.png': leadingTo('http://10.0.0.1/a.png'),
    '/to-cloud.png': leadingTo('http://169.254.169.254/latest/meta-data/'),
    '/to-file.png': leadingTo('file:///etc/passwd'),
    '/bomb.xml': `<VAST version="4.0">${'<Ad>'.repeat(2000)}${'</Ad>'.repeat(2000)}</VAST>`,
    '/endless.xml': endless,
  });
  ({ server, renderer } = await openRenderer(cdn.origin));
});

afterAll(() => {
  expect(server.log).toEqual([]);
});

describe('a picture that is none, or too much', () => {
  test.each([
    ['/cut.png', /ends before it is complete/],
    ['/huge.png', /40000x40000/],
    ['/archive.png', /no image, video or sound/],
    ['/zipped.png', /larger than 10 MB/],
    ['/entities.svg', /no image|DOCTYPE/],
    ['/outside.svg', /DOCTYPE/],
    ['/copies.svg', /unfolds into too many references/],
    ['/script.svg', /active content/],
    ['/page.png', /no image, video or sound/],
    ['/film.png', /video \(mp4\), not image|is MP4/],
    ['/endless.png', /larger than 10 MB/],
    ['/2gb.png', /larger than 10 MB/],
    ['/round.png', /redirects too often/],
    ['/to-file.png', /not https/],
  ])('%s', async (name, message) => {
    const asked = cdn.asked.length;
    const manifest = banner(renderer.format('display_300x250_image'), `https://${CDN}${name}`);
    const answers = await refusals(renderer, manifest, 'display_300x250_image');
    for (const answer of answers) expectHelp(answer, 'creative_manifest.assets.banner_image.url', message);
    // Each call asked once, however many of its steps wanted the file; a redirect is followed three times.
    expect(cdn.asked.slice(asked)).toEqual(Array(name === '/round.png' ? 8 : 2).fill(name));
  });

  test('what never ends is hung up on: of gigabytes a few megabytes went over the wire', async () => {
    await expect.poll(() => hangUps).toBeGreaterThanOrEqual(4);
    expect(sent).toBeGreaterThan(0);
    expect(sent / hangUps).toBeLessThan(40 * 1024 ** 2);
  });

  test('the same in a data URL', async () => {
    const data = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;
    const svg = Buffer.from(
      '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg width="300" height="250">&x;</svg>',
    );
    for (const [url, message] of [
      [data('image/png', files.png(40_000, 40_000)), /40000x40000/],
      [data('image/png', (await picture(300, 250)).subarray(0, 100)), /ends before/],
      [data('image/svg+xml', svg), /DOCTYPE/],
      [data('text/html', Buffer.from('<script>alert(1)</script>')), /data: URL|no image/],
      ['data:image/png;base64,%%%', /data/],
    ] as const) {
      const manifest = banner(renderer.format('display_300x250_image'), url);
      const answers = await refusals(renderer, manifest, 'display_300x250_image');
      for (const answer of answers) expectHelp(answer, 'creative_manifest.assets.banner_image.url', message);
    }
  });

  test('in a batch only the one creative fails', async () => {
    const at = (name: string): object => ({
      creative_manifest: banner(renderer.format('display_300x250_image'), `https://${CDN}${name}`),
    });
    const requests = [at('/good.png'), at('/cut.png'), at('/good.png'), at('/to-10.png')];
    const { results } = await renderer.must('preview_creative', { request_type: 'batch', requests });
    expect(results.map(({ success, errors }) => errors?.[0]?.field ?? success)).toEqual([
      true,
      'requests[1].creative_manifest.assets.banner_image.url',
      true,
      'requests[3].creative_manifest.assets.banner_image.url',
    ]);
  });
});

test('a server that never answers costs a call one wait, however many creatives name it', async () => {
  const manifest = banner(renderer.format('display_300x250_image'), `https://${CDN}/never.png`);
  const asked = cdn.asked.length;
  const [{ previews }, build, batch] = await Promise.all([
    renderer.preview(manifest, { output_format: 'both' }),
    renderer.must('build_creative', {
      target_format_id: renderer.format('display_728x90_image'),
      creative_manifest: manifest,
    }),
    renderer.must('preview_creative', {
      request_type: 'batch',
      requests: Array(50).fill({ creative_manifest: manifest }),
    }),
  ]);
  expect(previews[0]?.preview_html).toContain('did not answer in time');
  expect(build.message).toContain('could not be reached');
  expect(batch.results.map(({ success }) => success)).toEqual(Array(50).fill(true));
  expect(cdn.asked.slice(asked)).toEqual(['/never.png', '/never.png', '/never.png']);
});

test('a file that breaks off may be whole later: a preview says so', async () => {
  const manifest = banner(renderer.format('display_300x250_image'), `https://${CDN}/breaks-off.png`);
  const { previews } = await renderer.preview(manifest, { output_format: 'both' });
  expect(previews[0]?.preview_html).toContain('breaks off');
});

test('a server that is not there does not stop anybody: a preview says so, a build makes a picture', async () => {
  const manifest = banner(renderer.format('display_300x250_image'), 'https://nobody.invalid/a.png');
  const { previews } = await renderer.preview(manifest, { output_format: 'both' });
  expect(previews[0]?.preview_html).toContain('its host name does not resolve');
  const built = await renderer.must('build_creative', {
    target_format_id: renderer.format('display_300x250_image'),
    creative_manifest: manifest,
  });
  expect(built.creative_manifest.assets.banner_image?.url).toMatch(new RegExp(`^${server.baseUrl}/previews/media/`));
  expect(built.message).toContain('could not be reached');
});

describe('tags', () => {
  const vast = (content: string): object => ({ vast_tag: { asset_type: 'vast', delivery_type: 'inline', content } });

  test.each([
    [
      'an external entity',
      vast(`<!DOCTYPE VAST [<!ENTITY x SYSTEM "file:///etc/passwd">]>${tag('4.2')}`),
      /DOCTYPE or an entity/,
    ],
    [
      'a billion laughs',
      vast('<!DOCTYPE VAST [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><VAST version="4.0"><Ad id="&b;"/></VAST>'),
      /DOCTYPE or an entity/,
    ],
    [
      'two thousand levels',
      vast(`<VAST version="4.0">${'<Ad>'.repeat(2000)}${'</Ad>'.repeat(2000)}</VAST>`),
      /nested too deep/,
    ],
    [
      'nine thousand tags',
      vast(`<VAST version="4.0">${'<Ad>'.repeat(9000)}${'</Ad>'.repeat(9000)}</VAST>`),
      /too many tags/,
    ],
    ['a megabyte of nothing', vast(`<VAST version="4.0">${' '.repeat(1_000_001)}</VAST>`), /too long/],
    [
      'a click on javascript:',
      vast(
        tag('4.2').replace(
          '<MediaFiles>',
          '<VideoClicks><ClickThrough>javascript:alert(1)</ClickThrough></VideoClicks><MediaFiles>',
        ),
      ),
      /javascript/,
    ],
    ['a film behind file:', vast(tag('4.2').replace('https://cdn.example/a.mp4', 'file:///etc/passwd')), /file: URL/],
  ])('with %s', async (_what, assets, message) => {
    const manifest = { format_id: renderer.format('video_vast_30s'), assets };
    for (const answer of await refusals(renderer, manifest, 'video_vast_30s'))
      expectHelp(answer, 'creative_manifest.assets.vast_tag.content', message);
  });

  test.each([
    ['/bomb.xml', /nested too deep/],
    ['/endless.xml', /larger than 10 MB/],
    ['/to-cloud.png', /public internet/],
  ])('behind %s', async (name, message) => {
    const vast_tag = { asset_type: 'vast', delivery_type: 'url', url: `https://${CDN}${name}` };
    const manifest = { format_id: renderer.format('video_vast_30s'), assets: { vast_tag } };
    for (const answer of await refusals(renderer, manifest, 'video_vast_30s'))
      expectHelp(answer, 'creative_manifest.assets.vast_tag.url', message);
  });
});

describe('where a click leads', () => {
  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    'javascript:{CLICK_URL}',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    'not a url',
  ])('not to %s', async (url) => {
    const click_url = { asset_type: 'url', url };
    const manifest = banner(renderer.format('display_300x250_image'), `https://${CDN}/good.png`, { click_url });
    for (const answer of await refusals(renderer, manifest, 'display_300x250_image')) {
      const { adcp_error, error } = answer;
      expect([adcp_error.code, adcp_error.field, error.status]).toEqual([
        'VALIDATION_ERROR',
        'creative_manifest.assets.click_url.url',
        422,
      ]);
    }
  });

  test('nor is an image a javascript: or file: one', async () => {
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'ftp://a.example/a.png',
      'https://me:pw@cdn.advertiser.example/good.png',
    ]) {
      const manifest = banner(renderer.format('display_300x250_image'), url);
      for (const { error } of await refusals(renderer, manifest, 'display_300x250_image'))
        expect(error.status).toBe(422);
    }
  });
});

test('markup in a text is shown as text, with a word about it', async () => {
  const text = (content: string): object => ({ asset_type: 'text', content });
  const { previews } = await renderer.preview(
    {
      format_id: renderer.format('native_content'),
      assets: {
        headline: text('<script>alert(1)</script>Boots'),
        body: text('<img src=x onerror=alert(1)> "quoted" & more'),
        disclosure: text('Sponsored'),
        thumbnail: { asset_type: 'image', url: `https://${CDN}/good.png`, width: 300, height: 250 },
        click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/' },
      },
    },
    {
      output_format: 'both',
      inputs: [{ name: '<script>alert(2)</script>', macros: { CITY: '"><script>alert(3)</script>' } }],
    },
  );
  const pages = [previews[0]?.preview_html ?? '', await (await fetch(previews[0]?.preview_url ?? '')).text()];
  for (const page of pages) expect(page).not.toMatch(/<script>alert|<img src=x/);
  expect(pages[0]).toContain('&lt;script&gt;alert(1)&lt;/script&gt;Boots');
  expect(pages[1]).toContain('has markup');
});
