import { withoutEnd } from '../text.js';
import { gluesOf } from './glue.js';
import type { CopyLanguage } from './table.js';

/** The words of a clause that instructs the maker and is no copy. */
type AsideWords = {
  /** How the ad is to speak or look; beginnings of words. */
  readonly manner: string;
  /** Whom it speaks to. */
  readonly readers: string;
};

const ASIDES: Readonly<Record<CopyLanguage, AsideWords>> = {
  en: {
    manner:
      'red$|blue$|green$|navy|gold(?:en)?$|silver|black$|white$|cream$|beige|orange$|yellow|purple|violet|pink|teal|turquoise|gr[ea]y$|brown|burgundy|pastels?$|tones?$|colou?rs?$|shades?$|deep$|dark$|light$|pale$|bright|earthy|palette|accents?$|calm|elegan|energetic|playful|premium|minimal|trustworth|warm|friendl|funny|fun$|humorous|witty|loud$|bold$|young$|youthful|urban$|modern|classy|classic$|luxurious|serious|professional|confident|upbeat|cheerful|cheeky|light-?hearted|heartfelt|emotional|informative|factual|honest|understated|restrained|sophisticated|inspiring|inspirational|aspirational|optimistic|reassuring|respectful|dignified|discreet|quiet$|relaxed|casual|conversational|approachable|down-to-earth|edgy|quirky|dramatic|punchy|snappy|crisp$|clean$|simple$|sincere|caring$|empathetic|authoritative|expert$|formal|informal|vibrant|colou?rful|dreamy|nostalgic|romantic|festive|cosy|cozy|sober|neutral|no-nonsense|adventurous|calming|tender|technical|grown-?up|adult$|mature|literary|loud|straightforward|homely|direct$|authentic|lively|gentle|thoughtful|slick|joyful|hopeful|empowering|motivating|educational|plain$|english$|tone|style|vibes?$|mood|sound(?:ing)?$|feel(?:ing)?$|look(?:ing)?$',
    readers:
      'commuters|women|men|(?:dog|cat|pet|car|home|business|small business) owners|sons|daughters|adults|families|parents|mums|moms|dads|couples|students|teens|teenagers|millennials|gen ?[xyz]|boomers|seniors|pensioners|retirees|homeowners|renters|(?:property |office |facility )?managers|professionals|freelancers|founders|executives|gamers|runners|cyclists|shoppers|travell?ers|holidaymakers|first-time buyers|foodies|audience|people',
  },
  de: {
    manner:
      'rot$|blau$|grün$|gold$|silber|schwarz|weiß|weiss|creme|beige|orange$|gelb|lila|violett|rosa$|pink|türkis|grau$|braun|dunkel|hell|pastell|naturtöne|erdtöne|farben$|farbtöne|töne$|optik$|sachlich|seriös|locker|modern|freundlich|warm|herzlich|ruhig|elegant|hochwertig|premium|edel|verspielt|humorvoll|witzig|lustig|frech|jung$|jugendlich|emotional|vertrauenswürdig|vertrauensvoll|professionell|klar$|schlicht|minimalistisch|energiegeladen|dynamisch|sportlich|bodenständig|nahbar|festlich|gemütlich|entspannt|informativ|stilvoll|dezent|zurückhaltend|authentisch|ehrlich|abenteuerlich|selbstbewusst|leicht$|rustikal|per du$|per sie$|ansprache|tonalität|ton$|stil$|look$|stimmung',
    readers:
      'pendler(?:innen)?|frauen|männer|erwachsene|familien|eltern|paare|studierende|studenten|jugendliche|senioren|rentner|hausbesitzer|berufstätige|selbst(?:st)?ändige|radfahrer|läufer|hundebesitzer|gen ?[xyz]|zielgruppe',
  },
  fr: {
    manner:
      'rouge|bleu|vert|verte$|doré|argent|noir|blanc|crème$|beige|orange$|jaune|violet|rose$|turquoise|gris|marron|bordeaux|pastel|tons$|couleurs?$|clair|foncé|palette|vif|vive|chaleureu|familia|élégant|sobre|simple$|décalé|drôle|humoristique|ludique|moderne|premium|haut de gamme|luxueu|raffiné|rassurant|sérieu|professionnel|dynamique|jeune$|joyeu|festi|tendre|doux$|douce$|calme|convivial|complice|épuré|minimaliste|énergique|authentique|bienveillant|ton$|style|ambiance',
    readers:
      'familles|parents|femmes|hommes|étudiants|jeunes(?: actifs)?|couples|seniors|retraités|propriétaires|actifs|adultes|cyclistes|gen ?[xyz]|cible',
  },
  es: {
    manner:
      'roj[oa]|azul|verde|dorad|platead|negr[oa]|blanc[oa]|crema$|beige|naranja|amarill|morad|violeta|rosa$|turquesa|gris|marrón|pastel|tonos$|colores|clar[oa]s?$|oscur|paleta|viv[oa]s$|tierra$|seri[oa]|alegre|elegante|cercan[oa]|cálid|divertid|moderno|moderna|juvenil|fresc[oa]$|profesional|sobri[oa]|emotiv|emocional|tranquil|calmad|enérgic|dinámic|premium|minimalista|sencill|desenfadad|inspirador|confiable|auténtic|tiern|amable|tono|estilo|ambiente',
    readers:
      'familias|padres|madres|mujeres|hombres|jóvenes|estudiantes|parejas(?: jóvenes)?|adultos|jubilados|profesionales|propietarios|viajeros|gen ?[xyz]|público',
  },
  it: {
    manner:
      'ross[oaie]|blu$|azzurr|verd[ei]$|dorat|oro$|argent|ner[oaie]$|bianc|crema$|beige|arancio|giall|viola$|ros[ae]$|turchese|grigi|marron|bordeaux|pastell|toni$|tonalità|colori|chiar[oaie]$|scur|terra$|tavolozza|viv[aeio]$|seri[oa]|allegr|elegant|cald[oa]|divertent|modern[oa]|giovan|fresc[oa]$|professional|sobri[oa]|emozional|tranquill|calm[oa]|energic|dinamic|premium|minimal|semplice|ironic|amichevol|autentic|rassicurant|tono|stile|atmosfera',
    readers:
      'famiglie|genitori|donne|uomini|giovani|studenti|coppie|adulti|anziani|pensionati|professionisti|viaggiatori|gen ?[xyz]|pubblico',
  },
  pt: {
    manner:
      'vermelh|azu[li]|verde|dourad|pratead|pret[oa]|branc[oa]|creme$|bege|laranja$|amarel|rox[oa]|rosa$|turquesa|cinz|marrom|castanh|bordô|pastel|pastéis|tons$|cores$|colorid|clar[oa]s?$|escur|paleta|visual$|vivas$|terrosos|séri[oa]|romântic|alegre|elegante|próxim|acolhedor|divertid|modern[oa]|jove[mn]|fresc[oa]$|profissiona|sóbri|emotiv|emociona|tranquil|calm[oa]|energétic|dinâmic|premium|minimalista|simples$|descontra|inspirador|confiáve|autêntic|simpátic|tom$|estilo|ambiente',
    readers:
      'famílias|pais|mães|mulheres|homens|jovens|estudantes|casais|adultos|idosos|reformados|profissionais|viajantes|gen ?[xyz]|público',
  },
  nl: {
    manner:
      'rood|rode$|blauw|groen|goud|zilver|zwart|wit$|witte$|crème|beige|oranje|geel|gele$|paars|roze|turquoise|grijs|bruin|bordeaux|pastel|tinten|kleuren|licht$|lichte$|donker|nuchter|warm|vriendelijk|speels|elegant|modern|zakelijk|rustig|premium|luxe$|vrolijk|grappig|jong$|fris$|energiek|betrouwbaar|professioneel|minimalistisch|strak|informeel|eerlijk|serieus|toon$|stijl|sfeer',
    readers:
      'gezinnen|ouders|vrouwen|mannen|studenten|jongeren|stellen|senioren|huiseigenaren|fietsers|professionals|gen ?[xyz]|doelgroep',
  },
  pl: {
    manner:
      'czerwon|czerwień|niebiesk|granat|zielon|zieleń|złot[ayeo]|srebr|czarn|czerń|biał|biel|kremow|beż|pomarańcz|żółt|fiolet|różow|róż$|turkus|szar|brąz|bordow|pastel|kolor|odcienie|barw|jasn|ciemn|klimat|spokojn|eleganck|ciepł|przyjazn|nowoczesn|poważn|profesjonaln|zabawn|lekk|wesoł|premium|minimalistyczn|energiczn|młodzieżow|ton$|styl$|nastrój',
    readers: 'rodziny|rodzice|kobiety|mężczyźni|studenci|młodzi|pary|seniorzy|gen ?[xyz]',
  },
  tr: {
    manner:
      'kırmızı|mavi|lacivert|yeşil|altın$|gümüş|siyah|beyaz|krem$|bej|turuncu|sarı$|mor$|pembe|turkuaz|gri$|kahverengi|bordo|pastel|ton|renk|açık$|koyu|hardal|sakin|samimi|sıcak|zarif|şık|modern|ciddi|profesyonel|eğlenceli|enerjik|neşeli|genç$|premium|sade$|güven verici|ton$|üslup|tarz|dil$|anlatım',
    readers: 'aileler|ebeveynler|kadınlar|erkekler|gençler|öğrenciler|çiftler|emekliler',
  },
  ru: {
    manner:
      'красн|синий|синие|синих|син[яе]|голуб|зелён|зелен|золот|серебр|чёрн|черн|бел[ыо]|кремов|бежев|оранжев|жёлт|желт|фиолет|розов|бирюз|сер[ыо]|коричн|бордо|пастел|тона$|тонах$|цвет|оттенк|гамма|палитра|светл|тёмн|темн|спокойн|элегантн|тёпл|тепл|дружелюбн|современн|серьёзн|серьезн|профессиональн|весёл|весел|игрив|премиальн|минималист|энергичн|молодёжн|молодежн|тон$|стиль|настроение',
    readers:
      'семьи|родители|женщины|мужчины|студенты|молодёжь|молодежь|пары|пенсионеры|молодые (?:семьи|родители|специалисты)',
  },
  ja: {
    manner:
      '(?:赤|青|緑|金|銀|黒|白|水|紺|茶|桃|灰|黄|紫)色?|ベージュ|クリーム色?|オレンジ色?|ピンク|ターコイズ|グレー|えんじ色?|パステル(?:カラー)?|色調|配色|涼しげ|淡い|濃い|上品|落ち着い|落ち着き|明る[いく]|元気|優し[いく]|やさし[いく]|高級感|シンプル|ポップ|かわい[いく]|可愛[いく]|かっこい[いく]|楽し[いく]|楽しげ|信頼感|親しみやす[いく]|おしゃれ|爽やか|さわやか|温か[いく]|温かみ|誠実|真面目|カジュアル|モダン|トーン|雰囲気|テイスト|スタイル',
    readers: '',
  },
  zh: {
    manner:
      '(?:红|蓝|绿|金|银|黑|白|米|橙|橘|黄|紫|粉|灰|棕|紅|藍|綠|銀|黃)色?|浅|深|淡|淺|色系|颜色|顏色|有活力|年輕|温馨|优雅|活泼|轻松|高端|简约|清爽|年轻|时尚|专业|严肃|可信|幽默|俏皮|温暖|大气|沉稳|亲切|热情|风格|语气|调性|氛围|感觉',
    readers: '',
  },
  ko: {
    manner:
      '빨강|파랑|초록|금색|은색|검정|흰색|하얀|크림|베이지|주황|노랑|보라|분홍|핑크|청록|회색|갈색|파스텔|컬러|색$|색상|계열|연한|진한|톤|밝|따뜻|차분|고급|세련|친근|유쾌|신뢰감|젊|활기|담백|감성적|감각적|재미있|심플|미니멀|진지|톤$|톤으로|톤앤매너|느낌|분위기|스타일',
    readers: '',
  },
  ar: {
    manner:
      'أحمر|أزرق|أخضر|ذهبي|فضي|أسود|أبيض|كريمي|بيج|برتقالي|أصفر|بنفسجي|وردي|فيروزي|رمادي|بني|باستيل|ألوان|الألوان|درجات|فاتح|داكن|لمسات|هادئ|أنيق|ودود|دافئ|مرح|جاد|رسمي|عصري|فاخر|احترافي|بسيط|مطمئن|راق|بأسلوب|أسلوب|نبرة|بنبرة|طابع',
    readers: 'العائلات|عائلات|الشباب|النساء|الرجال|الأزواج|الطلاب|الأمهات|الآباء',
  },
  he: {
    manner:
      'אדום|כחול|תכלת|ירוק|זהב|כסף$|שחור|לבן|קרם|בז׳|כתום|צהוב|סגול|ורוד|טורקיז|אפור|חום$|בורדו|פסטל|גוונים|צבעים|צבעי|בהיר|כהה|חול$|רגוע|אלגנטי|חם$|חמים|ידידותי|צעיר$|מודרני|רציני|מקצועי|כיפי|שובב|יוקרתי|נקי$|אנרגטי|טון|סגנון|אווירה',
    readers: 'משפחות|הורים|נשים|גברים|צעירים|סטודנטים|זוגות|גמלאים',
  },
  hi: {
    manner:
      'लाल|नीला|नीले|हरा|हरे|सुनहरा|काला|काले|सफेद|सफ़ेद|क्रीम|नारंगी|पीला|पीले|बैंगनी|गुलाबी|भूरा|रंग|हल्का|हल्के|गहरा|गहरे|शांत|गर्मजोशी|दोस्ताना|मज़ेदार|मजेदार|आधुनिक|गंभीर|पेशेवर|प्रीमियम|सरल|ऊर्जावान|भरोसेमंद|उत्सवी|भावनात्मक|लहजा|लहज़ा|टोन|अंदाज़|अंदाज|शैली',
    readers: 'परिवार|महिलाएँ|महिलाएं|पुरुष|युवा|छात्र|माता-पिता',
  },
  th: {
    manner:
      'แดง|น้ำเงิน|ฟ้า|เขียว|ทอง|เงิน|ดำ|ขาว|ครีม|เบจ|ส้ม|เหลือง|ม่วง|ชมพู|เทา|น้ำตาล|พาสเทล|สี|อ่อน|เข้ม|ผ่อนคลาย|หรูหรา|เป็นกันเอง|สนุกสนาน|สนุก|ทันสมัย|อบอุ่น|จริงจัง|มืออาชีพ|เรียบง่าย|สดใส|น่าเชื่อถือ|พรีเมียม|โทน|สไตล์|อารมณ์',
    readers: '',
  },
  sv: {
    manner:
      'röd|rött|blå|grön|guld|silver|svart|vit$|vitt$|vita$|kräm|beige|orange|gul$|gula$|gult$|lila|rosa$|turkos|grå|brun|vinröd|pastell|toner$|färger|nyanser|ljus|mörk|sand$|varm|vänlig|lugn|elegant|modern|seriös|saklig|lekfull|humoristisk|rolig|avslappna|premium|exklusiv|enkel|stilren|minimalistisk|energisk|ungdomlig|trygg|förtroendeingivande|professionell|ärlig|inspirerande|mysig|hemtrevlig|festlig|somrig|personlig|äkta|naturlig|pigg|glad$|glatt$|rak$|rakt$|ton$|stil$|känsla|stämning',
    readers:
      '(?:unga |små)?(?:barnfamiljer|familjer|vuxna|par|föräldrar)|kvinnor|män|studenter|pendlare|seniorer|pensionärer|villaägare|hundägare|cyklister|löpare|småföretagare|företagare',
  },
  da: {
    manner:
      'rød|blå|grøn|guld|sølv|sort|hvid|creme|beige|orange|gul$|gule$|lilla|lyserød|turkis|grå|brun|bordeaux|pastel|toner$|farver|nuancer|lys|mørk|nordisk|varm|venlig|rolig|elegant|modern|seriøs|saglig|legende|humoristisk|sjov|afslappet|premium|eksklusiv|enkel|enkelt|stilren|minimalistisk|energisk|ungdommelig|tryg|troværdig|professionel|ærlig|inspirerende|hyggelig|festlig|sommerlig|personlig|ægte|naturlig|frisk|glad$|tone$|stil$|stemning',
    readers:
      '(?:unge )?(?:børnefamilier|familier|voksne|par|forældre)|kvinder|mænd|studerende|pendlere|seniorer|pensionister|husejere|boligejere|hundeejere|cyklister|løbere|selvstændige',
  },
  nb: {
    manner:
      'rød|blå|grønn|gull|sølv|svart|hvit|krem|beige|oransje|gul$|gule$|lilla|rosa$|turkis|grå|brun|burgunder|pastell|toner$|farger|nyanser|lys|mørk|nordisk|varm|vennlig|rolig|elegant|modern|seriøs|saklig|leken|humoristisk|morsom|avslappet|premium|eksklusiv|enkel|enkelt|stilren|minimalistisk|energisk|ungdommelig|trygg|troverdig|profesjonell|ærlig|inspirerende|koselig|festlig|sommerlig|personlig|ekte|naturlig|frisk|glad$|tone$|stil$|stemning',
    readers:
      '(?:unge )?(?:barnefamilier|familier|voksne|par|foreldre)|kvinner|menn|studenter|pendlere|seniorer|pensjonister|huseiere|boligeiere|hundeeiere|syklister|løpere|gründere',
  },
  el: {
    manner:
      'κόκκιν|μπλε|γαλάζι|πράσιν|χρυσ|ασημ|μαύρ|λευκ|άσπρ|κρεμ|μπεζ|πορτοκαλ|κίτριν|μωβ|ροζ|τιρκουάζ|γκρι|καφέ|μπορντό|παστέλ|τόνοι|τόνους|χρώμα|αποχρώσ|ανοιχτ|σκούρ|γήιν|ζεστ|φιλικ|ήρεμ|κομψ|μοντέρν|σοβαρ|επαγγελματικ|παιχνιδιάρικ|χιουμοριστικ|χαλαρ|premium|πολυτελ|απλ[όήά]|λιτ|μινιμαλ|νεανικ|δυναμικ|αξιόπιστ|ειλικριν|εορταστικ|χαρούμεν|αισιόδοξ|τρυφερ|αυθεντικ|παραδοσιακ|ρομαντικ|ύφος|τόνος|στυλ|διάθεση',
    readers:
      '(?:νέες |νέοι )?(?:οικογένειες|ενήλικες|γονείς|γυναίκες|άνδρες|φοιτητές|ζευγάρια|συνταξιούχοι|επαγγελματίες|νέοι|ποδηλάτες)',
  },
  uk: {
    manner:
      'червон|син[ія]|блакит|зелен|золот|срібн|чорн|біл[иіо]|кремов|бежев|помаранч|жовт|фіолет|рожев|бірюз|сір[иіо]|коричн|бордо|пастел|тони$|тонах$|кольор|колір|відтінк|гама|палітра|світл|темн|спокійн|елегантн|тепл|дружн|сучасн|серйозн|професійн|весел|грайлив|преміальн|мінімаліст|енергійн|молодіжн|щир|затишн|стриман|ніжн|святков|тон$|стиль|настрій',
    readers: "(?:молоді )?(?:родини|сім[’'ʼ]ї|батьки|пари|мами)|жінки|чоловіки|студенти|молодь|пенсіонери|підприємці",
  },
  cs: {
    manner:
      'červen|modr|zelen|zlat|stříbrn|čern|bíl|krémov|béžov|oranžov|žlut|fialov|růžov|tyrkys|šed|hněd|vínov|pastel|tóny$|barv|odstín|světl|tmav|dynamick|přírodn|klidn|elegantn|tepl|přátelsk|modern|vážn|seriózn|profesionáln|hrav|vtipn|vesel|prémiov|minimalistick|energick|mladistv|mladý|upřímn|útuln|domáck|střízliv|věcn|slavnostn|odlehčen|lehk|důvěryhodn|svěž|tón$|styl$|nálada',
    readers:
      '(?:mladé )?(?:rodiny|páry|maminky)|rodiče|ženy|muži|studenti|mladí|senioři|cyklisté|začátečníci|majitelé domů',
  },
  ro: {
    manner:
      'roș|albastr|verde|verzi|auriu|aurii|argintiu|negru|neagră|alb$|albă$|crem$|bej|portocaliu|galben|violet|mov$|roz$|turcoaz|gri$|maro|bordo|pastel|tonuri|culori|nuanțe|deschis|închis|pal$|cald|prietenos|prietenoas|calm|elegant|modern|serios|serioas|profesionist|profesional|jucăuș|amuzant|relaxat|premium|luxos|simplu|simplă|minimalist|energic|tânăr|tineresc|sincer|onest|festiv|vesel|optimist|de încredere|încrezător|autentic|direct$|sobru|ton$|stil$|atmosferă',
    readers:
      '(?:familii(?:le)?|părinți(?:i)?|femei(?:le)?|bărbați(?:i)?|studenți(?:i)?|cupluri(?:le)?|pensionari(?:i)?|profesioniști|adulți|tineri(?:i)?)(?: tinere| tineri)?',
  },
};

