import { gluesOf } from './glue.js';
import { COPY_LANGUAGES, type CopyLanguage } from './table.js';

/** The words that a message opens with before it comes to the ad, as alternatives of regular expressions. */
type OpeningWords = {
  /** What was spoken of before: "as agreed", "following up on our call". */
  readonly reference?: string;
  /** "Here is the brief". */
  readonly handing?: string;
  /** Whom it speaks to without a greeting: "Team, …". */
  readonly team?: string;
};

const DAY = '(?: (?:on|at|in|this|last|by) [\\p{L}\\d]+(?: \\p{L}{3,9})?)?';

const OPENINGS: Readonly<Partial<Record<CopyLanguage, OpeningWords>>> = {
  en: {
    reference: `(?:as (?:just |previously |already )?(?:discussed|agreed|promised|mentioned|announced|requested)|(?:following (?:up )?(?:on |from )?|further to |after )(?:our|my|the|your) (?:\\p{L}+ )?(?:calls?|chat|meeting|e-?mail|message|conversation|catch-?up))${DAY}`,
    handing: "here(?:['’]s| is| are|by)(?: the| our| a| your)?(?: \\p{L}+)? (?:brief|details|info)",
    team: 'team|all|folks|guys|everyone',
  },
  de: {
    reference: 'wie (?:\\p{L}+ ){0,2}(?:besprochen|vereinbart|angekündigt|abgesprochen|versprochen|erwähnt|gewünscht)',
    handing: '(?:hier|anbei|unten) (?:\\p{L}+ ){0,4}(?:briefing|eckdaten|infos?)',
    team: 'team|leute|ihr lieben|kolleg(?:en|innen)',
  },
  fr: {
    reference: 'comme (?:convenu|discuté|prévu|promis|évoqué|annoncé|demandé)|suite à (?:notre|votre) \\p{L}+',
    handing:
      "(?:voici|ci-joint|ci-dessous) (?:ce qu['’]il (?:nous|vous|te) faut|(?:le|notre|les|un) (?:\\p{L}+ )?(?:brief|infos?|éléments))",
    team: "l['’]équipe|les amis|à tous",
  },
  es: {
    reference:
      '(?:como|según|tal como) (?:lo )?(?:acordamos|hablamos|comentamos|quedamos|acordado|hablado|comentado|prometí)',
    handing:
      '(?:aquí (?:va|está|tenéis|tienen)|os paso|les paso|te paso|adjunto|ahí va|va) (?:el|la|los|las) (?:brief(?:ing)?|info|datos)',
    team: 'equipo|chicos|a todos',
  },
  it: {
    reference: "come (?:d[’']accordo|da accordi|concordato|promesso|anticipato|detto|richiesto)",
    handing: '(?:ecco|di seguito|in allegato) (?:il|i|le) (?:brief|dati|info)',
    team: 'ragazzi|team|a tutti',
  },
  pt: {
    reference: 'como (?:combinado|combinamos|conversamos|falamos|falámos|prometido|pedido)',
    handing: 'segue(?:m)?(?: abaixo| aqui)? (?:o|os|as) (?:brief(?:ing)?|dados|infos?|informações)',
    team: 'pessoal|galera|gente|equipe|equipa|time',
  },
  nl: {
    reference: 'zoals (?:\\p{L}+ )?(?:besproken|afgesproken|beloofd|gezegd|aangekondigd)',
    handing: '(?:hierbij|hier|hieronder) (?:\\p{L}+ ){0,2}(?:briefing|info|gegevens)',
    team: 'team|allemaal',
  },
  pl: {
    reference: '(?:zgodnie z (?:ustaleniami|rozmową)|jak (?:ustaliliśmy|rozmawialiśmy|obiecałam|obiecałem))',
    handing: '(?:oto|poniżej|przesyłam|wysyłam|podsyłam) (?:brief|szczegóły|dane)',
    team: 'zespole|drodzy|kochani',
  },
  tr: {
    reference: '(?:konuştuğumuz|anlaştığımız|söz verdiğim) gibi',
    handing: '(?:brief|bilgiler) (?:aşağıda|ekte)|aşağıda (?:brief|bilgiler)',
    team: 'arkadaşlar|ekip',
  },
  ru: {
    reference: 'как (?:и )?(?:договаривались|договорились|обсуждали|обещал[аи]?)',
    handing: '(?:вот|ниже|высылаю|отправляю|присылаю) (?:бриф|тз|вводные)',
    team: 'коллеги|команда|друзья',
  },
  uk: {
    reference: 'як (?:і )?(?:домовлялися|домовилися|обговорювали|обіцял[аи])',
    handing: '(?:ось|нижче|надсилаю) (?:бриф|тз)',
    team: 'колеги|командо|друзі',
  },
  cs: {
    reference: 'jak (?:jsme se )?(?:domluvili|dohodli|slíbil[ai]?|říkali)|dle (?:domluvy|dohody)',
    handing: '(?:posílám|zde je|tady je|níže) (?:brief|zadání|podklady)',
    team: 'kolegové|týme',
  },
  ro: {
    reference: '(?:după cum|așa cum|cum) am (?:discutat|stabilit|promis|vorbit)',
    handing: '(?:iată|mai jos|trimit|atașez) (?:brief-ul|briful|detaliile)',
    team: 'echipă|dragilor',
  },
  el: {
    reference: 'όπως (?:συζητήσαμε|είπαμε|συμφωνήσαμε|υποσχέθηκα)',
    handing: '(?:ορίστε|ακολουθεί|σας στέλνω|παρακάτω) το (?:brief|μπριφ)',
    team: 'παιδιά|ομάδα|συνάδελφοι',
  },
  sv: {
    reference:
      'som (?:vi )?(?:\\p{L}+ )?(?:överenskommet|avtalat|sagt|utlovat|pratade om|diskuterade)|enligt överenskommelse',
    handing: 'här (?:kommer|är) (?:briefen|underlaget|en brief)',
    team: 'team|allihop|alla',
  },
  da: {
    reference: 'som (?:vi )?(?:\\p{L}+ )?(?:aftalt|lovet|talte om|drøftet)',
    handing: 'her (?:kommer|er) (?:briefet|oplægget|et brief)',
    team: 'team|alle|allesammen',
  },
  nb: {
    reference: 'som (?:vi )?(?:\\p{L}+ )?(?:avtalt|lovet|snakket om|diskutert)',
    handing: 'her (?:kommer|er) (?:briefen|en brief|underlaget)',
    team: 'team|alle|alle sammen',
  },
  ja: { reference: '(?:先日|先ほど)?(?:お話し|お電話し|打ち合わせ)(?:した|ました)(?:通り|件)' },
  zh: {
    reference: '(?:按照?|如)(?:之前|上次)?(?:沟通|商量|说好|约定)的?',
    handing: '(?:以下(?:是|为)|附上)(?:brief|简报|需求)',
    team: '各位|大家',
  },
  ko: {
    reference: '(?:말씀드린|논의한|약속드린) ?(?:대로|것처럼)',
    handing: '(?:아래|첨부)(?:는|가)? ?(?:브리프|내용)(?:입니다)?',
  },
  ar: {
    reference: 'كما (?:اتفقنا|تحدثنا|وعدت|ناقشنا)',
    handing: '(?:إليكم|مرفق|فيما يلي) (?:الموجز|البريف|التفاصيل)',
    team: 'الفريق|فريق',
  },
  he: {
    reference: 'כפי ש(?:סיכמנו|דיברנו|הבטחתי)|כמו ש(?:סיכמנו|דיברנו)',
    handing: '(?:הנה|מצורף|להלן) (?:הבריף|הפרטים)',
    team: 'צוות|חברים',
  },
  hi: {
    reference: 'जैसा (?:कि )?(?:हमने )?(?:तय|बात) (?:हुआ|हुई|किया|की)',
    handing: 'यह रहा (?:ब्रीफ|विवरण)',
    team: 'टीम|दोस्तों',
  },
};

