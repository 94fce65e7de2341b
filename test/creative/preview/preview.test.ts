import { describe, expect, it } from 'vitest';
import { houseFormats } from '../../../src/creative/formats/catalog/catalog.js';
import type { Format } from '../../../src/creative/formats/format.js';
import {
  buildPreview,
  filesOf,
  type MediaRef,
  mediaUrls,
  type PreviewFormat,
  type PreviewRequest,
} from '../../../src/creative/preview/model.js';
import { type PageFacts, renderPreviewPage } from '../../../src/creative/preview/page/page.js';
import { chooseScene } from '../../../src/creative/preview/page/scene.js';
import { buildSheet, renderSheetPage } from '../../../src/creative/preview/page/sheet.js';
import { buildPreviewAnswer, previewFrame } from '../../../src/creative/preview/preview.js';
import { measureBox, openVariant } from '../../../src/creative/preview/variant.js';
import { isDeeperThan } from '../../../src/platform/kernel/json/json.js';
import { escapeHtml } from '../../../src/platform/web/html.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';

const BASE = 'https://seller.example';
const FORMATS = new Map(houseFormats(`${BASE}/creative/mcp`).map((format) => [format.format_id.id, format]));
const FACTS: PageFacts = {
  nowMs: 0,
  expiresAtMs: 3_600_000,
  root: '',
  style: 'preview-1.css',
  script: 'preview-1.js',
  pagePath: (id) => id,
  sharePath: 'shared/token',
};
const FILE = `${'a'.repeat(64)}.png`;
const IMAGE = { asset_type: 'image', url: 'https://cdn.example/a.png', width: 300, height: 250 } as const;
const KEPT: ReadonlyMap<string, MediaRef> = new Map([[IMAGE.url, { file: FILE, mime: 'image/png', bytes: 1234 }]]);
const text = (content: string) => ({ asset_type: 'text', content }) as const;
const EVIL = `"><img src=x onerror=alert(1)>'`;

function format(id: string): Format {
  const found = FORMATS.get(id);
  if (found === undefined) throw new Error(`there is no format ${id}`);
  return found;
}

function banner(changes: Partial<PreviewRequest> = {}): PreviewRequest {
  return {
    idKey: 'key',
    format: format('display_300x250_image'),
    manifest: {
      assets: { banner_image: IMAGE, click_url: { asset_type: 'url', url: 'https://shop.example/?d={DEVICE_TYPE}' } },
    },
    media: KEPT,
    ...changes,
  };
}

