import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../../src/creative/compose/design/family.js';
import { buildPalettes } from '../../../../src/creative/compose/design/scheme.js';
import { readContexts, readDirection } from '../../../../src/creative/compose/fonts/bidi.js';
import {
  findFontFile,
  findMissingFonts,
  PackagedFonts,
} from '../../../../src/creative/compose/fonts/packaged-fonts.js';
import {
  BASE_FONT,
  FONT_WEIGHTS,
  SCRIPT_FONTS,
  type ScriptFont,
} from '../../../../src/creative/compose/fonts/scripts.js';
import { composeAd } from '../../../../src/creative/compose/layout/layout.js';
import { layoutSvg } from '../../../../src/creative/compose/layout/svg.js';
import { ImageProcessor } from '../../../../src/creative/compose/pictures/image-processor.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'no-fonts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A headline in each writing, in the language of its first font. */
const TEXTS: Readonly<Record<string, readonly [language: string, text: string]>> = {
  Arabic: ['ar', 'قهوة طازجة كل يوم، خصم ٢٠٪'],
  Hebrew: ['he', 'קפה טרי בכל יום'],
  Devanagari: ['hi', 'हर दिन ताज़ी कॉफ़ी।'],
  Thai: ['th', 'กาแฟสดใหม่ทุกวัน'],
  Japanese: ['ja', '毎日、淹れたてのコーヒー'],
  Korean: ['ko', '매일 신선한 커피를'],
  'Simplified Chinese': ['zh', '每天都有新鲜咖啡'],
  'Traditional Chinese': ['zh-TW', '每天都有新鮮咖啡 ㄅ'],
  'Traditional Chinese of Hong Kong': ['zh-HK', '每日都有新鮮咖啡，啱晒你'],
  emoji: ['en', '☕️ 🎉 👨\u200d👩\u200d👧'],
};

