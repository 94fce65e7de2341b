import { stem } from './words.js';

/** A term of the index that a word of a brief points at, and how strongly, 0 to 1. Facets look like `channel:ctv`; the rest are word stems. */
export type Pointer = readonly [term: string, weight: number];

/** The trade's words, one meaning per row: what a brief may say, and the index terms it points at (`*0.8`: how strongly). */
const MEANINGS: readonly (readonly [phrases: string, pointers: string])[] = [
  ['video, pre roll, preroll, mid roll, midroll, instream, in stream', 'channel:olv channel:ctv*0.9'],
  ['online video, olv, web video, mobile video, outstream', 'channel:olv'],
  ['ctv, connected tv, smart tv, ott, streaming tv, tv streaming, avod', 'channel:ctv'],
  ['tv, television', 'channel:linear_tv channel:ctv*0.9'],
  ['linear tv, broadcast, broadcast tv', 'channel:linear_tv channel:ctv*0.6'],
  ['streaming', 'channel:ctv*0.8 channel:streaming_audio*0.7'],
  ['audio, sound', 'channel:streaming_audio channel:podcast*0.9 channel:radio*0.8'],
  ['streaming audio, music streaming, music, spotify, deezer, pandora, soundcloud', 'channel:streaming_audio music'],
  ['radio, digital radio, web radio', 'channel:radio channel:streaming_audio*0.9 channel:podcast*0.6'],
  ['podcast, host read', 'channel:podcast channel:streaming_audio*0.6'],
  ['dooh, digital out of home, digital billboard', 'channel:dooh'],
  ['ooh, out of home, billboard, screen, digital signage, signage, transit, poster', 'channel:dooh channel:ooh'],
  ['outdoor, outdoor advertising, outdoor media, outdoor screen', 'channel:dooh*0.8 channel:ooh*0.8 outdoor*0.9'],
  ['banner, display, mpu, leaderboard, skyscraper, half page, medium rectangle', 'channel:display'],
  ['social, social media', 'channel:social'],
  ['newsletter, email', 'channel:email'],
  ['search ads, paid search, sem', 'channel:search'],
  ['retail media, sponsored products', 'channel:retail_media'],
  ['gaming, games, in game', 'channel:gaming*0.8'],
  ['cinema, movie theatre, movie theater', 'channel:cinema'],
  ['print, magazine, newspaper', 'channel:print*0.8'],
  ['cheap, affordable, low cost, performance, direct response, click, traffic, cost per click', 'model:cpc*0.8'],
  ['cpc', 'model:cpc'],
  ['cpm, cost per thousand', 'model:cpm'],
  ['vcpm, viewable, viewability, viewable impression', 'model:vcpm'],
  ['cpcv, completed view, completion, completion rate, cost per completed view', 'model:cpcv'],
  ['cpv, cost per view', 'model:cpv'],
  ['cpa, cost per acquisition, cost per action', 'model:cpa'],
  ['cpp, grp', 'model:cpp'],
  ['flat rate, flat fee, sponsorship, sponsor, takeover, roadblock', 'model:flat_rate*0.9'],
  ['exclusive, exclusivity, sole sponsor', 'exclusivity:exclusive exclusivity:category*0.6'],
  [
    'awareness, branding, brand awareness, upper funnel',
    'channel:ctv*0.5 channel:dooh*0.5 channel:olv*0.4 model:vcpm*0.3',
  ],
  ['guaranteed, guarantee, reserved, reservation, programmatic guaranteed', 'delivery:guaranteed'],
  ['non guaranteed, nonguaranteed, remnant, run of site, ros', 'delivery:non_guaranteed'],
  ['programmatic, rtb, biddable, bidding, open exchange', 'price:auction delivery:non_guaranteed*0.8'],
  ['auction, bid', 'price:auction'],
  ['fixed price, fixed rate, fixed cpm', 'price:fixed'],
  ['dollar, usd', 'currency:usd'],
  ['euro, eur', 'currency:eur'],
  ['pound sterling, sterling, pounds, gbp', 'currency:gbp'],
  ['yen, jpy', 'currency:jpy'],
  ['swiss franc, chf', 'currency:chf'],
  ['sport, athletic, football, soccer, basketball, tennis, cricket, rugby, olympics', 'sports*0.9'],
  ['current affairs, journalism', 'news*0.9'],
  ['business, finance, financial, investor, b2b, executive', 'finance*0.9 business*0.9'],
  ['tech, technology, gadget, electronics', 'tech*0.9 technology*0.9'],
  ['food, cooking, recipe, grocery, fmcg, cpg', 'food*0.9 cooking*0.9 recipe*0.9'],
  ['travel, tourism, holiday, airline, hotel', 'travel*0.9'],
  ['car, auto, automotive, vehicle, ev', 'car*0.9 auto*0.9 automotive*0.9'],
  ['commuter, commuting, rail, train, metro, subway, station', 'commuting*0.9 commuter*0.9 transit*0.8 station*0.8'],
  ['mobile, smartphone, in app', 'mobile*0.9'],
];

/** Words after "outdoor" that mean people's leisure, not screens. */
const OUTDOOR_LIFE =
  'lifestyle apparel gear brand content recreation sports enthusiasts retailer clothing programming adventure';

/** Too weak to choose a product by, good enough to break a tie. */
const WEAK_WORDS =
  'premium quality high national local content programming measurement impact digital online site website primetime state machine testing';

const EUROPE = 'gb de fr es it nl be ch at ie se no dk fi pl pt';

