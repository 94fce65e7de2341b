/** Frequent words of languages that briefs are written in and not read in, by which a brief in one of them is known. */
const COMMON: Readonly<Record<string, string>> = {
  fi: 'ja|on|ei|sekä|myös|meidän|kanssa|mainos|painike|kohderyhmä|saa|asti',
  hu: 'és|az|egy|nem|hogy|vagy|hirdetés|gomb|számára|is',
  vi: 'và|cho|của|không|là|với|quảng|nút|giảm|đến|trong|người',
  id: 'dan|untuk|dengan|yang|tidak|kami|iklan|tombol|diskon|dari|hingga',
  sk: 'a|pre|na|sa|že|je|v|do|od|z|s|so|alebo|nie|naše|ako|až|zľava|tlačidlo|reklama|kúpiť',
  bg: 'и|за|на|с|от|не|да|се|до|в|нашия|нашата|нашите|или|бутон|реклама|отстъпка',
  hr: 'i|za|na|s|sa|je|se|od|do|u|ne|ili|naš|naše|gumb|dugme|oglas|popust|samo|bez',
  sl: 'in|za|na|z|s|je|se|od|do|v|ne|ali|naš|naše|gumb|oglas|popust|samo|brez',
  et: 'ja|on|ei|kuni|meie|uus|reklaam|nupp|soodustus|koos|ning|kõik|teie',
  lv: 'un|ir|ar|no|uz|līdz|mūsu|jaunais|reklāma|poga|atlaide|nav|vai|tikai',
  lt: 'ir|su|iki|mūsų|nauja|reklama|mygtukas|nuolaida|ne|arba|tik|yra|už',
};
const WORDS = Object.entries(COMMON).map(
  ([language, words]) => [language, new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`, 'giu')] as const,
);
/** Letters without which a text is not in a language whose frequent words another one has too. */
const OWN_LETTERS: Readonly<Record<string, RegExp>> = {
  sk: /[ľĺŕôä]/iu,
  bg: /ъ/iu,
  hr: /[čćžšđ]/iu,
  sl: /[čžš]/iu,
};
/** Fewer may be in a brief of any language. */
const LEAST = 3;

/** Returns the language of a text as a BCP 47 tag, and how many of its words tell so, where it is none that briefs are read in; undefined where nothing tells. */
export function detectUnread(text: string): { readonly language: string; readonly score: number } | undefined {
  const scores = WORDS.filter(([language]) => OWN_LETTERS[language]?.test(text) !== false).map(([language, words]) => ({
    language,
    score: text.match(words)?.length ?? 0,
  }));
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score < LEAST ? undefined : best;
}