function bare(
  type: string,
  assets: PreviewRequest['manifest']['assets'],
  slots: PreviewFormat['assets'] = [],
): PreviewRequest {
  const format_id = { agent_url: BASE, id: 'any' };
  return {
    idKey: 'key',
    format: {
      format_id,
      name: 'Any',
      type,
      renders: [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
      assets: slots,
    },
    manifest: { assets },
  };
}

function scene(request: PreviewRequest): ReturnType<typeof chooseScene> {
  const variant = openVariant(buildPreview(request), 0);
  if (variant === undefined) throw new Error('a preview has a variant');
  return chooseScene(variant);
}

function frame(request: PreviewRequest, number = 0): string {
  return previewFrame(buildPreview(request), number, { root: '../../' })?.text ?? '';
}

describe('a template of the seller', () => {
  const LOGO = 'https://seller.example/logo.png';
  const LOGO_FILE = `${'b'.repeat(64)}.png`;
  const request: PreviewRequest = {
    ...bare('display', { picture: IMAGE, gone: { ...IMAGE, url: 'https://cdn.example/gone.png' }, words: text(EVIL) }),
    template: {
      source: `<img src="${LOGO}"><p>{{words}}</p>{{#picture}}<i style="background:url({{picture}})">{{/picture}}{{#gone}}<img src="{{gone}}">{{/gone}}{CITY}`,
      pieces: { words: 'words', picture: 'picture', gone: 'gone' },
    },
    media: new Map([...KEPT, [LOGO, { file: LOGO_FILE, mime: 'image/png', bytes: 1 }]]),
    inputs: [{ name: 'Oslo', macros: { CITY: '<Oslo>' } }],
  };

  it('is the page that is shown, around local copies: of its own media, and of those assets that could be had', () => {
    expect(mediaUrls(request)).toEqual([IMAGE.url, 'https://cdn.example/gone.png', LOGO]);
    expect(filesOf(buildPreview(request))).toEqual([FILE, LOGO_FILE]);
    expect(scene(request)).toEqual({
      kind: 'markup',
      source: `<img src="preview-media:${LOGO_FILE}"><p>${escapeHtml(EVIL)}</p><i style="background:url(preview-media:${FILE})">&lt;Oslo&gt;`,
    });
    expect(frame(request)).toContain(`../../media/${FILE}`);
    expect(frame(request)).not.toContain('preview-media:');
  });

  it('says which macros it has, and makes another preview when it changes', () => {
    const model = buildPreview(request);
    expect(openVariant(model, 0)?.macros).toMatchObject([{ name: 'CITY', source: 'input', used: true }]);
    const template = { source: '<p>{{words}}</p>', pieces: { words: 'words' } };
    expect(buildPreview({ ...request, template }).id).not.toBe(model.id);
  });
});

describe('the model', () => {
  it('has the id of its owner and content: the same in, the same out; another input or owner, another id', () => {
    const { id } = buildPreview(banner());
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(buildPreview(banner()).id).toBe(id);
    const others = [
      banner({ inputs: [{ name: 'Other' }] }),
      banner({ media: new Map() }),
      banner({ name: 'x' }),
      banner({ idKey: 'other' }),
    ];
    expect(new Set([id, ...others.map((one) => buildPreview(one).id)]).size).toBe(5);
  });

  it('is plain JSON and keeps no data URL', () => {
    const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
    const model = buildPreview(bare('display', { picture: { ...IMAGE, url } }));
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
    expect(JSON.stringify(model).length).toBeLessThan(1000);
    expect(isDeeperThan(model, 6)).toBe(false);
  });

  it('names the media it needs: assets, tags, and what markup names; scripts and styles are not media', () => {
    const content = `<img src="https://a.example/1.png"><script src="https://a.example/x.js"></script>
      <div style="background:url('https://a.example/2.jpg')"><video poster=https://a.example/3.gif src="//x"><a href="https://a.example/4.png">`;
    const request = bare('display', {
      markup: { asset_type: 'html', content },
      picture: IMAGE,
      tracker: { asset_type: 'url', url: 'https://t.example/i.gif' },
      cards: [{ image: { ...IMAGE, url: 'https://cdn.example/b.png' } }, { image: IMAGE }],
      vast_tag: { asset_type: 'vast', delivery_type: 'inline', content: '<VAST/>' },
    });
    const tags = new Map([['vast_tag', { url: 'https://v.example/v.mp4' }]]);
    expect(mediaUrls({ ...request, tags })).toEqual([
      'https://a.example/1.png',
      'https://a.example/2.jpg',
      'https://a.example/3.gif',
      'https://cdn.example/a.png',
      'https://cdn.example/b.png',
      'https://v.example/v.mp4',
    ]);
    expect(filesOf(buildPreview({ ...request, media: KEPT }))).toEqual([FILE]);
  });

  it('weighs assets against the limits of their slots', () => {
    const [piece] = buildPreview(banner()).pieces;
    expect([piece?.weight, piece?.maxWeight]).toEqual([1234, 200 * 1024]);
  });
});

describe('a variant', () => {
  it('fills texts, addresses and markup, and tells where each macro comes from', () => {
    const variant = openVariant(
      buildPreview(banner({ inputs: [{ name: 'Phone', macros: { DEVICE_TYPE: 'a phone', CITY: 'Berlin' } }] })),
      0,
    );
    expect(variant?.clickThrough).toBe('https://shop.example/?d=a%20phone');
    expect(variant?.macros).toEqual([
      { name: 'DEVICE_TYPE', value: 'a phone', source: 'input', topic: 'Device', used: true },
      { name: 'CITY', value: 'Berlin', source: 'input', topic: 'Place', used: false },
    ]);
  });

  it('gives CLICK_URL, AD_WIDTH and AD_HEIGHT what the creative says, unless the input says otherwise', () => {
    const assets = {
      markup: { asset_type: 'html', content: '<a href="{CLICK_URL}">{AD_WIDTH}x{AD_HEIGHT} {CITY}</a>' },
      click_url: { asset_type: 'url', url: 'https://shop.example/' },
    } as const;
    const model = buildPreview(bare('display', assets));
    const own = openVariant(model, 0);
    expect(own?.pieces[0]?.content).toBe('<a href="https://shop.example/">300x250 {CITY}</a>');
    expect(own?.macros.map(({ name, source }) => `${name} ${source}`)).toEqual([
      'AD_WIDTH creative',
      'AD_HEIGHT creative',
      'CLICK_URL creative',
      'CITY none',
    ]);
    const other = buildPreview({ ...bare('display', assets), inputs: [{ name: 'x', macros: { AD_WIDTH: '1' } }] });
    expect(openVariant(other, 0)?.pieces[0]?.content).toContain('>1x250 ');
    expect(openVariant(model, 1)).toBeUndefined();
  });

  it('fills a script tag as a script', () => {
    const request = {
      ...bare('display', { tag: { asset_type: 'javascript', content: 'show("{CITY}")' } as const }),
      inputs: [{ name: 'x', macros: { CITY: '");</script><b>' } }],
    };
    expect(openVariant(buildPreview(request), 0)?.pieces[0]?.content).toBe(
      'show("\\u0022\\u0029\\u003b\\u003c\\u002fscript\\u003e\\u003cb\\u003e")',
    );
  });
});

describe('what stands in the slot', () => {
  const html = { asset_type: 'html', content: '<p>x</p>' } as const;
  const video = { asset_type: 'video', url: 'https://cdn.example/v.mp4', width: 1, height: 1 } as const;
  const words = { asset_type: 'text', content: 'x' } as const;

  it.each([
    ['markup before anything', bare('display', { a: IMAGE, b: html }), 'markup'],
    ['a script', bare('display', { a: { asset_type: 'javascript', content: 'x' } }), 'markup'],
    ['an image', bare('display', { a: IMAGE, headline: words }), 'picture'],
    ['several images of one slot', bare('display', { a: [IMAGE, IMAGE] }), 'pictures'],
    ['a video with its poster', bare('video', { a: IMAGE, b: video }), 'video'],
    ['audio', bare('audio', { a: { asset_type: 'audio', url: 'https://cdn.example/a.mp3' } }), 'audio'],
    ['a native card', bare('native', { title: words, a: IMAGE }), 'card'],
    [
      'a text that is required',
      bare('display', { a: IMAGE, headline: words }, [{ asset_id: 'headline', required: true }]),
      'card',
    ],
    ['text alone', bare('display', { headline: words }), 'card'],
    ['an address', bare('display', { a: { asset_type: 'url', url: 'https://x.example' } }), 'address'],
    ['a bundle', bare('display', { a: { asset_type: 'zip', url: 'https://x.example/a.zip' } }), 'nothing'],
    ['nothing at all', bare('display', {}), 'nothing'],
    ['a tag that nobody read', bare('video', { a: { asset_type: 'vast', content: '<VAST/>' } }), 'nothing'],
    [
      'a tag with a media file',
      {
        ...bare('video', { a: { asset_type: 'vast', content: '<VAST/>' } }),
        tags: new Map([['a', { url: video.url }]]),
      },
      'video',
    ],
  ] as const)('%s', (_name, request, kind) => expect(scene(request).kind).toBe(kind));

  it('takes the parts of a card from their slots', () => {
    const texts = { headline: 'H', body: 'B', cta_text: 'C', sponsored_by: 'S', disclosure: 'D', price: '5' };
    const assets = Object.fromEntries(Object.entries(texts).map(([key, content]) => [key, { ...words, content }]));
    expect(scene(bare('native', assets))).toEqual({
      kind: 'card',
      card: { title: 'H', body: 'B', action: 'C', sponsor: 'S', disclosure: 'D', lines: ['5'] },
    });
  });

  it.each([
    [
      'items of a list',
      { card: [1, 2].map((n) => ({ headline: text(`H${n}`), image: IMAGE })), headline: text('All') },
    ],
    [
      'numbered keys',
      {
        card_0_headline: text('H1'),
        card_0_image: IMAGE,
        card_1_headline: text('H2'),
        card_1_image: IMAGE,
        headline: text('All'),
      },
    ],
  ])('shows a group that is given as %s as a carousel below what stands outside of it', (_name, assets) => {
    const picture = { missing: 'This file was not fetched for the preview.', what: 'Image' };
    expect(scene({ ...bare('native', {}), format: format('native_carousel'), manifest: { assets } })).toEqual({
      kind: 'carousel',
      card: { title: 'All', lines: [] },
      cards: ['H1', 'H2'].map((title) => ({ title, lines: [], picture })),
    });
  });

  it('is as big as the format, its parameters, the picture, or a usual place', () => {
    const size = (request: PreviewRequest) => {
      const model = buildPreview(request);
      const { width, height, fluid } = measureBox(model, model.sizes[0] ?? { role: 'primary' });
      return [width, height, fluid];
    };
    const sized = (type: string, dimensions: object, id: object = {}): PreviewRequest => {
      const { format: any, manifest } = bare(type, { a: IMAGE });
      return {
        idKey: 'key',
        format: { ...any, format_id: { ...any.format_id, ...id }, renders: [{ role: 'primary', dimensions }] },
        manifest,
      };
    };
    const cardOf = (content: string): number => {
      const { format, manifest } = bare('native', { headline: { ...text, content } });
      const renders = [{ role: 'primary', dimensions: {} }];
      return Number(size({ idKey: 'key', format: { ...format, renders }, manifest })[1]);
    };
    // As wide as two others each, and words are not broken.
    expect(cardOf('春'.repeat(60))).toBe(cardOf('a '.repeat(60)));
    expect(cardOf('春'.repeat(60))).toBeGreaterThan(cardOf('a '.repeat(30)));
    expect(cardOf(`a ${'b'.repeat(36)} c`)).toBe(cardOf('a '.repeat(54)));
    expect(size(banner())).toEqual([300, 250, false]);
    expect(size(sized('display', {}, { width: 120, height: 60 }))).toEqual([120, 60, false]);
    expect(size(sized('display', {}))).toEqual([300, 250, false]);
    expect(size(sized('video', { aspect_ratio: '16:9' }))).toEqual([640, 360, true]);
    expect(size(sized('video', { aspect_ratio: '9:16' }))).toEqual([360, 640, true]);
    expect(size(sized('native', {}))[0]).toBe(360);
    expect(size(sized('audio', {}))).toEqual([640, 240, true]);
  });
});

describe('frames', () => {
  it('name only local copies, or say why there is none', () => {
    expect(frame(banner())).toContain(`<img src="../../media/${FILE}"`);
    const missing = frame(banner({ media: new Map([[IMAGE.url, { missing: 'It is too <big>.' }]]) }));
    expect(missing).toContain('It is too &lt;big&gt;.');
    for (const text of [frame(banner()), missing]) expect(text).not.toContain('cdn.example');
  });

  it('give advertiser markup a sandbox without an origin, and its media local copies', () => {
    const content = `<img src="${IMAGE.url}"><script>alert("&")</script>`;
    const text = frame({ ...bare('display', { markup: { asset_type: 'html', content } }), media: KEPT });
    expect(text).toContain('sandbox="allow-scripts"');
    expect(text).not.toMatch(/allow-same-origin|cdn\.example|<script>/);
    expect(text).toContain(`&lt;img src=&quot;../../media/${FILE}&quot;&gt;&lt;script&gt;alert(&quot;&amp;&quot;)`);
  });

  it('escape every value', () => {
    const assets = Object.fromEntries(
      ['title', 'description', 'cta_text', 'sponsored_by', 'disclosure', 'price'].map((key) => [
        key,
        { asset_type: 'text', content: EVIL } as const,
      ]),
    );
    const request = bare('native', { ...assets, picture: { ...IMAGE, alt_text: EVIL } });
    expect(frame({ ...request, media: KEPT })).not.toContain('<img src=x');
    expect(frame(bare('display', { a: { asset_type: 'url', url: EVIL } }))).not.toContain('<img src=x');
  });

  it('are numbered through the variants; there is none beyond the last', () => {
    const request = banner({
      ...bare('display', { markup: { asset_type: 'html', content: '<p>{CITY}</p>' } }),
      inputs: [
        { name: 'a', macros: { CITY: 'Paris' } },
        { name: 'b', macros: { CITY: 'Oslo' } },
      ],
    });
    expect(frame(request, 1)).toContain('Oslo');
    expect(frame(request, 2)).toBe('');
  });

  it('run scripts only where the creative is made of them', () => {
    const policy = (request: PreviewRequest) => previewFrame(buildPreview(request), 0, { root: '' })?.policy;
    expect(policy(banner())).not.toContain('script-src');
    expect(policy(bare('display', { a: { asset_type: 'html', content: '' } }))).toContain("script-src 'unsafe-inline'");
    expect(policy(banner())).toContain("default-src 'none'");
  });
});

describe('pages', () => {
  const model = buildPreview(
    banner({
      name: EVIL,
      inputs: [
        { name: EVIL, macros: { DEVICE_TYPE: EVIL } },
        { name: 'Two', macros: { A: 'second-value' } },
      ],
      findings: [{ severity: 'warning', asset_id: EVIL, message: EVIL, found: { a: EVIL }, wanted: 3 }],
    }),
  );

  it('escape every value and run nothing inline', () => {
    const { text, policy } = renderPreviewPage(model, 0, FACTS);
    expect(text).not.toContain('<img src=x');
    const bones = text.replaceAll(/"[^"]*"/g, '""');
    expect(bones).not.toMatch(/<[^>]*\s(?:on\w+|style)=/);
    expect(bones.match(/<script[^<]*/g)).toEqual(['<script src="" defer>']);
    expect(policy).toMatch(
      /default-src 'none'; style-src 'self' 'sha256-[\w+/]+='; script-src 'self'; frame-src 'self'/,
    );
  });

  it('choose the variant that was asked for, or the first', () => {
    const chosen = (at: number) =>
      /data-variant="(\d)" aria-current/.exec(renderPreviewPage(model, at, FACTS).text)?.[1];
    expect([chosen(0), chosen(1), chosen(2), chosen(-1), chosen(Number.NaN), chosen(0.5)]).toEqual([
      '0',
      '1',
      '0',
      '0',
      '0',
      '0',
    ]);
    expect(renderPreviewPage(model, 1, FACTS).text).toContain(`src="${model.id}/frame/1"`);
  });

  it('say what is known: size, click-through, macros, weight and limit, findings, expiry', () => {
    const { text } = renderPreviewPage(model, 1, FACTS);
    for (const part of [
      '300 × 250',
      'https://shop.example/',
      'second-value',
      '1.2 kB of 200 kB',
      '1 warning',
      '1 hour left',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('rel="noopener noreferrer nofollow"');
  });

  it('do not link what is no web address', () => {
    const assets = { banner_image: IMAGE, click_url: { asset_type: 'url', url: 'javascript:alert(1)' } } as const;
    const { text } = renderPreviewPage(buildPreview(banner({ manifest: { assets } })), 0, FACTS);
    expect(text).toContain('javascript:alert(1)');
    expect(text).not.toContain('href="javascript');
  });

  it('the sheet shows every item in its order, in its size, with a link to its page', () => {
    const wide = buildPreview(banner({ format: format('display_728x90_image') }));
    const sheet = buildSheet('key', [
      { preview: wide.id },
      { failed: EVIL, name: 'display_1x1' },
      { preview: model.id },
      { preview: 'gone' },
    ]);
    const models = new Map([model, wide].map((one) => [one.id, one]));
    const { text } = renderSheetPage(sheet, (id) => models.get(id), { ...FACTS, root: '../' });
    expect([...text.matchAll(/<a href="\.\.\/([^"]+)">/g)].map((match) => match[1])).toEqual([wide.id, model.id]);
    expect(text).toContain('.piece-0-0{width:728px;height:90px}');
    expect(text).not.toContain('<img src=x');
    expect(text).toContain('This preview is kept no longer.');
    expect(buildSheet('key', sheet.items).id).toBe(sheet.id);
  });
});

describe('the answer', () => {
  const model = buildPreview(
    banner({
      inputs: [
        { name: 'Default', macros: {} },
        { name: 'Two', context_description: 'x' },
      ],
    }),
  );

  it('has one preview per input, its address or HTML on it once more, and the exact size', () => {
    const answer = buildPreviewAnswer(model, { baseUrl: BASE, outputFormat: 'url' });
    expect(answer.map(({ input, preview_url }) => [input.name, preview_url])).toEqual([
      ['Default', `${BASE}/previews/${model.id}?v=0`],
      ['Two', `${BASE}/previews/${model.id}?v=1`],
    ]);
    expect(answer[1]?.renders[0]).toMatchObject({
      render_id: `${model.id}-1`,
      role: 'primary',
      dimensions: { width: 300, height: 250 },
      embedding: { recommended_sandbox: 'allow-scripts', requires_https: false, supports_fullscreen: false },
    });
    const [html] = buildPreviewAnswer(model, { baseUrl: BASE, outputFormat: 'html' });
    expect(html?.preview_url).toBeUndefined();
    expect(html?.preview_html).toContain(`src="${BASE}/previews/media/${FILE}"`);
    expect(html?.preview_html).toContain(`img-src ${BASE} `);
  });

  it.each(['3.0', '3.1'] as const)('is what the schema of %s wants', (release) => {
    if (!hasSchemas(release)) return;
    const judge = schemaJudge(release);
    for (const outputFormat of ['url', 'html', 'both'] as const) {
      const previews = buildPreviewAnswer(model, { baseUrl: BASE, outputFormat });
      const answer = { status: 'completed', response_type: 'single', previews, expires_at: '2026-11-21T12:00:00Z' };
      expect(judge('creative/preview-creative-response', answer)).toEqual([]);
    }
  });
});
