import { mix, parseHex } from '../../compose/pictures/color.js';

/** A color that an instruction names. */
type NamedColor = { readonly hex: string; readonly index: number };

/** Names of colors in English, German, French, Spanish, Italian and Portuguese as stems, with what is drawn for them. */
const NAMES: readonly (readonly [pattern: string, hex: string])[] = [
  ['navy|marineblau|bleu marine|azul marino|blu navy|azul-marinho', '#14213d'],
  ['turquoise|teal|türkis|petrol|turquesa|turchese', '#0f8b8d'],
  ['burgundy|maroon|bordeaux(?:rot)?|weinrot|burdeos|granate|bordô', '#6d1a36'],
  ['red|rot(?:e[nmrs]?)?|rouges?|roj[oa]s?|ross[oa]|vermelh[oa]', '#c8102e'],
  ['orange[nsr]?|orangefarben\\w*|naranja|anaranjad[oa]|arancione|laranja', '#e8710a'],
  ['gold(?:en\\w*)?|dorée?s?|dorad[oa]|dorat[oa]|dourad[oa]', '#c9a227'],
  ['yellow|gelb(?:e[nmrs]?)?|jaunes?|amarill[oa]s?|giall[oa]|amarel[oa]', '#f7c600'],
  ['green|grün(?:e[nmrs]?)?|verte?s?|verdes?', '#1b7f3b'],
  ['blue|blau(?:e[nmrs]?)?|bleue?s?|azul(?:es)?|blu|azzurr[oa]', '#1450a3'],
  ['purple|violet|lila(?:farben\\w*)?|violett(?:e[nmrs]?)?|violette?s?|morad[oa]s?|púrpura|viola|rox[oa]', '#5b2a86'],
  ['pink|rosa(?:farben\\w*)?|roses?|rosad[oa]', '#e0457b'],
  ['brown|braun(?:e[nmrs]?)?|marron|brune?s?|marrón|marrone', '#6b4226'],
  ['beige|cream|creme(?:farben\\w*)?|crème|crema', '#efe6d5'],
  ['gr[ae]y|grau(?:e[nmrs]?)?|grise?s?|gris(?:es)?|grigi[oa]|cinza', '#6b7280'],
  ['black|schwarz(?:e[nmrs]?)?|noire?s?|negr[oa]s?|ner[oa]|pret[oa]', '#111111'],
  ['white|weiß(?:e[nmrs]?)?|weiss(?:e[nmrs]?)?|blanc(?:he)?s?|blanc[oa]s?|bianc[oa]|branc[oa]', '#ffffff'],
];
const DARK = 'dark|deep|dunkel|foncée?s?|sombres?|oscur[oa]s?|scur[oa]|escur[oa]';
const LIGHT = 'light|pale|bright|hell|claire?s?|clar[oa]s?|chiar[oa]';
const PATTERNS = NAMES.map(
  ([names, hex]) =>
    [
      new RegExp(
        `(?<!\\p{L})(?:(?:(?<dark>${DARK})|(?<light>${LIGHT}))[\\s-]?)?(?:${names})(?!\\p{L})(?:\\s(?:(?<darkBehind>${DARK})|(?<lightBehind>${LIGHT}))(?!\\p{L}))?`,
        'iu',
      ),
      hex,
    ] as const,
);
const HEX = /(?<![\p{L}\p{N}])#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![\p{L}\p{N}])/iu;

/** Returns the first color of a text, by its name or as `#rgb` or `#rrggbb`; undefined where it names none. */
export function findColor(text: string): NamedColor | undefined {
  const hex = HEX.exec(text);
  const exact = parseHex(hex?.[0]);
  const named = PATTERNS.flatMap(([pattern, color]) => {
    const match = pattern.exec(text);
    if (match === null) return [];
    const { dark, light, darkBehind, lightBehind } = match.groups ?? {};
    return [{ hex: shade(color, dark ?? darkBehind, light ?? lightBehind), index: match.index }];
  });
  const all = [...(hex === null || exact === undefined ? [] : [{ hex: exact, index: hex.index }]), ...named];
  return all.sort((one, other) => one.index - other.index)[0];
}

function shade(color: string, dark: string | undefined, light: string | undefined): string {
  if (dark !== undefined) return mix(color, '#000000', 0.4);
  return light === undefined ? color : mix(color, '#ffffff', 0.5);
}

/** Whether a text is a color and nothing else beside articles. */
export function isColorAlone(text: string): boolean {
  const rest = PATTERNS.reduce((left, [pattern]) => left.replace(pattern, ' '), text.replace(HEX, ' '));
  return rest !== text && !/\p{L}/u.test(rest.replace(FILLERS, ' '));
}

const FILLERS =
  /(?<!\p{L})(?:a|an|the|in|our|more|very|be|color|colou?red|ein(?:e[nmrs]?)?|einem|sehr|farbe|un|une|en|le|la|el|couleur|color|muy|très)(?!\p{L})/giu;