/** What a message begins with before a name. */
const GREETINGS: Readonly<Record<CopyLanguage, string>> = {
  en: "g['’]day|hi|hello|hey|hiya|howdy|dear|good (?:morning|afternoon|evening)|morning|afternoon|evening|greetings",
  de: 'grüezi|hallo|hi|hey|moin(?: moin)?|servus|tach|grüß gott|guten (?:morgen|tag|abend)|liebe[rs]?|sehr geehrte[rs]?|hallöchen',
  fr: 'allô|bonjour|salut|bonsoir|coucou|hello|ch(?:ère?s?|ers?)|madame|re-?bonjour',
  es: 'hola|buen(?:os|as) (?:días|tardes|noches)|buenas|qué tal|estimad[oa]s?|querid[oa]s?|holis|muy buenas',
  it: 'ciao|buongiorno|buonasera|salve|ehilà|gentil[ei]|egregi[oa]|car[oaie]|spettabile',
  pt: 'olá|oi|bom dia|boa (?:tarde|noite)|e aí|prezad[oa]s?|car[oa]s?|car[íi]ssim[oa]s?|viva',
  nl: 'hoi|hallo|hey|hi|dag|beste|geachte|lieve|goede(?:morgen|middag|navond| morgen| middag)|goeiemorgen',
  pl: 'cześć|hej|dzień dobry|witam|witaj(?:cie)?|szanown[aiey]|drog[iae]|siema|dobry',
  tr: 'merhaba(?:lar)?|selam(?:lar)?|günaydın|[iİ]yi günler|sayın|sevgili|kolay gelsin',
  ru: 'добр(?:ый день|ое утро|ый вечер|ого дня)|привет|здравствуй(?:те)?|уважаем(?:ый|ая|ые)|дорог(?:ой|ая|ие)|приветствую|хай',
  ja: 'お世話になっております|こんにちは|はじめまして|お疲れ様です',
  zh: '大家好|你好|您好|各位好|早上好|下午好|亲爱的\\p{L}{1,6}|尊敬的\\p{L}{1,6}',
  ko: '안녕하세요|안녕하십니까|반갑습니다|수고하십니다',
  ar: 'مرحب(?:ا|اً|ًا)|أهل(?:ا|اً|ًا)(?: وسهلا?ً?)?|السلام عليكم|صباح الخير|مساء الخير|تحية طيبة|عزيز[يت]ي?|الأستاذة?|أستاذة?',
  he: 'היי|הי|שלום|בוקר טוב|ערב טוב|אהלן|צהריים טובים|לכבוד|יקר(?:ים|ה)?',
  hi: 'नमस्ते|नमस्कार|हैलो|प्रिय|आदरणीय|सुप्रभात',
  th: 'สวัสดี(?:ค่ะ|ครับ|คะ)?|เรียน|หวัดดี(?:ค่ะ|ครับ)?',
  sv: 'hej(?:san)?|hallå|tjena|tja|god (?:morgon|dag|kväll)|bästa|kära|hallojsan',
  da: 'hej(?:sa)?|halløj(?:sa)?|god(?:morgen|dag|aften)|kære|dav',
  nb: 'hei(?:san|sann)?|hallo|god (?:morgen|dag|kveld)|kjære|morn|hallaien',
  el: 'γεια(?: σας| σου)?|καλη(?:μέρα|σπέρα)|αγαπητ(?:ή|έ|οί|ές)|χαίρετε',
  uk: 'добр(?:ий день|ого ранку|ий вечір|ого дня)|привіт|вітаю|шановн(?:ий|а|і)|дорог(?:ий|а|і)|здрастуйте',
  cs: 'ahoj(?:te)?|dobrý (?:den|večer)|dobré ráno|čau|vážen[íýá]|mil[íýá]|zdravím|nazdar|krásný den přeji|hezký den přeji',
  ro: 'bună(?: ziua| dimineața| seara)?|salut(?:are)?|dragi?|dragă|hei|stimat[eăa]|stimați|servus',
};

