/** Frequent words of languages that briefs are written in and not read in, by which a brief in one of them is known. */
const COMMON: Readonly<Record<string, string>> = {
  sv: 'och|för|med|är|på|av|till|inte|ett|som|vår|våra|knapp|målgrupp|reklam',
  da: 'og|til|med|på|af|ikke|et|som|vores|knap|målgruppe|indtil|uden',
  nb: 'og|til|med|på|av|ikke|et|som|vår|våre|knapp|målgruppe|frem|uten',
  fi: 'ja|on|ei|sekä|myös|meidän|kanssa|mainos|painike|kohderyhmä|saa|asti',
  cs: 'a|pro|na|se|že|je|naše|nebo|reklama|tlačítko|bez|který|jako',
  hu: 'és|az|egy|nem|hogy|vagy|hirdetés|gomb|számára|is',
  ro: 'și|pentru|cu|nu|este|din|la|noastre|reclamă|buton|sau|până',
  vi: 'và|cho|của|không|là|với|quảng|nút|giảm|đến|trong|người',
  id: 'dan|untuk|dengan|yang|tidak|kami|iklan|tombol|diskon|dari|hingga',
  uk: 'та|для|з|і|не|до|від|реклама|кнопка|що|наш|або',
  el: 'και|για|με|το|τη|του|στη|στο|από|την|δεν|μην',
};
const WORDS = Object.entries(COMMON).map(
  ([language, words]) => [language, new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`, 'giu')] as const,
);
/** Letters without which a text is not in a language whose frequent words another one has too. */
const OWN_LETTERS: Readonly<Record<string, RegExp>> = { uk: /[іїєґ]/iu };
/** Fewer may be in a brief of any language. */
const LEAST = 3;

/** Returns the language of a text as a BCP 47 tag, and how many of its words tell so, where it is none that briefs are read in; undefined where nothing tells. */
export function tellUnread(text: string): { readonly language: string; readonly score: number } | undefined {
  const scores = WORDS.filter(([language]) => OWN_LETTERS[language]?.test(text) !== false).map(([language, words]) => ({
    language,
    score: text.match(words)?.length ?? 0,
  }));
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score < LEAST ? undefined : best;
}
