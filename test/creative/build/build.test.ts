import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCreative } from '../../../src/creative/build/build.js';
import type { BuildOrder, BuiltCreative } from '../../../src/creative/build/types.js';
import { readBrand } from '../../../src/creative/compose/brand.js';
import { builtInWriter } from '../../../src/creative/compose/copy/built-in-writer.js';
import { ImageProcessor } from '../../../src/creative/compose/pictures/image-processor.js';
import { houseFormats } from '../../../src/creative/formats/catalog/catalog.js';
import { concreteFormat } from '../../../src/creative/formats/catalog/parameters.js';
import type { Format } from '../../../src/creative/formats/format.js';
import type { Asset, Manifest } from '../../../src/creative/formats/manifest.js';
import { readInstruction } from '../../../src/creative/transformers/instruction/read.js';
import { parseTag } from '../../../src/creative/vast/tag.js';

const AGENT = 'https://seller.example';
const FORMATS = houseFormats(AGENT);
const MESSAGE = 'Create a display ad for our summer sale on hiking boots, 20% off until Sunday';
const ACME = readBrand(
  {
    brand_manifest: {
      name: 'Acme Outdoor',
      url: 'https://acme.example',
      colors: { primary: '#1b4332', secondary: '#f4a259' },
    },
    inline_offerings: [{ name: 'Trail Pro Boots', description: 'Waterproof boots that are light enough to forget.' }],
  },
  { field: 'brand' },
);

const files = new Map<string, Buffer>();
let photo: Buffer;

beforeAll(async () => {
  const scene =
    '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200"><rect width="1600" height="1200" fill="#7fb2e5"/><path d="M0 1200L800 300 1600 1200Z" fill="#8b1e3f"/></svg>';
  photo = await sharp(Buffer.from(scene)).jpeg().toBuffer();
  files.set('https://a.example/photo.jpg', photo);
  files.set('https://a.example/banner.png', await sharp(photo).resize(300, 250).png().toBuffer());
  files.set('https://a.example/logo.png', await sharp(photo).resize(200, 80).png().toBuffer());
  files.set(
    'https://a.example/evil.svg',
    Buffer.from(
      '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>',
    ),
  );
  files.set('https://a.example/cut.png', (files.get('https://a.example/banner.png') ?? photo).subarray(0, 300));
});

/** A format of the house by its id; a template takes on a size. */
function format(id: string, size: { width?: number; height?: number } = {}): Format {
  const found = FORMATS.find(({ format_id }) => format_id.id === id);
  const concrete = found && concreteFormat(found, { ...found.format_id, ...size });
  if (concrete === undefined) throw new Error(`No format ${id}`);
  return concrete;
}

const IMAGES = new ImageProcessor();

function build(id: string | Format, more: Partial<BuildOrder> = {}): Promise<BuiltCreative> {
  return buildCreative({
    message: MESSAGE,
    brand: ACME,
    format: typeof id === 'string' ? format(id) : id,
    copyWriter: builtInWriter,
    images: IMAGES,
    assetBytes: async (url) => {
      const bytes = files.get(url);
      if (bytes === undefined) throw new Error(`Nothing at ${url}`);
      return bytes;
    },
    publish: ({ bytes, name }) => `https://cdn.example/${createHash('sha256').update(bytes).digest('hex')}/${name}`,
    ...more,
  });
}

function source(assets: Record<string, Asset>, id = 'source_master'): Manifest {
  return { format_id: { agent_url: AGENT, id }, assets };
}

const IMAGE = { asset_type: 'image', url: 'https://a.example/photo.jpg', width: 1600, height: 1200 } as const;
const text = (content: string): Asset => ({ asset_type: 'text', content });
const asset = ({ manifest }: BuiltCreative, key: string): Asset => manifest.assets[key] as Asset;

