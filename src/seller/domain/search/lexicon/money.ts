/** Currencies by their ISO 4217 codes, and the signs and words that briefs call them by; a bare "peso" or "krona" is none of them. */
export const CURRENCIES: Readonly<Record<string, string>> = {
  USD: '$, us$, $ us, u$s, usd, dollar, dollars, us dollars, dolares, dólares, dólar, dolar, dolarów, dolary, dolara, 美元, 美金, ドル, 米ドル, 달러, 미국 달러, ดอลลาร์, ดอลลาร์สหรัฐ, دولار, دولار أمريكي, دولارا, دولارات',
  EUR: '€, eur, euro, euros, avro, 歐元, 欧元, ユーロ, 유로, ยูโร, يورو',
  GBP: '£, gbp, pound, pounds, pfund, libras, livres sterling, funtów, 英鎊, 英镑, ポンド, 파운드, ปอนด์, جنيه إسترليني',
  JPY: '¥, jpy, yen, 円, 日圓, 日元, 엔화, 엔, เยน, ين ياباني',
  CNY: 'cny, rmb, yuan, cn¥, 元, 人民币, 人民幣, 元人民币, 元人民幣, 위안, หยวน',
  TWD: 'twd, nt$, ntd, 台幣, 台币, 新台幣, 新台币, 元台幣, 元新台幣',
  HKD: 'hkd, hk$, 港幣, 港币, 港元, 元港幣',
  KRW: 'krw, ₩, won, 원, 韓元, ウォン, วอน',
  THB: 'thb, ฿, baht, บาท, 泰銖, バーツ, 바트',
  TRY: 'try, ₺, tl, lira, liraya, liralık, türk lirası',
  PLN: 'pln, zł, zl, zloty, zlotych, złotych, złote, złoty',
  BRL: 'brl, r$, reais, real brasileiro',
  MXN: 'mxn, mx$, pesos mexicanos, mexican pesos',
  ARS: 'ars, pesos argentinos',
  CLP: 'clp, pesos chilenos',
  COP: 'cop, pesos colombianos',
  PEN: 'pen, soles, nuevos soles',
  CAD: 'cad, $ ca, $ can, $ca, ca$, c$, canadian dollars, dollars canadiens',
  AUD: 'aud, $ au, au$, a$, australian dollars',
  NZD: 'nzd, nz$',
  SGD: 'sgd, s$',
  CHF: 'chf, franken, francs suisses, swiss francs, fr.',
  SEK: 'sek',
  NOK: 'nok',
  DKK: 'dkk',
  CZK: 'czk, kč, korun',
  HUF: 'huf, forint',
  RON: 'ron, lei',
  UAH: 'uah, ₴',
  AED: 'aed, dirham, dirhams, درهم, درهما, دراهم, درهم إماراتي',
  SAR: 'sar, riyal, riyals, ريال, ريال سعودي, ريالا, ريالات',
  QAR: 'qar, ريال قطري',
  KWD: 'kwd, دينار كويتي',
  EGP: 'egp, جنيه, جنيه مصري, جنيها, جنيهات',
  ILS: 'ils, ₪',
  INR: 'inr, ₹, rupees, rs.',
  IDR: 'idr, rupiah',
  MYR: 'myr, ringgit',
  PHP: 'php, ₱',
  VND: 'vnd, ₫',
  ZAR: 'zar, rand',
  NGN: 'ngn, ₦',
  KES: 'kes, ksh',
};

/** What a number is multiplied by, and the words for it. */
export const SCALES: readonly (readonly [factor: number, words: string])[] = [
  [1e3, 'k, thousand, tsd, tausend, mil, mille, tys, tysięcy, bin, พัน, ألف, الف, آلاف, ألفا'],
  [1e4, 'หมื่น'],
  [1e5, 'lakh, lakhs, แสน'],
  [
    1e6,
    'm, mn, mm, mio, miliona, million, millions, millionen, millón, millon, millones, milhão, milhao, milhões, milhoes, mln, milion, miliony, milionów, milyon, ล้าน, مليون, ملايين, مليونا, مليوني, مليونين',
  ],
  [1e7, 'crore, crores'],
];

/** The units of numbers of East Asia: small ones multiply the digits before them, large ones all that stands before them ("2천5백만", "1億5千万"). */
export const EASTERN_UNITS: {
  readonly small: Readonly<Record<string, number>>;
  readonly large: Readonly<Record<string, number>>;
} = {
  small: { 十: 10, 십: 10, 百: 100, 백: 100, 千: 1e3, 천: 1e3 },
  large: { 万: 1e4, 萬: 1e4, 만: 1e4, 億: 1e8, 亿: 1e8, 억: 1e8 },
};