/** ISO 3166-1 alpha-2 and what a brief may call the country. */
const COUNTRIES: readonly (readonly [code: string, names: string])[] = [
  ['us', 'usa, united states, america, american, stateside'],
  ['gb', 'uk, united kingdom, great britain, britain, british, england, scotland, wales'],
  ['ca', 'canada, canadian'],
  ['de', 'germany, german, deutschland'],
  ['fr', 'france, french'],
  ['es', 'spain, spanish'],
  ['it', 'italy, italian'],
  ['nl', 'netherlands, dutch, holland'],
  ['be', 'belgium, belgian'],
  ['ch', 'switzerland, swiss'],
  ['at', 'austria, austrian'],
  ['ie', 'ireland, irish'],
  ['se', 'sweden, swedish'],
  ['no', 'norway, norwegian'],
  ['dk', 'denmark, danish'],
  ['fi', 'finland, finnish'],
  ['pl', 'poland, polish'],
  ['pt', 'portugal, portuguese'],
  ['au', 'australia, australian'],
  ['nz', 'new zealand'],
  ['jp', 'japan, japanese'],
  ['in', 'india, indian'],
  ['br', 'brazil, brazilian'],
  ['mx', 'mexico, mexican'],
  ['za', 'south africa'],
  ['sg', 'singapore'],
  ['ae', 'uae, emirates, united arab emirates, dubai'],
  ['ar', 'argentina, argentinian'],
  ['cl', 'chile, chilean'],
  ['cn', 'china, chinese'],
  ['co', 'colombia, colombian'],
  ['cz', 'czechia, czech, czech republic'],
  ['gr', 'greece, greek'],
  ['hk', 'hong kong'],
  ['hu', 'hungary, hungarian'],
  ['id', 'indonesia, indonesian'],
  ['il', 'israel, israeli'],
  ['kr', 'korea, korean, south korea'],
  ['my', 'malaysia, malaysian'],
  ['ph', 'philippines, filipino'],
  ['ro', 'romania, romanian'],
  ['sa', 'saudi arabia, saudi'],
  ['th', 'thailand, thai'],
  ['tr', 'turkey, turkish'],
  ['tw', 'taiwan, taiwanese'],
  ['ua', 'ukraine, ukrainian'],
  ['vn', 'vietnam, vietnamese'],
];

const ROWS: readonly (readonly [phrases: string, pointers: string])[] = [
  ...MEANINGS,
  ...OUTDOOR_LIFE.split(' ').map((what) => [`outdoor ${what}`, `outdoor ${what}*0.8`] as const),
  ...WEAK_WORDS.split(' ').map((word) => [word, `${word}*0.3`] as const),
  ...COUNTRIES.map(([code, names]) => [names, `country:${code}`] as const),
  ['europe, european, emea, eu', countryPointers(EUROPE)],
  ['dach', countryPointers('de at ch')],
  ['north america', countryPointers('us ca')],
];

const PHRASES: ReadonlyMap<string, readonly Pointer[]> = new Map(
  ROWS.flatMap(([phrases, pointers]) => {
    const parsed = pointers.split(' ').map(parsePointer);
    return phrases.split(', ').map((phrase) => [phrase.split(' ').map(stem).join(' '), parsed] as const);
  }),
);

function countryPointers(codes: string): string {
  return codes.replace(/\w+/g, 'country:$&');
}

function parsePointer(text: string): Pointer {
  const [term = '', weight = '1'] = text.split('*');
  return [term.includes(':') ? term : stem(term), Number(weight)];
}

/** The most words of a phrase, by the stem it begins with. */
const LENGTHS: ReadonlyMap<string, number> = longestByFirstWord(PHRASES.keys());

function longestByFirstWord(phrases: Iterable<string>): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const phrase of phrases) {
    const stems = phrase.split(' ');
    const first = stems[0] ?? '';
    longest.set(first, Math.max(stems.length, longest.get(first) ?? 0));
  }
  return longest;
}

/** Returns how many words the longest phrase of the table has that begins with this stem; 0 for none. */
export function longestPhraseFrom(firstStem: string): number {
  return LENGTHS.get(firstStem) ?? 0;
}

/** Returns the terms that a phrase points at, if the table has it; `stems` are its words' stems, parted by one blank. */
export function findMeaning(stems: string): readonly Pointer[] | undefined {
  return PHRASES.get(stems);
}

const COUNTRY_CODES: ReadonlyMap<string, string> = new Map([
  ...COUNTRIES.map(([code]) => [code.toUpperCase(), code] as const),
  ['UK', 'gb'],
]);

const ENGLISH_WORDS: ReadonlySet<string> = new Set(['IN', 'IT', 'NO', 'AT', 'BE', 'ID', 'CO', 'MY']);

/** Returns the country whose code is the word at `at`, in lower case. "IN" and its like count only beside another code. */
export function countryCodeAt(words: readonly string[], at: number): string | undefined {
  const word = words[at] ?? '';
  const beside = [words[at - 1], words[at + 1]].some((other) => other !== undefined && COUNTRY_CODES.has(other));
  return ENGLISH_WORDS.has(word) && !beside ? undefined : COUNTRY_CODES.get(word);
}

/** Whether a pointer names a country. */
export function isCountry([term]: Pointer): boolean {
  return term.startsWith('country:');
}

/** Whether a term of the index is the stem of a word, and not a facet. */
export function isWord(term: string): boolean {
  return !term.includes(':');
}