/** Returns the pattern of a greeting with the names behind it, up to their sign. */
export function greetingOf(language: CopyLanguage): string {
  return WITHOUT_SIGNS.has(language)
    ? ''
    : `(?:${GREETINGS[language]})(?:,?\\s(?:\\p{Lu}[\\p{L}\\p{M}.’'-]*|team|all|everyone|folks|colleagues|mitenand|colleghi|equipe|equipo|ekip)){0,3}\\s?[,!]`;
}

const WITHOUT_SIGNS: ReadonlySet<CopyLanguage> = new Set(['ja', 'zh', 'ko', 'th', 'ar', 'he', 'hi']);

const GREETED = new RegExp(
  `^(?:${Object.values(GREETINGS).join('|')})(?![\\p{L}\\p{M}])(?<names>(?:[,،]?\\s[\\p{L}\\p{M}][\\p{L}\\p{M}.’'-]*){0,4})\\s?(?<end>[,،，!！.:?？;。]*)$`,
  'iu',
);
const GREETED_WIDE =
  /^\p{Script=Hangul}{1,8}님들?,?\s안녕하세요[~!.]*$|^(?:สวัสดี|เรียน|หวัดดี)(?:ค่ะ|ครับ|คะ)?[\p{L}\p{M}]{0,20}$|^(?:\p{Script=Han}{0,6}(?:大家|各位|你们|您|你|老师|同事们?))(?:\p{Script=Han}{0,4}好)[呀啊]?[，,！!。]*$|^(?:亲爱|尊敬)的\p{Script=Han}{1,8}[，,！!]*$/u;
/** Whom a greeting is to, in lower case. */
const EVERYONE =
  /\s(?:there|all|team|everyone|everybody|folks|guys|colleagues|zusammen|mitenand|alle|leute|kollegen|à tous|tous|l['’]équipe|a todos|todos|equipo|chicos|a tutti|tutti|ragazzi|colleghi|a todos|pessoal|equipe|equipa|allemaal|collega['’]s|ekipo|wszystkim|państwo|ekip|arkadaşlar|всем|все|команда|коллеги|alla|allihop|kollegor|sammen|alle sammen|kolleger|όλους|σε|усім|всім|команда|колеги|všem|kolegové|lidi|tuturor|echipă|colegi)(?!\p{L})/giu;
