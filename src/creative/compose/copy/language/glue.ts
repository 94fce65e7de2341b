import { COPY_LANGUAGES, type CopyLanguage } from './table.js';

/** The small words of a language between and before those that tell something, as alternatives of regular expressions. */
export type GlueWords = {
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
  /** In front of what something costs later. */
  readonly afterwards?: string;
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
  /** "Must not appear", behind what a brief bans. */
  readonly mustNotAppear?: string;
  /** "In the picture": such words are about it and not for the ad. */
  readonly inPicture?: string;
  /** "A quick one", by which the maker is spoken to. */
  readonly smallTalk?: string;
  /** "At the bottom", in front of the terms. */
  readonly atFoot?: string;
  /** "This", of what stands before. */
  readonly this?: string;
  /** In front of what an ad is for, or where it appears. */
  readonly for?: string;
  readonly please?: string;
  /** "In small letters", in front of the terms. */
  readonly smallPrint?: string;
  /** "It is forbidden", in front of what an ad must not do. */
  readonly forbids?: string;
  /** In front of the lowest of several prices. */
  readonly startingAt?: string;
  /** "Not to mention": a verb in the infinitive at the beginning of a sentence speaks to the maker. */
  readonly notToDo?: string;
  /** "What must not be in there", as the label of a ban. */
  readonly notWanted?: string;
};