describe('from a sentence and a brand', () => {
  it('says that nothing is known of how a brand looks, and which terms had no room', async () => {
    const unknown = readBrand({ domain: 'nobody.example' }, { field: 'brand' });
    expect((await build('display_300x250_image', { brand: unknown })).notes.join(' ')).toContain('how the brand looks');
    const copyWriter = {
      write: async () => ({
        headline: 'Win',
        callToAction: 'Play',
        legal: 'Terms and conditions apply. '.repeat(4),
        language: 'en' as const,
      }),
    };
    expect((await build('display_320x50_image', { copyWriter })).notes.join(' ')).toContain(
      'At 320x50 there is no room for',
    );
    expect((await build('display_300x250_image', { copyWriter })).notes).toEqual([]);
  });

  const buildable = FORMATS.filter(
    ({ type, format_id, accepts_parameters }) =>
      type !== 'video' && type !== 'audio' && accepts_parameters === undefined && format_id.id !== 'source_master',
  );

  it.each(buildable.map((each) => [each.format_id.id, each] as const))(
    '%s: every required slot is filled within its limits',
    async (_id, target) => {
      const built = await build(target);
      expect(built.manifest.format_id).toEqual(target.format_id);
      for (const slot of target.assets_required) {
        const key =
          slot.item_type === 'individual' ? slot.asset_id : `${slot.asset_group_id}_0_${slot.assets[0]?.asset_id}`;
        expect(built.manifest.assets[key], key).toBeDefined();
        if (slot.item_type !== 'individual') continue;
        const filled = asset(built, key);
        expect(filled.asset_type).toBe(slot.asset_type);
        const { max_length, min_width, min_height, max_file_size_kb } = slot.requirements ?? {};
        if (typeof max_length === 'number') expect(filled.content?.length).toBeLessThanOrEqual(max_length);
        if (typeof min_width === 'number') expect(filled).toMatchObject({ width: min_width, height: min_height });
        const file = built.files.find(({ asset_id }) => asset_id === key);
        if (file !== undefined && typeof max_file_size_kb === 'number')
          expect(file.bytes.length).toBeLessThanOrEqual(max_file_size_kb * 1000);
      }
      for (const file of built.files) {
        expect(await sharp(file.bytes).metadata()).toMatchObject({ width: file.width, height: file.height });
      }
    },
  );

  it('says the offer, links to the brand and leaves trackers out', async () => {
    const built = await build('display_300x250');
    expect(asset(built, 'headline').content).toBe('20% off hiking boots');
    expect(asset(built, 'click_url')).toEqual({
      asset_type: 'url',
      url: 'https://acme.example/',
      url_type: 'clickthrough',
    });
    expect(asset(built, 'image')).toMatchObject({
      width: 300,
      height: 250,
      format: 'png',
      alt_text: 'Acme Outdoor: 20% off hiking boots',
    });
    expect(Object.keys(built.manifest.assets)).not.toContain('impression_tracker');
    expect(built.notes).toEqual([]);
  });

  it('gives the same bytes each time', async () => {
    const [one, two] = await Promise.all([build('display_728x90_image'), build('display_728x90_image')]);
    expect(two).toEqual(one);
    expect(await build('display_300x250_html')).toEqual(await build('display_300x250_html'));
  });

  it('takes the size of a template from the format id', async () => {
    const built = await build(format('display_image', { width: 468, height: 60 }));
    expect(asset(built, 'banner_image')).toMatchObject({ width: 468, height: 60 });
  });

  it('shows the brand: its logo, and its color without one', async () => {
    const withLogo = { ...ACME, logos: [{ url: 'https://a.example/logo.png' }] };
    const [plain, logo] = await Promise.all([
      build('display_300x250_image'),
      build('display_300x250_image', { brand: withLogo }),
    ]);
    expect(logo.files[0]?.bytes).not.toEqual(plain.files[0]?.bytes);
    const broken = await build('display_300x250_image', {
      brand: { ...ACME, logos: [{ url: 'https://a.example/evil.svg' }] },
    });
    expect(broken.files[0]?.bytes).toEqual(plain.files[0]?.bytes);
    expect(broken.notes).toHaveLength(1);
  });

  it('makes cards, one for each offering', async () => {
    const offerings = [{ name: 'One', url: 'https://acme.example/1' }, { name: 'Two' }, { name: 'Three' }];
    const built = await build('native_carousel', { brand: { ...ACME, offerings } });
    const cards = built.manifest.assets as Readonly<Record<string, Asset>>;
    expect([0, 1, 2].map((at) => cards[`card_${at}_headline`]?.content)).toEqual(['One', 'Two', 'Three']);
    expect(cards.card_0_click_url?.url).toBe('https://acme.example/1');
    expect(new Set(built.files.map(({ name }) => name)).size).toBe(3);
  });

  it.each(['video_30s', 'audio_30s', 'vast_30s', 'video_30s_generative'])(
    '%s: what cannot be made is named',
    async (id) => {
      await expect(build(id)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        extras: {
          field: expect.stringMatching(/^creative_manifest\.assets\.\w+$/),
          details: { slot: expect.any(String) },
        },
      });
    },
  );

  it('sets what is read from right to left as it is written, in pictures and in HTML', async () => {
    const message = 'تخفيضات الصيف على أحذية المشي';
    const image = await build('display_300x250', { message });
    expect(image.notes).toEqual([]);
    expect(asset(image, 'headline').content).toBe(message);
    expect(asset(await build('display_300x250_html', { message }), 'html_creative').content).toMatch(
      /dir="rtl">تخفيضات/,
    );
  });

  it('refuses a picture whose words no font draws, naming them, and makes the HTML', async () => {
    const message = 'ᚠᚢᚦ ᚨᚱᚲ';
    await expect(build('display_300x250', { message })).rejects.toMatchObject({
      code: 'UNSUPPORTED_FEATURE',
      extras: { field: 'message', details: { characters: expect.arrayContaining(['ᚠ']) } },
    });
    expect(asset(await build('display_300x250_html', { message }), 'html_creative').content).toContain('ᚠᚢᚦ');
  });

  it('lets no markup of a message or brand into HTML', async () => {
    const brand = readBrand({ name: '<img src=x onerror=alert(1)>', url: 'https://acme.example' }, { field: 'brand' });
    const message = 'Create an ad with headline "<script>alert(1)</script> & more"';
    const { content = '' } = asset(await build('display_300x250_html', { brand, message }), 'html_creative');
    expect(content).not.toMatch(/<script|<img src=x/);
    const script =
      asset(await build(format('display_js', { width: 300, height: 250 }), { brand, message }), 'js_creative')
        .content ?? '';
    expect(script).not.toMatch(/<|>/);
    expect(() => new Function(script)).not.toThrow();
  });
});

