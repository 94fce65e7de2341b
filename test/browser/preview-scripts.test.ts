import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PreviewModel } from '../../src/creative/preview/model.js';
import { BROWSER } from '../kit/browser.js';
import { type PreviewPages, servePreviews } from '../kit/preview-pages.js';

/** Ways in which tags put an ad where they stand. */
const TAGS: readonly (readonly [what: string, type: 'html' | 'javascript', content: string])[] = [
  [
    'appends to the body',
    'javascript',
    "var d = document.createElement('p'); d.textContent = 'Boots'; document.body.appendChild(d);",
  ],
  ['writes into the document', 'javascript', "document.write('<p>Boots</p>');"],
  [
    'writes another script into the document',
    'javascript',
    "document.write('<script>document.write(\"<p>Boots</p>\")</' + 'script>');",
  ],
  [
    'inserts before the first script',
    'javascript',
    "var s = document.getElementsByTagName('script'); var f = s[s.length - 1]; var p = document.createElement('p'); p.textContent = 'Boots'; f.parentNode.insertBefore(p, f);",
  ],
  [
    'inserts a frame before itself',
    'javascript',
    "var s = document.currentScript, f = document.createElement('iframe'); f.srcdoc = '<p>Boots</p>'; s.parentNode.insertBefore(f, s);",
  ],
  ['is a snippet with its tags', 'javascript', '<div id="a"></div><script>a.textContent = "Boots"</script>'],
  ['is a page with scripts', 'html', '<body><script>document.write("<p>Boots</p>")</script></body>'],
  ['draws on a canvas', 'html', '<canvas id="c"></canvas><script>c.getContext("2d").fillRect(9, 9, 20, 20)</script>'],
];
const BLANK = 'Blank: the creative shows nothing but one color.';
const NOT_REACHED = 'Not reached, since previews reach no hosts but those that their operator allows:';

