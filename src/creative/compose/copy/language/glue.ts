import { COPY_LANGUAGES, type CopyLanguage } from './table.js';

/** The small words of a language between and before those that tell something, as alternatives of regular expressions. */
type GlueWords = {
  readonly and?: string;
  readonly but?: string;
  readonly or?: string;
  /** "Not", "never", "no", in front of what something is not to be. */
  readonly not?: string;
  readonly without?: string;
  /** "Too", "very", "rather". */
  readonly degree?: string;
  /** A verb of being between a subject and its offer, and "now" behind it. */
  readonly is?: string;
  readonly now?: string;
  /** In front of what something cost before, or costs otherwise. */
  readonly formerly?: string;
  /** "At least", in front of a condition. */
  readonly least?: string;
  /** In front of where something is. */
  readonly at?: string;
  readonly article?: string;
  /** "They", "we", as whoever writes a brief calls people. */
  readonly speaker?: string;
  /** "We need", behind what a brief is about. */
  readonly weNeed?: string;
  /** "The word", in front of one. */
  readonly theWord?: string;
  readonly button?: string;
  /** Between a button and its words. */
  readonly buttonSays?: string;
  /** In front of a button that there is to be, up to its article. */
  readonly hasButton?: string;
  /** In front of words that an ad has to state. */
  readonly mustSay?: string;
  /** "Including", in front of what comes with an offer. */
  readonly including?: string;
  /** "This", of what stands before. */
  readonly this?: string;
};