describe('from a source', () => {
  const SIZES = [
    [300, 250],
    [728, 90],
    [320, 50],
    [160, 600],
    [970, 250],
    [1080, 1080],
  ] as const;

  it.each(SIZES)('one picture becomes %ix%i, with its words, its click and its trackers', async (width, height) => {
    const sourceManifest = source({
      image: IMAGE,
      headline: text('Find your trail this summer'),
      click_url: { asset_type: 'url', url: 'https://acme.example/?c={CLICK_URL}' },
      impression_tracker: { asset_type: 'url', url_type: 'tracker_pixel', url: 'https://t.example/p?{CACHEBUSTER}' },
      extra_pixel: { asset_type: 'pixel_tracker', event: 'impression', url: 'https://t.example/q' },
    });
    const built = await build(format('display_image', { width, height }), { message: 'Adapt this', sourceManifest });
    expect(asset(built, 'banner_image')).toMatchObject({
      width,
      height,
      alt_text: 'Acme Outdoor: Find your trail this summer',
    });
    expect(asset(built, 'click_url').url).toBe('https://acme.example/?c={CLICK_URL}');
    expect(asset(built, 'impression_tracker').url).toBe('https://t.example/p?{CACHEBUSTER}');
    expect(asset(built, 'extra_pixel').url).toBe('https://t.example/q');
    const { dominant } = await sharp(built.files[0]?.bytes).stats();
    expect(dominant).toBeDefined();
  });

  it('an image that fits goes out untouched, a finished ad stands whole upon its own ground', async () => {
    const banner = source({ image: { ...IMAGE, url: 'https://a.example/banner.png' } }, 'display_300x250');
    const same = await build('display_300x250', { message: '', sourceManifest: banner });
    expect(same.files).toEqual([]);
    expect(asset(same, 'image')).toMatchObject({ url: 'https://a.example/banner.png', width: 300, height: 250 });
    const tall = await build(format('display_image', { width: 300, height: 400 }), {
      message: '',
      sourceManifest: banner,
    });
    const pixels = sharp(tall.files[0]?.bytes);
    const at = async (top: number) =>
      (await pixels.clone().extract({ left: 2, top, width: 4, height: 4 }).stats()).channels.map(({ mean }) => mean);
    // The sky above the picture goes on to the edge, and is no mixture with what lies below.
    const [edge, seam] = [await at(2), await at(80)];
    for (const [index, mean] of edge.entries()) expect(mean).toBeCloseTo(seam[index] ?? 0, -1);
  });

  it('a finished ad is never cropped into another shape: it is refused with what would be needed, or laid out of its texts', async () => {
    const image = { ...IMAGE, url: 'https://a.example/banner.png' };
    const brand = { ...ACME, offerings: [] };
    for (const id of ['display_728x90', 'display_160x600', 'display_320x50', 'display_970x250']) {
      const flat = source({ image }, 'display_300x250');
      await expect(build(id, { message: '', brand, sourceManifest: flat })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('cannot be shown whole'),
        extras: { field: 'creative_manifest.assets.image.url', suggestion: expect.stringContaining('headline') },
      });
      const parts = source({ image, headline: text('Find your trail') }, 'display_300x250');
      const built = await build(id, { message: '', brand, sourceManifest: parts });
      expect(built.notes.join(' ')).toContain('laid out anew');
      const { dominant } = await sharp(built.files[0]?.bytes).stats();
      expect(dominant.g).toBeGreaterThan(dominant.r);
    }
  });

  it('a picture that is larger than its format is a part of the ad, whatever the format', async () => {
    const photograph = source({ image: IMAGE, headline: text('Find your trail') }, 'display_728x90');
    const built = await build('display_300x600', { message: '', sourceManifest: photograph });
    expect(built.notes).toEqual([]);
    expect(built.files).toHaveLength(1);
  });

  it.each([
    ['of another shape', 1200, 800],
    ['of the same shape', 1200, 1000],
  ])(
    'a larger picture %s is laid out with the texts beside it; without a headline or text a note names what is left out',
    async (_shape, width, height) => {
      files.set('https://a.example/large.jpg', await sharp(photo).resize(width, height).jpeg().toBuffer());
      const image = { ...IMAGE, url: 'https://a.example/large.jpg' };
      const logo = { ...IMAGE, url: 'https://a.example/logo.png' };
      const more = { logo, cta: text('Go hiking') };
      const brand = { ...ACME, offerings: [] };
      for (const key of ['headline', 'description']) {
        const parts = source({ image, ...more, [key]: text('Find your trail') }, 'display_300x250_image');
        const built = await build('display_300x250', { message: '', brand, sourceManifest: parts });
        expect(built.notes.join(' ')).not.toContain('whole ad');
        const flat = source({ image }, 'display_300x250_image');
        const cropped = await build('display_300x250', { message: '', brand, sourceManifest: flat });
        expect(cropped.notes.join(' ')).not.toContain('not set in it');
        expect(built.files[0]?.bytes).not.toEqual(cropped.files[0]?.bytes);
      }
      const bare = source({ image, ...more }, 'display_300x250_image');
      const noted = await build('display_300x250', { message: '', brand, sourceManifest: bare });
      expect(noted.notes.join(' ')).toContain('logo, cta of the manifest are not set in it');
    },
  );

  it('a banner for dense screens is a finished ad, and no headline is drawn over it', async () => {
    files.set('https://a.example/dense.png', await sharp(photo).resize(600, 500).png().toBuffer());
    const image = { ...IMAGE, url: 'https://a.example/dense.png' };
    const beside = source({ image, headline: text('Find your trail') }, 'display_300x250_image');
    const built = await build('display_300x250', {
      message: '',
      brand: { ...ACME, offerings: [] },
      sourceManifest: beside,
    });
    const flat = source({ image }, 'display_300x250_image');
    const alone = await build('display_300x250', {
      message: '',
      brand: { ...ACME, offerings: [] },
      sourceManifest: flat,
    });
    expect(built.files[0]?.bytes).toEqual(alone.files[0]?.bytes);
    expect(asset(built, 'headline').content).toBe('Find your trail');
  });

  it('a finished ad is taken over only where it covers enough of the new size, and more where its edge is not plain', async () => {
    const striped = Array.from(
      { length: 10 },
      (_, at) => `<rect x="${at * 30}" width="15" height="250" fill="#c8102e"/>`,
    ).join('');
    const draw = (inner: string) =>
      sharp(
        Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250"><rect width="300" height="250" fill="#14213d"/>${inner}</svg>`,
        ),
      )
        .png()
        .toBuffer();
    files.set('https://a.example/plain.png', await draw('<circle cx="150" cy="125" r="60" fill="#fff"/>'));
    files.set('https://a.example/striped.png', await draw(striped));
    const adapt = (name: string, width: number, height: number) =>
      build(format('display_image', { width, height }), {
        message: '',
        brand: { ...ACME, offerings: [] },
        sourceManifest: source({ image: { ...IMAGE, url: `https://a.example/${name}.png` } }, 'display_300x250_image'),
      });
    for (const name of ['plain', 'striped']) {
      expect((await adapt(name, 336, 280)).files).toHaveLength(1);
      await expect(adapt(name, 300, 600)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('it would cover 42% of the new size'),
        extras: { suggestion: expect.stringContaining('a headline as a text asset') },
      });
    }
    expect((await adapt('plain', 300, 400)).files).toHaveLength(1);
    await expect(adapt('striped', 300, 400)).rejects.toThrow('63% of the new size, and 70% are needed, since the edge');
  });

  it('HTML that would be too small to read is refused, unless its texts stand beside it', async () => {
    const html: Asset = { asset_type: 'html', content: '<meta name="ad.size" content="width=300,height=250">x' };
    const alone = source({ html_creative: html });
    await expect(build('display_728x90_html', { message: '', sourceManifest: alone })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      extras: { field: 'creative_manifest.assets.html_creative' },
    });
    const parts = source({ html_creative: html, headline: text('Find your trail') });
    const { content = '' } = asset(
      await build('display_728x90_html', { message: '', sourceManifest: parts }),
      'html_creative',
    );
    expect(content).toContain('Find your');
    expect(content).not.toContain('srcdoc');
  });

  it('text is shortened by whole words', async () => {
    const sourceManifest = source({
      title: text('A very long title that says far more than anybody would ever want to read in a native placement'),
    });
    const built = await build('native_standard', { sourceManifest });
    expect(asset(built, 'title').content).toBe('A very long title that says far more than anybody');
  });

  it('HTML is framed at the new size', async () => {
    const html: Asset = {
      asset_type: 'html',
      content: '<meta name="ad.size" content="width=300,height=250"><a href="{CLICK_URL}">x</a>',
    };
    const built = await build('display_336x280_html', { sourceManifest: source({ html_creative: html }) });
    expect(asset(built, 'html_creative').content).toContain('srcdoc=');
    const same = await build('display_300x250_html', { sourceManifest: source({ html_creative: html }) });
    expect(asset(same, 'html_creative').content).toBe(html.content);
  });

  it('a picture for an HTML slot becomes part of the layout', async () => {
    const sourceManifest = source({ image: IMAGE, headline: text('Find your trail') });
    const { content = '' } = asset(await build('display_300x600_html', { sourceManifest }), 'html_creative');
    expect(content).toContain('data:image/jpeg;base64,');
    expect(content).toContain('Find your');
    expect(Buffer.byteLength(content)).toBeLessThan(150 * 1024);
  });

  it('a video passes, and a tag is made around it with its click and trackers', async () => {
    const video: Asset = {
      asset_type: 'video',
      url: 'https://a.example/spot.mp4',
      width: 1920,
      height: 1080,
      duration_ms: 30_000,
    };
    const sourceManifest = source({
      video,
      click_url: { asset_type: 'url', url: 'https://acme.example/x' },
      impression_tracker: { asset_type: 'url', url_type: 'tracker_pixel', url: 'https://t.example/i' },
      click_tracker: { asset_type: 'url', url_type: 'tracker_pixel', url: 'https://t.example/c' },
    });
    expect(asset(await build('video_30s', { sourceManifest }), 'video')).toEqual(video);
    const { content = '' } = asset(await build('video_vast_30s', { sourceManifest }), 'vast_tag');
    const read = parseTag(content);
    expect(read.ok).toBe(true);
    for (const url of [
      'https://a.example/spot.mp4',
      'https://acme.example/x',
      'https://t.example/i',
      'https://t.example/c',
    ])
      expect(content).toContain(url);
  });

  describe('a tracker of a tag', () => {
    const video: Asset = { asset_type: 'video', url: 'https://a.example/spot.mp4', duration_ms: 30_000 };
    const tracked = (tracker: Asset): Promise<BuiltCreative> => {
      const measured: Asset = { asset_type: 'vast_tracker', url: 'https://t.example/m', ...tracker };
      return build('video_vast_30s', { sourceManifest: source({ video, measured }) });
    };

    it.each([
      ['start', {}, 'event="start"'],
      ['fullscreen', {}, 'event="playerExpand"'],
      ['progress', { offset: '25%' }, 'event="progress" offset="25%"'],
    ])('is called on %s', async (vast_event, more, written) => {
      expect(asset(await tracked({ vast_event, ...more }), 'vast_tag').content).toContain(`<Tracking ${written}>`);
    });

    it.each([
      ['firstQuartil', {}, 'vast_event', 'Did you mean "firstQuartile"?'],
      ['impression', {}, 'vast_event', 'under a key such as impression_tracker'],
      ['error', {}, 'vast_event', 'a tag of your own'],
      [undefined, {}, 'vast_event', 'details.wanted'],
      ['progress', {}, 'offset', '"25%"'],
      ['progress', { offset: '-1' }, 'offset', '"25%"'],
      ['start', { target: 'companion' }, 'target', 'Leave target out'],
    ])('is refused with the event %s and %j', async (vast_event, more, member, suggestion) => {
      await expect(tracked({ vast_event, ...more })).rejects.toMatchObject({
        extras: {
          field: expect.stringMatching(new RegExp(`measured\\.${member}$`)),
          suggestion: expect.stringContaining(suggestion),
        },
      });
    });
  });

  it('a tag whose impressions nobody counts calls nobody, and says so', async () => {
    const video: Asset = { asset_type: 'video', url: 'https://a.example/spot.mp4', duration_ms: 30_000 };
    const built = await build('video_vast_30s', { sourceManifest: source({ video }) });
    const { content = '' } = asset(built, 'vast_tag');
    expect(parseTag(content)).toMatchObject({ ok: true });
    expect(content).toContain('<Impression/>');
    expect(content).not.toContain('https://t.example');
    expect(built.notes.join(' ')).toContain('impression_tracker');
  });

  it.each([
    ['https://a.example/evil.svg', /SVG/i],
    ['https://a.example/cut.png', /ends before/],
  ])('%s is refused where it stands', async (url, message) => {
    const sourceManifest = source({ image: { ...IMAGE, url } });
    await expect(build('display_300x250', { sourceManifest })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(message),
      extras: { field: 'creative_manifest.assets.image.url', suggestion: expect.stringContaining('PNG') },
    });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x'])('a click to %s is refused', async (url) => {
    const sourceManifest = source({ click_url: { asset_type: 'url', url } });
    await expect(build('display_300x250', { sourceManifest })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      extras: { field: 'creative_manifest.assets.click_url.url' },
    });
  });

  it('macro values are filled in, each where it stands', async () => {
    const sourceManifest = source({
      click_url: { asset_type: 'url', url: 'https://acme.example/?d={DEVICE_TYPE}&c={CLICK_URL}' },
    });
    const built = await build('display_300x250', { sourceManifest, macros: { DEVICE_TYPE: 'a b' } });
    expect(asset(built, 'click_url').url).toBe('https://acme.example/?d=a%20b&c={CLICK_URL}');
  });
});