/** Words between those, in any language. */
const FILLERS = new RegExp(
  `^(?:${gluesOf('and', 'but', 'not', 'degree', 'article', 'is')}|van|von|vom|di|du|as|at|be|for|in|it|please|of|the|to|with|zu|im|un|une|no|con|en|met|med|με|με|s|cu|w|z|з|в|भरा|के|साथ|में|하고|하지만|너무|은|는|한|게|\\p{N}+)$`,
  'iu',
);
/** Fillers of writings without spaces. */
const WIDE_FILLERS =
  /た|な|に|で|の|い|く|感じ|がある|ある|お願いします|ください|して|仕上げ|表現|的|一点|一些|要|请|保持|ให้|แบบ|และ|ๆ|[、，,・；;。.\s]/gu;
const MAX_WORDS = 10;
const MAX_CHARS = 80;

/** Beside readers. */
const ATTRIBUTE =
  '(?:young|busy|older|working|urban|new|modern|junge|berufstätige|jeunes|débutant(?:e?s)|actifs|jóvenes|giovani|jovens|jonge|młode|молодые)';
/** Behind readers: an age or a place. */
const AGE =
  '(?:aged?|ages|über|ab|de|entre|between|over|under|von|da|dai|dos)?\\s*\\d{2}\\s?(?:\\+|(?:-|–|to|bis|à|a|e|y|und|and)\\s?\\d{2})?(?:\\s?(?:jahren?|años|ans|anni|anos|jaar|lat|лет|yaş))?';
