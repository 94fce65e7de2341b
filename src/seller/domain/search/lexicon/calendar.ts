import { normalizeWord } from '../words.js';

/** The part that a word of a calendar plays: a month, an ordinal, a quarter, or what joins and limits days. */
export type CalendarPart =
  | 'month'
  | 'ordinal'
  | 'quarter'
  | 'to'
  | 'and'
  | 'or'
  | 'between'
  | 'in'
  | 'of'
  | 'from'
  | 'until'
  | 'refusing'
  | 'vague';

/**
 * A word of a calendar; `value` is the month, 1 to 12, or the ordinal. `isUnsure`: it is a word of something else, too ("may", "march").
 */
type CalendarWord = { readonly part: CalendarPart; readonly value?: number; readonly isUnsure?: boolean };

/** The months in English, German, Spanish, French, Portuguese and Arabic (Japanese ones are numbers); those after the bar are other words, too. */
const MONTHS: readonly string[] = [
  'january januar janner enero janvier janeiro يناير | jan',
  'february februar feber febrero fevrier fevereiro فبراير | feb',
  'marz marzo مارس | march mars marco mar',
  'april abril avril أبريل ابريل | apr abr',
  'mai mayo maio مايو | may',
  'june juni junio juin junho يونيو يونيه | jun',
  'july juli julio juillet julho يوليو يوليه | jul',
  'august agosto aout أغسطس اغسطس | aug ago',
  'september septiembre setiembre septembre setembro سبتمبر | sep sept',
  'october oktober octubre octobre outubro أكتوبر اكتوبر | oct okt',
  'november noviembre novembre novembro نوفمبر | nov',
  'december dezember diciembre decembre dezembro ديسمبر | dec dez dic',
];

const ORDINALS: readonly string[] = [
  'first erste erstes ersten primer primero premier primeiro الأول',
  'second zweite zweites zweiten segundo deuxieme الثاني',
  'third dritte drittes dritten tercer tercero troisieme terceiro الثالث',
  'fourth vierte viertes vierten cuarto quatrieme quarto الرابع',
];

const PARTS: Readonly<Record<Exclude<CalendarPart, 'month' | 'ordinal'>, string>> = {
  quarter: 'quarter quartal trimestre الربع',
  to: 'to through thru al a au ao إلى から - – — ~ 〜 ～',
  and: 'and und y et e و & と',
  or: 'or oder o ou أو または',
  between: 'between zwischen entre بين',
  in: 'in on during throughout for this im am wahrend en durante em no na pendant في خلال',
  of: 'of de des do the den dem der le les el los la du del',
  from: 'from starting starts start beginning begin ab von vom desde partir من',
  until: 'until till by bis hasta jusqu ate حتى まで',
  refusing:
    'not except excluding nicht ausser sauf excepto exceto before after vor nach antes despues avant apres depois قبل بعد',
  vague: 'early mid late middle end anfang mitte ende principios mediados finales debut mi fin inicio meados',
};

const WORDS = new Map<string, CalendarWord>();

function addWords(words: string, meaning: CalendarWord): void {
  for (const word of words.split(' ')) WORDS.set(normalizeWord(word), meaning);
}

for (const [part, words] of Object.entries(PARTS) as [CalendarPart, string][]) addWords(words, { part });
for (const [index, words] of ORDINALS.entries()) addWords(words, { part: 'ordinal', value: index + 1 });
for (const [index, words] of MONTHS.entries()) {
  const [sure = '', unsure = ''] = words.split(' | ');
  addWords(sure, { part: 'month', value: index + 1 });
  addWords(unsure, { part: 'month', value: index + 1, isUnsure: true });
}

/** Returns the part that a word plays in a calendar, in any of the languages; undefined where it plays none. */
export function findCalendarWord(word: string): CalendarWord | undefined {
  return WORDS.get(normalizeWord(word));
}