describe('fonts', () => {
  it.each([BASE_FONT, ...SCRIPT_FONTS])('for $script are read from their package in every weight', (font) => {
    for (const weight of FONT_WEIGHTS) expect(statSync(findFontFile(font, weight) ?? '').size).toBeGreaterThan(20_000);
  });

  it.each(SCRIPT_FONTS)('draw $script without a missing glyph', async ({ script }) => {
    const [language, text] = TEXTS[script] ?? ['', ''];
    expect(text).not.toBe('');
    const fonts = await new PackagedFonts().open([text], language);
    expect(findMissingFonts(fonts, [text, `Acme Café 20 % – ${text}`])).toBeUndefined();
    for (const weight of FONT_WEIGHTS) {
      const { glyphs, width } = fonts.face(weight).shape(text, readDirection(text));
      expect(glyphs.length).toBeGreaterThan(3);
      expect(glyphs.every(({ id }) => id > 0)).toBe(true);
      expect(width).toBeGreaterThan(2);
    }
  });

  it('say which package a text needs that is not there, and which characters no font has', async () => {
    const without = new WithoutPackages();
    const fonts = await without.open(['毎日コーヒー'], 'ja');
    expect(findMissingFonts(fonts, ['毎日コーヒー', 'Coffee'])).toEqual({
      scripts: ['Japanese'],
      packages: ['@expo-google-fonts/noto-sans-jp'],
      characters: [],
    });
    expect(findMissingFonts(fonts, ['\u{10a00} x'])?.characters).toEqual(['\u{10a00}']);
  });

  it('never set a word of Greek or Cyrillic in two fonts, where a display font has a few of its letters', async () => {
    for (const text of ['παρθένο ελαιόλαδο από τη Μεσσηνία', 'Жизнь у моря']) {
      const fonts = await new PackagedFonts().open([text]);
      for (const style of ['sans', 'serif', 'condensed'] as const) {
        const { glyphs } = fonts.face(800, style).shape(text.replaceAll(' ', ''), 'ltr');
        expect(new Set(glyphs.map(({ file }) => file)).size, `${text} ${style}`).toBe(1);
      }
    }
  });

  it('of a folder of the user stand for a package that is not there', async () => {
    const own = mkdtempSync(join(folder, 'own-'));
    const thai = SCRIPT_FONTS.find(({ script }) => script === 'Thai');
    copyFileSync(findFontFile(thai as ScriptFont, 800) ?? '', join(own, 'House Sans.ttf'));
    const text = 'กาแฟสดใหม่ทุกวัน';
    expect(findMissingFonts(await new WithoutPackages().open([text], 'th'), [text])?.scripts).toEqual(['Thai']);
    expect(findMissingFonts(await new WithoutPackages(own).open([text], 'th'), [text])).toBeUndefined();
  });

  it('give Han characters the form of the language', async () => {
    const outline = async (language: string, letter = '直'): Promise<string> => {
      const [glyph] = (await new PackagedFonts().open([letter], language)).face(400).shape(letter, 'ltr').glyphs;
      return JSON.stringify(glyph?.file.outline(glyph.id));
    };
    expect(await outline('ja')).not.toBe(await outline('zh'));
    expect(await outline('zh-TW', '骨')).toBe(await outline('zh-Hant', '骨'));
    expect(await outline('zh-TW', '骨')).not.toBe(await outline('zh-CN', '骨'));
  });

  it('join Arabic letters, stack Devanagari vowels, and read from right to left', async () => {
    const arabic = (await new PackagedFonts().open([], 'ar')).face(400);
    const alone = arabic.measure('ق') + arabic.measure('ه') + arabic.measure('و') + arabic.measure('ة');
    expect(arabic.measure('قهوة')).toBeLessThan(alone * 0.95);
    expect(arabic.shape('كل Acme', 'rtl').glyphs[0]?.cluster).toBeGreaterThan(2);
    expect(arabic.shape('كل Acme', 'ltr').glyphs.at(-1)?.cluster).toBe(6);
    const hindi = (await new PackagedFonts().open([], 'hi')).face(400);
    const [first] = hindi.shape('कि', 'ltr').glyphs;
    expect(hindi.shape('कि', 'ltr').glyphs).toHaveLength(2);
    expect(first?.file.outline(first.id)).not.toEqual(
      hindi.shape('क', 'ltr').glyphs[0]?.file.outline(hindi.shape('क', 'ltr').glyphs[0]?.id ?? 0),
    );
  });

  it('keep the direction of a text on each of its lines', async () => {
    const face = (await new PackagedFonts().open([], 'ar')).face(400);
    const orders = (lines: readonly string[], direction: 'ltr' | 'rtl'): readonly string[] => {
      const contexts = readContexts(lines, direction);
      return lines.map((line, index) => {
        const { glyphs } = face.shape(line, direction, 0, contexts[index]);
        return glyphs.map(({ cluster }) => line[cluster]).join('');
      });
    };
    // Behind Arabic letters the sign of a number stands at its left, wherever the line breaks.
    expect(orders(['خصم 20٪ على'], 'rtl')[0]).toContain('٪20');
    expect(orders(['خصم', '20٪ على'], 'rtl')[1]).toContain('٪20');
    expect(orders(['20٪ على', 'كل شيء'], 'rtl')[0]).toContain('20٪');
    // A name in Latin letters goes on behind the line's end, and its sign with it.
    expect(orders(['קפה של Yahoo!', 'Japan היום'], 'rtl')[0]).toMatch(/^Yahoo!/);
    expect(orders(['קפה של Yahoo!'], 'rtl')[0]).toMatch(/^!Yahoo/);
    expect(orders(['קפה טרי ב־Acme,', '20% הנחה'], 'rtl')[1]).toMatch(/20%$/);
  });

  it('read a text in the direction of its language, whatever name it begins with', () => {
    expect(readDirection('Acme: خصم على كل شيء')).toBe('rtl');
    expect(readDirection('iPhone 15 Pro Max بسعر خاص')).toBe('ltr');
    expect(readDirection('iPhone 15 Pro Max بسعر خاص', 'ar-EG')).toBe('rtl');
    expect(readDirection('مجد coffee for you', 'en')).toBe('ltr');
    expect(readDirection('קפה', 'en')).toBe('rtl');
    expect(readDirection('20% 🎉', 'ar')).toBe('ltr');
  });

  it('draw the same bytes on a machine without any font', async () => {
    const images = new ImageProcessor();
    const headline = 'قهوة 毎日 20%';
    const ad = composeAd(
      {
        brandName: 'Acme',
        headline,
        callToAction: 'Go',
        family: FAMILIES.classic,
        ...buildPalettes({ primary: '#1c4d3a' }, 'brand'),
        motif: 'rings',
        fonts: await images.fonts.open([headline], 'ja'),
      },
      300,
      250,
    );
    const order = { width: 300, height: 250, format: 'png' } as const;
    const here = await images.renderSvg(layoutSvg(ad), order);
    const program = `
      import { createHash } from 'node:crypto';
      import { ImageProcessor } from './dist/creative/compose/pictures/image-processor.js';
      const { bytes } = await new ImageProcessor().renderSvg(${JSON.stringify(layoutSvg(ad))}, ${JSON.stringify(order)});
      console.log(createHash('sha256').update(bytes).digest('hex'));`;
    const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, FONTCONFIG_PATH: join(folder, 'nowhere') };
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { env, cwd: resolve('.') });
    expect(stdout.trim()).toBe(createHash('sha256').update(here.bytes).digest('hex'));
  });
});

/** A machine on which the packages beside the base font are not installed. */
class WithoutPackages extends PackagedFonts {
  constructor(own?: string) {
    super(own, (font, weight) => (font === BASE_FONT ? findFontFile(font, weight) : undefined));
  }
}