const PLACE = '(?:in|en|à|nach|from|around|aus|im|em|w|в|из|near|across)\\s+\\p{Lu}[\\p{L} ]{1,30}';

type Asides = { readonly manner: RegExp; readonly readers: RegExp };

const compiled = new Map<CopyLanguage, Asides>();

/** Patterns are compiled when they are first needed, and there are as many as languages. */
function asidesOf(language: CopyLanguage): Asides {
  const { manner, readers } = ASIDES[language];
  const asides = compiled.get(language) ?? {
    manner: new RegExp(
      WITHOUT_SPACES.has(language) ? `(?:${manner})` : `^[وו]?(?:${manner})`,
      WITHOUT_SPACES.has(language) ? 'gu' : 'iu',
    ),
    readers: readers === '' ? /(?!)/u : new RegExp(`^(?:${AGE}\\s)?${listOf(readers)}$`, 'iu'),
  };
  compiled.set(language, asides);
  return asides;
}

/** Returns one sort of readers, with an attribute or with an age or place behind it, or several of them. */
function listOf(readers: string): string {
  const one = `(?:(?:${ATTRIBUTE}\\s)?(?:${readers})(?:\\s${ATTRIBUTE})?|(?:\\p{L}+\\s){0,2}(?:${readers})\\s(?:${AGE}|${PLACE}))`;
  return `(?:(?:${readers})\\s(?:and|und|et|y|e|en|i|и|ve|&)\\s)?${one}`;
}