/** Words for the half of a million. */
export const HALF_WORDS =
  'half a, half, eine halbe, einer halben, halbe, un demi, demi, medio, meio, pół, yarım, نصف, 半, ครึ่ง';

/** Arabic words for two millions, where no number stands before them. */
export const DUAL_WORDS = 'مليونا, مليوني, مليونين';

/** Words that speak of money to spend. */
export const SPEND_WORDS =
  'budget, spend, invest, presupuesto, gastar, orçamento, orcamento, verba, ausgeben, etat, dépenser, bütçe, butce, budżet, budzet, 予算, 예산, 預算, 预算, งบ, ميزانية, الميزانية';

/** Words that end just before a highest amount, and those that follow one. */
export const AT_MOST_WORDS = {
  before:
    "under, below, less than, lower than, cheaper than, no more than, not more than, not over, not above, at most, up to, max, maximum, max of, maximum of, maximal, <, <=, ≤, unter, höchstens, bis zu, weniger als, nicht mehr als, menos de, por debajo de, máximo, hasta, no más de, moins de, inférieur à, inférieure à, en dessous de, au plus, pas plus de, jusqu’à, jusqu'à, até, abaixo de, no máximo, não mais de, 最大, 上限, 最多, 不超過, 不超过, 低於, 低于, 최대, ไม่เกิน, ต่ำกว่า, en fazla, azami, maksymalnie, maks, poniżej, do, nie więcej niż, أقل من, لا يزيد عن, حتى, تحت",
  after:
    'or less, or below, or under, max, maximum, 以下, 未満, まで, 以內, 以内, 이하, 미만, 이내, oder weniger, o menos, ou moins, ou menos, altında, aşmasın, como máximo, no máximo, au maximum, als maximum, maksimum, maksymalnie, สูงสุด, كحد أقصى, أو أقل',
} as const;

/** Words between two amounts of which the second corrects the first. */
export const CORRECTION_WORDS =
  'down to, cut to, reduced to, lowered to, raised to, increased to, gesenkt auf, reduziert auf, gekürzt auf, erhöht auf, réduit à, ramené à, porté à, reducido a, rebajado a, subido a, reduzido para, aumentado para, zmniejszony do, zwiększony do, 降到, 降至, 減到, 减到, 減至, 减至, 增到, 增至, 調到, 调到, 調整到, 调整到, 調整為, 调整为, ลดเหลือ, no wait, wait no, wait, scratch that, strike that, actually, correction, make that, make it, i mean, i meant, or rather, sorry, my bad, should be, should read, changed to, has changed, is now, but now, nein, korrektur, korrigiere, quatsch, besser gesagt, doch lieber, vielmehr, non non, pardon, plutôt, plutot, correction, en fait, je corrige, perdón, perdon, mejor dicho, digo, corrijo, en realidad, no no, quer dizer, aliás, alias, corrigindo, na verdade, ou melhor, いや, 訂正, 間違い, 失礼, 아니, 정정, 수정, 更正, 不對, 不对, 抱歉, 改成, 改為, 改为, 應該是, 应该是, แก้เป็น, ขอแก้, ไม่ใช่สิ, เปลี่ยนเป็น, hayır, pardon, düzeltiyorum, daha doğrusu, nie nie, przepraszam, jednak, poprawka, znaczy, عفوا, تصحيح, بل, أقصد';

/** Words just behind an amount that the one before it was changed into. */
export const CHANGED_WORDS =
  'に変更, へ変更, に修正, に減額, に増額, に引き下げ, に引き上げ, に減らし, に増やし, 으로 변경, 로 변경, 으로 조정, 로 조정, 으로 줄, 로 줄, 으로 늘, 로 늘';

/** Words just before an amount that holds now, in place of the one before it. */
export const NOW_WORDS =
  'now, jetzt, nun, désormais, maintenant, ahora, agora, 現在は, 現在, 今は, 지금은, 現在是, ตอนนี้, şimdi, artık, teraz, الآن';

/** Words just before an amount that is not to be spent: the one that held before. */
export const REFUSED_AMOUNT_WORDS =
  "not, was, no longer, n’est plus de, n'est plus de, n’est plus, n'est plus, ya no es de, ya no son, já não é de, já não são, nicht länger, to już nie, już nie, previously, formerly, bisher, vorher, et non, antes, previamente, wcześniej, önceden, instead of, rather than, down from, up from, nicht, nicht mehr, statt, anstatt, au lieu de, pas, en lugar de, en vez de, em vez de, não, ao invés de, no, zamiast, yerine, بدلا من, ليس, แทน, ไม่ใช่, 不是, 而不是";
