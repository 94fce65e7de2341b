/** A term of the index that a word of a brief points at, and how strongly, 0 to 1. Facets look like `channel:ctv`; the rest are word stems. */
export type Pointer = readonly [term: string, weight: number];

const TOKEN = /[\p{L}\p{N}]+/gu;
const MARKS = /\p{M}+/gu;
const NON_ASCII = /[^\p{ASCII}]/u;

/** The words of a text in their order, as they were written; accents are dropped. */
export function wordsOf(text: string): readonly string[] {
  const plain = NON_ASCII.test(text) ? text.normalize('NFKD').replace(MARKS, '') : text;
  return plain.match(TOKEN) ?? [];
}

const UNSTEMMED = new Set(['news', 'series', 'business', 'always', 'sales', 'us', 'ads']);

/** The stem that a lower-case word is indexed by: plural, -ing, -ed and a final -e fall off, and a doubled last consonant. */
export function stem(word: string): string {
  if (word.length < 4 || UNSTEMMED.has(word)) return word;
  let root = word;
  if (root.endsWith('ies') && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (root.endsWith('s') && !root.endsWith('ss') && !root.endsWith('us') && !root.endsWith('is'))
    root = root.slice(0, -1);
  if (root.endsWith('ing') && root.length > 5) root = undouble(root.slice(0, -3));
  else if (root.endsWith('ed') && root.length > 4) root = undouble(root.slice(0, -2));
  return root.endsWith('e') && root.length > 3 ? root.slice(0, -1) : root;
}

function undouble(root: string): string {
  const last = root.at(-1) ?? '';
  return root.length > 3 && last === root.at(-2) && !'aeiousl'.includes(last) ? root.slice(0, -1) : root;
}

/** Words that say nothing about a product: grammar, and what every brief of the trade says. */
const STOP_WORDS = new Set(
  [
    'a an the and or but of for to in on at by with from into as is are be been our we i my me your you it its this that these those they their them',
    'will would should could can may must need needs want wants like looking look seeking find show tell give get please help us all any some more',
    'most very across around about over under between per via plus also who whose which what when where how than then so if both each other within',
    'near before after while during bought sell sold haven hasn don doesn isn wasn won up down out off only just use using run running',
    'drive driving build building reach reaching target targeting focus including include based',
    'ad ads advert adverts advertise advertising advertisement campaign campaigns media buy buying plan planning inventory product products option',
    'options placement placements flight budget total spend spending brand brands audience audiences people consumer consumers adult adults user users',
    'available offer offers package packages deal deals details format formats publisher publishers strategy objective goal kpi launch new best good',
    'month months week weeks day days year years q1 q2 q3 q4 h1 h2 january february march april june july august september october november december',
  ].flatMap((line) => line.split(' ')),
);

/** Whether a lower-case word of a brief is to be skipped: grammar, trade noise, or a bare number such as 50 or 50k. */
export function saysNothing(word: string): boolean {
  return word.length < 2 || STOP_WORDS.has(word) || BARE_NUMBER.test(word);
}

const BARE_NUMBER = /^\d+(k|m|mm|mio)?$/;

/** Words after which the next word is what the brief does not want. */
export const NEGATIONS: ReadonlySet<string> = new Set([
  'no',
  'not',
  'without',
  'except',
  'excluding',
  'exclude',
  'avoid',
]);

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

/** What stands outdoors with people, not with screens. */
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
  ['europe, european, emea, eu', countriesOf(EUROPE)],
  ['dach', countriesOf('de at ch')],
  ['north america', countriesOf('us ca')],
];

const PHRASES: ReadonlyMap<string, readonly Pointer[]> = new Map(
  ROWS.flatMap(([phrases, pointers]) => {
    const parsed = pointers.split(' ').map(parsePointer);
    return phrases.split(', ').map((phrase) => [phrase.split(' ').map(stem).join(' '), parsed] as const);
  }),
);

