/** The weights that layouts set text in. */
export const FONT_WEIGHTS = [400, 600, 800] as const;
/** One of the weights that layouts set text in. */
export type FontWeight = (typeof FONT_WEIGHTS)[number];

/** A font of the registry and the writing it is for. */
export type ScriptFont = {
  /** In English, as messages name it. */
  readonly script: string;
  /** The characters of this writing alone; what several share, such as digits, goes with the text around it. */
  readonly letters: RegExp;
  readonly package: string;
  /** The beginning of the names of its files. */
  readonly family: string;
  /** Languages that are written with it, as BCP 47 names them; of several fonts for one character the text's language chooses. */
  readonly languages: readonly string[];
  /** Least distance of two baselines, as a multiple of the size: marks above and below must not touch. */
  readonly leading: number;
  /** Whether its letters join, so that nothing may come between them. */
  readonly joined?: boolean;
  /** Weights that the family lacks, and the nearest that it has. */
  readonly weights?: Partial<Readonly<Record<FontWeight, FontWeight | 700>>>;
};

/** The font of Latin, Greek and Cyrillic, and of everything that no other font is for. */
export const BASE_FONT: ScriptFont = {
  script: 'Latin, Greek or Cyrillic',
  letters: /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u,
  package: '@expo-google-fonts/inter',
  family: 'Inter',
  languages: [],
  leading: 1,
};

/** The looks that Latin, Greek and Cyrillic letters come in; other writings have one. */
export type FontStyle = 'sans' | 'serif' | 'condensed';

/** The fonts of headlines that are not set in the base font; letters that one lacks come from the base font. */
export const DISPLAY_FONTS: Readonly<Record<Exclude<FontStyle, 'sans'>, ScriptFont>> = {
  serif: { ...BASE_FONT, package: '@expo-google-fonts/playfair-display', family: 'PlayfairDisplay' },
  condensed: {
    ...BASE_FONT,
    package: '@expo-google-fonts/sofia-sans-extra-condensed',
    family: 'SofiaSansExtraCondensed',
  },
};

/** The fonts of other writings. Han characters are drawn differently in Japan, China and Korea: the text's language chooses, else the first of these. */
export const SCRIPT_FONTS: readonly ScriptFont[] = [
  {
    script: 'Arabic',
    letters: /\p{Script_Extensions=Arabic}/u,
    package: '@expo-google-fonts/noto-sans-arabic',
    family: 'NotoSansArabic',
    languages: ['ar', 'fa', 'ur', 'ps', 'ckb'],
    leading: 1.4,
    joined: true,
  },
  {
    script: 'Hebrew',
    letters: /\p{Script_Extensions=Hebrew}/u,
    package: '@expo-google-fonts/noto-sans-hebrew',
    family: 'NotoSansHebrew',
    languages: ['he', 'yi'],
    leading: 1.15,
  },
  {
    script: 'Devanagari',
    letters: /\p{Script_Extensions=Devanagari}/u,
    package: '@expo-google-fonts/noto-sans-devanagari',
    family: 'NotoSansDevanagari',
    languages: ['hi', 'mr', 'ne', 'sa'],
    leading: 1.35,
    joined: true,
  },
  {
    script: 'Thai',
    letters: /\p{Script=Thai}/u,
    package: '@expo-google-fonts/noto-sans-thai',
    family: 'NotoSansThai',
    languages: ['th'],
    leading: 1.4,
  },
  {
    script: 'Japanese',
    letters:
      /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\u3000-\u303f\uff00-\uffef]/u,
    package: '@expo-google-fonts/noto-sans-jp',
    family: 'NotoSansJP',
    languages: ['ja'],
    leading: 1.2,
  },
  {
    script: 'Korean',
    letters: /[\p{Script=Hangul}\p{Script_Extensions=Han}\u3000-\u303f\uff00-\uffef]/u,
    package: '@expo-google-fonts/noto-sans-kr',
    family: 'NotoSansKR',
    languages: ['ko'],
    leading: 1.2,
  },
  {
    script: 'Simplified Chinese',
    letters: /[\p{Script_Extensions=Han}\u3000-\u303f\uff00-\uffef]/u,
    package: '@expo-google-fonts/noto-sans-sc',
    family: 'NotoSansSC',
    languages: ['zh-Hans'],
    leading: 1.2,
  },
  {
    script: 'Traditional Chinese',
    letters: /[\p{Script_Extensions=Han}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u,
    package: '@expo-google-fonts/noto-sans-tc',
    family: 'NotoSansTC',
    languages: ['zh-Hant'],
    leading: 1.2,
  },
  {
    script: 'Traditional Chinese of Hong Kong',
    letters: /[\p{Script_Extensions=Han}\u3000-\u303f\uff00-\uffef]/u,
    package: '@expo-google-fonts/noto-sans-hk',
    family: 'NotoSansHK',
    languages: ['zh-HK'],
    leading: 1.2,
  },
  {
    script: 'emoji',
    letters: /\p{Extended_Pictographic}|\p{Emoji_Presentation}|\ufe0f/u,
    package: '@expo-google-fonts/noto-emoji',
    family: 'NotoEmoji',
    languages: [],
    leading: 1.2,
    weights: { 800: 700 },
  },
];

/** The writings of the Japanese, Korean and Chinese fonts that belong to one of them alone. */
const OWN_LETTERS: Readonly<Record<string, RegExp>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ko: /\p{Script=Hangul}/u,
  'zh-Hant': /\p{Script=Bopomofo}/u,
};

/** Subtags of Chinese that is written with traditional characters. */
const TRADITIONAL = /-(hant|tw|mo)(-|$)/i;

/**
 * Returns the language that a text's Han characters are drawn for, `ja`, `ko`, `zh-Hans`, `zh-Hant` or `zh-HK`: the one given
 * where it is written with them, else the one whose own letters the text has, else that of simplified Chinese.
 */
export function guessHanLanguage(text: string, language = ''): string {
  const primary = language.toLowerCase().split('-')[0] ?? '';
  if (primary === 'zh' || primary === 'yue') {
    if (/-hans(-|$)/i.test(language)) return 'zh-Hans';
    if (/-hk(-|$)/i.test(language) || primary === 'yue') return 'zh-HK';
    return TRADITIONAL.test(language) ? 'zh-Hant' : 'zh-Hans';
  }
  if (primary in OWN_LETTERS) return primary;
  return Object.entries(OWN_LETTERS).find(([, letters]) => letters.test(text))?.[0] ?? 'zh-Hans';
}

/** Who draws a language's Han characters nearly as its own font does, where that is not installed. */
const NEXT_BEST: Readonly<Record<string, string>> = { 'zh-HK': 'zh-Hant', 'zh-Hant': 'zh-HK' };

/** Returns the fonts for a character, the best first; none where the base font is the one. */
export function listScriptFonts(character: string, hanLanguage: string): readonly ScriptFont[] {
  const fonts = SCRIPT_FONTS.filter(({ letters }) => letters.test(character));
  const rank = ({ languages }: ScriptFont): number => {
    if (languages.includes(hanLanguage)) return 0;
    return languages.includes(NEXT_BEST[hanLanguage] ?? '') ? 1 : 2;
  };
  return fonts.length < 2 ? fonts : [...fonts].sort((a, b) => rank(a) - rank(b));
}

/** Returns whether a text has letters that are not drawn in the base font, or the display font in its place. */
export function hasScriptFont(text: string): boolean {
  return SCRIPT_FONTS.some(({ letters, languages }) => languages.length > 0 && letters.test(text));
}