const GLUE: Readonly<Record<CopyLanguage, GlueWords>> = {
  en: {
    including: 'including|incl\\.?|inclusive of',
    and: 'and|plus',
    but: 'but',
    or: 'or',
    not: 'not|never|no',
    without: 'without|but not',
    degree: 'too|a bit|a little|bit|little|more|mostly|overall|quite|rather|slightly|still|very|yet|keep',
    is: 'is|are',
    now: 'now|all',
    formerly: 'normally|usually|was|regularly|rrp|msrp',
    least: 'min\\.?|minimum',
    at: 'in|at|near|on|from|around|across',
    article: 'the|an?',
    speaker: 'they|he|she',
    weNeed: "we(?:[’']re|[’']d)?\\s|they\\s|want|need|are after",
    theWord: 'the (?:word|term)',
    button: 'button|btn|cta|call[- ]to[- ]action',
    buttonSays: '(?:text |copy )?(?:should|must|has to|needs to) (?:say|read|be)|says|reads|saying|reading|labelled',
    hasButton: '(?:there )?(?:should|must) be|it needs|add|use',
    mustSay: '(?:must|has to|have to|needs? to) (?:also )?(?:say|state|mention|include|contain|show)',
    this: 'that|this|it',
  },
  de: {
    including: 'inklusive|inkl\\.?',
    and: 'und',
    but: 'aber',
    or: 'oder',
    not: 'nicht|nie|keine?n?',
    without: 'ohne|aber nicht',
    degree: 'zu|eher|sehr|bitte',
    is: 'ist|sind',
    now: 'jetzt',
    formerly: 'normalerweise|sonst',
    least: 'mindestens',
    at: 'im|am|bei|aus|nach',
    article: 'die|der|das|den|dem|ein(?:e[nmr]?)?',
    speaker: 'wir|sie|er',
    weNeed: '(?:wir )?(?:brauchen|suchen|möchten|wollen)',
    theWord: 'das wort|den begriff',
    button: 'knopf',
    buttonSays: 'soll (?:heißen|lauten)',
    hasButton: 'mit (?:dem|einem)',
    mustSay: 'muss (?:auch )?(?:enthalten)',
    this: 'das|dies',
  },
  fr: {
    including: 'y compris|inclus|dont',
    and: 'et',
    but: 'mais',
    or: 'ou',
    not: 'pas|jamais|sans|aucune?',
    without: 'sans|mais pas',
    degree: 'trop|plutôt|très',
    is: 'est|sont',
    now: 'maintenant',
    formerly: 'normalement|habituellement',
    least: 'au moins',
    at: 'à|en|au|chez',
    article: "la|le|les|l['’]|une?",
    speaker: 'nous|ils|elles',
    weNeed: 'il nous faut|nous (?:voulons|cherchons|avons|souhaitons)',
    theWord: 'le (?:mot|terme)',
    button: 'bouton',
    buttonSays: 'doit (?:dire|afficher)',
    hasButton: 'avec (?:le|un)',
    mustSay: 'doit (?:dire|contenir)',
    this: 'ça|cela',
  },
  es: {
    including: 'incluye|incluido|incluida|incluyendo',
    and: 'y(?: además)?',
    but: 'pero',
    or: 'o',
    not: 'no|nunca|sin|nada de|nada',
    without: 'sin|pero no',
    degree: 'demasiado|muy',
    is: 'está|están',
    now: 'ahora',
    formerly: 'antes|normalmente',
    least: 'mínimo',
    at: 'en|a',
    article: 'el|la|los|las|una?',
    speaker: 'ellos|ellas',
    weNeed: 'queremos|necesitamos|quieren',
    theWord: 'la palabra',
    button: 'botón',
    buttonSays: 'debe decir|que diga|ponga|diga|lleve|con el texto',
    hasButton: 'con (?:el|un)|debe haber',
    mustSay: '(?:debe|tiene que) (?:decir|incluir|contener)',
    this: 'eso|esto',
  },
  it: {
    including: 'inclus[oaie]|compres[oaie]',
    and: 'e(?: inoltre)?',
    but: 'ma',
    or: 'o',
    not: 'non|mai|niente|senza',
    without: 'senza|ma non',
    degree: 'troppo|molto',
    is: 'sono',
    now: 'ora',
    formerly: 'prima|di solito',
    least: 'minimo',
    at: 'a|ad|al|da',
    article: 'il|lo|la|un[oa]?',
    speaker: 'loro',
    weNeed: 'ci serve|vogliamo|abbiamo bisogno',
    theWord: 'la parola',
    button: 'bottone|pulsante',
    buttonSays: 'con la scritta|deve dire',
    hasButton: 'con (?:il|un)|deve esserci|ci (?:vuole|deve essere)',
    mustSay: 'deve (?:dire|contenere)',
    this: 'questo',
  },
  pt: {
    including: 'inclui|incluindo|incluíd[oa]',
    and: 'e',
    but: 'mas',
    or: 'ou',
    not: 'não|sem',
    without: 'sem|mas não',
    degree: 'muito',
    is: 'está|estão',
    now: 'agora',
    formerly: 'normalmente',
    least: 'mínimo',
    at: 'em|no|na',
    article: 'o|a|uma?',
    speaker: 'eles|elas',
    theWord: 'a palavra',
    button: 'botão',
    buttonSays: 'deve dizer|com o texto',
    hasButton: 'com o',
    mustSay: 'deve (?:dizer|conter)',
    this: 'isso|isto',
  },
  nl: {
    including: 'inclusief|incl\\.?',
    and: 'en',
    but: 'maar',
    or: 'of',
    not: 'niet|nooit|geen|zonder',
    without: 'zonder',
    degree: 'te',
    formerly: 'normaal',
    least: 'minimaal',
    at: 'te|op',
    article: 'de|het|een',
    theWord: 'het woord',
    button: 'knop',
    mustSay: 'moet (?:ook )?(?:zeggen|vermelden|bevatten)',
    this: 'dit|dat',
  },
  pl: {
    including: 'w tym|w cenie',
    and: 'oraz|i',
    but: 'ale',
    or: 'lub',
    not: 'nie|bez',
    without: 'bez',
    degree: 'zbyt|bardzo',
    formerly: 'zwykle',
    at: 'w|we',
    theWord: 'słow[oa]',
    button: 'przycisk',
    this: 'to|tego',
  },
  tr: { and: 've', but: 'ama', or: 'veya', degree: 'çok|bir', this: 'bunu' },
  ru: {
    including: 'включая',
    and: 'и',
    but: 'но',
    or: 'или',
    not: 'не|без',
    without: 'без',
    degree: 'слишком|очень',
    formerly: 'обычно|раньше',
    at: 'в|на|из',
    theWord: 'слов[оа]',
    button: 'кнопк\\p{L}{1,3}',
    this: 'это',
  },
  ja: {},
  zh: { formerly: '原价|原價|定价' },
  ko: { formerly: '정가' },
  ar: { and: 'و', but: 'ولكن', at: 'في|من|لل', theWord: 'كلمة', this: 'هذا' },
  he: { theWord: 'המילה', this: 'זה' },
  hi: { and: 'और', theWord: 'शब्द', this: 'यह' },
  th: {},
  sv: {
    including: 'inklusive|inkl\\.?',
    and: 'och|samt',
    but: 'men',
    or: 'eller',
    not: 'inte|aldrig|ingen|inget|inga|utan',
    without: 'utan|men inte',
    degree: 'för|lite|gärna|mycket|ganska|väldigt|mer|lagom',
    is: 'är',
    now: 'nu',
    formerly: 'ordinarie|ord\\.?(?: pris)?|tidigare|vanligtvis|normalt|annars',
    least: 'minst|lägst',
    at: 'i|på|hos|vid|från',
    article: 'den|det|de|en|ett',
    speaker: 'vi|de|hon|han',
    weNeed: 'vi (?:behöver|vill|söker|önskar)',
    theWord: 'ordet',
    button: 'knapp(?:en)?',
    buttonSays: 'ska (?:det )?(?:stå|säga|heta)|med texten|där det står',
    hasButton: 'med(?: en)?|lägg till(?: en)?|ha(?: en)?',
    mustSay: '(?:måste|ska|skall) (?:det )?(?:också )?(?:stå|nämna|innehålla|framgå|säga)',
    this: 'det|detta|den',
  },
  da: {
    including: 'inklusive|inkl\\.?',
    and: 'og|samt',
    but: 'men',
    or: 'eller',
    not: 'ikke|aldrig|ingen|intet|uden',
    without: 'uden|men ikke',
    degree: 'for|lidt|gerne|meget|ret|mere',
    is: 'er',
    now: 'nu',
    formerly: 'normalt|normalpris|før|tidligere|ellers|vejl\\.?',
    least: 'mindst|minimum',
    at: 'i|på|hos|ved|fra',
    article: 'den|det|de|en|et',
    speaker: 'vi|de|hun|han',
    weNeed: 'vi (?:skal bruge|mangler|ønsker|vil)',
    theWord: 'ordet',
    button: 'knap(?:pen)?',
    buttonSays: 'skal (?:der )?(?:stå|sige|hedde)|med teksten|hvor der står',
    hasButton: 'med(?: en)?|tilføj(?: en)?|brug(?: en)?',
    mustSay: 'skal (?:der )?(?:også )?(?:stå|nævne|indeholde|fremgå|sige)',
    this: 'det|dette|den',
  },
  nb: {
    including: 'inkludert|inkl\\.?',
    and: 'og|samt',
    but: 'men',
    or: 'eller',
    not: 'ikke|aldri|ingen|intet|uten',
    without: 'uten|men ikke',
    degree: 'for|litt|gjerne|veldig|ganske|mer',
    is: 'er',
    now: 'nå',
    formerly: 'normalt|ordinær(?:t)?|før|tidligere|ellers|veil\\.?',
    least: 'minst|minimum',
    at: 'i|på|hos|ved|fra',
    article: 'den|det|de|en|et|ei',
    speaker: 'vi|de|hun|han',
    weNeed: 'vi (?:trenger|ønsker|vil)',
    theWord: 'ordet',
    button: 'knapp(?:en)?',
    buttonSays: 'skal (?:det )?(?:stå|si|hete)|med teksten|der det står',
    hasButton: 'med(?: en)?|legg til(?: en)?|ha(?: en)?',
    mustSay: '(?:må|skal) (?:det )?(?:også )?(?:stå|nevne|inneholde|fremgå|si)',
    this: 'det|dette|den',
  },
  el: {
    including: 'περιλαμβάν\\p{L}+',
    and: 'και|κι',
    but: 'αλλά|όμως',
    or: 'ή',
    not: 'όχι|ποτέ|μην?|δεν?|χωρίς|καθόλου',
    without: 'χωρίς|αλλά όχι',
    degree: 'πολύ|λίγο|πιο|αρκετά',
    is: 'είναι',
    now: 'τώρα',
    formerly: 'από|αρχική(?: τιμή)?|κανονικά|συνήθως',
    least: 'τουλάχιστον|ελάχιστη',
    at: 'σε|στ(?:ο|η|ην|ον|α|ις|ους)|από',
    article: 'το|τη|την|τον|η|ο|τα|τις|τους|οι|ένα|μια|μία',
    speaker: 'εμείς|αυτοί|αυτές',
    weNeed: '(?:χρειαζόμαστε|θέλουμε|ψάχνουμε)',
    theWord: 'τη λέξη|τις λέξεις|τον όρο',
    button: 'κουμπί',
    buttonSays: '(?:να|πρέπει να) (?:λέει|γράφει)|με (?:το )?κείμενο|που (?:να )?(?:λέει|γράφει)',
    hasButton: 'με|βάλτε|να υπάρχει',
    mustSay: '(?:πρέπει|θα πρέπει) να (?:λέει|γράφει|αναφέρει|αναφέρεται|περιέχει)',
    this: 'αυτό|αυτά',
  },
  uk: {
    including: 'включно з|включаючи',
    and: 'та|і|й',
    but: 'але|проте',
    or: 'або|чи',
    not: 'не|без|жодн(?:их|ого|ої)|ніколи',
    without: 'без|але не',
    degree: 'дуже|занадто|надто|трохи|більш',
    formerly: 'зазвичай|раніше|звичайна ціна|замість',
    least: 'щонайменше|мінімум',
    at: 'в|у|на|з|із|від',
    speaker: 'ми|вони',
    weNeed: '(?:нам )?(?:потріб\\p{L}{1,3}|хочемо)',
    theWord: 'слов[оа]',
    button: 'кнопк\\p{L}{1,3}',
    buttonSays: '(?:має|повинна) (?:бути|містити)|з (?:текстом|написом)',
    hasButton: 'з|додайте',
    mustSay: '(?:має|повинн[оаі]|треба|потрібно) (?:бути|містити|вказати|зазначити)',
    this: 'це|цього',
  },
  cs: {
    including: 'včetně|vč\\.?',
    and: 'a|i',
    but: 'ale',
    or: 'nebo|či|ani',
    not: 'ne|nikdy|žádn(?:é|ý|á|ou)|bez|ani',
    without: 'bez|ale ne',
    degree: 'příliš|moc|velmi|spíš(?:e)?|trochu|lehce',
    is: 'je|jsou',
    now: 'nyní|teď',
    formerly: 'běžně|původně|běžná cena|původní cena|dříve|obvykle|jinak',
    least: 'minimálně|alespoň',
    at: 'v|ve|na|u|z|ze',
    speaker: 'my|oni|ony',
    weNeed: '(?:potřebujeme|chceme|hledáme)',
    theWord: 'slov[oa]',
    button: 'tlačítk[oaue]m?',
    buttonSays: '(?:má|musí) (?:znít|být|říkat)|s (?:textem|nápisem)',
    hasButton: 's|přidejte',
    mustSay: '(?:musí|má) (?:být|obsahovat|zaznít|uvádět)',
    this: 'to|toho|tohle',
  },
  ro: {
    including: 'inclusiv|incluz[âa]nd',
    and: 'și|si|şi|precum și',
    but: 'dar|însă',
    or: 'sau|ori',
    not: 'nu|niciodată|fără|nici(?:un|o)?',
    without: 'fără|dar nu',
    degree: 'prea|foarte|puțin|mai|cam',
    is: 'este|e|sunt',
    now: 'acum',
    formerly: 'de la|înainte|în mod normal|de obicei|preț întreg',
    least: 'minimum|minim|cel puțin',
    at: 'în|in|la|din|pe|lângă',
    article: 'un|o',
    speaker: 'noi|ei|ele',
    weNeed: '(?:avem nevoie|vrem|dorim|căutăm)',
    theWord: 'cuv[âa]ntul|termenul',
    button: 'buton(?:ul)?',
    buttonSays: '(?:să|trebuie să) (?:scrie|spună|fie)|cu textul|pe care scrie',
    hasButton: 'cu(?: un)?|adăugați(?: un)?',
    mustSay: 'trebuie să (?:apară|scrie|conțină|menționeze|fie menționat)',
    this: 'asta|acest lucru|aceasta',
  },
};