function countriesOf(codes: string): string {
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

/** How many words the longest known phrase has that begins with this stem; 0 for none. */
export function longestPhraseFrom(firstStem: string): number {
  return LENGTHS.get(firstStem) ?? 0;
}

/** What a phrase points at, if the table knows it; `stems` are its words' stems, parted by one blank. */
export function meaningOf(stems: string): readonly Pointer[] | undefined {
  return PHRASES.get(stems);
}

const COUNTRY_CODES: ReadonlyMap<string, string> = new Map([
  ...COUNTRIES.map(([code]) => [code.toUpperCase(), code] as const),
  ['UK', 'gb'],
]);
const ENGLISH_WORDS: ReadonlySet<string> = new Set(['IN', 'IT', 'NO', 'AT', 'BE', 'ID', 'CO', 'MY']);

/** The country whose code stands at `at`, in lower case. "IN" and its like count only beside another code. */
export function countryCodeAt(words: readonly string[], at: number): string | undefined {
  const word = words[at] ?? '';
  const beside = [words[at - 1], words[at + 1]].some((other) => other !== undefined && COUNTRY_CODES.has(other));
  return ENGLISH_WORDS.has(word) && !beside ? undefined : COUNTRY_CODES.get(word);
}

/** An amount of money that a brief mentions; `currency` is undefined where it names none. */
export type Money = { readonly amount: number; readonly currency: string | undefined };

const CURRENCY_SIGNS: Readonly<Record<string, string>> = {
  $: 'USD',
  us$: 'USD',
  usd: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  '¥': 'JPY',
  jpy: 'JPY',
  yen: 'JPY',
  cad: 'CAD',
  aud: 'AUD',
  chf: 'CHF',
  sek: 'SEK',
};
const SIGN = 'us\\$|[$€£¥]|usd|dollars?|eur|euros?|gbp|pounds?|jpy|yen|cad|aud|chf|sek';
const MONEY = new RegExp(
  `(${SIGN})?\\s{0,2}(\\d{1,3}(?:[.,]\\d{3}){1,3}|\\d{1,12}(?:[.,]\\d{1,2})?)\\s?(k|thousand|m|mn|mio|million)?(?![\\p{L}\\p{N}])\\s{0,2}(?:(${SIGN})(?!\\s?\\d))?(?:\\s{0,2}(v?cp[a-z]{1,2}))?`,
  'giu',
);
const SCALES: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, mn: 1e6, mio: 1e6, million: 1e6 };
const SPEND_WORD = /budget|spend|invest/i;
const SPEND_WORD_REACH_CHARS = 24;
const LEAST_BARE_BUDGET = 500;

/** The largest budget a brief mentions ("$50k", "25,000 EUR", "budget of 5000"), or undefined. Prices ("$12 CPM") are no budgets. */
export function budgetOf(brief: string): Money | undefined {
  let largest: Money | undefined;
  for (const match of brief.matchAll(MONEY)) {
    const [, before, digits = '', scale = '', after, model] = match;
    const sign = (before ?? after)?.toLowerCase();
    const lead = brief.slice(Math.max(0, match.index - SPEND_WORD_REACH_CHARS), match.index);
    if (model !== undefined || (sign === undefined && !SPEND_WORD.test(lead))) continue;
    const amount = numberOf(digits) * (SCALES[scale.toLowerCase()] ?? 1);
    if (sign === undefined && amount < LEAST_BARE_BUDGET) continue;
    if (amount > (largest?.amount ?? 0))
      largest = { amount, currency: sign === undefined ? undefined : CURRENCY_SIGNS[sign] };
  }
  return largest;
}

/** "50,000" and "50.000" are thousands, "1.5" and "1,5" are not. */
function numberOf(digits: string): number {
  return Number(/[.,]\d{3}$/.test(digits) ? digits.replace(/[.,]/g, '') : digits.replace(',', '.'));
}