describe.skipIf(BROWSER === undefined)('previews of scripts in a browser', () => {
  let browser: Browser;
  let pages: PreviewPages;
  let allowing: PreviewPages;

  beforeAll(async () => {
    pages = await servePreviews();
    allowing = await servePreviews({ previewHosts: ['ads.example', '*.cdn.example'] });
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  /** Opens the page of a preview; what it asks of other hosts is answered by `tags` (or not found), and written down. */
  async function open({ base }: PreviewPages, place: string, tags: Readonly<Record<string, string>> = {}) {
    const page = await (await browser.newContext()).newPage();
    const asked: string[] = [];
    await page.route(/^https:/, (route) => {
      const url = route.request().url();
      asked.push(url);
      const body = tags[url];
      const headers = { 'access-control-allow-origin': '*' };
      return route.fulfill(body === undefined ? { status: 404 } : { body, contentType: 'text/javascript', headers });
    });
    await page.goto(`${base}/previews/${place}`);
    return { page, asked };
  }

  const remarkOf = (page: Page): Promise<string | null> => page.locator('[data-remark]').first().textContent();

  async function markupFrame(page: Page): Promise<Frame> {
    const find = () => page.frames().find((one) => one.parentFrame()?.parentFrame() === page.mainFrame());
    await expect.poll(find).toBeDefined();
    const frame = find();
    if (frame === undefined) throw new Error('there is no advertiser markup');
    return frame;
  }

  it.each(TAGS)('a tag that %s is seen, and nothing is remarked', async (_what, type, content) => {
    const { id } = await pages.addMarkup(type, content);
    const { page } = await open(pages, id);
    const frame = await markupFrame(page);
    await expect.poll(() => saw(page), { timeout: 20_000 }).toBe(true);
    expect(await remarkOf(page)).toBe('');
    expect(await frame.evaluate('self.origin')).toBe('null');
    await page.context().close();
  });

  /** Whether the tag's words, or its canvas, are anywhere in the frames. */
  async function saw(page: Page): Promise<boolean> {
    for (const frame of page.frames()) {
      const text = await frame.evaluate<string>('document.body?.innerText ?? ""').catch(() => '');
      if (text.includes('Boots') || (await frame.locator('canvas').count()) > 0) return frame !== page.mainFrame();
    }
    return false;
  }

  it('a blank creative is said to be blank, in the sheet too', async () => {
    const models = [
      await pages.addMarkup('javascript', '/* nothing */'),
      await pages.addMarkup('html', '<body style="background:#123456"></body>'),
      await pages.addMarkup('html', '<div style="background:red;width:300px;height:250px"></div>'),
      await pages.addMarkup('html', '<canvas width="300" height="250"></canvas>'),
    ];
    for (const { id } of models) {
      const { page } = await open(pages, id);
      await expect.poll(() => remarkOf(page)).toBe(BLANK);
      expect(await page.locator('.panel.ok').getAttribute('class')).toContain('doubtful');
      await page.context().close();
    }
    const { id } = await pages.addSheet(models);
    const { page } = await open(pages, `sheet/${id}`);
    await expect.poll(() => page.locator('[data-remark]').allTextContents()).toEqual(models.map(() => BLANK));
    await page.context().close();
  });

  it('a picture of one color is said to be blank, one of two is not', async () => {
    const ground = { create: { width: 300, height: 250, channels: 3, background: '#1f6f54' } } as const;
    const plain = await sharp(ground).jpeg().toBuffer();
    const spot = await sharp({ create: { ...ground.create, width: 40, height: 40, background: '#ffffff' } })
      .png()
      .toBuffer();
    const drawn = await sharp(ground)
      .composite([{ input: spot }])
      .jpeg()
      .toBuffer();
    const models = [await addPicture(plain), await addPicture(drawn)];
    const { id } = await pages.addSheet(models);
    const { page } = await open(pages, `sheet/${id}`);
    await expect
      .poll(() => page.locator('[data-remark]').allTextContents())
      .toEqual(['Blank: the picture is of one color.', '']);
    await page.context().close();
  });

  async function addPicture(bytes: Buffer): Promise<PreviewModel> {
    const ref = await pages.addMedia({ bytes, mime: 'image/jpeg' });
    const url = `https://img.example/${'file' in ref ? ref.file : ''}`;
    return pages.add({
      format: {
        format_id: { agent_url: 'https://s.example', id: 'picture' },
        name: 'Picture',
        type: 'display',
        renders: [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
        assets: [],
      },
      manifest: { assets: { banner_image: { asset_type: 'image', url, width: 300, height: 250 } } },
      media: new Map([[url, ref]]),
    });
  }

  const THIRD_PARTY = `<script src="https://ads.example/tag.js"></script><script src="https://a.cdn.example/tag.js"></script>
    <script src="https://evil.example/tag.js"></script>`;
  const WRITES = (text: string): string =>
    `document.write('<p>${text}</p>'); try { window.got = localStorage.length } catch (error) { window.got = error.name }`;

  it('third-party tags run without an origin where the operator allows their hosts, others are not even asked', async () => {
    const { id } = await allowing.addMarkup('html', THIRD_PARTY);
    const tags = { 'https://ads.example/tag.js': WRITES('Boots'), 'https://a.cdn.example/tag.js': WRITES('Shoes') };
    const { page, asked } = await open(allowing, id, tags);
    await expect.poll(() => remarkOf(page)).toBe(`${NOT_REACHED} evil.example.`);
    const frame = await markupFrame(page);
    expect(await frame.locator('p').allTextContents()).toEqual(['Boots', 'Shoes']);
    expect(await frame.evaluate('[self.origin, window.got]')).toEqual(['null', 'SecurityError']);
    expect(asked.sort()).toEqual(['https://a.cdn.example/tag.js', 'https://ads.example/tag.js']);
    await page.context().close();
  });

  it('without the leave of the operator no third-party tag is asked for, and the page says which', async () => {
    const { id } = await pages.addMarkup('html', THIRD_PARTY);
    const { page, asked } = await open(pages, id);
    const hosts = 'ads.example, a.cdn.example, evil.example';
    await expect.poll(() => remarkOf(page)).toBe(`${BLANK} ${NOT_REACHED} ${hosts}.`);
    expect(asked).toEqual([]);
    await page.context().close();
  });

  it('says of mraid.js that apps bring it, and does not take our own server for a host that was refused', async () => {
    const { id } = await pages.addMarkup('html', '<script src="mraid.js"></script><p>Boots</p>');
    const { page } = await open(pages, id);
    await expect
      .poll(() => remarkOf(page))
      .toBe('Apps bring mraid.js and a preview does not: what waits for it does not run here.');
    await page.context().close();
  });

  it('what a creative says of itself is text on the page, and comes from its frame alone', async () => {
    const lie = { creative: 'seen', blank: false, blocked: ['<img src=x onerror=alert(1)>'], failed: '<b>x</b>' };
    const content = `<p>Boots</p><script>setInterval(() => parent.parent.postMessage(${JSON.stringify(lie)}, '*'), 50)</script>`;
    const { id } = await pages.addMarkup('html', content);
    const { page } = await open(pages, id);
    await expect.poll(() => remarkOf(page)).toContain('<img src=x onerror=alert(1)>');
    expect(await page.locator('[data-remark] *').count()).toBe(0);
    await page.evaluate(`postMessage(${JSON.stringify({ ...lie, failed: 'from elsewhere' })}, '*')`);
    expect(await page.evaluate('new Promise((done) => setTimeout(() => done(document.body.innerText)))')).not.toContain(
      'from elsewhere',
    );
    await page.context().close();
  });

  it('an error of a script is said', async () => {
    const { id } = await pages.addMarkup('javascript', 'document.nothing.here();');
    const { page } = await open(pages, id);
    await expect.poll(() => remarkOf(page)).toMatch(/A script of the creative failed: .*nothing|undefined/);
    await page.context().close();
  });
});