const WITHOUT_SPACES: ReadonlySet<CopyLanguage> = new Set(['ja', 'zh', 'th']);

/** Whether a clause says nothing but how the ad is to speak or look: "calm, elegant", "not too serious". */
export function saysManner(clause: string, language: CopyLanguage): boolean {
  if (clause.length > MAX_CHARS) return false;
  const { manner } = asidesOf(language);
  if (WITHOUT_SPACES.has(language)) {
    const rest = clause.replace(manner, '');
    return rest !== clause && rest.replace(WIDE_FILLERS, '') === '';
  }
  const [positive = ''] = clause.split(WITHOUT);
  const words = positive.split(/[\s,/&+;.!]+/u).filter((word) => word !== '');
  const isManner = (word: string): boolean => manner.test(word);
  return (
    words.length <= MAX_WORDS && words.some(isManner) && words.every((word) => isManner(word) || FILLERS.test(word))
  );
}

/** What a clause says that its manner is not: "romantic without kitsch". */
const WITHOUT = new RegExp(`\\s(?:${gluesOf('without')})\\s(?=[\\p{L}-]+(?:\\s[\\p{L}-]+){0,2}$)`, 'iu');

/** Whether a clause says only what something is not, as one beside words of manner does: "not boring", "never too loud". */
export function isMannerDenied(clause: string): boolean {
  return DENIAL.test(clause);
}

