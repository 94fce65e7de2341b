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
  | 'vague'
  | 'halfMonth';

/**
 * A word of a calendar; `value` is the month, 1 to 12, or the ordinal. `isUnsure`: it is a word of something else, too ("may", "march");
 * `needsDay`: it is one so often that it is a month behind a day alone ("15 marca").
 */
type CalendarWord = {
  readonly part: CalendarPart;
  readonly value?: number;
  readonly isUnsure?: boolean;
  readonly needsDay?: boolean;
};

/**
 * The months in English, German, Spanish, French, Portuguese, Arabic, Thai, Turkish and Polish (those of East Asia are numbers); those after the
 * bar are other words, too, and those after the second are months behind a day alone.
 */
const MONTHS: readonly string[] = [
  'january januar janner enero janvier janeiro يناير มกราคม ocak stycznia styczeń styczniu | jan',
  'february februar feber febrero fevrier fevereiro فبراير กุมภาพันธ์ şubat lutego luty lutym | feb',
  'marz marzo مارس มีนาคม marzec marcu | march mars marco mar | mart marca',
  'april abril avril أبريل ابريل เมษายน nisan kwietnia kwiecień kwietniu | apr abr',
  'mai mayo maio مايو พฤษภาคม mayıs maju | may | maja maj',
  'june juni junio juin junho يونيو يونيه มิถุนายน haziran czerwca czerwiec czerwcu | jun',
  'july juli julio juillet julho يوليو يوليه กรกฎาคม temmuz lipca lipiec lipcu | jul',
  'august agosto aout أغسطس اغسطس สิงหาคม ağustos sierpnia sierpień sierpniu | aug ago',
  'september septiembre setiembre septembre setembro سبتمبر กันยายน eylül września wrzesień wrześniu | sep sept',
  'october oktober octubre octobre outubro أكتوبر اكتوبر ตุลาคม ekim października październik październiku | oct okt',
  'november noviembre novembre novembro نوفمبر พฤศจิกายน kasım listopada listopad listopadzie | nov',
  'december dezember diciembre decembre dezembro ديسمبر ธันวาคม grudnia grudzień grudniu | dec dez dic | aralık',
];

const ORDINALS: readonly string[] = [
  'first erste erstes ersten primer primero primera premier premiere primeiro primeira الأول pierwszy pierwsza',
  'second zweite zweites zweiten segundo segunda deuxieme seconde الثاني drugi druga',
  'third dritte drittes dritten tercer tercero troisieme terceiro الثالث',
  'fourth vierte viertes vierten cuarto quatrieme quarto الرابع',
];

const PARTS: Readonly<Record<Exclude<CalendarPart, 'month' | 'ordinal'>, string>> = {
  quarter: 'quarter quartal trimestre الربع kwartał kwartale kwartału',
  halfMonth: 'half halfte quinzaine quincena quinzena połowa',
  to: 'to through thru al a au ao ila do tan dan إلى 起 至 到 起至 부터 에서 ถึง จนถึง から - – — ~ 〜 ～',
  and: 'and und y et e و & と',
  or: 'or oder o ou أو または',
  between: 'between zwischen entre بين',
  in: 'in on during throughout for this im am wahrend en durante em no na w pendant في خلال',
  of: 'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo pazartesi çarşamba perşembe cuma cumartesi poniedziałku poniedziałek piątku piątek niedzieli niedziela of date datum fecha data tarihi de des do the den dem der le les el los la du del',
  from: 'from starting starts start beginning begin ab von vom desde partir od itibaren เริ่ม เริ่มวันที่ ابتداء اعتبارا ตั้งแต่ ตั้งแต่วันที่ 自 從 从 من',
  until: 'until till by bis hasta jusqu ate حتى まで 까지 止 为止 為止 kadar',
  refusing:
    'not except excluding nicht ausser sauf excepto exceto before after vor nach antes despues avant apres depois قبل بعد',
  vague:
    'early mid late middle end anfang mitte ende principios mediados finales debut mi fin inicio meados początek połowie koniec końca początku',
};

const WORDS = new Map<string, CalendarWord>();

function addWords(words: string, meaning: CalendarWord): void {
  for (const word of words.split(' ')) WORDS.set(normalizeWord(word), meaning);
}

for (const [part, words] of Object.entries(PARTS) as [CalendarPart, string][]) addWords(words, { part });
for (const [index, words] of ORDINALS.entries()) addWords(words, { part: 'ordinal', value: index + 1 });
for (const [index, words] of MONTHS.entries()) {
  const [sure = '', unsure = '', behindDay = ''] = words.split(' | ');
  addWords(sure, { part: 'month', value: index + 1 });
  addWords(unsure, { part: 'month', value: index + 1, isUnsure: true });
  if (behindDay !== '') addWords(behindDay, { part: 'month', value: index + 1, isUnsure: true, needsDay: true });
}

/** Returns the part that a word plays in a calendar, in any of the languages; undefined where it plays none. */
export function findCalendarWord(word: string): CalendarWord | undefined {
  return WORDS.get(normalizeWord(word));
}
