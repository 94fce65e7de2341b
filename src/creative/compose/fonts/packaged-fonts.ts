import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../../platform/kernel/files/package-files.js';
import { FontFile, type Shaping } from './font-file.js';
import { loadHyphenation } from './hyphenation.js';
import {
  DISPLAY_FONTS,
  FONT_WEIGHTS,
  type FontStyle,
  type FontWeight,
  guessHanLanguage,
  SCRIPT_FONTS,
  type ScriptFont,
} from './scripts.js';
import { openShapedLines, Typeface } from './typeface.js';

/** The typefaces that one layout sets its texts in. */
export type Fonts = { readonly face: (weight: FontWeight, style?: FontStyle) => Typeface };

const WEIGHT_NAMES = { 400: 'Regular', 600: 'SemiBold', 700: 'Bold', 800: 'ExtraBold' } as const;

/** Files of the user's folder that are read; a type family has fewer. */
const MAX_OWN_FILES = 100;

const locate = createRequire(import.meta.url).resolve;

/** Returns the absolute path of a font's TTF in a weight, or undefined where its package is not installed. */
export function findFontFile(font: ScriptFont, weight: FontWeight): string | undefined {
  const nearest = font.weights?.[weight] ?? weight;
  const name = `${nearest}${WEIGHT_NAMES[nearest]}`;
  const file = `${font.family}_${name}.ttf`;
  // The build copies what it draws with: the packages have every weight in italics too.
  const copied = fileURLToPath(packageFile(`${COPIED_FONTS}/${file}`));
  if (existsSync(copied)) return copied;
  try {
    return locate(`${font.package}/${name}/${file}`);
  } catch {
    return undefined;
  }
}

/** The folder of the fonts that come with the package. */
export const COPIED_FONTS = 'dist/fonts';

/**
 * The fonts of the installed packages and of the user's folder. Each file is read when a text first needs it, and nothing of the
 * system's is used: pictures are the same on every machine.
 */
export class PackagedFonts {
  readonly #folder: string | undefined;
  readonly #findFile: typeof findFontFile;
  readonly #files = new Map<string, FontFile | undefined>();
  readonly #lines = openShapedLines();
  #shaping: Promise<Shaping> | undefined;
  #own: readonly OwnFont[] | undefined;

  /** `folder` holds TTF and OTF files of the user's, for the writings whose letters they have; `findFile` says where a package's are. */
  constructor(folder?: string, findFile = findFontFile) {
    this.#folder = folder;
    this.#findFile = findFile;
  }

  /** Returns the typefaces for texts of a language (BCP 47). Reads the fonts that the texts need, most of a few megabytes each. */
  async open(texts: readonly string[], language?: string): Promise<Fonts> {
    this.#shaping ??= import('harfbuzzjs');
    const shaping = await this.#shaping;
    const hyphenate = await loadHyphenation(language);
    const hanLanguage = guessHanLanguage(texts.join(' '), language);
    const findFile = (font: ScriptFont, weight: FontWeight): FontFile | undefined => this.#file(shaping, font, weight);
    const faces = new Map<string, Typeface>();
    const make = (weight: FontWeight, style: FontStyle): Typeface =>
      new Typeface({
        weight,
        display: style === 'sans' ? undefined : DISPLAY_FONTS[style],
        findFile,
        hanLanguage,
        hyphenate,
        lines: this.#lines,
      });
    return {
      face: (weight, style = 'sans') => {
        const key = `${weight} ${style}`;
        const face = faces.get(key) ?? make(weight, style);
        faces.set(key, face);
        return face;
      },
    };
  }

  /** Returns the file of a font: of the user's own where they have its letters, else of its package. */
  #file(shaping: Shaping, font: ScriptFont, weight: FontWeight): FontFile | undefined {
    const key = `${font.package} ${weight}`;
    if (this.#files.has(key)) return this.#files.get(key);
    const path = this.#findFile(font, weight);
    const file = this.#findOwn(shaping, font, weight) ?? (path === undefined ? undefined : new FontFile(shaping, path));
    this.#files.set(key, file);
    return file;
  }

  #findOwn(shaping: Shaping, font: ScriptFont, weight: FontWeight): FontFile | undefined {
    if (this.#folder === undefined || !SCRIPT_FONTS.includes(font)) return undefined;
    this.#own ??= readOwnFonts(shaping, this.#folder);
    const fitting = this.#own.filter(({ fonts }) => fonts.includes(font));
    const distance = (own: OwnFont): number => Math.abs(own.weight - weight);
    return [...fitting].sort((a, b) => distance(a) - distance(b))[0]?.file;
  }
}

/** A file of the user's, its weight, and the fonts of the table that it can stand for. */
type OwnFont = { readonly file: FontFile; readonly weight: number; readonly fonts: readonly ScriptFont[] };

/** A letter of each writing; a font without it is not for the writing. */
const SAMPLES: readonly (readonly [language: string, letters: string])[] = [
  ['ar', 'بكو'],
  ['he', 'אבש'],
  ['hi', 'कमह'],
  ['th', 'กมห'],
  ['ja', 'あカ日'],
  ['ko', '가한'],
  ['zh-Hans', '中这'],
  ['zh-Hant', '這麼ㄅ'],
  ['zh-HK', '這咗啲'],
];

function readOwnFonts(shaping: Shaping, folder: string): readonly OwnFont[] {
  const names = readdirSync(folder)
    .filter((name) => /\.(ttf|otf)$/i.test(name))
    .sort()
    .slice(0, MAX_OWN_FILES);
  return names.map((name) => {
    const file = new FontFile(shaping, join(folder, name));
    const isFor = (font: ScriptFont): boolean => {
      const letters = SAMPLES.find(([language]) => font.languages.includes(language))?.[1] ?? '☕🎉';
      return [...letters].every((letter) => file.has(letter.codePointAt(0) ?? 0));
    };
    return { file, weight: file.weight(), fonts: SCRIPT_FONTS.filter(isFor) };
  });
}

/** Returns what texts need and nothing installed has; undefined when nothing is missing. */
export function findMissingFonts(fonts: Fonts, texts: readonly string[]): MissingFonts | undefined {
  const face = fonts.face(FONT_WEIGHTS[0]);
  const missing = [...new Set(texts.flatMap((text) => face.findMissing(text)))];
  if (missing.length === 0) return undefined;
  const needed = missing.filter((one) => typeof one !== 'string');
  const characters = missing.filter((one) => typeof one === 'string');
  return { scripts: needed.map(({ script }) => script), packages: needed.map((font) => font.package), characters };
}

/** Fonts and characters that texts need and nothing installed has. */
type MissingFonts = {
  readonly scripts: readonly string[];
  readonly packages: readonly string[];
  /** Those that no font of the table is for. */
  readonly characters: readonly string[];
};