const DENIAL = new RegExp(
  `^(?:(?:${gluesOf('but')})\\s)?(?:${gluesOf('not', 'without')})\\s(?:(?:${gluesOf('degree')})\\s)?[\\p{L}-]{2,24}(?:\\s[\\p{L}-]{2,24}){0,3}$`,
  'iu',
);

/** Whether a clause names nothing but readers: "families", "urban commuters 25-40", "students in London". */
export function namesReaders(clause: string, language: CopyLanguage): boolean {
  return clause.length <= MAX_CHARS && asidesOf(language).readers.test(withoutEnd(clause, /[\s!]/u));
}

/** Whether a sentence names nothing but the sort of ad that is wanted: "Radio spot, 30 seconds", "Video ad". */
export function namesMedium(sentence: string): boolean {
  const text = withoutEnd(sentence, /[\s.!。！]/u);
  return sentence.length <= MAX_CHARS && (MEDIUM.test(text) || ORDER.test(text));
}

const LENGTH = String.raw`\d{1,4}\s?-?(?:s|sec|seconds?|sek|sekunden|secondes?|segundos|secondi|seconden|sekund|сек|секунд|sekunder|δευτερόλεπτα|секунд|secunde|[x×]\s?\d{2,4})\.?`;
const CHANNEL =
  '(?:radio|audio|video|vidéo|vídeo|display|tv|web|podcast|online|digital|social|native|streaming|spotify|banner)';
