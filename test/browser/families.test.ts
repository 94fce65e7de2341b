import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAMILIES, FAMILY_NAMES } from '../../src/creative/compose/design/family.js';
import { buildPalettes } from '../../src/creative/compose/design/scheme.js';
import { layoutHtml } from '../../src/creative/compose/layout/html.js';
import { composeAd } from '../../src/creative/compose/layout/layout.js';
import { ImageProcessor } from '../../src/creative/compose/pictures/image-processor.js';
import { BROWSER } from '../kit/browser.js';

const HEADLINES = [
  ['en', 'Fresh coffee at your door'],
  ['ar', 'قهوة طازجة كل يوم'],
  ['hi', 'हर दिन ताज़ी कॉफ़ी'],
  ['ja', '毎日、淹れたてのコーヒー'],
] as const;

const SIZES = [
  [300, 250],
  [728, 90],
  [160, 600],
] as const;

/** The words of a headline, and how far anything of it reaches beyond the ad. */
const READ = `(() => {
  const box = document.querySelector('.headline');
  const lines = [...box.querySelectorAll('text, .line')];
  const edges = lines.map((line) => { const range = document.createRange(); range.selectNodeContents(line); const { left, right } = (line.tagName === 'text' ? line : range).getBoundingClientRect(); return Math.max(-left, right - innerWidth); });
  return { text: lines.map((line) => line.textContent).join(' '), over: Math.max(...edges) };
})()`;

describe.skipIf(BROWSER === undefined)('the HTML of every layout family, in a browser', () => {
  let browser: Browser;
  const images = new ImageProcessor();
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  it.each(FAMILY_NAMES)('says the headline of %s in four writings, inside the ad', async (name) => {
    const page = await browser.newPage();
    const family = FAMILIES[name];
    const palettes = buildPalettes({ primary: '#1b4332', secondary: '#f4a259' }, family.scheme);
    for (const [language, headline] of HEADLINES) {
      const fonts = await images.fonts.open([headline], language);
      for (const [width, height] of SIZES) {
        const content = {
          family,
          ...palettes,
          fonts,
          language,
          brandName: 'Acme',
          headline,
          callToAction: 'OK',
          motif: 'rings',
        } as const;
        await page.setViewportSize({ width, height });
        await page.setContent(layoutHtml(composeAd(content, width, height)));
        const { text, over } = await page.evaluate<{ text: string; over: number }>(READ);
        const bare = (words: string): string => words.replace(/[\s\p{Bidi_Control}]/gu, '').toLowerCase();
        expect([language, width, bare(text)]).toEqual([language, width, bare(headline)]);
        expect([language, width, over <= 0]).toEqual([language, width, true]);
      }
    }
    await page.close();
  });
});
