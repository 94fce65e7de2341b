import { normalizeWord } from '../words.js';

/** A unit of time that briefs count in. */
export type TimeUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** The part that a word plays in a time that is told from today on ("next month"), or in a span of time ("for two weeks"). */
export type PeriodWord =
  | { readonly part: 'unit'; readonly unit: TimeUnit }
  | { readonly part: 'near'; readonly offset: 0 | 1; readonly isAfter: boolean }
  | { readonly part: 'count'; readonly count: number }
  | { readonly part: 'relativeDay'; readonly offset: 0 | 1 }
  | { readonly part: 'relative'; readonly unit: TimeUnit; readonly offset: 0 | 1 }
  | { readonly part: 'span'; readonly unit: TimeUnit; readonly count: number }
  | { readonly part: 'campaign' };

const UNITS: Readonly<Record<TimeUnit, string>> = {
  day: 'day days tag tage tagen dia dias jour jours يوم يوما ايام أيام gün dzień dni วัน',
  week: 'week weeks woche wochen semana semanas semaine semaines أسبوع اسبوع الأسبوع أسابيع اسابيع hafta haftası tydzień tygodniu tygodnie tygodni สัปดาห์',
  month:
    'month months monat monate monaten mes meses mois الشهر شهر أشهر شهور ay miesiąc miesiącu miesiące miesięcy เดือน',
  quarter: 'quarter quarters quartal quartale trimestre trimestres çeyrek kwartał kwartale ไตรมาส',
  year: 'year years jahr jahre ano anos annee annees السنة العام yıl rok roku',
};

/** "Next" and "this", which stand before their unit; the words after the bar stand behind it, too. */
const NEAR: readonly (readonly [offset: 0 | 1, words: string])[] = [
  [
    1,
    'next coming upcoming nachste nachsten nachster nachstes kommende kommenden kommender kommendes gelecek önümüzdeki przyszły przyszłym następny następnym | proximo proxima proximos proximas prochain prochaine prochains prochaines viene vem القادم القادمة المقبل المقبلة',
  ],
  [0, 'this current diese diesen dieser dieses diesem este esta ce cette bu هذا هذه'],
];

const COUNTS: readonly string[] = [
  'one واحد eine einen einer ein una uma une',
  'two zwei dos deux dois duas iki dwa dwie اثنان',
  'three drei tres trois üç trzy ثلاثة ثلاث',
  'four vier cuatro quatre quatro dört cztery أربعة أربع',
  'five funf cinco cinq beş pięć خمسة خمس',
  'six sechs seis altı sześć ستة ست',
];

/** Pairs that Arabic has a word of its own for. */
const SPANS: readonly (readonly [unit: TimeUnit, words: string])[] = [
  ['week', 'أسبوعين اسبوعين أسبوعان'],
  ['month', 'شهرين شهران'],
  ['day', 'يومين يومان'],
];

/** Words before which a span of time is that of a flight: "a four-week campaign". */
const CAMPAIGNS = 'campaign campaigns flight burst run kampagne flug campana campagne campanha kampanya kampania';

/** A day that is named from today on; most are words of something else, too. */
const RELATIVE_DAYS: readonly (readonly [offset: 0 | 1, words: string])[] = [
  [0, 'today heute hoy hoje 今日 اليوم'],
  [1, 'tomorrow morgen manana demain amanha 明日 غدا'],
];

const WORDS = new Map<string, PeriodWord>();

function addWords(words: string, meaning: PeriodWord): void {
  for (const word of words.trim().split(' ')) WORDS.set(normalizeWord(word), meaning);
}

for (const [unit, words] of Object.entries(UNITS) as [TimeUnit, string][]) addWords(words, { part: 'unit', unit });
for (const [offset, words] of NEAR) {
  const [before = '', after = ''] = words.split(' | ');
  addWords(before, { part: 'near', offset, isAfter: false });
  if (after !== '') addWords(after, { part: 'near', offset, isAfter: true });
}
for (const [index, words] of COUNTS.entries()) addWords(words, { part: 'count', count: index + 1 });
for (const [unit, words] of SPANS) addWords(words, { part: 'span', unit, count: 2 });
for (const [offset, words] of RELATIVE_DAYS) addWords(words, { part: 'relativeDay', offset });
addWords(CAMPAIGNS, { part: 'campaign' });

/** Times from today on, and spans, that Japanese, Chinese, Korean and Thai write as one word. */
export const EASTERN_PERIOD =
  '[来今](?:四半期|週|月|年)|[下本](?:一?[個个]|一)?(?:月|週|周|季度|季)|[這这][個个](?:月|季度|季)|明年|내년|내달|(?:다음|이번)\\s?(?:달|주|분기)|(?:เดือน|สัปดาห์|ไตรมาส|ปี)(?:หน้า|นี้)|(?:\\d{1,3}|[一二兩两三四五六])\\s?(?:週間|日間|[かヶカヵケ]月間?|年間|주간|주\\s?동안|일간|일\\s?동안|개월\\s?동안|개월간?|[個个]月|[週周天])|[한두세네]\\s?(?:달|주)(?:간|\\s?동안)?';

const EASTERN_NEXT = /^(?:来|下|明年|내년|내달|다음)|หน้า$/u;
const EASTERN_THIS = /^(?:今|本|[這这][個个]|이번)|นี้$/u;
const EASTERN_UNITS: readonly (readonly [pattern: RegExp, unit: TimeUnit])[] = [
  [/四半期|季|분기|ไตรมาส/u, 'quarter'],
  [/週|周|주|สัปดาห์/u, 'week'],
  [/月|달|개월|เดือน/u, 'month'],
  [/日|天|일/u, 'day'],
  [/年|년|ปี/u, 'year'],
];
const EASTERN_COUNTS = ['一한', '二兩两두', '三세', '四네', '五', '六'];

/** Returns the part that a word plays in a time told from today on, or in a span, in any of the languages; undefined where it plays none. */
export function findPeriodWord(word: string): PeriodWord | undefined {
  return WORDS.get(normalizeWord(word));
}

/** Returns a time from today on ("来月", "下個月", "다음 달"), or a span ("2週間", "3주간"), that is one word. */
export function readEasternPeriod(text: string): PeriodWord | undefined {
  const unit = EASTERN_UNITS.find(([pattern]) => pattern.test(text))?.[1];
  if (unit === undefined) return undefined;
  if (EASTERN_NEXT.test(text)) return { part: 'relative', unit, offset: 1 };
  if (EASTERN_THIS.test(text)) return { part: 'relative', unit, offset: 0 };
  const count = /^\d/u.test(text)
    ? Number.parseInt(text, 10)
    : EASTERN_COUNTS.findIndex((words) => words.includes(text.charAt(0))) + 1;
  return count === 0 ? undefined : { part: 'span', unit, count };
}