const SORT =
  "(?:job (?:ads?|adverts?|posts?)|recruitment ads?|stellenanzeigen?|vacature(?:tekst)?|(?:offre|annonce) d[’']emploi|oferta de (?:trabajo|empleo)|annuncio di lavoro|anúncio de emprego|ogłoszenie o pracę|iş ilanı|jobannonse?|jobbannons|αγγελία(?: εργασίας)?|inzerát na práci|anunț de angajare|spots?|ads?|adverts?|advertisements?|banners?|commercials?|werbespots?|werbebanner|anzeigen?|werbung|annonces?|bannières?|publicité|pub|anuncios?|cuñas?|annunci|annuncio|comunicato|anúncios?|advertentie|reklam[ay]?|baner|баннер|ролик|реклама|annonse?n?|annonce|reklame|reklam|διαφήμιση|банер|inzerát|reclamă)";
/** Where ads appear, in front of whom and what they are for. */
const PLATFORM =
  '(?:facebook|fb|insta(?:gram)?|ig|meta|tik\\s?tok|linked\\s?in|youtube|twitter|pinterest|snapchat|whatsapp|google(?: ads| display)?|gdn|social(?: media)?|socials|medios sociales|redes(?: sociales)?|réseaux(?: sociaux)?|redes sociais|soziale[n]? (?:medien|netzwerke)|social network|sociale medi[ae]r?|sociala medier|sosiale medier|social[ií]ch? sít[íě]\\p{L}*|mediów społecznościowych|соцсет\\p{L}+|соцмереж\\p{L}*|rețele(?:le)? sociale|web(?:site|seite|stránky)?|site|newsletter|stories|story|reels|feed|display|programmatic|mobile|handy|print)';
