import { registrableDomain } from '../../platform/net/registrable-domain.js';
import { unicodeHost } from '../../platform/signing/target-uri.js';

/** Letters of other scripts by the ASCII that they are mistaken for, as they may stand in a domain name (Unicode UTS 39, confusables). */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '2': 'ƻᒿ',
  '6': 'б',
  '8': 'ȣ৪੪',
  '9': '৭੧୨൭',
  a: 'ɑαаᗅꓮ',
  aa: 'ꜳ',
  ae: 'æӕ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀƃɓѣҍᑲᑳᖯᗷꓐ',
  c: 'ȼсҫᴄⲥꓚ',
  d: 'đƌɖɗԁᑯᗞᗪꓒꓓ',
  dz: 'ʣ',
  e: 'ɇеҽҿⴹꓰꬲ',
  f: 'ƒքᖴᵮẝꓝꞙꬵ',
  g: 'ƍǥɠɡցᶃꓖ',
  h: 'ħɦћһհᕼꓧꚕ',
  i: 'ıɨɩɪιіӏᵻᵼꙇ',
  j: 'ɉϳјᒍꓙ',
  k: 'ƙᛕꓗ',
  l: 'łƚǀɫɭᒪᛁⵏꓡꓲ',
  ll: 'ǁ',
  ls: 'ʪ',
  lz: 'ʫ',
  m: 'ᗰᛖꓟ',
  n: 'ƞɳηոռᵰꓠ',
  o: 'øɵθοσоѳөօ०০੦૦ଠ୦௦౦೦ഠ൦๐໐တဝ၀ჿዐᴏᴑⲟⴱⵁⵔꓳꝋꬽꬾ',
  oe: 'œ',
  oo: 'ꚙꝏ',
  p: 'ƥρрᑭᵽⲣꓑ',
  q: 'ʠԛգզⵕ',
  r: 'ɍɼɽгғᖇᴦᵲⲅꓣꭇꭈ',
  rn: 'ɱᵯ',
  s: 'ƽʂѕᵴꓢꜱ',
  t: 'ŧƭᵵꓔ',
  tf: 'ꝷ',
  ts: 'ʦ',
  u: 'ʋυսሀᑌᴜᵾꓴꞟꭎꭒ',
  ue: 'ᵫ',
  uo: 'ꭣ',
  v: 'νѵᐯᴠⴸꓦꛟ',
  w: 'ɯѡѽԝաᴡꓪꝡ',
  x: 'хᕁᕽᚷⵝꓫ',
  y: 'ƴɏɣʏγуүұყᶌỿꓬꭚ',
  z: 'ƶȥʐᴢᵶꓜ',
};

/** ASCII that is mistaken for other ASCII, in the order in which it is replaced. */
const FOLDS: readonly (readonly [seen: RegExp, taken: string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/0/g, 'o'],
  [/[1i]/g, 'l'],
  [/5/g, 's'],
];

/** Scripts that are written together; letters of any others in one label are a disguise more often than a name. */
const SCRIPTS: readonly RegExp[] = [
  /^\p{Script=Latin}$/u,
  /^\p{Script=Greek}$/u,
  /^\p{Script=Cyrillic}$/u,
  /^\p{Script=Armenian}$/u,
  /^\p{Script=Hebrew}$/u,
  /^\p{Script=Arabic}$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]$/u,
];
const EAST_ASIAN = SCRIPTS.length - 1;
/** Letters of no one script, such as the mark of a long vowel. */
const SHARED = /^[\p{Script=Common}\p{Script=Inherited}]$/u;

let lookedUp: ReadonlyMap<string, string> | undefined;

/**
 * Returns what a domain name looks like: two names with one skeleton can be mistaken for each other, whoever owns them. Accents are
 * dropped, look-alike letters become the ASCII that they resemble, and so do digits and pairs (`0` and `o`, `rn` and `m`).
 */
export function skeleton(domain: string): string {
  return FOLDS.reduce((text, [seen, taken]) => text.replace(seen, taken), readAsLatin(domain));
}

/** Returns what the name of a registrant looks like, without its suffix: `g00gle.example` and `google.com` have one. */
export function nameSkeleton(domain: string): string {
  const registrable = registrableDomain(domain) ?? domain;
  return skeleton(registrable.slice(0, registrable.indexOf('.')));
}

/**
 * Returns why a domain name is suspicious by itself, as the end of "it …", such as a label that mixes scripts or reads
 * as ASCII in another; undefined for most names.
 */
export function disguise(domain: string): string | undefined {
  if (!domain.includes('xn--')) return undefined;
  const shown = shownName(domain);
  const labels = shown.split('.');
  if (labels.some(isMixed)) return `mixes scripts (${shown})`;
  const read = readAsLatin(domain);
  const isForeign = labels.some((label) => /\p{L}/u.test(label) && !/\p{Script=Latin}/u.test(label));
  return isForeign && /^[a-z0-9.-]+$/.test(read) ? `is written ${shown} and reads like "${read}"` : undefined;
}

/** Returns a name with its accents dropped and its look-alike letters replaced. */
function readAsLatin(domain: string): string {
  if (!domain.includes('xn--')) return domain;
  lookedUp ??= new Map(Object.entries(LOOKS_LIKE).flatMap(([ascii, row]) => [...row].map((one) => [one, ascii])));
  const plain = shownName(domain).normalize('NFKD').replace(/\p{M}/gu, '');
  return [...plain].map((letter) => lookedUp?.get(letter) ?? letter).join('');
}

/** Returns a name as people see it. */
function shownName(domain: string): string {
  return unicodeHost(domain) ?? domain;
}

function isMixed(label: string): boolean {
  const letters = [...label].filter((one) => /\p{L}/u.test(one) && !SHARED.test(one));
  const scripts = new Set(letters.map((one) => SCRIPTS.findIndex((script) => script.test(one))));
  // Latin beside Chinese, Japanese or Korean is how names are written there.
  if (scripts.has(EAST_ASIAN)) scripts.delete(0);
  return scripts.size > 1;
}