/** Returns the words of one sort in all languages, as alternatives. */
export function gluesOf(...sorts: readonly (keyof GlueWords)[]): string {
  const words = COPY_LANGUAGES.flatMap((language) => sorts.map((sort) => GLUE[language][sort]));
  return words.filter((one) => one !== undefined).join('|');
}

/** The small words of a language as patterns; those that mean something else in others. */
type Glue = {
  /** What joins a clause to the one before it, at its beginning. */
  readonly conjunction: RegExp;
  /** The same at the end of a text that went on with what was taken off. */
  readonly dangling: RegExp;
  /** Between the things of a list. */
  readonly separators: RegExp;
  /** Words of a subject and a verb of being in front of its offer. */
  readonly being: RegExp;
  readonly speaker: RegExp;
};

const compiled = new Map<CopyLanguage, Glue>();
const NOTHING = '(?!)';

/** Returns the small words of a language, with those of English, which are in briefs of every language; there are as many as languages. */
export function glueOf(language: CopyLanguage): Glue {
  const cached = compiled.get(language);
  if (cached !== undefined) return cached;
  const join = (...sorts: readonly (keyof GlueWords)[]): string => {
    const rows = language === 'en' ? [GLUE.en] : [GLUE[language], GLUE.en];
    const words = sorts.flatMap((sort) => rows.map((row) => row[sort]));
    return words.filter((one) => one !== undefined).join('|');
  };
  const { and, but } = GLUE[language];
  const own = [and, but].filter((one) => one !== undefined).join('|');
  const glue: Glue = {
    conjunction: new RegExp(`^(?:و(?=ال)|(?:${own || NOTHING}|and|but) (?:also )?(?=[\\p{L}\\p{N}]))`, 'iu'),
    dangling: new RegExp(`[\\s,;–—-]+(?:${join('and', 'but')})?\\s*$`, 'iu'),
    separators: new RegExp(`[,;/、，،;]|\\s(?:${join('and', 'or')})\\s`, 'iu'),
    being: new RegExp(`^(.{3,60}?)\\s+(?:${join('is')})(?:\\s(?:${join('now')}))?\\s+$`, 'iu'),
    speaker: new RegExp(`^(?:${join('speaker')})\\s`, 'iu'),
  };
  compiled.set(language, glue);
  return glue;
}