const WHERE = `(?:(?:${gluesOf('for')})\\s(?:(?:${gluesOf('article')})\\s)?${PLATFORM}(?:\\s?(?:,|&|\\+|\\/|\\s(?:${gluesOf('and')})\\s)\\s?${PLATFORM}){0,3})`;
/** Where an ad appears, in front of what it is for. */
const PLACED = new RegExp(
  `^(?:(?:${gluesOf('article')})\\s)?${PLATFORM}(?:\\s?(?:,|&|\\+|\\/|\\s(?:${gluesOf('and')})\\s)\\s?${PLATFORM}){0,3}(?:\\s(?:${gluesOf('for')})\\s+|[.\\s]*$)`,
  'iu',
);

/** Returns what an ad is about without where it appears in front of it: "Instagram for our boots". */
export function withoutPlatform(subject: string): string {
  return subject.replace(PLACED, '');
}

const MEDIUM = new RegExp(
  `^(?:(?:an?|the|ein|eine|une?|uma|een|un)\\s)?(?:${LENGTH}\\s)?(?:(?:${CHANNEL}[\\s-]?){1,2}${SORT}?|${SORT}(?:\\s(?:(?:de\\s|para\\s|per\\s|per la\\s)?${CHANNEL}|publicitaire|pubblicitario|publicitario))?|(?:${PLATFORM}[\\s-]?)${SORT})(?:\\s${WHERE})?(?:[\\s,:(–-]+${LENGTH}\\)?)?$`,
  'iu',
);

/** "We need a banner" in any language, which says nothing of what is advertised; the verb stands last in some. */
const NEED = `(?:${gluesOf('weNeed')})`;
/** An ad in any language. */
export const AN_AD = `(?:${SORT}|ban+er\\p{L}{0,3}|横幅(?:广告)?|广告|배너[가를]?|광고[가를]?|بانر|إعلان(?:ا|اً)?|באנר|מודעה)`;
const ORDER = new RegExp(
  `^(?:\\p{L}{2,12}[,!،，]\\s)?(?:${NEED}\\s?(?:de\\s)?(?:${gluesOf('article')})?\\s?(?:\\p{L}{3,10}\\s)?(?:个|一个)?${AN_AD}(?:\\s\\p{L}{3,8})?|(?:${gluesOf('article')}|bir)?\\s?${AN_AD}\\s${NEED})$`,
  'iu',
);
