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
  day: 'day days tag tage tagen dia dias jour jours يوم يوما ايام أيام',
  week: 'week weeks woche wochen semana semanas semaine semaines أسبوع اسبوع الأسبوع أسابيع اسابيع',
  month: 'month months monat monate monaten mes meses mois الشهر شهر أشهر شهور',
  quarter: 'quarter quarters quartal quartale trimestre trimestres',
  year: 'year years jahr jahre ano anos annee annees السنة العام',
};

/** "Next" and "this", which stand before their unit; the words after the bar stand behind it, too. */
const NEAR: readonly (readonly [offset: 0 | 1, words: string])[] = [
  [
    1,
    'next coming upcoming nachste nachsten nachster nachstes kommende kommenden kommender kommendes | proximo proxima proximos proximas prochain prochaine prochains prochaines viene vem القادم القادمة المقبل المقبلة',
  ],
  [0, 'this current diese diesen dieser dieses diesem este esta ce cette هذا هذه'],
];

const COUNTS: readonly string[] = [
  'one eine einen einer ein una uma une',
  'two zwei dos deux dois duas',
  'three drei tres trois',
  'four vier cuatro quatre quatro',
  'five funf cinco cinq',
  'six sechs seis',
];

/** Pairs that Arabic has a word of its own for. */
const SPANS: readonly (readonly [unit: TimeUnit, words: string])[] = [
  ['week', 'أسبوعين اسبوعين أسبوعان'],
  ['month', 'شهرين شهران'],
  ['day', 'يومين يومان'],
];

/** Words before which a span of time is that of a flight: "a four-week campaign". */
const CAMPAIGNS = 'campaign campaigns flight burst run kampagne flug campana campagne campanha';

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

const JAPANESE_NEAR = { 来: 1, 今: 0 } as const;
const JAPANESE_UNITS: readonly (readonly [pattern: RegExp, unit: TimeUnit])[] = [
  [/四半期$/u, 'quarter'],
  [/(?:週|週間)$/u, 'week'],
  [/(?:月|[かヶカヵケ]月|[かヶカヵケ]月間)$/u, 'month'],
  [/(?:日|日間)$/u, 'day'],
  [/年(?:間)?$/u, 'year'],
];

/** Returns the part that a word plays in a time told from today on, or in a span, in any of the languages; undefined where it plays none. */
export function findPeriodWord(word: string): PeriodWord | undefined {
  return WORDS.get(normalizeWord(word));
}

/** Returns a Japanese time from today on ("来月"), or a span ("2週間"), which are one word. */
export function readJapanesePeriod(text: string): PeriodWord | undefined {
  const unit = JAPANESE_UNITS.find(([pattern]) => pattern.test(text))?.[1];
  if (unit === undefined) return undefined;
  const offset = JAPANESE_NEAR[text[0] as keyof typeof JAPANESE_NEAR];
  if (offset !== undefined) return { part: 'relative', unit, offset };
  const count = Number.parseInt(text, 10);
  return Number.isNaN(count) ? undefined : { part: 'span', unit, count };
}