describe('commands', () => {
  async function change(message: string, more: Partial<BuildOrder> = {}): Promise<BuiltCreative> {
    const { direction, changes } = readInstruction(message, {});
    return build('display_300x250_html', { direction, changes, ...more });
  }
  const page = (built: BuiltCreative): string => asset(built, 'html_creative').content ?? '';

  it('of one sentence are each followed, and each reported', async () => {
    const built = await change(
      'Change the headline to "Run further", use a red background, make the button yellow and remove the description',
    );
    expect(built.reports.map(({ isDone }) => isDone)).toEqual([true, true, true, true]);
    expect(page(built)).toMatch(/Run.*further/s);
    expect(page(built)).toContain('#c8102e');
    expect(page(built)).toContain('background:#f7c600');
    expect(page(built)).not.toContain('class="body"');
    expect(built.notes[0]).toBe('Done: the headline is now "Run further".');
  });

  it('that cannot be followed say why, beside those that are', async () => {
    const built = await change('Use a white background and make the text white. Move the logo to the right.');
    expect(built.reports.map(({ isDone }) => isDone)).toEqual([true, false, false]);
    expect(built.notes.join(' ')).toContain('contrast is below 4.5');
    expect(built.notes.join(' ')).toContain('follow from the layout');
    const strip = await build(
      'display_320x50_image',
      readInstruction(
        'Set the description to "Waterproof, light and made to be repaired for as long as you walk in them"',
        {},
      ),
    );
    expect(strip.reports).toEqual([{ isDone: false, text: expect.stringContaining('no room for it at 320x50') }]);
    const flat = source({ image: { ...IMAGE, url: 'https://a.example/banner.png' } }, 'display_300x250');
    const kept = await build('display_300x250', {
      ...readInstruction('Use a red background', {}),
      message: '',
      brand: { ...ACME, offerings: [] },
      sourceManifest: flat,
    });
    expect(kept.reports).toEqual([{ isDone: false, text: expect.stringContaining('as assets of their own') }]);
  });

  it('replace a picture, a logo and where a click leads, or take them away', async () => {
    const order = readInstruction(
      'Use the picture https://a.example/photo.jpg, use the logo https://a.example/logo.png and link it to https://acme.example/sale',
      {},
    );
    const built = await build('display_300x600', order);
    expect(built.reports.map(({ isDone }) => isDone)).toEqual([true, true, true]);
    expect(asset(built, 'click_url').url).toBe('https://acme.example/sale');
    const without = await change('Remove the logo and the picture', {
      brand: {
        ...ACME,
        logos: [{ url: 'https://a.example/logo.png' }],
        offerings: [{ name: 'Boots', imageUrl: 'https://a.example/photo.jpg' }],
      },
    });
    expect(without.reports.every(({ isDone }) => isDone)).toBe(true);
    expect(page(without)).not.toContain('data:image');
  });

  it('that take away what is not there are not done, and say so', async () => {
    const { reports } = await change('Remove the logo and the legal line', { brand: { ...ACME, logos: [] } });
    expect(reports).toEqual([
      { isDone: false, text: 'Not done: "Remove the logo": the ad has none.' },
      { isDone: false, text: 'Not done: "the legal line": the ad has none.' },
    ]);
  });

  it('choose another family by the tone', async () => {
    const elegant = await change('Make it more elegant');
    expect(elegant.reports).toEqual([{ isDone: true, text: 'Done: the tone of the layout is now elegant.' }]);
    expect(page(elegant)).not.toBe(page(await build('display_300x250_html')));
  });
});