const NAMES_ONLY = /(?:여러분|님|팀|담당자|씨)[.]?$|^,\s\p{Script=Hebrew}+$/u;
const MAX_GREETING_CHARS = 50;

/** Whether a sentence is nothing but a greeting: names begin with a capital letter, unless a comma ends it. */
export function isGreeting(sentence: string): boolean {
  if (sentence.length > MAX_GREETING_CHARS || /\p{Nd}/u.test(sentence)) return false;
  const match = GREETED.exec(sentence);
  if (match === null) return GREETED_WIDE.test(sentence);
  const { end = '', names = '' } = match.groups ?? {};
  // Without capital letters a comma may stand before what the message asks for.
  if (/^[,،]/u.test(names) && !/[\p{Lu}\p{Ll}]/u.test(names)) return NAMES_ONLY.test(names);
  const isAddress = /^[,،，:]/u.test(end);
  return isAddress || !/\s\p{Ll}{2}/u.test(names.replace(EVERYONE, ''));
}

function openingsOf(sort: keyof OpeningWords): string {
  const words = COPY_LANGUAGES.map((language) => OPENINGS[language]?.[sort]);
  return words.filter((one) => one !== undefined).join('|');
}

const SIGN = '(?:\\s?[,，،:：]\\s?|\\s[–—-]\\s|\\s|$)';
const BEFORE = new RegExp(
  `^(?:(?:${openingsOf('team')})[,!，،]\\s?|(?:${openingsOf('reference')})(?!\\p{L})(?:\\s(?:with|mit|avec|con|com|met|z|с|з|s|med|με|cu)\\s[^,:.!?\\d]{2,30}(?=,))?${SIGN})`,
  'iu',
);
const HANDING = new RegExp(
  `^(?:${openingsOf('handing')})(?!\\p{L})(?:\\s(?:${gluesOf('for')})(?=\\s)|\\s?[:：,，،]|\\s[–—-]\\s|$)`,
  'iu',
);
/** Most openings of one sentence. */
const MAX_OPENINGS = 3;

/** A sentence without what it opens with, and whether what is left is the subject of the brief. */
type Opened = { readonly text: string; readonly isSubject: boolean };

/** Returns a sentence behind the words that it opens with: whom it speaks to, what was agreed before, and "here is the brief for". */
export function withoutOpening(sentence: string): Opened {
  let text = sentence;
  for (let round = 0; round < MAX_OPENINGS; round += 1) {
    const rest = text.replace(BEFORE, '');
    if (rest === text) break;
    text = rest.trimStart();
  }
  const subject = text.replace(HANDING, '');
  return { text: subject.trim(), isSubject: subject !== text };
}

const NAME = '\\p{Lu}\\p{L}+(?: \\p{Lu}\\p{L}+)?';
/** Somebody with a name of their own and of whom they write for. */
const SELF = new RegExp(
  `^(?:(?:this is|it['’]s|my name is|i['’]m|i am|hier (?:ist|schreibt|spricht)|ich bin|mein name ist|ici|je suis|c['’]est|soy|(?:les?|os|te) escribe|sono|qui è|aqui é|sou|quem fala é|hier is|ik ben|tu|z tej strony|jestem|это|меня зовут|пишет|на связи|це|мене звати|tady|jsem|jmenuji se|sunt|mă numesc|είμαι|εδώ|det här är|jag är|jag heter|det er|jeg er|jeg hedder|jeg heter)\\s${NAME}[\\s,]|(?:我是|这里是|我这边是)|(?:معكم|أنا)\\s|(?:כאן|אני)\\s|.*の[^。、]{1,8}(?:です|と申します|でございます)[。.]?$|(?:저는 )?.{1,24}(?:팀장?|담당자?|대리|과장|실장)\\s.{1,8}(?:입니다|예요)[.]?$)`,
  'u',
);
const MAX_SELF_CHARS = 60;
const MIN_PART_CHARS = 2;

/** Whether a sentence tells who writes: a person with a part of the brand's name beside them. */
export function introducesSelf(sentence: string, brandName: string): boolean {
  if (sentence.length > MAX_SELF_CHARS || /\d/u.test(sentence) || !SELF.test(lowerFirst(sentence))) return false;
  return brandName.split(/[\s・·•-]+/u).some((part) => part.length >= MIN_PART_CHARS && sentence.includes(part));
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
