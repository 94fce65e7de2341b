import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../../src/creative/compose/design/family.js';
import { buildPalettes } from '../../../../src/creative/compose/design/scheme.js';
import { layoutHtml, MAX_HTML_BYTES } from '../../../../src/creative/compose/layout/html.js';
import { composeAd } from '../../../../src/creative/compose/layout/layout.js';
import { chooseShape } from '../../../../src/creative/compose/layout/measures.js';
import { cleanText } from '../../../../src/creative/compose/layout/metrics.js';
import type { Ad, AdContent } from '../../../../src/creative/compose/layout/nodes.js';
import { MOTIFS } from '../../../../src/creative/compose/layout/nodes.js';
import { layoutSvg, markWords } from '../../../../src/creative/compose/layout/svg.js';
import { fitText } from '../../../../src/creative/compose/layout/text.js';
import { ImageProcessor } from '../../../../src/creative/compose/pictures/image-processor.js';
import { colors, draw, expectReadable, expectSound, texts } from '../../build/ad-checks.js';

const SIZES = [
  [300, 250],
  [336, 280],
  [728, 90],
  [970, 250],
  [320, 50],
  [300, 50],
  [160, 600],
  [120, 600],
  [300, 600],
  [250, 250],
  [320, 480],
  [468, 60],
  [970, 90],
  [1080, 1080],
  [1200, 628],
  [1920, 1080],
  [1080, 1920],
] as const;

const IMAGES = new ImageProcessor();
const FONTS = await IMAGES.fonts.open([], 'en');

const ACME: AdContent = {
  fonts: FONTS,
  brandName: 'Acme Outdoor',
  headline: '20% off hiking boots',
  eyebrow: 'Summer sale',
  body: 'Waterproof, light and made for long days on the trail.',
  callToAction: 'Shop now',
  offer: '20% off',
  motif: 'ridge',
  family: FAMILIES.classic,
  ...buildPalettes({ primary: '#1b4332', secondary: '#f4a259' }, 'brand'),
};