const GLUE: Readonly<Record<CopyLanguage, GlueWords>> = {
  en: {
    startingAt: 'from|starting (?:at|from)|just|only',
    notWanted:
      "what (?:we|i) (?:do not|don['’]t) want|what (?:not to|must not|should not) \\p{L}+|(?:leave|keep) (?:this |these |it )?out",
    for: 'for|on',
    please: 'please|pls|plz',
    smallPrint: 'in (?:small|tiny|fine) (?:letters|print|type|text|font|caps)',
    forbids: "(?:it is |it['’]s |strictly )?(?:forbidden|prohibited|banned|off[- ]limits)",
    afterwards: 'then|afterwards|after that|thereafter',
    smallTalk: 'quick (?:one|thing|question|job)|small (?:one|request|job)',
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
    mustNotAppear:
      "(?:is|are) not to be (?:named|mentioned|used|shown|said|included|featured)|(?:cannot|can not|can['’]t|may not|must not|mustn['’]t|are not allowed to) (?:say|use|mention|claim|promise|show|write)|(?:must|should|may|can) ?not (?:appear|be (?:used|mentioned|shown|said|included|in (?:there|it))|come up|feature)|(?:is|are) (?:off[- ]limits|banned|forbidden|taboo|not allowed)",
    inPicture: 'in (?:the |any )?(?:picture|photo|image|shot|visual)s?',
    atFoot: 'at the (?:bottom|foot|end)|footer',
  },
  de: {
    startingAt: '(?:schon )?ab|nur',
    notWanted:
      '(?:was|das) (?:bitte )?nicht (?:rein|vorkommen|drin ?stehen|auftauchen|erscheinen)(?: (?:soll|darf|sollte))?|was wir nicht wollen',
    for: 'für|auf|bei',
    please: 'bitte',
    smallPrint:
      'ganz klein|in (?:ganz )?klein(?:er|en|em)? (?:schrift|buchstaben|druck)|klein (?:drunter|darunter)|kleingedruckt',
    forbids: '(?:streng |absolut |es ist )?(?:verboten|untersagt|tabu)(?: (?:ist|sind))?',
    afterwards: 'danach|dann|anschließend',
    smallTalk: '(?:kurze|kleine|schnelle) (?:sache|bitte|anfrage)',
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
    weNeed: '(?:brauchen|bräuchten|benötigen|hätten|suchen) wir|(?:wir )?(?:brauchen|suchen|möchten|wollen)',
    theWord: 'das wort|den begriff',
    button: 'knopf|button',
    buttonSays: 'soll (?:heißen|lauten)',
    hasButton: 'mit (?:dem|einem)',
    mustSay: 'muss (?:auch )?(?:enthalten)',
    this: 'das|dies',
    mustNotAppear: '(?:ist|sind) (?:tabu|verboten|nicht erlaubt)',
    inPicture: 'im bild|auf dem (?:bild|foto|motiv)',
    atFoot: 'unten(?: drunter)?|ganz unten|fußzeile',
  },
  fr: {
    notToDo: '(?:merci de |surtout )?ne (?:pas|jamais|surtout pas) \\p{L}{3,}(?:er|ir|re)',
    startingAt: 'à partir de|dès|seulement',
    notWanted: "(?:ce qu['’]|ce que nous |ce qui )[^:]{0,12}ne (?:veut|voulons|doit) pas(?: \\p{L}+)?",
    for: 'pour|sur',
    please: "svp|s['’]il (?:vous|te) pla[iî]t",
    smallPrint: 'en (?:tout )?petit(?:e?s? (?:lettres|caractères))?',
    forbids: "(?:il est |strictement )?interdi(?:t|ction)(?: de| d['’])?|proscrire",
    afterwards: 'puis|ensuite',
    smallTalk: 'petite demande|demande rapide|petit (?:brief|truc)',
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
    weNeed:
      'il nous faut|(?:nous|on) (?:voulons|voudrions|aimerions|cherchons|avons|souhaitons|veut|voudrait|aimerait|cherche)',
    theWord: 'le (?:mot|terme)',
    button: 'bouton',
    buttonSays: 'doit (?:dire|afficher)|dit|affiche|indique',
    hasButton: 'avec (?:le|un)',
    mustSay: 'doit (?:dire|contenir)',
    this: 'ça|cela',
    mustNotAppear:
      '(?:on )?ne (?:peut|doit|doivent|peuvent) pas (?:dire|mentionner|utiliser|parler|écrire|promettre|montrer|employer)|ne (?:doi(?:t|vent)|peu(?:t|vent)) (?:pas|jamais|surtout pas) (?:apparaître|figurer|être (?:utilisée?s?|mentionnée?s?|citée?s?|employée?s?))|(?:est|sont) (?:interdite?s?|proscrite?s?|à proscrire|à bannir)',
    inPicture: "(?:à|sur) l['’]image|sur (?:la photo|le visuel)",
    atFoot: '(?:tout )?en bas|en pied',
  },
  es: {
    notToDo: '(?:por favor,? )?no \\p{L}{3,}[aei]r',
    startingAt: 'desde|a partir de|solo',
    notWanted: 'lo que no (?:debe|queremos|puede)(?: \\p{L}+)?',
    for: 'para|en',
    please: 'por favor|porfa',
    smallPrint: 'en (?:letras? )?(?:muy )?pequeñ[oa]s?|(?:con |en )?letra (?:pequeña|chica)',
    forbids: '(?:está |queda |totalmente )?prohibid[oa]s?',
    afterwards: 'luego|después',
    smallTalk: '(?:una )?cosa rápida|brief rápido',
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
    buttonSays: 'debe decir|que diga|ponga|diga|lleve|dice|pone|con el texto',
    hasButton: 'con (?:el|un)|debe haber',
    mustSay: '(?:debe|tiene que) (?:decir|incluir|contener)',
    this: 'eso|esto',
    mustNotAppear:
      'no se (?:puede|debe|pueden|deben|permite) \\p{L}+r|no (?:debe|puede|deben|pueden) (?:aparecer|salir|figurar|usarse|mencionarse)|(?:está|están|queda) prohibid[oa]s?',
    inPicture: 'en la (?:foto|imagen)',
    atFoot: 'abajo|al (?:pie|final)|a pie de anuncio',
  },
  it: {
    notToDo: '(?:per favore,? )?non \\p{L}{3,}[aei]re',
    startingAt: 'a partire da|da|solo',
    notWanted: '(?:cosa|quello che) non (?:deve|vogliamo|va)(?: \\p{L}+)?',
    for: 'per|su',
    please: 'per (?:favore|piacere|cortesia)',
    smallPrint: 'in (?:caratteri piccoli|piccolo)|scritt[oe] in piccolo',
    forbids: '(?:è |assolutamente )?vietat[oaie]|divieto di',
    afterwards: 'poi|dopo',
    smallTalk: '(?:una )?cosa veloce|richiesta veloce',
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
    weNeed: '(?:ci|mi) (?:serve|serv\\p{L}+|occorre)|(?:vogliamo|vorremmo|abbiamo bisogno di|mi serve)',
    theWord: 'la parola',
    button: 'bottone|pulsante',
    buttonSays: 'con la scritta|deve dire|dice',
    hasButton: 'con (?:il|un)|deve esserci|ci (?:vuole|deve essere)',
    mustSay: 'deve (?:dire|contenere)',
    this: 'questo',
    mustNotAppear:
      'non si (?:può|deve|possono|devono) \\p{L}+re|non (?:deve|può|devono|possono) (?:comparire|apparire|esserci|essere (?:usat[oaie]|menzionat[oaie]|citat[oaie]))|(?:è|sono) (?:vietat[oaie]|da evitare)',
    inPicture: "nell['’]immagine|nella foto",
    atFoot: 'in (?:basso|fondo|calce)|a piè di pagina',
  },
  pt: {
    notToDo: '(?:por favor,? )?não \\p{L}{3,}[aei]r',
    startingAt: 'a partir de|desde|só',
    notWanted: 'o que não (?:pode|deve|queremos)(?: \\p{L}+)?',
    for: 'para|no|na',
    please: 'por favor|se faz favor',
    smallPrint: 'em (?:letras? )?(?:pequen[oa]s?|miúdas?)|letr(?:inhas?|as? (?:pequenas?|miúdas?))',
    forbids: '(?:é |está |fica |totalmente |terminantemente )?proibid[oa]s?',
    afterwards: 'depois',
    weNeed: '(?:precis\\p{L}+(?: de)?|queremos|gostaríamos de)',
    smallTalk: '(?:uma )?coisa rápida|pedido rápido',
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
    buttonSays: 'deve dizer|com o texto|diz',
    hasButton: 'com o',
    mustSay: 'deve (?:dizer|conter)',
    this: 'isso|isto',
    mustNotAppear:
      'não se (?:pode|deve) \\p{L}+r|não (?:podemos|devemos) (?:dizer|usar|falar|mencionar|escrever|prometer|mostrar)|não (?:pode|deve|podem|devem) (?:aparecer|constar|figurar|ser (?:usad[oa]s?|mencionad[oa]s?|citad[oa]s?))|(?:está|estão|fica) proibid[oa]s?',
    inPicture: 'na (?:foto|imagem|fotografia)',
    atFoot: 'em baixo|embaixo|no (?:fim|final|rodapé)',
  },
  nl: {
    startingAt: 'vanaf|slechts',
    notWanted: 'wat (?:er )?niet (?:in|mag|moet)(?: \\p{L}+)?',
    for: 'voor|op',
    please: 'graag|a\\.?u\\.?b\\.?|alsjeblieft|alstublieft',
    smallPrint: 'in (?:heel )?kleine? (?:letters|lettertjes|tekst)|klein eronder',
    forbids: '(?:het is )?verboden|taboe',
    afterwards: 'daarna',
    smallTalk: '(?:snel|klein) (?:dingetje|verzoekje|klusje)',
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
    buttonSays: '(?:moet )?(?:zegt|zeggen|luidt|wordt)',
    hasButton: 'met een',
    weNeed: '(?:hebben|zoeken|willen) (?:we|wij)(?: graag)?|(?:we|wij|ik) (?:willen|wil|zoeken|hebben|heb)(?: graag)?',
    mustNotAppear:
      '(?:mag|mogen|kun|kan) (?:je |we |men )?niet (?:zeggen|noemen|gebruiken|vermelden|schrijven|beloven|tonen)|(?:mag|mogen|kan|moet) (?:er )?niet (?:voorkomen|in(?:staan)?|erin(?: staan)?|gebruikt worden|genoemd worden|verschijnen|staan)|(?:is|zijn) (?:taboe|verboten|niet toegestaan)',
    inPicture: 'in beeld|op de foto|op het beeld',
    atFoot: 'onderaan|eronder|helemaal onderaan',
  },
  pl: {
    notToDo: '(?:prosimy |proszę )?(?:o nie \\p{L}{3,}nie|nie \\p{L}{3,}(?:ać|ić|yć|eć))',
    startingAt: '(?:już )?od|tylko',
    notWanted: 'czego nie (?:chcemy|może być|używać|pisać)',
    for: 'na|dla|do',
    please: 'proszę',
    smallPrint: '(?:małym|drobnym) drukiem|małymi literami',
    forbids: '(?:surowo )?(?:zabronione|zakazane|zabrania się)|nie wolno|zakaz',
    afterwards: 'potem|później|następnie',
    weNeed: '(?:potrzebuj\\p{L}+|chc\\p{L}+|prosi\\p{L}+ o|proszę o)',
    smallTalk: '(?:szybka|krótka|mała) (?:sprawa|prośba)',
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
    button: 'przycisk(?:u|iem)?',
    this: 'to|tego',
    mustNotAppear:
      'nie (?:może|mogą|powinn[oa]|powinny) (?:się )?(?:pojawi(?:ć|ać)|wystąpić|występować|padać|paść|być (?:użyt\\p{L}+|wspomnian\\p{L}+))(?: się)?|(?:jest|są) (?:zakazan\\p{L}+|zabronion\\p{L}+)',
    inPicture: 'na zdjęciu|na grafice',
    atFoot: 'na dole|u dołu|pod spodem',
  },
  tr: {
    startingAt: 'sadece|yalnızca',
    notWanted: '(?:olmaması|kullanılmaması) gerekenler|istemediklerimiz',
    please: 'lütfen',
    smallPrint: 'küçük (?:harflerle|yazıyla|puntoyla|yazı)',
    forbids: 'yasak(?:lar|lı)?',
    afterwards: 'sonra(?:sında)?',
    weNeed: '(?:istiyoruz|lazım|gerek(?:iyor)?|rica ed\\p{L}+)',
    and: 've',
    but: 'ama',
    or: 'veya',
    degree: 'çok|bir',
    this: 'bunu',
    mustNotAppear: '(?:kullanılmamalı|yer almamalı|geçmemeli|bulunmamalı|görünmemeli|olmasın)\\p{L}*',
    inPicture: 'görselde|fotoğrafta',
    atFoot: 'altta|en altta|en alta',
  },
  ru: {
    notToDo: '(?:просьба |просим )?не \\p{L}{3,}(?:ать|ять|ить|еть)(?:ся)?',
    startingAt: 'от|всего',
    notWanted: 'чего (?:не должно быть|не хотим|избегать)',
    for: 'для|на|в',
    please: 'пожалуйста',
    smallPrint: '(?:мелким|маленьким) шрифтом|мелко',
    forbids: '(?:строго )?(?:запрещено|запрещается|запрещены)|нельзя|запрет(?:ы)?',
    afterwards: 'затем|далее|потом',
    weNeed: '(?:нужн?[аоы]?|нужен|требуется|хотим)',
    smallTalk: '(?:быстр|коротк|небольш)\\p{L}{2} (?:задача|просьба|бриф)',
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
    mustNotAppear:
      'не (?:должн[оаы]|должен|может|могут) (?:встречаться|появляться|быть|звучать|упоминаться|использоваться|фигурировать)|(?:запрещен|под запретом)\\p{L}*',
    inPicture: 'на (?:фото|картинке|изображении)',
  },
  ja: {
    notWanted: '(?:使わない|避けたい|入れない)(?:言葉|表現|こと)',
    smallPrint: '小さ(?:い文字|く)',
    forbids: '禁止(?:事項|ワード|表現)?',
  },
  zh: {
    notWanted: '(?:不要|避免|不能)(?:出现|提及|使用)(?:的(?:词|内容))?',
    formerly: '原价|原價|定价',
    weNeed: '(?:我们)?(?:需要|想要|想做|要做|请做|做)',
    for: '为|给',
    smallPrint: '小字',
    forbids: '(?:严禁|禁止|禁用词?)',
  },
  ko: {
    notWanted: '(?:쓰지|넣지) 말아야 할 (?:것|말|표현)|제외(?: ?(?:사항|문구))?',
    formerly: '정가',
    weNeed: '(?:필요\\p{L}*|부탁\\p{L}*|원합니다)',
    smallPrint: '작은 (?:글씨|글자)(?:로)?',
    forbids: '금지(?: ?(?:어|표현|사항))?',
  },
  ar: {
    startingAt: '(?:تبدأ |ابتداء[ًا]{0,2} )?من',
    notWanted: 'ما لا (?:نريد|يجب)[^:]{0,14}',
    for: 'على|عن',
    please: 'من فضلك(?:م)?',
    smallPrint: 'بخط صغير|بأحرف صغيرة',
    forbids: '(?:ممنوع|يمنع|يُمنع|محظور)(?:ة|ات)?',
    weNeed: '(?:نحتاج|نريد|أريد|أحتاج)(?: إلى)?',
    and: 'و',
    but: 'ولكن',
    at: 'في|من|لل',
    theWord: 'كلمة',
    this: 'هذا',
    mustNotAppear:
      '(?:يجب|ينبغي) (?:ألا|أن لا) (?:ت|ي)(?:ظهر|ذكر|رد|ستخدم)|(?:لا|ولا) (?:يجب|ينبغي|يجوز) أن (?:ت|ي)(?:ظهر|ذكر|رد|ستخدم)|(?:ممنوع|محظور)ة?',
    inPicture: 'في الصورة',
    atFoot: 'في الأسفل|أسفل الإعلان',
  },
  he: {
    startingAt: 'החל מ-?|רק',
    notWanted: 'מה (?:לא|אסור)[^:]{0,12}',
    for: 'עבור|על',
    please: 'בבקשה',
    smallPrint: '(?:ב)?(?:אותיות|כתב) (?:קטנות|קטן)',
    forbids: 'אסור',
    weNeed: '(?:צריכים|צריך|רוצים|נדרש)',
    theWord: 'המילה',
    this: 'זה',
    mustNotAppear: '(?:לא|אסור ש)\\s?(?:ת|י)(?:ופיע|יזכר|היה)(?:ו)?|אסור(?:ה|ים|ות)?',
    inPicture: 'בתמונה',
    atFoot: 'למטה|בתחתית',
  },
  hi: {
    startingAt: 'सिर्फ|केवल',
    please: 'कृपया',
    smallPrint: 'छोटे (?:अक्षरों|फ़ॉन्ट) में',
    forbids: '(?:मना|निषिद्ध|वर्जित)',
    and: 'और',
    theWord: 'शब्द',
    this: 'यह',
    mustNotAppear: '(?:नहीं|न) (?:आना|आनी|होना|होनी|दिखना) चाहिए',
    inPicture: 'तस्वीर में|फोटो में',
    atFoot: 'नीचे',
  },
  th: {
    smallPrint: 'ตัว(?:หนังสือ)?เล็ก',
    forbids: 'ข้อห้าม',
    mustNotAppear: '(?:ห้าม|ไม่)มีคำว่า',
  },
  sv: {
    startingAt: 'från|bara|endast',
    notWanted: '(?:vad|det) som inte (?:får|ska)(?: \\p{L}+){0,2}',
    for: 'för|till|på',
    please: 'tack|gärna',
    smallPrint: '(?:med|i) (?:liten|små|mindre) (?:text|stil|bokstäver|bokstav)|finstilt',
    forbids: '(?:strängt |det är )?förbjud(?:et|na)',
    afterwards: 'därefter|sedan',
    smallTalk: '(?:snabb|liten)t? (?:grej|sak|ärende)',
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
    weNeed: '(?:behöver|vill|söker|önskar) vi(?: ha)?|vi (?:behöver|vill|söker|önskar)',
    theWord: 'ordet',
    button: 'knapp(?:en)?',
    buttonSays: 'ska (?:det )?(?:stå|säga|heta)|med texten|där det står',
    hasButton: 'med(?: en)?|lägg till(?: en)?|ha(?: en)?',
    mustSay: '(?:måste|ska|skall) (?:det )?(?:också )?(?:stå|nämna|innehålla|framgå|säga)',
    this: 'det|detta|den',
    mustNotAppear:
      'får (?:absolut )?(?:inte|ej) (?:förekomma|synas|vara med|stå med|användas|nämnas|finnas med)|(?:är) (?:förbjud\\p{L}+|tabu)',
    inPicture: 'i bild(?:en)?|på bilden',
    atFoot: 'längst ner|nederst|i foten',
  },
  da: {
    startingAt: 'fra|kun',
    notWanted: '(?:hvad|det) der ikke (?:må|skal)(?: \\p{L}+){0,2}',
    for: 'til|for|på',
    please: 'tak|venligst',
    smallPrint: 'med (?:småt|små bogstaver|lille skrift)|småt',
    forbids: '(?:strengt |det er )?forbudt',
    afterwards: 'derefter|herefter',
    smallTalk: '(?:hurtig|lille) (?:ting|opgave|bestilling)',
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
    weNeed: '(?:mangler|ønsker) vi|skal vi bruge|vi (?:skal bruge|mangler|ønsker|vil)',
    theWord: 'ordet',
    button: 'knap(?:pen)?',
    buttonSays: 'skal (?:der )?(?:stå|sige|hedde)|med teksten|hvor der står',
    hasButton: 'med(?: en)?|tilføj(?: en)?|brug(?: en)?',
    mustSay: 'skal (?:der )?(?:også )?(?:stå|nævne|indeholde|fremgå|sige)',
    this: 'det|dette|den',
    mustNotAppear:
      'må (?:absolut )?(?:ikke|aldrig) (?:optræde|forekomme|stå|være med|bruges|nævnes|indgå|fremgå)|(?:er) (?:forbudt|tabu)',
    inPicture: 'i billedet|på billedet',
    atFoot: 'nederst|i bunden',
  },
  nb: {
    startingAt: 'fra|kun',
    notWanted: '(?:hva|det) som ikke (?:skal|må|får)(?: \\p{L}+){0,2}',
    for: 'til|for|på',
    please: 'takk|vennligst',
    smallPrint: 'med (?:liten skrift|små bokstaver)|liten skrift',
    forbids: '(?:strengt |det er )?forbudt',
    afterwards: 'deretter',
    smallTalk: '(?:kjapp|liten|rask) (?:sak|ting|greie|bestilling)',
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
    weNeed: '(?:trenger|ønsker) vi|vi (?:trenger|ønsker|vil)',
    theWord: 'ordet',
    button: 'knapp(?:en)?',
    buttonSays: 'skal (?:det )?(?:stå|si|hete)|med teksten|der det står',
    hasButton: 'med(?: en)?|legg til(?: en)?|ha(?: en)?',
    mustSay: '(?:må|skal) (?:det )?(?:også )?(?:stå|nevne|inneholde|fremgå|si)',
    this: 'det|dette|den',
    mustNotAppear:
      '(?:får|må|skal) (?:absolutt )?(?:ikke|aldri) (?:forekomme|stå|være med|brukes|nevnes|dukke opp|fremgå)|(?:er) (?:forbudt|tabu)',
    inPicture: 'i bildet|på bildet',
    atFoot: 'nederst|i bunn(?:en)?',
  },
  el: {
    startingAt: 'από|μόνο',
    notWanted: 'τι (?:δεν|να μην?) [^:]{2,20}',
    for: 'για|στο|στη',
    please: 'παρακαλώ',
    smallPrint: '(?:με )?(?:ψιλά|μικρά) γράμματα',
    forbids: 'απαγορεύ(?:εται|ονται)',
    afterwards: 'μετά|έπειτα',
    smallTalk: 'κάτι γρήγορο',
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
    mustNotAppear:
      'δεν (?:πρέπει|μπορεί|επιτρέπεται) να (?:εμφαν\\p{L}+|υπάρχ\\p{L}+|χρησιμοποι\\p{L}+|αναφ\\p{L}+|φαίνεται|γραφτεί)|απαγορεύ\\p{L}+',
    inPicture: 'στη(?:ν)? (?:φωτογραφία|εικόνα)',
    atFoot: 'στο κάτω μέρος|κάτω κάτω|κάτω|στο τέλος',
  },
  uk: {
    notToDo: '(?:прохання |просимо )?не \\p{L}{3,}(?:ати|яти|ити|іти|увати)(?:ся)?',
    startingAt: 'від|лише',
    notWanted: 'чого (?:не має бути|не хочемо|уникати)',
    for: 'для|на|у',
    please: 'будь ласка',
    smallPrint: '(?:дрібним|маленьким) шрифтом',
    forbids: '(?:суворо )?(?:заборонено|забороняється)|не можна',
    afterwards: 'далі|потім',
    smallTalk: '(?:швидк|коротк|невелик)\\p{L}{1,2} (?:завдання|прохання|бриф)',
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
    mustNotAppear:
      "не (?:повин(?:ен|на|но|ні)|має|може|мають|можуть) (?:з[’'ʼ]являтися|траплятися|бути|звучати|згадуватися|використовуватися)|(?:заборонен)\\p{L}*",
    inPicture: 'на (?:фото|зображенні|картинці)',
  },
  cs: {
    notToDo: '(?:prosím )?ne\\p{L}{3,}(?:at|it|et)',
    startingAt: '(?:již )?od|jen',
    notWanted: 'co (?:tam )?(?:nemá|nesmí|nechceme)(?: \\p{L}+)?',
    for: 'pro|na',
    please: 'prosím',
    smallPrint: '(?:malým|drobným) písmem|malými písmeny',
    forbids: '(?:přísně |je )?zakáz(?:áno|ané|aná)|zákaz',
    afterwards: 'poté|pak',
    smallTalk: '(?:rychl|mal)á (?:věc|prosba)',
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
    mustNotAppear:
      '(?:se )?(?:nesmí|nesmějí|nemá|nemůže) (?:se )?(?:objevit|objevovat|zaznít|vyskytnout|použít|používat|být)|(?:je|jsou) (?:zakázan|tabu)\\p{L}*',
    inPicture: 'na (?:obrázku|fotce|fotografii)',
    atFoot: 'dole|dolů|úplně dole',
  },
  ro: {
    notToDo: 'a nu se \\p{L}{3,}',
    startingAt: 'de la|doar',
    notWanted: 'ce nu (?:trebuie|vrem)(?: să \\p{L}+)?',
    for: 'pentru|pe',
    please: 'vă rog|te rog',
    smallPrint: '(?:cu|scris) (?:litere )?mic(?:i)?',
    forbids: '(?:este |strict )?interzis[ăe]?',
    afterwards: 'apoi|ulterior',
    smallTalk: '(?:o )?(?:chestie|treabă) rapidă',
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
    mustNotAppear:
      'nu (?:trebuie|are voie|poate|au voie|pot) să (?:apară|fie (?:folosit|menționat)\\p{L}*|figureze)|(?:este|sunt|e) interzis\\p{L}*',
    inPicture: 'în (?:poză|imagine|fotografie)',
    atFoot: 'jos|în josul paginii|la final',
  },
};

/** Returns the words of one sort in all languages, as alternatives. */
export function gluesOf(...sorts: readonly (keyof GlueWords)[]): string {
  const words = COPY_LANGUAGES.flatMap((language) => sorts.map((sort) => GLUE[language][sort]));
  return words.filter((one) => one !== undefined).join('|');
}

/** Returns the small words of a language, each sort as alternatives. */
export function glueWordsOf(language: CopyLanguage): GlueWords {
  return GLUE[language];
}

/** The small words of a language as patterns; those that mean something else in others. */
type Glue = {
  /** What joins a clause to the one before it, at its beginning. */
  readonly conjunction: RegExp;
  /** A conjunction at the end of a text that went on with what was taken off. */
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