const HOSTILE: readonly (readonly [string, Partial<AdContent>])[] = [
  [
    'a word without end',
    { headline: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft' },
  ],
  ['a headline without end', { headline: 'more and '.repeat(200), body: 'and more '.repeat(500) }],
  ['a call to action without end', { callToAction: 'Please do consider to buy this wonderful thing today' }],
  ['one long word to act on', { callToAction: 'Donaudampfschifffahrtsgesellschaft' }],
  [
    'markup',
    { headline: '<script>alert("1")</script> & <b>bold</b>', brandName: `"><image href='file:///etc/passwd'/>` },
  ],
  ['right to left', { headline: 'تخفيضات الصيف على أحذية المشي', callToAction: 'تسوق الآن' }],
  ['turned direction', { headline: 'Save \u202e%02 now\u202c today' }],
  ['emoji alone', { headline: '🔥🔥🔥', callToAction: '🛒' }],
  ['a long brand', { brandName: 'The Very Long And Rather Tedious Outdoor Equipment Trading Company of Lower Saxony' }],
  ['nothing', { headline: '', brandName: '', callToAction: '' }],
];

describe('a size', () => {
  it.each([
    [728, 90, 'strip'],
    [320, 50, 'strip'],
    [300, 250, 'card'],
    [1080, 1080, 'card'],
    [160, 600, 'tower'],
    [1080, 1920, 'tower'],
    [970, 250, 'hero'],
    [1920, 1080, 'hero'],
  ] as const)('%ix%i is a %s', (width, height, shape) => expect(chooseShape(width, height)).toBe(shape));

  it('that is none is refused', () => {
    for (const [width, height] of [
      [0, 0],
      [5, 500],
      [300, 90_000],
      [Number.NaN, 10],
    ] as const) {
      expect(() => composeAd(ACME, width, height)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    }
  });
});

describe.each(SIZES)('at %ix%i', (width, height) => {
  it('every text stays in its box and the button is there', () => {
    expectSound(composeAd(ACME, width, height));
    expect(texts(composeAd(ACME, width, height)).some(({ role }) => role === 'headline')).toBe(true);
  });

  it.each(HOSTILE)('so it is with %s', (_name, change) => {
    for (const offer of [undefined, '20% off', 'Bis zu 1.250 € Rabatt']) {
      const { offer: _old, ...rest } = { ...ACME, ...change };
      const content = offer === undefined ? rest : { ...rest, offer };
      const picture = { dataUri: 'data:image/png;base64,AAAA', width: 4, height: 3 };
      for (const each of [content, { ...content, picture, logo: { ...picture, width: 40 } }]) {
        expectSound(composeAd({ ...each, callToAction: each.callToAction || '→' }, width, height));
      }
    }
  });

  // Of greater ones the pixels take seconds to read, and what is drawn is the same.
  if (width * height > 800_000) return;

  it('the brand color is there, text has its contrast, and its ink stays in its box', async () => {
    const ad = composeAd(ACME, width, height);
    const everywhere = colors(await draw(ad), { x: 0, y: 0, width, height });
    expect(everywhere.get(ACME.palette.ground)).toBeGreaterThan(0);
    expect(everywhere.get(ACME.palette.accent)).toBeGreaterThan(20);
    await expectReadable(ad);
  });
});

describe('any size and any words', () => {
  it('make a sound ad', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 14 });
    const line = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(
        fc.integer({ min: 16, max: 2000 }),
        fc.integer({ min: 16, max: 2000 }),
        line,
        line,
        line,
        fc.constantFrom(...MOTIFS),
        (width, height, headline, body, offer, motif) => {
          const content = { ...ACME, headline, body, offer, motif };
          const ad = composeAd(content, width, height);
          expect(ad.nodes.some((node) => node.role === 'action' && node.kind === 'rect')).toBe(true);
          for (const node of texts(ad)) expect(node.fitted.width).toBeLessThanOrEqual(node.box.width + 0.05);
          layoutSvg(ad);
          layoutHtml(ad);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('text', () => {
  it('loses what is never drawn, and nothing else', () => {
    expect(cleanText('Café \u202e 🔥 –\u0007 20 % “off” 你好 👨\u200d👩\u200d👧 می\u200cخواهم')).toBe(
      'Café 🔥 – 20 % “off” 你好 👨\u200d👩\u200d👧 می\u200cخواهم',
    );
  });

  it('is shortened between words, and never ends on a small one', () => {
    const fitted = fitText({
      text: 'Everything you need for the long way home',
      width: 150,
      height: 24,
      face: FONTS.face(800),
      largest: 20,
      smallest: 14,
      lineHeight: 1.1,
      maxLines: 1,
    });
    expect(fitted?.shortened).toBe(true);
    expect(fitted?.lines).toEqual(['Everything you need']);
  });

  it('keeps an offer and a number with what it counts on one line, unless that costs size', () => {
    const order = { height: 200, face: FONTS.face(800), largest: 30, smallest: 10, lineHeight: 1.1, maxLines: 6 };
    const lines = (text: string, width: number, keep?: string) =>
      fitText({ ...order, text, width, phrase: keep })?.lines;
    expect(lines('20% off trail running shoes', 130, '20% off')).toEqual(['20% off', 'trail', 'running', 'shoes']);
    expect(lines('30 % de remise sur Orléans', 170, '30 % de remise')?.[0]).toBe('30 % de');
    expect(lines('30 % de remise sur Orléans', 250, '30 % de remise')?.[0]).toBe('30 % de remise');
    expect(lines('Learn Portuguese in 12 weeks, first lesson free', 260)?.join('|')).not.toContain('12|');
    expect(lines('Donaudampfschiff 1000000 Kapitänsmützen', 130)).toContain('1000000');
  });

  it('sets an offer off wherever its words stand', () => {
    expect(markWords(['Now 20%', 'off boots'], '20% OFF')).toEqual([
      [
        { text: 'Now ', marked: false },
        { text: '20%', marked: true },
      ],
      [
        { text: 'off ', marked: true },
        { text: 'boots', marked: false },
      ],
    ]);
  });
});

describe('the documents', () => {
  const nasty = { ...ACME, headline: `"'><script>alert(1)</script>`, brandName: '&amp;<img src=x onerror=alert(1)>' };

  it('escape every text', () => {
    for (const text of [layoutSvg(composeAd(nasty, 300, 250)), layoutHtml(composeAd(nasty, 300, 250))]) {
      expect(text).not.toMatch(/<script|<img src=x|onerror=alert\(1\)>/);
    }
  });

  it('of HTML click through the macro, ask nobody for anything and weigh little', () => {
    const html = layoutHtml(composeAd(ACME, 728, 90));
    expect(html).toContain('href="{CLICK_URL}"');
    expect(html).toContain('content="width=728,height=90"');
    expect(html.replaceAll('http://www.w3.org', '')).not.toMatch(/https?:|@import|<script|<link|url\(/);
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_HTML_BYTES / 10);
  });

  it('say a brand whose name is the headline once', () => {
    const content = { ...ACME, headline: ACME.brandName };
    expect(texts(composeAd(content, 300, 250)).map(({ role }) => role)).not.toContain('brand');
    expect(texts(composeAd(ACME, 300, 250)).map(({ role }) => role)).toContain('brand');
  });

  it('are the same for the same ad', () => {
    expect(layoutSvg(composeAd(ACME, 300, 250), 2)).toBe(layoutSvg(composeAd({ ...ACME }, 300, 250), 2));
  });
});

describe('writings', () => {
  const fitHeadline = async (language: string, text: string, width: number) => {
    const fonts = await IMAGES.fonts.open([text], language);
    const order = { height: 300, largest: 30, smallest: 12, lineHeight: 1.08, maxLines: 8 };
    return fitText({ ...order, text, width, face: fonts.face(800) });
  };

  it('break where their readers do', async () => {
    const japanese = (await fitHeadline('ja', '毎日、淹れたてのコーヒーを二割引でお届けします', 230))?.lines ?? [];
    expect(japanese.join('')).toBe('毎日、淹れたてのコーヒーを二割引でお届けします');
    expect(japanese.filter((line) => line.includes('コーヒーを'))).toHaveLength(1);
    expect(japanese.some((line) => /^[、。をでのてに]/u.test(line))).toBe(false);
    expect((await fitHeadline('ko', '매일 신선한 커피를 할인', 150))?.lines.join('|')).not.toMatch(/커\||신선\|/);
    expect((await fitHeadline('th', 'กาแฟสดใหม่ทุกวัน', 110))?.lines.join('|')).toMatch(/^กาแฟ(สด)?\|/);
    expect((await fitHeadline('en', 'State-of-the-art coffee', 120))?.lines[0]).toMatch(/-$/);
  });

  it('with tall marks have the distance of lines that these need', async () => {
    expect((await fitHeadline('th', 'กาแฟ', 200))?.lineHeight).toBeGreaterThan(30 * 1.3);
    expect((await fitHeadline('en', 'Coffee', 200))?.lineHeight).toBeCloseTo(30 * 1.08);
  });

  it('of long words are hyphenated where the language says, and never dropped', async () => {
    const fitted = await fitHeadline('de', 'Donaudampfschifffahrtskaffee', 130);
    expect(fitted?.shortened).toBe(false);
    expect(fitted?.lines.length).toBeGreaterThan(1);
    expect(fitted?.lines.slice(0, -1).every((line) => line.endsWith('-'))).toBe(true);
    expect(fitted?.lines.map((line) => line.replace(/-$/, '')).join('')).toBe('Donaudampfschifffahrtskaffee');
    expect((await fitHeadline('xx', 'Donaudampfschifffahrts', 130))?.lines).toEqual(['Donaudampfschifffahrts']);
  });

  it('of addresses are broken without a hyphen, which would be read as a part of them', async () => {
    const fitted = await fitHeadline('en', 'www.averyverylongexampleofashop.example', 130);
    expect(fitted?.lines.length).toBeGreaterThan(1);
    expect(fitted?.lines.join('')).toBe('www.averyverylongexampleofashop.example');
  });

  it('from right to left mirror the ad', async () => {
    const headline = 'قهوة طازجة كل يوم';
    const fonts = await IMAGES.fonts.open([headline], 'ar');
    const ad = composeAd({ ...ACME, headline, fonts }, 728, 90);
    const left = composeAd({ ...ACME, fonts }, 728, 90);
    const button = (of: Ad) => of.nodes.find((node) => node.role === 'action')?.box.x ?? Number.NaN;
    expect(button(left)).toBeGreaterThan(500);
    expect(button(ad)).toBeLessThan(100);
    expect(layoutHtml(ad)).toContain('dir="rtl"');
    for (const node of texts(ad)) expect(node.fitted.width).toBeLessThanOrEqual(node.box.width + 0.05);
  });
});
